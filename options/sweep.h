/* The words of a sweep, which wavesim sweep, wavesim merge and the library share. */
#ifndef WAVESIM_OPTIONS_SWEEP_H
#define WAVESIM_OPTIONS_SWEEP_H

#include "engine/sweep.h"
#include "options/options.h"

/* Options of every point, besides its settings. */
typedef struct SweepWords {
	Texts rest; /* other words of the command line */
	bool reference; /* its results are compared with PoCL's */
	ARRAY(Options *) options; /* for each file; SweepPlan.files points into them */
	/* Told of each file that was opened, or NULL: what a store's key needs of it (cli/sweep_key.c). */
	void (*opened)(struct SweepWords *words, const EngineRun *run);
	Buf sources; /* names and hashes of the files, and of what they include */
} SweepWords;
void sweep_words_free(SweepWords *words);

/* ---- sweep_words.c ---- */
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
