/* The loop of the timing model: work-groups start on work-group processors, wavefronts take part in the event
 * queue, groups that end make room for the next. */
#include "models/timing/timing_impl.h"

#include <math.h>

const char *const time_part_name[PART_COUNT] = {TIME_PARTS(X_NAME)};
const char *const time_part_doc[PART_COUNT] = {TIME_PARTS(X_DOC)};

/* ---- groups ---- */

static void find_groups(TimingSim *s)
{
	const Events *ev = s->in->events;
	s->groups = ARENA_ARRAY(s->arena, TimingGroup, ev->waves.n);
	for (u32 i = 0; i < ev->waves.n; i++) {
		if (i && ev->waves.v[i].group == ev->waves.v[i - 1].group) {
			s->groups[s->ngroups - 1].nwaves++;
			continue;
		}
		s->groups[s->ngroups] = (TimingGroup){.first = i, .nwaves = 1, .wgp = s->ngroups % s->in->wgps};
		if (s->in->units) {
			u32 unit = (u32)(ev->waves.v[i].group % s->in->all_wgps);
			s->groups[s->ngroups].wgp = lower_bound(s->in->units, s->in->wgps, sizeof unit, &unit, by_u32);
		}
		s->ngroups++;
	}
	s->next_group = ARENA_ARRAY(s->arena, u32, s->in->wgps);
	u32 *turns = ARENA_ARRAY(s->arena, u32, s->in->wgps);
	for (u32 p = 0; p < s->in->wgps; p++)
		s->next_group[p] = s->ngroups;
	for (u32 i = s->ngroups; i-- > 0;) {
		s->groups[i].next = s->next_group[s->groups[i].wgp];
		s->next_group[s->groups[i].wgp] = i;
	}
	for (u32 i = 0; i < s->ngroups; i++)
		s->groups[i].turn = turns[s->groups[i].wgp]++;
}

/* The vector unit of a group's work-group processor with the fewest wavefronts; of equal ones the search begins
 * with another one for each group: or all first wavefronts, which often do more than the last, would share one. */
static u32 choose_simd(const TimingSim *s, const TimingGroup *g)
{
	u32 n = s->simds_per_wgp, base = g->wgp * n, turn = g->turn % n, best = base + turn;
	for (u32 i = 1; i < n; i++) {
		u32 at = base + (turn + i) % n;
		if (s->simds[at].waves < s->simds[best].waves)
			best = at;
	}
	return best;
}

static void life_begin(TimingSim *s, TimingWave *w)
{
	Timeline *t = s->in->timeline;
	if (!t)
		return;
	w->life = t->lives.n;
	array_push(&t->lives, ((TimingLife){.group = w->ev->group, .wave = w->ev->wave, .wgp = w->wgp,
	                                    .cu = w->cu, .simd = w->simd, .begin = w->t}));
}

static u32 wave_begin(TimingSim *s, u32 group, u32 number, double now)
{
	TimingGroup *g = &s->groups[group];
	u32 slot = s->free_slot[--s->nfree];
	TimingWave *w = &s->waves[slot];
	*w = (TimingWave){.ev = &s->in->events->waves.v[number], .number = number, .group = group,
	                  .wgp = g->wgp, .at = w->at, .elements = w->elements, .event.age = s->ages++,
	                  .t = now, .begin = now,
	                  .vm.at = w->vm.at, .lgkm.at = w->lgkm.at, .vs.at = w->vs.at};
	memset(w->at, 0, s->costs->naccesses * sizeof *w->at);
	w->segment = 1;
	w->simd = choose_simd(s, g);
	w->cu = w->simd / s->dev->simds_per_cu;
	w->units = &s->simds[w->simd];
	s->simds[w->simd].waves++;
	life_begin(s, w);
	schedule_wave(s, w);
	return slot;
}

/* The next group of a work-group processor starts at a time, if there is one and room for it; an empty
 * processor takes every group. */
