/* Commands, and waiting for them: see api.h. Each is described, checked, passed on, and then one in flight. */
#include "base/opencl_host.h"
#include "traces/capture/layer/api.h"

#define COMMAND(q, n, events) \
	(ApiCommand) { .name = __func__ + strlen("api_"), .queue = (q), .nwait = (n), .wait = (events) }

/* ---- before and after the driver ---- */

/* What the command is given. Keeps api.lock. */
static void begin(ApiCommand *c)
{
	api_lock();
	if (!api.on)
		return;
	api_place(&c->place);
	c->found = !api_use(API_QUEUE, c->queue, c->name);
	for (cl_uint i = 0; c->wait && i < c->nwait; i++)
		c->found |= !api_use(API_EVENT, c->wait[i], c->name);
}

/* Errors that tell of a mistake and not of what a device can do. */
static bool is_mistake(cl_int e)
{
	static const cl_int all[] = {CL_INVALID_VALUE,         CL_INVALID_MEM_OBJECT,  CL_INVALID_EVENT_WAIT_LIST,
	                             CL_INVALID_EVENT,         CL_INVALID_KERNEL_ARGS, CL_MEM_COPY_OVERLAP,
	                             CL_INVALID_COMMAND_QUEUE, CL_INVALID_KERNEL,      CL_MISALIGNED_SUB_BUFFER_OFFSET};
	for (u32 i = 0; i < COUNT(all); i++)
		if (e == all[i])
			return true;
	return false;
}

static cl_int end(ApiCommand *c, cl_int e, const cl_event *event)
{
	ApiObject *made = e == CL_SUCCESS && event ? api_made(API_EVENT, *event) : NULL;
	api_lock();
	if (api.on && e == CL_SUCCESS) {
		ApiHandle h = order_start(c);
		if (made)
			made->last = h;
	} else if (api.on && is_mistake(e) && !c->found) {
		api_misuse(MISUSE_refused, &c->place, NULL, NULL, "%s is refused: %s", c->name, opencl_error(e));
	}
	api_unlock();
	return e;
}

/* ---- what is checked of memory ---- */

/* The command touches bytes of a buffer. */
static void use_bytes(ApiCommand *c, cl_mem m, u64 at, u64 size, bool write, bool some)
{
	const ApiObject *o = api_find(API_MEMORY, m);
	bool good = api_use(API_MEMORY, m, c->name);
	c->found |= !good;
	if (!o || !good || o->image)
		return;
	if (at > o->size || size > o->size - at) {
		api_misuse(MISUSE_wrong_size, &c->place, "made", &o->made,
		           "%s: %" PRIu64 " bytes from byte %" PRIu64 " of a buffer of %" PRIu64 " bytes", c->name,
		           size, at, o->size);
		c->found = true;
		return;
	}
	order_memory(c, m, at, size, write, some);
}

static void use_image(ApiCommand *c, cl_mem m, bool write)
{
	bool good = api_use(API_MEMORY, m, c->name);
	c->found |= !good;
	if (good)
		order_memory(c, m, 0, UINT64_MAX, write, true);
}

/* The host reads or writes it through a command. */
static void use_by_host(ApiCommand *c, cl_mem m, bool write)
{
	const ApiObject *o = api_find(API_MEMORY, m);
	cl_mem_flags forbids = CL_MEM_HOST_NO_ACCESS | (write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
	if (!o || !(o->flags & forbids))
		return;
	api_misuse(MISUSE_wrong_flags, &c->place, "made", &o->made,
	           "%s: the host may not %s this memory object, which was created with %s", c->name,
	           write ? "write" : "read",
	           o->flags & CL_MEM_HOST_NO_ACCESS ? "CL_MEM_HOST_NO_ACCESS"
	           : write                          ? "CL_MEM_HOST_READ_ONLY"
	                                            : "CL_MEM_HOST_WRITE_ONLY");
	c->found = true;
}

/* The bytes between the first and the last of a box. */
static void use_box(ApiCommand *c, cl_mem m, const size_t origin[3], const size_t region[3], size_t row, size_t slice,
                    bool write)
{
	row = row ? row : region[0];
	slice = slice ? slice : region[1] * row;
	u64 from = origin[2] * slice + origin[1] * row + origin[0];
	u64 size = (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
	if (region[0] && region[1] && region[2])
		use_bytes(c, m, from, size, write, true);
}

/* ---- buffers ---- */

cl_int api_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t at, size_t n, void *p,
                               cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	use_bytes(&c, m, at, n, false, false);
	use_by_host(&c, m, false);
	order_host(&c, p, n, true);
	api_unlock();
	return end(&c, api.inner.clEnqueueReadBuffer(q, m, blocking, at, n, p, nwait, wait, event), event);
}

cl_int api_clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t at, size_t n, const void *p,
                                cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	use_bytes(&c, m, at, n, true, false);
	use_by_host(&c, m, true);
	order_host(&c, p, n, false);
	api_unlock();
	return end(&c, api.inner.clEnqueueWriteBuffer(q, m, blocking, at, n, p, nwait, wait, event), event);
}

