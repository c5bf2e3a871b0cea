/* Sizes and arguments of a launch: what is not given is guessed, all of it checked, and given its memory; and what
 * the kernel takes of the device. */
#include "engine/run.h"

#include "traces/capture/capture.h"

#include "frontend/input.h"

/* By register: does the source need what it holds, for what it does or where it goes? The loop of a work-group copy
 * asks for all ids and sizes. To be freed; NULL: there is no such loop. */
static bool *find_needed(const Program *p)
{
	bool *copies = program_copy_places(p), *needed = copies ? xcalloc(p->regs.n + 1, sizeof *needed) : NULL;
	for (bool changed = copies != NULL; changed;) {
		changed = false;
		for (u32 i = p->ins.n; i-- > 0;) {
			const Ins *x = &p->ins.v[i];
			bool wants = op_info[x->op].flags & (F_SIDE | F_END) && !copies[x->loc];
			for (u32 k = 0; k < x->ndst; k++)
				wants |= needed[ins_dst(p, x)[k]];
			for (u32 k = 0; wants && k < x->nsrc; k++) {
				bool *of = &needed[ins_src(p, x)[k]];
				changed |= !*of;
				*of = true;
			}
		}
	}
	free(copies);
	return needed;
}

static bool is_needed(const Program *p, const Ins *x, const bool *needed)
{
	return !needed || needed[ins_dst(p, x)[0]];
}

u32 program_dims(const Program *p)
{
	u32 dims = 1;
	bool *needed = find_needed(p);
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		if (ins->op != OP_query || !is_needed(p, ins, needed))
			continue;
		u32 want = ins->aux == QUERY_local_id_z || ins->aux == QUERY_group_id_z   ? 3
		           : ins->aux == QUERY_local_id_y || ins->aux == QUERY_group_id_y ? 2
		                                                                          : 1;
		dims = want > dims ? want : dims;
	}
	free(needed);
	return dims;
}

/* Which dimensions' group ids does the kernel ask for without their local ids? There all work-items of a group do the
 * same, so it is written for groups of one: get_global_id() is made of both. */
static void find_alone(const Program *p, bool alone[3])
{
	bool asked[QUERY_COUNT] = {false}, together = false; /* work-items of a group do something as one */
	bool *needed = find_needed(p);
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		if (x->op == OP_query && is_needed(p, x, needed))
			asked[x->aux] = true;
		together |= x->op == OP_barrier || x->op == OP_async_copy;
	}
	free(needed);
	/* Lane and wavefront tell work-items apart, too. */
	bool lanes = asked[QUERY_lane_id] || asked[QUERY_wave_id] || together;
	for (u32 i = 0; i < 3; i++)
		alone[i] = asked[QUERY_group_id_x + i] && !asked[QUERY_local_id_x + i] && (i || !lanes);
}

/* reqd_work_group_size is a promise that the compiler has used. */
static bool check_required_size(const EngineRun *r)
{
	const u32 *want = r->program->reqd_local;
	u32 have[3];
	bool equal = true;
	for (u32 i = 0; i < 3; i++) {
		have[i] = (u32)r->launch.local[i];
		equal &= have[i] == want[i];
	}
	if (!want[0] || equal)
		return true;
	diag_error(r->d, NO_LOC,
	           "kernel '%s' wants groups of %u x %u x %u work-items (reqd_work_group_size), not %u x %u x %u",
	           r->program->kernel, want[0], want[1], want[2], have[0], have[1], have[2]);
	diag_hint(r->d, "leave --local out, or say --local %ux%ux%u", want[0], want[1], want[2]);
	return false;
}

u32 run_max_group(const EngineRun *r)
{
	u32 own = r->program->max_group, most = r->device.max_group;
	return own && own < most ? own : most;
}

/* More is a launch that HIP refuses. */
static bool check_bounds(const EngineRun *r)
{
	u64 items = r->launch.local[0] * r->launch.local[1] * r->launch.local[2];
	if (items <= run_max_group(r))
		return true;
	const SourceWords *w = &source_words[r->launch.language];
	diag_error(r->d, NO_LOC, "kernel '%s' is compiled for work-groups of at most %u work-items (%s), not of %llu",
	           r->program->kernel, run_max_group(r), w->group_limit, (unsigned long long)items);
	diag_hint(r->d, "say %s %u, leave %s out, or raise the limit in the source", w->local, run_max_group(r),
	          w->local);
	return false;
}

