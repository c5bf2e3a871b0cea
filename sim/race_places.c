/* The places of an access of a wavefront: which ones they are, with the lanes of each, and where their words lie
 * (race_row.c says what becomes of them). Lanes of a place that is hard take their turns (race_lane.c).
 *
 * What is not made of dwords, atomics, and kernels with fences or barriers of sub-groups are for race_lane.c, too. */
#include "sim/race.h"

/* The page that t->page is, of the place `at`; t->i: in its words. False: the place is hard. */
static FORCE_INLINE bool place_at(RaceTouch *t, u64 at, u64 *page)
{
	if (at >> PAGE_SHIFT != *page) {
		t->page = race_page(t, at, false);
		*page = at >> PAGE_SHIFT;
	}
	t->i = (u32)(at & (PAGE_BYTES - 1)) >> 2;
	return t->page && t->page->shift == 2 && !t->page->word[ATOMIC];
}

static bool kept(const RaceTouch *t, u32 k)
{
	return k < ATOMIC || k == ROOT || (k == BEFORE && t->kind == ACCESS_STORE);
}

/* The words of places that lie side by side in one page. */
static bool load_run(RaceRow *r, u64 start)
{
	RaceTouch *t = r->t;
	u32 n = r->shape->n;
	u64 page = ~(u64)0;
	if (!r->shape->solid || (start ^ (start + n * 4 - 1)) >> PAGE_SHIFT)
		return false;
	if (!place_at(t, start, &page)) {
		r->hard = ~(Mask)0;
		r->none = t->page ? 0 : ~(Mask)0;
		return true;
	}
	for (u32 k = 0; k < WORDS; k++) {
		const u32 *from = kept(t, k) ? t->page->word[k] : NULL;
		if (from)
			memcpy(r->word[k], from + t->i, n * sizeof *from);
		else if (kept(t, k))
			memset(r->word[k], 0, n * sizeof *from);
	}
	return true;
}

static void load_each(RaceRow *r, u64 start)
{
	RaceTouch *t = r->t;
	u64 page = ~(u64)0;
	for (u32 i = 0; i < r->shape->n; i++) {
		bool simple = place_at(t, start + (u64)r->shape->dword[i] * 4, &page);
		r->hard |= simple ? 0 : mask_lane(i);
		r->none |= t->page ? 0 : mask_lane(i);
		for (u32 k = 0; k < WORDS; k++)
			if (kept(t, k))
				r->word[k][i] = simple ? word_at(t, k) : 0;
	}
}

static void store_run(const RaceRow *r, u32 k)
{
	u32 *to = words_for(r->t, k);
	if (to)
		memcpy(to + r->t->i, r->word[k], r->shape->n * sizeof *to);
}

static void store_each(const RaceRow *r, u64 start, u32 k, Mask m)
{
	u64 page = ~(u64)0;
	for (; m; m = mask_drop(m)) {
		u32 i = mask_lowest(m);
		place_at(r->t, start + (u64)r->shape->dword[i] * 4, &page);
		u32 *to = words_for(r->t, k);
		if (to)
			to[r->t->i] = r->word[k][i];
	}
}

/* Where is what is stored there already? What several lanes store is not looked at. */
static Mask stores_same(RaceTouch *t, const RacePlaces *s, u64 start, u32 d)
{
	Mask same = 0;
	u8 room_for[LARGEST_ACCESS];
	const Access *a = t->a;
	bool row = t->x && a->elem_bytes == 4 && !a->data_scalar[d];
	u32 first = s->lane[0];
	if (row && s->solid && !s->several && s->lane[s->n - 1] == first + s->n - 1)
		return mask_first(s->n) &
		       t->w->code->kit->agree32((const u32 *)(const void *)(t->w->r + a->data[d]) + first, s->n, ~0u,
		                                (const u32 *)(const void *)memory_at(t, start));
	for (u32 k = 0; k < s->n; k++) {
		const u8 *value = row ? t->w->r + a->data[d] + (size_t)s->lane[k] * 4
		                      : race_stored(t, s->lane[k], room_for) + (size_t)d * 4;
		same |= memcmp(memory_at(t, start + (u64)s->dword[k] * 4), value, 4) ? 0 : mask_lane(k);
	}
	return same;
}

static Mask may_agree(RaceTouch *t, const RacePlaces *s, u64 start)
{
	Mask m = 0;
	for (u32 k = 0; t->c->agreed.n && k < s->n; k++) {
		t->at = start + (u64)s->dword[k] * 4;
		m |= race_may_agree(t) ? mask_lane(k) : 0;
	}
	return m;
}

