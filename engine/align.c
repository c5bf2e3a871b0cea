/* Lines of two texts side by side: a patience diff.
 *
 * Lines that occur once in either text and are equal hold the texts together; of these the longest
 * run that is in order in both. Between them the same again. So the time grows with the lines, not
 * with their product; only short stretches without such lines are compared line by line. */
#include "engine/align.h"

enum { DEPTH = 40, SHORT = 64 };

typedef struct Text {
	const char **line;
	u32 *len, *id, n;
} Text;

typedef struct Align {
	Arena *arena;
	Text a, b;
	u32 nids;
	u32 *count_a, *count_b, *where; /* per id, of the stretch at hand */
	AlignRow *rows;
	u32 nrows;
} Align;

static void split(Align *x, Text *t, const char *s)
{
	for (const char *p = s; p && *p; p += *p == '\n')
		t->n++, p += strcspn(p, "\n");
	t->line = ARENA_ARRAY(x->arena, const char *, t->n + 1);
	t->len = ARENA_ARRAY(x->arena, u32, t->n + 1);
	t->id = ARENA_ARRAY(x->arena, u32, t->n + 1);
	u32 n = 0;
	for (const char *p = s; p && *p; n++) {
		size_t all = strcspn(p, "\n"), from = 0, to = all;
		while (from < to && strchr(" \t\r", p[from]))
			from++;
		while (to > from && strchr(" \t\r", p[to - 1]))
			to--;
		t->line[n] = p + from;
		t->len[n] = (u32)(to - from);
		p += all + (p[all] == '\n');
	}
}

