/* Any text as the page of an exercise: read, and made into launches, goals and hints; and as a submission, of which it
 * is looked at what it includes. */
#include "cli/exercise.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(1, size + 1);
	memcpy(text, data, size);
	Diag d;
	diag_init(&d);
	Exercise x;
	bool ok = exercise_parse(&x, "exercise/README.md", text, &d) && exercise_spec(&x, NULL, false, &d);
	if (!ok && !d.errors)
		abort();
	exercise_free(&x);
	Buf said = {0};
	diag_print(&d, &said);
	array_free(&said);
	diag_free(&d);
	Arena *a = arena_new();
	JudgeFault why;
	if (!judge_includes("exercise/none/kernel.cl", text, a, &why) && !why.said)
		abort();
	arena_free(a);
	free(text);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
