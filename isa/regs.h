/* The passes over a Program that was just lowered: regs.c runs them in order; what clean.c, live.c and
 * live_values.c hand on to each other is here too. */
#ifndef WAVESIM_REGS_H
#define WAVESIM_REGS_H

#include "isa/isa.h"

/* Positions in a Program: instruction i reads its operands at 2i and writes its results
 * at 2i + 1; an operation that may write one result before it has read all operands (all
 * but lane operations and mov) writes at 2i. */
typedef struct Span {
	u32 a, b; /* both included */
} Span;
typedef ARRAY(Span) Spans; /* sorted, disjoint, once spans_sort has run */
typedef ARRAY(u32) Points; /* sorted */

/* Of a vector register. */
typedef struct RegLive {
	Spans own;   /* where an active lane still needs the value */
	Spans any;   /* where any lane may, also one that waits */
	Points all;  /* writes to every lane */
	Points some; /* writes to active lanes only */
} RegLive;

/* Of an array or vector a register may hold some elements. */
typedef enum { PART_WHOLE, PART_ELEMENT, PART_LANE } VarPart;

/* The variable of the source whose value a register holds; name NULL: none. */
typedef struct RegVar {
	const char *name;
	VarPart part;
	u32 index; /* element or lane of the variable */
	u32 loc;   /* Program.locs index of the declaration */
} RegVar;

/* ---- regs.c ---- */
/* Remove unused operations, coalesce copies, give slots, count registers. The
 * layout's loops are read off the Program: see regs.c. var: [p->regs.n]. */
void regs_run(Program *p, const RegVar *var);

/* ---- clean.c ---- */
void clean_dead(Program *p); /* remove operations whose results are not read */
/* Remove copies of a register to itself and blocks that only jump on. */
void clean_copies(Program *p);

/* ---- live.c ---- */
/* Liveness of all vector registers, [p->regs.n]; fills live_vgprs and the peaks.
 * var: [p->regs.n], what they hold. */
RegLive *live_new(Program *p, const RegVar *var);
void live_release(RegLive *x); /* its lists */
bool spans_have(const Spans *s, u32 at);
bool spans_meet(const Spans *s, const Points *p); /* does a point lie in a span? */

/* ---- live_values.c ---- */
/* Fill in peak_loc and peak_live: what is live at a position of the kernel. */
void live_values(Program *p, const RegLive *live, const RegVar *var, u32 at);
/* 32-bit registers that a register takes. */
u32 live_vgprs(const Program *p, u32 reg);

#endif
