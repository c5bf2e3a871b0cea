/* What the fuzz targets of the launch description share: bind to a kernel with an
 * argument of every kind (or its first nargs), check, fill, print, read the print back. */
#ifndef WAVESIM_LAUNCH_FUZZ_H
#define WAVESIM_LAUNCH_FUZZ_H

#include "tests/unit/launch_equal.h"
#include "tests/fuzz/text_mutate.h"
#include "tests/unit/launch_kernel.h"

#include <stdio.h>

enum { FUZZ_BYTES = 1 << 20 };

static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

static inline void *fuzz_alloc(void *user, u32 arg, u64 size)
{
	(void)user, (void)arg;
	return xcalloc(1, size);
}

static inline void fuzz_reproduce(const Launch *l)
{
	Buf b = {0};
	Diag d;
	Launch again;
	launch_print_options(l, PRINT_ALL, &b);
	diag_init(&d);
	launch_init(&again);
	if (!launch_apply_text(&again, b.v, NO_LOC, &d) ||
	    !launch_bind(&again, l->kernel_args, l->nargs, &d) || !launch_equal(l, &again)) {
		Buf text = {0};
		buf_printf(&text, "not reproduced: %s\n", b.v);
		diag_print(&d, &text);
		fputs(text.v, stderr);
		abort();
	}
	launch_free(&again);
	diag_free(&d);
	array_free(&b);
}

static inline void fuzz_launch(Launch *l, u32 nargs, bool guess, Diag *d)
{
	const LaunchLimits limits = {.max_group = 1024, .max_bytes = FUZZ_BYTES};
	void *data[A_COUNT];
	if (!launch_bind(l, launch_kernel, nargs, d))
		return;
	if (guess)
		launch_guess(l, &(LaunchHints){0});
	if (!launch_check(l, &limits, d))
		return;
	fuzz_reproduce(l);
	bool filled = launch_materialise(l, &limits, fuzz_alloc, NULL, data, d);
	for (u32 i = 0; i < nargs; i++) {
		Buf b = {0};
		if (filled && data[i] && l->args[i].dump)
			launch_dump_text(l, i, data[i], l->args[i].size, &b);
		array_free(&b);
		free(data[i]);
	}
}

static inline void fuzz_end(Launch *l, char *text, Diag *d)
{
	Buf b = {0};
	diag_print(d, &b);
	array_free(&b);
	launch_free(l);
	diag_free(d);
	free(text);
}

#endif
