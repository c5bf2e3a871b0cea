/* Races, at a glance: see check_screen.h. */
#include "sim/check_screen.h"

#include "sim/check_unset.h"

enum {
	MOST_UNITS = 1024, /* of a remembered shape: 64 lanes of 16 bytes each */
	DENSE = 4,         /* up to so many times the units that lanes touch, all between the lowest and the highest
	                    * are walked; beyond, an index is kept */
	LAST_16 = (1 << (16 - SCREEN_INTERVAL_16)) - 1, /* the last interval of a word */
	LAST_32 = (1 << (32 - SCREEN_INTERVAL_32)) - 1,
};

/* The units of a pattern (pattern.h), from its lowest address on. */
typedef struct ScreenShape {
	u32 n; /* 0: more than there is room for */
	bool dense;
	u16 lane[MOST_UNITS];
	u32 index[MOST_UNITS]; /* where it is not dense */
} ScreenShape;

typedef struct ScreenMemory {
	u64 bytes;
	u32 shift; /* of a unit */
	bool lds, watched;
	bool seen; /* there may be a race: no more is looked at */
	bool unset; /* the words say what was not written, too */
	void *word; /* NULL: it was not accessed yet, or is no more looked at */
} ScreenMemory;

struct RaceScreen {
	const Worker *wk;
	u32 now, first, lds_now;
	ScreenMemory lds, *segs;
	bool unset_seen; /* something was read that was not written */
	ScreenShape *shapes; /* by pattern */
};

/* The smallest unit that something is stored by in LDS, or in global memory: what a store fills, loads of parts of it
 * meet. */
static u32 unit_shift(const Code *c, bool lds)
{
	u32 least = 4;
	for (u32 i = 0; i < c->accesses.n; i++) {
		const Access *a = &c->accesses.v[i];
		u32 by = a->bytes && a->align ? a->bytes | a->align : 0;
		if (c->p->ins.v[a->ins].op != OP_ld && a->space != SPACE_PRIVATE && (a->space == SPACE_LDS) == lds &&
		    by && (by & -by) < least)
			least = by & -by;
	}
	return (u32)__builtin_ctz(least);
}

static u64 units_of(const ScreenMemory *mem) { return (mem->bytes >> mem->shift) + 1; }
/* A multiple of 8: see past(). */
static u64 bytes_of(const ScreenMemory *mem)
{
	return (units_of(mem) * (mem->lds ? sizeof(u16) : sizeof(u32)) + 7) & ~(u64)7;
}

RaceScreen *screen_new(const Worker *wk, const bool *stored, u64 memory, bool unset)
{
	const Machine *m = wk->m;
	RaceScreen *s = xcalloc(1, sizeof *s);
	s->wk = wk;
	s->lds =
	    (ScreenMemory){.bytes = m->lds_bytes, .shift = unit_shift(m->code, true), .lds = true, .watched = true};
	u64 all = bytes_of(&s->lds);
	s->segs = xcalloc(m->nsegs + 1, sizeof *s->segs);
	for (u32 i = 0, shift = unit_shift(m->code, false); i < m->nsegs; i++) {
		s->segs[i] = (ScreenMemory){.bytes = m->segs[i].size, .shift = shift, .watched = stored[i]};
		all += stored[i] ? bytes_of(&s->segs[i]) : 0;
	}
	s->shapes = xcalloc((size_t)m->code->accesses.n * PATTERNS + 1, sizeof *s->shapes);
	/* Words have no room for more work-items. What it might take counts, not what it
	 * takes, so that all workers agree. */
	s->lds.seen = m->waves_per_group * m->code->wave > SCREEN_MANY || all > memory;
	s->lds.unset = unset && !s->lds.seen;
	for (u32 i = 0; i < m->nsegs; i++) {
		s->segs[i].seen = s->lds.seen;
		s->segs[i].unset = s->lds.unset && m->segs[i].unset && stored[i];
	}
	return s;
}

void screen_free(RaceScreen *s)
{
	if (!s)
		return;
	free(s->lds.word);
	for (u32 i = 0; i < s->wk->m->nsegs; i++)
		free(s->segs[i].word);
	free(s->segs);
	free(s->shapes);
	free(s);
}

u64 screen_seen(const RaceScreen *s)
{
	u64 bits = s->lds.seen ? race_suspect(true, 0) : 0;
	for (u32 i = 0; i < s->wk->m->nsegs; i++)
		bits |= s->segs[i].seen ? race_suspect(false, i) : 0;
	return bits;
}

