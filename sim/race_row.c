/* The places of an access of a wavefront, side by side: what it races with, where every such race was found before, so
 * that it only counts; and what is remembered of it, as lane by lane (race_lane.c). All places are looked at at once: a
 * set of them is a mask.
 *
 * A place where something is not as simple (a race that is new, values that agree, several writers) is hard: nothing is
 * done there, and its lanes take their turns. */
#include "sim/race.h"

enum { MOST_FOUND = 64, WORD_EVENT = ITEM_MASK & ~((1u << LANE_BITS) - 1), WORD_LANE = (1u << LANE_BITS) - 1 };

/* A race that was found before, at so many places; own: there one of the lanes did the other access. */
typedef struct Found {
	Finding *f;
	Mask places, own;
} Found;

typedef struct Looked {
	RaceRow *r;
	const LaneKit *kit;
	u32 n, nfound;
	Found found[MOST_FOUND];
} Looked;

static Mask least(const Looked *l, const u32 *word, u32 bits, u32 limit)
{
	return l->kit->least32(word, l->n, bits, limit);
}

/* Places whose word is of this work-group since its last barrier, of any work-group that ran before. */
static Mask words_since(const Looked *l, const u32 *word)
{
	return least(l, word, ITEM_MASK, l->r->t->mem->since << LANE_BITS);
}

static Mask words_other(const Looked *l, const u32 *word)
{
	u32 begun = l->r->t->mem->begun;
	return begun == 1 ? 0 : least(l, word, ITEM_MASK, 1u << LANE_BITS) &
	                            ~least(l, word, ITEM_MASK, begun << LANE_BITS);
}

static bool same_wave(const RaceTouch *t, u32 word)
{
	const RaceEvent *e = word_event(t, word);
	return e->group == t->group && e->wave == t->wave;
}

/* Of places m, whose words are of the wavefront: those where one of the lanes did that. */
static Mask own_of(const Looked *l, const u32 *word, Mask m)
{
	const RacePlaces *s = l->r->shape;
	Mask own = m & l->kit->agree32(word, l->n, WORD_LANE, s->lane);
	for (Mask left = m & s->several; left; left = mask_drop(left)) {
		u32 k = mask_lowest(left);
		own |= s->lanes[k] & mask_lane(word_lane(word[k])) ? mask_lane(k) : 0;
	}
	return own;
}

static void note(Looked *l, u32 word, Mask places, Mask own)
{
	Finding *f = l->nfound < MOST_FOUND ? race_known(l->r->t, word) : NULL;
	if (f)
		l->found[l->nfound++] = (Found){f, places, own};
	else
		l->r->hard |= places;
}

/* Of places m, those where a lane meets the access of the word: nothing orders the two. */
static Mask meet(Looked *l, const u32 *word, Mask m)
{
	Mask met = 0;
	for (Mask left = m & (words_since(l, word) | words_other(l, word)); left;) {
		u32 one = word[mask_lowest(left)];
		Mask same = left & l->kit->equal32(word, l->n, WORD_EVENT, one & WORD_EVENT),
		     own = same_wave(l->r->t, one) ? own_of(l, word, same) : 0,
		     meets = same & (~own | l->r->shape->several);
		left &= ~same;
		if (meets)
			note(l, one, meets, own & meets);
		met |= meets;
	}
	return met;
}

static void look_load(Looked *l)
{
	RaceRow *r = l->r;
	const u32 *w = r->word[WRITER];
	r->hard |= least(l, w, MANY_GROUPS, 1) | (least(l, w, MANY_ITEMS, 1) & words_since(l, w));
	Mask met = meet(l, w, ~r->hard);
	/* Where it may have read that value in any order, words of values tell (race_values.c). */
	r->hard |= met ? met & (r->agreed | least(l, r->word[ROOT], ITEM_MASK | ROOT_INITIAL, 1)) : 0;
}

static void look_store(Looked *l)
{
	RaceRow *r = l->r;
	const u32 *w = r->word[WRITER], *readers = r->word[READER];
	r->hard |= r->shape->several | least(l, w, MANY_GROUPS, 1) | (least(l, w, MANY_ITEMS, 1) & words_since(l, w)) |
	           (r->same & (r->t->mem->lds ? least(l, w, ITEM_MASK, 1) : ~(Mask)0));
	meet(l, w, ~r->hard);
	Mask met = meet(l, readers, ~r->hard);
	meet(l, r->word[READER_2], ~r->hard & ~met & least(l, readers, MANY_ITEMS | MANY_GROUPS, MANY_ITEMS));
}

static void count(const Looked *l)
{
	for (u32 i = 0; i < l->nfound; i++) {
		const Found *f = &l->found[i];
		Mask m = f->places & ~l->r->hard;
		f->f->count += mask_count(m & ~l->r->shape->several);
		if (l->r->t->kind == ACCESS_LOAD)
			for (Mask left = m & l->r->shape->several; left; left = mask_drop(left))
				f->f->count += mask_count(l->r->shape->lanes[mask_lowest(left)]);
		f->f->count -= mask_count(m & f->own & l->r->shape->several);
		l->r->t->raced |= m != 0;
	}
}

/* ---- what is remembered ---- */

static void set(const Looked *l, u32 *word, const u32 *to, Mask m)
{
	if (m)
		l->kit->blend(word, to, m, (l->n + LANE_CHUNK - 1) & ~(LANE_CHUNK - 1u), 4);
}

