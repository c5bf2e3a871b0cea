/* From recorded work-groups to the time of a launch: see estimate.h. */
#include "models/timing/estimate.h"

#include "base/parallel.h"
#include "models/timing/contention.h"
#include "models/timing/estimate_share.h"

#include <math.h>

const char *const time_bound_name[BOUND_COUNT] = {TIME_BOUNDS(X_NAME)};
const char *const what_if_name[IF_COUNT] = {WHAT_IFS(X_NAME)};
const char *const time_bound_doc[BOUND_COUNT] = {TIME_BOUNDS(X_DOC)};
const char *const what_if_doc[IF_COUNT] = {WHAT_IFS(X_DOC)};
const char *const ratio_kind_name[RATIO_COUNT] = {RATIO_KINDS(X_NAME)};
const char *const time_doubt_name[DOUBT_COUNT] = {TIME_DOUBTS(X_NAME)};
const char *const time_doubt_doc[DOUBT_COUNT] = {TIME_DOUBTS(X_DOC)};

/* A sample's work-groups differ when their mean may be off by this. */
static const double sample_differs = 0.1;

/* From this share of the time on it matters how long wavefronts took turns. */
static const double contention_matters = 0.25;

/* A unit that is busy this share of the time decides. */
static const double busy_enough = 0.7;

/* ---- one playing of the record ---- */

/* Cycles for each more group of a wgp. Work-groups begin together, and drift apart only slowly: while
 * they are in step, all want the same unit at a time. So the first half of the rounds does not
 * count, nor does the last one, behind which no others come. Whole rounds, for groups that began
 * together end together. */
static double steady_rate(const Device *dev, const EstimatePlan *p, const TimingResult *r)
{
	u32 rounds = p->played / p->resident;
	u32 lo = rounds / 2 * p->resident, hi = rounds ? (rounds - 1) * p->resident : 0;
	u32 a = lo * p->wgps, b = hi * p->wgps;
	double rate = r->cycles / p->played;
	if (lo && hi > lo && b <= r->groups && r->group_end[b - 1] > r->group_end[a - 1])
		rate = (r->group_end[b - 1] - r->group_end[a - 1]) / (hi - lo);
	/* No faster than what all of them share. */
	return later(rate, memory_shared(dev, &r->memory) / p->played);
}

/* By how much more a launch that was played to its end takes where records were cut off: as long as the unit that has
 * most left to do, not as long as the mean of all. That is as long as its wavefronts in the mean, or as the one of them
 * that would end last. */
static double left_to_do(const EstimatePlan *p, const TimingResult *r)
{
	double last = 0, whole = 0, recorded = 0, instructions = 0;
	for (u32 i = 0; i < p->wgps; i++) {
		const TimingUnit *u = &r->unit[i];
		if (!u->recorded)
			continue;
		last = fmax(last, u->end);
		whole = fmax(whole, u->end * (double)u->instructions / (double)u->recorded);
		whole = fmax(whole, u->whole_end);
		recorded += (double)u->recorded;
		instructions += (double)u->instructions;
	}
	return last > 0 && instructions > 0 ? whole / last * recorded / instructions : 1;
}

/* The launch's cycles from those of the groups played. */
static double launch_cycles(const Device *dev, const EstimatePlan *p, const TimingResult *r, double per_group)
{
	if (r->ended)
		return r->cycles * per_group;
	if (!r->groups)
		return 0;
	double t = r->cycles;
	if (p->per_wgp > p->played)
		t += ((double)p->ngroups / p->all_wgps - p->played) * steady_rate(dev, p, r);
	else
		t *= left_to_do(p, r);
	return t * per_group;
}

static bool begins_group(const Events *e, u32 wave)
{
	return !wave || e->waves.v[wave].group != e->waves.v[wave - 1].group;
}

static u32 groups_of(const Events *e)
{
	u32 n = 0;
	for (u32 i = 0; i < e->waves.n; i++)
		n += begins_group(e, i);
	return n;
}

