/* A submission on every launch of its exercise, beside the model solution: see judge.h. */
#include "engine/judge.h"

#include "engine/comparison.h"
#include "engine/pair.h"
#include "engine/run.h"
#include "engine/sweep.h"
#include "base/number.h"

#include <math.h>

const char *const judge_verdict_name[JUDGE_VERDICT_COUNT] = {JUDGE_VERDICTS(X_NAME)};
const char *const judge_verdict_doc[JUDGE_VERDICT_COUNT] = {JUDGE_VERDICTS(X_DOC)};
const char *const judge_state_name[ITEM_STATE_COUNT] = {JUDGE_STATES(X_NAME)};

/* What an endless submission may execute: so many times what the model solution does, and as much as that of a small
 * launch (models/README.md). */
enum { LIMIT_TIMES = 100, LIMIT_LEAST = 100000 };

struct Judge {
	const JudgeSpec *spec;
	Arena *arena;
	BuildCache cache;
	double (*model)[METRIC_COUNT]; /* per launch */
	u64 *limit;                    /* per launch: RunSpec.max_launch_instructions */
	const KernelArg *args;         /* of the model solution's kernel */
	u32 nargs;
	EngineRun *keep; /* whose program args points into */
};

enum { ITEM_FILE, ITEM_COMPILES, ITEM_LAUNCHES };
/* Faults come first: they explain wrong results. */
static JudgeItem *faults_item(const Judgement *x, u32 launch) { return &x->items[ITEM_LAUNCHES + 2 * launch]; }
static JudgeItem *results_item(const Judgement *x, u32 launch) { return faults_item(x, launch) + 1; }
static JudgeItem *goal_item(const Judge *j, const Judgement *x, u32 goal)
{
	return &x->items[ITEM_LAUNCHES + 2 * j->spec->nlaunches + goal];
}

static JudgeItem *native_item(const Judge *j, const Judgement *x, u32 launch)
{
	return goal_item(j, x, j->spec->ngoals) + launch;
}

/* ---- goals ---- */

typedef struct GoalAsk {
	const double *own, *model;
	Arena *arena;
	Buf said;       /* each number that was asked for */
	MetricId first; /* the first of the submission's own */
} GoalAsk;

static bool ask(void *ctx, const char *name, i64 *out, const char **why)
{
	static const char model[] = "model_";
	GoalAsk *g = ctx;
	bool theirs = !strncmp(name, model, sizeof model - 1);
	const char *id = theirs ? name + sizeof model - 1 : name;
	u32 i = 0;
	const char *names[METRIC_COUNT];
	for (u32 k = 0; k < METRIC_COUNT; k++)
		names[k] = metric_name(k);
	while (i < METRIC_COUNT && strcmp(names[i], id) != 0)
		i++;
	if (i == METRIC_COUNT) {
		const char *near = nearest_word(id, names, METRIC_COUNT);
		*why = arena_printf(g->arena, "'%s' is no count%s%s%s", name, near ? "; did you mean '" : "",
		                    near ? near : "", near ? "'?" : "");
		return false;
	}
	double v = (theirs ? g->model : g->own)[i];
	if (isnan(v) || fabs(v) >= 0x1p62) {
		*why = arena_printf(g->arena, "'%s' is not known of this launch", name);
		return false;
	}
	*out = (i64)floor(v);
	if (!theirs && g->first == METRIC_COUNT)
		g->first = i;
	buf_printf(&g->said, "%s%s is ", g->said.n ? ", " : "", name);
	put_grouped(&g->said, (u64)*out);
	return true;
}

/* NULL: *met is known. What was found is in g->said. */
static const char *goal_eval(const char *expression, GoalAsk *g, bool *met)
{
	i64 v = 0;
	g->first = METRIC_COUNT;
	const char *why = sweep_eval(expression, ask, g, g->arena, &v);
	*met = v != 0;
	return why;
}

