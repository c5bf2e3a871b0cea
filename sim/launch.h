/* A launch on its way: the machine and its workers (machine.c), and who lets them run: all work-groups, shared among
 * threads (launch.c), or one instruction after the other (debug.c). Private to sim/. */
#ifndef WAVESIM_SIM_LAUNCH_H
#define WAVESIM_SIM_LAUNCH_H

#include "sim/wave.h"

#include <stdatomic.h>

typedef struct LaunchRun {
	Machine m;
	Arena *arena;
	Worker *workers;
	u32 nworkers;
	WaveProf *wave_profs;
	u64 nwave_profs;
	GroupWork *work;
	u64 nwork;
	atomic_ullong next, done; /* work-groups */
	u64 end;                  /* of those to run now */
	Attempt attempt;
	u64 group_private; /* bytes of private memory that the wavefronts of a work-group have */
} LaunchRun;
#define MOST_PRIVATE ((u64)16 << 30) /* of the work-groups that run at once, as of all buffers */

/* ---- machine.c ---- */
/* The launch's work-groups, whose private memory must not be too large. False: an error in d, as below. */
bool machine_sizes(LaunchRun *r, Diag *d);
/* Code, segments, arguments. observed: there are observers (observe.h); apart: code_new(). */
bool machine_init(LaunchRun *r, bool observed, bool apart, Diag *d);
void worker_init(LaunchRun *r, Worker *wk);
void worker_free(Worker *wk);

#endif
