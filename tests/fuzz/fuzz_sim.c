/* Fuzz the .sim reader: whatever it accepts must print as options that give the same
 * launch, and its small buffers must fill. */
#include "launch_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Diag d;
	Launch l;
	char *text = fuzz_text(data, size);
	diag_init(&d);
	launch_init(&l);
	if (launch_parse_sim(&l, "dir/t.sim", text, &d))
		fuzz_launch(&l, A_IM, false, &d); /* a .sim file has no images */
	fuzz_end(&l, text, &d);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
