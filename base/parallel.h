/* Independent jobs on several threads. */
#ifndef WAVESIM_PARALLEL_H
#define WAVESIM_PARALLEL_H

#include "base/base.h"

/* How many the system has online; at least 1. */
u32 processors(void);

/* job(ctx, 0) … job(ctx, n - 1), each once, begun in this order on at most `threads` threads (0: one for each
 * processor), of which the caller's is one; where no more can be started, on fewer. All are done when it returns. */
void parallel(u32 threads, u32 n, void (*job)(void *ctx, u32 i), void *ctx);

#endif