cl_int api_clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t at, size_t there, size_t n,
                               cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin(&c);
	use_bytes(&c, from, at, n, false, false);
	use_bytes(&c, to, there, n, true, false);
	api_unlock();
	return end(&c, api.inner.clEnqueueCopyBuffer(q, from, to, at, there, n, nwait, wait, event), event);
}

cl_int api_clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t size, size_t at, size_t n,
                               cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin(&c);
	use_bytes(&c, m, at, n, true, false);
	api_unlock();
	return end(&c, api.inner.clEnqueueFillBuffer(q, m, pattern, size, at, n, nwait, wait, event), event);
}

cl_int api_clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                   const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                   size_t host_row, size_t host_slice, void *p, cl_uint nwait, const cl_event *wait,
                                   cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	if (origin && region)
		use_box(&c, m, origin, region, row, slice, false);
	use_by_host(&c, m, false);
	api_unlock();
	return end(&c,
	           api.inner.clEnqueueReadBufferRect(q, m, blocking, origin, host_origin, region, row, slice, host_row,
	                                             host_slice, p, nwait, wait, event),
	           event);
}

cl_int api_clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                                    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                    size_t host_row, size_t host_slice, const void *p, cl_uint nwait,
                                    const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	if (origin && region)
		use_box(&c, m, origin, region, row, slice, true);
	use_by_host(&c, m, true);
	api_unlock();
	return end(&c,
	           api.inner.clEnqueueWriteBufferRect(q, m, blocking, origin, host_origin, region, row, slice, host_row,
	                                              host_slice, p, nwait, wait, event),
	           event);
}

cl_int api_clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
                                   const size_t *there, const size_t *region, size_t row, size_t slice, size_t to_row,
                                   size_t to_slice, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin(&c);
	if (origin && there && region) {
		use_box(&c, from, origin, region, row, slice, false);
		use_box(&c, to, there, region, to_row, to_slice, true);
	}
	api_unlock();
	return end(&c,
	           api.inner.clEnqueueCopyBufferRect(q, from, to, origin, there, region, row, slice, to_row, to_slice,
	                                             nwait, wait, event),
	           event);
}

/* ---- images ---- */

cl_int api_clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                              const size_t *region, size_t row, size_t slice, void *p, cl_uint nwait,
                              const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	use_image(&c, m, false);
	use_by_host(&c, m, false);
	api_unlock();
	return end(&c, api.inner.clEnqueueReadImage(q, m, blocking, origin, region, row, slice, p, nwait, wait, event),
	           event);
}

cl_int api_clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
                               const size_t *region, size_t row, size_t slice, const void *p, cl_uint nwait,
                               const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	c.blocking = blocking;
	begin(&c);
	use_image(&c, m, true);
	use_by_host(&c, m, true);
	api_unlock();
	return end(&c, api.inner.clEnqueueWriteImage(q, m, blocking, origin, region, row, slice, p, nwait, wait, event),
	           event);
}

/* Commands that read one memory object and write another, or only one of both. */
#define BETWEEN(name, reads, writes, params, args) \
	cl_int api_##name params \
	{ \
		ApiCommand c = COMMAND(q, nwait, wait); \
		const cl_mem from = (reads), to = (writes); \
		begin(&c); \
		if (from) \
			use_image(&c, from, false); \
		if (to) \
			use_image(&c, to, true); \
		api_unlock(); \
		return end(&c, api.inner.name args, event); \
	}
BETWEEN(clEnqueueCopyImage, m, n,
        (cl_command_queue q, cl_mem m, cl_mem n, const size_t *at, const size_t *there, const size_t *region,
         cl_uint nwait, const cl_event *wait, cl_event *event),
        (q, m, n, at, there, region, nwait, wait, event))
