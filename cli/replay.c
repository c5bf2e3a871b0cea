/* Simulating the launches of launch files, one after the other.
 *
 * A launch that cannot be simulated (what it needs is not in the file, or not supported) is shown with
 * the reason, and the next one follows. Programs that were built are kept, because programs launch
 * few kernels many times; memory and JSON of a launch are gone when the next one begins. */
#include "cli/recording.h"
#include "engine/run.h"
#include "report/program.h"
#include "report/style.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_BUILDS = 64 };

/* A launch file, its launches in the order of their numbers, and which of them are wanted. */
typedef struct Recorded {
	CapFile *file;
	const CapLaunch **launches;
	bool *wanted;
	u32 n, unwanted; /* unwanted: left out when they were recorded */
} Recorded;

typedef struct Replay {
	Options *o;
	Diag *d;
	ProgramResult *sums;
	Helper *helper;
	SessionBuild builds[MAX_BUILDS]; /* by program, kernel and group size */
	FILE *json;   /* unfinished, or NULL */
	u64 shown, json_launches, done, all, printed_findings;
	bool lines, problems; /* lines: of each launch on standard output */
	Buf findings; /* of all launches, for the end */
	Progress progress;
} Replay;

/* The same program, kernel and size of group: one of the builds kept, or the place of another one. */
static SessionBuild *build_of(Replay *y, u32 file, const CapLaunch *l)
{
	u64 key = file * 31u + l->program;
	for (const char *c = l->kernel; *c; c++)
		key = (key ^ (u8)*c) * 0x100000001B3u;
	key = (key ^ l->local[0] * l->local[1] * l->local[2]) * 0x9E3779B97F4A7C15u;
	return &y->builds[key >> 32 & (MAX_BUILDS - 1)];
}

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

static bool show_launch(Replay *y, ProgramLaunch *l)
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

/* Not wanted: only counted. */
static void pass(Replay *y, const CapLaunch *l)
{
	ProgramLaunch p = describe(l);
	program_result_add(y->sums, &p);
}

static bool simulate(Replay *y, u32 number, const CapFile *f, const CapLaunch *l)
{
	Diag d;
	diag_init(&d);
	Arena *a = arena_new();
	Session s = {.o = y->o, .d = &d, .arena = a, .file = f, .recorded = l, .cache = build_of(y, number, l),
	             .helper = y->helper};
	ProgramLaunch p = describe(l);
	Result *r = NULL;
	if (cap_why_missing(l)) {
		p.failed = cap_why_missing(l);
	} else if (session_build(&s) && session_bind(&s) && session_execute(&s)) {
		p.report = r = session_report(&s);
		memcpy(p.local, r->local, sizeof p.local);
	} else {
		p.failed = diag_reason(&d, "no reason given", a);
	}
	bool ok = show_launch(y, &p);
	if (r)
		result_free(r);
	session_close(&s);
	diag_free(&d);
	arena_free(a);
	progress_step(&y->progress, ++y->done, y->all);
	return ok;
}

/* ---- one launch: its whole report ---- */

static bool show_one(const CapFile *f, const CapLaunch *l, Options *o, int *status, Diag *d)
{
	Session s = {.o = o, .d = d, .arena = arena_new(), .file = f, .recorded = l};
	bool ok = !cap_why_missing(l) || diag_error(d, (Loc){.file = f->path}, "launch %llu was not kept: %s",
	                                            (unsigned long long)l->number, cap_why_missing(l));
	ok = ok && session_all_steps(&s, status);
	session_close(&s);
	arena_free(s.arena);
	return ok;
}

/* ---- all of it ---- */

