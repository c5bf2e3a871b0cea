/* What the program's handles mean: a table from handle to Thing, kept up by the functions that
 * make, retain and release them.
 *
 * A thing leaves the table before the driver is told of its last release, because the driver may
 * give the same address to the next object at once. */
#include "traces/capture/layer/layer.h"

#include <search.h>

static u64 hash_of(const void *handle)
{
	u64 x = (u64)(uintptr_t)handle;
	return (x ^ x >> 29) * 0xBF58476D1CE4E5B9u >> 20;
}

static Thing **slot_of(const void *handle) { return &layer.things[hash_of(handle) & layer.mask]; }

static void grow(void)
{
	Thing **old = layer.things;
	u64 n = old ? layer.mask + 1 : 0;
	layer.mask = n ? 2 * n - 1 : 255;
	layer.things = xcalloc(layer.mask + 1, sizeof *layer.things);
	for (u64 i = 0; i < n; i++) {
		for (Thing *t = old[i], *next; t; t = next) {
			Thing **slot = slot_of(t->handle);
			next = t->next;
			t->next = *slot;
			*slot = t;
		}
	}
	free(old);
}

static Thing *find_any(const void *handle)
{
	if (!layer.things)
		return NULL;
	for (Thing *t = *slot_of(handle); t; t = t->next)
		if (t->handle == handle)
			return t;
	return NULL;
}

Thing *thing_find(ThingKind kind, const void *handle)
{
	Thing *t = find_any(handle);
	return t && t->kind == kind ? t : NULL;
}

static void leave_table(Thing *t)
{
	Thing **at = slot_of(t->handle);
	while (*at && *at != t)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = t->next;
	layer.nthings--;
}

void *thing_add(ThingKind kind, void *handle, size_t size)
{
	Thing *old = find_any(handle);
	if (old) {
		leave_table(old); /* others may still refer to it */
		thing_release(old);
	}
	if (!layer.things || layer.nthings > layer.mask)
		grow();
	Thing *t = xcalloc(1, size), **slot = slot_of(handle);
	*t = (Thing){.kind = kind, .handle = handle, .refs = 1, .number = ++layer.numbers[kind], .next = *slot};
	*slot = t;
	layer.nthings++;
	return t;
}

void thing_retain(Thing *t) { t->refs++; }

void thing_release(Thing *t)
{
	if (--t->refs)
		return;
	leave_table(t);
	if (t->kind == THING_PROGRAM)
		program_drop((LayerProgram *)t);
	else if (t->kind == THING_KERNEL)
		kernel_drop((LayerKernel *)t);
	else if (t->kind == THING_MEMORY && ((LayerMemory *)t)->parent)
		thing_release(&((LayerMemory *)t)->parent->thing);
	else if (t->kind == THING_EVENT)
		layer.pending--;
	free(t);
}

u32 thing_number(ThingKind kind, void *handle)
{
	size_t size = kind == THING_DEVICE  ? sizeof(LayerDevice)
	              : kind == THING_QUEUE ? sizeof(LayerQueue)
	                                    : sizeof(Thing);
	Thing *t = thing_find(kind, handle);
	if (!t)
		t = thing_add(kind, handle, size);
	return t->number;
}

/* The program retains or releases something, if that is known here. */
static void with_thing(ThingKind kind, void *handle, void (*change)(Thing *t))
{
	layer_lock();
	Thing *t = thing_find(kind, handle);
	if (t)
		change(t);
	layer_unlock();
}

#define RETAIN_RELEASE(kind, type, retain_name, release_name) \
	cl_int layer_##retain_name(type handle) \
	{ \
		cl_int e = layer.target->retain_name(handle); \
		if (e == CL_SUCCESS) \
			with_thing(kind, handle, thing_retain); \
		return e; \
	} \
	cl_int layer_##release_name(type handle) \
	{ \
		with_thing(kind, handle, thing_release); \
		return layer.target->release_name(handle); \
	}
RETAIN_RELEASE(THING_MEMORY, cl_mem, clRetainMemObject, clReleaseMemObject)
RETAIN_RELEASE(THING_SAMPLER, cl_sampler, clRetainSampler, clReleaseSampler)
RETAIN_RELEASE(THING_PROGRAM, cl_program, clRetainProgram, clReleaseProgram)
RETAIN_RELEASE(THING_KERNEL, cl_kernel, clRetainKernel, clReleaseKernel)
RETAIN_RELEASE(THING_EVENT, cl_event, clRetainEvent, clReleaseEvent)

