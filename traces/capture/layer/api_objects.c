/* Objects that the program makes, retains and releases, and arguments of kernels: see api.h. */
#include "traces/capture/layer/api.h"

const char *const api_kind_name[API_KINDS] = {
    [API_CONTEXT] = "a context", [API_QUEUE] = "a command queue",    [API_MEMORY] = "a memory object",
    [API_SAMPLER] = "a sampler", [API_PROGRAM] = "a program",        [API_KERNEL] = "a kernel",
    [API_EVENT] = "an event",    [API_SVM] = "shared virtual memory"};

ApiObject *api_find(ApiKind kind, const void *handle)
{
	ApiObject *o = handle ? ptrmap_get(api.objects, handle) : NULL;
	return o && o->kind == kind ? o : NULL;
}

bool api_alive(const ApiObject *o, u64 serial) { return o->serial == serial && (o->owned || o->children); }

bool api_use(ApiKind kind, const void *handle, const char *call)
{
	ApiPlace here;
	const ApiObject *o = api_find(kind, handle);
	if (!o || api_alive(o, o->serial))
		return true;
	api_place(&here);
	api_misuse(MISUSE_used_after_release, &here, "released", &o->gone, "%s uses %s that was released", call,
	           api_kind_name[kind]);
	return false;
}

/* Nothing of what was at this handle holds any more. */
static ApiObject *renew(ApiKind kind, void *handle)
{
	ApiObject **slot = (ApiObject **)ptrmap_slot(api.objects, handle);
	if (!*slot) {
		*slot = ARENA_NEW(api.arena, ApiObject);
		array_push(&api.all, *slot);
	}
	ApiObject *o = *slot;
	array_free(&o->mappings);
	array_free(&o->args);
	free(o->name);
	*o = (ApiObject){.kind = kind, .handle = handle, .serial = ++api.serials, .owned = 1};
	api_place(&o->made);
	return o;
}

/* What the driver says of a new object: none of it changes later. */
typedef struct Facts {
	size_t size, origin;
	cl_mem_flags flags;
	cl_mem_object_type type;
	cl_mem parent;
	cl_command_queue_properties queue;
	cl_uint nargs;
	char *name; /* allocated */
} Facts;

static Facts ask(ApiKind kind, void *handle)
{
	const cl_icd_dispatch *t = layer.target;
	Facts f = {0};
	if (kind == API_MEMORY) {
		t->clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof f.size, &f.size, NULL);
		t->clGetMemObjectInfo(handle, CL_MEM_FLAGS, sizeof f.flags, &f.flags, NULL);
		t->clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof f.type, &f.type, NULL);
		t->clGetMemObjectInfo(handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof f.parent, &f.parent, NULL);
		t->clGetMemObjectInfo(handle, CL_MEM_OFFSET, sizeof f.origin, &f.origin, NULL);
	} else if (kind == API_QUEUE) {
		t->clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof f.queue, &f.queue, NULL);
	} else if (kind == API_KERNEL) {
		char name[256] = "?";
		t->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof f.nargs, &f.nargs, NULL);
		t->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
		f.name = xstrdup(name);
	}
	return f;
}

ApiObject *api_made(ApiKind kind, void *handle)
{
	if (!handle || !api.on)
		return NULL;
	Facts f = ask(kind, handle);
	api_lock();
	ApiObject *o = renew(kind, handle);
	o->size = f.size;
	o->flags = f.flags;
	o->name = f.name;
	o->image = kind == API_MEMORY && f.type != CL_MEM_OBJECT_BUFFER;
	o->parent = api_find(API_MEMORY, f.parent);
	o->origin = f.origin;
	if (o->parent)
		o->parent->children++;
	o->out_of_order = f.queue & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	for (u32 i = 0; i < f.nargs; i++)
		array_push(&o->args, ((ApiArgument){0}));
	api_unlock();
	return o;
}

/* The program's last reference to it went: and so may parents that lived for it alone. */
static void gone(ApiObject *o)
{
	for (; o && !o->owned && !o->children; o = o->parent)
		if (o->parent)
			o->parent->children--;
}

static void releasing(ApiKind kind, void *handle, const char *call)
{
	ApiPlace here;
	api_lock();
	ApiObject *o = api.on ? api_find(kind, handle) : NULL;
	if (o)
		api_place(&here);
	if (o && !o->owned) {
		api_misuse(MISUSE_released_again, &here, "the last was released", &o->gone,
		           "%s of %s that was released already: the host program holds no reference to "
		           "it", call, api_kind_name[kind]);
	} else if (o) {
		o->gone = here;
		if (!--o->owned)
			gone(o);
	}
	api_unlock();
}

