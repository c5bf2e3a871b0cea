/* Every intrinsic of frontend/lower/amdgcn.def, against what AMD's ISA documents ("Vega Instruction Set
 * Architecture", "RDNA 2 …") say that its instruction does. A kernel reaches them through
 * declarations with LLVM's names; all stand in one kernel, in a block that some lanes run. It runs
 * on wavefronts of 64 and of 32 lanes, with masks that leave lanes, halves and rows out. */
#include "frontend/frontend.h"
#include "frontend/module/llvm.h"
#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "tests/unit/amdgcn_want.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { ITEMS = 128, CLAUSES = 4 };

/* ---- building and running ---- */

typedef struct Case {
	const char *expr;        /* of x, y, z, n: a ulong */
	u64 (*want)(const Seen *s);
	u32 detail;
	enum { EXACT, FLOAT, DOUBLE, NEAR } compare;
	u32 wave;                /* only on wavefronts of so many lanes; 0: on all */
} Case;

static const char declarations[] =
	"#define LLVM(name) __asm(\"llvm.\" name)\n"
	"float l_exp(float) LLVM(\"exp.f32\");\n"
	"float l_log(float) LLVM(\"log.f32\");\n"
	"float l_log10(float) LLVM(\"log10.f32\");\n"
	"float l_sin(float) LLVM(\"sin.f32\");\n"
	"float l_cos(float) LLVM(\"cos.f32\");\n"
	"#if LLVM_VERSION >= 17\n"
	"float l_ldexp(float, int) LLVM(\"ldexp.f32.i32\");\n"
	"double l_ldexp_d(double, int) LLVM(\"ldexp.f64.i32\");\n"
	"#else\n"
	"float l_ldexp(float, int) LLVM(\"amdgcn.ldexp.f32\");\n"
	"double l_ldexp_d(double, int) LLVM(\"amdgcn.ldexp.f64\");\n"
	"#endif\n"
	"int l_frexp_exp(float) LLVM(\"amdgcn.frexp.exp.i32.f32\");\n"
	"int l_frexp_exp_d(double) LLVM(\"amdgcn.frexp.exp.i32.f64\");\n"
	"double l_trig_preop(double, int) LLVM(\"amdgcn.trig.preop.f64\");\n"
	"float l_div_fmas(float, float, float, bool) LLVM(\"amdgcn.div.fmas.f32\");\n"
	"double l_div_fmas_d(double, double, double, bool) LLVM(\"amdgcn.div.fmas.f64\");\n"
	"float l_div_fixup(float, float, float) LLVM(\"amdgcn.div.fixup.f32\");\n"
	"double l_div_fixup_d(double, double, double) LLVM(\"amdgcn.div.fixup.f64\");\n"
	"uint l_ubfe(uint, uint, uint) LLVM(\"amdgcn.ubfe.i32\");\n"
	"uint l_sbfe(uint, uint, uint) LLVM(\"amdgcn.sbfe.i32\");\n"
	"#if LLVM_VERSION >= 17\n"
	"uint l_mul_u24(uint, uint) LLVM(\"amdgcn.mul.u24.i32\");\n"
	"uint l_mul_i24(uint, uint) LLVM(\"amdgcn.mul.i24.i32\");\n"
	"#else\n"
	"uint l_mul_u24(uint, uint) LLVM(\"amdgcn.mul.u24\");\n"
	"uint l_mul_i24(uint, uint) LLVM(\"amdgcn.mul.i24\");\n"
	"#endif\n"
	"uint l_perm(uint, uint, uint) LLVM(\"amdgcn.perm\");\n"
	"uint l_alignbyte(uint, uint, uint) LLVM(\"amdgcn.alignbyte\");\n"
	"uint l_sad(uint, uint, uint) LLVM(\"amdgcn.sad.u8\");\n"
	"uint l_sad_hi(uint, uint, uint) LLVM(\"amdgcn.sad.hi.u8\");\n"
	"uint l_sad_u16(uint, uint, uint) LLVM(\"amdgcn.sad.u16\");\n"
	"uint l_msad(uint, uint, uint) LLVM(\"amdgcn.msad.u8\");\n"
	"ulong l_qsad(ulong, uint, ulong) LLVM(\"amdgcn.qsad.pk.u16.u8\");\n"
	"ulong l_mqsad(ulong, uint, ulong) LLVM(\"amdgcn.mqsad.pk.u16.u8\");\n"
	"uint l_lerp(uint, uint, uint) LLVM(\"amdgcn.lerp\");\n"
	"uint l_put_byte(float, uint, uint) LLVM(\"amdgcn.cvt.pk.u8.f32\");\n"
	"uint l_mbcnt_lo(uint, uint) LLVM(\"amdgcn.mbcnt.lo\");\n"
	"uint l_mbcnt_hi(uint, uint) LLVM(\"amdgcn.mbcnt.hi\");\n"
	"uint l_readfirst(uint) LLVM(\"amdgcn.readfirstlane\");\n"
	"uint l_readlane(uint, uint) LLVM(\"amdgcn.readlane\");\n"
	"uint l_ballot32(bool) LLVM(\"amdgcn.ballot.i32\");\n"
	"ulong l_ballot64(bool) LLVM(\"amdgcn.ballot.i64\");\n"
	"ulong l_icmp(uint, uint, int) LLVM(\"amdgcn.icmp.i64.i32\");\n"
	"ulong l_fcmp(float, float, int) LLVM(\"amdgcn.fcmp.i64.f32\");\n"
	"uint l_bpermute(uint, uint) LLVM(\"amdgcn.ds.bpermute\");\n"
	"uint l_udot4(uint, uint, uint, bool) LLVM(\"amdgcn.udot4\");\n"
	"int l_sdot4(uint, uint, uint, bool) LLVM(\"amdgcn.sdot4\");\n"
	"uint l_sudot4(bool, uint, bool, uint, uint, bool) LLVM(\"amdgcn.sudot4\");\n"
	"uint l_permlane(uint, uint, uint, uint, bool, bool) LLVM(\"amdgcn.permlane16\") __attribute__((convergent));\n"
	"uint l_permlanex(uint, uint, uint, uint, bool, bool) LLVM(\"amdgcn.permlanex16\") __attribute__((convergent));\n"
	"uint l_swizzle(uint, int) LLVM(\"amdgcn.ds.swizzle\");\n"
	"uint l_dpp(uint, uint, int, int, int, bool) LLVM(\"amdgcn.update.dpp.i32\");\n"
	"bool l_is_shared(const void *) LLVM(\"amdgcn.is.shared\");\n"
	"bool l_is_private(const void *) LLVM(\"amdgcn.is.private\");\n"
	"bool l_class(float, int) LLVM(\"amdgcn.class.f32\");\n"
	"bool l_class_d(double, int) LLVM(\"amdgcn.class.f64\");\n"
	"ulong l_memtime(void) LLVM(\"amdgcn.s.memtime\");\n"
	"ulong l_memrealtime(void) LLVM(\"amdgcn.s.memrealtime\");\n"
	"ulong l_cycles(void) LLVM(\"readcyclecounter\");\n"
	"#define FX as_float(x)\n"
	"#define FY as_float(y)\n"
	"#define FZ as_float(z)\n"
	"#define DX as_double((ulong)x << 32 | y)\n"
	"#define DY as_double((ulong)y << 32 | z)\n"
	"#define DZ as_double((ulong)z << 32 | x)\n";

