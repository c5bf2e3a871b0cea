/* The event stream: what some work-groups of a launch did, in order, for the timing model.
 *
 * The machine executes first; time is worked out afterwards from this record, on any device,
 * and nothing flows back. Only the work-groups that the caller names are recorded, and of each
 * wavefront at most so many words, so the record is bounded whatever the launch size.
 *
 * Each wavefront has its own list of words:
 *
 *   EVENT_BLOCK    | lanes - 1 << 21 | block    a block was entered by so many lanes
 *   EVENT_ACCESS   | instruction                an access of global memory, LDS or private memory …
 *                    shape                        by lanes that lie like this (LaneShape) …
 *                    address, two words           from this byte on (of LDS: in the group's part; of private
 *                                               memory: in the wavefront's, where dwords of all its lanes lie
 *                                               side by side; the next dword of a lane is a row further)
 *   EVENT_BARRIER  | instruction                the wavefront waits for its group
 *   EVENT_MASK     | shape                      the lanes of the blocks from here on, those of
 *                                               LaneShape.mask: only when masks were asked for, and
 *                                               only where they change
 *
 * A copy or a fill is many accesses, one after the other: of a copy all that read, then all that write.
 * Each is the widest element that the alignment allows, EVENT_ELEMENT bytes of a lane at most.
 *
 * Of private memory, loads and stores are recorded, but no copies, and nothing that images' functions do.
 *
 * A LaneShape says where the lanes of an access lie relative to its first active lane. Kernels
 * repeat few shapes, so each is kept once. */
#ifndef WAVESIM_EVENT_H
#define WAVESIM_EVENT_H

#include "isa/isa.h"

enum { EVENT_BLOCK = 0u << 30, EVENT_ACCESS = 1u << 30, EVENT_BARRIER = 2u << 30, EVENT_MASK = 3u << 30 };
#define EVENT_KIND(word) ((word) & 3u << 30)
/* What event_next calls an access of private memory, though its word is an EVENT_ACCESS: most who read a record ask for
 * the others only. */
enum { EVENT_PRIVATE = 1 };
enum { EVENT_BLOCK_BITS = 21, EVENT_ACCESS_WORDS = 4, EVENT_ELEMENT = 16 };
#define EVENT_BLOCK_OF(word) ((word) & ((1u << EVENT_BLOCK_BITS) - 1))
#define EVENT_LANES_OF(word) (((word) >> EVENT_BLOCK_BITS & 127) + 1)
#define EVENT_INS_OF(word) ((word) & ((1u << 30) - 1)) /* or the shape of EVENT_MASK */
/* Words of an event. */
static inline u32 event_words(u32 word) { return EVENT_KIND(word) == EVENT_ACCESS ? EVENT_ACCESS_WORDS : 1; }

typedef struct LaneShape {
	Mask mask;
	u32 bytes;  /* of each lane */
	u32 lanes;  /* active ones: offset has so many, lowest lane first */
	bool lds, write, atomic;
	bool private; /* offset: of its first dword; the others of a lane lie a row further each */
	bool run;   /* every lane follows the one before without a gap */
	bool one;   /* all lanes have one address */
	const i64 *offset; /* from the first active lane */
} LaneShape;

typedef struct WaveEvents {
	u64 group;
	u32 wave, lanes; /* of the group; that began */
	u32 *words, n;
	const LaneShape *shapes; /* what the shape words index; which number is whose depends on the threads that ran */
	u64 instructions;    /* wave instructions it executed in all */
	u64 recorded;        /* those in words: fewer when there were too many */
} WaveEvents;

