/* The event queue, by time and then age, and the queues of busy units: the oldest wavefront of a queue gets the
 * unit when it is free, as on chips.
 *
 * Events lie in a ring of buckets, each for a part of a cycle. A bucket is a list in the order of the queue; what comes a
 * turn of the ring later, or more, is behind. Events that wait equally long are put in as they are taken out, so most
 * come last in their bucket, or nearly so, and are put in from there. Where a long time passes without events, the next
 * one is looked for in all buckets.
 *
 * Where nobody asks for the order of events (TimingSim.ahead), a SIMD has a list of its own, and only the first of
 * them is in the ring. When that takes place, so do those behind it that neither concern others nor depend on them: the
 * few wavefronts of a SIMD stay in the processor's cache, and do what they did just before. Accesses, barriers and ends
 * of wavefronts take place in the order of all, so all times are the same, and so are sums of them (in_quanta). */
#include "models/timing/timing_impl.h"

enum { PARTS = 8, RING = 1024, MOST_TURNS = 64 };
#define LAST_PART (1ull << 52) /* all that comes later is in one bucket: numbers of parts are exact up to there */

/* The number of a part of a cycle, since the beginning. */
static u64 part_of_time(double t) { return t * PARTS < (double)LAST_PART ? (u64)(i64)(t * PARTS) : LAST_PART; }

static FORCE_INLINE void put_for_all(TimingSim *s, TimedEvent *e)
{
	u32 at = (u32)(part_of_time(double_of_bits(e->time)) % RING);
	event_put(&s->bucket[at], e);
	s->filled[at / 64] |= 1ull << at % 64;
	s->nevents++;
}

void schedule_simd(TimingSim *s, TimedSimd *d)
{
	const TimedEvent *first = d->own.next;
	if (first == &d->own)
		return;
	d->event.time = first->time;
	d->event.age = first->age;
	put_for_all(s, &d->event);
}

void queue_put(TimingSim *s, TimedEvent *e)
{
	TimedSimd *d = s->ahead ? event_simd(e) : NULL;
	if (!d) {
		put_for_all(s, e);
		return;
	}
	if (d->bound) {
		d->queued++;
		put_for_all(s, e);
		return;
	}
	event_put(&d->own, e);
	if (d->runs || d->own.next != e)
		return;
	if (e->next != &d->own) { /* it was waiting for another one */
		event_take(&d->event);
		s->nevents--;
	}
	schedule_simd(s, d);
}

static void go_to(TimingSim *s, u64 part)
{
	s->now_part = part;
	s->part_end = part < LAST_PART ? bits_of_double((double)(part + 1) / PARTS) : UINT64_MAX;
	s->now_bucket = &s->bucket[part % RING];
}

/* To the next bucket that has events, which may be those of a later turn. */
static void turn(TimingSim *s)
{
	u32 at = (u32)(s->now_part % RING);
	if (s->bucket[at].next == &s->bucket[at])
		s->filled[at / 64] &= ~(1ull << at % 64);
	u64 part = s->now_part + 1, left;
	while (!(left = s->filled[part % RING / 64] >> part % 64))
		part = (part / 64 + 1) * 64;
	go_to(s, part + (u32)__builtin_ctzll(left));
}

/* To the bucket of the first event, over turns that have none. */
static void skip_turns(TimingSim *s)
{
	u64 first = UINT64_MAX;
	for (u32 i = 0; i < RING; i++) {
		const TimedEvent *e = s->bucket[i].next;
		first = e != &s->bucket[i] && e->time < first ? e->time : first;
	}
	go_to(s, part_of_time(double_of_bits(first)));
}

TimedEvent *next_event(TimingSim *s)
{
	if (!s->nevents)
		return NULL;
	TimedEvent *e;
	u64 end = s->now_part + MOST_TURNS * RING;
	while ((e = s->now_bucket->next) == s->now_bucket || e->time >= s->part_end) {
		if (s->now_part < end)
			turn(s);
		else
			skip_turns(s);
	}
	event_take(e);
	s->nevents--;
	s->now = double_of_bits(e->time);
	return e;
}

static void schedule_unit(TimingSim *s, TimedUnit *u)
{
	if (u->n && !u->scheduled) {
		u->event.age = u->queue[u->n - 1]->event.age;
		u->event.time = bits_of_double(u->free);
		queue_put(s, &u->event);
	}
	u->scheduled = u->n > 0;
}

void unit_wait(TimingSim *s, TimedUnit *u, TimingWave *w)
{
	u32 i = u->n++;
	for (; i && u->queue[i - 1]->event.age < w->event.age; i--)
		u->queue[i] = u->queue[i - 1];
	u->queue[i] = w;
	if (!u->simd)
		w->units->bound++;
	schedule_unit(s, u);
}

TimingWave *unit_next(TimingSim *s, TimedUnit *u)
{
	if (!u->n || u->free > s->now) {
		schedule_unit(s, u);
		return NULL;
	}
	TimingWave *w = u->queue[--u->n];
	if (!u->simd)
		w->units->bound--;
	return w;
}

static void unit_new(TimedUnit *u, TimedSimd *simd, TimingWave ***queues, u32 n)
{
	*u = (TimedUnit){.event.kind = EVENT_OF_UNIT, .simd = simd, .queue = *queues, .beside = u};
	*queues += n;
}

/* LDS takes an instruction when its queue has room, the address unit when it is through with the last. */
static void simd_new(TimingSim *s, u32 number, TimingWave ***queues, u32 n)
{
	TimedSimd *d = &s->simds[number];
	u32 ports = s->dev->lds_ports, simds = s->dev->simds_per_cu, cu = number / simds;
	for (u32 i = 0; i < UNITS_OF_SIMD; i++)
		unit_new(&d->unit[i], d, queues, n);
	d->event.kind = EVENT_OF_SIMD;
	d->own.next = d->own.before = &d->own;
	d->bound = 1; /* until no group is left to begin */
	d->port = &s->port[cu * ports + number % simds * ports / simds];
	d->unit[UNIT_lds].beside = &d->port->unit;
	d->unit[UNIT_memory].beside = &s->address[cu];
	d->unit[UNIT_trans].beside = &d->unit[UNIT_vector];
}

void queues_new(TimingSim *s, u32 n)
{
	u32 cus = s->in->wgps * s->cus_per_wgp, simds = s->in->wgps * s->simds_per_wgp;
	u32 ports = cus * s->dev->lds_ports, units = simds * UNITS_OF_SIMD + ports + cus;
	TimingWave **queues = ARENA_ARRAY(s->arena, TimingWave *, (size_t)units * n + 1);
	s->simds = ARENA_ARRAY(s->arena, TimedSimd, simds);
	s->port = ARENA_ARRAY(s->arena, LdsPort, ports);
	s->address = ARENA_ARRAY(s->arena, TimedUnit, cus);
	for (u32 i = 0; i < simds; i++)
		simd_new(s, i, &queues, n);
	for (u32 i = 0; i < ports; i++)
		unit_new(&s->port[i].unit, NULL, &queues, n);
	for (u32 i = 0; i < cus; i++)
		unit_new(&s->address[i], NULL, &queues, n);
	s->bucket = ARENA_ARRAY(s->arena, TimedEvent, RING);
	s->filled = ARENA_ARRAY(s->arena, u64, RING / 64);
	for (u32 i = 0; i < RING; i++)
		s->bucket[i] = (TimedEvent){.next = &s->bucket[i], .before = &s->bucket[i]};
	s->now_bucket = s->bucket;
	s->part_end = bits_of_double(1.0 / PARTS);
}
