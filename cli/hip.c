/* See hip.h. */
#include "cli/hip.h"

#include "frontend/hip_words.h"
#include "frontend/packages.h"
#include "isa/bitcode.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

bool hip_library(char *out) { return near_program("hip/libamdhip64.so.5", out); }

/* ---- tools ---- */

static bool find_headers(HipTools *t)
{
	static const char *const roots[] = {HIP_ROOTS};
	for (u32 i = 0; i < COUNT(roots) && !t->version; i++) {
		size_t n;
		char *text = read_file(arena_printf(t->arena, "%s/" HIP_VERSION_FILE, roots[i]), &n);
		t->version = hip_version_in(text, t->arena);
		t->root = roots[i];
		free(text);
	}
	return t->version != NULL;
}

bool hip_tools_open(HipTools *t, Arena *a, Diag *d)
{
	char library[PATH_MAX];
	*t = (HipTools){.arena = a, .clang = hip_clang(d)};
	if (!t->clang)
		return false;
	if (!find_headers(t))
		return hip_lacks_headers(d);
	if (!hip_library(library)) {
		diag_error(
		    d, NO_LOC,
		    "wavesim's HIP run time, hip/libamdhip64.so.5, is not beside wavesim, nor in ../lib/wavesim");
		return diag_hint(d, "it is built where HIP's headers are: " INSTALL_HIP_HEADERS ", then `make`");
	}
	t->library = arena_strdup(a, library);
	child_block(&t->signals);
	if (temp_make(t->folder))
		return true;
	child_unblock(&t->signals);
	return temp_error(t->folder, d);
}

void hip_tools_close(HipTools *t)
{
	temp_remove(t->folder);
	child_unblock(&t->signals);
}

void hip_words(HipWords *to, const char *const *words)
{
	for (; *words; words++)
		array_push(to, *words);
}

/* It is not optimised here, always has its lines, and is no code object (of which files that are linked need one
 * version). */
static bool not_for_device(const char *word)
{
	return !strncmp(word, "-O", 2) || !strncmp(word, "-g", 2) || !strncmp(word, "-mcode-object-version", 21);
}

void hip_words_of(HipWords *to, const HipWords *from, bool device)
{
	for (u32 i = 0; i < from->n; i++) {
		const char *w = from->v[i];
		if (!device || !not_for_device(w))
			array_push(to, w);
	}
}

void hip_words_begin(const HipTools *t, HipWords *to, const char *chip)
{
	hip_words(to, (const char *const[]){t->clang, "-Wno-unused-command-line-argument", "-std=c++17",
	                                    arena_printf(t->arena, "--offload-arch=%s", chip), NULL});
	hip_words(to, hip_header_words(t->root, t->version, t->arena));
}

/* Its words into the log, or as they come. */
static int start(const HipTools *t, pid_t *pid, const HipWords *words, const char *log)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	if (log) {
		posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
	}
	posix_spawnattr_setsigmask(&how, &t->signals.program);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	int why = posix_spawnp(pid, words->v[0], &files, &how, (char *const *)(uintptr_t)words->v, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return why;
}

/* Signals that came while it ran are there again: they end the process when the tools are closed. */
static bool tool_stopped(const char *tool, u64 came, Diag *d)
{
	for (int i = 1; came >> i; i++)
		if (came >> i & 1)
			raise(i);
	return diag_error(d, NO_LOC, "%s was stopped", path_name(tool));
}

/* With the first line of the log, if it has one. */
static bool tool_failed(const char *tool, int status, const char *log, Diag *d)
{
	size_t n;
	char *said = log ? read_file(log, &n) : NULL;
	int length = said ? (int)strcspn(said, "\n") : 0;
	diag_error(d, NO_LOC, "%s failed with status %d%s%.*s", path_name(tool), status, length ? ": " : "", length,
	           said ? said : "");
	free(said);
	return false;
}

bool hip_tool_logged(const HipTools *t, HipWords *words, const char *log, Diag *d)
{
	pid_t pid;
	int status;
	const char *tool = words->v[0];
	array_push(words, NULL);
	fflush(NULL);
	int why = start(t, &pid, words, log);
	words->n--;
	if (why)
		return diag_error(d, NO_LOC, "cannot run '%s': %s", tool, strerror(why));
	u64 came = child_program(pid, &t->signals, &status);
	if (came)
		return tool_stopped(tool, came, d);
	if (!WIFEXITED(status))
		return diag_error(d, NO_LOC, "%s crashed: signal %d (%s)", path_name(tool), WTERMSIG(status),
		                  strsignal(WTERMSIG(status)));
	return !WEXITSTATUS(status) || tool_failed(tool, WEXITSTATUS(status), log, d);
}

