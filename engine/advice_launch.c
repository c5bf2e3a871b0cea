/* Advice on the launch and on what a wavefront takes: group sizes, occupancy steps. */
#include "engine/advice.h"

#include "engine/run.h"

#include "base/number.h"

/* ---- work-groups of other sizes, which are tried ---- */

enum { MOST_SIZES = 3 };
/* By so much a size is better than one that was tried before it, which is nearer to what was launched
 * (models/README.md). */
static const double least_better = 0.001;

typedef struct Sizes {
	u64 local[MOST_SIZES][3];
	u32 n;
	/* What became of them. */
	u32 best;        /* of those with the same results; n: there is none */
	double best_us;
	bool other;      /* some have others */
	bool wrong;      /* some do something wrong */
	char *times;     /* "2.8 us with 64, …" */
	char *failed;    /* "64 or 128", of these */
} Sizes;

static u64 items_of(const u64 local[3]) { return local[0] * local[1] * local[2]; }

static void put_size(const Advisor *a, const u64 local[3], Buf *out)
{
	for (u32 i = 0; i < a->r->dims; i++)
		buf_printf(out, "%s%llu", i ? "x" : "", (unsigned long long)local[i]);
}

static const char *size_text(Advisor *a, const u64 local[3])
{
	Buf b = {0};
	put_size(a, local, &b);
	return buf_keep(&b, a->r->arena);
}

static void add_size(Advisor *a, Sizes *s, u64 x, u64 y, u64 z)
{
	const u64 size[3] = {x, y, z};
	u64 items = x * y * z;
	for (u32 i = 0; i < s->n; i++)
		if (!memcmp(s->local[i], size, sizeof size))
			return;
	if (s->n < MOST_SIZES && items && items <= run_max_group(a->in->more))
		memcpy(s->local[s->n++], size, sizeof size);
}

/* Those of which it is not known how long they take, though one of the others is of use: all are named then. */
static void try_long(Advisor *a, Trial *trials, u32 n, double most_us, TrialOutcome *outcome, TrialCost *cost)
{
	bool any = false;
	for (u32 i = 0; i < n; i++)
		any |= outcome[i] == TRIAL_SAME && cost[i].us <= most_us;
	for (u32 i = 0; i < n; i++) {
		if (!any || outcome[i] != TRIAL_LONG)
			continue;
		trials[i].most_us = 0;
		outcome[i] = advice_try(a, &trials[i], &cost[i]);
	}
}

/* most_us: what takes longer is of no use; 0: it is. */
static void try_sizes(Advisor *a, Sizes *s, double most_us)
{
	Buf times = {0}, failed = {0};
	u32 last[MOST_SIZES], nfailed = 0;
	Trial trials[MOST_SIZES] = {0};
	TrialOutcome outcome[MOST_SIZES];
	TrialCost cost[MOST_SIZES];
	for (u32 i = 0; i < s->n; i++) {
		memcpy(trials[i].local, s->local[i], sizeof trials[i].local);
		trials[i].most_us = most_us;
	}
	advice_try_all(a, trials, s->n, outcome, cost);
	try_long(a, trials, s->n, most_us, outcome, cost);
	s->best = s->n;
	for (u32 i = 0; i < s->n; i++) {
		s->other |= outcome[i] == TRIAL_OTHER;
		s->wrong |= outcome[i] == TRIAL_WRONG;
		if (outcome[i] == TRIAL_OTHER || outcome[i] == TRIAL_WRONG)
			last[nfailed++] = i;
		if (outcome[i] != TRIAL_SAME)
			continue;
		char time[TIME_WORDS];
		buf_printf(&times, "%s%s with ", times.n ? ", " : "", time_words(time, cost[i].us));
		put_size(a, s->local[i], &times);
		if (s->best == s->n || cost[i].us < (1 - least_better) * s->best_us) {
			s->best = i;
			s->best_us = cost[i].us;
		}
	}
	for (u32 i = 0; i < nfailed; i++) {
		buf_printf(&failed, "%s", i ? i + 1 < nfailed ? ", " : " or " : "");
		put_size(a, s->local[last[i]], &failed);
	}
	s->times = buf_keep(&times, a->r->arena);
	s->failed = buf_keep(&failed, a->r->arena);
}

