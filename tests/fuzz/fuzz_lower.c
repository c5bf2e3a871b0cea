/* Changed modules through the canonical form (compile/pipeline.c) and the lowering: a Program that its verifier
 * accepts, or an error; never a crash.
 *
 * fuzz_bitcode takes bytes all the way, some processes an input. Here, the modules of the kernels in lower.cl are made
 * once, and an input changes one of them in memory: its first byte says which, each four bytes behind it one change
 * (module_mutate.h). What LLVM's verifier refuses is left out. */
#include "frontend/codegen/backend.h"
#include "frontend/compile/pipeline.h"
#include "frontend/lower/lower.h"
#include "frontend/retarget/retarget.h"
#include "frontend/source/pocl/pocl_library.h"
#include "frontend/source/source.h"
#include "tests/fuzz/llvm_memory.h"
#include "tests/fuzz/module_mutate.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/* Leaks: what the modules made once hold. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

enum { CHANGES = 8 };

static ARRAY(FeModule *) modules;

static FeModule *open_module(const Source *s, const char *path, Diag *d)
{
	FeModule *m = fe_module_open(s->bitcode, s->size, path, s->text, d);
	bool ok = m && (!s->library || pocl_library_link(m, s->library, d)) && fe_module_list(m, d);
	return ok ? m : NULL;
}

/* What debug information says of the other kernels would be most of each copy. */
static bool without_others(FeModule *m)
{
	LLVMErrorRef e = llvm_passes(m->mod, "strip-dead-debug-info", NULL);
	if (e)
		LLVMConsumeError(e);
	return !e;
}

static void add_kernels(const char *path)
{
	Diag d;
	Source s = {0};
	FeOptions o = {.path = path};
	diag_init(&d);
	FeModule *all = source_read(&o, NULL, &s, &d) ? open_module(&s, path, &d) : NULL;
	for (u32 i = 0; all && i < all->kernels.n; i++)
		for (u32 check = 0; check < 2; check++) {
			FeModule *m = open_module(&s, path, &d);
			if (!m || !fe_module_select(m, all->kernels.v[i], &d))
				break;
			m->backend = &backends[BACKEND_amdgcn];
			m->check = check;
			if (fe_retarget(m, "gfx906", &d) && fe_pipeline(m, &d) && without_others(m))
				array_push(&modules, m);
		}
	if (d.errors) {
		Buf out = {0};
		diag_print(&d, &out);
		fprintf(stderr, "%s\n", out.v);
		abort();
	}
	fe_module_close(all);
	source_free(&s);
	diag_free(&d);
}

/* As the last step of the pipeline leaves it, which takes most of the time. */
static bool is_canonical(FeModule *m)
{
	LLVMErrorRef e = llvm_passes(m->mod,
	                             "function(" LLVM_PASS_LOWER_INVOKE ",mergereturn,loop-simplify,break-crit-edges,"
	                             "loop-simplify,lcssa)",
	                             NULL);
	if (e)
		LLVMConsumeError(e);
	m->kernel = LLVMGetNamedFunction(m->mod, m->kernel_name);
	return !e && m->kernel && !LLVMIsDeclaration(m->kernel);
}

static void lower(FeModule *m)
{
	Diag d;
	Buf out = {0};
	diag_init(&d);
	Program *p = lower_program(m, &d);
	if (!p != (d.errors != 0) || (p && !program_verify(p, &d)))
		abort();
	program_free(p);
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	add_kernels("tests/fuzz/lower.cl");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	const FeModule *from = modules.v[data[0] % modules.n];
	FeModule m = *from;
	Mutate change = {.ctx = m.ctx, .mod = LLVMCloneModule(from->mod), .b = LLVMCreateBuilderInContext(m.ctx)};
	m.mod = change.mod;
	m.arena = arena_new();
	for (u32 i = 0; i < CHANGES && 1 + 4 * (i + 1) <= size; i++) {
		u32 seed;
		memcpy(&seed, data + 1 + 4 * i, sizeof seed);
		change.rng = seed;
		mutate_once(&change);
	}
	if (!LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL) && is_canonical(&m))
		lower(&m);
	LLVMDisposeBuilder(change.b);
	LLVMDisposeModule(m.mod);
	arena_free(m.arena);
	return 0;
}
