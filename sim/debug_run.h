/* What the files of debug.h share. */
#ifndef WAVESIM_SIM_DEBUG_RUN_H
#define WAVESIM_SIM_DEBUG_RUN_H

#include "sim/check_race.h"
#include "sim/debug.h"
#include "sim/launch.h"

typedef struct LdsWriter {
	u32 ins; /* + 1; 0: nobody */
	u32 wave, lane;
} LdsWriter;

/* The observer of a launch that is debugged. */
struct DebugTrace {
	LdsWriter *lds; /* by dword */
	u32 nlds;
	SimWatch *watches;
	u32 nwatches;
	bool *dirty;  /* by segment of global memory: something was stored there */
	bool watched; /* by the instruction that runs: SimStep's */
};

struct SimDebug {
	LaunchRun run;
	SimConfig cfg;
	Worker *worker;
	DebugTrace trace;
	SimState *first; /* before the first instruction */
	u32 current;
	bool over;
	u32 *last; /* by wavefront of the work-group: SimWave's */
	u64 count;
	u64 frontier; /* as far as it ever came */
	bool repeats; /* count is below that; then here is what the worker had there */
	RaceCheck *races;
	ARRAY(Finding) found;
	HashIndex found_index;
	Buf printed;
};

/* So many instructions were executed. */
void debug_at(SimDebug *s, u64 count);

#endif