/* ---- memory ---- */

static size_t image_size(cl_mem m, cl_image_info what)
{
	size_t v = 0;
	layer.target->clGetImageInfo(m, what, sizeof v, &v, NULL);
	return v;
}

static void image_info(cl_mem m, LayerMemory *out)
{
	const cl_icd_dispatch *t = layer.target;
	CapObject *o = &out->object;
	cl_image_format format = {0};
	cl_uint samples = 0;
	t->clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
	t->clGetImageInfo(m, CL_IMAGE_NUM_SAMPLES, sizeof samples, &samples, NULL);
	o->order = format.image_channel_order;
	o->type = format.image_channel_data_type;
	o->extent[0] = image_size(m, CL_IMAGE_WIDTH);
	o->extent[1] =
	    image_size(m, o->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? CL_IMAGE_ARRAY_SIZE : CL_IMAGE_HEIGHT);
	o->extent[2] =
	    image_size(m, o->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? CL_IMAGE_ARRAY_SIZE : CL_IMAGE_DEPTH);
	for (u32 i = 1; i < 3; i++)
		o->extent[i] = o->extent[i] ? o->extent[i] : 1;
	o->size = o->extent[0] * o->extent[1] * o->extent[2] * image_size(m, CL_IMAGE_ELEMENT_SIZE);
	if (samples > 1)
		out->missing = "an image with several samples a pixel";
}

/* NULL passes. */
static cl_mem note_memory(cl_mem m)
{
	if (!m || !layer.recording)
		return m;
	const cl_icd_dispatch *t = layer.target;
	LayerMemory new = {0};
	cl_mem_object_type type = 0;
	cl_mem parent = NULL;
	size_t size = 0, origin = 0;
	cl_mem_flags flags = 0;
	t->clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, NULL);
	t->clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL);
	t->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
	t->clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
	t->clGetMemObjectInfo(m, CL_MEM_OFFSET, sizeof origin, &origin, NULL);
	new.object = (CapObject){.kind = CAP_BUFFER, .size = size, .flags = flags, .image_type = type};
	if (type == CL_MEM_OBJECT_PIPE) {
		new.missing = "a pipe";
	} else if (type != CL_MEM_OBJECT_BUFFER) {
		new.object.kind = CAP_IMAGE;
		image_info(m, &new);
		parent = NULL;
	}
	layer_lock();
	LayerMemory *known = thing_add(THING_MEMORY, m, sizeof *known);
	new.thing = known->thing;
	new.parent = parent ? (LayerMemory *)thing_find(THING_MEMORY, parent) : NULL;
	new.origin = origin;
	if (new.parent)
		thing_retain(&new.parent->thing);
	*known = new;
	layer_unlock();
	return m;
}

/* A function that makes one: what it made is noted. */
#define MAKES(type, note, name, params, args) \
	type layer_##name params \
	{ \
		cl_int why = CL_SUCCESS; \
		e = e ? e : &why; \
		type made = layer.target->name args; \
		if (!made) \
			failed_call(#name, NULL, *e); \
		return note(made); \
	}
MAKES(cl_mem, note_memory, clCreateBuffer, (cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *e),
      (c, flags, size, host, e))
MAKES(cl_mem, note_memory, clCreateBufferWithProperties,
      (cl_context c, const cl_mem_properties *p, cl_mem_flags flags, size_t size, void *host, cl_int *e),
      (c, p, flags, size, host, e))
MAKES(cl_mem, note_memory, clCreateSubBuffer,
      (cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *e),
      (m, flags, type, info, e))
MAKES(cl_mem, note_memory, clCreateImage,
      (cl_context c, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host,
       cl_int *e),
      (c, flags, format, desc, host, e))
MAKES(cl_mem, note_memory, clCreateImageWithProperties,
      (cl_context c, const cl_mem_properties *p, cl_mem_flags flags, const cl_image_format *format,
       const cl_image_desc *desc, void *host, cl_int *e), (c, p, flags, format, desc, host, e))
MAKES(cl_mem, note_memory, clCreateImage2D,
      (cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height, size_t pitch,
       void *host, cl_int *e), (c, flags, format, width, height, pitch, host, e))
MAKES(cl_mem, note_memory, clCreateImage3D,
      (cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height, size_t depth,
       size_t row, size_t slice, void *host, cl_int *e), (c, flags, format, width, height, depth, row, slice, host, e))
MAKES(cl_mem, note_memory, clCreatePipe,
      (cl_context c, cl_mem_flags flags, cl_uint packet, cl_uint packets, const cl_pipe_properties *p, cl_int *e),
      (c, flags, packet, packets, p, e))

/* ---- samplers ---- */

static cl_sampler note_sampler(cl_sampler s)
{
	if (!s || !layer.recording)
		return s;
	const cl_icd_dispatch *t = layer.target;
	cl_addressing_mode addressing = 0;
	cl_filter_mode filter = 0;
	cl_bool normalized = 0;
	t->clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing, NULL);
	t->clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL);
	t->clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized, &normalized, NULL);
	layer_lock();
	LayerSampler *known = thing_add(THING_SAMPLER, s, sizeof *known);
	known->addressing = addressing;
	known->filter = filter;
	known->normalized = normalized;
	layer_unlock();
	return s;
}