/* What a line has of what a goal counts. */
static u64 share_of(const ResultLine *l, MetricId id)
{
	switch (id) {
	case METRIC_lds_accesses:
	case METRIC_lds_cycles: return l->t.lds.actual;
	case METRIC_lds_conflict_cycles: return l->t.lds.actual - l->t.lds.ideal;
	case METRIC_memory_accesses: return l->t.accesses;
	case METRIC_actual_lines:
	case METRIC_ideal_lines: return l->t.actual_lines;
	case METRIC_bytes: return l->t.bytes;
	case METRIC_lane_utilization:
	case METRIC_lost_lane_slots:
	case METRIC_serialized_wave_instructions: return l->t.ends.lost;
	case METRIC_divergent_branches: return l->t.divergent_branches;
	case METRIC_wave_instructions:
	case METRIC_longest_wavefront: return l->t.wave_instructions;
	default: return 0;
	}
}

static bool in_kernel_file(const Result *r, const char *name) { return name && !strcmp(name, r->file); }

/* The line that has most of it; 0: none. */
static u32 line_of(const Result *r, MetricId id)
{
	u64 most = 0;
	u32 line = 0;
	for (u32 i = 0; i < r->nlines; i++) {
		const ResultLine *l = &r->lines[i];
		u64 share = share_of(l, id);
		if (share > most && in_kernel_file(r, r->sources[l->file].name)) {
			most = share;
			line = l->line;
		}
	}
	return line;
}

static const char *advice_at(const Result *r, u32 line, Arena *a)
{
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		if (f->advice && f->at.line == line && in_kernel_file(r, f->at.file))
			return arena_printf(a, "%s%s%s", f->message, f->hint ? "; " : "", f->hint ? f->hint : "");
	}
	return NULL;
}

static void judge_goal(const Judge *j, u32 goal, const Result *r, Arena *a, JudgeItem *out)
{
	const JudgeGoal *g = &j->spec->goals[goal];
	double own[METRIC_COUNT];
	for (u32 i = 0; i < METRIC_COUNT; i++)
		own[i] = metric_value(i, r);
	GoalAsk q = {.own = own, .model = j->model[g->launch], .arena = a};
	bool met;
	const char *why = goal_eval(g->expression, &q, &met);
	out->state = why || !met ? ITEM_missed : ITEM_met;
	out->said = why ? why : buf_keep(&q.said, a);
	if (out->state == ITEM_missed) {
		out->hint = arena_strdup(a, g->hint);
		out->line = q.first < METRIC_COUNT ? line_of(r, q.first) : 0;
		out->advice = out->line ? advice_at(r, out->line, a) : NULL;
	}
	array_free(&q.said);
}

/* ---- faults and results ---- */

static const char *hint_for(const Judge *j, const ResultFinding *f)
{
	for (u32 i = 0; i < j->spec->nhints; i++)
		if (!strcmp(j->spec->hints[i].finding, f->id))
			return j->spec->hints[i].text;
	return f->hint;
}

static void judge_endless(const Judge *j, u32 launch, const Result *r, Arena *a, JudgeItem *out)
{
	Buf said = {0};
	buf_printf(&said, "it was stopped after ");
	put_grouped(&said, j->limit[launch]);
	buf_printf(&said, " wave instructions, many times what the model solution takes");
	out->state = ITEM_missed;
	out->said = buf_keep(&said, a);
	out->hint =
	    "a loop does not end, or runs far too often: look at the condition that ends it, and at what changes in "
	    "the loop";
	out->line = line_of(r, METRIC_wave_instructions);
	for (u32 i = 0; i < j->spec->nhints; i++)
		if (!strcmp(j->spec->hints[i].finding, judge_verdict_name[JUDGE_endless]))
			out->hint = arena_strdup(a, j->spec->hints[i].text);
}

