/* The reference run: the same launch on PoCL's CPU device, in a child that works
 * while others do. Results come back through shared memory.
 *
 * The source is built with the user's own options, optimised as PoCL does by default:
 * that is what a host program would get. */
#include "frontend/source/pocl/pocl.h"

#include "base/opencl_host.h"

#include "base/child.h"
#include "frontend/module/llvm.h"
#include "frontend/module/mangled.h"
#include "frontend/sandbox.h"
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl_header.h"
#include "frontend/source/pocl/pocl_parts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the worker tells, in shared memory. */
typedef struct Shared {
	PoclStatus status;
	cl_int error_code;
	char why[1024];
	double seconds, first_seconds;
	bool part;   /* of PoCL's library a part has done */
	bool again;  /* … has not: another process builds the program with all of it */
	bool native; /* the kernel's own code runs, or has run */
	SandboxStop stop;
} Shared;

struct PoclWork {
	const PoclLaunch *l; /* these are used before pocl_work_start returns, and in the child */
	const FeNeeded *needed;
	char cache[TEMP_PATH];
	char *options;
	Shared *shared;
	u32 seconds; /* as in PoclLaunch */
	int output; /* unnamed file with what the kernel printed */
	int made_of; /* … with what decides the result (made_of.h) */
	/* A pipe from the worker. It says, before any of the kernel's code can run, whether PoCL called our dlopen().
	 */
	int caught, catches;
	Child child;
};

/* ---- in the worker ---- */

typedef struct PoclWorker {
	const PoclLaunch *l;
	Shared *s;
	PoclCl cl;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem *mems;
} PoclWorker;

static bool failed(PoclWorker *w, const char *call, cl_int e)
{
	if (e == CL_SUCCESS)
		return false;
	w->s->status = POCL_CL_ERROR;
	w->s->error_code = e;
	snprintf(w->s->why, sizeof w->s->why, "PoCL: %s fails with %s", call, opencl_error(e));
	return true;
}

static bool build_failed(PoclWorker *w, cl_program p)
{
	char *log = p ? pocl_cl_log(&w->cl, p) : xstrdup("");
	w->s->status = POCL_BUILD_FAILED;
	snprintf(w->s->why, sizeof w->s->why, "PoCL cannot build the kernel for the reference run: %.900s", log);
	free(log);
	return false;
}

static bool build_with(PoclWorker *w, const char *first, const char *options, const char *cache)
{
	cl_int e;
	cl_program p, bad;
	const char *texts[] = {pocl_head(first, w->l->options), w->l->source};
	if (w->l->src) {
		p = pocl_parts_build(&w->cl, w->l->src, w->l->path, cache, first, false, &bad, &e);
		if (failed(w, "building the program", e))
			return build_failed(w, bad);
	} else {
		p = clCreateProgramWithSource(w->cl.context, 2, texts, NULL, &e);
		if (failed(w, "clCreateProgramWithSource", e))
			return false;
		if (failed(w, "clBuildProgram", clBuildProgram(p, 1, &w->cl.device, options, NULL, NULL)))
			return build_failed(w, p);
	}
	w->kernel = clCreateKernel(p, w->l->kernel, &e);
	if (e == CL_INVALID_KERNEL_NAME) { /* that of a built-in function: fe_plain_name */
		char name[256];
		snprintf(name, sizeof name, POCL_PREFIX "%s", w->l->kernel);
		w->kernel = clCreateKernel(p, name, &e);
	}
	return !failed(w, "clCreateKernel", e);
}

/* PoCL gets the part of its library that was needed when the program was compiled here, and, where that does not do,
 * the whole. A process that has read one of them keeps it. */
