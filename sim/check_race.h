/* Races: which accesses to a place in memory nothing orders (SimConfig.check).
 *
 * Each dword that is accessed has words that name its last plain writer and a reader, and an atomic access where there
 * is one. A word is the number of an event and a lane; an event is all that one memory instruction of one wavefront
 * does between two barriers. So a word says which work-item it was, of which work-group, since when, and where in the
 * source: both accesses of a race are known when the second one happens.
 *
 * One writer and two readers of a dword are enough to find every race of one execution: of more readers it is enough to
 * know one in another work-group, or else one of another work-item. Memory that is accessed by bytes has words for each
 * byte, from its first such access on, page by page.
 *
 * What orders two accesses: that one work-item does both; in a work-group a barrier, in a wavefront a barrier of the
 * sub-group, for the memory that its flags name; nothing else in kernels without fences. Where there are fences (or
 * atomics that imply them), atomics order, too: each work-group has a clock (the releases of others that it acquired,
 * through any chain of atomics), and an atomic is taken to release all that its work-group did before. That may be too
 * much order: better a race that is missed than a false alarm.
 *
 * All of this is for launches that may have a race: a first execution mostly finds out that they have none
 * (check_screen.h).
 *
 * A launch that has a race between work-groups of several workers is repeated on one (access_sets.h). So where the
 * result is kept, accesses that conflict were done by one worker, in the order of work-groups, and the findings are
 * those of one thread. It is repeated, too, where there may be too little room: what is left out would depend on how
 * the workers share it (race_crowded).
 *
 * What races at one place does not depend on other places. So where words for all memory would be too many, the launch
 * runs several times, each time with words for some pages only (SimCheck.part).
 *
 * The files: race.h. */
#ifndef WAVESIM_SIM_CHECK_RACE_H
#define WAVESIM_SIM_CHECK_RACE_H

#include "sim/memory.h"

/* Of a worker; NULL where races are not looked for. */
RaceCheck *race_new(const Worker *wk);
void race_free(RaceCheck *c);
void race_group_start(RaceCheck *c);
/* All work-items passed a barrier of these flags. */
void race_barrier(RaceCheck *c, u32 flags);
/* The lanes of a wavefront passed a barrier of their sub-group. */
void race_wave_barrier(RaceCheck *c, u32 wave, u32 flags);
/* An access of one lane is about to happen (of a wavefront: race_access(), observe.h); value: what it stores, or NULL.
 */
void race_lane(Wave *w, const Access *a, AccessKind kind, const Place *p, u32 lane, u32 bytes, const void *value);
/* Where they are only looked for (SimCheck.screen): where may there be any? (race_suspect) */
u64 race_suspects(const RaceCheck *c);
/* How many bytes of global memory these are. */
u64 race_suspected(const Machine *m, u64 suspects);
/* There, too, what was not written (check_unset.h): does it know that of this memory? Was any of it read? */
bool race_knows_unset(const RaceCheck *c, bool lds, u32 seg);
bool race_unset_seen(const RaceCheck *c);
/* Was there more to keep than there is room for? Of what? */
CheckLack race_lack(const RaceCheck *c);
/* May one worker have too little room for what all of these keep? */
bool race_crowded(const Worker *workers, u32 n);

#endif
