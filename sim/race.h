/* What the files of races share (check_race.h says what a race is):
 *
 *   check_race.c    what the machine calls: when a check begins and ends, and at each access
 *   race_wave.c     an access of a wavefront: many lanes at once where that is possible
 *   race_places.c   its places, each with all lanes that access it, where no race is new
 *   race_row.c      the words of these, side by side
 *   race_lane.c     an access of one lane: what it races with, and what is remembered of it
 *   race_pages.c    the memory for that: pages of words, and events
 *   race_order.c    what atomics order
 *   race_values.c   races that change nothing, because all store the same value
 *   race_finding.c  what is reported of a race */
#ifndef WAVESIM_SIM_RACE_H
#define WAVESIM_SIM_RACE_H

#include "sim/check_race.h"
#include "sim/check_unset.h"

#include "base/hash.h"

enum {
	LANE_BITS = 7,
	EVENT_BITS = 23,
	MOST_EVENTS = 1 << EVENT_BITS, /* of a worker and a memory: 128 MiB */
	PAGE_SHIFT = 12,
	PAGE_BYTES = 1 << PAGE_SHIFT,
};

/* A word has the lane in its lowest bits, the event above, and two flags. With one of these it stands for several
 * accesses, and the word after its own (READER_2 for READER) names one more of them, best one of another work-group. */
#define ITEM_MASK ((1u << (LANE_BITS + EVENT_BITS)) - 1)
#define MANY_ITEMS (1u << 30)  /* other work-items of its work-group did the same since the barrier */
#define MANY_GROUPS (1u << 31) /* other work-groups did the same */

/* What a place has words for. WRITER: the last plain write; several where they wrote the same value. BEFORE, ROOT: see
 * race_values.c. */
typedef enum { WRITER, WRITER_2, READER, READER_2, ATOMIC, ATOMIC_2, BEFORE, ROOT, WORDS } RaceWord;

/* Flags of ROOT. */
#define ROOT_INITIAL \
	(1u << 30) /* what was there when the launch (of local memory, the work-group) began, no other since */
#define ROOT_STALE (1u << 31)   /* the readers may have read another value than the one that is there */
#define ROOT_MIXED (ROOT_INITIAL | ROOT_STALE) /* atomics changed it since it was written */

/* What one memory instruction of a wavefront does between two barriers, or releases. */
typedef struct RaceEvent {
	u32 group, epoch;
	u32 released; /* releases of the work-group before it */
	u32 within;   /* of its wavefront, barriers of sub-groups before it (RaceMemory.within) */
	u32 access : 20, wave : 12;
} RaceEvent;

typedef struct RacePage {
	u32 *word[WORDS]; /* one for each place; NULL: no such access yet. There is a WRITER and a READER */
	u32 shift;        /* of a place: 2, a dword; 0, a byte */
} RacePage;

/* LDS as one segment, or global memory. */
typedef struct RaceMemory {
	bool lds;
	u32 nsegs;
	u32 epoch; /* barriers that order it, since the group began */
	ARRAY(RaceEvent) events; /* [0] unused */
	u32 begun, since; /* the first one of the work-group that runs, and since its last barrier */
	u32 *last; /* [wave][access]: its last event */
	/* Barriers of sub-groups order what a wavefront did before and what it does then, and nothing else: so many of
	 * each wavefront since the group began; and were there any? */
	u32 *within;
	bool any_within;
	RacePage ***pages; /* by segment, then in it; NULL: none was accessed */
} RaceMemory;

typedef struct RaceScreen RaceScreen; /* check_screen.h */
typedef struct RaceSync RaceSync;     /* race_order.c */
typedef struct RaceAgreed RaceAgreed; /* race_values.c */

struct RaceCheck {
	const Worker *wk;
	bool *tracked;      /* by segment: may be written */
	RaceScreen *screen; /* only looks whether there may be races, and needs nothing of what follows; or NULL */
	u64 suspects;       /* race_suspect(): where to look … */
	u32 part, parts;    /* … and in this part of the pages there */
	u32 accesses;       /* of the work-group so far, watched or not: what was first depends on no part or worker */
	RaceMemory lds, global;
	CheckLack lack;
	bool clocks_full; /* of two work-groups it is not known what is ordered, and nothing is said */
	struct RacePlaces **places; /* by pattern (pattern.h), where there are any */
	u64 bytes, most_bytes; /* of words: so many, and not more */
	u64 clock_bytes, most_clock_bytes; /* the same of clocks */
	/* race_values.c: who wrote the value that is there, since the last barrier */
	HashIndex agreed_index;
	ARRAY(RaceAgreed) agreed;
	u64 agreed_places[64]; /* bits by place: somebody may have */
	/* race_order.c */
	bool sync;      /* sim_synchronises(): what follows is used */
	u32 *acquired;  /* by work-group: how many of its releases this one has acquired */
	u32 released;   /* releases of this one */
	u32 news;       /* goes up when acquired changes */
	u32 *synced;    /* by work-item: global epoch + 1 of its last atomic */
	HashIndex sync_index; /* of syncs, by address */
	ARRAY(RaceSync) syncs;
};

