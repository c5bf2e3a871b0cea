/* The memory objects of a launch on the device, and their contents at the start.
 *
 * There is a buffer or image for each argument that wants one; of a recorded launch, one for each object
 * that it reaches, of which an argument may see a part, and several the same. */
#include "runner/runner.h"
#include "traces/capture/launch_recorded.h"

static void *allocate(void *user, u32 arg, u64 size)
{
	(void)user, (void)arg;
	return calloc(1, size);
}

static cl_mem buffer(const ClDev *dev, const void *data, u64 size, Diag *d)
{
	cl_int e;
	cl_mem m = clCreateBuffer(dev->context, CL_MEM_READ_WRITE, size, NULL, &e);
	if (!cl_good(e, "clCreateBuffer", d))
		return NULL;
	e = clEnqueueWriteBuffer(dev->queue, m, CL_TRUE, 0, size, data, 0, NULL, NULL);
	if (cl_good(e, "clEnqueueWriteBuffer", d))
		return m;
	clReleaseMemObject(m);
	return NULL;
}

static cl_mem create(const ClDev *dev, const MemoryObject *p, const void *data, Diag *d)
{
	return p->image ? image_create(dev, p->image, p->image_arg, data, d) : buffer(dev, data, p->size, d);
}

static bool fill(const DeviceMemory *m, MemoryObject *p, const void *data, Diag *d)
{
	p->now = create(m->dev, p, data, d);
	if (p->now && p->written)
		p->first = create(m->dev, p, data, d);
	return p->now && (!p->written || p->first);
}

/* ---- objects of arguments ---- */

static bool own_objects(DeviceMemory *m, const Launch *l, Diag *d)
{
	LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	limits.max_bytes = m->dev->memory_bytes / 2;
	void **data = ARENA_ARRAY(m->arena, void *, l->nargs + 1);
	bool ok = launch_materialise(l, &limits, allocate, NULL, data, d);
	for (u32 i = 0; i < l->nargs; i++) {
		if (ok && data[i])
			ok = fill(m, &m->objects[i], data[i], d);
		free(data[i]);
	}
	return ok;
}

/* ---- objects of a recorded launch ---- */

static bool recorded_object(DeviceMemory *m, const Launch *l, u32 object, Diag *d)
{
	MemoryObject *p = &m->objects[object];
	u8 *bytes = calloc(1, p->size + 1);
	bool ok = bytes ? launch_object_load(l, object, false, bytes, d)
	                : diag_error(d, NO_LOC, "no memory for %llu bytes", (unsigned long long)p->size);
	ok = ok && fill(m, p, bytes, d);
	free(bytes);
	return ok;
}

static bool recorded_objects(DeviceMemory *m, const Launch *l, Diag *d)
{
	u64 total = 0;
	for (u32 i = 0; i < l->nobjects; i++) {
		total += l->objects[i].size;
		if (l->objects[i].size > m->dev->memory_bytes / 2 || total > m->dev->memory_bytes / 2)
			return diag_error(d, NO_LOC, "its memory is larger than half of the device's");
		if (!m->objects[i].size)
			return diag_error(d, NO_LOC, "it can reach memory by addresses that it finds in other memory; "
			                  "they are others here");
		if (!recorded_object(m, l, i, d))
			return false;
	}
	return true;
}

