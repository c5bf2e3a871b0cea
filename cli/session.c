/* A launch, step by step. Each step is a function that returns false when the input
 * is at fault; session_run stops there, main prints the messages.
 *
 *   open_input      what file is it; launch description and source text
 *   choose_machine  device, wavefront width, banks
 *   build           source -> Program
 *   bind            arguments, sizes, memory
 *   execute         PoCL's run starts in a child, the machine runs, both are compared
 *   show            printed text, dumps, report (session_show.c)
 */
#include "cli/session_steps.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n >= k && !strcmp(s + n - k, end);
}

/* ---- input ---- */

static bool read_text(Session *s)
{
	size_t n;
	if (s->given) {
		s->text = xstrdup(s->given);
		return true;
	}
	s->text = read_file(s->path, &n);
	if (!s->text) {
		Loc at = s->is_sim ? (Loc){s->o->input, 0, 0} : NO_LOC;
		return diag_error(s->d, at, "cannot read '%s': %s", s->path, strerror(errno));
	}
	if (strlen(s->text) != n) {
		diag_error(s->d, (Loc){s->path, 0, 0}, "this is not a text file");
		diag_hint(s->d, "LLVM bitcode must be called NAME.bc");
		return false;
	}
	if (n)
		return true;
	return diag_error(s->d, (Loc){s->path, 0, 0}, "this file is empty");
}

static bool open_input(Session *s)
{
	Options *o = s->o;
	launch_init(&s->launch);
	launch_source(&s->launch, "command line", o->command_line);
	s->launch.test = (u32)o->test;
	bool ok = true;
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		ok &= launch_option(&s->launch, w->name, w->value, w->loc, s->d);
	}
	s->path = o->input;
	s->is_sim = !s->given && ends_with(o->input, ".sim");
	if (s->is_sim) {
		if (!launch_read_sim(&s->launch, o->input, s->d))
			return false;
		s->path = s->launch.program;
	}
	s->is_wave = ends_with(s->path, ".wave");
	s->is_bitcode = ends_with(s->path, ".bc");
	if (!s->is_bitcode && !read_text(s))
		return false;
	if (!s->launch.program)
		s->launch.program = s->path;
	if (!s->is_sim && !s->is_wave && !s->is_bitcode && !s->given) {
		launch_source(&s->launch, s->path, s->text);
		ok &= launch_read_comments(&s->launch, s->path, s->text, s->d);
	}
	ok &= options_parse_file(o, s->launch.extra.v, s->launch.extra.n, s->is_sim ? NULL : s->text,
	                         s->is_sim, s->d);
	Buf options = {0};
	launch_build_options(&s->launch, &options);
	s->build_options = arena_strdup(s->arena, options.v);
	array_free(&options);
	return ok;
}

/* ---- machine ---- */

static void point_at(Session *s, OptionId id)
{
	const Loc *at = &s->o->loc[id];
	const DiagMsg *last = &s->d->msgs.v[s->d->msgs.n - 1];
	if (last->source || !last->loc.file || !at->file || strcmp(last->loc.file, at->file))
		return; /* it points elsewhere: into a device file */
	if (at->file && !strcmp(at->file, "command line"))
		diag_source(s->d, s->o->command_line);
	else if (at->file && s->text && !strcmp(at->file, s->path))
		diag_source(s->d, s->text);
}

static bool choose_machine(Session *s)
{
	Options *o = s->o;
	if (o->device && o->mcpu) {
		diag_error(s->d, o->loc[OPTION_mcpu], "--device and --mcpu both name the device");
		point_at(s, OPTION_mcpu);
		return false;
	}
	OptionId id = o->mcpu ? OPTION_mcpu : OPTION_device;
	const char *name = o->mcpu ? o->mcpu : o->device ? o->device : "mi50";
	if (!device_load(&s->device, name, o->loc[id], s->arena, s->d)) {
		point_at(s, id);
		return false;
	}
	if (o->banks & (o->banks - 1)) {
		diag_error(s->d, o->loc[OPTION_banks], "--banks must be a power of two");
		point_at(s, OPTION_banks);
		return false;
	}
	if (o->builtins && strcmp(o->builtins, "pocl") && strcmp(o->builtins, "amd")) {
		diag_error(s->d, o->loc[OPTION_builtins], "--builtins is 'amd' or 'pocl'");
		point_at(s, OPTION_builtins);
		return false;
	}
	s->wave = o->wave ? (u32)o->wave : s->device.wave;
	s->banks = o->banks ? (u32)o->banks : s->device.lds_banks;
	s->own_lds_rule = lds_rule(&s->lds, (LdsFamily)s->device.lds_rule, s->device.wave,
	                           s->device.lds_banks, s->wave, s->banks);
	return true;
}