static bool group_begin(TimingSim *s, u32 wgp, double at)
{
	u32 g = s->next_group[wgp];
	if (g >= s->ngroups)
		return false;
	if (s->groups_in[wgp] && (s->groups_in[wgp] >= s->in->group_places ||
	                           s->waves_in[wgp] + s->groups[g].nwaves > s->in->wave_places)) {
		s->r->waited = true;
		return false;
	}
	double begin = at > s->next_start[wgp] ? at : s->next_start[wgp];
	s->next_start[wgp] = begin + s->in->group_interval;
	s->next_group[wgp] = s->groups[g].next;
	s->groups_in[wgp]++;
	s->waves_in[wgp] += s->groups[g].nwaves;
	s->groups[g].begin = begin;
	s->groups[g].slot = ARENA_ARRAY(s->arena, u32, s->groups[g].nwaves);
	for (u32 i = 0; i < s->groups[g].nwaves; i++)
		s->groups[g].slot[i] = wave_begin(s, g, s->groups[g].first + i, begin);
	for (u32 i = 0; i < s->simds_per_wgp && s->groups[g].next >= s->ngroups; i++)
		s->simds[wgp * s->simds_per_wgp + i].bound--;
	return true;
}

/* When every running wavefront of the group waits at a barrier, all continue. */
static void group_release(TimingSim *s, TimingGroup *g, double now)
{
	if (!g->waiting || g->waiting + g->ended < g->nwaves)
		return;
	double last = now;
	for (u32 i = 0; i < g->nwaves; i++) {
		const TimingWave *w = &s->waves[g->slot[i]];
		if (w->waits && w->t > last)
			last = w->t;
	}
	last += s->dev->barrier_cycles;
	for (u32 i = 0; i < g->nwaves; i++) {
		TimingWave *w = &s->waves[g->slot[i]];
		if (!w->waits)
			continue;
		spend(s, w, PART_barrier, &s->ins[w->barrier], w->t, last - w->t);
		w->waits = false;
		w->units->bound--;
		w->t = last;
		schedule_wave(s, w);
		last += s->dev->barrier_wave_cycles;
	}
	g->waiting = 0;
}

void timing_barrier(TimingSim *s, TimingWave *w, u32 ins)
{
	w->barrier = ins;
	w->waits = true;
	w->units->bound++;
	s->groups[w->group].waiting++;
	group_release(s, &s->groups[w->group], w->t);
}

/* A record may have been cut off. */
static void add_to_unit(TimingUnit *u, const TimingWave *w)
{
	const WaveEvents *ev = w->ev;
	double whole = ev->recorded ? (double)ev->instructions / (double)ev->recorded : 1;
	u->whole_end = fmax(u->whole_end, w->begin + (w->t - w->begin) * whole);
	u->recorded += ev->recorded;
	u->instructions += ev->instructions;
}

void timing_wave_end(TimingSim *s, TimingWave *w)
{
	TimingGroup *g = &s->groups[w->group];
	double now = w->t;
	if (s->in->timeline)
		s->in->timeline->lives.v[w->life].end = now;
	s->simds[w->simd].waves--;
	s->waves_in[g->wgp]--;
	g->ended++;
	if (w->t > g->end)
		g->end = w->t;
	TimingUnit *unit = &s->r->unit[g->wgp];
	unit->end = fmax(unit->end, g->end);
	add_to_unit(unit, w);
	group_release(s, g, now);
	if (g->ended == g->nwaves) {
		for (u32 i = 0; i < g->nwaves; i++)
			s->free_slot[s->nfree++] = g->slot[i];
		s->groups_in[g->wgp]--;
		s->r->resident += g->end - g->begin;
		s->r->group_end[s->r->groups++] = g->end;
		s->r->cycles = g->end > s->r->cycles ? g->end : s->r->cycles;
	}
	while (group_begin(s, g->wgp, now + s->dev->group_cycles))
		;
}

/* ---- setting up ---- */

