/* What the checks look at, kept from a pass that simplifies (private to frontend/). */
#ifndef WAVESIM_FRONTEND_KEEP_H
#define WAVESIM_FRONTEND_KEEP_H

#include "frontend/module/module.h"

/* Between the two only loop-simplify, lcssa and loop-unroll-full run (compile/pipeline.c). Of a loop that they unroll
 * they compute what is constant, and drop what nobody uses. Until keep_end() they do neither with loads, with
 * operations that may be a fault (divisions, conversions from floats, shifts whose amount is not masked), with
 * expressions of constants and with calls of the source's functions. Stores need nothing: they move and drop none. */
void keep_begin(FeModule *m);
void keep_end(FeModule *m);

#endif
