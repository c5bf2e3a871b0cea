; gfx1030, LLVM 16: 95 instructions besides s_nop, 512 bytes, 11 VGPRs, 20 SGPRs, 100 scratch, 1024 LDS
; 3 LDS, 1 atomics, 1 barriers, 6 scalar loads, 9 branches and ends
corpus:                                 ; @corpus
.Lfunc_begin0:
	.loc	1 3 0                           ; k.cl:3:0
; %bb.0:                                ; %entry
	.loc	1 6 36 prologue_end             ; k.cl:6:36
	s_load_dword s9, s[4:5], 0x4
	s_clause 0x3
	s_load_dwordx2 s[16:17], s[6:7], 0x20
	s_load_dword s8, s[6:7], 0x18
	s_load_dwordx4 s[12:15], s[6:7], 0x0
	s_load_dwordx2 s[4:5], s[6:7], 0x10
	s_add_u32 s0, s0, s11
	s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v4, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s6, s9, 0xffff
	v_mad_u64_u32 v[1:2], null, s10, s6, v[0:1]
.Ltmp0:
	.loc	1 8 20                          ; k.cl:8:20
	s_cmp_lt_i32 s8, 1
.Ltmp1:
	.loc	1 6 36                          ; k.cl:6:36
	v_add_co_u32 v2, null, s16, v1
.Ltmp2:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc1 .LBB0_5
; %bb.1:                                ; %for.body.preheader
.Ltmp3:
	.loc	1 9 44                          ; k.cl:9:44
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
.Ltmp4:
	.loc	1 8 2                           ; k.cl:8:2
	s_add_i32 s6, s8, -1
	s_mov_b32 s7, 0
	s_branch .LBB0_3
.LBB0_2:                                ; %for.body.for.body_crit_edge
                                        ;   in Loop: Header=BB0_3 Depth=1
	s_add_u32 s4, s4, 4
	s_addc_u32 s5, s5, 0
.Ltmp5:
	.loc	1 8 26 is_stmt 0                ; k.cl:8:26
	s_add_i32 s7, s7, 1
.Ltmp6:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_execz .LBB0_5
.LBB0_3:                                ; %for.body
                                        ; =>This Inner Loop Header: Depth=1
.Ltmp7:
	.loc	1 9 37 is_stmt 1                ; k.cl:9:37
	v_add_nc_u32_e32 v5, s7, v2
	.loc	1 9 14 is_stmt 0                ; k.cl:9:14
	s_load_dword s8, s[4:5], 0x0
	.loc	1 9 37                          ; k.cl:9:37
	v_lshlrev_b64 v[7:8], 3, v[5:6]
	v_add_co_u32 v7, vcc_lo, s14, v7
	v_add_co_ci_u32_e32 v8, vcc_lo, s15, v8, vcc_lo
	global_load_dwordx2 v[7:8], v[7:8], off
	.loc	1 10 24 is_stmt 1               ; k.cl:10:24
	s_waitcnt lgkmcnt(0)
	v_cvt_f64_i32_e32 v[9:10], s8
	.loc	1 9 12                          ; k.cl:9:12
	s_mul_i32 s8, s8, s7
	.loc	1 9 24 is_stmt 0                ; k.cl:9:24
	s_mul_hi_i32 s9, s8, 0x2aaaaaab
	s_lshr_b32 s10, s9, 31
	s_lshr_b32 s9, s9, 2
	s_add_i32 s9, s9, s10
	s_mul_i32 s9, s9, 24
	s_sub_i32 s8, s8, s9
	.loc	1 9 30                          ; k.cl:9:30
	s_lshl_b32 s8, s8, 2
.Ltmp8:
	.loc	1 8 20 is_stmt 1                ; k.cl:8:20
	s_cmp_eq_u32 s6, s7
.Ltmp9:
	.loc	1 9 30                          ; k.cl:9:30
	v_add_nc_u32_e64 v5, s8, 4
	.loc	1 9 32 is_stmt 0                ; k.cl:9:32
	s_waitcnt vmcnt(0)
	v_cvt_i32_f64_e32 v1, v[7:8]
	.loc	1 10 7 is_stmt 1                ; k.cl:10:7
	v_fma_f64 v[3:4], v[7:8], v[9:10], v[3:4]
	.loc	1 9 30                          ; k.cl:9:30
	buffer_store_dword v1, v5, s[0:3], 0 offen
