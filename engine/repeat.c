/* The launch once more, where results differ from PoCL's: with PoCL's in place of AMD's inexact functions, and without
 * the options that leave the rounding to the compiler.
 *
 * AMD's functions and PoCL's differ in their last bits, which a kernel may magnify without bound (cancellation, a
 * test of a result, iterations), and under -cl-fast-relaxed-math two compilers need not agree at all. With both out
 * of the way every element has to be equal bit for bit. Is it, then the machine did as the program says, but for what
 * only AMD's functions use: is that at fault?
 *
 * The kernel itself says what it makes of their errors. The run is repeated with PoCL's functions, each result of which
 * is moved as far as it may be off, in three ways. An element may differ by what it moved in these runs, times what
 * chance may do; one that did not move does not depend on such functions, and has to be equal. And the run is repeated
 * once with other values where OpenCL leaves these open: results of functions, what the options that were left out say
 * nothing of, addresses as numbers, components of vectors that have none. What moved then may be anything. Where tests
 * of rounded values go another way in some of these runs, they may in AMD's. Without these runs (they do not end, or
 * options leave the rounding to the compiler) a limit for all of the kernel has to do: an error in each of its
 * operations.
 *
 * That program is built once a kernel: it belongs to the one that it repeats. Of recorded launches of it, which come
 * one after the other, those behind one that was equal are repeated only where rounding cannot carry the difference. */
#include "engine/element.h"
#include "engine/reference.h"

#include <float.h>
#include <math.h>

/* ---- the program ---- */

/* options without those that give up exact results; dropped takes these. */
static char *exact(const char *options, Buf *dropped, Arena *a)
{
	static const char *const inexact[] = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
	                                      "-cl-mad-enable",        "-cl-finite-math-only",
	                                      "-cl-denorms-are-zero",  "-cl-no-signed-zeros"};
	Buf kept = {0};
	for (const char *p = options ? options : ""; *p;) {
		size_t n = strcspn(p, " \t\n");
		bool drop = false;
		for (u32 i = 0; n && i < COUNT(inexact); i++)
			drop |= strlen(inexact[i]) == n && !strncmp(p, inexact[i], n);
		if (drop && !(dropped->n && strstr(dropped->v, arena_strndup(a, p, n))))
			buf_printf(dropped, "%s%.*s", dropped->n ? " " : "", (int)n, p);
		n += strspn(p + n, " \t\n");
		if (!drop)
			buf_write(&kept, p, n);
		p += n;
	}
	return buf_keep(&kept, a);
}

/* The same of all that a recorded program is built from. */
static const SrcProgram *exact_source(const SrcProgram *src, Buf *dropped, Arena *a)
{
	if (!src)
		return NULL;
	SrcProgram *s = ARENA_NEW(a, SrcProgram);
	*s = *src;
	s->options = exact(src->options, dropped, a);
	s->units = ARENA_ARRAY(a, SrcUnit, src->nunits + 1);
	for (u32 i = 0; i < src->nunits; i++) {
		s->units[i] = src->units[i];
		s->units[i].options = exact(src->units[i].options, dropped, a);
	}
	return s;
}

/* ---- how far apart ---- */

/* What a run did. */
typedef struct Extent {
	u64 strays; /* work-items whose accesses missed their memory */
	u64 instructions;
} Extent;

static Extent extent_of(const Program *program, const Profile *p)
{
	ProfileTotals t;
	profile_totals(program, p, &t);
	Extent e = {.instructions = t.wave_instructions};
	for (u32 i = 0; i < p->findings.n; i++)
		e.strays += finding_is_access[p->findings.v[i].kind] ? p->findings.v[i].count : 0;
	return e;
}

/* Runs of which each argument's memory is kept. */
typedef struct Shaken {
	bool known; /* all that were asked for ended */
	Extent usual; /* of plain */
	Arguments plain, moved[MOST_SHAKEN], open;
	u32 nmoved;
	bool has_open;
} Shaken;

/* Argument i of the run that is asked about, beside what is open; of is what these runs left, and lives as long as
 * this. */
static ElementCompare compare_open(const EngineRun *r, const Arguments *a, u32 i, const Shaken *s, ElementShaken *of)
{
	ElementCompare c = compare_of(r->program, &r->launch, a, i, compare_pointees(r->program, a, r->arena));
	if (!s || !s->known)
		return c;
	of->plain = (u8 *)s->plain.data[i] + c.front;
	of->open = s->has_open ? (u8 *)s->open.data[i] + c.front : NULL;
	c.shaken = of;
	return c;
}

