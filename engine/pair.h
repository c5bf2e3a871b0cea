/* Two launches with the same inputs, and how their results differ.
 *
 *   both built -> pair_bind -> engine_execute of both -> pair_results */
#ifndef WAVESIM_ENGINE_PAIR_H
#define WAVESIM_ENGINE_PAIR_H

#include "engine/comparison.h"
#include "engine/engine.h"

typedef ARRAY(const char *) Names;

typedef struct PairSide {
	EngineRun *run;
	u8 **initial; /* per argument: what its buffer held before the run, or NULL */
	const char *label;
} PairSide;

typedef struct Pair {
	Arena *arena;
	PairSide side[SIDES]; /* the caller's: run and label; of all else {0} will do */
	Names own;     /* arguments that were given for the second launch alone */
	Names notes;   /* on inputs that are not the same */
	u64 max_ulp;
} Pair;

/* Both are built. Sizes and arguments of the second are the first's where it has none of its own,
 * values and contents always, by the arguments' names; then both have their memory. */
bool pair_bind(Pair *p);
/* Both have run. The result is the arena's, and points into the runs. NULL: a run's time is over (RunSpec.timeout). */
CompareResults *pair_results(Pair *p);
void pair_free(Pair *p); /* its lists, not the runs */

#endif
