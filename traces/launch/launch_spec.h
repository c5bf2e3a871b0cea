/* A SPEC while it is read, and what its readers share: launch_arg.c,
 * launch_image.c and launch_file.c. */
#ifndef WAVESIM_LAUNCH_SPEC_H
#define WAVESIM_LAUNCH_SPEC_H

#include "traces/launch/launch_impl.h"

typedef struct ArgSpec {
	Launch *l;
	const KernelArg *k;
	const ArgText *t;
	LaunchArg *out;
	const char *p; /* what is still to be read of t->spec */
	Diag *d;
} ArgSpec;

/* ---- launch_spec.c ---- */
/* Complain about the part of the spec at `at`; false. */
#define spec_bad(s, at, ...) \
	launch_error((s)->l, (s)->d, spec_loc(s, at), "argument %s (%s): %s", (s)->k->name, (s)->k->type_name, \
	             arena_printf((s)->l->arena, __VA_ARGS__))
Loc spec_loc(const ArgSpec *s, const char *at);
typedef struct SpecBytes { /* the launch's */
	u8 *v;
	u32 n;
} SpecBytes;
bool spec_number(const ArgSpec *s, const char *at, size_t n, const ElemShape *shape, Num *out);
/* Numbers between commas, stored one after the other, three-component elements padded. */
bool spec_numbers(const ArgSpec *s, const char *at, size_t n, const ElemShape *shape, SpecBytes *out, u64 *count);
/* "(LO,HI)", the limits of random contents; *end is behind them. */
bool spec_limits(const ArgSpec *s, const char *at, const char **end);
bool spec_hex(const ArgSpec *s, const char *at, SpecBytes *out);
/* Whether n numbers or bytes (`what`) are whole elements of `each`; complains where not. */
bool spec_fills(const ArgSpec *s, const char *at, u64 n, u32 each, const char *what);
/* So many elements are in the buffer, if it can hold them. */
bool spec_count(const ArgSpec *s, const char *at, u64 count);

/* ---- launch_file.c ---- */
bool spec_file(ArgSpec *s); /* at "@" */

/* ---- launch_arg.c ---- */
bool spec_buffer(ArgSpec *s);

/* ---- launch_pipe.c ---- */
bool spec_pipe(ArgSpec *s);

/* ---- launch_image.c ---- */
bool spec_image(ArgSpec *s);
bool spec_sampler(ArgSpec *s);

#endif
