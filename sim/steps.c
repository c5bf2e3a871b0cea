/* Steps that are neither lane operations nor moves nor memory nor flow:
 * launch values, checks and counts before a division, choosing components. */
#include "sim/wave.h"

/* ---- where steps that call the next one end ---- */

const Step *step_stop(Wave *w, const Step *s)
{
	(void)w, (void)s;
	return NULL;
}

const Step *step_pause(Wave *w, const Step *s)
{
	(void)w;
	return s + 1;
}

/* ---- checks before a division: x = index in Code.sys of its operands ---- */

static u128 wide_operand(const Wave *w, const Operand *o, u32 lane)
{
	u32 bytes = type_bytes[o->type];
	u128 v = 0;
	memcpy(&v, w->r + o->offset + (o->scalar ? 0 : lane * bytes), bytes);
	return v;
}

static NO_INLINE void check_div_lanes(Wave *w, const Step *s, bool is_signed)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 bits = type_bytes[sys->src[0].type] * 8;
	u128 ones = bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1, least = (u128)1 << (bits - 1);
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u128 b = wide_operand(w, &sys->src[1], l);
		if (!b)
			finding_add(w, FINDING_division_by_zero, s->ins, l);
		else if (is_signed && b == ones && wide_operand(w, &sys->src[0], l) == least)
			finding_add(w, FINDING_division_overflow, s->ins, l);
	}
}

#define CHECK(T, SIZE) \
	static FORCE_INLINE const Step *check_##SIZE(Wave *w, const Step *s, const bool is_signed) \
	{ \
		const Operand *o = &w->code->sys.v[s->x].src[1]; \
		const T *b = (const T *)(const void *)(w->r + o->offset); \
		T bad = 0; \
		for (u32 l = 0, lanes = o->scalar ? 1 : w->n; l < lanes; l++) \
			bad |= (T)(u8)(!b[l] || (is_signed && b[l] == (T)~(T)0)); \
		if (UNLIKELY(bad)) \
			check_div_lanes(w, s, is_signed); \
		return s + 1; \
	} \
	static const Step *check_u##SIZE(Wave *w, const Step *s) { return check_##SIZE(w, s, false); } \
	static const Step *check_s##SIZE(Wave *w, const Step *s) { return check_##SIZE(w, s, true); }
CHECK(u8, 1)
CHECK(u16, 2)
CHECK(u32, 4)
CHECK(u64, 8)
CHECK(u128, 16)

StepFn *step_check_div(u32 bytes, bool is_signed)
{
	switch (bytes) {
	case 1: return is_signed ? check_s1 : check_u1;
	case 2: return is_signed ? check_s2 : check_u2;
	case 4: return is_signed ? check_s4 : check_u4;
	case 8: return is_signed ? check_s8 : check_u8;
	default: return is_signed ? check_s16 : check_u16;
	}
}

/* ---- counts of a division of 64 bits ---- */

static const Step *counted(Wave *w, const Step *s, bool wide, bool narrow, bool reached)
{
	DivisionProf *prof = &w->worker->divisions[s->x];
	prof->wide += wide;
	prof->narrow += narrow;
	prof->reached += reached;
	return s + 1;
}

/* Does an active lane of x have no less than that of y? Mostly one of the first has. */
static FORCE_INLINE bool reaches(const u8 *on, u32 n, const u64 *x, bool x_scalar, const u64 *y, bool y_scalar)
{
	for (u32 l = 0; l < n; l++)
		if (on[l] && x[x_scalar ? 0 : l] >= y[y_scalar ? 0 : l])
			return true;
	return false;
}

static FORCE_INLINE bool is_narrow(const Wave *w, const u64 *x, bool scalar)
{
	return scalar ? *x <= UINT32_MAX : w->code->kit->below64(x, w->n, (u64)UINT32_MAX + 1);
}

/* Mostly all lanes are narrow, inactive ones, too. */
static FORCE_INLINE const Step *count_div(Wave *w, const Step *s, const bool a_scalar, const bool b_scalar)
{
	const u64 *a = (const u64 *)(const void *)(w->r + s->a), *b = (const u64 *)(const void *)(w->r + s->b);
	const u8 *on = wave_on(w);
	bool reached = reaches(on, w->n, a, a_scalar, b, b_scalar);
	if (is_narrow(w, a, a_scalar) && is_narrow(w, b, b_scalar))
		return counted(w, s, false, true, reached);
	u32 wide = 0, narrow = 0;
	for (u32 l = 0; l < w->n; l++) {
		u32 is_wide = (a[a_scalar ? 0 : l] | b[b_scalar ? 0 : l]) > UINT32_MAX;
		wide |= on[l] & is_wide;
		narrow |= on[l] & !is_wide;
	}
	return counted(w, s, wide, narrow, reached);
}

static const Step *count_div_vv(Wave *w, const Step *s) { return count_div(w, s, false, false); }
static const Step *count_div_vs(Wave *w, const Step *s) { return count_div(w, s, false, true); }
static const Step *count_div_sv(Wave *w, const Step *s) { return count_div(w, s, true, false); }
static const Step *count_div_ss(Wave *w, const Step *s)
{
	u64 x = *(const u64 *)(const void *)(w->r + s->a), y = *(const u64 *)(const void *)(w->r + s->b);
	return counted(w, s, (x | y) > UINT32_MAX, (x | y) <= UINT32_MAX, x >= y);
}

