/* The recorded work-groups are a part of the launch; memory is shared by all of it. How much of that is theirs, and what
 * of it is in the caches already. */
#ifndef WAVESIM_ESTIMATE_SHARE_H
#define WAVESIM_ESTIMATE_SHARE_H

#include "models/timing/estimate.h"

/* The part of what the launch asks memory for that the record is, 0 to 1: uneven work-groups do not ask as they execute. */
double estimate_part_asked(const EstimateInput *in, const Costs *costs, Arena *scratch);
/* Fills what of *m tells the launch's share and state of the caches; the rest stays. */
void estimate_share(const EstimateInput *in, const Costs *costs, MemoryInput *m);

#endif
