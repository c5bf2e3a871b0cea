/* The event queue, by time and then age, and the queues of busy units: the oldest wavefront of a queue gets the
 * unit when it is free, as on chips. */
#include "models/timing/timing_impl.h"

/* Most events are a few cycles away: these are in a wheel of cycles, and sorted when their cycle comes. Those further
 * away are in a heap of fours: the children of event i are 4 i + 1 to 4 i + 4, and behind the last event there are always
 * NOTHING's. */
enum { CYCLES = 1 << 10, CHILDREN = 4 };
#define NOTHING (~(IssueEvent)0)
#define OF_UNIT (1u << 31)

/* In the wheel, the events of a cycle, the last one first. */
typedef struct WheelEvent {
	IssueEvent event;
	u32 next; /* number + 1, or 0 */
} WheelEvent;

struct IssueQueue {
	u64 cycle;          /* that of `now`; no event is older but in there */
	IssueEvent *now;    /* from first to end, in order */
	u32 first, end, room;
	u32 last[CYCLES];   /* number + 1 of a WheelEvent, or 0: of the cycles behind `cycle` */
	u32 of_cycle[CYCLES]; /* events there */
	u64 used[CYCLES / 64]; /* bits: there are any */
	WheelEvent *wheel;
	u32 free;           /* number + 1 of the first of them that is not used, or 0 */
	IssueEvent *far;    /* the heap */
	u32 nfar;
};

/* Times are not negative, so their bits are in their order. */
static IssueEvent event_of(double t, u32 age, u32 of)
{
	u64 time;
	memcpy(&time, &t, sizeof time);
	return (IssueEvent)time << 64 | (u64)age << 32 | of;
}

static double time_of(IssueEvent x)
{
	u64 time = (u64)(x >> 64);
	double t;
	memcpy(&t, &time, sizeof t);
	return t;
}

static void put_far(IssueQueue *q, IssueEvent x)
{
	IssueEvent *h = q->far;
	u32 i = q->nfar++;
	for (; i && x < h[(i - 1) / CHILDREN]; i = (i - 1) / CHILDREN)
		h[i] = h[(i - 1) / CHILDREN];
	h[i] = x;
}

static IssueEvent take_far(IssueQueue *q)
{
	IssueEvent *h = q->far, first = h[0], x = h[--q->nfar];
	u32 i = 0;
	h[q->nfar] = NOTHING;
	/* No branches between children: they would be guessed wrong. */
	for (u32 k; (k = CHILDREN * i + 1) < q->nfar;) {
		u32 a = k + (h[k + 1] < h[k]), b = k + 2 + (h[k + 3] < h[k + 2]);
		u32 least = h[b] < h[a] ? b : a;
		if (h[least] >= x)
			break;
		h[i] = h[least];
		i = least;
	}
	if (q->nfar)
		h[i] = x;
	return first;
}

static void put_now(IssueQueue *q, IssueEvent x)
{
	if (q->end == q->room) {
		memmove(q->now, q->now + q->first, (q->end - q->first) * sizeof *q->now);
		q->end -= q->first;
		q->first = 0;
	}
	u32 i = q->end++;
	for (; i > q->first && x < q->now[i - 1]; i--)
		q->now[i] = q->now[i - 1];
	q->now[i] = x;
}

static void put(TimingSim *s, IssueEvent x)
{
	IssueQueue *q = s->queue;
	u64 cycle = (u64)time_of(x);
	if (cycle <= q->cycle) {
		put_now(q, x);
	} else if (cycle - q->cycle >= CYCLES) {
		put_far(q, x);
	} else {
		u32 at = cycle % CYCLES, n = q->free - 1;
		q->free = q->wheel[n].next;
		q->wheel[n] = (WheelEvent){x, q->last[at]};
		q->last[at] = n + 1;
		q->of_cycle[at]++;
		q->used[at / 64] |= (u64)1 << at % 64;
	}
}

