/* Run one launch again and again until its time is known.
 *
 * Warm-up first (the driver compiles, the clock rises); then samples until the middle half of
 * them lies close together, or a limit. Each sample starts from the same buffers: those that the
 * kernel may write are copied back on the device, outside the time that is taken. A sample is in
 * the store before the next one starts. */
#include "base/opencl_host.h"
#include "runner/runner.h"
#include "traces/capture/launch_recorded.h"

#include <math.h>

/* ---- one launch ---- */

static bool set_args(const Measuring *in, const DeviceMemory *m, Diag *d)
{
	for (u32 i = 0; i < in->launch->nargs; i++) {
		const LaunchArg *a = &in->launch->args[i];
		cl_int e;
		if (a->kind == LAUNCH_VALUE)
			e = clSetKernelArg(in->kernel->kernel, i, a->size, a->bytes);
		else if (a->kind == LAUNCH_LOCAL)
			e = clSetKernelArg(in->kernel->kernel, i, a->size, NULL);
		else if (a->kind == LAUNCH_SAMPLER)
			e = clSetKernelArg(in->kernel->kernel, i, sizeof m->sampler[i], &m->sampler[i]);
		else
			e = clSetKernelArg(in->kernel->kernel, i, sizeof m->arg[i], &m->arg[i]);
		if (e != CL_SUCCESS)
			return diag_error(d, NO_LOC, "argument '%s': clSetKernelArg fails with %s",
			                  in->kernel->args[i].name, opencl_error(e));
	}
	return true;
}

/* Devices refuse work-groups for which a kernel takes too many registers or too much local memory, and say no more. */
static bool launched(const Measuring *in, cl_int e, Diag *d)
{
	const Launch *l = in->launch;
	size_t most = 0, items = (size_t)(l->local[0] * l->local[1] * l->local[2]);
	bool large = (e == CL_OUT_OF_RESOURCES || e == CL_INVALID_WORK_GROUP_SIZE) &&
	             clGetKernelWorkGroupInfo(in->kernel->kernel, in->dev->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
	                                      &most, NULL) == CL_SUCCESS &&
	             most && items > most;
	if (!large)
		return cl_good(e, "clEnqueueNDRangeKernel", d);
	diag_error(d, NO_LOC,
	           "work-groups of %zu work-items are too large: the device runs this kernel with %zu at most, because of "
	           "the registers or the local memory that it needs",
	           items, most);
	return l->recorded ? diag_hint(d, "let the program use work-groups of at most %zu work-items, and record it again", most)
	                   : diag_hint(d, "use a --local of at most %zu work-items", most);
}

/* *device_ns is negative when the device gives no times. */
static bool launch_once(const Measuring *in, double *device_ns, double *wall_ns, Diag *d)
{
	const Launch *l = in->launch;
	size_t offset[3], global[3], local[3];
	for (u32 i = 0; i < 3; i++) {
		offset[i] = l->offset[i];
		global[i] = l->global[i];
		local[i] = l->local[i];
	}
	cl_event event;
	double start = seconds_now();
	cl_int e = clEnqueueNDRangeKernel(in->dev->queue, in->kernel->kernel, l->work_dim, offset, global,
	                                  local, 0, NULL, &event);
	if (!launched(in, e, d) ||
	    !cl_good(clFinish(in->dev->queue), "running the kernel", d))
		return false;
	*wall_ns = floor((seconds_now() - start) * 1e9);
	cl_ulong from = 0, to = 0;
	cl_int a = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
	cl_int b = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
	clReleaseEvent(event);
	*device_ns = a == CL_SUCCESS && b == CL_SUCCESS && to > from ? (double)(to - from) : -1;
	return true;
}

/* ---- outputs ---- */

/* What the host program's run left, if that was kept. */
static bool recorded_result(const Launch *l, const LaunchArg *arg, Arena *a, const u8 **bytes, u64 *size, Diag *d)
{
	const LaunchObject *o = &l->objects[arg->object - 1];
	*bytes = NULL;
	if (!o->after)
		return true;
	u8 *all = arena_alloc(a, o->size + 1);
	*bytes = all + arg->object_at;
	*size = arg->size;
	return launch_object_load(l, arg->object - 1, true, all, d);
}

