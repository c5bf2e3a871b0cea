/* Issue of one instruction: when it starts, what it holds, what can be waited for. */
#include "models/timing/timing_impl.h"

void spend_all(TimingSim *s, TimePart part, u32 line, double cycles)
{
	s->r->part[part] += cycles;
	s->r->line[part][line] += cycles;
}

void spend(TimingSim *s, const TimingWave *w, TimePart part, const CostIns *x, double from, double cycles)
{
	if (cycles == 0)
		return;
	spend_all(s, part, x->line, cycles);
	if (s->r->ins)
		s->r->ins[(size_t)(x - s->costs->ins.v) * PART_COUNT + part] += cycles;
	if (s->in->timeline && cycles > 0)
		timeline_add(s->in->timeline, &(TimingSpan){from, from + cycles, w->life, x->line, part});
}

static UnitUse *use_of(const TimingSim *s) { return s->in->timeline ? &s->in->timeline->use : NULL; }

static u32 number_of(const TimingSim *s, const CostIns *x) { return (u32)(x - s->costs->ins.v); }

/* ---- what is under way ---- */

static void wait_first(TimingSim *s, TimingWave *w, PendingQueue *q)
{
	const PendingAccess *p = &q->at[q->head];
	const CostIns *x = &s->costs->ins.v[p->ins];
	if (p->done > w->t) {
		double stall = p->done - w->t;
		double busy = stall * p->busy;
		spend(s, w, (TimePart)p->latency_part, x, w->t, stall * (1 - p->busy));
		spend(s, w, (TimePart)p->busy_part, x, p->done - busy, busy);
		w->t = p->done;
	}
	q->head = (q->head + 1) % UNDER_WAY;
	q->n--;
}

static void push(TimingSim *s, TimingWave *w, PendingQueue *q, PendingAccess p, bool in_order)
{
	if (q->n == UNDER_WAY)
		wait_first(s, w, q);
	u32 last = (q->head + q->n + UNDER_WAY - 1) % UNDER_WAY;
	if (q->n && in_order)
		p.done = later(p.done, q->at[last].done);
	q->at[(q->head + q->n) % UNDER_WAY] = p;
	q->n++;
}

/* Whatever comes back out of order: a wait for fewer than all is a wait for the first. */
static void wait_until(TimingSim *s, TimingWave *w, PendingQueue *q, u32 left)
{
	while (left != NO_WAIT && q->n > left)
		wait_first(s, w, q);
}

/* ---- units ---- */

static bool is_vector(u8 cls)
{
	return machine_class_unit[cls] == MU_VECTOR || machine_class_unit[cls] == MU_TRANS;
}

static TimePart part_of(u8 cls)
{
	static const u8 part[] = {
		[MU_VECTOR] = PART_vector,  [MU_TRANS] = PART_vector, [MU_SCALAR] = PART_scalar,
		[MU_SMEM] = PART_scalar,    [MU_MEMORY] = PART_address, [MU_LDS] = PART_lds,
		[MU_BRANCH] = PART_scalar,  [MU_OTHER] = PART_scalar};
	return (TimePart)part[machine_class_unit[cls]];
}

/* Of two that can, the one that is through first. */
static TimedUnit *unit_of(const TimingSim *s, TimedSimd *d, const CostIns *x, double now)
{
	u8 cls = x->cls;
	if (machine_class_unit[cls] == MU_TRANS && s->dev->trans_unit == TRANS_UNIT_own)
		return &d->trans;
	double logic = later(now, d->logic.free) + s->dev->cycles_logic * s->passes;
	double vector = later(now, d->vector.free) + x->cycles;
	if (is_vector(cls) && (x->pipe == PIPE_LOGIC || (x->pipe == PIPE_EITHER && logic < vector)))
		return &d->logic;
	if (is_vector(cls))
		return &d->vector;
	switch (part_of(cls)) {
	case PART_address: return &d->memory;
	case PART_lds: return &d->lds;
	default: return cls == MC_branch ? &d->branch : &d->scalar;
	}
}

