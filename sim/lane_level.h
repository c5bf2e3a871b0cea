/* For files that are compiled once for each instruction-set level of the host. */
#ifndef WAVESIM_LANE_LEVEL_H
#define WAVESIM_LANE_LEVEL_H

#include "sim/wave.h"

#define PASTE2(a, b) a##_##b
#define PASTE(a, b) PASTE2(a, b)
#define LEVEL(name) PASTE(name, LANE_SUFFIX)

/* Operand rows either coincide or do not overlap, and lane l only ever meets
 * lane l, so the iterations are independent. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Loops over so many lanes are unrolled: most wavefronts have them. */
enum { USUAL_LANES = 64 };

/* Go on with the next step at once, by a jump, of which the processor knows where it comes from. */
static FORCE_INLINE const Step *next_step(Wave *w, const Step *s) { return s[1].fn(w, s + 1); }

#endif