static bool build(PoclWorker *w, const PoclWork *r)
{
	Buf first = {0}, all = {0};
	buf_printf(&first, "%s", w->l->first);
	buf_printf(&all, "%s", r->options ? r->options : "");
	pocl_cache_rule(r->cache, &first);
	pocl_cache_rule(r->cache, &all);
	Buf *options = w->l->src ? &first : &all;
	u32 whole = options->n;
	bool shorter = pocl_header_replace(r->cache, w->l->src ? NULL : w->l->source, w->l->src, options);
	bool part = r->needed->bytes && w->cl.llvm == llvm_version();
	pocl_needed_offer(part && !w->s->again ? r->needed : NULL);
	bool ok = build_with(w, first.v, all.v, r->cache);
	if (shorter && w->s->status == POCL_BUILD_FAILED) {
		options->v[whole] = 0;
		w->s->status = POCL_CL_ERROR; /* until all is done */
		w->s->error_code = CL_SUCCESS;
		w->s->why[0] = 0;
		ok = build_with(w, first.v, all.v, r->cache);
	}
	w->s->part = ok && pocl_needed_taken();
	array_free(&first);
	array_free(&all);
	return ok;
}

static bool make_queue(PoclWorker *w)
{
	cl_int e;
	w->queue = clCreateCommandQueue(w->cl.context, w->cl.device, CL_QUEUE_PROFILING_ENABLE, &e);
	return !failed(w, "clCreateCommandQueue", e);
}

static cl_mem make_image(PoclWorker *w, const PoclBuffer *b, cl_int *e)
{
	const PoclImage *i = b->image;
	cl_image_format format = {i->channel_order, i->channel_type};
	cl_image_desc desc = {.image_width = i->width, .image_height = i->dims > 1 ? i->height : 0,
	                      .image_depth = i->dims > 2 ? i->depth : 0,
	                      .image_row_pitch = i->row_pitch, .image_slice_pitch = i->slice_pitch};
	desc.image_type = i->dims == 3 ? CL_MEM_OBJECT_IMAGE3D
		: i->dims == 2 ? (i->array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D)
		: i->buffer    ? CL_MEM_OBJECT_IMAGE1D_BUFFER
		: i->array     ? CL_MEM_OBJECT_IMAGE1D_ARRAY
		               : CL_MEM_OBJECT_IMAGE1D;
	if (i->array)
		desc.image_array_size = i->depth;
	void *init = xcalloc(b->size, 1);
	if (b->init)
		memcpy(init, b->init, b->size);
	cl_mem_flags flags = CL_MEM_READ_WRITE;
	cl_mem mem = NULL;
	if (i->buffer) {
		desc.buffer = clCreateBuffer(w->cl.context, flags | CL_MEM_COPY_HOST_PTR, b->size, init, e);
		desc.image_row_pitch = desc.image_slice_pitch = 0;
		if (*e == CL_SUCCESS)
			mem = clCreateImage(w->cl.context, flags, &format, &desc, NULL, e);
	} else {
		if (!desc.image_row_pitch && desc.image_slice_pitch)
			desc.image_slice_pitch = 0;
		mem = clCreateImage(w->cl.context, flags | CL_MEM_COPY_HOST_PTR, &format, &desc, init, e);
	}
	free(init);
	return mem;
}

static bool make_buffers(PoclWorker *w)
{
	w->mems = xcalloc(w->l->nbuffers, sizeof *w->mems);
	for (u32 i = 0; i < w->l->nbuffers; i++) {
		const PoclBuffer *b = &w->l->buffers[i];
		cl_int e;
		if (b->image) {
			w->mems[i] = make_image(w, b, &e);
			if (failed(w, "clCreateImage", e))
				return false;
			continue;
		}
		w->mems[i] = clCreateBuffer(w->cl.context, CL_MEM_READ_WRITE, b->size ? b->size : 1, NULL, &e);
		if (failed(w, "clCreateBuffer", e))
			return false;
	}
	return true;
}

