/* Fuzz the values of a sweep: alternatives, arithmetic, and text with arithmetic in it; the text's length says which
 * syntax. No text may do harm, and no list grows beyond its limit. */
#include "engine/sweep.h"

#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool some(void *ctx, const char *name, i64 *out, const char **why)
{
	(void)ctx;
	*out = (i64)strlen(name) - 3;
	*why = "there is no such name";
	return *name != 'z';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Arena *a = arena_new();
	char *text = arena_strndup(a, (const char *)data, strnlen((const char *)data, size));
	Texts out = {0};
	const char *why = sweep_values(text, (ValuesSyntax)(size % (VALUES_ARG + 1)), a, &out);
	if (out.n > MOST_VALUES || (!why && !out.n))
		abort();
	array_free(&out);
	i64 v;
	const char *filled;
	sweep_eval(text, some, NULL, a, &v);
	sweep_fill(text, some, NULL, a, &filled);
	arena_free(a);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
