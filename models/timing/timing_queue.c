/* The event queue, by time and then age, and the queues of busy units: the oldest wavefront of a queue gets the
 * unit when it is free, as on chips. */
#include "models/timing/timing_impl.h"

static bool before(const IssueEvent *a, const IssueEvent *b)
{
	return (a->t < b->t) | ((a->t <= b->t) & (a->age < b->age)); /* no branch, which would be guessed wrong */
}

/* x takes the place of the first event. */
static void put_first(TimingSim *s, IssueEvent x)
{
	IssueEvent *h = s->events;
	u32 i = 0;
	for (u32 k; (k = 2 * i + 1) < s->nevents; i = k) {
		k += k + 1 < s->nevents ? before(&h[k + 1], &h[k]) : 0;
		if (!before(&h[k], &x))
			break;
		h[i] = h[k];
	}
	h[i] = x;
	s->taken = false;
}

static void put(TimingSim *s, IssueEvent x)
{
	IssueEvent *h = s->events;
	if (s->taken) {
		put_first(s, x);
		return;
	}
	u32 i = s->nevents++;
	for (; i && before(&x, &h[(i - 1) / 2]); i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = x;
}

bool next_event(TimingSim *s, IssueEvent *out)
{
	if (s->taken && --s->nevents)
		put_first(s, s->events[s->nevents]);
	s->taken = s->nevents > 0;
	if (!s->taken)
		return false;
	*out = s->events[0];
	if (out->unit)
		out->unit->scheduled = false;
	return true;
}

void schedule_wave(TimingSim *s, u32 slot)
{
	const TimingWave *w = &s->waves[slot];
	put(s, (IssueEvent){.t = w->t, .age = w->age, .slot = slot});
}

static void schedule_unit(TimingSim *s, TimedUnit *u)
{
	if (u->n && !u->scheduled)
		put(s, (IssueEvent){.t = u->free, .age = s->waves[u->queue[u->n - 1]].age, .unit = u});
	u->scheduled = u->n > 0;
}

void unit_wait(TimingSim *s, TimedUnit *u, u32 slot)
{
	u32 i = u->n++;
	for (; i && s->waves[u->queue[i - 1]].age < s->waves[slot].age; i--)
		u->queue[i] = u->queue[i - 1];
	u->queue[i] = slot;
	schedule_unit(s, u);
}

bool unit_next(TimingSim *s, TimedUnit *u, double now, u32 *slot)
{
	if (!u->n || u->free > now) {
		schedule_unit(s, u);
		return false;
	}
	*slot = u->queue[--u->n];
	return true;
}

void queues_new(TimingSim *s, u32 n)
{
	u32 cus = s->in->wgps * s->cus_per_wgp, simds = s->in->wgps * s->simds_per_wgp;
	u32 ports = cus * s->dev->lds_ports, units = simds * UNITS_OF_SIMD + ports + cus;
	u32 *queues = ARENA_ARRAY(s->arena, u32, (size_t)units * n + 1);
	s->simds = ARENA_ARRAY(s->arena, TimedSimd, simds);
	s->port = ARENA_ARRAY(s->arena, TimedUnit, ports);
	s->address = ARENA_ARRAY(s->arena, TimedUnit, cus);
	s->events = ARENA_ARRAY(s->arena, IssueEvent, n + units);
	for (u32 i = 0; i < simds; i++) {
		TimedSimd *d = &s->simds[i];
		TimedUnit *all[UNITS_OF_SIMD] = {&d->vector, &d->logic, &d->trans, &d->scalar,
		                            &d->memory, &d->lds, &d->branch, &d->issue};
		for (u32 k = 0; k < UNITS_OF_SIMD; k++, queues += n)
			all[k]->queue = queues;
	}
	for (u32 i = 0; i < ports; i++, queues += n)
		s->port[i].queue = queues;
	for (u32 i = 0; i < cus; i++, queues += n)
		s->address[i].queue = queues;
}
