/* Fuzz launch comments, and piglit and GPUVerify headers, in kernel files: whatever is
 * accepted must print as options that give the same launch. */
#include "launch_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Diag d;
	Launch l;
	char *text = fuzz_text(data, size);
	diag_init(&d);
	launch_init(&l);
	if (launch_read_comments(&l, "k.cl", text, &d))
		fuzz_launch(&l, A_COUNT, true, &d);
	fuzz_end(&l, text, &d);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
