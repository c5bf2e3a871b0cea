/* VLIW machine code: the reader of r600 assembly on texts of our own, also cut off and damaged;
 * the rates on hand-made control flow; and what becomes of a compiler that fails or hangs, with
 * shell scripts in its place. */
#include "frontend/r600.h"
#include "models/r600.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the reader ---- */

/* An if/else around a loop: every kind of line that counts. */
static const char branchy[] =
	"\t.text\n"
	"\t.section\t.AMDGPU.config\n"
	"\t.long\t166100\n"
	"\t.long\t3\n"
	"\t.text\n"
	"small:\n"
	"\tCF_END\n"
	".Lfunc_end0:\n"
	"\t.section\t.AMDGPU.config\n"
	"\t.long\t166100\n"
	"\t.long\t523\n" /* 2 << 8 | 11 */
	"\t.long\t165900\n"
	"\t.long\t166100\n"
	"\t.text\n"
	"\t.globl\tk\n"
	"k:\n"
	"k$local:\n"
	"\tALU 2, @20, KC0[CB0:0-32], KC1[]\n"            /* 0 */
	"\tTEX 1 @16\n"                                   /* 1 */
	"\tALU_PUSH_BEFORE 4, @23, KC0[], KC1[]\n"        /* 2 */
	"\tJUMP @6 POP:1\n"                               /* 3 */
	"\tALU 0, @28, KC0[], KC1[]\n"                    /* 4 */
	"\tMEM_RAT ATOMIC_ADD T1.X, T0.X\n"               /* 5 */
	"\tELSE @11 POP:1\n"                              /* 6 */
	"\tLOOP_START_DX10 @10\n"                         /* 7 */
	"\tALU_BREAK 1, @29, KC0[], KC1[]\n"              /* 8 */
	"\tEND_LOOP @8\n"                                 /* 9 */
	"\tMEM_RAT_CACHELESS STORE_RAW T0.X, T1.X, 1\n"   /* 10 */
	"\tCF_END\n"                                      /* 11 */
	"\tPAD\n"
	"\tFetch clause starting at 16:\n"
	"\t  VTX_READ_32 T0.X, T0.X, 0, #1\n"
	"\t  VTX_READ_32 T1.X, T1.X, 0, #1\n"
	"\tALU clause starting at 20:\n"
	"\t  MULLO_INT * T0.W, KC0[1].Z, T1.X,  \n" /* the fifth slot: nothing else multiplies */
	"\t  LSHL * T0.X, PS, literal.x,  \n"
	"\t2(2.802597e-45), 0(0.000000e+00)\n"
	"\tALU clause starting at 23:\n"
	"\t  ADD_INT   T0.X, T0.X, 1,  \n"
	"\t  ADD_INT * T1.X, T0.Y, 1,  \n" /* X again: the fifth slot */
	"\t  AND_INT   T0.Y, PV.X, 1,  \n"
	"\t  ADD_INT * T0.Z, PV.X, 1,  \n" /* PS below: the fifth slot */
	"\t  PRED_SETNE_INT * ExecMask, PS, 0.0,  \n"
	"\tALU clause starting at 28:\n"
	"\t  LDS_WRITE * T0.X, T0.Y\n"
	"\tALU clause starting at 29:\n"
	"\t  GROUP_BARRIER\n"
	"\t  PRED_SETNE_INT * ExecMask, T0.X, 0.0,  \n"
	".Lfunc_end1:\n"
	"\t.size\tk, .Lfunc_end1-k\n";

typedef struct Read {
	Arena *a;
	R600Code c;
} Read;

static Read read_text(const char *cpu, const char *kernel, const char *text)
{
	Read r = {.a = arena_new()};
	r.c.cpu = cpu;
	r600_parse(&r.c, kernel, text, r.a);
	return r;
}

