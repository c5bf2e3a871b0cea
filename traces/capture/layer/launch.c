/* One launch: memory before, the kernel, memory after.
 *
 *   the program's commands before it are waited for; then, with `capture` held:
 *   objects are read; the kernel is enqueued and waited for; objects are read again; the LAUNCH is written
 *
 * A launch that cannot be waited for without changing what the program does (inside an event callback, or
 * while the program holds back a user event) is kept by later.c. */
#include "traces/capture/layer/api.h"

_Thread_local u32 layer_in_callback;

cl_int pass_on(const Call *k, const size_t *local, cl_event *event)
{
	return layer.target->clEnqueueNDRangeKernel(k->queue, k->kernel, k->dims, k->offset, k->global, local,
	                                            k->nwait, k->wait, event);
}

/* ---- the local size ---- */

static size_t largest_divisor(size_t n, size_t most)
{
	for (size_t i = most < n ? most : n; i > 1; i--)
		if (n % i == 0)
			return i;
	return 1;
}

/* A program may leave the local size to the driver, which does not say what it took. On a CPU any
 * choice is as good, so it is made here and given to the driver, and the launch can be repeated
 * with it. Elsewhere the driver's own choice matters for the time, and stays. */
static bool choose_local(const Capture *c, const Call *k, size_t local[3])
{
	static const size_t usual[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
	const cl_icd_dispatch *t = layer.target;
	cl_device_type type = 0;
	size_t required[3] = {0}, most = 0;
	t->clGetDeviceInfo(c->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
	t->clGetKernelWorkGroupInfo(k->kernel, c->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
	                            required, NULL);
	t->clGetKernelWorkGroupInfo(k->kernel, c->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
	if (!(type & CL_DEVICE_TYPE_CPU) || required[0] || !k->global || k->dims < 1 || k->dims > 3 || !most)
		return false;
	for (cl_uint i = 0; i < 3; i++) {
		local[i] = i < k->dims ? largest_divisor(k->global[i], usual[k->dims - 1][i]) : 1;
		if (local[i] > most)
			local[i] = largest_divisor(local[i], most);
		most /= local[i];
	}
	return true;
}

/* ---- what is known of the launch ---- */

static void describe(Capture *c, const Call *k, const LayerKernel *known)
{
	CapLaunch *l = &c->launch;
	l->dims = k->dims;
	for (u32 i = 0; i < 3; i++) {
		bool used = i < k->dims;
		l->global[i] = used && k->global ? k->global[i] : 1;
		l->local[i] = used && k->local ? k->local[i] : k->local ? 1 : 0;
		l->offset[i] = used && k->offset ? k->offset[i] : 0;
	}
	l->local_chosen = !k->local;
	l->kernel = arena_strdup(c->arena, known->name);
	l->context = thing_number(THING_CONTEXT, c->context);
	l->queue = thing_number(THING_QUEUE, c->queue);
	reach_find(c, known);
}

static u32 device_record(cl_device_id device)
{
	const cl_icd_dispatch *t = layer.target;
	char name[256] = "", vendor[256] = "", version[256] = "", driver[256] = "", platform_name[256] = "";
	cl_platform_id platform = NULL;
	CapDevice d = {name, vendor, version, driver, platform_name, 0, 0};
	cl_device_type type = 0;
	layer_lock();
	thing_number(THING_DEVICE, device);
	u32 record = ((LayerDevice *)thing_find(THING_DEVICE, device))->record;
	layer_unlock();
	if (record)
		return record;
	t->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
	t->clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL);
	t->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
	t->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
	t->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
	t->clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof d.units, &d.units, NULL);
	t->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
	t->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
	d.type = type;
	record = cap_put_device(layer.file.writer, &d);
	layer_lock();
	LayerDevice *known = (LayerDevice *)thing_find(THING_DEVICE, device);
	if (known)
		known->record = record;
	layer_unlock();
	return record;
}

static void note_times(CapLaunch *l, cl_event event)
{
	const cl_icd_dispatch *t = layer.target;
	cl_ulong v[4] = {0};
	for (u32 i = 0; i < 4; i++)
		if (t->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof v[i], &v[i], NULL) !=
		    CL_SUCCESS)
			return;
	l->queued = v[0];
	l->submitted = v[1];
	l->started = v[2];
	l->ended = v[3];
}

/* ---- keeping it ---- */

