/* Any bytes as bitcode: kernels, or an error; never a crash.
 *
 * LLVM's reader and passes may crash on damaged bitcode, which is why the front end tries
 * them in a child process first. That guard is part of what is fuzzed, so each input costs
 * some processes. A crash of wavesim's own code there would be hidden by the guard: what
 * sanitizers report of the children is read, and a report that is not LLVM's own ends the
 * run. Half of the mutations change the module, not its bytes (module_mutate.h). */
#include "base/child.h"
#include "frontend/compile/compile.h"
#include "base/temp.h"
#include "tests/fuzz/module_mutate.h"

#include <glob.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
const char *__asan_default_options(void);

/* There with libFuzzer and the sanitizers only. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
void __sanitizer_set_report_path(const char *path) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
int __sanitizer_acquire_crash_state(void) __attribute__((weak));

/* Leaks: LLVM's, of a file that it gave up. */
const char *__asan_default_options(void) { return "handle_abort=1:symbolize=0:detect_leaks=0"; }

/* ---- reports of children ---- */

static char folder[TEMP_PATH];

/* The end of a child is no finding of libFuzzer's. */
static void in_child(void)
{
	char path[TEMP_PATH + 16];
	snprintf(path, sizeof path, "%s/report", folder);
	if (__sanitizer_set_report_path)
		__sanitizer_set_report_path(path);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(NULL);
	if (__sanitizer_acquire_crash_state)
		__sanitizer_acquire_crash_state();
}

static void remove_folder(void) { rmdir(folder); }

static void start_once(void)
{
	static bool started;
	if (started)
		return;
	started = true;
	if (!temp_make(folder))
		abort();
	pthread_atfork(NULL, NULL, in_child);
	atexit(remove_folder);
}

/* Frames: 0 may be a sanitizer's function that LLVM called; 1 and 2 tell who is at fault,
 * a call of LLVM's C API with wrong arguments included. */
static bool is_ours(char *report)
{
	bool ours = strstr(report, "runtime error") != NULL;
	bool inside = strstr(report, "CHECK failed") != NULL; /* the sanitizer's frames come first */
	u32 frame = 0;
	/* The guard's limit on memory; met while reporting, it shows as a number only. */
	if (strstr(report, "failed to allocate") || strstr(report, "out-of-memory") ||
	    strstr(report, "kErrorKindInvalid))\" (0x10,"))
		return false;
	for (char *line = strtok(report, "\n"); line && frame < 3 && !ours; line = strtok(NULL, "\n")) {
		bool libc = strstr(line, "libc.so") != NULL;
		bool is_frame = !strncmp(line, "    #", 5) && !libc && !inside;
		inside &= !libc;
		ours = is_frame && frame && !strstr(line, "libLLVM");
		frame += is_frame;
	}
	return ours;
}

static void read_reports(bool judge)
{
	char pattern[TEMP_PATH + 16];
	glob_t found;
	bool ours = false;
	snprintf(pattern, sizeof pattern, "%s/report*", folder);
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *text = read_file(found.gl_pathv[i], NULL), *copy = text ? xstrdup(text) : NULL;
		if (copy && judge && is_ours(copy)) {
			fprintf(stderr, "in a child:\n%s", text);
			ours = true;
		}
		free(text);
		free(copy);
		unlink(found.gl_pathv[i]);
	}
	globfree(&found);
	if (ours)
		abort();
}

/* ---- the target ---- */

static void try_kernels(const FeOptions *o)
{
	Diag d;
	diag_init(&d);
	Compile *c = compile_open(o, NULL, &d);
	if (!c != (d.errors != 0))
		abort();
	u32 n = 0;
	if (c && compile_kernels(c, &n) && n && compile_select(c, compile_kernels(c, &n)[0], &d)) {
		Program *p = compile_lower(c, &d);
		if (!p != (d.errors != 0))
			abort();
		program_free(p);
	}
	compile_close(c);
	Buf out = {0};
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[TEMP_PATH + 16];
	start_once();
	read_reports(false); /* of the mutation */
	snprintf(path, sizeof path, "%s/input.bc", folder);
	FILE *f = fopen(path, "wb");
	if (!f)
		return 0;
	bool written = fwrite(data, 1, size, f) == size;
	if (fclose(f) == 0 && written) {
		FeOptions o = {.path = path, .machine = true};
		try_kernels(&o);
	}
	unlink(path);
	read_reports(true);
	return 0;
}

/* ---- mutations ---- */

enum { MUTATE_SECONDS = 5 };

typedef struct Mutation {
	const uint8_t *data;
	size_t size;
	u32 seed;
	int out;
} Mutation;

/* Bitcode in, changed bitcode out; NULL when it cannot be read or, mostly, when LLVM's
 * verifier rejects the result. Leaks: the process ends. */
static const char *mutate_module(const void *bitcode, size_t size, u32 seed, size_t *out_size)
{
	Mutate m = {.ctx = LLVMContextCreate(), .rng = seed, .alone = true};
	LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, "");
	if (LLVMParseBitcodeInContext2(m.ctx, in, &m.mod))
		return NULL;
	m.b = LLVMCreateBuilderInContext(m.ctx);
	for (u32 n = 1 + mutate_below(&m, 4); n; n--)
		mutate_once(&m);
	if (LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL) && mutate_below(&m, 8))
		return NULL;
	LLVMMemoryBufferRef out = LLVMWriteBitcodeToMemoryBuffer(m.mod);
	*out_size = LLVMGetBufferSize(out);
	return LLVMGetBufferStart(out);
}

static int mutate_work(void *arg)
{
	const Mutation *m = arg;
	size_t n;
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	const char *text = mutate_module(m->data, m->size, m->seed, &n);
	return !text || write(m->out, text, n) != (ssize_t)n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	Mutation m = {data, size, seed, -1};
	size_t n = 0;
	Child c;
	start_once();
	if (seed & 1)
		m.out = child_file("mutation");
	if (m.out >= 0 && child_start(&c, mutate_work, NULL, &m)) {
		ChildEnd end = child_wait(&c, MUTATE_SECONDS);
		char *text = child_file_read(m.out, &n);
		n = end.timed_out || end.signal || end.code || n > max ? 0 : n;
		memcpy(data, text, n);
		free(text);
	} else if (m.out >= 0) {
		close(m.out);
	}
	return n ? n : LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max) : size;
}
