/* An access of one lane, place by place: does it race, and what is remembered of it? */
#include "sim/race.h"

/* Does nothing order this access and one that the two words of a kind name? Reports the race. */
static bool against(RaceTouch *t, RaceWord k, AccessKind kind)
{
	u32 word = word_at(t, k);
	if (!word)
		return false;
	if (!meets(t, word)) {
		word = word_many(word) ? word_at(t, k + 1) : 0;
		if (!word || !meets(t, word))
			return false;
	}
	race_found(t, word, kind);
	return true;
}

/* Of several items of this work-group the second one is of another wavefront than the first, if any is: a barrier of
 * the sub-group may come to order those of one wavefront. */
static void join_second(RaceTouch *t, RaceWord k, u32 *word, const RaceEvent *first, u32 item)
{
	u32 was = *word, second = was & MANY_ITEMS ? word_at(t, k + 1) : 0;
	*word = was | MANY_ITEMS;
	if ((was & MANY_GROUPS) || !words_for(t, k + 1))
		return;
	const RaceEvent *e = word_event(t, second);
	bool other = second && since_barrier(t, e) && e->wave != first->wave;
	if (!other || !t->mem->any_within)
		t->page->word[k + 1][t->i] = item;
}

/* One more access of a kind. True: no other of this work-group is named, for there was none since the barrier. */
static bool join(RaceTouch *t, RaceWord k)
{
	u32 *word = words_for(t, k), item = t->event << LANE_BITS | t->lane, was;
	if (!word)
		return false;
	word += t->i;
	was = *word;
	if (!was) {
		*word = item;
		return true;
	}
	const RaceEvent *e = word_event(t, was);
	if (e->group != t->group) {
		*word = item | MANY_GROUPS;
		if (words_for(t, k + 1))
			t->page->word[k + 1][t->i] = was & ITEM_MASK;
		return false;
	}
	if (e->epoch != t->epoch) {
		*word = item | (was & MANY_GROUPS);
		return true;
	}
	bool own = e->wave == t->wave;
	if (own && e->within != t->mem->within[t->wave]) /* ordered before all that the wavefront does now */
		*word = item | (was & ~ITEM_MASK);
	else if (!own || word_lane(was) != t->lane)
		join_second(t, k, word, e, item);
	return false;
}

static void join_reader(RaceTouch *t)
{
	if (!join(t, READER) || (word_at(t, READER) & MANY_GROUPS))
		return;
	u32 root = word_at(t, ROOT); /* this is the only reader now, and it reads what is there */
	if (!(root & ROOT_INITIAL))
		set_root(t, root & ~ROOT_STALE);
}

/* raced: with the writers so far. */
static void join_writer(RaceTouch *t, bool raced)
{
	race_value_written(t, raced);
	if (t->same && raced)
		join(t, WRITER);
	else
		t->page->word[WRITER][t->i] = t->event << LANE_BITS | t->lane;
}

/* One place. */
static void touch(RaceTouch *t)
{
	t->same = t->kind == ACCESS_STORE && race_stores_same(t);
	bool raced = against(t, WRITER, ACCESS_STORE);
	if (t->kind != ACCESS_ATOMIC)
		against(t, ATOMIC, ACCESS_ATOMIC);
	if (t->kind != ACCESS_LOAD)
		against(t, READER, ACCESS_LOAD);
	if (t->kind == ACCESS_STORE) {
		join_writer(t, raced);
	} else if (t->kind == ACCESS_LOAD) {
		join_reader(t);
	} else {
		join(t, ATOMIC);
		if (word_at(t, WRITER))
			set_root(t, ROOT_MIXED);
	}
}

static void begin(RaceTouch *t, u32 lane, u64 start, u32 bytes, u8 room_for[LARGEST_ACCESS])
{
	t->lane = lane;
	t->start = start;
	t->bytes = bytes;
	t->own = t->kind == ACCESS_STORE ? race_stored(t, lane, room_for) : NULL;
}

/* Has the dword of bytes, of which i is the first, the same words for each? */
static bool is_whole(const RacePage *p, u32 i)
{
	u32 apart = 0;
	for (u32 k = 0; k < WORDS; k++)
		for (u32 j = 1; p->word[k] && j < 4; j++)
			apart |= p->word[k][i] ^ p->word[k][i + j];
	return !apart;
}

/* A dword of a page of bytes that was not accessed by bytes itself is one place, as in other pages: what is found does
 * not depend on what else lies in the page. */
static void touch_whole(RaceTouch *t)
{
	t->place = 4;
	touch(t);
	for (u32 k = 0; k < WORDS; k++)
		for (u32 j = 1; t->page->word[k] && j < 4; j++)
			t->page->word[k][t->i + j] = t->page->word[k][t->i];
}

/* The places from `at` to `end`. */
static void touch_all(RaceTouch *t, u64 at, u64 end)
{
	bool odd = (t->start | t->bytes) & 3;
	while (at < end) {
		u64 page_end = (at | (PAGE_BYTES - 1)) + 1, stop = page_end < end ? page_end : end;
		RacePage *p = t->page = race_page(t, at, odd);
		if (!p) {
			at = stop;
			continue;
		}
		for (; at < stop; at += t->place) {
			t->at = at;
			t->i = (u32)(at & (PAGE_BYTES - 1)) >> p->shift;
			t->place = 1u << p->shift;
			if (!odd && !p->shift && is_whole(p, t->i))
				touch_whole(t);
			else
				touch(t);
		}
	}
}

void race_touch_lane(RaceTouch *t, u32 lane, u64 at, u32 bytes)
{
	u8 value[LARGEST_ACCESS];
	begin(t, lane, at, bytes, value);
	touch_all(t, at, at + bytes);
}

void race_touch_dword(RaceTouch *t, u32 lane, u64 start, u32 bytes, u64 at)
{
	u8 value[LARGEST_ACCESS];
	begin(t, lane, start, bytes, value);
	touch_all(t, at, at + 4);
}
