/* Machine code with its text: which registers an instruction reads and writes, which are live where, also for lanes
 * that are off, and what the assembly of every version of LLVM must give. */
#include "frontend/codegen/codegen.h"
#include "models/timing/roofline.h"
#include "tests/unit/machine_kit.h"

#include <glob.h>
#include <stdio.h>

/* ---- operands ---- */

/* "v3+2": so many from there on. */
static void put_registers(Buf *out, u32 first, u32 n)
{
	static const struct {
		u32 base;
		const char *name;
	} kinds[] = {{REGISTER_EXEC, "exec"}, {REGISTER_VCC, "vcc"}, {REGISTER_S0, "s"}, {REGISTER_A0, "a"},
	             {REGISTER_V0, "v"}};
	u32 k = 0;
	while (first < kinds[k].base)
		k++;
	buf_printf(out, "%s", kinds[k].name);
	if (k > 1)
		buf_printf(out, n > 1 ? "%u+%u" : "%u", first - kinds[k].base, n);
}

/* "Wv0 rs1": w for what is written, W for all of it, r for what is read. */
static void uses_text(const char *line, Buf *out)
{
	char name[64] = "";
	RegisterUse uses[MOST_USES];
	size_t n = strcspn(line, " ");
	memcpy(name, line, n);
	MachineIns x = {.mnemonic = name};
	codegen_classify(name, &x);
	u32 k = codegen_uses(&x, line + n, uses);
	buf_printf(out, "%s", "");
	for (u32 i = 0; i < k; i++) {
		const RegisterUse *u = &uses[i];
		buf_printf(out, "%s%s%s", i ? " " : "", !u->writes ? "" : u->whole ? "W" : "w", u->reads ? "r" : "");
		put_registers(out, u->first, u->n);
	}
}

static void tells_uses(void)
{
	static const struct {
		const char *line, *uses;
	} rows[] = {
		{"v_add_u32_e32 v0, s8, v1", "Wv0 rs8 rv1"},
		{"v_add_co_u32_e32 v0, vcc, s8, v1", "Wv0 Wvcc rs8 rv1"},
		{"v_add_i32_e32 v0, vcc, s8, v1", "Wv0 Wvcc rs8 rv1"},
		{"v_add3_u32 v0, s1, v2, v3", "Wv0 rs1 rv2 rv3"},
		{"v_mad_u64_u32 v[0:1], null, s13, s2, v[2:3]", "Wv0+2 rs13 rs2 rv2+2"},
		{"v_qsad_pk_u16_u8 v[6:7], v[0:1], v2, v[3:4]", "Wv6+2 rv0+2 rv2 rv3+2"},
		{"v_div_scale_f32 v3, s[0:1], v2, -v2, |v5|", "Wv3 Ws0+2 rv2 rv2 rv5"},
		{"v_div_fmas_f32 v3, v3, v6, v7", "Wv3 rv3 rv6 rv7 rvcc"},
		{"v_fmac_f32_e32 v6, v7, v6", "Wrv6 rv7 rv6"},
		{"v_cmp_gt_u32_e64 s[0:1], s0, v0", "Ws0+2 rs0 rv0"},
		{"v_cmpx_gt_i32_e32 0, v0", "rv0"},
		{"v_cmpx_gt_i32_e32 vcc, 0, v0", "Wvcc rv0"},
		{"v_readlane_b32 s4, v40, 1", "Ws4 rv40"},
		{"v_writelane_b32 v40, s4, 1", "wv40 rs4"},
		{"v_mov_b32_dpp v1, v0 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", "wv1 rv0"},
		{"v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", "Wv1 rv0"},
		{"v_add_u16_sdwa v1, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE", "wv1 rv2 rv3"},
		{"v_dual_mul_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v0, s4", "Wv0 rv1 rv2 Wrv3 rv0 rs4"},
		{"v_swap_b32 v1, v2", "Wrv1 Wrv2"},
		{"v_accvgpr_write_b32 a0, v1", "Wa0 rv1"},
		{"global_load_dwordx4 v[0:3], v[4:5], off", "Wv0+4 rv4+2"},
		{"global_load_short_d16_hi v0, v[4:5], off", "wv0 rv4+2"},
		{"global_store_dword v[0:1], v2, off", "rv0+2 rv2"},
		{"global_store_dword v0, v2, s[2:3]", "rv0 rv2 rs2+2"},
		{"global_atomic_add v1, v[2:3], v4, off glc", "Wv1 rv2+2 rv4"},
		{"global_atomic_add v[2:3], v4, off", "rv2+2 rv4"},
		{"buffer_atomic_add v1, off, s[0:3], 0 glc", "Wrv1 rs0+4"},
		{"buffer_store_dword v1, off, s[0:3], 0 offset:12", "rv1 rs0+4"},
		{"scratch_load_b64 v[1:2], off, s5 offset:8", "Wv1+2 rs5"},
		{"scratch_store_b32 off, v1, s8", "rv1 rs8"},
		{"image_sample v[0:3], [v5, v7], s[0:7], s[8:11] dmask:0xf", "Wv0+4 rv5 rv7 rs0+8 rs8+4"},
		{"ds_read2_b32 v[0:1], v2 offset1:4", "Wv0+2 rv2"},
		{"ds_add_u32 v0, v1", "rv0 rv1"},
		{"ds_add_rtn_u32 v3, v0, v1", "Wv3 rv0 rv1"},
		{"s_load_dwordx4 s[0:3], s[4:5], 0x0", "Ws0+4 rs4+2"},
		{"s_cmp_eq_u32 s2, s3", "rs2 rs3"},
		{"s_addk_i32 s2, 0x10", "Wrs2"},
		{"s_and_saveexec_b64 s[0:1], vcc", "Ws0+2 rvcc"},
		{"s_or_b64 exec, exec, s[0:1]", "Wexec rexec rs0+2"},
		{"s_cbranch_vccnz .LBB0_2", "rvcc"},
		{"s_waitcnt vmcnt(0) lgkmcnt(0)", ""},
		{"s_endpgm", ""},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Buf have = {0};
		uses_text(rows[i].line, &have);
		CU_ASSERT_STRING_EQUAL(have.v, rows[i].uses);
		if (strcmp(have.v, rows[i].uses))
			printf("%s: %s, expected %s\n", rows[i].line, have.v, rows[i].uses);
		array_free(&have);
	}
}

