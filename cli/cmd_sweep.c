/* wavesim sweep: one launch under many settings, ranked, and why. See sweep.h. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/sweep.h"

#include <unistd.h>

typedef struct SweepOwn {
	const char *shard, *store;
	bool quiet, timing; /* of the whole sweep, though each launch has them as well; also threads */
} SweepOwn;
static const OptRow rows[] = {
	OPT_ROW_TEXT(SweepOwn, shard, "--shard", "K/N", "run only part K of N; wavesim merge joins the parts' stores")
	OPT_ROW_TEXT(SweepOwn, store, "--store", "FILE",
	             "store each result as soon as it is known; a later run takes stored results and computes the rest")
	OPT_ROW_FLAG(SweepOwn, timing, "--timing", "print on stderr how much was built and run")
	OPT_ROW_FLAG(SweepOwn, quiet, "--quiet", "no table")
	OPT_ROW_ALIAS(SweepOwn, "-q", quiet)
};

typedef struct SweepCommand {
	SweepOwn own;
	SweepWanted want;
	char **rest;
	int nrest;
	SweepPlan plan;
	SweepWords words;
	SweepRun run;
	SweepPlace place;
	SweepOutputs to;
	double start;
	double pace; /* as Progress's */
} SweepCommand;

static bool split_words(SweepCommand *c, int argc, char *const *argv, Diag *d)
{
	char **more = ARENA_ARRAY(c->plan.arena, char *, argc + 1);
	char **most = ARENA_ARRAY(c->plan.arena, char *, argc + 1);
	int nmore = 0, nmost = 0;
	c->rest = ARENA_ARRAY(c->plan.arena, char *, argc + 1);
	return sweep_outputs(&c->to, argc, argv, more, &nmore, d) &&
	       opt_take(rows, COUNT(rows), &c->own, 0, nmore, more, most, &nmost, d) &&
	       sweep_take(&c->want, nmost, most, c->rest, &c->nrest, d);
}

void sweep_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, sweep_rows, sweep_nrows, 0);
	completion_table(c, (CompletionRows){.rows = rows, .n = COUNT(rows)});
	completion_table(c, sweep_outputs_completes());
	completion_table(c, options_completes(&(OptionId){0}, 0, a));
}

void sweep_help(Buf *out)
{
	buf_printf(out,
	           "wavesim sweep FILE … [options]: one launch under many settings, ranked, and why\n\n"
	           "What may have alternatives; every combination is a point:\n"
	           "  FILE …                    kernel files, before and after\n"
	           "  --local 64,256            sizes; x joins dimensions: 8x8,16x16,64x1\n"
	           "  --local 32:1024           doubling from 32 to 1024; 32:128:32 in steps of 32\n"
	           "  --local auto              every shape that divides the global size\n"
	           "  --global, --offset        in the same way\n"
	           "  --wave 32,64  --banks 16:64  --device mi50,hd5870  --kernel a,b\n"
	           "  -D TILE=8,16,32           macros, also as ranges\n"
	           "  --arg n=1024,4096         arguments that are numbers; with | between them any others:\n"
	           "                            --arg 'a=random:64|zero:64', --arg 'v=1,2,3,4|5,6,7,8'\n"
	           "{…} in a value is worked out for each point: -D TILE={local_x}, --local {bx}x{by},\n"
	           "--global '{ceil(4096, bx * tx) * bx}'. Names: macros, arguments, local_x, global_y, wave,\n"
	           "banks. + - * / %% < <= == != && || ! min max, ceil(a, b): a/b rounded up, up(a, b): a\n"
	           "rounded up to a multiple of b.\n\n"
	           "Points that cannot run are skipped, with the reason. Points of a device within 1 %% are as\n"
	           "fast as each other: fewer instructions come first. Points whose ratio of times lies within the\n"
	           "band of such ratios cannot be told apart: they share the better one's rank, and = marks\n"
	           "those that may be the best of their device.\n\n");
	opt_help(sweep_rows, sweep_nrows, 0, out);
	opt_help(rows, COUNT(rows), 0, out);
	sweep_outputs_help(out);
	buf_printf(out, "\nAnd the options of a launch (wavesim --help). --sample PERCENT runs so much of each "
	                "launch;\n"
	           "without it, of large ones a part.\n"
	           "Exit status: 0 fine, 2 bad input, or no point could run; that of --error-exitcode.\n");
}

static bool shard(SweepCommand *c, Diag *d)
{
	const char *text = c->own.shard;
	if (!text)
		return true;
	u64 k = 0, n = 0;
	char *part = arena_strndup(c->plan.arena, text, strcspn(text, "/"));
	bool good = strchr(text, '/') && parse_u64(part, &k) && parse_u64(strchr(text, '/') + 1, &n) && k && k <= n &&
	            n <= 100000;
	c->run.shard = (u32)k;
	c->run.shards = (u32)n;
	if (good && c->own.store)
		return true;
	if (!good)
		return diag_error(d, NO_LOC, "--shard wants K/N, such as 1/4 for the first of four parts, not '%s'",
		                  text);
	diag_error(d, NO_LOC, "--shard needs --store FILE");
	return diag_hint(d, "each part keeps its results in a store of its own, and wavesim merge joins the stores");
}