#define DPP(ctrl, rows, banks, bound) \
	{"l_dpp(y, x, " #ctrl ", " #rows ", " #banks ", " #bound ")", want_dpp, \
	 DPP_DETAIL(ctrl, rows, banks, bound), EXACT, 0}
#define DPP64(ctrl, rows, banks, bound) \
	{"l_dpp(y, x, " #ctrl ", " #rows ", " #banks ", " #bound ")", want_dpp, \
	 DPP_DETAIL(ctrl, rows, banks, bound), EXACT, 64}
#define SWIZZLE(pattern) {"l_swizzle(x, " #pattern ")", want_swizzle, pattern, EXACT, 0}
#define ICMP(predicate) {"l_icmp(x & 7, y & 7, " #predicate ")", want_icmp, predicate, EXACT, 0}
#define SICMP(predicate) {"l_icmp(x, y, " #predicate ")", want_icmp_wide, predicate, EXACT, 0}
#define FCMP(predicate) {"l_fcmp(FX, FY, " #predicate ")", want_fcmp, predicate, EXACT, 0}

static u64 want_still(const Seen *s)
{
	(void)s;
	return 0;
}

static const Case cases[] = {
	{"l_memtime()", want_still, 0, EXACT, 0},
	{"l_memrealtime()", want_still, 0, EXACT, 0},
	{"l_cycles()", want_still, 0, EXACT, 0},
	{"as_uint(l_exp(n_float))", want_exp, 0, NEAR, 0},
	{"as_uint(l_log(fabs(n_float)))", want_log, 0, NEAR, 0},
	{"as_uint(l_log10(fabs(n_float)))", want_log10, 0, NEAR, 0},
	{"as_uint(l_sin(n_float))", want_sin, 0, NEAR, 0},
	{"as_uint(l_cos(n_float))", want_cos, 0, NEAR, 0},
	{"as_uint(l_ldexp(FX, (int)(y % 600) - 300))", want_ldexp, 0, FLOAT, 0},
	{"as_ulong(l_ldexp_d(DX, (int)(z % 4400) - 2200))", want_ldexp_d, 0, DOUBLE, 0},
	{"l_frexp_exp(FX)", want_frexp_exp, 0, EXACT, 0},
	{"l_frexp_exp_d(DX)", want_frexp_exp_d, 0, EXACT, 0},
	{"as_ulong(l_trig_preop(ldexp(1.5, (int)(x % 220)), y % 3))", want_trig_preop, 0, DOUBLE, 0},
	{"as_uint(l_div_fmas(FX, FY, FZ, false))", want_div_fmas, 0, FLOAT, 0},
	{"as_ulong(l_div_fmas_d(DX, DY, DZ, false))", want_div_fmas_d, 0, DOUBLE, 0},
	{"as_uint(l_div_fixup(FX / FY, FY, FX))", want_div, 0, FLOAT, 0},
	{"as_ulong(l_div_fixup_d(DX / DY, DY, DX))", want_div_d, 0, DOUBLE, 0},
	{"l_ubfe(x, y, z)", want_ubfe, 0, EXACT, 0},
	{"l_ubfe(x, y, 0)", want_ubfe, 1, EXACT, 0},
	{"l_sbfe(x, y, z)", want_sbfe, 0, EXACT, 0},
	{"l_sbfe(x, y, 0)", want_sbfe, 1, EXACT, 0},
	{"l_mul_u24(x, y)", want_mul_u24, 0, EXACT, 0},
	{"l_mul_i24(x, y)", want_mul_i24, 0, EXACT, 0},
	{"l_perm(x, y, z & 0x0f0f0f0f)", want_perm, 0x0f0f0f0f, EXACT, 0},
	{"l_perm(x, y, z)", want_perm, 0xffffffff, EXACT, 0},
	{"l_alignbyte(x, y, z & 3)", want_alignbyte, 0, EXACT, 0},
	{"l_sad(x, y, z)", want_sad, 0, EXACT, 0},
	{"l_sad_hi(x, y, z)", want_sad_hi, 0, EXACT, 0},
	{"l_sad_u16(x, y, z)", want_sad_u16, 0, EXACT, 0},
	{"l_msad(x, y & 0xffff00ff, z)", want_msad, 0, EXACT, 0},
	{"l_qsad((ulong)x << 32 | y, z, (ulong)y << 32 | z)", want_qsad, 0, EXACT, 0},
	{"l_mqsad((ulong)x << 32 | y, z & 0xff00ffff, (ulong)y << 32 | z)", want_mqsad, 0, EXACT, 0},
	{"l_lerp(x, y, z)", want_lerp, 0, EXACT, 0},
	{"l_put_byte((float)(x >> 20) / 8 - 100, y, z)", want_put_byte, 0, EXACT, 0},
	{"l_udot4(x, y, z, false)", want_dot4, 0, EXACT, 0},
	{"(uint)l_sdot4(x, y, z, false)", want_dot4, DOT_SIGNED, EXACT, 0},
	{"l_udot4(x, y, z, true)", want_dot4, DOT_SATURATES, EXACT, 0},
	{"(uint)l_sdot4(x, y, z, true)", want_dot4, DOT_SIGNED | DOT_SATURATES, EXACT, 0},
	{"l_sudot4(true, x, false, y, z, false)", want_dot4, DOT_A_SIGNED, EXACT, 0},
	{"l_sudot4(false, x, true, y, z, true)", want_dot4, DOT_B_SIGNED | DOT_SATURATES, EXACT, 0},
	{"l_sudot4(true, x, true, y, z, true)", want_dot4, DOT_SIGNED | DOT_SATURATES, EXACT, 0},
	{"l_sudot4(false, x, false, y, z, true)", want_dot4, DOT_SATURATES, EXACT, 0},
	{"l_permlane(y, x, 0x76543210, 0xfedcba98, false, false)", want_permlane, 0, EXACT, 0},
	{"l_permlane(y, x, 0x0f1e2d3c, 0x4b5a6978, false, true)", want_permlane, 1 << 1 | 1, EXACT, 0},
	{"l_permlanex(y, x, 0x0f1e2d3c, 0x4b5a6978, false, false)", want_permlane, 1 << 1 | 16 << 2, EXACT, 0},
	{"l_mbcnt_lo(x, y)", want_mbcnt, 0, EXACT, 0},
	{"l_mbcnt_hi(x, y)", want_mbcnt, 1, EXACT, 0},
	{"l_mbcnt_hi(~0u, l_mbcnt_lo(~0u, 0))", want_lane, 0, EXACT, 0},
	{"l_readfirst(x)", want_readfirst, 0, EXACT, 0},
	{"l_readlane(x, n)", want_readlane, 0, EXACT, 0},
	{"l_readlane(x, 0)", want_readlane, 1, EXACT, 0},
	{"l_ballot32(x & 1)", want_ballot, 0, EXACT, 32},
	{"l_ballot32(true)", want_ballot, 1, EXACT, 32},
	{"l_ballot64(x & 1)", want_ballot, 0, EXACT, 0},
	{"l_ballot64(true)", want_ballot, 1, EXACT, 0},
	ICMP(32), ICMP(33), SICMP(34), SICMP(35), SICMP(36), SICMP(37), SICMP(38), SICMP(39), SICMP(40),
	SICMP(41), FCMP(1), FCMP(2), FCMP(3), FCMP(4), FCMP(5), FCMP(6), FCMP(7), FCMP(8), FCMP(9),
	FCMP(10), FCMP(11), FCMP(12), FCMP(13), FCMP(14),
	{"l_bpermute(y, x)", want_bpermute, 0, EXACT, 0},
	SWIZZLE(0x001f), SWIZZLE(0x041f), SWIZZLE(0x7c1f), SWIZZLE(0x0018), SWIZZLE(0x02a5),
	SWIZZLE(0x801b), SWIZZLE(0x80b1), SWIZZLE(0x8055), SWIZZLE(0xc020), SWIZZLE(0xc464),
	SWIZZLE(0xc0e3), SWIZZLE(0xe000), SWIZZLE(0xe003), SWIZZLE(0xe01f),
	DPP(0x01b, 0xf, 0xf, false), DPP(0x0e4, 0xf, 0xf, true), DPP(0x039, 0x5, 0xf, false),
	DPP(0x101, 0xf, 0xf, false), DPP(0x101, 0xf, 0xf, true), DPP(0x10f, 0xf, 0x3, true),
	DPP(0x111, 0xf, 0xf, false), DPP(0x111, 0xf, 0xf, true), DPP(0x118, 0xa, 0xc, false),
	DPP(0x11f, 0xf, 0xf, true), DPP(0x121, 0xf, 0xf, false), DPP(0x12f, 0x3, 0xf, true),
	DPP(0x140, 0xf, 0xf, false), DPP(0x141, 0xf, 0x6, false), DPP(0x150, 0xf, 0xf, true),
	DPP(0x15f, 0xf, 0xf, false), DPP(0x161, 0xf, 0xf, false), DPP(0x16f, 0xf, 0xf, true),
	DPP64(0x130, 0xf, 0xf, false), DPP64(0x130, 0xf, 0xf, true), DPP64(0x134, 0xf, 0xf, true),
	DPP64(0x138, 0xf, 0xf, false), DPP64(0x138, 0xf, 0xf, true), DPP64(0x13c, 0xf, 0xf, false),
	DPP64(0x142, 0xa, 0xf, false), DPP64(0x142, 0xf, 0xf, true), DPP64(0x143, 0xc, 0xf, false),
	DPP64(0x143, 0xf, 0xf, true),
	{"l_is_shared((const void *)(x & 1 ? (ulong)&tile[i] : (ulong)&a[i]))", want_odd, 0, EXACT, 0},
	{"l_is_private((const void *)(x & 1 ? (ulong)&own[n & 3] : (ulong)&a[i]))", want_odd, 0, EXACT, 0},
	{"l_class(FX, z)", want_class, 0, EXACT, 0},
	{"l_class(FX, 0x261)", want_class, 0x261, EXACT, 0},
	{"l_class_d(DX, z)", want_class_d, 0, EXACT, 0},
};

