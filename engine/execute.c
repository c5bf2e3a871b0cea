/* Running a launch: PoCL's run starts in the helper, the machine runs, both are compared.
 *
 * What wavefronts do follows from the program, the arguments and the width. So one execution
 * is for all machines whose compiler makes the same program of a kernel: they count along
 * (SimConfig.views), what any of them wants recorded is recorded, and each gets its part as a
 * profile of its own. A machine that wants shorter records than were made gets none: it takes an
 * execution of its own. */
#include "engine/check.h"
#include "engine/reference.h"
#include "engine/run.h"
#include "models/timing/cost_ops.h"

/* Which work-groups to record for the estimate. The machine code is not known yet: the
 * registers are left out of the occupancy, and rather more work-groups are recorded. */
void run_plan(EngineRun *r)
{
	OccInput use = {.lds_bytes = run_lds_bytes(r),
	                .group_size = (u32)(r->sim.local[0] * r->sim.local[1] * r->sim.local[2]),
	                .wave = r->wave};
	Occupancy o;
	u64 groups[3];
	occupancy(&r->device, &use, &o);
	launch_groups(&r->launch, groups);
	estimate_plan(&r->plan, &r->device, &o, groups[0] * groups[1] * groups[2], r->want.time_cus,
	              r->want.sample ? r->want.sample : 100, r->arena);
	r->lds_plan = r->device.codegen == DEVICE_CODEGEN_amdgcn
	                      ? lds_plan_new(run_machine_code(r), r->program, r->arena)
	                      : lds_plan_parts(&r->device, r->program, r->arena);
}

static u64 sort_unique(u64 *v, u64 n)
{
	u64 kept = 0;
	sort(v, n, sizeof *v, by_u64);
	for (u64 i = 0; i < n; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

/* What any of them wants recorded. */
static void join_records(EngineRun *const *all, u32 n, SimRecord *out, Arena *a)
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
static u64 *join_samples(EngineRun *const *all, u32 n, u64 *count, Arena *a)
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

void run_config(const EngineRun *r, SimConfig *cfg)
{
	*cfg = (SimConfig){
		.wave = r->wave,
		.lds = r->lds,
		.line_bytes = r->device.line_bytes,
		.fetch_bytes = r->device.l2_fetch_bytes,
		.room_bytes = r->device.l2_line_bytes,
		.threads = r->want.threads,
		.max_instructions = r->want.max_instructions,
		.max_launch_instructions = r->want.max_launch_instructions,
		.deadline = r->deadline,
		.stop = r->want.stop,
		.max_lds = r->device.lds_per_group,
		.counts_slow = cost_has_slow_path(&r->device),
		.wave_prof_limit = 1u << 16,
		.only = r->only,
		.nonly = r->nonly,
	};
}

/* Was the run ended by the limit of a guess? */
static bool guess_too_long(const EngineRun *r)
{
	const Profile *p = r->profile;
	for (u32 i = 0; r->guess_limit && p && i < p->findings.n; i++)
		if (p->findings.v[i].kind == FINDING_long_launch)
			return true;
	return false;
}

static bool run_machine(EngineRun *const *all, u32 n)
{
	EngineRun *r = all[0];
	SimView *views = ARENA_ARRAY(r->arena, SimView, n);
	for (u32 i = 1; i < n; i++)
		views[i - 1] = (SimView){all[i]->lds, all[i]->lds_plan, all[i]->device.line_bytes,
		                         all[i]->device.l2_fetch_bytes, all[i]->device.l2_line_bytes};
	r->only = join_samples(all, n, &r->nonly, r->arena);
	r->record = (SimRecord){.masks = r->want.detail};
	join_records(all, n, &r->record, r->arena);
	if (r->nonly && r->nonly < r->plan.ngroups)
		arguments_keep(&r->args);
	SimConfig cfg;
	run_config(r, &cfg);
	cfg.lds_plan = r->lds_plan;
	cfg.record = r->want.no_estimate ? NULL : &r->record;
	cfg.views = views;
	cfg.nviews = n - 1;
	for (u32 i = 1; i < n; i++)
		cfg.counts_slow |= cost_has_slow_path(&all[i]->device);
	cfg.progress = r->want.progress;
	cfg.progress_ctx = r->want.progress_ctx;
	if (r->guess_limit)
		cfg.max_launch_instructions = r->guess_limit;
	double start = seconds_now();
	r->profile = sim_run(r->program, &r->sim, &cfg, r->d);
	r->times.machine = seconds_now() - start;
	return r->profile != NULL;
}

/* Would the machine alone have cut off a record that is whole here? */
static bool record_fits(const Profile *p, const EstimatePlan *plan)
{
	for (u32 i = 0; p->events && i < p->events->waves.n; i++)
		if (p->events->waves.v[i].n > plan->words)
			return false;
	return true;
}

static void hand_out(EngineRun *const *all, u32 n)
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
		all[i]->spent = all[0]->spent;
		if (i)
			all[i]->reference = all[0]->reference;
		run_uses(all[i], all[0]);
	}
}

