/* Drivers name a card in two ways: for people ("AMD Instinct MI210", "Radeon RX 7900 XTX"), where
 * our name stands inside once case, blanks and dashes are gone, and for compilers
 * ("gfx90a:sramecc+:xnack-"), which is an alias. The first tells cards of one chip apart. */
#include "models/device/device_names.h"

#include "models/device/device.h"

#include <ctype.h>

static char *plain(const char *text, Arena *a)
{
	char *out = arena_alloc(a, strlen(text) + 1), *p = out;
	for (; *text; text++) {
		if (isalnum((u8)*text))
			*p++ = (char)tolower((u8)*text);
	}
	return out;
}

/* The longest of our names in the text: "rx7900xtx" before "rx7900xt". */
static const char *inside(const char *text, Arena *a)
{
	const char *best = NULL, *have = plain(text, a);
	for (u32 i = 0; i < device_count(); i++) {
		const char *name = device_name(i);
		const char *at = strstr(have, name);
		/* "mi50" is not in "mi500" */
		if (at && !isdigit((u8)at[strlen(name)]) && (!best || strlen(name) > strlen(best)))
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