BETWEEN(clEnqueueFillImage, NULL, m,
        (cl_command_queue q, cl_mem m, const void *color, const size_t *at, const size_t *region, cl_uint nwait,
         const cl_event *wait, cl_event *event),
        (q, m, color, at, region, nwait, wait, event))
BETWEEN(clEnqueueCopyImageToBuffer, m, n,
        (cl_command_queue q, cl_mem m, cl_mem n, const size_t *at, const size_t *region, size_t there, cl_uint nwait,
         const cl_event *wait, cl_event *event),
        (q, m, n, at, region, there, nwait, wait, event))
BETWEEN(clEnqueueCopyBufferToImage, m, n,
        (cl_command_queue q, cl_mem m, cl_mem n, size_t at, const size_t *there, const size_t *region, cl_uint nwait,
         const cl_event *wait, cl_event *event),
        (q, m, n, at, there, region, nwait, wait, event))

/* ---- mapping ---- */

static ApiObject *whole_of(cl_mem m, u64 *at)
{
	ApiObject *o = api_find(API_MEMORY, m);
	for (; o && o->parent && !o->image; o = o->parent)
		*at += o->origin;
	return o;
}

static void note_mapping(const ApiCommand *c, cl_mem m, u64 at, u64 size, bool write, const void *p)
{
	api_lock();
	ApiObject *o = api.on && p ? whole_of(m, &at) : NULL;
	if (o)
		array_push(&o->mappings, ((ApiMapping){p, at, at + size, write, c->place}));
	api_unlock();
}

static void forget_mapping(cl_mem m, const void *p)
{
	u64 zero = 0;
	api_lock();
	ApiObject *o = api.on ? whole_of(m, &zero) : NULL;
	for (u32 i = 0; o && i < o->mappings.n; i++)
		if (o->mappings.v[i].pointer == p) {
			o->mappings.v[i] = o->mappings.v[--o->mappings.n];
			break;
		}
	api_unlock();
}

enum { MAP_WRITES = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION };

static void check_map_flags(ApiCommand *c, cl_mem m, cl_map_flags flags)
{
	if (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)) {
		api_misuse(MISUSE_wrong_flags, &c->place, NULL, NULL,
		           "%s with CL_MAP_WRITE_INVALIDATE_REGION beside CL_MAP_READ or CL_MAP_WRITE", c->name);
		c->found = true;
	}
	if (flags & CL_MAP_READ)
		use_by_host(c, m, false);
	if (flags & MAP_WRITES)
		use_by_host(c, m, true);
}

void *api_clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t at, size_t n,
                             cl_uint nwait, const cl_event *wait, cl_event *event, cl_int *e)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	cl_int why = CL_SUCCESS;
	c.blocking = blocking;
	begin(&c);
	use_bytes(&c, m, at, n, flags & MAP_WRITES, false);
	check_map_flags(&c, m, flags);
	api_unlock();
	void *p = api.inner.clEnqueueMapBuffer(q, m, blocking, flags, at, n, nwait, wait, event, &why);
	end(&c, why, event);
	note_mapping(&c, m, at, n, flags & MAP_WRITES, p);
	if (e)
		*e = why;
	return p;
}

void *api_clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, const size_t *origin,
                            const size_t *region, size_t *row, size_t *slice, cl_uint nwait, const cl_event *wait,
                            cl_event *event, cl_int *e)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	cl_int why = CL_SUCCESS;
	c.blocking = blocking;
	begin(&c);
	use_image(&c, m, flags & MAP_WRITES);
	check_map_flags(&c, m, flags);
	api_unlock();
	void *p =
	    api.inner.clEnqueueMapImage(q, m, blocking, flags, origin, region, row, slice, nwait, wait, event, &why);
	end(&c, why, event);
	if (e)
		*e = why;
	return p;
}

cl_int api_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *p, cl_uint nwait, const cl_event *wait,
                                   cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	u64 zero = 0;
	begin(&c);
	c.found |= !api_use(API_MEMORY, m, c.name);
	ApiObject *o = api.on ? whole_of(m, &zero) : NULL;
	for (u32 i = 0; o && i < o->mappings.n; i++) {
		ApiMapping *x = &o->mappings.v[i];
		if (x->pointer != p)
			continue;
		order_access(
		    &c, (ApiAccess){.memory = o, .serial = o->serial, .from = x->from, .to = x->to, .write = x->write});
		break;
	}
	api_unlock();
	cl_int e = api.inner.clEnqueueUnmapMemObject(q, m, p, nwait, wait, event);
	if (e == CL_SUCCESS)
		forget_mapping(m, p);
	return end(&c, e, event);
}

