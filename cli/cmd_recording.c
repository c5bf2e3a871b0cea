/* wavesim record, run, replay and launches: their options (recording.def), and what each does. Replaying is in
 * replay.c, running the host program in host.c. */
#include "base/temp.h"
#include "cli/commands.h"
#include "cli/recording.h"
#include "cli/show.h"
#include "engine/replay.h"
#include "options/specs.h"
#include "report/program.h"
#include "traces/capture/capture.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

/* ---- options ---- */

static const OptRow rows[] = {
#define ROW(field, option, value, set, text) \
	.name = option, .arg = value, .help = text, .member = offsetof(RecordingOptions, field), .commands = set
#define ALIAS(name, member) OPT_ROW_ALIAS(RecordingOptions, name, member)
#define FLAG(member, name, commands, help) {.kind = OPT_FLAG, ROW(member, name, NULL, commands, help)},
#define TEXT(member, name, arg, commands, help) {.kind = OPT_TEXT, ROW(member, name, arg, commands, help)},
#include "cli/recording.def"
};

/* A text that is given says something. */
static bool check_texts(const RecordingOptions *o, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < COUNT(rows); i++) {
		const char *text = NULL;
		if (rows[i].kind == OPT_TEXT)
			memcpy(&text, (const u8 *)o + rows[i].member, sizeof text);
		if (text && !*text)
			ok = diag_error(d, NO_LOC, "%s wants %s", rows[i].name, rows[i].arg);
	}
	return ok;
}

/* Take out the options that the command has itself. */
static bool recording_options(RecordingOptions *o, u32 command, int argc, char *const *argv, Arena *a, Diag *d)
{
	int n = 0;
	*o = (RecordingOptions){.rest = ARENA_ARRAY(a, char *, argc + 1)};
	while (n < argc && !(command & (RECORD | RUN) && n && !strcmp(argv[n], "--")))
		n++;
	if (n < argc)
		o->program = argv + n + 1;
	bool ok = opt_take(rows, COUNT(rows), o, command, n, argv, o->rest, &o->nrest, d);
	ok &= check_texts(o, d);
	if (o->present && strcmp(o->present, "gpu") && strcmp(o->present, "cpu"))
		ok = diag_error(d, NO_LOC, "--present is 'gpu' or 'cpu', not '%s'", o->present);
	return ok;
}

static void help(u32 command, Buf *out)
{
	static const struct {
		u32 command;
		const char *text;
	} heads[] = {
	    {RECORD,
	     "wavesim record [options] -- PROGRAM [ARGUMENTS]: every kernel launch of a host program to a file\n\n"
	     "Runs the program unchanged and writes each of its OpenCL kernel launches to a launch file:\n"
	     "program, sizes, arguments, and memory before and after. Processes that the program starts\n"
	     "write files of their own (FILE.2, FILE.3 ...).\n\n"},
	    {RUN, "wavesim run [options] -- PROGRAM [ARGUMENTS]: every kernel launch of a host program\n\n"
	          "Runs the program unchanged and records its OpenCL kernel launches. Then simulates each launch and\n"
	          "compares the memory with what the launch left in the program's run. The machine, check and\n"
	          "output options of `wavesim --help` apply to every launch.\n\n"},
	    {REPLAY, "wavesim replay FILE [options]: recorded launches\n\n"
	             "Simulates the launches of a launch file. With one launch (--launches N) it shows the report of\n"
	             "it; with more a line for each, and the sums. The machine, check and output options of\n"
	             "`wavesim --help` apply to every launch.\n\n"},
	    {LAUNCHES, "wavesim launches FILE [options]: the launches of a launch file\n\n"},
	};
	for (u32 i = 0; i < COUNT(heads); i++)
		if (heads[i].command == command)
			buf_printf(out, "%s", heads[i].text);
	opt_help(rows, COUNT(rows), command, out);
	if (command & (RECORD | RUN))
		buf_printf(out, "\nExit status: the program's when it is not 0 (128 and a signal's number), else\n");
	else
		buf_printf(out, "\nExit status: ");
	buf_printf(out, "0 fine, 2 bad input%s.\n",
	           command & (RUN | REPLAY) ? ", with --error-exitcode N: N when there are findings" : "");
}

static void completes(CompletionCommand *c, u32 command, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), command);
	if (command & (RUN | REPLAY))
		completion_table(c, options_completes(NULL, 0, a));
}

void record_completes(CompletionCommand *c, Arena *a) { completes(c, RECORD, a); }
void run_completes(CompletionCommand *c, Arena *a) { completes(c, RUN, a); }
void replay_completes(CompletionCommand *c, Arena *a) { completes(c, REPLAY, a); }
void launches_completes(CompletionCommand *c, Arena *a) { completes(c, LAUNCHES, a); }