StepFn *step_count_div(bool a_scalar, bool b_scalar)
{
	return a_scalar ? b_scalar ? count_div_ss : count_div_sv : b_scalar ? count_div_vs : count_div_vv;
}

/* ---- counts of a division or root of f64 ---- */

static FORCE_INLINE const Step *count_slow(Wave *w, const Step *s, const bool a_scalar, const bool b_scalar)
{
	const u64 *a = (const u64 *)(const void *)(w->r + s->a), *b = (const u64 *)(const void *)(w->r + s->b);
	w->worker->divisions[s->x].slow += w->code->kit->slow_quotient(a, a_scalar, b, b_scalar, wave_on(w), w->n);
	return s + 1;
}

static FORCE_INLINE const Step *count_slow_root(Wave *w, const Step *s, const bool scalar)
{
	const u64 *a = (const u64 *)(const void *)(w->r + s->a);
	static const u8 on = 1;
	w->worker->divisions[s->x].slow += w->code->kit->slow_root(a, scalar ? &on : wave_on(w), scalar ? 1 : w->n);
	return s + 1;
}

static const Step *count_slow_vv(Wave *w, const Step *s) { return count_slow(w, s, false, false); }
static const Step *count_slow_vs(Wave *w, const Step *s) { return count_slow(w, s, false, true); }
static const Step *count_slow_sv(Wave *w, const Step *s) { return count_slow(w, s, true, false); }
static const Step *count_slow_ss(Wave *w, const Step *s) { return count_slow(w, s, true, true); }
static const Step *count_slow_root_v(Wave *w, const Step *s) { return count_slow_root(w, s, false); }
static const Step *count_slow_root_s(Wave *w, const Step *s) { return count_slow_root(w, s, true); }

StepFn *step_count_slow(bool root, bool a_scalar, bool b_scalar)
{
	if (root)
		return a_scalar ? count_slow_root_s : count_slow_root_v;
	return a_scalar ? b_scalar ? count_slow_ss : count_slow_sv : b_scalar ? count_slow_vs : count_slow_vv;
}

/* ---- indices into arrays, by the source's types ---- */

static void within_lanes(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Ins *ins = &w->code->p->ins.v[s->ins];
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u64 i = sys_operand(w, &sys->src[0], l), n = sys_operand(w, &sys->src[1], l);
		if (i >= n)
			finding_index(w, s->ins, l, ins->space,
			              sys_operand(w, &sys->src[2], l) + sys_operand(w, &sys->src[3], 0), s->k, ins->aux,
			              sys->src[0].type == T_i32 ? (i32)(u32)i : (i64)i, n);
	}
}

/* Mostly all are inside of one length, those of inactive lanes, too. */
const Step *step_within(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Operand *i = &sys->src[0], *n = &sys->src[1];
	const u8 *at = w->r + i->offset;
	bool inside =
	    n->scalar &&
	    (i->scalar          ? sys_operand(w, i, 0) < sys_operand(w, n, 0)
	     : i->type == T_i32 ? w->code->kit->below32((const u32 *)(const void *)at, w->n, (u32)sys_operand(w, n, 0))
	                        : w->code->kit->below64((const u64 *)(const void *)at, w->n, sys_operand(w, n, 0)));
	w->worker->outside[s->a] = !inside;
	if (UNLIKELY(!inside))
		within_lanes(w, s);
	return s + 1;
}

/* The same lanes of the same rows were compared before; in a debugger another wavefront may have run since. */
const Step *step_within_again(Wave *w, const Step *s)
{
	if (UNLIKELY(w->worker->outside[s->a] || w->worker->debug))
		within_lanes(w, s);
	return s + 1;
}

/* ---- launch values ---- */

static FORCE_INLINE const Step *local_id(Wave *w, const Step *s, u32 dim)
{
	memcpy(w->r + s->d, w->worker->local_ids + (w->index * 3 + dim) * w->n, w->n * 4);
	return s + 1;
}
static const Step *query_local_id_x(Wave *w, const Step *s) { return local_id(w, s, 0); }
static const Step *query_local_id_y(Wave *w, const Step *s) { return local_id(w, s, 1); }
static const Step *query_local_id_z(Wave *w, const Step *s) { return local_id(w, s, 2); }