/* ---- launches ---- */

static void check_arguments(ApiCommand *c, const ApiObject *kernel)
{
	for (u32 i = 0; kernel && i < kernel->args.n; i++) {
		const ApiArgument *a = &kernel->args.v[i];
		if (!a->set && !api.blind)
			api_misuse(MISUSE_unset_argument, &c->place, NULL, NULL,
			           "%s: argument %u of kernel '%s' was never set", c->name, i, kernel->name);
		else if (a->memory && !api_alive(a->memory, a->serial))
			api_misuse(MISUSE_used_after_release, &c->place, "released", &a->memory->gone,
			           "%s: argument %u of kernel '%s' is a memory object that was released", c->name, i,
			           kernel->name);
		else
			continue;
		c->found = true;
	}
}

static void begin_launch(ApiCommand *c, cl_kernel k)
{
	begin(c);
	if (!api.on)
		return;
	c->found |= !api_use(API_KERNEL, k, c->name);
	check_arguments(c, api_find(API_KERNEL, k));
	order_launch_begins();
}

static cl_int end_launch(ApiCommand *c, cl_kernel k, cl_int e, const cl_event *event)
{
	api_lock();
	if (api.on && e == CL_SUCCESS)
		order_launch(c, api_find(API_KERNEL, k));
	api_unlock();
	return end(c, e, event);
}

cl_int api_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
                                  const size_t *global, const size_t *local, cl_uint nwait, const cl_event *wait,
                                  cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin_launch(&c, k);
	api_unlock();
	return end_launch(
	    &c, k, api.inner.clEnqueueNDRangeKernel(q, k, dims, offset, global, local, nwait, wait, event), event);
}

cl_int api_clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin_launch(&c, k);
	api_unlock();
	return end_launch(&c, k, api.inner.clEnqueueTask(q, k, nwait, wait, event), event);
}

/* ---- commands of which only the order matters ---- */

/* more: what else it is said of the command c. */
#define OTHER(name, more, params, args) \
	cl_int api_##name params \
	{ \
		ApiCommand c = COMMAND(q, nwait, wait); \
		begin(&c); \
		more; \
		api_unlock(); \
		return end(&c, api.inner.name args, event); \
	}
#define OTHER_PARAMS cl_uint nwait, const cl_event *wait, cl_event *event
OTHER(clEnqueueMigrateMemObjects, ,
      (cl_command_queue q, cl_uint n, const cl_mem *all, cl_mem_migration_flags flags, OTHER_PARAMS),
      (q, n, all, flags, nwait, wait, event))
OTHER(clEnqueueSVMMigrateMem, ,
      (cl_command_queue q, cl_uint n, const void **all, const size_t *sizes, cl_mem_migration_flags flags,
       OTHER_PARAMS),
      (q, n, all, sizes, flags, nwait, wait, event))
OTHER(clEnqueueNativeKernel, ,
      (cl_command_queue q, void(CL_CALLBACK *f)(void *), void *args, size_t size, cl_uint n, const cl_mem *all,
       const void **places, OTHER_PARAMS),
      (q, f, args, size, n, all, places, nwait, wait, event))
OTHER(clEnqueueSVMMemcpy, (c.blocking = blocking, order_host(&c, to, n, true), order_host(&c, from, n, false)),
      (cl_command_queue q, cl_bool blocking, void *to, const void *from, size_t n, OTHER_PARAMS),
      (q, blocking, to, from, n, nwait, wait, event))
OTHER(clEnqueueSVMMemFill, order_host(&c, p, n, true),
      (cl_command_queue q, void *p, const void *pattern, size_t size, size_t n, OTHER_PARAMS),
      (q, p, pattern, size, n, nwait, wait, event))
OTHER(clEnqueueSVMMap, c.blocking = blocking,
      (cl_command_queue q, cl_bool blocking, cl_map_flags flags, void *p, size_t n, OTHER_PARAMS),
      (q, blocking, flags, p, n, nwait, wait, event))
OTHER(clEnqueueSVMUnmap, , (cl_command_queue q, void *p, OTHER_PARAMS), (q, p, nwait, wait, event))
OTHER(clEnqueueMarkerWithWaitList, c.after_all = !nwait, (cl_command_queue q, OTHER_PARAMS), (q, nwait, wait, event))
OTHER(clEnqueueBarrierWithWaitList, (c.after_all = !nwait, c.barrier = true), (cl_command_queue q, OTHER_PARAMS),
      (q, nwait, wait, event))

