/* The reference run: the same launch on PoCL's CPU device, in a child that works
 * while others do. Results come back through shared memory.
 *
 * The source is built with the user's own options, optimised as PoCL does by default:
 * that is what a host program would get. */
#include "frontend/source/pocl/pocl.h"

#include "base/opencl_host.h"

#include "frontend/child.h"
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl_parts.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the worker tells, in shared memory. */
typedef struct Shared {
	PoclStatus status;
	cl_int error_code;
	char why[1024];
	double seconds, first_seconds;
} Shared;

struct PoclWork {
	const PoclLaunch *l; /* used before pocl_work_start returns, and in the child */
	char cache[TEMP_PATH];
	char *options;
	Shared *shared;
	int output; /* unnamed file with what the kernel printed */
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

static bool build(PoclWorker *w, const char *options, const char *cache)
{
	cl_int e;
	cl_program p, bad;
	if (w->l->src) {
		p = pocl_parts_build(&w->cl, w->l->src, w->l->path, cache, options, false, &bad, &e);
		if (failed(w, "building the program", e))
			return build_failed(w, bad);
	} else {
		p = clCreateProgramWithSource(w->cl.context, 1, (const char *[]){w->l->source}, NULL, &e);
		if (failed(w, "clCreateProgramWithSource", e))
			return false;
		if (failed(w, "clBuildProgram", clBuildProgram(p, 1, &w->cl.device, options, NULL, NULL)))
			return build_failed(w, p);
	}
	w->kernel = clCreateKernel(p, w->l->kernel, &e);
	return !failed(w, "clCreateKernel", e);
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
			if (w->l->repeats && !freopen("/dev/null", "w", stdout))
				return false;
		}
		best = t < best ? t : best;
	}
	w->s->seconds = best;
	return true;
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
	r->shared->status = POCL_NO_PLATFORM;
	if (!pocl_cl_open(&w.cl, r->shared->why, sizeof r->shared->why))
		return 1;
	r->shared->status = POCL_CL_ERROR; /* until all is done */
	cl_int e;
	w.queue = clCreateCommandQueue(w.cl.context, w.cl.device, CL_QUEUE_PROFILING_ENABLE, &e);
	if (failed(&w, "clCreateCommandQueue", e))
		return 1;
	bool ok = build(&w, r->options, r->cache) && make_buffers(&w) && set_args(&w) && run_all(&w) &&
	          read_results(&w);
	if (ok)
		r->shared->status = POCL_OK;
	free(w.mems);
	return !ok;
}

static void run_after(void *arg) { temp_remove(((PoclWork *)arg)->cache); }

/* ---- in the parent ---- */

static void run_free(PoclWork *r)
{
	if (r->shared != MAP_FAILED)
		munmap(r->shared, sizeof *r->shared);
	free(r->options);
	free(r);
}

PoclWork *pocl_work_start(const PoclLaunch *l, Diag *d)
{
	PoclWork *r = xcalloc(1, sizeof *r);
	r->l = l;
	if (!temp_make(r->cache)) {
		diag_error(d, NO_LOC, "cannot make a temporary folder '%s': is $TMPDIR writable?", r->cache);
		free(r);
		return NULL;
	}
	r->options = l->src ? xstrdup(l->options ? l->options : "")
	                    : pocl_cache_options(r->cache, l->path, "", l->options);
	r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	r->output = child_file("output");
	if (r->shared != MAP_FAILED && child_start(&r->child, run_work, run_after, r)) {
		r->l = NULL;
		return r;
	}
	diag_error(d, NO_LOC, "no process for the reference run could be started");
	temp_remove(r->cache);
	close(r->output);
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

bool pocl_work_wait(PoclWork *r, double timeout_s, PoclOutcome *out)
{
	ChildEnd end = child_wait(&r->child, timeout_s);
	const Shared *s = r->shared;
	*out = (PoclOutcome){.status = s->status, .error_code = s->error_code, .signal = end.signal,
	                     .seconds = s->seconds, .first_seconds = s->first_seconds};
	out->output = child_file_read(r->output, &out->output_size);
	if (end.timed_out) {
		out->status = POCL_TIMEOUT;
		out->why = sentence("PoCL's run did not end within %g seconds", timeout_s);
	} else if (end.signal) {
		out->status = POCL_CRASHED;
		out->why = sentence("the kernel crashed PoCL's native run (signal %d, %s)", end.signal,
		                    strsignal(end.signal));
	} else if (s->status != POCL_OK || end.code) {
		if (s->status == POCL_OK)
			out->status = POCL_CRASHED;
		out->why = s->why[0] ? xstrdup(s->why)
		                     : sentence("PoCL's run ended early, with exit status %d", end.code);
	}
	run_free(r);
	return out->status == POCL_OK;
}