static void judge_faults(const Judge *j, const Result *r, Arena *a, JudgeItem *out)
{
	const ResultFinding *first = NULL;
	u32 n = 0;
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		if (f->advice || !strcmp(f->severity, "note"))
			continue;
		first = first ? first : f;
		n++;
	}
	out->state = first ? ITEM_missed : ITEM_met;
	if (!first)
		return;
	out->said = n > 1 ? arena_printf(a, "%s; and %u more", first->message, n - 1) : arena_strdup(a, first->message);
	out->hint = arena_strdup(a, hint_for(j, first));
	out->line = in_kernel_file(r, first->at.file) ? first->at.line : 0;
}

static void judge_results(const Judge *j, u32 launch, const CompareResults *c, const char *path, Arena *a,
                          JudgeItem *out)
{
	const JudgeLaunch *l = &j->spec->launches[launch];
	out->state = c->different ? ITEM_missed : ITEM_met;
	for (u32 i = 0; i < c->nbuffers && c->different; i++) {
		const CompareBuffer *b = &c->buffers[i];
		const CompareElement *e = &b->first[0];
		if (!b->nfirst && b->different) { /* packets that one pipe lacks */
			out->said = arena_printf(a, "'%s': %s", b->name, b->note);
			break;
		}
		if (!b->nfirst)
			continue;
		const CompareWriter *by = &e->by[1];
		out->said = arena_printf(a, "%s[%llu] is %s, expected %s; %llu of %llu elements of '%s' differ%s",
		                         b->name, (unsigned long long)e->index, e->text[1], e->text[0],
		                         (unsigned long long)b->different, (unsigned long long)b->elements[0], b->name,
		                         by->known ? "" : "; no work-item has written this one");
		out->line = by->known && by->file && !strcmp(by->file, path) ? by->line : 0;
		break;
	}
	if (out->state == ITEM_missed)
		out->hint = arena_strdup(a, l->hint);
}

/* The same launch natively. Where there is no native run to compare with, that is left open. */
static void judge_native(const Reference *ref, Arena *a, JudgeItem *out)
{
	bool open = ref->status == REF_equal && ref->open; /* equal by chance to what the model solution leaves */
	bool missed = open || ref->status == REF_different || ref->status == REF_crashed;
	out->state = missed ? ITEM_missed : ref->status == REF_equal ? ITEM_met : ITEM_open;
	if (open)
		out->said =
		    arena_printf(a, "%llu of %llu elements have no defined value: they depend on %s",
		                 (unsigned long long)ref->open, (unsigned long long)ref->checked, ref->open_what);
	else if (ref->status == REF_different)
		out->said = arena_printf(a, "%llu of %llu elements differ from those of the native run",
		                         (unsigned long long)ref->mismatches, (unsigned long long)ref->checked);
	else if (ref->status != REF_equal)
		out->said = arena_strdup(a, ref->why ? ref->why : ref_status_doc[ref->status]);
	if (missed)
		out->hint = "the results may depend on what OpenCL leaves undefined: the order of work-items, an "
		            "address or an uninitialised value; run the kernel with --check, which finds races and "
		            "uninitialised reads";
}

/* ---- a launch ---- */

/* The first error that is about the kernel file, without the path to it. */
static void said_of(const Diag *d, const char *path, Arena *a, JudgeItem *out)
{
	const DiagMsg *m = NULL;
	for (u32 i = 0; i < d->msgs.n; i++) {
		const DiagMsg *x = &d->msgs.v[i];
		bool own = x->loc.line && x->loc.file && !strcmp(x->loc.file, path);
		if (x->level == DIAG_ERROR && (!m || (own && !m->loc.line)))
			m = x;
	}
	out->state = ITEM_missed;
	if (!m) {
		out->said = "no reason is known";
		return;
	}
	bool own = m->loc.file && !strcmp(m->loc.file, path);
	/* What stands in another file is none of its business. */
	out->said = own || !m->loc.file ? arena_strdup(a, m->text) : "a file that it includes does not compile";
	out->line = own ? m->loc.line : 0;
	out->hint = own || !m->loc.file ? arena_strdup(a, m->hint) : NULL;
}