/* ---- program ---- */

static bool build_wave(Session *s)
{
	s->program = program_parse(s->path, s->text, s->d);
	return s->program && program_verify(s->program, s->d);
}

/* The work-group that the compiler shall leave registers for: 256 work-items, as AMD's
 * assumes, or what the user or the launch says. */
u32 session_largest_group(const Session *s)
{
	const Launch *l = &s->launch;
	u64 items = l->local_from == FROM_GUESS ? 1 : l->local[0] * l->local[1] * l->local[2];
	u64 most = s->o->max_local ? s->o->max_local : 256;
	most = items > most ? items : most;
	return (u32)(most > 1024 ? 1024 : most); /* no device takes more; launch_check says so */
}

static bool build_new(Session *s)
{
	if (s->is_wave)
		return build_wave(s);
	FeOptions f = {
		.path = s->path,
		.source = s->text,
		.kernel = s->launch.kernel,
		.build_options = s->build_options,
		.cpu = s->device.llvm_cpu,
		.max_local = session_largest_group(s),
		.keep_ir = s->o->dump_ir,
		/* Of a stand-in (hd5870, h200) only the IR is of use. */
		.machine = !s->o->dump_ir && !s->o->dump_isa &&
		           s->device.codegen == DEVICE_CODEGEN_amdgcn,
		.wave = s->wave,
		.builtins = s->o->builtins && !strcmp(s->o->builtins, "pocl") ? BUILTINS_POCL
		                                                             : BUILTINS_AMD,
		.library = s->o->amd_library,
		.r600_cpu = !s->o->dump_ir && !s->o->dump_isa &&
		                    s->device.codegen == DEVICE_CODEGEN_r600 ? s->device.r600_cpu : NULL,
		.clang = s->o->clang,
		.libclc = s->o->libclc,
	};
	s->fe = fe_open(&f, s->d);
	if (!s->fe || !fe_select(s->fe, s->launch.kernel, s->d))
		return false;
	s->program = fe_lower(s->fe, s->d);
	return s->program != NULL;
}

void session_build_free(SessionBuild *b)
{
	program_free(b->program);
	fe_close(b->fe);
	free(b->key);
	*b = (SessionBuild){0};
}

/* What decides the program: a launch of the same one needs no new build. */
static bool build(Session *s)
{
	SessionBuild *b = s->cache;
	if (!b)
		return build_new(s);
	Buf key = {0};
	buf_printf(&key, "%s\n%s\n%s\n%s %s %u %u\n%s", s->path, s->launch.kernel ? s->launch.kernel : "",
	           s->build_options ? s->build_options : "", s->device.name,
	           s->o->builtins ? s->o->builtins : "", s->wave, session_largest_group(s), s->text ? s->text : "");
	if (b->key && !strcmp(b->key, key.v)) {
		s->fe = b->fe;
		s->program = b->program;
		array_free(&key);
		return true;
	}
	session_build_free(b);
	bool ok = build_new(s);
	*b = (SessionBuild){.key = ok ? key.v : NULL, .fe = s->fe, .program = s->program};
	if (!ok)
		array_free(&key);
	return ok;
}

static bool dump_program(Session *s)
{
	Buf out = {0};
	bool ok = true;
	if (s->o->dump_ir) {
		const char *ir = s->fe ? fe_ir(s->fe) : NULL;
		if (ir)
			buf_printf(&out, "%s", ir);
		else
			ok = diag_error(s->d, NO_LOC, "--dump-ir: a .wave program has no LLVM IR");
	}
	if (s->o->dump_isa)
		program_print(s->program, &out);
	if (ok)
		ok = output_stdout(out.v, out.n, s->d);
	array_free(&out);
	return ok;
}