/* How much more a group of the launch does than one of the record. */
static double per_group(const EstimateInput *in)
{
	const Events *e = in->profile->events;
	ProfileTotals t;
	profile_totals(in->program, in->profile, &t);
	u64 recorded = 0, instructions = 0, groups = groups_of(e), ran = in->profile->groups_run;
	for (u32 i = 0; i < e->waves.n; i++) {
		recorded += e->waves.v[i].recorded;
		instructions += e->waves.v[i].instructions;
	}
	/* Chosen units that are played as a whole stand for themselves. */
	if (in->plan->units && in->plan->per_wgp <= in->plan->played && recorded)
		return (double)instructions / (double)recorded;
	if (!recorded || !groups || !ran)
		return 1;
	return (double)t.wave_instructions / (double)ran / ((double)recorded / (double)groups);
}

/* Of a sample: by how much the mean of all groups may be off, twice the standard error of the
 * recorded ones' instructions. */
static double sample_error(const EstimateInput *in)
{
	const Events *e = in->profile->events;
	double sum = 0, squares = 0, group = 0;
	u64 n = 0;
	if (in->profile->groups_run == in->profile->groups)
		return 0;
	for (u32 i = 0; i < e->waves.n; i++) {
		group += (double)e->waves.v[i].instructions;
		if (i + 1 < e->waves.n && !begins_group(e, i + 1))
			continue;
		sum += group;
		squares += group * group;
		group = 0;
		n++;
	}
	double mean = n ? sum / (double)n : 0, variance = n ? squares / (double)n - mean * mean : 0;
	return mean > 0 && variance > 0 ? 2 * sqrt(variance / (double)n) / mean : 0;
}

/* ---- what it means ---- */

static void take_parts(Estimate *e, const EstimatePlan *p, const TimingResult *r)
{
	u64 slots = p->per_wgp < p->resident ? p->per_wgp : p->resident;
	double used = r->resident / (r->cycles * p->wgps * (double)slots);
	double tail = used < 1 ? (1 - used) * r->cycles : 0;
	double scale = r->cycles > 0 ? e->cycles / r->cycles : 1;
	/* A launch longer than what was played has the same tail. */
	e->tail = p->per_wgp > p->played ? tail : tail * scale;
	e->tail = e->tail < e->cycles ? e->tail : e->cycles;
	/* First the time of the unit that issues more; what wavefronts wait for shares the rest. */
	double left = e->cycles - e->tail, rest = 0;
	bool scalar = e->busy[BUSY_scalar] > e->busy[BUSY_vector];
	u32 most = scalar ? PART_scalar : PART_vector;
	double first = e->busy[scalar ? BUSY_scalar : BUSY_vector] * e->cycles;
	first = first < left ? first : left;
	e->part[most] = first;
	for (u32 i = 0; i < PART_COUNT; i++)
		rest += i == most ? 0 : r->part[i];
	if (rest <= 0)
		e->part[most] = left;
	for (u32 i = 0; i < PART_COUNT && rest > 0; i++)
		if (i != most)
			e->part[i] = (left - first) * r->part[i] / rest;
}

static u32 busiest(const Estimate *e, const BusyUnit *units, u32 n)
{
	u32 best = units[0];
	for (u32 i = 1; i < n; i++)
		if (e->busy[units[i]] > e->busy[best])
			best = units[i];
	return best;
}

static const BusyUnit all_units[] = {BUSY_UNITS(X_BUSY)};
static const BusyUnit memory_units[] = {BUSY_dram, BUSY_l2, BUSY_l3, BUSY_constant, BUSY_contention};
#define BOUND_OF(name, doc) [BUSY_##name] = BOUND_##name,
static const TimeBound bound_of[BUSY_COUNT] = {BUSY_UNITS(BOUND_OF)};

static TimeBound most_waited(const Estimate *e)
{
	const TimeBound bound[PART_COUNT] = {[PART_vector] = BOUND_issue,
	                                     [PART_scalar] = BOUND_issue,
	                                     [PART_dependency] = BOUND_dependency,
	                                     [PART_fetch] = BOUND_fetch,
	                                     [PART_lds] = BOUND_lds_latency,
	                                     [PART_lds_conflicts] = BOUND_lds_conflicts,
	                                     [PART_address] = BOUND_address,
	                                     [PART_latency] = BOUND_latency,
	                                     [PART_bandwidth] = bound_of[busiest(e, memory_units, COUNT(memory_units))],
	                                     [PART_barrier] = BOUND_barrier};
	u32 best = 0;
	for (u32 i = 1; i < PART_COUNT; i++)
		if (e->part[i] > e->part[best])
			best = i;
	return e->tail > e->part[best] ? BOUND_tail : bound[best];
}

