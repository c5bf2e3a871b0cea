/* Any bytes as bitcode: kernels, or an error; never a crash. LLVM's reader may crash on damaged
 * bitcode, which is why the front end tries it in a child process first: that guard is what is
 * fuzzed here, so each input costs a process. */
#include "frontend/frontend.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_kernels(const FeOptions *o)
{
	Diag d;
	diag_init(&d);
	Fe *fe = fe_open(o, &d);
	if (!fe != (d.errors != 0))
		abort();
	u32 n = 0;
	if (fe && fe_kernels(fe, &n) && n && fe_select(fe, fe_kernels(fe, &n)[0], &d)) {
		Program *p = fe_lower(fe, &d);
		program_free(p);
	}
	fe_close(fe);
	Buf out = {0};
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/tmp/wavesim-fuzz-%ld.bc", (long)getpid());
	FILE *f = fopen(path, "wb");
	if (!f)
		return 0;
	bool written = fwrite(data, 1, size, f) == size;
	if (fclose(f) == 0 && written) {
		FeOptions o = {.path = path};
		try_kernels(&o);
	}
	unlink(path);
	return 0;
}