MAKES(cl_sampler, note_sampler, clCreateSampler,
      (cl_context c, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, cl_int *e),
      (c, normalized, addressing, filter, e))
MAKES(cl_sampler, note_sampler, clCreateSamplerWithProperties,
      (cl_context c, const cl_sampler_properties *p, cl_int *e), (c, p, e))

/* ---- user events ---- */

cl_event layer_clCreateUserEvent(cl_context c, cl_int *e)
{
	cl_event event = layer.target->clCreateUserEvent(c, e);
	if (!event || !layer.recording)
		return event;
	layer_lock();
	thing_add(THING_EVENT, event, sizeof(Thing));
	layer.pending++;
	layer_unlock();
	return event;
}

static void drop(Thing *t)
{
	t->refs = 1;
	thing_release(t);
}

cl_int layer_clSetUserEventStatus(cl_event event, cl_int status)
{
	with_thing(THING_EVENT, event, drop);
	return layer.target->clSetUserEventStatus(event, status);
}

/* ---- shared virtual memory ---- */

/* Blocks that share a byte are equal. */
static int by_address(const void *a, const void *b)
{
	const SvmBlock *x = a, *y = b;
	return x->start + x->size <= y->start ? -1 : y->start + y->size <= x->start;
}

static SvmBlock *find_svm(const SvmBlock *like)
{
	SvmBlock **at = tfind(like, &layer.svm, by_address);
	return at ? *at : NULL;
}

SvmBlock *thing_svm(const void *p) { return find_svm(&(SvmBlock){.start = (u8 *)(uintptr_t)p, .size = 1}); }

/* Nothing of it is known any more. */
static void forget_svm(const SvmBlock *like)
{
	for (SvmBlock *b; (b = find_svm(like)); free(b))
		tdelete(b, &layer.svm, by_address);
}

void *layer_clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	void *p = layer.target->clSVMAlloc(c, flags, size, alignment);
	if (!p || !size || !layer.recording)
		return p;
	SvmBlock *b = xcalloc(1, sizeof *b);
	*b = (SvmBlock){.start = p, .size = size};
	layer_lock();
	forget_svm(b); /* the driver may have given it back without being asked to */
	tsearch(b, &layer.svm, by_address);
	layer_unlock();
	return p;
}

static void forget_pointer(void *p)
{
	layer_lock();
	forget_svm(&(SvmBlock){.start = p, .size = 1});
	layer_unlock();
}

void layer_clSVMFree(cl_context c, void *p)
{
	forget_pointer(p);
	layer.target->clSVMFree(c, p);
}

cl_int layer_clEnqueueSVMFree(cl_command_queue q, cl_uint n, void *pointers[],
                              void (CL_CALLBACK *notify)(cl_command_queue, cl_uint, void *[], void *),
                              void *user, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	cl_int e = layer.target->clEnqueueSVMFree(q, n, pointers, notify, user, nwait, wait, event);
	/* With notify the program frees them itself, through clSVMFree. */
	for (cl_uint i = 0; e == CL_SUCCESS && !notify && i < n; i++)
		forget_pointer(pointers[i]);
	return e;
}
