/* Uninitialised values: accesses of a wavefront, all lanes at once where that is possible. */
#include "sim/unset.h"

static u8 *flag_at(const WaveAccess *x, u8 *flags, u32 shift, u32 lane)
{
	return flags + ((i64)(access_at(x, lane) - x->first) >> shift);
}

static Place place_of(const Wave *w, const WaveAccess *x, u32 lane)
{
	Place p = {.space = x->lds ? SPACE_LDS : SPACE_GLOBAL, .address = access_at(x, lane)};
	p.bytes = w->group->lds + p.address; /* of LDS */
	return p;
}

/* A unit of T at each lane; flags: of where the first lane begins, each of 1 << shift bytes. Are all written; or now
 * they are? */
#define ALL_WRITTEN(T) \
	static bool all_written_##T(const WaveAccess *x, u8 *flags, u32 shift, bool store) \
	{ \
		const T ones = (T)0x0101010101010101u; \
		T all = ones; \
		for (Mask m = x->mask; m; m = mask_drop(m)) { \
			u8 *flag = flag_at(x, flags, shift, mask_lowest(m)); \
			for (u32 i = 0; i < x->bytes >> shift; i += (u32)sizeof ones) { \
				T is; \
				memcpy(&is, flag + i, sizeof is); \
				all &= is; \
				if (store) \
					memcpy(flag + i, &ones, sizeof ones); \
			} \
		} \
		return store || all == ones; \
	}
ALL_WRITTEN(u8)
ALL_WRITTEN(u32)

/* Where loads lie close to each other, all between them is mostly written, too. */
static bool all_written(const WaveAccess *x, u8 *flags, u32 shift, bool store)
{
	enum { CLOSE = 4 }; /* times the bytes of the lanes */
	if (!store && x->p && x->p->high - x->p->low <= (i64)x->lanes * x->bytes * CLOSE &&
	    !memchr(flags + (x->p->low >> shift), 0, (size_t)(x->p->high - x->p->low) >> shift))
		return true;
	return (x->bytes >> shift) % 4 ? all_written_u8(x, flags, shift, store)
	                               : all_written_u32(x, flags, shift, store);
}

enum { MOST_ELEMS = 16 };

/* Of a load, for each element the lanes where nothing was written. As lane by lane: the first lane says whose it is. */
static void load_lanes(Wave *w, const WaveAccess *x, u8 *flags, u32 shift)
{
	const Access *a = x->a;
	Mask none[MOST_ELEMS] = {0}, any = 0;
	u32 units = a->elem_bytes >> shift, from;
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		const u8 *f = flag_at(x, flags, shift, lane);
		for (u32 i = 0; i < a->n; i++) {
			u8 set = 0; /* of an element that is in part padding, clang loads all */
			for (u32 k = 0; k < units; k++)
				set |= *f++;
			none[i] |= set ? 0 : mask_lane(lane);
		}
	}
	for (u32 i = 0; i < a->n; i++)
		any |= none[i];
	if (!any)
		return;
	UnsetOrigin *o = unset_origin_at(w, a->ins, mask_lowest(any), &from);
	if (!o->name) {
		Place p = place_of(w, x, mask_lowest(any));
		o->name = unset_name(w, &p, a->elem_bytes);
	}
	for (u32 i = 0; i < a->n; i++) {
		if (!none[i])
			continue;
		*unset(w, a->data[i]) |= a->data_scalar[i] ? ~(Mask)0 : none[i];
		*origin(w, a->data[i]) = from;
	}
}

static void store_lanes(Wave *w, const WaveAccess *x, u8 *flags, u32 shift)
{
	const Access *a = x->a;
	Mask held[MOST_ELEMS], any = 0;
	u32 units = a->elem_bytes >> shift;
	for (u32 i = 0; i < a->n; i++) {
		held[i] = *unset(w, a->data[i]);
		any |= x->lds ? 0 : held[i];
	}
	for (Mask m = flags ? x->mask : 0; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		u8 *f = flag_at(x, flags, shift, lane);
		for (u32 i = 0; i < a->n; i++, f += units)
			memset(f, !(held[i] & mask_lane(lane)), units);
	}
	for (Mask m = x->mask & any; m; m = mask_drop(m))
		for (u32 i = 0; i < a->n; i++)
			if (held[i] & m & -m)
				unset_matters(w, a->ins, m & -m, *origin(w, a->data[i]), "what is stored for the host");
}

/* True: all is done. */
static bool lanes_at_once(Wave *w, const WaveAccess *x, u8 *flags, u32 shift)
{
	const Access *a = x->a;
	u16 op = w->code->p->ins.v[a->ins].op;
	bool load = x->kind == ACCESS_LOAD && op == OP_ld, store = x->kind == ACCESS_STORE && op == OP_st;
	if (load)
		w->worker->unset->seen = true;
	if (load && !w->worker->unset->follow)
		return true;
	if ((!load && !store) || a->n > MOST_ELEMS || a->n * a->elem_bytes != x->bytes)
		return false;
	if (load)
		load_lanes(w, x, flags, shift);
	else
		store_lanes(w, x, flags, shift);
	return true;
}

/* A run of bytes at once, where no register holds such a value; else lane by lane. */
void unset_access(Wave *w, const WaveAccess *x)
{
	UnsetCheck *u = w->worker->unset;
	u8 *flags = x->lds ? u->lds : u->segs[x->first >> SEG_SHIFT];
	bool store = x->kind == ACCESS_STORE;
	if (x->at || x->lds_at || (!flags && !(store && u->follow)))
		return;
	u64 at = x->lds ? x->first : x->first & (((u64)1 << SEG_SHIFT) - 1), run = x->p ? access_run(x) : x->bytes;
	u32 shift = x->lds ? u->lds_shift : 0;
	Mask held = store && u->follow ? unset_data(w, x->a) : 0;
	if (!held && !flags)
		return;
	if (!flags)
		unset_stored(w, x->lds, (u32)(x->first >> SEG_SHIFT));
	if (!held && run && store) {
		memset(flags + (at >> shift), 1, run >> shift);
		return;
	}
	if (!held && run && !memchr(flags + (at >> shift), 0, run >> shift))
		return;
	if (!held && all_written(x, flags + (at >> shift), shift, store))
		return;
	if (lanes_at_once(w, x, flags ? flags + (at >> shift) : NULL, shift))
		return;
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		Place p = place_of(w, x, lane);
		unset_lane(w, x->a, (AccessKind)x->kind, &p, lane, x->bytes);
	}
}
