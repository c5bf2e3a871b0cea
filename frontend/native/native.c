/* The native run in a child: it compiles there, is confined before the first instruction of the kernel (sandbox.h), and
 * leaves results in the buffers, which it shares with its parent. */
#include "frontend/native/native.h"

#include "base/child.h"
#include "frontend/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the child tells, in shared memory. */
typedef struct NativeShared {
	PoclStatus status;
	char why[1024];
	double seconds;
	bool native; /* the kernel's own code runs, or has run */
	SandboxStop stop;
} NativeShared;

struct NativeWork {
	const PoclLaunch *l; /* used before native_work_start returns, and in the child */
	const NativeProgram *p;
	NativeShared *shared;
	u32 seconds; /* as in PoclLaunch */
	int output;  /* unnamed file with what the kernel printed */
	int made_of; /* … with what decides the result (made_of.h) */
	Child child;
};

/* ---- in the child ---- */

/* C's result is a length, OpenCL's says whether it printed. */
#define NATIVE_PRINT(name, result) \
	int name(const char *format, ...) \
	{ \
		va_list ap; \
		va_start(ap, format); \
		int n = vprintf(format, ap); \
		va_end(ap); \
		return result; \
	}
NATIVE_PRINT(native_print, n)
NATIVE_PRINT(native_print_opencl, n < 0 ? -1 : 0)

/* Copies of the buffers, and where each argument lies. */
typedef struct NativeArgs {
	void **args, **buffers;
	u64 *values; /* of pointers */
} NativeArgs;

