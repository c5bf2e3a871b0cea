/* What the checks look at, kept from a pass that simplifies (private to frontend/). */
#ifndef WAVESIM_FRONTEND_KEEP_H
#define WAVESIM_FRONTEND_KEEP_H

#include "frontend/module/module.h"

/* Until keep_end(), no pass may drop a load, a store or a division, or know what it gives: one that nobody uses is still an
 * access, and one by zero a fault. */
void keep_begin(FeModule *m);
void keep_end(FeModule *m);

#endif
