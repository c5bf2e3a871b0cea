/* Showing the launches of launch files: one as its whole report; of several a line each, and sums.
 *
 * A launch that cannot be simulated is shown with the reason, and the next one follows. JSON of a launch is gone when
 * the next one begins. */
#include "base/opencl_host.h"
#include "base/temp.h"
#include "cli/commands.h"
#include "cli/recording.h"
#include "cli/show.h"
#include "engine/misuse.h"
#include "engine/replay.h"
#include "engine/suppress.h"
#include "report/program.h"
#include "report/style.h"

#include <errno.h>
#include <unistd.h>

/* What was found in a launch, and in others the same. */
typedef struct ReplayFinding {
	const char *kernel;
	u64 first, others;
	char *faults, *text; /* faults: without advice, whose figures differ from launch to launch */
} ReplayFinding;

typedef struct Replay {
	const Options *o;
	Diag *d;
	ProgramResult *sums;
	FILE *json;   /* unfinished, or NULL */
	u64 shown, json_launches, done, all, printed_findings;
	bool lines, problems; /* lines: of each launch on standard output */
	ARRAY(ReplayFinding) findings; /* of all launches, for the end */
	Progress progress;
} Replay;

static bool write_json(Replay *y, const Buf *text)
{
	if (!y->json || fwrite(text->v, 1, text->n, y->json) == text->n)
		return true;
	return diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", y->o->json, strerror(errno));
}

/* What went wrong in it, or in one before, too. */
static void keep_findings(Replay *y, const ProgramLaunch *l)
{
	SinkStyle style = output_style(STDOUT_FILENO), faults = {.faults_only = true, .max_findings = UINT32_MAX};
	Buf text = {0}, only = {0};
	if (!result_problems(l->report))
		return;
	text_findings(l->report, &faults, &only);
	for (u32 i = 0; i < y->findings.n; i++) {
		ReplayFinding *f = &y->findings.v[i];
		if (strcmp(f->kernel, l->kernel) || strcmp(f->faults, only.v))
			continue;
		f->others++;
		array_free(&only);
		return;
	}
	if (y->printed_findings >= y->o->max_errors) {
		array_free(&only);
		return;
	}
	style.max_findings = (u32)(y->o->max_errors - y->printed_findings);
	text_findings(l->report, &style, &text);
	array_push(&y->findings, ((ReplayFinding){l->kernel, l->number, 0, only.v, text.v}));
	y->printed_findings += result_problems(l->report);
}

static void put_findings(Replay *y, Buf *out)
{
	for (u32 i = 0; i < y->findings.n; i++) {
		ReplayFinding *f = &y->findings.v[i];
		buf_printf(out, "\nlaunch %" PRIu64, f->first);
		if (f->others)
			put_numbers(out, " and # other~", f->others);
		buf_printf(out, ", kernel %s\n%s", f->kernel, f->text);
	}
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
	                   .measured_us = l->ended > l->started && !replay_begun(l, false)
	                                      ? (double)(l->ended - l->started) / 1e3 : -1};
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

/* ---- misuse of OpenCL ---- */

/* What is known beside the launches that are shown. */
typedef struct ReplayAbout {
	const char *file;        /* the launch file, for JSON; "": it does not stay */
	const CapFile **misuses; /* files whose misuse is a part of what is shown */
	u32 nmisuses;
	bool begun; /* a launch that had not ended when the program did is shown, too */
} ReplayAbout;

static ReplayAbout about(const ReplayFile *files, u32 n, const RecordingOptions *r, const Options *o, Arena *a)
{
	ReplayAbout b = {.file = r->folder ? "" : files[0].file->path,
	                 .misuses = ARENA_ARRAY(a, const CapFile *, n + 1)};
	/* Of those that a user ended nothing else is known than that they were slow. */
	b.begun = r->crashed || r->launches;
	for (u32 i = 0; specs_check_api(o) && i < n; i++)
		b.misuses[b.nmisuses++] = files[i].file;
	return b;
}

