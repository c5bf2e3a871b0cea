/* An access of a wavefront: where each lane has a dword of its own, one after the other, all at once; else lane by
 * lane, without those that change nothing. What is remembered is as lane by lane: see race_lane.c. */
#include "sim/race.h"

/* ---- many lanes at once ---- */

/* Are the n words those of consecutive lanes, or all nothing? */
static FORCE_INLINE bool consecutive(const u32 *w, u32 n)
{
	u32 bad = 0, step = w[0] ? 1 : 0;
	for (u32 k = 0; k < n; k++)
		bad |= w[k] ^ (w[0] + k * step);
	return !bad;
}

static FORCE_INLINE void fill(u32 *w, u32 first, u32 n)
{
	for (u32 k = 0; k < n; k++)
		w[k] = first + k;
}

/* n places are written, where nothing races: as join_writer() does. value: what is written there. */
static FORCE_INLINE bool write_run(RaceTouch *t, RacePage *p, u32 i, u32 n, u32 item, const u8 *value)
{
	u32 *w = p->word[WRITER] + i, was = w[0], stale = p->word[READER][i] ? ROOT_STALE : 0;
	bool same[1u << LANE_BITS], lds = t->mem->lds, older;
	Mask unset = lds && !was ? unset_data(t->w, t->a) : 0;
	for (u32 k = 0; lds && p->word[ROOT] && k < n; k++)
		if (p->word[ROOT][i + k] & ROOT_INITIAL) /* it has no value: race_values.c */
			return false;
	u32 some = 0;
	const u8 *there = memory_at(t, t->at);
	for (u32 k = 0; k < n; k++) {
		same[k] = !memcmp(there + k * 4, value + k * 4, 4);
		if (!was && same[k] && unset & mask_lane(t->lane + k))
			return false;
		same[k] &= was || !lds;
		some += same[k];
	}
	if (was && some < n && !words_for(t, BEFORE))
		return false;
	for (u32 k = 0; was && some < n && k < n; k++)
		p->word[BEFORE][i + k] = same[k] ? p->word[BEFORE][i + k] : w[k];
	older = was && before_barrier(t, word_event(t, was));
	if (!p->word[ROOT] && (stale || (some && (!was || older))) && !words_for(t, ROOT))
		return false;
	for (u32 k = 0; p->word[ROOT] && k < n; k++) {
		u32 *root = &p->word[ROOT][i + k];
		if (!same[k])
			*root = stale;
		else if (!was)
			*root = ROOT_INITIAL;
		else if (older && !(*root & (ROOT_INITIAL | ITEM_MASK)))
			*root |= w[k] & ITEM_MASK;
	}
	if (was != item)
		fill(w, item, n);
	return true;
}

/* n places are read, where nothing races: as join_reader() does. */
static FORCE_INLINE bool read_run(RaceTouch *t, RacePage *p, u32 i, u32 n, u32 item)
{
	u32 *r = p->word[READER] + i, *root = p->word[ROOT], was = r[0];
	const RaceEvent *e = word_event(t, was);
	if (!was || before_barrier(t, e)) {
		for (u32 k = i; root && !(was & MANY_GROUPS) && k < i + n; k++)
			root[k] &= root[k] & ROOT_INITIAL ? ~0u : ~ROOT_STALE;
		fill(r, item | (was & MANY_GROUPS), n);
	} else if (e->group != t->group) {
		return false;
	} else if ((e->wave != t->wave || word_lane(was) != t->lane) && !(was & MANY_ITEMS)) {
		fill(r, was | MANY_ITEMS, n);
		if (!(was & MANY_GROUPS) && words_for(t, READER_2))
			fill(p->word[READER_2] + i, item, n);
	}
	return true;
}

/* A dword each of n lanes from t->lane on, in one page: done, where what was there is of consecutive lanes, too, and
 * nothing races. value: what they store; NULL: nothing, or not side by side. */
