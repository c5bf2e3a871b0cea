/* A launch that runs one wave instruction after the other, can be looked at in between, and set back.
 *
 * One work-group after the other, in order, on one thread. In a work-group the wavefront that ran last goes on until it
 * waits or ends, then the first that can; another one may be chosen at any time. So a state is a matter of how many
 * instructions were executed, and of which wavefronts were chosen when: whoever notes that can come back to it, from a
 * copy of an earlier state (sim_debug_save), by executing the same again.
 *
 * What is said once is not said again: findings, races and printed text are those of the first time that an instruction
 * was executed. The work of others is not slowed down: they have steps without observers (observe.h). */
#ifndef WAVESIM_SIM_DEBUG_H
#define WAVESIM_SIM_DEBUG_H

#include "sim/sim.h"

typedef struct SimDebug SimDebug;
typedef struct SimState SimState; /* a copy of all that an instruction can change */

/* NULL: the launch cannot run; errors in d. p, launch and cfg must live as long. Of cfg count: wave, lds, line_bytes,
 * max_instructions, max_lds, check.races. */
SimDebug *sim_debug_open(const Program *p, const SimLaunch *launch, const SimConfig *cfg, Diag *d);
void sim_debug_close(SimDebug *s);

/* ---- running ---- */
typedef struct SimWatch { /* memory whose change is of interest */
	bool lds;
	u64 first, bytes; /* a byte of the work-group's LDS, or an address in global memory */
	Mask wrote;       /* lanes that wrote there by the last sim_debug_step */
} SimWatch;

/* What an instruction did. */
typedef struct SimStep {
	u64 group;
	u32 wave, ins;
	bool parted;  /* lanes went different ways */
	u32 findings; /* new ones */
	bool watched; /* it wrote to one of the SimWatches */
} SimStep;

/* Execute the next instruction. False: there is none, the launch is over. */
bool sim_debug_step(SimDebug *s, SimStep *out);
u64 sim_debug_count(const SimDebug *s); /* instructions executed since the launch began */
bool sim_debug_over(const SimDebug *s);
u32 sim_debug_next(const SimDebug *s); /* the instruction that comes next; NO_INS: the launch is over */
/* The wavefront that goes on; another one, which must be ready. */
u32 sim_debug_current(const SimDebug *s);
void sim_debug_choose(SimDebug *s, u32 wave);
/* Is what runs now a repetition? A wavefront that is chosen then was not chosen before: what the launch did beyond is
 * another story, and all that is known of it is forgotten, by a new beginning: sim_debug_count is 0 after that. */
bool sim_debug_repeats(const SimDebug *s);
void sim_debug_anew(SimDebug *s);
void sim_debug_watch(SimDebug *s, SimWatch *list, u32 n); /* list must live on */

SimState *sim_debug_save(const SimDebug *s);
void sim_debug_restore(SimDebug *s, const SimState *state); /* of the same SimDebug */
u64 sim_state_count(const SimState *state);
u64 sim_state_bytes(const SimState *state);
void sim_state_free(SimState *state);

/* ---- looking ---- */
typedef enum { SIM_READY, SIM_AT_BARRIER, SIM_ENDED } SimWaveState;
typedef struct SimWave {
	SimWaveState state;
	u32 ins;  /* the next one; of SIM_AT_BARRIER, the barrier */
	u32 last; /* the one before that has a place in the source, if the program has one; NO_INS: there is none yet */
	u32 block;
	u32 depth;         /* functions that it is in, the kernel not counted */
	Mask mask;         /* active lanes */
	Mask began, alive; /* lanes with a work-item; of them, those that have not ended */
} SimWave;
u64 sim_debug_group(const SimDebug *s, u32 id[3]);
u32 sim_debug_waves(const SimDebug *s);                /* of the work-group */
void sim_debug_local(const SimDebug *s, u32 local[3]); /* its size */
SimWave sim_debug_wave(const SimDebug *s, u32 wave);
/* The instruction of frame 0, the innermost, …; NO_INS: there are not so many. */
u32 sim_debug_frame(const SimDebug *s, u32 wave, u32 frame);

/* Lanes that wait while others run. */
typedef struct SimWaiting {
	Mask lanes;
	u32 block;  /* where they go on; NO_BLOCK: they have left the function that others are in */
	u32 frame;  /* … of this frame */
	u32 parted; /* the block whose branch sent them away; NO_BLOCK: not known */
	u32 meet;   /* the block where they reconverge with those that run; NO_BLOCK: behind the function */
} SimWaiting;
/* At most `most` of them; how many. */
u32 sim_debug_waiting(const SimDebug *s, u32 wave, SimWaiting *out, u32 most);

void sim_debug_item(const SimDebug *s, u32 wave, u32 lane, u64 global_id[3], u64 local_id[3]);
/* The register's value: of each lane of a vector register one after the other. */
const void *sim_debug_register(const SimDebug *s, u32 wave, u32 reg);
/* n bytes at an address of a space, as that lane sees it; false: some are not there. */
bool sim_debug_read(const SimDebug *s, u32 wave, u32 lane, u32 space, u64 address, u64 n, void *to);
/* How many bytes there are from an address on; 0: it leads nowhere. *name: of what it is in. */
u64 sim_debug_extent(const SimDebug *s, u32 wave, u32 space, u64 address, const char **name);
/* Of an address: memory to watch; false: it is private, or leads nowhere. */
bool sim_debug_watchable(const SimDebug *s, u32 wave, u32 space, u64 address, u64 n, SimWatch *out);

/* Who wrote the dword of LDS at an address last; false: nobody. */
typedef struct SimWriter {
	u32 wave, lane, ins;
} SimWriter;
bool sim_debug_writer(const SimDebug *s, u32 wave, u32 space, u64 address, SimWriter *out);

const Finding *sim_debug_finding(const SimDebug *s, u32 i); /* in the order in which they came; NULL: no more */
void sim_debug_printed(SimDebug *s, Buf *out);              /* takes what the kernel printed since it was asked last */

#endif
