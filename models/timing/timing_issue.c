/* Issue of instructions: when one starts, and what it holds. An estimate takes about as long as this: what is the same
 * whenever an instruction is issued is in TimedIns, and what would be a branch that is guessed wrong is none.
 *
 * There are three of it, as the PlayMode is a constant to the compiler. */
#include "models/timing/timing_impl.h"

#include <math.h>

/* Ahead (TimingSim.ahead) a wavefront that issued looks for its next instruction at once, not when its time has come.
 * Without parts nobody asks what the time goes to. */
typedef enum { AHEAD = 1, WITH_PARTS = 2, IN_ORDER = WITH_PARTS } PlayMode;

/* ---- operands ---- */

/* When the arithmetic that instruction x reads from is through. */
static FORCE_INLINE double operands_ready(const TimingSim *s, const TimingWave *w, const TimedIns *x)
{
	const Recent *r = &w->recent[x->dep ? (w->count - x->dep) % RECENT : RECENT];
	/* Later from one of two parts of a vector unit to the other; sums of integers, which both can do, are mostly the
	 * main one's. */
	if (s->crossing == 0)
		return r->ready[x->scalar];
	return r->ready[x->scalar] + (x->vector & r->plain & (r->logic ^ x->logic)) * s->crossing;
}

/* When the condition that it is under is there. */
static FORCE_INLINE double guard_ready(const TimingSim *s, const TimingWave *w, const TimedIns *x)
{
	if (!x->guard || x->guard > w->count)
		return 0;
	const Recent *r = &w->recent[(w->count - x->guard) % RECENT];
	double last = r->start + (s->passes - 1) * (double)s->dev->cycles_valu; /* of several passes the last counts */
	return later(r->ready[0], last + s->dev->guard_latency);
}

/* Whatever comes back out of order: a wait for fewer than all is a wait for the first. */
static void wait_until(TimingSim *s, TimingWave *w, PendingQueue *q, u32 left)
{
	while (q->n > left) /* never for NO_WAIT */
		wait_first(s, w, q);
}

/* As spend, where somebody asks what the time goes to. */
static FORCE_INLINE void spend_if(bool parts, TimingSim *s, const TimingWave *w, TimePart part, const TimedIns *x,
                                      double from, double cycles)
{
	if (parts)
		spend(s, w, part, x, from, cycles);
}

/* A branch, and lanes that part, take time of their own. */
static FORCE_INLINE void spend_branch(TimingSim *s, TimingWave *w, const TimedIns *x, double cycles, PlayMode mode)
{
	spend_if(mode & WITH_PARTS, s, w, PART_scalar, x, w->t, cycles);
	w->t += cycles;
}

/* Brings the wavefront to where instruction x has its operands: w->t, and w->next where there is something to issue. */
static FORCE_INLINE void prepare(TimingSim *s, TimingWave *w, u32 ins, PlayMode mode)
{
	const TimedIns *x = &s->ins[ins];
	if (x->waits) {
		wait_until(s, w, &w->vm, x->vm);
		wait_until(s, w, &w->lgkm, x->lgkm);
		wait_until(s, w, &w->vs, x->vs);
	}
	if (x->wait) {
		w->last_pc += ins == w->last_pc + 1; /* a wait behind a branch that was not taken */
		w->recent[w->count++ % RECENT] = (Recent){w->t, {w->t, w->t}, false, false};
		return;
	}
	if (w->branched)
		spend_branch(s, w, x, ins == w->last_pc + 1 ? s->branch_past : s->branch_taken, mode);
	if (w->parted && !s->in->no_divergence)
		spend_branch(s, w, x, s->dev->part_cycles, mode);
	w->parted = false;
	w->divides = x->divides;
	w->branched = x->branches;
	w->last_pc = ins;
	if (mode == IN_ORDER && s->fetch) {
		double there = fetch_ready(s, w, ins, w->t);
		spend(s, w, PART_fetch, x, w->t, there - w->t);
		w->t = there;
	}
	double ready = later(later(operands_ready(s, w, x), guard_ready(s, w, x)), w->alone);
	if (ready > w->t) {
		spend_if(mode & WITH_PARTS, s, w, PART_dependency, x, w->t, ready - w->t);
		w->t = ready;
	}
	w->next = x;
}

/* Goes on until there is something to issue, or what comes next has to wait for its time; false: the wavefront ends. */
static FORCE_INLINE bool find_next(TimingSim *s, TimingWave *w, double now, PlayMode mode)
{
	while (!w->next && (mode & AHEAD || w->t <= now)) {
		u32 ins = stream_next(s, w, mode & AHEAD && w->t > now);
		if (mode & AHEAD && ins == LATER)
			break;
		if (ins == NO_INS)
			return false;
		prepare(s, w, ins, mode);
	}
	return true;
}

/* ---- units ---- */