static bool wanted(const Case *c, u32 wave) { return !c->wave || c->wave == wave; }

static char *kernel_text(u32 wave)
{
	Buf b = {0};
	buf_printf(
	    &b,
	    "#define LLVM_VERSION %u\n%skernel void k(global const uint *a, global ulong *out, global uint *keep, "
	    "ulong on, uint n)\n{\n"
	    "\tlocal uint tile[%u];\n\tuint own[4] = {n, 1, 2, 3};\n"
	    "\tuint i = get_local_id(0), x = a[i], y = a[i + %u], z = a[i + %u];\n"
	    "\tfloat n_float = (float)(int)(x >> 8) * 0x1p-18f - 20.0f;\n"
	    "\ttile[i] = x;\n\tkeep[i] = x ^ tile[i ^ 1] ^ own[x & 3];\n"
	    "\tif (on >> (i %% %u) & 1) {\n",
	    llvm_version(), declarations, ITEMS, ITEMS, 2 * ITEMS, wave);
	for (u32 c = 0; c < COUNT(cases); c++)
		if (wanted(&cases[c], wave))
			buf_printf(&b, "\t\tout[i + %u] = %s;\n", c * ITEMS, cases[c].expr);
	buf_printf(&b, "\t}\n}\n");
	return b.v;
}