bool hip_tool(const HipTools *t, HipWords *words, Diag *d) { return hip_tool_logged(t, words, NULL, d); }

bool hip_compile_device(const HipTools *t, const char *source, const char *chip, const HipWords *options,
                        const char *out, Diag *d)
{
	static const char *const device[] = {HIP_DEVICE_WORDS, NULL};
	HipWords words = {0};
	hip_words_begin(t, &words, chip);
	hip_words(&words, device);
	hip_words_of(&words, options, true);
	hip_words(&words, (const char *const[]){"-o", out, "-x", "hip", source, NULL});
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

bool hip_convert(const HipTools *t, const char *from, const char *how, const char *to, Diag *d)
{
	HipWords words = {0};
	hip_words(&words,
	          (const char *const[]){t->clang, "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-x", "ir", from,
	                                "-emit-llvm", how, "-Xclang", "-disable-llvm-passes",
	                                "-fno-discard-value-names", "-o", to, NULL});
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

void hip_include_bytes(Buf *assembly, const char *file)
{
	buf_printf(assembly, "\t.incbin \"");
	for (; *file; file++)
		buf_printf(assembly, "%s%c", strchr("\"\\\n", *file) ? "\\" : "", *file == '\n' ? 'n' : *file);
	buf_printf(assembly, "\"\n");
}

bool hip_write(const char *file, const void *bytes, size_t n, Diag *d)
{
	FILE *f = fopen(file, "wb");
	bool ok = f && fwrite(bytes, 1, n, f) == n;
	ok &= f && !fclose(f);
	return ok || diag_error(d, NO_LOC, "cannot write '%s': %s", file, strerror(errno));
}

/* ---- fat binaries ---- */

bool hip_bundle_add(HipBundle *b, const char *chip, const char *file, Diag *d)
{
	struct HipEntry e = {.chip = chip};
	e.bytes = read_file(file, &e.n);
	if (!e.bytes)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", file, strerror(errno));
	array_push(&b->entries, e);
	return true;
}

bool hip_bundle_write(const HipBundle *b, const char *file, Diag *d)
{
	Buf out = {0};
	ARRAY(BundleEntry) entries = {0};
	for (u32 i = 0; i < b->entries.n; i++)
		array_push(&entries, ((BundleEntry){b->entries.v[i].chip, b->entries.v[i].n}));
	bundle_begin(&out, entries.v, entries.n);
	array_free(&entries);
	for (u32 i = 0; i < b->entries.n; i++)
		buf_write(&out, b->entries.v[i].bytes, b->entries.v[i].n);
	bool ok = hip_write(file, out.v, out.n, d);
	array_free(&out);
	return ok;
}

void hip_bundle_free(HipBundle *b)
{
	for (u32 i = 0; i < b->entries.n; i++)
		free(b->entries.v[i].bytes);
	array_free(&b->entries);
}

/* ---- for wavesim run ---- */

/* The first chip of LLVM's names for the device: "gfx942@17 gfx940". */
static const char *chip_of(const Device *dev, Arena *a)
{
	return arena_strndup(a, dev->llvm_cpu, strcspn(dev->llvm_cpu, "@ "));
}

const char *hip_device_text(const Device *dev, u32 wave, Arena *a)
{
	u32 mhz = dev->boost_mhz ? dev->boost_mhz : dev->clock_mhz;
	return arena_printf(a, "%s|%s|%s|%u|%u|%u|%u|%u|%u|%u|%u|%u", dev->title, dev->llvm_cpu, chip_of(dev, a),
	                    wave ? wave : dev->wave, dev->compute_units, dev->lds_per_group, dev->max_group, mhz,
	                    dev->max_waves_per_simd, dev->simds_per_cu, dev->l2_bytes, dev->max_groups_per_cu);
}

bool hip_compile_source(const char *source, const Device *dev, const char *out, Arena *a, Diag *d)
{
	HipTools t;
	HipWords none = {0};
	if (access(source, R_OK))
		return diag_error(d, NO_LOC, "--hip-source: cannot read '%s': %s", source, strerror(errno));
	if (!hip_tools_open(&t, a, d))
		return false;
	bool ok = hip_compile_device(&t, source, chip_of(dev, a), &none, out, d);
	hip_tools_close(&t);
	return ok;
}
