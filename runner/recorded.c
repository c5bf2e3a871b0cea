/* The launches of a launch file, one after the other. One that cannot run is an error with its number,
 * and the next one follows. */
#include "runner/runner.h"

#include "traces/capture/capture_pick.h"

static bool run_one(Runner *r, const CapFile *f, const CapLaunch *l, KeptKernels *kept, Diag *d)
{
	RunnerJob job = {.path = f->path, .family = r->o->family, .has_x = r->o->family != NULL, .x = (double)l->number,
	           .file = f, .recorded = l, .kept = kept};
	Diag own;
	diag_init(&own);
	bool ok = job_run(r, &job, &own);
	for (u32 i = 0; i < own.msgs.n; i++) {
		const DiagMsg *m = &own.msgs.v[i];
		if (m->level != DIAG_ERROR)
			continue;
		diag_error(d, (Loc){.file = f->path}, "launch %llu, kernel %s: %s", (unsigned long long)l->number,
		           l->kernel, m->text);
		if (m->hint)
			diag_hint(d, "%s", m->hint);
	}
	diag_free(&own);
	return ok;
}

/* Options of a launch would say otherwise than the recording. */
static bool check_options(const RunnerOptions *o, Diag *d)
{
	if (!o->launch.n)
		return true;
	diag_error(d, o->launch.v[0].loc, "%s: the launches are those that were recorded", o->launch.v[0].name);
	return diag_source(d, o->command_line);
}

bool recorded_run(Runner *r, const char *path, Diag *d)
{
	CapPick pick;
	if (!check_options(r->o, d) || !cap_pick_options(&pick, r->o->kernels, r->o->launches, r->o->once, d))
		return false;
	CapFile *f = cap_open(path, d);
	bool ok = true, any = false;
	u32 unwanted = 0;
	KeptKernels kept = {0};
	for (u32 i = 0; f && i < f->launches.n; i++) {
		unwanted += f->launches.v[i].state == CAP_UNWANTED;
		if (f->launches.v[i].state == CAP_UNWANTED || !cap_pick(&pick, &f->launches.v[i]))
			continue;
		any = true;
		ok &= run_one(r, f, &f->launches.v[i], &kept, d);
	}
	if (f && !any)
		ok = cap_pick_none(&pick, path, unwanted, d);
	kept_free(&kept);
	cap_close(f);
	cap_pick_free(&pick);
	return ok && f;
}
