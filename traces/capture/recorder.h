/* The launch file of a process that records itself: what the layers that stand in a program's process share. The
 * environment says what to record (wavesim record and wavesim run set it):
 *   WAVESIM_RECORD          the launch file. Where it exists already (another process of the same
 *                           program made it), .2, .3 … is added to the name. As long as the process has
 *                           launched nothing its file has another name (cap_create_unnamed); wavesim looks
 *                           for those when the program has ended. Unset: nothing is recorded
 *   WAVESIM_RECORD_LIMIT    bytes that the file may have
 *   WAVESIM_RECORD_SEEN     the file is made at once, and stays where nothing is launched: the program was seen
 *   WAVESIM_RECORD_KERNELS, _LAUNCHES, _ONCE   which launches are kept (traces/capture/capture_pick.h) */
#ifndef WAVESIM_RECORDER_H
#define WAVESIM_RECORDER_H

#include "traces/capture/capture.h"
#include "traces/capture/capture_pick.h"

typedef struct Recorder {
	CapWriter *writer;
	const char *path;
	char unnamed[CAP_PATH]; /* what the file is called until there is a launch; then "" */
	u64 limit;
	CapPick pick;
	bool told; /* that recording has ended */
} Recorder;

/* What the environment says, NULL where that is nothing. */
const char *recorder_setting(const char *name);
/* False: nothing is recorded. */
bool recorder_begin(Recorder *r);
/* The writer, opened when it is first asked for; NULL when there is none. */
CapWriter *recorder_writer(Recorder *r);
/* There is a launch: the file gets its name. */
void recorder_launched(Recorder *r);
void recorder_finish(Recorder *r);
/* In a process that was forked off: the file is the parent's. */
void recorder_in_child(Recorder *r);

#endif