typedef struct Built {
	Fe *fe;
	Program *p;
} Built;

static Built build(const char *path, const char *text, const char *cpu, u32 wave)
{
	FeOptions o = {.path = path, .source = text, .cpu = cpu, .wave = wave};
	Diag d;
	diag_init(&d);
	Built b = {.fe = fe_compile(&o, &d)};
	b.p = b.fe ? fe_program(b.fe) : NULL;
	if (!b.p) {
		Buf why = {0};
		diag_print(&d, &why);
		fprintf(stderr, "%s\n", why.v);
		array_free(&why);
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.p);
	diag_free(&d);
	return b;
}

static void built_free(Built *b)
{
	program_free(b->p);
	fe_close(b->fe);
}

/* One work-group of ITEMS. */
static void run(const Built *b, SimBuffer *buffers, u32 nbuffers, SimArg *args, u32 wave)
{
	SimLaunch l = {.dims = 1, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}, .args = args,
	               .buffers = buffers, .nbuffers = nbuffers};
	SimConfig cfg = {.wave = wave, .line_bytes = 64, .threads = 1, .max_lds = 65536};
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_consecutive, wave, 32}, wave, 32);
	Diag d;
	diag_init(&d);
	Profile *prof = sim_run(b->p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	CU_ASSERT_EQUAL(prof->findings.n, 0);
	profile_free(prof);
	diag_free(&d);
}

/* ---- all of the table ---- */

