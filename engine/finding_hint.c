/* What to do about a finding: by its kind (hints.def), and by what was guessed or filled with zeros for the launch. */
#include "engine/findings.h"

#include "base/number.h"
#include "engine/blame.h"
#include "traces/launch/launch.h"

#include <inttypes.h>

/* As large a buffer is named as enough; what reaches further is rather a wrong index (models/README.md). */
enum { LIKELY_BYTES = 1 << 26 };

bool finding_first_guess(const Finding *f)
{
	return (f->own.cas && !f->other.write) || (f->other.cas && !f->own.write);
}

bool finding_one_reads(const Finding *f) { return !f->own.write || !f->other.write; }

/* What a hint is made of. */
typedef struct Hinted {
	const Finding *f;
	const ResultInput *in;
	const Program *p; /* that ran */
	const SourceWords *w;
	Arena *arena;
} Hinted;

/* Of local memory in work-groups whose size was guessed. */
static const char *or_smaller_groups(const Hinted *h, const char *hint)
{
	const Launch *l = h->in->launch;
	if (!l || l->local_from != FROM_GUESS || h->f->space != SPACE_LDS)
		return hint;
	return arena_printf(h->arena,
	                    "%s; or set %s: the work-group size is a guess, and the kernel may expect a smaller "
	                    "one",
	                    hint, h->w->local);
}

/* What mends a race. */
static const char *race_hint(const Hinted *h)
{
	const Finding *f = h->f;
	bool one_store = f->own.ins == f->other.ins && f->own.write && !f->own.atomic;
	if (finding_first_guess(f))
		return "harmless if it only gives a compare-and-swap loop its first value; otherwise read it with an "
		       "atomic operation";
	if (f->race == RACE_same_value && finding_one_reads(f))
		return "harmless while what is written is what would be read without it; a barrier between the two, or "
		       "an atomic, needs no such care";
	if (f->race == RACE_same_value)
		return "harmless while all write the same value; let one work-item write it, or use an atomic";
	if (f->group != f->other.group)
		return "no barrier orders work-groups: use atomics, give each a place of its own, or launch a second "
		       "kernel";
	if (one_store)
		return or_smaller_groups(h, "no barrier helps, as several work-items store to one place: choose one "
		                            "of them, or use an atomic");
	return arena_printf(h->arena, "a %s between the two mends it",
	                    f->space == SPACE_LDS ? h->w->local_barrier : h->w->global_barrier);
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
	const Launch *l = in->launch;
	for (u32 i = 0, n = l ? l->nargs : 0; i < n; i++)
		if (!strcmp(l->kernel_args[i].name, one->object))
			stride = l->args[i].shape.stride;
	return stride && reach <= LIKELY_BYTES ? (reach + stride - 1) / stride : 0;
}

static const char *guessed_size_hint(const Hinted *h)
{
	const Launch *l = h->in->launch;
	if (h->f->surplus)
		return arena_printf(h->arena,
		                    "give %s and %s: wavesim guessed them, so this may not be a fault of the kernel",
		                    h->w->global, h->w->local);
	/* A given buffer would change the launch. */
	bool local = h->f->space == SPACE_LDS;
	bool other = l && l->global_from == FROM_GUESS && l->global_by_buffer && !local;
	bool blocks = h->in->language == LANGUAGE_hip;
	u64 size = !other ? 0 : blocks ? l->global[0] / l->local[0] : l->global[0];
	const char *global = other ? arena_printf(h->arena, " (and %s %" PRIu64 ")", h->w->global, size) : "";
	const char *hint = arena_printf(h->arena,
	                                "give the real size with --arg %s=%s:COUNT%s: wavesim guessed it, so this may "
	                                "not be a fault of the kernel",
	                                h->f->object, local ? "local" : "…", global);
	Buf enough = {0};
	u64 n = h->f->object ? enough_elements(h->in, h->f) : 0;
	put_grouped(&enough, n);
	if (n)
		hint = arena_printf(h->arena, "%s; this run uses no more than %s element%s", hint, enough.v,
		                    n == 1 ? "" : "s");
	array_free(&enough);
	return hint;
}

