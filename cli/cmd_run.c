/* wavesim record: run a host program and keep its launches. wavesim run: and simulate them.
 *
 * Both set the environment that the capture layer reads (traces/layer/layer.c) and start the
 * program as it is. run keeps the launches in a temporary folder that goes when it is done. */
#include "cli/recording.h"
#include "cli/session_steps.h"
#include "isa/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FILES = 1000 };

/* ---- the layer ---- */

static bool find_layer(const RecordingOptions *r, char *out, Diag *d)
{
	static const char *const places[] = {"", "../lib/wavesim/", "../lib/"};
	char self[PATH_MAX], path[PATH_MAX + 64];
	if (r->layer) {
		if (realpath(r->layer, out))
			return true;
		return diag_error(d, NO_LOC, "--layer: cannot read '%s': %s", r->layer, strerror(errno));
	}
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		slash[1] = 0;
	for (u32 i = 0; i < COUNT(places); i++) {
		snprintf(path, sizeof path, "%s%slibwavesim-layer.so", self, places[i]);
		if (realpath(path, out))
			return true;
	}
	diag_error(d, NO_LOC, "the capture layer, libwavesim-layer.so, is not beside wavesim, nor in ../lib/wavesim");
	diag_hint(d, "`make` builds it; --layer names it where it lies elsewhere");
	return false;
}

static void set_or_clear(const char *name, const char *value)
{
	if (value && *value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

/* In the child. Other layers stay: they stand between the program and this one. */
static void set_environment(const RecordingOptions *r, const char *layer, const char *file, const char *limit)
{
	const char *others = getenv("OPENCL_LAYERS");
	Buf layers = {0};
	buf_printf(&layers, "%s%s%s", layer, others && *others ? ":" : "", others ? others : "");
	setenv("OPENCL_LAYERS", layers.v, 1);
	array_free(&layers);
	setenv("WAVESIM_RECORD", file, 1);
	setenv("WAVESIM_RECORD_LIMIT", r->limit ? r->limit : limit, 1);
	set_or_clear("WAVESIM_RECORD_KERNELS", r->kernels);
	set_or_clear("WAVESIM_RECORD_LAUNCHES", r->launches);
	set_or_clear("WAVESIM_RECORD_ONCE", r->once ? "1" : NULL);
	set_or_clear("WAVESIM_PRESENT", r->gpu);
}

/* ---- the program ---- */

static bool check_words(const RecordingOptions *r, const char *command, Diag *d)
{
	u64 limit;
	Buf why = {0};
	CapPick pick;
	if (!r->program || !r->program[0]) {
		diag_error(d, NO_LOC, "which program?");
		diag_hint(d, "wavesim %s -- ./program its arguments", command);
		return false;
	}
	if (r->limit && !parse_u64(r->limit, &limit))
		return diag_error(d, NO_LOC, "--limit: '%s' %s", r->limit, parse_u64_fault(r->limit));
	bool ok = cap_pick_init(&pick, r->kernels, r->launches, r->once, &why) ||
	          diag_error(d, NO_LOC, "--launches: %s", why.v);
	if (ok)
		cap_pick_free(&pick);
	array_free(&why);
	return ok;
}

/* What the program shall see: a GPU like the one that is simulated. */
static bool present(RecordingOptions *r, const Options *o, Arena *a, Diag *d)
{
	Device dev;
	const char *name = o && o->mcpu ? o->mcpu : o && o->device ? o->device : "mi50";
	if (r->present && !strcmp(r->present, "cpu"))
		return true;
	if (!device_load(&dev, name, o ? o->loc[o->mcpu ? OPTION_mcpu : OPTION_device] : NO_LOC, a, d))
		return false;
	r->gpu = arena_printf(a, "gpu:%u,%u,%u,%u", dev.max_group, dev.lds_per_group, dev.compute_units,
	                      o && o->wave ? (u32)o->wave : dev.wave);
	return true;
}

/* How the program ended. */
typedef struct Ended {
	int status;   /* as a shell gives it */
	bool stopped; /* by a signal to end that wavesim got */
} Ended;

/* Ctrl-C at a terminal reaches the program as well as wavesim, which waits for what comes of it. A signal
 * that somebody sends to wavesim alone is passed on. signals: those, and SIGCHLD; they are blocked. */
static void wait_for(pid_t pid, const sigset_t *signals, Ended *end)
{
	int ended = 0;
	while (!waitpid(pid, &ended, WNOHANG)) {
		siginfo_t from;
		int s = sigwaitinfo(signals, &from);
		if (s <= 0 || s == SIGCHLD)
			continue;
		if (from.si_code <= 0) /* not the kernel */
			kill(pid, s);
		end->stopped |= s != SIGINT;
	}
	end->status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}

/* Run it to its end. to_stderr: its output must not mix with ours. */
static bool run_program(const RecordingOptions *r, const char *file, const char *limit, bool to_stderr,
                        Ended *end, Diag *d)
{
	char layer[PATH_MAX];
	int failed[2], why = 0;
	sigset_t signals, before;
	*end = (Ended){0};
	if (!find_layer(r, layer, d))
		return false;
	if (pipe2(failed, O_CLOEXEC))
		return diag_error(d, NO_LOC, "cannot start a process: %s", strerror(errno));
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &signals, &before);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		set_environment(r, layer, file, limit);
		if (to_stderr)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(r->program[0], r->program);
		why = errno;
		(void)!write(failed[1], &why, sizeof why);
		_exit(127);
	}
	if (pid < 0)
		why = errno;
	close(failed[1]);
	bool started = pid > 0 && read(failed[0], &why, sizeof why) != sizeof why;
	if (pid > 0)
		wait_for(pid, &signals, end);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(failed[0]);
	return started || diag_error(d, NO_LOC, "cannot run '%s': %s", r->program[0], strerror(why));
}