static void reads_facts(void)
{
	Read r = read_text("cypress", "k", branchy);
	const R600Code *c = &r.c;
	CU_ASSERT_PTR_NULL_FATAL(c->missing);
	CU_ASSERT_EQUAL(c->gprs, 11);
	CU_ASSERT_EQUAL(c->stack, 2);
	CU_ASSERT_EQUAL(c->nsteps, 12);
	CU_ASSERT_EQUAL(c->loops, 1);
	CU_ASSERT_EQUAL(c->alu_clauses, 4);
	CU_ASSERT_EQUAL(c->fetch_clauses, 1);
	CU_ASSERT_EQUAL(c->fetches, 2);
	CU_ASSERT_EQUAL(c->stores, 1);
	CU_ASSERT_EQUAL(c->atomics, 1);
	CU_ASSERT_EQUAL(c->bundles, 8);
	CU_ASSERT_EQUAL(c->slots, 10);
	CU_ASSERT_EQUAL(c->trans, 3);
	CU_ASSERT_EQUAL(c->literals, 1);
	CU_ASSERT_EQUAL(c->lds, 1);
	CU_ASSERT_EQUAL(c->barriers, 1);
	static const R600Step steps[] = {
		{.bundles = 2, .to = NO_STEP}, {.fetches = 2, .to = NO_STEP}, {.bundles = 3, .to = NO_STEP},
		{.to = 6}, {.bundles = 1, .to = NO_STEP}, {.stores = 1, .to = NO_STEP},
		{.to = 11, .is_else = true}, {.to = NO_STEP}, {.bundles = 2, .to = NO_STEP}, {.to = NO_STEP},
		{.stores = 1, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	for (u32 i = 0; i < COUNT(steps); i++) {
		const R600Step *s = &c->steps[i];
		CU_ASSERT_EQUAL(s->bundles, steps[i].bundles);
		CU_ASSERT_EQUAL(s->fetches, steps[i].fetches);
		CU_ASSERT_EQUAL(s->stores, steps[i].stores);
		CU_ASSERT_EQUAL(s->to, steps[i].to);
		CU_ASSERT_EQUAL(s->is_else, steps[i].is_else);
		CU_ASSERT_EQUAL(s->is_end, steps[i].is_end);
	}
	arena_free(r.a);

	r = read_text("cypress", "small", branchy);
	CU_ASSERT_PTR_NULL(r.c.missing);
	CU_ASSERT_EQUAL(r.c.gprs, 3);
	CU_ASSERT_EQUAL(r.c.nsteps, 1);
	arena_free(r.a);
}

/* Of four slots none is for transcendental functions; such operations take several. */
static void four_slots(void)
{
	static const char text[] =
		"\t.long\t166100\n"
		"\t.long\t2\n"
		"k:\n"
		"\tALU 5, @4, KC0[], KC1[]\n"
		"\tCF_END\n"
		"\tALU clause starting at 4:\n"
		"\t  RECIP_IEEE   T0.X, T0.X,  \n"
		"\t  RECIP_IEEE   T0.Y (MASKED), T0.X,  \n"
		"\t  RECIP_IEEE * T0.Z (MASKED), T0.X,  \n"
		"\t  UINT_TO_FLT * T0.X, T0.X,  \n"
		"\t  ADD   T0.X, T0.X, T0.Y,  \n"
		"\t  ADD * T0.Y, PV.X, T0.Y,  \n"
		".Lfunc_end0:\n";
	Read r = read_text("cayman", "k", text);
	CU_ASSERT_PTR_NULL(r.c.missing);
	CU_ASSERT_EQUAL(r.c.bundles, 3);
	CU_ASSERT_EQUAL(r.c.slots, 6);
	CU_ASSERT_EQUAL(r.c.trans, 3);
	arena_free(r.a);
	r = read_text("cypress", "k", text);
	CU_ASSERT_EQUAL(r.c.trans, 2); /* the last slots of the first two bundles */
	arena_free(r.a);
}

static bool is_wrong(const char *text)
{
	Read r = read_text("cypress", "k", text);
	bool wrong = r.c.missing != NULL;
	arena_free(r.a);
	return wrong;
}

static void refuses(void)
{
	static const char *const wrong[] = {
		"",
		"\n",
		"k:\n",
		"k:\n\tCF_END\n.Lfunc_end0:\n", /* no registers */
		"\t.long\t166100\n\t.long\t2\nother:\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n.Lfunc_end0:\n", /* does not end */
		"\t.long\t166100\n\t.long\t2\nk:\n\tJUMP @7\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU\n\tCF_END\n.Lfunc_end0:\n",
		/* a clause that is too short, too long, missing, elsewhere, or of the other kind */
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 1, @4,\n\tCF_END\n"
		"\tALU clause starting at 4:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tALU clause starting at 4:\n\t  MOV * T0.X, 1\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tALU clause starting at 6:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tFetch clause starting at 4:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
	};
	for (u32 i = 0; i < COUNT(wrong); i++)
		CU_ASSERT_TRUE(is_wrong(wrong[i]));
	CU_ASSERT_FALSE(is_wrong("\t.long\t166100\n\t.long\t2\nk:\n\tCF_END\n.Lfunc_end0:\n"));
}

static Device device(const char *name, Arena *a)
{
	Diag d;
	diag_init(&d);
	Device dev;
	CU_ASSERT_TRUE_FATAL(device_load(&dev, name, NO_LOC, a, &d));
	diag_free(&d);
	return dev;
}

/* What was read holds together, whatever the text was. */
static void check_sane(const Device *dev, const R600Code *c)
{
	u32 bundles = 0, fetches = 0;
	if (c->missing)
		return;
	for (u32 i = 0; i < c->nsteps; i++) {
		bundles += c->steps[i].bundles;
		fetches += c->steps[i].fetches;
	}
	CU_ASSERT_EQUAL(bundles, c->bundles);
	CU_ASSERT_EQUAL(fetches, c->fetches);
	CU_ASSERT_TRUE(c->bundles <= c->slots);
	CU_ASSERT_TRUE(c->trans <= c->slots);
	R600Rate best, all;
	r600_rates(dev, c, &best, &all);
	CU_ASSERT_TRUE(best.bundles <= all.bundles);
	CU_ASSERT_TRUE(best.fetches <= all.fetches);
}

/* Cut off at every place: nothing is found before the end of the function. */
static void cut_off(void)
{
	size_t end = (size_t)(strstr(branchy, ".Lfunc_end1:") - branchy) + strlen(".Lfunc_end1");
	char text[sizeof branchy];
	for (size_t n = 0; n < end; n++) {
		memcpy(text, branchy, n);
		text[n] = 0;
		CU_ASSERT_EQUAL(is_wrong(text), n < end - 1);
	}
}

static void damaged(void)
{
	static const char bytes[] = "\n\t @:*,.0123456789TPSXW-";
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	u32 x = 12345;
	for (u32 round = 0; round < 20000; round++) {
		char text[sizeof branchy];
		memcpy(text, branchy, sizeof text);
		for (u32 k = 0; k <= round % 4; k++) {
			x = x * 1664525 + 1013904223;
			text[(x >> 8) % (sizeof text - 1)] =
				round & 1 ? bytes[x % (sizeof bytes - 1)] : (char)(x >> 24 ? x >> 24 : 1);
		}
		Read r = read_text("cypress", "k", text);
		check_sane(&dev, &r.c);
		arena_free(r.a);
	}
	arena_free(a);
}

/* ---- rates ---- */

static bool near(double a, double b) { return fabs(a - b) < 1e-6 * fabs(b); }

static void rates(void)
{
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	R600Rate best, all;
	/* AMD's figure: 14 bundles, 19429 M threads/s. */
	R600Step straight[] = {{.bundles = 14, .to = NO_STEP}, {.fetches = 1, .to = NO_STEP},
	                       {.stores = 1, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	R600Code c = {.bundles = 14, .fetches = 1, .stores = 1, .steps = straight, .nsteps = 4};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 16 * 850 / 14));
	CU_ASSERT_TRUE(near(best.mthreads, all.mthreads));
	CU_ASSERT_EQUAL(all.bound, R600_alu);
	/* 4 addresses a cycle: 4 fetches take as long as 16 bundles. */
	straight[1].fetches = c.fetches = 4;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 4 * 850 / 4));
	CU_ASSERT_EQUAL(all.bound, R600_fetch);
	CU_ASSERT_EQUAL(best.bound, R600_fetch);
	/* Atomics are stores. */
	straight[2].stores = 6;
	c.stores = 4;
	c.atomics = 2;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 4 * 850 / 6));
	CU_ASSERT_TRUE(near(best.mthreads, all.mthreads));
	CU_ASSERT_EQUAL(all.bound, R600_store);
	/* Nothing to do: no limit. */
	R600Step end = {.to = NO_STEP, .is_end = true};
	c = (R600Code){.steps = &end, .nsteps = 1};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(all.mthreads <= 0 && best.mthreads <= 0);
	arena_free(a);
}

