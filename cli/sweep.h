/* The sweep's words and files, around engine/sweep.h.
 *
 *   sweep_words.c   words and tables -> options with their alternatives
 *   sweep_host.c    what the engine asks of a point: its launch, its texts
 *   sweep_key.c     what a sweep is, as texts for the store
 *   sweep_rows.c    the store -> report/sweep.h -> formats */
#ifndef WAVESIM_CLI_SWEEP_H
#define WAVESIM_CLI_SWEEP_H

#include "cli/options.h"
#include "engine/sweep.h"
#include "report/sweep.h"

/* ---- sweep_words.c ---- */
/* Take the words that are alternatives; what is left becomes rest. */
bool sweep_plan_words(SweepPlan *p, int argc, char *const *argv);
/* A table of settings (CSV): its header names the options, each row is a combination. */
bool sweep_plan_table(SweepPlan *p, const char *path);

/* ---- sweep_host.c ---- */
extern const SweepHost sweep_host;
/* Are the options good, and the devices known? They go to p->devices. */
bool sweep_check_options(SweepPlan *p);

/* ---- sweep_key.c ---- */
/* The settings of a point as JSON, the whole plan as JSON, and the key of all that results follow from. */
char *sweep_settings_json(const SweepPlan *p, const SweptPoint *at);
char *sweep_spec_json(const SweepPlan *p, const char *title);
void sweep_key(const SweepPlan *p, char out[STORE_KEY]);

/* ---- sweep_rows.c ---- */
/* A stored sweep, ready to be shown. */
bool sweep_rows(Store *s, const StoreSweep *sweep, Arena *a, SweepInput *out, Diag *d);
typedef struct SweepOutputs {
	const char *json, *csv, *html, *tuner; /* files, or NULL */
	u64 top; /* points to show; 0: all */
	bool quiet;
} SweepOutputs;
/* Take the words for it, all but --quiet, out of the command line (opt_take); their help. */
bool sweep_outputs(SweepOutputs *to, int argc, char *const *argv, char **rest, int *nrest, Diag *d);
void sweep_outputs_help(Buf *out);
bool sweep_show(Store *s, const StoreSweep *sweep, const SweepOutputs *to, u32 *ran, Diag *d);

#endif