/* FILE, FILE.2 … as far as there are any. */
static u32 written_files(const char *file, const char **out, Arena *a)
{
	u32 n = 0;
	for (u32 i = 1; i <= MAX_FILES; i++) {
		const char *name = i == 1 ? file : arena_printf(a, "%s.%u", file, i);
		if (access(name, R_OK))
			break;
		out[n++] = name;
	}
	return n;
}

static void note_end(const RecordingOptions *r, int status, Diag *d)
{
	if (status > 128)
		diag_note(d, NO_LOC, "'%s' was ended by signal %d (%s)", r->program[0], status - 128,
		          strsignal(status - 128));
	else if (status)
		diag_note(d, NO_LOC, "'%s' ended with status %d", r->program[0], status);
}

static bool no_launches(const RecordingOptions *r, Diag *d)
{
	diag_error(d, NO_LOC, "'%s' made no OpenCL launch that could be seen", r->program[0]);
	diag_hint(d, "the loader must know layers (ocl-icd from 2.3 on, or Khronos's), and the program must not "
	             "open a driver itself");
	return false;
}

/* ---- record ---- */

static bool record(const RecordingOptions *r, Arena *a, int *status, Diag *d)
{
	const char *name = strrchr(r->program[0], '/');
	const char *file = r->output ? r->output
	                             : arena_printf(a, "%s.launches", name ? name + 1 : r->program[0]);
	const char *files[MAX_FILES];
	char folder[PATH_MAX];
	Ended end;
	if (!access(file, F_OK)) {
		diag_error(d, NO_LOC, "'%s' is there already", file);
		diag_hint(d, "remove it, or name another one: --output FILE");
		return false;
	}
	if (*file != '/' && getcwd(folder, sizeof folder))
		file = arena_printf(a, "%s/%s", folder, file); /* the program may go elsewhere */
	if (!run_program(r, file, "64g", false, &end, d))
		return false;
	*status = end.status;
	note_end(r, end.status, d);
	u32 n = written_files(file, files, a);
	if (!n)
		return no_launches(r, d);
	for (u32 i = 0; i < n; i++) {
		CapFile *f = cap_open(files[i], d);
		if (!f)
			return false;
		diag_note(d, NO_LOC, "%u launches in '%s'", f->launches.n, files[i]);
		cap_close(f);
	}
	return true;
}

int cmd_record(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	RecordingOptions r;
	int status = EXIT_FINE;
	bool ok = recording_options(&r, RECORD, argc, argv, a, d);
	if (ok && r.nrest > 1)
		ok = diag_error(d, NO_LOC, "wavesim record does not know '%s'", r.rest[1]);
	else
		ok = ok && check_words(&r, "record", d) && present(&r, NULL, a, d) && record(&r, a, &status, d);
	arena_free(a);
	return ok ? status : EXIT_BAD_INPUT;
}

/* ---- run ---- */

static bool run(const RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	char folder[TEMP_PATH];
	const char *files[MAX_FILES], *file = r->keep;
	Ended end;
	if (file && !access(file, F_OK))
		return diag_error(d, NO_LOC, "--keep: '%s' is there already", file);
	if (file && *file != '/')
		file = arena_printf(a, "%s/%s", realpath(".", arena_alloc(a, PATH_MAX)), file);
	if (!file && !temp_make(folder))
		return diag_error(d, NO_LOC, "cannot make a temporary folder '%s': is $TMPDIR writable?", folder);
	if (!file)
		file = arena_printf(a, "%s/launches", folder);
	bool json_only = o->json && !strcmp(o->json, "-");
	bool ok = run_program(r, file, "4g", json_only, &end, d);
	u32 n = ok ? written_files(file, files, a) : 0;
	if (ok)
		note_end(r, end.status, d);
	if (ok && !end.stopped) {
		RecordingOptions all = *r; /* the layer has picked already; the same are picked again */
		all.name = r->program[0];
		ok = n ? replay_files(files, n, &all, o, status, d) : no_launches(r, d);
	}
	if (!r->keep)
		temp_remove(folder);
	if (ok && end.status)
		*status = end.status;
	return ok;
}

int cmd_run(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	Options o;
	RecordingOptions r;
	int status = EXIT_FINE;
	options_init(&o);
	bool ok = recording_options(&r, RUN, argc, argv, a, d) && options_parse(&o, r.nrest, r.rest, d);
	if (ok && o.input) {
		ok = diag_error(d, NO_LOC, "the program stands behind '--'");
		diag_hint(d, "wavesim run -- %s", o.input);
	}
	ok = ok && check_words(&r, "run", d) && session_check_formats(&o, d) &&
	     present(&r, &o, a, d) && run(&r, &o, a, &status, d);
	options_free(&o);
	arena_free(a);
	return ok ? status : EXIT_BAD_INPUT;
}
