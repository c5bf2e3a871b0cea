/* The event queue, by time and then age, and the queues of busy units: the oldest wavefront of a queue gets the
 * unit when it is free, as on chips.
 *
 * Events lie in a ring of buckets, each for a part of a cycle. A bucket is a list in the order of the queue; what comes a
 * turn of the ring later, or more, is behind. Events that wait equally long are put in as they are taken out, so most
 * come last in their bucket, or nearly so, and are put in from there. Where a long time passes without events, the next
 * one is looked for in all buckets. */
#include "models/timing/timing_impl.h"

enum { PARTS = 8, RING = 1024, MOST_TURNS = 64 };
#define LAST_PART (1ull << 52) /* all that comes later is in one bucket: numbers of parts are exact up to there */

/* Times are not negative, so their bits are in their order. */
static u64 bits_of_time(double t)
{
	u64 bits;
	memcpy(&bits, &t, sizeof bits);
	return bits;
}

static double time_of_bits(u64 bits)
{
	double t;
	memcpy(&t, &bits, sizeof t);
	return t;
}

/* The number of a part of a cycle, since the beginning. */
static u64 part_of_time(double t) { return t * PARTS < (double)LAST_PART ? (u64)(i64)(t * PARTS) : LAST_PART; }

static void put(TimingSim *s, TimedEvent *e, double t)
{
	u32 at = (u32)(part_of_time(t) % RING);
	TimedEvent *next = &s->bucket[at], *before = next->before;
	e->time = bits_of_time(t);
	for (; before->time > e->time || (before->time == e->time && before->age > e->age); before = next->before)
		next = before;
	e->next = next;
	e->before = before;
	before->next = next->before = e;
	s->filled[at / 64] |= 1ull << at % 64;
	s->nevents++;
}

static void go_to(TimingSim *s, u64 part)
{
	s->now_part = part;
	s->part_end = part < LAST_PART ? bits_of_time((double)(part + 1) / PARTS) : UINT64_MAX;
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
	go_to(s, part_of_time(time_of_bits(first)));
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
	s->now_bucket->next = e->next;
	e->next->before = s->now_bucket;
	s->nevents--;
	s->now = time_of_bits(e->time);
	return e;
}

void schedule_wave(TimingSim *s, TimingWave *w) { put(s, &w->event, w->t); }

static void schedule_unit(TimingSim *s, TimedUnit *u)
{
	if (u->n && !u->scheduled) {
		u->event.age = u->queue[u->n - 1]->event.age;
		put(s, &u->event, u->free);
	}
	u->scheduled = u->n > 0;
}

void unit_wait(TimingSim *s, TimedUnit *u, TimingWave *w)
{
	u32 i = u->n++;
	for (; i && u->queue[i - 1]->event.age < w->event.age; i--)
		u->queue[i] = u->queue[i - 1];
	u->queue[i] = w;
	schedule_unit(s, u);
}

TimingWave *unit_next(TimingSim *s, TimedUnit *u)
{
	if (!u->n || u->free > s->now) {
		schedule_unit(s, u);
		return NULL;
	}
	return u->queue[--u->n];
}

static void unit_new(TimedUnit *u, TimingWave ***queues, u32 n)
{
	*u = (TimedUnit){.event.of_unit = true, .queue = *queues, .beside = u};
	*queues += n;
}

/* LDS takes an instruction when its queue has room, the address unit when it is through with the last. */
static void simd_new(TimingSim *s, u32 number, TimingWave ***queues, u32 n)
{
	TimedSimd *d = &s->simds[number];
	u32 ports = s->dev->lds_ports, simds = s->dev->simds_per_cu, cu = number / simds;
	for (u32 i = 0; i < UNITS_OF_SIMD; i++)
		unit_new(&d->unit[i], queues, n);
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
		unit_new(&s->port[i].unit, &queues, n);
	for (u32 i = 0; i < cus; i++)
		unit_new(&s->address[i], &queues, n);
	s->bucket = ARENA_ARRAY(s->arena, TimedEvent, RING);
	s->filled = ARENA_ARRAY(s->arena, u64, RING / 64);
	for (u32 i = 0; i < RING; i++)
		s->bucket[i] = (TimedEvent){.next = &s->bucket[i], .before = &s->bucket[i]};
	s->now_bucket = s->bucket;
	s->part_end = bits_of_time(1.0 / PARTS);
}
