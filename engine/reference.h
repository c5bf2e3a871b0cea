/* PoCL's own run of a launch, which the machine's results are compared with. */
#ifndef WAVESIM_ENGINE_REFERENCE_H
#define WAVESIM_ENGINE_REFERENCE_H

#include "engine/arguments.h"

typedef struct RefRun {
	const char *path, *text, *options; /* of the source */
	const SrcProgram *src; /* all of it, for a recorded launch; or NULL */
	Helper *helper; /* where it runs */
	const Program *program;
	const Launch *launch;
	const LaunchLimits *limits;
	FeLimits ulp; /* how far results may lie from PoCL's */
	const Arguments *args;
	bool timing;     /* --timing: PoCL's kernel time is wanted */
	u32 patience;    /* seconds of processor time */
	Arena *arena;    /* of what ref will hold */
} RefRun;

/* Start it in the helper. NULL: it cannot be; ref says why. */
PoclRun *reference_start(const RefRun *r, Reference *ref);
/* After the machine's run: wait for PoCL's, compare, and ask again when they differ. */
void reference_finish(const RefRun *r, PoclRun *run, const Profile *profile, Reference *ref);
/* The same with what the recorded run left; PoCL runs it again when that differs. */
void reference_recorded(const RefRun *r, const Profile *profile, Reference *ref);
/* Its results are not needed any more. run may be NULL. */
void reference_drop(PoclRun *run);

#endif
