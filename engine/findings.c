/* Findings as sentences: what a kernel did wrong, in the run and in the execution for checks, where, who, and what to
 * do; and what of its results differs from PoCL's. */
#include "engine/blame.h"
#include "engine/element.h"
#include "engine/findings.h"
#include "engine/misuse.h"

#include "base/hash.h"
#include "sim/sim.h"
#include "traces/launch/launch.h"

#include <inttypes.h>

static const SourceWords *words_of(const ResultInput *in) { return &source_words[in->language]; }

/* "out of bounds: write of 4 bytes to global memory at 0x…, 4 bytes past the end of 'out' (256 bytes)" */
static const char *finding_message(Result *r, const Finding *f, bool copies, const char *space)
{
	Buf b = {0};
	buf_printf(&b, "%s", f->surplus ? "out of bounds, by a work-item that rounding up a guessed size added"
	                                : finding_doc[f->kind]);
	if (finding_is_access[f->kind] && !f->bytes)
		buf_printf(&b, ": %s", f->write ? "write" : "read");
	else if (finding_is_access[f->kind])
		buf_printf(&b, ": %s of %u byte%s %s %s memory at 0x%" PRIx64, f->write ? "write" : "read", f->bytes,
		           f->bytes == 1 ? "" : "s", f->write ? "to" : "from", space, f->address);
	if (copies && finding_is_access[f->kind])
		buf_printf(&b, ", the %s of an async copy", f->write ? "destination" : "source");
	if (f->detail)
		buf_printf(&b, "%s %s", finding_is_access[f->kind] ? "," : ":", f->detail);
	return buf_keep(&b, r->arena);
}

/* Is it, or is it of the code of, a work-group copy? */
static bool is_copy(const Program *p, const Ins *ins)
{
	bool *copies = program_copy_places(p), is = ins->op == OP_async_copy || (copies && copies[ins->loc]);
	free(copies);
	return is;
}

ResultPlace result_place(Result *r, const SrcLoc *at)
{
	u32 n;
	const ResultSource *source = &r->sources[at->file];
	const char *text = result_source_line(source, at->line, &n);
	ResultPlace p = {.file = source->name, .line = at->line, .col = at->col,
	                 .source = text ? arena_strndup(r->arena, text, n) : NULL};
	SrcLines named = source_line_presumed(source, at->line);
	if (named.file || named.number != at->line) {
		p.presumed_file = named.file ? named.file : p.file;
		p.presumed_line = named.number;
	}
	return p;
}

void put_result_place(Buf *out, const ResultPlace *p)
{
	buf_printf(out, "%s:%u", p->presumed_file ? p->presumed_file : p->file,
	           p->presumed_file ? p->presumed_line : p->line);
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
	u8 bytes = type_bytes[x->type];
	/* Integers are read as the buffer has them; but only halfs have no type of their own. */
	bool is_float = type_is_float(x->type) || (x->elem_class == ELEM_FLOAT && bytes == 2);
	u8 class = is_float ? ELEM_FLOAT : x->elem_class == ELEM_UINT ? ELEM_UINT : ELEM_INT;
	ElemShape s = {.elem_class = class, .elem_bytes = bytes, .width = 1, .stride = bytes};
	return x->has_value ? element_text(r->arena, &s, x->value) : NULL;
}

static ResultAccess *access_of(Result *r, const ResultInput *in, const Program *p, const FindingAccess *x)
{
	if (x->ins == NO_INS)
		return NULL;
	ResultAccess *out = ARENA_NEW(r->arena, ResultAccess);
	SrcLoc place;
	const SrcLoc *at = finding_place(r, p, x->ins, &place);
	bool declared = p->ins.v[x->ins].op == OP_undef;
	*out = (ResultAccess){.did = declared ? "declaration" : x->atomic ? "atomic" : x->write ? "write" : "read",
	                      .value = value_text(r, x), .group = x->group, .wave = x->wave, .lane = x->lane};
	memcpy(out->global_id, x->global_id, sizeof out->global_id);
	memcpy(out->local_id, x->local_id, sizeof out->local_id);
	launch_ids(in->exchanged, x->group, in->groups, out->group_id);
	if (at)
		out->at = result_place(r, at);
	return out;
}

