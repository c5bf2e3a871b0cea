/* Running a host program with the capture layer between it and its OpenCL driver: the environment that
 * the layer reads (traces/capture/layer/layer.c), signals, and the files that come of it. */
#include "cli/hip.h"
#include "cli/recording.h"

#include "base/child.h"
#include "traces/capture/capture.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the layer ---- */

static bool find_layer(const RecordingOptions *r, char *out, Diag *d)
{
	if (r->layer) {
		if (realpath(r->layer, out))
			return true;
		return diag_error(d, NO_LOC, "--layer: cannot read '%s': %s", r->layer, strerror(errno));
	}
	if (near_program("libwavesim-layer.so", out))
		return true;
	diag_error(d, NO_LOC, "the capture layer, libwavesim-layer.so, is not beside wavesim, nor in ../lib/wavesim");
	return diag_hint(d, "build it with `make`, or say where it is with --layer FILE");
}

/* ---- its environment ---- */

typedef struct Environment {
	ARRAY(char *) v;
	Arena *arena;
} Environment;

/* NULL, "": without it. */
static void set(Environment *e, const char *name, const char *value)
{
	size_t n = strlen(name);
	u32 kept = 0;
	for (u32 i = 0; i < e->v.n; i++)
		if (strncmp(e->v.v[i], name, n) || e->v.v[i][n] != '=')
			e->v.v[kept++] = e->v.v[i];
	e->v.n = kept;
	if (value && *value)
		array_push(&e->v, arena_printf(e->arena, "%s=%s", name, value));
}

/* Programs that are linked with HIP's run time get ours. */
static void set_hip(Environment *e, const RecordingOptions *r, const char *bitcode)
{
	char library[PATH_MAX], helper[PATH_MAX];
	const char *others = getenv("LD_LIBRARY_PATH"), *given = getenv("WAVESIM_HELPER");
	if (!r->hip || !hip_library(library))
		return;
	if (!(given && *given ? realpath(given, helper) != NULL : near_program("wavesim-helper", helper)))
		return;
	set(e, "LD_LIBRARY_PATH", arena_printf(e->arena, "%.*s%s%s", (int)(path_name(library) - library - 1), library,
	                                       others && *others ? ":" : "", others ? others : ""));
	set(e, "WAVESIM_HIP_HELPER", helper);
	set(e, "WAVESIM_HIP_DEVICE", r->hip);
	set(e, "WAVESIM_HIP_BITCODE", bitcode);
	set(e, "WAVESIM_HIP_SECONDS", r->launch_seconds);
}

/* Ours, with what the layer reads. Other layers stay: they are between the program and this one. */
static void make_environment(Environment *e, const RecordingOptions *r, const char *layer, const char *file,
                             const char *limit, const char *bitcode)
{
	const char *others = getenv("OPENCL_LAYERS");
	for (u32 i = 0; environ && environ[i]; i++)
		array_push(&e->v, environ[i]);
	set(e, "OPENCL_LAYERS", arena_printf(e->arena, "%s%s%s", layer, others && *others ? ":" : "",
	                                     others ? others : ""));
	set(e, "WAVESIM_RECORD", file);
	set(e, "WAVESIM_RECORD_LIMIT", r->limit ? r->limit : limit);
	set(e, "WAVESIM_RECORD_KERNELS", r->kernels);
	set(e, "WAVESIM_RECORD_LAUNCHES", r->launches);
	set(e, "WAVESIM_RECORD_ONCE", r->once ? "1" : NULL);
	set(e, "WAVESIM_RECORD_API", r->api ? "1" : NULL);
	set(e, "WAVESIM_RECORD_SEEN", file ? "1" : NULL);
	set(e, "WAVESIM_PRESENT", r->gpu);
	set_hip(e, r, bitcode);
	array_push(&e->v, NULL);
}

/* ---- the program ---- */