static const char *best_hint(Advisor *a, const Sizes *s)
{
	const u64 *local = s->local[s->best];
	bool uneven = false;
	for (u32 i = 0; i < 3; i++)
		uneven |= a->r->global[i] % local[i] != 0;
	return advice_text(a, "work-groups of %s; tried, with the same results: %s%s", size_text(a, local), s->times,
	                   uneven ? "; the last one is not full: round the global size up, and test the id" : "");
}

/* The best of the sizes, or why there is none. otherwise: what to do where none could be tried. */
static const char *sizes_hint(Advisor *a, const Sizes *s, const char *otherwise)
{
	const char *hint = otherwise;
	if (s->best < s->n && !advice_gains(a, s->best_us)) {
		hint = advice_text(a, "other sizes bring nothing (tried: %s): %s", s->times, otherwise);
	} else if (s->best < s->n) {
		hint = best_hint(a, s);
	} else if (s->other || s->wrong) {
		hint = advice_text(
		    a,
		    "with work-groups of %s %s: it may be made for its size (arrays in %s memory, sums, index "
		    "arithmetic), so change that as well",
		    s->failed,
		    !s->wrong   ? "the kernel leaves other results"
		    : !s->other ? "the kernel goes wrong (findings)"
				: "the kernel leaves other results or goes wrong (findings)",
		    a->words->shared);
	}
	return hint;
}

/* ---- the last wavefront of a group is not full ---- */

static u64 common_factor(u64 a, u64 b) { return b ? common_factor(b, a % b) : a; }

void advice_partial_wave(Advisor *a)
{
	enum { USUAL_WAVES = 4 };
	const Result *r = a->r;
	u64 size = items_of(r->local), full = (size + r->wave - 1) / r->wave * r->wave;
	if (size == full || r->ngroups < 2)
		return;
	/* Only local[0] changes, in the smallest steps that make the group a multiple of the wavefront. */
	u64 row = r->local[1] * r->local[2], step = r->wave / common_factor(r->wave, row),
	    down = r->local[0] / step * step;
	Sizes s = {0};
	add_size(a, &s, down, r->local[1], r->local[2]);
	add_size(a, &s, down + step, r->local[1], r->local[2]);
	if ((down + step) * row < (u64)USUAL_WAVES * r->wave)
		add_size(a, &s, USUAL_WAVES * r->wave / row / step * step, r->local[1], r->local[2]);
	try_sizes(a, &s, 0);
	const char *longer =
	    advice_text(a, "in longer launches, multiples of %u may do better%s", r->wave,
	                a->in->recorded ? "" : advice_text(a, "; wavesim sweep %s auto tells which", a->words->local));
	advise(a, ADVICE_partial_wave, 0, s.best < s.n ? &(EstimateChanged){.time_us = s.best_us} : NULL,
	       advice_text(a, "work-groups of %s on wavefronts of %u: %llu of %llu lanes have no work-item",
	                   size_text(a, r->local), r->wave, (unsigned long long)(full - size),
	                   (unsigned long long)full),
	       sizes_hint(a, &s, longer));
}

/* ---- compute units without work-groups ---- */

