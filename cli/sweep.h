/* What wavesim sweep and wavesim merge share: stored rows, formats, the key of a store. */
#ifndef WAVESIM_CLI_SWEEP_H
#define WAVESIM_CLI_SWEEP_H

#include "options/sweep.h"
#include "report/sweep.h"

/* ---- sweep_key.c ---- */
/* Adds the source of a run that is open to words->sources. */
void sweep_key_sources(SweepWords *words, const EngineRun *run);
/* The key of all that results follow from. */
void sweep_key(const SweepPlan *p, const SweepWords *words, char out[STORE_KEY]);

/* ---- sweep_rows.c ---- */
typedef ARRAY(SweepRow) SweepRows;
/* The rows that a store has of a sweep, by number. Memory is the arena's, array_free(out). */
bool sweep_load(Store *s, i64 sweep, const SweepInput *in, Arena *a, SweepRows *out, Diag *d);
/* SweepHost.keep into a store; ctx is a SweepPlace. */
typedef struct SweepPlace {
	Store *store;
	i64 sweep;
	const SweepInput *in;
} SweepPlace;
bool sweep_keep(void *ctx, const SweepRow *rows, u32 n, Diag *d);

typedef struct SweepOutputs {
	const char *json, *csv, *html, *tuner; /* files, or NULL */
	u64 top; /* points to show; 0: all */
	u64 error_exitcode; /* the exit status where a point is wrong */
	bool quiet;
} SweepOutputs;
/* Take the words for it, all but --quiet, out of the command line (opt_take); their help. */
bool sweep_outputs(SweepOutputs *to, int argc, char *const *argv, char **rest, int *nrest, Diag *d);
CompletionRows sweep_outputs_completes(void);
void sweep_outputs_help(Buf *out);
/* Does each go to a file of its own, that is neither the store, nor one of read, nor the table of points, nor a
 * device's? NULL: there is none. */
bool sweep_outputs_apart(const SweepOutputs *to, const char *store, const Texts *read, const char *points,
                         const Texts *devices, Diag *d);
/* Of the points: those that ran, and of these with findings or other results than the native run's. */
typedef struct SweepCounts {
	u32 ran, wrong;
} SweepCounts;
bool sweep_show(const SweepInput *in, const SweepOutputs *to, SweepCounts *counts, Diag *d);

#endif
