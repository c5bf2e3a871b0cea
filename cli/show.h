/* Results of launches, shown in the formats that the options want. */
#ifndef WAVESIM_SHOW_H
#define WAVESIM_SHOW_H

#include "cli/output.h"
#include "report/program.h"

/* May the formats all go where the options want them? Reads the report of --baseline. */
bool show_check_formats(Options *o, Diag *d);
/* A command that is not about the results of one launch: options for these are errors but for the one that it
 * has (OPTION_COUNT: none). have: the formats that there are, for the hint. */
bool show_not_of_one(const Options *o, OptionId has, const char *what, const char *have, Diag *d);
/* Of several reports only JSON can hold all: is nothing else wanted? */
bool show_one_report(const Options *o, Diag *d);
/* What the launch printed, its dumps and its report; *status: of exit. */
bool show_result(EngineRun *run, const Options *o, Result *r, const ProgramOne *as, int *status, Diag *d);
/* On standard error, of --timing. */
void show_times(const EngineTimes *t);
/* All of it, from building to showing. */
bool show_launch(Options *o, const LaunchSpec *launch, const ProgramOne *as, int *status, Diag *d);

#endif
