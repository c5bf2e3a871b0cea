/* Loads and stores of whole wavefronts.
 *
 * An address names its segment (isa.h), so one look at the first active lane
 * finds the bytes, and one pass over the row of addresses tells whether all
 * active lanes stay inside that segment and whether they are consecutive. Then a
 * row is copied or gathered at once. Everything else - lanes in several segments,
 * wild pointers, unfinished copies - goes lane by lane (memory_slow.c). */
#include "sim/memory.h"

static FORCE_INLINE u64 address_of(const u8 *row, u32 l, const bool wide)
{
	return wide ? ((const u64 *)(const void *)row)[l] : ((const u32 *)(const void *)row)[l];
}

/* The active lanes of an access that all lie in one segment. */
typedef struct Window {
	const u8 *row; /* addresses */
	u64 origin;    /* row[l] - origin = byte of lane l in data */
	u8 *data;
	u32 first, last; /* active lanes */
	bool run;        /* lane l is at first + l * bytes */
	bool solid;      /* the active lanes are consecutive */
} Window;

static FORCE_INLINE bool window_find(Wave *w, const Access *a, i64 k, bool write, const bool wide, Window *out)
{
	const Machine *m = w->worker->m;
	const u8 *row = w->r + a->address;
	Mask mask = w->mask;
	u32 f = mask_lowest(mask);
	u64 first = address_of(row, f, wide) + (u64)k;
	u64 number = wide ? first >> SEG_SHIFT : (u32)first >> SEG32_SHIFT;
	if (number >= (wide ? m->nsegs : m->nlds) || w->group->copies_pending)
		return false;
	const Seg *seg = wide ? &m->segs[number] : &m->lds_segs[number];
	if (seg->size < a->bytes || !(write ? seg->writable : seg->readable) ||
	    (first & (a->elem_bytes - 1u)))
		return false;
	Mask outside, differ;
	u64 base = number << (wide ? SEG_SHIFT : SEG32_SHIFT);
	const LaneKit *kit = w->code->kit;
	if (wide)
		kit->shape64((const u64 *)(const void *)row, w->n, base - (u64)k, seg->size - a->bytes,
		             first - (u64)k - (u64)f * a->bytes, a->bytes, &outside, &differ);
	else
		kit->shape32((const u32 *)(const void *)row, w->n, (u32)(base - (u64)k),
		             (u32)(seg->size - a->bytes), (u32)first - (u32)k - f * a->bytes, a->bytes, &outside,
		             &differ);
	if (outside & mask)
		return false;
	Mask shifted = mask >> f;
	*out = (Window){.row = row, .origin = wide ? base - (u64)k : (u32)(base - (u64)k),
	                .data = wide ? seg->data : w->group->lds + (size_t)seg->data, .first = f,
	                .run = !(differ & mask), .solid = !(shifted & (shifted + 1))};
	out->last = (u64)(mask >> 64) ? 127 - (u32)__builtin_clzll((u64)(mask >> 64))
	                              : 63 - (u32)__builtin_clzll((u64)mask);
	return true;
}

static FORCE_INLINE u8 *window_byte(const Window *v, u32 l, const bool wide)
{
	u64 a = address_of(v->row, l, wide) - v->origin;
	return v->data + (wide ? a : (u32)a);
}

static FORCE_INLINE void window_count(Wave *w, const Access *a, const Window *v, bool write, const bool wide)
{
	if (!wide) {
		u32 base = (u32)((size_t)(v->data - w->group->lds) - v->origin);
		count_lds(w, a, w->mask, (const u32 *)(const void *)v->row, base, write, false);
	} else if (v->run && v->solid) {
		u64 first = address_of(v->row, v->first, wide) - v->origin;
		count_lines_run(w, a, first, (u64)w->active * a->bytes, w->active);
	} else {
		count_lines(w, a, w->mask, (const u64 *)(const void *)v->row, 0 - v->origin);
	}
}