/* Of two that can, the one that is through first. */
static FORCE_INLINE u32 unit_of(const TimingSim *s, const TimedSimd *d, const TimedIns *x, double now)
{
	if (x->unit != UNIT_either)
		return x->unit;
	double logic = later(now, d->unit[UNIT_logic].free) + s->logic_cycles;
	double vector = later(now, d->unit[UNIT_vector].free) + x->cycles;
	return logic < vector ? UNIT_logic : UNIT_vector;
}

/* What has to be waited for now, or NULL. */
static FORCE_INLINE TimedUnit *busy_unit(const TimingSim *s, TimedSimd *d, TimedUnit *unit, double now)
{
	if (unit->free > now)
		return unit;
	if (s->narrow && d->unit[UNIT_issue].free > now)
		return &d->unit[UNIT_issue];
	return unit->beside->free > now ? unit->beside : NULL;
}

/* From when on its unit could be booked for the wavefront, behind all that booked it before. */
static double booked_time(const TimingSim *s, const TimingWave *w)
{
	const TimedSimd *d = w->units;
	double t = later(w->t, d->unit[unit_of(s, d, w->next, w->t)].free);
	return s->narrow ? later(t, d->unit[UNIT_issue].free) : t;
}

static void use_unit(TimingSim *s, u32 unit, double start, u32 cycles)
{
	static const u8 row[UNITS_OF_SIMD] = {
		[UNIT_vector] = BUSY_vector, [UNIT_logic] = USE_LOGIC, [UNIT_scalar] = BUSY_scalar,
		[UNIT_branch] = USE_BRANCH, [UNIT_memory] = USE_ROWS, [UNIT_lds] = USE_ROWS};
	s->busy[unit] += cycles;
	if (s->in->timeline && row[unit] < USE_ROWS)
		unit_use_add(&s->in->timeline->use, row[unit], start, cycles);
}

static FORCE_INLINE void reserve(TimingSim *s, TimedSimd *d, const TimedIns *x, u32 unit, double start, PlayMode mode)
{
	u32 cycles = x->unit == UNIT_either && unit == UNIT_logic ? s->logic_cycles : x->cycles;
	if (s->narrow)
		d->unit[UNIT_issue].free = start + x->issue;
	d->unit[unit].free = start + cycles;
	if (unit == UNIT_trans) {
		unit = UNIT_vector;
		cycles = s->passes;
		d->unit[unit].free = start + cycles;
	}
	if (mode & WITH_PARTS)
		use_unit(s, unit, start, cycles);
}

/* ---- one instruction ---- */

/* Cycles until the unit was free; a part of the wait for LDS is due to conflicts. */
static void spend_queued(TimingSim *s, const TimingWave *w, const TimedIns *x, double until)
{
	double all = until - w->t, conflicts = 0;
	if (x->part == PART_lds && s->r->lds_busy > 0)
		conflicts = all * s->r->lds_conflict_busy / s->r->lds_busy;
	spend(s, w, (TimePart)x->part, x, w->t, all - conflicts);
	if (conflicts > 0)
		spend(s, w, PART_lds_conflicts, x, until - conflicts, conflicts);
}

/* It becomes the last of the recent ones. */
static FORCE_INLINE void begin(const TimingSim *s, TimingWave *w, const TimedIns *x, double start)
{
	Recent *r = &w->recent[w->count % RECENT];
	double ready = start + x->latency + x->held - x->one;
	r->start = start;
	if (x->least && x->behind <= w->count)
		ready = later(ready, w->recent[(w->count - x->behind) % RECENT].start + x->least);
	const double to_scalar[] = {ready, start + s->to_scalar}; /* chosen without a branch, which would be guessed wrong */
	r->ready[0] = ready;
	r->ready[1] = to_scalar[x->to_scalar];
	r->plain = x->plain;
	r->logic = x->logic;
	w->count++;
	w->alone = x->alone ? ready : 0;
}

/* The wavefront's next one starts at a time. */
static FORCE_INLINE void issue(TimingSim *s, TimingWave *w, u32 unit, double start, PlayMode mode)
{
	const TimedIns *x = w->next;
	w->next = NULL;
	reserve(s, w->units, x, unit, start, mode);
	if (mode & WITH_PARTS && start > w->t)
		spend_queued(s, w, x, start);
	spend_if(mode & WITH_PARTS, s, w, (TimePart)x->part, x, start, s->interval);
	if (x->stall > s->interval)
		spend_if(mode & WITH_PARTS, s, w, PART_scalar, x, start + s->interval, x->stall - s->interval);
	begin(s, w, x, start);
	w->t = start + x->stall;
	s->r->issued++;
	if (x->accesses)
		issue_access(s, w, number_of(s, x), start);
	if (x->barrier) {
		timing_barrier(s, w, number_of(s, x));
		return;
	}
	if (mode & AHEAD)
		find_next(s, w, start, mode);
	schedule_wave(s, w);
}

/* ---- one event ---- */

