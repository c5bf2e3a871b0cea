/* Changed modules through the pipeline of checks (compile/pipeline.c): its own steps between LLVM's leave a module that
 * LLVM's verifier accepts, or there is an error; never a crash.
 *
 * The modules of the kernels in lower.cl are as fe_retarget leaves them, and an input changes one of them
 * (module_kernels.h). fuzz_lower has what comes behind. */
#include "tests/fuzz/module_kernels.h"

#include <llvm-c/Analysis.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/* Leaks: what the modules made once hold. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	module_kernels(false);
	return 0;
}

static void pipe_module(FeModule *m)
{
	Diag d;
	Buf out = {0};
	diag_init(&d);
	bool ok = fe_pipeline(m, &d);
	diag_print(&d, &out);
	if (ok != !d.errors || (out.n && strstr(out.v, "LLVM rejects"))) {
		fprintf(stderr, "%s\n", out.n ? out.v : "no error");
		abort();
	}
	array_free(&out);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	FeModule m = module_changed(data, size);
	if (!LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL))
		pipe_module(&m);
	module_done(&m);
	return 0;
}
