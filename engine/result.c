/* Build the Result: sums, ratios, findings as sentences. */
#include "engine/advice.h"
#include "engine/blame.h"
#include "engine/run.h"

#include "isa/source.h"

#include <inttypes.h>

const char *const ref_status_name[REF_STATUS_COUNT] = {REF_STATUSES(X_NAME)};
const char *const ref_status_doc[REF_STATUS_COUNT] = {REF_STATUSES(X_DOC)};

static const char *const hints[FINDING_COUNT] = {
#define HINT(id, text) [FINDING_##id] = text,
#include "engine/hints.def"
};

static const char *const recorded_hints[FINDING_COUNT] = {
#define HINT(finding, advice)
#define HINT_BY(finding, advice, recorded) [FINDING_##finding] = recorded,
#include "engine/hints.def"
};

enum { MOST_SPANS = 1 << 19 };

static const char *own(Result *r, const char *text) { return arena_strdup(r->arena, text); }

static double ratio(u64 a, u64 b) { return b ? (double)a / (double)b : 0; }

const char *result_source_line(const ResultSource *s, u32 line, u32 *n)
{
	const char *p = s->text;
	if (!p || !line)
		return NULL;
	for (u32 i = 1; i < line; i++) {
		p = strchr(p, '\n');
		if (!p)
			return NULL;
		p++;
	}
	if (!*p)
		return NULL;
	*n = (u32)strcspn(p, "\r\n");
	return p;
}

static double line_time(const Estimate *e, u32 file, u32 line)
{
	if (e->missing)
		return -1;
	u32 i = cost_find_line(e->costs, file, line);
	return i < e->costs->lines.n ? e->line_share[i] : 0;
}

/* Of uneven work-groups: the record of so many units that twice as many give the same time; in has it then, and
 * plan is of it. */
static void play_more(Result *r, ResultInput *in, EstimatePlan *plan, EstimateInput *e)
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
		*plan = p ? more : usual;
		in->profile = e->profile = p ? p : own_profile;
		in->plan = plan;
		if (!p)
			break;
		Arena *scratch = arena_new();
		double now = estimate_run(e, scratch)->time_us;
		arena_free(scratch);
		if (in->units || plan->wgps == plan->all_wgps || (now < last * stays && last < now * stays))
			break;
		last = now;
	}
}

static void build_estimate(Result *r, ResultInput *in)
{
	static const Estimate unwanted = {.missing = "not asked for"};
	r->estimate = &unwanted;
	if (!in->plan)
		return;
	r->timeline.most_spans = MOST_SPANS;
	EstimatePlan *plan = ARENA_NEW(r->arena, EstimatePlan);
	*plan = *in->plan;
	estimate_settle(plan, in->device, &r->occupancy.o);
	EstimateInput e = {.dev = in->device, .program = in->program, .profile = in->profile,
	                   .code = result_code(in), .run = r->machine.run, .lds = in->lds, .plan = plan,
	                   .warm = in->warm};
	if (in->profile->events)
		play_more(r, in, plan, &e);
	e.what_ifs = !in->no_what_ifs;
	e.timeline = in->timeline ? &r->timeline : NULL;
	r->estimate = estimate_run(&e, r->arena);
}