/* What another object holds may be asked of that and retained again when the program has no reference to it. */
static bool may_be_lent(const ApiObject *o)
{
	return o->kind == API_CONTEXT || o->kind == API_QUEUE || o->kind == API_PROGRAM || o->children;
}

static void retaining(ApiKind kind, const void *handle, const char *call)
{
	api_lock();
	const ApiObject *o = api.on ? api_find(kind, handle) : NULL;
	if (o && !may_be_lent(o))
		api_use(kind, handle, call);
	api_unlock();
}

static void retained(ApiKind kind, const void *handle)
{
	api_lock();
	ApiObject *o = api.on ? api_find(kind, handle) : NULL;
	bool was = o && api_alive(o, o->serial);
	if (o)
		o->owned++;
	for (; o && !was && o->parent; o = o->parent) { /* what gone() took */
		was = api_alive(o->parent, o->parent->serial);
		o->parent->children++;
	}
	api_unlock();
}

#define RETAIN_RELEASE(kind, type, retain_name, release_name) \
	cl_int api_##retain_name(type handle) \
	{ \
		retaining(kind, handle, #retain_name); \
		cl_int e = api.inner.retain_name(handle); \
		if (e == CL_SUCCESS) \
			retained(kind, handle); \
		return e; \
	} \
	cl_int api_##release_name(type handle) \
	{ \
		releasing(kind, handle, #release_name); \
		return api.inner.release_name(handle); \
	}
RETAIN_RELEASE(API_CONTEXT, cl_context, clRetainContext, clReleaseContext)
RETAIN_RELEASE(API_QUEUE, cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue)
RETAIN_RELEASE(API_MEMORY, cl_mem, clRetainMemObject, clReleaseMemObject)
RETAIN_RELEASE(API_SAMPLER, cl_sampler, clRetainSampler, clReleaseSampler)
RETAIN_RELEASE(API_PROGRAM, cl_program, clRetainProgram, clReleaseProgram)
RETAIN_RELEASE(API_KERNEL, cl_kernel, clRetainKernel, clReleaseKernel)
RETAIN_RELEASE(API_EVENT, cl_event, clRetainEvent, clReleaseEvent)

#define MAKES(kind, type, name, params, args) \
	type api_##name params \
	{ \
		type handle = api.inner.name args; \
		api_made(kind, handle); \
		return handle; \
	}

/* ---- contexts, queues, samplers, programs ---- */

typedef void (CL_CALLBACK *ContextNotify)(const char *, const void *, size_t, void *);
typedef void (CL_CALLBACK *ProgramNotify)(cl_program, void *);

MAKES(API_CONTEXT, cl_context, clCreateContext,
      (const cl_context_properties *p, cl_uint n, const cl_device_id *devices, ContextNotify notify, void *user,
       cl_int *e),
      (p, n, devices, notify, user, e))
MAKES(API_CONTEXT, cl_context, clCreateContextFromType,
      (const cl_context_properties *p, cl_device_type type, ContextNotify notify, void *user, cl_int *e),
      (p, type, notify, user, e))
MAKES(API_QUEUE, cl_command_queue, clCreateCommandQueue,
      (cl_context c, cl_device_id device, cl_command_queue_properties p, cl_int *e), (c, device, p, e))
MAKES(API_QUEUE, cl_command_queue, clCreateCommandQueueWithProperties,
      (cl_context c, cl_device_id device, const cl_queue_properties *p, cl_int *e), (c, device, p, e))
MAKES(API_SAMPLER, cl_sampler, clCreateSampler,
      (cl_context c, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, cl_int *e),
      (c, normalized, addressing, filter, e))
MAKES(API_SAMPLER, cl_sampler, clCreateSamplerWithProperties, (cl_context c, const cl_sampler_properties *p, cl_int *e),
      (c, p, e))
MAKES(API_PROGRAM, cl_program, clCreateProgramWithSource,
      (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *e), (c, n, texts, lengths, e))
MAKES(API_PROGRAM, cl_program, clCreateProgramWithBinary,
      (cl_context c, cl_uint n, const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
       cl_int *status, cl_int *e),
      (c, n, devices, lengths, binaries, status, e))
MAKES(API_PROGRAM, cl_program, clCreateProgramWithBuiltInKernels,
      (cl_context c, cl_uint n, const cl_device_id *devices, const char *names, cl_int *e), (c, n, devices, names, e))
MAKES(API_PROGRAM, cl_program, clCreateProgramWithIL, (cl_context c, const void *il, size_t n, cl_int *e),
      (c, il, n, e))
MAKES(API_PROGRAM, cl_program, clLinkProgram,
      (cl_context c, cl_uint n, const cl_device_id *devices, const char *options, cl_uint nparts,
       const cl_program *parts, ProgramNotify notify, void *user, cl_int *e),
      (c, n, devices, options, nparts, parts, notify, user, e))

cl_event api_clCreateUserEvent(cl_context c, cl_int *e)
{
	cl_event event = api.inner.clCreateUserEvent(c, e);
	ApiObject *o = api_made(API_EVENT, event);
	if (o)
		o->user = true;
	return event;
}

cl_int api_clSetUserEventStatus(cl_event event, cl_int status)
{
	api_lock();
	ApiObject *o = api.on ? api_find(API_EVENT, event) : NULL;
	if (o)
		o->user = false;
	api_unlock();
	return api.inner.clSetUserEventStatus(event, status);
}

/* ---- memory ---- */

static u32 bits(cl_mem_flags flags, cl_mem_flags of) { return (u32)__builtin_popcountll(flags & of); }

/* What the flags and the host's pointer say against each other, or NULL. */
static const char *contradiction(cl_mem_flags f, bool host)
{
	if (bits(f, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) > 1)
		return "more than one of CL_MEM_READ_WRITE, READ_ONLY and WRITE_ONLY";
	if (bits(f, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY) > 1)
		return "more than one of CL_MEM_HOST_NO_ACCESS, HOST_READ_ONLY and HOST_WRITE_ONLY";
	if (f & CL_MEM_USE_HOST_PTR && f & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
		return "CL_MEM_USE_HOST_PTR beside ALLOC_HOST_PTR or COPY_HOST_PTR";
	if (f & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) && !host)
		return "CL_MEM_USE_HOST_PTR or COPY_HOST_PTR without a pointer";
	if (host && !(f & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
		return "a pointer without CL_MEM_USE_HOST_PTR or COPY_HOST_PTR, which is not looked at";
	return NULL;
}

static void check_new(const char *call, cl_mem_flags flags, size_t size, bool host)
{
	ApiPlace here;
	const char *what = contradiction(flags, host);
	if (!api.on || (!what && size))
		return;
	api_lock();
	api_place(&here);
	if (what)
		api_misuse(MISUSE_wrong_flags, &here, NULL, NULL, "%s with %s", call, what);
	if (!size)
		api_misuse(MISUSE_wrong_size, &here, NULL, NULL, "%s of 0 bytes", call);
	api_unlock();
}

#define MAKES_MEMORY(name, size, params, args) \
	cl_mem api_##name params \
	{ \
		check_new(#name, flags, size, host != NULL); \
		cl_mem handle = api.inner.name args; \
		api_made(API_MEMORY, handle); \
		return handle; \
	}
MAKES_MEMORY(clCreateBuffer, size, (cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *e),
             (c, flags, size, host, e))
MAKES_MEMORY(clCreateBufferWithProperties, size,
             (cl_context c, const cl_mem_properties *p, cl_mem_flags flags, size_t size, void *host, cl_int *e),
             (c, p, flags, size, host, e))
MAKES(API_MEMORY, cl_mem, clCreateImage,
      (cl_context c, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host,
       cl_int *e),
      (c, flags, format, desc, host, e))
MAKES(API_MEMORY, cl_mem, clCreateImageWithProperties,
      (cl_context c, const cl_mem_properties *p, cl_mem_flags flags, const cl_image_format *format,
       const cl_image_desc *desc, void *host, cl_int *e),
      (c, p, flags, format, desc, host, e))
MAKES_MEMORY(clCreateImage2D, 1,
             (cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
              size_t pitch, void *host, cl_int *e),
             (c, flags, format, width, height, pitch, host, e))
MAKES_MEMORY(clCreateImage3D, 1,
             (cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
              size_t depth, size_t row, size_t slice, void *host, cl_int *e),
             (c, flags, format, width, height, depth, row, slice, host, e))
MAKES(API_MEMORY, cl_mem, clCreatePipe,
      (cl_context c, cl_mem_flags flags, cl_uint packet, cl_uint packets, const cl_pipe_properties *p, cl_int *e),
      (c, flags, packet, packets, p, e))

cl_mem api_clCreateSubBuffer(cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *e)
{
	const cl_buffer_region *region = type == CL_BUFFER_CREATE_TYPE_REGION ? info : NULL;
	ApiPlace here;
	api_lock();
	bool good = api_use(API_MEMORY, m, "clCreateSubBuffer");
	const ApiObject *o = api_find(API_MEMORY, m);
	if (good && o && region && !o->image &&
	    (region->origin > o->size || region->size > o->size - region->origin || !region->size)) {
		api_place(&here);
		api_misuse(MISUSE_wrong_size, &here, "made", &o->made,
		           "clCreateSubBuffer: %zu bytes from byte %zu of a buffer of %" PRIu64 " bytes", region->size,
		           region->origin, o->size);
	}
	api_unlock();
	cl_mem handle = api.inner.clCreateSubBuffer(m, flags, type, info, e);
	api_made(API_MEMORY, handle);
	return handle;
}

void *api_clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	void *p = api.inner.clSVMAlloc(c, flags, size, alignment);
	api_made(API_SVM, p);
	return p;
}

void api_clSVMFree(cl_context c, void *p)
{
	releasing(API_SVM, p, "clSVMFree");
	api.inner.clSVMFree(c, p);
}

/* ---- kernels ---- */

MAKES(API_KERNEL, cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *e), (program, name, e))

cl_int api_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *n)
{
	cl_uint made = 0;
	cl_int e = api.inner.clCreateKernelsInProgram(program, room, kernels, &made);
	if (n)
		*n = made;
	for (cl_uint i = 0; e == CL_SUCCESS && kernels && i < made && i < room; i++)
		api_made(API_KERNEL, kernels[i]);
	return e;
}

cl_kernel api_clCloneKernel(cl_kernel original, cl_int *e)
{
	cl_kernel handle = api.inner.clCloneKernel(original, e);
	ApiObject *to = api_made(API_KERNEL, handle);
	api_lock();
	const ApiObject *from = to ? api_find(API_KERNEL, original) : NULL;
	for (u32 i = 0; from && i < from->args.n && i < to->args.n; i++)
		to->args.v[i] = from->args.v[i];
	api_unlock();
	return handle;
}

/* What the driver refuses of an argument. */
static void check_argument(const ApiObject *kernel, cl_uint i, size_t size, cl_int e)
{
	ApiPlace here;
	if (e != CL_INVALID_ARG_SIZE && e != CL_INVALID_ARG_INDEX && e != CL_INVALID_ARG_VALUE)
		return;
	api_place(&here);
	if (e == CL_INVALID_ARG_SIZE)
		api_misuse(MISUSE_wrong_size, &here, NULL, NULL,
		           "clSetKernelArg: argument %u of kernel '%s' is not of %zu bytes", i, kernel->name, size);
	else
		api_misuse(MISUSE_refused, &here, NULL, NULL, "clSetKernelArg: argument %u of kernel '%s': %s", i,
		           kernel->name, e == CL_INVALID_ARG_INDEX ? "there is none" : "this value is none for it");
}

static void note_argument(cl_kernel k, cl_uint i, size_t size, const void *value, cl_int e)
{
	void *handle = NULL;
	if (value && size == sizeof handle)
		memcpy(&handle, value, sizeof handle);
	api_lock();
	ApiObject *o = api.on ? api_find(API_KERNEL, k) : NULL;
	ApiObject *m = o ? api_find(API_MEMORY, handle) : NULL;
	if (o)
		check_argument(o, i, size, e);
	if (o && e == CL_SUCCESS && i < o->args.n)
		o->args.v[i] = (ApiArgument){
		    .set = true, .memory = m && api_alive(m, m->serial) ? m : NULL, .serial = m ? m->serial : 0};
	api_unlock();
}

cl_int api_clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
	cl_int e = api.inner.clSetKernelArg(k, i, size, value);
	note_argument(k, i, size, value, e);
	return e;
}

cl_int api_clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *value)
{
	cl_int e = api.inner.clSetKernelArgSVMPointer(k, i, value);
	note_argument(k, i, 0, NULL, e);
	return e;
}

