/* Why a kernel that the text has is not in the module: #if and its like. */
#ifndef WAVESIM_FRONTEND_LEFT_OUT_H
#define WAVESIM_FRONTEND_LEFT_OUT_H

#include "base/base.h"

typedef struct LeftOut {
	const char *name;    /* of the kernel */
	u32 line, column;    /* of its name */
	const char *what;    /* "'#ifdef X' in line 3" */
	bool sure;           /* that this is the one that leaves it out: others around the kernel may as well */
	const char *how;     /* what would turn it on, a sentence; or NULL: that cannot be told */
} LeftOut;

/* Look for a kernel of that name (NULL: any) that stands under a condition which may be off. options: the compiler's,
 * or NULL. Strings are the arena's. */
bool left_out_find(const char *text, const char *options, const char *name, Arena *a, LeftOut *out);

#endif
