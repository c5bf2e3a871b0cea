/* An access of a wavefront place by place, with all lanes of a place at once: where every race that it is part of was
 * found before, so that it only counts. What is remembered is as lane by lane: see race_lane.c.
 *
 * First it is only looked at; where something is not as simple as this (values that agree, atomics, bytes), nothing is
 * done, and the lanes take their turns. */
#include "sim/race.h"

enum { MOST_TALLIES = 8 };

typedef enum { BEFORE_BARRIER, SAME_WAVE, OTHER_WAVE, OTHER_GROUP } Standing;

/* Of the event that was met last. */
typedef struct Stand {
	u32 event; /* 0: none */
	Standing how;
	Finding *f; /* NULL: not looked up */
} Stand;

typedef struct Tally {
	Finding *f;
	u32 n;
} Tally;

typedef struct Looked {
	RaceTouch *t;
	const RacePlaces *shape;
	u64 start;   /* in the segment, of the shape */
	bool settle; /* two readers are enough where nothing races: see touch_lanes() */
	Stand writer, reader;
	u32 ntallies;
	Tally tally[MOST_TALLIES];
} Looked;

/* The place `at`: t->page and t->i; false: it tells bytes apart, or had atomics. */
static FORCE_INLINE bool place_at(RaceTouch *t, u64 at, u64 *page_end)
{
	if (at >= *page_end) {
		RacePage *p = t->page = race_page(t, at, false);
		*page_end = (at | (PAGE_BYTES - 1)) + 1;
		if (!p || p->shift != 2 || p->word[ATOMIC])
			return false;
	}
	t->i = (u32)(at & (PAGE_BYTES - 1)) >> 2;
	return true;
}

/* How an event stands to what the wavefront does now. */
static FORCE_INLINE const Stand *stand_of(Looked *l, Stand *s, u32 word)
{
	const RaceTouch *t = l->t;
	u32 event = (word & ITEM_MASK) >> LANE_BITS;
	if (s->event == event)
		return s;
	const RaceEvent *e = &t->mem->events.v[event];
	*s = (Stand){.event = event, .how = e->group != t->group ? OTHER_GROUP : e->epoch != t->epoch ? BEFORE_BARRIER
	                                    : e->wave != t->wave ? OTHER_WAVE : SAME_WAVE};
	return s;
}

/* So many more races with what word stands for; false: they would be the first ones. */
static FORCE_INLINE bool count(Looked *l, Stand *s, u32 word, u32 n)
{
	s->f = s->f ? s->f : race_known(l->t, word);
	if (!s->f)
		return false;
	for (u32 i = 0; i < l->ntallies; i++)
		if (l->tally[i].f == s->f) {
			l->tally[i].n += n;
			return true;
		}
	if (l->ntallies == MOST_TALLIES)
		return false;
	l->tally[l->ntallies++] = (Tally){s->f, n};
	return true;
}

/* Of the lanes of place k, those that nothing orders after the access of word. */
static FORCE_INLINE u32 met(const Stand *s, const RacePlaces *p, u32 k, u32 word)
{
	return s->how == BEFORE_BARRIER ? 0
	       : s->how == SAME_WAVE    ? p->count[k] - (u32)(p->lanes[k] >> word_lane(word) & 1) : p->count[k];
}

/* Of a place where one lane is, with the one that word names, or else with the second one of its kind. */
static FORCE_INLINE bool against(Looked *l, Stand *s, u32 k, u32 word, RaceWord second)
{
	if (met(stand_of(l, s, word), l->shape, k, word))
		return count(l, s, word, 1);
	word = word_many(word) ? word_at(l->t, second) : 0;
	return !word || !met(stand_of(l, s, word), l->shape, k, word) || count(l, s, word, 1);
}

static FORCE_INLINE bool look_read(Looked *l, u32 k)
{
	u32 w = word_at(l->t, WRITER), n;
	if (!w)
		return true;
	if (word_many(w))
		return false;
	n = met(stand_of(l, &l->writer, w), l->shape, k, w);
	/* Where it may have read that value in any order, words of values tell (race_values.c). */
	return !n || (!(word_at(l->t, ROOT) & (ITEM_MASK | ROOT_INITIAL)) && count(l, &l->writer, w, n));
}

/* value: what the lane stores there. */
static FORCE_INLINE bool look_write(Looked *l, u32 k, const u8 *value)
{
	RaceTouch *t = l->t;
	u32 w = word_at(t, WRITER), r = word_at(t, READER);
	if ((w || !t->mem->lds) && !memcmp(memory_at(t, t->at), value, 4))
		return false;
	return (!w || against(l, &l->writer, k, w, WRITER_2)) && (!r || against(l, &l->reader, k, r, READER_2));
}

static bool look(Looked *l)
{
	RaceTouch *t = l->t;
	const RacePlaces *s = l->shape;
	u8 room_for[LARGEST_ACCESS];
	u64 page_end = 0;
	for (u32 k = 0; k < s->n; k++) {
		const u8 *value = NULL;
		t->lane = mask_lowest(s->lanes[k]);
		if (t->kind == ACCESS_STORE && s->count[k] > 1)
			return false;
		if (t->kind == ACCESS_STORE)
			value = race_stored(t, t->lane, room_for);
		t->at = l->start + (u64)s->dword[k] * 4;
		for (u32 d = 0; d < s->dwords; d++, t->at += 4)
			if (!place_at(t, t->at, &page_end) ||
			    !(value ? look_write(l, k, value + d * 4) : look_read(l, k)))
				return false;
	}
	return true;
}

