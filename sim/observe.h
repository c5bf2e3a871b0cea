/* The seam for memory: what an executed access is, and everything that observes it.
 *
 * memory.c, memory_slow.c and atomic.c find out where the lanes of an access are and move the bytes.
 * Whatever else an access means happens behind observe(), which they call once for each execution of a memory
 * instruction by a wavefront and each of the two memories it reaches:
 *
 *   counting    unless SimConfig.uncounted: accesses, bytes, cache lines, LDS bank cycles (isa/counters.def, ACCESS)
 *   observers   only where one is there (Code.observed): machines that count along (views.c), the lines that
 *               the launch touches and the record for the timing model (record.c), what each of
 *               several workers reads and writes (access_sets.c), races (check_race.h), texels (image.h),
 *               a debugger (debug.c)
 *
 * Steps exist plain and observed (mem_ld_fn), so without observers nothing of them is executed. There is one
 * call an access, never one a lane. Private memory has one observer only, the record (record.c).
 *
 * To add an observer: a function `void x_access(Wave *, const WaveAccess *)` in a file of its own, a line
 * in observe_more() with the condition under which it is there (a member of Machine or Wave),
 * and that condition in observe_wanted(). It gets where the bytes are from access_run() and access_at().
 * Only async copies move bytes that no wavefront accesses (async.c, move()). */
#ifndef WAVESIM_OBSERVE_H
#define WAVESIM_OBSERVE_H

#include "sim/access_sets.h"
#include "sim/image.h"
#include "sim/pattern.h"

typedef enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } AccessKind;

/* One execution of a memory instruction by a wavefront, in LDS or in global memory. */
struct WaveAccess {
	const Access *a; /* its instruction, and whose counters it adds to */
	u32 bytes;       /* of each lane */
	u8 kind;         /* AccessKind */
	bool lds;        /* else global memory, which holds constants, too */
	Mask mask;       /* the lanes, at least one */
	u32 lanes;       /* how many */
	u64 first;       /* where the lowest of them begins: byte of the group's LDS; address in global memory */
	/* Where the others begin. All NULL: there, too. */
	Pattern *p;      /* a remembered shape, whose first lane it is */
	const u64 *at;   /* by lane: addresses in global memory */
	const u32 *lds_at; /* by lane: bytes of the group's LDS */
};

/* Bytes from x->first on when those of all lanes lie there without a gap; else 0. */
static FORCE_INLINE u64 access_run(const WaveAccess *x)
{
	if (x->at || x->lds_at)
		return 0;
	if (!x->p || x->p->shape == SHAPE_SAME)
		return x->bytes;
	return x->p->shape == SHAPE_RUN && x->p->solid ? (u64)x->lanes * x->bytes : 0;
}

/* Where a lane of x->mask begins. */
static FORCE_INLINE u64 access_at(const WaveAccess *x, u32 lane)
{
	if (x->p)
		return x->first + (u64)pattern_offset(x->p, lane, !x->lds);
	return x->at ? x->at[lane] : x->lds_at ? x->lds_at[lane] : x->first;
}

/* ---- check_race.c, check_unset.c, debug.c ---- */
void debug_access(Wave *w, const WaveAccess *x);
/* True: its words also say what was not written there (race_knows_unset): unset_access() has nothing to do. */
bool race_access(Wave *w, const WaveAccess *x);
void unset_access(Wave *w, const WaveAccess *x);

/* ---- observe.c ---- */
/* Will there be observers of a launch? */
bool observe_wanted(const SimConfig *cfg);
void observe_count(Wave *w, const WaveAccess *x); /* one that counted_before() does not know */
/* What a machine counts of an access; and add that to the counters of its instruction. */
ViewCount view_count(const View *v, const WaveAccess *x);
void view_add(AccessProf *to, const View *v, const WaveAccess *x, const ViewCount *c);
/* Counts of remembered shapes are added up only when the shape goes, and when the worker is through. */
void observe_settle(Worker *wk);

/* The observers. Most of the time most of them are not there: the tests are here, not behind a call. */
static FORCE_INLINE void observe_more(Wave *w, const WaveAccess *x)
{
	const Machine *m = w->worker->m;
	if (!x->lds && !x->at && w->worker->set) /* lane by lane: where the bytes move (memory_slow.c) */
		mark_access(w->worker->set, x);
	if (w->worker->debug)
		debug_access(w, x);
	if (UNLIKELY(x->a->image)) {
		image_access(w, x);
		return;
	}
	if (UNLIKELY(m->nviews))
		views_access(w, x);
	if (!x->lds && w->worker->touched)
		touch_access(w, x);
	if (UNLIKELY(w->recording))
		record_access(w, x);
	bool told = w->worker->races && race_access(w, x);
	if (w->worker->unset && !told)
		unset_access(w, x);
}

/* Moving all lanes by whole dwords only rotates the banks, and by whole lines changes nothing: what was
 * counted of a shape holds as long as it starts at the same place in them. */
static FORCE_INLINE u64 access_phase(const Wave *w, const WaveAccess *x)
{
	return x->first & (x->lds ? 3 : ((u64)1 << w->worker->m->coarsest_shift) - 1);
}

static FORCE_INLINE void observe_sum(Wave *w, const WaveAccess *x, const ViewCount *c)
{
	w->prof.lds_conflicts += c->lds.ir.actual - c->lds.ir.ideal;
	w->prof.lines += x->a->scalar_unit ? 0 : c->actual;
}

/* Is what it counts remembered? Then it is counted. */
static FORCE_INLINE bool counted_before(Wave *w, const WaveAccess *x)
{
	PatternUse *use = pattern_use(w, x->a, x->p);
	if (use->counted != x->p->serial || use->phase != access_phase(w, x))
		return false;
	use->times++;
	observe_sum(w, x, &use->count);
	return true;
}

/* An access is about to happen, or just did. */
static FORCE_INLINE void observe(Wave *w, const WaveAccess *x, const bool observed)
{
	u64 run = x->lds ? 0 : access_run(x);
	if (observed && (x->a->image || w->worker->m->cfg->uncounted)) {
		;
	} else if (run) {
		u32 shift = w->worker->m->own.line_shift, lines = lines_of_run(x->first, run, shift);
		u64 asked = (u64)x->lanes * x->bytes;
		lines_add(&w->worker->accesses[x->a->index], x->a, asked, lines_ideal(asked, lines, shift), lines, 1);
		w->prof.lines += x->a->scalar_unit ? 0 : lines;
	} else if (!x->p || !counted_before(w, x)) {
		observe_count(w, x);
	}
	if (observed)
		observe_more(w, x);
}

#endif
