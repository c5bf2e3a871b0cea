/* Showing the launches of launch files: one as its whole report; of several a line each, and sums.
 *
 * A launch that cannot be simulated is shown with the reason, and the next one follows. JSON of a launch is gone when
 * the next one begins. */
#include "cli/commands.h"
#include "cli/recording.h"
#include "cli/show.h"
#include "engine/replay.h"
#include "report/program.h"
#include "report/style.h"

#include <errno.h>
#include <unistd.h>

typedef struct Replay {
	const Options *o;
	Diag *d;
	ProgramResult *sums;
	FILE *json;   /* unfinished, or NULL */
	u64 shown, json_launches, done, all, printed_findings;
	bool lines, problems; /* lines: of each launch on standard output */
	Buf findings; /* of all launches, for the end */
	Progress progress;
} Replay;

static bool write_json(Replay *y, const Buf *text)
{
	if (!y->json || fwrite(text->v, 1, text->n, y->json) == text->n)
		return true;
	return diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", y->o->json, strerror(errno));
}

/* What went wrong in it, under its number. */
static void keep_findings(Replay *y, const ProgramLaunch *l)
{
	SinkStyle style = output_style(STDOUT_FILENO);
	Buf text = {0};
	if (!result_problems(l->report) || y->printed_findings >= y->o->max_errors)
		return;
	style.max_findings = (u32)(y->o->max_errors - y->printed_findings);
	text_findings(l->report, &style, &text);
	buf_printf(&y->findings, "\nlaunch %llu, kernel %s\n%s", (unsigned long long)l->number, l->kernel, text.v);
	y->printed_findings += result_problems(l->report);
	array_free(&text);
}

static bool show_each(Replay *y, ProgramLaunch *l)
{
	Buf line = {0}, json = {0};
	bool ok = true;
	program_result_add(y->sums, l);
	if (y->lines) {
		progress_end(&y->progress);
		program_text_launch(l, !y->shown++, &line);
		ok = output_stdout(line.v, line.n, y->d);
		fflush(stdout);
	}
	if (l->report)
		keep_findings(y, l);
	if (y->json) {
		program_json_launch(l, !y->json_launches++, &json);
		ok = ok && write_json(y, &json);
	}
	y->problems |= l->failed || (l->report && result_problems(l->report));
	array_free(&line);
	array_free(&json);
	return ok;
}

static ProgramLaunch describe(const CapLaunch *l)
{
	ProgramLaunch p = {.number = l->number, .shape = cap_shape(l), .kernel = l->kernel, .dims = l->dims,
	                   .measured_us = l->ended > l->started ? (double)(l->ended - l->started) / 1e3 : -1};
	memcpy(p.global, l->global, sizeof p.global);
	memcpy(p.local, l->local, sizeof p.local);
	return p;
}

/* ReplaySpec.each; one that is not wanted is only counted. */
static bool each(void *ctx, const CapLaunch *l, const Result *r, const char *failed)
{
	Replay *y = ctx;
	ProgramLaunch p = describe(l);
	if (!r && !failed) {
		program_result_add(y->sums, &p);
		return true;
	}
	p.report = r;
	p.failed = failed;
	if (r)
		memcpy(p.local, r->local, sizeof p.local);
	bool ok = show_each(y, &p);
	progress_step(&y->progress, ++y->done, y->all);
	return ok;
}

/* ---- one launch: its whole report ---- */

static bool show_one(const CapFile *f, const CapLaunch *l, Options *o, int *status, Diag *d)
{
	LaunchSpec launch = specs_launch(o);
	launch.file = f;
	launch.recorded = l;
	if (cap_why_missing(l))
		return diag_error(d, (Loc){.file = f->path}, "launch %llu was not kept: %s", (unsigned long long)l->number,
		                  cap_why_missing(l));
	return show_launch(o, &launch, status, d);
}

/* ---- all of it ---- */

static bool open_json(Replay *y)
{
	const char *path = y->o->json;
	if (!path)
		return true;
	Buf text = {0};
	y->json = output_open(path);
	if (!y->json)
		return diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", path, strerror(errno));
	program_json_start(y->sums, &text);
	bool ok = write_json(y, &text);
	array_free(&text);
	return ok;
}

