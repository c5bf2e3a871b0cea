/* The helper: what it compiles is what is compiled here, it runs kernels, and nothing that it does or says brings
 * its client down. */
#include "frontend/compile/compile.h"
#include "frontend/native.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] =
	"constant float table[3] = {1.5f, 2.5f, 4.0f};\n"
	"kernel void k(global float *a, local int *s, float4 v)\n"
	"{\n"
	"\tint i = get_global_id(0), l = get_local_id(0);\n"
	"\ts[l] = i;\n"
	"\tbarrier(CLK_LOCAL_MEM_FENCE);\n"
	"\tfor (int n = 0; n < s[l ^ 1] % 7; n++)\n"
	"\t\ta[i] += sin(table[n % 3]) * v.y;\n"
	"\tif (i == 3)\n"
	"\t\tprintf(\"%d\\n\", i);\n"
	"}\n";
static const char twice[] = "kernel void k(global int *a)\n{\n\tint i = get_global_id(0);\n\ta[i] = 2 * a[i] + 1;\n}\n";

/* ---- what is compiled ---- */

static void same_code(const MachineCode *x, const MachineCode *y)
{
	CU_ASSERT_EQUAL_FATAL(!x, !y);
	if (!x)
		return;
	CU_ASSERT_EQUAL(!x->missing, !y->missing);
	CU_ASSERT_TRUE(x->listing && y->listing && x->live == y->live);
	CU_ASSERT_EQUAL(x->vgprs, y->vgprs);
	CU_ASSERT_EQUAL(x->code_bytes, y->code_bytes);
	CU_ASSERT_EQUAL(x->edges.n, y->edges.n);
	CU_ASSERT_EQUAL_FATAL(x->ins.n, y->ins.n);
	CU_ASSERT_EQUAL_FATAL(x->blocks.n, y->blocks.n);
	CU_ASSERT_EQUAL_FATAL(x->nplaces, y->nplaces);
	for (u32 i = 0; i < x->ins.n; i++) {
		CU_ASSERT_STRING_EQUAL(x->ins.v[i].mnemonic, y->ins.v[i].mnemonic);
		CU_ASSERT_EQUAL(x->ins.v[i].dep, y->ins.v[i].dep);
		CU_ASSERT_EQUAL(x->ins.v[i].cls, y->ins.v[i].cls);
		CU_ASSERT_STRING_EQUAL(x->ins.v[i].text, y->ins.v[i].text);
		CU_ASSERT_EQUAL(x->ins.v[i].live_vgprs, y->ins.v[i].live_vgprs);
		CU_ASSERT_EQUAL(x->ins.v[i].live_sgprs, y->ins.v[i].live_sgprs);
		CU_ASSERT_EQUAL(x->ins.v[i].spill, y->ins.v[i].spill);
	}
	for (u32 i = 0; i < x->blocks.n; i++)
		CU_ASSERT_EQUAL(x->blocks.v[i].ir_block, y->blocks.v[i].ir_block);
	for (u32 i = 0; i < x->nplaces; i++)
		CU_ASSERT_EQUAL(x->places[i].line, y->places[i].line);
}

static void same_program(const Program *x, const Program *y)
{
	Buf a = {0}, b = {0};
	program_print(x, &a);
	program_print(y, &b);
	CU_ASSERT_STRING_EQUAL(a.v, b.v);
	CU_ASSERT_EQUAL_FATAL(x->origins.n, y->origins.n);
	CU_ASSERT_EQUAL(x->peak_live.n, y->peak_live.n);
	CU_ASSERT_EQUAL(memcmp(x->origins.v, y->origins.v, x->origins.n * sizeof *x->origins.v), 0);
	for (u32 i = 0; i < x->ins.n && i < y->ins.n; i++)
		CU_ASSERT_TRUE(x->ins.v[i].origin == y->ins.v[i].origin && x->ins.v[i].align == y->ins.v[i].align);
	array_free(&a);
	array_free(&b);
}