.Ltmp10:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc0 .LBB0_2
.Ltmp11:
; %bb.4:
                                        ; implicit-def: $sgpr7
                                        ; implicit-def: $sgpr4_sgpr5
.LBB0_5:                                ; %for.end
	.loc	1 12 24                         ; k.cl:12:24
	v_mul_hi_u32 v1, 0xaaaaaab, v0
	.loc	1 12 32 is_stmt 0               ; k.cl:12:32
	v_cvt_i32_f64_e32 v5, v[3:4]
	.loc	1 12 12                         ; k.cl:12:12
	v_lshlrev_b32_e32 v6, 2, v0
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_mov_b32 s4, exec_lo
	.loc	1 12 24                         ; k.cl:12:24
	v_mul_u32_u24_e32 v1, 24, v1
	v_sub_nc_u32_e32 v1, v0, v1
	.loc	1 12 14 is_stmt 0               ; k.cl:12:14
	v_lshl_add_u32 v1, v1, 2, 4
	buffer_load_dword v1, v1, s[0:3], 0 offen
	.loc	1 12 30                         ; k.cl:12:30
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v1, v1, v5
.Ltmp12:
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	v_xor_b32_e32 v5, 0x3fc, v6
.Ltmp13:
	.loc	1 12 12                         ; k.cl:12:12
	ds_write_b32 v6, v1
	.loc	1 13 2                          ; k.cl:13:2
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	s_barrier
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	buffer_gl0_inv
.Ltmp14:
	.loc	1 14 6                          ; k.cl:14:6
	ds_read_b32 v5, v5
.Ltmp15:
	.loc	1 6 13                          ; k.cl:6:13
	v_mov_b32_e32 v1, 0
.Ltmp16:
	.loc	1 14 22                         ; k.cl:14:22
	s_waitcnt lgkmcnt(0)
	v_cmpx_gt_i32_e32 8, v5
.Ltmp17:
	.loc	1 14 6 is_stmt 0                ; k.cl:14:6
	s_xor_b32 s4, exec_lo, s4
	s_cbranch_execnz .LBB0_8
; %bb.6:                                ; %Flow
	s_andn2_saveexec_b32 s4, s4
	s_cbranch_execnz .LBB0_9
.LBB0_7:                                ; %if.end
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.LBB0_8:                                ; %if.else
.Ltmp18:
	.loc	1 17 24                         ; k.cl:17:24
	v_cvt_f32_f64_e32 v0, v[3:4]
	.loc	1 17 3 is_stmt 0                ; k.cl:17:3
	v_mov_b32_e32 v3, v1
	.loc	1 17 19                         ; k.cl:17:19
	v_sqrt_f32_e32 v4, v0
	.loc	1 17 12                         ; k.cl:17:12
	v_lshlrev_b64 v[0:1], 2, v[2:3]
	v_add_co_u32 v0, vcc_lo, s12, v0
	v_add_co_ci_u32_e32 v1, vcc_lo, s13, v1, vcc_lo
	.loc	1 17 14                         ; k.cl:17:14
	v_cvt_i32_f32_e32 v2, v4
	.loc	1 17 12                         ; k.cl:17:12
	global_store_dword v[0:1], v2, off
.Ltmp19:
                                        ; implicit-def: $vgpr0
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_andn2_saveexec_b32 s4, s4
	s_cbranch_execz .LBB0_7
.LBB0_9:                                ; %if.then
.Ltmp20:
	.loc	1 15 25                         ; k.cl:15:25
	v_xor_b32_e32 v2, 1, v0
	.loc	1 15 3 is_stmt 0                ; k.cl:15:3
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	.loc	1 15 25                         ; k.cl:15:25
	v_lshlrev_b32_e32 v2, 2, v2
	.loc	1 15 3                          ; k.cl:15:3
	v_add_co_u32 v0, vcc_lo, s12, v0
	v_add_co_ci_u32_e32 v1, vcc_lo, s13, v1, vcc_lo
	.loc	1 15 25                         ; k.cl:15:25
	ds_read_b32 v2, v2
	.loc	1 15 3                          ; k.cl:15:3
	s_waitcnt lgkmcnt(0)
	global_atomic_add v[0:1], v2, off
.Ltmp21:
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.Ltmp22:
.Lfunc_end0:
                                        ; -- End function
; Kernel info:
; codeLenInByte = 532
; NumSgprs: 20
; NumVgprs: 11
; ScratchSize: 100
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 20
; NumVGPRsForWavesPerEU: 11
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 10
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