/* The instruction so many before the wavefront's next, or NULL. */
static const Recent *recent(const TimingWave *w, u32 back)
{
	return back && back <= RECENT && back <= w->count ? &w->recent[(w->count - back) % RECENT] : NULL;
}

/* Later from one of two parts of a vector unit to the other; sums of integers, which both can do, are mostly the main
 * one's. */
static double crossing(const TimingSim *s, const Recent *from, const CostIns *to)
{
	bool crosses = is_vector(to->cls) && from->plain && from->logic != (to->pipe == PIPE_LOGIC);
	return crosses && s->dev->alu_other_latency ? (double)s->dev->alu_other_latency - (double)s->dev->alu_latency : 0;
}

/* When the arithmetic that x reads from is through, and its condition there. */
static double operands_ready(const TimingSim *s, const TimingWave *w, const CostIns *x)
{
	const Recent *r = recent(w, x->dep), *guard = recent(w, x->guard);
	bool scalar_reads = !is_vector(x->cls) && part_of(x->cls) == PART_scalar;
	double ready = !r                                     ? 0
	               : r->vector && scalar_reads && !r->late ? r->start + s->dev->alu_to_scalar
	                                                       : r->ready + crossing(s, r, x);
	if (!guard)
		return ready;
	double last = guard->start + (s->passes - 1) * (double)s->dev->cycles_valu; /* of several passes the last counts */
	return later(ready, later(guard->ready, last + s->dev->guard_latency));
}

/* What is known of arithmetic that starts now: when it has its result. */
static Recent begun(const TimingSim *s, const TimingWave *w, const CostIns *x, double start)
{
	if (!is_vector(x->cls))
		return (Recent){.start = start, .ready = start + x->cycles, .late = x->latency};
	bool f64 = x->cls == MC_valu_f64_add || x->cls == MC_valu_f64_mul || x->cls == MC_trans_f64;
	bool trans = machine_class_unit[x->cls] == MU_TRANS;
	u32 own = trans && s->dev->trans_latency ? s->dev->trans_latency : f64 ? s->dev->f64_latency : 0;
	/* Of several passes the last counts; what holds its unit longer is later by that, where no figure includes it. */
	bool included = own || s->dev->alu_other_latency;
	double held = x->cycles, one = included ? held / s->passes : (double)s->dev->cycles_valu * s->passes;
	Recent r = {start, start + (own ? own : s->dev->alu_latency) + held - one, true, x->latency, !x->latency && !own,
	            x->pipe == PIPE_LOGIC};
	if (!x->latency || x->behind > w->count || x->behind >= RECENT)
		return r;
	double first = x->behind ? w->recent[(w->count - x->behind) % RECENT].start : start;
	r.ready = later(r.ready, first + x->latency);
	return r;
}

/* ---- LDS ---- */

/* Cycles in which a port moves 32 bits of each lane. */
static u32 port_cycles(const TimingSim *s)
{
	return (s->wave * 4 + s->dev->lds_port_bytes - 1) / s->dev->lds_port_bytes;
}

/* Where LDS takes what a SIMD's wavefronts ask for. */
static LdsPort *port_of(const TimingSim *s, const TimingWave *w)
{
	u32 ports = s->dev->lds_ports, simds = s->dev->simds_per_cu;
	return &s->port[w->cu * ports + w->simd % simds * ports / simds];
}