/* What argument arg must hold: from --expect, else the recording or the store. */
static bool expected(const Measuring *in, u32 arg, Arena *a, const u8 **bytes, u64 *size, Diag *d)
{
	const char *name = in->kernel->args[arg].name;
	size_t n = strlen(name);
	for (u32 i = 0; i < in->o->expects.n; i++) {
		const char *text = in->o->expects.v[i];
		if (strncmp(text, name, n) || text[n] != '=')
			continue;
		size_t read = 0;
		char *file = read_file(text + n + 1, &read);
		if (!file)
			return diag_error(d, NO_LOC, "--expect: cannot read '%s'", text + n + 1);
		u8 *copy = arena_alloc(a, read + 1);
		memcpy(copy, file, read);
		free(file);
		*bytes = copy;
		*size = read;
		return true;
	}
	if (in->launch->recorded)
		return recorded_result(in->launch, &in->launch->args[arg], a, bytes, size, d);
	return store_expected(in->store, in->launch_id, name, a, bytes, size, d);
}

static bool check_outputs(const Measuring *in, const DeviceMemory *m, Check *c, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; ok && i < in->launch->nargs; i++) {
		const LaunchArg *a = &in->launch->args[i];
		const u8 *want = NULL;
		u64 size = 0;
		if (!m->arg[i] || in->kernel->args[i].is_const || a->read_only)
			continue;
		ok = expected(in, i, m->arena, &want, &size, d);
		if (!ok || !want)
			continue;
		if (size != a->size) {
			ok = diag_error(d, NO_LOC, "what '%s' should hold has %llu bytes, but it has %llu",
			                in->kernel->args[i].name, (unsigned long long)size,
			                (unsigned long long)a->size);
			continue;
		}
		u8 *have = xcalloc(size, 1);
		ok = memory_read(m, i, have, size, d);
		ElemShape shape = a->shape;
		if (!shape.elem_bytes) /* structs: as bytes */
			shape = (ElemShape){ELEM_UINT, 1, 1, 1};
		if (ok)
			check_buffer(c, &shape, have, want, size, in->o->max_ulp);
		free(have);
	}
	return ok;
}

/* ---- statistics ---- */

static void summarise(const double *times, u32 n, Measured *out)
{
	double *sorted = xmalloc(n * sizeof *sorted);
	memcpy(sorted, times, n * sizeof *sorted);
	sort(sorted, n, sizeof *sorted, by_double);
	out->samples = n;
	out->median_ns = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	out->spread = (sorted[3 * (n - 1) / 4] - sorted[(n - 1) / 4]) / out->median_ns;
	free(sorted);
}

static bool sample_all(const Measuring *in, const DeviceMemory *m, Measured *out, Diag *d)
{
	const RunnerOptions *o = in->o;
	ARRAY(double) times = {0};
	double start = seconds_now(), device, wall;
	bool ok = true;
	/* The clock rises within some tens of milliseconds of work. */
	for (u32 i = 0; ok && (i <= o->warmup || (seconds_now() - start < 0.03 && i < 1000)); i++) {
		ok = memory_restore(m, d) && launch_once(in, &device, &wall, d) &&
		     (i || check_outputs(in, m, &out->check, d));
		if (seconds_now() - start > o->seconds)
			break;
	}
	start = seconds_now();
	while (ok) {
		ok = memory_restore(m, d) && launch_once(in, &device, &wall, d);
		StoreSample s = {in->run, times.n, device, wall};
		if (!ok || !(ok = store_sample(in->store, &s, d)))
			break;
		array_push(&times, device > 0 ? device : wall);
		summarise(times.v, times.n, out);
		bool enough = times.n >= o->repeats && out->spread * 100 <= o->spread;
		if (enough || times.n >= o->max_repeats || seconds_now() - start > o->seconds)
			break;
	}
	out->clock_mhz = ok ? clock_mhz(in->clock) : 0;
	array_free(&times);
	return ok;
}

bool measure(const Measuring *in, Measured *out, Diag *d)
{
	DeviceMemory m = {0};
	*out = (Measured){0};
	bool ok =
	    memory_open(&m, in->launch, in->kernel, in->dev, d) && set_args(in, &m, d) && sample_all(in, &m, out, d);
	memory_close(&m);
	return ok;
}