static bool same(const Case *c, u64 have, u64 want)
{
	float fh, fw;
	double dh, dw;
	u32 lh = (u32)have, lw = (u32)want;
	memcpy(&fh, &lh, 4);
	memcpy(&fw, &lw, 4);
	memcpy(&dh, &have, 8);
	memcpy(&dw, &want, 8);
	switch (c->compare) {
	case EXACT: return have == want;
	case FLOAT: return have == want || (isnan(fh) && isnan(fw));
	case DOUBLE: return have == want || (isnan(dh) && isnan(dw));
	case NEAR: return fabsf(fh - fw) <= 4e-6f * fmaxf(1, fabsf(fw));
	}
	return false;
}

/* The first that differs is shown. */
static void check(const u32 *data, const u64 *out, u32 wave, u64 on, u32 n)
{
	for (u32 c = 0; c < COUNT(cases); c++) {
		u32 wrong = 0;
		for (u32 i = 0; i < ITEMS && wanted(&cases[c], wave); i++) {
			u32 from = i - i % wave;
			Seen s = {.x = data + from, .y = data + ITEMS + from, .z = data + 2 * ITEMS + from,
			          .lane = i % wave, .wave = wave, .on = wave == 64 ? on : on & 0xffffffff,
			          .n = n, .detail = cases[c].detail};
			bool active = s.on >> s.lane & 1;
			u64 want = active ? cases[c].want(&s) : UNTOUCHED, have = out[c * ITEMS + i];
			if (active ? same(&cases[c], have, want) : have == want)
				continue;
			if (!wrong++)
				fprintf(stderr, "%s: wave %u, mask %llx, lane %u: %llx, not %llx (x %x y %x z %x)\n",
				        cases[c].expr, wave, (unsigned long long)on, s.lane,
				        (unsigned long long)have, (unsigned long long)want, s.x[s.lane],
				        s.y[s.lane], s.z[s.lane]);
		}
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

/* Random bits, with floats of every class among them. */
static void fill(u32 *data, u32 n, u32 seed)
{
	static const u32 special[] = {0, 0x80000000, 1, 0x807fffff, 0x7f800000, 0xff800000, 0x7fc00000,
	                              0x7f800001, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xffffffff};
	for (u32 i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		data[i] = seed ^ seed >> 13;
		if (seed >> 28 == 3)
			data[i] = special[(seed >> 8) % COUNT(special)];
		if (seed >> 28 == 4)
			data[i] = 0x3f800000 + (seed >> 8 & 0x7fffff);
	}
}

static void intrinsics(const char *cpu, u32 wave)
{
	static const u64 masks[] = {UINT64_MAX, 0x5555555555555555, 0xfffffffe00000000, 0x8000000080000000,
	                            0x00ff13c70f0f9240, 0x7fffffff7fffffff, 1};
	static u32 data[3 * ITEMS], keep[ITEMS];
	static u64 out[COUNT(cases) * ITEMS];
	char *text = kernel_text(wave);
	Built b = build("k.cl", text, cpu, wave);
	for (u32 m = 0; m < COUNT(masks); m++) {
		u32 n = (m * 37 + 5) % wave;
		fill(data, COUNT(data), m + 1);
		for (u32 i = 0; i < COUNT(out); i++)
			out[i] = UNTOUCHED;
		SimBuffer buffers[] = {{(u8 *)data, sizeof data, "a", true, true, false, false, {0}, {0}},
		                       {(u8 *)out, sizeof out, "out", true, true, false, false, {0}, {0}},
		                       {(u8 *)keep, sizeof keep, "keep", true, true, false, false, {0}, {0}}};
		SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_BUFFER, .buffer = 1},
		                 {.kind = SIM_BUFFER, .buffer = 2},
		                 {.kind = SIM_VALUE, .bytes = &masks[m], .size = 8},
		                 {.kind = SIM_VALUE, .bytes = &n, .size = 4}};
		run(&b, buffers, COUNT(buffers), args, wave);
		check(data, out, wave, masks[m], n);
	}
	built_free(&b);
	free(text);
}

static void wave_64(void) { intrinsics("gfx906", 64); }
static void wave_32(void) { intrinsics("gfx1030", 32); }
static void rdna_64(void) { intrinsics("gfx1030", 64); }

/* Each row of the table is in a declaration above, in the bitcode below, what LLVM's optimiser
 * makes of ballot(true), in AMD's library for LLVM 17 (frexp: tests/cases/math), or
 * in what HIP's headers make (atomic.inc: tests/cases/hip/memory). */
static void complete(void)
{
	static const char *const names[] = {
#define AMD(name, run, detail) name,
#include "frontend/lower/amdgcn.def"
	};
	for (u32 i = 0; i < COUNT(names); i++) {
		char quoted[64];
		snprintf(quoted, sizeof quoted, "\"%s", names[i]);
		bool found = strstr(declarations, quoted) || !strcmp(names[i], "amdgcn.div.scale") ||
		             !strcmp(names[i], "frexp") || !strcmp(names[i], "read_register") ||
		             !strcmp(names[i], "amdgcn.mfma") /* tests/cases/hip/matrix */ ||
		             !strncmp(names[i], "amdgcn.atomic.", 14);
		CU_ASSERT_TRUE(found);
		if (!found)
			fprintf(stderr, "no test of llvm.%s\n", names[i]);
	}
}

/* ---- loops that lanes leave ---- */

