/* The workers of a sweep, and the rows that they send.
 *
 * A worker is a process: the compiler may crash or hang on one point, and nothing of it is shared.
 * It gets a list of units and writes its results into a pipe; this process alone hands them on: all
 * points of an execution at once, so that a kill leaves whole executions behind.
 *
 * Units with a usual launch come first, because others are measured by it. Then a worker for each
 * group, which compiles what the group needs once. When there are fewer groups than workers, a group is
 * built here first and its units are shared among several, which inherit what was built. */
#include "engine/sweep.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Job {
	u32 *units, n;
	bool shared_group; /* other jobs have units of the same group: build it before the fork */
} Job;

/* A message of a worker. Of a row follow status, note, report and results, each with its NUL, and the numbers
 * of its Result, if it has any (sweep_numbers_pack). */
typedef struct Message {
	enum { MESSAGE_UNIT, MESSAGE_ROW, MESSAGE_COMMIT, MESSAGE_COUNTS } kind;
	u32 point; /* index in the plan's points; of MESSAGE_UNIT: which unit of the job begins */
	u32 compiled, lowered, executions;
	u32 bytes;
} Message;

typedef struct Worker {
	pid_t pid;
	int fd;
	Job *job;
	u32 at;  /* the unit that it works on */
	Buf in;  /* not yet understood */
	ARRAY(SweepRow) rows; /* not yet committed */
	ARRAY(u32) points;    /* theirs, in the plan */
} Worker;

typedef struct Run {
	SweepRun *r;
	Diag *d;
	Arena *arena;
	Worker *workers;
	u32 nworkers, most;
	SweepUsual *usual;
	u32 nusual;
	u32 points, done; /* to do in this run */
	u32 ready_group;  /* built here; UINT32_MAX: none */
	bool failed;      /* rows cannot be kept */
} Run;

/* ---- in the worker ---- */

typedef struct Pipe {
	int fd;
	const SweepRun *r;
	Buf message;
} Pipe;

static void put(int fd, const void *bytes, size_t n)
{
	const u8 *p = bytes;
	while (n) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			_exit(1); /* nobody listens any more */
		p += k;
		n -= (size_t)k;
	}
}

static void put_text(Buf *out, const char *text) { buf_write(out, text, strlen(text) + 1); }

static void send_row(void *ctx, const SweptPoint *at, const UnitRow *row)
{
	Pipe *p = ctx;
	Buf *b = &p->message;
	Arena *a = arena_new();
	const SweepNumbers *numbers = row->result ? sweep_numbers(row->result, a) : NULL;
	b->n = 0;
	put_text(b, row->status);
	put_text(b, row->note);
	if (row->result && p->r->host.text)
		p->r->host.text(row->result, b);
	buf_write(b, "", 1);
	put_text(b, row->results);
	if (numbers)
		sweep_numbers_pack(numbers, b);
	Message m = {.kind = MESSAGE_ROW, .point = (u32)(at - p->r->plan->points.v), .bytes = b->n};
	put(p->fd, &m, sizeof m);
	put(p->fd, b->v, b->n);
	arena_free(a);
}

static void send_commit(void *ctx)
{
	Pipe *p = ctx;
	put(p->fd, &(Message){.kind = MESSAGE_COMMIT}, sizeof(Message));
}

static _Noreturn void work(Run *run, const Job *job, int fd)
{
	SweepPlan *plan = run->r->plan;
	Pipe p = {fd, run->r, {0}};
	UnitWork w = {.plan = plan, .usual = run->usual, .nusual = run->nusual,
	              .sink = {send_row, send_commit, &p}};
	plan->build.most = UINT32_MAX;
	plan->build.compiled = plan->build.lowered = 0;
	for (u32 i = 0; i < job->n; i++) {
		put(fd, &(Message){.kind = MESSAGE_UNIT, .point = i}, sizeof(Message));
		sweep_unit(&w, &plan->units.v[job->units[i]]);
		/* The next one is of another source: these programs are not needed again. */
		if (i + 1 < job->n && plan->units.v[job->units[i]].group != plan->units.v[job->units[i + 1]].group)
			build_cache_empty(&plan->build);
	}
	Message m = {.kind = MESSAGE_COUNTS, .compiled = plan->build.compiled, .lowered = plan->build.lowered,
	             .executions = w.executions};
	put(fd, &m, sizeof m);
	_exit(0);
}

