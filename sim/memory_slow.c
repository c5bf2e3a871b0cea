/* Memory lane by lane: any address space, any address. Every address is checked;
 * what leads nowhere becomes a finding, reads give 0 and writes are dropped. */
#include "sim/check_race.h"
#include "sim/check_unset.h"

/* What is wrong with [offset, offset + n) of a segment; FINDING_COUNT: nothing. before: if it is outside, that is in
 * front of the next one. */
static FindingKind seg_check(const Seg *seg, u64 offset, u64 n, bool before, bool write)
{
	if (offset > seg->size || seg->size - offset < n)
		return seg->guessed && !before ? FINDING_guessed_size : FINDING_out_of_bounds;
	if (write && !seg->writable)
		return FINDING_read_only;
	if (!write && !seg->readable)
		return FINDING_write_only;
	return FINDING_COUNT;
}

static FindingKind nowhere(u64 address, u64 null)
{
	return address == null || address < 4096 ? FINDING_null_access : FINDING_out_of_bounds;
}

static FindingKind global_find(const Wave *w, u64 n, bool write, Place *out)
{
	const Machine *m = w->worker->m;
	out->address = seg_address(m, out->address);
	u64 number = out->address >> SEG_SHIFT, offset = out->address & (((u64)1 << SEG_SHIFT) - 1);
	if (!number || number >= m->nsegs)
		return nowhere(out->address, 0);
	u8 *data = m->segs[number].data;
	out->bytes = data ? data + offset : NULL; /* of no bytes there are none */
	return seg_check(&m->segs[number], offset, n, offset >> (SEG_SHIFT - 1), write);
}

static FindingKind lds_find(const Wave *w, u64 n, bool write, Place *out)
{
	const Machine *m = w->worker->m;
	u64 number = out->address >> SEG32_SHIFT, offset = out->address & ((1u << SEG32_SHIFT) - 1);
	if (!number || number >= m->nlds)
		return nowhere(out->address, UINT32_MAX);
	out->bytes = w->group->lds + (size_t)m->lds_segs[number].data + offset;
	bool next_known = number + 1 < m->nlds && !m->lds_segs[number + 1].guessed;
	return seg_check(&m->lds_segs[number], offset, n, offset >> (SEG32_SHIFT - 1) && next_known, write);
}

static FindingKind private_find(const Wave *w, u64 n, Place *out)
{
	out->offset = private_offset(w->code, (u32)out->address, n);
	return out->offset == UINT32_MAX ? nowhere(out->address, UINT32_MAX) : FINDING_COUNT;
}

u32 place_space(u32 space, u64 *address)
{
	if (space == SPACE_FLAT) {
		u64 aperture = *address & APERTURE_MASK;
		space = aperture == APERTURE_LDS ? SPACE_LDS
		        : aperture == APERTURE_PRIVATE ? SPACE_PRIVATE : SPACE_GLOBAL;
	}
	bool narrow = space == SPACE_LDS || space == SPACE_PRIVATE;
	*address = narrow ? (u32)*address : *address;
	return narrow ? space : SPACE_GLOBAL;
}

FindingKind place_peek(const Wave *w, u32 space, u64 address, u64 n, bool write, Place *out)
{
	out->space = space = place_space(space, &address);
	out->address = address;
	return space == SPACE_LDS ? lds_find(w, n, write, out)
	       : space == SPACE_PRIVATE ? private_find(w, n, out) : global_find(w, n, write, out);
}

bool place_find(Wave *w, u32 space, u64 address, u64 n, bool write, u32 ins, u32 lane, Place *out)
{
	FindingKind kind = place_peek(w, space, address, n, write, out);
	if (copies_watched(w) && out->space != SPACE_PRIVATE)
		async_check(w, ins, lane, space, address, n, write);
	if (kind == FINDING_COUNT)
		return true;
	finding_memory(w, kind, ins, lane, out->space, out->address, n, write);
	return kind == FINDING_write_only; /* the bytes are there */
}

static u8 *private_byte(const Wave *w, u32 offset, u32 lane)
{
	return w->priv + ((offset / 4) * w->n + lane) * 4 + (offset & 3);
}

void place_read(const Wave *w, const Place *p, u32 lane, void *to, u64 n)
{
	if (p->space == SPACE_GLOBAL && w->worker->set)
		mark_read(w->worker->set, p->address, n);
	if (p->space != SPACE_PRIVATE) {
		memcpy(to, p->bytes, n);
		return;
	}
	for (u64 i = 0; i < n; i++)
		((u8 *)to)[i] = *private_byte(w, p->offset + (u32)i, lane);
}

