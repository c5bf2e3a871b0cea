/* What kernels print, compared. */
#ifndef WAVESIM_PRINTED_H
#define WAVESIM_PRINTED_H

#include "frontend/frontend.h"

/* The same lines, in any order: work-items print in any. Numbers that p's formats print of floats may differ as far as
 * the limits let floats, and by one unit of the last digit that the format has; a NaN equals every other. Where a
 * format prints addresses, one equals every other. as_floats: b's side prints a
 * double as the float nearest to it, as PoCL 3.1 does. */
bool printed_same(const char *a, u64 na, const char *b, u64 nb, const Program *p, const FeLimits *limits,
                  bool as_floats);

#endif
