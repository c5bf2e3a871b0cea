/* Simulating the launches of launch files. Programs that were built are kept, because programs launch few kernels
 * many times; memory of a launch is gone when the next one begins. */
#include "engine/replay.h"

#include "traces/capture/capture.h"

enum { MOST_BUILT = 64 };

static int by_number(const void *a, const void *b)
{
	const CapLaunch *x = *(const CapLaunch *const *)a, *y = *(const CapLaunch *const *)b;
	return x->number < y->number ? -1 : x->number > y->number;
}

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

static bool simulate(const ReplaySpec *s, const CapFile *f, const CapLaunch *l, BuildCache *cache)
{
	Diag d;
	diag_init(&d);
	Arena *a = arena_new();
	LaunchSpec launch = s->launch;
	launch.file = f;
	launch.recorded = l;
	bool begun = l->state == CAP_BEGUN && (s->begun || l->why); /* why: the kernel crashed, and not the program */
	const char *failed = begun ? NULL : cap_why_missing(l);
	EngineRun *run = failed ? NULL : engine_open(&launch, &d);
	Result *r = run && engine_build(run, &s->machine, &s->want, cache) && engine_bind(run) && engine_execute(run)
	                ? engine_result(run) : NULL;
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
	result_free(r);
	diag_free(&d);
	arena_free(a);
	return ok;
}

bool replay_run(const ReplaySpec *s)
{
	BuildCache cache = {.most = MOST_BUILT};
	bool ok = true;
	for (u32 i = 0; ok && i < s->nfiles; i++) {
		const ReplayFile *f = &s->files[i];
		for (u32 k = 0; ok && k < f->n; k++)
			ok = f->wanted[k] ? simulate(s, f->file, f->launches[k], &cache)
			                  : s->each(s->ctx, f->launches[k], NULL, NULL);
	}
	build_cache_free(&cache);
	return ok;
}
