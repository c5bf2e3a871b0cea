/* The rules one after the other, what each may play, and their advice in the order of the gain. */
#include "engine/advice.h"

#include "base/number.h"
#include "base/parallel.h"
#include "engine/run.h"

enum { NOTE, DROP };

static const struct {
	const char *name;
	int without_gain;
	WhatIf ideal;
	const char *beyond;
	void (*rule)(Advisor *a);
} rules[ADVICE_COUNT] = {
#define ADVICE(name, without_gain, ideal, beyond, doc) \
	{#name, without_gain, IF_##ideal, beyond, advice_##name},
#include "engine/advice.def"
};

/* Gains below this share of the time are none. */
static const double gain_enough = 0.01;
/* Machine instructions of the changes that all rules together may time: a few times the launch's own
 * record, for short records any number. A change of how many work-groups fit is played more than once. */
enum { PLAYS = 5, PLAYS_SHORT = 1 << 21 };
/* Wave instructions that all trials together may execute: a second or two; and one of them, so many times what the
 * launch did, and some more for short launches: with other sizes a loop may never end. */
enum { TRIES = 1 << 27, TRY_LONGER = 16, TRY_SHORT = 1 << 16 };

bool advice_can_time(const Advisor *a) { return a->r->estimate->issued + 1 <= a->plays; }

const EstimateChanged *advice_time(Advisor *a, EstimateChange c)
{
	if (!advice_can_time(a))
		return NULL;
	EstimateChanged *out = ARENA_NEW(a->arena, EstimateChanged);
	*out = estimate_changed(&a->base, a->r->estimate, &c);
	a->plays -= out->issued < a->plays ? out->issued + 1 : a->plays;
	return out;
}

const EstimateChanged *advice_time_record(Advisor *a, Events *record, EstimateChange c)
{
	c.events = record;
	const EstimateChanged *out = advice_time(a, c);
	events_free(record);
	return out;
}

typedef struct Tries {
	EngineRun *run;
	const Trial *t;
	TrialOutcome *out;
	TrialCost *cost;
	u64 *left;
	u32 threads; /* of each */
} Tries;

static void try_one(void *ctx, u32 i)
{
	const Tries *x = ctx;
	x->out[i] = trial_run(x->run, &x->t[i], x->threads, &x->left[i], &x->cost[i]);
}

void advice_try_all(Advisor *a, const Trial *t, u32 n, TrialOutcome *out, TrialCost *cost)
{
	u64 own = a->r->t.wave_instructions, most = own * TRY_LONGER + TRY_SHORT;
	for (u32 i = 0; i < n; i++)
		out[i] = TRIAL_UNKNOWN;
	if (!n || a->strays || own >= a->tries / n || run_late(a->in->more))
		return;
	most = most < a->tries / n ? most : a->tries / n;
	u64 *left = ARENA_ARRAY(a->arena, u64, n);
	Trial *trials = ARENA_ARRAY(a->arena, Trial, n);
	for (u32 i = 0; i < n; i++) {
		left[i] = most;
		trials[i] = t[i];
		trials[i].units = a->in->plan->wgps;
	}
	u32 threads = a->in->threads ? a->in->threads : processors();
	Tries x = {a->in->more, trials, out, cost, left, n < threads ? threads / n : 1};
	parallel(threads, n, try_one, &x);
	for (u32 i = 0; i < n; i++)
		a->tries -= most - left[i];
}

TrialOutcome advice_try(Advisor *a, const Trial *t, TrialCost *cost)
{
	TrialOutcome out;
	advice_try_all(a, t, 1, &out, cost);
	return out;
}

const char *advice_number(Advisor *a, u64 v)
{
	Buf b = {0};
	put_grouped(&b, v);
	return buf_keep(&b, a->r->arena);
}

static void find_place(const Advisor *a, u32 loc, ResultFinding *f)
{
	const SrcLoc *at = program_place(a->in->program, loc);
	SrcLoc kernel;
	for (u32 i = 0; !at && i < a->r->nsources; i++) {
		const char *text = a->r->sources[i].text;
		kernel = (SrcLoc){.file = i, .line = text ? source_kernel_line(text, a->r->kernel) : 0};
		at = kernel.line ? &kernel : NULL;
	}
	if (at)
		f->at = result_place(a->r, at);
}

/* ---- saying it ---- */

/* The what-if of the same thing, where the change brings clearly more: both are in one report. */
static const char *beyond_ideal(Advisor *a, AdviceId id, const EstimateChanged *after,
                                const char *message)
{
	const Estimate *e = a->r->estimate;
	WhatIf w = rules[id].ideal;
	if (!after || w == IF_COUNT || e->what_if_us[w] < 0 ||
	    after->time_us > e->what_if_us[w] - gain_enough / 2 * e->time_us)
		return message;
	char ideal[TIME_WORDS];
	return advice_text(a, "%s; this gains more than the what-if '%s' (%s), because %s", message, what_if_doc[w],
	                   time_words(ideal, e->what_if_us[w]), rules[id].beyond);
}

double advice_most(const Advisor *a) { return (1 - gain_enough) * a->r->estimate->time_us; }

bool advice_gains(const Advisor *a, double us)
{
	double before = a->r->estimate->time_us;
	return before - us >= gain_enough * before;
}

static void say(Advisor *a, AdviceId id, u32 loc, bool gains, double after_us, const char *message, const char *hint)
{
	ResultFinding f = {.id = rules[id].name, .severity = gains ? "advice" : "note", .advice = true, .count = 1,
	                   .message = message, .hint = hint, .before_us = a->r->estimate->time_us,
	                   .after_us = after_us};
	find_place(a, loc, &f);
	array_push(&a->said, f);
}

void advise(Advisor *a, AdviceId id, u32 loc, const EstimateChanged *after, const char *message,
            const char *hint)
{
	double before = a->r->estimate->time_us;
	double gain = after && after->time_us < before ? before - after->time_us : 0;
	bool enough = after && advice_gains(a, after->time_us);
	if (!enough && after && rules[id].without_gain == DROP)
		return;
	say(a, id, loc, enough, after ? before - gain : -1, enough ? beyond_ideal(a, id, after, message) : message,
	    hint);
}

void advise_note(Advisor *a, AdviceId id, u32 loc, const char *message, const char *hint)
{
	say(a, id, loc, false, -1, message, hint);
}

bool advice_said(const Advisor *a, AdviceId id, const SrcLoc *at)
{
	for (u32 i = 0; i < a->said.n; i++) {
		const ResultFinding *f = &a->said.v[i];
		if (f->id == rules[id].name && (!at || (f->at.file && f->at.line == at->line &&
		                                        !strcmp(f->at.file, a->r->sources[at->file].name))))
			return true;
	}
	return false;
}

static double gain_of(const ResultFinding *f) { return f->after_us < 0 ? 0 : f->before_us - f->after_us; }

/* The largest gain first; equal ones stay in the order of the rules. */
static void sort_said(Advisor *a)
{
	for (u32 i = 1; i < a->said.n; i++) {
		ResultFinding f = a->said.v[i];
		u32 k = i;
		for (; k && gain_of(&a->said.v[k - 1]) < gain_of(&f); k--)
			a->said.v[k] = a->said.v[k - 1];
		a->said.v[k] = f;
	}
}

/* Of global memory that happens at the edges of grids, and what is left is compared nevertheless. */
static bool has_strays(const Profile *prof)
{
	for (u32 i = 0; i < prof->findings.n; i++) {
		const Finding *f = &prof->findings.v[i];
		if ((f->kind == FINDING_out_of_bounds || f->kind == FINDING_guessed_size) && f->space == SPACE_LDS)
			return true;
	}
	return false;
}

void advice_add(Result *r, const ResultInput *in)
{
	if (r->estimate->missing || !in->plan)
		return;
	EstimatePlan plan = *in->plan;
	estimate_settle(&plan, in->device, &r->occupancy.o);
	Advisor a = {.r = r, .in = in, .words = &source_words[in->language], .arena = arena_new()};
	a.base = (EstimateInput){.dev = in->device, .program = in->program, .profile = in->profile,
	                         .code = result_code(in), .run = r->machine.run, .lds = in->lds, .plan = &plan};
	a.strays = has_strays(in->profile);
	a.tries = TRIES;
	a.plays = PLAYS * r->estimate->issued;
	a.plays = a.plays < PLAYS_SHORT ? PLAYS_SHORT : a.plays;
	for (u32 i = 0; i < ADVICE_COUNT && !run_late(in->more); i++)
		rules[i].rule(&a);
	sort_said(&a);
	for (u32 i = 0; i < a.said.n; i++)
		array_push(&r->findings, a.said.v[i]);
	array_free(&a.said);
	arena_free(a.arena);
}
