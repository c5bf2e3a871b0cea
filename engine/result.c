/* Build the Result: sums and ratios; what others have is copied. */
#include "engine/advice.h"
#include "base/hash.h"
#include "engine/findings.h"
#include "engine/run.h"
#include "engine/suppress.h"

const char *const ref_status_name[REF_STATUS_COUNT] = {REF_STATUSES(X_NAME)};
const char *const ref_source_name[REF_SOURCE_COUNT] = {REF_SOURCES(X_NAME)};
const char *const ref_source_doc[REF_SOURCE_COUNT] = {REF_SOURCES(X_DOC)};
const char *const ref_status_doc[REF_STATUS_COUNT] = {REF_STATUSES(X_DOC)};

enum { MOST_SPANS = 1 << 19 };

static const char *own(Result *r, const char *text) { return arena_strdup(r->arena, text); }

static double ratio(u64 a, u64 b) { return b ? (double)a / (double)b : 0; }

static void line_time(const Estimate *e, ResultLine *l)
{
	l->cycles_share = e->missing ? -1 : 0;
	l->dram_bytes = l->cycles_share;
	for (u32 k = 0; k < LEVEL_COUNT; k++)
		l->hit_rate[k] = -1;
	u32 i = e->missing ? 0 : cost_find_line(e->costs, l->file, l->line);
	if (e->missing || i >= e->costs->lines.n)
		return;
	l->cycles_share = e->line_share[i];
	for (u32 k = 0; k < PART_COUNT; k++)
		l->part[k] = e->line_part[k][i];
	l->dram_bytes = e->line_level[i][LEVEL_dram].bytes;
	for (u32 k = 0; k < LEVEL_COUNT; k++)
		l->hit_rate[k] = level_hit_rate(&e->line_level[i][k]);
}

TimePart result_line_reason(const ResultLine *l)
{
	TimePart most = 0;
	for (u32 k = 1; k < PART_COUNT; k++)
		most = l->part[k] > l->part[most] ? (TimePart)k : most;
	return l->cycles_share > 0 ? most : PART_COUNT;
}

static void forget(EstimatePlay *kept)
{
	arena_free(kept->arena);
	*kept = (EstimatePlay){.arena = arena_new()};
}

/* Of uneven work-groups: the record of so many units that twice as many give the same time; in has it then, and
 * plan is of it, and what e keeps. */
static void play_more(Result *r, ResultInput *in, EstimatePlan *plan, EstimateInput *e, bool time_only)
{
	enum { LEAST_UNITS = 4 };
	static const double stays = 1.03;
	const EstimatePlan usual = *plan;
	const Profile *own_profile = in->profile;
	double last = 0;
	for (u32 units = in->units ? in->units : LEAST_UNITS;; units *= 2) {
		EstimatePlan more;
		if (!estimate_uneven(&more, &usual, in->device, own_profile, units, r->arena))
			break;
		const Profile *p = run_record(in->more, &more);
		forget(e->kept);
		*plan = p ? more : usual;
		in->profile = e->profile = p ? p : own_profile;
		in->plan = plan;
		if (!p)
			break;
		bool whole = in->units || plan->wgps >= estimate_used(plan);
		e->time_only = time_only || (!whole && last <= 0); /* of units that are never the last ones played */
		Arena *scratch = arena_new();
		double now = estimate_run(e, scratch)->time_us;
		arena_free(scratch);
		if (whole || (now < last * stays && last < now * stays))
			break;
		last = now;
	}
}

/* The time alone (result_time) does not ask. */
static bool lds_by_machine(const Result *r) { return r->lds_source && !strcmp(r->lds_source, "machine"); }

