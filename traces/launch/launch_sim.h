/* What the two halves of the .sim reader share: the place in the text, the header of an
 * argument. */
#ifndef WAVESIM_LAUNCH_SIM_H
#define WAVESIM_LAUNCH_SIM_H

#include "traces/launch/launch_impl.h"

typedef struct SimReader {
	Launch *l;
	const char *p, *line_start;
	Loc at; /* line of p */
	Diag *d;
	const KernelArg *k; /* the argument being read */
	u32 index;
} SimReader;

typedef struct SimHeader {
	bool has_size, null, dump, hex, noinit, ro, wo;
	bool typed;
	ElemShape type;
	u64 size;
	const char *fill, *range;
	Loc loc, fill_loc, range_loc;
} SimHeader;

/* ---- launch_sim_header.c ---- */
Loc launch_sim_here(const SimReader *s, const char *p);
/* To the next character that is neither blank nor in a comment; false at the end. */
bool launch_sim_skip(SimReader *s);
/* An error about the argument; returns false. */
#define launch_sim_bad(s, loc, ...) \
	launch_error((s)->l, (s)->d, loc, "argument %u: %s (%s): %s", (s)->index, (s)->k->name, (s)->k->type_name, \
	             arena_printf((s)->l->arena, __VA_ARGS__))
/* Read and check the next header. */
bool launch_sim_header(SimReader *s, SimHeader *h);

#endif