/* Its findings, as a result that has nothing else. */
static Result *misuse_result(const ReplayAbout *b, const Options *o)
{
	Result *r = xcalloc(1, sizeof *r);
	r->arena = arena_new();
	misuse_add(r, b->misuses, b->nmisuses);
	if (o->suppressions)
		suppress_findings(o->suppressions, r);
	return r;
}

static void put_misuses(const Result *r, const Options *o, Buf *out)
{
	SinkStyle style = output_style(STDOUT_FILENO);
	style.max_findings = (u32)o->max_errors;
	text_findings(r, &style, out);
}

/* ---- one launch: its whole report, but JSON as of several ---- */

static bool show_one(const CapFile *f, const CapLaunch *l, const ReplayAbout *b, Options *o, int *status, Diag *d)
{
	LaunchSpec launch = specs_launch(o);
	launch.misuses = b->misuses;
	launch.nmisuses = b->nmisuses;
	launch.file = f;
	launch.recorded = l;
	if (cap_why_missing(l) && !replay_begun(l, b->begun))
		return diag_error(d, (Loc){.file = o->input}, "launch %llu was not kept: %s",
		                  (unsigned long long)l->number,
		                  cap_why_missing(l));
	ProgramOne as = {program_result_new(b->file, f->host.command, options_device(o)), describe(l)};
	bool ok = show_launch(o, &launch, &as, status, d);
	program_result_free(as.of);
	return ok;
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

static bool close_json(Replay *y, const Result *misuses, bool complete)
{
	if (!y->json)
		return !y->o->json;
	Buf text = {0};
	program_json_end(y->sums, misuses, &text);
	bool ok = complete && write_json(y, &text);
	array_free(&text);
	bool closed = output_close(y->json, y->o->json, ok);
	return !ok || closed || diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", y->o->json,
	                                   strerror(errno));
}

static bool show_sums(Replay *y, const Result *misuses)
{
	Buf text = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	bool ok = true;
	if (!y->o->quiet && !is_stdout(y->o->json)) {
		buf_printf(&text, "%s", "");
		put_findings(y, &text);
		put_misuses(misuses, y->o, &text);
		program_text(y->sums, &style, &text);
		ok = output_stdout(text.v, text.n, y->d);
	}
	array_free(&text);
	return ok;
}

static bool replay_many(const ReplayFile *files, u32 n, u64 all, const ReplayAbout *b, const Options *o, int *status,
                        Diag *d)
{
	bool json_only = is_stdout(o->json);
	EngineTimes times = {0};
	ReplaySpec spec = {
	    .files = files, .nfiles = n, .launch = specs_launch(o), .want = specs_run(o, (SpecsHost){0}),
	    .begun = b->begun, .each = each, .times = &times, .d = d};
	if (!specs_machine(o, NULL, NULL, &spec.machine, d))
		return false;
	spec.want.listing = false; /* of each launch again, it would be most of the report */
	Replay *y = spec.ctx = xcalloc(1, sizeof *y);
	*y = (Replay){.o = o, .d = d, .all = all, .lines = !o->quiet && !json_only,
	              .progress = progress_new(!o->quiet, o->progress)};
	y->progress.things = "launches";
	y->sums = program_result_new(b->file, files[0].file->host.command, options_device(o));
	progress_step(&y->progress, 0, all);
	bool ok = open_json(y) && replay_run(&spec);
	progress_end(&y->progress);
	program_result_sum(y->sums);
	Result *misuses = misuse_result(b, o);
	ok &= close_json(y, misuses, ok);
	ok = ok && show_sums(y, misuses);
	if (ok && o->timing)
		show_times(&times);
	if (ok && o->suppressions)
		suppress_note_unused(o->suppressions, d);
	if (y->problems || result_problems(misuses))
		*status = (int)o->error_exitcode;
	for (u32 i = 0; i < y->findings.n; i++) {
		free(y->findings.v[i].faults);
		free(y->findings.v[i].text);
	}
	array_free(&y->findings);
	result_free(misuses);
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
		return options_quote(o->command_line, d);
	}
	return true;
}

bool replay_check(const RecordingOptions *r, const Options *o, Diag *d)
{
	bool one = r->launches && !r->launches[strspn(r->launches, "0123456789")];
	return check_options(o, d) && (one || show_one_report(o, d));
}

