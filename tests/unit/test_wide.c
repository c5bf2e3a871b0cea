/* Integers of more than 128 bits: kernels written in LLVM's assembly do every operation on
 * random values; the results are compared with the same operations on arrays of bits. */
#include "frontend/module/llvm.h"
#include "frontend/frontend.h"
#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "tests/unit/temp_kit.h"
#include "tests/unit/wide_ops.h"

#include <CUnit/CUnit.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <unistd.h>

enum { SLOT = WIDE_MOST / 8, LANES = 64, INPUTS = 4 /* slots of a lane */ };

/* ---- the kernel ---- */

static void put_row(Buf *b, const char *text, u32 n, u32 row)
{
	for (const char *p = text; *p; p++) {
		if (*p == '$')
			buf_printf(b, "i%u", n);
		else if (*p == '#')
			buf_printf(b, "%u", row);
		else if (*p == '@' && strchr("NBWL", p[1]))
			buf_printf(b, "%u", n / (*++p == 'N' ? 1 : *p == 'B' ? 8 : *p == 'W' ? 32 : 64));
		else
			buf_write(b, p, 1);
	}
	buf_printf(b, "\n");
}

static const char before[] =
	"target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n"
	"target triple = \"x86_64-pc-linux-gnu\"\n"
	"define i64 @_Z13get_global_idj(i32 %d) {\nret i64 0\n}\n"; /* wavesim gives its own body */
static const char calls[] =
	"declare $ @llvm.umin.$($, $)\ndeclare $ @llvm.umax.$($, $)\ndeclare $ @llvm.smin.$($, $)\n"
	"declare $ @llvm.smax.$($, $)\ndeclare $ @llvm.abs.$($, i1)\ndeclare $ @llvm.ctpop.$($)\n"
	"declare $ @llvm.ctlz.$($, i1)\ndeclare $ @llvm.cttz.$($, i1)\ndeclare $ @llvm.bitreverse.$($)\n"
	"declare $ @llvm.fshl.$($, $, $)\ndeclare $ @llvm.fshr.$($, $, $)\n"
	"@table = constant [2 x $] [$ -6, $ 9]\n"
	"define void @k(ptr %in, ptr %out) !kernel_arg_addr_space !0 {\nentry:\n"
	"%id = call i64 @_Z13get_global_idj(i32 0)\n%lane = trunc i64 %id to i32\n"
	"%bit = and i32 %lane, 1\n%three = urem i32 %lane, 3\n%one = icmp eq i32 %bit, 1\n"
	"%pin = getelementptr [4 x [256 x i8]], ptr %in, i64 %id\n"
	"%pb = getelementptr i8, ptr %pin, i64 256\n%ps = getelementptr i8, ptr %pin, i64 512\n"
	"%a = load $, ptr %pin\n%b = load $, ptr %pb\n%s32 = load i32, ptr %ps\n"
	"%s = zext i32 %s32 to $\n%s2000 = zext i32 %s32 to i2000\n";

static void put_kernel(Buf *b, u32 n)
{
	buf_printf(b, "%s", before);
	if (n % 16 == 0)
		put_row(b, "declare $ @llvm.bswap.$($)", n, 0);
	put_row(b, calls, n, 0);
	for (u32 i = 0; i < wide_nops; i++) {
		if (!wide_op_fits(&wide_ops[i], n))
			continue;
		put_row(b, wide_ops[i].text, n, i);
		buf_printf(b, "%%o%u = getelementptr [%u x [256 x i8]], ptr %%out, i64 %%id, i64 %u\n", i,
		           wide_nops, i);
		buf_printf(b, "store i%u %%r%u, ptr %%o%u\n", n, i, i);
	}
	buf_printf(b, "ret void\n}\n!0 = !{i32 1, i32 1}\n");
}

/* Through a file of bitcode, as a user gives it. */
static Program *lower(const char *text, Diag *d)
{
	char path[KIT_PATH], *why = NULL;
	LLVMContextRef ctx = llvm_context();
	LLVMModuleRef m = NULL;
	LLVMMemoryBufferRef buf =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "wide");
	kit_file(path, "wide.bc");
	if (LLVMParseIRInContext(ctx, buf, &m, &why))
		CU_FAIL_FATAL(why);
	CU_ASSERT_EQUAL(LLVMWriteBitcodeToFile(m, path), 0);
	LLVMDisposeModule(m);
	LLVMContextDispose(ctx);
	FeOptions o = {.path = path};
	Fe *fe = fe_compile(&o, d);
	Program *p = fe ? fe_program(fe) : NULL;
	fe_close(fe);
	kit_file_remove(path);
	return p;
}

