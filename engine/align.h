/* Lines of two texts side by side. */
#ifndef WAVESIM_ALIGN_H
#define WAVESIM_ALIGN_H

#include "base/base.h"

/* Lines count from 1; 0: there is none on that side. Rows with both are equal but for blanks at
 * their ends. Each line is in one row, in order. */
typedef struct AlignRow {
	u32 before, after;
} AlignRow;

/* rows is the arena's; a and b may be NULL: no lines. */
u32 align_lines(const char *a, const char *b, Arena *arena, AlignRow **rows);

#endif
