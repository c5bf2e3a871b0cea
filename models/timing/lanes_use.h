/* What the lanes of a launch ask of memory, exactly as counted: loads and stores of each kind of memory, scaled to the
 * whole launch where only a sample of its work-groups ran. */
#ifndef WAVESIM_LANES_USE_H
#define WAVESIM_LANES_USE_H

#include "models/timing/cost.h"

#define LANE_MEMORIES(X) \
	X(lds, "LDS") X(scalar, "constant memory at one address for all lanes, through the scalar cache") \
	X(global, "global and constant memory, lane by lane") X(private, "private memory: arrays and spilled registers")
#define X_LANE_MEMORY(name, doc) LANES_##name,
typedef enum { LANE_MEMORIES(X_LANE_MEMORY) LANES_COUNT } LaneMemory;
extern const char *const lane_memory_name[LANES_COUNT];

/* Atomics count as loads. */
typedef struct LaneUse {
	double loads, stores;  /* wave instructions; of private memory those of the device, of LDS as lds_ins says */
	double loaded, stored; /* bytes; of LDS what the banks move in cycles without conflicts */
} LaneUse;
typedef struct LanesUse {
	LaneUse of[LANES_COUNT];
	double conflict_cycles; /* of LDS */
} LanesUse;

/* lds_ins: LDS by the device's instructions, else by those of the Program. */
LanesUse lanes_use(const Program *p, const Profile *prof, const Costs *costs, bool lds_ins);

#endif
