/* The last step of a launch: what it printed, dumps, the report. */
#include "engine/run.h"

#include "report/style.h"

#include <stdio.h>
#include <unistd.h>

/* The text of each source file of the program; its name as the user wrote it. */
static ResultSource *sources(Session *s)
{
	const Program *p = s->program;
	ResultSource *list = ARENA_ARRAY(s->arena, ResultSource, p->files.n + 1);
	for (u32 i = 0; i < p->files.n; i++) {
		list[i].name = p->files.v[i];
		if (!strcmp(p->files.v[i], s->path)) {
			list[i].text = s->text;
			continue;
		}
		const char *known = s->src ? source_text(s->src, s->path, p->files.v[i], s->arena) : NULL;
		if (known) {
			list[i].text = known;
			continue;
		}
		char *text = read_file(p->files.v[i], NULL);
		list[i].text = text ? arena_strdup(s->arena, text) : NULL;
		free(text);
	}
	return list;
}

static char *options_text(Session *s, LaunchPrint what)
{
	Buf out = {0};
	buf_printf(&out, "%s", "");
	launch_print_options(&s->launch, what, &out);
	char *text = arena_strdup(s->arena, out.v);
	array_free(&out);
	return text;
}

Result *session_report(Session *s)
{
	u32 nparts;
	const LdsPart *parts = sim_lds_parts(s->program, &s->sim, s->arena, &nparts);
	ResultInput in = {
		.lds_parts = parts,
		.nlds_parts = nparts,
		.advice = !s->o->no_advice,
		.program = s->program,
		.profile = s->profile,
		.machine = session_machine_code(s),
		.r600 = s->fe ? fe_r600(s->fe) : NULL,
		.device = &s->device,
		.own_lds_rule = s->own_lds_rule,
		.max_local = session_largest_group(s),
		.lds = &s->lds,
		.lds_plan = s->lds_plan,
		.plan = s->o->no_estimate ? NULL : &s->plan,
		.no_what_ifs = s->o->no_what_if,
		.warm = s->o->warm,
		.file = s->o->input,
		.dims = s->launch.work_dim,
		.lds_bytes = sim_lds_bytes(s->program, &s->sim),
		.options = options_text(s, PRINT_ALL),
		.guessed = options_text(s, PRINT_GUESSED),
		.given = options_text(s, PRINT_GIVEN),
		.reference = &s->reference,
		.sources = sources(s),
		.timeline = s->o->html || s->o->trace_events,
		.detail = s->o->html != NULL,
	};
	memcpy(in.global, s->sim.global, sizeof in.global);
	memcpy(in.local, s->sim.local, sizeof in.local);
	memcpy(in.offset, s->sim.offset, sizeof in.offset);
	launch_groups(&s->launch, in.groups);
	double start = seconds_now();
	Result *r = result_build(&in);
	s->report_seconds = seconds_now() - start;
	return r;
}

