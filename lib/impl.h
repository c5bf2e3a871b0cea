/* What a handle of the library is (private to lib/). */
#ifndef WAVESIM_LIB_IMPL_H
#define WAVESIM_LIB_IMPL_H

#include "base/reserve.h"
#include "engine/sweep.h"
#include "options/specs.h"
#include "report/query.h"
#include "report/report.h"
#include "wavesim.h"

#include <locale.h>

typedef struct LibWord {
	char *name, *value; /* value: NULL of a flag */
} LibWord;

typedef struct LibSweep LibSweep; /* sweep.c */

enum { LIB_REPORTS = SINK_COUNT > 8 ? SINK_COUNT : 8 };

struct wavesim_result {
	/* A launch, and what its result points into … */
	Options o;
	EngineRun *run;
	Result *result;
	LibSweep *sweep; /* … or a sweep */
	Buf reports[LIB_REPORTS]; /* those that were asked for */
	ResultQuery *query;
};

struct wavesim {
	/* What to run. */
	char *path, *text;
	ARRAY(LibWord) words;
	ARRAY(LaunchMemory) memory;
	bool incomplete; /* there was no memory for one of these */
	wavesim_progress_t *progress;
	void *context;
	const char *phase; /* what goes on, for progress */
	/* With what. */
	BuildCache cache;
	char *cache_of; /* the options that its helper follows from */
	char *helper;   /* the program, or NULL */
	Stop stop;
	/* What was wrong. */
	Diag d;
	Buf said;
};

/* Between these two numbers are written and read as in C, whatever locale the caller has. */
locale_t lib_enter(void);
void lib_leave(locale_t caller);
/* work(arg) with memory laid aside (base/reserve.h); stop: what ends it when it runs out, or NULL. */
typedef enum {
	LIB_ENOUGH,
	LIB_SPENT, /* it ended in order, but what it made is worthless */
	LIB_LEFT   /* it did not end, and what it had is lost */
} LibMemory;
LibMemory lib_guard(void (*work)(void *arg), void *arg, Stop *stop);
/* The words of a command line, with the file; array_free(). False: one of them is none here. */
typedef ARRAY(char *) LibArgv;
bool lib_argv(wavesim_t *w, Arena *a, LibArgv *out);
SpecsHost lib_host(wavesim_t *w);
/* A run by way of run(), which fills an empty result; what wavesim_run and wavesim_sweep have in common. */
wavesim_status_t lib_run(wavesim_t *w, bool (*run)(wavesim_t *w, wavesim_result_t *r), wavesim_result_t **out);

/* ---- sweep.c ---- */
void lib_sweep_free(LibSweep *s);
/* In the format of that name; which: its number among those of sweeps. False: there is none. */
bool lib_sweep_report(const LibSweep *s, const char *format, u32 *which, void (**write)(const LibSweep *s, Buf *out));

/* ---- place.c ---- */
/* The helper that was built or installed with the library; NULL: as for the program (helper_new). free() */
char *lib_helper(void);

#endif
