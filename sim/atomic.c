/* Atomics: the active lanes execute one after the other, lowest lane first. When work-groups run
 * on several threads, global ones are real atomics of the host: those whose order
 * cannot show may go to the same place (access_sets.h). */
#include "sim/check_race.h"
#include "sim/check_unset.h"

static u64 float_op(u32 op, u8 type, u64 old, u64 v)
{
	double r;
	if (type == T_f32) {
		float a, b, c;
		u32 bits = (u32)old;
		memcpy(&a, &bits, 4);
		bits = (u32)v;
		memcpy(&b, &bits, 4);
		switch (op) {
		case ATOMIC_fadd: c = a + b; break;
		case ATOMIC_fsub: c = a - b; break;
		case ATOMIC_fmin: c = __builtin_fminf(a, b); break;
		default: c = __builtin_fmaxf(a, b); break;
		}
		memcpy(&bits, &c, 4);
		return bits;
	}
	double a, b;
	memcpy(&a, &old, 8);
	memcpy(&b, &v, 8);
	switch (op) {
	case ATOMIC_fadd: r = a + b; break;
	case ATOMIC_fsub: r = a - b; break;
	case ATOMIC_fmin: r = __builtin_fmin(a, b); break;
	default: r = __builtin_fmax(a, b); break;
	}
	memcpy(&v, &r, 8);
	return v;
}

static i64 signed_of(u64 v, u32 bytes)
{
	u32 shift = 64 - bytes * 8;
	return (i64)(v << shift) >> shift;
}

/* The new value of a location; old and v are zero-extended. */
static u64 apply(u32 op, u8 type, u64 old, u64 v)
{
	u32 bytes = type_bytes[type];
	switch ((AtomicOp)op) {
	case ATOMIC_xchg: return v;
	case ATOMIC_add: return old + v;
	case ATOMIC_sub: return old - v;
	case ATOMIC_and: return old & v;
	case ATOMIC_or: return old | v;
	case ATOMIC_xor: return old ^ v;
	case ATOMIC_nand: return ~(old & v);
	case ATOMIC_smin: return signed_of(old, bytes) < signed_of(v, bytes) ? old : v;
	case ATOMIC_smax: return signed_of(old, bytes) > signed_of(v, bytes) ? old : v;
	case ATOMIC_umin: return old < v ? old : v;
	case ATOMIC_umax: return old > v ? old : v;
	case ATOMIC_uinc_wrap: return old >= v ? 0 : old + 1;
	case ATOMIC_udec_wrap: return old == 0 || old > v ? v : old - 1;
	case ATOMIC_fadd:
	case ATOMIC_fsub:
	case ATOMIC_fmin:
	case ATOMIC_fmax: return float_op(op, type, old, v);
	case ATOMIC_COUNT: break;
	}
	return old;
}

#define EXCHANGE(T) \
	{ \
		T *at = (T *)(void *)p, old = __atomic_load_n(at, __ATOMIC_RELAXED), wanted; \
		do { \
			wanted = (T)apply(op, type, old, v); \
		} while (!__atomic_compare_exchange_n(at, &old, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
		return old; \
	}
static u64 exchange(u8 *p, u32 op, u8 type, u64 v)
{
	switch (type_bytes[type]) {
	case 1: EXCHANGE(u8)
	case 2: EXCHANGE(u16)
	case 4: EXCHANGE(u32)
	default: EXCHANGE(u64)
	}
}

/* The operation of one lane; the old value. */
static u64 turn(Wave *w, const Place *p, u32 lane, const Sys *sys, u32 op, bool cas, u64 expected, u64 v)
{
	u8 type = sys->src[1].type;
	u32 bytes = type_bytes[type];
	if (p->space == SPACE_GLOBAL && sys->update && w->worker->set) {
		mark_update(w->worker->set, p->address, bytes, sys->update);
		return exchange(p->bytes, op, type, v);
	}
	u64 old = 0;
	place_read(w, p, lane, &old, bytes);
	u64 now = cas ? (old == expected ? v : old) : apply(op, type, old, v);
	place_write(w, p, lane, &now, bytes);
	return old;
}

/* atomic: address, operand; cas: address, expected, new. */
static const Step *run(Wave *w, const Step *s, bool cas)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Ins *ins = &w->code->p->ins.v[s->ins];
	const Access *a = &w->code->accesses.v[sys->access];
	u32 bytes = type_bytes[sys->src[1].type];
	Reached r = {0};
	UnsetOperands unset = {0};
	if (w->worker->unset)
		unset = unset_operands(w, sys);
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u64 address = sys_operand(w, &sys->src[0], l) + (u64)ins->imm, old = 0;
		if (type_bytes[sys->src[0].type] == 4)
			address = (u32)address;
		Place p;
		if (address & (bytes - 1)) {
			finding_memory(w, FINDING_misaligned_atomic, s->ins, l, ins->space, address, bytes, true);
		} else if (place_find(w, ins->space, address, bytes, true, s->ins, l, &p)) {
			u64 b = sys_operand(w, &sys->src[1], l), c = cas ? sys_operand(w, &sys->src[2], l) : 0;
			if (w->worker->races)
				race_lane(w, a, ACCESS_ATOMIC, &p, l, bytes, NULL);
			if (w->worker->unset)
				unset_atomic(w, a, &unset, &p, l, bytes);
			old = turn(w, &p, l, sys, ins->aux, cas, b, cas ? c : b);
			reached_add(&r, w, &p, l);
		}
		memcpy(w->r + sys->dst[0] + (sys->dst_scalar[0] ? 0 : l * bytes), &old, bytes);
	}
	if (cas)
		record_swaps(w, &r);
	reached_observe(&r, w, a, a->bytes, ACCESS_ATOMIC);
	return s + 1;
}

const Step *mem_atomic(Wave *w, const Step *s) { return run(w, s, false); }
const Step *mem_cas(Wave *w, const Step *s) { return run(w, s, true); }
