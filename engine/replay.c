/* Simulating the launches of launch files. Programs that were built are kept, because programs launch few kernels
 * many times, and the last results, because benchmarks do the same many times; memory of a launch is gone when the next
 * one begins. */
#include "engine/replay.h"

#include "traces/capture/capture.h"

enum { MOST_BUILT = 64, MOST_RESULTS = 8 };

/* A launch that was simulated. */
typedef struct Simulated {
	const CapFile *file;
	const CapLaunch *launch;
	Result *result;
} Simulated;

/* What is kept for the next launch. */
typedef struct Kept {
	BuildCache built;
	Simulated v[MOST_RESULTS]; /* the last first */
	u32 n;
} Kept;

static int by_number(const void *a, const void *b)
{
	const CapLaunch *x = *(const CapLaunch *const *)a, *y = *(const CapLaunch *const *)b;
	return x->number < y->number ? -1 : x->number > y->number;
}

bool replay_begun(const CapLaunch *l, bool wanted) { return l->state == CAP_BEGUN && (wanted || l->why); }

void replay_choose(ReplayFile *f, CapPick *pick, Arena *a)
{
	f->n = f->file->launches.n;
	f->launches = ARENA_ARRAY(a, const CapLaunch *, f->n + 1);
	f->wanted = ARENA_ARRAY(a, bool, f->n + 1);
	for (u32 i = 0; i < f->n; i++)
		f->launches[i] = &f->file->launches.v[i];
	qsort(f->launches, f->n, sizeof *f->launches, by_number);
	for (u32 i = 0; i < f->n; i++) {
		f->unwanted += f->launches[i]->state == CAP_UNWANTED;
		f->wanted[i] = f->launches[i]->state != CAP_UNWANTED && cap_pick(pick, f->launches[i]);
		f->nwanted += f->wanted[i];
	}
}

/* ---- launches that do the same ---- */

static bool same_object(const CapObject *a, const CapObject *b)
{
	return a->kind == b->kind && a->size == b->size && a->base == b->base && a->flags == b->flags &&
	       a->before && a->before == b->before && a->after && a->after == b->after &&
	       a->image_type == b->image_type && a->order == b->order && a->type == b->type &&
	       !memcmp(a->extent, b->extent, sizeof a->extent);
}

/* Handles of the same object may differ. */
static bool same_arg(const CapArg *a, const CapArg *b)
{
	return a->kind == b->kind && a->size == b->size && a->object == b->object && a->at == b->at &&
	       a->length == b->length && a->addressing == b->addressing && a->filter == b->filter &&
	       a->normalized == b->normalized && !a->bytes == !b->bytes &&
	       (a->object || !a->bytes || !memcmp(a->bytes, b->bytes, a->size));
}

/* The same kernel and arguments, with the same memory before and after: then all that is said of them is the same.
 * CONTENT has a number for each content. */
static bool same_work(const CapLaunch *a, const CapLaunch *b)
{
	bool same = a->state == CAP_KEPT && b->state == CAP_KEPT && a->program == b->program &&
	            a->device == b->device && !strcmp(a->kernel, b->kernel) && a->dims == b->dims &&
	            a->nargs == b->nargs && a->nobjects == b->nobjects && a->local_chosen == b->local_chosen &&
	            !memcmp(a->global, b->global, sizeof a->global) && !memcmp(a->local, b->local, sizeof a->local) &&
	            !memcmp(a->offset, b->offset, sizeof a->offset);
	for (u32 i = 0; same && i < a->nobjects; i++)
		same = same_object(&a->objects[i], &b->objects[i]);
	for (u32 i = 0; same && i < a->nargs; i++)
		same = same_arg(&a->args[i], &b->args[i]);
	return same;
}

static void keep(Kept *k, Simulated one)
{
	if (k->n == MOST_RESULTS)
		result_free(k->v[--k->n].result);
	memmove(k->v + 1, k->v, k->n * sizeof *k->v);
	k->v[0] = one;
	k->n++;
}

/* The result of one that did the same, which is the last now; or NULL. */
static const Result *known(Kept *k, const CapFile *f, const CapLaunch *l)
{
	for (u32 i = 0; i < k->n; i++) {
		Simulated one = k->v[i];
		if (one.file != f || !same_work(one.launch, l))
			continue;
		memmove(k->v + 1, k->v, i * sizeof *k->v);
		k->v[0] = one;
		return one.result;
	}
	return NULL;
}

static void forget(Kept *k)
{
	build_cache_free(&k->built);
	while (k->n)
		result_free(k->v[--k->n].result);
}

/* ---- one after the other ---- */

static bool simulate(const ReplaySpec *s, const CapFile *f, const CapLaunch *l, Kept *kept)
{
	Diag d;
	diag_init(&d);
	Arena *a = arena_new();
	LaunchSpec launch = s->launch;
	launch.file = f;
	launch.recorded = l;
	const char *failed = replay_begun(l, s->begun) ? NULL : cap_why_missing(l);
	EngineRun *run = failed ? NULL : engine_open(&launch, &d);
	Result *r =
	    run && engine_build(run, &s->machine, &s->want, &kept->built) && engine_bind(run) && engine_execute(run)
		? engine_result(run)
		: NULL;
	bool ok = false;
	if (run && s->times) {
		EngineTimes t = engine_times(run);
		engine_times_add(s->times, &t);
	}
	if (!r && !failed)
		failed = diag_reason(&d, "no reason given", a);
	if (run && engine_late(run)) {
		diag_error(s->d, NO_LOC, "launch %" PRIu64 ", kernel %s: %s", l->number, l->kernel, failed);
		diag_hint(s->d, "%s", d.msgs.v[0].hint);
	} else {
		ok = s->each(s->ctx, l, r, failed);
	}
	engine_close(run);
	if (r)
		keep(kept, (Simulated){f, l, r});
	diag_free(&d);
	arena_free(a);
	return ok;
}

bool replay_run(const ReplaySpec *s)
{
	Kept kept = {.built.most = MOST_BUILT};
	bool ok = true;
	for (u32 i = 0; ok && i < s->nfiles; i++) {
		const ReplayFile *f = &s->files[i];
		for (u32 k = 0; ok && k < f->n; k++) {
			const CapLaunch *l = f->launches[k];
			const Result *r = f->wanted[k] ? known(&kept, f->file, l) : NULL;
			ok = f->wanted[k] && !r ? simulate(s, f->file, l, &kept) : s->each(s->ctx, l, r, NULL);
		}
	}
	forget(&kept);
	return ok;
}
