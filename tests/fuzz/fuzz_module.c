/* Changed modules as they come out of bitcode: their kernels and arguments, or an error; never a crash.
 *
 * fuzz_bitcode takes bytes, fuzz_pipeline and fuzz_lower what comes behind. Here, the
 * module of arguments.cl is made once, and an input changes it in memory, each four bytes once (module_mutate.h), half
 * of the times what describes the arguments. What LLVM's verifier refuses is left out, as it is of bitcode of unknown
 * origin. */
#include "frontend/module/module.h"
#include "frontend/source/source.h"
#include "tests/fuzz/llvm_memory.h"
#include "tests/fuzz/module_mutate.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/* Leaks: what the modules made once hold. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

enum { CHANGES = 8 };

static FeModule *made;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char path[] = "tests/fuzz/arguments.cl";
	(void)argc, (void)argv;
	Diag d;
	Source s = {0};
	FeOptions o = {.path = path};
	diag_init(&d);
	made = source_read(&o, NULL, &s, &d) ? fe_module_open(s.bitcode, s.size, path, NULL, &d) : NULL;
	if (!made)
		abort();
	LLVMStripModuleDebugInfo(made->mod); /* nothing here reads it, and it would be most of each copy */
	source_free(&s);
	diag_free(&d);
	return 0;
}

static void select_all(FeModule *m)
{
	Diag d;
	Buf out = {0};
	diag_init(&d);
	if (fe_module_list(m, &d) != !d.errors)
		abort();
	for (u32 i = 0; i < m->kernels.n; i++) {
		u32 before = d.errors;
		m->args.n = 0;
		memset(m->reqd_local, 0, sizeof m->reqd_local);
		if (fe_module_select(m, m->kernels.v[i], &d) != (d.errors == before))
			abort();
	}
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FeModule m = {.ctx = made->ctx, .user_path = made->user_path, .files = made->files,
	              .mod = LLVMCloneModule(made->mod), .arena = arena_new()};
	Mutate change = {.ctx = m.ctx, .mod = m.mod, .b = LLVMCreateBuilderInContext(m.ctx)};
	for (u32 i = 0; i < CHANGES && 4 * (i + 1) <= size; i++) {
		u32 seed;
		memcpy(&seed, data + 4 * i, sizeof seed);
		change.rng = seed;
		change.f = seed & 1 ? mutate_function(&change, true) : NULL;
		if (change.f)
			mutate_metadata(&change);
		else
			mutate_once(&change);
	}
	if (!LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL))
		select_all(&m);
	LLVMDisposeBuilder(change.b);
	LLVMDisposeModule(m.mod);
	array_free(&m.args);
	array_free(&m.kernels);
	array_free(&m.names);
	free(m.llvm_message);
	arena_free(m.arena);
	return 0;
}
