/* What to do about a finding: by its kind (hints.def), and by what was guessed or filled with zeros for the launch. */
#include "engine/findings.h"

#include "base/number.h"
#include "traces/launch/launch.h"

#include <inttypes.h>

/* As large a buffer is named as enough; what reaches further is rather a wrong index (models/README.md). */
enum { LIKELY_BYTES = 1 << 26 };

bool finding_first_guess(const Finding *f)
{
	return (f->own.cas && !f->other.write) || (f->other.cas && !f->own.write);
}

bool finding_one_reads(const Finding *f) { return !f->own.write || !f->other.write; }

static const char *hint_by(const char *usual, const char *special) { return special ? special : usual; }

/* buffer: it is about one. NULL: there is none for all of the kind. */
static const char *usual_hint(FindingKind kind, const ResultInput *in, const SourceWords *w, bool buffer, Arena *a)
{
	switch (kind) {
#define HINT(finding, ...) \
	case FINDING_##finding: \
		return arena_printf(a, __VA_ARGS__);
#define HINT_BY(finding, usual, of_recorded, of_array) \
	case FINDING_##finding: \
		return hint_by(usual, !buffer ? of_array : in->recorded ? of_recorded : NULL);
#include "engine/hints.def"
	default: return NULL;
	}
}

/* What mends a race. */
static const char *race_hint(const Result *r, const SourceWords *w, const Finding *f)
{
	bool one_store = f->own.ins == f->other.ins && f->own.write && !f->own.atomic;
	if (finding_first_guess(f))
		return "harmless if it only gives a compare-and-swap loop its first value; otherwise read it with an atomic "
		       "operation";
	if (f->race == RACE_same_value && finding_one_reads(f))
		return "harmless while what is written is what would be read without it; a barrier between the two, or an "
		       "atomic, needs no such care";
	if (f->race == RACE_same_value)
		return "harmless while all write the same value; let one work-item write it, or use an atomic";
	if (f->group != f->other.group)
		return "no barrier orders work-groups: use atomics, give each a place of its own, or launch a second kernel";
	if (one_store)
		return "no barrier helps, as several work-items store to one place: choose one of them, or use an atomic";
	return arena_printf(r->arena, "a %s between the two mends it",
	                    f->space == SPACE_LDS ? w->local_barrier : w->global_barrier);
}

/* Where a guessed buffer was too small: how many elements would hold all that this run accesses of it; 0: not known, or
 * so many that an index must be wrong. */
static u64 enough_elements(const ResultInput *in, const Finding *one)
{
	u64 reach = 0, stride = 0;
	for (u32 i = 0; i < in->profile->findings.n; i++) {
		const Finding *f = &in->profile->findings.v[i];
		if (f->kind == FINDING_guessed_size && f->object && !strcmp(f->object, one->object) && f->reach > reach)
			reach = f->reach;
	}
	for (u32 i = 0; in->launch && i < in->launch->nargs; i++)
		if (!strcmp(in->launch->kernel_args[i].name, one->object))
			stride = in->launch->args[i].shape.stride;
	return stride && reach <= LIKELY_BYTES ? (reach + stride - 1) / stride : 0;
}

static const char *guessed_size_hint(const Result *r, const ResultInput *in, const SourceWords *w, const Finding *f)
{
	const Launch *l = in->launch;
	if (f->surplus)
		return arena_printf(r->arena, "give %s and %s: wavesim guessed them, so this may not be a fault of the kernel",
		                    w->global, w->local);
	bool other = l && l->global_from == FROM_GUESS && l->global_by_buffer; /* a given buffer would change the launch */
	u64 size = other && in->language == LANGUAGE_hip ? l->global[0] / l->local[0] : other ? l->global[0] : 0; /* blocks */
	const char *global = other ? arena_printf(r->arena, " (and %s %" PRIu64 ")", w->global, size) : "";
	const char *hint = arena_printf(r->arena,
	                                "give the real size with --arg %s=…:COUNT%s: wavesim guessed it, so this may not be a "
	                                "fault of the kernel",
	                                f->object, global);
	Buf enough = {0};
	u64 n = f->object ? enough_elements(in, f) : 0;
	if (n)
		put_grouped(&enough, n);
	hint = n ? arena_printf(r->arena, "%s; this run uses no more than %s element%s", hint, enough.v, n == 1 ? "" : "s")
	         : hint;
	array_free(&enough);
	return hint;
}

/* An access out of bounds may be the fault of what was guessed. */
static const char *bounds_hint(const Result *r, const Launch *l, const SourceWords *w, const Finding *f,
                               const char *usual)
{
	bool first_item = !f->local_id[0] && !f->local_id[1] && !f->local_id[2]; /* it is in the smallest group, too */
	if (l && f->space == SPACE_LDS && l->local_from == FROM_GUESS && !first_item)
		return arena_printf(r->arena,
		                    "%s; or give %s: wavesim guessed the work-group size, and the kernel may need a smaller one",
		                    usual, w->local);
	if (l && f->space == SPACE_GLOBAL && l->global_from == FROM_GUESS && l->global_buffer)
		return arena_printf(r->arena,
		                    "%s; or give %s: wavesim guessed one work-item for each element of '%s', and the kernel may "
		                    "need fewer",
		                    usual, w->global, l->global_buffer);
	return usual;
}

/* A pointer that was read from a structure of a HIP program, which only the program could fill. */
static const char *null_hint(const Result *r, const ResultInput *in, const char *usual)
{
	if (!in->structures || in->language != LANGUAGE_hip)
		return usual;
	return arena_printf(r->arena,
	                    "if the pointer comes from %s, it is null because wavesim filled that structure with zeros: run the "
	                    "whole program with wavesim run, which passes the real pointers",
	                    in->structures);
}

static const char *division_hint(const Result *r, const ResultInput *in, const char *usual)
{
	if (!in->structures)
		return usual;
	return arena_printf(r->arena,
	                    "%s; if it comes from %s, which wavesim filled with zeros: give its contents with --arg, or run the "
	                    "whole program with wavesim run",
	                    usual, in->structures);
}

const char *finding_hint(const Result *r, const ResultInput *in, const Finding *f)
{
	const SourceWords *w = &source_words[in->language];
	bool buffer = !finding_is_access[f->kind] || f->space == SPACE_GLOBAL;
	const char *usual = usual_hint(f->kind, in, w, buffer, r->arena);
	switch (f->kind) {
	case FINDING_out_of_bounds: return bounds_hint(r, in->launch, w, f, usual);
	case FINDING_guessed_size: return guessed_size_hint(r, in, w, f);
	case FINDING_data_race: return race_hint(r, w, f);
	case FINDING_null_access: return null_hint(r, in, usual);
	case FINDING_division_by_zero: return division_hint(r, in, usual);
	default: return usual;
	}
}