/* An access, and the lane and the place of it that are looked at now. */
typedef struct RaceTouch {
	RaceCheck *c;
	RaceMemory *mem;
	Wave *w;
	const Access *a;
	const WaveAccess *x; /* NULL: of one lane, which stores value */
	const u8 *value;
	AccessKind kind;
	u32 seg, event, group, epoch, wave;
	u64 base;       /* address of the segment; 0 in LDS */
	bool orders;    /* it is an atomic that orders */
	bool look;      /* it is where races are looked for */
	bool raced;     /* some place did */
	/* the lane */
	u32 lane;
	u64 start;      /* its first byte in the segment */
	u32 bytes;
	const u8 *own;  /* what it stores; NULL: nothing, or nothing known */
	/* the place */
	u64 at;         /* in the segment */
	RacePage *page;
	u32 i;          /* in the page's words */
	u32 place;      /* its bytes */
	bool same;      /* the lane stores what is there already */
} RaceTouch;

/* ---- race_pages.c ---- */
void race_memory_new(RaceMemory *mem, const Machine *m, bool lds);
void race_memory_free(RaceMemory *mem, const Machine *m);
/* A work-group begins: nothing was accessed in its LDS. */
void race_lds_clear(RaceMemory *mem, const Machine *m);
/* Something is left out. Workers side by side go no further. */
void race_lacks(RaceCheck *c, CheckLack what);
/* Zeros; NULL: there is no more room, and something is left out. */
void *race_room(RaceCheck *c, size_t n, size_t size);
/* What this instruction of this wavefront does now; 0: no room. */
u32 race_event_now(RaceCheck *c, RaceMemory *mem, const Wave *w, const Access *a);
/* The page of a place, which tells bytes apart if need be; NULL: no room, or of another part (RaceCheck.part). */
RacePage *race_page(const RaceTouch *t, u64 at, bool bytes);
u32 *race_words_new(RaceCheck *c, RacePage *p, RaceWord k);

/* The page's words of a kind that there is from now on; NULL: no room. */
static inline u32 *words_for(const RaceTouch *t, RaceWord k)
{
	u32 *words = t->page->word[k];
	return words ? words : race_words_new(t->c, t->page, k);
}

/* A word of the place; 0: there is none. */
static inline u32 word_at(const RaceTouch *t, RaceWord k)
{
	const u32 *words = t->page->word[k];
	return words ? words[t->i] : 0;
}

static inline const RaceEvent *word_event(const RaceTouch *t, u32 word)
{
	return &t->mem->events.v[(word & ITEM_MASK) >> LANE_BITS];
}

static inline u32 word_lane(u32 word) { return word & ((1u << LANE_BITS) - 1); }

/* Does it stand for others than the one that it names? */
static inline bool word_many(u32 word) { return word & (MANY_ITEMS | MANY_GROUPS); }

/* ---- race_order.c ---- */
void race_order_new(RaceCheck *c);
void race_order_free(RaceCheck *c);
/* A work-group begins. */
void race_order_clear(RaceCheck *c);
/* A lane's atomic: its work-group acquires what was released at the address, and releases what it did so far. */
void race_synchronise(RaceTouch *t, u64 address, u32 lane);

/* In this work-group, since the last barrier? */
static inline bool since_barrier(const RaceTouch *t, const RaceEvent *e)
{
	return e->group == t->group && e->epoch == t->epoch;
}

/* In this work-group, before it? */
static inline bool before_barrier(const RaceTouch *t, const RaceEvent *e)
{
	return e->group == t->group && e->epoch != t->epoch;
}