/* ---- arguments ---- */

/* How many dimensions the kernel looks at. */
static u32 program_dims(const Program *p)
{
	u32 dims = 1;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		if (ins->op != OP_query)
			continue;
		u32 want = ins->aux == QUERY_local_id_z || ins->aux == QUERY_group_id_z   ? 3
		           : ins->aux == QUERY_local_id_y || ins->aux == QUERY_group_id_y ? 2
		                                                                          : 1;
		dims = want > dims ? want : dims;
	}
	return dims;
}

/* reqd_work_group_size is a promise that the compiler has used. */
static bool check_required_size(const Session *s)
{
	const u32 *want = s->program->reqd_local;
	u32 have[3];
	bool equal = true;
	for (u32 i = 0; i < 3; i++) {
		have[i] = (u32)s->launch.local[i];
		equal &= have[i] == want[i];
	}
	if (!want[0] || equal)
		return true;
	diag_error(s->d, NO_LOC,
	           "kernel '%s' wants groups of %u x %u x %u work-items (reqd_work_group_size), not %u x %u x %u",
	           s->program->kernel, want[0], want[1], want[2], have[0], have[1], have[2]);
	diag_hint(s->d, "leave --local out, or say --local %u,%u,%u", want[0], want[1], want[2]);
	return false;
}

static bool bind(Session *s)
{
	Launch *l = &s->launch;
	if (!l->kernel || s->is_wave) {
		if (!launch_set_kernel(l, s->program->kernel, s->d))
			return false;
		l->kernel_from = FROM_FILE; /* the only one: nobody had to guess */
	}
	if (!launch_bind(l, s->program->args.v, s->program->args.n, s->d))
		return false;
	LaunchHints hints = {.dims = program_dims(s->program)};
	memcpy(hints.reqd_local, s->program->reqd_local, sizeof hints.reqd_local);
	launch_guess(l, &hints);
	s->limits = LAUNCH_LIMITS_DEFAULT;
	s->limits.max_group = s->device.max_group;
	s->limits.partial_groups = launch_wants_partial_groups(l);
	if (!launch_check(l, &s->limits, s->d) || !check_required_size(s))
		return false;
	s->no_reference = s->o->no_reference ? "--no-reference"
	                  : s->is_wave      ? "a .wave program has no OpenCL source"
	                                    : pocl_run_unavailable(s->path);
	return arguments_build(&s->args, l, s->program, &s->limits, !s->no_reference, s->d);
}

/* ---- running ---- */

/* The code of a stand-in is not the device's. */
const MachineCode *session_machine_code(const Session *s)
{
	static const MachineCode stand_in = {
		.missing = "LLVM's amdgcn code generator does not know this chip"};
	if (!s->fe)
		return NULL;
	return s->device.codegen == DEVICE_CODEGEN_amdgcn ? fe_machine(s->fe) : &stand_in;
}

static void fill_sim_launch(Session *s)
{
	const Launch *l = &s->launch;
	s->sim.dims = l->work_dim;
	for (u32 i = 0; i < 3; i++) {
		s->sim.global[i] = l->global[i];
		s->sim.local[i] = l->local[i];
		s->sim.offset[i] = l->offset[i];
	}
	s->sim.args = s->args.sim_args;
	s->sim.buffers = s->args.buffers;
	s->sim.nbuffers = s->args.nbuffers;
}

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
	s->record = (SimRecord){s->plan.groups, s->plan.ngroups_recorded, s->plan.words};
}