static TimeBound find_bound(const Device *dev, const Estimate *e, const TimingResult *r)
{
	static const BusyUnit l1_units[] = {BUSY_lds, BUSY_address};
	if (e->launch_us > e->time_us / 2)
		return BOUND_launch;
	u32 best = busiest(e, all_units, BUSY_COUNT);
	double busy = e->busy[best], l1 = e->busy[BUSY_lds] + e->busy[BUSY_address];
	if (dev->lds_in_l1 && l1 > busy) {
		busy = l1;
		best = busiest(e, l1_units, COUNT(l1_units));
	}
	if (busy < busy_enough)
		return most_waited(e);
	return best == BUSY_lds && r->lds_conflict_busy * 2 > r->lds_busy ? BOUND_lds_conflicts : bound_of[best];
}

/* Is there an atomic in global memory whose result is read? */
static bool takes_by_atomic(const Program *p)
{
	bool *read = xcalloc(p->regs.n + 1, sizeof *read), takes = false;
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].nsrc; k++)
			read[ins_src(p, &p->ins.v[i])[k]] = true;
	for (u32 i = 0; i < p->ins.n && !takes; i++) {
		const Ins *x = &p->ins.v[i];
		bool atomic = (x->op == OP_atomic || x->op == OP_cas) && x->space != SPACE_LDS;
		takes = atomic && x->ndst && read[ins_dst(p, x)[0]];
	}
	free(read);
	return takes;
}

/* What a wavefront runs, as a part of what the longest of all does: where this one does most of the work, in a launch
 * whose wavefronts may take it from each other; else 1. */
static double share_if_taken(const EstimateInput *in)
{
	enum { FEW = 4 };
	const Profile *prof = in->profile;
	ProfileTotals all;
	u64 most = 0;
	for (u32 i = 0; i < prof->wave_profs.n; i++)
		most = prof->wave_profs.v[i].instructions > most ? prof->wave_profs.v[i].instructions : most;
	profile_totals(in->program, prof, &all);
	bool one = prof->waves >= FEW && most * 2 > all.wave_instructions && takes_by_atomic(in->program);
	return one ? (double)all.wave_instructions / (double)prof->waves / (double)most : 1;
}

static u32 find_doubts(const EstimateInput *in, const Estimate *e, double taken_share)
{
	const bool doubt[DOUBT_COUNT] = {
		[DOUBT_spills] = in->code && in->code->vgpr_spills,
		[DOUBT_sampled] = e->sample_error > sample_differs,
		[DOUBT_one_kernel] = in->dev->family == DEVICE_FAMILY_rdna,
		[DOUBT_unmeasured] = in->dev->family == DEVICE_FAMILY_evergreen,
		[DOUBT_contention] = e->busy[BUSY_contention] > contention_matters && in->dev->family != DEVICE_FAMILY_nvidia,
		[DOUBT_taken] = taken_share < 1,
		[DOUBT_ir] = in->dev->family != DEVICE_FAMILY_nvidia && !strcmp(e->source, "ir"),
	};
	u32 bits = 0;
	for (u32 i = 0; i < DOUBT_COUNT; i++)
		bits |= (u32)doubt[i] << i;
	return bits;
}

static double us(const Device *dev, double cycles) { return cycles / dev->clock_mhz + dev->start_ns / 1e3; }

static void take_lines(Estimate *e, const TimingResult *r, Arena *a)
{
	double all = 0;
	for (u32 i = 0; i < PART_COUNT; i++)
		all += r->part[i];
	u32 n = e->costs->lines.n;
	e->line_share = ARENA_ARRAY(a, double, n);
	for (u32 i = 0; i < PART_COUNT; i++) {
		e->line_part[i] = ARENA_ARRAY(a, double, n);
		for (u32 l = 0; l < n && all > 0; l++) {
			e->line_part[i][l] = r->line[i][l] / all;
			e->line_share[l] += e->line_part[i][l];
		}
	}
	for (u32 l = 0; l < n; l++) /* sums of other orders */
		e->line_share[l] = fmin(e->line_share[l], 1);
	if (!r->ins)
		return;
	size_t parts = (size_t)e->costs->ins.n * PART_COUNT;
	double *of = ARENA_ARRAY(a, double, parts + 1);
	for (size_t i = 0; i < parts && all > 0; i++)
		of[i] = r->ins[i] / all;
	e->ins_part = of;
}

