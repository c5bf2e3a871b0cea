/* Advice on accesses of global memory: lanes that lie far apart, stores of less than a dword. */
#include "engine/advice.h"

#include "base/number.h"
#include "models/timing/cost_edit.h"

enum { MOST_PLACES = 4, MOST_STEPS = 8, MOST_STRUCT = 64 /* bytes; what lies further apart are rows */ };
/* A what-if that gains this share of the time has a line named for it, if only to say what stands against it. */
static const double named_gain = 0.05;

/* How an instruction's lanes lie in the record. */
typedef struct LaneSteps {
	i64 step[MOST_STEPS]; /* distances of neighbouring lanes */
	u64 count[MOST_STEPS];
	u32 nsteps;
	u64 all;              /* times it was recorded with several lanes */
	u64 together;         /* … all at one address */
	u64 segment;          /* of the buffer; when mixed, another one */
	bool mixed;
	u32 bytes;
} LaneSteps;

/* The distance of neighbouring lanes when it is the same for all of them; 0 when it is not. */
static i64 step_of(const LaneShape *s)
{
	if (s->lanes < 2)
		return 0;
	i64 step = s->offset[1] - s->offset[0];
	u32 last = mask_lowest(s->mask), k = 0;
	for (Mask m = s->mask; m; m = mask_drop(m), k++) {
		u32 lane = mask_lowest(m);
		if (k && (s->offset[k] - s->offset[k - 1] != step || lane != last + 1))
			return 0;
		last = lane;
	}
	return step;
}

static LaneSteps *read_uses(Advisor *a)
{
	LaneSteps *use = ARENA_ARRAY(a->arena, LaneSteps, a->in->program->ins.n + 1);
	const Events *ev = a->base.profile->events;
	for (u32 i = 0; i < ev->waves.n; i++) {
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			if (w.kind != EVENT_ACCESS || w.shape->lds || w.shape->lanes < 2)
				continue;
			LaneSteps *u = &use[w.ins];
			i64 step = step_of(w.shape);
			u32 k = 0;
			u64 segment = w.address >> SEG_SHIFT;
			u->mixed |= u->all && u->segment != segment;
			u->segment = segment;
			u->all++;
			u->together += w.shape->atomic && w.shape->one;
			u->bytes = w.shape->bytes;
			while (k < u->nsteps && u->step[k] != step)
				k++;
			if (k == MOST_STEPS)
				continue;
			u->nsteps += k == u->nsteps;
			u->step[k] = step;
			u->count[k]++;
		}
	}
	return use;
}

/* ---- lanes far apart ---- */

/* Accesses of one buffer with the same distance. */
typedef struct StridedAccess {
	u64 segment;
	i64 step;
	u32 worst;             /* Program.ins: that loses most cache lines; it is reported */
	u64 lost, lines, ideal; /* cache lines: lost by the worst one, the others of all */
} StridedAccess;

/* The distance that nearly all of an access's recorded times have, if it is a far one. */
static i64 far_step(const LaneSteps *u)
{
	for (u32 k = 0; k < u->nsteps && !u->mixed; k++)
		if (u->count[k] * 10 >= u->all * 9 &&
		    (u->step[k] >= 2 * (i64)u->bytes || -u->step[k] >= 2 * (i64)u->bytes))
			return u->step[k];
	return 0;
}

static bool same_line(const Program *p, u32 x, u32 y)
{
	const SrcLoc *a = &p->locs.v[x], *b = &p->locs.v[y];
	return a->file == b->file && a->line == b->line;
}

static void add_place(StridedAccess *list, u32 *n, u32 ins, const LaneSteps *u, const AccessProf *prof)
{
	u64 lost = prof->actual_lines - prof->ideal_lines;
	i64 step = far_step(u);
	u32 k = 0;
	while (k < *n && !(list[k].segment == u->segment && list[k].step == step))
		k++;
	if (k == MOST_PLACES)
		return;
	*n += k == *n;
	StridedAccess *x = &list[k];
	if (lost > x->lost) {
		x->lost = lost;
		x->worst = ins;
	}
	x->segment = u->segment;
	x->step = step;
	x->lines += prof->actual_lines;
	x->ideal += prof->ideal_lines;
}

/* Does the access belong to them? */
static bool is_of(const StridedAccess *x, const LaneSteps *u)
{
	return u->segment == x->segment && far_step(u) == x->step;
}

static u64 distance_of(const StridedAccess *x) { return (u64)(x->step < 0 ? -x->step : x->step); }

/* The data stored the other way round: what lay at row * S + x, S being the distance, then lies at x * rows + row of
 * so many bytes. */
typedef struct Gather {
	const LaneSteps *use;
	const StridedAccess *place;
	u64 rows; /* of the buffer */
} Gather;

