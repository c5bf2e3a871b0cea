/* Loops that end when an atomic says so, as a compare-and-swap that succeeds. */
#ifndef WAVESIM_RETRIED_H
#define WAVESIM_RETRIED_H

#include "isa/isa.h"

/* Per instruction of a program: is it one? The arena's, as many as Program.ins. */
bool *swaps_retried(const Program *p, Arena *a);

/* Per block of a program: the first block, + 1, of the innermost loop around it, if an atomic decides whether that goes
 * on, but for swaps that are retried; else 0. The arena's. */
u32 *atomic_loops(const Program *p, Arena *a);

#endif
