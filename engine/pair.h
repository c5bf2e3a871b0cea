/* Two launches with the same inputs, and how their results differ (for wavesim compare). */
#ifndef WAVESIM_ENGINE_PAIR_H
#define WAVESIM_ENGINE_PAIR_H

#include "engine/run.h"
#include "engine/comparison.h"

typedef ARRAY(const char *) Names;

typedef struct PairSide {
	Session s;
	u8 **initial; /* per argument: what its buffer held before the run, or NULL */
	const char *label;
} PairSide;

typedef struct Pair {
	Arena *arena;
	Diag *d;
	PairSide side[SIDES];
	Names own;     /* arguments that were given for the second launch alone */
	Names notes;   /* on inputs that are not the same */
	u64 max_ulp;
} Pair;

/* ---- pair_inputs.c ---- */
/* Both are built. Sizes and arguments of the second are the first's where nobody gave it others,
 * values and contents always, by the arguments' names; then both have their memory. */
bool pair_bind(Pair *p);

/* ---- pair_results.c ---- */
/* Both have run. The result is the arena's. */
CompareResults *pair_results(Pair *p);

/* ---- pair_writers.c ---- */
/* Which work-item wrote these bytes of an argument last, and what it had read. */
typedef struct WriterQuestion {
	u32 arg;
	u64 offset, bytes;
	CompareWriter *answer;
} WriterQuestion;
void pair_find_writers(Pair *p, u32 side, WriterQuestion *q, u32 n);

#endif