static u64 in_segment(u64 address) { return address & (((u64)1 << SEG_SHIFT) - 1); }

static bool is_gathered(const Gather *g, const EventWord *w)
{
	return !w->shape->lds && is_of(g->place, &g->use[w->ins]);
}

static void gather(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	const Gather *g = ctx;
	(void)wave;
	if (!is_gathered(g, w))
		return;
	u64 at = in_segment(*address), row = distance_of(g->place);
	*address = *address - at + in_segment(at % row * g->rows + at / row * s->bytes);
	for (u32 i = 0; i < s->lanes && step_of(w->shape) == g->place->step; i++)
		offset[i] = (i64)i * (g->place->step < 0 ? -(i64)s->bytes : (i64)s->bytes);
}

static Gather gather_from(const Advisor *a, const LaneSteps *use, const StridedAccess *x)
{
	Gather g = {use, x, a->r->global[0]};
	const Events *ev = a->base.profile->events;
	for (u32 i = 0; i < ev->waves.n; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			if (w.kind != EVENT_ACCESS || !is_gathered(&g, &w))
				continue;
			u64 rows = in_segment(w.address) / distance_of(x) + w.shape->lanes;
			g.rows = rows > g.rows ? rows : g.rows;
		}
	return g;
}

/* The code of the changed kernel: what followed in memory was one wide access, and no longer is. Along a row the next
 * address is a constant away; along a column it is the base and an index. */
static void split_code(const Advisor *a, CostEdit *edit, const LaneSteps *use, const StridedAccess *x)
{
	const Program *p = a->in->program;
	const Costs *costs = a->r->estimate->costs;
	u8 *address = ARENA_ARRAY(a->arena, u8, costs->naccesses + 1);
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
			LoopBlocks loop;
			if (costs->access[i] == NO_ACCESS || !is_of(x, &use[i]))
				continue;
			bool walks = distance_of(x) > MOST_STRUCT && loop_around(p, b, &loop);
			for (u32 write = 0; write < 2; write++)
				address[costs->access[i] + write] = walks ? ADDRESS_INDEX : ADDRESS_MOVED;
		}
	cost_edit_begin(edit, costs, p);
	cost_edit_split(edit, a->in->device, address);
}

static const EstimateChanged *time_gathered(Advisor *a, const LaneSteps *use, const StridedAccess *x)
{
	if (!advice_can_time(a))
		return NULL;
	Gather g = gather_from(a, use, x);
	CostEdit edit;
	split_code(a, &edit, use, x);
	const EstimateChanged *after =
	    advice_time_record(a, events_with(a, gather, &g), (EstimateChange){.costs = &edit.costs});
	cost_edit_free(&edit);
	return after;
}

/* Does the kernel store what loads of other arrays may have to wait for? */
static bool stores_global(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_st && p->ins.v[i].space == SPACE_GLOBAL)
			return true;
	return false;
}

static void say_far(Advisor *a, const LaneSteps *use, const StridedAccess *x)
{
	const EstimateChanged *after = time_gathered(a, use, x);
	const Ins *worst = &a->in->program->ins.v[x->worst];
	const char *message = advice_text(
	    a, "neighbouring work-items are %s bytes apart here and use %u of them: %s cache lines where %s would do",
	    advice_number(a, distance_of(x)), use[x->worst].bytes, advice_number(a, x->lines),
	    advice_number(a, x->ideal));
	if (distance_of(x) <= MOST_STRUCT) {
		bool stores = stores_global(a->in->program);
		advise(a, ADVICE_uncoalesced, worst->loc, after, message,
		       advice_text(
			   a,
			   "use one array for each field in place of an array of structs, so that neighbouring "
			   "work-items access neighbouring elements%s%s%s",
			   stores ? "; declare their pointers " : "", stores ? a->words->restricted : "",
			   stores ? ": else the compiler must assume that they overlap, and loads of one field wait "
				    "for stores of others"
				  : ""));
		return;
	}
	double best = a->r->estimate->what_if_us[IF_ideal_coalescing], now = a->r->estimate->time_us;
	char time[TIME_WORDS];
	if (worst->op == OP_ld && best >= 0 && best < (1 - named_gain) * now && after &&
	    !advice_gains(a, after->time_us)) {
		advise_note(
		    a, ADVICE_uncoalesced, worst->loc,
		    advice_text(a,
		                "%s; if neighbouring work-items accessed neighbouring elements, the launch "
		                "would take %s, %s, because the present layout reuses cache lines or loads "
		                "several elements at once",
		                message, time_words(time, after->time_us),
		                after->time_us > now ? "longer than now" : "hardly less"),
		    advice_text(a, "copy tiles into %s memory row by row, and read columns there", a->words->shared));
		return;
	}
	advise(a, ADVICE_uncoalesced, worst->loc, after, message,
	       advice_text(a,
	                   "let neighbouring work-items access neighbouring elements: swap the indices, transpose the "
	                   "data, or copy tiles into %s memory row by row",
	                   a->words->shared));
}