/* Also before each repeat, so that every run starts from the same data. */
static bool fill_buffers(PoclWorker *w)
{
	for (u32 i = 0; i < w->l->nbuffers; i++) {
		const PoclBuffer *b = &w->l->buffers[i];
		if (b->image || !b->size)
			continue;
		const u8 zero = 0;
		cl_int e = b->init
			? clEnqueueWriteBuffer(w->queue, w->mems[i], CL_TRUE, 0, b->size, b->init, 0, NULL, NULL)
			: clEnqueueFillBuffer(w->queue, w->mems[i], &zero, 1, 0, b->size, 0, NULL, NULL);
		if (failed(w, "writing a buffer", e))
			return false;
	}
	return !failed(w, "clFinish", clFinish(w->queue));
}

/* A part of a buffer, as the host program made one. */
static cl_int set_part(PoclWorker *w, u32 i, const PoclArg *a)
{
	cl_buffer_region part = {a->at, a->size};
	cl_int e;
	cl_mem m = clCreateSubBuffer(w->mems[a->buffer], CL_MEM_READ_WRITE,
	                             CL_BUFFER_CREATE_TYPE_REGION, &part, &e);
	return e == CL_SUCCESS ? clSetKernelArg(w->kernel, i, sizeof m, &m) : e;
}

static cl_int set_arg(PoclWorker *w, u32 i, const PoclArg *a)
{
	cl_mem none = NULL;
	cl_int e;
	cl_sampler sampler;
	switch (a->kind) {
	case POCL_VALUE: return clSetKernelArg(w->kernel, i, a->size, a->value);
	case POCL_BUFFER:
		if (a->size)
			return set_part(w, i, a);
		return clSetKernelArg(w->kernel, i, sizeof(cl_mem), &w->mems[a->buffer]);
	case POCL_NULL: return clSetKernelArg(w->kernel, i, sizeof(cl_mem), &none);
	case POCL_LOCAL: return clSetKernelArg(w->kernel, i, a->size, NULL);
	case POCL_SAMPLER: break;
	}
	sampler = clCreateSampler(w->cl.context, a->normalized, a->addressing, a->filter, &e);
	return e == CL_SUCCESS ? clSetKernelArg(w->kernel, i, sizeof sampler, &sampler) : e;
}

static bool set_args(PoclWorker *w)
{
	for (u32 i = 0; i < w->l->nargs; i++) {
		cl_int e = set_arg(w, i, &w->l->args[i]);
		if (failed(w, "setting a kernel argument", e)) {
			size_t n = strlen(w->s->why);
			snprintf(w->s->why + n, sizeof w->s->why - n, " (argument %u)", i);
			return false;
		}
	}
	return true;
}

static bool run_once(PoclWorker *w, double *seconds)
{
	const PoclLaunch *l = w->l;
	cl_event event;
	cl_ulong from = 0, to = 0;
	cl_int e = clEnqueueNDRangeKernel(w->queue, w->kernel, l->dims, l->offset, l->global,
	                                  l->local[0] ? l->local : NULL, 0, NULL, &event);
	if (failed(w, "clEnqueueNDRangeKernel", e) || failed(w, "clFinish", clFinish(w->queue)))
		return false;
	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
	clReleaseEvent(event);
	*seconds = (double)(to - from) * 1e-9;
	return true;
}

static cl_int read_image(PoclWorker *w, u32 i, const PoclBuffer *b)
{
	const PoclImage *m = b->image;
	size_t origin[3] = {0}, region[3] = {m->width, 1, 1};
	if (m->dims == 1 && m->array)
		region[1] = m->depth;
	if (m->dims > 1)
		region[1] = m->height;
	if (m->dims > 2 || (m->dims == 2 && m->array))
		region[2] = m->depth;
	return clEnqueueReadImage(w->queue, w->mems[i], CL_TRUE, origin, region, m->row_pitch,
	                          m->slice_pitch, b->result, 0, NULL, NULL);
}

