/* The life of a run, what is known of it, and its Result. */
#include "engine/blame.h"
#include "engine/run.h"

/* ---- life ---- */

EngineRun *run_use(EngineRun *r)
{
	atomic_fetch_add(&r->users, 1);
	return r;
}

void run_drop(EngineRun *r)
{
	if (atomic_fetch_sub(&r->users, 1) > 1)
		return;
	run_forget_record(r);
	profile_free(r->profile);
	profile_free(r->ran);
	profile_free(r->checks.profile);
	arguments_free(&r->args);
	built_drop(r->built);
	launch_free(&r->launch);
	free(r->text);
	arena_free(r->arena);
	if (r->uses)
		run_drop(r->uses);
	free(r);
}

void run_uses(EngineRun *r, EngineRun *other)
{
	if (r == other || r->uses == other)
		return;
	if (r->uses)
		run_drop(r->uses);
	r->uses = run_use(other);
}

EngineRun *engine_open(const LaunchSpec *spec, Diag *d)
{
	EngineRun *r = xcalloc(1, sizeof *r);
	atomic_init(&r->users, 1);
	r->d = d;
	r->arena = arena_new();
	double start = seconds_now();
	r->failed = !run_read(r, spec);
	r->times.build = seconds_now() - start;
	return r;
}

/* Results need everything but the memory of arguments. */
void engine_close(EngineRun *r)
{
	if (!r)
		return;
	arguments_free(&r->args);
	helper_free(r->own_helper);
	r->helper = r->own_helper = NULL;
	run_drop(r);
}

/* ---- what is known ---- */

const Launch *engine_launch(const EngineRun *r) { return &r->launch; }
const char *engine_path(const EngineRun *r) { return r->path; }
const char *engine_text(const EngineRun *r) { return r->text; }
bool engine_is_sim(const EngineRun *r) { return r->is_sim; }
const char *engine_build_options(const EngineRun *r) { return r->build_options; }
const Program *engine_program(const EngineRun *r) { return r->program; }
const char *engine_ir(const EngineRun *r) { return r->fe ? fe_ir(r->fe) : NULL; }
const Listing *engine_listing(const EngineRun *r, Arena *a, const char **why)
{
	const MachineCode *c = run_machine_code(r);
	*why = !r->fe ? "a .wave program has no machine code" : c ? c->missing : "it was not asked for";
	return *why ? NULL : listing_code(c, r->program, a);
}
const Device *engine_device(const EngineRun *r) { return &r->device; }
EngineTimes engine_times(const EngineRun *r)
{
	EngineTimes t = r->times;
	t.kernel = r->reference.seconds;
	t.native_kept = r->reference.kept;
	return t;
}

void engine_times_add(EngineTimes *sum, const EngineTimes *t)
{
	sum->build += t->build;
	sum->machine += t->machine;
	sum->result += t->result;
	sum->checks += t->checks;
	sum->native += t->native;
	sum->opinion += t->opinion;
	sum->kernel += t->kernel;
}

const void *engine_buffer(const EngineRun *r, u32 arg, u64 *size)
{
	const LaunchArg *a = &r->launch.args[arg];
	if (r->args.data[arg] && r->args.packets[arg]) {
		*size = launch_pipe_packets(a, r->args.data[arg], r->args.packets[arg]) * a->shape.stride;
		return r->args.packets[arg];
	}
	*size = r->args.data[arg] ? r->args.size[arg] : 0;
	return r->args.data[arg];
}

/* ---- result ---- */

static ResultSource source_of(EngineRun *r, const char *name)
{
	const char *known = !strcmp(name, r->path) ? r->text
	                    : r->src               ? source_text(r->src, r->path, name, r->arena)
	                                           : NULL;
	char *text = known ? NULL : read_regular_file(name, NULL);
	ResultSource s = {.name = name, .text = text ? arena_strdup(r->arena, text) : known};
	free(text);
	return s;
}