/* What a race is called, and how bad it is. */
static void describe_race(Result *r, const Finding *f, const char *space, ResultFinding *out)
{
	static const char *const between[RACE_COUNT] = {
		[RACE_groups] = "work-groups", [RACE_waves] = "wavefronts of a work-group",
		[RACE_lanes] = "lanes of a wavefront, which other devices need not run in step",
		[RACE_same_value] = "work-items that write the same value"};
	out->class = race_name[f->race];
	out->object = arena_strndup(r->arena, f->detail, strcspn(f->detail, "["));
	out->message = arena_printf(r->arena, "%s between %s: %s of %s in %s memory", finding_doc[f->kind],
	                            f->race == RACE_same_value && finding_one_reads(f)
	                                ? "work-items of which one writes what is there"
	                                : between[f->race],
	                            out->own->did, f->detail, space);
	if (f->race == RACE_lanes)
		out->severity = "warning";
	if ((f->race == RACE_same_value && !r->checks.same_value_error) || finding_first_guess(f))
		out->severity = "note";
}

bool finding_is_race(const ResultFinding *f) { return !strcmp(f->id, finding_name[FINDING_data_race]); }

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_line(const ResultAccess *a, const ResultAccess *b)
{
	return a->at.line == b->at.line && same_text(a->at.file, b->at.file);
}

static u64 line_hash(const ResultAccess *x) { return x ? hash_mix(hash_text(x->at.file) + x->at.line) : 0; }

/* Two lines that race on one object are one finding, whoever was first and whoever met, of the worst class. */
static bool same_race(const ResultFinding *a, const ResultFinding *b)
{
	return !strcmp(a->object, b->object) && ((same_line(a->own, b->own) && same_line(a->other, b->other)) ||
	                                         (same_line(a->own, b->other) && same_line(a->other, b->own)));
}

/* What one expression does to one object is one finding, however often the compiler copied it. */
static bool same_place(const ResultFinding *a, const ResultFinding *b)
{
	return a->id == b->id && same_text(a->at.file, b->at.file) && a->at.line == b->at.line &&
	       a->at.col == b->at.col && same_text(a->object, b->object) &&
	       (a->other && b->other ? same_line(a->other, b->other) : a->other == b->other);
}

/* Add it, or join it with the one that it is the same as. */
static void join_or_add(Result *r, HashIndex *index, const ResultFinding *f)
{
	bool race = finding_is_race(f);
	u64 hash = race ? line_hash(f->own) + line_hash(f->other)
	                : hash_mix(hash_text(f->at.file) + ((u64)f->at.line << 32 | f->at.col)) +
	                      line_hash(f->other);
	hash = hash_mix(hash + hash_text(f->object));
	for (u32 at = 0, i; hash_index_next(index, hash, &at, &i);) {
		ResultFinding *k = &r->findings.v[i];
		if (finding_is_race(k) == race && (race ? same_race(k, f) : same_place(k, f))) {
			k->count += f->count;
			return;
		}
	}
	if (race || f->at.file)
		hash_index_add(index, hash, r->findings.n);
	array_push(&r->findings, *f);
}

/* Does a comment on one of its lines say that it may be? */
static bool allowed_race(const ResultFinding *f)
{
	const char *a = f->own->at.source, *b = f->other->at.source;
	return (a && launch_race_ok(a)) || (b && launch_race_ok(b));
}

static void add_finding(Result *r, HashIndex *index, const ResultInput *in, const Program *p, const Finding *f)
{
	const Ins *ins = &p->ins.v[f->ins];
	ResultFinding out = {
		.id = finding_name[f->kind],
		.severity = finding_severity[f->kind],
		.has_place = true,
		.count = f->count,
		.group = f->group,
		.wave = f->wave,
		.lane = f->lane,
	};
	Space in_space = finding_is_access[f->kind] ? (Space)f->space : SPACE_GLOBAL;
	const char *space = space_name[in_space];
	out.hint = finding_hint(r, in, p, f);
	const Object *variable = finding_is_access[f->kind] ? finding_variable(in, p, f) : NULL;
	const char *named = in_space == SPACE_LDS ? words_of(in)->shared /* as the kernel's source says it */
	                    : variable            ? space_name[variable->space]
	                                          : space;
	out.message = finding_message(r, f, is_copy(p, ins), named);
	if (finding_is_access[f->kind] && f->bytes) {
		out.has_address = true;
		out.space = space;
		out.address = f->address;
		out.bytes = f->bytes;
	}
	memcpy(out.global_id, f->global_id, sizeof out.global_id);
	memcpy(out.local_id, f->local_id, sizeof out.local_id);
	launch_ids(in->exchanged, f->group, in->groups, out.group_id);
	FindingAccess own = f->own;
	own.group = f->group;
	own.wave = f->wave;
	own.lane = f->lane;
	memcpy(own.global_id, f->global_id, sizeof own.global_id);
	memcpy(own.local_id, f->local_id, sizeof own.local_id);
	out.own = access_of(r, in, p, &own);
	out.other = access_of(r, in, p, f->kind == FINDING_uninitialized_read ? &f->origin : &f->other);
	if (f->kind == FINDING_data_race)
		describe_race(r, f, named, &out);
	else
		out.object = f->object ? arena_strdup(r->arena, f->object) : NULL;
	SrcLoc place;
	const SrcLoc *at = finding_place(r, p, f->ins, &place);
	if (at)
		out.at = result_place(r, at);
	if (!finding_is_race(&out) || !allowed_race(&out))
		join_or_add(r, index, &out);
}