/* An argument that sees a part of its object. */
static bool cut(DeviceMemory *m, const LaunchArg *a, u32 i, Diag *d)
{
	cl_buffer_region region = {a->object_at, a->size};
	cl_int e;
	m->part[i] = clCreateSubBuffer(m->objects[a->object - 1].now, CL_MEM_READ_WRITE,
	                               CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
	m->arg[i] = m->part[i];
	if (e == CL_MISALIGNED_SUB_BUFFER_OFFSET)
		return diag_error(d, NO_LOC, "it starts %llu bytes into its memory, which this device cannot "
		                  "do with a buffer", (unsigned long long)a->object_at);
	return cl_good(e, "clCreateSubBuffer", d);
}

/* ---- all of it ---- */

static MemoryObject *object_of(const DeviceMemory *m, u32 arg)
{
	const LaunchArg *a = &m->launch->args[arg];
	bool any = a->kind == LAUNCH_BUFFER || a->kind == LAUNCH_IMAGE;
	return !any ? NULL : &m->objects[a->object ? a->object - 1 : arg];
}

static void plan(DeviceMemory *m, const DeviceKernel *k)
{
	const Launch *l = m->launch;
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		MemoryObject *p = object_of(m, i);
		if (!p)
			continue;
		p->size = a->object ? l->objects[a->object - 1].size : a->size;
		p->written |= !k->args[i].is_const && !a->read_only;
		p->image = a->kind == LAUNCH_IMAGE ? a : NULL;
		p->image_arg = &k->args[i];
	}
}

bool memory_open(DeviceMemory *m, const Launch *l, const DeviceKernel *k, const ClDev *dev, Diag *d)
{
	*m = (DeviceMemory){.arena = arena_new(), .dev = dev, .nargs = l->nargs, .launch = l};
	m->n = l->recorded ? l->nobjects : l->nargs;
	m->objects = ARENA_ARRAY(m->arena, MemoryObject, m->n + 1);
	m->arg = ARENA_ARRAY(m->arena, cl_mem, l->nargs + 1);
	m->part = ARENA_ARRAY(m->arena, cl_mem, l->nargs + 1);
	m->sampler = ARENA_ARRAY(m->arena, cl_sampler, l->nargs + 1);
	plan(m, k);
	if (!(l->recorded ? recorded_objects(m, l, d) : own_objects(m, l, d)))
		return false;
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		const MemoryObject *p = object_of(m, i);
		if (a->kind == LAUNCH_SAMPLER && !(m->sampler[i] = sampler_create(dev, a, d)))
			return false;
		m->arg[i] = p ? p->now : NULL;
		if (m->arg[i] && !p->image && (a->object_at || a->size != p->size) && !cut(m, a, i, d))
			return false;
	}
	return true;
}

void memory_close(DeviceMemory *m)
{
	for (u32 i = 0; i < m->nargs; i++) {
		if (m->part[i])
			clReleaseMemObject(m->part[i]);
		if (m->sampler[i])
			clReleaseSampler(m->sampler[i]);
	}
	for (u32 i = 0; i < m->n; i++) {
		if (m->objects[i].now)
			clReleaseMemObject(m->objects[i].now);
		if (m->objects[i].first)
			clReleaseMemObject(m->objects[i].first);
	}
	arena_free(m->arena);
}

static cl_int copy_back(const DeviceMemory *m, const MemoryObject *p)
{
	if (p->image)
		return image_copy(m->dev, p->image, p->first, p->now);
	return clEnqueueCopyBuffer(m->dev->queue, p->first, p->now, 0, 0, p->size, 0, NULL, NULL);
}

bool memory_restore(const DeviceMemory *m, Diag *d)
{
	for (u32 i = 0; i < m->n; i++) {
		const MemoryObject *p = &m->objects[i];
		if (p->first && !cl_good(copy_back(m, p), "copying memory on the device", d))
			return false;
	}
	return cl_good(clFinish(m->dev->queue), "clFinish", d);
}

bool memory_read(const DeviceMemory *m, u32 arg, u8 *out, u64 size, Diag *d)
{
	const MemoryObject *p = object_of(m, arg);
	if (p->image)
		return cl_good(image_read(m->dev, p->image, m->arg[arg], out), "clEnqueueReadImage", d);
	return cl_good(clEnqueueReadBuffer(m->dev->queue, m->arg[arg], CL_TRUE, 0, size, out, 0, NULL, NULL),
	               "clEnqueueReadBuffer", d);
}