/* The one launch that is wanted of all files. */
static bool replay_one(const ReplayFile *f, const ReplayAbout *b, Options *o, int *status, Diag *d)
{
	for (;; f++)
		for (u32 k = 0; k < f->n; k++)
			if (f->wanted[k])
				return show_one(f->file, f->launches[k], b, o, status, d);
}

/* Without a launch to show. */
static void show_misuses(const ReplayAbout *b, const Options *o, Diag *d)
{
	Result *r = misuse_result(b, o);
	Buf text = {0};
	buf_printf(&text, "%s", "");
	put_misuses(r, o, &text);
	if (o->quiet)
		output_stderr(text.v, text.n);
	else if (!is_stdout(o->json))
		output_stdout(text.v, text.n, d);
	array_free(&text);
	result_free(r);
}

/* Which launches were refused, one of each kind. */
static void note_refused(const CapFile *f, Diag *d)
{
	enum { MOST_KINDS = 20 };
	Buf seen = {0}, one = {0};
	buf_printf(&seen, "%s", "");
	for (u32 i = 0, kinds = 0; i < f->refused.n && kinds <= MOST_KINDS; i++) {
		const CapRefused *r = &f->refused.v[i];
		one.n = 0;
		buf_printf(&one, "kernel %s, ", r->kernel);
		program_text_sizes(r->global, r->dims, 0, &one);
		buf_printf(&one, " work-items");
		if (r->local[0]) {
			buf_printf(&one, " in groups of ");
			program_text_sizes(r->local, r->dims, 0, &one);
		}
		buf_printf(&one, ": %s\n", opencl_error(-(int)r->error));
		if (strstr(seen.v, one.v))
			continue;
		buf_printf(&seen, "%s", one.v);
		if (kinds++ < MOST_KINDS)
			diag_note(d, NO_LOC, "the driver refused a launch: %.*s", (int)one.n - 1, one.v);
		else
			diag_note(d, NO_LOC, "the driver refused launches of other kinds, too");
	}
	array_free(&seen);
	array_free(&one);
}

/* Calls that may be why there is no launch. */
static void note_failed(const CapFile *f, Diag *d)
{
	for (u32 i = 0; i < f->failed.n; i++) {
		const CapFailed *k = &f->failed.v[i];
		diag_note(d, NO_LOC, "%s failed: %s%s%s%s", k->call, opencl_error(-(int)k->error),
		          *k->about ? " (" : "", k->about, *k->about ? ")" : "");
	}
}

bool replay_nothing(const CapFile *const *files, u32 n, const char *program, int status, Diag *d)
{
	for (u32 i = 0; i < n; i++) {
		note_failed(files[i], d);
		note_refused(files[i], d);
	}
	return diag_error(d, NO_LOC, "no kernel launch of '%s' was recorded%s", program,
	                  status ? "" : "; the program ended with status 0");
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
	if (r->folder)
		temp_remove(r->folder); /* simulating takes long, and this process may be killed */
	bool nothing = ok && !made && r->name;
	for (u32 i = 0; ok && !all && !nothing && i < n; i++)
		note_refused(files[i].file, d);
	ReplayAbout b = {0};
	if (ok)
		b = about(files, n, r, o, a);
	if (ok && !all)
		show_misuses(&b, o, d);
	if (nothing) {
		const CapFile **opened = ARENA_ARRAY(a, const CapFile *, n);
		for (u32 i = 0; i < n; i++)
			opened[i] = files[i].file;
		ok = replay_nothing(opened, n, r->name, r->failed, d);
	} else if (ok && !all) /* `run`: the layer has told of those that were left out */
		ok = cap_pick_none(&pick, o->input, r->name ? 0 : unwanted, d);
	else if (ok && all == 1 && (made == 1 || r->launches))
		ok = replay_one(files, &b, o, status, d);
	else if (ok)
		ok = show_one_report(o, d) && replay_many(files, n, all, &b, o, status, d);
	cap_pick_free(&pick);
	for (u32 i = 0; i < n; i++)
		cap_close(files[i].file);
	arena_free(a);
	return ok;
}