/* ---- live registers ---- */

typedef struct Code {
	Arena *a;
	MachineCode c;
	bool ok;
} Code;

static Code read_code(const char *kernel, const char *text)
{
	static const Loc places[64] = {{NULL, 0, 0}};
	Code k = {.a = arena_new(),
	          .c = {.places = places, .nplaces = COUNT(places), .nir_blocks = 1, .listing = true}};
	k.ok = codegen_parse(&k.c, kernel, text, k.a);
	return k;
}

static void code_free(Code *k)
{
	array_free(&k->c.ins);
	array_free(&k->c.blocks);
	array_free(&k->c.edges);
	arena_free(k->a);
}

/* body: a line for each instruction or label, and at its end how many vector registers are live; no number: that is not
 * looked at. */
static void expect_live(const char *body)
{
	Buf text = {0};
	u32 want[64], n = 0;
	buf_printf(&text, "k:  ; @k\n");
	for (const char *p = body; *p; p += strcspn(p, "\n") + 1) {
		const char *number = strchr(p, '#'), *end = p + strcspn(p, "\n");
		bool counted = number && number < end;
		buf_printf(&text, "%s%.*s\n", *p == '.' ? "" : "\t", (int)((counted ? number : end) - p), p);
		if (*p != '.' && *p != ';')
			want[n++] = counted ? (u32)strtoul(number + 1, NULL, 10) : UINT32_MAX;
	}
	buf_printf(&text, ".Lfunc_end0:\n; NumSgprs: 8\n");
	Code k = read_code("k", text.v);
	CU_ASSERT_TRUE_FATAL(k.ok && k.c.live && k.c.ins.n == n);
	for (u32 i = 0; i < n; i++) {
		const MachineIns *x = &k.c.ins.v[i];
		CU_ASSERT_TRUE(want[i] == UINT32_MAX || x->live_vgprs == want[i]);
		if (want[i] != UINT32_MAX && x->live_vgprs != want[i])
			printf("%s: %u live, expected %u\n", x->text, x->live_vgprs, want[i]);
	}
	code_free(&k);
	array_free(&text);
}