static void name_builtins(EngineRun *r)
{
	if (!r->fe)
		return;
	r->reference.builtins = fe_builtins(r->fe) != BUILTINS_AMD ? "pocl" : run_is_nvidia(r) ? "nvidia" : "amd";
	r->reference.builtins_why = fe_builtins_missing(r->fe);
}

bool run_execute_all(EngineRun *const *all, u32 n)
{
	EngineRun *r = all[0];
	FeLimits limits = reference_limits(r);
	PoclRun *run = NULL;
	run_clock(r);
	run_phase(r, "running the work-groups");
	if (r->no_reference) {
		r->reference.status = r->want.no_reference ? REF_skipped : REF_unavailable;
		r->reference.why = r->no_reference;
	} else if (!r->recorded) {
		run = reference_start(r);
	}
	for (u32 i = 0; i < n; i++)
		run_plan(all[i]);
	if (!run_machine(all, n)) {
		reference_drop(run);
		return run_in_time(r) && false;
	}
	if (guess_too_long(r)) {
		reference_drop(run);
		return true;
	}
	if (run) {
		run_phase(r, "comparing with the native run");
		reference_finish(r, run);
	} else if (r->recorded && !r->no_reference) {
		run_phase(r, "comparing with the recorded run");
		reference_recorded(r);
	} else {
		compare_results(&r->reference, r->program, &r->launch, &r->args, NULL, r->profile, &limits, r->arena);
	}
	check_run(r);
	if (!run_in_time(r))
		return false;
	if (n > 1)
		hand_out(all, n);
	for (u32 i = 0; i < n; i++)
		name_builtins(all[i]);
	return true;
}

void engine_shorten_guess(EngineRun *r) { r->may_shorten = true; }

/* Work-items of the guess that is so many times smaller; the most there can be: there is none. */
static u64 guess_items(const EngineRun *r, u32 smaller)
{
	Diag d;
	EngineRun other = *r;
	diag_init(&d);
	other.d = &d;
	u64 items = run_guess(&other, smaller) ? launch_items(&other.launch) : UINT64_MAX;
	diag_free(&d);
	return items;
}

/* Its launch ends at GUESS_MOST instructions where a smaller one may take its place: not where somebody set a limit. */
static u64 guess_limit(const EngineRun *r, u32 smaller)
{
	enum { GUESS_MOST = 64 << 20, MOST_SMALLER = 3 };
	bool limited = r->want.max_launch_instructions ||
	               (r->want.max_instructions && r->want.max_instructions <= GUESS_MOST);
	bool may = r->may_shorten && !limited && smaller < MOST_SMALLER && r->launch.global_from == FROM_GUESS &&
	           run_guess_decides(r);
	return may && guess_items(r, smaller + 1) < launch_items(&r->launch) ? GUESS_MOST : 0;
}

