; gfx1100, LLVM 15: 117 instructions besides s_nop, 592 bytes, 10 VGPRs, 18 SGPRs, 100 scratch, 1024 LDS
; 3 LDS, 1 atomics, 1 barriers, 6 scalar loads, 10 branches and ends
corpus:                                 ; @corpus
.Lfunc_begin0:
	.loc	1 3 0                           ; k.cl:3:0
; %bb.0:                                ; %entry
	.loc	1 6 36 prologue_end             ; k.cl:6:36
	s_load_b32 s9, s[0:1], 0x4
	s_clause 0x3
	s_load_b64 s[10:11], s[2:3], 0x20
	s_load_b32 s8, s[2:3], 0x18
	s_load_b128 s[4:7], s[2:3], 0x0
	s_load_b64 s[0:1], s[2:3], 0x10
	v_mov_b32_e32 v5, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s2, s9, 0xffff
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_3) | instid1(VALU_DEP_3)
	v_mad_u64_u32 v[1:2], null, s15, s2, v[0:1]
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
.Ltmp0:
	.loc	1 8 20                          ; k.cl:8:20
	s_cmp_lt_i32 s8, 1
.Ltmp1:
	.loc	1 6 36                          ; k.cl:6:36
	v_add_co_u32 v1, null, s10, v1
	s_cbranch_scc1 .LBB0_5
; %bb.1:                                ; %for.body.preheader
.Ltmp2:
	.loc	1 9 44                          ; k.cl:9:44
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
.Ltmp3:
	.loc	1 8 2                           ; k.cl:8:2
	s_add_i32 s2, s8, -1
	s_mov_b32 s3, 0
	s_set_inst_prefetch_distance 0x1
	s_branch .LBB0_3
.LBB0_2:                                ; %Flow6
                                        ;   in Loop: Header=BB0_3 Depth=1
	.loc	1 0 2 is_stmt 0                 ; k.cl:0:2
	v_cvt_f64_i32_e32 v[8:9], s8
	s_and_not1_b32 vcc_lo, exec_lo, s9
	s_delay_alu instid0(VALU_DEP_1)
	v_fma_f64 v[2:3], v[6:7], v[8:9], v[2:3]
	s_cbranch_vccz .LBB0_5
.LBB0_3:                                ; %for.body
                                        ; =>This Inner Loop Header: Depth=1
.Ltmp4:
	.loc	1 9 37 is_stmt 1                ; k.cl:9:37
	v_add_nc_u32_e32 v4, s3, v1
	.loc	1 9 14 is_stmt 0                ; k.cl:9:14
	s_load_b32 s8, s[0:1], 0x0
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	.loc	1 9 37                          ; k.cl:9:37
	v_lshlrev_b64 v[6:7], 3, v[4:5]
	v_add_co_u32 v6, vcc_lo, s6, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	v_add_co_ci_u32_e32 v7, vcc_lo, s7, v7, vcc_lo
	global_load_b64 v[6:7], v[6:7], off
	.loc	1 9 12                          ; k.cl:9:12
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s9, s8, s3
	.loc	1 9 24                          ; k.cl:9:24
	s_mul_hi_i32 s10, s9, 0x2aaaaaab
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	s_lshr_b32 s11, s10, 31
	s_lshr_b32 s10, s10, 2
	s_add_i32 s10, s10, s11
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_mul_i32 s10, s10, 24
	s_sub_i32 s9, s9, s10
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	.loc	1 9 30                          ; k.cl:9:30
	s_lshl_b32 s9, s9, 2
	s_add_i32 s10, s9, 4
.Ltmp5:
	.loc	1 8 20 is_stmt 1                ; k.cl:8:20
	s_cmp_eq_u32 s2, s3
	s_mov_b32 s9, -1
.Ltmp6:
	.loc	1 9 32                          ; k.cl:9:32
	s_waitcnt vmcnt(0)
	v_cvt_i32_f64_e32 v4, v[6:7]
	.loc	1 9 30 is_stmt 0                ; k.cl:9:30
	scratch_store_b32 off, v4, s10
	s_cbranch_scc1 .LBB0_2
.Ltmp7:
; %bb.4:                                ; %for.body.for.body_crit_edge
                                        ;   in Loop: Header=BB0_3 Depth=1
	.loc	1 8 2 is_stmt 1                 ; k.cl:8:2
	s_add_u32 s0, s0, 4
	s_addc_u32 s1, s1, 0
