/* How well two lists of positive numbers agree: ranks and ratios. */
#ifndef WAVESIM_AGREE_H
#define WAVESIM_AGREE_H

#include "base/base.h"

typedef struct Agreement {
	u32 n;
	double spearman, kendall;   /* -1 … 1; NAN for fewer than 3 points or a constant list */
	double median_log, p90_log; /* of |ln(a/b)| */
	double bias_log;            /* median of ln(a/b) */
} Agreement;

/* a: estimated, b: measured; all above 0. */
Agreement agree(const double *a, const double *b, u32 n);
/* A size of ln ratio as a symmetric error: ln 1.2 is 20 %. */
double agree_percent(double log_ratio);

#endif