/* The lanes of each key find one another: what a compiler makes of an index that differs. */
static void waterfall(void)
{
	static const char text[] =
		"uint first(uint) __asm(\"llvm.amdgcn.readfirstlane\");\n"
		"ulong ballot(bool) __asm(\"llvm.amdgcn.ballot.i64\");\n"
		"kernel void k(global const uint *a, global ulong *out)\n{\n"
		"\tuint i = get_local_id(0), key = a[i] % 5;\n\tulong mine = 0;\n"
		"\tfor (;;) {\n\t\tuint now = first(key);\n\t\tulong those = ballot(now == key);\n"
		"\t\tif (now == key) {\n\t\t\tmine = those;\n\t\t\tbreak;\n\t\t}\n\t}\n"
		"\tout[i] = mine;\n}\n";
	static u32 data[3 * ITEMS];
	static u64 out[ITEMS];
	for (u32 wave = 32; wave <= 64; wave += 32) {
		Built b = build("k.cl", text, wave == 64 ? "gfx906" : "gfx1030", wave);
		fill(data, COUNT(data), wave);
		SimBuffer buffers[] = {{(u8 *)data, sizeof data, "a", true, true, false, false, {0}, {0}},
		                       {(u8 *)out, sizeof out, "out", true, true, false, false, {0}, {0}}};
		SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_BUFFER, .buffer = 1}};
		run(&b, buffers, COUNT(buffers), args, wave);
		for (u32 i = 0; i < ITEMS; i++) {
			u64 want = 0;
			for (u32 l = 0; l < wave; l++)
				want |= (u64)(data[i - i % wave + l] % 5 == data[i] % 5) << l;
			CU_ASSERT_EQUAL(out[i], want);
		}
		built_free(&b);
	}
}

/* A loop with two entries, which lanes pass in no given order: each keeps what it saw last. */
static void irreducible(void)
{
	static const char text[] =
		"uint first(uint) __asm(\"llvm.amdgcn.readfirstlane\");\n"
		"ulong ballot(bool) __asm(\"llvm.amdgcn.ballot.i64\");\n"
		"kernel void k(global const uint *a, global ulong *out)\n{\n"
		"\tuint i = get_local_id(0), x = a[i], turn = 0, seen;\n\tulong those;\n"
		"\tif (x & 1)\n\t\tgoto inside;\n"
		"top:\n\tturn += x >> 7 & 3;\n"
		"inside:\n\tseen = first(x);\n\tthose = ballot(x & 2);\n"
		"\tif (++turn < 5 + (x >> 2 & 7))\n\t\tgoto top;\n"
		"\tout[2 * i] = those;\n\tout[2 * i + 1] = seen;\n}\n";
	static u32 data[3 * ITEMS];
	static u64 out[2 * ITEMS];
	Built b = build("k.cl", text, "gfx906", 64);
	bool masked = false;
	for (u32 i = 0; i < b.p->blocks.n; i++)
		masked |= b.p->blocks.v[i].masked;
	CU_ASSERT_TRUE(masked);
	fill(data, COUNT(data), 3);
	SimBuffer buffers[] = {{(u8 *)data, sizeof data, "a", true, true, false, false, {0}, {0}},
	                       {(u8 *)out, sizeof out, "out", true, true, false, false, {0}, {0}}};
	SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_BUFFER, .buffer = 1}};
	run(&b, buffers, COUNT(buffers), args, 64);
	for (u32 i = 0; i < ITEMS; i++) {
		const u32 *wave = data + i - i % 64;
		u64 could = 0;
		bool held = false;
		for (u32 l = 0; l < 64; l++) {
			could |= (u64)(wave[l] >> 1 & 1) << l;
			held |= out[2 * i + 1] == wave[l];
		}
		CU_ASSERT_TRUE(held);
		CU_ASSERT_EQUAL(out[2 * i] & ~could, 0);
		CU_ASSERT_EQUAL(out[2 * i] >> i % 64 & 1, data[i] >> 1 & 1);
	}
	built_free(&b);
}

/* ---- bitcode: a division as AMD's compiler expands it ---- */