/* NULL where no swap is tried again. */
static const SwapCrowd *swap_crowd(const EstimateInput *in, const Costs *costs, Arena *a)
{
	const EstimatePlan *p = in->plan;
	bool any = false;
	for (u32 i = 0; i < in->program->ins.n; i++)
		any |= costs->way[i] == ACCESS_SWAP;
	if (!any)
		return NULL;
	SwapCrowdInput x = {.events = in->profile->events, .groups = p->ngroups, .groups_run = in->profile->groups_run};
	x.at_once = fmin((double)p->resident * p->all_wgps, (double)p->ngroups);
	x.played_at_once = fmin((double)p->resident * p->wgps, (double)p->ngroups_recorded);
	return swap_crowd_new(&x, in->dev, in->program, a);
}

static TimingInput timing_input(const EstimateInput *in, const Costs *costs, const SwapCrowd *crowd)
{
	TimingInput t = {.dev = in->dev, .costs = costs, .program = in->program, .events = in->profile->events,
	                 .lds = in->lds, .wgps = in->plan->wgps, .units = in->plan->units,
	                 .all_wgps = in->plan->all_wgps, .group_places = in->plan->group_places,
	                 .wave_places = in->plan->wave_places};
	if (in->dev->group_rate)
		t.group_interval = 1000.0 / in->dev->group_rate * in->plan->all_wgps;
	estimate_share(in, costs, &t.memory);
	t.memory.crowd = crowd;
	return t;
}

/* ---- what if ---- */

typedef struct Play {
	TimingInput in;
	bool same; /* as the launch itself: nothing to play */
	bool more_places; /* of IF_full_occupancy */
	const TimingResult *r;
	Arena *arena;
} Play;

/* Of all, the first is the launch itself. Where that has ended, it tells whether coalescing, LDS without conflicts, or
 * more room for work-groups would change anything. */
static void play(void *ctx, u32 i)
{
	Play *all = ctx, *p = all + i;
	const TimingResult *launch = __atomic_load_n(&all->r, __ATOMIC_ACQUIRE);
	p->same |= p->in.memory.ideal_coalescing && launch && launch->coalesced;
	p->same |= p->in.no_conflicts && launch && launch->lds_conflict_busy == 0;
	p->same |= p->more_places && launch && !launch->waited;
	if (!p->same)
		__atomic_store_n(&p->r, timing_run(&p->in, p->arena), __ATOMIC_RELEASE);
}

/* Is there LDS in the record, or a block with fewer lanes than the wavefront? */
static void find_reasons(const Events *ev, bool *lds, bool *diverges)
{
	for (u32 i = 0; i < ev->waves.n && !(*lds && *diverges); i++) {
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			*lds |= w.kind == EVENT_ACCESS && w.shape->lds;
			*diverges |= w.kind == EVENT_BLOCK && w.lanes != ev->waves.v[i].lanes;
		}
	}
}

/* p->in is the launch's own. */
static void prepare_what_if(const EstimateInput *in, WhatIf w, bool lds, bool diverges, Play *p)
{
	TimingInput *t = &p->in;
	p->arena = arena_new();
	switch (w) {
	case IF_no_conflicts:
		t->no_conflicts = true;
		p->same = !lds;
		break;
	case IF_no_divergence:
		t->no_divergence = true;
		p->same = !diverges;
		break;
	case IF_ideal_coalescing: t->memory.ideal_coalescing = true; break;
	case IF_full_occupancy: { /* (L1 has what this launch's local memory leaves.) */
		u32 waves = in->dev->max_waves_per_simd * in->dev->simds_per_cu * in->dev->cus_per_wgp;
		u32 wpg =
		    (in->profile->waves && in->profile->groups) ? (u32)(in->profile->waves / in->profile->groups) : 1;
		u32 n = waves / (wpg ? wpg : 1);
		p->same = waves <= t->wave_places && n <= t->group_places;
		p->more_places = true;
		t->wave_places = waves > t->wave_places ? waves : t->wave_places;
		t->group_places = n > t->group_places ? n : t->group_places;
		break;
	}
	case IF_COUNT: break;
	}
}