void advice_uncoalesced(Advisor *a)
{
	const Result *r = a->r;
	const Program *p = a->in->program;
	double best = r->estimate->what_if_us[IF_ideal_coalescing];
	if (r->t.actual_lines < r->t.ideal_lines * 5 / 4 || (best >= 0 && best > 0.99 * r->estimate->time_us))
		return;
	LaneSteps *use = read_uses(a);
	StridedAccess list[MOST_PLACES] = {0};
	u32 n = 0;
	for (u32 i = 0; i < p->ins.n; i++) {
		const AccessProf *prof = &a->in->profile->accesses[i];
		if (prof->actual_lines >= 2 * prof->ideal_lines && prof->actual_lines && far_step(&use[i]))
			add_place(list, &n, i, &use[i], prof);
	}
	for (u32 i = 0; i < n; i++)
		say_far(a, use, &list[i]);
}

/* ---- the other dimension lies side by side ---- */

/* The access that loses most cache lines, or 0. */
static u32 worst_access(const Advisor *a)
{
	const Program *p = a->in->program;
	const AccessProf *prof = a->in->profile->accesses;
	u32 worst = 0;
	u64 most = 0;
	for (u32 i = 0; i < p->ins.n; i++) {
		u64 lost = prof[i].actual_lines - prof[i].ideal_lines;
		if (prof[i].actual_lines >= 2 * prof[i].ideal_lines && lost > most) {
			most = lost;
			worst = i;
		}
	}
	return most ? worst : 0;
}

void advice_exchanged_indices(Advisor *a)
{
	const Result *r = a->r;
	/* With local[1] == 1 the exchange only reorders work-groups; each wavefront keeps its work-items. */
	u32 worst = r->global[0] > 1 && r->local[1] > 1 ? worst_access(a) : 0;
	const Trial t = {.local = {r->local[0], r->local[1], r->local[2]},
	                 .exchanged = true,
	                 .most_us = advice_most(a)};
	TrialCost cost;
	if (!worst || advice_try(a, &t, &cost) != TRIAL_SAME)
		return;
	/* It may be shorter for another reason. */
	if (cost.lines >= r->t.actual_lines)
		return;
	const AccessProf *prof = &a->in->profile->accesses[worst];
	char time[TIME_WORDS];
	advise(a, ADVICE_exchanged_indices, a->in->program->ins.v[worst].loc, &(EstimateChanged){.time_us = cost.us},
	       advice_text(
		   a,
		   "work-items that follow each other lie far apart here, and those along dimension 1 lie closer: %s "
		   "cache lines where %s would do",
		   advice_number(a, prof->actual_lines), advice_number(a, prof->ideal_lines)),
	       advice_text(a,
	                   "exchange dimensions 0 and 1 in %s, and in the sizes of the launch (tried: %s, with "
	                   "the same results)",
	                   a->words->ids, time_words(time, cost.us)));
}

/* ---- atomics on one address ---- */

typedef struct OneAddress {
	const bool *meets; /* per instruction */
	const Events *ev;
} OneAddress;

/* A work-group's first wavefront does it for all of it. */
static void once_a_group(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	const OneAddress *x = ctx;
	(void)offset;
	(void)address;
	if (!x->meets[w->ins])
		return;
	s->lanes = x->ev->waves.v[wave].wave ? 0 : 1;
	s->mask = mask_first(s->lanes);
}

/* Do these give the same sum in any order? What they return is then a number of the whole group's. */
bool atomic_joins(const Ins *x)
{
	static const bool joins[ATOMIC_COUNT] = {
	    [ATOMIC_add] = true,  [ATOMIC_sub] = true,  [ATOMIC_and] = true,  [ATOMIC_or] = true,
	    [ATOMIC_xor] = true,  [ATOMIC_smin] = true, [ATOMIC_smax] = true, [ATOMIC_umin] = true,
	    [ATOMIC_umax] = true, [ATOMIC_fadd] = true, [ATOMIC_fsub] = true, [ATOMIC_fmin] = true,
	    [ATOMIC_fmax] = true};
	return x->op == OP_atomic && x->space != SPACE_LDS && joins[x->aux];
}

const char *advice_reduce_first(const Advisor *a, const char *act)
{
	return advice_text(
	    a, "reduce the values of each work-group in %s memory first, then let one of its work-items do the %s",
	    a->words->shared, act);
}

