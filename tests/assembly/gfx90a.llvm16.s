; gfx90a, LLVM 16: 96 instructions besides s_nop, 484 bytes, 12 VGPRs, 21 SGPRs, 100 scratch, 1024 LDS
; 3 LDS, 1 atomics, 1 barriers, 6 scalar loads, 9 branches and ends
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
	v_mov_b32_e32 v7, 0
	v_add_co_u32_e32 v2, vcc, s16, v1
.Ltmp1:
	.loc	1 8 20                          ; k.cl:8:20
	s_cmp_lt_i32 s11, 1
	v_pk_mov_b32 v[4:5], 0, 0
.Ltmp2:
	.loc	1 8 2 is_stmt 0                 ; k.cl:8:2
	s_cbranch_scc1 .LBB0_5
; %bb.1:                                ; %for.body.preheader
	s_add_i32 s6, s11, -1
	s_mov_b32 s7, 0
.Ltmp3:
	.loc	1 9 44 is_stmt 1                ; k.cl:9:44
	v_pk_mov_b32 v[4:5], 0, 0
	v_mov_b32_e32 v1, 4
	s_branch .LBB0_3
.Ltmp4:
.LBB0_2:                                ; %for.body.for.body_crit_edge
                                        ;   in Loop: Header=BB0_3 Depth=1
	.loc	1 8 2                           ; k.cl:8:2
	s_add_u32 s8, s8, 4
	s_addc_u32 s9, s9, 0
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
	v_add_u32_e32 v6, s7, v2
	v_lshlrev_b64 v[8:9], 3, v[6:7]
	v_mov_b32_e32 v3, s15
	v_add_co_u32_e32 v8, vcc, s14, v8
	v_addc_co_u32_e32 v9, vcc, v3, v9, vcc
	global_load_dwordx2 v[8:9], v[8:9], off
	.loc	1 9 14 is_stmt 0                ; k.cl:9:14
	s_load_dword s4, s[8:9], 0x0
	.loc	1 9 12                          ; k.cl:9:12
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s5, s4, s7
	.loc	1 10 24 is_stmt 1               ; k.cl:10:24
	v_cvt_f64_i32_e32 v[10:11], s4
	.loc	1 9 24                          ; k.cl:9:24
	s_mul_hi_i32 s4, s5, 0x2aaaaaab
	s_lshr_b32 s10, s4, 31
	s_lshr_b32 s4, s4, 2
	s_add_i32 s4, s4, s10
	s_mul_i32 s4, s4, 24
	s_sub_i32 s4, s5, s4
	.loc	1 9 30 is_stmt 0                ; k.cl:9:30
	s_lshl_b32 s4, s4, 2
	v_add_u32_e32 v3, s4, v1
.Ltmp8:
	.loc	1 8 20 is_stmt 1                ; k.cl:8:20
	s_cmp_eq_u32 s6, s7
.Ltmp9:
	.loc	1 9 32                          ; k.cl:9:32
	s_waitcnt vmcnt(0)
	v_cvt_i32_f64_e32 v6, v[8:9]
	.loc	1 10 7                          ; k.cl:10:7
	v_fmac_f64_e32 v[4:5], v[8:9], v[10:11]
	.loc	1 9 30                          ; k.cl:9:30
	buffer_store_dword v6, v3, s[0:3], 0 offen
.Ltmp10:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc0 .LBB0_2
.Ltmp11:
; %bb.4:
                                        ; implicit-def: $sgpr7
                                        ; implicit-def: $sgpr8_sgpr9
.LBB0_5:                                ; %for.end
	.loc	1 0 2 is_stmt 0                 ; k.cl:0:2
	s_mov_b32 s4, 0xaaaaaab
	.loc	1 12 24 is_stmt 1               ; k.cl:12:24
	v_mul_hi_u32 v1, v0, s4
	v_mul_u32_u24_e32 v1, 24, v1
	v_sub_u32_e32 v1, v0, v1
	v_mov_b32_e32 v3, 4
	.loc	1 12 14 is_stmt 0               ; k.cl:12:14
	v_lshl_add_u32 v1, v1, 2, v3
	buffer_load_dword v1, v1, s[0:3], 0 offen
	.loc	1 12 32                         ; k.cl:12:32
	v_cvt_i32_f64_e32 v3, v[4:5]
	.loc	1 12 12                         ; k.cl:12:12
	v_lshlrev_b32_e32 v6, 2, v0
.Ltmp12:
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	v_xor_b32_e32 v7, 0x3fc, v6
.Ltmp13:
	.loc	1 12 30                         ; k.cl:12:30
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v1, v1, v3
	.loc	1 12 12 is_stmt 0               ; k.cl:12:12
	ds_write_b32 v6, v1
	.loc	1 13 2 is_stmt 1                ; k.cl:13:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_waitcnt lgkmcnt(0)
.Ltmp14:
	.loc	1 14 6                          ; k.cl:14:6
	ds_read_b32 v3, v7
.Ltmp15:
	.loc	1 6 13                          ; k.cl:6:13
	v_mov_b32_e32 v1, 0
.Ltmp16:
	.loc	1 14 22                         ; k.cl:14:22
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, 8, v3
.Ltmp17:
	.loc	1 14 6 is_stmt 0                ; k.cl:14:6
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[4:5], exec, s[4:5]
	s_cbranch_execnz .LBB0_8
; %bb.6:                                ; %Flow
	s_andn2_saveexec_b64 s[4:5], s[4:5]
	s_cbranch_execnz .LBB0_9
.LBB0_7:                                ; %if.end
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.LBB0_8:                                ; %if.else
.Ltmp18:
	.loc	1 17 24                         ; k.cl:17:24
	v_cvt_f32_f64_e32 v0, v[4:5]
	.loc	1 17 19 is_stmt 0               ; k.cl:17:19
	v_sqrt_f32_e32 v4, v0
	.loc	1 17 3                          ; k.cl:17:3
	v_mov_b32_e32 v3, v1
	.loc	1 17 12                         ; k.cl:17:12
	v_lshlrev_b64 v[0:1], 2, v[2:3]
	v_mov_b32_e32 v5, s13
	.loc	1 17 14                         ; k.cl:17:14
	v_cvt_i32_f32_e32 v2, v4
	.loc	1 17 12                         ; k.cl:17:12
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v5, v1, vcc
	global_store_dword v[0:1], v2, off
.Ltmp19:
                                        ; implicit-def: $vgpr0
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_andn2_saveexec_b64 s[4:5], s[4:5]
	s_cbranch_execz .LBB0_7
.LBB0_9:                                ; %if.then
.Ltmp20:
	.loc	1 15 3                          ; k.cl:15:3
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	.loc	1 15 25 is_stmt 0               ; k.cl:15:25
	v_xor_b32_e32 v0, 1, v0
	v_lshlrev_b32_e32 v0, 2, v0
	ds_read_b32 v4, v0
	.loc	1 15 3                          ; k.cl:15:3
	v_mov_b32_e32 v1, s13
	v_add_co_u32_e32 v0, vcc, s12, v2
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	s_waitcnt lgkmcnt(0)
	global_atomic_add v[0:1], v4, off
.Ltmp21:
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.Ltmp22:
.Lfunc_end0:
                                        ; -- End function
; Kernel info:
; codeLenInByte = 492
; NumSgprs: 21
; NumVgprs: 12
; NumAgprs: 0
; TotalNumVgprs: 12
; ScratchSize: 100
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 21
; NumVGPRsForWavesPerEU: 12
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 10
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