/* What the store calls it, and the table says first. */
static char *title(const SweepCommand *c)
{
	Buf out = {0};
	const Texts *files = &c->plan.options.v[0].values;
	for (u32 i = 0; i < files->n; i++)
		buf_printf(&out, "%s%s", i ? ", " : "", files->v[i]);
	return buf_keep(&out, c->plan.arena);
}

static void say_work(const SweepCommand *c)
{
	const SweepRun *r = &c->run;
	fprintf(stderr, "sweep: %u points, %u run now; OpenCL compiler %u times, code generator %u times, %u "
	                "executions\n",
	        c->plan.points.n, r->ran, r->compiled, r->lowered, r->executions);
}

static bool keep(void *ctx, const SweepRow *points, u32 n, Diag *d)
{
	SweepCommand *c = ctx;
	return !c->place.store || sweep_keep(&c->place, points, n, d);
}

static void show_progress(void *ctx, u32 done, u32 all)
{
	SweepCommand *c = ctx;
	double ran = seconds_now() - c->start;
	bool terminal = c->pace <= 0;
	if (!terminal && !progress_due(&c->pace, ran))
		return;
	Buf line = {0};
	buf_printf(&line, "%u of %u points", done, all);
	if (done)
		buf_printf(&line, ", about %.0f s left", ran * (all - done) / done);
	progress_put(terminal, ran, line.v);
	array_free(&line);
}

/* The store, if one is wanted, and what it has of this sweep. */
static bool open_store(SweepCommand *c, const SweepInput *in, Diag *d)
{
	char key[STORE_KEY];
	if (!c->own.store)
		return true;
	sweep_key(&c->plan, &c->words, key);
	c->place = (SweepPlace){store_open(c->own.store, STORE_CREATE, d), 0, in};
	char *spec = sweep_spec_json(in);
	SweepRows there = {0};
	bool ok = c->place.store && store_sweep(c->place.store, key, spec, &c->place.sweep, d) &&
	          sweep_load(c->place.store, c->place.sweep, in, c->plan.arena, &there, d);
	for (u32 i = 0; i < there.n; i++)
		array_push(&c->run.rows, there.v[i]);
	array_free(&there);
	free(spec);
	return ok;
}

static bool run_points(SweepCommand *c, Diag *d)
{
	bool terminal = !c->to.quiet && isatty(STDERR_FILENO);
	c->pace = terminal || !c->words.options.n ? 0 : (double)c->words.options.v[0]->progress;
	bool progress = terminal || (!c->to.quiet && c->pace > 0);
	c->run.plan = &c->plan;
	c->run.arena = c->plan.arena;
	c->run.host =
	    (SweepHost){c->place.store || c->to.json ? result_json : NULL, keep, progress ? show_progress : NULL, c};
	c->start = seconds_now();
	bool ok = sweep_run(&c->run, d);
	if (terminal)
		fprintf(stderr, "\r\033[K");
	if (ok)
		diag_flush(d);
	return ok;
}

static int run(SweepCommand *c, Diag *d)
{
	SweepPlan *p = &c->plan;
	c->to.quiet = c->own.quiet;
	p->build.most = UINT32_MAX;
	static const char have[] = "write a sweep with --json, --csv, --html, --kernel-tuner or --store";
	if (!shard(c, d) || !sweep_plan_wanted(p, &c->words, &c->want, have, c->nrest, c->rest) ||
	    !sweep_outputs_apart(&c->to, c->own.store, &p->options.v[0].values, c->want.points, &p->devices, d) ||
	    !sweep_plan_points(p))
		return EXIT_BAD_INPUT;
	c->run.jobs = (u32)c->want.jobs;
	SweepInput in;
	sweep_input(p, title(c), &in);
	SweepCounts counts = {0};
	bool ok = open_store(c, &in, d) && run_points(c, d);
	if (ok && c->own.timing)
		say_work(c);
	in.rows = c->run.rows.v;
	in.nrows = c->run.rows.n;
	ok = ok && sweep_show(&in, &c->to, &counts, d);
	if (ok && !counts.ran && !c->run.shards && in.nrows) /* the first reason is everybody's */
		diag_error(d, NO_LOC, "no point could run: %s", in.rows[0].note);
	store_close(c->place.store);
	array_free(&c->run.rows);
	if (!ok || (!counts.ran && !c->run.shards))
		return EXIT_BAD_INPUT;
	return counts.wrong ? (int)c->to.error_exitcode : EXIT_FINE;
}

int cmd_sweep(int argc, char *const *argv, Diag *d)
{
	SweepCommand c = {.plan = {.arena = arena_new(), .d = d}, .words = {.opened = sweep_key_sources}};
	int status = EXIT_BAD_INPUT;
	if (split_words(&c, argc, argv, d))
		status = run(&c, d);
	sweep_plan_free(&c.plan);
	sweep_words_free(&c.words);
	arena_free(c.plan.arena);
	return status;
}
