/* The native run of the launch, PoCL's or the helper's own, and its second opinion.
 *
 * PoCL builds the kernel as it does for any host program, optimised. Its compiler is at
 * fault now and then: LLVM's x86 back end gets some vector code wrong, and PoCL's loops over
 * the work-items of a group run one of them twice where a barrier is under a condition
 * and local size x is 1. So when a run differs (or crashes) and the machine saw the kernel do
 * nothing wrong, PoCL runs it again in ways that avoid these. If one of them agrees with the
 * machine, the report says which, and that PoCL's usual run is another: then either PoCL is at
 * fault or work-items race, and no longer the machine alone.
 *
 * The helper's own run calls the C library's mathematics, and then the device's, as the machine does: is every element
 * equal then, the others differ by rounding. */
#include "engine/reference.h"

typedef struct Way {
	bool fresh;        /* PoclLaunch.fresh */
	bool same_library; /* of the helper's own: PoclLaunch.same_library */
	const char *options; /* before the user's */
	const char *method;  /* POCL_WORK_GROUP_METHOD */
	const char *name;    /* for the report */
} Way;

static const Way usual = {.options = ""};
static const Way own_others[] = {{false, true, "", NULL, "the device's built-in functions"}};
static const Way others[] = {
	{false, false, "-cl-opt-disable", "loops", "-cl-opt-disable"},
	{false, false, "-cl-opt-disable", "workitemrepl", "-cl-opt-disable and POCL_WORK_GROUP_METHOD=workitemrepl"},
};

enum { REFERENCE_SECONDS = 600, OTHER_SECONDS = 60 }; /* unless somebody says how long; for one more run */
enum { BUSY = 5 }; /* times as long by the clock as of processor time: the machine has other work */

/* Processor time, so that a busy machine does not change what is compared. */
static u32 patience(const EngineRun *r, const Way *way)
{
	u32 most = r->want.reference_seconds ? r->want.reference_seconds : REFERENCE_SECONDS;
	return way == &usual || most < OTHER_SECONDS ? most : OTHER_SECONDS;
}

FeLimits reference_limits(const EngineRun *r) { return r->fe ? fe_limits(r->fe) : (FeLimits){0}; }

/* Atomics and printf show the order of work-items; one thread gives PoCL the machine's. */
static u32 reference_threads(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++) {
		Op op = (Op)p->ins.v[i].op;
		if (op == OP_atomic || op == OP_cas || op == OP_printf)
			return 1;
	}
	return 0;
}

/* Of a sample: what work-groups that did not run would have left in memory is missing. */
static bool atomics_over_groups(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		if ((x->op == OP_atomic || x->op == OP_cas) && x->space != SPACE_LDS)
			return true;
	}
	return false;
}

static PoclRun *start(const EngineRun *r, const Way *way, const Arguments *args, Reference *ref)
{
	const Launch *l = &r->launch;
	PoclLaunch p = {
		.path = r->path,
		.source = r->text,
		.src = r->src,
		.options = r->build_options,
		.first = way->options,
		.compiled = r->fe,
		.own = r->own_reference,
		.same_library = way->same_library,
		.kernel = r->program->kernel,
		.dims = l->work_dim,
		.args = args->pocl_args,
		.nargs = args->n,
		.buffers = args->pocl_buffers,
		.nbuffers = args->npocl_buffers,
		.seconds = patience(r, way),
		.threads = reference_threads(r->program),
		.repeats = r->want.reference_timing && way == &usual ? 5 : 0,
		.method = way->method,
		.fresh = way->fresh,
	};
	for (u32 i = 0; i < 3; i++) {
		p.global[i] = l->global[i];
		p.local[i] = l->local[i];
		p.offset[i] = l->offset[i];
	}
	Diag d;
	diag_init(&d);
	PoclRun *run = pocl_run_start(r->helper, &p, &d);
	if (!run) {
		ref->status = REF_unavailable;
		ref->why = d.msgs.n ? arena_strdup(r->arena, d.msgs.v[0].text) : NULL;
	}
	diag_free(&d);
	return run;
}

/* Not beyond the time that the launch has. */
static double clock_left(const EngineRun *r, double clock)
{
	double left = r->deadline > 0 ? r->deadline - seconds_now() : clock;
	return left < 0.01 ? 0.01 : left < clock ? left : clock;
}

/* clock: seconds to wait for it. */
static void finish(const EngineRun *r, PoclRun *run, double clock, const Arguments *args, Reference *ref,
                   PoclOutcome *outcome)
{
	FeLimits limits = reference_limits(r);
	pocl_run_wait(run, clock_left(r, clock), outcome);
	switch (outcome->status) {
	case POCL_OK: ref->status = REF_equal; break;
	case POCL_NO_PLATFORM: ref->status = REF_unavailable; break;
	case POCL_BUILD_FAILED:
	case POCL_CL_ERROR: ref->status = REF_failed; break;
	case POCL_CRASHED: ref->status = REF_crashed; break;
	case POCL_TIMEOUT: ref->status = REF_timeout; break;
	}
	ref->source = r->own_reference ? REF_FROM_native : REF_FROM_pocl;
	ref->source_why = r->own_reference ? r->not_pocl : NULL;
	ref->why = arena_strdup(r->arena, outcome->why);
	ref->unconfined = arena_strdup(r->arena, outcome->unconfined);
	ref->seconds = outcome->seconds;
	if (r->profile->stopped) {
		ref->status = REF_skipped;
		ref->why = "the launch did not end";
	} else if (r->profile->groups_run < r->profile->groups && atomics_over_groups(r->program)) {
		ref->status = REF_skipped;
		ref->why = "a sample: atomics lack what the other work-groups would do";
	}
	compare_results(ref, r->program, &r->launch, args, outcome, r->profile, &limits, r->arena);
	ref->kept = outcome->kept;
}

