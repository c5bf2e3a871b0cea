/* How often a loop runs, where the source says it (private to frontend/retarget/). */
#ifndef WAVESIM_TURNS_H
#define WAVESIM_TURNS_H

#include "frontend/retarget/loops.h"

/* The turns of a loop that its last branch leaves, found by computing what that branch asks, turn for turn, as LLVM
 * does; 0: they depend on more than one variable of the loop that begins with a number, or are too many to try. */
u64 loop_turns_tried(const Loops *f, u32 loop);

#endif