/* ---- rows ---- */

static void keep_row(Run *run, Worker *w, const Message *m, const char *bytes)
{
	Arena *a = run->r->arena;
	SweepRow row = sweep_row(run->r->plan, &run->r->plan->points.v[m->point], a);
	const char **const texts[] = {&row.status, &row.note, &row.report, &row.results}, *next = bytes;
	for (u32 i = 0; i < COUNT(texts); i++, next += strlen(next) + 1)
		*texts[i] = arena_strdup(a, next);
	row.result = next < bytes + m->bytes ? sweep_numbers_unpack(next, a) : NULL;
	array_push(&w->rows, row);
	array_push(&w->points, m->point);
}

static void commit_rows(Run *run, Worker *w)
{
	SweepRun *r = run->r;
	bool ok = !w->rows.n || !r->host.keep || r->host.keep(r->host.ctx, w->rows.v, w->rows.n, run->d);
	run->failed |= !ok;
	for (u32 i = 0; ok && i < w->rows.n; i++) {
		array_push(&r->rows, w->rows.v[i]);
		r->plan->points.v[w->points.v[i]].done = true;
		run->done++;
		r->ran++;
	}
	w->rows.n = w->points.n = 0;
}

/* ---- workers ---- */

static bool start(Run *run, Job *job)
{
	int ends[2];
	SweepPlan *plan = run->r->plan;
	u32 group = plan->units.v[job->units[0]].group;
	if (job->shared_group && run->ready_group != group) {
		if (run->ready_group != UINT32_MAX) /* else what was built for the usual launch, and may do here */
			build_cache_empty(&plan->build);
		for (u32 i = 0; i < plan->units.n; i++)
			if (plan->units.v[i].group == group)
				sweep_unit_build(plan, &plan->units.v[i]);
		run->ready_group = group;
	}
	if (pipe(ends))
		return diag_error(run->d, NO_LOC, "no pipe to a worker could be made: %s", strerror(errno));
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (!pid) {
		close(ends[0]);
		for (u32 i = 0; i < run->nworkers; i++)
			close(run->workers[i].fd);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		work(run, job, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return diag_error(run->d, NO_LOC, "no worker could be started: %s", strerror(errno));
	}
	run->workers[run->nworkers++] = (Worker){.pid = pid, .fd = ends[0], .job = job};
	return true;
}

/* Understand what has come so far. */
static void understand(Run *run, Worker *w)
{
	u32 at = 0;
	Message m;
	while (w->in.n - at >= sizeof m) {
		memcpy(&m, w->in.v + at, sizeof m);
		if (w->in.n - at - sizeof m < m.bytes)
			break;
		const char *text = w->in.v + at + sizeof m;
		at += (u32)sizeof m + m.bytes;
		switch (m.kind) {
		case MESSAGE_UNIT: w->at = m.point; break;
		case MESSAGE_ROW: keep_row(run, w, &m, text); break;
		case MESSAGE_COMMIT: commit_rows(run, w); break;
		case MESSAGE_COUNTS:
			run->r->compiled += m.compiled;
			run->r->lowered += m.lowered;
			run->r->executions += m.executions;
			break;
		}
	}
	w->in.n -= at;
	if (w->in.n)
		memmove(w->in.v, w->in.v + at, w->in.n);
}

/* A worker that did not end well: the unit it worked on is lost, the others of its job go on. */
static void bury(Run *run, Worker *w, int status)
{
	Job *job = w->job;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return;
	SweepPlan *plan = run->r->plan;
	const SweepUnit *u = &plan->units.v[job->units[w->at]];
	Buf which = {0};
	u32 lost = 0;
	for (u32 i = u->first; i < u->first + u->n; i++)
		lost += !plan->points.v[i].done;
	buf_printf(&which, "%s", "");
	for (u32 i = 0; i < plan->options.n; i++)
		if (plan->options.v[i].values.n > 1 && !plan->options.v[i].machine)
			buf_printf(&which, "%s%s %s", which.n ? ", " : "", plan->options.v[i].name,
			           plan->points.v[u->first].values[i]);
	if (WIFSIGNALED(status))
		diag_warn(run->d, NO_LOC, "%u points are missing: their simulation was ended by signal %d (%s)%s%s", lost,
		          WTERMSIG(status), strsignal(WTERMSIG(status)), which.n ? ": " : "", which.v);
	else
		diag_warn(run->d, NO_LOC, "%u points are missing: their simulation ended early%s%s", lost,
		          which.n ? ": " : "", which.v);
	run->r->lost += lost;
	array_free(&which);
	if (w->at + 1 < job->n) {
		Job *rest = ARENA_NEW(run->arena, Job);
		*rest = (Job){job->units + w->at + 1, job->n - w->at - 1, false};
		run->failed |= !start(run, rest);
	}
}

static void end_worker(Run *run, u32 k)
{
	Worker w = run->workers[k];
	run->workers[k] = run->workers[--run->nworkers];
	int status = 0;
	close(w.fd);
	while (waitpid(w.pid, &status, 0) < 0 && errno == EINTR)
		;
	bury(run, &w, status);
	array_free(&w.in);
	array_free(&w.rows);
	array_free(&w.points);
}

/* Read what workers have to say, until one of them has ended. */
static void listen(Run *run)
{
	struct pollfd *fds = xcalloc(run->nworkers, sizeof *fds);
	u32 n = run->nworkers;
	for (bool ended = false; !ended;) {
		for (u32 i = 0; i < n; i++)
			fds[i] = (struct pollfd){run->workers[i].fd, POLLIN, 0};
		if (run->r->host.progress)
			run->r->host.progress(run->r->host.ctx, run->done, run->points);
		if (poll(fds, n, 500) < 0 && errno != EINTR)
			break;
		for (u32 i = 0; i < n && !ended; i++) {
			if (!fds[i].revents)
				continue;
			Worker *w = &run->workers[i];
			array_reserve(&w->in, 1 << 16);
			ssize_t k = read(w->fd, w->in.v + w->in.n, 1 << 16);
			if (k > 0) {
				w->in.n += (u32)k;
				understand(run, w);
			} else if (k == 0 || errno != EINTR) {
				end_worker(run, i);
				ended = true;
			}
		}
	}
	free(fds);
}

static void work_off(Run *run, Job *jobs, u32 n)
{
	for (u32 i = 0; (i < n || run->nworkers) && !run->failed;) {
		if (i < n && run->nworkers < run->most)
			run->failed |= !start(run, &jobs[i++]);
		else
			listen(run);
	}
	for (u32 i = 0; i < run->nworkers; i++)
		kill(run->workers[i].pid, SIGKILL);
	while (run->nworkers)
		end_worker(run, 0);
}

/* ---- what is to do ---- */

static bool to_do(const Run *run, u32 unit, bool usual)
{
	const SweepPlan *p = run->r->plan;
	const SweepUnit *u = &p->units.v[unit];
	bool mine = !run->r->shards || u->usual || unit % run->r->shards == run->r->shard - 1;
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
	u32 x = p->units.v[a].group, y = p->units.v[b].group;
	return x != y ? (x < y ? -1 : 1) : a < b ? -1 : a > b;
}

/* Jobs of all units (usual ones or the others) that are to be done: one for each group, or more. */
static Job *make_jobs(Run *run, bool usual, u32 *n)
{
	const SweepPlan *p = run->r->plan;
	u32 *units = ARENA_ARRAY(run->arena, u32, p->units.n + 1), nunits = 0, groups = 0;
	for (u32 i = 0; i < p->units.n; i++)
		if (to_do(run, i, usual))
			units[nunits++] = i;
	if (nunits)
		qsort_r(units, nunits, sizeof *units, by_group, (void *)p);
	for (u32 i = 0; i < nunits; i++)
		groups += !i || p->units.v[units[i]].group != p->units.v[units[i - 1]].group;
	u32 parts = groups && groups < run->most ? (run->most + groups - 1) / groups : 1;
	Job *jobs = ARENA_ARRAY(run->arena, Job, nunits + 1);
	*n = 0;
	for (u32 i = 0; i < nunits;) {
		u32 end = i, first = *n;
		while (end < nunits && p->units.v[units[end]].group == p->units.v[units[i]].group)
			end++;
		u32 most = end - i < parts ? end - i : parts, size = (end - i + most - 1) / most;
		for (; i < end; i += size)
			jobs[(*n)++] = (Job){units + i, end - i < size ? end - i : size, false};
		i = end;
		for (u32 k = first; k < *n; k++)
			jobs[k].shared_group = usual || *n - first > 1;
	}
	return jobs;
}

/* The points whose rows are there already. */
static void know_done(Run *run)
{
	SweepPlan *p = run->r->plan;
	for (u32 i = 0, k = 0; i < p->points.n; i++) { /* both ascend */
		while (k < run->r->rows.n && run->r->rows.v[k].n < p->points.v[i].n)
			k++;
		p->points.v[i].done = k < run->r->rows.n && run->r->rows.v[k].n == p->points.v[i].n;
	}
}

/* What the usual launches take: by that the others are measured. */
static void know_usual(Run *run)
{
	const SweepRun *r = run->r;
	run->usual = ARENA_ARRAY(run->arena, SweepUsual, r->rows.n + 1);
	for (u32 i = 0; i < r->rows.n; i++) {
		const SweepRow *row = &r->rows.v[i];
		if (row->usual && row->result)
			run->usual[run->nusual++] = (SweepUsual){row->result->device, row->result->high_us};
	}
}

static int by_number(const void *va, const void *vb)
{
	const SweepRow *a = va, *b = vb;
	return a->n < b->n ? -1 : a->n > b->n;
}

static u32 processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (u32)n : 1;
}

