/* What each worker of a launch reads and writes in global memory, byte by byte, so that work-groups
 * may run on several threads and still leave what one thread leaves that runs them in order.
 *
 * Each worker runs its work-groups in ascending order and marks what they access. When in the end no
 * worker accessed what another one wrote, every work-group read what it would have read in order, so the
 * result is that of the order. Atomics that commute and whose old value is not read (updates) may share
 * others of their class. Everything else is a conflict: the memory gets its first contents back, and
 * the caller runs the launch again on one thread.
 *
 * A conflict is always a fact, never a guess, and it may be read while workers run: sets only
 * grow. What is reported does not depend on it. */
#ifndef WAVESIM_ACCESS_SETS_H
#define WAVESIM_ACCESS_SETS_H

#include "sim/wave.h"

/* Those of a launch. stored: the segments that the program is expected to write; reads of others are
 * not marked, and a write there is a conflict at once. granule: bytes that are distinguished, a power of two
 * up to 16; the size of the program's smallest access is as exact as one byte. Release with
 * access_sets_free(). */
AccessSets *access_sets_new(const Seg *segs, u32 nsegs, const bool *stored, u32 granule, u32 nworkers);
void access_sets_free(AccessSets *all);
AccessSet *access_set(AccessSets *all, u32 worker);

/* Mark bytes at a global address, which must lie inside its segment. A write or an update is marked
 * before it is done: the first one of a page keeps the contents of the page. */
void mark_read(AccessSet *s, u64 address, u64 bytes);
void mark_write(AccessSet *s, u64 address, u64 bytes);
/* A load or a store, not lane by lane (WaveAccess.at). */
void mark_access(AccessSet *s, const WaveAccess *x);
void mark_update(AccessSet *s, u64 address, u64 bytes, u8 update); /* update: Sys.update, not 0 */

bool access_sets_conflict(const AccessSets *all);
/* Bring back what was there before the first write. No worker may be running. */
void access_sets_restore(const AccessSets *all);

#endif