static bool read_results(PoclWorker *w)
{
	for (u32 i = 0; i < w->l->nbuffers; i++) {
		const PoclBuffer *b = &w->l->buffers[i];
		if (!b->result || !b->size)
			continue;
		cl_int e = b->image ? read_image(w, i, b)
		                    : clEnqueueReadBuffer(w->queue, w->mems[i], CL_TRUE, 0, b->size,
		                                          b->result, 0, NULL, NULL);
		if (failed(w, "reading a buffer", e))
			return false;
	}
	return true;
}

static bool run_all(PoclWorker *w)
{
	double best = 0;
	for (u32 i = 0; i <= w->l->repeats; i++) {
		double t;
		if (!fill_buffers(w) || !run_once(w, &t))
			return false;
		if (!i) {
			best = w->s->first_seconds = t;
			fflush(stdout);
			if (w->l->repeats && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
				return false;
		}
		best = t < best ? t : best;
	}
	w->s->seconds = best;
	return true;
}

/* ---- the kernel's own code ---- */

/* Beside what the process has: PoCL's copies of the buffers, its threads, and the kernel's own. */
static u64 native_bytes(const PoclLaunch *l)
{
	u64 buffers = 0;
	for (u32 i = 0; i < l->nbuffers; i++)
		buffers += l->buffers[i].size;
	return ((u64)8 << 30) + 4 * buffers + ((u64)sysconf(_SC_NPROCESSORS_CONF) << 28);
}

static const PoclWork *confine_before; /* its kernel, in the process that will run it */
/* PoCL has called this dlopen(): it loads its device drivers with it first, so it will load the kernel with it, too. */
static bool caught;

/* PoCL has built the kernel for this launch, linked it into its cache, and opens that library to call it. Of what
 * PoCL does nothing comes between the last program that it starts and the first instruction of the kernel but this
 * call, which finds us before libc: executables come first. PoCL itself is loaded by it, too. */
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *, int);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	if (name && !strncmp(path_name(name), "libpocl.so", 10))
		pocl_load_apart(name);
	const PoclWork *r = confine_before;
	Dl_info by;
	caught |= dladdr(__builtin_return_address(0), &by) && strstr(by.dli_fname, "/libpocl");
	if (r && name && !strncmp(name, r->cache, strlen(r->cache))) {
		u64 memory = native_bytes(r->l);
		confine_before = NULL;
		r->shared->native = true;
		child_limit((ChildLimits){.seconds = r->seconds, .memory = memory, .file = MOST_PRINTED}, true);
		child_default_signals();
		sandbox_native(memory, &r->shared->stop);
	}
	return real(name, flags);
}