static void straight(void)
{
	expect_live("v_mov_b32_e32 v2, 1 #3\n" /* v0, v1 are needed below */
	            "v_add_u32_e32 v1, v1, v2 #3\n"
	            "v_mov_b32_e32 v2, 0 #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm #0\n");
}

/* What lanes that are off hold stays, though the wavefront writes the register. */
static void masked(void)
{
	expect_live("v_mov_b32_e32 v2, 1 #3\n"
	            "v_cmp_gt_u32_e32 vcc, 4, v0 #3\n"
	            "s_and_saveexec_b64 s[0:1], vcc #3\n"
	            "v_mov_b32_e32 v3, 7 #4\n" /* v2 waits */
	            "v_mov_b32_e32 v2, v3 #4\n"
	            "s_or_b64 exec, exec, s[0:1] #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm\n");
}

/* Both sides of a branch write the register: before, nothing is in it. */
static void both_sides(void)
{
	expect_live("v_cmp_gt_u32_e32 vcc, 4, v0 #2\n"
	            "s_and_saveexec_b64 s[0:1], vcc #2\n"
	            "s_xor_b64 s[0:1], exec, s[0:1] #2\n"
	            "s_cbranch_execz .LBB0_2 #2\n"
	            "v_mov_b32_e32 v2, 7 #3\n"
	            ".LBB0_2:\n"
	            "s_andn2_saveexec_b64 s[0:1], s[0:1] #3\n"
	            "s_cbranch_execz .LBB0_4 #3\n"
	            "v_mov_b32_e32 v2, 8 #3\n"
	            ".LBB0_4:\n"
	            "s_or_b64 exec, exec, s[0:1] #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm\n");
}

/* Lanes leave a loop one by one with what they have. */
static void loop(void)
{
	expect_live("v_mov_b32_e32 v3, 0 #3\n"
	            "s_mov_b64 s[0:1], 0 #3\n"
	            ".LBB0_1:\n"
	            "v_add_u32_e32 v3, 1, v3 #4\n" /* v2 of lanes that left */
	            "v_mov_b32_e32 v2, v3 #4\n"
	            "v_cmp_gt_u32_e32 vcc, v3, v0 #4\n"
	            "s_or_b64 s[0:1], vcc, s[0:1] #4\n"
	            "s_andn2_b64 exec, exec, s[0:1] #4\n"
	            "s_cbranch_execnz .LBB0_1 #4\n"
	            "s_or_b64 exec, exec, s[0:1] #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm\n");
}

/* The register that says who waits is itself spilled. */
static void spilled_mask(void)
{
	expect_live("v_mov_b32_e32 v2, 1 #4\n" /* v9: its lanes are set one by one */
	            "s_and_saveexec_b64 s[0:1], vcc #4\n"
	            "v_writelane_b32 v9, s0, 3 #4\n"
	            "v_mov_b32_e32 v2, 2 #4\n"
	            "v_readlane_b32 s4, v9, 3 #4\n"
	            "s_or_b64 exec, exec, s[4:5] #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm\n");
}

/* Two masks in lanes of two vector registers: v9's eighth and v10's first are not one place. */
static void spilled_masks(void)
{
	expect_live("v_mov_b32_e32 v2, 1 #5\n"
	            "s_and_saveexec_b64 s[0:1], vcc #5\n"
	            "v_writelane_b32 v9, s0, 7 #5\n"
	            "v_mov_b32_e32 v2, 2 #5\n" /* the 1 waits */
	            "s_and_saveexec_b64 s[2:3], vcc #5\n"
	            "v_writelane_b32 v10, s2, 0 #5\n"
	            "v_mov_b32_e32 v3, 1 #6\n"
	            "ds_write_b32 v3, v3 #6\n"
	            "v_readlane_b32 s2, v10, 0 #5\n"
	            "s_or_b64 exec, exec, s[2:3] #4\n"
	            "v_mov_b32_e32 v2, 3 #4\n"
	            "v_readlane_b32 s0, v9, 7 #4\n"
	            "s_or_b64 exec, exec, s[0:1] #3\n"
	            "global_store_dword v[0:1], v2, off #3\n"
	            "s_endpgm\n");
}

