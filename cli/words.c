/* Options of one command: see words.h. */
#include "cli/words.h"

#include "cli/options.h"

bool words_is(const char *text, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(text, name, n) && (!text[n] || text[n] == '=');
}

u32 words_find(const Word *words, u32 n, const char *text)
{
	u32 i = 0;
	while (i < n && !words_is(text, words[i].name))
		i++;
	return i;
}

bool words_split(const Word *words, u32 n, int argc, char *const *argv, const char **value, char **rest,
                 int *nrest, Diag *d)
{
	bool ok = true;
	for (int k = 0; k < argc; k++) {
		u32 i = k ? words_find(words, n, argv[k]) : n;
		const char *equals = strchr(argv[k], '=');
		if (i == n)
			rest[(*nrest)++] = argv[k];
		else if (!words[i].arg && equals)
			ok = diag_error(d, NO_LOC, "%s takes no value", words[i].name);
		else if (!words[i].arg)
			value[i] = "";
		else if (equals)
			value[i] = equals + 1;
		else if (k + 1 < argc)
			value[i] = argv[++k];
		else
			ok = diag_error(d, NO_LOC, "%s wants a value", words[i].name);
	}
	return ok;
}

void words_help(const Word *words, u32 n, Buf *out)
{
	enum { COLUMN = 22 };
	for (u32 i = 0; i < n; i++)
		buf_printf(out, "  %s %-*s %s\n", words[i].name, (int)(COLUMN - strlen(words[i].name)),
		           words[i].arg ? words[i].arg : "", words[i].help);
}

bool words_not_of_one(const char *word, const char *have, Diag *d)
{
	if (!options_of_one(word))
		return true;
	diag_error(d, NO_LOC, "%.*s is for the results of one launch", (int)strcspn(word, "="), word);
	diag_hint(d, "%s; wavesim FILE has the others", have);
	return false;
}

bool words_number(const char *name, const char *value, u64 min, u64 max, u64 *out, Diag *d)
{
	u64 v;
	if (!value)
		return true;
	if (!parse_u64(value, &v))
		return diag_error(d, NO_LOC, "%s: '%s' %s", name, value, parse_u64_fault(value));
	if (v < min && max == UINT64_MAX)
		return diag_error(d, NO_LOC, "%s must be %llu or more", name, (unsigned long long)min);
	if (v < min || v > max)
		return diag_error(d, NO_LOC, "%s must be between %llu and %llu", name, (unsigned long long)min,
		                  (unsigned long long)max);
	*out = v;
	return true;
}

bool words_one_stdout(const Word *words, const char *const *value, const u32 *files, u32 n, Diag *d)
{
	const char *first = NULL;
	for (u32 i = 0; i < n; i++) {
		if (!value[files[i]] || strcmp(value[files[i]], "-"))
			continue;
		if (first)
			return diag_error(d, NO_LOC, "%s and %s cannot both write to standard output", first,
			                  words[files[i]].name);
		first = words[files[i]].name;
	}
	return true;
}