static Program *build(u32 n)
{
	Buf text = {0};
	Diag d;
	diag_init(&d);
	put_kernel(&text, n);
	Program *p = lower(text.v, &d);
	array_free(&text);
	for (u32 i = 0; i < d.msgs.n; i++)
		printf("i%u: %s\n", n, d.msgs.v[i].text);
	diag_free(&d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	return p;
}

/* ---- running it ---- */

static u32 state;
static u32 next(void)
{
	state = state * 1664525u + 1013904223u;
	return state >> 8;
}

/* Random bits, long runs of equal ones, few ones, or the extremes. */
static Bits random_bits(u32 n)
{
	Bits r = {0};
	u32 kind = next() % 8;
	u8 bit = next() & 1;
	for (u32 i = 0; i < n; i++) {
		if (kind < 3 || (kind < 5 && next() % 64 == 0))
			bit = next() & 1;
		r.b[i] = kind < 7 ? bit : bit ^ (i == n - 1);
	}
	return r;
}

static void to_bytes(const Bits *x, u32 n, u8 *to)
{
	for (u32 i = 0; i < n; i++)
		to[i / 8] |= (u8)(x->b[i] << i % 8);
}

static void inputs(u32 n, WideIn *in, u8 *bytes)
{
	for (u32 k = 0; k < LANES; k++, bytes += INPUTS * SLOT) {
		in[k] = (WideIn){.n = n, .a = random_bits(n), .s = next() % n, .lane = k};
		in[k].b = next() % 4 ? random_bits(n) : in[k].a;
		if (next() % 4 == 0)
			in[k].b.b[next() % n] ^= 1;
		to_bytes(&in[k].a, n, bytes);
		to_bytes(&in[k].b, n, bytes + SLOT);
		memcpy(bytes + 2 * SLOT, &in[k].s, 4);
	}
}

static void run(const Program *p, u8 *in, size_t nin, u8 *out, size_t nout)
{
	SimBuffer buffers[2] = {{in, nin, "in", true, true, false, false, {0}, {0}},
	                        {out, nout, "out", true, true, false, false, {0}, {0}}};
	SimArg args[2] = {{.kind = SIM_BUFFER}, {.kind = SIM_BUFFER, .buffer = 1}};
	SimLaunch l = {.dims = 1, .global = {LANES, 1, 1}, .local = {LANES, 1, 1}, .args = args,
	               .buffers = buffers, .nbuffers = 2};
	SimConfig cfg = {.wave = 64, .line_bytes = 64, .threads = 1, .max_lds = 65536};
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	Diag d;
	diag_init(&d);
	Profile *prof = sim_run(p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	CU_ASSERT_EQUAL(prof->findings.n, 0);
	profile_free(prof);
	diag_free(&d);
}

static void width(u32 n)
{
	static u8 in[LANES * INPUTS * SLOT];
	u8 *out = xcalloc(LANES * wide_nops, SLOT);
	static WideIn lane[LANES];
	Program *p = build(n);

	state = n;
	memset(in, 0, sizeof in);
	inputs(n, lane, in);
	run(p, in, sizeof in, out, (size_t)LANES * wide_nops * SLOT);
	for (u32 i = 0; i < wide_nops; i++) {
		u32 wrong = 0;
		for (u32 k = 0; k < LANES && wide_op_fits(&wide_ops[i], n); k++) {
			u8 want[SLOT] = {0};
			Bits value = wide_ops[i].value(&lane[k]);
			to_bytes(&value, n, want);
			wrong += memcmp(want, out + (k * wide_nops + i) * SLOT, (n + 7) / 8) != 0;
		}
		if (wrong)
			printf("i%u: %u lanes of %s\n", n, wrong, wide_ops[i].text);
		CU_ASSERT_EQUAL(wrong, 0);
	}
	program_free(p);
	free(out);
}

static void whole_words(void)
{
	width(192);
	width(256);
	width(1024);
}

static void odd_widths(void)
{
	width(129);
	width(160);
	width(200);
	width(511);
}

static void refused(void)
{
	static const struct {
		u32 n;
		const char *text, *message;
	} bad[] = {
		{256, "%r0 = udiv $ %a, %b", "a division of integers of more than 128 bits"},
		{256, "%f = uitofp $ %a to float\n%r0 = fptoui float %f to $",
		 "a conversion between floating point and an integer of more than 128 bits"},
		{200, "%r0 = call $ @llvm.fshl.$($ %a, $ %b, $ %s)",
		 "LLVM's intrinsic 'llvm.fshl.i200', which wavesim does not know"},
		{5000, "%r0 = add $ %a, %b",
		 "an integer of more than 4096 bits, which wavesim does not support"},
	};
	for (u32 i = 0; i < COUNT(bad); i++) {
		Buf text = {0};
		Diag d;
		diag_init(&d);
		buf_printf(&text, "%s", before);
		put_row(&text, calls, bad[i].n, 0);
		put_row(&text, bad[i].text, bad[i].n, 0);
		put_row(&text, "store $ %r0, ptr %out\nret void\n}\n!0 = !{i32 1, i32 1}", bad[i].n, 0);
		CU_ASSERT_PTR_NULL(lower(text.v, &d));
		CU_ASSERT_TRUE_FATAL(d.msgs.n > 0);
		CU_ASSERT_STRING_EQUAL(d.msgs.v[0].text, bad[i].message);
		array_free(&text);
		diag_free(&d);
	}
}

void suite_wide(void)
{
	CU_pSuite s = CU_add_suite("wide", NULL, NULL);
	CU_add_test(s, "integers of whole words", whole_words);
	CU_add_test(s, "integers of odd widths", odd_widths);
	CU_add_test(s, "what is refused", refused);
}
