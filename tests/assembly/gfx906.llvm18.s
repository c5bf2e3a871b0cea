; gfx906, LLVM 18: 110 instructions besides s_nop, 572 bytes, 12 VGPRs, 23 SGPRs, 100 scratch, 1024 LDS
; 3 LDS, 1 atomics, 1 barriers, 6 scalar loads, 10 branches and ends
corpus:                                 ; @corpus
.Lfunc_begin0:
	.loc	1 3 0                           ; k.cl:3:0
; %bb.0:                                ; %entry
	s_add_u32 s0, s0, s11
.Ltmp0:
	.loc	1 6 36 prologue_end             ; k.cl:6:36
	s_load_dword s18, s[4:5], 0x4
	.loc	1 5 6                           ; k.cl:5:6
	s_load_dwordx4 s[12:15], s[6:7], 0x0
	s_load_dwordx2 s[8:9], s[6:7], 0x10
	s_load_dword s11, s[6:7], 0x18
	.loc	1 6 36                          ; k.cl:6:36
	s_load_dwordx2 s[16:17], s[6:7], 0x20
	s_addc_u32 s1, s1, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s4, s18, 0xffff
	s_mul_i32 s10, s10, s4
	v_add_u32_e32 v1, s10, v0
	v_mov_b32_e32 v6, 0
.Ltmp1:
	.loc	1 8 20                          ; k.cl:8:20
	s_cmp_lt_i32 s11, 1
.Ltmp2:
	.loc	1 6 36                          ; k.cl:6:36
	v_add_co_u32_e32 v1, vcc, s16, v1
.Ltmp3:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc1 .LBB0_5
; %bb.1:                                ; %for.body.preheader
.Ltmp4:
	.loc	1 9 44                          ; k.cl:9:44
	v_mov_b32_e32 v3, 0
.Ltmp5:
	.loc	1 8 2                           ; k.cl:8:2
	s_add_i32 s6, s11, -1
	s_mov_b32 s7, 0
.Ltmp6:
	.loc	1 9 44                          ; k.cl:9:44
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v2, s15
	v_mov_b32_e32 v7, 4
	s_branch .LBB0_3
.Ltmp7:
.LBB0_2:                                ; %for.body.for.body_crit_edge
                                        ;   in Loop: Header=BB0_3 Depth=1
	.loc	1 8 2                           ; k.cl:8:2
	s_add_u32 s8, s8, 4
	s_addc_u32 s9, s9, 0
.Ltmp8:
	.loc	1 8 26 is_stmt 0                ; k.cl:8:26
	s_add_i32 s7, s7, 1
.Ltmp9:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_execz .LBB0_6
.LBB0_3:                                ; %for.body
                                        ; =>This Inner Loop Header: Depth=1
.Ltmp10:
	.loc	1 9 37 is_stmt 1                ; k.cl:9:37
	v_add_u32_e32 v5, s7, v1
	v_lshlrev_b64 v[8:9], 3, v[5:6]
	.loc	1 9 14 is_stmt 0                ; k.cl:9:14
	s_load_dword s4, s[8:9], 0x0
	.loc	1 9 37                          ; k.cl:9:37
	v_add_co_u32_e32 v8, vcc, s14, v8
	v_addc_co_u32_e32 v9, vcc, v2, v9, vcc
	global_load_dwordx2 v[8:9], v[8:9], off
	.loc	1 10 24 is_stmt 1               ; k.cl:10:24
	s_waitcnt lgkmcnt(0)
	v_cvt_f64_i32_e32 v[10:11], s4
	.loc	1 9 12                          ; k.cl:9:12
	s_mul_i32 s5, s4, s7
	.loc	1 9 24 is_stmt 0                ; k.cl:9:24
	s_mul_hi_i32 s4, s5, 0x2aaaaaab
	s_lshr_b32 s10, s4, 31
	s_lshr_b32 s4, s4, 2
	s_add_i32 s4, s4, s10
	s_mul_i32 s4, s4, 24
	s_sub_i32 s4, s5, s4
	.loc	1 9 30                          ; k.cl:9:30
	s_lshl_b32 s4, s4, 2
.Ltmp11:
	.loc	1 8 20 is_stmt 1                ; k.cl:8:20
	s_cmp_eq_u32 s6, s7
.Ltmp12:
	.loc	1 10 7                          ; k.cl:10:7
	s_waitcnt vmcnt(0)
	v_fma_f64 v[3:4], v[8:9], v[10:11], v[3:4]
	.loc	1 9 32                          ; k.cl:9:32
	v_cvt_i32_f64_e32 v5, v[8:9]
	.loc	1 9 30 is_stmt 0                ; k.cl:9:30
	v_add_u32_e32 v8, s4, v7
	buffer_store_dword v5, v8, s[0:3], 0 offen
.Ltmp13:
	.loc	1 8 2 is_stmt 1                 ; k.cl:8:2
	s_cbranch_scc0 .LBB0_2
