/* An access of a wavefront place by place, with all lanes of a place at once: where every race that it is part of was
 * found before, so that it only counts. What is remembered is as lane by lane: see race_lane.c.
 *
 * First it is only looked at; where something is not as simple as this (values that agree, atomics, bytes), nothing is
 * done, and the lanes take their turns. */
#include "sim/race.h"

enum { MOST_TALLIES = 8 };

/* The races with one event. */
typedef struct Tally {
	u32 event, n;
	Finding *f;
} Tally;

typedef struct Looked {
	RaceTouch *t;
	const RacePlaces *shape;
	u64 start;   /* in the segment, of the shape */
	bool settle; /* two readers are enough where nothing races: see touch_lanes() */
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

/* The lanes that nothing orders after the access of word. */
static FORCE_INLINE Mask met(const RaceTouch *t, u32 word, Mask lanes)
{
	const RaceEvent *e = word_event(t, word);
	if (e->group != t->group)
		return lanes;
	if (e->epoch != t->epoch)
		return 0;
	return e->wave == t->wave ? lanes & ~mask_lane(word_lane(word)) : lanes;
}

/* So many more races with word; false: the first ones. */
static bool count(Looked *l, u32 word, Mask lanes)
{
	u32 event = (word & ITEM_MASK) >> LANE_BITS, i = 0;
	while (i < l->ntallies && l->tally[i].event != event)
		i++;
	if (i == MOST_TALLIES)
		return false;
	if (i == l->ntallies) {
		Finding *f = race_known(l->t, word);
		if (!f)
			return false;
		l->tally[l->ntallies++] = (Tally){.event = event, .f = f};
	}
	l->tally[i].n += mask_count(lanes);
	return true;
}

/* With word, or else with the second one of its kind. */
static FORCE_INLINE bool against(Looked *l, u32 word, RaceWord second, Mask lanes)
{
	Mask m = met(l->t, word, lanes);
	if (m && !count(l, word, m))
		return false;
	u32 other = lanes & ~m && word_many(word) ? word_at(l->t, second) : 0;
	m = other ? met(l->t, other, lanes & ~m) : 0;
	return !m || count(l, other, m);
}

static FORCE_INLINE bool look_read(Looked *l, Mask lanes)
{
	u32 w = word_at(l->t, WRITER);
	if (!w || (!word_many(w) && !met(l->t, w, lanes)))
		return true;
	/* Where it may have read that value in any order, it is told by words of values (race_values.c). */
	return !word_many(w) && !(word_at(l->t, ROOT) & (ITEM_MASK | ROOT_INITIAL)) && against(l, w, WRITER_2, lanes);
}

/* value: what the lane stores there. */
static FORCE_INLINE bool look_write(Looked *l, Mask lanes, const u8 *value)
{
	RaceTouch *t = l->t;
	u32 w = word_at(t, WRITER), r = word_at(t, READER);
	if ((w || !t->mem->lds) && !memcmp(memory_at(t, t->at), value, 4))
		return false;
	return (!w || against(l, w, WRITER_2, lanes)) && (!r || against(l, r, READER_2, lanes));
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
		if (t->kind == ACCESS_STORE && (s->lanes[k] & (s->lanes[k] - 1)))
			return false;
		if (t->kind == ACCESS_STORE)
			value = race_stored(t, t->lane, room_for);
		t->at = l->start + (u64)s->dword[k] * 4;
		for (u32 d = 0; d < s->dwords; d++, t->at += 4)
			if (!place_at(t, t->at, &page_end) ||
			    !(value ? look_write(l, s->lanes[k], value + d * 4) : look_read(l, s->lanes[k])))
				return false;
	}
	return true;
}

/* As join_reader() for one lane after the other. */
static FORCE_INLINE void join_readers(Looked *l, Mask lanes)
{
	RaceTouch *t = l->t;
	u32 *word = &t->page->word[READER][t->i], was = *word, now = was, w = word_at(t, WRITER),
	    lane = mask_lowest(lanes), item = t->event << LANE_BITS | lane, second = 0;
	const RaceEvent *e = word_event(t, was);
	bool fresh = !was || e->group != t->group || e->epoch != t->epoch;
	/* Nothing is told from more readers, if no writer may meet them. */
	bool enough = l->settle && (!w || (!(w & MANY_GROUPS) && before_barrier(t, word_event(t, w))));
	Mask rest = fresh ? mask_drop(lanes) : e->wave == t->wave ? lanes & ~mask_lane(word_lane(was)) : lanes;
	if (fresh && was && e->group != t->group) {
		now = item | MANY_GROUPS;
		second = was & ITEM_MASK;
	} else if (fresh) {
		now = item | (was & MANY_GROUPS);
		if (!(now & MANY_GROUPS) && !(word_at(t, ROOT) & ROOT_INITIAL))
			set_root(t, word_at(t, ROOT) & ~ROOT_STALE);
	}
	if (rest && !(enough && (now & MANY_ITEMS))) {
		now |= MANY_ITEMS;
		if (!(now & MANY_GROUPS))
			second = t->event << LANE_BITS | (enough ? mask_lowest(rest) : mask_highest(rest));
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
			s->lanes[s->n++] = 0;
		}
		s->lanes[k] |= mask_lane(lane);
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
		s.lanes[k] = mask_lane(lane + k);
	}
	Looked l = {.t = t, .shape = &s, .start = at};
	return touch(&l, false);
}

bool race_touch_one(RaceTouch *t, u64 at)
{
	const WaveAccess *x = t->x;
	RacePlaces s = {.n = 1, .dwords = x->bytes / 4, .dword = {0}, .lanes = {x->mask}};
	Looked l = {.t = t, .shape = &s, .start = at};
	return !((at | x->bytes) & 3) && t->kind == ACCESS_LOAD && touch(&l, true);
}
