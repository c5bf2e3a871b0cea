/* Rank correlations and ratio errors.
 *
 * Ratios are taken as logarithms, so that twice and half count the same. Equal values share the
 * mean of their ranks; Kendall's coefficient is tau-b, which counts ties on either side out. */
#include "engine/agree.h"

#include <math.h>

typedef struct Ranked {
	double value;
	u32 at;
} Ranked;

FIELD_ORDER(by_value, Ranked, value, at)

static double *ranks(const double *v, u32 n)
{
	Ranked *r = xmalloc((n + 1) * sizeof *r);
	double *out = xmalloc((n + 1) * sizeof *out);
	for (u32 i = 0; i < n; i++)
		r[i] = (Ranked){v[i], i};
	qsort(r, n, sizeof *r, by_value);
	for (u32 i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && r[end].value == r[i].value; end++)
			;
		for (u32 k = i; k < end; k++)
			out[r[k].at] = (i + end + 1) / 2.0;
	}
	free(r);
	return out;
}

static double correlation(const double *x, const double *y, u32 n)
{
	double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
	for (u32 i = 0; i < n; i++) {
		mx += x[i] / n;
		my += y[i] / n;
	}
	for (u32 i = 0; i < n; i++) {
		xy += (x[i] - mx) * (y[i] - my);
		xx += (x[i] - mx) * (x[i] - mx);
		yy += (y[i] - my) * (y[i] - my);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

static double kendall(const double *a, const double *b, u32 n)
{
	double with = 0, against = 0, tied_a = 0, tied_b = 0;
	for (u32 i = 0; i < n; i++) {
		for (u32 k = i + 1; k < n; k++) {
			int x = (a[i] > a[k]) - (a[i] < a[k]), y = (b[i] > b[k]) - (b[i] < b[k]);
			if (x * y > 0)
				with++;
			else if (x * y < 0)
				against++;
			else if (x)
				tied_b++;
			else if (y)
				tied_a++;
		}
	}
	double all = sqrt((with + against + tied_a) * (with + against + tied_b));
	return all > 0 ? (with - against) / all : (double)NAN;
}

static double middle(const double *sorted, u32 n) { return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2; }

Agreement agree(const double *a, const double *b, u32 n)
{
	Agreement r = {.n = n, .spearman = (double)NAN, .kendall = (double)NAN};
	if (!n)
		return r;
	double *logs = xmalloc(n * sizeof *logs);
	for (u32 i = 0; i < n; i++)
		logs[i] = log(a[i] / b[i]);
	qsort(logs, n, sizeof *logs, by_double);
	r.bias_log = middle(logs, n);
	for (u32 i = 0; i < n; i++)
		logs[i] = fabs(logs[i]);
	qsort(logs, n, sizeof *logs, by_double);
	r.median_log = middle(logs, n);
	r.p90_log = logs[(u32)ceil(0.9 * n) - 1];
	free(logs);
	if (n < 3)
		return r;
	double *ra = ranks(a, n), *rb = ranks(b, n);
	r.spearman = correlation(ra, rb, n);
	r.kendall = kendall(a, b, n);
	free(ra);
	free(rb);
	return r;
}

double agree_percent(double log_ratio) { return (exp(log_ratio) - 1) * 100; }