/* The shortest way takes one side of an if/else, not none. */
static void shortest(void)
{
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	R600Rate best, all;
	R600Step both[] = {{.to = 2},
	                   {.bundles = 10, .to = NO_STEP},
	                   {.to = 4, .is_else = true},
	                   {.bundles = 6, .to = NO_STEP},
	                   {.bundles = 1, .to = NO_STEP},
	                   {.to = NO_STEP, .is_end = true},
	                   {.bundles = 100, .to = NO_STEP}};
	R600Code c = {.bundles = 117, .steps = both, .nsteps = COUNT(both)};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 7);
	CU_ASSERT_EQUAL(all.bundles, 117);
	CU_ASSERT_TRUE(near(best.mthreads, 20.0 * 16 * 850 / 7));
	both[3].bundles = 20;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 11);
	/* Without an else the jump skips it all. */
	both[2].is_else = false;
	both[2].to = NO_STEP;
	both[0].to = 4;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 1);
	/* Of ways with as many bundles, the one with fewer accesses. */
	R600Step loads[] = {{.to = 2}, {.fetches = 3, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	c = (R600Code){.fetches = 3, .steps = loads, .nsteps = COUNT(loads)};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.fetches, 0);
	CU_ASSERT_EQUAL(all.fetches, 3);
	arena_free(a);
}

