/* What checks need to see in the source's own functions (private to frontend/). */
#ifndef WAVESIM_FRONTEND_BOUNDS_H
#define WAVESIM_FRONTEND_BOUNDS_H

#include "frontend/module/module.h"

#define BOUNDS_CALL "wavesim.within" /* (index, elements, address, bytes, is a write), before the access; see OP_within */

/* requires addresses in registers, functions that are not inlined. */
void bounds_mark(FeModule *m);

#endif