/* Where a device issues in order of arrival (ISSUE_ORDER_turn), a wavefront books its unit; else it waits in the queue
 * of the unit. */
static FORCE_INLINE void issue_or_wait(TimingSim *s, TimingWave *w, double now, PlayMode mode)
{
	bool in_turn = mode == IN_ORDER && s->in_turn;
	double start = in_turn ? booked_time(s, w) : now;
	u32 unit = unit_of(s, w->units, w->next, start);
	TimedUnit *busy = in_turn ? NULL : busy_unit(s, w->units, &w->units->unit[unit], now);
	if (busy)
		unit_wait(s, busy, w);
	else
		issue(s, w, unit, start, mode);
}

/* Its next instruction begins, or waits. */
static void begin_in_order(TimingSim *s, TimingWave *w, double now) { issue_or_wait(s, w, now, IN_ORDER); }
static void begin_ahead(TimingSim *s, TimingWave *w, double now) { issue_or_wait(s, w, now, AHEAD); }
static void begin_ahead_parts(TimingSim *s, TimingWave *w, double now) { issue_or_wait(s, w, now, AHEAD | WITH_PARTS); }
static FORCE_INLINE void begin_next(TimingSim *s, TimingWave *w, double now, PlayMode mode)
{
	(mode == IN_ORDER ? begin_in_order : mode & WITH_PARTS ? begin_ahead_parts : begin_ahead)(s, w, now);
}

/* A wavefront continues until it has to wait. */
static FORCE_INLINE void go_on(TimingSim *s, TimingWave *w, double now, PlayMode mode)
{
	if (!find_next(s, w, now, mode))
		timing_wave_end(s, w);
	else if (!w->next || (w->t > now && (mode & AHEAD || !s->in_turn)))
		schedule_wave(s, w);
	else
		begin_next(s, w, now, mode);
}

static FORCE_INLINE void unit_event(TimingSim *s, TimedUnit *unit, PlayMode mode)
{
	unit->scheduled = false;
	for (TimingWave *w; (w = unit_next(s, unit));)
		begin_next(s, w, s->now, mode);
}

static FORCE_INLINE void one_event(TimingSim *s, TimedEvent *e, PlayMode mode)
{
	if (e->kind == EVENT_OF_UNIT)
		unit_event(s, (TimedUnit *)e, mode);
	else
		go_on(s, (TimingWave *)e, s->now, mode);
}

/* ---- a SIMD's own events ---- */

/* The first one, which is taken out. */
static TimedEvent *simd_event(TimingSim *s, TimedSimd *d)
{
	TimedEvent *e = d->own.next;
	event_take(e);
	s->now = double_of_bits(e->time);
	return e;
}

/* Others notice an access and a barrier, and a wavefront's end. */
static bool concerns_others(const TimingWave *w) { return !w->next || w->next->accesses || w->next->barrier; }

/* Is there one, and does it concern nobody else? */
static bool is_own(const TimedSimd *d)
{
	const TimedEvent *e = d->own.next;
	if (e == &d->own)
		return false;
	if (e->kind == EVENT_OF_WAVE)
		return !concerns_others((const TimingWave *)e);
	const TimedUnit *u = (const TimedUnit *)e;
	for (u32 i = 0; i < u->n; i++)
		if (concerns_others(u->queue[i]))
			return false;
	return true;
}

/* Its first event is the first of all. Those behind it take place as well, before their time, while they concern nobody
 * else, and nobody else may let a wavefront begin or go on here. */
static FORCE_INLINE void simd_events(TimingSim *s, TimedSimd *d, PlayMode mode)
{
	d->runs = true;
	one_event(s, simd_event(s, d), mode);
	while (!d->bound && !d->queued && is_own(d)) {
		TimedEvent *e = simd_event(s, d);
		if (e->kind == EVENT_OF_UNIT)
			unit_event(s, (TimedUnit *)e, mode);
		else
			begin_next(s, (TimingWave *)e, s->now, mode);
	}
	d->runs = false;
	schedule_simd(s, d);
}

static FORCE_INLINE void events_ahead(TimingSim *s, PlayMode mode)
{
	double most = s->in->most_cycles > 0 ? s->in->most_cycles : INFINITY;
	for (TimedEvent *e; (e = next_event(s));) {
		if (s->now > most) {
			s->r->ended = true;
			s->r->cycles = s->now;
			break;
		}
		if (e->kind == EVENT_OF_SIMD) {
			simd_events(s, (TimedSimd *)e, mode);
			continue;
		}
		if (event_simd(e))
			event_simd(e)->queued--;
		one_event(s, e, mode);
	}
}

void issue_events(TimingSim *s)
{
	if (s->ahead && s->in->by_part)
		events_ahead(s, AHEAD | WITH_PARTS);
	else if (s->ahead)
		events_ahead(s, AHEAD);
	else
		for (TimedEvent *e; (e = next_event(s));)
			one_event(s, e, IN_ORDER);
}