/* Each pass over the code takes the store's registers one block further. */
static void backward_jumps(void)
{
	enum { JUMPS = 100 };
	Buf text = {0};
	buf_printf(&text, "k:  ; @k\n\ts_branch .LBB0_%u\n.LBB0_0:\n\tglobal_store_dword v[0:1], v2, off\n\ts_endpgm\n",
	           JUMPS);
	for (u32 i = 1; i <= JUMPS; i++)
		buf_printf(&text, ".LBB0_%u:\n\ts_branch .LBB0_%u\n", i, i - 1);
	buf_printf(&text, ".Lfunc_end0:\n; NumSgprs: 8\n");
	Code k = read_code("k", text.v);
	CU_ASSERT_TRUE_FATAL(k.ok && k.c.live && k.c.ins.n == JUMPS + 3);
	for (u32 i = 0; i < k.c.ins.n; i++)
		CU_ASSERT_EQUAL(k.c.ins.v[i].live_vgprs, i == 2 ? 0 : 3);
	code_free(&k);
	array_free(&text);
}

static void undefined(void)
{
	expect_live("v_mov_b32_e32 v2, 1 #2\n" /* dead: nothing reads it; v0 is read below */
	            "; implicit-def: $vgpr1_vgpr2\n"
	            "v_add_u32_e32 v1, v1, v2 #3\n"
	            "ds_write_b32 v0, v1 #2\n"
	            "s_endpgm\n");
}