/* When the value is there; *conflicts: cycles of that which conflicts cost. */
static double lds_pipe(TimingSim *s, TimingWave *w, double start, LdsTime c, double *conflicts)
{
	LdsPort *port = port_of(s, w);
	u32 banks = s->in->no_conflicts ? c.ideal : c.banks;
	double from = later(start, port->end[port->last]);
	double *banks_free = &s->bank_free[w->cu / s->dev->lds_cus], bank_from = later(start, *banks_free);
	/* Latency of a way beyond its bank cycle holds the port. */
	double way = s->dev->lds_way_latency > 1 ? s->dev->lds_way_latency : 0;
	double end = later(from + c.port + (banks - c.ideal) * way, bank_from + banks);
	port->last = (port->last + 1) % MOST_LDS_QUEUE;
	port->end[port->last] = end;
	port->unit.free = port->end[(port->last + MOST_LDS_QUEUE + 1 - s->dev->lds_queue) % MOST_LDS_QUEUE];
	*banks_free = bank_from + banks;
	double busy = later(banks, (double)c.port / (s->dev->lds_ports * s->dev->lds_cus));
	s->r->lds_busy += busy;
	unit_use_add(use_of(s), BUSY_lds, bank_from, busy);
	double conflict = banks - c.ideal, queued = bank_from - start;
	s->r->lds_conflict_busy += conflict;
	/* A part of the wait for others is due to their conflicts. */
	*conflicts = conflict + queued * s->r->lds_conflict_busy / s->r->lds_busy;
	return end - port_cycles(s) + s->dev->lds_latency;
}

static void issue_lds(TimingSim *s, TimingWave *w, const CostIns *x, double start)
{
	StreamAccesses a = stream_accesses(s, w, x);
	LdsTime c = {.port = 1, .banks = 1, .ideal = 1};
	if (a.n)
		c = lds_time(s->lds, a.of[0].shape, a.of[0].address, &x->lds, a.parts);
	else if (x->cls == MC_lds_move)
		c.port = port_cycles(s);
	double conflicts, done = lds_pipe(s, w, start, c, &conflicts);
	PendingAccess p = {done, conflicts / (done - start), number_of(s, x), PART_lds, PART_lds_conflicts};
	push(s, w, &w->lgkm, p, true);
}

/* ---- memory ---- */

/* Where an access is of which there is no record: where the code says; at an index it is somewhere, each time in the same
 * place. */
static u64 scratch_place(const TimingSim *s, const TimingWave *w, const CostIns *x)
{
	u64 frame = s->costs->frame ? s->costs->frame : 1;
	u64 at = x->frame == NO_FRAME ? (u64)number_of(s, x) * x->lds.bytes * s->wave % frame : x->frame;
	return frame_begin(s, w) + at;
}

/* What levels of memory did since `before` was theirs is the line's. */
static void add_levels(TimingSim *s, const CostIns *x, const LevelUse *before)
{
	const LevelUse *now = memory_busy(s->memory)->level;
	LevelUse *sum = s->r->line_level[x->line];
	for (u32 i = 0; i < LEVEL_COUNT; i++) {
		sum[i].bytes += now[i].bytes - before[i].bytes;
		sum[i].written += now[i].written - before[i].written;
		sum[i].requests += now[i].requests - before[i].requests;
		sum[i].hits += now[i].hits - before[i].hits;
	}
}

static MemoryTime access_memory(TimingSim *s, TimingWave *w, const CostIns *x, double start)
{
	StreamAccesses a = stream_accesses(s, w, x);
	if (x->cls == MC_scratch && !a.n)
		return memory_scratch(s->memory, w->cu, start, scratch_place(s, w, x), x->lds.bytes, w->lanes,
		                      x->write);
	if (!a.n)
		return memory_empty(s->memory, w->cu, start);
	if (a.of[0].shape->lds) {
		double conflicts;
		LdsTime c = lds_time(s->lds, a.of[0].shape, a.of[0].address, &(LdsIns){0}, a.parts);
		return (MemoryTime){.done = lds_pipe(s, w, start, c, &conflicts)};
	}
	if (x->constant)
		return memory_constant(s->memory, w->cu, start, a.of[0].shape, a.of[0].address);
	MemoryTime t = x->image ? memory_image(s->memory, w->cu, start, a.of, a.n)
	                        : memory_vector(s->memory, w->cu, start, a.of, a.n);
	/* Latency of a way beyond its bank cycle holds the vector unit's way to L1. */
	double way = s->dev->l1_way_latency;
	if (way > 1 && t.ways) {
		TimedUnit *own = &s->simds[w->simd].memory;
		own->free = later(own->free, start + t.ways * way);
		t.done += t.ways * (way - 1);
	}
	if (t.past_l1 && w->stored > start)
		t.done += w->stored - start;
	if (x->write)
		w->stored = start + s->dev->load_after_store;
	return t;
}