void advice_idle_units(Advisor *a)
{
	static const double idle_enough = 0.1, enough = 0.95; /* of the time: some units always have more to do */
	const Result *r = a->r;
	u64 units = r->estimate->all_wgps, rounds = (r->ngroups + units - 1) / units;
	u64 last = r->ngroups - (rounds - 1) * units;
	if ((double)(units - last) < idle_enough * (double)(rounds * units))
		return;
	/* The rows along the first dimension stay, for those lanes lie side by side. */
	Sizes s = {0};
	u64 x = r->local[0], y = r->local[1], z = r->local[2];
	while (s.n < MOST_SIZES) {
		u64 *halved = z % 2 == 0 ? &z : y % 2 == 0 ? &y : x % 2 == 0 ? &x : NULL;
		if (!halved || x * y * z / 2 % r->wave)
			break;
		*halved /= 2;
		add_size(a, &s, x, y, z);
	}
	try_sizes(a, &s, enough * r->estimate->time_us);
	if (s.best == s.n || s.best_us > enough * r->estimate->time_us)
		return;
	const char *unit = a->in->device->cus_per_wgp > 1 ? "work-group processors" : "compute units";
	advise(a, ADVICE_idle_units, 0, &(EstimateChanged){.time_us = s.best_us},
	       rounds == 1 ? advice_text(a, "%llu work-group%s: %llu of %llu %s have nothing to do",
	                                 (unsigned long long)r->ngroups, r->ngroups == 1 ? "" : "s",
	                                 (unsigned long long)(units - last), (unsigned long long)units, unit)
	                   : advice_text(a, "%llu work-groups on %llu %s: %llu of these get %llu, the others %llu",
	                                 (unsigned long long)r->ngroups, (unsigned long long)units, unit,
	                                 (unsigned long long)last, (unsigned long long)rounds,
	                                 (unsigned long long)rounds - 1),
	       best_hint(a, &s));
}

/* ---- just above a step of the occupancy ---- */

static void step(Advisor *a, AdviceId id, OccInput in, u32 loc, const char *message, const char *hint)
{
	Occupancy o;
	occupancy(a->in->device, &in, &o);
	const EstimateChanged *after = advice_time(a, (EstimateChange){.occupancy = &o});
	if (after)
		advise(a, id, loc, after, message, hint);
}

/* Are there more work-groups than fit at once? Else nothing more can come of occupancy. */
static bool more_would_come(const Advisor *a)
{
	return a->base.plan->per_wgp > a->base.plan->resident;
}

static const char *more_waves(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	bool simd = a->in->device->simds_per_cu > 1;
	return advice_text(a, "%.4g wavefronts per %s fit in place of %.4g",
	                   simd ? o->next.waves_per_simd : o->next.waves_per_cu, simd ? "SIMD" : "compute unit",
	                   simd ? o->waves_per_simd : o->waves_per_cu);
}

/* The variables that take most registers where most are needed. */
static const char *who_holds(Advisor *a)
{
	Buf b = {0};
	const Result *r = a->r;
	for (u32 i = 0, n = 0; i < r->peak.n && n < 3; i++) {
		const ResultLive *v = &r->peak.values[i];
		if (!v->name)
			continue;
		buf_printf(&b, "%s%s (%u)", n++ ? ", " : "", v->name, v->vgprs);
	}
	return buf_keep(&b, a->r->arena);
}

void advice_register_step(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	if (o->next.n != 1 || o->next.v[0].resource != OCC_vgprs || !more_would_come(a))
		return;
	u64 less = o->next.v[0].less, most = o->in.vgprs / 8 > 4 ? o->in.vgprs / 8 : 4;
	if (!less || less > most)
		return;
	OccInput in = o->in;
	in.vgprs = (u32)o->next.v[0].to;
	const char *held = who_holds(a);
	step(a, ADVICE_register_step, in, a->in->program->peak_loc,
	     advice_text(a, "%u vector registers: with %llu fewer %s", o->in.vgprs, (unsigned long long)less,
	                 more_waves(a)),
	     *held
	         ? advice_text(a, "shorten what lives here: %s; load it later, or work on fewer values at a time", held)
	         : "load values later, or work on fewer of them at a time");
}

void advice_lds_step(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	if (o->next.n != 1 || o->next.v[0].resource != OCC_lds || !more_would_come(a))
		return;
	u64 less = o->next.v[0].less, most = o->in.lds_bytes / 8 > 256 ? o->in.lds_bytes / 8 : 256;
	if (!less || less > most)
		return;
	OccInput in = o->in;
	in.lds_bytes = o->next.v[0].to;
	step(a, ADVICE_lds_step, in, 0,
	     advice_text(a, "%s bytes of %s memory: with %s fewer %s", advice_number(a, o->in.lds_bytes),
	                 a->words->shared, advice_number(a, less), more_waves(a)),
	     advice_text(a, "make do with %s bytes: smaller tiles, narrower elements, or one array used twice",
	                 advice_number(a, o->next.v[0].to)));
}
