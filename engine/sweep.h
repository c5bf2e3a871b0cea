/* A sweep, from the command line to its points and their results (for cli/ only).
 *
 *   sweep_expr.c    {…} in values: arithmetic over the settings of a point
 *   sweep_values.c  "32:1024", "8x8,16x16": the alternatives of a value
 *   sweep_plan.c    options -> points, batches, groups
 *   sweep_open.c    a point's settings -> LaunchSpec, MachineSpec, RunSpec
 *   sweep_batch.c   everything that a batch's points share is done once
 *   sweep_same.c    results that count as the usual launch's
 *   sweep_run.c     workers, and what is left to do -> rows
 *   sweep_numbers.c the numbers of a point's Result
 *   sweep_rank.c    rows -> ranked points; sweep_why.c: why one differs from another
 *
 * A batch is the points that differ in nothing but the machine (device, width, banks): they share
 * executions. A group is the batches of one source and its macros: they share compilations. */
#ifndef WAVESIM_ENGINE_SWEEP_H
#define WAVESIM_ENGINE_SWEEP_H

#include "engine/engine.h"
#include "engine/sweep_rank.h"

#include <pthread.h>

/* ---- sweep_expr.c ---- */
/* The value of a name; false: there is none, and *why says why. */
typedef bool SweepLookup(void *ctx, const char *name, i64 *out, const char **why);
/* Whole numbers, + - * / %, comparisons, && || !, min max ceil(a, b) up(a, b). NULL: *out is it;
 * else what is wrong, in the arena. */
const char *sweep_eval(const char *text, SweepLookup *lookup, void *ctx, Arena *a, i64 *out);
/* text with each {…} replaced by its value. */
const char *sweep_fill(const char *text, SweepLookup *lookup, void *ctx, Arena *a, const char **out);

/* ---- sweep_values.c ---- */
typedef ARRAY(const char *) Texts;
typedef enum {
	VALUES_NUMBERS, /* commas and ranges: --wave, --banks, -D */
	VALUES_WORDS,   /* commas: --device */
	VALUES_SIZES,   /* commas, dimensions joined by x, each may be a range: --local, --global */
	VALUES_ARG,     /* --arg: commas and ranges of plain numbers; else | */
} ValuesSyntax;
enum { MOST_VALUES = 100000 };
/* Add the alternatives of text to out; what is wrong, or NULL. "auto" stays as it is. */
const char *sweep_values(const char *text, ValuesSyntax syntax, Arena *a, Texts *out);

/* ---- sweep_plan.c ---- */
typedef struct SweepOption {
	SweepAxisKind kind;
	const char *name;   /* of the axis: "local", "-D TILE", "--arg n", "file" */
	const char *own;    /* "TILE", "n"; of others name */
	Texts values;
	const char *text;   /* as it was given; NULL: by a file, or as a column of a table */
	bool machine;       /* not part of the batch */
	bool size;          /* not part of the group: sizes and arguments */
	bool tied;          /* a column of --points: value k goes with value k of the other columns */
} SweepOption;

typedef struct SweptPoint {
	u32 n;
	const char **values; /* one for each option */
	bool usual;
	bool done;           /* stored */
	u32 batch;
} SweptPoint;

typedef struct SweepBatch {
	u32 first, n; /* points */
	u32 group;
	bool usual;   /* one of its points is */
} SweepBatch;

/* One of the kernel files: its launch, the machine and what is wanted, without the settings that are swept. */
typedef struct SweepFile {
	LaunchSpec launch;
	MachineSpec machine;
	RunSpec want;      /* but its threads */
	const char *fault; /* why no point of it can run, or NULL */
} SweepFile;

typedef struct SweepPlan {
	Arena *arena;
	Diag *d;
	ARRAY(SweepOption) options; /* the files first, machine ones last */
	ARRAY(SweepFile) files;     /* of the first option's values; what they point to is the caller's */
	const char *where;          /* or NULL */
	Texts devices;              /* names that points use, in order */
	ARRAY(SweptPoint) points;
	ARRAY(SweepBatch) batches;
	u32 ngroups;
	u32 left_out;               /* by where */
	BuildCache build;           /* programs that planning built; workers look them up */
	bool whole;                 /* no point is stopped early */
	u64 max_ulp;                /* floats so near those of the usual launch are the same results */
	bool threads_given;
	u32 threads;                /* of a worker */
} SweepPlan;

