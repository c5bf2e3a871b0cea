/* Races that change nothing (RACE_same_value): all that race store the value v, which the place has in any order.
 *
 * The writers of a place are all that wrote v with nothing to order them. A store that comes after all of them, or that
 * has another value, takes their place. BEFORE names who wrote the value before v.
 *
 * A race with a writer changes nothing if all of BEFORE come before it: else one of these may come last, and leave
 * another value than v. A read needs, besides, a write of v that is ordered before it, so that it finds v in any order:
 * one of the writers; one before them, which ROOT names; its own, in `agreed`, for there may be many; or v was there
 * when the launch began (ROOT_INITIAL). A store of v that races with a reader changes nothing if that one read v
 * (ROOT_STALE). */
#include "sim/race.h"

enum { MOST_AGREED = 1 << 20 }; /* of a work-group between two barriers: 24 MiB */

/* A work-item that wrote the value that is there, since the last barrier. */
struct RaceAgreed {
	u64 place;
	u32 item;
};

/* ---- what is stored, and what is there ---- */

const u8 *race_stored(const RaceTouch *t, u32 lane, u8 room_for[LARGEST_ACCESS])
{
	const Access *a = t->a;
	if (!t->x)
		return t->value;
	if (a->n == 1)
		return t->w->r + a->data[0] + (a->data_scalar[0] ? 0 : lane * a->elem_bytes);
	for (u32 i = 0; i < a->n; i++)
		memcpy(room_for + i * a->elem_bytes,
		       t->w->r + a->data[i] + (a->data_scalar[i] ? 0 : lane * a->elem_bytes), a->elem_bytes);
	return room_for;
}

const u8 *race_there(const RaceTouch *t, u32 writer, u8 room_for[LARGEST_ACCESS])
{
	u32 other = word_lane(writer);
	if (writer && t->x && (writer & ITEM_MASK) >> LANE_BITS == t->event && other < t->lane &&
	    (t->x->mask & mask_lane(other))) {
		u64 start = access_at(t->x, other) - t->base;
		if (start <= t->at && t->at < start + t->x->bytes)
			return race_stored(t, other, room_for) + (t->at - start);
	}
	return memory_at(t, t->at);
}

/* In local memory nothing was written there, or what a work-item had read where that is so: it was put back. */
static bool has_no_value(const RaceTouch *t, u32 writer)
{
	return t->mem->lds && (!writer || (word_at(t, ROOT) & ROOT_MIXED) == ROOT_INITIAL);
}

/* What atomics left counts as another value. Where there is no value, only what has none either is the same. */
bool race_stores_same(const RaceTouch *t)
{
	u32 writer = word_at(t, WRITER), inside = (u32)(t->at - t->start), left = t->bytes - inside;
	u8 before[LARGEST_ACCESS];
	if (!t->own || (!writer && word_at(t, ATOMIC)))
		return false;
	if (has_no_value(t, writer) &&
	    !(t->x && unset_byte(t->w, t->a, inside) & mask_lane(t->lane)))
		return false;
	return !memcmp(t->own + inside, race_there(t, writer, before), left < t->place ? left : t->place);
}

/* ---- own writes ---- */

/* LDS and the first segment do not meet. */
static u64 place_key(const RaceTouch *t) { return t->mem->lds ? ~t->at : t->base | t->at; }

static bool agreed(const RaceTouch *t, u32 wave, u32 lane, u64 *hash)
{
	const RaceCheck *c = t->c;
	u64 place = place_key(t);
	u32 item = wave * MAX_WAVE + lane;
	*hash = hash_mix((place + item * 0x2545F4914F6CDD1Du) * 0x9E3779B97F4A7C15u);
	for (u32 n = 0, i; hash_index_next(&c->agreed_index, *hash, &n, &i);)
		if (c->agreed.v[i].place == place && c->agreed.v[i].item == item)
			return true;
	return false;
}

static u64 place_bit(const RaceTouch *t) { return hash_mix(place_key(t) * 0x9E3779B97F4A7C15u) & 4095; }

