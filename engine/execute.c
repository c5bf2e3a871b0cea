/* Running a launch: PoCL's run starts in a child, the machine runs, both are compared.
 *
 * What wavefronts do follows from the program, the arguments and the width. So one execution
 * serves all machines whose compiler makes the same program of a kernel: they count along
 * (SimConfig.views), what any of them wants recorded is recorded, and each gets its part as a
 * profile of its own. A machine that wants shorter records than were made gets none: it takes an
 * execution of its own. */
#include "engine/run.h"

/* Which work-groups to record for the estimate. The machine code is not known yet: the
 * registers are left out of the occupancy, and rather more work-groups are recorded. */
static void plan_estimate(Session *s)
{
	OccInput use = {.lds_bytes = sim_lds_bytes(s->program, &s->sim),
	                .group_size = (u32)(s->sim.local[0] * s->sim.local[1] * s->sim.local[2]),
	                .wave = s->wave};
	Occupancy o;
	u64 groups[3];
	occupancy(&s->device, &use, &o);
	launch_groups(&s->launch, groups);
	estimate_plan(&s->plan, &s->device, &o, groups[0] * groups[1] * groups[2], (u32)s->o->time_cus,
	              (u32)s->o->sample, s->arena);
	s->lds_plan = s->device.codegen == DEVICE_CODEGEN_amdgcn
	                      ? lds_plan_new(session_machine_code(s), s->program, s->arena)
	                      : lds_plan_parts(&s->device, s->program, s->arena);
}

static int by_number(const void *va, const void *vb)
{
	u64 a = *(const u64 *)va, b = *(const u64 *)vb;
	return a < b ? -1 : a > b;
}

