/* Loads and stores of whole wavefronts.
 *
 * An address names its segment (isa.h), so one look at the first active lane
 * finds the bytes, and the shape of the row of addresses (pattern.h) decides whether
 * all active lanes stay inside that segment and how to move them. Everything else - lanes in several segments,
 * wild pointers, unfinished copies - goes lane by lane (memory_slow.c). */
#include "sim/memory.h"

/* An access whose active lanes all lie in one segment. */
typedef struct Window {
	Pattern *p;
	u8 *at; /* the bytes of the first active lane */
} Window;

static FORCE_INLINE bool window_find(Wave *w, const Access *a, i64 k, const bool write, const bool wide,
                                     const bool observed, Window *out)
{
	const Machine *m = w->worker->m;
	const u8 *row = w->r + a->address;
	u64 first = row_address(row, mask_lowest(w->mask), wide) + (u64)k;
	first = wide ? seg_address(m, first) : (u32)first;
	u64 number = first >> (wide ? SEG_SHIFT : SEG32_SHIFT);
	if (number >= (wide ? m->nsegs : m->nlds) || copies_watched(w)) {
		w->worker->rows[a->row].wave = NULL; /* it was not looked at */
		return false;
	}
	const Seg *seg = wide ? &m->segs[number] : &m->lds_segs[number];
	Pattern *p = pattern_of(w, a, row, wide);
	i64 offset = (i64)(first - (number << (wide ? SEG_SHIFT : SEG32_SHIFT)));
	if (offset + p->low < 0 || offset + p->high > (i64)seg->size || ((first | p->bits) & (a->align - 1u)) ||
	    !(write ? seg->writable : seg->readable))
		return false;
	out->p = p;
	out->at = (wide ? seg->data : w->group->lds + (size_t)seg->data) + offset;
	observe(w, &(WaveAccess){.a = a, .bytes = a->bytes, .kind = write ? ACCESS_STORE : ACCESS_LOAD, .lds = !wide,
	                         .mask = w->mask, .lanes = w->active, .p = p,
	                         .first = wide ? first : (u64)(out->at - w->group->lds)}, observed);
	return true;
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

static FORCE_INLINE void copy_lane(u8 *reg, u8 *at, u32 bytes, const bool write)
{
	copy_elem(write ? at : reg, write ? reg : at, bytes);
}

/* The elements of the active lanes, from or to memory `at` + the lane's offset; lane l's is at reg + l * step. */
static FORCE_INLINE void move_bytes(u8 *reg, u32 step, u8 *at, const Pattern *p, const u32 eb, const bool wide,
                                    const bool write)
{
	if (p->solid) {
		for (u32 l = p->first; l <= p->last; l++)
			copy_lane(reg + l * step, at + pattern_offset(p, l, wide), eb, write);
		return;
	}
	for (Mask m = p->mask; m; m = mask_drop(m))
		copy_lane(reg + mask_lowest(m) * step, at + pattern_offset(p, mask_lowest(m), wide), eb, write);
}

static void move_lanes(u8 *reg, u32 step, u8 *at, const Pattern *p, u32 eb, const bool wide, const bool write)
{
	switch (eb) {
	case 1: move_bytes(reg, step, at, p, 1, wide, write); break;
	case 2: move_bytes(reg, step, at, p, 2, wide, write); break;
	case 4: move_bytes(reg, step, at, p, 4, wide, write); break;
	case 8: move_bytes(reg, step, at, p, 8, wide, write); break;
	default: move_bytes(reg, step, at, p, 16, wide, write); break;
	}
}

/* The same where consecutive lanes have one element each, in few pieces; reg: the first lane's. */
static void move_pieces(u8 *reg, u8 *at, const Pattern *p, const bool write)
{
	for (u32 i = 0; i < p->npieces; i++) {
		u8 *piece = at + p->piece[i].offset;
		u64 bytes = p->piece[i].bytes;
		memcpy(write ? piece : reg, write ? reg : piece, bytes);
		reg += bytes;
	}
}

static FORCE_INLINE bool in_pieces(const Pattern *p, const Access *a) { return p->npieces && p->solid && a->n == 1; }

static FORCE_INLINE const Step *ld_row(Wave *w, const Step *s, const bool wide, const bool observed)
{
	const Access *a = &w->code->accesses.v[s->x];
	Window v;
	if (UNLIKELY(!window_find(w, a, s->k, false, wide, observed, &v)))
		return mem_ld_slow(w, s);
	const Pattern *p = v.p;
	u32 eb = a->elem_bytes;
	if (p->shape == SHAPE_RUN && a->n == 1) /* lanes in between are inactive, their bytes are inside too */
		memcpy(w->r + a->data[0] + p->first * eb, v.at, (p->last - p->first + 1) * eb);
	else if (p->shape == SHAPE_WINDOW)
		w->code->kit->permute((u32 *)(void *)(w->r + a->data[0]), (const u32any *)(v.at + p->low),
		                      (u32)(p->high - p->low) / 4, p->window, w->n);
	else if (in_pieces(p, a))
		move_pieces(w->r + a->data[0] + p->first * eb, v.at, p, false);
	else
		for (u32 i = 0; i < a->n; i++)
			move_lanes(w->r + a->data[i], eb, v.at + i * eb, p, eb, wide, false);
	return s + 1;
}

static FORCE_INLINE const Step *st_row(Wave *w, const Step *s, const bool wide, const bool observed)
{
	const Access *a = &w->code->accesses.v[s->x];
	Window v;
	if (UNLIKELY(!window_find(w, a, s->k, true, wide, observed, &v)))
		return mem_st_slow(w, s);
	const Pattern *p = v.p;
	u32 eb = a->elem_bytes;
	if (p->shape == SHAPE_RUN && p->solid && a->n == 1 && !a->data_scalar[0]) {
		memcpy(v.at, w->r + a->data[0] + p->first * eb, (p->last - p->first + 1) * eb);
		return s + 1;
	}
	if (in_pieces(p, a) && !a->data_scalar[0]) {
		move_pieces(w->r + a->data[0] + p->first * eb, v.at, p, true);
		return s + 1;
	}
	for (u32 i = 0; i < a->n; i++)
		move_lanes(w->r + a->data[i], a->data_scalar[i] ? 0 : eb, v.at + i * eb, p, eb, wide, true);
	return s + 1;
}

/* One address for the whole wavefront: the bytes, or NULL when it takes the slow path. */
static FORCE_INLINE u8 *same_address(Wave *w, const Access *a, i64 k, const bool write, const bool wide,
                                     const bool observed)
{
	const Machine *m = w->worker->m;
	u64 at = row_address(w->r + a->address, 0, wide) + (u64)k;
	at = wide ? seg_address(m, at) : (u32)at;
	u64 number = at >> (wide ? SEG_SHIFT : SEG32_SHIFT);
	if (number >= (wide ? m->nsegs : m->nlds) || copies_watched(w))
		return NULL;
	const Seg *seg = wide ? &m->segs[number] : &m->lds_segs[number];
	u64 offset = at - (number << (wide ? SEG_SHIFT : SEG32_SHIFT));
	if (offset > seg->size || seg->size - offset < a->bytes || (at & (a->align - 1u)) ||
	    !(write ? seg->writable : seg->readable))
		return NULL;
	u8 *bytes = (wide ? seg->data : w->group->lds + (size_t)seg->data) + offset;
	observe(w, &(WaveAccess){.a = a, .bytes = a->bytes, .kind = write ? ACCESS_STORE : ACCESS_LOAD, .lds = !wide,
	                         .mask = w->mask, .lanes = w->active,
	                         .first = wide ? at : (u64)(bytes - w->group->lds)}, observed);
	return bytes;
}

static FORCE_INLINE const Step *ld_same(Wave *w, const Step *s, const bool wide, const bool observed)
{
	const Access *a = &w->code->accesses.v[s->x];
	const u8 *from = same_address(w, a, s->k, false, wide, observed);
	if (UNLIKELY(!from))
		return mem_ld_slow(w, s);
	for (u32 i = 0; i < a->n; i++) {
		u32 lanes = a->data_scalar[i] ? 1 : w->n;
		for (u32 l = 0; l < lanes; l++)
			copy_elem(w->r + a->data[i] + l * a->elem_bytes, from + i * a->elem_bytes, a->elem_bytes);
	}
	return s + 1;
}

/* All active lanes write one place; the last one stays. */
static FORCE_INLINE const Step *st_same(Wave *w, const Step *s, const bool wide, const bool observed)
{
	const Access *a = &w->code->accesses.v[s->x];
	u8 *to = same_address(w, a, s->k, true, wide, observed);
	if (UNLIKELY(!to))
		return mem_st_slow(w, s);
	u32 last = mask_highest(w->mask);
	for (u32 i = 0; i < a->n; i++)
		copy_elem(to + i * a->elem_bytes,
		          w->r + a->data[i] + (a->data_scalar[i] ? 0 : last * a->elem_bytes), a->elem_bytes);
	return s + 1;
}

/* Of each: in LDS and in global memory (wide), plain and observed. */
#define STEP(body, wide, observed) \
	static const Step *body##_##wide##observed(Wave *w, const Step *s) { return body(w, s, wide, observed); }
#define STEPS(body) \
	STEP(body, 0, 0) STEP(body, 0, 1) STEP(body, 1, 0) STEP(body, 1, 1) \
	static StepFn *const body##_fn[2][2] = {{body##_00, body##_01}, {body##_10, body##_11}};
STEPS(ld_row)
STEPS(ld_same)
STEPS(st_row)
STEPS(st_same)

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
	static const u32 nowhere[MAX_WAVE]; /* every lane where the first one is */
	return a->address_scalar || !(w->code->kit->moved32(row, w->n, row[f], nowhere) & w->mask);
}

static const Step *ld_private(Wave *w, const Step *s)
{
	const Access *a = &w->code->accesses.v[s->x];
	u32 offset;
	if (!private_rows(w, a, s->k, &offset))
		return mem_ld_slow(w, s);
	if (UNLIKELY(w->recording))
		record_private(w, a, false, w->mask, NULL, offset);
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
	if (UNLIKELY(w->recording))
		record_private(w, a, true, w->mask, NULL, offset);
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

/* A flat address is global most of the time. */
StepFn *mem_ld_fn(const Access *a, bool observed)
{
	if (a->space == SPACE_PRIVATE)
		return ld_private;
	return (a->address_scalar ? ld_same_fn : ld_row_fn)[a->space != SPACE_LDS][observed];
}

StepFn *mem_st_fn(const Access *a, bool observed)
{
	if (a->space == SPACE_PRIVATE)
		return st_private;
	return (a->address_scalar ? st_same_fn : st_row_fn)[a->space != SPACE_LDS][observed];
}
