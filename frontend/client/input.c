/* The kinds of input: see input.h. */
#include "frontend/input.h"

const Input inputs[INPUT_COUNT] = {
#define INPUT(name, endings, text, own, language) [INPUT_##name] = {endings, text, own, LANGUAGE_##language},
#define OTHER(name, endings) [INPUT_##name] = {endings, true, false, LANGUAGE_other},
#include "frontend/inputs.def"
};

/* In one of the endings? */
static bool ends(const char *path, const char *endings)
{
	size_t n = strlen(path);
	if (!*endings)
		return true;
	for (const char *e = endings; *e; e += strspn(e, " ")) {
		size_t k = strcspn(e, " ");
		if (n >= k && !strncmp(path + n - k, e, k))
			return true;
		e += k;
	}
	return false;
}

InputKind input_kind(const char *path)
{
	for (u32 i = 0; i < INPUT_COUNT; i++)
		if (inputs[i].endings && ends(path, inputs[i].endings))
			return (InputKind)i;
	return INPUT_COUNT; /* no row is for any name */
}
