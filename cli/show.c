/* One launch from its options to what is shown: printed text, dumps, the report. */
#include "cli/show.h"

#include "cli/baseline.h"
#include "cli/commands.h"
#include "engine/suppress.h"
#include "report/saved.h"
#include "report/style.h"

#include <sys/resource.h>
#include <unistd.h>

/* Dumps to files are written; those to standard output are collected. */
static bool make_dumps(const EngineRun *run, Buf *out, Diag *d)
{
	const Launch *l = engine_launch(run);
	bool ok = true;
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		u64 size;
		const void *data = engine_buffer(run, i, &size);
		if (!a->dump || !data)
			continue;
		if (a->dump_file)
			ok &= launch_dump_file(l, i, data, size, d);
		else
			launch_dump_text(l, i, data, size, out);
	}
	return ok;
}

/* Which option names the file of each format. */
static const struct {
	size_t member;
	OptionId id;
} files[SINK_COUNT] = {
#define SINK(name, option, doc) [SINK_##name] = {offsetof(Options, name), OPTION_##name},
#include "report/sinks.def"
};

static const char *sink_file(const Options *o, u32 sink)
{
	return *(const char *const *)(const void *)((const u8 *)o + files[sink].member);
}

static bool is_format(OptionId id)
{
	bool format = false;
	for (u32 i = 0; i < SINK_COUNT; i++)
		format |= files[i].id == id;
	return format;
}

bool show_not_of_one(const Options *o, OptionId has, const char *what, const char *have, Diag *d)
{
	OptionId id = options_first_of_one(o, GIVEN_COMMAND_LINE, &has, 1); /* the environment is for all commands */
	if (id == OPTION_COUNT)
		return true;
	diag_error(d, o->loc[id],
	           is_format(id) ? "%s is no format of %s" : "%s is only for a single launch, not for %s",
	           options_name(id), what);
	options_quote(o->command_line, d);
	if (is_format(id))
		diag_hint(d, "%s; `wavesim FILE` writes the reports of a launch", have);
	else
		diag_hint(d, "use it with `wavesim FILE`");
	return false;
}

bool show_one_report(const Options *o, Diag *d)
{
	static const OptionId has[] = {OPTION_json, OPTION_max_errors, OPTION_error_exitcode};
	OptionId id = options_first_of_one(o, GIVEN_FILE, has, COUNT(has));
	if (id == OPTION_COUNT)
		return true;
	diag_error(d, o->loc[id], "%s takes %s: choose it with --launches N", options_name(id),
	           is_format(id) ? "the report of one launch" : "one launch");
	return options_quote(o->command_line, d);
}

static bool check_weight(const Options *o, Diag *d)
{
	for (u32 i = 0; o->weight && i < WEIGHT_COUNT; i++)
		if (!strcmp(o->weight, stack_weight_name[i]))
			return true;
	if (!o->weight)
		return true;
	diag_error(d, o->loc[OPTION_weight], "--weight: there is no weight '%s'", o->weight);
	options_quote(o->command_line, d);
	if (!diag_near(d, "", o->weight, stack_weight_name, WEIGHT_COUNT))
		diag_hint(d, "choose cycles, instructions, idle_lanes, conflicts or lines");
	return false;
}

/* What cannot be read or understood is said before the run, which may be long. */
static bool read_baseline(Options *o, Diag *d)
{
	if (o->given[OPTION_fail_slower] == GIVEN_COMMAND_LINE && !o->baseline) {
		diag_error(d, o->loc[OPTION_fail_slower], "--fail-slower: slower than what?");
		options_quote(o->command_line, d);
		return diag_hint(d, "--baseline FILE names a report that was saved with --json");
	}
	if (!baseline_limit(o->fail_slower, o->loc[OPTION_fail_slower], o->command_line, &o->slower, d))
		return false;
	if (o->baseline && !o->before)
		o->before = saved_read(o->baseline, d);
	return o->before || !o->baseline;
}

