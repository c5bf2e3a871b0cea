/* Launches of launch files, as any other launch: what the host program set, and where that stays. */
#ifndef WAVESIM_LAUNCH_RECORDED_H
#define WAVESIM_LAUNCH_RECORDED_H

#include "traces/capture/capture.h"
#include "traces/launch/launch.h"

/* Sizes and kernel of a launch that a host program made; launch_bind then takes its arguments. Both
 * must outlive the Launch. */
bool launch_from_recording(Launch *l, const CapFile *file, const CapLaunch *recorded, Diag *d);
/* A recorded launch in a store: its options are "--recorded FILE --launch N --file-hash H", and what of
 * it can be said in a line. Its memory stays in the launch file, whose path is seen from the store's folder where it
 * lies below that. */
void recorded_options(const char *store, const CapFile *file, const CapLaunch *recorded, Buf *out);
/* What those options name; false: they are not of that kind. path is the arena's. */
typedef struct RecordedRef {
	const char *path;
	u64 number, hash;
} RecordedRef;
bool recorded_ref(const char *options, RecordedRef *out, Arena *a);
/* The launch in an open file; NULL and why: it is another file. */
const CapLaunch *recorded_find(const RecordedRef *ref, const CapFile *file, Diag *d);
/* What an object held before the launch, or after it, into out[size]. */
bool launch_object_load(const Launch *l, u32 object, bool after, u8 *out, Diag *d);

#endif