/* The first of that kind; NULL: there is none. */
SweepOption *sweep_option(const SweepPlan *p, SweepAxisKind kind);

/* Options and devices are there: work out points, batches and groups. */
bool sweep_plan_points(SweepPlan *p);
void sweep_plan_free(SweepPlan *p);

/* All of out but its rows; memory is the plan's. */
void sweep_input(const SweepPlan *p, const char *title, SweepInput *out);
/* Number and settings of a point; text is the plan's, the list of values is a's. */
SweepRow sweep_row(const SweepPlan *p, const SweptPoint *at, Arena *a);

/* ---- sweep_open.c ---- */
/* The launch of a point, opened, and built with that cache and p->threads; on several threads at once. values: one for
 * each of p->options, NULL: as the launch is without it. NULL, or nothing built: errors in d. */
EngineRun *sweep_open(const SweepPlan *p, BuildCache *build, const char *const *values, Diag *d);

/* ---- sweep_same.c ---- */
/* What the usual launches left behind, one for each device. */
typedef struct SweepLeft SweepLeft;
typedef struct SweepSame {
	Arena *arena;
	pthread_mutex_t lock; /* of what follows, while usual launches run */
	SweepLeft *left;
	u64 max_ulp;
} SweepSame;
void sweep_same_keep(SweepSame *s, const EngineRun *run, const char *device, const char *results);
/* The checksum of the run's results: `results`, or that of the usual launch where they count as its own. */
const char *sweep_same(SweepSame *s, const EngineRun *run, const char *device, const char *results);

/* ---- sweep_batch.c ---- */
/* What became of a point; as in SweepRow. */
typedef struct BatchRow {
	const char *status, *note, *results;
	const Result *result; /* NULL: it cannot run */
} BatchRow;
/* One row of a batch's results; commit: those since the last commit belong together. */
typedef struct BatchSink {
	void (*row)(void *ctx, const SweptPoint *at, const BatchRow *row);
	void (*commit)(void *ctx);
	void (*said)(void *ctx, const Diag *d); /* what there was to say of a point, its warnings for one */
	void *ctx;
} BatchSink;
/* What is known of the usual launch on a device, when others begin. */
typedef struct SweepUsual {
	const char *device;
	double high_us;
} SweepUsual;
typedef struct BatchWork {
	const SweepPlan *plan;
	BuildCache *build;
	const SweepUsual *usual;
	u32 nusual;
	SweepSame *same; /* NULL: results are the same bit for bit only */
	u32 executions; /* counted */
	BatchSink sink;
} BatchWork;
void sweep_batch(BatchWork *w, const SweepBatch *u);
/* Build what a batch needs, and run nothing. */
void sweep_batch_build(const SweepPlan *plan, BuildCache *build, const SweepBatch *u);

/* ---- sweep_run.c ---- */
/* Callbacks of a sweep. Each may be NULL but for ctx, which each gets. keep is called by one thread at a time,
 * progress by the one that called sweep_run. */
typedef struct SweepHost {
	void (*text)(const Result *r, Buf *out); /* SweepRow.report of a Result; called in a worker */
	/* These rows are done, and belong together; false: they cannot be kept, the reason in d. */
	bool (*keep)(void *ctx, const SweepRow *rows, u32 n, Diag *d);
	void (*progress)(void *ctx, u32 done, u32 all); /* several times a second */
	void *ctx;
} SweepHost;
typedef struct SweepRun {
	SweepPlan *plan;
	Arena *arena;     /* of the rows */
	ARRAY(SweepRow) rows; /* those that are done already, then all, by number; array_free() */
	u32 jobs;
	u32 shard, shards; /* from 1; shards 0: all of it */
	SweepHost host;
	/* counted */
	u32 compiled, lowered, executions, ran;
} SweepRun;
bool sweep_run(SweepRun *r, Diag *d);

#endif
