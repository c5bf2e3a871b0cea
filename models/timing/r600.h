/* Rates of a VLIW chip: how many work-items pass through a kernel in a second when only its
 * slowest resource counts, as AMD's KernelAnalyzer estimated it ("M threads/s"). */
#ifndef WAVESIM_R600_RATE_H
#define WAVESIM_R600_RATE_H

#include "isa/r600.h"
#include "models/device/device.h"

#define R600_BOUNDS(X) \
	X(alu, "arithmetic") \
	X(fetch, "memory fetches") \
	X(store, "memory stores")
#define X_R600(name, doc) R600_##name,
typedef enum { R600_BOUNDS(X_R600) R600_BOUND_COUNT } R600Bound;
extern const char *const r600_bound_name[R600_BOUND_COUNT];
extern const char *const r600_bound_doc[R600_BOUND_COUNT];

typedef struct R600Rate {
	u32 bundles, fetches, stores; /* on the way */
	double mthreads;              /* millions of work-items a second; 0: nothing limits it */
	R600Bound bound;
} R600Rate;

/* all: every branch is taken and every loop runs once. best: the way with the fewest bundles. */
void r600_rates(const Device *dev, const R600Code *c, R600Rate *best, R600Rate *all);

#endif
