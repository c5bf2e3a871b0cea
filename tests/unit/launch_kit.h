/* A launch of the kernel of launch_kernel.h, with the buffers that it is given: for tests of options, guesses and
 * contents. */
#ifndef WAVESIM_TESTS_LAUNCH_KIT_H
#define WAVESIM_TESTS_LAUNCH_KIT_H

#include "launch_kernel.h"
#include "tests/unit/launch_equal.h"
#include "traces/launch/options.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

typedef struct Case {
	Launch l;
	Diag d;
	void *data[A_COUNT];
} Case;

static inline void show(const Diag *d)
{
	Buf b = {0};
	diag_print(d, &b);
	if (b.n)
		printf("\n%s", b.v);
	array_free(&b);
}

static inline void start(Case *c)
{
	*c = (Case){0};
	diag_init(&c->d);
	launch_init(&c->l);
}

static inline void finish(Case *c)
{
	for (u32 i = 0; i < A_COUNT; i++)
		free(c->data[i]);
	launch_free(&c->l);
	diag_free(&c->d);
}

/* A whole kernel file with launch comments, and options of a command line, taken as far as launch_check. */
static inline void load_with(Case *c, const char *options, const char *text)
{
	start(c);
	const LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	CU_ASSERT_TRUE(launch_apply_text(&c->l, options, NO_LOC, &c->d));
	CU_ASSERT_TRUE(launch_read_comments(&c->l, "k.cl", text, &c->d));
	CU_ASSERT_TRUE(launch_bind(&c->l, launch_kernel, A_COUNT, &c->d));
	launch_guess(&c->l, &(LaunchHints){0});
	CU_ASSERT_TRUE(launch_check(&c->l, &limits, &c->d));
	show(&c->d);
}

static inline void load(Case *c, const char *text) { load_with(c, "", text); }

static inline void *allocate(void *user, u32 arg, u64 size)
{
	(void)user, (void)arg;
	return calloc(1, size);
}

static inline void fill(Case *c)
{
	CU_ASSERT_TRUE_FATAL(
	    launch_materialise(&c->l, &LAUNCH_LIMITS_DEFAULT, allocate, NULL, c->data, &c->d));
}

static inline void check_printed(const Launch *l, LaunchPrint what, const char *want)
{
	Buf b = {0};
	launch_print_options(l, what, &b);
	CU_ASSERT_STRING_EQUAL(b.v, want);
	if (strcmp(b.v, want) != 0)
		printf("\nprinted: %s\n", b.v);
	array_free(&b);
}

/* parse(print(l)) equals l. */
static inline void check_round_trip(const Launch *l)
{
	Buf b = {0};
	Case again;
	launch_print_options(l, PRINT_ALL, &b);
	start(&again);
	CU_ASSERT_TRUE(launch_apply_text(&again.l, b.v, NO_LOC, &again.d));
	CU_ASSERT_TRUE(launch_bind(&again.l, l->kernel_args, l->nargs, &again.d));
	CU_ASSERT_TRUE(launch_equal(l, &again.l));
	if (!launch_equal(l, &again.l))
		printf("\nnot reproduced: %s\n", b.v);
	show(&again.d);
	finish(&again);
	array_free(&b);
}

#endif