static void compiles_the_same(void)
{
	const FeOptions all[] = {
		{.path = "k.cl", .source = source, .cpu = "gfx906", .machine = true, .listing = true, .keep_ir = true,
		 .wave = 64},
		{.path = "k.cl", .source = twice, .cpu = "gfx900", .r600_cpu = "cypress", .machine = true,
		 .listing = true, .wave = 64},
	};
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	for (u32 i = 0; i < COUNT(all); i++) {
		FeOptions o = all[i];
		Diag d;
		diag_init(&d);
		Compile *c = compile_open(&o, NULL, &d);
		CU_ASSERT_TRUE_FATAL(c && compile_select(c, NULL, &d));
		Program *here = compile_lower(c, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(here);
		FeFacts f = compile_facts(c);
		o.helper = h;
		Fe *fe = fe_compile(&o, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(fe);
		o.like = fe;
		Fe *again = fe_compile(&o, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(again);
		Program *there = fe_program(fe), *other = fe_program(again);
		same_code(f.machine, fe_machine(fe));
		CU_ASSERT_EQUAL(!f.r600, !fe_r600(fe));
		CU_ASSERT_TRUE(!f.r600 || f.r600->nsteps == fe_r600(fe)->nsteps);
		CU_ASSERT_TRUE(!f.ir || !strcmp(f.ir, fe_ir(fe)));
		CU_ASSERT_TRUE(f.limits.f32 == fe_limits(fe).f32);
		CU_ASSERT_EQUAL(f.widest_vload, fe_widest_vload(fe));
		fe_close(again);
		fe_close(fe);
		same_program(here, there); /* it outlives them */
		same_program(here, other);
		program_free(here);
		program_free(there);
		program_free(other);
		compile_close(c);
		diag_free(&d);
	}
	helper_free(h);
}

/* Messages come with their places and lines. */
static void says_the_same(void)
{
	static const char *const texts[] = {"kernel void k(global int *a)\n{\n\ta[0] = b;\n\t#warning w\n\tc();\n}\n",
	                                    "int f(int a) { return a; }\n",
	                                    "kernel void k(global int *a) { *a = 1; }\nkernel void l() {}\n"};
	for (u32 i = 0; i < COUNT(texts); i++) {
		FeOptions o = {.path = "k.cl", .source = texts[i]};
		Diag here, there;
		Buf a = {0}, b = {0};
		diag_init(&here);
		diag_init(&there);
		Compile *c = compile_open(&o, NULL, &here);
		CU_ASSERT_TRUE(!c || !compile_select(c, NULL, &here));
		CU_ASSERT_PTR_NULL(fe_compile(&o, &there));
		diag_print(&here, &a);
		diag_print(&there, &b);
		CU_ASSERT_TRUE(a.n > 0);
		CU_ASSERT_STRING_EQUAL(a.v, b.v);
		compile_close(c);
		array_free(&a);
		array_free(&b);
		diag_free(&here);
		diag_free(&there);
	}
}

/* ---- running ---- */

enum { N = 64 }; /* work-items, and elements of their buffer */

static Helper *begin(i32 *data, Diag *d)
{
	diag_init(d);
	for (u32 i = 0; i < N; i++)
		data[i] = (i32)i;
	return helper_new(NULL, SANDBOX_AUTO);
}

static PoclRun *start(Helper *h, const Fe *fe, const char *text, i32 *data, i32 *result, Diag *d)
{
	PoclArg arg = {.kind = POCL_BUFFER};
	PoclBuffer buffer = {.init = data, .result = result, .size = N * sizeof *data};
	PoclLaunch l = {.path = "k.cl",
	                .source = text,
	                .first = "",
	                .kernel = "k",
	                .dims = 1,
	                .global = {N, 1, 1},
	                .local = {16, 1, 1},
	                .compiled = fe,
	                .args = &arg,
	                .nargs = 1,
	                .buffers = &buffer,
	                .nbuffers = 1};
	return pocl_run_start(h, &l, d);
}

/* With the buffers as they were when it started; compiling goes on meanwhile. */
static void runs(void)
{
	i32 data[N], result[N] = {0};
	Diag d;
	Helper *h = begin(data, &d);
	PoclRun *run = start(h, NULL, twice, data, result, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(run);
	memset(data, 0, sizeof data);
	Fe *fe = fe_compile(&(FeOptions){.helper = h, .path = "k.cl", .source = twice}, &d);
	CU_ASSERT_PTR_NOT_NULL(fe);
	fe_close(fe);
	PoclOutcome out;
	CU_ASSERT_TRUE(pocl_run_wait(run, 60, &out));
	for (u32 i = 0; i < N; i++)
		CU_ASSERT_EQUAL(result[i], 2 * (i32)i + 1);
	pocl_outcome_free(&out);
	run = start(h, NULL, "kernel void k(global int *a) { while (a[0] == a[1] * 0) a[2]++; }", data, result, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(run);
	CU_ASSERT_FALSE(pocl_run_wait(run, 0.5, &out));
	CU_ASSERT_EQUAL(out.status, POCL_TIMEOUT);
	pocl_outcome_free(&out);
	helper_free(h);
	diag_free(&d);
}

/* PoCL gets a small part of its library … */
static void needs_little(void)
{
	Diag d;
	struct stat file;
	diag_init(&d);
	Compile *c = compile_open(&(FeOptions){.path = "k.cl", .source = source}, NULL, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	FeNeeded needed = compile_module(c)->needed;
	CU_ASSERT_PTR_NOT_NULL_FATAL(needed.bytes);
	CU_ASSERT_TRUE(!stat(needed.whole, &file) && needed.n > 0 && needed.n * 10 < (u64)file.st_size);
	compile_close(c);
	diag_free(&d);
}

/* … but all of it for a program that calls more than is known. */
static void runs_another(void)
{
	static const char another[] = "kernel void k(global int *a)\n{\n\tint i = get_global_id(0);\n"
	                              "\ta[i] = popcount(a[i]) + (int)round(cbrt(a[i] * 1.0f));\n}\n";
	i32 data[N], result[N] = {0};
	Diag d;
	Helper *h = begin(data, &d);
	Fe *fe = fe_compile(&(FeOptions){.helper = h, .path = "k.cl", .source = twice}, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(fe);
	PoclOutcome out;
	PoclRun *run = start(h, fe, another, data, result, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(run);
	CU_ASSERT_TRUE(pocl_run_wait(run, 60, &out));
	CU_ASSERT_FALSE(out.part);
	CU_ASSERT_EQUAL(result[63], 6 + 4);
	CU_ASSERT_EQUAL(result[27], 4 + 3);
	pocl_outcome_free(&out);
	run = start(h, fe, twice, data, result, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(run);
	CU_ASSERT_TRUE(pocl_run_wait(run, 60, &out));
	CU_ASSERT_TRUE(out.part);
	CU_ASSERT_EQUAL(result[63], 127);
	pocl_outcome_free(&out);
	fe_close(fe);
	helper_free(h);
	diag_free(&d);
}

/* ---- helpers that are none ---- */

static void bad_helpers(void)
{
	static const struct {
		const char *script, *says;
	} all[] = {
	    {"exit 3", "ended early, with status 3"},
	    {"kill -KILL $$", "was ended by signal 9"},
	    {"exec 3>&-; exec sleep 1000", "was ended by signal 9"},
	    {"printf 'something that is no frame' >&3; exec sleep 1000", "gave an invalid answer"},
	    /* a good greeting of another version; a frame of no end */
	    {"printf 'ehsw\\1\\0\\0\\0\\3\\0\\0\\0\\0\\0\\0\\0\\1\\1x' >&3; exec cat <&3 2>/dev/null",
	     "is of another version (x)"},
	    {"printf 'ehsw\\1\\0\\0\\0\\3\\0\\0\\200\\0\\0\\0\\0\\1\\1x' >&3; exec cat <&3 2>/dev/null",
	     "gave an invalid answer"},
	};
	char path[KIT_PATH];
	kit_file(path, "helper.sh");
	for (u32 i = 0; i < COUNT(all); i++) {
		FILE *f = fopen(path, "w");
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		fprintf(f, "#!/bin/sh\n%s\n", all[i].script);
		fclose(f);
		chmod(path, 0700);
		Diag d;
		diag_init(&d);
		Helper *h = helper_new(path, SANDBOX_AUTO);
		CU_ASSERT_PTR_NULL(fe_compile(&(FeOptions){.helper = h, .path = "k.cl", .source = twice}, &d));
		CU_ASSERT_TRUE_FATAL(d.msgs.n == 1);
		CU_ASSERT_PTR_NOT_NULL(strstr(d.msgs.v[0].text, all[i].says));
		helper_free(h);
		diag_free(&d);
	}
	kit_file_remove(path);
	Diag d;
	diag_init(&d);
	Helper *h = helper_new(path, SANDBOX_AUTO);
	CU_ASSERT_PTR_NULL(fe_compile(&(FeOptions){.helper = h, .path = "k.cl", .source = twice}, &d));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.msgs.v[0].text, path));
	helper_free(h);
	diag_free(&d);
}

/* ---- threads ---- */

static void *compile_one(void *ok)
{
	Diag d;
	diag_init(&d);
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	for (u32 i = 0; i < 2; i++) {
		Fe *fe = fe_compile(&(FeOptions){.helper = h, .path = "k.cl", .source = twice}, &d);
		*(bool *)ok = fe != NULL;
		fe_close(fe);
	}
	helper_free(h);
	diag_free(&d);
	return NULL;
}

static void threads(void)
{
	pthread_t t[2];
	bool ok[2] = {false, false};
	for (u32 i = 0; i < COUNT(t); i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, compile_one, &ok[i]), 0);
	for (u32 i = 0; i < COUNT(t); i++)
		pthread_join(t[i], NULL);
	CU_ASSERT_TRUE(ok[0] && ok[1]);
}

void suite_helper(void);
void suite_helper(void)
{
	CU_pSuite s = CU_add_suite("helper", NULL, NULL);
	CU_add_test(s, "compiles the same", compiles_the_same);
	CU_add_test(s, "says the same", says_the_same);
	CU_add_test(s, "runs", runs);
	CU_add_test(s, "needs little", needs_little);
	CU_add_test(s, "runs another", runs_another);
	CU_add_test(s, "bad helpers", bad_helpers);
	CU_add_test(s, "threads", threads);
}
