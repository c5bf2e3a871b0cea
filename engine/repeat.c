/* The launch once more, where results differ from PoCL's: with PoCL's in place of AMD's inexact functions, and without
 * the options that leave the rounding to the compiler.
 *
 * AMD's functions and PoCL's differ in their last bits, which a kernel may magnify without bound (cancellation, a
 * test of a result, iterations), and under -cl-fast-relaxed-math two compilers need not agree at all. With both out
 * of the way every element has to be equal bit for bit. Is it, then the machine did as the program says, and what
 * differs is rounding. No limit is added for it: but where more than a few elements are further apart than rounding
 * errors can carry, what only AMD's functions use is at fault, and the difference stays. Where the kernel calls
 * functions that OpenCL leaves open, these are PoCL's in the run of which that is asked.
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

/* Are more than a few elements of a buffer further from PoCL's than rounding can carry them? */
static bool beyond_rounding(const EngineRun *r, const Arguments *a)
{
	enum { FEW = 128 }; /* one in so many, where a test of a rounded value may have gone the other way */
	for (u32 i = 0, k = 0; i < a->n; i++) {
		if (!a->result[i])
			continue;
		const RefBuffer *b = &r->reference.buffers[k++];
		if (FEW * b->mismatches <= b->elements)
			continue;
		ElementCompare c = compare_of(r->program, &r->launch, a, i);
		c.most = most_rounding(r, &c);
		element_compare(&c);
		if (FEW * c.different > b->elements)
			return true;
	}
	return false;
}

/* ---- the run ---- */

static void accept(Reference *ref)
{
	ref->status = REF_equal;
	ref->output_differs = false;
	for (u32 i = 0; i < ref->nbuffers; i++) {
		RefBuffer *b = &ref->buffers[i];
		if (!strcmp(b->against, "expected"))
			continue;
		b->within += b->mismatches;
		b->mismatches = b->nfirst = 0;
	}
	ref->within += ref->mismatches;
	ref->mismatches = 0;
}

/* With the program that r has, as `of` was launched. Are results beyond rounding? */
static bool repeat(EngineRun *r, const EngineRun *of, const PoclOutcome *outcome, bool natively)
{
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
		FeLimits limits = reference_limits(r);
		both.from = of->args.from;
		both.result = of->args.result;
		both.before = of->args.before;
		r->reference.status = REF_equal;
		compare_results(&r->reference, r->program, &r->launch, &both, outcome, r->profile, &limits, r->arena);
	}
	if (r->profile) {
		beyond = r->reference.status == REF_different && beyond_rounding(r, &both);
		profile_free(r->profile);
	}
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
	FeLimits limits = reference_limits(r);
	/* Functions without a limit give the same with both libraries. */
	bool amd = fe_builtins(r->fe) == BUILTINS_AMD && (limits.f32 > 0 || limits.f64 > 0 || limits.open);
	const char *with = arena_printf(r->arena, "%s%s%s", amd ? "with PoCL's built-in functions" : "",
	                                amd && dropped.n ? " and " : "",
	                                dropped.n ? arena_printf(r->arena, "without %s", dropped.v) : "");
	if (r->recorded && r->built->repeat_equal && !limits.open && !beyond_rounding(r, &r->args)) {
		r->reference.repeated = arena_printf(r->arena, "%s (an earlier launch of this kernel)", with);
		r->reference.repeat_equal = true;
		accept(&r->reference);
	} else if ((amd || dropped.n) && run_build_other(&again, BUILD_EXACT, !dropped.n, &why)) {
		repeat(&again, r, outcome, dropped.n > 0);
		RefStatus status = again.reference.status;
		r->reference.repeated = status == REF_equal || status == REF_different ? with : NULL;
		r->reference.repeat_equal = status == REF_equal;
		bool equal = status == REF_equal;
		if (equal && limits.open && run_build_other(&again, BUILD_DEFINED, !dropped.n, &why))
			equal = !repeat(&again, r, outcome, dropped.n > 0);
		else if (equal && !limits.open)
			equal = !beyond_rounding(r, &r->args);
		if (equal)
			accept(&r->reference);
		if (equal && r->recorded)
			r->built->repeat_equal = true;
	}
	diag_free(&d);
	array_free(&dropped);
}