/* ---- the compiler ---- */

typedef struct Fake {
	char dir[TEMP_PATH], clang[KIT_PATH], libclc[KIT_PATH];
} Fake;

static void write_file(const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_TRUE_FATAL(fputs(text, f) >= 0 && !fclose(f) && !chmod(path, mode));
}

static void fake_open(Fake *f)
{
	CU_ASSERT_FATAL(temp_make(f->dir));
	snprintf(f->clang, sizeof f->clang, "%s/clang", f->dir);
	snprintf(f->libclc, sizeof f->libclc, "%s/cypress-r600--.bc", f->dir);
	write_file(f->libclc, "", 0600);
}

static void fake_close(const Fake *f)
{
	unlink(f->clang);
	unlink(f->libclc);
	CU_ASSERT_EQUAL(rmdir(f->dir), 0); /* nothing else was left there */
}

/* What comes of a compiler that is this script; into a for its strings. */
static const R600Code *compile(const Fake *f, const char *script, double seconds, Arena *a)
{
	write_file(f->clang, script, 0700);
	R600Options o = {.cpu = "cypress", .path = "k.cl", .source = "kernel void k(void) {}",
	                 .kernel = "k", .clang = f->clang, .libclc = f->dir, .seconds = seconds};
	return r600_finish(r600_start(&o, a));
}

static void compilers(void)
{
	static const struct {
		const char *script, *missing;
	} rows[] = {
		{"#!/bin/sh\nexit 3\n", "clang cannot compile this file for cypress: it gave no reason"},
		{"#!/bin/sh\nkill -SEGV $$\n", "clang cannot compile this file for cypress: it crashed"},
		{"#!/bin/sh\necho 'error: clang frontend command failed with exit code 139' >&2\nexit 139\n",
	         "clang cannot compile this file for cypress: it crashed"},
		{"#!/nowhere/sh\n", "clang cannot compile this file for cypress: it cannot be run"},
		{"#!/bin/sh\necho nonsense\n", "LLVM's r600 assembly cannot be read"},
		{"#!/bin/sh\n", "LLVM's r600 assembly cannot be read"},
		{"#!/bin/sh\nexec cat /dev/zero\n",
	         "clang cannot compile this file for cypress: it writes without end"},
		{"#!/bin/sh\necho 'a note' >&2\necho '<stdin>:7:3: error: no such thing as x' >&2\nexit 1\n",
	         "clang cannot compile this file for cypress: line 7: no such thing as x"},
		{"#!/bin/sh\necho 'fatal error: error in backend: Cannot select: 0x55: i32,ch = Atomic<(y)>' >&2\n"
	         "exit 1\n",
	         "clang cannot compile this file for cypress: its r600 back end has no instruction for Atomic"},
		{"#!/bin/sh\necho 'error: at 0x7ffe1234 all is lost' >&2\nexit 1\n",
	         "clang cannot compile this file for cypress: at"},
	};
	Arena *a = arena_new();
	Fake f;
	fake_open(&f);
	for (u32 i = 0; i < COUNT(rows); i++) {
		/* valgrind ends a process whose exec fails, and says so itself. */
		if (getenv("WAVESIM_VALGRIND") && strstr(rows[i].missing, "cannot be run"))
			continue;
		const R600Code *c = compile(&f, rows[i].script, 0, a);
		CU_ASSERT_PTR_NOT_NULL_FATAL(c->missing);
		CU_ASSERT_STRING_EQUAL(c->missing, rows[i].missing);
		if (strcmp(c->missing, rows[i].missing))
			fprintf(stderr, "script %u: %s\n", i, c->missing);
	}
	const R600Code *c = compile(&f, "#!/bin/sh\nprintf '\\t.long\\t166100\\n\\t.long\\t5\\nk:\\n"
	                                "\\tCF_END\\n.Lfunc_end0:\\n'\n", 0, a);
	CU_ASSERT_PTR_NULL(c->missing);
	CU_ASSERT_EQUAL(c->gprs, 5);
	fake_close(&f);
	arena_free(a);
}

