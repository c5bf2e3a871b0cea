/* wavesim watch: run a kernel again whenever its file, or one it includes, is saved, and say what
 * changed against the last run that worked.
 *
 * Folders are watched, not files: many editors write a new file and move it over the old one, and then
 * a watched file is gone. Saves that come in a burst count once. A kernel that does not compile is said
 * to be so, and the last good run stays what the next one is compared with. */
#include "cli/commands.h"
#include "cli/show.h"
#include "cli/sources.h"
#include "report/compare.h"
#include "report/watch.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { SETTLE_MS = 60 }; /* how long nothing may happen before a save counts as complete */

/* One run, and what is kept of it for the next. */
typedef struct WatchRun {
	Options o;
	EngineRun *run;
	Result *report; /* NULL: it did not work */
} WatchRun;

typedef struct Watch {
	int argc;
	char **argv;
	u64 most_runs; /* then it ends; 0: never */
	bool json;     /* a line of JSON for each run, and nothing else on standard output */
	BuildCache cache; /* for its helper: what a program includes may have changed */
	WatchRun *last, *now; /* last: that worked, or NULL */
	int inotify;
	ARRAY(char *) files; /* to watch */
	ARRAY(int) folders;  /* of each: its watch */
	Diag *d;
} Watch;

static const OptRow rows[] = {
	OPT_ROW_WHOLE(Watch, most_runs, "--runs", "N", 1, UINT64_MAX, 0, "end after so many runs (default: never)")
	OPT_ROW_FLAG(Watch, json, "--watch-json", "for editors: one line of JSON for each run, and nothing else")
};

/* ---- running ---- */

static void run_free(WatchRun *r)
{
	if (!r)
		return;
	result_free(r->report);
	engine_close(r->run);
	options_free(&r->o);
	free(r);
}

/* False: not even the options are right. */
static bool run_once(Watch *w)
{
	WatchRun *r = w->now = xcalloc(1, sizeof *r);
	options_init(&r->o);
	if (!options_parse(&r->o, w->argc, w->argv, w->d) || !show_check_formats(&r->o, w->d))
		return false;
	if (!r->o.input) {
		diag_error(w->d, NO_LOC, "which kernel file?");
		return diag_hint(w->d, "wavesim watch kernel.cl [options]");
	}
	LaunchSpec launch = specs_launch(&r->o);
	build_cache_empty(&w->cache);
	if (w->json && !show_not_of_one(&r->o, OPTION_COUNT, "watch --watch-json", "each line has the report", w->d))
		return false;
	Progress progress = progress_new(!r->o.quiet && !w->json, r->o.progress);
	bool ok;
	r->run = specs_execute(&r->o, &launch, &w->cache, progress_host(&progress), &ok, w->d);
	r->report = ok ? engine_result(r->run) : NULL;
	progress_end(&progress);
	int status;
	if (r->report && !w->json)
		show_result(r->run, &r->o, r->report, NULL, &status, w->d);
	return true;
}

static void show_change(const Watch *w)
{
	static const char *const label[SIDES] = {"last run", "this run"};
	CompareResults none = {.missing = "each run is compared with PoCL's own"};
	Compare *c = compare_build(w->last->report, w->now->report, label, &none);
	Buf out = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	compare_changes(c, "the last run", &style, &out);
	output_text(&out, w->d);
	compare_free(c);
}

/* ---- files ---- */

static void folder_of(const char *path, Buf *out)
{
	const char *slash = strrchr(path, '/');
	buf_printf(out, "%.*s", slash ? (int)(slash - path) + (slash == path) : 1, slash ? path : ".");
}

