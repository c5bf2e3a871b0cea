/* The interface to OpenCL's loader, and when recording begins and ends.
 *
 * The environment says what to do (wavesim record and wavesim run set it):
 *   OPENCL_LAYERS           this file; the loader loads it
 *   WAVESIM_RECORD…         what is recorded, and where (traces/capture/recorder.h)
 *   WAVESIM_RECORD_API      "1": misuse of OpenCL goes to the file, too (api.h)
 *   WAVESIM_PRESENT         "gpu": a CPU device is shown as a GPU; "gpu:1024,65536,60,64": and has these
 *                           limits: work-items of a group, bytes of local memory, compute units, wave */
#include "traces/capture/layer/api.h"

#include <errno.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

Layer layer = {.state = PTHREAD_MUTEX_INITIALIZER, .capture = PTHREAD_MUTEX_INITIALIZER};

void layer_lock(void) { pthread_mutex_lock(&layer.state); }
void layer_unlock(void) { pthread_mutex_unlock(&layer.state); }

u32 layer_thread(void)
{
	static _Thread_local u32 number;
	if (!number)
		number = ++layer.nthreads;
	return number;
}

/* ---- recording ---- */

CapWriter *layer_writer(void) { return recorder_writer(&layer.file); }
void layer_launched(void) { recorder_launched(&layer.file); }

/* The program ends by itself; what it launches from now on is not recorded. A thread that is just keeping
 * a launch is not waited for, as its kernel may never end: then the file stays without END, as after
 * a kill. Called by atexit() and not a destructor, because drivers shut down before those. */
static void end(void)
{
	if (!layer.recording || pthread_mutex_trylock(&layer.capture))
		return;
	layer.recording = false;
	failed_write();
	later_write();
	later_give_up();
	if (!api.on)
		recorder_finish(&layer.file);
	pthread_mutex_unlock(&layer.capture);
}

/* What the program makes in static objects it releases after end(). The driver is not asked any more. */
static __attribute__((destructor)) void ended(void)
{
	if (!api.on || pthread_mutex_trylock(&layer.capture))
		return;
	api_leaks();
	api_write();
	recorder_finish(&layer.file);
	api.on = false;
	pthread_mutex_unlock(&layer.capture);
}

static void begin(void)
{
	const char *present = recorder_setting("WAVESIM_PRESENT");
	if (present)
		present_begin(present);
	layer.recording = recorder_begin(&layer.file) && !atexit(end);
	if (layer.recording && recorder_setting("WAVESIM_RECORD_SEEN"))
		layer_writer();
}

/* The file belongs to the parent, and so do the threads that held the locks. */
static void in_child(void)
{
	pthread_mutex_init(&layer.state, NULL);
	pthread_mutex_init(&layer.capture, NULL);
	pthread_mutex_init(&api.lock, NULL);
	layer.recording = api.on = false;
	recorder_in_child(&layer.file);
}

/* ---- the loader ---- */

cl_int layer_answer(const void *from, size_t n, size_t size, void *value, size_t *needed)
{
	if (value && size < n)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, n);
	if (needed)
		*needed = n;
	return CL_SUCCESS;
}

EXPORTED cl_int clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *needed)
{
	static const char name[] = "wavesim capture";
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
	size_t n = what == CL_LAYER_NAME ? sizeof name : sizeof version;
	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	return layer_answer(from, n, size, value, needed);
}

/* Loaders may know fewer functions than this was compiled with, or more. */
EXPORTED cl_int clInitLayer(cl_uint n, const cl_icd_dispatch *target, cl_uint *n_ret,
                            const cl_icd_dispatch **own)
{
	size_t known = sizeof layer.own / sizeof(void *);
	if (!target || !n_ret || !own)
		return CL_INVALID_VALUE;
	if (layer.ready || n < offsetof(cl_icd_dispatch, clCreateSubBuffer) / sizeof(void *))
		return CL_INVALID_OPERATION;
	layer.target = target;
	memcpy(&layer.own, target, (n < known ? n : known) * sizeof(void *));
#define INTERCEPT(name) \
	if (offsetof(cl_icd_dispatch, name) / sizeof(void *) < n && layer.own.name) \
		layer.own.name = layer_##name;
#include "traces/capture/layer/layer.def"
	layer.ready = true;
	begin();
	if (layer.recording && recorder_setting("WAVESIM_RECORD_API"))
		api_begin(n);
	pthread_atfork(layer_lock, layer_unlock, in_child); /* what is known of handles is whole in both */
	*n_ret = (cl_uint)known;
	*own = &layer.own;
	return CL_SUCCESS;
}

/* What Khronos's loader asks for since 2026, which older headers do not know. A program may unload the loader
 * with its drivers before it ends. */
EXPORTED cl_int clInitLayerWithProperties(cl_uint n, const cl_icd_dispatch *target, cl_uint *n_ret,
                                          const cl_icd_dispatch **own, const cl_properties *properties);
EXPORTED cl_int clDeinitLayer(void);

cl_int clInitLayerWithProperties(cl_uint n, const cl_icd_dispatch *target, cl_uint *n_ret,
                                 const cl_icd_dispatch **own, const cl_properties *properties)
{
	(void)properties;
	return clInitLayer(n, target, n_ret, own);
}

cl_int clDeinitLayer(void)
{
	end();
	return CL_SUCCESS;
}
