/* The points of a batch: the same source, sizes and arguments on several machines.
 *
 * Each point is a run. Those whose compilers make the same program of the kernel execute
 * together, once (run_execute_all). Large launches run a part of their work-groups. Before a
 * long execution a short one shows whether all of its points are far too slow: their busiest unit alone takes
 * longer than the usual launch on their device, even when both estimates are off as far as they may be.
 * Then what the short one counted is their result. All of it depends on the batch alone, not on what ran before. */
#include "engine/run.h"
#include "engine/sweep.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
	WHOLE_WAVES = 1 << 14, /* more wavefronts than this: a part of the work-groups runs */
	TRIAL_WAVES = 1 << 10, /* of the short execution … */
	WORTH_TRIAL = 4        /* … before one that is so many times as long */
};

/* The mean of the work-groups of a trial is known to this factor, or it says nothing of the others. */
static const double most_unequal = 1.5;

typedef struct Member {
	const SweptPoint *at;
	EngineRun *run; /* NULL: its settings are wrong */
	Diag d;
	char *execution; /* NULL: it cannot run */
	bool taken;
} Member;

typedef struct BatchRun {
	BatchWork *w;
	Arena *arena;
	Member *members;
	u32 n;
} BatchRun;

static const char *why_not(const BatchRun *u, const Member *m)
{
	return diag_reason(&m->d, "it does not run", u->arena);
}

static void write_row(BatchRun *u, const Member *m, BatchRow row) { u->w->sink.row(u->w->sink.ctx, m->at, &row); }

static void skip(BatchRun *u, Member *m)
{
	m->taken = true;
	write_row(u, m, (BatchRow){m->run && m->run->late ? "late" : "skipped", why_not(u, m), "", NULL});
}

/* ---- how much of the launch runs ---- */

static u64 wavefronts(const EngineRun *r)
{
	const u64 *l = r->launch.local;
	u64 groups[3], items = l[0] * l[1] * l[2];
	launch_groups(&r->launch, groups);
	return groups[0] * groups[1] * groups[2] * ((items + r->wave - 1) / r->wave);
}

/* Percent of the work-groups that have about so many wavefronts. */
static u32 percent_of(const EngineRun *r, u64 waves)
{
	u64 all = wavefronts(r), percent = all ? (100 * waves + all - 1) / all : 100;
	return percent < 1 ? 1 : percent > 100 ? 100 : (u32)percent;
}

static void choose_sample(Member *m)
{
	if (!m->run->want.sample)
		m->run->want.sample = percent_of(m->run, WHOLE_WAVES);
}

/* ---- from points to runs ---- */

static void open_member(BatchRun *u, Member *m)
{
	diag_init(&m->d);
	m->run = sweep_open(u->w->plan, u->w->build, m->at->values, &m->d);
	if (!m->run || !m->run->program || !run_settle(m->run))
		return;
	choose_sample(m);
	m->execution = run_execution(m->run, u->arena);
}

static void close_member(Member *m)
{
	engine_close(m->run);
	diag_free(&m->d);
}

/* ---- executions ---- */

typedef struct Team {
	Member **v;
	EngineRun **run;
	u32 n;
} Team;

static bool run_team(BatchRun *u, Team *t, u32 sample)
{
	for (u32 i = 0; i < t->n; i++)
		t->run[i]->want.sample = sample;
	u->w->executions++;
	return run_execute_all(t->run, t->n);
}

/* The least time of a point of which a part ran: what its busiest unit takes. What the caches would do is
 * not known of a part: work-groups that did not run may share the lines of those that did. */
static double least_us(const Estimate *e)
{
	const double units[] = {e->busy[BUSY_vector], e->busy[BUSY_scalar], e->busy[BUSY_lds], e->busy[BUSY_address]};
	double busy = 0;
	for (u32 i = 0; i < COUNT(units); i++)
		busy = units[i] > busy ? units[i] : busy;
	busy = busy < 1 ? busy : 1;
	return (e->launch_us + busy * (e->time_us - e->launch_us)) * e->low_us / e->time_us;
}

/* Have work-groups so unequal work that those of the part may not speak for the others? */
static bool unequal(const Estimate *e) { return 1 + e->sample_error > most_unequal; }

