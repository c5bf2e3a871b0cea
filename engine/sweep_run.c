/* The workers of a sweep, and the rows that come of it.
 *
 * A worker is a thread: the compilers run in processes of their own anyway. It takes a list of batches, a job,
 * after the other. All points of an execution are handed on at once, so that a kill leaves whole executions behind.
 *
 * Batches with a usual launch come first, because others are measured by it. Then a job for each group, whose
 * worker compiles what the group needs once. When there are fewer groups than workers, the first worker of a
 * group builds all of it, and the group's batches are shared among several, which only look the programs up. */
#include "engine/sweep.h"

#include "base/parallel.h"
#include "base/reserve.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <time.h>

/* The programs that several jobs of a group share. */
typedef struct BatchGroup {
	pthread_mutex_t lock;
	bool built;
	u32 jobs; /* of this stage that are not done */
	BuildCache build;
} BatchGroup;

typedef struct SweepJob {
	u32 *batches, n;
	BatchGroup *group; /* NULL: no other job has batches of it */
} SweepJob;

typedef struct SweepState {
	SweepRun *r;
	Diag *d;
	Arena *arena;
	u32 most; /* workers */
	BatchGroup *groups;
	SweepUsual *usual;
	u32 nusual;
	SweepSame same;
	SweepJob *jobs;
	u32 njobs, points; /* points: to do in this run */
	bool last;         /* the stage after which no programs are needed */
	pthread_mutex_t lock; /* of what follows, the arena of the rows, and the host but for its text */
	pthread_cond_t ended;
	u32 next, working, done;
	atomic_bool failed; /* rows cannot be kept */
	Diag warnings; /* of compilers, each once */
} SweepState;

typedef struct SweepWorker {
	SweepState *run;
	BuildCache build;
	ARRAY(SweepRow) rows; /* not yet committed */
	ARRAY(u32) points;    /* theirs, in the plan */
	BatchWork work;
} SweepWorker;

/* ---- rows ---- */

/* What makes this point: "--local 64, -D TILE=8". */
static const char *settings_of(const SweepPlan *p, const SweptPoint *at, Arena *a)
{
	Buf out = {0};
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		if (o->values.n < 2 || !at->values[i])
			continue;
		buf_printf(&out, "%s%s%s%s%s", out.n ? ", " : "", *o->name == '-' ? "" : "--", o->name,
		           o->own != o->name ? "=" : " ", at->values[i]);
	}
	return out.n ? buf_keep(&out, a) : "the usual launch";
}

static void keep_row(void *ctx, const SweptPoint *at, const BatchRow *from)
{
	SweepWorker *w = ctx;
	SweepRun *r = w->run->r;
	Buf text = {0};
	if (!strcmp(from->status, "late")) { /* what is kept must not depend on this machine */
		pthread_mutex_lock(&w->run->lock);
		w->run->failed = w->run->failed || !diag_error(w->run->d, NO_LOC, "%s: %s",
		                                               settings_of(r->plan, at, r->arena), from->note);
		pthread_mutex_unlock(&w->run->lock);
		return;
	}
	if (from->result && r->host.text)
		r->host.text(from->result, &text);
	pthread_mutex_lock(&w->run->lock);
	SweepRow row = sweep_row(r->plan, at, r->arena);
	row.status = arena_strdup(r->arena, from->status);
	row.note = arena_strdup(r->arena, from->note);
	row.report = arena_strndup(r->arena, text.v ? text.v : "", text.n);
	row.results = arena_strdup(r->arena, from->results);
	row.result = from->result ? sweep_numbers(from->result, r->arena) : NULL;
	pthread_mutex_unlock(&w->run->lock);
	array_push(&w->rows, row);
	array_push(&w->points, (u32)(at - r->plan->points.v));
	array_free(&text);
}