/* Everything before it in the queue, and what it waits for. */
static bool wait_before(const Call *k)
{
	return (!k->nwait || layer.target->clWaitForEvents(k->nwait, k->wait) == CL_SUCCESS) &&
	       layer.target->clFinish(k->queue) == CL_SUCCESS;
}

static void write_launch(Capture *c);

/* Equal contents have equal numbers. */
static void note_changes(const Capture *c)
{
	for (u32 i = 0; i < c->reach.n; i++) {
		const CapObject *o = &c->reach.v[i].object;
		if (o->before != o->after)
			api_changed(c->reach.v[i].handle, o->base, o->base + o->size);
	}
}

static cl_int run_kept(Capture *c, const Call *k)
{
	cl_event event = NULL;
	c->launch.state = CAP_BEGUN; /* on a CPU it may end the program */
	write_launch(c);
	c->launch.state = CAP_KEPT;
	c->begun = true;
	cl_int e = pass_on(k, k->local, &event);
	if (e != CL_SUCCESS) {
		c->why = "it failed";
		return e;
	}
	cl_int status = 0;
	layer.target->clWaitForEvents(1, &event);
	layer.target->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
	if (status < 0)
		c->why = arena_printf(c->arena, "its execution failed: OpenCL error %d", status);
	note_times(&c->launch, event);
	if (!c->why && reach_read(c, true))
		note_changes(c);
	if (k->event)
		*k->event = event;
	else
		layer.target->clReleaseEvent(event);
	return e;
}

static void write_launch(Capture *c)
{
	CapLaunch *l = &c->launch;
	bool kept = launch_is_kept(c) || l->state == CAP_BEGUN;
	if (c->why && l->state == CAP_KEPT)
		l->state = CAP_PASSED;
	l->why = l->state == CAP_PASSED ? c->why : NULL;
	l->nobjects = c->reach.n;
	l->objects = ARENA_ARRAY(c->arena, CapObject, c->reach.n);
	for (u32 i = 0; i < c->reach.n; i++) {
		l->objects[i] = c->reach.v[i].object;
		if (!kept)
			l->objects[i].before = l->objects[i].after = 0;
	}
	cap_put_launch(layer.file.writer, l);
	if (l->state != CAP_BEGUN) /* or it may be refused yet */
		layer_launched();
}

bool launch_is_kept(const Capture *c) { return !c->why && c->launch.state == CAP_KEPT; }

bool launch_begin(Capture *c)
{
	CapLaunch *l = &c->launch;
	if (!layer_writer())
		return false;
	l->device = device_record(c->device);
	l->program = program_record(c->program, c->device);
	if (!cap_pick(&layer.file.pick, l))
		l->state = CAP_UNWANTED;
	return true;
}

