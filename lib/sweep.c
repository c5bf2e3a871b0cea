/* One launch under many settings: options/sweep.h and engine/sweep.h without a store. */
#include "lib/impl.h"

#include "options/sweep.h"
#include "report/sweep.h"

struct LibSweep {
	SweepPlan plan;
	SweepWords words;
	SweepRun run;
	SweepInput in;
	const Sweep *result;
	wavesim_t *w;
};

void lib_sweep_free(LibSweep *s)
{
	if (!s)
		return;
	sweep_plan_free(&s->plan);
	sweep_words_free(&s->words);
	array_free(&s->run.rows);
	arena_free(s->plan.arena);
	free(s);
}

static void text(const LibSweep *s, Buf *out)
{
	SinkStyle plain = {0};
	sweep_text(s->result, &plain, 0, out);
}
static void json(const LibSweep *s, Buf *out) { sweep_json(s->result, out); }
static void html(const LibSweep *s, Buf *out) { sweep_html(s->result, out); }
static void csv(const LibSweep *s, Buf *out) { sweep_csv(s->result, out); }
static void tuner(const LibSweep *s, Buf *out) { sweep_tuner(s->result, out); }

bool lib_sweep_report(const LibSweep *s, const char *format, u32 *which, void (**write)(const LibSweep *s, Buf *out))
{
	static const struct {
		const char *name;
		void (*write)(const LibSweep *s, Buf *out);
	} formats[] = {{"text", text}, {"json", json}, {"html", html}, {"csv", csv}, {"kernel_tuner", tuner}};
	for (*which = 0; *which < COUNT(formats); ++*which) {
		*write = formats[*which].write;
		bool one = *write != tuner || s->result->ndevices <= 1; /* its format holds one device */
		if (one && !strcmp(formats[*which].name, format))
			return true;
	}
	return false;
}

static void progress(void *sweep, u32 done, u32 all)
{
	const LibSweep *s = sweep;
	if (s->w->progress)
		s->w->progress(s->w->context, "sweeping", done, all);
}

static bool plan(wavesim_t *w, LibSweep *s)
{
	SweepPlan *p = &s->plan;
	SweepWanted want;
	LibArgv argv = {0};
	s->words.text = w->text;
	s->words.memory = w->memory.v;
	s->words.nmemory = w->memory.n;
	s->words.host = lib_host(w);
	s->words.only = true;
	p->build.most = UINT32_MAX;
	bool ok = lib_argv(w, p->arena, &argv);
	char **rest = ARENA_ARRAY(p->arena, char *, argv.n + 1);
	int n = 0;
	ok = ok && sweep_take(&want, (int)argv.n, argv.v, rest, &n, &w->d) &&
	     sweep_plan_wanted(p, &s->words, &want, "a sweep's reports are asked for after it", n, rest) &&
	     sweep_plan_points(p);
	array_free(&argv);
	s->run.jobs = ok ? (u32)want.jobs : 0;
	return ok;
}

static bool sweep(wavesim_t *w, wavesim_result_t *r)
{
	LibSweep *s = r->sweep = xcalloc(1, sizeof *s);
	s->w = w;
	s->plan.arena = arena_new();
	s->plan.d = &w->d;
	if (!plan(w, s))
		return false;
	sweep_input(&s->plan, arena_strdup(s->plan.arena, w->path), &s->in);
	s->run.plan = &s->plan;
	s->run.arena = s->plan.arena;
	s->run.host = (SweepHost){result_json, NULL, progress, s};
	if (!sweep_run(&s->run, &w->d))
		return false;
	if (stop_asked(&w->stop))
		return diag_error(&w->d, NO_LOC, STOP_SAID);
	s->in.rows = s->run.rows.v;
	s->in.nrows = s->run.rows.n;
	s->result = sweep_build(&s->in, s->plan.arena);
	s->w = NULL; /* from here on it is on its own, without a helper */
	build_cache_free(&s->plan.build);
	return s->result->nran || !s->in.nrows ||
	       diag_error(&w->d, NO_LOC, "no point could run: %s", s->in.rows[0].note);
}

wavesim_status_t wavesim_sweep(wavesim_t *w, wavesim_result_t **result) { return lib_run(w, sweep, result); }
