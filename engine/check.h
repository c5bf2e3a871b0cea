/* Checks: the launch once more, of a program whose accesses are the source's.
 *
 * The program that is counted and priced is AMD's compiler's: it hoists loads above their conditions, folds private
 * arrays away, and merges stores. What a kernel does wrong shows only before that. So checks have a program of their
 * own (FeOptions.check), which runs a second time with what watches its accesses (sim/check_race.h); its findings
 * join those of the run (result.c).
 *
 * It runs once where that finds nothing that might be a race, and no uninitialised value; else a third time, to say
 * what it is; that more than once where memory for races is short, each time for a part of the launch's memory. */
#ifndef WAVESIM_ENGINE_CHECK_H
#define WAVESIM_ENGINE_CHECK_H

#include "engine/run.h"

/* After the run and its comparison: fills r->checks, if RunSpec.check wants it. */
void check_run(EngineRun *r);

#endif