static int run_work(void *arg)
{
	PoclWork *r = arg;
	PoclWorker w = {.l = r->l, .s = r->shared};
	setenv("POCL_CACHE_DIR", r->cache, 1);
	/* PoCL 3.1's vectorising work-item loops get some local-memory exchanges wrong
	 * (tests/cases/sync/barriers); plain ones do not. Timed runs take PoCL's own choice. */
	if (r->l->method)
		setenv("POCL_WORK_GROUP_METHOD", r->l->method, 1);
	else if (!r->l->repeats)
		setenv("POCL_WORK_GROUP_METHOD", "loops", 0);
	if (r->l->threads) {
		char n[16];
		snprintf(n, sizeof n, "%u", r->l->threads);
		setenv("POCL_MAX_PTHREAD_COUNT", n, 1);
	}
	if (dup2(r->output, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
		return 1;
	int catches = dup2(r->catches, STDERR_FILENO + 1);
	int made_of = dup2(r->made_of, STDERR_FILENO + 2);
	close_range(STDERR_FILENO + 3, ~0u, 0); /* of other runs, among others */
	sandbox_folder(r->cache);
	child_limit(COMPILE_LIMITS, false);
	confine_before = r;
	r->shared->status = POCL_NO_PLATFORM;
	if (!pocl_cl_open(&w.cl, r->shared->why, sizeof r->shared->why))
		return 1;
	/* Said now, and through a pipe: shared memory could be forged later by a kernel that was not confined. */
	if (catches < 0 || write(catches, &caught, sizeof caught) != sizeof caught || close(catches))
		return 1;
	pocl_made_of(made_of);
	close(made_of); /* not for the kernel */
	r->shared->status = POCL_CL_ERROR; /* until all is done */
	bool built = build(&w, r);
	r->shared->again = !built && pocl_needed_taken();
	bool ok = built && make_queue(&w) && make_buffers(&w) && set_args(&w) && run_all(&w) &&
	          read_results(&w);
	if (ok)
		r->shared->status = POCL_OK;
	free(w.mems);
	return !ok;
}

static void run_after(void *arg)
{
	const PoclWork *r = arg;
	MadeOf m = {0};
	pocl_cache_made_of(r->cache, r->l->src, &m);
	made_of_give(&m, r->made_of);
	made_of_free(&m);
	temp_remove(r->cache);
}

/* ---- in the parent ---- */

static void run_free(PoclWork *r)
{
	if (r->shared != MAP_FAILED)
		munmap(r->shared, sizeof *r->shared);
	if (r->caught >= 0)
		close(r->caught);
	free(r->options);
	free(r);
}

PoclWork *pocl_work_start(const PoclLaunch *l, const FeNeeded *needed, Diag *d)
{
	PoclWork *r = xcalloc(1, sizeof *r);
	int ends[2] = {-1, -1};
	r->l = l;
	r->needed = needed;
	r->seconds = l->seconds;
	if (!temp_make(r->cache)) {
		temp_error(r->cache, d);
		free(r);
		return NULL;
	}
	r->options = l->src ? NULL : pocl_cache_options(r->cache, l->path, l->first, l->options);
	r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	r->output = child_file("output");
	r->made_of = child_file("made_of");
	bool good = r->shared != MAP_FAILED && !pipe2(ends, O_CLOEXEC | O_NONBLOCK);
	r->caught = ends[0];
	r->catches = ends[1];
	if (good && child_start_busy(&r->child, run_work, run_after, r, &r->shared->native, &r->shared->again)) {
		close(r->catches);
		r->l = NULL;
		r->needed = NULL;
		return r;
	}
	child_error("the reference run", d);
	temp_remove(r->cache);
	close(r->output);
	close(r->made_of);
	if (r->catches >= 0)
		close(r->catches);
	run_free(r);
	return NULL;
}

static char *sentence(const char *fmt, ...) PRINTF_LIKE(1, 2);
static char *sentence(const char *fmt, ...)
{
	Buf b = {0};
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	return b.v;
}

/* The machine's fault, not the kernel's and not PoCL's; NULL: it is none. */
static char *why_not_here(const Shared *s, ChildEnd end)
{
	if (end.timed_out || s->native || (s->status == POCL_OK && !end.code && !end.signal))
		return NULL;
	char *fault = child_fault(true);
	char *why = fault ? sentence("PoCL cannot build and run the kernel on this machine: %s", fault) : NULL;
	free(fault);
	return why;
}

/* Why a run that the system ended ended; NULL: it ended by itself. */
static char *why_ended(const PoclWork *r, const Shared *s, ChildEnd end, double clock)
{
	if (end.stalled)
		return sentence(
		    "PoCL's run stands still: all of its threads have slept for %d seconds, as when a kernel that "
		    "writes outside of its buffers meets PoCL's locks",
		    CHILD_STALL);
	if (end.timed_out && end.signal == SIGXCPU)
		return s->native ? sentence("PoCL's run used more than %u seconds of processor time", r->seconds)
		                 : sentence("PoCL took more than %u seconds of processor time to build the kernel",
		                            child_limits(COMPILE_LIMITS).seconds);
	if (end.timed_out)
		return sentence("PoCL's run did not end within %g seconds", clock);
	if (end.signal && !s->native)
		return sentence("PoCL crashed before it ran the kernel (signal %d, %s)", end.signal,
		                strsignal(end.signal));
	if (end.signal == SIGXFSZ)
		return sentence(
		    "the kernel printed more than %u MiB, so the native run was stopped: print less to have the "
		    "results compared",
		    (u32)(MOST_PRINTED >> 20));
	if (end.signal)
		return sentence("the kernel crashed PoCL's native run (signal %d, %s)", end.signal,
		                strsignal(end.signal));
	if (end.code != SANDBOX_STOPPED || !s->native)
		return NULL;
	char *tried = sandbox_tried(&s->stop),
	     *why = sentence("the kernel's native run was stopped: it tried to %s", tried);
	free(tried);
	return why;
}

/* What the worker left is as true as the kernel that ran in it, but for `caught`. */
static bool wait_for_work(PoclWork *r, double timeout_s, PoclOutcome *out, bool *native, bool *past_us)
{
	ChildEnd end = child_wait(&r->child, timeout_s);
	Shared s = *r->shared;
	bool seen;
	*native = s.native;
	*past_us = read(r->caught, &seen, sizeof seen) == sizeof seen && !seen;
	s.why[sizeof s.why - 1] = 0;
	*out = (PoclOutcome){.status = s.status <= POCL_TIMEOUT ? s.status : POCL_CRASHED, .error_code = s.error_code,
	                     .part = s.part, .signal = end.signal, .seconds = s.seconds,
	                     .first_seconds = s.first_seconds};
	out->output = child_file_read(r->output, &out->output_size);
	out->made_of = made_of_take(r->made_of);
	if ((out->why = why_not_here(&s, end))) {
		out->status = POCL_CL_ERROR;
	} else if ((out->why = why_ended(r, &s, end, timeout_s))) {
		out->status = end.timed_out ? POCL_TIMEOUT : POCL_CRASHED;
	} else if (out->status != POCL_OK || end.code) {
		if (out->status == POCL_OK)
			out->status = POCL_CRASHED;
		out->why = s.why[0] ? xstrdup(s.why)
		                    : sentence("PoCL's run ended early, with exit status %d", end.code);
	}
	run_free(r);
	return out->status == POCL_OK;
}

static char *try_confining(void)
{
	static const PoclLaunch l = {.path = "k.cl", .source = "kernel void k(void) { }", .first = "", .kernel = "k",
	                             .dims = 1,
	                             .global = {1, 1, 1}, .local = {1, 1, 1}, .seconds = 60};
	Diag d;
	PoclOutcome out = {0};
	diag_init(&d);
	PoclWork *w = pocl_work_start(&l, &(FeNeeded){0}, &d);
	bool native = false, past_us;
	if (w)
		wait_for_work(w, (double)l.seconds * CHILD_PATIENCE, &out, &native, &past_us);
	const char *why = sandbox_lacks() ? sandbox_lacks() : out.why;
	if (!why && !native)
		why = "this PoCL loads kernels by a way that the sandbox cannot intercept";
	char *kept =
	    why && out.status != POCL_NO_PLATFORM ? xstrdup(why) : NULL; /* of which the user is told otherwise */
	pocl_outcome_free(&out);
	diag_free(&d);
	return kept;
}

const char *pocl_unconfined(void)
{
	static bool tried;
	static const char *why;
	if (!tried)
		why = try_confining();
	tried = true;
	return why;
}

/* A PoCL with its devices built in calls no dlopen() before the kernel: a kernel of ours shows whether that call is
 * caught. */
bool pocl_work_wait(PoclWork *r, double timeout_s, PoclOutcome *out)
{
	bool native, past_us;
	bool good = wait_for_work(r, timeout_s, out, &native, &past_us);
	if (past_us && sandbox_is_on() && !sandbox_lacks())
		sandbox_misses(pocl_unconfined());
	out->unconfined = xstrdup(sandbox_lacks());
	return good;
}