static void build_estimate(Result *r, ResultInput *in, bool time_only)
{
	static const Estimate unwanted = {.missing = "not asked for"};
	r->estimate = &unwanted;
	if (!in->plan)
		return;
	r->timeline.most_spans = MOST_SPANS;
	EstimatePlan *plan = ARENA_NEW(r->arena, EstimatePlan);
	EstimatePlay kept = {.arena = arena_new()};
	*plan = *in->plan;
	estimate_settle(plan, in->device, &r->occupancy.o);
	EstimateInput e = {.dev = in->device, .program = in->program, .profile = in->profile,
	                   .code = result_code(in), .run = r->machine.run, .lds = in->lds, .plan = plan,
	                   .lds_ins = lds_by_machine(r), .warm = in->warm,
	                   .copied_bytes = in->copied_bytes, .kept_bytes = in->kept_bytes,
	                   .not_copied = in->not_copied,
	                   .threads = in->threads, .by_ins = in->listing,
	                   .kept = &kept};
	if (in->profile->events)
		play_more(r, in, plan, &e, time_only);
	e.time_only = time_only;
	e.most_us = in->most_us;
	e.what_ifs = !in->no_what_ifs && !time_only;
	e.timeline = in->timeline ? &r->timeline : NULL;
	r->estimate = estimate_run(&e, r->arena);
	arena_free(kept.arena);
	const Occupancy *o = &r->occupancy.o;
	if (!r->estimate->missing && o->groups_per_cu > 0)
		r->occupancy.held = r->estimate->resident * r->estimate->all_wgps / r->occupancy.compute_units *
		                    o->waves_per_cu / o->groups_per_cu / r->occupancy.simds_per_cu;
}

static int by_place(const void *pa, const void *pb)
{
	const ResultLine *a = pa, *b = pb;
	return !a->line != !b->line ? ORDER(!a->line, !b->line) : FIELDS_2(file, line);
}

/* Lines, and the one of code without a line, that have time but executed nothing of the Program: the compiler's own
 * code. */
static void add_timed_lines(Result *r)
{
	const Estimate *e = r->estimate;
	u32 n = r->nlines;
	for (u32 i = 0; !e->missing && i < e->costs->lines.n; i++) {
		ResultLine x = {.file = e->costs->lines.v[i].file, .line = e->costs->lines.v[i].line};
		if (!(e->line_share[i] > 0) || bsearch(&x, r->lines, n, sizeof x, by_place))
			continue;
		line_time(e, &x);
		x.machine = machine_result_line(&r->machine, x.file, x.line);
		r->lines[r->nlines++] = x;
	}
	sort(r->lines, r->nlines, sizeof *r->lines, by_place);
}

static void build_lines(Result *r, const ResultInput *in)
{
	u32 n;
	LineProf *rows = profile_lines(in->program, in->profile, &n);
	r->lines = ARENA_ARRAY(r->arena, ResultLine, n + (r->estimate->missing ? 0 : r->estimate->costs->lines.n) + 1);
	for (u32 i = 0; i < n; i++) {
		ResultLine *l = &r->lines[r->nlines++];
		l->file = rows[i].file;
		l->line = rows[i].line;
		l->executions = rows[i].executions;
		l->lane_executions = rows[i].lanes;
		l->live_vgprs = rows[i].live_vgprs;
		l->t = rows[i].t;
		if (lds_by_machine(r))
			l->t.lds = l->t.lds_machine;
		l->utilization = ratio(l->t.active_lanes, l->t.wave_instructions * r->wave);
		l->share = ratio(l->t.wave_instructions, r->t.wave_instructions);
		line_time(r->estimate, l);
		l->machine = machine_result_line(&r->machine, l->file, l->line);
	}
	free(rows);
	add_timed_lines(r);
}

/* At whose access widths LDS is counted. */
static void choose_lds(Result *r, const ResultInput *in)
{
	const Program *p = in->program;
	u64 known = 0;
	for (u32 i = 0; i < p->ins.n; i++) {
		u64 n = in->profile->accesses[i].lds_accesses;
		bool atomic = p->ins.v[i].op == OP_atomic || p->ins.v[i].op == OP_cas;
		bool clear = in->lds_plan && (in->lds_plan->of[i].known || atomic);
		*(clear ? &known : &r->lds_unclear) += n;
	}
	bool machine = in->lds_plan && (known || !r->lds_unclear);
	r->lds_source = machine ? "machine" : "ir";
	r->lds_ir = r->t.lds;
	if (machine)
		r->t.lds = r->t.lds_machine;
	else
		r->lds_unclear = 0;
}

static u32 place(const Result *r, const Program *p, u32 loc, const char **file)
{
	const SrcLoc *at = program_place(p, loc);
	*file = at ? r->sources[at->file].name : NULL;
	return at ? at->line : 0;
}

