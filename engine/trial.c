#include "engine/trial.h"

#include "engine/run.h"

/* Did both leave the same? */
static bool same_memory(const EngineRun *a, const EngineRun *b)
{
	for (u32 i = 0; i < a->args.n; i++)
		if (a->args.data[i] && memcmp(a->args.data[i], b->args.data[i], a->args.size[i]))
			return false;
	const Profile *p = a->profile, *q = b->profile;
	return p->printed.n == q->printed.n && (!p->printed.n || !memcmp(p->printed.v, q->printed.v, p->printed.n));
}

static bool known(const EngineRun *r, const Trial *t)
{
	u64 items = t->local[0] * t->local[1] * t->local[2];
	bool size = t->text || (items <= run_max_group(r) && !r->program->reqd_local[0]);
	return r->args.arena && r->profile && !r->profile->stopped && !trial_has_problems(r->profile) && !r->plan.run &&
	       size;
}

/* The run takes the other sizes or text, at most so many wave instructions, and none of what belongs to a run that is
 * reported. False: that text cannot be compiled. */
static bool prepare(EngineRun *again, const Trial *t, u64 most, Diag *d)
{
	again->d = d;
	memset(&again->args, 0, sizeof again->args);
	if (!t->text) {
		memcpy(again->launch.local, t->local, sizeof t->local);
		memcpy(again->sim.local, t->local, sizeof t->local);
	}
	again->sim.exchanged ^= t->exchanged;
	again->profile = again->ran = again->again = again->wide = NULL;
	again->only = NULL;
	again->nonly = 0;
	again->reference = (Reference){.status = REF_skipped};
	again->checks = (Checks){0};
	again->misuses = NULL;
	again->nmisuses = 0;
	again->want.check.suppress = NULL;
	again->want.no_advice = again->want.no_what_if = true;
	again->want.timeline = again->want.listing = again->want.detail = false;
	again->want.progress = NULL;
	if (!again->want.max_launch_instructions || most < again->want.max_launch_instructions)
		again->want.max_launch_instructions = most;
	if (t->text && !run_build_text(again, t->text))
		return false;
	run_plan(again);
	return true;
}

/* Did it end because of a bound that the run did not have? */
static bool took_too_long(const EngineRun *again, const EngineRun *r)
{
	bool bound = false;
	for (u32 i = 0; i < again->profile->findings.n; i++)
		bound |= again->profile->findings.v[i].kind == FINDING_long_launch;
	return bound && again->want.max_launch_instructions != r->want.max_launch_instructions;
}

void trial_charge(u64 took, u64 *left) { *left -= took < *left ? took : *left; }

/* All work-groups are executed. */
static TrialOutcome run_whole(EngineRun *again, const EngineRun *r, u32 how, u64 *left, TrialCost *cost)
{
	ProfileTotals totals = {.wave_instructions = *left};
	again->profile = run_copy(again, &again->plan, how);
	if (again->profile)
		profile_totals(again->program, again->profile, &totals);
	trial_charge(totals.wave_instructions, left);
	if (!again->profile || took_too_long(again, r))
		return TRIAL_UNKNOWN;
	if (again->profile->stopped || trial_has_problems(again->profile))
		return TRIAL_WRONG;
	if (!same_memory(r, again))
		return TRIAL_OTHER;
	ResultInput in = run_time_input(again);
	const MachineCode *code = result_code(&in);
	*cost = (TrialCost){result_time(&in), totals.actual_lines, code ? code->scratch_bytes : 0};
	return cost->us < 0 ? TRIAL_UNKNOWN : TRIAL_SAME;
}

TrialOutcome trial_run(EngineRun *r, const Trial *t, u32 threads, u64 *left, TrialCost *cost)
{
	if (!known(r, t))
		return TRIAL_UNKNOWN;
	Diag d;
	diag_init(&d);
	EngineRun again = *r;
	again.arena = arena_new();
	again.want.threads = threads;
	TrialOutcome out = TRIAL_UNKNOWN;
	if (prepare(&again, t, *left, &d)) {
		out = t->most_us > 0 ? trial_sample(&again, r, t, left) : TRIAL_SAME;
		if (out == TRIAL_SAME)
			out = run_whole(&again, r, t->exchanged ? COPY_COUNTED : 0, left, cost);
	}
	run_forget_record(&again);
	profile_free(again.profile);
	arguments_free(&again.args);
	if (again.built != r->built)
		built_drop(again.built);
	arena_free(again.arena);
	diag_free(&d);
	return out;
}