bool host_check(const RecordingOptions *r, const char *command, Diag *d)
{
	enum { MOST_SECONDS = 1000000 }; /* milliseconds of it fit an int */
	u64 limit, seconds;
	CapPick pick;
	if (!r->program || !r->program[0]) {
		diag_error(d, NO_LOC, "which program?");
		return diag_hint(d, "wavesim %s -- ./program its arguments", command);
	}
	if (r->limit && !parse_u64(r->limit, &limit))
		return diag_error(d, NO_LOC, "--limit: '%s' %s", r->limit, parse_u64_fault(r->limit));
	if (r->limit && !limit)
		return diag_error(d, NO_LOC, "--limit must be 1 or more");
	if (r->launch_seconds && (!parse_u64(r->launch_seconds, &seconds) || !seconds || seconds > MOST_SECONDS))
		return diag_error(d, NO_LOC, "--launch-seconds: '%s' is not a whole number of seconds from 1 to %d",
		                  r->launch_seconds, MOST_SECONDS);
	bool ok = cap_pick_options(&pick, r->kernels, r->launches, r->once, d);
	if (ok)
		cap_pick_free(&pick);
	return ok;
}

/* What the program shall see: a GPU like the one that is simulated. */
bool host_present(RecordingOptions *r, const Options *o, Arena *a, Diag *d)
{
	Device *dev = ARENA_NEW(a, Device);
	const char *name = o ? options_device(o) : "mi50";
	if (!device_load(dev, name, o ? o->loc[options_device_id(o)] : NO_LOC, a, d))
		return false;
	r->device = dev;
	r->hip = hip_device_text(dev, o ? (u32)o->wave : 0, a);
	if (r->present && !strcmp(r->present, "cpu"))
		return true;
	r->gpu = arena_printf(a, "gpu:%u,%u,%u,%u", dev->max_group, dev->lds_per_group, dev->compute_units,
	                      o && o->wave ? (u32)o->wave : dev->wave);
	return true;
}

/* Wavesim waits for what comes of a signal. */
static void wait_for(pid_t pid, const ChildSignals *signals, HostEnd *end)
{
	int ended;
	u64 came = child_program(pid, signals, &ended);
	end->stopped = came & ~(1ull << SIGINT);
	end->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
	end->status = end->signal ? 128 + end->signal : WEXITSTATUS(ended);
}

/* Why it did not start, or 0. A script that does not name its shell is one of sh, as for execvp(). */
static int start(char *const *program, bool to_stderr, char *const *environment, const sigset_t *mask, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	if (to_stderr)
		posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_setsigmask(&how, mask);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	int why = posix_spawnp(pid, program[0], &files, &how, program, environment);
	if (why == ENOEXEC) {
		ARRAY(char *) words = {0};
		array_push(&words, (char[]){"sh"});
		array_push(&words, (char[]){"-c"});
		array_push(&words, (char[]){"exec \"$0\" \"$@\""});
		for (u32 i = 0; !i || program[i - 1]; i++)
			array_push(&words, program[i]);
		why = posix_spawn(pid, "/bin/sh", &files, &how, words.v, environment);
		array_free(&words);
	}
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return why;
}

/* --hip-source: its kernels, in a new folder. */
static bool hip_source(const RecordingOptions *r, char folder[TEMP_PATH], const char **bitcode, Arena *a, Diag *d)
{
	if (!temp_make(folder))
		return temp_error(folder, d);
	*bitcode = arena_printf(a, "%s/hip-source.bc", folder);
	bool ok = hip_compile_source(r->hip_source, r->device, *bitcode, a, d);
	if (!ok)
		temp_remove(folder);
	return ok;
}

/* Run it to its end. to_stderr: its output must not mix with ours. */
bool host_run(const RecordingOptions *r, const char *file, const char *limit, bool to_stderr, HostEnd *end,
              Diag *d)
{
	char layer[PATH_MAX];
	pid_t pid;
	ChildSignals signals;
	*end = (HostEnd){0};
	if (!find_layer(r, layer, d))
		return false;
	Environment e = {.arena = arena_new()};
	char folder[TEMP_PATH];
	const char *bitcode = NULL;
	child_block(&signals);
	if (r->hip_source && !hip_source(r, folder, &bitcode, e.arena, d)) {
		end->signal = child_heard(&signals);
		end->stopped = end->signal != 0;
		end->status = end->signal ? 128 + end->signal : 0;
		child_unblock(&signals);
		arena_free(e.arena);
		return false;
	}
	make_environment(&e, r, layer, file, limit, bitcode);
	fflush(NULL);
	int why = start(r->program, to_stderr, e.v.v, &signals.program, &pid);
	if (!why)
		wait_for(pid, &signals, end);
	if (bitcode)
		temp_remove(folder);
	child_unblock(&signals);
	array_free(&e.v);
	arena_free(e.arena);
	return !why || diag_error(d, NO_LOC, "cannot run '%s': %s", r->program[0], strerror(why));
}