static FORCE_INLINE void copy_elem(u8 *to, const u8 *from, u32 bytes)
{
	switch (bytes) {
	case 1: *to = *from; break;
	case 2: memcpy(to, from, 2); break;
	case 4: memcpy(to, from, 4); break;
	case 8: memcpy(to, from, 8); break;
	default: memcpy(to, from, 16); break;
	}
}

/* Gather one element per lane for all computed lanes; lanes that are not active
 * read what the first active lane reads. */
static FORCE_INLINE void gather(Wave *w, u8 *d, const Window *v, u32 offset, u32 bytes, const bool wide)
{
	const LaneKit *kit = w->code->kit;
	u64 safe[MAX_WAVE];
	const u8 *row = v->row;
	if (w->active != w->n) {
		const u8 *on = wave_on(w);
		if (wide) {
			const u64 *a = (const u64 *)(const void *)row;
			u64 f = a[v->first];
			for (u32 l = 0; l < w->n; l++)
				safe[l] = on[l] ? a[l] : f;
		} else {
			const u32 *a = (const u32 *)(const void *)row;
			u32 f = a[v->first];
			for (u32 l = 0; l < w->n; l++)
				((u32 *)safe)[l] = on[l] ? a[l] : f;
		}
		row = (const u8 *)safe;
	}
	if (wide)
		kit->gather64(d, v->data + offset, (const u64 *)(const void *)row, v->origin, w->n, bytes);
	else
		kit->gather32(d, v->data + offset, (const u32 *)(const void *)row, (u32)v->origin, w->n, bytes);
}

static FORCE_INLINE const Step *ld_row(Wave *w, const Step *s, const bool wide)
{
	const Access *a = &w->code->accesses.v[s->x];
	Window v;
	if (UNLIKELY(!window_find(w, a, s->k, false, wide, &v)))
		return mem_ld_slow(w, s);
	window_count(w, a, &v, false, wide);
	u32 eb = a->elem_bytes;
	if (v.run && a->n == 1) {
		memcpy(w->r + a->data[0] + v.first * eb, window_byte(&v, v.first, wide), (v.last - v.first + 1) * eb);
		return s + 1;
	}
	if (w->active < 8) {
		for (Mask m = w->mask; m; m = mask_drop(m)) {
			u32 l = mask_lowest(m);
			const u8 *from = window_byte(&v, l, wide);
			for (u32 i = 0; i < a->n; i++)
				copy_elem(w->r + a->data[i] + l * eb, from + i * eb, eb);
		}
		return s + 1;
	}
	u64 addresses[MAX_WAVE];
	if (a->clash) {
		memcpy(addresses, v.row, w->n * (wide ? 8u : 4u));
		v.row = (const u8 *)addresses;
	}
	for (u32 i = 0; i < a->n; i++)
		gather(w, w->r + a->data[i], &v, i * eb, eb, wide);
	return s + 1;
}

static FORCE_INLINE const Step *st_row(Wave *w, const Step *s, const bool wide)
{
	const Access *a = &w->code->accesses.v[s->x];
	Window v;
	if (UNLIKELY(!window_find(w, a, s->k, true, wide, &v)))
		return mem_st_slow(w, s);
	window_count(w, a, &v, true, wide);
	u32 eb = a->elem_bytes;
	if (v.run && v.solid && a->n == 1 && !a->data_scalar[0]) {
		memcpy(window_byte(&v, v.first, wide), w->r + a->data[0] + v.first * eb, (v.last - v.first + 1) * eb);
		return s + 1;
	}
	for (u32 i = 0; i < a->n; i++) {
		const u8 *from = w->r + a->data[i];
		u32 step = a->data_scalar[i] ? 0 : eb;
		if (w->active == w->n) {
			for (u32 l = 0; l < w->n; l++)
				copy_elem(window_byte(&v, l, wide) + i * eb, from + l * step, eb);
		} else {
			for (Mask m = w->mask; m; m = mask_drop(m)) {
				u32 l = mask_lowest(m);
				copy_elem(window_byte(&v, l, wide) + i * eb, from + l * step, eb);
			}
		}
	}
	return s + 1;
}

