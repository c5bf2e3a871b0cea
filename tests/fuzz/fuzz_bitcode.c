/* Any bytes as bitcode, through LLVM's reader: kernels and their arguments, or an error; never a crash of ours.
 *
 * LLVM's reader and verifier may crash on damaged bitcode, which is why the front end tries it in a child first
 * (compile.c; tests/soak.py damages bitcode all the way through that). Here a process made once reads input after
 * input; when LLVM ends it, or after some thousand, another one takes its place. What sanitizers report there is read,
 * and a report that is not LLVM's own ends the run. What was covered there comes back through shared memory. Some of
 * the mutations change the module, not its bytes (module_mutate.h), in that process, too. What comes behind the reader
 * is fuzz_module's, fuzz_pipeline's and fuzz_lower's. */
#include "base/child.h"
#include "base/temp.h"
#include "frontend/module/module.h"
#include "tests/fuzz/llvm_memory.h"
#include "tests/fuzz/module_mutate.h"

#include <fcntl.h>
#include <glob.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
const char *__asan_default_options(void);

/* There with libFuzzer and the sanitizers only. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
void __sanitizer_set_report_path(const char *path) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
int __sanitizer_acquire_crash_state(void) __attribute__((weak));
/* Where what is covered is counted, from and up to; both NULL without libFuzzer. In assembly, because the compiler
 * declares these symbols itself. */
extern u8 *const covered[2] __attribute__((visibility("hidden")));
__asm__(".weak __start___sancov_cntrs, __stop___sancov_cntrs\n"
        ".hidden __start___sancov_cntrs, __stop___sancov_cntrs, covered\n"
        ".pushsection .data.rel.ro, \"aw\"\n"
        ".balign 8\n"
        "covered: .quad __start___sancov_cntrs, __stop___sancov_cntrs\n"
        ".popsection\n");

/* Leaks: LLVM's, of a file that it gave up. */
const char *__asan_default_options(void) { return "handle_abort=1:symbolize=0:detect_leaks=0"; }

enum { SECONDS = 10, INPUTS = 5000 };
enum { TRY = 't', MUTATE = 'm' };

static struct {
	size_t size; /* of data; of a mutation 0: there is none */
	u32 seed;
	u8 data[1 << 20];
	u8 counters[]; /* of what was covered */
} *shared;

/* ---- reports of the other process ---- */

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

static pid_t own_pid;

static struct {
	pid_t pid; /* 0: there is none */
	int to, from;
	u32 inputs;
} other;

static void end_other(void)
{
	if (!other.pid)
		return;
	kill(other.pid, SIGKILL);
	waitpid(other.pid, NULL, 0);
	close(other.to);
	close(other.from);
	other.pid = 0;
}

static void at_end(void)
{
	if (getpid() != own_pid)
		return;
	end_other();
	rmdir(folder);
}