/* Of one kind and line? */
static bool same_fault(const Program *p, const Finding *f, const Program *q, const Finding *g)
{
	const SrcLoc *a = program_place(p, p->ins.v[f->ins].loc), *b = program_place(q, q->ins.v[g->ins].loc);
	return f->kind == g->kind &&
	       (a && b ? a->line == b->line && !strcmp(p->files.v[a->file], q->files.v[b->file]) : a == b);
}

/* Those of the run, then those of the execution for checks. What both saw is taken from checks, whose places are the
 * source's; a bound that ended the launch is the run's alone. */
static void add_findings(Result *r, const ResultInput *in)
{
	static const Profile none;
	const Program *p = in->program, *q = in->checks ? in->checks->program : NULL;
	const Profile *ran = in->profile, *checked = q ? in->checks->profile : &none;
	HashIndex index = {0};
	for (u32 i = 0; i < ran->findings.n; i++) {
		/* Only the source's accesses tell whether a component is read, or its vector's rest with a write. */
		bool both = q && ran->findings.v[i].kind == FINDING_write_only;
		for (u32 k = 0; k < checked->findings.n; k++)
			both |= same_fault(p, &ran->findings.v[i], q, &checked->findings.v[k]);
		if (!both)
			add_finding(r, &index, in, p, &ran->findings.v[i]);
	}
	for (u32 race = RACE_none; race < RACE_COUNT; race++)
		for (u32 i = 0; i < checked->findings.n; i++) {
			const Finding *f = &checked->findings.v[i];
			if (f->race == race && f->kind != FINDING_endless && f->kind != FINDING_long_launch)
				add_finding(r, &index, in, q, f);
		}
	hash_index_free(&index);
}

/* Errors, warnings, where the results are wrong (what stands before may be why), notes. */
static u32 rank(const ResultFinding *f)
{
	bool error = !strcmp(f->severity, "error");
	return !strcmp(f->severity, "note") ? 3 : !f->has_place && !f->class ? 2 : !error;
}

static void worst_first(Result *r)
{
	enum { RANKS = 4 };
	u32 n = r->findings.n, at = 0;
	ResultFinding *sorted = ARENA_ARRAY(r->arena, ResultFinding, n + 1);
	for (u32 is = 0; is < RANKS; is++)
		for (u32 i = 0; i < n; i++)
			if (rank(&r->findings.v[i]) == is)
				sorted[at++] = r->findings.v[i];
	if (n)
		memcpy(r->findings.v, sorted, n * sizeof *sorted);
}

/* Is memory too small of which the user did not say the size? Then the launch is at fault, not the kernel. */
static bool guessed_wrong(const Result *r)
{
	for (u32 i = 0; i < r->findings.n; i++)
		if (!strcmp(r->findings.v[i].id, "guessed_size"))
			return !result_problems(r);
	return false;
}

static const char guess_hint[] =
    "the kernel uses memory past a guessed size, so its results mean nothing: give the sizes that the notes name";

static bool is_problem(const ResultFinding *f) { return !f->advice && strcmp(f->severity, "note") != 0; }

/* The worst of what stands there, by name, for it may be left out of what is shown: "data_race at k.cl:7". NULL: there
 * is no error or warning. */
static const char *worst_named(const Result *r)
{
	const ResultFinding *worst = NULL;
	u32 n = 0;
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		if (!is_problem(f))
			continue;
		n++;
		if (!worst || rank(f) < rank(worst))
			worst = f;
	}
	if (!worst)
		return NULL;
	Buf b = {0};
	buf_printf(&b, "%s", worst->id);
	if (worst->at.file) {
		buf_printf(&b, " at ");
		put_result_place(&b, &worst->at);
	}
	if (n > 1)
		buf_printf(&b, " and %u more finding%s", n - 1, n > 2 ? "s" : "");
	return buf_keep(&b, r->arena);
}

