/* Which launches of a program are wanted: --launches, --kernels, --once. */
#ifndef WAVESIM_CAPTURE_PICK_H
#define WAVESIM_CAPTURE_PICK_H

#include "base/hash.h"
#include "traces/capture/capture.h"

typedef struct CapPick {
	char *kernels;  /* names or patterns between commas; NULL: all */
	ARRAY(u64) ranges; /* first, last; first, last …; none: all */
	bool once;
	HashSet shapes; /* that were picked */
} CapPick;

/* kernels "gemm,reduce_*", launches "1-10,50,100-"; either may be NULL or "". False: why says what is
 * wrong with launches. */
bool cap_pick_init(CapPick *p, const char *kernels, const char *launches, bool once, Buf *why);
void cap_pick_free(CapPick *p);
/* The same of the options, with what is wrong in d (capture_read.c: the layer has no Diag). */
bool cap_pick_options(CapPick *p, const char *kernels, const char *launches, bool once, Diag *d);
/* No launch of the file is wanted: says so; false. left_out: how many of its launches are CAP_UNWANTED. */
bool cap_pick_none(const CapPick *p, const char *file, u32 left_out, Diag *d);
/* Is this launch wanted? With once it is so only the first time that it is asked of a shape. */
bool cap_pick(CapPick *p, const CapLaunch *l);
/* Equal for launches of the same kernel with the same sizes. Never 0. */
u64 cap_shape(const CapLaunch *l);

#endif
