/* Accesses of memory and LDS: when they are through, and who waits for them. */
#include "models/timing/timing_impl.h"

/* ---- what is under way ---- */

void wait_first(TimingSim *s, TimingWave *w, PendingQueue *q)
{
	const PendingAccess *p = &q->at[q->head];
	if (p->done > w->t) {
		double stall = p->done - w->t;
		double busy = stall * p->busy;
		const TimedIns *x = &s->ins[p->ins];
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

/* ---- LDS ---- */

/* Cycles in which a port moves 32 bits of each lane. */
static u32 port_cycles(const TimingSim *s)
{
	return (s->wave * 4 + s->dev->lds_port_bytes - 1) / s->dev->lds_port_bytes;
}

/* When the value is there; *conflicts: cycles of that which conflicts cost. */
static double lds_pipe(TimingSim *s, TimingWave *w, double start, LdsTime c, double *conflicts)
{
	LdsPort *port = w->units->port;
	u32 banks = s->in->no_conflicts ? c.ideal : c.banks;
	double from = later(start, port->end[port->last]);
	double *banks_free = &s->bank_free[w->cu / s->dev->lds_cus];
	double bank_from = memory_data(s->memory, w->cu, later(start, *banks_free), banks);
	/* Latency of a way beyond its bank cycle holds the port. */
	double way = s->dev->lds_way_latency > 1 ? s->dev->lds_way_latency : 0;
	double end = later(from + c.port + (banks - c.ideal) * way, bank_from + banks);
	port->last = (port->last + 1) % MOST_LDS_QUEUE;
	port->end[port->last] = end;
	port->unit.free = port->end[(port->last + MOST_LDS_QUEUE + 1 - s->dev->lds_queue) % MOST_LDS_QUEUE];
	*banks_free = bank_from + banks;
	double busy = later(banks, (double)c.port / (s->dev->lds_ports * s->dev->lds_cus));
	s->r->lds_busy += busy;
	unit_use_add(s->in->timeline ? &s->in->timeline->use : NULL, BUSY_lds, bank_from, busy);
	double conflict = banks - c.ideal, queued = bank_from - start;
	s->r->lds_conflict_busy += conflict;
	/* A part of the wait for others is due to their conflicts. */
	*conflicts = conflict + queued * s->r->lds_conflict_busy / s->r->lds_busy;
	return end - port_cycles(s) + s->dev->lds_latency;
}

static void issue_lds(TimingSim *s, TimingWave *w, u32 ins, double start)
{
	const CostIns *x = &s->costs->ins.v[ins];
	StreamAccesses a;
	stream_accesses(s, w, x, &a);
	LdsTime c = {.port = 1, .banks = 1, .ideal = 1};
	if (a.n)
		c = lds_time(s->lds, a.of[0].shape, a.of[0].address, &x->lds, a.parts);
	else if (x->cls == MC_lds_move)
		c.port = port_cycles(s);
	double conflicts, done = lds_pipe(s, w, start, c, &conflicts);
	PendingAccess p = {done, conflicts / (done - start), ins, PART_lds, PART_lds_conflicts};
	push(s, w, &w->lgkm, p, true);
}

/* ---- memory ---- */

/* Where an access is of which there is no record: where the code says; at an index it is somewhere, each time in the same
 * place. */
static u64 scratch_place(const TimingSim *s, const TimingWave *w, u32 ins)
{
	const CostIns *x = &s->costs->ins.v[ins];
	u64 frame = s->costs->frame ? s->costs->frame : 1;
	u64 at = x->frame == NO_FRAME ? (u64)ins * x->lds.bytes * s->wave % frame : x->frame;
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

/* Lanes outside the image take part in a read, and none in a write. Where all are, nothing tells how large a texel is:
 * as large as where some were inside, if there was one. */
static MemoryTime access_image(TimingSim *s, const TimingWave *w, u32 ins, const StreamAccesses *a, double start)
{
	const CostIns *x = &s->costs->ins.v[ins];
	Texels *t = &s->texels[ins];
	if (a->n)
		*t = (Texels){a->of[0].bytes, a->n};
	u32 inside = a->n ? a->of[0].shape->lanes : 0;
	ImageAccess read = {a->of, a->n, inside, t->n ? t->bytes : 1, t->n ? t->n : 1, x->fetch};
	if (!x->write && w->lanes > inside)
		read.lanes = w->lanes;
	return read.lanes ? memory_image(s->memory, w->cu, start, &read) : memory_empty(s->memory, w->cu, start);
}

/* What follows from an access of vector memory. */
static MemoryTime accessed(TimingSim *s, TimingWave *w, u32 ins, double start, MemoryTime t)
{
	/* Latency of a way beyond its bank cycle holds the vector unit's way to L1. */
	double way = s->dev->l1_way_latency;
	if (way > 1 && t.ways) {
		TimedUnit *own = &w->units->unit[UNIT_memory];
		own->free = later(own->free, start + t.ways * way);
		t.done += t.ways * (way - 1);
	}
	if (t.past_l1 && w->stored > start)
		t.done += w->stored - start;
	if (t.met)
		s->meets[t.met][ins]++;
	if (s->costs->ins.v[ins].write)
		w->stored = start + s->dev->load_after_store;
	return t;
}

static MemoryTime access_memory(TimingSim *s, TimingWave *w, u32 ins, double start)
{
	const CostIns *x = &s->costs->ins.v[ins];
	StreamAccesses a;
	stream_accesses(s, w, x, &a);
	if (x->queries)
		return memory_query(s->memory, w->cu, start, x->queries);
	if (x->image)
		return accessed(s, w, ins, start, access_image(s, w, ins, &a, start));
	if (x->cls == MC_scratch && !a.n)
		return memory_scratch(s->memory, w->cu, start, scratch_place(s, w, ins), x->lds.bytes, w->lanes,
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
	return accessed(s, w, ins, start, memory_vector(s->memory, w->cu, start, a.of, a.n));
}

static void issue_memory(TimingSim *s, TimingWave *w, u32 ins, double start)
{
	MemoryTime t = access_memory(s, w, ins, start);
	PendingAccess p = {t.done, 0, ins, PART_latency, PART_bandwidth};
	if (t.done > start)
		p.busy = t.queued / (t.done - start);
	p.busy = p.busy > 1 ? 1 : p.busy;
	push(s, w, s->costs->ins.v[ins].separate ? &w->vs : &w->vm, p, true);
	s->address[w->cu].free = memory_ready(s->memory, w->cu);
}

void issue_along(TimingSim *s, TimingWave *w, u32 ins)
{
	access_memory(s, w, ins, w->t);
	s->address[w->cu].free = memory_ready(s->memory, w->cu);
}

static void issue_scalar_load(TimingSim *s, TimingWave *w, u32 ins, double start)
{
	StreamAccesses a;
	stream_accesses(s, w, &s->costs->ins.v[ins], &a);
	MemoryTime t = {.done = start + s->dev->scalar_latency};
	for (u32 i = 0; i < a.n; i++) {
		MemoryTime k = memory_scalar(s->memory, w->cu, start, a.of[i].address, a.of[i].bytes);
		t = k.done > t.done ? k : t;
	}
	push(s, w, &w->lgkm, (PendingAccess){t.done, 0, ins, PART_latency, PART_bandwidth}, false);
}

void issue_access(TimingSim *s, TimingWave *w, u32 ins, double start)
{
	MemoryUse before;
	bool levels = s->r->line_level && s->ins[ins].part != PART_lds;
	if (levels)
		memcpy(before, memory_busy(s->memory)->level, sizeof before);
	switch (s->ins[ins].part) {
	case PART_lds: issue_lds(s, w, ins, start); break;
	case PART_address: issue_memory(s, w, ins, start); break;
	default: issue_scalar_load(s, w, ins, start); break;
	}
	if (levels)
		add_levels(s, &s->costs->ins.v[ins], before);
}
