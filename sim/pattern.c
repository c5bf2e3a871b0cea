/* Remembering shapes of wave accesses; see pattern.h. */
#include "sim/pattern.h"

static void bounds(Pattern *p, const Access *a, bool wide)
{
	bool same = true, run = true, dwords = a->elem_bytes == 4 && a->n == 1;
	p->low = p->high = 0;
	p->bits = 0;
	for (Mask m = p->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		i64 o = pattern_offset(p, l, wide);
		same &= o == 0;
		run &= o == (i64)(l - p->first) * a->bytes;
		dwords &= (o & 3) == 0;
		p->bits |= (u64)o;
		if (o < p->low)
			p->low = o;
		if (o > p->high)
			p->high = o;
	}
	p->high += a->bytes;
	p->shape = same ? SHAPE_SAME : run ? SHAPE_RUN
	           : dwords && p->high - p->low <= WINDOW * 4 ? SHAPE_WINDOW : SHAPE_ANY;
	if (p->shape == SHAPE_WINDOW) {
		memset(p->window, 0, sizeof p->window);
		for (Mask m = p->mask; m; m = mask_drop(m)) {
			u32 l = mask_lowest(m);
			p->window[l] = (u32)((pattern_offset(p, l, wide) - p->low) / 4);
		}
	}
}

static void find_pieces(Pattern *p, const Access *a)
{
	u32 n = 0;
	i64 end = 0;
	for (Mask m = p->mask; m; m = mask_drop(m)) {
		i64 o = (i64)p->offset.o64[mask_lowest(m)];
		if (!n || o != end) {
			if (n == MOST_PIECES) {
				p->npieces = 0;
				return;
			}
			p->piece[n++] = (PatternPiece){o, 0};
		}
		p->piece[n - 1].bytes += a->bytes;
		end = o + a->bytes;
	}
	p->npieces = n;
}

static void build(Pattern *p, Wave *w, const Access *a, const u8 *row, bool wide, u64 first)
{
	p->mask = w->mask;
	p->screened = false;
	p->first = mask_lowest(w->mask);
	p->last = mask_highest(w->mask);
	Mask shifted = w->mask >> p->first;
	p->solid = !(shifted & (shifted + 1));
	for (u32 l = 0; l < w->n; l++) {
		if (wide)
			p->offset.o64[l] = row_address(row, l, true) - first;
		else
			p->offset.o32[l] = (u32)row_address(row, l, false) - (u32)first;
	}
	bounds(p, a, wide);
	p->npieces = 0;
	if (wide)
		find_pieces(p, a);
}

/* What tells most shapes apart; not 0. */
static u64 key_of(const Wave *w, const u8 *row, bool wide, u32 first_lane, u64 first)
{
	u32 t = mask_highest(w->mask);
	u64 key = (u64)w->mask ^ (u64)(w->mask >> 64) ^ (row_address(row, t, wide) - first) * 0x9E3779B97F4A7C15u ^
	          (row_address(row, (first_lane + t) / 2, wide) - first) * 0xD6E8FEB86659FD93u;
	return key ? key : 1;
}

/* A new one takes the place of the oldest. */
Pattern *pattern_find(Wave *w, const Access *a, const u8 *row, bool wide)
{
	PatternRow *r = &w->worker->rows[a->row];
	Pattern *all = &w->worker->patterns[(size_t)a->row * PATTERNS];
	u32 f = mask_lowest(w->mask), way = 0;
	u64 first = row_address(row, f, wide), key = key_of(w, row, wide, f, first);
	while (way < PATTERNS && r->key[way] != key)
		way++;
	if (way < PATTERNS && all[way].mask == w->mask) {
		const LaneKit *kit = w->code->kit;
		Pattern *p = &all[way];
		Mask moved = wide ? kit->moved64((const u64 *)(const void *)row, w->n, first, p->offset.o64)
		                  : kit->moved32((const u32 *)(const void *)row, w->n, (u32)first, p->offset.o32);
		if (!(moved & w->mask))
			return p;
	}
	way = way < PATTERNS ? way : r->serial % PATTERNS;
	r->key[way] = key;
	all[way].way = (u8)way;
	all[way].serial = ++r->serial;
	build(&all[way], w, a, row, wide, first);
	return &all[way];
}
