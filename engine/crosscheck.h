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
	const char *problem; /* why there is no estimate, or NULL */
} CrossPoint;

typedef struct CrossFamily {
	const char *device, *name;
	u32 skipped; /* points without an estimate */
	u32 inside;  /* whose measured time lies in the estimate's band */
	Agreement a;
} CrossFamily;

typedef struct Crosscheck {
	Arena *arena;
	const char *source, *program;
	CrossPoint *points; /* in the order they were given */
	u32 npoints;
	CrossFamily *families; /* by device and family; behind them one of each device, name NULL */
	u32 nfamilies;
	u32 *worst; /* points with an estimate, the furthest off first */
	u32 nworst;
} Crosscheck;

/* points: sorted by device and family. */
Crosscheck *crosscheck_build(const char *source, const char *program, CrossPoint *points, u32 n, Arena *a);

#endif
