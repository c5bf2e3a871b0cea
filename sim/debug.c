/* One instruction after the other: see debug.h. debug_state.c copies states, debug_look.c looks at them. */
#include "sim/debug_run.h"

#include "sim/memory.h"

/* ---- what is written ---- */

static void note_writer(DebugTrace *t, const Wave *w, u32 ins, u32 lane, u64 at, u32 bytes)
{
	for (u64 i = at / 4; i <= (at + bytes - 1) / 4 && i < t->nlds; i++)
		t->lds[i] = (LdsWriter){ins + 1, w->index, lane};
}

static void note_watched(DebugTrace *t, bool lds, u32 lane, u64 at, u32 bytes)
{
	for (u32 i = 0; i < t->nwatches; i++) {
		SimWatch *x = &t->watches[i];
		if (x->lds == lds && at < x->first + x->bytes && x->first < at + bytes) {
			t->watched = true;
			x->wrote |= mask_lane(lane);
		}
	}
}

static void note_store(const Wave *w, bool lds, u32 ins, u32 lane, u64 at, u32 bytes)
{
	DebugTrace *t = w->worker->debug;
	if (lds)
		note_writer(t, w, ins, lane, at, bytes);
	else
		t->dirty[at >> SEG_SHIFT] = true;
	if (t->nwatches)
		note_watched(t, lds, lane, at, bytes);
}

void debug_access(Wave *w, const WaveAccess *x)
{
	DebugTrace *t = w->worker->debug;
	if (x->kind == ACCESS_LOAD)
		return;
	if (!x->lds && !x->at && !t->nwatches) {
		t->dirty[x->first >> SEG_SHIFT] = true;
		return;
	}
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		u64 at = access_at(x, lane);
		note_store(w, x->lds, x->a->ins, lane, at, x->bytes);
	}
}

void debug_moved(Wave *w, u32 ins, const Place *to, u32 lane, u32 bytes)
{
	bool lds = to->space == SPACE_LDS;
	if (to->space != SPACE_PRIVATE)
		note_store(w, lds, ins, lane, lds ? (u64)(to->bytes - w->group->lds) : to->address, bytes);
}

/* ---- what is said once ---- */

/* What is executed now was executed before: findings and races are known. */
static void repeat_begin(SimDebug *s)
{
	Worker *wk = s->worker;
	if (s->repeats)
		return;
	s->repeats = true;
	s->races = wk->races;
	wk->races = NULL;
	memcpy(&s->found, &wk->findings, sizeof s->found);
	s->found_index = wk->finding_index;
	memset(&wk->findings, 0, sizeof wk->findings);
	memset(&wk->finding_index, 0, sizeof wk->finding_index);
}

static void findings_forget(Worker *wk)
{
	for (u32 i = 0; i < wk->findings.n; i++)
		free(wk->findings.v[i].detail);
	array_free(&wk->findings);
	hash_index_free(&wk->finding_index);
	memset(&wk->finding_index, 0, sizeof wk->finding_index);
}

static void repeat_end(SimDebug *s)
{
	Worker *wk = s->worker;
	if (!s->repeats)
		return;
	findings_forget(wk);
	s->repeats = false;
	wk->races = s->races;
	memcpy(&wk->findings, &s->found, sizeof s->found);
	wk->finding_index = s->found_index;
	memset(&s->found, 0, sizeof s->found);
	memset(&s->found_index, 0, sizeof s->found_index);
}

void debug_at(SimDebug *s, u64 count)
{
	s->count = count;
	if (count < s->frontier)
		repeat_begin(s);
	else
		repeat_end(s);
}

/* ---- running ---- */

static void take_printed(SimDebug *s)
{
	Worker *wk = s->worker;
	for (u32 i = 0; i < wk->printed.n; i++) {
		if (!s->repeats)
			buf_write(&s->printed, wk->printed.v[i].text, wk->printed.v[i].size);
		free(wk->printed.v[i].text);
	}
	wk->printed.n = 0;
	wk->printed_bytes = 0;
}

static void group_over(SimDebug *s)
{
	group_end(s->worker);
	take_printed(s);
}

static void group_begin(SimDebug *s, u64 at)
{
	s->worker->at = at;
	if (s->trace.nlds)
		memset(s->trace.lds, 0, s->trace.nlds * sizeof *s->trace.lds);
	group_start(s->worker, at);
	for (u32 i = 0; i < s->run.m.waves_per_group; i++)
		s->last[i] = NO_INS;
	s->current = 0;
}

static bool first_ready(SimDebug *s)
{
	for (u32 i = 0; i < group_waves(s->worker); i++)
		if (s->worker->waves[i].state == WAVE_READY) {
			s->current = i;
			return true;
		}
	return false;
}

/* To a wavefront that can run: past barriers, ends of work-groups. */
static void advance(SimDebug *s)
{
	Worker *wk = s->worker;
	while (!s->over && (wk->over || (wk->waves[s->current].state != WAVE_READY && !first_ready(s)))) {
		u32 waiting = 0;
		for (u32 i = 0; i < group_waves(wk); i++)
			waiting += wk->waves[i].state == WAVE_BARRIER;
		if (!wk->over && waiting) {
			group_meet(wk, waiting);
			continue;
		}
		group_over(s);
		s->over = wk->over || wk->at + 1 >= s->run.m.ngroups;
		if (!s->over)
			group_begin(s, wk->at + 1);
	}
}

