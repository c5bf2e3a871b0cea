/* A launch: work-groups shared among threads, results merged in an order that does not depend on the threads. */
#include "sim/check_race.h"
#include "sim/check_unset.h"
#include "sim/launch.h"
#include "sim/observe.h"

#include "base/parallel.h"
#include "base/reserve.h"
#include "base/thread.h"

/* Work-groups whose work is counted one by one: 32 MB of them. */
enum { MOST_WORK = 1 << 22 };

static u64 groups_wanted(const LaunchRun *r)
{
	return r->m.cfg->only ? r->m.cfg->nonly : r->m.ngroups;
}

typedef struct Seat {
	LaunchRun *run;
	Worker *worker;
	bool reports; /* calls the progress function */
} Seat;

static void *work(void *arg)
{
	Seat *seat = arg;
	LaunchRun *r = seat->run;
	const SimConfig *cfg = r->m.cfg;
	u64 all = groups_wanted(r), stop = r->end;
	/* Small shares, so that threads end together; large enough that they rarely fetch one at the same time. */
	u64 chunk = all / (r->nworkers * 64u) + 1, shares = 0, look = 1;
	if (chunk > 64)
		chunk = 64;
	for (;;) {
		u64 first = atomic_fetch_add(&r->next, chunk);
		if (first >= stop)
			break;
		u64 end = first + chunk < stop ? first + chunk : stop;
		for (u64 g = first; g < end; g++) {
			if (seat->worker->over)
				return NULL;
			seat->worker->at = g;
			if (attempt_over(seat->worker, false))
				return NULL;
			group_run(seat->worker, cfg->only ? cfg->only[g] : g);
		}
		u64 done = atomic_fetch_add(&r->done, end - first) + (end - first);
		if (!seat->reports)
			continue;
		if (cfg->progress)
			cfg->progress(cfg->progress_ctx, done, all);
		if (++shares == look) { /* ever less often: a conflict shows early, or looking costs little */
			attempt_over(seat->worker, true);
			look *= 3;
		}
	}
	return NULL;
}

static void work_here(void *seat) { work(seat); }

static bool flag(const bool *b) { return __atomic_load_n(b, __ATOMIC_RELAXED); }

static bool conflict(const Machine *m, bool look)
{
	if (look && m->sets && access_sets_conflict(m->sets))
		__atomic_store_n(&m->attempt->conflict, true, __ATOMIC_RELAXED);
	return flag(&m->attempt->conflict);
}

bool attempt_over(Worker *wk, bool look)
{
	Attempt *a = wk->m->attempt;
	if (stop_asked(a->stop) || (a->deadline > 0 && seconds_now() > a->deadline))
		__atomic_store_n(&a->late, true, __ATOMIC_RELAXED);
	wk->over |= conflict(wk->m, look) || flag(&a->spent) || flag(&a->late) ||
	            wk->at > __atomic_load_n(&a->suspect, __ATOMIC_RELAXED);
	return wk->over;
}