/* Memory at an address that the program's pointers have; NULL: there is something already. */
static void *placed(const PoclBuffer *b)
{
	enum { PAGE = 4096 };
	u64 from = b->address & ~(u64)(PAGE - 1), bytes = b->address + b->size - from;
	void *want = (void *)(uintptr_t)from;
	void *got = mmap(want, bytes + 1, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	return got == want ? (void *)(uintptr_t)b->address : NULL;
}

/* Zeros, with room around them: what a kernel accesses past its buffer is not another one, nor anything that depends
 * on where memory happens to lie. NULL: there is none. */
static void *apart(u64 bytes)
{
	enum { PAGE = 4096, ROOM = 4 << 20, BEFORE = 1 << 20 };
	u64 size = (bytes / PAGE + 1) * PAGE, behind = size < ROOM ? ROOM : size;
	u8 *p = mmap(NULL, BEFORE + size + behind, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	             -1, 0);
	return p != MAP_FAILED ? p + BEFORE : NULL;
}

static bool make_args(const PoclLaunch *l, NativeArgs *a, NativeShared *s)
{
	a->args = xcalloc(l->nargs + 1, sizeof *a->args);
	a->values = xcalloc(l->nargs + 1, sizeof *a->values);
	a->buffers = xcalloc(l->nbuffers + 1, sizeof *a->buffers);
	for (u32 i = 0; i < l->nbuffers; i++) {
		const PoclBuffer *b = &l->buffers[i];
		a->buffers[i] = b->address ? placed(b) : apart(b->size);
		if (!a->buffers[i] || b->image) {
			snprintf(s->why, sizeof s->why, "%s",
			         b->image ? "the native run has no images"
			                  : "not enough memory for the buffers of the native run (--no-reference does "
			                    "without it)");
			return false;
		}
		if (b->init)
			memcpy(a->buffers[i], b->init, b->size);
	}
	for (u32 i = 0; i < l->nargs; i++) {
		const PoclArg *p = &l->args[i];
		u64 *v = &a->values[i];
		a->args[i] = p->kind == POCL_VALUE ? (void *)(uintptr_t)p->value : v;
		if (p->kind == POCL_BUFFER)
			*v = (uintptr_t)a->buffers[p->buffer] + p->at;
		else if (p->kind == POCL_LOCAL)
			*v = (uintptr_t)xcalloc(p->size + 16, 1);
		if (p->kind == POCL_SAMPLER) {
			snprintf(s->why, sizeof s->why, "the native run has no samplers");
			return false;
		}
	}
	return true;
}

static u64 native_bytes(const PoclLaunch *l)
{
	u64 buffers = 0;
	for (u32 i = 0; i < l->nbuffers; i++)
		buffers += l->buffers[i].size;
	return ((u64)8 << 30) + 4 * buffers;
}

static void confine(NativeWork *w)
{
	u64 memory = native_bytes(w->l);
	w->shared->native = true;
	child_limit((ChildLimits){.seconds = w->seconds, .memory = memory, .file = MOST_PRINTED}, true);
	child_default_signals();
	sandbox_native(memory, &w->shared->stop);
}

static bool run_and_keep(NativeWork *w, const NativeCode *code)
{
	NativeArgs a = {0};
	if (!make_args(w->l, &a, w->shared))
		return false;
	confine(w);
	double start = seconds_now();
	native_run(code->run, code->entry, a.args);
	w->shared->seconds = seconds_now() - start;
	fflush(stdout);
	for (u32 i = 0; i < w->l->nbuffers; i++)
		if (w->l->buffers[i].result)
			memcpy(w->l->buffers[i].result, a.buffers[i], w->l->buffers[i].size);
	return true;
}

static void give_made_of(Compile *c, int fd)
{
	MadeOf m = {0};
	made_of_text(&m, compile_facts(c).made_of);
	made_of_give(&m, fd);
	made_of_free(&m);
}

static int work(void *arg)
{
	NativeWork *w = arg;
	NativeCode code = {0};
	Diag d;
	diag_init(&d);
	if (dup2(w->output, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
		return 1;
	int made_of = dup2(w->made_of, STDERR_FILENO + 1);
	close_range(STDERR_FILENO + 2, ~0u, 0); /* of other runs, among others */
	child_limit(COMPILE_LIMITS, false);
	w->shared->status = POCL_BUILD_FAILED;
	Compile *c = compile_open(&w->p->o, &w->p->built, &d);
	FeModule *m = c && compile_select(c, w->l->kernel, &d) ? compile_retarget(c, &d) : NULL;
	u32 wave = w->p->o.wave ? w->p->o.wave : m ? m->chip_wave : 0;
	bool ok = m && native_code(m, w->l, wave, false, &code, &d);
	if (ok)
		give_made_of(c, made_of);
	close(made_of); /* not for the kernel */
	if (!ok)
		snprintf(w->shared->why, sizeof w->shared->why, "%s", d.msgs.n ? d.msgs.v[0].text : "no reason given");
	else
		w->shared->status = POCL_CL_ERROR; /* until all is done */
	ok = ok && run_and_keep(w, &code);
	if (ok)
		w->shared->status = POCL_OK;
	return !ok;
}

/* ---- in the parent ---- */

static void work_free(NativeWork *w)
{
	if (w->shared != MAP_FAILED)
		munmap(w->shared, sizeof *w->shared);
	free(w);
}

NativeWork *native_work_start(const PoclLaunch *l, const NativeProgram *p, Diag *d)
{
	NativeWork *w = xcalloc(1, sizeof *w);
	w->l = l;
	w->p = p;
	w->seconds = l->seconds;
	w->shared = mmap(NULL, sizeof *w->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	w->output = child_file("output");
	w->made_of = child_file("made_of");
	if (w->shared != MAP_FAILED && w->output >= 0 &&
	    child_start_busy(&w->child, work, NULL, w, &w->shared->native, NULL)) {
		w->l = NULL;
		w->p = NULL;
		return w;
	}
	child_error("the reference run", d);
	if (w->output >= 0)
		close(w->output);
	if (w->made_of >= 0)
		close(w->made_of);
	work_free(w);
	return NULL;
}

/* Why a run that did not end by itself ended; NULL: it did. */
static char *why_ended(const NativeWork *w, const NativeShared *s, ChildEnd end, double clock)
{
	Buf b = {0};
	if (end.stalled)
		buf_printf(&b, "the native run stands still");
	else if (end.timed_out && end.signal == SIGXCPU && !s->native)
		buf_printf(&b, "LLVM needs more than %u seconds to compile the kernel for this processor",
		           COMPILE_LIMITS.seconds);
	else if (end.timed_out && end.signal == SIGXCPU)
		buf_printf(&b,
		           "the native run, which results are compared with, used more than %u seconds of processor "
		           "time",
		           w->seconds);
	else if (end.timed_out)
		buf_printf(&b, "the native run did not end within %g seconds", clock);
	else if (end.signal && !s->native)
		buf_printf(&b, "LLVM crashed on the kernel's code for this processor (signal %d, %s)", end.signal,
		           strsignal(end.signal));
	else if (end.signal)
		buf_printf(&b, "the native run, which results are compared with, crashed in the kernel (signal %d, %s)",
		           end.signal, strsignal(end.signal));
	else if (end.code == SANDBOX_STOPPED && s->native) {
		char *tried = sandbox_tried(&s->stop);
		buf_printf(&b, "the kernel's native run was stopped: it tried to %s", tried);
		free(tried);
	}
	return b.v;
}

bool native_work_wait(NativeWork *w, double timeout_s, PoclOutcome *out)
{
	ChildEnd end = child_wait(&w->child, timeout_s);
	NativeShared s = *w->shared;
	s.why[sizeof s.why - 1] = 0;
	*out = (PoclOutcome){.status = s.status <= POCL_TIMEOUT ? s.status : POCL_CRASHED, .signal = end.signal,
	                     .seconds = s.seconds, .first_seconds = s.seconds};
	out->output = child_file_read(w->output, &out->output_size);
	out->made_of = made_of_take(w->made_of);
	if ((out->why = why_ended(w, &s, end, timeout_s))) {
		out->status = end.timed_out ? POCL_TIMEOUT : s.native ? POCL_CRASHED : POCL_BUILD_FAILED;
	} else if (out->status != POCL_OK || end.code) {
		out->status = out->status == POCL_OK ? POCL_CRASHED : out->status;
		out->why = xstrdup(s.why[0] ? s.why : "the native run ended early");
	}
	out->unconfined = xstrdup(sandbox_lacks());
	work_free(w);
	return out->status == POCL_OK;
}