static bool has_joining_atomic(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (atomic_joins(&p->ins.v[i]))
			return true;
	return false;
}

void advice_atomic_address(Advisor *a)
{
	const Program *p = a->in->program;
	if (!has_joining_atomic(p))
		return;
	LaneSteps *use = read_uses(a);
	bool *meets = ARENA_ARRAY(a->arena, bool, p->ins.n + 1);
	u64 most = 0;
	u32 worst = 0;
	for (u32 i = 0; i < p->ins.n; i++) {
		meets[i] = atomic_joins(&p->ins.v[i]) && use[i].all && use[i].together == use[i].all;
		if (meets[i] && use[i].all > most) {
			most = use[i].all;
			worst = i;
		}
	}
	if (!most)
		return;
	OneAddress x = {meets, a->base.profile->events};
	advise(
	    a, ADVICE_atomic_address, p->ins.v[worst].loc,
	    advice_time_record(a, events_with(a, once_a_group, &x), (EstimateChange){0}),
	    "all lanes of a wavefront change the same address by an atomic, which takes them one after the other",
	    advice_reduce_first(a, "atomic"));
}

/* ---- stores of less than a dword ---- */

/* Which accesses the machine stores a byte or two of a lane at a time. */
static bool *narrow_stores(const Advisor *a)
{
	const Program *p = a->in->program;
	const Costs *x = a->r->estimate->costs;
	const MachineCode *code = strcmp(x->source, "amdgpu") ? NULL : a->base.code;
	bool *narrow = ARENA_ARRAY(a->arena, bool, p->ins.n + 1),
	     *access = ARENA_ARRAY(a->arena, bool, x->naccesses + 1);
	for (u32 m = 0; code && m < code->ins.n && m < x->ins.n; m++) {
		const char *name = code->ins.v[m].mnemonic;
		bool is = x->ins.v[m].cls == MC_vmem_store && (strstr(name, "_byte") || strstr(name, "_short"));
		for (u32 k = 0; is && k < x->ins.v[m].naccess; k++)
			access[x->access_of.v[x->ins.v[m].first_access + k]] = true;
	}
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		if (ins->op != OP_st || !cost_accesses(ins, true) || ins->space == SPACE_LDS)
			continue;
		narrow[i] = code ? access[x->access[i] + 1] : ins_access_bytes(p, ins) < 4;
	}
	return narrow;
}

typedef struct Widen {
	const bool *narrow;
	u32 loc, *count; /* per instruction: times seen */
	const Program *p;
} Widen;

/* Of so many wavefronts the first stores for all of them, whole dwords; the others store nothing. */
static void widen(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	Widen *x = ctx;
	(void)wave;
	(void)address;
	if (!x->narrow[w->ins] || !same_line(x->p, x->p->ins.v[w->ins].loc, x->loc) || step_of(s) != (i64)s->bytes)
		return;
	u32 times = 4 / s->bytes;
	if (x->count[w->ins]++ % times) {
		s->lanes = 0;
		s->mask = 0;
		return;
	}
	for (u32 i = 0; i < s->lanes; i++)
		offset[i] *= times;
	s->bytes = 4;
}

void advice_narrow_store(Advisor *a)
{
	const Program *p = a->in->program;
	bool *narrow = narrow_stores(a);
	LaneSteps *use = NULL;
	u32 place[MOST_PLACES], said = 0;
	for (u32 i = 0; i < p->ins.n && said < MOST_PLACES; i++) {
		if (!narrow[i] || !a->in->profile->accesses[i].accesses)
			continue;
		use = use ? use : read_uses(a);
		/* Lanes side by side could each take more; scattered ones could not. */
		if (!use[i].all || use[i].nsteps != 1 || use[i].step[0] != (i64)use[i].bytes || use[i].bytes > 2)
			continue;
		bool seen = false;
		for (u32 k = 0; k < said; k++)
			seen |= same_line(p, place[k], p->ins.v[i].loc);
		if (seen)
			continue;
		place[said++] = p->ins.v[i].loc;
		Widen x = {narrow, p->ins.v[i].loc, ARENA_ARRAY(a->arena, u32, p->ins.n + 1), p};
		const EstimateChanged *after = advice_time_record(a, events_with(a, widen, &x), (EstimateChange){0});
		u32 bytes = use[i].bytes;
		advise(a, ADVICE_narrow_store, x.loc, after,
		       advice_text(a, "each work-item stores %u byte%s: a wavefront's store carries %u of %u bytes",
		                   bytes, bytes == 1 ? "" : "s", bytes * a->r->wave, 4 * a->r->wave),
		       advice_text(a, "let each work-item make %u neighbouring elements and store them at once (%s)",
		                   4 / bytes, bytes == 1 ? a->words->store_four : a->words->store_two));
	}
}