/* tests/assembly: no more than the code has; nothing before it is written, but what a kernel starts with. */
static void versions(void)
{
	glob_t files;
	CU_ASSERT_EQUAL_FATAL(glob("tests/assembly/*.s", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *text = read_file(files.gl_pathv[i], NULL);
		Code k = read_code("corpus", text);
		CU_ASSERT_TRUE_FATAL(k.ok && k.c.live && k.c.ins.n);
		u32 most = 0, first = k.c.ins.v[0].live_vgprs;
		for (u32 n = 0; n < k.c.ins.n; n++) {
			const MachineIns *x = &k.c.ins.v[n];
			most = x->live_vgprs > most ? x->live_vgprs : most;
			CU_ASSERT_TRUE(!strncmp(x->text, x->mnemonic, strlen(x->mnemonic)) && !strchr(x->text, ';'));
			CU_ASSERT_TRUE(x->live_sgprs <= k.c.sgprs);
			CU_ASSERT_TRUE(strcmp(x->mnemonic, "s_endpgm") || !x->live_vgprs);
		}
		CU_ASSERT_TRUE(most <= k.c.total_vgprs && most + 3 >= k.c.vgprs && first <= 3);
		if (most > k.c.total_vgprs || most + 3 < k.c.vgprs || first > 3)
			printf("%s: %u of %u live, %u at the beginning\n", files.gl_pathv[i], most,
			       k.c.total_vgprs, first);
		code_free(&k);
		free(text);
	}
	globfree(&files);
}

/* A comment of LLVM's says what is a spill. */
static void spills(void)
{
	Code k = read_code("k", "k:  ; @k\n"
	                        "\tbuffer_store_dword v1, off, s[0:3], 0 offset:12 ; 4-byte Folded Spill\n"
	                        "\tbuffer_load_dword v1, off, s[0:3], 0 offset:12 ; 4-byte Folded Reload\n"
	                        "\tbuffer_load_dword v1, v2, s[0:3], 0 offen\n"
	                        "\tv_writelane_b32 v2, s0, 3\n"
	                        "\tv_readlane_b32 s0, v2, s3\n"
	                        "\tv_readlane_b32 s1, v2, 3\n"
	                        "\tv_readlane_b32 s2, v3, 3\n" /* of the kernel's own: nobody wrote that lane alone */
	                        "\ts_endpgm\n"
	                        ".Lfunc_end0:\n; NumSgprs: 8\n    .sgpr_spill_count: 2\n");
	const u8 want[] = {SPILL_store, SPILL_load, SPILL_none, SPILL_scalar_store, SPILL_none,
	                   SPILL_scalar_load, SPILL_none, SPILL_none};
	CU_ASSERT_TRUE_FATAL(k.ok && k.c.ins.n == COUNT(want));
	for (u32 i = 0; i < COUNT(want); i++)
		CU_ASSERT_EQUAL(k.c.ins.v[i].spill, want[i]);
	CU_ASSERT_STRING_EQUAL(k.c.ins.v[0].text, "buffer_store_dword v1, off, s[0:3], 0 offset:12");
	code_free(&k);
}

/* Operations of a lane: half, single, double precision, integer. */
static void operations(void)
{
	static const struct {
		const char *text;
		double ops[ROOF_OP_COUNT];
	} rows[] = {
		{"v_add_f32_e32 v0, v1, v2", {0, 1, 0, 0}},
		{"v_fmac_f32_e32 v0, v1, v2", {0, 2, 0, 0}},
		{"v_madmk_f32 v0, v1, 0x40000000, v2", {0, 2, 0, 0}},
		{"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", {0, 0, 2, 0}},
		{"v_mul_f64 v[0:1], v[2:3], v[4:5]", {0, 0, 1, 0}},
		{"v_pk_fma_f16 v0, v1, v2, v3", {4, 0, 0, 0}},
		{"v_pk_mul_f32 v[0:1], v[2:3], v[4:5]", {0, 2, 0, 0}},
		{"v_rcp_f32_e32 v0, v1", {0, 1, 0, 0}},
		{"v_div_scale_f32 v3, s[0:1], v2, v2, v5", {0, 0, 0, 0}},
		{"v_div_fmas_f32 v3, v3, v6, v7", {0, 2, 0, 0}},
		{"v_cmp_gt_f32_e32 vcc, v0, v1", {0, 0, 0, 1}},
		{"v_mad_u64_u32 v[0:1], s[2:3], v4, s11, v[2:3]", {0, 0, 0, 1}},
		{"v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4", {0, 2, 0, 1}},
		{"v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]", {0, 0, 0, 0}},
		{"MULADD_IEEE T0.X, T1.X, T2.X, T3.X\nADD T0.Y, T1.Y, T2.Y\nADD_INT * T0.W, PV.W, T0.X", {0, 3, 0, 1}},
		{"LDS_READ_RET * OQAP, T0.W", {0, 0, 0, 0}},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		double have[ROOF_OP_COUNT] = {0}, sum = 0;
		bool any = roofline_ops(rows[i].text, have);
		for (u32 k = 0; k < ROOF_OP_COUNT; k++) {
			CU_ASSERT_DOUBLE_EQUAL(have[k], rows[i].ops[k], 0);
			if (have[k] != rows[i].ops[k])
				printf("%s: %g of kind %u, expected %g\n", rows[i].text, have[k], k, rows[i].ops[k]);
			sum += have[k];
		}
		CU_ASSERT_EQUAL(any, sum > 0);
	}
}

void suite_listing(void)
{
	CU_pSuite s = CU_add_suite("listing", NULL, NULL);
	CU_add_test(s, "what instructions read and write", tells_uses);
	CU_add_test(s, "live registers of straight code", straight);
	CU_add_test(s, "… of lanes that are off", masked);
	CU_add_test(s, "… where both sides write", both_sides);
	CU_add_test(s, "… of lanes that left a loop", loop);
	CU_add_test(s, "… with a spilled mask", spilled_mask);
	CU_add_test(s, "masks in lanes of several registers", spilled_masks);
	CU_add_test(s, "many jumps backward", backward_jumps);
	CU_add_test(s, "… of undefined values", undefined);
	CU_add_test(s, "… in the assembly of LLVM 15 to 19", versions);
	CU_add_test(s, "operations of a lane", operations);
	CU_add_test(s, "spills are told from other accesses", spills);
}