/* ---- what it wrote ---- */

/* Sorted: the files whose paths begin so. */
static void files_beginning(const char *path, HostNames *out, Arena *a)
{
	const char *name = path_name(path), *folder = arena_strndup(a, path, (size_t)(name - path));
	DIR *dir = opendir(*folder ? folder : ".");
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (!strncmp(e->d_name, name, strlen(name)))
			array_push(out, arena_printf(a, "%s%s", folder, e->d_name));
	if (dir)
		closedir(dir);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_text);
}

bool host_before(const char *file, HostWrote *out, Arena *a, Diag *d)
{
	char name[CAP_PATH];
	CapWriter *w = cap_create_unnamed(file, UINT64_MAX, name);
	if (!w)
		return diag_error(d, NO_LOC, "cannot write '%s': %s", file, strerror(errno));
	cap_leave(w);
	unlink(name);
	files_beginning(file, &out->before, a);
	return true;
}

static bool was_there(const HostWrote *w, const char *path)
{
	return w->before.n && bsearch(&path, w->before.v, w->before.n, sizeof *w->before.v, by_text);
}

/* A file that the layer gave no name: with something in it it gets one, behind those that have one already, or stays
 * under this one where there is none left. */
static void take_unnamed(const char *path, const char *file, bool misuses, HostWrote *out)
{
	Diag none;
	diag_init(&none);
	CapFile *f = cap_open(path, &none);
	bool wanted = f && (f->launches.n || (misuses && f->misuses.n));
	if (!wanted)
		unlink(path);
	else if (!cap_name(path, file) && out->n < HOST_FILES)
		out->files[out->n++] = path;
	if (f && !wanted && out->nsilent < HOST_SILENT)
		out->silent[out->nsilent++] = f;
	else
		cap_close(f);
	diag_free(&none);
}

void host_wrote(const char *file, bool misuses, HostWrote *out, Arena *a)
{
	HostNames unnamed = {0};
	files_beginning(arena_printf(a, "%s" CAP_UNNAMED, file), &unnamed, a);
	for (u32 i = 0; i < unnamed.n; i++)
		if (!was_there(out, unnamed.v[i]))
			take_unnamed(unnamed.v[i], file, misuses, out);
	array_free(&unnamed);
	for (u32 i = 1; out->n < HOST_FILES; i++) {
		const char *name = i == 1 ? file : arena_printf(a, "%s.%u", file, i);
		if (was_there(out, name))
			continue;
		if (access(name, R_OK))
			break;
		out->files[out->n++] = name;
	}
}

void host_wrote_free(HostWrote *w)
{
	for (u32 i = 0; i < w->nsilent; i++)
		cap_close((CapFile *)w->silent[i]);
	array_free(&w->before);
}

/* ---- how it ended ---- */

void host_note_end(const RecordingOptions *r, const HostEnd *end, Diag *d)
{
	if (end->signal)
		diag_note(d, NO_LOC, "'%s' was ended by signal %d (%s)", r->program[0], end->signal,
		          strsignal(end->signal));
	else if (end->status)
		diag_note(d, NO_LOC, "'%s' ended with status %d", r->program[0], end->status);
}

bool host_no_launches(const RecordingOptions *r, const HostEnd *end, Diag *d)
{
	diag_error(d, NO_LOC, "no kernel launch of '%s' was recorded%s", r->program[0],
	           end->status ? "" : "; the program ended with status 0");
	return diag_hint(d, "run the program with an OpenCL loader that supports layers (ocl-icd 2.3 or later, or "
	                    "Khronos's), not with a driver's own library; build HIP programs with `wavesim hipcc`");
}