static void take_what_if(const EstimateInput *in, Estimate *e, WhatIf w, const TimingResult *r, double scale)
{
	const EstimatePlan *plan = in->plan;
	double cycles;
	if (w == IF_full_occupancy && plan->per_wgp > plan->played) /* rounds are of another size: the mean rate */
		cycles = r->cycles * ((double)plan->ngroups / plan->all_wgps) / plan->played * scale;
	else
		cycles = launch_cycles(in->dev, plan, r, scale);
	double time = us(in->dev, cycles);
	e->what_if_us[w] = time < e->time_us ? time : e->time_us;
}

/* ---- something changed ---- */

/* Only the first work-groups of the record. */
static void cut_record(EstimatePlan *p, Events *ev, u64 most)
{
	u32 groups = 0, n = 0;
	p->ngroups_recorded = most < p->ngroups_recorded ? (u32)most : p->ngroups_recorded;
	for (; n < ev->waves.n; n++) {
		groups += begins_group(ev, n);
		if (groups > p->ngroups_recorded)
			break;
	}
	ev->waves.n = n;
}

/* Other work-groups: another number of them in the launch, and in the record. */
static void other_groups(EstimatePlan *p, Profile *prof, Events *ev, u64 ngroups)
{
	u32 recorded = groups_of(ev);
	p->units = NULL; /* their numbers are others */
	prof->groups_run = (u64)((double)prof->groups_run * (double)ngroups / (double)p->ngroups);
	prof->groups_run = prof->groups_run ? prof->groups_run : 1;
	p->ngroups = ngroups;
	p->per_wgp = (ngroups + p->all_wgps - 1) / p->all_wgps;
	/* More units may have to be played now, for nearly all groups of the record to be: they may differ. */
	u32 units = (u32)(recorded / p->per_wgp);
	p->wgps = units > p->wgps ? units : p->wgps;
	p->wgps = p->wgps < p->all_wgps ? p->wgps : p->all_wgps;
	p->wgps = ngroups < p->wgps ? (u32)ngroups : p->wgps;
	p->ngroups_recorded = recorded;
	u64 most = (u64)p->resident * ESTIMATE_ROUNDS, there = recorded / p->wgps;
	most = most < there ? most : there;
	p->played = (u32)(p->per_wgp < most ? p->per_wgp : most);
	p->played = p->played ? p->played : 1;
	cut_record(p, ev, (u64)p->played * p->wgps);
}

/* An input with parts that may be changed. */
typedef struct ChangedInput {
	EstimateInput in;
	EstimatePlan plan;
	Profile profile;
	Events events;
} ChangedInput;

static void copy_input(ChangedInput *x, const EstimateInput *in, const Events *events)
{
	*x = (ChangedInput){*in, *in->plan, *in->profile, *events};
	x->in.plan = &x->plan;
	x->in.profile = &x->profile;
	x->profile.events = &x->events;
}

/* Cycles for each group when so many rounds are played; adds what that issues. */
static double round_rate(const EstimateInput *in, const Costs *costs, const SwapCrowd *crowd, u32 rounds, u64 *issued)
{
	ChangedInput x;
	copy_input(&x, in, in->profile->events);
	cut_record(&x.plan, &x.events, (u64)rounds * x.plan.resident * x.plan.wgps);
	Arena *a = arena_new();
	TimingInput t = timing_input(&x.in, costs, crowd);
	const TimingResult *r = timing_run(&t, a);
	double cycles = r->cycles;
	*issued += r->issued;
	arena_free(a);
	return cycles / ((double)rounds * x.plan.resident);
}

