/* Advice on atomics of work-items that meet at few elements of global memory, as those of a histogram do: each
 * work-group could do them in local memory, and add what comes out to global memory once. The record is played so: the
 * atomics go to local memory, with the banks that their addresses have there, and each work-group ends with an atomic
 * for each element that it touched. */
#include "engine/advice.h"

#include "models/timing/cost_edit.h"

enum { LEAST_MEETINGS = 4, DWORD = 4 };

typedef struct Bins {
	Advisor *a;
	const bool *moves;   /* per instruction: an atomic on that buffer */
	u64 segment;         /* of the buffer … */
	u64 low, high;       /* … and what is touched of it, from this byte to before that one */
	u64 hits, touched;   /* by lanes of the record; elements, each counted once for a work-group … */
	u64 groups, items;   /* … of so many of them, of so many work-items */
	u32 merge, access;   /* the block in which a wavefront adds to global memory; its access */
} Bins;

/* Per instruction: an atomic of a dword that gives the same in any order, and whose result nobody wants. */
static bool *moveable(const Advisor *a)
{
	const Program *p = a->in->program;
	bool *out = ARENA_ARRAY(a->arena, bool, p->ins.n + 1), *wanted = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].nsrc; k++)
			wanted[ins_src(p, &p->ins.v[i])[k]] = true;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		out[i] = atomic_joins(x) && x->ndst && type_bytes[p->regs.v[ins_dst(p, x)[0]].type] == DWORD;
		for (u32 k = 0; k < x->ndst && out[i]; k++)
			out[i] = !wanted[ins_dst(p, x)[k]];
	}
	return out;
}

/* Which buffer is hit most, by these atomics alone, and where. False: none is, or it is read and written as well. */
static bool find_buffer(Bins *b, const bool *may)
{
	const Events *ev = b->a->base.profile->events;
	u64 segment[8] = {0}, hits[8] = {0};
	bool other[8] = {false};
	u32 n = 0, most = 0;
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < ev->waves.n; i++)
			for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
				if (w.kind != EVENT_ACCESS || w.shape->lds)
					continue;
				u64 at = w.address >> SEG_SHIFT;
				u32 k = 0;
				while (k < n && segment[k] != at)
					k++;
				if (!pass && may[w.ins] && k == n && n < COUNT(segment))
					segment[n++] = at;
				if (k < n && !pass)
					hits[k] += may[w.ins] ? w.shape->lanes : 0;
				if (k < n && pass)
					other[k] |= !may[w.ins];
			}
	}
	for (u32 k = 1; k < n; k++)
		most = hits[k] > hits[most] ? k : most;
	b->segment = segment[most];
	return n && !other[most];
}

static bool is_bin(const Bins *b, const EventWord *w)
{
	return w->kind == EVENT_ACCESS && b->moves[w->ins] && w->address >> SEG_SHIFT == b->segment;
}

static void find_range(Bins *b)
{
	const Events *ev = b->a->base.profile->events;
	b->low = UINT64_MAX;
	for (u32 i = 0; i < ev->waves.n; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);)
			for (u32 k = 0; is_bin(b, &w) && k < w.shape->lanes; k++) {
				u64 at = w.address + (u64)w.shape->offset[k];
				b->low = at < b->low ? at : b->low;
				b->high = at + DWORD > b->high ? at + DWORD : b->high;
			}
}

static void count_touched(Bins *b)
{
	const Events *ev = b->a->base.profile->events;
	u64 *by = ARENA_ARRAY(b->a->arena, u64, (b->high - b->low) / DWORD + 1); /* the last group that did, + 1 */
	for (u32 i = 0; i < ev->waves.n; i++) {
		b->groups += !i || ev->waves.v[i].group != ev->waves.v[i - 1].group;
		b->items += ev->waves.v[i].lanes;
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);)
			for (u32 k = 0; is_bin(b, &w) && k < w.shape->lanes; k++) {
				u64 at = (w.address + (u64)w.shape->offset[k] - b->low) / DWORD;
				b->hits++;
				b->touched += by[at] != ev->waves.v[i].group + 1;
				by[at] = ev->waves.v[i].group + 1;
			}
	}
}

/* ---- the launch with local memory ---- */