void record_help(Buf *out) { help(RECORD, out); }
void run_help(Buf *out) { help(RUN, out); }
void replay_help(Buf *out) { help(REPLAY, out); }
void launches_help(Buf *out) { help(LAUNCHES, out); }

/* ---- record, run ---- */

static bool no_launches(const RecordingOptions *r, const HostWrote *w, const HostEnd *end, Diag *d)
{
	return w->nsilent ? replay_nothing(w->silent, w->nsilent, r->program[0], end->status, d)
	                  : host_no_launches(r, end, d);
}

static bool tell_recorded(const HostWrote *w, Diag *d)
{
	for (u32 i = 0; i < w->n; i++) {
		CapFile *f = cap_open(w->files[i], d);
		if (!f)
			return false;
		diag_note(d, NO_LOC, "%u launch%s in '%s'", f->launches.n, f->launches.n == 1 ? "" : "es", w->files[i]);
		cap_close(f);
	}
	return true;
}

/* The program may go elsewhere. */
static const char *whole_path(const char *file, Arena *a)
{
	char folder[PATH_MAX];
	return *file != '/' && getcwd(folder, sizeof folder) ? arena_printf(a, "%s/%s", folder, file) : file;
}

static bool record(RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	(void)o;
	if (r->nrest > 1)
		return diag_error(d, NO_LOC, "wavesim record does not know '%s'", r->rest[1]);
	if (!host_check(r, "record", d) || !host_present(r, NULL, a, d))
		return false;
	const char *file = r->output ? r->output : arena_printf(a, "%s.launches", path_name(r->program[0]));
	HostWrote wrote = {0};
	HostEnd end = {0};
	if (!access(file, F_OK)) {
		diag_error(d, NO_LOC, "'%s' exists already", file);
		return diag_hint(d, "remove it, or name another file: --output FILE");
	}
	file = whole_path(file, a);
	bool ok = host_before(file, &wrote, a, d) && host_run(r, file, "64g", false, &end, d);
	if (ok) {
		*status = end.status;
		host_note_end(r, &end, d);
		host_wrote(file, false, &wrote, a);
		ok = wrote.n ? tell_recorded(&wrote, d) : no_launches(r, &wrote, &end, d);
	}
	host_wrote_free(&wrote);
	return ok;
}

/* The launches are kept in a temporary folder that goes when it is done. */
static bool run(RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	if (o->input) {
		diag_error(d, NO_LOC, "the program needs '--' in front of it");
		return diag_hint(d, "wavesim run -- %s", o->input);
	}
	if (!host_check(r, "run", d) || !show_check_formats(o, d) || !host_present(r, o, a, d) ||
	    !replay_check(r, o, d))
		return false;
	char folder[TEMP_PATH];
	const char *file = r->keep;
	HostWrote wrote = {0};
	HostEnd end = {0};
	if (file && !access(file, F_OK))
		return diag_error(d, NO_LOC, "--keep: '%s' exists already", file);
	if (!file && !temp_make(folder))
		return temp_error(folder, d);
	file = file ? whole_path(file, a) : arena_printf(a, "%s/launches", folder);
	bool json_only = is_stdout(o->json);
	r->api = specs_check_api(o);
	bool ok = host_before(file, &wrote, a, d) && host_run(r, file, "4g", json_only, &end, d);
	if (ok) {
		host_wrote(file, r->api, &wrote, a);
		host_note_end(r, &end, d);
	}
	for (u32 i = 0; r->api && end.status && i < wrote.n; i++)
		ok &= cap_withdraw_leaks(wrote.files[i], d);
	if (ok && !end.stopped) {
		RecordingOptions all = *r; /* the layer has picked already; the same are picked again */
		all.name = r->program[0];
		all.folder = r->keep ? NULL : folder;
		all.failed = end.status != 0;
		all.crashed = end.signal == SIGSEGV || end.signal == SIGBUS || end.signal == SIGFPE ||
		              end.signal == SIGILL || end.signal == SIGABRT || end.signal == SIGSYS;
		ok = wrote.n ? replay_files(wrote.files, wrote.n, &all, o, status, d)
		             : no_launches(r, &wrote, &end, d);
	}
	host_wrote_free(&wrote);
	if (!r->keep)
		temp_remove(folder);
	if (end.status)
		*status = end.status;
	return ok;
}

/* ---- replay ---- */

static bool which_file(const char *what, Diag *d)
{
	diag_error(d, NO_LOC, "%s", what);
	return diag_hint(d, "wavesim record -- PROGRAM writes one");
}

