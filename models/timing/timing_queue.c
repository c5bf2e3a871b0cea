/* The event queue, by time and then age, and the queues of busy units: the oldest wavefront of a queue gets the
 * unit when it is free, as on chips. */
#include "models/timing/timing_impl.h"

/* A heap of fours: the children of event i are 4 i + 1 to 4 i + 4. Behind the last event there are always NOTHING's. */
enum { CHILDREN = 4 };
#define NOTHING (~(IssueEvent)0)
#define OF_UNIT (1u << 31)

/* Times are not negative, so their bits are in their order. */
static IssueEvent event_of(double t, u32 age, u32 of)
{
	u64 time;
	memcpy(&time, &t, sizeof time);
	return (IssueEvent)time << 64 | (u64)age << 32 | of;
}

/* x takes the place of the first event. */
static void put_first(TimingSim *s, IssueEvent x)
{
	IssueEvent *h = s->events;
	u32 i = 0;
	/* No branches between children: they would be guessed wrong. */
	for (u32 k; (k = CHILDREN * i + 1) < s->nevents;) {
		u32 a = k + (h[k + 1] < h[k]), b = k + 2 + (h[k + 3] < h[k + 2]);
		u32 least = h[b] < h[a] ? b : a;
		if (h[least] >= x)
			break;
		h[i] = h[least];
		i = least;
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
	for (; i && x < h[(i - 1) / CHILDREN]; i = (i - 1) / CHILDREN)
		h[i] = h[(i - 1) / CHILDREN];
	h[i] = x;
}

static IssueEvent take_last(TimingSim *s)
{
	IssueEvent x = s->events[--s->nevents];
	s->events[s->nevents] = NOTHING;
	return x;
}

bool next_event(TimingSim *s, double *t, u32 *slot, TimedUnit **unit)
{
	if (s->taken) {
		IssueEvent last = take_last(s);
		if (s->nevents)
			put_first(s, last);
	}
	s->taken = s->nevents > 0;
	if (!s->taken)
		return false;
	u64 time = (u64)(s->events[0] >> 64);
	memcpy(t, &time, sizeof *t);
	u32 of = (u32)s->events[0];
	*slot = of;
	*unit = of & OF_UNIT ? s->units[of & ~OF_UNIT] : NULL;
	if (*unit)
		(*unit)->scheduled = false;
	return true;
}

void schedule_wave(TimingSim *s, u32 slot)
{
	const TimingWave *w = &s->waves[slot];
	put(s, event_of(w->t, w->age, slot));
}

static void schedule_unit(TimingSim *s, TimedUnit *u)
{
	if (u->n && !u->scheduled)
		put(s, event_of(u->free, s->waves[u->queue[u->n - 1]].age, OF_UNIT | u->number));
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

static void unit_new(TimingSim *s, TimedUnit *u, u32 *number, u32 *queues, u32 n)
{
	*u = (TimedUnit){.number = *number, .queue = queues + (size_t)*number * n};
	s->units[(*number)++] = u;
}

void queues_new(TimingSim *s, u32 n)
{
	u32 cus = s->in->wgps * s->cus_per_wgp, simds = s->in->wgps * s->simds_per_wgp, number = 0;
	u32 ports = cus * s->dev->lds_ports, units = simds * UNITS_OF_SIMD + ports + cus;
	u32 *queues = ARENA_ARRAY(s->arena, u32, (size_t)units * n + 1);
	s->simds = ARENA_ARRAY(s->arena, TimedSimd, simds);
	s->port = ARENA_ARRAY(s->arena, LdsPort, ports);
	s->address = ARENA_ARRAY(s->arena, TimedUnit, cus);
	s->units = ARENA_ARRAY(s->arena, TimedUnit *, units + 1);
	u32 events = n + units + CHILDREN;
	s->events = ARENA_ARRAY(s->arena, IssueEvent, events);
	for (u32 i = 0; i < events; i++)
		s->events[i] = NOTHING;
	for (u32 i = 0; i < simds; i++) {
		TimedSimd *d = &s->simds[i];
		TimedUnit *all[UNITS_OF_SIMD] = {&d->vector, &d->logic, &d->trans, &d->scalar,
		                                 &d->memory, &d->lds,   &d->branch, &d->issue};
		for (u32 k = 0; k < UNITS_OF_SIMD; k++)
			unit_new(s, all[k], &number, queues, n);
	}
	for (u32 i = 0; i < ports; i++)
		unit_new(s, &s->port[i].unit, &number, queues, n);
	for (u32 i = 0; i < cus; i++)
		unit_new(s, &s->address[i], &number, queues, n);
}
