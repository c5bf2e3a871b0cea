/* Issue of instructions: when one starts, and what it holds. An estimate takes about as long as this: what is the same
 * whenever an instruction is issued is in TimedIns, and what would be a branch that is guessed wrong is none. */
#include "models/timing/timing_impl.h"

/* ---- operands ---- */

/* When the arithmetic that instruction x reads from is through. */
static double operands_ready(const TimingSim *s, const TimingWave *w, const TimedIns *x)
{
	const Recent *r = &w->recent[x->dep ? (w->count - x->dep) % RECENT : RECENT];
	/* Later from one of two parts of a vector unit to the other; sums of integers, which both can do, are mostly the
	 * main one's. */
	return r->ready[x->scalar] + (x->vector & r->plain & (r->logic ^ x->logic)) * s->crossing;
}

/* When the condition that it is under is there. */
static double guard_ready(const TimingSim *s, const TimingWave *w, const TimedIns *x)
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

/* A branch, and lanes that part, take time of their own. */
static void spend_branch(TimingSim *s, TimingWave *w, const TimedIns *x, double cycles)
{
	spend(s, w, PART_scalar, x, w->t, cycles);
	w->t += cycles;
}

/* Brings the wavefront to where instruction x has its operands: w->t, and w->next where there is something to issue. */
static void prepare(TimingSim *s, TimingWave *w, u32 ins)
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
		spend_branch(s, w, x, ins == w->last_pc + 1 ? s->branch_past : s->branch_taken);
	if (w->parted && !s->in->no_divergence)
		spend_branch(s, w, x, s->dev->part_cycles);
	w->parted = false;
	w->divides = x->divides;
	w->branched = x->branches;
	w->last_pc = ins;
	if (s->fetch) {
		double there = fetch_ready(s, w, ins, w->t);
		spend(s, w, PART_fetch, x, w->t, there - w->t);
		w->t = there;
	}
	double ready = later(later(operands_ready(s, w, x), guard_ready(s, w, x)), w->alone);
	if (ready > w->t) {
		spend(s, w, PART_dependency, x, w->t, ready - w->t);
		w->t = ready;
	}
	w->next = x;
}

/* ---- units ---- */

/* Of two that can, the one that is through first. */
static u32 unit_of(const TimingSim *s, const TimedSimd *d, const TimedIns *x, double now)
{
	if (x->unit != UNIT_either)
		return x->unit;
	double logic = later(now, d->unit[UNIT_logic].free) + s->logic_cycles;
	double vector = later(now, d->unit[UNIT_vector].free) + x->cycles;
	return logic < vector ? UNIT_logic : UNIT_vector;
}

/* What has to be waited for now, or NULL. */
static TimedUnit *busy_unit(const TimingSim *s, TimedSimd *d, TimedUnit *unit, double now)
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

static void reserve(TimingSim *s, TimedSimd *d, const TimedIns *x, u32 unit, double start)
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
static void begin(const TimingSim *s, TimingWave *w, const TimedIns *x, double start)
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
static void issue(TimingSim *s, TimingWave *w, u32 unit, double start)
{
	const TimedIns *x = w->next;
	w->next = NULL;
	reserve(s, w->units, x, unit, start);
	if (start > w->t)
		spend_queued(s, w, x, start);
	spend(s, w, (TimePart)x->part, x, start, s->interval);
	if (x->stall > s->interval)
		spend(s, w, PART_scalar, x, start + s->interval, x->stall - s->interval);
	begin(s, w, x, start);
	w->t = start + x->stall;
	s->r->issued++;
	if (x->accesses)
		issue_access(s, w, number_of(s, x), start);
	if (x->barrier)
		timing_barrier(s, w, number_of(s, x));
	else
		schedule_wave(s, w);
}

/* ---- one event ---- */

/* Where a device issues in order of arrival (ISSUE_ORDER_turn), a wavefront books its unit; else it waits in the queue
 * of the unit. */
static void issue_or_wait(TimingSim *s, TimingWave *w, double now)
{
	double start = s->in_turn ? booked_time(s, w) : now;
	u32 unit = unit_of(s, w->units, w->next, start);
	TimedUnit *busy = s->in_turn ? NULL : busy_unit(s, w->units, &w->units->unit[unit], now);
	if (busy)
		unit_wait(s, busy, w);
	else
		issue(s, w, unit, start);
}

/* A wavefront continues until it has to wait. */
static void go_on(TimingSim *s, TimingWave *w, double now)
{
	while (!w->next && w->t <= now) {
		u32 ins = stream_next(s, w);
		if (ins == NO_INS) {
			timing_wave_end(s, w);
			return;
		}
		prepare(s, w, ins);
	}
	if (w->next && (w->t <= now || s->in_turn))
		issue_or_wait(s, w, now);
	else
		schedule_wave(s, w);
}

void issue_events(TimingSim *s)
{
	for (TimedEvent *e; (e = next_event(s));) {
		if (!e->of_unit) {
			go_on(s, (TimingWave *)e, s->now);
			continue;
		}
		TimedUnit *unit = (TimedUnit *)e;
		unit->scheduled = false;
		for (TimingWave *w; (w = unit_next(s, unit));)
			issue_or_wait(s, w, s->now);
	}
}
