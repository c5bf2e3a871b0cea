/* The words of a sweep, which wavesim sweep, wavesim merge and the library share. */
#ifndef WAVESIM_OPTIONS_SWEEP_H
#define WAVESIM_OPTIONS_SWEEP_H

#include "engine/sweep.h"
#include "options/specs.h"

/* Options of every point, besides its settings. */
typedef struct SweepWords {
	Texts rest; /* other words of the command line */
	bool reference; /* its results are compared with PoCL's */
	bool only;      /* neither the environment nor the configuration file is read */
	SpecsHost host;
	const char *text; /* of the one file, or NULL */
	const LaunchMemory *memory; /* as LaunchSpec's */
	u32 nmemory;
	ARRAY(Options *) options; /* for each file; SweepPlan.files points into them */
	/* Told of each file that was opened, or NULL: what a store's key needs of it (cli/sweep_key.c). */
	void (*opened)(struct SweepWords *words, const EngineRun *run);
	Buf sources; /* names and hashes of the files, and of what they include */
} SweepWords;
void sweep_words_free(SweepWords *words);

/* ---- sweep_words.c ---- */
/* What a sweep itself is told. */
typedef struct SweepWanted {
	u64 jobs, threads, max_ulp;
	const char *where, *points;
	bool reference, whole;
} SweepWanted;
extern const OptRow sweep_rows[];
extern const u32 sweep_nrows;
/* Take its options out of the words (opt_take). */
bool sweep_take(SweepWanted *out, int argc, char *const *argv, char **rest, int *nrest, Diag *d);
/* All from here to sweep_plan_points. have: as for sweep_check_rest. */
bool sweep_plan_wanted(SweepPlan *p, SweepWords *words, const SweepWanted *want, const char *have, int argc,
                       char *const *argv);
/* Take the words that are alternatives; what is left becomes words->rest. */
bool sweep_plan_words(SweepPlan *p, SweepWords *words, int argc, char *const *argv);
/* A table of settings (CSV): its header names the options, each row is a combination. */
bool sweep_plan_table(SweepPlan *p, const char *path);
/* Are the words in rest for a launch that is one of many? have: what writes its results, for the hint. */
bool sweep_check_rest(const SweepWords *words, const char *have, Diag *d);

/* ---- sweep_open.c ---- */
/* Are the options good, and the devices known? They go to p->devices, the launch of each file to p->files. */
bool sweep_check_options(SweepPlan *p, SweepWords *words);

#endif
