/* The kinds of input: see input.h. */
#include "frontend/input.h"

const Input inputs[INPUT_COUNT] = {
#define INPUT(name, ending, text, no_reference) [INPUT_##name] = {ending, text, no_reference},
#define OTHER(name, ending) [INPUT_##name] = {ending, true, NULL},
#include "frontend/inputs.def"
};

InputKind input_kind(const char *path)
{
	size_t n = strlen(path);
	for (u32 i = 0; i < INPUT_COUNT; i++) {
		size_t k = inputs[i].ending ? strlen(inputs[i].ending) : n + 1;
		if (n >= k && !strcmp(path + n - k, inputs[i].ending))
			return (InputKind)i;
	}
	return INPUT_COUNT; /* no row is for any name */
}
