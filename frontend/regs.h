/* Between the passes over a lowered Program: clean.c, live.c, regs.c (private). */
#ifndef WAVESIM_FRONTEND_REGS_H
#define WAVESIM_FRONTEND_REGS_H

#include "isa/isa.h"

/* Positions in a Program: instruction i reads its operands at 2i and writes its results
 * at 2i + 1; an operation that may write one result before it has read all operands (all
 * but lane operations and mov) writes at 2i. */
typedef struct Span {
	u32 a, b; /* both included */
} Span;
typedef ARRAY(Span) Spans; /* sorted, apart, once spans_sort has run */
typedef ARRAY(u32) Points; /* sorted */

/* Of a vector register. */
typedef struct RegLive {
	Spans own;   /* where an active lane still needs the value */
	Spans any;   /* where any lane may, also one that waits */
	Points all;  /* writes to every lane */
	Points some; /* writes to active lanes only */
} RegLive;

/* ---- clean.c ---- */
void clean_dead(Program *p); /* remove operations whose results nobody reads */
/* Remove copies of a register to itself and blocks that only jump on. */
void clean_copies(Program *p);

/* ---- live.c ---- */
/* Liveness of all vector registers, [p->regs.n]; fills live_vgprs and the peaks. */
RegLive *live_new(Program *p);
void live_free(const Program *p, RegLive *r);
void spans_sort(Spans *s);
bool spans_meet(const Spans *s, const Points *p); /* does a point lie in a span? */

#endif
