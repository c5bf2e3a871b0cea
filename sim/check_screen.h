/* Races, at a glance: may there be any? (SimCheck.screen)
 *
 * Most launches have none, and to find that out takes less than to tell which it is. So a launch is screened first;
 * where something looks like a race it runs again, and check_race.c says what it was. This one may take for a race what
 * is none, but misses none of those that check_race.c finds: that some accesses are ordered by atomics is left to it.
 * It tells LDS and each segment of global memory apart, so that the second look is at those only that may have a race.
 *
 * A unit of memory (a dword, or less where the kernel stores less at once) has one word, for no race was seen there
 * yet: then either one work-item did all that was done since the barrier, or all that several did were reads, or
 * atomics. So the word says
 *
 *   bits 0 to 10   the work-item in its work-group, or SCREEN_MANY
 *   2 bits         what was done: reads, atomics, or both, which is as good as a write: it races with everything
 *   2 bits         the same of this work-group before the barrier, in global memory
 *   2 bits         the same of earlier work-groups, in global memory
 *   above          the number of the interval between two barriers; a work-group's follow those of the one before
 *
 * Words of LDS have 16 bits, and when its 7 intervals run out all words become 0; those of global memory have 32.
 *
 * The words also say what check_unset.h asks in a first look: nothing was written to a unit that is read while its word
 * is 0. For that, words of LDS become 0 with each work-group only. */
#ifndef WAVESIM_SIM_CHECK_SCREEN_H
#define WAVESIM_SIM_CHECK_SCREEN_H

#include "sim/observe.h"

typedef struct RaceScreen RaceScreen;

enum {
	SCREEN_KINDS = 11, /* first bits of the parts */
	SCREEN_GROUP = 13,
	SCREEN_EARLIER = 15,
	SCREEN_INTERVAL_16 = 13,
	SCREEN_INTERVAL_32 = 17,
	SCREEN_MANY = (1 << SCREEN_KINDS) - 1,
	SCREEN_READ = 1,
	SCREEN_ATOMIC = 2,
	SCREEN_ANY = SCREEN_READ | SCREEN_ATOMIC,
};
enum { SCREEN_RACE = 1, SCREEN_BLANK = 2 }; /* of an access: there may be a race; a word of it was 0 */

/* The bit of Profile.race_suspects. */
static inline u64 race_suspect(bool lds, u32 seg) { return lds ? RACE_SUSPECT_LDS : (u64)2 << seg % 63; }

/* Of a unit: its lane, or none, or more than one. */
enum { SCREEN_NOBODY = 0xFFFF, SCREEN_LANES = 0xFFFE };

/* One access of a wavefront. */
struct ScreenRow {
	void *word;        /* of the whole memory */
	size_t at;         /* its first unit */
	const u32 *index;  /* units from there on, or NULL: they follow each other */
	const u16 *lane;   /* of each unit */
	u32 n;             /* units */
	u32 now;           /* the interval */
	u32 first;         /* the first one of the work-group */
	u32 item;          /* of lane 0 */
};

/* stored: the segments that the kernel stores to, as far as is known; memory: the bytes that it may take. Where that is
 * too little, and when it stores elsewhere, there may be any race. unset: the words are to say what was not written. */
RaceScreen *screen_new(const Worker *wk, const bool *stored, u64 memory, bool unset);
void screen_free(RaceScreen *s);
void screen_group_start(RaceScreen *s);
void screen_barrier(RaceScreen *s, u32 flags);
/* Where may there be one? (race_suspect) There nothing more is looked at. */
u64 screen_seen(const RaceScreen *s);
/* Do the words say what was not written there? Not where there may be a race: then unset_take() was called. */
bool screen_knows_unset(const RaceScreen *s, bool lds, u32 seg);
/* Was anything read that was not written? */
bool screen_unset_seen(const RaceScreen *s);
/* seg: of global memory. kind: not x->kind, where an atomic is meant. Returns what screen_knows_unset() does then. */
bool screen_access(RaceScreen *s, const Wave *w, const WaveAccess *x, AccessKind kind, u32 seg);
/* bytes from `at` on, of the LDS or of the segment. reads: it does not only store. */
void screen_lane(RaceScreen *s, const Wave *w, AccessKind kind, bool reads, bool lds, u32 seg, u64 at, u32 lane,
                 u64 bytes);

#endif