/* ---- what makes objects unseen ---- */

static void note_extension(const char *name, const void *function)
{
	static const char *const words[] = {"Create", "Enqueue", "Retain", "Release", "Set",
	                                    "Import", "Acquire", "Alloc",  "Free"};
	for (u32 i = 0; function && i < COUNT(words); i++)
		if (strstr(name, words[i]))
			api.blind = true;
}

void *api_clGetExtensionFunctionAddress(const char *name)
{
	void *p = api.inner.clGetExtensionFunctionAddress(name);
	note_extension(name, p);
	return p;
}

void *api_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	void *p = api.inner.clGetExtensionFunctionAddressForPlatform(platform, name);
	note_extension(name, p);
	return p;
}

#define SHARES(name, params, args) \
	cl_mem api_##name params \
	{ \
		api.blind = true; \
		return api.inner.name args; \
	}
SHARES(clCreateFromGLBuffer, (cl_context c, cl_mem_flags flags, cl_GLuint object, cl_int *e), (c, flags, object, e))
SHARES(clCreateFromGLTexture,
       (cl_context c, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *e),
       (c, flags, target, level, texture, e))
SHARES(clCreateFromGLTexture2D,
       (cl_context c, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *e),
       (c, flags, target, level, texture, e))
SHARES(clCreateFromGLTexture3D,
       (cl_context c, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int *e),
       (c, flags, target, level, texture, e))
SHARES(clCreateFromGLRenderbuffer, (cl_context c, cl_mem_flags flags, cl_GLuint object, cl_int *e),
       (c, flags, object, e))
