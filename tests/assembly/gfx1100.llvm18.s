; gfx1100, LLVM 18: 120 instructions besides s_nop, 668 bytes, 11 VGPRs, 18 SGPRs, 100 scratch, 1024 LDS
; 3 LDS, 1 atomics, 1 barriers, 6 scalar loads, 9 branches and ends
corpus:                                 ; @corpus
.Lfunc_begin0:
; %bb.0:                                ; %entry
	.loc	1 6 36 prologue_end             ; k.cl:6:36
	s_load_b32 s9, s[0:1], 0x4
	s_clause 0x3
	s_load_b64 s[10:11], s[2:3], 0x20
	s_load_b32 s8, s[2:3], 0x18
	s_load_b128 s[4:7], s[2:3], 0x0
	s_load_b64 s[0:1], s[2:3], 0x10
	v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v3, 0
.Ltmp0:
	.loc	1 9 44                          ; k.cl:9:44
	v_mov_b32_e32 v4, 0
.Ltmp1:
	.loc	1 6 36                          ; k.cl:6:36
	s_waitcnt lgkmcnt(0)
	s_and_b32 s2, s9, 0xffff
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_mad_u64_u32 v[1:2], null, s15, s2, v[0:1]
.Ltmp2:
	.loc	1 8 20                          ; k.cl:8:20
	s_cmp_lt_i32 s8, 1
.Ltmp3:
	.loc	1 6 36                          ; k.cl:6:36
	v_add_co_u32 v1, null, s10, v1
.Ltmp4:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc1 .LBB0_5
; %bb.1:                                ; %for.body.preheader
	s_add_i32 s2, s8, -1
	s_mov_b32 s3, 0
	s_branch .LBB0_3
.LBB0_2:                                ; %for.body.for.body_crit_edge
                                        ;   in Loop: Header=BB0_3 Depth=1
	s_add_u32 s0, s0, 4
	s_addc_u32 s1, s1, 0
.Ltmp5:
	.loc	1 8 26 is_stmt 0                ; k.cl:8:26
	s_add_i32 s3, s3, 1
.Ltmp6:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_execz .LBB0_5
.LBB0_3:                                ; %for.body
                                        ; =>This Inner Loop Header: Depth=1
.Ltmp7:
	.loc	1 9 37 is_stmt 1                ; k.cl:9:37
	v_add_nc_u32_e32 v5, s3, v1
	.loc	1 9 14 is_stmt 0                ; k.cl:9:14
	s_load_b32 s8, s[0:1], 0x0
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	.loc	1 9 37                          ; k.cl:9:37
	v_lshlrev_b64 v[7:8], 3, v[5:6]
	v_add_co_u32 v7, vcc_lo, s6, v7
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_4) | instid1(SALU_CYCLE_1)
	v_add_co_ci_u32_e32 v8, vcc_lo, s7, v8, vcc_lo
	global_load_b64 v[7:8], v[7:8], off
	.loc	1 10 24 is_stmt 1               ; k.cl:10:24
	s_waitcnt lgkmcnt(0)
	v_cvt_f64_i32_e32 v[9:10], s8
	.loc	1 9 12                          ; k.cl:9:12
	s_mul_i32 s8, s8, s3
	.loc	1 9 24 is_stmt 0                ; k.cl:9:24
	s_mul_hi_i32 s9, s8, 0x2aaaaaab
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	s_lshr_b32 s10, s9, 31
	s_lshr_b32 s9, s9, 2
	s_add_i32 s9, s9, s10
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_mul_i32 s9, s9, 24
	s_sub_i32 s8, s8, s9
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	.loc	1 9 30                          ; k.cl:9:30
	s_lshl_b32 s8, s8, 2
	s_add_i32 s8, s8, 4
.Ltmp8:
	.loc	1 8 20 is_stmt 1                ; k.cl:8:20
	s_cmp_eq_u32 s2, s3
.Ltmp9:
	.loc	1 9 32                          ; k.cl:9:32
	s_waitcnt vmcnt(0)
	v_cvt_i32_f64_e32 v2, v[7:8]
	s_delay_alu instid0(VALU_DEP_2)
	.loc	1 10 7                          ; k.cl:10:7
	v_fma_f64 v[3:4], v[7:8], v[9:10], v[3:4]
	.loc	1 9 30                          ; k.cl:9:30
	scratch_store_b32 off, v2, s8
.Ltmp10:
	.loc	1 8 2                           ; k.cl:8:2
	s_cbranch_scc0 .LBB0_2
.Ltmp11:
; %bb.4:
                                        ; implicit-def: $sgpr3
                                        ; implicit-def: $sgpr0_sgpr1