static void set_flags(const Looked *l, u32 *word, Mask m, u32 clear, u32 flags)
{
	u32 to[MAX_WAVE];
	if (!m)
		return;
	for (u32 k = 0; k < l->n; k++)
		to[k] = (word[k] & ~clear) | flags;
	set(l, word, to, m);
}

static void keep_store(Looked *l, const u32 *item, Mask m, Mask changed[WORDS])
{
	RaceRow *r = l->r;
	Mask was = m & least(l, r->word[WRITER], ITEM_MASK, 1), read = m & least(l, r->word[READER], ITEM_MASK, 1),
	     root = m & least(l, r->word[ROOT], ~0u, 1);
	u32 stale[MAX_WAVE];
	set(l, r->word[BEFORE], r->word[WRITER], was);
	for (u32 k = 0; k < l->n; k++)
		stale[k] = r->word[READER][k] ? ROOT_STALE : 0;
	set(l, r->word[ROOT], stale, m);
	set(l, r->word[WRITER], item, m);
	changed[BEFORE] = was;
	changed[ROOT] = read | root;
	changed[WRITER] = m;
}

/* Several lanes read the place: one after the other. How: their first one finds its word replaced; not even that;
 * own: one of them is the reader already. */
typedef enum { READ_FRESH, READ_OTHER, READ_SINCE } Read;

static void keep_several(Looked *l, u32 k, Read how, bool own, bool enough, Mask changed[WORDS])
{
	RaceRow *r = l->r;
	u32 *word = &r->word[READER][k], event = r->t->event << LANE_BITS;
	Mask lanes = r->shape->lanes[k];
	if (how != READ_SINCE) {
		*word = event | r->shape->lane[k] | (how == READ_OTHER ? MANY_GROUPS : *word & MANY_GROUPS);
		lanes = mask_drop(lanes);
	} else if (own) {
		lanes &= ~mask_lane(word_lane(*word));
	}
	if (!lanes || (enough && (*word & MANY_ITEMS)))
		return;
	*word |= MANY_ITEMS;
	if (*word & MANY_GROUPS)
		return;
	r->word[READER_2][k] = event | (enough ? mask_lowest(lanes) : mask_highest(lanes));
	changed[READER_2] |= mask_lane(k);
}

/* settle: of more readers nothing is told, where no writer may meet them. */
static void keep_load(Looked *l, const u32 *item, Mask m, bool settle, Mask changed[WORDS])
{
	RaceRow *r = l->r;
	u32 *word = r->word[READER], *root = r->word[ROOT], now[MAX_WAVE], was[MAX_WAVE];
	const u32 *w = r->word[WRITER];
	Mask since = m & words_since(l, word), other = m & ~since & words_other(l, word), fresh = m & ~since & ~other,
	     groups = least(l, word, MANY_GROUPS, 1), items = least(l, word, MANY_ITEMS, 1), own = 0,
	     enough = settle ? ~(words_since(l, w) | words_other(l, w) | least(l, w, MANY_GROUPS, 1)) : 0;
	for (Mask left = since & (r->shape->several | l->kit->agree32(word, l->n, WORD_LANE, r->shape->lane)); left;) {
		u32 one = word[mask_lowest(left)];
		Mask same = left & l->kit->equal32(word, l->n, WORD_EVENT, one & WORD_EVENT);
		own |= same_wave(r->t, one) ? own_of(l, word, same) : 0;
		left &= ~same;
	}
	/* This is the only reader now, and it reads what is there. */
	changed[ROOT] = fresh & ~groups & least(l, root, ROOT_STALE, 1) & ~least(l, root, ROOT_INITIAL, 1);
	set_flags(l, root, changed[ROOT], ROOT_STALE, 0);
	for (u32 k = 0; k < l->n; k++) {
		was[k] = word[k] & ITEM_MASK;
		now[k] = item[k] | (word[k] & MANY_GROUPS);
	}
	Mask one = ~r->shape->several, join = since & one & ~own & ~(enough & items), second = join & ~groups;
	set(l, r->word[READER_2], was, other & one);
	set(l, r->word[READER_2], item, second);
	changed[READER_2] = (other & one) | second;
	set_flags(l, word, join, 0, MANY_ITEMS);
	set(l, word, now, fresh & one);
	set(l, word, now, other & one);
	set_flags(l, word, other & one, 0, MANY_GROUPS);
	changed[READER] = m;
	for (Mask left = m & r->shape->several; left; left = mask_drop(left)) {
		u32 k = mask_lowest(left);
		Mask bit = mask_lane(k);
		if (other & bit) {
			r->word[READER_2][k] = was[k];
			changed[READER_2] |= bit;
		}
		keep_several(l, k, fresh & bit ? READ_FRESH : other & bit ? READ_OTHER : READ_SINCE, own & bit, enough & bit,
		             changed);
	}
}

bool race_row(RaceRow *r, bool settle, bool unless_raced, Mask changed[WORDS])
{
	RaceTouch *t = r->t;
	Looked l = {.r = r, .kit = t->w->code->kit, .n = r->shape->n};
	u32 item[MAX_WAVE];
	Mask all = mask_first(l.n);
	if (t->kind == ACCESS_STORE)
		look_store(&l);
	else
		look_load(&l);
	r->hard &= all;
	if (r->hard == all || (unless_raced && !l.nfound))
		return false;
	count(&l);
	for (u32 k = 0; k < l.n; k++)
		item[k] = t->event << LANE_BITS | r->shape->lane[k];
	if (t->kind == ACCESS_STORE)
		keep_store(&l, item, all & ~r->hard, changed);
	else
		keep_load(&l, item, all & ~r->hard, settle, changed);
	return true;
}