static const char division[] =
	"target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n"
	"target triple = \"x86_64-pc-linux-gnu\"\n"
	"declare i32 @llvm.amdgcn.workitem.id.x()\n"
	"declare {T, i1} @llvm.amdgcn.div.scale.N(T, T, i1 immarg)\n"
	"declare T @llvm.amdgcn.rcp.N(T)\n"
	"declare T @llvm.fma.N(T, T, T)\n"
	"declare T @llvm.amdgcn.div.fmas.N(T, T, T, i1)\n"
	"declare T @llvm.amdgcn.div.fixup.N(T, T, T)\n"
	"define void @k(T* %a, T* %o) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 "
	"!kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {\n"
	" %i = call i32 @llvm.amdgcn.workitem.id.x()\n"
	" %j = add i32 %i, 128\n"
	" %pn = getelementptr T, T* %a, i32 %i\n"
	" %pd = getelementptr T, T* %a, i32 %j\n"
	" %n = load T, T* %pn\n"
	" %d = load T, T* %pd\n"
	" %sd = call {T, i1} @llvm.amdgcn.div.scale.N(T %n, T %d, i1 false)\n"
	" %sn = call {T, i1} @llvm.amdgcn.div.scale.N(T %n, T %d, i1 true)\n"
	" %d1 = extractvalue {T, i1} %sd, 0\n"
	" %n1 = extractvalue {T, i1} %sn, 0\n"
	" %f = extractvalue {T, i1} %sn, 1\n"
	" %r0 = call T @llvm.amdgcn.rcp.N(T %d1)\n"
	" %m = fneg T %d1\n"
	" %e = call T @llvm.fma.N(T %m, T %r0, T 1.0)\n"
	" %r = call T @llvm.fma.N(T %e, T %r0, T %r0)\n"
	" %q = fmul T %n1, %r\n"
	" %x = call T @llvm.fma.N(T %m, T %q, T %n1)\n"
	" %y = call T @llvm.amdgcn.div.fmas.N(T %x, T %r, T %q, i1 %f)\n"
	" %z = call T @llvm.amdgcn.div.fixup.N(T %y, T %d, T %n)\n"
	" %po = getelementptr T, T* %o, i32 %i\n"
	" store T %z, T* %po\n"
	" ret void\n}\n"
	"!opencl.kernels = !{!4}\n"
	"!0 = !{i32 1, i32 1}\n!1 = !{!\"none\", !\"none\"}\n!2 = !{!\"T*\", !\"T*\"}\n!3 = !{!\"\", !\"\"}\n"
	"!4 = !{void (T*, T*)* @k}\n";

static void write_bitcode(const char *path, const char *ir)
{
	LLVMContextRef ctx = LLVMContextCreate();
	LLVMModuleRef m = NULL;
	char *why = NULL;
	LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "kernel");
	if (LLVMParseIRInContext(ctx, text, &m, &why))
		fprintf(stderr, "%s\n", why);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	CU_ASSERT_EQUAL_FATAL(LLVMWriteBitcodeToFile(m, path), 0);
	LLVMDisposeModule(m);
	LLVMContextDispose(ctx);
}

/* T is the type, N its name in intrinsics. */
static void write_division(const char *path, const char *type, const char *name)
{
	Buf b = {0};
	for (const char *p = division; *p; p++) {
		bool alone = !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", p[1]) &&
		             (p == division || strchr(" ({\".", p[-1]));
		bool letter = alone && (*p == 'T' || *p == 'N');
		buf_printf(&b, letter ? "%s" : "%.1s", !letter ? p : *p == 'T' ? type : name);
	}
	write_bitcode(path, b.v);
	array_free(&b);
}

static void divisions(void)
{
	char path[KIT_PATH];
	kit_file(path, "division.bc");
	static u32 bits[4 * ITEMS], out[2 * ITEMS];
	for (u32 wide = 0; wide < 2; wide++) {
		u32 item = wide ? 8 : 4;
		write_division(path, wide ? "double" : "float", wide ? "f64" : "f32");
		Built b = build(path, NULL, "gfx906", 64);
		fill(bits, 3 * ITEMS, 7);
		fill(bits + ITEMS, 3 * ITEMS, 8);
		SimBuffer buffers[] = {{(u8 *)bits, sizeof bits, "a", true, true, false, false, {0}, {0}},
		                       {(u8 *)out, sizeof out, "o", true, true, false, false, {0}, {0}}};
		SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_BUFFER, .buffer = 1}};
		run(&b, buffers, COUNT(buffers), args, 64);
		for (u32 i = 0; i < ITEMS; i++) {
			const u8 *n = (u8 *)bits + i * item, *d = (u8 *)bits + (i + ITEMS) * item;
			bool ok = wide ? want_quotient_d(n, d, (u8 *)out + i * item)
			               : want_quotient(n, d, (u8 *)out + i * item);
			CU_ASSERT_TRUE(ok);
		}
		built_free(&b);
	}
	kit_file_remove(path);
}

/* ---- bitcode: pointers in memory ---- */

/* What an argument points to is not where the argument itself points: private memory, and a global pointer in it. */
static const char pointers[] =
	"target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n"
	"target triple = \"x86_64-pc-linux-gnu\"\n"
	"declare i32 @llvm.amdgcn.workitem.id.x()\n"
	"define i32 @loaded(ptr %table, i32 %i) noinline {\n"
	" %v = alloca ptr\n"
	" %p = load ptr, ptr %table\n"
	" store ptr %p, ptr %v\n"
	" %q = load ptr, ptr %v\n"
	" %e = getelementptr i32, ptr %q, i32 %i\n"
	" %x = load i32, ptr %e\n"
	" ret i32 %x\n}\n"
	"define i32 @chosen(ptr %one, ptr %two, i1 %c, i32 %i) noinline {\n"
	" %v = alloca ptr\n"
	" %either = select i1 %c, ptr %one, ptr %two\n"
	" %p = load ptr, ptr %either\n"
	" store ptr %p, ptr %v\n"
	" %q = load ptr, ptr %v\n"
	" %e = getelementptr i32, ptr %q, i32 %i\n"
	" %x = load i32, ptr %e\n"
	" ret i32 %x\n}\n"
	"define void @k(ptr %a, ptr %o) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 "
	"!kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {\n"
	" %t = alloca [2 x ptr]\n"
	" store ptr %a, ptr %t\n"
	" %t1 = getelementptr [2 x ptr], ptr %t, i32 0, i32 1\n"
	" store ptr %a, ptr %t1\n"
	" %i = call i32 @llvm.amdgcn.workitem.id.x()\n"
	" %c = icmp sgt i32 %i, 5\n"
	" %x = call i32 @loaded(ptr %t, i32 %i)\n"
	" %y = call i32 @chosen(ptr %t, ptr %t1, i1 %c, i32 %i)\n"
	" %z = add i32 %x, %y\n"
	" %e = getelementptr i32, ptr %o, i32 %i\n"
	" store i32 %z, ptr %e\n"
	" ret void\n}\n"
	"!opencl.kernels = !{!4}\n"
	"!0 = !{i32 1, i32 1}\n!1 = !{!\"none\", !\"none\"}\n!2 = !{!\"int*\", !\"int*\"}\n!3 = !{!\"\", !\"\"}\n"
	"!4 = !{ptr @k}\n";