/* How many times as long as the usual launch a point takes at least; 0: not known. */
static double at_least(const BatchWork *w, const Result *r)
{
	const Estimate *e = r->estimate;
	if (e->missing || !(e->time_us > 0) || unequal(e))
		return 0;
	for (u32 i = 0; i < w->nusual; i++)
		if (!strcmp(w->usual[i].device, r->device) && w->usual[i].high_us > 0)
			return least_us(e) / w->usual[i].high_us;
	return 0;
}

/* Without what plays the launch again. */
static Result *brief_result(EngineRun *r)
{
	RunSpec want = r->want;
	r->want.no_what_if = r->want.no_advice = true;
	Result *result = engine_result(r);
	r->want = want;
	return result;
}

/* Is every point beyond hope? Then their rows are written. */
static bool all_hopeless(BatchRun *u, Team *t)
{
	Result **r = ARENA_ARRAY(u->arena, Result *, t->n);
	bool hopeless = true;
	for (u32 i = 0; i < t->n; i++) {
		r[i] = t->run[i]->profile ? brief_result(t->run[i]) : NULL;
		hopeless &= r[i] && !t->v[i]->at->usual && at_least(u->w, r[i]) > 1;
	}
	for (u32 i = 0; i < t->n; i++) {
		if (hopeless) {
			const char *note = arena_printf(u->arena,
			                                "at least %.2g times slower than the usual launch, after %llu "
			                                "of %llu work-groups",
			                                at_least(u->w, r[i]), (unsigned long long)r[i]->groups_run,
			                                (unsigned long long)r[i]->ngroups);
			write_row(u, t->v[i], (BatchRow){"stopped", note, "", r[i]});
		}
		result_free(r[i]);
	}
	return hopeless;
}

static void again(Team *t)
{
	for (u32 i = 1; i < t->n; i++) {
		profile_free(t->run[i]->profile);
		t->run[i]->profile = NULL;
	}
}

/* A checksum of what the kernel left behind, by the names of its arguments; "" of a part of the launch. */
static const char *results_of(const EngineRun *s, Arena *a)
{
	XXH64_hash_t sum = 0;
	bool any = s->profile->printed.n > 0;
	if (s->profile->groups_run < s->profile->groups || s->profile->stopped)
		return "";
	if (any)
		sum = XXH3_64bits(s->profile->printed.v, s->profile->printed.n);
	for (u32 i = 0; i < s->args.n; i++) {
		const char *name = s->program->args.v[i].name;
		if (!run_writes(s, i))
			continue;
		any = true;
		sum +=
		    XXH3_64bits_withSeed(s->args.data[i], s->args.size[i], name ? XXH3_64bits(name, strlen(name)) : i);
	}
	return any ? arena_printf(a, "%016llx", (unsigned long long)sum) : "";
}

/* A launch that did not end has no price: the finding instead. */
static const char *why_stopped(const Result *r, Arena *a)
{
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		if (!f->id || (strcmp(f->id, "endless") != 0 && strcmp(f->id, "long_launch") != 0))
			continue;
		Buf b = {0};
		if (f->at.file) {
			put_result_place(&b, &f->at);
			buf_printf(&b, ": ");
		}
		buf_printf(&b, "%s", f->message);
		return buf_keep(&b, a);
	}
	return "it did not end";
}

/* The checksum of member i's results, as --max-ulp has it. The team's first has its memory. */
static const char *same_results(BatchRun *u, const Team *t, u32 i, const Result *r, const char *results)
{
	if (!u->w->same || !*results)
		return results;
	if (t->v[i]->at->usual)
		sweep_same_keep(u->w->same, t->run[0], r->device, results);
	return sweep_same(u->w->same, t->run[0], r->device, results);
}

static void write_rows(BatchRun *u, Team *t)
{
	const char *results = results_of(t->run[0], u->arena);
	for (u32 i = 0; i < t->n; i++) {
		if (!t->run[i]->profile)
			continue;
		Result *r = engine_result(t->run[i]);
		if (!r)
			skip(u, t->v[i]);
		else if (r->stopped)
			write_row(u, t->v[i], (BatchRow){"skipped", why_stopped(r, u->arena), "", NULL});
		else
			write_row(u, t->v[i], (BatchRow){"done", "", same_results(u, t, i, r, results), r});
		result_free(r);
	}
}