bool race_may_agree(const RaceTouch *t)
{
	u64 bit = place_bit(t);
	return t->c->agreed.n && t->c->agreed_places[bit / 64] >> bit % 64 & 1;
}

static void agree(RaceTouch *t, u32 wave, u32 lane)
{
	RaceCheck *c = t->c;
	u64 hash;
	/* Without room a race is taken for one that matters. */
	if (c->agreed.n == MOST_AGREED || agreed(t, wave, lane, &hash))
		return;
	c->agreed_places[place_bit(t) / 64] |= (u64)1 << place_bit(t) % 64;
	hash_index_add(&c->agreed_index, hash, c->agreed.n);
	array_push(&c->agreed, ((RaceAgreed){place_key(t), wave * MAX_WAVE + lane}));
}

void race_values_clear(RaceCheck *c)
{
	if (!c->agreed.n)
		return;
	memset(c->agreed_index.slot, 0, c->agreed_index.slots * sizeof *c->agreed_index.slot);
	c->agreed_index.n = 0;
	memset(c->agreed_places, 0, sizeof c->agreed_places);
	c->agreed.n = 0;
}

void race_values_free(RaceCheck *c)
{
	array_free(&c->agreed);
	hash_index_free(&c->agreed_index);
}

/* ---- the value of a place ---- */

/* Its writers come before others that write the same value: ROOT names one of them. The oldest serve best. */
static void set_older(RaceTouch *t, u32 writer)
{
	u32 root = word_at(t, ROOT), item = root & ITEM_MASK;
	if (!(root & ROOT_INITIAL) && (!item || meets(t, item)))
		set_root(t, (root & ROOT_STALE) | (writer & ITEM_MASK));
}

void race_value_written(RaceTouch *t, bool raced)
{
	u32 writer = word_at(t, WRITER);
	if (!t->same) {
		if (writer && words_for(t, BEFORE))
			t->page->word[BEFORE][t->i] = writer;
		set_root(t, word_at(t, READER) ? ROOT_STALE : 0);
		return;
	}
	const RaceEvent *e = word_event(t, writer);
	if (writer && before_barrier(t, e))
		set_older(t, writer);
	if (raced) {
		if (since_barrier(t, e))
			agree(t, e->wave, word_lane(writer));
		agree(t, t->wave, t->lane);
	} else if (!writer) {
		set_root(t, ROOT_INITIAL);
	}
}

/* ---- a race ---- */

/* Are all of a word ordered before this access, even those that have no word of their own? */
static bool all_before(const RaceTouch *t, u32 word)
{
	if (!word)
		return true;
	if ((word & MANY_GROUPS) || ((word & MANY_ITEMS) && since_barrier(t, word_event(t, word))))
		return false;
	return !meets(t, word);
}

/* Does this read find the value that is there in any order? */
static bool finds_it(const RaceTouch *t)
{
	u32 root = word_at(t, ROOT), writer = word_at(t, WRITER), second = word_many(writer) ? word_at(t, WRITER_2) : 0;
	u64 hash;
	if (root & ROOT_INITIAL)
		return (root & ROOT_MIXED) != ROOT_MIXED;
	return ((root & ITEM_MASK) && !meets(t, root)) || !meets(t, writer) || (second && !meets(t, second)) ||
	       (t->c->agreed.n && agreed(t, t->wave, t->lane, &hash));
}

bool race_changes_nothing(const RaceTouch *t, u32 *word, AccessKind kind, bool *instead)
{
	if (kind == ACCESS_ATOMIC || t->kind == ACCESS_ATOMIC)
		return false;
	if (t->kind == ACCESS_STORE ? !t->same : !finds_it(t))
		return false;
	if (kind == ACCESS_LOAD)
		return !(word_at(t, ROOT) & ROOT_STALE);
	u32 before = word_at(t, BEFORE);
	*instead = !all_before(t, before);
	if (*instead && meets(t, before))
		*word = before;
	return !*instead;
}