static const Step *ld_global(Wave *w, const Step *s) { return ld_row(w, s, true); }
static const Step *ld_lds(Wave *w, const Step *s) { return ld_row(w, s, false); }
static const Step *st_global(Wave *w, const Step *s) { return st_row(w, s, true); }
static const Step *st_lds(Wave *w, const Step *s) { return st_row(w, s, false); }

/* One address for the whole wavefront: the bytes, or NULL when only the slow path can tell. */
static FORCE_INLINE u8 *same_address(Wave *w, const Access *a, i64 k, bool write, const bool wide, u64 *address)
{
	const Machine *m = w->worker->m;
	u64 at = address_of(w->r + a->address, 0, wide) + (u64)k;
	if (!wide)
		at = (u32)at;
	*address = at;
	u64 number = at >> (wide ? SEG_SHIFT : SEG32_SHIFT);
	if (number >= (wide ? m->nsegs : m->nlds) || w->group->copies_pending)
		return NULL;
	const Seg *seg = wide ? &m->segs[number] : &m->lds_segs[number];
	u64 offset = at - (number << (wide ? SEG_SHIFT : SEG32_SHIFT));
	if (offset > seg->size || seg->size - offset < a->bytes || (at & (a->elem_bytes - 1u)) ||
	    !(write ? seg->writable : seg->readable))
		return NULL;
	return (wide ? seg->data : w->group->lds + (size_t)seg->data) + offset;
}

static FORCE_INLINE void same_count(Wave *w, const Access *a, const u8 *at, u64 address, bool write, const bool wide)
{
	if (wide)
		count_lines_run(w, a, address, a->bytes, w->active);
	else
		count_lds_same(w, a, w->mask, (u32)(at - w->group->lds), write, false);
}

static FORCE_INLINE const Step *ld_same(Wave *w, const Step *s, const bool wide)
{
	const Access *a = &w->code->accesses.v[s->x];
	u64 address;
	const u8 *from = same_address(w, a, s->k, false, wide, &address);
	if (UNLIKELY(!from))
		return mem_ld_slow(w, s);
	same_count(w, a, from, address, false, wide);
	for (u32 i = 0; i < a->n; i++) {
		u32 lanes = a->data_scalar[i] ? 1 : w->n;
		for (u32 l = 0; l < lanes; l++)
			copy_elem(w->r + a->data[i] + l * a->elem_bytes, from + i * a->elem_bytes, a->elem_bytes);
	}
	return s + 1;
}

/* All active lanes write one place; the last one stays. */
static FORCE_INLINE const Step *st_same(Wave *w, const Step *s, const bool wide)
{
	const Access *a = &w->code->accesses.v[s->x];
	u64 address;
	u8 *to = same_address(w, a, s->k, true, wide, &address);
	if (UNLIKELY(!to))
		return mem_st_slow(w, s);
	same_count(w, a, to, address, true, wide);
	Mask high = w->mask >> 64;
	u32 last = (u64)high ? 127 - (u32)__builtin_clzll((u64)high) : 63 - (u32)__builtin_clzll((u64)w->mask);
	for (u32 i = 0; i < a->n; i++)
		copy_elem(to + i * a->elem_bytes,
		          w->r + a->data[i] + (a->data_scalar[i] ? 0 : last * a->elem_bytes), a->elem_bytes);
	return s + 1;
}

static const Step *ld_global_same(Wave *w, const Step *s) { return ld_same(w, s, true); }
static const Step *ld_lds_same(Wave *w, const Step *s) { return ld_same(w, s, false); }
static const Step *st_global_same(Wave *w, const Step *s) { return st_same(w, s, true); }
static const Step *st_lds_same(Wave *w, const Step *s) { return st_same(w, s, false); }