/* Instructions may take several steps. */
static bool first_step(const Code *c, const Step *s) { return s == c->steps.v || s[-1].ins != s->ins; }

bool sim_debug_step(SimDebug *s, SimStep *out)
{
	Worker *wk = s->worker;
	if (s->over)
		return false;
	Wave *w = &wk->waves[s->current];
	const Step *at = w->resume;
	u32 found = wk->findings.n, parted = w->prof.divergent_branches;
	*out = (SimStep){.group = wk->group.linear, .wave = s->current, .ins = at->ins};
	s->trace.watched = false;
	for (u32 i = 0; i < s->trace.nwatches; i++)
		s->trace.watches[i].wrote = 0;
	budget_take(w);
	do
		at = at->fn(w, at);
	while (at && !first_step(w->code, at));
	budget_return(w);
	if (at)
		w->resume = at;
	out->parted = w->prof.divergent_branches != parted;
	if (w->code->p->ins.v[out->ins].loc || w->code->p->locs.n <= 1)
		s->last[s->current] = out->ins;
	if (w->state == WAVE_DONE)
		wave_end(w);
	advance(s);
	out->findings = s->repeats ? 0 : wk->findings.n - found;
	out->watched = s->trace.watched;
	bool repeated = s->repeats;
	debug_at(s, s->count + 1);
	if (!repeated)
		s->frontier = s->count;
	return true;
}

u64 sim_debug_count(const SimDebug *s) { return s->count; }
bool sim_debug_over(const SimDebug *s) { return s->over; }
u32 sim_debug_current(const SimDebug *s) { return s->current; }
u32 sim_debug_next(const SimDebug *s) { return s->over ? NO_INS : s->worker->waves[s->current].resume->ins; }
bool sim_debug_repeats(const SimDebug *s) { return s->repeats; }

void sim_debug_choose(SimDebug *s, u32 wave)
{
	if (!s->over && wave < group_waves(s->worker) && s->worker->waves[wave].state == WAVE_READY)
		s->current = wave;
}

void sim_debug_watch(SimDebug *s, SimWatch *list, u32 n)
{
	s->trace.watches = list;
	s->trace.nwatches = n;
}

/* ---- beginning and end ---- */

static void begin(SimDebug *s)
{
	Attempt *a = &s->run.attempt;
	*a = (Attempt){.suspect = UINT64_MAX, .left = INT64_MAX, .most = INT64_MAX};
	s->over = s->worker->over = s->worker->ended = false;
	s->count = s->frontier = 0;
	group_begin(s, 0);
}

void sim_debug_anew(SimDebug *s)
{
	debug_at(s, s->frontier);
	sim_debug_restore(s, s->first);
	repeat_end(s);
	Worker *wk = s->worker;
	findings_forget(wk);
	race_free(wk->races);
	wk->races = s->run.m.cfg->check.races ? race_new(wk) : NULL;
	s->frontier = 0;
	s->printed.n = 0;
	if (wk->races)
		race_group_start(wk->races);
}

SimDebug *sim_debug_open(const Program *p, const SimLaunch *launch, const SimConfig *cfg, Diag *d)
{
	SimDebug *s = xcalloc(1, sizeof *s);
	LaunchRun *r = &s->run;
	s->cfg = (SimConfig){.wave = cfg->wave,
	                     .lds = cfg->lds,
	                     .line_bytes = cfg->line_bytes,
	                     .threads = 1,
	                     .max_instructions = cfg->max_instructions,
	                     .max_lds = cfg->max_lds,
	                     .check = {.races = cfg->check.races},
	                     .uncounted = true};
	r->arena = arena_new();
	r->m.p = p;
	r->m.launch = launch;
	r->m.cfg = &s->cfg;
	r->m.attempt = &r->attempt;
	if (!machine_sizes(r, d) || !machine_init(r, true, true, d)) {
		sim_debug_close(s);
		return NULL;
	}
	/* Other wavefronts may run between two accesses of a block. */
	for (u32 i = 0; i < r->m.code->accesses.n; i++)
		r->m.code->accesses.v[i].again = false;
	r->nworkers = 1;
	r->workers = xcalloc(1, sizeof *r->workers);
	s->worker = r->workers;
	worker_init(r, s->worker);
	s->worker->alone = true;
	s->trace.nlds = r->m.lds_bytes / 4 + 1;
	s->trace.lds = ARENA_ARRAY(r->arena, LdsWriter, s->trace.nlds);
	s->worker->debug = &s->trace;
	s->last = ARENA_ARRAY(r->arena, u32, r->m.waves_per_group + 1);
	s->trace.dirty = ARENA_ARRAY(r->arena, bool, r->m.nsegs + 1);
	begin(s);
	s->first = sim_debug_save(s);
	return s;
}

void sim_debug_close(SimDebug *s)
{
	if (!s)
		return;
	if (s->worker) {
		repeat_end(s);
		for (u32 i = 0; i < s->worker->group.prints.n; i++)
			free(s->worker->group.prints.v[i].text);
		worker_free(s->worker);
		free(s->run.workers);
	}
	sim_state_free(s->first);
	array_free(&s->printed);
	code_free(s->run.m.code);
	arena_free(s->run.arena);
	free(s);
}
