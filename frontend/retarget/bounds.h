/* What checks need to see in the source's own functions (private to frontend/). */
#ifndef WAVESIM_FRONTEND_BOUNDS_H
#define WAVESIM_FRONTEND_BOUNDS_H

#include "frontend/module/module.h"

/* requires addresses in registers, functions that are not inlined. */
void bounds_mark(FeModule *m);

#endif