static void build_lines(Result *r, const ResultInput *in)
{
	u32 n;
	LineProf *rows = profile_lines(in->program, in->profile, &n);
	r->lines = ARENA_ARRAY(r->arena, ResultLine, n);
	for (u32 i = 0; i < n; i++) {
		ResultLine *l = &r->lines[r->nlines++];
		l->file = rows[i].file;
		l->line = rows[i].line;
		l->executions = rows[i].executions;
		l->lane_executions = rows[i].lanes;
		l->live_vgprs = rows[i].live_vgprs;
		l->t = rows[i].t;
		if (!strcmp(r->lds_source, "machine"))
			l->t.lds = l->t.lds_machine;
		l->utilization = ratio(l->t.active_lanes, l->t.wave_instructions * r->wave);
		l->share = ratio(l->t.wave_instructions, r->t.wave_instructions);
		l->cycles_share = line_time(r->estimate, l->file, l->line);
		l->machine = machine_result_line(&r->machine, l->file, l->line);
	}
	free(rows);
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

/* The space that an access meant: flat addresses say it themselves; constant memory is global. */
static Space access_space(u8 space, u64 address)
{
	if (space == SPACE_LDS || space == SPACE_PRIVATE)
		return (Space)space;
	if ((address & APERTURE_MASK) == APERTURE_LDS)
		return SPACE_LDS;
	if ((address & APERTURE_MASK) == APERTURE_PRIVATE)
		return SPACE_PRIVATE;
	return SPACE_GLOBAL;
}

static bool is_memory_finding(FindingKind k)
{
	switch (k) {
	case FINDING_out_of_bounds:
	case FINDING_guessed_size:
	case FINDING_row_overrun:
	case FINDING_null_access:
	case FINDING_read_only:
	case FINDING_write_only:
	case FINDING_misaligned:
	case FINDING_data_race:
	case FINDING_misaligned_atomic:
	case FINDING_unfinished_copy: return true;
	default: return false;
	}
}

/* "out of bounds: write of 4 bytes, global memory, address 0x…, 4 bytes past the end of 'out' (256 bytes)" */
static const char *finding_message(Result *r, const Finding *f, Op op, const char *space)
{
	Buf b = {0};
	buf_printf(&b, "%s", finding_doc[f->kind]);
	if (is_memory_finding(f->kind) && !f->bytes)
		buf_printf(&b, ": %s", f->write ? "write" : "read");
	else if (is_memory_finding(f->kind))
		buf_printf(&b, ": %s of %u byte%s, %s memory, address 0x%" PRIx64,
		           f->write ? "write" : "read", f->bytes, f->bytes == 1 ? "" : "s", space,
		           f->address);
	if (op == OP_async_copy && is_memory_finding(f->kind))
		buf_printf(&b, ", the %s of an async copy", f->write ? "destination" : "source");
	if (f->detail)
		buf_printf(&b, "%s %s", is_memory_finding(f->kind) ? "," : ":", f->detail);
	return buf_keep(&b, r->arena);
}

void result_place(Result *r, const SrcLoc *at, ResultFinding *f)
{
	u32 n;
	const char *text = result_source_line(&r->sources[at->file], at->line, &n);
	f->file = r->sources[at->file].name;
	f->line = at->line;
	f->col = at->col;
	f->source = text ? arena_strndup(r->arena, text, n) : NULL;
	f->presumed_file = NULL;
	SrcNumbers all = {0};
	source_numbers(r->sources[at->file].text, &all, r->arena);
	SrcLines named = source_presumed(&all, at->line);
	if (all.n > 1 && (named.file || named.number != at->line)) {
		f->presumed_file = named.file ? named.file : f->file;
		f->presumed_line = named.number;
	}
	array_free(&all);
}

/* The place of an instruction, in the files of the result. */
static const SrcLoc *finding_place(const Result *r, const Program *p, u32 ins, SrcLoc *out)
{
	const SrcLoc *at = program_place(p, p->ins.v[ins].loc);
	if (!at)
		return NULL;
	*out = *at;
	for (out->file = 0; out->file < r->nsources && strcmp(r->sources[out->file].name, p->files.v[at->file]) != 0;)
		out->file++;
	return out->file < r->nsources ? out : NULL;
}

static const char *value_text(Result *r, const FindingAccess *x)
{
	if (!x->has_value)
		return NULL;
	float f;
	double d;
	u32 low = (u32)x->value;
	memcpy(&f, &low, sizeof f);
	memcpy(&d, &x->value, sizeof d);
	switch (x->type) {
	case T_f32: return arena_printf(r->arena, "%.9g", (double)f);
	case T_f64: return arena_printf(r->arena, "%.17g", d);
	case T_i64: return arena_printf(r->arena, "%" PRIi64, (i64)x->value);
	case T_i16: return arena_printf(r->arena, "%d", (i16)x->value);
	case T_i8:
	case T_b1: return arena_printf(r->arena, "%d", (signed char)x->value);
	default: return arena_printf(r->arena, "%d", (i32)low);
	}
}

static void group_id(const ResultInput *in, u64 group, u64 id[3])
{
	id[0] = group % in->groups[0];
	id[1] = group / in->groups[0] % in->groups[1];
	id[2] = group / in->groups[0] / in->groups[1];
}

static ResultAccess *access_of(Result *r, const ResultInput *in, const Program *p, const FindingAccess *x)
{
	if (x->ins == NO_INS)
		return NULL;
	ResultAccess *out = ARENA_NEW(r->arena, ResultAccess);
	SrcLoc place;
	const SrcLoc *at = finding_place(r, p, x->ins, &place);
	*out = (ResultAccess){.did = p->ins.v[x->ins].op == OP_undef ? "declaration" : x->atomic ? "atomic" : x->write ? "write" : "read", .value = value_text(r, x),
	                      .group = x->group, .wave = x->wave, .lane = x->lane};
	memcpy(out->global_id, x->global_id, sizeof out->global_id);
	memcpy(out->local_id, x->local_id, sizeof out->local_id);
	group_id(in, x->group, out->group_id);
	ResultFinding f;
	if (at) {
		result_place(r, at, &f);
		out->file = f.file;
		out->line = f.line;
		out->col = f.col;
		out->source = f.source;
	}
	return out;
}

/* What a race is called, how bad it is, and what mends it. */
static void describe_race(Result *r, const Finding *f, const char *space, ResultFinding *out)
{
	static const char *const between[RACE_COUNT] = {
		[RACE_groups] = "work-groups", [RACE_waves] = "wavefronts of a work-group",
		[RACE_lanes] = "lanes of a wavefront, which other devices need not run in step",
		[RACE_same_value] = "work-items that write the same value"};
	bool one_store = f->own.ins == f->other.ins && f->own.write && !f->own.atomic;
	const char *fence = f->space == SPACE_LDS ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
	out->race = race_name[f->race];
	out->object = arena_strndup(r->arena, f->detail, strcspn(f->detail, "["));
	out->message = arena_printf(r->arena, "%s between %s: %s of %s, %s memory", finding_doc[f->kind], between[f->race],
	                            out->own->did, f->detail, space);
	if (f->race == RACE_lanes)
		out->severity = "warning";
	/* The first guess of a loop around compare and swap may be any value. */
	bool guess = (f->own.cas && !f->other.write) || (f->other.cas && !f->own.write);
	if ((f->race == RACE_same_value && !r->checks.same_value_error) || guess)
		out->severity = "note";
	out->hint = guess ? "harmless where it is only the first guess of a loop around compare and swap; else read it by an atomic"
	            : f->race == RACE_same_value ? "harmless where it stays so; let one work-item write it, or use an atomic"
	            : f->group != f->other.group
	                ? "no barrier orders work-groups: use atomics, give each a place of its own, or launch a second kernel"
	            : one_store ? "no barrier mends it: several work-items store to one place; choose one of them, or use an atomic"
	            : arena_printf(r->arena, "a barrier(%s) between the two mends it", fence);
}

static bool same_line(const ResultAccess *a, const ResultAccess *b)
{
	return a->line == b->line && (a->file && b->file ? !strcmp(a->file, b->file) : a->file == b->file);
}

/* Two lines that race on one object are one finding, whoever was first and whoever met, of the worst class. False: there is none
 * yet. */
static bool join_race(Result *r, const ResultFinding *f)
{
	for (u32 i = 0; i < r->findings.n; i++) {
		ResultFinding *k = &r->findings.v[i];
		if (!k->race || strcmp(k->object, f->object) != 0 ||
		    !((same_line(k->own, f->own) && same_line(k->other, f->other)) ||
		      (same_line(k->own, f->other) && same_line(k->other, f->own))))
			continue;
		k->count += f->count;
		return true;
	}
	return false;
}

/* What one expression does to one object is one finding, however often the compiler copied it. */
static bool join_place(Result *r, const ResultFinding *f)
{
	for (u32 i = 0; f->file && i < r->findings.n; i++) {
		ResultFinding *k = &r->findings.v[i];
		if (k->race || k->id != f->id || !k->file || strcmp(k->file, f->file) != 0 || k->line != f->line || k->col != f->col ||
		    (k->object && f->object ? strcmp(k->object, f->object) != 0 : k->object != f->object) ||
		    (k->other && f->other ? !same_line(k->other, f->other) : k->other != f->other))
			continue;
		k->count += f->count;
		return true;
	}
	return false;
}

/* Does a comment on one of its lines say that it may be? */
static bool allowed_race(const ResultFinding *f)
{
	static const char words[] = "wavesim: race-ok";
	return (f->own->source && strstr(f->own->source, words)) || (f->other->source && strstr(f->other->source, words));
}

static void add_finding(Result *r, const ResultInput *in, const Program *p, const Finding *f)
{
	const Ins *ins = &p->ins.v[f->ins];
	ResultFinding out = {
		.id = finding_name[f->kind],
		.severity = finding_severity[f->kind],
		.hint = in->recorded && recorded_hints[f->kind] ? recorded_hints[f->kind] : hints[f->kind],
		.has_place = true,
		.count = f->count,
		.group = f->group,
		.wave = f->wave,
		.lane = f->lane,
	};
	const char *space = space_name[ins->op == OP_async_copy ? f->space : access_space(ins->space, f->address)];
	if (f->kind == FINDING_out_of_bounds && strcmp(space, space_name[SPACE_GLOBAL]) != 0) /* not a buffer */
		out.hint = "test the index against the size before the access, or make the array larger";
	out.message = finding_message(r, f, (Op)ins->op, space);
	if (is_memory_finding(f->kind) && f->bytes) {
		out.has_address = true;
		out.space = space;
		out.address = f->address;
		out.bytes = f->bytes;
	}
	memcpy(out.global_id, f->global_id, sizeof out.global_id);
	memcpy(out.local_id, f->local_id, sizeof out.local_id);
	group_id(in, f->group, out.group_id);
	FindingAccess own = f->own;
	own.group = f->group;
	own.wave = f->wave;
	own.lane = f->lane;
	memcpy(own.global_id, f->global_id, sizeof own.global_id);
	memcpy(own.local_id, f->local_id, sizeof own.local_id);
	out.own = access_of(r, in, p, &own);
	out.other = access_of(r, in, p, f->kind == FINDING_uninitialized_read ? &f->origin : &f->other);
	if (f->kind == FINDING_data_race)
		describe_race(r, f, space, &out);
	else
		out.object = f->object ? arena_strdup(r->arena, f->object) : NULL;
	if (f->kind == FINDING_guessed_size)
		out.hint = arena_printf(r->arena, "--arg %s=…:COUNT gives it, and settles whether this is a fault", f->object);
	SrcLoc place;
	const SrcLoc *at = finding_place(r, p, f->ins, &place);
	if (at)
		result_place(r, at, &out);
	if (out.race ? !allowed_race(&out) && !join_race(r, &out) : !join_place(r, &out))
		array_push(&r->findings, out);
}

/* Of one kind and line? */
static bool same_fault(const Program *p, const Finding *f, const Program *q, const Finding *g)
{
	const SrcLoc *a = program_place(p, p->ins.v[f->ins].loc), *b = program_place(q, q->ins.v[g->ins].loc);
	return f->kind == g->kind && (a && b ? a->line == b->line && !strcmp(p->files.v[a->file], q->files.v[b->file]) : a == b);
}

/* Those of the run, then what only the execution for checks saw: of what both saw, its findings, whose places are the source's. A
 * bound that ended the launch is the run's alone. */
static void add_findings(Result *r, const ResultInput *in)
{
	static const Profile none;
	const Program *p = in->program, *q = in->checks ? in->checks->program : NULL;
	const Profile *ran = in->profile, *checked = q ? in->checks->profile : &none;
	for (u32 i = 0; i < ran->findings.n; i++) {
		/* Only the source's accesses tell whether a component is read, or the rest of its vector along with a write. */
		bool both = q && ran->findings.v[i].kind == FINDING_write_only;
		for (u32 k = 0; k < checked->findings.n; k++)
			both |= same_fault(p, &ran->findings.v[i], q, &checked->findings.v[k]);
		if (!both)
			add_finding(r, in, p, &ran->findings.v[i]);
	}
	for (u32 race = RACE_none; race < RACE_COUNT; race++)
		for (u32 i = 0; i < checked->findings.n; i++) {
			const Finding *f = &checked->findings.v[i];
			if (f->race == race && f->kind != FINDING_endless && f->kind != FINDING_long_launch)
				add_finding(r, in, q, f);
		}
}

static u32 badness(const ResultFinding *f)
{
	return !strcmp(f->severity, "error") ? 0 : !strcmp(f->severity, "warning") ? 1 : 2;
}

/* Of the first `fixed` (0: all) only notes go behind the others. */
static void worst_first(Result *r, u32 fixed)
{
	u32 n = r->findings.n, at = 0;
	ResultFinding *sorted = ARENA_ARRAY(r->arena, ResultFinding, n + 1);
	for (u32 bad = 0; bad < 3; bad++)
		for (u32 i = 0; i < n; i++) {
			const ResultFinding *f = &r->findings.v[i];
			u32 is = fixed && badness(f) < 2 ? 0 : badness(f);
			if (is == bad)
				sorted[at++] = *f;
		}
	if (n)
		memcpy(r->findings.v, sorted, n * sizeof *sorted);
}

/* What may be at fault where a buffer is not as PoCL has it. */
static const char *mismatch_hint(const Result *r, const char *reasons)
{
	const Reference *ref = &r->reference;
	if (result_problems(r))
		return "the findings above make the results undefined: fix those first";
	if (ref->repeat_equal)
		return arena_printf(r->arena, "repeated %s, the results are equal, but many elements differ by more than "
		                    "rounding: %s", ref->repeated, !strncmp(ref->repeated, "with ", 5)
		                    ? "the kernel magnifies it, or wavesim has a fault in what only AMD's functions use"
		                    : "the build options allow larger differences");
	const char *also = !ref->repeated ? "" :
	                   arena_printf(r->arena, "; repeated %s, the results differ, too", ref->repeated);
	if (!reasons)
		return arena_printf(r->arena, "the results depend neither on the order of work-items nor on undefined "
		                    "behaviour: report this as a fault of wavesim or PoCL%s", also);
	return arena_printf(r->arena, "%s; if nothing of this applies, report it as a fault of wavesim%s", reasons, also);
}

/* Wrong results are a finding too: a script has one place to look. */
static void add_mismatches(Result *r, const ResultInput *in)
{
	bool checked = r->checks.ran && (r->checks.what & CHECK_races) && (r->checks.what & CHECK_uninit) && !result_problems(r);
	const char *reasons = r->reference.mismatches ? blame_reasons(in->program, checked, r->arena) : NULL;
	const char *hint = r->reference.mismatches ? mismatch_hint(r, reasons) : NULL;
	for (u32 i = 0; i < r->reference.nbuffers; i++) {
		const RefBuffer *b = &r->reference.buffers[i];
		if (!b->mismatches)
			continue;
		ResultFinding f = {.severity = "error", .count = b->mismatches, .buffer = b};
		bool native = strcmp(b->against, "expected") != 0;
		f.id = native ? "reference_mismatch" : "unexpected_result";
		f.message = arena_printf(r->arena, "%" PRIu64 " of %" PRIu64 " elements of '%s' differ from %s",
		                         b->mismatches, b->elements, b->name,
		                         !native                 ? "what the launch expects"
		                         : r->reference.recorded ? "what the recorded run left"
		                                                 : "PoCL's own run");
		f.hint = native ? hint : "compare with what the kernel should compute";
		array_push(&r->findings, f);
	}
	if (r->reference.status == REF_crashed) {
		ResultFinding f = {.id = "native_crash", .severity = "error", .count = 1};
		f.message = arena_printf(r->arena, "PoCL's own run of the kernel crashed: %s", r->reference.why);
		f.hint = r->findings.n ? "the findings above are why: fix those first"
		                       : "it is a fault of the kernel that this input does not show here, or one of PoCL";
		array_push(&r->findings, f);
	}
	if (r->reference.output_differs) {
		ResultFinding f = {.id = "reference_mismatch", .severity = "error", .count = 1};
		f.message = "the text printed by printf differs from PoCL's own run";
		f.hint = "work-items print in any order where no barrier sets one";
		array_push(&r->findings, f);
	}
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
	to->built = own(r, from->built);
	to->repeated = own(r, from->repeated);
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
		to[i] = (ResultSource){own(r, in->sources[i].name), own(r, in->sources[i].text)};
	r->sources = to;
	r->nsources = in->nsources;
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
	if (in->checks)
		r->checks = (Checks){.ran = in->checks->ran, .what = in->checks->what, .same_value_error = in->checks->same_value_error, .incomplete = in->checks->incomplete, .why = own(r, in->checks->why)};
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
	                .group_size = (u32)(r->local[0] * r->local[1] * r->local[2]),
	                .wave = r->wave};
	occ_result_build(&r->occupancy, in->device, &occ, r->arena);
	profile_totals(in->program, p, &r->t);
	choose_lds(r, in);
	r->serialized = p->serialized;
	r->utilization = ratio(r->t.active_lanes, r->t.wave_instructions * r->wave);
	build_estimate(r, in);
	build_waves(r, p);
	build_lines(r, in);
	find_most_lost(r);
	build_peak(r, in->program);
	if (in->detail)
		result_detail_build(&r->detail, r, in);
	add_findings(r, in);
	worst_first(r, 0);
	u32 own = r->findings.n;
	add_mismatches(r, in);
	if (r->findings.n > own)
		worst_first(r, own);
	if (in->advice)
		advice_add(r, in);
	return r;
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

u32 result_problems(const Result *r)
{
	u32 n = 0;
	for (u32 i = 0; i < r->findings.n; i++)
		n += !r->findings.v[i].advice && strcmp(r->findings.v[i].severity, "note") != 0;
	return n;
}
