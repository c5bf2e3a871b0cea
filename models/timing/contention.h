/* Places of global memory that many wavefronts want at a time: what a flag that all of them raise costs, or one number
 * that all change by compare-and-swap.
 *
 * Stores of all lanes of a wavefront to one place are requests of one channel of L2, which takes them one after the
 * other, beside what else comes to it; of neighbouring stores of a compute unit, those to one place leave together. So
 * are loads that pass L1, of what is volatile. (Each block of l2_interleave bytes counts as a channel of its own: that
 * some blocks share one is left out.) A compare-and-swap succeeds only when nobody else has changed the place
 * since it was read: so of all that want it one succeeds in the time of a read and a swap and of the vain tries of the
 * others, which take turns in the channel (the root of their squares' sum).
 *
 * Only some compute units are played. Who swaps where was noted of the whole launch (isa/event.h), so it is known how
 * many others come in between. Of stores and loads it is not: others come where a part of the work-groups that are
 * played comes to a place, or many wavefronts do; of places that few come to, which may be many, nothing is known. */
#ifndef WAVESIM_CONTENTION_H
#define WAVESIM_CONTENTION_H

#include "isa/event.h"
#include "models/device/device.h"

typedef struct Contention Contention;

/* The one of n channels that an address belongs to. */
u32 l2_channel(const Device *dev, u32 n, u64 address);

/* How many compare-and-swaps of the launch each of those that are played stands for, by place. */
typedef struct SwapCrowd SwapCrowd;
typedef struct SwapCrowdInput {
	const Events *events;
	u64 groups, groups_run;         /* work-groups of the launch; those of them that ran, of a sample */
	double at_once, played_at_once; /* that run at a time, of the launch and of those played */
} SwapCrowdInput;
/* Of the arena; keeps events; NULL: the launch has none. */
SwapCrowd *swap_crowd_new(const SwapCrowdInput *in, const Device *dev, const Program *p, Arena *a);

/* nchannels: of L2; share: of all that the launch asks of memory, the part that is played on these compute units: 0 …
 * 1; crowd: or NULL. Of the arena, but for what contention_free gives back. */
Contention *contention_new(const Device *dev, u32 cus, u32 nchannels, double share, const SwapCrowd *crowd, Arena *a);
void contention_free(Contention *c);

/* A compute unit's store, of whatever kind, is its next one. */
void contention_pass(Contention *c, u32 cu);
/* By a wavefront, all lanes at one place: its compute unit's last store; a load that passes L1. True: the place has
 * others, too. */
bool contention_store(Contention *c, u32 cu, const WaveEvents *by, u64 address);
bool contention_load(Contention *c, u32 cu, const WaveEvents *by, u64 address);
/* Cycles of a channel for a compare-and-swap of so many lanes of a wavefront at one place, that is tried again. */
double contention_try_cycles(const Device *dev, u32 lanes);
/* Compare-and-swaps of a wavefront, now, that are tried again until they succeed. When they do, for a lane of each
 * place; *met: others wanted one of them. */
double contention_swap(Contention *c, const WaveEvents *by, const LaneShape *s, u64 address, double now, bool *met);

/* Cycles that the busiest channel was with such stores and loads; that the busiest place of swaps was. */
double contention_channel(const Contention *c), contention_swaps(const Contention *c);
double contention_end(const Contention *c); /* of the last swap */

#endif
