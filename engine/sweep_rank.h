/* A sweep's result: every point of a product of settings, ranked by its estimated time, and why
 * each differs from the best and from the launch as it is.
 *
 * It is worked out from nothing but the points' settings and the numbers of their Results, so that it is
 * the same whoever ran which part, when, and in how many goes. */
#ifndef WAVESIM_SWEEP_RANK_H
#define WAVESIM_SWEEP_RANK_H

#include "engine/result.h"

/* What is varied; AXIS_OTHER: something that this version does not know, in a store. */
typedef enum {
	AXIS_OTHER, AXIS_FILE, AXIS_MACRO, AXIS_ARG, AXIS_KERNEL, AXIS_GLOBAL, AXIS_LOCAL, AXIS_OFFSET, AXIS_WAVE,
	AXIS_DEVICE, AXIS_BANKS, AXIS_GRID,
} SweepAxisKind;
enum { AXIS_KINDS = AXIS_GRID + 1 };

typedef struct SweepAxis {
	const char *name; /* "local", "device", "-D TILE", "--arg n", "file" … */
	SweepAxisKind kind;
	const char *own;  /* name, or of macros and arguments "TILE", "n" */
	const char *const *values;
	u32 n;
} SweepAxis;

typedef struct SweepLine {
	const char *file; /* NULL: no source line known */
	u32 line;
	double us;        /* its share of the time */
	double conflicts, lds; /* bank cycles lost, and all of them */
	double lines, ideal_lines;
	double utilization;
	u64 divergent;
} SweepLine;

/* What the ranking and its formats need of a point's Result: plain numbers and text. */
typedef struct SweepNumbers {
	const char *device, *file, *kernel;
	u32 wave, banks;
	u64 global[3], local[3];
	double time_us, low_us, high_us;
	double ratio_factor[RATIO_COUNT]; /* as Estimate's */
	const char *bound_by;         /* time_bound_name, and in words */
	const char *bound_doc;
	double part_us[PART_COUNT + 1]; /* of the time; behind them the tail */
	double launch_us;
	double waves_per_simd, max_waves_per_simd;
	const char *limiter;          /* of the occupancy */
	u32 vgprs;
	double lds_bytes, scratch_bytes;
	double utilization;           /* lanes, 0 … 1 */
	double conflicts;             /* share of LDS cycles lost to bank conflicts, 0 … 1; negative: no LDS */
	double coalescing;            /* fewest lines over those touched, 0 … 1; negative: no access */
	u64 findings;                 /* errors and warnings */
	bool differs;                 /* results are not the native run's, which is no rounding (a note then) */
	u64 groups, groups_run;
	double instructions;          /* of the whole launch: the machine's or, where its code is not known, the IR's */
	SweepLine *lines;
	u32 nlines;
} SweepNumbers;

/* Those of r; NULL: it has no estimate. All of it is the arena's. */
const SweepNumbers *sweep_numbers(const Result *r, Arena *a);

/* A point that is done. */
typedef struct SweepRow {
	u32 n;                     /* in the product; behind it the usual launches that are not part of it */
	const char *const *values; /* one for each axis; NULL: as the launch is without it */
	bool usual;                /* the launch as it is without any of the lists, on its device */
	const char *status;        /* "done"; "stopped": early, as far too slow; "skipped": it cannot run */
	const char *note;          /* the reason of the latter two; else "" */
	const char *report;        /* the Result as text for the store and for the whole JSON; or "" */
	const char *results;       /* the same text: the same results; "": not known */
	const SweepNumbers *result; /* NULL: none, as of skipped ones */
} SweepRow;

typedef struct SweepInput {
	const char *title, *program; /* what was swept; the version that did */
	const SweepAxis *axes;
	u32 naxes;
	const SweepRow *rows;
	u32 nrows;
	u32 product;                 /* points that there are to be, the usual ones included */
	const u32 *usual;            /* numbers of the usual ones */
	u32 nusual;
	u64 max_ulp;                 /* so far apart may floats of the same results be */
} SweepInput;

typedef enum { RESULTS_UNKNOWN, RESULTS_SAME, RESULTS_OTHER } SweepResults;

typedef struct SweepPoint {
	const SweepRow *row;
	bool ran;              /* all below is valid */
	const SweepNumbers *r; /* never NULL */
	/* From 1, by estimated time. The model does not separate those of a device within 1 %: of them the one
	 * that executes fewer instructions comes first, for what is not executed takes no power either. */
	u32 position;
	double place_us;  /* the time that its position goes by: of the fastest of those within 1 % */
	/* 1 + the points that are faster for certain: the ratio of both times is past the band of such ratios, or,
	 * where none were measured and on other devices, their time is below its band. Others may be slower as well: a
	 * tie, which shares its rank. */
	u32 rank, rank_on_device;
	bool ties_best;   /* rank_on_device is 1 */
	double times_best; /* time over that of the best on its device */
	SweepResults results;         /* beside the usual launch's */
	const char *why_best, *why_usual; /* one sentence; "" where there is nothing to compare with */
} SweepPoint;

typedef struct SweepDevice {
	const char *name;
	const SweepPoint *best;  /* the fastest that is not wrong; the usual one, when that is less than 1 % slower */
	const SweepPoint *usual; /* NULL: it did not run */
	u32 ran;
	double *times; /* ntimes, ascending: those that ran and are not wrong, or all where all are */
	u32 ntimes;
} SweepDevice;

typedef struct Sweep {
	const SweepInput *in;
	SweepPoint *points; /* nran ranked ones, then those that did not run */
	u32 n, nran, nstopped, nskipped;
	SweepDevice *devices; /* in the order of their best */
	u32 ndevices;
	double *times; /* ntimes, ascending, of all devices together */
	u32 ntimes;
} Sweep;

/* The name of an axis says what it is. */
SweepAxis sweep_axis(const char *name, const char *const *values, u32 n);
/* The name of each kind; of macros and arguments, which have names of their own, what comes before: "-D ". */
extern const char *const sweep_axis_name[AXIS_KINDS];
/* The option that sets one of that kind; NULL: there is none. */
extern const char *const sweep_axis_option[AXIS_KINDS];
Sweep *sweep_build(const SweepInput *in, Arena *a);
/* Has it mistakes, or other results than PoCL's? */
bool sweep_wrong(const SweepPoint *p);
/* Does a finding say that results differ by more than rounding? */
bool sweep_is_difference(const char *id, const char *severity);
/* Was it stopped early? */
bool sweep_stopped(const SweepPoint *p);
/* ---- sweep_why.c ---- */
/* Why p takes another time than q, of the same device: which limiter, which line. */
const char *sweep_why(const SweepPoint *p, const SweepPoint *q, const char *whom, Arena *a);

#endif
