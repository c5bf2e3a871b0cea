/* Advice on addresses that several work-groups store to or compare and swap: flags, and sums
 * (models/timing/contention.h). */
#include "engine/advice.h"

/* The instruction that comes to one place most often, of those whose wavefronts mostly come to one. */
typedef struct Meeting {
	const Events *ev;
	u32 ins, first; /* the wavefront of ev that comes first */
	u64 place, times; /* times 0: there is none */
	u64 group;   /* of once_a_group: the last work-group of the record that came … */
	u32 does;    /* … and the wavefront of ev, + 1, that does it for it; 0: none came yet */
} Meeting;

/* Per instruction: a place that more than half of its accesses go to, if there is one. */
typedef struct Majority {
	u64 place, votes, all, there, group;
	u32 first;
	bool groups; /* several work-groups come there */
} Majority;

static bool is_one_place(const EventWord *w) { return w->kind == EVENT_ACCESS && !w->shape->lds && w->shape->one; }

/* wanted: per instruction. There is none where nothing would be gained if all that wait for a place did not. */
static Meeting find_meeting(const Advisor *a, const bool *wanted)
{
	const Estimate *e = a->r->estimate;
	u32 n = a->in->program->ins.n;
	bool any = false;
	for (u32 i = 0; i < n; i++)
		any |= wanted[i];
	if (!any || !advice_gains(a, e->time_us * (1 - e->busy[BUSY_contention])))
		return (Meeting){0};
	Majority *m = ARENA_ARRAY(a->arena, Majority, n + 1);
	Meeting found = {.ev = a->base.profile->events};
	const Events *ev = found.ev;
	for (u32 i = 0; i < ev->waves.n; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			if (w.kind != EVENT_ACCESS || !wanted[w.ins])
				continue;
			Majority *x = &m[w.ins];
			x->all++;
			if (!is_one_place(&w))
				continue;
			x->place = x->votes ? x->place : w.address;
			if (x->place == w.address)
				x->votes++;
			else
				x->votes--;
		}
	any = false; /* a majority is left over */
	for (u32 i = 0; i < n; i++)
		any |= m[i].votes > 0;
	for (u32 i = 0; i < ev->waves.n && any; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			if (!is_one_place(&w) || !wanted[w.ins] || w.address != m[w.ins].place)
				continue;
			Majority *x = &m[w.ins];
			x->first = x->there ? x->first : i;
			x->groups |= x->there && x->group != ev->waves.v[i].group;
			x->group = ev->waves.v[i].group;
			x->there++;
		}
	for (u32 i = 0; i < n; i++)
		if (m[i].groups && 2 * m[i].there > m[i].all && m[i].there > found.times)
			found = (Meeting){.ev = ev, .ins = i, .first = m[i].first, .place = m[i].place,
			                  .times = m[i].there};
	return found;
}

static bool is_met(const Meeting *m, const EventWord *w, const LaneShape *s)
{
	return w->ins == m->ins && s->one && w->address == m->place;
}

/* The first wavefront that comes stores; the others find that there is nothing to do. */
static void once(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	const Meeting *m = ctx;
	(void)offset;
	(void)address;
	if (is_met(m, w, s) && wave != m->first) {
		s->lanes = 0;
		s->mask = 0;
	}
}

/* The first wavefront of a work-group that comes does it for all of it; those of a work-group follow each other. */
static void once_a_group(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	Meeting *m = ctx;
	(void)offset;
	(void)address;
	if (!is_met(m, w, s))
		return;
	if (!m->does || m->group != m->ev->waves.v[wave].group) {
		m->group = m->ev->waves.v[wave].group;
		m->does = wave + 1;
	}
	s->lanes = m->does == wave + 1 ? 1 : 0;
	s->mask = mask_first(s->lanes);
}

void advice_same_store(Advisor *a)
{
	const Program *p = a->in->program;
	bool *stores = ARENA_ARRAY(a->arena, bool, p->ins.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		stores[i] = p->ins.v[i].op == OP_st && p->ins.v[i].space != SPACE_LDS &&
		            p->ins.v[i].space != SPACE_PRIVATE;
	Meeting m = find_meeting(a, stores);
	if (!m.times)
		return;
	const Ins *i = &p->ins.v[m.ins];
	bool constant = p->regs.v[ins_src(p, i)[1]].kind == REG_CONST;
	advise(a, ADVICE_same_store, i->loc, advice_time_record(a, events_with(a, once, &m), (EstimateChange){0}),
	       "wavefronts of several work-groups store to the same address, which takes one store at a time",
	       constant ? "read the value first, and store only if it differs: most wavefronts then only read"
	                : "all of these stores but the last are overwritten: let one work-item store the value");
}

void advice_same_swap(Advisor *a)
{
	const Program *p = a->in->program;
	bool *swaps = ARENA_ARRAY(a->arena, bool, p->ins.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		swaps[i] = a->r->estimate->costs->way[i] == ACCESS_SWAP;
	Meeting m = find_meeting(a, swaps);
	if (!m.times)
		return;
	advise(a, ADVICE_same_swap, p->ins.v[m.ins].loc,
	       advice_time_record(a, events_with(a, once_a_group, &m), (EstimateChange){0}),
	       "wavefronts of several work-groups update the same address by compare-and-swap: one succeeds at a time, and the "
	       "others try again",
	       advice_reduce_first(a, "compare-and-swap"));
}