bool show_check_formats(Options *o, Diag *d)
{
	if (!check_weight(o, d) || !read_baseline(o, d))
		return false;
	OutputOption outputs[SINK_COUNT];
	for (u32 i = 0; i < SINK_COUNT; i++)
		outputs[i] = (OutputOption){sinks[i].option, sink_file(o, i), o->loc[files[i].id], false};
	return options_apart(outputs, SINK_COUNT, o->command_line, d);
}

/* Files before standard output. One that cannot be written does not keep the others from it. */
static bool write_formats(const Options *o, const Result *r, const ProgramOne *as, bool *to_stdout, Diag *d)
{
	SinkStyle plain = specs_style(o);
	bool ok = true;
	for (u32 i = 0; i < 2 * SINK_COUNT; i++) {
		const char *path = sink_file(o, i % SINK_COUNT);
		if (!path || (i < SINK_COUNT) == !strcmp(path, "-"))
			continue;
		Buf text = {0};
		buf_printf(&text, "%s", "");
		if (as && i % SINK_COUNT == SINK_json)
			program_json_one(as, r, &text);
		else
			sinks[i % SINK_COUNT].write(r, &plain, &text);
		ok &= output_file(path, o->loc[files[i % SINK_COUNT].id], &text, d);
		array_free(&text);
		*to_stdout |= i >= SINK_COUNT;
	}
	return ok;
}

static bool show_text(const Options *o, const Result *r, Diag *d)
{
	Buf text = {0};
	buf_printf(&text, "%s", "");
	bool ok = true;
	SinkStyle style = output_style(o->quiet ? STDERR_FILENO : STDOUT_FILENO);
	style.max_findings = (u32)o->max_errors;
	style.faults_only = o->quiet;
	style.verbose = o->verbose;
	style.brief = !o->verbose && isatty(STDOUT_FILENO);
	if (o->quiet) {
		text_findings(r, &style, &text);
		output_stderr(text.v, text.n);
	} else {
		sink_text(r, &style, &text);
		ok = output_stdout(text.v, text.n, d);
	}
	array_free(&text);
	return ok;
}

static bool keep(EngineRun *run, const Options *o, const Result *r, Diag *d)
{
	if (!engine_text(run))
		return diag_error(d, NO_LOC, "--store needs OpenCL source: the device that wavesim-runner measures "
		                             "cannot run bitcode");
	Store *store = store_open(o->store, STORE_CREATE, d);
	bool ok = store && engine_keep(run, r, store, d);
	store_close(store);
	return ok;
}

bool show_result(EngineRun *run, const Options *o, Result *r, const ProgramOne *as, int *status, Diag *d)
{
	Buf dumps = {0};
	buf_printf(&dumps, "%s", "");
	bool to_stdout = false, ok = make_dumps(run, &dumps, d);
	r->dumped = dumps.v;
	ok &= write_formats(o, r, as, &to_stdout, d);
	if (!to_stdout)
		ok &= output_stdout(r->printed, r->printed_bytes, d) && output_stdout(dumps.v, dumps.n, d) &&
		      (o->text || show_text(o, r, d));
	if (o->store)
		ok &= keep(run, o, r, d);
	*status = result_problems(r) ? (int)o->error_exitcode : EXIT_FINE;
	if (o->baseline)
		ok &= baseline_show(o, r, !to_stdout && !o->quiet && !o->text, status, d);
	r->dumped = NULL;
	array_free(&dumps);
	return ok;
}

/* ---- all of it ---- */

/* Into out; *why: there is no code, and that is the reason. */
static void dump_asm(EngineRun *run, Buf *out, const char **why)
{
	Arena *a = arena_new();
	u32 n;
	const Listing *l = engine_listing(run, a, why);
	const ResultSource *sources = engine_sources(run, &n);
	SinkStyle style = output_style(STDOUT_FILENO);
	style.width = 0;
	if (l)
		listing_text(l, sources, n, &style, out);
	arena_free(a);
}