EstimateChanged estimate_changed(const EstimateInput *in, const Estimate *base, const EstimateChange *c)
{
	ChangedInput x;
	copy_input(&x, in, c->events ? c->events : in->profile->events);
	const EstimatePlan *plan = &x.plan;
	const Costs *costs = c->costs ? c->costs : base->costs;
	if (c->occupancy)
		estimate_settle(&x.plan, in->dev, c->occupancy);
	if (c->ngroups)
		other_groups(&x.plan, &x.profile, &x.events, c->ngroups);
	EstimateChanged out = {.lds_conflicts = 0};
	/* Another number of resident groups: the record is not whole rounds of both. */
	u32 most = plan->resident > in->plan->resident ? plan->resident : in->plan->resident;
	bool rounds =
	    !c->ngroups && plan->resident != in->plan->resident && plan->per_wgp > plan->played && plan->played >= most;
	double before = rounds ? round_rate(in, base->costs, base->crowd, plan->played / most, &out.issued) : 0,
	       cycles = 0;
	if (before > 0)
		cycles =
		    base->cycles * round_rate(&x.in, costs, base->crowd, plan->played / most, &out.issued) / before;
	if (before <= 0 || c->conflicts) {
		Arena *a = arena_new();
		TimingInput t = timing_input(&x.in, costs, base->crowd);
		t.together = c->together;
		t.divided_wave = c->divided_wave;
		const TimingResult *r = timing_run(&t, a);
		out.lds_conflicts = r->lds_conflict_busy;
		out.issued += r->issued;
		cycles = before > 0 ? cycles : launch_cycles(in->dev, plan, r, per_group(in));
		arena_free(a);
	}
	out.time_us = us(in->dev, cycles);
	return out;
}

/* ---- all of it ---- */

/* The clock of a play only goes on: where that is the launch's, the play may end when it is over. */
static double most_cycles(const EstimateInput *in)
{
	const EstimatePlan *p = in->plan;
	double most = (in->most_us - in->dev->start_ns / 1e3) * in->dev->clock_mhz;
	if (!in->time_only || in->most_us <= 0 || p->per_wgp > p->played || events_cut_off(in->profile->events))
		return 0;
	return most > 0 ? most / per_group(in) : 0;
}

/* The launch, and behind it its what-ifs, which are played side by side; returns how many these are. */
static u32 prepare_plays(const EstimateInput *in, const Estimate *e, Arena *scratch, Play plays[1 + IF_COUNT])
{
	const EstimatePlay *kept = in->timeline ? NULL : in->kept;
	u32 n = in->what_ifs ? 1 + IF_COUNT : 1;
	bool in_lds = false, diverges = false;
	plays[0] = (Play){.in = timing_input(in, e->costs, e->crowd), .arena = in->kept ? in->kept->arena : scratch};
	if (kept && kept->result && (in->time_only || !kept->time_only)) {
		plays[0].r = kept->result;
		plays[0].same = true;
	}
	if (in->what_ifs)
		find_reasons(in->profile->events, &in_lds, &diverges);
	for (u32 i = 1; i < n; i++) {
		plays[i] = (Play){.in = plays[0].in};
		prepare_what_if(in, (WhatIf)(i - 1), in_lds, diverges, &plays[i]);
	}
	plays[0].in.timeline = in->timeline; /* not of the what-ifs */
	plays[0].in.by_part = plays[0].in.by_level = !in->time_only;
	plays[0].in.coalesced = in->what_ifs || in->kept;
	plays[0].in.most_cycles = most_cycles(in);
	plays[0].in.by_ins = in->by_ins && in->code && !in->code->missing && in->run;
	return n;
}

static void take_time(Estimate *e, const EstimateInput *in, const TimingResult *r, double scale)
{
	e->cycles = launch_cycles(in->dev, in->plan, r, scale);
	e->launch_us = in->dev->start_ns / 1e3;
	e->warm = in->warm;
	e->queue_us = in->dev->launch_ns / 1e3;
	e->time_us = us(in->dev, e->cycles);
}