/* Dword d of each lane's bytes; the first lane's begins at start. */
static bool touch_places(RaceTouch *t, const RacePlaces *s, u64 start, u32 bytes, u32 d, bool unless_raced)
{
	u64 at = start + (u64)d * 4;
	Mask changed[WORDS] = {0}, lanes = 0;
	RaceRow r; /* large: words are not set to 0 in vain */
	r.t = t;
	r.shape = s;
	r.hard = r.none = r.same = r.agreed = 0;
	bool run = load_run(&r, at);
	RacePage *page = t->page;
	u32 i = t->i;
	if (!run)
		load_each(&r, at);
	bool done = false;
	if (r.hard != ~(Mask)0) { /* else there are no words */
		if (t->kind == ACCESS_STORE)
			r.same = stores_same(t, s, at, d);
		else
			r.agreed = may_agree(t, s, at);
		done = race_row(&r, bytes == 4, unless_raced, changed);
	}
	if (!done && unless_raced)
		return false;
	for (u32 k = 0; done && k < WORDS; k++) {
		if (!changed[k])
			continue;
		t->page = page;
		t->i = i;
		if (run)
			store_run(&r, k);
		else
			store_each(&r, at, k, changed[k]);
	}
	for (u32 k = 0; r.hard && k < s->n; k++)
		lanes |= r.hard & ~r.none & mask_lane(k) ? s->lanes[k] : 0;
	for (; lanes; lanes = mask_drop(lanes)) {
		u32 lane = mask_lowest(lanes);
		u64 own = access_at(t->x, lane) - t->base;
		race_touch_dword(t, lane, own, bytes, own + (u64)d * 4);
	}
	return true;
}

/* ---- the places of an access ---- */

/* Of a remembered shape, from its lowest address on. */
static void find_places(RacePlaces *s, const WaveAccess *x)
{
	s->n = 0;
	s->several = 0;
	s->solid = true;
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m), k = 0,
		    at = (u32)((u64)(pattern_offset(x->p, lane, !x->lds) - x->p->low) / 4);
		while (k < s->n && s->dword[k] != at)
			k++;
		if (k < s->n) {
			s->several |= mask_lane(k);
			s->lanes[k] |= mask_lane(lane);
			s->nlanes[k]++;
			s->second[k] = s->second[k] == s->lane[k] ? lane : s->second[k];
			continue;
		}
		s->solid &= at == s->n;
		s->dword[s->n] = at;
		s->lane[s->n] = s->second[s->n] = lane;
		s->nlanes[s->n] = 1;
		s->lanes[s->n++] = mask_lane(lane);
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

static bool simple(const RaceTouch *t)
{
	return t->kind != ACCESS_ATOMIC && !t->c->sync && !t->mem->any_within;
}

bool race_touch_places(RaceTouch *t)
{
	const WaveAccess *x = t->x;
	/* The dwords of two lanes are the same, or apart. */
	if (!simple(t) || x->bytes < 4 || (x->bytes & (x->bytes - 1)) || (x->first & 3) ||
	    (x->p->bits & (x->bytes - 1)) || x->p->high - x->p->low > UINT32_MAX)
		return false;
	const RacePlaces *s = places_of(t);
	for (u32 d = 0; d < x->bytes / 4; d++)
		touch_places(t, s, x->first - t->base + (u64)x->p->low, x->bytes, d, false);
	return true;
}

bool race_touch_run(RaceTouch *t, u64 at, u32 lane, u32 n)
{
	RacePlaces s;
	if (!simple(t))
		return false;
	s.n = n;
	s.solid = true;
	s.several = 0;
	for (u32 k = 0; k < n; k++) {
		s.dword[k] = k;
		s.lane[k] = s.second[k] = lane + k;
		s.lanes[k] = mask_lane(lane + k);
		s.nlanes[k] = 1;
	}
	return touch_places(t, &s, at, 4, 0, false);
}

bool race_touch_one(RaceTouch *t, u64 at)
{
	const WaveAccess *x = t->x;
	RacePlaces s;
	if (!simple(t) || t->kind != ACCESS_LOAD || (at & 3) || x->bytes != 4)
		return false;
	s.n = 1;
	s.solid = true;
	s.several = x->lanes > 1;
	s.lane[0] = mask_lowest(x->mask);
	s.second[0] = mask_lowest(x->lanes > 1 ? mask_drop(x->mask) : x->mask);
	s.lanes[0] = x->mask;
	s.nlanes[0] = x->lanes;
	s.dword[0] = 0;
	return touch_places(t, &s, at, 4, 0, true);
}