cl_int api_clEnqueueMarker(cl_command_queue q, cl_event *event)
{
	ApiCommand c = COMMAND(q, 0, NULL);
	c.after_all = true;
	begin(&c);
	api_unlock();
	return end(&c, api.inner.clEnqueueMarker(q, event), event);
}

cl_int api_clEnqueueBarrier(cl_command_queue q)
{
	ApiCommand c = COMMAND(q, 0, NULL);
	c.after_all = c.barrier = true;
	begin(&c);
	api_unlock();
	return end(&c, api.inner.clEnqueueBarrier(q), NULL);
}

cl_int api_clEnqueueWaitForEvents(cl_command_queue q, cl_uint n, const cl_event *events)
{
	ApiCommand c = COMMAND(q, n, events);
	c.barrier = true;
	begin(&c);
	api_unlock();
	return end(&c, api.inner.clEnqueueWaitForEvents(q, n, events), NULL);
}

cl_int api_clEnqueueSVMFree(cl_command_queue q, cl_uint n, void *pointers[],
                            void(CL_CALLBACK *notify)(cl_command_queue, cl_uint, void *[], void *), void *user,
                            cl_uint nwait, const cl_event *wait, cl_event *event)
{
	ApiCommand c = COMMAND(q, nwait, wait);
	begin(&c);
	for (cl_uint i = 0; api.on && !notify && pointers && i < n;
	     i++) { /* with notify the program frees them itself */
		ApiObject *o = api_find(API_SVM, pointers[i]);
		if (o) {
			o->owned = 0;
			o->gone = c.place;
		}
	}
	api_unlock();
	return end(&c, api.inner.clEnqueueSVMFree(q, n, pointers, notify, user, nwait, wait, event), event);
}

/* ---- what the program knows to be complete ---- */

static void complete(cl_event event)
{
	api_lock();
	const ApiObject *o = api.on ? api_find(API_EVENT, event) : NULL;
	if (o)
		order_complete(o->last);
	api_unlock();
}

cl_int api_clFinish(cl_command_queue q)
{
	cl_int e = api.inner.clFinish(q);
	api_lock();
	if (api.on && e == CL_SUCCESS)
		order_finish(q);
	api_unlock();
	return e;
}

cl_int api_clWaitForEvents(cl_uint n, const cl_event *events)
{
	cl_int e = api.inner.clWaitForEvents(n, events);
	for (cl_uint i = 0; e == CL_SUCCESS && i < n; i++)
		complete(events[i]);
	return e;
}

/* The queue of an event is there as long as the event, whoever released it. */
static void lend(cl_command_queue q)
{
	api_lock();
	ApiObject *o = api.on ? api_find(API_QUEUE, q) : NULL;
	if (o)
		o->children++;
	api_unlock();
}

cl_int api_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *needed)
{
	cl_int e = api.inner.clGetEventInfo(event, what, size, value, needed);
	if (e == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value && *(cl_int *)value == CL_COMPLETE)
		complete(event);
	if (e == CL_SUCCESS && what == CL_EVENT_COMMAND_QUEUE && value)
		lend(*(cl_command_queue *)value);
	return e;
}

/* There are no times before it is complete. */
cl_int api_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *needed)
{
	cl_int e = api.inner.clGetEventProfilingInfo(event, what, size, value, needed);
	if (e == CL_SUCCESS && what == CL_PROFILING_COMMAND_END)
		complete(event);
	return e;
}

typedef struct Callback {
	void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
	void *user;
} Callback;

static void CL_CALLBACK called(cl_event event, cl_int status, void *p)
{
	Callback b = *(Callback *)p;
	free(p);
	if (status == CL_COMPLETE)
		complete(event);
	b.notify(event, status, b.user);
}

cl_int api_clSetEventCallback(cl_event event, cl_int type, void(CL_CALLBACK *notify)(cl_event, cl_int, void *),
                              void *user)
{
	Callback *b = notify ? malloc(sizeof *b) : NULL;
	if (!b)
		return api.inner.clSetEventCallback(event, type, notify, user);
	*b = (Callback){notify, user};
	cl_int e = api.inner.clSetEventCallback(event, type, called, b);
	if (e != CL_SUCCESS)
		free(b);
	return e;
}