static bool execute(Session *s)
{
	fill_sim_launch(s);
	RefRun ref = {
		.path = s->path,
		.text = s->text,
		.options = s->build_options,
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
	} else {
		run = reference_start(&ref, &s->reference);
	}
	plan_estimate(s);
	s->lds_plan = lds_plan_new(session_machine_code(s), s->program, s->arena);
	if (s->plan.nrun && s->plan.nrun < s->plan.ngroups)
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
		.only = s->plan.run,
		.nonly = s->plan.nrun,
		.progress = progress_step,
		.progress_ctx = &progress,
	};
	double start = seconds_now();
	s->profile = sim_run(s->program, &s->sim, &cfg, s->d);
	s->run_seconds = seconds_now() - start;
	progress_end(&progress);
	if (!s->profile) {
		reference_drop(run);
		return false;
	}
	if (run)
		reference_finish(&ref, run, s->profile, &s->reference);
	else
		compare_results(&s->reference, &s->launch, &s->args, NULL, s->profile, &ref.ulp, s->arena);
	if (s->fe) {
		s->reference.builtins = fe_builtins(s->fe) == BUILTINS_AMD ? "amd" : "pocl";
		s->reference.builtins_why = fe_builtins_missing(s->fe);
	}
	return true;
}

static void print_timing(const Session *s)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr, "time: build %.6f s, machine %.6f s, estimate and report %.6f s, PoCL's kernel %.6f s; "
	        "memory %.0f MB\n", s->build_seconds, s->run_seconds, s->report_seconds, s->reference.seconds,
	        (double)used.ru_maxrss / 1024);
}

/* ---- all of it ---- */

static bool run_steps(Session *s, int *status)
{
	double start = seconds_now();
	if (!open_input(s) || !choose_machine(s) || !build(s))
		return false;
	s->build_seconds = seconds_now() - start;
	if (s->o->dump_isa || s->o->dump_ir)
		return dump_program(s);
	if (!bind(s) || !execute(s))
		return false;
	bool ok = session_show(s, status);
	if (s->o->timing)
		print_timing(s);
	return ok;
}

static void close_session(Session *s)
{
	profile_free(s->profile);
	arguments_free(&s->args);
	if (!s->cache) {
		program_free(s->program);
		fe_close(s->fe);
	}
	launch_free(&s->launch);
	free(s->text);
}

bool session_resources(Options *o, Arena *a, SessionResources *out, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = a};
	o->no_reference = true;
	bool ok = open_input(&s) && choose_machine(&s) && build(&s) && bind(&s);
	if (ok) {
		fill_sim_launch(&s);
		out->device = s.device;
		out->kernel = arena_strdup(a, s.program->kernel);
		out->source = "ir";
		out->use = (OccInput){
			.vgprs = s.program->peak_vgprs,
			.sgprs = s.program->peak_sgprs,
			.lds_bytes = sim_lds_bytes(s.program, &s.sim),
			.group_size = (u32)(s.sim.local[0] * s.sim.local[1] * s.sim.local[2]),
			.wave = s.wave,
		};
		const MachineCode *code = session_machine_code(&s);
		if (code && !code->missing) {
			out->source = "amdgpu";
			out->use.vgprs = code->vgprs;
			out->use.agprs = code->agprs;
			out->use.sgprs = code->sgprs;
		}
		const R600Code *r600 = s.fe ? fe_r600(s.fe) : NULL;
		if (r600)
			out->r600 = r600_report(r600, &out->device, a);
		if (r600 && !r600->missing) {
			out->source = "r600";
			out->use.vgprs = r600->gprs;
			out->use.sgprs = 0;
		}
	}
	close_session(&s);
	return ok;
}

bool session_estimate(Options *o, const char *text, SessionBuild *cache, const KeepPlace *keep, Arena *a,
                      StoreEstimate *out, const char **bound_doc, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = a, .given = text, .cache = cache};
	o->no_reference = o->quiet = true;
	bool ok = open_input(&s) && choose_machine(&s) && build(&s) && bind(&s) && execute(&s);
	if (ok) {
		Report *r = session_report(&s);
		keep_estimate(r, a, out, bound_doc);
		if (keep)
			ok = keep_outputs(keep, &s.launch, &s.args, d);
		report_free(r);
	}
	close_session(&s);
	return ok;
}

int session_run(Options *o, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = arena_new()};
	int status = EXIT_FINE;
	if (!run_steps(&s, &status))
		status = EXIT_BAD_INPUT;
	close_session(&s);
	arena_free(s.arena);
	return status;
}