/* Are the arguments those of the model solution? */
static bool same_arguments(const Judge *j, const EngineRun *run, Arena *a, JudgeItem *out)
{
	const Program *p = run->program;
	const char *said = NULL;
	if (p->args.n != j->nargs)
		said = arena_printf(a, "the kernel has %u arguments; the exercise's has %u", p->args.n, j->nargs);
	for (u32 i = 0; i < j->nargs && !said; i++) {
		const KernelArg *own = &p->args.v[i], *want = &j->args[i];
		bool named = own->name && want->name && own->type_name && want->type_name;
		if (named && own->kind == want->kind && own->size == want->size && own->is_const == want->is_const &&
		    own->elem_class == want->elem_class && !strcmp(own->name, want->name) &&
		    !strcmp(own->type_name, want->type_name))
			continue;
		said = arena_printf(a, "argument %u is '%s%s %s'; the exercise's is '%s%s %s'", i + 1,
		                    own->is_const ? "const " : "", own->type_name ? own->type_name : "?",
		                    own->name ? own->name : "?", want->is_const ? "const " : "",
		                    want->type_name ? want->type_name : "?", want->name ? want->name : "?");
	}
	if (!said)
		return true;
	out->state = ITEM_missed;
	out->said = said;
	out->hint = "leave the kernel's name and arguments as the exercise has them: change what is between the braces";
	out->line = run->text ? source_kernel_line(run->text, p->kernel) : 0;
	return false;
}

static EngineRun *build(Judge *j, u32 launch, const char *path, const char *text, bool *ok, Diag *d)
{
	const JudgeLaunch *l = &j->spec->launches[launch];
	LaunchSpec spec = l->launch;
	RunSpec want = l->want;
	spec.path = path;
	spec.text = text;
	want.max_launch_instructions = want.max_launch_instructions ? want.max_launch_instructions : j->limit[launch];
	EngineRun *run = engine_open(&spec, d);
	*ok = engine_build(run, &l->machine, &want, &j->cache);
	return run;
}

/* What both sides left behind, and how the submission came to it. */
static void judge_both(const Judge *j, u32 launch, const Result *r, const CompareResults *c, const char *path, Arena *a,
                       Judgement *x)
{
	JudgeItem *results = results_item(x, launch);
	if (r->stopped)
		judge_endless(j, launch, r, a, faults_item(x, launch));
	else
		judge_faults(j, r, a, faults_item(x, launch));
	if (!c->missing)
		judge_results(j, launch, c, path, a, results);
	else if (!r->stopped)
		*results =
		    (JudgeItem){.name = results->name, .state = ITEM_missed, .said = arena_strdup(a, c->missing)};
	if (j->spec->native && !r->stopped)
		judge_native(&r->reference, a, native_item(j, x, launch));
	for (u32 g = 0; g < j->spec->ngoals && results->state == ITEM_met; g++)
		if (j->spec->goals[g].launch == launch)
			judge_goal(j, g, r, a, goal_item(j, x, g));
}

/* JUDGE_VERDICT_COUNT: it goes on. run: the submission's, built; d: its messages. */
static JudgeVerdict run_both(Judge *j, u32 launch, EngineRun *run, const Diag *d, const char *path, Arena *a,
                             Judgement *x)
{
	Diag models;
	diag_init(&models);
	bool ok;
	JudgeVerdict out = JUDGE_VERDICT_COUNT;
	EngineRun *model = build(j, launch, j->spec->model, NULL, &ok, &models);
	Pair pair = {.arena = arena_new(), .max_ulp = j->spec->max_ulp};
	pair.side[0] = (PairSide){.run = model, .label = "the model solution"};
	pair.side[1] = (PairSide){.run = run, .label = "the submission"};
	ok = ok && pair_bind(&pair) && engine_execute(model) && engine_execute(run);
	CompareResults *results = ok ? pair_results(&pair) : NULL;
	Result *r = results ? engine_result(run) : NULL;
	if (r) {
		judge_both(j, launch, r, results, path, a, x);
		out = r->stopped ? JUDGE_endless : out;
	} else if (engine_late(run) || models.errors || !d->errors) {
		out = JUDGE_not_judged;
	} else {
		said_of(d, path, a, &x->items[ITEM_FILE]);
		out = JUDGE_refused;
	}
	result_free(r);
	engine_close(model);
	pair_free(&pair);
	arena_free(pair.arena);
	diag_free(&models);
	return out;
}