static void commit_rows(void *ctx)
{
	SweepWorker *w = ctx;
	SweepState *run = w->run;
	SweepRun *r = run->r;
	pthread_mutex_lock(&run->lock);
	bool ok =
	    !run->failed && (!w->rows.n || !r->host.keep || r->host.keep(r->host.ctx, w->rows.v, w->rows.n, run->d));
	run->failed |= !ok;
	for (u32 i = 0; ok && i < w->rows.n; i++) {
		array_push(&r->rows, w->rows.v[i]);
		r->plan->points.v[w->points.v[i]].done = true;
		run->done++;
		r->ran++;
	}
	pthread_mutex_unlock(&run->lock);
	w->rows.n = w->points.n = 0;
}

static void keep_warnings(void *ctx, const Diag *d)
{
	SweepState *run = ((SweepWorker *)ctx)->run;
	pthread_mutex_lock(&run->lock);
	diag_join_warnings(&run->warnings, d);
	pthread_mutex_unlock(&run->lock);
}

/* ---- workers ---- */

/* The job's programs are in the group's cache, or will be built in the worker's own. */
static void prepare(SweepWorker *w, const SweepJob *job)
{
	SweepPlan *p = w->run->r->plan;
	BatchGroup *g = job->group;
	w->build.ready = g ? &g->build : &p->build;
	if (!g)
		return;
	pthread_mutex_lock(&g->lock);
	for (u32 i = 0; i < p->batches.n && !g->built && !atomic_load(&w->run->failed); i++)
		if (&w->run->groups[p->batches.v[i].group] == g)
			sweep_batch_build(p, &g->build, &p->batches.v[i]);
	g->built = true;
	pthread_mutex_unlock(&g->lock);
}

static void end_job(SweepWorker *w, const SweepJob *job)
{
	BatchGroup *g = job->group;
	build_cache_empty(&w->build);
	if (!g)
		return;
	pthread_mutex_lock(&g->lock);
	if (!--g->jobs && w->run->last)
		build_cache_empty(&g->build);
	pthread_mutex_unlock(&g->lock);
}

static void do_jobs(void *worker)
{
	SweepWorker *w = worker;
	SweepState *run = w->run;
	pthread_mutex_lock(&run->lock);
	while (run->next < run->njobs && !run->failed) {
		const SweepJob *job = &run->jobs[run->next++];
		pthread_mutex_unlock(&run->lock);
		prepare(w, job);
		for (u32 i = 0; i < job->n; i++)
			sweep_batch(&w->work, &run->r->plan->batches.v[job->batches[i]]);
		end_job(w, job);
		pthread_mutex_lock(&run->lock);
	}
	pthread_mutex_unlock(&run->lock);
}

/* It left its jobs for want of memory (reserve.h), perhaps in the middle of what it had locked. */
static void give_up(SweepWorker *w)
{
	SweepState *run = w->run;
	atomic_store(&run->failed, true); /* before another one finds what is half made */
	for (u32 i = 0; i < run->r->plan->ngroups; i++)
		pthread_mutex_unlock(&run->groups[i].lock); /* those of others stay */
	pthread_mutex_unlock(&run->same.lock);
	pthread_mutex_unlock(&run->lock);
}

static void *work(void *worker)
{
	SweepWorker *w = worker;
	SweepState *run = w->run;
	w->work = (BatchWork){.plan = run->r->plan, .build = &w->build, .usual = run->usual, .nusual = run->nusual,
	                      .same = run->same.max_ulp ? &run->same : NULL,
	                      .sink = {keep_row, commit_rows, keep_warnings, w}};
	w->build.most = UINT32_MAX;
	if (!reserve_try(do_jobs, w))
		give_up(w);
	pthread_mutex_lock(&run->lock);
	run->r->compiled += w->build.compiled;
	run->r->lowered += w->build.lowered;
	run->r->executions += w->work.executions;
	run->working--;
	pthread_cond_signal(&run->ended);
	pthread_mutex_unlock(&run->lock);
	build_cache_free(&w->build);
	array_free(&w->rows);
	array_free(&w->points);
	return NULL;
}