static bool replay(RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	(void)a;
	if (!o->input)
		return which_file("which launch file?", d);
	return show_check_formats(o, d) && replay_files(&o->input, 1, r, o, status, d);
}

/* ---- launches ---- */

static void put_bytes(Buf *out, u64 n)
{
	if (n < 10000)
		buf_printf(out, "%" PRIu64 " B", n);
	else if (n < 10000u << 10)
		buf_printf(out, "%" PRIu64 " KiB", n >> 10);
	else
		buf_printf(out, "%" PRIu64 " MiB", n >> 20);
}

static void put_launch(const CapLaunch *l, Buf *out)
{
	u64 bytes = 0;
	for (u32 i = 0; i < l->nobjects; i++)
		bytes += l->objects[i].size;
	buf_printf(out, "%7" PRIu64 "  %3u  %-24s  ", l->number, l->program, l->kernel);
	program_text_sizes(l->global, l->dims, -14, out);
	buf_printf(out, "  ");
	program_text_sizes(l->local, l->dims, -10, out);
	bool cut = replay_begun(l, false);
	if (l->ended > l->started && !cut)
		buf_printf(out, "  %10.1f us", (double)(l->ended - l->started) / 1e3);
	else
		buf_printf(out, "  %13s", "-");
	buf_printf(out, "  ");
	if (cap_why_missing(l))
		buf_printf(out, "%s: %s", cut ? "no results" : "not kept", cap_why_missing(l));
	else
		put_bytes(out, bytes);
	buf_printf(out, "\n");
}

static void list(const CapFile *f, CapPick *pick, Buf *out)
{
	CapSizes sizes;
	cap_sizes(f, &sizes);
	buf_printf(out, "%s: %u launch%s of %s\n", f->path, f->launches.n, f->launches.n == 1 ? "" : "es",
	           f->host.command ? f->host.command : "?");
	for (u32 i = 0; i < f->devices.n; i++) {
		const CapDevice *v = &f->devices.v[i];
		buf_printf(out, "  device   %s, %s, driver %s\n", v->name ? v->name : "?",
		           v->version ? v->version : "?", v->driver ? v->driver : "?");
	}
	buf_printf(out, "  memory   ");
	put_bytes(out, sizes.memory);
	buf_printf(out, ", stored in ");
	put_bytes(out, sizes.chunks);
	buf_printf(out, "; the file has ");
	put_bytes(out, sizes.file);
	buf_printf(out, "\n");
	if (!f->ended)
		buf_printf(out, "  the program did not end by itself%s\n",
		           f->truncated ? "; an unfinished record at the end is left out" : "");
	buf_printf(out, "\n%7s  %3s  %-24s  %-14s  %-10s  %13s  %s\n", "launch", "in", "kernel", "global", "local",
	           "device's time", "memory");
	for (u32 i = 0; i < f->launches.n; i++)
		if (cap_pick(pick, &f->launches.v[i]))
			put_launch(&f->launches.v[i], out);
}

static bool launches(RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	(void)o, (void)a, (void)status;
	CapPick pick;
	Buf out = {0};
	if (r->nrest != 2)
		return which_file(r->nrest < 2 ? "which launch file?" : "wavesim launches takes one file", d);
	CapFile *f = cap_open(r->rest[1], d);
	bool ok = f && cap_pick_options(&pick, r->kernels, r->launches, r->once, d);
	if (ok) {
		list(f, &pick, &out);
		ok = output_text(&out, d);
		cap_pick_free(&pick);
	}
	cap_close(f);
	return ok;
}

/* ---- commands ---- */

typedef bool RecordingWork(RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d);

/* Options of a launch's report are for those that simulate. */
static int command(u32 which, RecordingWork *work, int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	Options o;
	RecordingOptions r;
	int status = EXIT_FINE;
	options_init(&o);
	bool ok = recording_options(&r, which, argc, argv, a, d) &&
	          (!(which & (RUN | REPLAY)) || options_parse(&o, r.nrest, r.rest, d)) && work(&r, &o, a, &status, d);
	options_free(&o);
	arena_free(a);
	return ok || (status && which & (RECORD | RUN)) ? status : EXIT_BAD_INPUT; /* the program's comes first */
}

int cmd_record(int argc, char *const *argv, Diag *d) { return command(RECORD, record, argc, argv, d); }
int cmd_run(int argc, char *const *argv, Diag *d) { return command(RUN, run, argc, argv, d); }
int cmd_replay(int argc, char *const *argv, Diag *d) { return command(REPLAY, replay, argc, argv, d); }
int cmd_launches(int argc, char *const *argv, Diag *d) { return command(LAUNCHES, launches, argc, argv, d); }