static FORCE_INLINE bool touch_run(RaceTouch *t, RacePage *p, u32 i, u32 n, const u8 *value)
{
	u32 *w = p->word[WRITER] + i, *r = p->word[READER] + i, item = t->event << LANE_BITS | t->lane;
	if (t->mem->any_within || p->word[ATOMIC] || t->kind == ACCESS_ATOMIC || t->lane + n > 1u << LANE_BITS ||
	    !consecutive(w, n) || !consecutive(r, n) || word_many(w[0]))
		return false;
	if (w[0] && w[0] != item && meets(t, w[0]))
		return false;
	if (t->kind == ACCESS_LOAD)
		return read_run(t, p, i, n, item);
	const u32 *second = word_many(r[0]) && p->word[READER_2] ? p->word[READER_2] + i : NULL;
	if (!value || (r[0] && meets(t, r[0])))
		return false;
	if (second && (!consecutive(second, n) || (second[0] && meets(t, second[0]))))
		return false;
	return write_run(t, p, i, n, item, value);
}

/* A dword each, of one lane after the other. */
static void touch_dwords(RaceTouch *t, const WaveAccess *x, u64 at)
{
	const Access *a = x->a;
	u32 lane = x->p->first;
	bool row = t->kind == ACCESS_STORE && a->n == 1 && a->elem_bytes == 4 && !a->data_scalar[0];
	for (u32 left = x->lanes, n; left; left -= n, lane += n, at += n * 4) {
		u32 i = (u32)(at & (PAGE_BYTES - 1)) >> 2;
		n = PAGE_BYTES / 4 - i < left ? PAGE_BYTES / 4 - i : left;
		RacePage *p = t->page = race_page(t, at, false);
		if (!p)
			continue;
		t->lane = lane;
		t->at = at;
		if (p->shift == 2 && (touch_run(t, p, i, n, row ? t->w->r + a->data[0] + lane * 4 : NULL) ||
		                      race_touch_run(t, at, lane, n)))
			continue;
		for (u32 k = 0; k < n; k++)
			race_touch_lane(t, lane + k, at + k * 4, 4);
	}
}

/* ---- lane by lane ---- */

/* Events that lanes before met, so that they are not looked up again: a writer's before the last barrier, a reader's
 * after it. 0: none. */
typedef struct Met {
	u32 writer, reader;
} Met;

/* Does one more reader change nothing: the last write was before a barrier, and readers of several work-items are
 * noted? */
static FORCE_INLINE bool settled(const RaceTouch *t, const RacePage *p, u32 i, Met *met)
{
	u32 w = p->word[WRITER][i], r = p->word[READER][i], writer = w >> LANE_BITS,
	    reader = (r & ITEM_MASK) >> LANE_BITS;
	if (!(r & MANY_ITEMS) || t->mem->any_within)
		return false;
	if (w && writer != met->writer) {
		if ((w & MANY_GROUPS) || !before_barrier(t, word_event(t, w)))
			return false;
		met->writer = writer;
	}
	if (reader != met->reader) {
		if (!since_barrier(t, word_event(t, r)))
			return false;
		met->reader = reader;
	}
	return true;
}

static void touch_lanes(RaceTouch *t, const WaveAccess *x)
{
	Met met = {0};
	bool dwords = t->kind == ACCESS_LOAD && x->bytes == 4 && !((x->first | x->p->bits) & 3);
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u64 at = access_at(x, mask_lowest(m)) - t->base;
		const RacePage *p = dwords && t->mem->pages[t->seg] ? t->mem->pages[t->seg][at >> PAGE_SHIFT] : NULL;
		if (!p || p->shift != 2 || p->word[ATOMIC] || !settled(t, p, (u32)(at & (PAGE_BYTES - 1)) >> 2, &met))
			race_touch_lane(t, mask_lowest(m), at, x->bytes);
	}
}

/* One place for all lanes: of readers the first two matter, unless they race: others may not find what those find. */
static void touch_same(RaceTouch *t, const WaveAccess *x, u64 at)
{
	u32 n = 0;
	if (race_touch_one(t, at))
		return;
	for (Mask m = x->mask; m && (n < 2 || t->kind != ACCESS_LOAD || t->raced); m = mask_drop(m), n++)
		race_touch_lane(t, mask_lowest(m), at, x->bytes);
}

void race_touch_wave(RaceTouch *t)
{
	const WaveAccess *x = t->x;
	u64 at = x->first - t->base;
	if (!x->p || x->p->shape == SHAPE_SAME)
		touch_same(t, x, at);
	else if (x->p->shape == SHAPE_RUN && x->p->solid && x->bytes == 4 && !(at & 3))
		touch_dwords(t, x, at);
	else if (!race_touch_places(t))
		touch_lanes(t, x);
}