/* … and what errors moved. */
static ElementCompare compare_shaken(const EngineRun *r, const Arguments *a, u32 i, const Shaken *s, ElementShaken *of)
{
	ElementCompare c = compare_open(r, a, i, s, of);
	for (u32 k = 0; c.shaken && k < s->nmoved; k++)
		of->moved[k] = (u8 *)s->moved[k].data[i] + c.front;
	return c;
}

/* An error in each of n operations, all of the size of the largest value, adds up to this. */
static double most_rounding(const EngineRun *r, const ElementCompare *c)
{
	const ElemShape *s = &c->shape;
	FeLimits limits = reference_limits(r);
	double ulps = s->elem_bytes == 8 ? limits.f64 : limits.f32;
	double eps = s->elem_class != ELEM_FLOAT || s->elem_bytes == 4 ? (double)FLT_EPSILON
	             : s->elem_bytes == 8 ? DBL_EPSILON : 0x1p-10;
	u64 steps = 0;
	for (u32 i = 0; i < r->profile->wave_profs.n; i++) {
		u64 ran = r->profile->wave_profs.v[i].instructions;
		steps = ran > steps ? ran : steps;
	}
	double most = (double)steps * fmax(ulps, 1) * eps * element_largest(c);
	return s->elem_class == ELEM_FLOAT ? most : fmax(most, 1);
}

/* One in so many, where a test of a rounded value may have gone the other way. */
enum { FEW = 128 };

/* Are more than a few elements of a buffer further from PoCL's than rounding can carry them? s: says what is open; or
 * NULL. */
static bool beyond_rounding(const EngineRun *r, const Arguments *a, const Shaken *s)
{
	for (u32 i = 0, k = 0; i < a->n; i++) {
		if (!a->result[i])
			continue;
		const RefBuffer *b = &r->reference.buffers[k++];
		if (FEW * b->mismatches <= b->elements)
			continue;
		ElementShaken of = {0};
		ElementCompare c = compare_shaken(r, a, i, s, &of);
		c.most = most_rounding(r, &c);
		element_compare(&c);
		if (FEW * c.different > b->elements)
			return true;
	}
	return false;
}

/* ---- as the kernel says ---- */

/* The launch, with the program that r has. False: it takes far longer than usual, or, where addresses are other
 * numbers, more of its accesses miss their memory: what these read says nothing. */
static bool run_shaken(EngineRun *r, const Extent *usual, bool addresses, Arguments *keep)
{
	enum { LONGER = 4, SHORT = 1 << 20 };
	SimConfig cfg;
	memset(&r->args, 0, sizeof r->args);
	if (!arguments_build(&r->args, &r->launch, r->program, &r->limits, RESULT_NONE, r->d)) {
		arguments_free(&r->args);
		return false;
	}
	run_sim_launch(r);
	run_config(r, &cfg);
	cfg.uncounted = true;
	u64 most = LONGER * usual->instructions + SHORT;
	if (!cfg.max_launch_instructions || most < cfg.max_launch_instructions)
		cfg.max_launch_instructions = most;
	Profile *p = sim_run(r->program, &r->sim, &cfg, r->d);
	bool ended = p && !p->stopped && (!addresses || extent_of(r->program, p).strays <= usual->strays);
	profile_free(p);
	*keep = r->args;
	return ended;
}

/* like: the program that r has is of the same options. */
static void shaken_runs(EngineRun *r, const FeLimits *limits, bool like, bool open, Shaken *s)
{
	static const BuildOther ways[MOST_SHAKEN] = {BUILD_SHAKEN, BUILD_SHAKEN_2, BUILD_SHAKEN_3};
	const char *why;
	bool rounds = like && (limits->f32 > 0 || limits->f64 > 0);
	s->known = s->plain.arena != NULL;
	for (u32 i = 0; i < MOST_SHAKEN && rounds && s->known; i++) {
		s->known = run_build_other(r, ways[i], true, &why) && run_shaken(r, &s->usual, false, &s->moved[i]);
		s->nmoved++;
	}
	if (s->known && open) {
		s->known = run_build_other(r, BUILD_UNDEFINED, like, &why) &&
		           run_shaken(r, &s->usual, true, &s->open);
		s->has_open = true;
	}
}

static void shaken_free(Shaken *s)
{
	arguments_free(&s->plain);
	for (u32 i = 0; i < s->nmoved; i++)
		arguments_free(&s->moved[i]);
	if (s->has_open)
		arguments_free(&s->open);
}