static bool dump_program(EngineRun *run, const Options *o, Diag *d)
{
	Buf out = {0};
	const char *ir = engine_ir(run), *why = NULL;
	bool ok = true;
	if (o->dump_ir && ir)
		buf_printf(&out, "%s", ir);
	else if (o->dump_ir)
		ok = diag_error(d, NO_LOC, "--dump-ir: a .wave program has no LLVM IR");
	if (o->dump_asm)
		dump_asm(run, &out, &why);
	if (why)
		ok = diag_error(d, NO_LOC, "--dump-asm: %s", why);
	if (o->dump_isa)
		program_print(engine_program(run), &out);
	ok = ok && output_stdout(out.v, out.n, d);
	array_free(&out);
	return ok;
}

void show_times(const EngineTimes *t)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr, "time: build %.6f s%s, machine %.6f s, ", t->build, t->build_kept ? " (cached)" : "",
	        t->machine);
	if (t->native > 0)
		fprintf(stderr, "waiting for the native run %.6f s, ", t->native);
	if (t->opinion >= 0.001)
		fprintf(stderr, "second opinion %.6f s, ", t->opinion);
	if (t->checks > 0)
		fprintf(stderr, "checks %.6f s, ", t->checks);
	fprintf(stderr, "estimate and report %.6f s, PoCL's kernel %.6f s%s; memory %.0f MB\n", t->result, t->kernel,
	        t->native_kept ? " (cached)" : "", (double)used.ru_maxrss / 1024);
}

/* No file is written twice, nor one that is read. */
static bool files_apart(const EngineRun *run, const Options *o, Diag *d)
{
	const Launch *l = engine_launch(run);
	ARRAY(OutputOption) all = {0};
	for (u32 i = 0; i < SINK_COUNT; i++)
		array_push(&all, ((OutputOption){sinks[i].option, sink_file(o, i), o->loc[files[i].id], false}));
	array_push(&all, ((OutputOption){"--store", o->store, o->loc[OPTION_store], false}));
	for (u32 i = 0; i < l->nargs; i++) {
		array_push(&all, ((OutputOption){"--dump", l->args[i].dump_file, NO_LOC, false}));
		array_push(&all, ((OutputOption){"--arg", l->args[i].path, NO_LOC, true}));
	}
	array_push(&all, ((OutputOption){"the kernel", engine_path(run), NO_LOC, true}));
	array_push(&all, ((OutputOption){"the launch", o->input, NO_LOC, true}));
	array_push(&all, ((OutputOption){"--device", o->device, NO_LOC, true}));
	array_push(&all, ((OutputOption){"--baseline", o->baseline, NO_LOC, true}));
	bool ok = options_apart(all.v, all.n, o->command_line, d);
	array_free(&all);
	return ok;
}

static bool run_and_show(EngineRun *run, const Options *o, const ProgramOne *as, Progress *progress, int *status,
                         Diag *d)
{
	engine_shorten_guess(run);
	bool ok = engine_bind(run) && files_apart(run, o, d) && engine_execute(run);
	Result *r = ok ? engine_result(run) : NULL;
	progress_end(progress);
	if (!r)
		return false;
	ok = show_result(run, o, r, as, status, d);
	EngineTimes t = engine_times(run);
	if (o->timing)
		show_times(&t);
	result_free(r);
	if (ok && o->suppressions)
		suppress_note_unused(o->suppressions, d);
	return ok;
}

bool show_launch(Options *o, const LaunchSpec *launch, const ProgramOne *as, int *status, Diag *d)
{
	if (!show_check_formats(o, d))
		return false;
	Progress progress = progress_new(!o->quiet, o->progress);
	bool ok;
	EngineRun *run = specs_build(o, launch, NULL, progress_host(&progress), &ok, d);
	bool dump = o->dump_isa || o->dump_ir || o->dump_asm;
	ok = ok && (dump || run_and_show(run, o, as, &progress, status, d));
	progress_end(&progress);
	ok = ok && (!dump || dump_program(run, o, d));
	engine_close(run);
	return ok;
}