const Object *finding_variable(const ResultInput *in, const Program *p, const Finding *f)
{
	const Launch *l = in->launch;
	bool global = f->object && f->space == SPACE_GLOBAL && !f->surplus;
	for (u32 i = 0; global && l && i < l->nargs; i++)
		if (!strcmp(l->kernel_args[i].name, f->object))
			return NULL;
	for (u32 i = 0; global && i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if ((o->space == SPACE_CONSTANT || o->space == SPACE_GLOBAL) && o->name && !strcmp(o->name, f->object))
			return o;
	}
	return NULL;
}

/* An access out of bounds may be the fault of what was guessed. */
static const char *bounds_hint(const Hinted *h)
{
	const Finding *f = h->f;
	const Launch *l = h->in->launch;
	const char *usual = f->space != SPACE_GLOBAL || finding_variable(h->in, h->p, f)
	                        ? "test the index against the size before the access, or make the array larger"
	                    : h->in->recorded
	                        ? "test the index against the size before the access, or create a larger buffer"
	                        : "test the index against the size before the access, or give a larger buffer with "
	                          "--arg";
	if (f->space == SPACE_GLOBAL && h->in->recorded && h->in->language == LANGUAGE_hip && !f->object)
		return "pass memory of hipMalloc, hipHostMalloc or hipMallocManaged: that of malloc and new is the "
		       "host's "
		       "alone. If it is such memory, test the index against the size";
	/* The first work-item is in the smallest group, too; but a loop may run over all of the group. */
	bool first_item = !f->local_id[0] && !f->local_id[1] && !f->local_id[2];
	u32 block = program_block_of(h->p, f->ins);
	bool smallest = first_item && block < h->p->blocks.n && !h->p->blocks.v[block].loop_depth;
	if (f->space == SPACE_LDS && !smallest)
		return or_smaller_groups(h, usual);
	if (l && f->space == SPACE_GLOBAL && l->global_from == FROM_GUESS && l->global_buffer &&
	    !finding_variable(h->in, h->p, f))
		return arena_printf(h->arena,
		                    "%s; or give %s: wavesim guessed one work-item for each element of '%s', and the "
		                    "kernel may need fewer",
		                    usual, h->w->global, l->global_buffer);
	return usual;
}

static const Profile *profile_of(const Hinted *h)
{
	return h->p == h->in->program ? h->in->profile : h->in->checks->profile;
}

/* The arguments that decide which place an access has, what is divided by, or which work-items come to a barrier: a bit
 * for each. */
static u64 deciding_args(const Hinted *h)
{
	const Finding *f = h->f;
	u32 branch;
	switch (f->kind) {
	case FINDING_out_of_bounds:
	case FINDING_misaligned:
	case FINDING_misaligned_atomic:
	case FINDING_row_overrun: return blame_operand_args(h->p, &f->ins, 1, 0);
	case FINDING_division_by_zero: return blame_operand_args(h->p, &f->ins, 1, 1);
	case FINDING_data_race: return blame_operand_args(h->p, (u32[]){f->own.ins, f->other.ins}, 2, 0);
	case FINDING_divergent_barrier:
	case FINDING_missed_barrier:
		branch = finding_parting(h->p, profile_of(h), f->ins, h->arena);
		return blame_operand_args(h->p, &branch, branch < h->p->ins.n, 0);
	default: return 0;
	}
}

/* Was it guessed without a hint, such as the bytes from row to row? A start of 0 is wrong only where it cannot be 0. */
static bool is_blind(const Hinted *h, u32 arg)
{
	const LaunchArg *a = &h->in->launch->args[arg];
	bool zero = h->f->kind == FINDING_out_of_bounds || h->f->kind == FINDING_division_by_zero;
	return a->origin == FROM_GUESS && (a->blind || (a->start && zero));
}