static int by_number(const void *a, const void *b)
{
	const CapLaunch *x = *(const CapLaunch *const *)a, *y = *(const CapLaunch *const *)b;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* How many launches are wanted. */
static u32 choose(Recorded *f, CapPick *pick, Arena *a)
{
	u32 wanted = 0;
	f->n = f->file->launches.n;
	f->launches = ARENA_ARRAY(a, const CapLaunch *, f->n + 1);
	f->wanted = ARENA_ARRAY(a, bool, f->n + 1);
	for (u32 i = 0; i < f->n; i++)
		f->launches[i] = &f->file->launches.v[i];
	qsort(f->launches, f->n, sizeof *f->launches, by_number);
	for (u32 i = 0; i < f->n; i++) {
		f->unwanted += f->launches[i]->state == CAP_UNWANTED;
		f->wanted[i] = f->launches[i]->state != CAP_UNWANTED && cap_pick(pick, f->launches[i]);
		wanted += f->wanted[i];
	}
	return wanted;
}

static bool replay_all(Replay *y, const Recorded *files, u32 n)
{
	bool ok = true;
	for (u32 i = 0; ok && i < n; i++) {
		for (u32 k = 0; ok && k < files[i].n; k++) {
			if (files[i].wanted[k])
				ok = simulate(y, i, files[i].file, files[i].launches[k]);
			else
				pass(y, files[i].launches[k]);
		}
	}
	return ok;
}

static bool open_json(Replay *y)
{
	const char *path = y->o->json;
	if (!path)
		return true;
	Buf text = {0};
	y->json = strcmp(path, "-") ? fopen(path, "w") : stdout;
	if (!y->json)
		return diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", path, strerror(errno));
	program_json_start(y->sums, &text);
	bool ok = write_json(y, &text);
	array_free(&text);
	return ok;
}

static bool close_json(Replay *y)
{
	if (!y->json)
		return true;
	Buf text = {0};
	program_json_end(y->sums, &text);
	bool ok = write_json(y, &text);
	array_free(&text);
	if (y->json != stdout && fclose(y->json) && ok)
		ok = diag_error(y->d, y->o->loc[OPTION_json], "cannot write '%s': %s", y->o->json, strerror(errno));
	return ok;
}

static bool show_sums(Replay *y)
{
	Buf text = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	bool ok = true;
	if (!y->o->quiet && !(y->o->json && !strcmp(y->o->json, "-"))) {
		buf_printf(&text, "%s", y->findings.n ? y->findings.v : "");
		program_text(y->sums, &style, &text);
		ok = output_stdout(text.v, text.n, y->d);
	}
	array_free(&text);
	return ok;
}

static const char *machine_name(const Options *o) { return o->mcpu ? o->mcpu : o->device ? o->device : "mi50"; }

static bool replay_many(const Recorded *files, u32 n, u64 all, Options *o, int *status, Diag *d)
{
	bool json_only = o->json && !strcmp(o->json, "-");
	Replay *y = xcalloc(1, sizeof *y);
	*y = (Replay){.o = o, .d = d, .helper = helper_new(NULL), .all = all, .lines = !o->quiet && !json_only};
	y->sums = program_result_new(files[0].file->path, files[0].file->host.command, machine_name(o));
	bool was_quiet = o->quiet;
	progress_start(&y->progress, !o->quiet);
	bool ok = open_json(y);
	o->quiet = true; /* no progress of each launch */
	ok = ok && replay_all(y, files, n);
	o->quiet = was_quiet;
	progress_end(&y->progress);
	program_result_sum(y->sums);
	ok = close_json(y) && ok;
	ok = ok && show_sums(y);
	if (y->problems)
		*status = (int)o->error_exitcode;
	for (u32 i = 0; i < MAX_BUILDS; i++)
		session_build_free(&y->builds[i]);
	helper_free(y->helper);
	array_free(&y->findings);
	program_result_free(y->sums);
	free(y);
	return ok;
}

/* Options of a launch would say otherwise than the recording. */
static bool check_options(const Options *o, Diag *d)
{
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		if (!strcmp(w->name, "--dump"))
			continue;
		diag_error(d, w->loc, "%s: the launches are those that were recorded", w->name);
		diag_source(d, o->command_line);
		return false;
	}
	return true;
}

/* The one launch that is wanted of all files. */
static bool replay_one(const Recorded *f, Options *o, int *status, Diag *d)
{
	for (;; f++)
		for (u32 k = 0; k < f->n; k++)
			if (f->wanted[k])
				return show_one(f->file, f->launches[k], o, status, d);
}

bool replay_files(const char *const *paths, u32 n, const RecordingOptions *r, Options *o, int *status, Diag *d)
{
	Arena *a = arena_new();
	Recorded *files = ARENA_ARRAY(a, Recorded, n);
	u64 all = 0, made = 0;
	u32 unwanted = 0;
	CapPick pick;
	bool ok = cap_pick_options(&pick, r->kernels, r->launches, r->once, d) && check_options(o, d);
	o->input = r->name ? r->name : paths[0];
	for (u32 i = 0; ok && i < n; i++) {
		files[i].file = cap_open(paths[i], d);
		ok = files[i].file && cap_check(files[i].file, d);
		all += ok ? choose(&files[i], &pick, a) : 0;
		made += files[i].n;
		unwanted += files[i].unwanted;
	}
	if (ok && !all)
		ok = cap_pick_none(&pick, o->input, r->name ? 0 : unwanted, d); /* what runs now has said it itself */
	else if (ok && all == 1 && (made == 1 || r->launches))
		ok = replay_one(files, o, status, d);
	else if (ok)
		ok = session_one_report(o, d) && replay_many(files, n, all, o, status, d);
	cap_pick_free(&pick);
	for (u32 i = 0; i < n; i++)
		cap_close(files[i].file);
	arena_free(a);
	return ok;
}