/* The text of each source file of the programs; its name as the user wrote it. */
const ResultSource *engine_sources(EngineRun *r, u32 *n)
{
	const Program *p = r->program;
	const Program *q = r->checks.program;
	u32 most = p->files.n + (q ? q->files.n : 0);
	ResultSource *list = ARENA_ARRAY(r->arena, ResultSource, most + 1);
	for (*n = 0; *n < p->files.n; ++*n)
		list[*n] = source_of(r, p->files.v[*n]);
	for (u32 i = 0; q && i < q->files.n; i++) {
		bool known = false;
		for (u32 k = 0; k < p->files.n; k++)
			known |= !strcmp(p->files.v[k], q->files.v[i]);
		if (!known)
			list[(*n)++] = source_of(r, q->files.v[i]);
	}
	return list;
}

static char *options_text(EngineRun *r, LaunchPrint what)
{
	Buf out = {0};
	launch_print_options(&r->launch, what, &out);
	return buf_keep(&out, r->arena);
}

void run_phase(const EngineRun *r, const char *what)
{
	if (r->want.phase)
		r->want.phase(r->want.progress_ctx, what);
}

void run_clock(EngineRun *r)
{
	r->began = seconds_now();
	r->deadline = r->want.timeout > 0 ? r->began + r->want.timeout - r->spent : 0;
}

bool run_late(const EngineRun *r)
{
	return r && (stop_asked(r->want.stop) || (r->deadline > 0 && seconds_now() >= r->deadline));
}

bool run_in_time(EngineRun *r)
{
	r->spent += seconds_now() - r->began;
	if (!run_late(r))
		return true;
	if (!r->late && stop_asked(r->want.stop)) {
		diag_error(r->d, NO_LOC, STOP_SAID);
	} else if (!r->late) {
		diag_error(r->d, NO_LOC, "the launch did not finish within %g s (--timeout)", r->want.timeout);
		diag_hint(r->d, "raise --timeout or launch fewer work-items; --max-launch-instructions also ends a "
		                "launch early, but with a report, which is the same on every machine");
	}
	r->late = true;
	return false;
}

bool engine_late(const EngineRun *r) { return r->late; }

const char *run_guess_decides(const EngineRun *r)
{
	u64 args = blame_loop_args(r->program);
	Buf names = {0};
	for (u32 i = 0; i < r->launch.nargs && i < 63; i++) {
		const LaunchArg *a = &r->launch.args[i];
		if (a->kind == LAUNCH_VALUE && a->origin == FROM_GUESS && (args >> i & 1))
			buf_printf(&names, "%s%s", names.n ? ", " : "", r->launch.kernel_args[i].name);
	}
	return names.n ? buf_keep(&names, r->arena) : NULL;
}

/* Pointers in them are null: only a whole program has others. */
static const char *guessed_structures(EngineRun *r)
{
	Buf names = {0};
	for (u32 i = 0; i < r->launch.nargs; i++) {
		const LaunchArg *a = &r->launch.args[i];
		const KernelArg *k = &r->launch.kernel_args[i];
		bool structure = k->elem_class == ELEM_OTHER &&
		                 (k->kind == ARG_VALUE || k->kind == ARG_GLOBAL || k->kind == ARG_CONSTANT);
		if (a->origin == FROM_GUESS && structure)
			buf_printf(&names, "%s'%s'", names.n ? ", " : "", k->name);
	}
	return names.n ? buf_keep(&names, r->arena) : NULL;
}

/* The same program is repeated without OpenCL's options of that kind (repeat.c); HIP's are only named. */
static const char *loose_option(EngineRun *r)
{
	static const char *const all[] = {"-ffast-math", "-funsafe-math-optimizations", "-fassociative-math",
	                                  "-freciprocal-math", "-fapprox-func", "-ffp-contract=fast"};
	const char *options = r->build_options ? r->build_options : "";
	for (u32 i = 0; i < COUNT(all); i++)
		if (strstr(options, all[i]))
			return all[i];
	return NULL;
}