static void build_peak(Result *r, const Program *p)
{
	r->peak.vgprs = p->peak_vgprs;
	r->peak.line = place(r, p, p->peak_loc, &r->peak.file);
	r->peak.values = ARENA_ARRAY(r->arena, ResultLive, p->peak_live.n + 1);
	for (u32 i = 0; i < p->peak_live.n; i++) {
		const LiveValue *v = &p->peak_live.v[i];
		ResultLive *out = &r->peak.values[r->peak.n++];
		out->name = own(r, v->name);
		out->kind = v->name ? "variable" : v->address ? "address" : "value";
		out->vgprs = v->vgprs;
		out->line = place(r, p, v->loc, &out->file);
	}
}

static void find_most_lost(Result *r)
{
	u64 most = 0;
	r->most_lost = NO_LINE;
	for (u32 i = 0; i < r->nlines; i++)
		if (r->lines[i].line && r->lines[i].t.ends.lost > most) {
			most = r->lines[i].t.ends.lost;
			r->most_lost = i;
		}
}

static void build_waves(Result *r, const Profile *p)
{
	u64 sum = 0, ran = 0;
	for (u32 i = 0; i < p->wave_profs.n; i++) {
		const WaveProf *w = &p->wave_profs.v[i];
		if (!w->instructions && p->groups_run < p->groups)
			continue; /* did not run */
		sum += w->instructions;
		if (!ran++ || w->instructions < r->waves.min)
			r->waves.min = w->instructions;
		if (!i || w->instructions > r->waves.max) {
			r->waves.max = w->instructions;
			r->waves.slowest_group = w->group;
			r->waves.slowest_wave = w->wave;
		}
	}
	r->waves.n = ran;
	r->waves.mean = ratio(sum, r->waves.n);
}

static u64 scratch_bytes(const Program *p)
{
	u64 sum = 0;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if (o->space == SPACE_PRIVATE)
			sum = (sum + (o->align ? o->align - 1 : 0)) / (o->align ? o->align : 1) *
			          (o->align ? o->align : 1) + o->size;
	}
	return sum;
}

/* What the device's own compiler says is better than what the IR shows. */
static void take_machine(Result *r, const ResultInput *in)
{
	machine_result_build(&r->machine, in->machine, in->program, in->profile, r->arena);
	if (in->r600)
		r->r600 = r600_result_build(in->r600, in->device, r->arena);
	if (r->r600 && r->r600->code) {
		r->resource_source = "r600";
		r->vgprs = r->r600->code->gprs;
		r->agprs = r->sgprs = 0;
		r->scratch_bytes = 0;
	}
	const MachineCode *c = result_code(in);
	if (!c || r->r600)
		return;
	r->resource_source = "amdgpu";
	r->vgprs = c->vgprs;
	r->agprs = c->agprs;
	r->sgprs = c->sgprs;
	r->scratch_bytes = c->scratch_bytes;
}

const MachineCode *result_code(const ResultInput *in)
{
	return in->machine && !in->machine->missing ? in->machine : NULL;
}

static void build_resources(Result *r, const ResultInput *in)
{
	r->vgprs = in->program->peak_vgprs;
	r->sgprs = in->program->peak_sgprs;
	r->lds_bytes = in->lds_bytes;
	r->lds_private_bytes = in->lds_private_bytes;
	r->scratch_bytes = scratch_bytes(in->program);
	r->resource_source = "ir";
	take_machine(r, in);
	OccInput occ = {.vgprs = r->vgprs,
	                .agprs = r->agprs,
	                .sgprs = r->sgprs,
	                .lds_bytes = r->lds_bytes,
	                .group_size = (u32)(in->local[0] * in->local[1] * in->local[2]),
	                .wave = in->profile->wave};
	occ_result_build(&r->occupancy, in->device, &occ, r->arena);
}

/* ---- what others have, copied ---- */

static void own_buffer(Result *r, RefBuffer *b)
{
	b->name = own(r, b->name);
	b->type = own(r, b->type);
	b->against = own(r, b->against);
	b->note = own(r, b->note);
	for (u32 i = 0; i < b->nfirst; i++) {
		b->first[i].actual = own(r, b->first[i].actual);
		b->first[i].expected = own(r, b->first[i].expected);
	}
}

static void own_reference(Result *r, const Reference *from)
{
	Reference *to = &r->reference;
	*to = *from;
	to->why = own(r, from->why);
	to->source_why = own(r, from->source_why);
	to->built = own(r, from->built);
	to->repeated = own(r, from->repeated);
	to->open_what = own(r, from->open_what);
	to->builtins = own(r, from->builtins);
	to->builtins_why = own(r, from->builtins_why);
	to->buffers = ARENA_ARRAY(r->arena, RefBuffer, from->nbuffers + 1);
	for (u32 i = 0; i < from->nbuffers; i++) {
		to->buffers[i] = from->buffers[i];
		own_buffer(r, &to->buffers[i]);
	}
}