bool screen_knows_unset(const RaceScreen *s, bool lds, u32 seg)
{
	const ScreenMemory *mem = lds ? &s->lds : &s->segs[seg];
	return mem->unset && !mem->seen;
}

bool screen_unset_seen(const RaceScreen *s) { return s->unset_seen; }

/* ---- time ---- */

static void lds_clear(RaceScreen *s)
{
	if (s->lds.word)
		memset(s->lds.word, 0, bytes_of(&s->lds));
	s->lds_now = 1;
}

/* Words that are not 0 become a read in interval 0, four at once. */
static void past(u8 *word, u64 bytes)
{
	const u64 each = 0x0001000100010001, top = each << 15, rest = top - each;
	for (u64 at = 0, four; at < bytes; at += sizeof four) {
		memcpy(&four, word + at, sizeof four);
		u64 some = (((four & rest) + rest) | four) & top;
		four = some >> 15 << SCREEN_KINDS;
		memcpy(word + at, &four, sizeof four);
	}
}

static void lds_next(RaceScreen *s)
{
	if (s->lds_now < LAST_16) {
		s->lds_now++;
		return;
	}
	if (!s->lds.unset) {
		lds_clear(s);
		return;
	}
	if (s->lds.word)
		past(s->lds.word, bytes_of(&s->lds));
	s->lds_now = 1;
}

/* The numbers of intervals run out: count anew. All of earlier work-groups becomes interval 0, all that this one did so
 * far interval 1; who it was is not needed for those. */
static void fold(const RaceScreen *s, u32 *word, u64 n)
{
	for (u64 i = 0; i < n; i++) {
		u32 group = (word[i] >> SCREEN_GROUP | word[i] >> SCREEN_KINDS) & SCREEN_ANY,
		    earlier = word[i] >> SCREEN_EARLIER & SCREEN_ANY;
		word[i] = word[i] >> SCREEN_INTERVAL_32 < s->first
		              ? (earlier | group) << SCREEN_EARLIER
		              : 1u << SCREEN_INTERVAL_32 | earlier << SCREEN_EARLIER | group << SCREEN_GROUP;
	}
}

static void global_next(RaceScreen *s)
{
	if (s->now < LAST_32) {
		s->now++;
		return;
	}
	for (u32 i = 0; i < s->wk->m->nsegs; i++)
		if (s->segs[i].word)
			fold(s, s->segs[i].word, units_of(&s->segs[i]));
	s->first = 1;
	s->now = 2;
}

void screen_group_start(RaceScreen *s)
{
	if (s->lds.unset)
		lds_clear(s);
	else
		lds_next(s);
	global_next(s);
	s->first = s->now;
}

void screen_barrier(RaceScreen *s, u32 flags)
{
	if (!flags || (flags & FENCE_LDS))
		lds_next(s);
	if (!flags || (flags & FENCE_GLOBAL))
		global_next(s);
}

/* ---- accesses ---- */

/* Where it is, when, and who; false: there may be anything. Memory that is never touched costs nothing: zeros come from
 * the system, page by page. */
static bool begin(const RaceScreen *s, ScreenRow *r, ScreenMemory *mem, const Wave *w)
{
	if (UNLIKELY(!mem->watched)) {
		mem->seen = true;
		return false;
	}
	if (UNLIKELY(!mem->word))
		mem->word = xcalloc(1, bytes_of(mem));
	*r = (ScreenRow){.word = mem->word, .now = mem->lds ? s->lds_now : s->now, .first = mem->lds ? 0 : s->first,
	                 .item = w->index * w->code->wave};
	return true;
}

/* No more is looked at for races; for what was not written others go on from here. */
static NO_INLINE void leave(RaceScreen *s, ScreenMemory *mem)
{
	mem->seen = true;
	if (mem->unset)
		unset_take(s->wk->unset, mem->lds, mem->lds ? 0 : (u32)(mem - s->segs), mem->shift, mem->word);
	free(mem->word);
	mem->word = NULL;
}

/* False: of this memory no more is looked at. */
static FORCE_INLINE bool look(RaceScreen *s, const ScreenRow *r, ScreenMemory *mem, AccessKind kind, bool reads)
{
	const LaneKit *kit = s->wk->m->code->kit;
	u32 found = (mem->lds ? kit->screen16 : kit->screen32)(r, kind);
	s->unset_seen |= reads && mem->unset && (found & SCREEN_BLANK);
	if (UNLIKELY(found & SCREEN_RACE))
		leave(s, mem);
	return !(found & SCREEN_RACE);
}