static void issue_memory(TimingSim *s, TimingWave *w, const CostIns *x, u32 ins, double start)
{
	MemoryTime t = access_memory(s, w, x, start);
	PendingAccess p = {t.done, 0, ins, PART_latency, PART_bandwidth};
	if (t.done > start)
		p.busy = t.queued / (t.done - start);
	p.busy = p.busy > 1 ? 1 : p.busy;
	push(s, w, x->separate ? &w->vs : &w->vm, p, true);
	s->address[w->cu].free = memory_ready(s->memory, w->cu);
}

void issue_along(TimingSim *s, TimingWave *w, u32 ins)
{
	const CostIns *x = &s->costs->ins.v[ins];
	if (part_of(x->cls) != PART_address)
		return;
	access_memory(s, w, x, w->t);
	s->address[w->cu].free = memory_ready(s->memory, w->cu);
}

static void issue_scalar_load(TimingSim *s, TimingWave *w, const CostIns *x, double start)
{
	StreamAccesses a = stream_accesses(s, w, x);
	MemoryTime t = {.done = start + s->dev->scalar_latency};
	for (u32 i = 0; i < a.n; i++) {
		MemoryTime k = memory_scalar(s->memory, w->cu, start, a.of[i].address, a.of[i].bytes);
		t = k.done > t.done ? k : t;
	}
	push(s, w, &w->lgkm, (PendingAccess){t.done, 0, number_of(s, x), PART_latency, PART_bandwidth}, false);
}

/* ---- one instruction ---- */

TimedUnit *busy_unit(TimingSim *s, const TimingWave *w, double now)
{
	const CostIns *x = w->next;
	TimedSimd *d = &s->simds[w->simd];
	TimedUnit *unit = unit_of(s, d, x, now), *more = NULL;
	if (unit->free > now)
		return unit;
	if (s->dev->issue_width == 1 && d->issue.free > now)
		return &d->issue;
	/* LDS takes an instruction when its queue has room, the address unit when it is through with the last. */
	switch (part_of(x->cls)) {
	case PART_lds: more = &port_of(s, w)->unit; break;
	case PART_address: more = &s->address[w->cu]; break;
	default: more = unit == &d->trans ? &d->vector : NULL; break;
	}
	return more && more->free > now ? more : NULL;
}

double booked_time(TimingSim *s, const TimingWave *w)
{
	TimedSimd *d = &s->simds[w->simd];
	double t = later(w->t, unit_of(s, d, w->next, w->t)->free);
	return s->dev->issue_width == 1 ? later(t, d->issue.free) : t;
}

static void reserve(TimingSim *s, const TimingWave *w, const CostIns *x, double start)
{
	TimedSimd *d = &s->simds[w->simd];
	TimedUnit *unit = unit_of(s, d, x, start);
	u32 cycles = x->pipe == PIPE_EITHER && unit == &d->logic ? s->dev->cycles_logic * s->passes : x->cycles;
	d->issue.free = start + (part_of(x->cls) == PART_address ? later(s->dev->memory_issue, s->dev->issue_interval)
	                                                         : s->dev->issue_interval);
	unit->free = start + cycles;
	if (unit == &d->trans)
		d->vector.free = start + s->passes;
	double *busy = NULL;
	u32 row = USE_ROWS;
	if (unit == &d->logic) {
		busy = &s->logic_busy;
		row = USE_LOGIC;
	} else if (is_vector(x->cls)) {
		busy = &s->r->vector_busy;
		row = BUSY_vector;
		cycles = unit == &d->trans ? s->passes : cycles;
	} else if (unit == &d->branch) {
		busy = &s->branch_busy;
		row = USE_BRANCH;
	} else if (part_of(x->cls) == PART_scalar) {
		busy = &s->r->scalar_busy;
		row = BUSY_scalar;
	}
	if (busy) {
		*busy += cycles;
		unit_use_add(use_of(s), row, start, cycles);
	}
}

