/* The launches of launch files, one after the other. */
#ifndef WAVESIM_ENGINE_REPLAY_H
#define WAVESIM_ENGINE_REPLAY_H

#include "engine/engine.h"
#include "traces/capture/capture_pick.h"

/* A launch file, its launches in the order of their numbers, and which of them are wanted. */
typedef struct ReplayFile {
	CapFile *file;
	const CapLaunch **launches;
	bool *wanted;
	u32 n, nwanted, unwanted; /* unwanted: left out when they were recorded */
} ReplayFile;
/* file is set; the rest is the arena's. */
void replay_choose(ReplayFile *f, CapPick *pick, Arena *a);

/* Is it simulated from what was there before it? One that had not ended when the program did only where that is wanted;
 * one whose kernel crashed (why), and not the program, is. */
bool replay_begun(const CapLaunch *l, bool wanted);

typedef struct ReplaySpec {
	const ReplayFile *files;
	u32 nfiles;
	LaunchSpec launch; /* of all of them, without file and recorded */
	MachineSpec machine;
	RunSpec want;
	bool begun; /* launches during which the program ended run, too */
	/* Each launch of each file. r: its result until the call returns, or NULL: failed says why it could not run
	 * (what it needs is not in the file, or not supported), or is NULL for one that is not wanted. False: end
	 * here. */
	bool (*each)(void *ctx, const CapLaunch *l, const Result *r, const char *failed);
	void *ctx;
	EngineTimes *times; /* of all are added up there; or NULL */
	Diag *d; /* for the error that ends it all: RunSpec.timeout passed */
} ReplaySpec;
/* False: each was, or there is an error in d. */
bool replay_run(const ReplaySpec *s);

#endif