/* Dumps to files are written; those to standard output are collected. */
static bool make_dumps(Session *s, Buf *out)
{
	bool ok = true;
	for (u32 i = 0; i < s->launch.nargs; i++) {
		const LaunchArg *a = &s->launch.args[i];
		if (!a->dump || !s->args.data[i])
			continue;
		if (a->dump_file)
			ok &= launch_dump_file(&s->launch, i, s->args.data[i], s->d);
		else
			launch_dump_text(&s->launch, i, s->args.data[i], out);
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

bool session_not_of_one(const Options *o, OptionId has, const char *what, const char *have, Diag *d)
{
	OptionId id = options_first_of_one(o, GIVEN_COMMAND_LINE, &has, 1); /* the environment is for all commands */
	if (id == OPTION_COUNT)
		return true;
	diag_error(d, o->loc[id], is_format(id) ? "%s is no format of %s" : "%s is for the results of one launch, not for %s",
	           options_name(id), what);
	diag_source(d, o->command_line);
	if (is_format(id))
		diag_hint(d, "%s; wavesim FILE writes the reports of a launch", have);
	else
		diag_hint(d, "wavesim FILE has it");
	return false;
}

bool session_one_report(const Options *o, Diag *d)
{
	static const OptionId has[] = {OPTION_json, OPTION_max_errors, OPTION_error_exitcode};
	OptionId id = options_first_of_one(o, GIVEN_FILE, has, COUNT(has));
	if (id == OPTION_COUNT)
		return true;
	diag_error(d, o->loc[id], "%s takes %s: choose it with --launches N", options_name(id),
	           is_format(id) ? "the report of one launch" : "one launch");
	diag_source(d, o->command_line);
	return false;
}

static bool check_weight(const Options *o, Diag *d)
{
	const char *near = o->weight ? nearest_word(o->weight, stack_weight_name, WEIGHT_COUNT) : NULL;
	for (u32 i = 0; o->weight && i < WEIGHT_COUNT; i++)
		if (!strcmp(o->weight, stack_weight_name[i]))
			return true;
	if (!o->weight)
		return true;
	diag_error(d, o->loc[OPTION_weight], "--weight: there is no weight '%s'", o->weight);
	diag_source(d, o->command_line);
	if (near)
		diag_hint(d, "did you mean %s?", near);
	else
		diag_hint(d, "it is cycles, instructions, idle_lanes, conflicts or lines");
	return false;
}

bool session_check_formats(const Options *o, Diag *d)
{
	if (!check_weight(o, d))
		return false;
	const char *first = NULL;
	for (u32 i = 0; i < SINK_COUNT; i++) {
		const char *path = sink_file(o, i);
		if (!path || strcmp(path, "-"))
			continue;
		if (first) {
			diag_error(d, o->loc[files[i].id], "%s and %s cannot both write to standard output", first,
			           sinks[i].option);
			diag_source(d, o->command_line);
			diag_hint(d, "give one of them the name of a file");
			return false;
		}
		first = sinks[i].option;
	}
	return true;
}

/* Files before standard output: when one cannot be written, nothing else is said. */
static bool write_formats(Session *s, const Result *r, bool *to_stdout)
{
	SinkStyle plain = {.max_findings = (u32)s->o->max_errors};
	for (u32 i = 0; s->o->weight && i < WEIGHT_COUNT; i++)
		plain.weight = strcmp(s->o->weight, stack_weight_name[i]) ? plain.weight : (StackWeight)i;
	for (u32 i = 0; i < 2 * SINK_COUNT; i++) {
		const char *path = sink_file(s->o, i % SINK_COUNT);
		if (!path || (i < SINK_COUNT) == !strcmp(path, "-"))
			continue;
		Buf text = {0};
		buf_printf(&text, "%s", "");
		sinks[i % SINK_COUNT].write(r, &plain, &text);
		bool ok = output_file(path, s->o->loc[files[i % SINK_COUNT].id], &text, s->d);
		array_free(&text);
		if (!ok)
			return false;
		*to_stdout |= i >= SINK_COUNT;
	}
	return true;
}

static bool show_text(Session *s, const Result *r)
{
	Buf text = {0};
	buf_printf(&text, "%s", "");
	bool ok = true;
	SinkStyle style = output_style(s->o->quiet ? STDERR_FILENO : STDOUT_FILENO);
	style.max_findings = (u32)s->o->max_errors;
	style.faults_only = s->o->quiet;
	if (s->o->quiet) {
		text_findings(r, &style, &text);
		fputs(text.v, stderr);
	} else {
		sink_text(r, &style, &text);
		ok = output_stdout(text.v, text.n, s->d);
	}
	array_free(&text);
	return ok;
}

bool session_show_report(Session *s, Result *r, int *status)
{
	Buf dumps = {0};
	buf_printf(&dumps, "%s", "");
	bool to_stdout = false, ok = make_dumps(s, &dumps);
	r->dumped = dumps.v;
	ok = ok && write_formats(s, r, &to_stdout);
	if (ok && !to_stdout) {
		ok = output_stdout(r->printed, r->printed_bytes, s->d) &&
		     output_stdout(dumps.v, dumps.n, s->d) && (s->o->text || show_text(s, r));
	}
	if (ok && s->o->store)
		ok = keep_results(s->o->store, &s->launch, &s->args, s->text, r, s->d);
	*status = result_problems(r) ? (int)s->o->error_exitcode : EXIT_FINE;
	r->dumped = NULL;
	array_free(&dumps);
	return ok;
}

bool session_show(Session *s, int *status)
{
	Result *r = session_report(s);
	bool ok = session_show_report(s, r, status);
	result_free(r);
	return ok;
}
