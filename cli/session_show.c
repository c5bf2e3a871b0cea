/* The last step of a launch: what it printed, dumps, the report. */
#include "cli/session_steps.h"

#include "report/style.h"

#include <stdio.h>
#include <unistd.h>

/* The text of each source file of the program; its name as the user wrote it. */
static ReportSource *sources(Session *s)
{
	const Program *p = s->program;
	ReportSource *list = ARENA_ARRAY(s->arena, ReportSource, p->files.n + 1);
	for (u32 i = 0; i < p->files.n; i++) {
		list[i].name = p->files.v[i];
		if (!strcmp(p->files.v[i], s->path)) {
			list[i].text = s->text;
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

Report *session_report(Session *s)
{
	ReportInput in = {
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
		.file = s->o->input,
		.dims = s->launch.work_dim,
		.lds_bytes = sim_lds_bytes(s->program, &s->sim),
		.options = options_text(s, PRINT_ALL),
		.guessed = options_text(s, PRINT_GUESSED),
		.reference = &s->reference,
		.sources = sources(s),
	};
	memcpy(in.global, s->sim.global, sizeof in.global);
	memcpy(in.local, s->sim.local, sizeof in.local);
	memcpy(in.offset, s->sim.offset, sizeof in.offset);
	launch_groups(&s->launch, in.groups);
	double start = seconds_now();
	Report *r = report_build(&in);
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

static bool write_log(Session *s, const Report *r)
{
	Buf text = {0};
	SinkStyle plain = {.max_findings = (u32)s->o->max_errors};
	sink_text(r, &plain, &text);
	bool ok = output_file(s->o->log, s->o->loc[OPTION_log], &text, s->d);
	array_free(&text);
	return ok;
}

static bool show_text(Session *s, const Report *r)
{
	Buf text = {0};
	buf_printf(&text, "%s", "");
	bool ok = true;
	SinkStyle style = output_style(s->o->quiet ? STDERR_FILENO : STDOUT_FILENO);
	style.max_findings = (u32)s->o->max_errors;
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

bool session_show(Session *s, int *status)
{
	Report *r = session_report(s);
	Buf dumps = {0}, json = {0};
	buf_printf(&dumps, "%s", "");
	bool ok = make_dumps(s, &dumps);
	r->dumped = dumps.v;
	bool json_only = s->o->json && !strcmp(s->o->json, "-");
	/* Files first: when one cannot be written, nothing else is said. */
	if (ok && s->o->json) {
		SinkStyle none = {0};
		sink_json(r, &none, &json);
		ok = output_file(s->o->json, s->o->loc[OPTION_json], &json, s->d);
	}
	if (ok && s->o->log)
		ok = write_log(s, r);
	if (ok && !json_only) {
		ok = output_stdout(r->printed, r->printed_bytes, s->d) &&
		     output_stdout(dumps.v, dumps.n, s->d) && (s->o->log || show_text(s, r));
	}
	if (ok && s->o->store)
		ok = keep_results(s->o->store, &s->launch, &s->args, s->text, r, s->d);
	*status = report_problems(r) ? (int)s->o->error_exitcode : EXIT_FINE;
	array_free(&json);
	array_free(&dumps);
	report_free(r);
	return ok;
}