/* The same, from its text. */
static JudgeVerdict judge_launch(Judge *j, u32 launch, const char *path, Arena *a, Judgement *x)
{
	static const char stops[] = "the compiler stops here: look at this line, and at the end of the one before it";
	Diag d;
	diag_init(&d);
	bool ok;
	JudgeVerdict out = JUDGE_not_compiled;
	JudgeItem *compiles = &x->items[ITEM_COMPILES];
	EngineRun *run = build(j, launch, path, x->text, &ok, &d);
	if (!ok) {
		said_of(&d, path, a, compiles);
		compiles->hint = compiles->hint ? compiles->hint : stops;
	} else {
		compiles->state = ITEM_met;
		out = same_arguments(j, run, a, &x->items[ITEM_FILE]) ? run_both(j, launch, run, &d, path, a, x)
		                                                      : JUDGE_refused;
	}
	engine_close(run);
	diag_free(&d);
	return out;
}

/* ---- all of it ---- */

void judge_items(const Judge *j, Arena *a, Judgement *out)
{
	const JudgeSpec *s = j->spec;
	*out = (Judgement){.nitems = ITEM_LAUNCHES + 2 * s->nlaunches + s->ngoals + (s->native ? s->nlaunches : 0)};
	out->items = ARENA_ARRAY(a, JudgeItem, out->nitems);
	for (u32 i = 0; i < out->nitems; i++)
		out->items[i].state = ITEM_open;
	out->items[ITEM_FILE].name = "the file";
	out->items[ITEM_COMPILES].name = "compiles";
	for (u32 i = 0; i < s->nlaunches; i++) {
		faults_item(out, i)->name = arena_printf(a, "no faults in %s", s->launches[i].name);
		results_item(out, i)->name = arena_printf(a, "results of %s", s->launches[i].name);
	}
	for (u32 i = 0; s->native && i < s->nlaunches; i++)
		native_item(j, out, i)->name = arena_printf(a, "%s natively", s->launches[i].name);
	for (u32 i = 0; i < s->ngoals; i++)
		goal_item(j, out, i)->name =
		    arena_printf(a, "%s: %s", s->launches[s->goals[i].launch].name, s->goals[i].expression);
}

/* Items come in the order in which they depend on each other. */
static void conclude(Judgement *x, JudgeVerdict v)
{
	const JudgeItem *first = NULL, *open = NULL;
	bool all = true;
	for (u32 i = 0; i < x->nitems; i++) {
		first = first || x->items[i].state != ITEM_missed ? first : &x->items[i];
		open = open || x->items[i].state != ITEM_open || !x->items[i].said ? open : &x->items[i];
		all &= x->items[i].state == ITEM_met;
	}
	x->verdict = v != JUDGE_VERDICT_COUNT ? v : first ? JUDGE_failed : all ? JUDGE_passed : JUDGE_not_judged;
	x->why = x->verdict != JUDGE_not_judged ? (first ? first->said : NULL)
	         : open                         ? open->said
	                                        : judge_verdict_doc[JUDGE_not_judged];
}

