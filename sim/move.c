/* copy and fill: each active lane moves its own bytes; areas may overlap.
 *
 * A device's compiler makes loads and stores of them, each of the widest element that their alignment
 * allows. So they are observed (observe.h) and recorded (isa/event.h): all loads, then all stores,
 * element after element, each by the lanes that have so much left. */
#include "sim/check_race.h"
#include "sim/check_unset.h"

enum {
	LARGEST_MOVE = 1 << 26, /* of one lane; more is taken as a wild length */
	DWORD = 4,              /* global memory so aligned takes an element of any width */
};

/* Where the lanes read, or where they write. */
typedef struct Side {
	Reached at;
	u32 align; /* bits set in any address */
} Side;

typedef struct Move {
	Side side[2]; /* by AccessKind: ACCESS_LOAD, ACCESS_STORE */
	u64 n[MAX_WAVE];
} Move;

static bool move_length_ok(Wave *w, const Step *s, u32 lane, u32 space, u64 address, u64 n)
{
	if (n <= LARGEST_MOVE)
		return true;
	finding_memory(w, FINDING_out_of_bounds, s->ins, lane, space, address, n, true);
	return false;
}

static void side_add(Side *x, const Wave *w, const Place *p, u32 lane)
{
	if (p->space == SPACE_PRIVATE)
		return;
	reached_add(&x->at, w, p, lane);
	x->align |= (u32)(p->space == SPACE_LDS ? x->at.lds_at[lane] : p->address);
}

/* The widest element for what begins at these addresses. */
static u32 widest(const Side *x)
{
	u32 align = x->align ? x->align & -x->align : EVENT_ELEMENT;
	align = align < EVENT_ELEMENT ? align : EVENT_ELEMENT;
	return x->at.lds || align < DWORD ? align : EVENT_ELEMENT;
}

/* One element of each lane that has so much left. */
static void side_element(Side *x, Wave *w, const Access *a, AccessKind kind, u32 bytes, Mask lanes)
{
	Mask global = x->at.global, lds = x->at.lds;
	x->at.global &= lanes;
	x->at.lds &= lanes;
	reached_observe(&x->at, w, a, bytes, kind);
	x->at.global = global;
	x->at.lds = lds;
	for (Mask m = lanes; m; m = mask_drop(m)) {
		x->at.global_at[mask_lowest(m)] += bytes;
		x->at.lds_at[mask_lowest(m)] += bytes;
	}
}

static void side_observe(Side *x, Wave *w, const Access *a, AccessKind kind, const u64 *n)
{
	u64 left[MAX_WAVE];
	Mask reached = x->at.global | x->at.lds;
	memcpy(left, n, sizeof left);
	for (u32 bytes = widest(x); bytes && reached; bytes /= 2) {
		for (;;) {
			Mask lanes = 0;
			for (Mask m = reached; m; m = mask_drop(m))
				if (left[mask_lowest(m)] >= bytes)
					lanes |= mask_lane(mask_lowest(m));
			if (!lanes)
				break;
			side_element(x, w, a, kind, bytes, lanes);
			for (Mask m = lanes; m; m = mask_drop(m))
				left[mask_lowest(m)] -= bytes;
		}
	}
}

/* from: of a copy; NULL: to is filled with a byte. */
static void lane_move(Wave *w, const Access *a, u32 lane, const Place *to, const Place *from, u8 byte, u64 n)
{
	u8 *bytes = xmalloc(n);
	memset(bytes, byte, n);
	if (from)
		place_read(w, from, lane, bytes, n);
	if (w->worker->races && from)
		race_lane(w, a + 1, ACCESS_LOAD, from, lane, (u32)n, NULL);
	if (w->worker->races)
		race_lane(w, a, ACCESS_STORE, to, lane, (u32)n, bytes);
	place_write(w, to, lane, bytes, n);
	if (w->worker->unset && from)
		unset_copied(w, to, from, lane, n);
	else if (w->worker->unset)
		unset_written(w, to, lane, n);
	free(bytes);
}

static const Step *move(Wave *w, const Step *s, const bool copies)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Ins *ins = &w->code->p->ins.v[s->ins];
	const Access *a = &w->code->accesses.v[sys->access];
	Move *x = xcalloc(1, sizeof *x);
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u64 to = sys_operand(w, &sys->src[0], l), from = sys_operand(w, &sys->src[1], l);
		u64 n = sys_operand(w, &sys->src[2], l);
		Place p, q;
		if (!n || !move_length_ok(w, s, l, ins->space, to, n))
			continue;
		bool read = copies && place_find(w, ins->aux, from, n, false, s->ins, l, &q);
		if (!place_find(w, ins->space, to, n, true, s->ins, l, &p))
			continue;
		lane_move(w, a, l, &p, read ? &q : NULL, copies ? 0 : (u8)from, n);
		x->n[l] = n;
		if (read)
			side_add(&x->side[ACCESS_LOAD], w, &q, l);
		side_add(&x->side[ACCESS_STORE], w, &p, l);
	}
	if (copies)
		side_observe(&x->side[ACCESS_LOAD], w, a + 1, ACCESS_LOAD, x->n);
	side_observe(&x->side[ACCESS_STORE], w, a, ACCESS_STORE, x->n);
	free(x);
	return s + 1;
}

const Step *mem_copy(Wave *w, const Step *s) { return move(w, s, true); }
const Step *mem_fill(Wave *w, const Step *s) { return move(w, s, false); }