/* Tell how far it is, several times a second, until all workers have ended. */
static void wait_for_workers(SweepState *run)
{
	const SweepHost *host = &run->r->host;
	pthread_mutex_lock(&run->lock);
	while (run->working) {
		struct timespec until;
		if (host->progress)
			host->progress(host->ctx, run->done, run->points);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 250000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&run->ended, &run->lock, &until);
	}
	pthread_mutex_unlock(&run->lock);
}

static void work_off(SweepState *run)
{
	u32 most = run->njobs < run->most ? run->njobs : run->most, n = 0;
	SweepWorker *workers = ARENA_ARRAY(run->arena, SweepWorker, most + 1);
	pthread_t *threads = ARENA_ARRAY(run->arena, pthread_t, most + 1);
	run->next = 0;
	run->working = most;
	for (; n < most; n++) {
		workers[n].run = run;
		if (!thread_start(&threads[n], work, &workers[n]))
			break;
	}
	if (most && !n)
		run->failed = !diag_error(run->d, NO_LOC, "no thread for a worker could be started");
	pthread_mutex_lock(&run->lock);
	run->working -= most - n;
	pthread_mutex_unlock(&run->lock);
	wait_for_workers(run);
	for (u32 i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	reserve_pass();
}

/* ---- what is to do ---- */

static bool to_do(const SweepState *run, u32 batch, bool usual)
{
	const SweepPlan *p = run->r->plan;
	const SweepBatch *u = &p->batches.v[batch];
	bool mine = !run->r->shards || u->usual || batch % run->r->shards == run->r->shard - 1;
	if (!mine || u->usual != usual)
		return false;
	for (u32 i = u->first; i < u->first + u->n; i++)
		if (!p->points.v[i].done)
			return true;
	return false;
}

static int by_group(const void *va, const void *vb, void *ctx)
{
	const SweepPlan *p = ctx;
	u32 a = *(const u32 *)va, b = *(const u32 *)vb;
	u32 x = p->batches.v[a].group, y = p->batches.v[b].group;
	return x != y ? (x < y ? -1 : 1) : a < b ? -1 : a > b;
}

/* Jobs of all batches (usual ones or the others) that are to be done: one for each group, or more. */
static SweepJob *make_jobs(SweepState *run, bool usual, u32 *n)
{
	const SweepPlan *p = run->r->plan;
	u32 *batches = ARENA_ARRAY(run->arena, u32, p->batches.n + 1), nbatches = 0, groups = 0;
	for (u32 i = 0; i < p->batches.n; i++)
		if (to_do(run, i, usual))
			batches[nbatches++] = i;
	if (nbatches)
		qsort_r(batches, nbatches, sizeof *batches, by_group, (void *)p);
	for (u32 i = 0; i < nbatches; i++)
		groups += !i || p->batches.v[batches[i]].group != p->batches.v[batches[i - 1]].group;
	u32 parts = groups && groups < run->most ? (run->most + groups - 1) / groups : 1;
	SweepJob *jobs = ARENA_ARRAY(run->arena, SweepJob, nbatches + 1);
	*n = 0;
	for (u32 i = 0; i < nbatches;) {
		u32 end = i, first = *n;
		while (end < nbatches && p->batches.v[batches[end]].group == p->batches.v[batches[i]].group)
			end++;
		u32 most = end - i < parts ? end - i : parts, size = (end - i + most - 1) / most;
		for (; i < end; i += size)
			jobs[(*n)++] = (SweepJob){batches + i, end - i < size ? end - i : size, NULL};
		i = end;
		BatchGroup *g = &run->groups[p->batches.v[jobs[first].batches[0]].group];
		for (u32 k = first; k < *n && (usual || *n - first > 1 || g->built); k++) {
			jobs[k].group = g;
			g->jobs++;
		}
	}
	return jobs;
}

/* The points whose rows are there already. */
static void know_done(SweepState *run)
{
	SweepPlan *p = run->r->plan;
	for (u32 i = 0, k = 0; i < p->points.n; i++) { /* both ascend */
		while (k < run->r->rows.n && run->r->rows.v[k].n < p->points.v[i].n)
			k++;
		p->points.v[i].done = k < run->r->rows.n && run->r->rows.v[k].n == p->points.v[i].n;
	}
}

/* Stored rows have no results to compare with: with --max-ulp the usual launches run again, for whatever is to do. */
static void forget_usual(SweepState *run)
{
	SweepRun *r = run->r;
	u32 kept = 0, todo = 0;
	for (u32 i = 0; i < r->plan->batches.n; i++)
		todo += to_do(run, i, true) || to_do(run, i, false);
	for (u32 i = 0; todo && i < r->rows.n; i++)
		if (!r->rows.v[i].usual)
			r->rows.v[kept++] = r->rows.v[i];
	r->rows.n = todo ? kept : r->rows.n;
	know_done(run);
}

/* What the usual launches take: by that the others are measured. */
static void know_usual(SweepState *run)
{
	const SweepRun *r = run->r;
	run->usual = ARENA_ARRAY(run->arena, SweepUsual, r->rows.n + 1);
	for (u32 i = 0; i < r->rows.n; i++) {
		const SweepRow *row = &r->rows.v[i];
		if (row->usual && row->result)
			run->usual[run->nusual++] = (SweepUsual){row->result->device, row->result->high_us};
	}
}

FIELD_ORDER(by_number, SweepRow, n)

bool sweep_run(SweepRun *r, Diag *d)
{
	SweepPlan *p = r->plan;
	SweepState run = {.r = r, .d = d, .arena = arena_new()};
	run.most = r->jobs ? r->jobs : processors();
	run.groups = ARENA_ARRAY(run.arena, BatchGroup, p->ngroups + 1);
	pthread_mutexattr_t owned; /* only who locked it can unlock it */
	pthread_mutexattr_init(&owned);
	pthread_mutexattr_settype(&owned, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&run.lock, &owned);
	pthread_cond_init(&run.ended, NULL);
	for (u32 i = 0; i < p->ngroups; i++) {
		pthread_mutex_init(&run.groups[i].lock, &owned);
		run.groups[i].build.most = UINT32_MAX;
		run.groups[i].build.ready = &p->build;
	}
	run.same = (SweepSame){.arena = run.arena, .max_ulp = p->max_ulp};
	pthread_mutex_init(&run.same.lock, &owned);
	pthread_mutexattr_destroy(&owned);
	know_done(&run);
	if (p->max_ulp)
		forget_usual(&run);
	for (u32 i = 0; i < p->batches.n; i++)
		for (u32 k = 0; (to_do(&run, i, true) || to_do(&run, i, false)) && k < p->batches.v[i].n; k++)
			run.points += !p->points.v[p->batches.v[i].first + k].done;
	for (u32 stage = 0; stage < 2 && !run.failed; stage++) {
		run.last = stage;
		run.jobs = make_jobs(&run, !stage, &run.njobs);
		u32 side_by_side = run.njobs < run.most ? run.njobs : run.most;
		if (!p->threads_given && side_by_side)
			p->threads = processors() / side_by_side ? processors() / side_by_side : 1;
		if (stage)
			know_usual(&run);
		work_off(&run);
	}
	array_sort(&r->rows, by_number);
	diag_sort(&run.warnings); /* workers end in any order */
	diag_join_warnings(d, &run.warnings);
	diag_free(&run.warnings);
	r->compiled += p->build.compiled;
	r->lowered += p->build.lowered;
	for (u32 i = 0; i < p->ngroups; i++) {
		r->compiled += run.groups[i].build.compiled;
		r->lowered += run.groups[i].build.lowered;
		build_cache_free(&run.groups[i].build);
		pthread_mutex_destroy(&run.groups[i].lock);
	}
	pthread_mutex_destroy(&run.same.lock);
	pthread_mutex_destroy(&run.lock);
	pthread_cond_destroy(&run.ended);
	arena_free(run.arena);
	return !run.failed;
}