; %bb.4:
                                        ; implicit-def: $sgpr7
                                        ; implicit-def: $sgpr8_sgpr9
	s_branch .LBB0_6
.Ltmp14:
.LBB0_5:
	.loc	1 0 2 is_stmt 0                 ; k.cl:0:2
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
.LBB0_6:                                ; %for.end
	s_mov_b32 s4, 0xaaaaaab
	.loc	1 12 24 is_stmt 1               ; k.cl:12:24
	v_mul_hi_u32 v2, v0, s4
	v_mov_b32_e32 v5, 4
	.loc	1 12 32 is_stmt 0               ; k.cl:12:32
	v_cvt_i32_f64_e32 v6, v[3:4]
	.loc	1 12 24                         ; k.cl:12:24
	v_mul_u32_u24_e32 v2, 24, v2
	v_sub_u32_e32 v2, v0, v2
	.loc	1 12 14                         ; k.cl:12:14
	v_lshl_add_u32 v2, v2, 2, v5
	buffer_load_dword v2, v2, s[0:3], 0 offen
	.loc	1 12 12                         ; k.cl:12:12
	v_lshlrev_b32_e32 v5, 2, v0
.Ltmp15:
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	v_xor_b32_e32 v7, 0x3fc, v5
.Ltmp16:
	.loc	1 12 30                         ; k.cl:12:30
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, v2, v6
	.loc	1 12 12 is_stmt 0               ; k.cl:12:12
	ds_write_b32 v5, v2
	.loc	1 13 2 is_stmt 1                ; k.cl:13:2
	s_waitcnt lgkmcnt(0)
	s_barrier
.Ltmp17:
	.loc	1 14 6                          ; k.cl:14:6
	ds_read_b32 v6, v7
.Ltmp18:
	.loc	1 6 13                          ; k.cl:6:13
	v_mov_b32_e32 v2, 0
.Ltmp19:
	.loc	1 14 22                         ; k.cl:14:22
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, 8, v6
.Ltmp20:
	.loc	1 14 6 is_stmt 0                ; k.cl:14:6
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[6:7], exec, s[4:5]
	s_cbranch_execnz .LBB0_9
; %bb.7:                                ; %Flow
	s_andn2_saveexec_b64 s[4:5], s[6:7]
	s_cbranch_execnz .LBB0_10
.LBB0_8:                                ; %if.end
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.LBB0_9:                                ; %if.else
.Ltmp21:
	.loc	1 17 24                         ; k.cl:17:24
	v_cvt_f32_f64_e32 v0, v[3:4]
	s_mov_b32 s4, 0xf800000
	.loc	1 17 19 is_stmt 0               ; k.cl:17:19
	v_mul_f32_e32 v3, 0x4f800000, v0
	v_cmp_gt_f32_e32 vcc, s4, v0
	v_cndmask_b32_e32 v0, v0, v3, vcc
	v_sqrt_f32_e32 v3, v0
	v_add_u32_e32 v4, -1, v3
	v_add_u32_e32 v5, 1, v3
	v_fma_f32 v6, -v4, v3, v0
	v_fma_f32 v7, -v5, v3, v0
	v_cmp_ge_f32_e64 s[4:5], 0, v6
	v_cndmask_b32_e64 v3, v3, v4, s[4:5]
	v_cmp_lt_f32_e64 s[4:5], 0, v7
	v_cndmask_b32_e64 v3, v3, v5, s[4:5]
	v_mul_f32_e32 v4, 0x37800000, v3
	v_cndmask_b32_e32 v3, v3, v4, vcc
	v_mov_b32_e32 v4, 0x260
	v_cmp_class_f32_e32 vcc, v0, v4
	v_cndmask_b32_e32 v0, v3, v0, vcc
	.loc	1 17 14                         ; k.cl:17:14
	v_cvt_i32_f32_e32 v3, v0
	.loc	1 17 12                         ; k.cl:17:12
	v_lshlrev_b64 v[0:1], 2, v[1:2]
	v_mov_b32_e32 v2, s13
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
	global_store_dword v[0:1], v3, off
.Ltmp22:
                                        ; implicit-def: $vgpr0
                                        ; implicit-def: $vgpr5
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_andn2_saveexec_b64 s[4:5], s[6:7]
	s_cbranch_execz .LBB0_8
.LBB0_10:                               ; %if.then
.Ltmp23:
	.loc	1 15 25                         ; k.cl:15:25
	v_xor_b32_e32 v0, 1, v0
	v_lshlrev_b32_e32 v0, 2, v0
	ds_read_b32 v0, v0
	.loc	1 15 3 is_stmt 0                ; k.cl:15:3
	s_waitcnt lgkmcnt(0)
	global_atomic_add v5, v0, s[12:13]
.Ltmp24:
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.Ltmp25:
.Lfunc_end0:
                                        ; -- End function
; Kernel info:
; codeLenInByte = 572
; NumSgprs: 23
; NumVgprs: 12
; ScratchSize: 100
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 23
; NumVGPRsForWavesPerEU: 12
; Occupancy: 10
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 10
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
