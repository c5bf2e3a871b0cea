/* Cycles of LDS instructions at their machine width: banks (models/device/lds_rule.h) and port. */
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

/* One instruction, by the lanes of an access that it does. ins->bytes 0: it is one of `parts` that share the
 * bytes of the access. */
LdsTime lds_time(LdsTimes *t, const LaneShape *shape, u64 address, const LdsIns *ins, u32 parts);

#endif