/* Is something further off than the errors of functions carry it? a: of the run that is asked about. */
static bool beyond_shaken(const EngineRun *r, const Arguments *a, const FeLimits *limits, const Shaken *s)
{
	static const double chance = 8, never = 1024; /* times: one in thousands is further off; none is */
	for (u32 i = 0; i < a->n; i++) {
		if (!a->result[i])
			continue;
		ElementShaken of = {.times = chance};
		ElementCompare c = compare_shaken(r, a, i, s, &of);
		c.ulps[1] = limits->f32;
		c.ulps[2] = limits->f64;
		c.flush_f32 = limits->flush_f32;
		element_compare(&c);
		if (!c.different)
			continue;
		if (FEW * c.different > element_count(&c.shape, c.size))
			return true;
		u64 unsteady = element_unsteady(&c);
		c.different = 0;
		of.times = never;
		element_compare(&c);
		if (c.different > unsteady)
			return true;
	}
	return false;
}

/* Do the results of the repeated run, s->plain, differ from PoCL's only where they are open? of: the run that was
 * repeated, which has PoCL's results unless the repeated one has its own. */
static bool only_open(const EngineRun *again, const EngineRun *of, bool natively, const Shaken *s)
{
	Arguments both = s->plain;
	const Reference *ref = &again->reference;
	u32 k = 0;
	if (!s->known || !s->has_open || ref->output_differs)
		return false;
	if (!natively) {
		both.result = of->args.result;
		both.before = of->args.before;
	}
	for (u32 i = 0; i < both.n; i++)
		k += both.result[i] != NULL;
	for (; k < ref->nbuffers; k++)
		if (ref->buffers[k].mismatches && strcmp(ref->buffers[k].against, "expected") != 0)
			return false;
	for (u32 i = 0; i < both.n; i++) {
		if (!both.result[i])
			continue;
		ElementShaken of_it = {0};
		ElementCompare c = compare_open(again, &both, i, s, &of_it); /* both have PoCL's functions */
		element_compare(&c);
		if (c.different)
			return false;
	}
	return true;
}

/* ---- the run ---- */

/* What the elements that are open depend on. */
static const char *open_words(const FeLimits *limits, const char *dropped, Arena *a)
{
	const struct {
		bool is;
		const char *what;
	} rows[] = {
		{limits->addresses, "addresses, which differ in each run"},
		{limits->unset, "a vector component without a value, such as the second one of .hi of three"},
		{limits->open, "functions that may give any result for some arguments"},
		{dropped, dropped},
	};
	Buf out = {0};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (rows[i].is)
			buf_printf(&out, "%s%s", out.n ? "; or " : "", rows[i].what);
	return buf_keep(&out, a);
}

/* limits, s: as it is compared by. */
static void accept(EngineRun *r, const FeLimits *limits, const Shaken *s, const char *dropped)
{
	Reference *ref = &r->reference;
	u64 *open = ARENA_ARRAY(r->arena, u64, ref->nbuffers + 1), differ = 0; /* of those that differ */
	ref->status = REF_equal;
	ref->output_differs = false;
	for (u32 i = 0, k = 0; i < r->args.n && s->known && s->has_open; i++) {
		if (!r->args.result[i])
			continue;
		RefBuffer *b = &ref->buffers[k++];
		ElementShaken of = {0};
		ElementCompare c = compare_open(r, &r->args, i, s, &of); /* what is open is not within a limit */
		c.ulps[1] = limits->f32;
		c.ulps[2] = limits->f64;
		c.flush_f32 = limits->flush_f32;
		element_compare(&c);
		b->open = element_open(&c);
		ref->open += b->open;
		open[k - 1] = c.open < b->mismatches ? c.open : b->mismatches;
		differ += open[k - 1];
	}
	ref->open_what = ref->open ? open_words(limits, dropped, r->arena) : NULL;
	for (u32 i = 0; i < ref->nbuffers; i++) {
		RefBuffer *b = &ref->buffers[i];
		if (!strcmp(b->against, "expected"))
			continue;
		b->within += b->mismatches - open[i];
		b->mismatches = b->nfirst = 0;
	}
	ref->within += ref->mismatches - differ;
	ref->mismatches = 0;
}

/* With the program that r has, as `of` was launched. Are results beyond what errors carry? s: runs that say so, or
 * NULL. keep: gets its memory, and what it did; or NULL. */