void prepare(TimingSim *s, TimingWave *w, u32 ins)
{
	const CostIns *x = &s->costs->ins.v[ins];
	wait_until(s, w, &w->vm, x->vm);
	wait_until(s, w, &w->lgkm, x->lgkm);
	wait_until(s, w, &w->vs, x->vs);
	if (x->cls == MC_waitcnt) {
		w->last_pc += ins == w->last_pc + 1; /* a wait behind a branch that was not taken */
		w->recent[w->count++ % RECENT] = (Recent){.start = w->t, .ready = w->t};
		return;
	}
	if (w->branched) {
		double cycles = ins == w->last_pc + 1 ? s->dev->branch_past_cycles : s->dev->branch_cycles,
		       more = later(cycles, s->dev->issue_interval) - s->dev->issue_interval;
		spend(s, w, PART_scalar, x, w->t, more);
		w->t += more;
	}
	if (w->parted && !s->in->no_divergence) {
		spend(s, w, PART_scalar, x, w->t, s->dev->part_cycles);
		w->t += s->dev->part_cycles;
	}
	w->parted = false;
	w->divides = x->divides;
	w->branched = x->cls == MC_branch && !x->stall; /* a stall includes the cost of the branch */
	w->last_pc = ins;
	double there = fetch_ready(s, w, ins, w->t);
	spend(s, w, PART_fetch, x, w->t, there - w->t);
	w->t = there;
	double ready = later(w->t, later(operands_ready(s, w, x), w->alone));
	spend(s, w, PART_dependency, x, w->t, ready - w->t);
	w->t = ready;
	w->next = x;
}

/* Cycles until the unit was free; a part of the wait for LDS is due to conflicts. */
static void spend_queued(TimingSim *s, const TimingWave *w, const CostIns *x, double until)
{
	TimePart part = part_of(x->cls);
	double all = until - w->t, conflicts = 0;
	if (part == PART_lds && s->r->lds_busy > 0)
		conflicts = all * s->r->lds_conflict_busy / s->r->lds_busy;
	spend(s, w, part, x, w->t, all - conflicts);
	spend(s, w, PART_lds_conflicts, x, until - conflicts, conflicts);
}

bool issue(TimingSim *s, TimingWave *w, double start)
{
	const CostIns *x = w->next;
	w->next = NULL;
	reserve(s, w, x, start);
	spend_queued(s, w, x, start);
	double stall = later(x->stall, s->dev->issue_interval);
	spend(s, w, part_of(x->cls), x, start, s->dev->issue_interval);
	spend(s, w, PART_scalar, x, start + s->dev->issue_interval, stall - s->dev->issue_interval);
	Recent r = begun(s, w, x, start);
	w->recent[w->count++ % RECENT] = r;
	w->alone = x->alone ? r.ready : 0;
	w->t = start + stall;
	s->r->issued++;
	MemoryUse before;
	bool levels = s->r->line_level && (part_of(x->cls) == PART_address || x->cls == MC_smem);
	if (levels)
		memcpy(before, memory_busy(s->memory)->level, sizeof before);
	switch (part_of(x->cls)) {
	case PART_lds: issue_lds(s, w, x, start); break;
	case PART_address: issue_memory(s, w, x, number_of(s, x), start); break;
	default:
		if (x->cls == MC_smem)
			issue_scalar_load(s, w, x, start);
		break;
	}
	if (levels)
		add_levels(s, x, before);
	if (x->cls != MC_barrier)
		return true;
	w->barrier = number_of(s, x);
	return false;
}