/* One event of a wavefront, taken apart. */
typedef struct EventWord {
	u32 at, n, word;     /* where it is, words it takes, the first of them */
	u32 kind;            /* EVENT_… */
	u32 block, lanes;    /* of EVENT_BLOCK */
	u32 ins;             /* of EVENT_ACCESS, EVENT_PRIVATE and EVENT_BARRIER */
	const LaneShape *shape; /* of EVENT_ACCESS, EVENT_PRIVATE and EVENT_MASK */
	u64 address;
} EventWord;
/* for (EventWord w = {0}; event_next(e, &w);); {.at = n} begins with word n. False: w was the last one. */
bool event_next(const WaveEvents *e, EventWord *w);
static inline bool event_accesses(const EventWord *w) { return w->kind == EVENT_ACCESS || w->kind == EVENT_PRIVATE; }

/* What a cache that holds all of it would fetch, and one that holds what an eighth of the launch
 * (in the order of work-groups) uses. */
enum { EVENT_WINDOWS = 8 };
typedef struct EventLines {
	u64 touched;    /* different ones, of Events.fetch_bytes each */
	u64 room;       /* … with all others of their lines of L2 */
	u64 in_windows; /* the same, counted anew for each window */
	u64 met;        /* those of several windows */
	u64 all;        /* of the memory that the launch has */
} EventLines;

/* Who compared and swapped dwords of global memory, of all that ran of the launch. Dwords of a buffer that lie a
 * multiple of SWAP_SLOTS apart have one slot; those of different buffers may. */
enum { SWAP_SLOTS = 1 << 16, SWAP_PARTS = 64 };
typedef struct SwapSlot {
	u64 visits;     /* of wavefronts, in each of which lanes that follow each other count once */
	u64 parts;      /* a bit for each of SWAP_PARTS equal parts of the launch that a work-group came from */
	u64 first, end; /* the least number of their work-groups, and one more than the greatest; visits 0: undefined */
} SwapSlot;
static inline void swap_add(SwapSlot *to, const SwapSlot *s)
{
	bool none = !to->visits;
	to->first = none || s->first < to->first ? s->first : to->first;
	to->end = none || s->end > to->end ? s->end : to->end;
	to->visits += s->visits;
	to->parts |= s->parts;
}
/* One visit of a work-group, of so many of the launch. */
static inline SwapSlot swap_visit(u64 group, u64 ngroups)
{
	u64 part = ngroups > SWAP_PARTS ? group / ((ngroups + SWAP_PARTS - 1) / SWAP_PARTS) : group;
	return (SwapSlot){1, 1ull << part % SWAP_PARTS, group, group + 1};
}
static inline u32 swap_slot_of(u64 address)
{
	return (u32)(address / 4 + (address >> SEG_SHIFT) * 0x9E3779B1u) % SWAP_SLOTS;
}

/* Memory for the words of many wavefronts. */
typedef struct EventPool {
	ARRAY(u32 *) blocks;
	u32 *next; /* the free words of the last one, so many */
	u64 left;
} EventPool;

typedef struct Events {
	ARRAY(WaveEvents) waves;  /* by group, then wave */
	EventPool pool;           /* their words */
	struct ShapeTable *shapes; /* owned; of all waves: equal shapes are the same one */
	EventLines lines; /* of global memory, of all that ran of the launch */
	SwapSlot *swap_slots; /* SWAP_SLOTS of them; owned; NULL: nobody swapped */
	u64 fetch_bytes;
} Events;

/* ---- event.c ---- */
typedef struct ShapeTable ShapeTable;
ShapeTable *shape_table_new(void);
void shape_table_free(ShapeTable *t);
/* The number of an equal shape, which is copied when it is new. */
u32 shape_intern(ShapeTable *t, const LaneShape *s);
const LaneShape *shape_table(const ShapeTable *t);
u32 shape_count(const ShapeTable *t);

/* A copy of n words, which lives as long as the pool. */
u32 *event_pool_keep(EventPool *p, const u32 *words, u32 n);
/* What another pool holds, which is then empty. */
void event_pool_join(EventPool *p, EventPool *other);
void event_pool_free(EventPool *p);

/* Did any wavefront do more than was recorded of it? */
bool events_cut_off(const Events *e);

Events *events_new(void);
void events_free(Events *e);

#endif