/* As join_reader() for one lane after the other. */
static FORCE_INLINE void join_readers(Looked *l, Mask lanes)
{
	RaceTouch *t = l->t;
	u32 *word = &t->page->word[READER][t->i], was = *word, now = was, w = word_at(t, WRITER), second = 0;
	Standing how = was ? stand_of(l, &l->reader, was)->how : BEFORE_BARRIER;
	/* Of more readers nothing is told, where no writer may meet them. */
	bool enough = l->settle && (!w || (!(w & MANY_GROUPS) && stand_of(l, &l->writer, w)->how == BEFORE_BARRIER));
	if (how == OTHER_GROUP) {
		now = t->event << LANE_BITS | mask_lowest(lanes) | MANY_GROUPS;
		second = was & ITEM_MASK;
		lanes = mask_drop(lanes);
	} else if (how == BEFORE_BARRIER) {
		now = t->event << LANE_BITS | mask_lowest(lanes) | (was & MANY_GROUPS);
		if (!(now & MANY_GROUPS) && word_at(t, ROOT) && !(word_at(t, ROOT) & ROOT_INITIAL))
			t->page->word[ROOT][t->i] &= ~ROOT_STALE;
		lanes = mask_drop(lanes);
	} else if (how == SAME_WAVE) {
		lanes &= ~mask_lane(word_lane(was));
	}
	if (lanes && !(enough && (now & MANY_ITEMS))) {
		now |= MANY_ITEMS;
		if (!(now & MANY_GROUPS))
			second = t->event << LANE_BITS | (enough ? mask_lowest(lanes) : mask_highest(lanes));
	}
	*word = now;
	if (second && words_for(t, READER_2))
		t->page->word[READER_2][t->i] = second;
}

static FORCE_INLINE void join_writer(RaceTouch *t, u32 lane)
{
	u32 *writer = &t->page->word[WRITER][t->i];
	if (*writer && words_for(t, BEFORE))
		t->page->word[BEFORE][t->i] = *writer;
	set_root(t, word_at(t, READER) ? ROOT_STALE : 0);
	*writer = t->event << LANE_BITS | lane;
}

static void keep(Looked *l)
{
	RaceTouch *t = l->t;
	const RacePlaces *s = l->shape;
	u64 page_end = 0;
	for (u32 k = 0; k < s->n; k++) {
		t->at = l->start + (u64)s->dword[k] * 4;
		for (u32 d = 0; d < s->dwords; d++, t->at += 4) {
			place_at(t, t->at, &page_end);
			if (t->kind == ACCESS_STORE)
				join_writer(t, mask_lowest(s->lanes[k]));
			else
				join_readers(l, s->lanes[k]);
		}
	}
	for (u32 i = 0; i < l->ntallies; i++)
		l->tally[i].f->count += l->tally[i].n;
	t->raced |= l->ntallies;
}

/* ---- the places of an access ---- */

/* Of a remembered shape, from its lowest address on. */
static void find_places(RacePlaces *s, const WaveAccess *x)
{
	s->n = 0;
	s->dwords = x->bytes / 4;
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m), k = 0,
		    at = (u32)((u64)(pattern_offset(x->p, lane, !x->lds) - x->p->low) / 4);
		while (k < s->n && s->dword[k] != at)
			k++;
		if (k == s->n) {
			s->dword[s->n] = at;
			s->count[s->n] = 0;
			s->lanes[s->n++] = 0;
		}
		s->lanes[k] |= mask_lane(lane);
		s->count[k]++;
	}
}

static const RacePlaces *places_of(RaceTouch *t)
{
	const WaveAccess *x = t->x;
	RacePlaces **s = &t->c->places[x->p - t->w->worker->patterns];
	if (!*s)
		*s = xmalloc(sizeof **s);
	else if (x->p->screened)
		return *s;
	find_places(*s, x);
	x->p->screened = true;
	return *s;
}

/* Are the dwords of two lanes the same, or apart? */
static bool apart(const WaveAccess *x)
{
	return x->bytes >= 4 && !(x->bytes & (x->bytes - 1)) && !(x->first & 3) && !(x->p->bits & (x->bytes - 1)) &&
	       x->p->high - x->p->low <= UINT32_MAX;
}

static bool touch(Looked *l, bool unless_raced)
{
	RaceTouch *t = l->t;
	if (t->kind == ACCESS_ATOMIC || t->c->sync || t->mem->any_within || t->c->agreed.n || !look(l) ||
	    (unless_raced && !l->ntallies))
		return false;
	keep(l);
	return true;
}

bool race_touch_places(RaceTouch *t)
{
	const WaveAccess *x = t->x;
	if (!apart(x))
		return false;
	Looked l = {.t = t, .shape = places_of(t), .start = x->first - t->base + (u64)x->p->low, .settle = x->bytes == 4};
	return touch(&l, false);
}

bool race_touch_run(RaceTouch *t, u64 at, u32 lane, u32 n)
{
	RacePlaces s = {.n = n, .dwords = 1};
	for (u32 k = 0; k < n; k++) {
		s.dword[k] = k;
		s.count[k] = 1;
		s.lanes[k] = mask_lane(lane + k);
	}
	Looked l = {.t = t, .shape = &s, .start = at};
	return touch(&l, false);
}

bool race_touch_one(RaceTouch *t, u64 at)
{
	const WaveAccess *x = t->x;
	RacePlaces s = {.n = 1, .dwords = x->bytes / 4, .lanes = {x->mask}, .count = {(u8)x->lanes}};
	Looked l = {.t = t, .shape = &s, .start = at};
	return !((at | x->bytes) & 3) && t->kind == ACCESS_LOAD && touch(&l, true);
}