/* All work-groups from first to before end. */
static void work_all(LaunchRun *r, u64 first, u64 end)
{
	r->next = first;
	r->end = end;
	Seat seats[256];
	pthread_t threads[256];
	bool started[256] = {false};
	for (u32 i = 0; i < r->nworkers; i++)
		seats[i] = (Seat){r, &r->workers[i], i == 0};
	for (u32 i = 1; i < r->nworkers; i++)
		started[i] = thread_start(&threads[i], work, &seats[i]);
	reserve_try(work_here, &seats[0]);
	for (u32 i = 1; i < r->nworkers; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
	reserve_pass();
}

static void workers_free(LaunchRun *r)
{
	for (u32 i = 0; i < r->nworkers; i++)
		worker_free(&r->workers[i]);
	free(r->workers);
	r->workers = NULL;
	r->nworkers = 0;
}

/* The bytes of the smallest access of memory that can be written. */
static u32 granule(const Code *c)
{
	u32 least = 16;
	for (u32 i = 0; i < c->accesses.n; i++) {
		const Access *a = &c->accesses.v[i];
		if ((a->space == SPACE_GLOBAL || a->space == SPACE_FLAT) && a->n && a->elem_bytes < least)
			least = a->elem_bytes;
	}
	return least;
}

/* Run all work-groups with so many workers, work-group `alone` (or none) when all before it are done and before any
 * behind it. False: it was given up; memory has its first contents again. */
static bool attempt(LaunchRun *r, u32 nworkers, u64 alone)
{
	Machine *m = &r->m;
	Attempt *a = &r->attempt;
	u64 all = groups_wanted(r), bound = m->cfg->max_launch_instructions;
	a->conflict = a->spent = false;
	a->words = 0;
	a->suspect = UINT64_MAX;
	a->left = bound < INT64_MAX ? (i64)bound : INT64_MAX;
	r->nworkers = nworkers;
	r->done = 0;
	if (r->wave_profs)
		memset(r->wave_profs, 0, r->nwave_profs * sizeof *r->wave_profs);
	if (r->work)
		memset(r->work, 0, r->nwork * sizeof *r->work);
	if (nworkers > 1)
		m->sets = access_sets_new(m->segs, m->nsegs, stored_segs(m, r->arena), granule(m->code), nworkers);
	r->workers = xcalloc(nworkers, sizeof *r->workers);
	for (u32 i = 0; i < nworkers; i++) {
		worker_init(r, &r->workers[i]);
		r->workers[i].alone = nworkers == 1;
	}
	work_all(r, 0, alone < all ? alone : all);
	Worker *first = &r->workers[0];
	if (alone < all && !attempt_over(first, true)) {
		first->at = alone;
		first->alone = true;
		group_run(first, m->cfg->only ? m->cfg->only[alone] : alone);
		first->alone = nworkers == 1;
		if (!first->over)
			work_all(r, alone + 1, all);
	}
	a->spent |= m->sets && m->cfg->check.races && race_crowded(r->workers, nworkers);
	bool failed = conflict(m, true) || a->spent || a->suspect < UINT64_MAX;
	if (failed) {
		if (m->sets)
			access_sets_restore(m->sets);
		workers_free(r);
	}
	access_sets_free(m->sets);
	m->sets = NULL;
	return !failed;
}

static u32 workers_wanted(const LaunchRun *r)
{
	u64 n = r->m.cfg->threads ? r->m.cfg->threads : processors();
	u64 groups = groups_wanted(r);
	if (n > 256)
		n = 256;
	if (n > groups)
		n = groups;
	if (r->group_private && n > MOST_PRIVATE / r->group_private)
		n = MOST_PRIVATE / r->group_private;
	if (r->m.cfg->check.races && sim_synchronises(r->m.p))
		n = 1; /* what is ordered, is so by the order of work-groups */
	return n ? (u32)n : 1;
}

/* Run the launch until its end, or to where a bound ends it in the order of work-groups. A wavefront that ran long
 * beside others is a suspect: its work-group runs again, alone, so that nothing behind it has run when it ends the
 * launch. It is one early, so that a launch whose work-items are all endless costs hardly more than one wavefront. */
static void attempts(LaunchRun *r)
{
	enum { EARLY = 16, ATTEMPTS = 4 };
	u32 n = workers_wanted(r);
	u64 alone = UINT64_MAX, limit = r->m.cfg->max_instructions;
	i64 early = limit && limit < INT64_MAX ? (i64)limit / EARLY : INT64_MAX;
	r->attempt.most = early > BUDGET_PART ? early : BUDGET_PART;
	for (u32 i = 1; !attempt(r, n, alone); i++) {
		alone = r->attempt.suspect;
		r->attempt.most = INT64_MAX;
		if (r->attempt.conflict || r->attempt.spent || i == ATTEMPTS) {
			n = 1;
			alone = UINT64_MAX;
		}
	}
}

/* ---- results ---- */

static void counters_merge(Profile *out, const LaunchRun *r)
{
	const Program *p = r->m.p;
	const Code *c = r->m.code;
	for (u32 i = 0; i < r->nworkers; i++) {
		Worker *wk = &r->workers[i];
		for (u32 b = 0; b < p->blocks.n; b++)
			block_merge(&out->blocks[b], &wk->blocks[b]);
		observe_settle(wk);
		for (u32 a = 0; a < c->accesses.n; a++)
			access_merge(&out->accesses[c->accesses.v[a].ins], &wk->accesses[a]);
		for (u32 d = 0; d < c->divisions.n; d++)
			division_merge(&out->divisions[c->divisions.v[d]], &wk->divisions[d]);
		out->serialized += wk->serialized;
		CheckLack lack = wk->races ? race_lack(wk->races) : LACK_nothing;
		out->check_lack = lack > out->check_lack ? lack : out->check_lack;
		out->race_suspects |= wk->races ? race_suspects(wk->races) : 0;
		out->unset_seen |= wk->unset && unset_seen(wk->unset);
		if (wk->ended) {
			out->stopped = true;
			out->groups_run = wk->at + 1;
		}
	}
	if (out->race_suspects)
		out->race_bytes = race_suspected(&r->m, out->race_suspects);
	views_merge(out, &r->m, r->workers, r->nworkers);
}

FIELD_ORDER(by_group, PrintedGroup, group)

static void printed_merge(Profile *out, LaunchRun *r, Diag *d)
{
	char more[96];
	u64 bytes = 0, most = most_printed(&r->m);
	snprintf(more, sizeof more, "the kernel prints more than %u MiB of text: the rest is left out",
	         (u32)(most >> 20));
	ARRAY(PrintedGroup) all = {0};
	for (u32 i = 0; i < r->nworkers; i++) {
		bytes += r->workers[i].printed_bytes;
		for (u32 j = 0; j < r->workers[i].printed.n; j++)
			array_push(&all, r->workers[i].printed.v[j]);
		r->workers[i].printed.n = 0;
	}
	sort(all.v, all.n, sizeof(PrintedGroup), by_group);
	for (u32 i = 0; i < all.n; i++) {
		u64 left = most - out->printed.n;
		buf_write(&out->printed, all.v[i].text, all.v[i].size < left ? all.v[i].size : left);
		free(all.v[i].text);
	}
	array_free(&all);
	if (bytes > most && !diag_has(d, DIAG_WARNING, NO_LOC, more, strlen(more)))
		diag_warn(d, NO_LOC, "%s", more);
}

Profile *sim_run(const Program *p, const SimLaunch *launch, const SimConfig *cfg, Diag *d)
{
	LaunchRun *r = xcalloc(1, sizeof *r);
	r->arena = arena_new();
	r->m.p = p;
	r->m.launch = launch;
	r->m.cfg = cfg;
	Profile *out = NULL;
	if (!machine_sizes(r, d) || !machine_init(r, observe_wanted(cfg) || workers_wanted(r) > 1, false, d))
		goto out;
	out = profile_new(p);
	out->waves = r->m.ngroups * r->m.waves_per_group;
	u64 kept = out->waves < cfg->wave_prof_limit ? out->waves : cfg->wave_prof_limit;
	if (kept) {
		array_reserve(&out->wave_profs, kept);
		out->wave_profs.n = (u32)kept;
		r->wave_profs = out->wave_profs.v;
		r->nwave_profs = kept;
	}
	if (cfg->record) {
		r->nwork = out->nwork = r->m.ngroups < MOST_WORK ? r->m.ngroups : MOST_WORK;
		r->work = out->work = xcalloc(r->nwork + 1, sizeof *out->work);
	}
	r->attempt.deadline = cfg->deadline;
	r->attempt.stop = cfg->stop;
	r->m.attempt = &r->attempt;
	attempts(r);
	if (r->attempt.late) {
		profile_free(out);
		out = NULL;
		goto out;
	}
	out->wave = cfg->wave;
	out->banks = cfg->lds.banks;
	out->line_bytes = cfg->line_bytes;
	out->groups = r->m.ngroups;
	out->groups_run = groups_wanted(r);
	out->work_items = launch->global[0] * launch->global[1] * launch->global[2];
	if (cfg->record)
		touched_merge(r->workers, r->nworkers);
	counters_merge(out, r);
	printed_merge(out, r, d);
	findings_merge(out, r->workers, r->nworkers);
	if (cfg->record)
		out->events = record_collect(&r->m, r->workers, r->nworkers);
out:
	workers_free(r);
	code_free(r->m.code);
	arena_free(r->arena);
	free(r);
	return out;
}