/* The first cycle with events in the wheel, or none. */
static u64 next_in_wheel(const IssueQueue *q)
{
	u32 begin = (q->cycle + 1) % CYCLES;
	u64 bits = q->used[begin / 64] >> begin % 64 << begin % 64;
	for (u32 i = begin / 64, n = 0; n <= CYCLES / 64; n++) {
		if (bits) {
			u32 at = i * 64 + (u32)__builtin_ctzll(bits);
			return q->cycle + 1 + (at - begin) % CYCLES;
		}
		i = (i + 1) % (CYCLES / 64);
		bits = q->used[i];
	}
	return UINT64_MAX;
}

/* The events of the next cycle that has any; false: there are none. */
static bool next_cycle(IssueQueue *q)
{
	u64 near = next_in_wheel(q), far = q->nfar ? (u64)time_of(q->far[0]) : UINT64_MAX;
	q->cycle = near < far ? near : far;
	q->first = q->end = 0;
	if (q->cycle == UINT64_MAX)
		return false;
	if (q->cycle == near) {
		u32 at = q->cycle % CYCLES, k = q->of_cycle[at];
		q->end = k;
		for (u32 n = q->last[at], next; n; n = next) { /* mostly in order, so that they need not move */
			WheelEvent *w = &q->wheel[n - 1];
			q->now[--k] = w->event;
			next = w->next;
			w->next = q->free;
			q->free = n;
		}
		q->last[at] = q->of_cycle[at] = 0;
		q->used[at / 64] &= ~((u64)1 << at % 64);
		u32 n = q->end;
		for (q->end = 0; q->end < n;)
			put_now(q, q->now[q->end]);
	}
	while (q->nfar && (u64)time_of(q->far[0]) == q->cycle)
		put_now(q, take_far(q));
	return true;
}

bool next_event(TimingSim *s, double *t, u32 *slot, TimedUnit **unit)
{
	IssueQueue *q = s->queue;
	if (q->first == q->end && !next_cycle(q))
		return false;
	IssueEvent x = q->now[q->first++];
	*t = time_of(x);
	*slot = (u32)x;
	*unit = *slot & OF_UNIT ? s->units[*slot & ~OF_UNIT] : NULL;
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

static IssueQueue *queue_new(Arena *a, u32 events)
{
	IssueQueue *q = ARENA_NEW(a, IssueQueue);
	q->room = 2 * events + 1; /* so that they seldom move */
	q->now = ARENA_ARRAY(a, IssueEvent, q->room);
	q->wheel = ARENA_ARRAY(a, WheelEvent, events);
	for (u32 i = events; i--;) {
		q->wheel[i].next = q->free;
		q->free = i + 1;
	}
	q->far = ARENA_ARRAY(a, IssueEvent, events + CHILDREN);
	for (u32 i = 0; i < events + CHILDREN; i++)
		q->far[i] = NOTHING;
	return q;
}

void queues_new(TimingSim *s, u32 n)
{
	u32 cus = s->in->wgps * s->cus_per_wgp, simds = s->in->wgps * s->simds_per_wgp, number = 0;
	u32 ports = cus * s->dev->lds_ports, units = simds * UNITS_OF_SIMD + ports + cus;
	u32 *queues = ARENA_ARRAY(s->arena, u32, (size_t)units * n + 1);
	s->simds = ARENA_ARRAY(s->arena, TimedSimd, simds);
	s->port = ARENA_ARRAY(s->arena, TimedUnit, ports);
	s->address = ARENA_ARRAY(s->arena, TimedUnit, cus);
	s->units = ARENA_ARRAY(s->arena, TimedUnit *, units + 1);
	s->queue = queue_new(s->arena, n + units);
	for (u32 i = 0; i < simds; i++) {
		TimedSimd *d = &s->simds[i];
		TimedUnit *all[UNITS_OF_SIMD] = {&d->vector, &d->logic, &d->trans, &d->scalar,
		                                 &d->memory, &d->lds,   &d->branch, &d->issue};
		for (u32 k = 0; k < UNITS_OF_SIMD; k++)
			unit_new(s, all[k], &number, queues, n);
	}
	for (u32 i = 0; i < ports; i++)
		unit_new(s, &s->port[i], &number, queues, n);
	for (u32 i = 0; i < cus; i++)
		unit_new(s, &s->address[i], &number, queues, n);
}
