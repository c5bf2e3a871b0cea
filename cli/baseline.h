/* --baseline and --fail-slower: a launch beside a saved report, for scripts that watch the time. */
#ifndef WAVESIM_BASELINE_H
#define WAVESIM_BASELINE_H

#include "options/options.h"
#include "report/compare.h"

/* --fail-slower's value: 5, 5% or 2.5%; NULL: no limit. line: the command line, for the message, or NULL. */
bool baseline_limit(const char *text, Loc at, const char *line, double *percent, Diag *d);
/* *slower: the second side is, by more than so much; d says by how much and why. Without a limit (negative) it never
 * is. False: a side has no time, which is an error. */
bool baseline_slower(const Compare *c, double percent, bool *slower, Diag *d);
/* After the report of a launch: the comparison with o->before, on standard output if it is wanted there (print).
 * *status: EXIT_DIFFERENT where it fails. */
bool baseline_show(const Options *o, const Result *r, bool print, int *status, Diag *d);

#endif