/* A wavefront's part of what its work-group adds to global memory, side by side. */
static void put_merge(const Bins *b, u32 lanes, u64 wave, Rewrite *out)
{
	i64 offset[MAX_WAVE];
	LaneShape s = {.mask = mask_first(lanes), .bytes = DWORD, .lanes = lanes, .write = true, .atomic = true,
	               .run = true, .offset = offset};
	u64 all = (b->touched + b->groups - 1) / b->groups, group = b->items / b->groups;
	for (u32 i = 0; i < lanes; i++)
		offset[i] = DWORD * (i64)i;
	for (u64 at = wave * lanes; at < all; at += group > lanes ? group : lanes) {
		rewrite_word(out, EVENT_BLOCK | (lanes - 1) << EVENT_BLOCK_BITS | b->merge);
		rewrite_access(out, b->access, &s, b->low + DWORD * at);
	}
}

static Events *in_local(const Bins *b)
{
	const Events *from = b->a->base.profile->events;
	Rewrite out;
	rewrite_begin(&out, from);
	for (u32 i = 0; i < from->waves.n; i++) {
		for (EventWord w = {0}; event_next(&from->waves.v[i], &w);) {
			if (!is_bin(b, &w)) {
				rewrite_event(&out, &w);
				continue;
			}
			LaneShape s = *w.shape;
			s.lds = true;
			rewrite_access(&out, w.ins, &s, w.address - b->low);
		}
		put_merge(b, from->waves.v[i].lanes, from->waves.v[i].wave, &out);
		rewrite_wave(&out, i);
	}
	return rewrite_end(&out);
}

typedef struct LocalCosts {
	const Bins *b;
	const Costs *costs;
	bool *moves; /* per access number */
} LocalCosts;

static bool as_local(void *ctx, CostIns *x)
{
	const LocalCosts *l = ctx;
	bool moves = x->naccess > 0;
	for (u32 i = 0; i < x->naccess; i++)
		moves &= l->moves[l->costs->access_of.v[x->first_access + i]];
	if (!moves)
		return true;
	x->cls = MC_lds_atomic;
	x->cycles = (u16)cost_cycles(l->b->a->in->device, MC_lds_atomic, l->costs->wave);
	return true;
}

static const EstimateChanged *time_local(Bins *b)
{
	Advisor *a = b->a;
	const Program *p = a->in->program;
	const Costs *costs = a->r->estimate->costs;
	OccInput in = a->r->occupancy.o.in;
	Occupancy o;
	in.lds_bytes += b->high - b->low;
	if (in.lds_bytes > a->in->device->lds_per_group || !advice_can_time(a))
		return NULL;
	occupancy(a->in->device, &in, &o);
	LocalCosts l = {b, costs, ARENA_ARRAY(a->arena, bool, costs->naccesses + 2)};
	for (u32 i = 0; i < p->ins.n; i++)
		if (b->moves[i] && costs->access[i] != NO_ACCESS)
			l.moves[costs->access[i]] = l.moves[costs->access[i] + 1] = true;
	CostEdit edit;
	cost_edit_begin(&edit, costs, p);
	cost_edit_each(&edit, as_local, &l);
	b->merge = cost_edit_access(&edit, a->in->device, MC_vmem_atomic, &b->access);
	const EstimateChanged *after =
	    advice_time_record(a, in_local(b), (EstimateChange){.costs = &edit.costs, .occupancy = &o});
	cost_edit_free(&edit);
	return after;
}

void advice_local_atomics(Advisor *a)
{
	const Program *p = a->in->program;
	bool *may = moveable(a);
	Bins b = {.a = a, .moves = may};
	u32 worst = 0;
	u64 most = 0;
	for (u32 i = 0; i < p->ins.n; i++)
		if (may[i] && a->in->profile->accesses[i].accesses > most) {
			most = a->in->profile->accesses[i].accesses;
			worst = i;
		}
	if (advice_said(a, ADVICE_atomic_address, NULL)) /* a better remedy for one address */
		return;
	if (!most || !find_buffer(&b, may))
		return;
	find_range(&b);
	if (b.high - b.low > a->in->device->lds_per_group)
		return;
	count_touched(&b);
	if (b.hits < LEAST_MEETINGS * b.touched || b.touched == b.groups)
		return;
	const EstimateChanged *after = time_local(&b);
	if (!after)
		return;
	advise(a, ADVICE_local_atomics, p->ins.v[worst].loc, after,
	       advice_text(a,
	                   "the work-items of a work-group do %s atomics on %s elements of global memory, where those "
	                   "of all work-groups meet",
	                   advice_number(a, b.hits / b.groups),
	                   advice_number(a, (b.touched + b.groups - 1) / b.groups)),
	       advice_text(a,
	                   "use an array of %s bytes in %s memory for each work-group: set it to zero, do the atomics "
	                   "there between two barriers, then add each element to global memory with one atomic",
	                   advice_number(a, b.high - b.low), a->words->shared));
}