/* A machine that records less than the others of its team runs alone. */
static void run_alone(BatchRun *u, Member *m, u32 sample)
{
	if (!run_fill(m->run)) {
		skip(u, m);
		return;
	}
	Team alone = {&m, &m->run, 1};
	if (run_team(u, &alone, sample))
		write_rows(u, &alone);
	else
		skip(u, m);
}

static void execute(BatchRun *u, Team *t)
{
	Member *first = t->v[0];
	u32 sample = first->run->want.sample, trial = percent_of(first->run, TRIAL_WAVES);
	bool done = false, ok = true;
	if (u->w->nusual && !u->w->plan->whole && trial * WORTH_TRIAL <= sample) {
		ok = run_team(u, t, trial);
		done = ok && all_hopeless(u, t);
		again(t);
		ok = ok && (done || run_again(first->run));
	}
	if (!done && ok)
		ok = run_team(u, t, sample);
	if (!done && ok)
		write_rows(u, t);
	for (u32 i = 0; i < t->n && !done; i++) {
		if (!ok && i)
			diag_error(&t->v[i]->d, NO_LOC, "%s", why_not(u, first));
		if (!ok)
			skip(u, t->v[i]);
		else if (i && !t->run[i]->profile)
			run_alone(u, t->v[i], sample);
	}
}

static void take(Team *t, Member *m)
{
	m->taken = true;
	t->v[t->n] = m;
	t->run[t->n++] = m->run;
}

/* All that execute the same as members[k], which is to be the first of them. */
static void run_from(BatchRun *u, u32 k)
{
	Team t = {.v = ARENA_ARRAY(u->arena, Member *, u->n), .run = ARENA_ARRAY(u->arena, EngineRun *, u->n)};
	Member *first = &u->members[k];
	if (!run_fill(first->run) || !run_fits(first->run, first->run)) {
		skip(u, first);
		return;
	}
	take(&t, first);
	for (u32 i = 0; i < u->n; i++) {
		Member *m = &u->members[i];
		if (m->taken || !m->execution || strcmp(m->execution, first->execution) != 0)
			continue;
		if (run_fits(m->run, first->run))
			take(&t, m);
		else
			skip(u, m);
	}
	execute(u, &t);
}

static BatchRun open_batch(BatchWork *w, const SweepBatch *from)
{
	BatchRun u = {.w = w, .arena = arena_new()};
	u.members = ARENA_ARRAY(u.arena, Member, from->n);
	for (u32 i = 0; i < from->n; i++) {
		const SweptPoint *at = &w->plan->points.v[from->first + i];
		if (at->done)
			continue;
		u.members[u.n].at = at;
		open_member(&u, &u.members[u.n++]);
	}
	return u;
}

static void close_batch(BatchRun *u)
{
	for (u32 i = 0; i < u->n; i++) {
		if (u->w->sink.said)
			u->w->sink.said(u->w->sink.ctx, &u->members[i].d);
		close_member(&u->members[i]);
	}
	arena_free(u->arena);
}

void sweep_batch_build(const SweepPlan *plan, BuildCache *build, const SweepBatch *from)
{
	BatchWork none = {.plan = plan, .build = build};
	BatchRun u = open_batch(&none, from);
	close_batch(&u);
}

void sweep_batch(BatchWork *w, const SweepBatch *from)
{
	BatchRun u = open_batch(w, from);
	for (u32 i = 0; i < u.n; i++)
		if (!u.members[i].execution)
			skip(&u, &u.members[i]);
	for (u32 pass = 0; pass < 2; pass++) { /* the usual launches first: others' results are compared with theirs */
		for (u32 i = 0; i < u.n; i++) {
			if (u.members[i].taken || (!pass && !u.members[i].at->usual))
				continue;
			run_from(&u, i);
			w->sink.commit(w->sink.ctx);
		}
	}
	w->sink.commit(w->sink.ctx);
	close_batch(&u);
}