/* Bytes of buffers and images, by whether who measures copies them back. */
static void memory_reached(EngineRun *r, ResultInput *in)
{
	const Arguments *a = &r->args;
	bool *copied = ARENA_ARRAY(r->arena, bool, a->nbuffers + 1);
	for (u32 i = 0; i < a->n; i++)
		if (a->data[i])
			copied[a->buffer_of[i]] |= run_writes(r, i) && !r->launch.args[i].read_only;
	for (u32 b = 0; b < a->nbuffers; b++)
		*(copied[b] ? &in->copied_bytes : &in->kept_bytes) += a->buffers[b].size;
}

ResultInput run_time_input(EngineRun *r)
{
	ResultInput in = {
		.program = r->program,
		.profile = r->profile,
		.machine = run_machine_code(r),
		.r600 = r->fe ? fe_r600(r->fe) : NULL,
		.device = &r->device,
		.lds = &r->lds,
		.lds_plan = r->lds_plan,
		.plan = r->want.no_estimate ? NULL : &r->plan,
		.more = r,
		.units = r->want.time_cus,
		.no_what_ifs = r->want.no_what_if,
		.warm = r->want.warm,
		.not_copied = r->want.not_copied,
		.threads = r->want.threads,
		.lds_bytes = run_lds_bytes(r),
		.lds_private_bytes = run_lds_private(r),
	};
	memory_reached(r, &in);
	memcpy(in.local, r->sim.local, sizeof in.local);
	return in;
}

/* Texts are in the run's arena. */
static ResultInput result_input(EngineRun *r)
{
	ResultInput in = run_time_input(r);
	in.lds_parts = sim_lds_parts(r->program, &r->sim, r->arena, &in.nlds_parts);
	in.advice = !r->want.no_advice;
	in.recorded = r->recorded != NULL;
	in.addresses = r->fe && fe_limits(r->fe).addresses;
	in.unset = r->fe && fe_limits(r->fe).unset;
	in.language = r->launch.language;
	in.loose = r->launch.language == LANGUAGE_hip ? loose_option(r) : NULL;
	in.own_lds_rule = r->own_lds_rule;
	in.max_local = r->fe ? fe_max_local(r->fe) : run_largest_group(r);
	in.file = r->input;
	in.dims = r->launch.work_dim;
	in.exchanged = r->sim.exchanged;
	in.options = options_text(r, PRINT_ALL);
	in.guessed = options_text(r, PRINT_GUESSED);
	in.launch = &r->launch;
	in.guess_decides = run_guess_decides(r);
	in.structures = guessed_structures(r);
	in.given = options_text(r, PRINT_GIVEN);
	in.reference = &r->reference;
	in.checks = &r->checks;
	in.misuses = r->misuses;
	in.nmisuses = r->nmisuses;
	in.suppress = r->want.check.suppress;
	in.timeline = r->want.timeline;
	in.listing = r->want.listing;
	in.detail = r->want.detail;
	in.sources = engine_sources(r, &in.nsources);
	memcpy(in.global, r->sim.global, sizeof in.global);
	memcpy(in.offset, r->sim.offset, sizeof in.offset);
	launch_groups(&r->launch, in.groups);
	return in;
}

Result *engine_result(EngineRun *r)
{
	run_phase(r, "estimating the time, looking for improvements");
	run_clock(r);
	ResultInput in = result_input(r);
	Result *result = result_build(&in);
	r->times.result = seconds_now() - r->began;
	result->run = run_use(r);
	if (!run_in_time(r)) {
		result_free(result);
		result = NULL;
	}
	return result;
}

Result *engine_run(const LaunchSpec *launch, const MachineSpec *machine, const RunSpec *want, BuildCache *cache,
                   Diag *d)
{
	EngineRun *r = engine_open(launch, d);
	engine_shorten_guess(r);
	bool ok = engine_build(r, machine, want, cache) && engine_bind(r) && engine_execute(r);
	Result *result = ok ? engine_result(r) : NULL;
	engine_close(r);
	return result;
}
