/* A sweep: one launch under many settings.
 *
 *   sweep_expr.c    {…} in values: arithmetic over the settings of a point
 *   sweep_values.c  "32:1024", "8x8,16x16": the alternatives that a value stands for
 *   sweep_plan.c    options with their alternatives -> points, units, groups
 *   sweep_unit.c    in a worker: everything that a unit's points share is done once
 *   sweep_run.c     workers, the store, what is left to do
 *
 * A unit is the points that differ in nothing but the machine (device, width, banks): they share
 * executions. A group is the units of one source and its macros: they share compilations. */
#ifndef WAVESIM_ENGINE_SWEEP_H
#define WAVESIM_ENGINE_SWEEP_H

#include "engine/engine.h"

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
/* Add what text stands for to out; what is wrong, or NULL. "auto" stays as it is. */
const char *sweep_values(const char *text, ValuesSyntax syntax, Arena *a, Texts *out);

/* ---- sweep_plan.c ---- */
/* What is varied; AXIS_OTHER: something that this version does not know, in a store. */
typedef enum {
	AXIS_OTHER, AXIS_FILE, AXIS_MACRO, AXIS_ARG, AXIS_KERNEL, AXIS_GLOBAL, AXIS_LOCAL, AXIS_OFFSET, AXIS_WAVE,
	AXIS_DEVICE, AXIS_BANKS,
} SweepAxisKind;
enum { AXIS_KINDS = AXIS_BANKS + 1 };

typedef struct SweepOption {
	SweepAxisKind kind;
	const char *name;   /* of the axis: "local", "-D TILE", "--arg n", "file" */
	const char *own;    /* "TILE", "n"; of others name */
	const char *option; /* "--local", "-D", "--arg"; NULL: the file */
	const char *prefix; /* of the value: "TILE=" */
	Texts values;
	bool machine;       /* not part of the unit */
	bool size;          /* not part of the group: sizes and arguments */
	bool tied;          /* a column of --points: value k goes with value k of the other columns */
} SweepOption;

typedef struct SweptPoint {
	u32 n;
	const char **values; /* one for each option */
	bool usual;
	bool done;           /* stored */
	u32 unit;
} SweptPoint;

typedef struct SweepUnit {
	u32 first, n; /* points */
	u32 group;
	bool usual;   /* one of its points is */
} SweepUnit;

typedef struct SweepPlan SweepPlan;
/* What is known of the usual launch on a device, when others begin. */
typedef struct SweepUsual {
	const char *device;
	double high_us;
} SweepUsual;
/* What a sweep asks its caller: how settings are read and results are written is not its own affair. In workers
 * open and text are called, too. */
typedef struct SweepHost {
	/* The launch of a point, opened and built with p->build and p->threads. values: one for each of p->options, NULL:
	 * as the launch is without it. NULL, or nothing built: errors in d. */
	EngineRun *(*open)(void *ctx, SweepPlan *p, const char *const *values, Diag *d);
	/* For the store: a result, and the settings of a point (free()). */
	void (*text)(void *ctx, const Result *r, Buf *out);
	char *(*settings)(void *ctx, const SweepPlan *p, const SweptPoint *at);
	/* What stored usual launches take, in the arena; *n of them. */
	bool (*usual)(void *ctx, Store *s, const StoreSweep *sweep, Arena *a, SweepUsual **out, u32 *n, Diag *d);
	void *ctx;
} SweepHost;

struct SweepPlan {
	Arena *arena;
	Diag *d;
	const SweepHost *host;
	ARRAY(SweepOption) options; /* machine ones last */
	Texts rest;                 /* other words, for every point */
	const char *where;          /* or NULL */
	Texts devices;              /* names that points use, in order */
	ARRAY(SweptPoint) points;
	ARRAY(SweepUnit) units;
	u32 ngroups;
	u32 left_out;               /* by where */
	BuildCache build;           /* programs that are built already; workers inherit them */
	bool check, whole;          /* --check, --whole */
	bool threads_given;
	u32 threads;                /* of a worker */
};

/* The first of that kind; NULL: there is none. */
SweepOption *sweep_option(const SweepPlan *p, SweepAxisKind kind);

/* Options and devices are there: work out points, units and groups. */
bool sweep_plan_points(SweepPlan *p);
void sweep_plan_free(SweepPlan *p);

/* ---- sweep_unit.c ---- */
/* One row of a unit's results; commit: those since the last commit belong together. */
typedef struct UnitSink {
	void (*row)(void *ctx, const SweptPoint *at, const StoreSwept *row); /* without number and settings */
	void (*commit)(void *ctx);
	void *ctx;
} UnitSink;
typedef struct UnitWork {
	SweepPlan *plan;
	const SweepUsual *usual;
	u32 nusual;
	u32 executions; /* counted */
	UnitSink sink;
} UnitWork;
void sweep_unit(UnitWork *w, const SweepUnit *u);
/* Build what a unit needs, and run nothing. */
void sweep_unit_build(SweepPlan *plan, const SweepUnit *u);

/* ---- sweep_run.c ---- */
typedef struct SweepRun {
	SweepPlan *plan;
	Store *store;
	i64 sweep;        /* in it */
	u32 jobs;
	u32 shard, shards; /* from 1; shards 0: all of it */
	EngineProgress *progress; /* points done and to do; or NULL */
	void *progress_ctx;
	/* counted */
	u32 compiled, lowered, executions, ran, lost;
} SweepRun;
/* sweep: its row in the store. */
bool sweep_run(SweepRun *r, const StoreSweep *sweep, Diag *d);

#endif