/* The smallest guess takes as long as it does. */
bool engine_execute(EngineRun *r)
{
	u32 smaller = 0;
	r->guess_limit = guess_limit(r, smaller);
	bool ok = run_execute_all(&r, 1);
	while (ok && guess_too_long(r)) {
		ok = run_guess(r, ++smaller);
		r->guess_limit = guess_limit(r, smaller);
		ok = ok && run_again(r) && run_execute_all(&r, 1);
	}
	return ok;
}

/* ---- the record once more ---- */

void run_forget_record(EngineRun *r)
{
	profile_free(r->wide);
	profile_free(r->again);
	r->wide = r->again = NULL;
}

static bool same_work(const Profile *a, const Profile *b, const EstimatePlan *plan)
{
	for (u32 i = 0; i < plan->ngroups_recorded; i++)
		if (memcmp(&a->work[plan->groups[i]], &b->work[plan->groups[i]], sizeof *a->work) != 0)
			return false;
	return true;
}

Profile *run_copy(EngineRun *again, const EstimatePlan *plan, u32 how)
{
	SimConfig cfg;
	SimRecord record = {.groups = plan->groups, .ngroups = plan->ngroups_recorded, .words = plan->words,
	                    .masks = again->want.detail};
	Profile *p = NULL;
	memset(&again->args, 0, sizeof again->args);
	if (arguments_build(&again->args, &again->launch, again->program, &again->limits, RESULT_NONE, again->d)) {
		run_sim_launch(again);
		run_config(again, &cfg);
		cfg.lds_plan = again->lds_plan;
		cfg.record = &record;
		cfg.uncounted = !(how & COPY_COUNTED);
		cfg.only = how & COPY_ALONE ? plan->groups : NULL;
		cfg.nonly = plan->ngroups_recorded;
		p = sim_run(again->program, &again->sim, &cfg, again->d);
	}
	return p;
}

static Profile *record_again(EngineRun *again, const EstimatePlan *plan, u32 how)
{
	Profile *p = run_copy(again, plan, how);
	arguments_free(&again->args);
	return p;
}

const Profile *run_record(EngineRun *r, const EstimatePlan *plan)
{
	Diag d;
	EngineRun again = *r;
	diag_init(&d);
	again.d = &d;
	run_forget_record(r);
	r->again = record_again(&again, plan, COPY_ALONE);
	/* What others wrote or counted before decided what they did. */
	if (r->again && !same_work(r->profile, r->again, plan)) {
		profile_free(r->again);
		r->again = record_again(&again, plan, 0);
	}
	diag_free(&d);
	if (!r->again)
		return NULL;
	r->wide = profile_view(r->profile, NO_VIEW, NULL, 0);
	for (u32 i = 0; i < r->again->events->waves.n; i++)
		array_push(&r->wide->events->waves, r->again->events->waves.v[i]);
	return r->wide;
}

bool run_again(EngineRun *r)
{
	run_forget_record(r);
	profile_free(r->profile);
	profile_free(r->ran);
	profile_free(r->checks.profile);
	arguments_free(&r->args);
	r->profile = r->ran = NULL;
	r->reference = (Reference){0};
	r->checks = (Checks){0};
	return run_fill(r);
}

char *run_execution(const EngineRun *r, Arena *a)
{
	Buf out = {0};
	buf_printf(&out, "%u lanes, sample %llu\n", r->wave, (unsigned long long)r->want.sample);
	launch_print_options(&r->launch, PRINT_ALL, &out);
	buf_printf(&out, "\n");
	program_print(r->program, &out);
	return buf_keep(&out, a);
}

bool run_writes(const EngineRun *r, u32 arg)
{
	const KernelArg *k = &r->program->args.v[arg];
	if (!r->args.data[arg] || !r->args.size[arg])
		return false;
	return k->kind == ARG_IMAGE ? k->writes : k->kind == ARG_PIPE || (k->kind == ARG_GLOBAL && !k->is_const);
}

bool run_fits(EngineRun *r, EngineRun *first)
{
	r->sim = first->sim;
	run_uses(r, first);
	return sim_lds_fits(r->program, &r->sim, r->device.lds_per_group, r->d);
}