.Ltmp8:
	.loc	1 8 26 is_stmt 0                ; k.cl:8:26
	s_add_i32 s3, s3, 1
	s_mov_b32 s9, 0
	s_branch .LBB0_2
.Ltmp9:
.LBB0_5:                                ; %for.end
	.loc	1 0 26                          ; k.cl:0:26
	s_set_inst_prefetch_distance 0x2
	.loc	1 12 24 is_stmt 1               ; k.cl:12:24
	v_mul_hi_u32 v4, 0xaaaaaaab, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	.loc	1 12 32 is_stmt 0               ; k.cl:12:32
	v_cvt_i32_f64_e32 v5, v[2:3]
	.loc	1 12 12                         ; k.cl:12:12
	v_lshlrev_b32_e32 v6, 2, v0
	s_mov_b32 s0, exec_lo
	.loc	1 12 24                         ; k.cl:12:24
	v_lshrrev_b32_e32 v4, 4, v4
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_u32_u24_e32 v4, 24, v4
	v_sub_nc_u32_e32 v4, v0, v4
	s_delay_alu instid0(VALU_DEP_1)
	.loc	1 12 14                         ; k.cl:12:14
	v_lshlrev_b32_e32 v4, 2, v4
	scratch_load_b32 v4, v4, off offset:4
	.loc	1 12 30                         ; k.cl:12:30
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v4, v5
.Ltmp10:
	.loc	1 14 6 is_stmt 1                ; k.cl:14:6
	v_xor_b32_e32 v5, 0x3fc, v6
.Ltmp11:
	.loc	1 12 12                         ; k.cl:12:12
	ds_store_b32 v6, v4
	.loc	1 13 2                          ; k.cl:13:2
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	s_barrier 
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	buffer_gl0_inv
.Ltmp12:
	.loc	1 14 6                          ; k.cl:14:6
	ds_load_b32 v4, v5
	.loc	1 14 22 is_stmt 0               ; k.cl:14:22
	s_waitcnt lgkmcnt(0)
	v_cmpx_gt_i32_e32 8, v4
	s_xor_b32 s0, exec_lo, s0
	s_cbranch_execnz .LBB0_8
.Ltmp13:
; %bb.6:                                ; %Flow
	.loc	1 0 22                          ; k.cl:0:22
	s_and_not1_saveexec_b32 s0, s0
	s_cbranch_execnz .LBB0_9
.LBB0_7:                                ; %if.end
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.LBB0_8:                                ; %if.else
.Ltmp14:
	.loc	1 17 24                         ; k.cl:17:24
	v_cvt_f32_f64_e32 v0, v[2:3]
	.loc	1 17 3 is_stmt 0                ; k.cl:17:3
	v_mov_b32_e32 v2, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	.loc	1 17 19                         ; k.cl:17:19
	v_sqrt_f32_e32 v3, v0
	.loc	1 17 12                         ; k.cl:17:12
	v_lshlrev_b64 v[0:1], 2, v[1:2]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_co_u32 v0, vcc_lo, s4, v0
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v1, vcc_lo
	.loc	1 17 14                         ; k.cl:17:14
	s_waitcnt_depctr 0xfff
	v_cvt_i32_f32_e32 v2, v3
	.loc	1 17 12                         ; k.cl:17:12
	global_store_b32 v[0:1], v2, off
                                        ; implicit-def: $vgpr0
	s_and_not1_saveexec_b32 s0, s0
	s_cbranch_execz .LBB0_7
.LBB0_9:                                ; %if.then
	.loc	1 15 25 is_stmt 1               ; k.cl:15:25
	v_xor_b32_e32 v1, 1, v0
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v1, 2, v1
	ds_load_b32 v2, v1
	v_mov_b32_e32 v1, 0
	.loc	1 15 3 is_stmt 0                ; k.cl:15:3
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_co_u32 v0, vcc_lo, s4, v0
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v1, vcc_lo
	s_waitcnt lgkmcnt(0)
	global_atomic_add_u32 v[0:1], v2, off
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
.Ltmp15:
	.loc	1 18 1 is_stmt 1                ; k.cl:18:1
	s_endpgm
.Ltmp16:
.Lfunc_end0:
                                        ; -- End function
; Kernel info:
; codeLenInByte = 616
; NumSgprs: 18
; NumVgprs: 10
; ScratchSize: 100
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 10
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 15
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