/* What was found may come of such guesses. */
static const char *guessed_values(const Hinted *h, const char *hint)
{
	enum { MOST_NAMES = 4, MOST_ARGS = 63 };
	const Launch *l = h->in->launch;
	u32 nargs = !l ? 0 : l->nargs < MOST_ARGS ? l->nargs : MOST_ARGS, n = 0;
	Buf names = {0};
	bool any = false;
	for (u32 i = 0; i < nargs; i++)
		any |= is_blind(h, i);
	u64 args = any ? deciding_args(h) : 0;
	for (u32 i = 0; i < nargs; i++)
		if (args >> i & 1 && is_blind(h, i) && n++ < MOST_NAMES)
			buf_printf(&names, "%s%s = %u", n > 1 ? ", " : "", l->kernel_args[i].name, !l->args[i].start);
	if (n)
		hint = arena_printf(h->arena,
		                    "%s; %s%s %s: give %s with --arg, as this may not be a fault of the kernel", hint,
		                    names.v, n > MOST_NAMES ? " …" : "", n > 1 ? "are guesses" : "is a guess",
		                    n > 1 ? "them" : "it");
	array_free(&names);
	return hint;
}

/* A pointer that was read from a structure of a HIP program, which only the program could fill. */
static const char *null_hint(const Hinted *h)
{
	if (h->f->space == SPACE_LDS || h->f->space == SPACE_PRIVATE)
		return arena_printf(h->arena, "test the pointer before the access, or let it point to %s memory",
		                    h->f->space == SPACE_LDS ? h->w->shared : "private");
	const char *usual =
	    h->in->recorded
		? "test the pointer before the access, or pass a buffer where the program launches the kernel"
		: "test the pointer before the access, or give the argument a buffer with --arg";
	if (!h->in->structures || h->in->language != LANGUAGE_hip)
		return usual;
	return arena_printf(h->arena,
	                    "%s; if the pointer comes from %s, which wavesim filled with zeros, run the whole program "
	                    "with `wavesim run`",
	                    usual, h->in->structures);
}

/* Work-items that returned are not in a branch, out of which the barrier could be moved. */
static const char *barrier_hint(const Hinted *h)
{
	const SrcLoc *at = finding_return(h->in, h->p, profile_of(h), h->f->ins, h->arena);
	if (!at)
		return "every work-item of the group must reach the barrier, and the one named does not: move it out "
		       "of the branch or loop around it";
	return arena_printf(h->arena,
	                    "the work-item named returned at line %u and never reaches the barrier: remove that "
	                    "return, and put the code between the barriers into an `if`",
	                    at->line);
}

static const char *endless_hint(const Hinted *h)
{
	switch (finding_endless_loop(h->p, h->f->ins, h->arena)) {
	case ENDLESS_empty:
		return "the condition of this loop is always true, so it never ends, and the compiler removed its "
		       "body: correct the condition";
	case ENDLESS_waits:
		return "this loop spins on an atomic: if it takes a lock, a lane of the same wavefront may hold the "
		       "lock, and cannot release it before the other lanes leave the loop; let one lane of each wavefront "
		       "take it. Otherwise correct the condition that ends the loop, or raise --max-instructions";
	case ENDLESS_other: break;
	}
	return "check the condition that ends the loop, or raise --max-instructions";
}

static const char *division_hint(const Hinted *h)
{
	static const char usual[] = "test that the divisor is not 0 before the division";
	if (!h->in->structures)
		return usual;
	return arena_printf(h->arena,
	                    "%s; if it comes from %s, which wavesim filled with zeros, give its contents with --arg, "
	                    "or run the whole program with `wavesim run`",
	                    usual, h->in->structures);
}

static const char *kinds_hint(const Hinted *h)
{
	const SourceWords *w = h->w;
	switch (h->f->kind) {
#define HINT(finding, ...) \
	case FINDING_##finding: \
		return arena_printf(h->arena, __VA_ARGS__);
#define HINT_BY(finding, hint) \
	case FINDING_##finding: \
		return hint(h);
#include "engine/hints.def"
	case FINDING_COUNT: break;
	}
	return NULL;
}

const char *finding_hint(const Result *r, const ResultInput *in, const Program *p, const Finding *f)
{
	const Hinted h = {.f = f, .in = in, .p = p, .w = &source_words[in->language], .arena = r->arena};
	const char *hint = kinds_hint(&h);
	return hint ? guessed_values(&h, hint) : NULL;
}