/* All units of [at, at + bytes), of a lane or of SCREEN_LANES. What a store leaves of a unit at its ends counts as
 * written; it may not be. */
static bool span(RaceScreen *s, ScreenRow *r, ScreenMemory *mem, AccessKind kind, bool reads, u64 at, u64 bytes,
                 u32 lane)
{
	enum { PART = 64 };
	u16 who[PART];
	u64 end = ((at + bytes - 1) >> mem->shift) + 1;
	bool more = true;
	s->unset_seen |= mem->unset && !reads && ((at | bytes) & (((u64)1 << mem->shift) - 1));
	r->lane = who;
	for (r->at = at >> mem->shift; more && r->at < end; r->at += r->n) {
		r->n = end - r->at < PART ? (u32)(end - r->at) : PART;
		for (u32 i = 0; i < r->n; i++)
			who[i] = (u16)lane;
		more = look(s, r, mem, kind, reads);
	}
	return more;
}

static void shape_build(ScreenShape *h, const WaveAccess *x, u32 shift)
{
	const Pattern *p = x->p;
	u64 extent = (u64)(p->high - p->low) >> shift;
	u32 units = x->bytes >> shift, n = x->lanes * units, k = 0;
	h->dense = extent <= MOST_UNITS && extent <= (u64)n * DENSE;
	h->n = h->dense ? (u32)extent : n <= MOST_UNITS && extent <= UINT32_MAX ? n : 0;
	for (u32 i = 0; h->dense && i < h->n; i++)
		h->lane[i] = SCREEN_NOBODY;
	for (Mask m = h->n ? p->mask : 0; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m), at = (u32)((u64)(pattern_offset(p, lane, !x->lds) - p->low) >> shift);
		for (u32 i = 0; i < units; i++, k++) {
			u16 *of = &h->lane[h->dense ? at + i : k];
			*of = h->dense && *of != SCREEN_NOBODY ? SCREEN_LANES : (u16)lane;
			if (!h->dense)
				h->index[k] = at + i;
		}
	}
}

static FORCE_INLINE void access_row(RaceScreen *s, ScreenMemory *mem, const Wave *w, const WaveAccess *x,
                                    AccessKind kind, u32 seg)
{
	bool reads = x->kind != ACCESS_STORE, more = true;
	u64 base = x->lds ? 0 : (u64)seg << SEG_SHIFT, unit = (u64)1 << mem->shift;
	Pattern *p = x->p;
	ScreenRow r;
	if (mem->seen || !begin(s, &r, mem, w))
		return;
	if (!p || p->shape == SHAPE_SAME) {
		span(s, &r, mem, kind, reads, x->first - base, x->bytes,
		     x->lanes > 1 ? SCREEN_LANES : mask_lowest(x->mask));
		return;
	}
	ScreenShape *h = &s->shapes[p - w->worker->patterns];
	if (!p->screened) {
		shape_build(h, x, mem->shift);
		p->screened = true;
	}
	if (!h->n || (x->first | p->bits | x->bytes) & (unit - 1)) {
		for (Mask m = x->mask; m && more; m = mask_drop(m))
			more = span(s, &r, mem, kind, reads, access_at(x, mask_lowest(m)) - base, x->bytes,
			            mask_lowest(m));
		return;
	}
	r.at = (x->first - base + (u64)p->low) >> mem->shift;
	r.n = h->n;
	r.lane = h->lane;
	r.index = h->dense ? NULL : h->index;
	look(s, &r, mem, kind, reads);
}

bool screen_access(RaceScreen *s, const Wave *w, const WaveAccess *x, AccessKind kind, u32 seg)
{
	ScreenMemory *mem = x->lds ? &s->lds : &s->segs[seg];
	access_row(s, mem, w, x, kind, seg);
	return mem->unset && !mem->seen;
}

void screen_lane(RaceScreen *s, const Wave *w, AccessKind kind, bool reads, bool lds, u32 seg, u64 at, u32 lane,
                 u64 bytes)
{
	ScreenMemory *mem = lds ? &s->lds : &s->segs[seg];
	ScreenRow r;
	if (bytes && !mem->seen && begin(s, &r, mem, w))
		span(s, &r, mem, kind, reads, at, bytes, lane);
}