static void make_slots(TimingSim *s)
{
	u32 most = 1, all = 1, n;
	for (u32 i = 0; i < s->ngroups; i++) {
		most = s->groups[i].nwaves > most ? s->groups[i].nwaves : most;
		all = s->groups[i].turn >= all ? s->groups[i].turn + 1 : all;
	}
	u32 places = s->in->group_places ? s->in->group_places : 1;
	n = s->in->wgps * (places < all ? places : all) * most;
	s->waves = ARENA_ARRAY(s->arena, TimingWave, n);
	s->free_slot = ARENA_ARRAY(s->arena, u32, n);
	queues_new(s, n);
	for (u32 i = 0; i < n; i++) {
		s->waves[i].at = ARENA_ARRAY(s->arena, u32, s->costs->naccesses + 1);
		s->waves[i].elements = ARENA_ARRAY(s->arena, u32, s->costs->naccesses + 1);
		s->waves[i].vm.at = ARENA_ARRAY(s->arena, PendingAccess, UNDER_WAY);
		s->waves[i].lgkm.at = ARENA_ARRAY(s->arena, PendingAccess, UNDER_WAY);
		s->waves[i].vs.at = ARENA_ARRAY(s->arena, PendingAccess, UNDER_WAY);
		s->free_slot[s->nfree++] = n - 1 - i;
	}
}

static double sum_of(const double *part)
{
	double sum = 0;
	for (u32 i = 0; i < PART_COUNT; i++)
		sum += part[i];
	return sum;
}

/* All instructions wait for the rest of f times as long, each as long as it ran. */
static void stretch_all(TimingSim *s, double f)
{
	for (u32 i = 0; i < s->costs->ins.n; i++)
		s->sum[i][PART_bandwidth] += sum_of(s->sum[i]) * (f - 1);
}

/* What met others at the address that the launch waits for waits: met, per instruction, meets in all. */
static void stretch_met(TimingSim *s, double cycles, const u64 *met, u64 meets)
{
	for (u32 i = 0; i < s->costs->ins.n; i++)
		s->sum[i][PART_bandwidth] += cycles * (double)met[i] / (double)meets;
}

static void stretch_parts(TimingSim *s, double f)
{
	const MemoryBusy *m = memory_busy(s->memory);
	MeetingKind kind = m->met[MEETING_swap] > m->met[MEETING_channel] ? MEETING_swap : MEETING_channel;
	double all = 0;
	u64 meets = 0;
	for (u32 i = 0; i < s->costs->ins.n; i++)
		all += sum_of(s->sum[i]);
	if (memory_met(m) > later(later(m->l2, m->l3), m->dram))
		for (u32 i = 0; i < s->costs->ins.n; i++)
			meets += s->meets[kind][i];
	if (meets)
		stretch_met(s, all * (f - 1), s->meets[kind], meets);
	else
		stretch_all(s, f);
}

/* Wavefronts end before their stores have arrived. When the memory is still busy with them after
 * the last one, it is what the launch is waiting for. */
static void stretch(TimingSim *s, double end)
{
	TimingResult *r = s->r;
	if (end <= r->cycles || r->cycles <= 0)
		return;
	double f = end / r->cycles;
	if (s->in->by_part)
		stretch_parts(s, f);
	r->resident *= f;
	r->cycles = end;
}

static void take_parts(TimingSim *s)
{
	TimingResult *r = s->r;
	for (u32 p = 0; p < PART_COUNT; p++) {
		r->line[p] = ARENA_ARRAY(s->arena, double, s->costs->lines.n);
		for (u32 i = 0; i < s->costs->ins.n; i++) {
			r->line[p][s->costs->ins.v[i].line] += s->sum[i][p];
			r->part[p] += s->sum[i][p];
		}
	}
	if (s->in->by_ins)
		r->ins = s->sum[0];
}

