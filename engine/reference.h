/* PoCL's own run of a launch, which the machine's results are compared with. */
#ifndef WAVESIM_ENGINE_REFERENCE_H
#define WAVESIM_ENGINE_REFERENCE_H

#include "engine/run.h"

/* ---- reference.c ---- */
/* Start it in the helper. NULL: it cannot be; r->reference says why. */
PoclRun *reference_start(EngineRun *r);
/* After the machine's run: wait for PoCL's and compare … */
void reference_wait(EngineRun *r, PoclRun *run);
/* … and run it again when they differ. */
void reference_finish(EngineRun *r, PoclRun *run);
/* The same with what the recorded run left; PoCL runs it again when that differs. */
void reference_recorded(EngineRun *r);
/* How far results may lie from PoCL's. */
FeLimits reference_limits(const EngineRun *r);
/* Its results are not needed any more. run may be NULL. */
void reference_drop(PoclRun *run);

/* ---- repeat.c ---- */
/* r differs: is it equal where rounding cannot differ? Then it counts as equal. outcome: of what it was compared
 * with, or NULL. */
void reference_repeat(EngineRun *r, const PoclOutcome *outcome);

#endif