/* Does nothing order the access of word before the lane's? */
static inline bool meets(const RaceTouch *t, u32 word)
{
	const RaceEvent *e = word_event(t, word);
	const RaceCheck *c = t->c;
	if (e->group != t->group)
		return !c->sync || (!c->clocks_full && c->acquired[e->group] <= e->released);
	if (e->epoch != t->epoch || (e->wave == t->wave && word_lane(word) == t->lane))
		return false;
	if (e->wave == t->wave && e->within != t->mem->within[t->wave])
		return false;
	if (!c->sync)
		return true;
	/* Where both did atomics since the barrier, these may be a lock, or a flag. */
	u32 now = c->global.epoch + 1;
	return c->synced[e->wave * MAX_WAVE + word_lane(word)] != now || c->synced[t->wave * MAX_WAVE + t->lane] != now;
}

/* ---- race_values.c ---- */
/* What a lane stores, in room_for where it is not in one piece; NULL: that is not known. */
const u8 *race_stored(const RaceTouch *t, u32 lane, u8 room_for[LARGEST_ACCESS]);
/* The bytes at the place before this access of the lane. writer: who wrote them; the memory does not have them yet
 * where that was a lane of the same store. */
const u8 *race_there(const RaceTouch *t, u32 writer, u8 room_for[LARGEST_ACCESS]);
/* Does the lane store what is there already? */
bool race_stores_same(const RaceTouch *t);
/* The place is written: what is known of its value. raced: with the writers so far. */
void race_value_written(RaceTouch *t, bool raced);
/* Does the race with an access of that kind, of *word, change nothing? *instead: it would, but for one with another
 * value before, which *word may name now. */
bool race_changes_nothing(const RaceTouch *t, u32 *word, AccessKind kind, bool *instead);
/* May work-items have written the value that is at t->at, since the last barrier? */
bool race_may_agree(const RaceTouch *t);
/* A barrier: who wrote a value before it is told by words. */
void race_values_clear(RaceCheck *c);
void race_values_free(RaceCheck *c);

static inline const u8 *memory_at(const RaceTouch *t, u64 at)
{
	return t->mem->lds ? t->w->group->lds + at : t->w->worker->m->segs[t->seg].data + at;
}

static inline void set_root(const RaceTouch *t, u32 root)
{
	if (t->page->word[ROOT] || (root && words_for(t, ROOT)))
		t->page->word[ROOT][t->i] = root;
}

/* ---- race_finding.c ---- */
/* Nothing orders this access and that of word, of that kind. */
void race_found(RaceTouch *t, u32 word, AccessKind kind);

/* That was found before, of this access and that of word, which no equal values make harmless; or NULL. */
Finding *race_known(const RaceTouch *t, u32 word);

/* ---- race_places.c ---- */
/* The places of the lanes of an access, dwords, counted from the first. */
typedef struct RacePlaces {
	u32 n;
	bool solid; /* one behind the other */
	Mask several; /* places of more than one lane: */
	Mask lanes[MAX_WAVE];
	u32 nlanes[MAX_WAVE]; /* so many */
	u32 lane[MAX_WAVE], second[MAX_WAVE]; /* the lowest one, and the next, or itself */
	u32 dword[MAX_WAVE];
} RacePlaces;

/* Of a remembered shape; of n lanes from `lane` on, a dword each, one behind the other; of one place for all lanes,
 * where there are races. False: nothing is done. */
bool race_touch_places(RaceTouch *t);
bool race_touch_run(RaceTouch *t, u64 at, u32 lane, u32 n);
bool race_touch_one(RaceTouch *t, u64 at);

/* ---- race_row.c ---- */
/* Words of places, side by side. */
typedef struct RaceRow {
	RaceTouch *t;
	const RacePlaces *shape;
	Mask hard; /* places that are not so simple, where nothing is done … */
	Mask none; /* … by its lanes either: nothing is kept of them */
	u32 word[WORDS][MAX_WAVE];
	Mask same;   /* places where a store finds its value already */
	Mask agreed; /* places where lanes of a load may have stored the value that is there */
} RaceRow;

/* The access is looked at, and remembered. Of a load, settle: two readers are enough where nothing races. False:
 * nothing is done, for all is hard (or, unless_raced, there are no races). changed: by kind of word, where there are
 * others. */
bool race_row(RaceRow *r, bool settle, bool unless_raced, Mask changed[WORDS]);

/* ---- race_lane.c, race_wave.c ---- */
/* A lane accesses bytes from `at` on. */
void race_touch_lane(RaceTouch *t, u32 lane, u64 at, u32 bytes);
/* Of these only the dword `at`. */
void race_touch_dword(RaceTouch *t, u32 lane, u64 start, u32 bytes, u64 at);
/* All lanes of t->x. */
void race_touch_wave(RaceTouch *t);

#endif