static void own_sources(Result *r, const ResultInput *in)
{
	ResultSource *to = ARENA_ARRAY(r->arena, ResultSource, in->nsources + 1);
	for (u32 i = 0; i < in->nsources; i++)
		to[i] = (ResultSource){own(r, in->sources[i].name), own(r, in->sources[i].text),
		                       source_index_new(r->arena)};
	r->sources = to;
	r->nsources = in->nsources;
	for (u32 i = 0; i < r->nsources && !r->source_hash; i++)
		if (to[i].name && to[i].text && !strcmp(to[i].name, r->file))
			r->source_hash = hash_text(to[i].text);
}

/* The kernel, the device, the launch. */
static void own_launch(Result *r, const ResultInput *in)
{
	const Profile *p = in->profile;
	r->kernel = own(r, in->program->kernel);
	r->file = own(r, in->file);
	r->device = own(r, in->device->name);
	r->device_title = own(r, in->device->title);
	r->wave = p->wave;
	r->banks = p->banks;
	r->line_bytes = p->line_bytes;
	r->own_lds_rule = in->own_lds_rule;
	r->max_local = in->max_local;
	r->stopped = p->stopped;
	r->dims = in->dims;
	memcpy(r->global, in->global, sizeof r->global);
	memcpy(r->local, in->local, sizeof r->local);
	memcpy(r->offset, in->offset, sizeof r->offset);
	memcpy(r->groups, in->groups, sizeof r->groups);
	r->ngroups = p->groups;
	r->nwaves = p->waves;
	r->groups_run = p->groups_run;
	r->items = p->work_items;
	r->options = own(r, in->options);
	r->guessed = own(r, in->guessed);
	r->given = own(r, in->given);
	r->guess_decides = in->guess_decides ? own(r, in->guess_decides) : NULL;
	r->printed = p->printed.n ? memcpy(arena_alloc(r->arena, p->printed.n + 1), p->printed.v, p->printed.n) : "";
	r->printed_bytes = p->printed.n;
}

Result *result_build(const ResultInput *given)
{
	ResultInput own_input = *given, *in = &own_input;
	Result *r = xcalloc(1, sizeof *r);
	r->arena = arena_new();
	const Profile *p = in->profile;
	own_launch(r, in);
	own_reference(r, in->reference);
	own_sources(r, in);
	if (in->checks) {
		r->checks = *in->checks;
		r->checks.program = NULL;
		r->checks.profile = NULL;
		r->checks.why = own(r, in->checks->why);
	}
	build_resources(r, in);
	profile_totals(in->program, p, &r->t);
	choose_lds(r, in);
	r->serialized = p->serialized;
	r->utilization = ratio(r->t.active_lanes, r->t.wave_instructions * r->wave);
	build_estimate(r, in, false);
	build_waves(r, p);
	build_lines(r, in);
	find_most_lost(r);
	build_peak(r, in->program);
	if (in->detail)
		result_detail_build(&r->detail, r, in);
	const MachineCode *code = result_code(in);
	if (in->listing && r->machine.run && code->listing) {
		r->listing = listing_run(code, in->program, in->profile, r->machine.run, r->estimate, r->arena);
		r->roofline = roofline(in->device, code, r->machine.run, p, r->estimate, r->arena);
	}
	findings_build(r, in);
	if (in->advice)
		advice_add(r, in);
	if (in->suppress)
		suppress_findings(in->suppress, r);
	return r;
}

double result_time(const ResultInput *given)
{
	ResultInput in = *given;
	Result *r = xcalloc(1, sizeof *r);
	r->arena = arena_new();
	build_resources(r, &in);
	build_estimate(r, &in, true);
	double us = r->estimate->missing ? -1 : r->estimate->time_us;
	result_free(r);
	return us;
}

void result_free(Result *r)
{
	if (!r)
		return;
	array_free(&r->findings);
	timeline_free(&r->timeline);
	result_detail_free(&r->detail);
	arena_free(r->arena);
	if (r->run)
		run_drop(r->run);
	free(r);
}
