/* Drivers name a card in two ways: for people ("AMD Instinct MI210", "Radeon RX 7900 XTX"), where
 * our name stands inside once case, blanks and dashes are gone, and for compilers
 * ("gfx90a:sramecc+:xnack-"), which is an alias. The first tells cards of one chip apart. */
#include "models/device/device_names.h"

#include "models/device/device.h"

#include <ctype.h>

/* The letters and digits of a text, in lower case; place: where each stood. */
static char *plain(const char *text, Arena *a, u32 **place)
{
	char *out = arena_alloc(a, strlen(text) + 1), *p = out;
	*place = ARENA_ARRAY(a, u32, strlen(text) + 1);
	for (u32 i = 0; text[i]; i++) {
		if (!isalnum((u8)text[i]))
			continue;
		(*place)[p - out] = i;
		*p++ = (char)tolower((u8)text[i]);
	}
	return out;
}

/* The longest of our names in the text: "rx7900xtx" before "rx7900xt". */
static const char *inside(const char *text, Arena *a)
{
	u32 *place;
	const char *best = NULL, *have = plain(text, a, &place);
	for (u32 i = 0; i < device_count(); i++) {
		const char *name = device_name(i);
		const char *at = strstr(have, name);
		if (!at || (best && strlen(name) <= strlen(best)))
			continue;
		/* "mi50" is not in "mi500"; "h100" is in "H100 80GB" */
		const char *end = at + strlen(name);
		if (!isdigit((u8)*end) || place[end - have] > place[end - have - 1] + 1)
			best = name;
	}
	return best;
}

const char *device_name_match(const char *board, const char *name, Arena *a)
{
	const char *found = board ? inside(board, a) : NULL;
	if (!found)
		found = inside(name, a);
	if (found)
		return found;
	char *chip = arena_strndup(a, name, strcspn(name, ":"));
	Device dev;
	Diag none;
	diag_init(&none);
	if (*chip && device_load(&dev, chip, NO_LOC, a, &none))
		found = dev.name;
	diag_free(&none);
	return found;
}
