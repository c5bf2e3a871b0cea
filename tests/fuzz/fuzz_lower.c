/* Changed modules through the canonical form (compile/pipeline.c) and the lowering: a Program that its verifier
 * accepts, or an error; never a crash.
 *
 * Here, the modules of the kernels in lower.cl are as the pipeline leaves them, and an input changes one of them
 * (module_kernels.h). fuzz_pipeline has what comes before. */
#include "frontend/lower/lower.h"
#include "tests/fuzz/module_kernels.h"

#include <llvm-c/Analysis.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/* Leaks: what the modules made once hold. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

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
	module_kernels(true);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	FeModule m = module_changed(data, size);
	if (!LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL) && is_canonical(&m))
		lower(&m);
	module_done(&m);
	return 0;
}
