/* Any text as a device description: a Device, or at least one error; printing never fails. */
#include "models/device/device.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Arena *a = arena_new();
	char *text = arena_strndup(a, (const char *)data, size);
	Diag d;
	diag_init(&d);
	Device dev;
	Buf out = {0};
	if (device_parse(&dev, "fuzz", "fuzz.ini", text, a, &d) != !d.errors)
		abort();
	if (!d.errors)
		device_print(&dev, &out);
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
	arena_free(a);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