void run_sim_launch(EngineRun *r)
{
	const Launch *l = &r->launch;
	r->sim.dims = l->work_dim;
	for (u32 i = 0; i < 3; i++) {
		r->sim.global[i] = l->global[i];
		r->sim.local[i] = l->local[i];
		r->sim.offset[i] = l->offset[i];
		r->sim.wanted[i] = l->wanted[i];
	}
	r->sim.args = r->args.sim_args;
	r->sim.buffers = r->args.buffers;
	r->sim.nbuffers = r->args.nbuffers;
	r->sim.addresses = r->args.addresses;
}

static bool has_partial_groups(const Launch *l)
{
	bool any = false;
	for (u32 i = 0; i < 3; i++)
		any |= l->local[i] && l->global[i] % l->local[i];
	return any;
}

bool run_guess(EngineRun *r, u32 smaller)
{
	Launch *l = &r->launch;
	*l = r->given;
	l->args = arena_copy(r->arena, r->given.args, r->given.nargs * sizeof *l->args);
	LaunchHints hints = {.dims = program_dims(r->program), .smaller = smaller};
	find_alone(r->program, hints.alone);
	hints.widest_vload = r->fe ? fe_widest_vload(r->fe) : 0;
	memcpy(hints.reqd_local, r->program->reqd_local, sizeof hints.reqd_local);
	hints.max_group = r->program->max_group;
	FeLaunched there = r->fe ? fe_launched(r->fe) : (FeLaunched){0};
	u64 items = 1;
	for (u32 i = 0; i < 3; i++)
		items = there.block[i] <= r->device.max_group ? items * there.block[i] : 0;
	if (items && items <= run_max_group(r))
		memcpy(hints.launched, there.block, sizeof hints.launched);
	if (there.shared <= r->device.lds_per_group)
		hints.launched_shared = there.shared;
	launch_guess(l, &hints);
	r->limits = LAUNCH_LIMITS_DEFAULT;
	r->limits.max_group = r->device.max_group;
	r->limits.partial_groups = run_partial_groups(r);
	return launch_check(l, &r->limits, r->d) && check_required_size(r) && check_bounds(r);
}

bool run_settle(EngineRun *r)
{
	Launch *l = &r->launch;
	if (!l->kernel || r->is_wave) {
		if (!launch_set_kernel(l, r->program->kernel, r->d))
			return false;
		l->kernel_from = FROM_FILE; /* the only one: not a guess */
	}
	if (!launch_bind(l, r->program->args.v, r->program->args.n, r->d))
		return false;
	r->given = *l;
	if (!run_guess(r, 0))
		return false;
	r->no_reference = r->want.no_reference ? r->want.no_reference
	                  : r->recorded && r->recorded->state == CAP_BEGUN ? cap_why_missing(r->recorded)
	                  : r->recorded     ? NULL
	                  : r->is_wave      ? "a .wave program has no OpenCL source"
	                                    : NULL;
	r->not_pocl = r->recorded || !r->fe ? NULL : fe_not_pocl(r->fe);
	if (!r->recorded && !r->not_pocl && has_partial_groups(l))
		r->not_pocl = "PoCL runs no work-groups that are smaller than the others";
	r->own_reference = r->is_hip || (!r->recorded && (inputs[input_kind(r->path)].own || r->not_pocl));
	return true;
}

bool run_fill(EngineRun *r)
{
	ResultFrom from = r->no_reference ? RESULT_NONE : r->recorded ? RESULT_RECORDED : RESULT_POCL;
	if (!arguments_build(&r->args, &r->launch, r->program, &r->limits, from, r->d))
		return false;
	run_sim_launch(r);
	return true;
}

bool engine_bind(EngineRun *r) { return run_settle(r) && run_fill(r); }

/* ---- resources ---- */

void engine_resources(const EngineRun *r, Arena *a, EngineResources *out)
{
	const Program *p = r->program;
	const MachineCode *code = run_machine_code(r);
	const R600Code *r600 = r->fe ? fe_r600(r->fe) : NULL;
	*out = (EngineResources){.device = &r->device, .kernel = arena_strdup(a, p->kernel), .source = "ir"};
	out->use = (OccInput){
		.vgprs = p->peak_vgprs,
		.sgprs = p->peak_sgprs,
		.lds_bytes = run_lds_bytes(r),
		.group_size = (u32)(r->sim.local[0] * r->sim.local[1] * r->sim.local[2]),
		.wave = r->wave,
	};
	if (code && !code->missing) {
		out->source = "amdgpu";
		out->use.vgprs = code->vgprs;
		out->use.agprs = code->agprs;
		out->use.sgprs = code->sgprs;
	}
	if (r600)
		out->r600 = r600_result_build(r600, &r->device, a);
	if (r600 && !r600->missing) {
		out->source = "r600";
		out->use.vgprs = r600->gprs;
		out->use.sgprs = 0;
	}
}