static bool close_json(Replay *y, bool complete)
{
	if (!y->json)
		return !y->o->json;
	Buf text = {0};
	program_json_end(y->sums, &text);
	bool ok = complete && write_json(y, &text);
	array_free(&text);
	bool closed = output_close(y->json, y->o->json, ok);
	return !ok || closed || diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", y->o->json, strerror(errno));
}

static bool show_sums(Replay *y)
{
	Buf text = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	bool ok = true;
	if (!y->o->quiet && !is_stdout(y->o->json)) {
		buf_printf(&text, "%s", y->findings.n ? y->findings.v : "");
		program_text(y->sums, &style, &text);
		ok = output_stdout(text.v, text.n, y->d);
	}
	array_free(&text);
	return ok;
}

static bool replay_many(const ReplayFile *files, u32 n, u64 all, const Options *o, int *status, Diag *d)
{
	bool json_only = is_stdout(o->json);
	ReplaySpec spec = {
	    .files = files, .nfiles = n, .launch = specs_launch(o), .want = specs_run(o, NULL), .each = each};
	if (!specs_machine(o, NULL, NULL, &spec.machine, d))
		return false;
	Replay *y = spec.ctx = xcalloc(1, sizeof *y);
	*y = (Replay){.o = o, .d = d, .all = all, .lines = !o->quiet && !json_only,
	              .progress = progress_new(!o->quiet)};
	y->sums = program_result_new(files[0].file->path, files[0].file->host.command, options_device(o));
	bool ok = open_json(y) && replay_run(&spec);
	progress_end(&y->progress);
	program_result_sum(y->sums);
	ok &= close_json(y, ok);
	ok = ok && show_sums(y);
	if (y->problems)
		*status = (int)o->error_exitcode;
	array_free(&y->findings);
	program_result_free(y->sums);
	free(y);
	return ok;
}

/* Options of a launch would contradict the recording. */
static bool check_options(const Options *o, Diag *d)
{
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		if (!strcmp(w->name, "--dump"))
			continue;
		diag_error(d, w->loc, "%s: the launches are those that were recorded", w->name);
		return diag_source(d, o->command_line);
	}
	return true;
}

bool replay_check(const RecordingOptions *r, const Options *o, Diag *d)
{
	return check_options(o, d) && (r->launches || show_one_report(o, d));
}

/* The one launch that is wanted of all files. */
static bool replay_one(const ReplayFile *f, Options *o, int *status, Diag *d)
{
	for (;; f++)
		for (u32 k = 0; k < f->n; k++)
			if (f->wanted[k])
				return show_one(f->file, f->launches[k], o, status, d);
}

bool replay_files(const char *const *paths, u32 n, const RecordingOptions *r, Options *o, int *status, Diag *d)
{
	Arena *a = arena_new();
	ReplayFile *files = ARENA_ARRAY(a, ReplayFile, n);
	u64 all = 0, made = 0;
	u32 unwanted = 0;
	CapPick pick;
	bool ok = cap_pick_options(&pick, r->kernels, r->launches, r->once, d) && check_options(o, d);
	o->input = r->name ? r->name : paths[0];
	for (u32 i = 0; ok && i < n; i++) {
		files[i].file = r->name ? cap_open_own(paths[i], d) : cap_open(paths[i], d);
		ok = files[i].file && cap_check(files[i].file, d);
		if (ok)
			replay_choose(&files[i], &pick, a);
		all += files[i].nwanted;
		made += files[i].n;
		unwanted += files[i].unwanted;
	}
	if (ok && !all)
		ok = cap_pick_none(&pick, o->input, r->name ? 0 : unwanted, d); /* what runs now has said it itself */
	else if (ok && all == 1 && (made == 1 || r->launches))
		ok = replay_one(files, o, status, d);
	else if (ok)
		ok = show_one_report(o, d) && replay_many(files, n, all, o, status, d);
	cap_pick_free(&pick);
	for (u32 i = 0; i < n; i++)
		cap_close(files[i].file);
	arena_free(a);
	return ok;
}