/* Which parts of the machine worked, and how many groups it had. */
static void take_use(Estimate *e, const EstimatePlan *plan, const TimingResult *r)
{
	double inv = r->cycles > 0 ? 1 / r->cycles : 0;
	const double busy[BUSY_COUNT] = {[BUSY_vector] = r->vector_busy,
	                                 [BUSY_scalar] = r->scalar_busy,
	                                 [BUSY_lds] = r->lds_busy,
	                                 [BUSY_address] = r->address_busy,
	                                 [BUSY_constant] = r->constant_busy,
	                                 [BUSY_l2] = r->memory.l2,
	                                 [BUSY_l3] = r->memory.l3,
	                                 [BUSY_dram] = r->memory.dram,
	                                 [BUSY_contention] = memory_met(&r->memory)};
	for (u32 i = 0; i < BUSY_COUNT; i++)
		e->busy[i] = busy[i] * inv;
	e->groups = plan->ngroups;
	e->groups_played = r->groups;
	e->wgps = plan->wgps;
	e->all_wgps = plan->all_wgps;
	e->used_wgps = estimate_used(plan);
	e->resident = r->resident * inv / e->wgps;
	e->uneven = plan->units != NULL;
	e->issued = r->issued;
	e->lds_conflicts = r->lds_conflict_busy;
}

/* What each level of memory moved. times: what was played is of the launch. */
static void take_memory(Estimate *e, const EstimateInput *in, const TimingResult *r, double times, Arena *a)
{
	const Costs *costs = e->costs;
	for (u32 i = 0; i < LEVEL_COUNT; i++)
		e->level[i] = level_scaled(&r->memory.level[i], times);
	e->lanes = lanes_use(in->program, in->profile, costs, in->lds_ins);
	const LaneUse *lds = &e->lanes.of[LANES_lds];
	e->level[LEVEL_lds] = (LevelUse){.bytes = lds->loaded + lds->stored, .written = lds->stored};
	e->line_level = ARENA_ARRAY(a, MemoryUse, costs->lines.n + 1);
	for (u32 l = 0; l < costs->lines.n; l++)
		for (u32 i = 0; i < LEVEL_COUNT; i++)
			e->line_level[l][i] = level_scaled(&r->line_level[l][i], times);
}

/* How far the time may be off. */
static void take_band(Estimate *e, const EstimateInput *in)
{
	e->sample_error = sample_error(in);
	double taken_share = share_if_taken(in);
	e->doubts = find_doubts(in, e, taken_share);
	double low, high, wider = 1 + e->sample_error;
	for (u32 i = 0; i < RATIO_COUNT; i++)
		e->ratio_factor[i] = ratio_factor(in->dev, (RatioKind)i, e->doubts) * wider;
	time_band(in->dev, e->bound_by, e->doubts, &low, &high);
	double least = e->launch_us + (e->time_us - e->launch_us) * taken_share;
	e->low_us = least * low / wider;
	e->high_us = e->time_us * high * wider;
}

Estimate *estimate_run(const EstimateInput *in, Arena *a)
{
	Estimate *e = ARENA_NEW(a, Estimate);
	const Events *ev = in->profile->events;
	if (in->profile->stopped || !ev || !ev->waves.n) {
		e->missing = in->profile->stopped ? "the launch did not end" : "no work-group was recorded";
		return e;
	}
	Costs *costs = costs_new(in->dev, in->program, in->profile, in->code, in->run, a);
	Arena *scratch = arena_new();
	Play plays[1 + IF_COUNT];
	e->costs = costs;
	e->source = costs->source;
	e->crowd = swap_crowd(in, costs, a);
	u32 nplays = prepare_plays(in, e, scratch, plays);
	parallel(in->threads, nplays, play, plays);
	const TimingResult *r = plays[0].r;
	if (in->kept) {
		in->kept->result = r;
		in->kept->time_only = in->time_only;
	}
	double scale = per_group(in);
	take_time(e, in, r, scale);
	if (in->time_only) {
		arena_free(scratch);
		return e;
	}
	take_use(e, in->plan, r);
	take_memory(e, in, r, (in->plan->units ? 1 : scale) / estimate_part_asked(in, costs, scratch), a);
	take_parts(e, in->plan, r);
	take_lines(e, r, a);
	e->bound_by = find_bound(in->dev, e, r);
	take_band(e, in);
	for (u32 i = 0; i < IF_COUNT; i++)
		e->what_if_us[i] = -1;
	for (u32 i = 1; i < nplays; i++) {
		take_what_if(in, e, (WhatIf)(i - 1), plays[i].same ? r : plays[i].r, scale);
		arena_free(plays[i].arena);
	}
	arena_free(scratch);
	return e;
}