static bool repeat(EngineRun *r, const EngineRun *of, const PoclOutcome *outcome, bool natively, const Shaken *s,
                   Shaken *keep)
{
	FeLimits limits = reference_limits(of);
	Arguments both;
	SimConfig cfg;
	PoclRun *run = NULL;
	bool beyond = false;
	memset(&r->args, 0, sizeof r->args);
	r->profile = NULL;
	r->reference = (Reference){.status = REF_unavailable};
	bool ok =
	    arguments_build(&r->args, &r->launch, r->program, &r->limits, natively ? RESULT_POCL : RESULT_NONE, r->d);
	if (ok && of->args.before && natively)
		arguments_keep(&r->args);
	if (ok && natively)
		ok = (run = reference_start(r)) != NULL;
	if (ok) {
		run_sim_launch(r);
		run_config(r, &cfg);
		r->profile = sim_run(r->program, &r->sim, &cfg, r->d);
	}
	both = r->args;
	if (!r->profile) {
		reference_drop(run);
	} else if (natively) {
		reference_wait(r, run);
	} else {
		FeLimits own = reference_limits(r);
		both.from = of->args.from;
		both.result = of->args.result;
		both.before = of->args.before;
		r->reference.status = REF_equal;
		compare_results(&r->reference, r->program, &r->launch, &both, outcome, r->profile, &own, r->arena);
	}
	if (r->profile) {
		beyond = r->reference.status == REF_different &&
		         (s ? beyond_shaken(r, &both, &limits, s) : beyond_rounding(r, &both, NULL));
		if (keep)
			keep->usual = extent_of(r->program, r->profile);
		profile_free(r->profile);
	}
	if (keep && (r->reference.status == REF_equal || r->reference.status == REF_different))
		keep->plain = r->args;
	else
		arguments_free(&r->args);
	return beyond;
}

void reference_repeat(EngineRun *r, const PoclOutcome *outcome)
{
	EngineRun again = *r;
	Buf dropped = {0};
	const char *why;
	Diag d;
	if (!r->fe || run_late(r))
		return;
	diag_init(&d);
	again.d = &d;
	again.build_options = exact(r->build_options, &dropped, r->arena);
	again.src = exact_source(r->src, &dropped, r->arena);
	again.dropped = dropped.n ? arena_strdup(r->arena, dropped.v) : NULL;
	FeLimits limits = reference_limits(r);
	/* Functions without a limit give the same with both libraries. */
	bool amd = fe_builtins(r->fe) == BUILTINS_AMD && (limits.f32 > 0 || limits.f64 > 0 || limits.open);
	bool own = limits.addresses || limits.unset;
	bool finite =
	    dropped.n && (strstr(dropped.v, "-cl-fast-relaxed-math") || strstr(dropped.v, "-cl-finite-math-only"));
	bool open = limits.open || own || finite;
	const char *with = arena_printf(r->arena, "%s%s%s", amd ? "with PoCL's built-in functions" : "",
	                                amd && dropped.n ? " and " : "",
	                                dropped.n ? arena_printf(r->arena, "without %s", dropped.v) : "");
	if (r->recorded && r->built->repeat_equal && !open && !beyond_rounding(r, &r->args, NULL)) {
		r->reference.repeated = arena_printf(r->arena, "%s (an earlier launch of this kernel)", with);
		r->reference.repeat_equal = true;
		accept(r, &limits, &(Shaken){0}, NULL);
	} else if ((amd || dropped.n || own) && run_build_other(&again, BUILD_EXACT, !dropped.n, &why)) {
		Shaken s = {0};
		repeat(&again, r, outcome, dropped.n > 0, NULL, &s);
		RefStatus status = again.reference.status;
		if (status == REF_equal || (status == REF_different && open))
			shaken_runs(&again, &limits, !dropped.n, open, &s);
		bool equal = status == REF_equal || only_open(&again, r, dropped.n > 0, &s);
		r->reference.repeated = (amd || dropped.n) && (equal || status == REF_different) ? with : NULL;
		r->reference.repeat_equal = equal && r->reference.repeated;
		const Shaken *carried = equal && s.known && !dropped.n ? &s : NULL;
		r->reference.beyond = carried && beyond_shaken(r, &r->args, &limits, &s);
		equal = equal && !r->reference.beyond;
		if (equal && limits.open && run_build_other(&again, BUILD_DEFINED, !dropped.n, &why))
			equal = !repeat(&again, r, outcome, dropped.n > 0, carried, NULL);
		else if (equal && !limits.open)
			equal = !beyond_rounding(r, &r->args, &s);
		if (equal)
			accept(r, &limits, &s, again.dropped);
		shaken_free(&s);
		if (equal && r->recorded)
			r->built->repeat_equal = true;
	}
	diag_free(&d);
	array_free(&dropped);
}