/* ---- private memory: dword d of lane l at (d * n + l) * 4 ---- */

/* Byte offset of address a in a lane's private memory, or UINT32_MAX when
 * [a, a + bytes) is not inside one variable. */
u32 private_offset(const Code *c, u32 a, u64 bytes)
{
	u32 number = a >> SEG32_SHIFT, offset = a & ((1u << SEG32_SHIFT) - 1);
	if (number >= c->npriv || offset > c->priv_size[number] || c->priv_size[number] - offset < bytes)
		return UINT32_MAX;
	return c->priv_offset[number] + offset;
}

/* One private address for all active lanes, dword-aligned: whole rows move. */
static FORCE_INLINE bool private_rows(Wave *w, const Access *a, i64 k, u32 *offset)
{
	const u32 *row = (const u32 *)(const void *)(w->r + a->address);
	u32 f = a->address_scalar ? 0 : mask_lowest(w->mask);
	*offset = private_offset(w->code, row[f] + (u32)k, a->bytes);
	if (*offset == UINT32_MAX || (*offset & 3) || a->elem_bytes < 4)
		return false;
	if (a->address_scalar)
		return true;
	Mask outside, differ;
	w->code->kit->shape32(row, w->n, 0, UINT32_MAX, row[f], 0, &outside, &differ);
	return !(differ & w->mask);
}

static const Step *ld_private(Wave *w, const Step *s)
{
	const Access *a = &w->code->accesses.v[s->x];
	u32 offset;
	if (!private_rows(w, a, s->k, &offset))
		return mem_ld_slow(w, s);
	u32 dwords = a->elem_bytes / 4;
	for (u32 i = 0; i < a->n; i++) {
		const u32 *from = (const u32 *)(const void *)w->priv + (offset / 4 + i * dwords) * w->n;
		u32 *to = (u32 *)(void *)(w->r + a->data[i]);
		for (u32 q = 0; q < dwords; q++)
			for (u32 l = 0; l < w->n; l++)
				to[l * dwords + q] = from[q * w->n + l];
	}
	return s + 1;
}

static const Step *st_private(Wave *w, const Step *s)
{
	const Access *a = &w->code->accesses.v[s->x];
	u32 offset;
	if (!private_rows(w, a, s->k, &offset))
		return mem_st_slow(w, s);
	u32 dwords = a->elem_bytes / 4;
	const u8 *on = wave_on(w);
	for (u32 i = 0; i < a->n; i++) {
		u32 *to = (u32 *)(void *)w->priv + (offset / 4 + i * dwords) * w->n;
		const u32 *from = (const u32 *)(const void *)(w->r + a->data[i]);
		u32 step = a->data_scalar[i] ? 0 : dwords;
		for (u32 q = 0; q < dwords; q++)
			for (u32 l = 0; l < w->n; l++)
				to[q * w->n + l] = on[l] ? from[l * step + q] : to[q * w->n + l];
	}
	return s + 1;
}

StepFn *mem_ld_fn(const Access *a)
{
	switch (a->space) {
	case SPACE_GLOBAL:
	case SPACE_CONSTANT: return a->address_scalar ? ld_global_same : ld_global;
	case SPACE_LDS: return a->address_scalar ? ld_lds_same : ld_lds;
	case SPACE_PRIVATE: return ld_private;
	default: return a->address_scalar ? ld_global_same : ld_global; /* flat: mostly global */
	}
}

StepFn *mem_st_fn(const Access *a)
{
	switch (a->space) {
	case SPACE_GLOBAL:
	case SPACE_CONSTANT: return a->address_scalar ? st_global_same : st_global;
	case SPACE_LDS: return a->address_scalar ? st_lds_same : st_lds;
	case SPACE_PRIVATE: return st_private;
	default: return a->address_scalar ? st_global_same : st_global;
	}
}
