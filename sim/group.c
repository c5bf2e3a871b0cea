/* One work-group: its wavefronts run one after the other, each until it ends or waits
 * at a barrier. */
#include "sim/check_race.h"
#include "sim/check_unset.h"

void budget_take(Wave *w)
{
	const Machine *m = w->worker->m;
	i64 part = w->later < BUDGET_PART ? w->later : BUDGET_PART;
	if (m->cfg->max_launch_instructions) {
		/* Never more than there is: who runs out of it sees that it is gone. */
		i64 *left = &m->attempt->left, was = __atomic_load_n(left, __ATOMIC_RELAXED), most = part;
		do {
			part = most < was ? most : was > 0 ? was : 0;
		} while (
		    !__atomic_compare_exchange_n(left, &was, was - part, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	}
	w->budget = part;
	w->later -= part;
}

void budget_return(Wave *w)
{
	const Machine *m = w->worker->m;
	if (m->cfg->max_launch_instructions)
		__atomic_fetch_add(&m->attempt->left, w->budget, __ATOMIC_RELAXED);
	w->later += w->budget;
	w->budget = 0;
}

static void wave_start(Wave *w, u32 items)
{
	const Code *c = w->code;
	memcpy(w->r, c->scalars, c->scalar_bytes);
	if (c->priv_bytes)
		memset(w->priv, 0, (size_t)c->priv_bytes * c->n);
	unset_wave_start(w);
	w->alive = mask_first(items);
	w->on_valid = false;
	w->copies_started = 0;
	w->copying = false;
	u64 limit = w->worker->m->cfg->max_instructions;
	w->later = limit && limit < INT64_MAX ? (i64)limit : INT64_MAX;
	if (!w->worker->alone && w->later > w->worker->m->attempt->most)
		w->later = w->worker->m->attempt->most;
	budget_take(w);
	w->prof = (WaveProf){.group = w->group->linear, .wave = w->index};
	record_wave_start(w);
	w->resume = flow_start(w);
	w->state = WAVE_READY;
	budget_return(w);
}

void wave_end(Wave *w)
{
	Worker *wk = w->worker;
	flow_finish(w);
	record_wave_end(w);
	u64 number = w->prof.group * wk->m->waves_per_group + w->index;
	if (wk->wave_profs && number < wk->m->cfg->wave_prof_limit)
		wk->wave_profs[number] = w->prof;
	if (w->prof.group < wk->nwork) {
		GroupWork *g = &wk->work[w->prof.group];
		u32 n = w->prof.instructions < UINT32_MAX ? (u32)w->prof.instructions : UINT32_MAX;
		g->longest = n > g->longest ? n : g->longest;
		g->all = n < UINT32_MAX - g->all ? g->all + n : UINT32_MAX;
	}
}

u32 group_waves(const Worker *wk)
{
	return (wk->group.items + wk->m->code->wave - 1) / wk->m->code->wave;
}

/* Every wavefront waits at a barrier or has ended; a finding when that is not the same one. */
static void meet(Worker *wk, u32 waiting)
{
	const Wave *first = NULL;
	bool missed = false;
	u32 n = group_waves(wk);
	for (u32 i = 0; i < n; i++) {
		Wave *w = &wk->waves[i];
		if (w->state == WAVE_DONE) {
			missed = true;
			continue;
		}
		if (!first)
			first = w;
		else if (w->barrier_ins != first->barrier_ins)
			finding_add(w, FINDING_unequal_barriers, w->barrier_ins, mask_lowest(w->mask));
	}
	if (missed && waiting)
		for (u32 i = 0; i < n; i++)
			if (wk->waves[i].state == WAVE_BARRIER) {
				finding_add(&wk->waves[i], FINDING_missed_barrier, wk->waves[i].barrier_ins,
				            mask_lowest(wk->waves[i].mask));
				break;
			}
}

static void release(Worker *wk)
{
	u32 flags = 0, n = group_waves(wk);
	if (wk->group.waits)
		async_meet(wk, n);
	for (u32 i = 0; i < n; i++)
		if (wk->waves[i].state == WAVE_BARRIER) {
			flags = (u32)wk->m->p->ins.v[wk->waves[i].barrier_ins].imm;
			wk->waves[i].state = WAVE_READY;
		}
	wk->group.epoch++;
	if (wk->races)
		race_barrier(wk->races, flags);
}

void group_meet(Worker *wk, u32 waiting)
{
	meet(wk, waiting);
	release(wk);
}

/* Let every wavefront that can run do so; how many wait now. */
static u32 turn(Worker *wk)
{
	u32 waiting = 0, n = group_waves(wk);
	for (u32 i = 0; i < n; i++) {
		Wave *w = &wk->waves[i];
		if (wk->over)
			return 0;
		if (w->state != WAVE_READY)
			continue;
		budget_take(w);
		for (const Step *s = w->resume; s;)
			s = s->fn(w, s);
		budget_return(w);
		if (w->state == WAVE_DONE)
			wave_end(w);
		waiting += w->state == WAVE_BARRIER;
	}
	return attempt_over(wk, false) ? 0 : waiting; /* a loop with a barrier may be endless, too */
}

/* The launch ends here, with what its wavefronts did so far. */
static void end_all(Worker *wk)
{
	for (u32 i = 0; i < group_waves(wk); i++)
		if (wk->waves[i].state != WAVE_DONE) {
			wk->waves[i].state = WAVE_DONE;
			wave_end(&wk->waves[i]);
		}
}

/* The local ids of every lane; they change only when a smaller group comes. */
void group_ids(Worker *wk)
{
	const u32 *local = wk->group.local, n = wk->m->code->n;
	if (!memcmp(wk->ids_for, local, sizeof wk->ids_for))
		return;
	memcpy(wk->ids_for, local, sizeof wk->ids_for);
	u64 id[3];
	for (u32 i = 0; i < group_waves(wk); i++)
		for (u32 l = 0; l < n; l++) {
			u32 *ids = wk->local_ids + (size_t)i * 3 * n + l;
			launch_ids(wk->m->launch->exchanged, i * wk->m->code->wave + l, (u64[]){local[0], local[1]},
			           id);
			for (u32 k = 0; k < 3; k++)
				ids[k * n] = (u32)id[k];
		}
}

void group_start(Worker *wk, u64 linear)
{
	const Machine *m = wk->m;
	const SimLaunch *l = m->launch;
	Group *g = &wk->group;
	g->linear = linear;
	wk->window = (u8)(1u << (u64)((u128)linear * EVENT_WINDOWS / m->ngroups));
	u64 id[3];
	launch_ids(l->exchanged, linear, m->groups, id);
	for (u32 i = 0; i < 3; i++) {
		g->id[i] = (u32)id[i];
		u64 left = l->global[i] - g->id[i] * l->local[i];
		g->local[i] = (u32)(left < l->local[i] ? left : l->local[i]);
	}
	g->items = g->local[0] * g->local[1] * g->local[2];
	group_ids(wk);
	g->epoch = 0;
	g->copies.n = 0;
	g->copies_pending = g->waits = false;
	g->copies_started = 0;
	g->waited.n = 0;
	if (wk->races)
		race_group_start(wk->races);
	if (wk->unset)
		unset_group_start(wk->unset);
	if (m->lds_bytes)
		memset(g->lds, 0, m->lds_bytes);
	u32 left = g->items, waves = group_waves(wk);
	for (u32 i = 0; i < waves; i++) {
		u32 items = left < m->code->wave ? left : m->code->wave;
		wave_start(&wk->waves[i], items);
		left -= items;
	}
}

void group_end(Worker *wk)
{
	Group *g = &wk->group;
	if (wk->over)
		end_all(wk);
	else if (g->copies.n)
		async_group_end(&wk->waves[0]);
	if (g->prints.n) {
		Buf text = {0};
		u64 most = most_printed(wk->m);
		/* A worker's work-groups are in order: what comes behind so much of its own is left out of all, too. */
		wk->printed_bytes += print_flush(g, wk->printed_bytes < most ? most : 0, &text);
		array_push(&wk->printed, ((PrintedGroup){g->linear, text.v, text.n}));
	}
}

void group_run(Worker *wk, u64 linear)
{
	group_start(wk, linear);
	for (u32 waiting; (waiting = turn(wk));)
		group_meet(wk, waiting);
	group_end(wk);
}