.LBB0_5:                                ; %for.end
	.loc	1 12 24                         ; k.cl:12:24
	v_mul_hi_u32 v2, 0xaaaaaab, v0
	.loc	1 12 32 is_stmt 0               ; k.cl:12:32
	v_cvt_i32_f64_e32 v6, v[3:4]
	.loc	1 12 12                         ; k.cl:12:12
	v_lshlrev_b32_e32 v5, 2, v0
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_mov_b32 s0, exec_lo
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	.loc	1 12 24                         ; k.cl:12:24
	v_mul_u32_u24_e32 v2, 24, v2
	v_sub_nc_u32_e32 v2, v0, v2
	s_delay_alu instid0(VALU_DEP_1)
	.loc	1 12 14 is_stmt 0               ; k.cl:12:14
	v_lshl_add_u32 v2, v2, 2, 4
	scratch_load_b32 v2, v2, off
	.loc	1 12 30                         ; k.cl:12:30
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v2, v2, v6
	.loc	1 12 12                         ; k.cl:12:12
	ds_store_b32 v5, v2
	.loc	1 6 13 is_stmt 1                ; k.cl:6:13
	v_mov_b32_e32 v2, 0
.Ltmp12:
	.loc	1 14 6                          ; k.cl:14:6
	v_xor_b32_e32 v6, 0x3fc, v5
.Ltmp13:
	.loc	1 13 2                          ; k.cl:13:2
	s_waitcnt lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	s_barrier
	buffer_gl0_inv
.Ltmp14:
	.loc	1 14 6                          ; k.cl:14:6
	ds_load_b32 v6, v6
	.loc	1 14 22 is_stmt 0               ; k.cl:14:22
	s_waitcnt lgkmcnt(0)
	v_cmpx_gt_i32_e32 8, v6
.Ltmp15:
	.loc	1 14 6                          ; k.cl:14:6
	s_xor_b32 s1, exec_lo, s0
	s_cbranch_execnz .LBB0_8
; %bb.6:                                ; %Flow
	s_and_not1_saveexec_b32 s0, s1
	s_cbranch_execnz .LBB0_9
.LBB0_7:                                ; %if.end
	.loc	1 0 6                           ; k.cl:0:6
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.LBB0_8:                                ; %if.else
.Ltmp16:
	.loc	1 17 24                         ; k.cl:17:24
	v_cvt_f32_f64_e32 v0, v[3:4]
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	.loc	1 17 19 is_stmt 0               ; k.cl:17:19
	v_mul_f32_e32 v3, 0x4f800000, v0
	v_cmp_gt_f32_e32 vcc_lo, 0xf800000, v0
	v_cndmask_b32_e32 v0, v0, v3, vcc_lo
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(VALU_DEP_2)
	v_sqrt_f32_e32 v3, v0
	s_waitcnt_depctr 0xfff
	v_add_nc_u32_e32 v4, -1, v3
	v_add_nc_u32_e32 v5, 1, v3
	v_fma_f32 v6, -v4, v3, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_fma_f32 v7, -v5, v3, v0
	v_cmp_ge_f32_e64 s0, 0, v6
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_cndmask_b32_e64 v3, v3, v4, s0
	v_cmp_lt_f32_e64 s0, 0, v7
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_cndmask_b32_e64 v3, v3, v5, s0
                                        ; implicit-def: $vgpr5
	v_mul_f32_e32 v4, 0x37800000, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_cndmask_b32_e32 v3, v3, v4, vcc_lo
	v_cmp_class_f32_e64 vcc_lo, v0, 0x260
	v_cndmask_b32_e32 v3, v3, v0, vcc_lo
	.loc	1 17 12                         ; k.cl:17:12
	v_lshlrev_b64 v[0:1], 2, v[1:2]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	.loc	1 17 14                         ; k.cl:17:14
	v_cvt_i32_f32_e32 v2, v3
	.loc	1 17 12                         ; k.cl:17:12
	v_add_co_u32 v0, vcc_lo, s4, v0
	s_delay_alu instid0(VALU_DEP_3)
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v1, vcc_lo
	global_store_b32 v[0:1], v2, off
.Ltmp17:
                                        ; implicit-def: $vgpr0
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	s_and_not1_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_7
.LBB0_9:                                ; %if.then
.Ltmp18:
	.loc	1 15 25                         ; k.cl:15:25
	v_xor_b32_e32 v0, 1, v0
	s_delay_alu instid0(VALU_DEP_1)
	v_lshlrev_b32_e32 v0, 2, v0
	ds_load_b32 v0, v0
	.loc	1 15 3 is_stmt 0                ; k.cl:15:3
	s_waitcnt lgkmcnt(0)
	global_atomic_add_u32 v5, v0, s[4:5]
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
.Ltmp19:
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.Ltmp20:
.Lfunc_end0:
                                        ; -- End function
; Kernel info:
; codeLenInByte = 648
; NumSgprs: 18
; NumVgprs: 11
; ScratchSize: 100
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 11
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 15
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