/* It is ended, also when it closes what it was given, or starts others. */
static void hangs(void)
{
	static const char *const scripts[] = {
		"#!/bin/sh\nexec sleep 1000\n", "#!/bin/sh\nsleep 1000\n",
		"#!/bin/sh\nexec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-\nexec sleep 1000 >&- 2>&-\n",
		"#!/bin/sh\ntrap '' INT TERM HUP\nwhile :; do :; done\n"};
	Arena *a = arena_new();
	Fake f;
	fake_open(&f);
	for (u32 i = 0; i < COUNT(scripts); i++) {
		const R600Code *c = compile(&f, scripts[i], 0.2, a);
		CU_ASSERT_PTR_NOT_NULL_FATAL(c->missing);
		CU_ASSERT_STRING_EQUAL(c->missing, "clang does not come to an end with this kernel for cypress");
	}
	/* One that ends is done, though what it started goes on. */
	const R600Code *c = compile(&f, "#!/bin/sh\nsleep 1000 &\nexit 3\n", 30, a);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c->missing);
	CU_ASSERT_PTR_NOT_NULL(strstr(c->missing, "it gave no reason"));
	fake_close(&f);
	arena_free(a);
}

static void not_there(void)
{
	Arena *a = arena_new();
	R600Options o = {.cpu = "cypress", .path = "k.cl", .source = "", .kernel = "k",
	                 .clang = "/nonexistent"};
	CU_ASSERT_STRING_EQUAL(r600_finish(r600_start(&o, a))->missing,
	                       "there is no program '/nonexistent' (--clang)");
	o.clang = "/bin/sh";
	o.libclc = "/nonexistent";
	CU_ASSERT_STRING_EQUAL(r600_finish(r600_start(&o, a))->missing,
	                       "there is no cypress-r600--.bc in '/nonexistent' (--libclc)");
	o.wave = 32;
	CU_ASSERT_STRING_EQUAL(r600_finish(r600_start(&o, a))->missing,
	                       "cypress has no wavefronts of 32 lanes");
	o.source = NULL;
	CU_ASSERT_STRING_EQUAL(r600_finish(r600_start(&o, a))->missing,
	                       "bitcode has no OpenCL source to compile for it");
	arena_free(a);
}

void suite_r600(void);
void suite_r600(void)
{
	CU_pSuite s = CU_add_suite("r600", NULL, NULL);
	CU_add_test(s, "facts of an assembly", reads_facts);
	CU_add_test(s, "four slots", four_slots);
	CU_add_test(s, "refused texts", refuses);
	CU_add_test(s, "cut off at every place", cut_off);
	CU_add_test(s, "damaged texts", damaged);
	CU_add_test(s, "rates", rates);
	CU_add_test(s, "the shortest way", shortest);
	CU_add_test(s, "compilers that fail", compilers);
	CU_add_test(s, "compilers that hang", hangs);
	CU_add_test(s, "what is not installed", not_there);
}