static void start_once(void)
{
	static bool started;
	if (started)
		return;
	started = true;
	own_pid = getpid();
	if (!temp_make(folder))
		abort();
	size_t size = sizeof *shared + (size_t)(covered[1] - covered[0]);
	shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	pthread_atfork(NULL, NULL, in_child);
	atexit(at_end);
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

/* ---- what the other process does ---- */

static void try_kernels(void)
{
	Diag d;
	Buf out = {0};
	diag_init(&d);
	FeModule *m = fe_module_open(shared->data, shared->size, "input.bc", NULL, &d);
	bool ok = m && fe_module_list(m, &d) && fe_module_check(m, &d);
	if (ok != !d.errors)
		abort();
	for (u32 i = 0; ok && i < m->kernels.n; i++) {
		u32 before = d.errors;
		m->args.n = 0;
		memset(m->reqd_local, 0, sizeof m->reqd_local);
		if (fe_module_select(m, m->kernels.v[i], &d) != (d.errors == before))
			abort();
	}
	fe_module_close(m);
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
}

/* Without one, LLVM prints what is wrong, and exits. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) { (void)info, (void)user; }

/* Bitcode in, changed bitcode out; none when it cannot be read or, mostly, when LLVM's verifier rejects the result. */
static void mutate_module(void)
{
	Mutate m = {.ctx = llvm_context(), .rng = shared->seed, .alone = true};
	LLVMContextSetDiagnosticHandler(m.ctx, on_diagnostic, NULL);
	LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRange((const char *)shared->data, shared->size, "", 0);
	bool read = !LLVMParseBitcodeInContext2(m.ctx, in, &m.mod);
	size_t size = shared->size;
	shared->size = 0;
	if (read) {
		m.b = LLVMCreateBuilderInContext(m.ctx);
		for (u32 n = 1 + mutate_below(&m, 4); n; n--)
			mutate_once(&m);
		bool good = !LLVMVerifyModule(m.mod, LLVMReturnStatusAction, NULL) || !mutate_below(&m, 8);
		LLVMMemoryBufferRef out = good ? LLVMWriteBitcodeToMemoryBuffer(m.mod) : NULL;
		size = out ? LLVMGetBufferSize(out) : 0;
		if (size && size <= sizeof shared->data) {
			memcpy(shared->data, LLVMGetBufferStart(out), size);
			shared->size = size;
		}
		if (out)
			LLVMDisposeMemoryBuffer(out);
		LLVMDisposeBuilder(m.b);
		LLVMDisposeModule(m.mod);
	}
	LLVMDisposeMemoryBuffer(in);
	LLVMContextDispose(m.ctx);
}

/* LLVM gives up what it reads, and would end the process: most of the damaged inputs. What it held is lost, no more. */
static jmp_buf given_up;

static void on_fatal(const char *reason)
{
	(void)reason;
	longjmp(given_up, 1);
}

_Noreturn static void work(int in, int out)
{
	size_t counters = (size_t)(covered[1] - covered[0]);
	char what;
	int nothing = open("/dev/null", O_WRONLY);
	dup2(nothing, STDERR_FILENO);
	child_limit((ChildLimits){.memory = COMPILE_LIMITS.memory}, false);
	LLVMInstallFatalErrorHandler(on_fatal);
	while (read(in, &what, 1) == 1) {
		if (counters)
			memset(covered[0], 0, counters);
		if (setjmp(given_up))
			shared->size = 0;
		else if (what == TRY)
			try_kernels();
		else
			mutate_module();
		if (counters)
			memcpy(shared->counters, covered[0], counters);
		if (write(out, &what, 1) != 1)
			break;
	}
	_exit(0);
}

/* ---- the other process ---- */

static void start_other(void)
{
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) || (other.pid = fork()) < 0)
		abort();
	if (!other.pid) {
		close(to[1]);
		close(from[0]);
		work(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	other.to = to[1];
	other.from = from[0];
	other.inputs = 0;
}

/* False: it ended, or takes too long; then its reports are read. */
static bool ask_other(u8 what)
{
	u8 answer;
	if (other.pid && other.inputs++ > INPUTS)
		end_other();
	if (!other.pid)
		start_other();
	if (write(other.to, &what, 1) == 1 && wait_readable(other.from, seconds_now() + SECONDS) &&
	    read(other.from, &answer, 1) == 1)
		return true;
	end_other();
	read_reports(what == TRY);
	return false;
}

/* What was covered there counts here. */
static void take_counters(void)
{
	size_t n = (size_t)(covered[1] - covered[0]);
	for (size_t i = 0; i < n; i++)
		if (shared->counters[i] > covered[0][i])
			covered[0][i] = shared->counters[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	start_once();
	if (size > sizeof shared->data)
		return 0;
	memcpy(shared->data, data, size);
	shared->size = size;
	if (ask_other(TRY))
		take_counters();
	return 0;
}

/* ---- mutations ---- */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	start_once();
	if (seed % 4 == 0 && size <= sizeof shared->data) {
		memcpy(shared->data, data, size);
		shared->size = size;
		shared->seed = seed;
		if (ask_other(MUTATE) && shared->size && shared->size <= max) {
			memcpy(data, shared->data, shared->size);
			return shared->size;
		}
	}
	return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max) : size;
}