static u64 hash_line(const char *s, u32 n)
{
	u64 h = n;
	for (u32 i = 0; i < n; i++)
		h = (h ^ (u8)s[i]) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

/* Equal lines get equal numbers. */
static void number(Align *x)
{
	u32 slots = 16;
	while (slots < 2 * (x->a.n + x->b.n) + 2)
		slots *= 2;
	u32 *slot = ARENA_ARRAY(x->arena, u32, slots);
	u32 *first = ARENA_ARRAY(x->arena, u32, x->a.n + x->b.n + 1); /* a line of each number */
	for (u32 i = 0; i < x->a.n + x->b.n; i++) {
		Text *t = i < x->a.n ? &x->a : &x->b;
		u32 k = i < x->a.n ? i : i - x->a.n;
		u32 h = (u32)(hash_line(t->line[k], t->len[k]) >> 20) & (slots - 1);
		for (; slot[h]; h = (h + 1) & (slots - 1)) {
			u32 f = first[slot[h] - 1];
			const Text *ft = f < x->a.n ? &x->a : &x->b;
			u32 fk = f < x->a.n ? f : f - x->a.n;
			if (ft->len[fk] == t->len[k] && !memcmp(ft->line[fk], t->line[k], t->len[k]))
				break;
		}
		if (!slot[h]) {
			first[x->nids] = i;
			slot[h] = ++x->nids;
		}
		t->id[k] = slot[h] - 1;
	}
}

static void put(Align *x, u32 before, u32 after) { x->rows[x->nrows++] = (AlignRow){before, after}; }

static void put_apart(Align *x, u32 a0, u32 a1, u32 b0, u32 b1)
{
	for (; a0 < a1; a0++)
		put(x, a0 + 1, 0);
	for (; b0 < b1; b0++)
		put(x, 0, b0 + 1);
}

/* The longest common subsequence of two short stretches. */
static void put_short_stretch(Align *x, u32 a0, u32 a1, u32 b0, u32 b1)
{
	static const u32 w = SHORT + 1;
	u32 na = a1 - a0, nb = b1 - b0;
	u8 best[(SHORT + 1) * (SHORT + 1)] = {0}; /* of the rest behind i, j */
	for (u32 i = na; i-- > 0;)
		for (u32 j = nb; j-- > 0;) {
			u8 skip = best[(i + 1) * w + j] > best[i * w + j + 1] ? best[(i + 1) * w + j]
			                                                       : best[i * w + j + 1];
			bool same = x->a.id[a0 + i] == x->b.id[b0 + j];
			best[i * w + j] = same ? (u8)(best[(i + 1) * w + j + 1] + 1) : skip;
		}
	u32 i = 0, j = 0;
	while (i < na && j < nb) {
		if (x->a.id[a0 + i] == x->b.id[b0 + j]) {
			put(x, a0 + i + 1, b0 + j + 1);
			i++, j++;
		} else if (best[(i + 1) * w + j] >= best[i * w + j + 1]) {
			put(x, a0 + i++ + 1, 0);
		} else {
			put(x, 0, b0 + j++ + 1);
		}
	}
	put_apart(x, a0 + i, a1, b0 + j, b1);
}

typedef struct LinePair {
	u32 a, b, back; /* back: the pair before it in the longest run, + 1 */
} LinePair;

/* Lines that are there once on both sides, in the order of a. */
static u32 find_unique(Align *x, u32 a0, u32 a1, u32 b0, u32 b1, LinePair *pair)
{
	u32 n = 0;
	for (u32 i = a0; i < a1; i++)
		x->count_a[x->a.id[i]]++;
	for (u32 i = b0; i < b1; i++) {
		x->count_b[x->b.id[i]]++;
		x->where[x->b.id[i]] = i;
	}
	for (u32 i = a0; i < a1; i++) {
		u32 id = x->a.id[i];
		if (x->count_a[id] == 1 && x->count_b[id] == 1)
			pair[n++] = (LinePair){i, x->where[id], 0};
	}
	for (u32 i = a0; i < a1; i++)
		x->count_a[x->a.id[i]] = 0;
	for (u32 i = b0; i < b1; i++)
		x->count_b[x->b.id[i]] = 0;
	return n;
}

/* Keep the longest run that rises in b; how many. */
static u32 longest_run(LinePair *pair, u32 n)
{
	u32 *top = xcalloc(n + 1, sizeof *top), piles = 0; /* per length: the pair with the least end */
	for (u32 i = 0; i < n; i++) {
		u32 lo = 0, hi = piles;
		while (lo < hi) {
			u32 mid = (lo + hi) / 2;
			if (pair[top[mid]].b < pair[i].b)
				lo = mid + 1;
			else
				hi = mid;
		}
		pair[i].back = lo ? top[lo - 1] + 1 : 0;
		top[lo] = i;
		piles += lo == piles;
	}
	LinePair *run = xmalloc((piles + 1) * sizeof *run);
	for (u32 k = piles, at = piles ? top[piles - 1] + 1 : 0; k-- > 0; at = pair[at - 1].back)
		run[k] = pair[at - 1];
	if (piles)
		memcpy(pair, run, piles * sizeof *run);
	free(run);
	free(top);
	return piles;
}

static void stretch(Align *x, u32 a0, u32 a1, u32 b0, u32 b1, u32 depth)
{
	while (a0 < a1 && b0 < b1 && x->a.id[a0] == x->b.id[b0])
		put(x, ++a0, ++b0);
	u32 end = 0;
	while (a0 + end < a1 && b0 + end < b1 && x->a.id[a1 - end - 1] == x->b.id[b1 - end - 1])
		end++;
	a1 -= end;
	b1 -= end;
	u32 n = 0;
	LinePair *pair = NULL;
	if (a0 < a1 && b0 < b1 && depth < DEPTH) {
		pair = xmalloc((a1 - a0) * sizeof *pair);
		n = longest_run(pair, find_unique(x, a0, a1, b0, b1, pair));
	}
	for (u32 i = 0; i < n; i++) {
		stretch(x, a0, pair[i].a, b0, pair[i].b, depth + 1);
		put(x, pair[i].a + 1, pair[i].b + 1);
		a0 = pair[i].a + 1;
		b0 = pair[i].b + 1;
	}
	free(pair);
	if (n)
		stretch(x, a0, a1, b0, b1, depth + 1);
	else if (a1 - a0 <= SHORT && b1 - b0 <= SHORT)
		put_short_stretch(x, a0, a1, b0, b1);
	else
		put_apart(x, a0, a1, b0, b1);
	for (u32 i = 0; i < end; i++)
		put(x, a1 + i + 1, b1 + i + 1);
}

u32 align_lines(const char *a, const char *b, Arena *arena, AlignRow **rows)
{
	Align x = {.arena = arena};
	split(&x, &x.a, a);
	split(&x, &x.b, b);
	number(&x);
	x.count_a = ARENA_ARRAY(arena, u32, x.nids + 1);
	x.count_b = ARENA_ARRAY(arena, u32, x.nids + 1);
	x.where = ARENA_ARRAY(arena, u32, x.nids + 1);
	x.rows = ARENA_ARRAY(arena, AlignRow, x.a.n + x.b.n + 1);
	stretch(&x, 0, x.a.n, 0, x.b.n, 0);
	*rows = x.rows;
	return x.nrows;
}