bool sweep_run(SweepRun *r, Diag *d)
{
	Run run = {.r = r, .d = d, .arena = arena_new(), .ready_group = UINT32_MAX};
	run.most = r->jobs ? r->jobs : processors();
	run.workers = ARENA_ARRAY(run.arena, Worker, run.most + 1);
	SweepPlan *p = r->plan;
	know_done(&run);
	for (u32 i = 0; i < p->units.n; i++)
		for (u32 k = 0; (to_do(&run, i, true) || to_do(&run, i, false)) && k < p->units.v[i].n; k++)
			run.points += !p->points.v[p->units.v[i].first + k].done;
	for (u32 stage = 0; stage < 2 && !run.failed; stage++) {
		u32 n;
		Job *jobs = make_jobs(&run, !stage, &n);
		u32 side_by_side = n < run.most ? n : run.most;
		if (!p->threads_given && side_by_side)
			p->threads = processors() / side_by_side ? processors() / side_by_side : 1;
		if (stage)
			know_usual(&run);
		work_off(&run, jobs, n);
	}
	if (r->rows.n)
		qsort(r->rows.v, r->rows.n, sizeof *r->rows.v, by_number);
	r->compiled += p->build.compiled;
	r->lowered += p->build.lowered;
	arena_free(run.arena);
	return !run.failed;
}
