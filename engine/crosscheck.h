/* Estimates beside measured times: every point, and how well they agree. */
#ifndef WAVESIM_CROSSCHECK_H
#define WAVESIM_CROSSCHECK_H

#include "engine/agree.h"

typedef struct CrossPoint {
	const char *device, *model, *family, *kernel, *file, *options;
	bool has_x;
	double x;
	double measured_us, fast_us, slow_us; /* median; 10th and 90th percentile */
	u32 samples;
	double estimate_us, low_us, high_us;
	const char *bound_by, *bound_doc;
	u32 vgpr_spills; /* vector registers that LLVM for the device's chip spills; 0: none, or not known */
	const char *problem; /* why there is no estimate, or NULL */
} CrossPoint;

/* Points of a device: of one family; all of them; those whose registers do not spill, and those whose do, where
 * there are both. */
typedef enum { CROSS_FAMILY, CROSS_ALL, CROSS_KEPT, CROSS_SPILLED } CrossOf;
typedef struct CrossFamily {
	CrossOf of;
	const char *device, *name; /* name: NULL but of CROSS_FAMILY */
	u32 skipped; /* points without an estimate */
	u32 inside;  /* whose measured time lies in the estimate's band */
	Agreement a;
} CrossFamily;

typedef struct Crosscheck {
	Arena *arena;
	const char *source, *program;
	CrossPoint *points; /* in the order they were given */
	u32 npoints;
	CrossFamily *families; /* by device and family; behind them those of each device */
	u32 nfamilies;
	u32 *worst; /* points with an estimate, the furthest off first */
	u32 nworst;
} Crosscheck;

/* points: sorted by device and family. */
Crosscheck *crosscheck_build(const char *source, const char *program, CrossPoint *points, u32 n, Arena *a);

#endif