static bool watch_file(Watch *w, const char *path)
{
	for (u32 i = 0; i < w->files.n; i++)
		if (!strcmp(w->files.v[i], path))
			return true;
	Buf folder = {0};
	folder_of(path, &folder);
	int id = inotify_add_watch(w->inotify, folder.v, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
	if (id >= 0) {
		array_push(&w->files, xstrdup(path));
		array_push(&w->folders, id);
	} else {
		diag_error(w->d, NO_LOC, "cannot watch '%s': %s", folder.v, strerror(errno));
	}
	array_free(&folder);
	return id >= 0;
}

static bool watch_source(void *watch, const char *path, const char *text, size_t n)
{
	(void)text, (void)n;
	return watch_file(watch, path);
}

/* The input, the program that a .sim file names, and what they include. */
static bool watch_files(Watch *w)
{
	const char *input = w->now->o.input, *program = engine_path(w->now->run);
	const char *options = engine_build_options(w->now->run);
	return watch_file(w, input) && sources_walk(input, options, watch_source, w) &&
	       (!program || sources_walk(program, options, watch_source, w));
}

static bool is_ours(const Watch *w, const struct inotify_event *e)
{
	for (u32 i = 0; i < w->files.n; i++)
		if (w->folders.v[i] == e->wd && e->len && !strcmp(path_name(w->files.v[i]), e->name))
			return true;
	return (e->mask & IN_Q_OVERFLOW) != 0;
}

/* Wait until one of the files is saved and nothing has happened to them for a moment; false: an error.
 * A file that is away for the moment is waited for. */
static bool wait_for_save(Watch *w)
{
	union {
		struct inotify_event event;
		char bytes[1 << 14];
	} in;
	for (bool saved = false;;) {
		struct pollfd p = {.fd = w->inotify, .events = POLLIN};
		int ready = poll(&p, 1, saved ? SETTLE_MS : -1);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready < 0)
			return diag_error(w->d, NO_LOC, "cannot wait for changes: %s", strerror(errno));
		if (!ready && !access(w->files.v[0], R_OK))
			return true;
		if (!ready) {
			saved = false;
			continue;
		}
		ssize_t n = read(w->inotify, in.bytes, sizeof in.bytes);
		if (n <= 0 && errno != EINTR)
			return diag_error(w->d, NO_LOC, "cannot wait for changes: %s", strerror(errno));
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *e = (const void *)(in.bytes + at);
			saved |= is_ours(w, e);
			at += (ssize_t)(sizeof *e + e->len);
		}
	}
}

/* ---- the loop ---- */

static bool say(const Watch *w, const char *what)
{
	bool terminal = isatty(STDOUT_FILENO);
	Buf out = {0};
	buf_printf(&out, "%s%s\n", terminal ? "\033[2m" : "", what);
	if (terminal)
		buf_printf(&out, "\033[0m");
	return output_text(&out, w->d);
}

/* The report of this run, or what was wrong; messages are in it, and not on standard error. */
static bool say_json(Watch *w, u64 run)
{
	Buf out = {0};
	watch_json(run, w->now->report, w->d, &out);
	diag_free(w->d);
	diag_init(w->d);
	return output_text(&out, w->d);
}

static bool loop(Watch *w)
{
	for (u64 run = 1;; run++) {
		if (!w->json)
			output_clear();
		if (!run_once(w))
			return false;
		bool good = w->now->report;
		if (w->json && !say_json(w, run))
			return false;
		if (!w->json && good && w->last)
			show_change(w);
		if (!watch_files(w))
			return false;
		diag_flush(w->d);
		if (good) {
			run_free(w->last);
			w->last = w->now;
		} else {
			run_free(w->now);
		}
		w->now = NULL;
		if (run == w->most_runs)
			return good;
		if (!w->json && !say(w, !good && w->last ? "\nthe last good run stays; watching, Ctrl-C ends it"
		                             : "\nwatching; Ctrl-C ends it"))
			return false;
		if (!wait_for_save(w))
			return false;
	}
}

void watch_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, options_completes(NULL, 0, a));
}

void watch_help(Buf *out)
{
	buf_printf(out,
	           "wavesim watch FILE [options]   run it now and whenever it is saved, and say what changed\n\n"
	           "Files that FILE includes are watched too. Options are those of a launch (wavesim --help).\n"
	           "A kernel that does not compile leaves the last good run to compare the next one with.\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nExit status: 0 fine, 2 bad input, or the last of --runs could not run.\n");
}

int cmd_watch(int argc, char *const *argv, Diag *d)
{
	Watch w = {.d = d, .inotify = -1};
	Arena *a = arena_new();
	w.argv = ARENA_ARRAY(a, char *, argc + 1);
	bool ok = opt_take(rows, COUNT(rows), &w, 0, argc, argv, w.argv, &w.argc, d);
	if (ok) {
		w.inotify = inotify_init1(IN_CLOEXEC);
		ok = w.inotify >= 0 ? loop(&w)
		                    : diag_error(d, NO_LOC, "cannot watch files here: %s", strerror(errno));
	}
	run_free(w.now);
	run_free(w.last);
	build_cache_free(&w.cache);
	for (u32 i = 0; i < w.files.n; i++)
		free(w.files.v[i]);
	array_free(&w.files);
	array_free(&w.folders);
	if (w.inotify >= 0)
		close(w.inotify);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}
