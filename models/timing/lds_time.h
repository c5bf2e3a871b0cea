/* Cycles of LDS instructions at their machine width (the rule is in lds_time.c). */
#ifndef WAVESIM_LDS_TIME_H
#define WAVESIM_LDS_TIME_H

#include "isa/event.h"
#include "models/device/device.h"

typedef struct LdsTime {
	u32 port;   /* cycles of the way in or out */
	u32 banks;  /* cycles of the banks, … */
	u32 ideal;  /* … had every lane a bank of its own */
} LdsTime;

typedef struct LdsTimes LdsTimes; /* remembers what it worked out */
LdsTimes *lds_times_new(const Device *dev, const LdsRule *rule, u32 wave, Arena *a);

/* n accesses that one instruction does, at their addresses. bytes: of one lane, 0: theirs; pair:
 * two addresses a lane, which step (not 0: the second is the first's and so many bytes) tells from one
 * access. part of parts: several instructions do these accesses. */
LdsTime lds_time(LdsTimes *t, const LaneShape *const *shape, const u64 *address, u32 n, u32 bytes,
                 bool pair, i32 step, u32 part, u32 parts);

#endif