void judge_submission(Judge *j, const char *path, Arena *a, Judgement *out)
{
	JudgeFault why;
	judge_items(j, a, out);
	JudgeItem *file = &out->items[ITEM_FILE];
	out->text = judge_read(path, a, &why);
	file->state = out->text ? ITEM_met : ITEM_missed;
	if (!out->text) {
		file->said = why.said;
		file->hint = why.hint;
		file->line = why.line;
		conclude(out, JUDGE_refused);
		return;
	}
	JudgeVerdict v = JUDGE_VERDICT_COUNT;
	for (u32 i = 0; i < j->spec->nlaunches && v == JUDGE_VERDICT_COUNT; i++)
		v = judge_launch(j, i, path, a, out);
	conclude(out, v);
}

const char *judge_line(const Judgement *x, u32 line, u32 *n)
{
	ResultSource s = {.text = x->text};
	return x->text ? result_source_line(&s, line, n) : NULL;
}

static void item_code(Codec *c, JudgeItem *x)
{
	CODE(c, x->name, x->said, x->hint, x->advice, x->line);
	x->state = code_enum(c, x->state, ITEM_STATE_COUNT);
}

void judgement_code(Codec *c, Judgement *x)
{
	x->verdict = code_enum(c, x->verdict, JUDGE_VERDICT_COUNT);
	CODE(c, x->why, x->text);
	CODE_LIST(c, JudgeItem, x->items, x->nitems, item_code);
}

/* ---- the model solution ---- */

static bool run_model(Judge *j, u32 launch, Diag *d)
{
	const JudgeLaunch *l = &j->spec->launches[launch];
	bool ok;
	EngineRun *run = build(j, launch, j->spec->model, NULL, &ok, d);
	Result *r = ok && engine_bind(run) && engine_execute(run) ? engine_result(run) : NULL;
	ok = r != NULL;
	if (ok && r->stopped)
		ok = diag_error(d, l->at,
		                "the model solution was stopped: give the launch a larger --max-launch-instructions");
	if (ok && *r->guessed) {
		diag_error(d, l->at, "launch '%s' leaves to a guess: %s", l->name, r->guessed);
		diag_source_file(d, l->at.file);
		ok = diag_hint(d, "a launch of an exercise says all of its sizes and arguments");
	}
	if (ok) {
		for (u32 i = 0; i < METRIC_COUNT; i++)
			j->model[launch][i] = metric_value(i, r);
		u64 want = l->want.max_launch_instructions;
		j->limit[launch] = want ? want : LIMIT_LEAST + LIMIT_TIMES * r->t.wave_instructions;
	}
	result_free(r);
	if (ok && !j->keep) {
		j->keep = run;
		j->args = run->program->args.v;
		j->nargs = run->program->args.n;
	} else {
		engine_close(run);
	}
	return ok;
}

static bool check_goals(Judge *j, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < j->spec->ngoals; i++) {
		const JudgeGoal *g = &j->spec->goals[i];
		GoalAsk q = {.own = j->model[g->launch], .model = j->model[g->launch], .arena = j->arena};
		bool met;
		const char *why = goal_eval(g->expression, &q, &met);
		array_free(&q.said);
		if (why) {
			diag_error(d, g->at, "%s", why);
			ok = diag_source_file(d, g->at.file);
		}
	}
	return ok;
}

Judge *judge_new(const JudgeSpec *spec, Diag *d)
{
	Judge *j = xcalloc(1, sizeof *j);
	j->spec = spec;
	j->arena = arena_new();
	j->cache.most = 2 * spec->nlaunches;
	j->model = arena_alloc(j->arena, spec->nlaunches * sizeof *j->model);
	j->limit = ARENA_ARRAY(j->arena, u64, spec->nlaunches);
	bool ok = true;
	for (u32 i = 0; i < spec->nlaunches && ok; i++)
		ok = run_model(j, i, d);
	if (ok && check_goals(j, d))
		return j;
	judge_free(j);
	return NULL;
}

void judge_free(Judge *j)
{
	if (!j)
		return;
	engine_close(j->keep);
	build_cache_free(&j->cache);
	arena_free(j->arena);
	free(j);
}