/* Of two pipes the one that has more to do is the unit's, as in TimingResult. */
static void share_use(TimingSim *s, u32 cus, u32 simds)
{
	UnitUse *use = &s->in->timeline->use;
	if (s->busy[UNIT_logic] > s->busy[UNIT_vector])
		memcpy(use->busy[BUSY_vector], use->busy[USE_LOGIC], sizeof use->busy[0]);
	if (s->busy[UNIT_branch] > s->busy[UNIT_scalar])
		memcpy(use->busy[BUSY_scalar], use->busy[USE_BRANCH], sizeof use->busy[0]);
	const double n[USE_ROWS] = {
	    [BUSY_vector] = simds, [BUSY_scalar] = simds, [BUSY_lds] = (double)cus / s->dev->lds_cus,
	    [BUSY_address] = cus,  [BUSY_constant] = cus, [BUSY_l2] = 1,         [BUSY_l3] = 1,
	    [BUSY_dram] = 1,       [BUSY_contention] = 1,      [USE_LOGIC] = simds,
	    [USE_BRANCH] = simds};
	unit_use_share(use, n);
	use->end = s->r->cycles;
}

TimingResult *timing_run(const TimingInput *in, Arena *a)
{
	TimingSim s = {.in = in, .dev = in->dev, .costs = in->costs, .arena = a, .wave = in->costs->wave};
	TimingResult *r = s.r = ARENA_NEW(a, TimingResult);
	s.passes = (s.wave + in->dev->wave - 1) / in->dev->wave;
	s.undivided = in->no_divergence || in->together;
	s.cus_per_wgp = in->dev->cus_per_wgp;
	s.simds_per_wgp = s.cus_per_wgp * in->dev->simds_per_cu;
	u32 cus = in->wgps * s.cus_per_wgp, simds = in->wgps * s.simds_per_wgp;
	find_groups(&s);
	r->group_end = ARENA_ARRAY(a, double, s.ngroups + 1);
	r->unit = ARENA_ARRAY(a, TimingUnit, in->wgps);
	s.texels = ARENA_ARRAY(a, Texels, in->costs->ins.n + 1);
	for (u32 k = MEETING_none + 1; k < MEETINGS; k++)
		s.meets[k] = ARENA_ARRAY(a, u64, in->costs->ins.n + 1);
	s.sum = ARENA_ARRAY(a, InsParts, in->by_part ? in->costs->ins.n + 1 : 1);
	if (in->by_level)
		r->line_level = ARENA_ARRAY(a, MemoryUse, in->costs->lines.n + 1);
	ins_new(&s);
	fetch_new(&s, cus, simds);
	s.ahead = !in->timeline && !s.fetch && !s.in_turn;
	stream_new(&s);
	make_slots(&s);
	MemoryInput mem = in->memory;
	mem.dev = in->dev;
	mem.cus = cus;
	mem.use = in->timeline ? &in->timeline->use : NULL;
	s.memory = memory_new(&mem, a);
	s.lds = lds_times_new(in->dev, in->lds, s.wave, a);
	s.bank_free = ARENA_ARRAY(a, double, cus);
	s.carry = ARENA_ARRAY(a, double, in->costs->blocks.n + 1);
	s.next_start = ARENA_ARRAY(a, double, in->wgps);
	s.groups_in = ARENA_ARRAY(a, u32, in->wgps);
	s.waves_in = ARENA_ARRAY(a, u32, in->wgps);
	for (bool any = true; any;) {
		any = false;
		for (u32 p = 0; p < in->wgps; p++)
			any |= group_begin(&s, p, 0);
	}
	issue_events(&s);
	if (in->timeline)
		in->timeline->until = r->cycles;
	stretch(&s, memory_end(s.memory));
	if (in->by_part)
		take_parts(&s);
	qsort(r->group_end, r->groups, sizeof *r->group_end, by_double);
	if (in->timeline)
		share_use(&s, cus, simds);
	/* Whichever part of the vector units has more to do; branches are issued beside scalar instructions. */
	r->vector_busy = later(s.busy[UNIT_vector], s.busy[UNIT_logic]) / simds;
	r->scalar_busy = later(s.busy[UNIT_scalar], s.busy[UNIT_branch]) / simds;
	r->lds_busy *= (double)in->dev->lds_cus / cus;
	r->lds_conflict_busy *= (double)in->dev->lds_cus / cus;
	r->memory = *memory_busy(s.memory);
	r->address_busy = r->memory.address / cus;
	r->constant_busy = r->memory.constant / cus;
	r->coalesced = in->coalesced && memory_is_coalesced(s.memory);
	memory_free(s.memory);
	return r;
}