static FORCE_INLINE const Step *scalar32(Wave *w, const Step *s, u32 v)
{
	memcpy(w->r + s->d, &v, 4);
	return s + 1;
}
static FORCE_INLINE const Step *scalar64(Wave *w, const Step *s, u64 v)
{
	memcpy(w->r + s->d, &v, 8);
	return s + 1;
}
static const Step *query_group_id_x(Wave *w, const Step *s) { return scalar32(w, s, w->group->id[0]); }
static const Step *query_group_id_y(Wave *w, const Step *s) { return scalar32(w, s, w->group->id[1]); }
static const Step *query_group_id_z(Wave *w, const Step *s) { return scalar32(w, s, w->group->id[2]); }
static const Step *query_dispatch_ptr(Wave *w, const Step *s) { return scalar64(w, s, w->worker->m->dispatch_ptr); }
static const Step *query_implicitarg_ptr(Wave *w, const Step *s)
{
	return scalar64(w, s, w->worker->m->implicitarg_ptr);
}
static const Step *query_implicitarg_v5_ptr(Wave *w, const Step *s)
{
	return scalar64(w, s, w->worker->m->implicitarg_v5_ptr);
}
static const Step *query_lane_id(Wave *w, const Step *s)
{
	for (u32 l = 0; l < w->n; l++)
		((u32 *)(void *)(w->r + s->d))[l] = l;
	return s + 1;
}
static const Step *query_wave_size(Wave *w, const Step *s) { return scalar32(w, s, w->code->wave); }
static const Step *query_wave_id(Wave *w, const Step *s) { return scalar32(w, s, w->index); }

static u32 waves_of(const Wave *w, u64 items) { return (u32)((items + w->code->wave - 1) / w->code->wave); }
static u32 lanes_of(const Wave *w, u64 items) { return items < w->code->wave ? (u32)items : w->code->wave; }
static u64 full_items(const Wave *w)
{
	const u64 *local = w->worker->m->launch->local;
	return local[0] * local[1] * local[2];
}

static const Step *query_group_waves(Wave *w, const Step *s) { return scalar32(w, s, waves_of(w, w->group->items)); }
static const Step *query_wave_items(Wave *w, const Step *s)
{
	return scalar32(w, s, lanes_of(w, w->group->items - (u64)w->index * w->code->wave));
}
static const Step *query_full_waves(Wave *w, const Step *s) { return scalar32(w, s, waves_of(w, full_items(w))); }
static const Step *query_wave_most(Wave *w, const Step *s) { return scalar32(w, s, lanes_of(w, full_items(w))); }

StepFn *step_query(u32 q)
{
#define QUERY_FN(name, type, kind) query_##name,
	static StepFn *const fns[QUERY_COUNT] = {QUERIES(QUERY_FN)};
	return fns[q];
}

/* ---- pick, poke: a component chosen by a value; x: Code.sys ---- */

const Step *step_pick(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 bytes = type_bytes[sys->src[1].type], n = sys->nsrc - 1;
	for (u32 l = 0, lanes = sys->dst_scalar[0] ? 1 : w->n; l < lanes; l++) {
		u64 i = sys_operand(w, &sys->src[0], l);
		const Operand *o = &sys->src[1 + (i < n ? i : 0)];
		memcpy(w->r + sys->dst[0] + l * bytes, w->r + o->offset + (o->scalar ? 0 : l * bytes), bytes);
	}
	return s + 1;
}

const Step *step_poke(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 bytes = type_bytes[sys->src[1].type], n = sys->ndst;
	u8 lane[LARGEST_ACCESS];
	for (u32 l = 0, lanes = sys->dst_scalar[0] ? 1 : w->n; l < lanes; l++) {
		u64 i = sys_operand(w, &sys->src[0], l);
		for (u32 c = 0; c < n; c++) {
			const Operand *o = &sys->src[c == i ? 1 : 2 + c];
			memcpy(lane + c * bytes, w->r + o->offset + (o->scalar ? 0 : l * bytes), bytes);
		}
		for (u32 c = 0; c < n; c++)
			memcpy(w->r + sys->dst[c] + l * bytes, lane + c * bytes, bytes);
	}
	return s + 1;
}

const Step *step_undef(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	memset(w->r + s->d, 0,
	       sys->dst_scalar[0]
	           ? 16
	           : (size_t)w->n *
	                 type_bytes[w->code->p->regs.v[ins_dst(w->code->p, &w->code->p->ins.v[s->ins])[0]].type]);
	return s + 1;
}

/* ---- flat addresses ---- */

#define EACH(o) for (u32 l = 0, lanes = (o)->dst_scalar[0] ? 1 : w->n; l < lanes; l++)

static const Step *to_narrow(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	EACH(sys)
	{
		u64 a = sys_operand(w, &sys->src[0], l);
		u32 d = a ? (u32)a : UINT32_MAX;
		memcpy(w->r + sys->dst[0] + l * 4, &d, 4);
	}
	return s + 1;
}

const Step *step_tolds(Wave *w, const Step *s) { return to_narrow(w, s); }
const Step *step_topriv(Wave *w, const Step *s) { return to_narrow(w, s); }

const Step *step_toflat(Wave *w, const Step *s)
{
	bool lds = w->code->p->ins.v[s->ins].space == SPACE_LDS;
	u64 aperture = lds ? APERTURE_LDS : APERTURE_PRIVATE;
	const Sys *sys = &w->code->sys.v[s->x];
	EACH(sys)
	{
		u32 a = (u32)sys_operand(w, &sys->src[0], l);
		u64 d = a == UINT32_MAX ? 0 : aperture | a;
		memcpy(w->r + sys->dst[0] + l * 8, &d, 8);
	}
	return s + 1;
}