static u64 sort_unique(u64 *v, u64 n)
{
	u64 kept = 0;
	if (n)
		qsort(v, n, sizeof *v, by_number);
	for (u64 i = 0; i < n; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

/* What any of them wants recorded. */
static void join_records(Session *const *all, u32 n, SimRecord *out, Arena *a)
{
	u64 most = 0;
	for (u32 i = 0; i < n; i++)
		most += all[i]->plan.ngroups_recorded;
	u64 *groups = ARENA_ARRAY(a, u64, most + 1), at = 0;
	for (u32 i = 0; i < n; i++) {
		const EstimatePlan *p = &all[i]->plan;
		for (u32 k = 0; k < p->ngroups_recorded; k++)
			groups[at++] = p->groups[k];
		out->words = p->words > out->words ? p->words : out->words;
	}
	out->groups = groups;
	out->ngroups = (u32)sort_unique(groups, at);
}

/* The work-groups to run: NULL for all, which one that does not sample wants. */
static u64 *join_samples(Session *const *all, u32 n, u64 *count, Arena *a)
{
	u64 most = 0, at = 0;
	*count = 0;
	for (u32 i = 0; i < n; i++) {
		if (!all[i]->plan.run)
			return NULL;
		most += all[i]->plan.nrun;
	}
	u64 *run = ARENA_ARRAY(a, u64, most + 1);
	for (u32 i = 0; i < n; i++)
		for (u64 k = 0; k < all[i]->plan.nrun; k++)
			run[at++] = all[i]->plan.run[k];
	*count = sort_unique(run, at);
	return run;
}

static bool run_machine(Session *const *all, u32 n)
{
	Session *s = all[0];
	SimView *views = ARENA_ARRAY(s->arena, SimView, n);
	for (u32 i = 1; i < n; i++)
		views[i - 1] = (SimView){all[i]->lds, all[i]->lds_plan, all[i]->device.line_bytes};
	u64 nrun;
	u64 *run = join_samples(all, n, &nrun, s->arena);
	s->record = (SimRecord){.masks = s->o->html != NULL};
	join_records(all, n, &s->record, s->arena);
	if (nrun && nrun < s->plan.ngroups)
		arguments_keep(&s->args);
	Progress progress;
	progress_start(&progress, !s->o->quiet);
	SimConfig cfg = {
		.wave = s->wave,
		.lds = s->lds,
		.lds_plan = s->lds_plan,
		.line_bytes = s->device.line_bytes,
		.threads = (u32)s->o->threads,
		.max_instructions = s->o->max_instructions,
		.max_lds = s->device.lds_per_group,
		.wave_prof_limit = 1u << 16,
		.record = s->o->no_estimate ? NULL : &s->record,
		.only = run,
		.nonly = nrun,
		.views = views,
		.nviews = n - 1,
		.progress = progress_step,
		.progress_ctx = &progress,
	};
	double start = seconds_now();
	s->profile = sim_run(s->program, &s->sim, &cfg, s->d);
	s->run_seconds = seconds_now() - start;
	progress_end(&progress);
	return s->profile != NULL;
}

/* Would the machine alone have cut off a record that is whole here? */
static bool record_fits(const Profile *p, const EstimatePlan *plan)
{
	for (u32 i = 0; p->events && i < p->events->waves.n; i++)
		if (p->events->waves.v[i].n > plan->words)
			return false;
	return true;
}

static void hand_out(Session *const *all, u32 n)
{
	Profile *ran = all[0]->ran = all[0]->profile;
	for (u32 i = 0; i < n; i++) {
		const EstimatePlan *plan = &all[i]->plan;
		Profile *p = profile_view(ran, i ? i - 1 : NO_VIEW, plan->groups, plan->ngroups_recorded);
		if (!record_fits(p, plan)) {
			profile_free(p);
			p = NULL;
		}
		all[i]->profile = p;
		if (i)
			all[i]->reference = all[0]->reference;
	}
}

static void name_builtins(Session *s)
{
	if (!s->fe)
		return;
	s->reference.builtins = fe_builtins(s->fe) == BUILTINS_AMD ? "amd" : "pocl";
	s->reference.builtins_why = fe_builtins_missing(s->fe);
}

bool session_execute_all(Session *const *all, u32 n)
{
	Session *s = all[0];
	RefRun ref = {
		.path = s->path,
		.text = s->text,
		.options = s->build_options,
		.src = s->src,
		.helper = s->helper,
		.program = s->program,
		.launch = &s->launch,
		.limits = &s->limits,
		.ulp = s->fe ? fe_limits(s->fe) : (FeLimits){0},
		.args = &s->args,
		.timing = s->o->timing,
		.patience = (double)s->o->reference_timeout,
		.arena = s->arena,
	};
	PoclRun *run = NULL;
	if (s->no_reference) {
		s->reference.status = s->o->no_reference ? REF_skipped : REF_unavailable;
		s->reference.why = s->no_reference;
	} else if (!s->recorded) {
		run = reference_start(&ref, &s->reference);
	}
	for (u32 i = 0; i < n; i++)
		plan_estimate(all[i]);
	if (!run_machine(all, n)) {
		reference_drop(run);
		return false;
	}
	if (run)
		reference_finish(&ref, run, s->profile, &s->reference);
	else if (s->recorded && !s->no_reference)
		reference_recorded(&ref, s->profile, &s->reference);
	else
		compare_results(&s->reference, &s->launch, &s->args, NULL, s->profile, &ref.ulp, s->arena);
	if (n > 1)
		hand_out(all, n);
	for (u32 i = 0; i < n; i++)
		name_builtins(all[i]);
	return true;
}

bool session_execute(Session *s) { return session_execute_all(&s, 1); }

bool session_again(Session *s)
{
	profile_free(s->profile);
	profile_free(s->ran);
	arguments_free(&s->args);
	s->profile = s->ran = NULL;
	s->reference = (Reference){0};
	return session_fill(s);
}

char *session_execution(const Session *s, Arena *a)
{
	Buf out = {0};
	buf_printf(&out, "%u lanes, sample %llu\n", s->wave, (unsigned long long)s->o->sample);
	launch_print_options(&s->launch, PRINT_ALL, &out);
	buf_printf(&out, "\n");
	program_print(s->program, &out);
	char *text = arena_strndup(a, out.v, out.n);
	array_free(&out);
	return text;
}

bool session_writes(const Session *s, u32 arg)
{
	const KernelArg *k = &s->program->args.v[arg];
	if (!s->args.data[arg] || !s->args.size[arg])
		return false;
	return k->kind == ARG_IMAGE ? k->writes_image : k->kind == ARG_GLOBAL && !k->is_const;
}

bool session_fits(Session *s, const Session *first)
{
	s->sim = first->sim;
	return sim_lds_fits(s->program, &s->sim, s->device.lds_per_group, s->d);
}
