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

/* Of places m, whose words no barrier orders, those where a lane meets the access of the word. */
static Mask meet(Looked *l, const u32 *word, Mask m)
{
	Mask met = 0;
	for (Mask left = m; left;) {
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

/* Places whose words no barrier orders before the access; and those that stand for several accesses, some of them so.
 */
typedef struct Unordered {
	Mask one, several;
} Unordered;

static Unordered unordered(const Looked *l, const u32 *word)
{
	Mask since = words_since(l, word);
	return (Unordered){since | words_other(l, word),
	                   least(l, word, MANY_GROUPS, 1) | (since & least(l, word, MANY_ITEMS, 1))};
}

static void look_load(Looked *l, const Unordered *w)
{
	RaceRow *r = l->r;
	r->hard |= w->several;
	Mask met = meet(l, r->word[WRITER], w->one & ~r->hard);
	/* Where it may have read that value in any order, words of values tell (race_values.c). */
	r->hard |= met ? met & (r->agreed | least(l, r->word[ROOT], ITEM_MASK | ROOT_INITIAL, 1)) : 0;
}

static void look_store(Looked *l, const Unordered *w)
{
	RaceRow *r = l->r;
	const u32 *readers = r->word[READER], *second = r->word[READER_2];
	Unordered by = unordered(l, readers);
	r->hard |= r->shape->several | w->several;
	/* Where nothing was written to local memory, it is the same only if it has no value either. */
	if (r->same)
		r->hard |= r->same & (r->t->mem->lds && !unset_data(r->t->w, r->t->a)
		                          ? least(l, r->word[WRITER], ITEM_MASK, 1) : ~(Mask)0);
	meet(l, r->word[WRITER], w->one & ~r->hard);
	Mask met = meet(l, readers, by.one & ~r->hard), left = by.several & ~met & ~r->hard;
	if (left)
		meet(l, second, left & unordered(l, second).one);
}

static void count(const Looked *l)
{
	for (u32 i = 0; i < l->nfound; i++) {
		const Found *f = &l->found[i];
		Mask m = f->places & ~l->r->hard;
		Mask several = m & l->r->shape->several;
		f->f->count += mask_count(m & ~several);
		l->r->t->raced |= m != 0;
		if (!several)
			continue;
		if (l->r->t->kind == ACCESS_LOAD)
			for (Mask left = several; left; left = mask_drop(left))
				f->f->count += l->r->shape->nlanes[mask_lowest(left)];
		f->f->count -= mask_count(several & f->own);
	}
}

/* ---- what is remembered ---- */

static void set(const Looked *l, u32 *word, const u32 *to, Mask m)
{
	if (m)
		l->kit->blend(word, to, m, (l->n + LANE_CHUNK - 1) & ~(LANE_CHUNK - 1u), 4);
}

/* As words: the first lane of each place. */
static void items(const Looked *l, u32 *word)
{
	for (u32 k = 0; k < l->n; k++)
		word[k] = l->r->t->event << LANE_BITS | l->r->shape->lane[k];
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

static void keep_store(Looked *l, Mask m, Mask changed[WORDS])
{
	RaceRow *r = l->r;
	u32 item[MAX_WAVE];
	items(l, item);
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

/* One lane of a place after the other; of several the first two are enough, for they did the same. enough: places where
 * of more readers nothing is told, for no writer may meet them. */
static void keep_load(Looked *l, Mask m, Mask enough, Mask changed[WORDS])
{
	RaceRow *r = l->r;
	u32 *word = r->word[READER], *root = r->word[ROOT];
	u32 first[MAX_WAVE], now[MAX_WAVE], was[MAX_WAVE], second[MAX_WAVE], more[MAX_WAVE];
	Mask since = words_since(l, word);
	m &= ~(since & least(l, word, MANY_ITEMS, 1) & enough);
	if (!m)
		return;
	items(l, first);
	Mask other = m & ~since & words_other(l, word), fresh = m & ~since & ~other,
	     groups = least(l, word, MANY_GROUPS, 1), own = 0, several = r->shape->several;
	since &= m;
	for (Mask left = since & ~several & l->kit->agree32(word, l->n, WORD_LANE, r->shape->lane); left;) {
		u32 one = word[mask_lowest(left)];
		Mask same = left & l->kit->equal32(word, l->n, WORD_EVENT, one & WORD_EVENT);
		own |= same_wave(r->t, one) ? same : 0;
		left &= ~same;
	}
	/* This is the only reader now, and it reads what is there. */
	changed[ROOT] = fresh & ~groups & least(l, root, ROOT_STALE, 1) & ~least(l, root, ROOT_INITIAL, 1);
	set_flags(l, root, changed[ROOT], ROOT_STALE, 0);
	for (u32 k = 0; k < l->n; k++) {
		u32 next = r->shape->second[k];
		was[k] = word[k] & ITEM_MASK;
		now[k] = first[k] | (word[k] & MANY_GROUPS);
		second[k] = (first[k] & ~(u32)WORD_LANE) | next;
		more[k] = (word[k] & WORD_LANE) == next ? first[k] : second[k];
	}
	Mask join = since & ~own, replaced = fresh | other;
	set(l, r->word[READER_2], was, other);
	set(l, r->word[READER_2], more, join & ~groups);
	set(l, r->word[READER_2], second, fresh & several & ~groups);
	changed[READER_2] = other | ((join | (fresh & several)) & ~groups);
	set(l, word, now, replaced);
	set_flags(l, word, other, 0, MANY_GROUPS);
	set_flags(l, word, join | (replaced & several), 0, MANY_ITEMS);
	changed[READER] = m;
}

bool race_row(RaceRow *r, bool settle, bool unless_raced, Mask changed[WORDS])
{
	RaceTouch *t = r->t;
	Looked l;
	l.r = r;
	l.kit = t->w->code->kit;
	l.n = r->shape->n;
	l.nfound = 0;
	Mask all = mask_first(l.n);
	Unordered w = unordered(&l, r->word[WRITER]);
	if (t->kind == ACCESS_STORE)
		look_store(&l, &w);
	else
		look_load(&l, &w);
	r->hard &= all;
	if (r->hard == all || (unless_raced && !l.nfound))
		return false;
	count(&l);
	/* In local memory two readers are enough in any case. */
	if (t->kind == ACCESS_STORE)
		keep_store(&l, all & ~r->hard, changed);
	else
		keep_load(&l, all & ~r->hard, !settle ? 0 : t->mem->lds ? all : ~(w.one | w.several), changed);
	return true;
}