/* What was equal will be: of a launch that races, a later run may say so. */
static void keep(const Reference *ref, PoclOutcome *outcome)
{
	if ((ref->status == REF_equal || ref->status == REF_nothing) && !ref->built)
		pocl_outcome_keep(outcome);
}

/* ---- the second opinion ---- */

/* Run it another way. The machine has changed the buffers: PoCL's start afresh. */
static bool ask(const EngineRun *r, const Way *way, Reference *ref)
{
	Arguments again, both = r->args;
	Diag d;
	diag_init(&d);
	bool ok = arguments_build(&again, &r->launch, r->program, &r->limits, RESULT_POCL, &d);
	PoclRun *run = ok ? start(r, way, &again, ref) : NULL;
	if (run) {
		PoclOutcome outcome;
		both.result = again.result;
		both.objects = ARENA_ARRAY(r->arena, ArgObject, both.nobjects);
		for (u32 i = 0; i < both.nobjects; i++) {
			both.objects[i] = r->args.objects[i];
			both.objects[i].result = again.objects[i].result;
		}
		finish(r, run, (double)patience(r, way) * BUSY, &both, ref, &outcome);
		pocl_outcome_free(&outcome);
	}
	arguments_free(&again);
	diag_free(&d);
	return run && ref->status == REF_equal;
}

static const char *contradiction(const Reference *first, bool own, const char *whose, Arena *arena)
{
	const char *rest = own ? "the C library's functions round otherwise"
	                       : "a fault of PoCL's compiler, or the results depend on the order of work-items";
	if (first->status == REF_crashed)
		return arena_printf(arena, "%s run crashes: %s", whose, rest);
	return arena_printf(arena, "%s run differs in %llu of %llu elements%s: %s", whose,
	                    (unsigned long long)first->mismatches, (unsigned long long)first->checked,
	                    first->output_differs ? " and in the printed text" : "", rest);
}

static void second_opinion(EngineRun *r, const Way *ways, u32 n, const char *whose)
{
	Reference *ref = &r->reference;
	for (u32 i = 0; i < n && !run_late(r); i++) {
		Reference other = {0};
		if (!ask(r, &ways[i], &other))
			continue;
		other.built = ways[i].name;
		other.why = contradiction(ref, r->own_reference, whose, r->arena);
		other.seconds = ref->seconds;
		*ref = other;
		return;
	}
}

/* ---- for execute.c ---- */

PoclRun *reference_start(EngineRun *r) { return start(r, &usual, &r->args, &r->reference); }

/* What does not end here will not end there. */
static void wait_usual(EngineRun *r, PoclRun *run, PoclOutcome *outcome)
{
	finish(r, run, r->profile->stopped ? 0.05 : (double)patience(r, &usual) * BUSY, &r->args, &r->reference,
	       outcome);
}

void reference_wait(EngineRun *r, PoclRun *run)
{
	PoclOutcome outcome;
	wait_usual(r, run, &outcome);
	keep(&r->reference, &outcome);
	pocl_outcome_free(&outcome);
}

void reference_finish(EngineRun *r, PoclRun *run)
{
	PoclOutcome outcome;
	Reference *ref = &r->reference;
	double start = seconds_now();
	wait_usual(r, run, &outcome);
	r->times.native = seconds_now() - start;
	start = seconds_now();
	if (ref->status == REF_different && !r->profile->findings.n && !r->own_reference)
		reference_repeat(r, &outcome);
	if ((ref->status == REF_different || ref->status == REF_crashed) && !ref->repeat_equal &&
	    !r->profile->findings.n)
		second_opinion(r, r->own_reference ? own_others : others, r->own_reference ? 1 : COUNT(others),
		               r->own_reference ? "the usual native" : "PoCL's usual");
	r->times.opinion = seconds_now() - start;
	keep(&r->reference, &outcome);
	pocl_outcome_free(&outcome);
}

/* Text that a recorded launch printed went to the program's own output: PoCL has to print it again. */
static void judge_recorded(EngineRun *r)
{
	static const Way again = {true, false, "", NULL, "the usual options, run again"};
	Reference *ref = &r->reference;
	FeLimits limits = reference_limits(r);
	ref->status = REF_equal;
	ref->source = REF_FROM_recorded;
	ref->recorded = true;
	compare_results(ref, r->program, &r->launch, &r->args, NULL, r->profile, &limits, r->arena);
	if (r->profile->printed.n && ref->status != REF_different) {
		Reference printed = {0};
		ask(r, &usual, &printed);
		if (printed.status == REF_equal || printed.output_differs)
			*ref = printed;
	}
	if (ref->status != REF_different || r->profile->findings.n)
		return;
	if (r->own_reference) {
		second_opinion(r, own_others, COUNT(own_others), "the program's own");
		return;
	}
	reference_repeat(r, NULL);
	if (ref->status == REF_different && !ref->repeat_equal)
		second_opinion(r, &again, 1, "the recorded");
	if (ref->status == REF_different && !ref->repeat_equal)
		second_opinion(r, others, COUNT(others), "the recorded");
}

void reference_recorded(EngineRun *r)
{
	double start = seconds_now();
	judge_recorded(r);
	r->times.opinion = seconds_now() - start;
}

void reference_drop(PoclRun *run)
{
	PoclOutcome outcome;
	if (!run)
		return;
	pocl_run_wait(run, 0.01, &outcome);
	pocl_outcome_free(&outcome);
}