/* o[i] == 2 * a[i] */
static void run_doubling(const char *ir)
{
	char path[KIT_PATH];
	static u32 in[ITEMS], out[ITEMS];
	kit_file(path, "pointers.bc");
	write_bitcode(path, ir);
	Built b = build(path, NULL, "gfx906", 64);
	fill(in, COUNT(in), 9);
	SimBuffer buffers[] = {{(u8 *)in, sizeof in, "a", true, true, false, false, {0}, {0}},
	                       {(u8 *)out, sizeof out, "o", true, true, false, false, {0}, {0}}};
	SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_BUFFER, .buffer = 1}};
	run(&b, buffers, COUNT(buffers), args, 64);
	for (u32 i = 0; i < ITEMS; i++)
		CU_ASSERT_EQUAL(out[i], 2 * in[i]);
	built_free(&b);
	kit_file_remove(path);
}

static void pointers_in_memory(void) { run_doubling(pointers); }

/* A pointer is chosen from many, each of which is chosen from many …: 64 ways to the seventh, each looked at once. */
static void pointers_chosen(void)
{
	enum { DEEP = 7, WIDE = 64 };
	const char *body = strstr(pointers, " %q = load ptr, ptr %v");
	Buf ir = {0};
	buf_write(&ir, pointers, (size_t)(body - pointers));
	buf_printf(&ir, " br label %%m0\nm0:\n %%p0 = load ptr, ptr %%v\n");
	for (u32 d = 0; d < DEEP; d++) {
		buf_printf(&ir, " switch i32 %%i, label %%n%u_0 [", d);
		for (u32 w = 1; w < WIDE; w++)
			buf_printf(&ir, " i32 %u, label %%n%u_%u", w, d, w);
		buf_printf(&ir, "]\n");
		for (u32 w = 0; w < WIDE; w++)
			buf_printf(&ir, "n%u_%u:\n br label %%m%u\n", d, w, d + 1);
		buf_printf(&ir, "m%u:\n %%p%u = phi ptr ", d + 1, d + 1);
		for (u32 w = 0; w < WIDE; w++)
			buf_printf(&ir, "%s[%%p%u, %%n%u_%u]", w ? ", " : "", d, d, w);
		buf_printf(&ir, "\n");
	}
	buf_printf(&ir, " store ptr %%p%u, ptr %%v\n%s", DEEP, body);
	run_doubling(ir.v);
	array_free(&ir);
}

/* In code that nothing reaches an address may be part of itself. */
static void pointers_of_themselves(void)
{
	const char *end = strstr(pointers, " ret i32");
	Buf ir = {0};
	buf_write(&ir, pointers, (size_t)(end - pointers));
	buf_printf(&ir, " ret i32 %%x\n"
	                "one:\n %%w = getelementptr i8, ptr %%w, i32 1\n store ptr %%w, ptr %%v\n br label %%one\n"
	                "two:\n %%r = getelementptr i8, ptr %%s, i32 1\n %%s = freeze ptr %%u\n"
	                " %%u = getelementptr i8, ptr %%r, i32 1\n store ptr %%r, ptr %%v\n br label %%two\n%s",
	           strchr(end, '}'));
	run_doubling(ir.v);
	array_free(&ir);
}

void suite_amdgcn(void);
void suite_amdgcn(void)
{
	CU_pSuite s = CU_add_suite("amdgcn", NULL, NULL);
	CU_add_test(s, "each intrinsic has a test", complete);
	CU_add_test(s, "wavefronts of 64", wave_64);
	CU_add_test(s, "wavefronts of 32", wave_32);
	CU_add_test(s, "wavefronts of 64 on RDNA", rdna_64);
	CU_add_test(s, "a loop that lanes leave", waterfall);
	CU_add_test(s, "a loop with two entries", irreducible);
	CU_add_test(s, "the steps of a division", divisions);
	CU_add_test(s, "pointers in memory", pointers_in_memory);
	CU_add_test(s, "pointers that are chosen from many", pointers_chosen);
	CU_add_test(s, "pointers that are part of themselves", pointers_of_themselves);
}