/* Needs capture. */
static void write_refused(const Call *k, cl_int e, bool begun)
{
	enum { ENOUGH = 100 };
	static u32 written;
	char name[256] = "?";
	CapRefused r = {.kernel = name, .dims = k->dims <= 3 ? k->dims : 0, .error = (u32)-e, .begun = begun};
	if ((!begun && written++ >= ENOUGH) || !layer_writer())
		return;
	layer.target->clGetKernelInfo(k->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
	for (u32 i = 0; i < r.dims; i++) {
		r.global[i] = k->global ? k->global[i] : 0;
		r.local[i] = k->local ? k->local[i] : 0;
	}
	cap_put_refused(layer.file.writer, &r);
}

/* Of a launch that is not recorded for another reason. */
static cl_int pass_noted(const Call *k)
{
	cl_int e = pass_on(k, k->local, k->event);
	if (e == CL_SUCCESS || !layer.recording)
		return e;
	pthread_mutex_lock(&layer.capture);
	if (layer.recording)
		write_refused(k, e, false);
	pthread_mutex_unlock(&layer.capture);
	return e;
}

/* Needs capture. */
static cl_int keep_launch(Capture *c, const Call *k)
{
	c->block = malloc(LAYER_BLOCK);
	if (!c->block)
		c->why = "no memory to keep it";
	bool ready = c->block && reach_read(c, false);
	cl_int e = ready ? run_kept(c, k) : pass_on(k, k->local, k->event);
	free(c->block);
	return e;
}

static cl_int launch_now(Capture *c, const Call *k)
{
	pthread_mutex_lock(&layer.capture);
	bool recorded = layer.recording;
	if (recorded) {
		later_write();
		recorded = launch_begin(c);
	}
	pthread_mutex_unlock(&layer.capture);
	if (!recorded)
		return pass_on(k, k->local, k->event);
	if (launch_is_kept(c) && !wait_before(k))
		c->why = "something that it waits for failed";
	bool kept = launch_is_kept(c);
	cl_int e = kept ? CL_SUCCESS : pass_on(k, k->local, k->event);
	pthread_mutex_lock(&layer.capture);
	recorded = layer.recording; /* or has it ended meanwhile? */
	if (kept)
		e = recorded ? keep_launch(c, k) : pass_on(k, k->local, k->event);
	if (recorded && e == CL_SUCCESS)
		write_launch(c);
	else if (recorded)
		write_refused(k, e, c->begun);
	pthread_mutex_unlock(&layer.capture);
	return e;
}

void launch_end(Capture *c, cl_event event)
{
	note_times(&c->launch, event);
	write_launch(c);
}

void launch_free(Capture *c)
{
	layer_lock();
	thing_release(&c->program->thing);
	layer_unlock();
	array_free(&c->reach);
	arena_free(c->arena);
	free(c);
}

/* All that is known of it without asking the driver; NULL: the kernel is not one that was seen. */
static Capture *begin_capture(const Call *k, bool *may_wait)
{
	const cl_icd_dispatch *t = layer.target;
	Capture *c = xcalloc(1, sizeof *c);
	*c = (Capture){.queue = k->queue, .kernel = k->kernel, .arena = arena_new()};
	t->clGetCommandQueueInfo(k->queue, CL_QUEUE_CONTEXT, sizeof c->context, &c->context, NULL);
	t->clGetCommandQueueInfo(k->queue, CL_QUEUE_DEVICE, sizeof c->device, &c->device, NULL);
	layer_lock();
	const LayerKernel *known = (LayerKernel *)thing_find(THING_KERNEL, k->kernel);
	c->program = known && c->device && k->dims >= 1 && k->dims <= 3 ? known->program : NULL;
	*may_wait = !layer.pending && !layer_in_callback;
	if (c->program) {
		thing_retain(&c->program->thing);
		c->launch.thread = layer_thread();
		c->launch.number = ++layer.nlaunches;
		describe(c, k, known);
	}
	layer_unlock();
	if (c->program)
		return c;
	arena_free(c->arena);
	free(c);
	return NULL;
}

static cl_int launch(const Call *k)
{
	bool may_wait;
	Capture *c = layer.recording ? begin_capture(k, &may_wait) : NULL;
	if (!c)
		return pass_noted(k);
	cl_int e;
	size_t local[3];
	bool chosen = !k->local && choose_local(c, k, local);
	for (u32 i = 0; chosen && i < 3; i++)
		c->launch.local[i] = local[i];
	Call own = *k;
	own.local = chosen ? local : k->local;
	u64 number = c->launch.number;
	if (may_wait) {
		e = launch_now(c, &own);
		launch_free(c);
	} else {
		e = later_start(c, &own);
	}
	layer_lock();
	layer.nlaunches -= e != CL_SUCCESS && layer.nlaunches == number;
	layer_unlock();
	return e;
}

cl_int layer_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                    const size_t *offset, const size_t *global, const size_t *local,
                                    cl_uint nwait, const cl_event *wait, cl_event *event)
{
	return launch(&(Call){queue, kernel, dims, offset, global, local, nwait, wait, event});
}

/* One work-item, as the specification defines it. */
cl_int layer_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint nwait, const cl_event *wait,
                           cl_event *event)
{
	static const size_t one = 1;
	if (!layer.recording)
		return layer.target->clEnqueueTask(queue, kernel, nwait, wait, event);
	return launch(&(Call){queue, kernel, 1, NULL, &one, &one, nwait, wait, event});
}

/* ---- callbacks ---- */

typedef struct Callback {
	void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
	void *user;
} Callback;

static void CL_CALLBACK in_callback(cl_event event, cl_int status, void *p)
{
	Callback b = *(Callback *)p;
	free(p);
	layer_in_callback++;
	b.notify(event, status, b.user);
	layer_in_callback--;
}

cl_int layer_clSetEventCallback(cl_event event, cl_int type,
                                void (CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user)
{
	Callback *b = layer.recording && notify ? malloc(sizeof *b) : NULL;
	if (!b)
		return layer.target->clSetEventCallback(event, type, notify, user);
	*b = (Callback){notify, user};
	cl_int e = layer.target->clSetEventCallback(event, type, in_callback, b);
	if (e != CL_SUCCESS)
		free(b);
	return e;
}