/* What may be at fault where a buffer is not as PoCL has it. */
static const char *mismatch_hint(const Result *r, const char *worst, const char *reasons)
{
	const Reference *ref = &r->reference;
	if (worst)
		return arena_printf(r->arena, "first fix %s: the results are undefined after it", worst);
	if (ref->beyond)
		return arena_printf(
		    r->arena,
		    "repeated %s, the results are equal; the difference is more than the errors of these "
		    "functions make of the kernel's results: report a bug in wavesim",
		    ref->repeated);
	if (ref->repeat_equal)
		return arena_printf(
		    r->arena,
		    !strncmp(ref->repeated, "with ", 5)
			? "repeated %s, the results are equal, so the difference comes from built-in functions; many "
			  "elements differ by more than rounding errors: the kernel amplifies these, or wavesim computes "
			  "a function wrongly; if the kernel is numerically stable, report a bug in wavesim"
			: "repeated %s, the results are equal; the build options permit the difference: build "
			  "without them for exact results",
		    ref->repeated);
	const char *also = !ref->repeated ? "" :
	                   arena_printf(r->arena, "; repeated %s, the results differ, too", ref->repeated);
	if (!reasons)
		return arena_printf(r->arena, "the results depend neither on the order of work-items nor on undefined "
		                    "behaviour: report a bug in wavesim or PoCL%s", also);
	return arena_printf(r->arena, "%s; if you can rule these out, report a bug in wavesim%s", reasons, also);
}

/* Wrong results are a finding too: a script has one place to look. Those that rounding accounts for, as the repeated
 * run shows, or a wrong guess, are a note. */
static void add_mismatches(Result *r, const ResultInput *in)
{
	u8 both = CHECK_races | CHECK_uninit;
	bool checked = r->checks.ran && (r->checks.what & both) == both && !result_problems(r);
	const char *worst = worst_named(r);
	bool own = r->reference.source == REF_FROM_native;
	const char *reasons =
	    r->reference.mismatches
	        ? blame_reasons(in->program, checked, own, in->addresses, in->unset, in->loose, words_of(in), r->arena)
	        : NULL;
	bool guess = guessed_wrong(r);
	const char *hint = guess ? guess_hint : r->reference.mismatches ? mismatch_hint(r, worst, reasons) : NULL;
	const char *of_native = guess || (r->reference.repeat_equal && !r->reference.beyond) ? "note" : "error";
	for (u32 i = 0; i < r->reference.nbuffers; i++) {
		const RefBuffer *b = &r->reference.buffers[i];
		if (!b->mismatches)
			continue;
		bool native = strcmp(b->against, "expected") != 0;
		ResultFinding f = {.severity = native ? of_native : "error", .count = b->mismatches, .buffer = b};
		f.id = native ? "reference_mismatch" : "unexpected_result";
		f.message = arena_printf(r->arena, "%" PRIu64 " of %" PRIu64 " elements of '%s' differ from %s",
		                         b->mismatches, b->elements, b->name,
		                         native ? ref_source_doc[r->reference.source] : "what the launch expects");
		f.hint = native ? hint : "compare with what the kernel should compute";
		array_push(&r->findings, f);
	}
	if (r->reference.status == REF_crashed) {
		ResultFinding f = {.id = "native_crash", .severity = guess ? "note" : "error", .count = 1};
		f.message = r->reference.why;
		f.hint = guess   ? guess_hint
		         : worst ? arena_printf(r->arena, "first fix %s", worst)
		         : own   ? "run with --check to find faults in the kernel; --no-reference does without that run"
		         : checked
		             ? "--check finds no fault in the kernel with this input, so PoCL may have a bug; run "
		               "with --no-reference to do without its run"
		             : "run with --check to find faults in the kernel; if it finds none, PoCL may have a "
		               "bug, and --no-reference does without its run";
		array_push(&r->findings, f);
	}
	if (r->reference.output_differs) {
		ResultFinding f = {.id = "reference_mismatch", .severity = of_native, .count = 1};
		f.message = arena_printf(r->arena, "the text printed by printf differs from %s",
		                         ref_source_doc[r->reference.source]);
		f.hint =
		    "one of the two prints it wrong, or the kernel races: compare it with what the kernel should print";
		array_push(&r->findings, f);
	}
}

void findings_build(Result *r, const ResultInput *in)
{
	add_findings(r, in);
	add_mismatches(r, in);
	misuse_add(r, in->misuses, in->nmisuses); /* the host program's, no reason for what the kernel leaves */
	worst_first(r);
}

u32 result_problems(const Result *r)
{
	u32 n = 0;
	for (u32 i = 0; i < r->findings.n; i++)
		n += is_problem(&r->findings.v[i]);
	return n;
}
