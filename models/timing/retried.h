/* Compare-and-swaps in a loop that ends when they succeed. */
#ifndef WAVESIM_RETRIED_H
#define WAVESIM_RETRIED_H

#include "isa/isa.h"

/* Per instruction of a program: is it one? The arena's, as many as Program.ins. */
bool *swaps_retried(const Program *p, Arena *a);

#endif