void place_write(Wave *w, const Place *p, u32 lane, const void *from, u64 n)
{
	if (p->space == SPACE_GLOBAL && w->worker->set)
		mark_write(w->worker->set, p->address, n);
	if (p->space != SPACE_PRIVATE) {
		memcpy(p->bytes, from, n);
		return;
	}
	for (u64 i = 0; i < n; i++)
		*private_byte(w, p->offset + (u32)i, lane) = ((const u8 *)from)[i];
}

static void place_move(Wave *w, const Place *p, u32 lane, u8 *value, u64 n, bool write)
{
	if (write)
		place_write(w, p, lane, value, n);
	else
		place_read(w, p, lane, value, n);
}

static u64 lane_address(const Wave *w, const Access *a, i64 k, u32 lane)
{
	const u8 *row = w->r + a->address;
	u32 l = a->address_scalar ? 0 : lane;
	if (a->space == SPACE_LDS || a->space == SPACE_PRIVATE)
		return ((const u32 *)(const void *)row)[l] + (u32)k;
	return ((const u64 *)(const void *)row)[l] + (u64)k;
}

void reached_add(Reached *r, const Wave *w, const Place *p, u32 lane)
{
	if (p->space == SPACE_GLOBAL) {
		r->global |= mask_lane(lane);
		r->global_at[lane] = p->address;
	} else if (p->space == SPACE_LDS) {
		r->lds |= mask_lane(lane);
		r->lds_at[lane] = (u32)(p->bytes - w->group->lds);
	} else {
		r->private |= mask_lane(lane);
		r->private_at[lane] = p->offset;
	}
}

void reached_observe(const Reached *r, Wave *w, const Access *a, u32 bytes, AccessKind kind)
{
	WaveAccess x = {.a = a, .bytes = bytes, .kind = (u8)kind};
	if (r->global) {
		x.mask = r->global;
		x.lanes = mask_count(x.mask);
		x.at = r->global_at;
		x.first = x.at[mask_lowest(x.mask)];
		observe(w, &x, w->code->observed || a->image);
	}
	if (r->lds) {
		x.lds = true;
		x.mask = r->lds;
		x.lanes = mask_count(x.mask);
		x.at = NULL;
		x.lds_at = r->lds_at;
		x.first = x.lds_at[mask_lowest(x.mask)];
		observe(w, &x, w->code->observed || a->image);
	}
	if (r->private && UNLIKELY(w->recording))
		record_private(w, a, kind != ACCESS_LOAD, r->private, r->private_at, 0);
}

/* What one lane loads or stores: value. What can be reached of it is moved. */
static void lane_access(Wave *w, const Step *s, const Access *a, u32 lane, bool write, u8 *value, Reached *r)
{
	u64 address = lane_address(w, a, s->k, lane);
	u32 eb = a->elem_bytes;
	Place p;
	/* (A null pointer to LDS is all ones.) */
	if (address & (a->align - 1u) &&
	    place_peek(w, a->space, address, a->bytes, write, &p) != FINDING_null_access)
		finding_memory(w, FINDING_misaligned, s->ins, lane, a->space, address, a->bytes, write);
	if (place_find(w, a->space, address, a->bytes, write, s->ins, lane, &p)) {
		if (w->worker->races)
			race_lane(w, a, write ? ACCESS_STORE : ACCESS_LOAD, &p, lane, a->bytes, write ? value : NULL);
		if (w->worker->unset)
			unset_lane(w, a, write ? ACCESS_STORE : ACCESS_LOAD, &p, lane, a->bytes);
		place_move(w, &p, lane, value, a->bytes, write);
		reached_add(r, w, &p, lane);
		return;
	}
	for (u32 i = 0; i < a->n; i++)
		if (place_peek(w, a->space, address + i * eb, eb, write, &p) == FINDING_COUNT) {
			place_move(w, &p, lane, value + i * eb, eb, write);
			if (write && w->worker->debug)
				debug_moved(w, s->ins, &p, lane, eb);
		}
}

static const Step *access_slow(Wave *w, const Step *s, bool write)
{
	const Access *a = &w->code->accesses.v[s->x];
	Reached r = {0};
	u32 eb = a->elem_bytes;
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u8 value[LARGEST_ACCESS];
		memset(value, 0, a->bytes);
		for (u32 i = 0; i < a->n && write; i++)
			memcpy(value + i * eb, w->r + a->data[i] + (a->data_scalar[i] ? 0 : l * eb), eb);
		lane_access(w, s, a, l, write, value, &r);
		for (u32 i = 0; i < a->n && !write; i++)
			memcpy(w->r + a->data[i] + (a->data_scalar[i] ? 0 : l * eb), value + i * eb, eb);
	}
	reached_observe(&r, w, a, a->bytes, write ? ACCESS_STORE : ACCESS_LOAD);
	return s + 1;
}

const Step *mem_ld_slow(Wave *w, const Step *s) { return access_slow(w, s, false); }
const Step *mem_st_slow(Wave *w, const Step *s) { return access_slow(w, s, true); }
