/* A launch, step by step. Each step is a function that returns false when the input
 * is at fault; session_run stops there, main prints the messages.
 *
 *   session_build    file, machine, source -> Program (build.c)
 *   session_bind     arguments, sizes, memory
 *   session_execute  PoCL's run starts in a child, the machine runs, both are compared (execute.c)
 *   session_show     printed text, dumps, report (cli/show.c)
 */
#include "engine/run.h"

#include <stdio.h>
#include <sys/resource.h>

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

bool session_settle(Session *s)
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
	hints.widest_vload = s->fe ? fe_widest_vload(s->fe) : 0;
	memcpy(hints.reqd_local, s->program->reqd_local, sizeof hints.reqd_local);
	launch_guess(l, &hints);
	s->limits = LAUNCH_LIMITS_DEFAULT;
	s->limits.max_group = s->device.max_group;
	s->limits.partial_groups = s->recorded || launch_wants_partial_groups(l);
	if (!launch_check(l, &s->limits, s->d) || !check_required_size(s))
		return false;
	s->no_reference = s->o->no_reference ? "--no-reference"
	                  : s->recorded     ? NULL
	                  : s->is_wave      ? "a .wave program has no OpenCL source"
	                                    : pocl_run_unavailable(s->path);
	return true;
}

bool session_fill(Session *s)
{
	ResultFrom from = s->no_reference ? RESULT_NONE : s->recorded ? RESULT_RECORDED : RESULT_POCL;
	if (!arguments_build(&s->args, &s->launch, s->program, &s->limits, from, s->d))
		return false;
	fill_sim_launch(s);
	return true;
}

bool session_bind(Session *s) { return session_settle(s) && session_fill(s); }

/* ---- running ---- */

/* The code of a stand-in is not the device's. */
const MachineCode *session_machine_code(const Session *s)
{
	static const MachineCode stand_in = {.missing = "LLVM's code generators do not know this chip"};
	if (!s->fe)
		return NULL;
	return s->device.codegen == DEVICE_CODEGEN_none ? &stand_in : fe_machine(s->fe);
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

bool session_all_steps(Session *s, int *status)
{
	if (!session_check_formats(s->o, s->d) || !session_build(s))
		return false;
	if (s->o->dump_isa || s->o->dump_ir)
		return dump_program(s);
	if (!session_bind(s) || !session_execute(s))
		return false;
	bool ok = session_show(s, status);
	if (s->o->timing)
		print_timing(s);
	return ok;
}

void session_close(Session *s)
{
	profile_free(s->profile);
	profile_free(s->ran);
	arguments_free(&s->args);
	if (!s->cache) {
		program_free(s->program);
		fe_close(s->fe);
	}
	helper_free(s->own_helper);
	launch_free(&s->launch);
	free(s->text);
}

bool session_resources(Options *o, Arena *a, SessionResources *out, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = a};
	o->no_reference = true;
	bool ok = session_build(&s) && session_bind(&s);
	if (ok) {
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
			out->r600 = r600_result_build(r600, &out->device, a);
		if (r600 && !r600->missing) {
			out->source = "r600";
			out->use.vgprs = r600->gprs;
			out->use.sgprs = 0;
		}
	}
	session_close(&s);
	return ok;
}

bool session_estimate(Options *o, const SessionInput *in, SessionBuild *cache, const KeepPlace *keep, Arena *a,
                      StoreEstimate *out, const char **bound_doc, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = a, .given = in->text, .file = in->file, .recorded = in->recorded,
	             .cache = cache, .helper = in->helper};
	o->no_reference = o->quiet = o->no_advice = true;
	bool ok = session_build(&s) && session_bind(&s) && session_execute(&s);
	if (ok) {
		Result *r = session_report(&s);
		keep_estimate(r, a, out, bound_doc);
		if (keep)
			ok = keep_outputs(keep, &s.launch, &s.args, d);
		result_free(r);
	}
	session_close(&s);
	return ok;
}

int session_run(Options *o, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = arena_new()};
	int status = EXIT_FINE;
	if (!session_all_steps(&s, &status))
		status = EXIT_BAD_INPUT;
	session_close(&s);
	arena_free(s.arena);
	return status;
}
