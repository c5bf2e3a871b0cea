/* The interface to OpenCL's loader, and when recording begins and ends.
 *
 * The environment says what to do (wavesim record and wavesim run set it):
 *   OPENCL_LAYERS           this file; the loader loads it
 *   WAVESIM_RECORD          the launch file. Where it exists already (another process of the same
 *                           program made it), .2, .3 … is added to the name. As long as the process has
 *                           launched nothing its file has another name (cap_create_unnamed); wavesim looks
 *                           for those when the program has ended. Unset: nothing is recorded
 *   WAVESIM_RECORD_LIMIT    bytes that the file may have
 *   WAVESIM_RECORD_KERNELS, _LAUNCHES, _ONCE   which launches are kept (traces/capture/capture_pick.h)
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

static void tell(const char *what, const char *why)
{
	if (!layer.told)
		fprintf(stderr, "wavesim: %s: %s: launches are not recorded\n", what, why);
	layer.told = true;
}

static void put_host(CapWriter *w)
{
	size_t n = 0;
	char folder[4096];
	char *words = read_file("/proc/self/cmdline", &n);
	for (size_t i = 0; i + 1 < n; i++)
		if (!words[i])
			words[i] = ' ';
	CapHost h = {words, getcwd(folder, sizeof folder)};
	cap_put_host(w, &h);
	free(words);
}

CapWriter *layer_writer(void)
{
	const char *why;
	if (layer.writer && !cap_good(layer.writer, &why))
		tell(layer.path, why);
	if (layer.writer || layer.told)
		return layer.writer;
	layer.writer = cap_create_unnamed(layer.path, layer.limit, layer.unnamed);
	if (layer.writer)
		put_host(layer.writer);
	else
		tell(layer.path, strerror(errno));
	return layer.writer;
}

void layer_launched(void)
{
	if (*layer.unnamed)
		cap_name(layer.unnamed, layer.path); /* where that fails wavesim tries it again */
	*layer.unnamed = '\0';
}

static const char *setting(const char *name)
{
	const char *v = getenv(name);
	return v && *v ? v : NULL;
}

static void finish(void)
{
	if (layer.writer)
		cap_finish(layer.writer);
	layer.writer = NULL;
}

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
		finish();
	pthread_mutex_unlock(&layer.capture);
}

/* What the program makes in static objects it releases after end(). The driver is not asked any more. */
static __attribute__((destructor)) void ended(void)
{
	if (!api.on || pthread_mutex_trylock(&layer.capture))
		return;
	api_leaks();
	api_write();
	finish();
	api.on = false;
	pthread_mutex_unlock(&layer.capture);
}

static void begin(void)
{
	Buf why = {0};
	const char *limit = setting("WAVESIM_RECORD_LIMIT"), *once = setting("WAVESIM_RECORD_ONCE");
	if (setting("WAVESIM_PRESENT"))
		present_begin(setting("WAVESIM_PRESENT"));
	layer.limit = UINT64_MAX;
	if (!setting("WAVESIM_RECORD"))
		return;
	layer.path = xstrdup(setting("WAVESIM_RECORD"));
	if (limit && !parse_u64(limit, &layer.limit))
		tell("WAVESIM_RECORD_LIMIT", "this is not a number of bytes");
	else if (!cap_pick_init(&layer.pick, setting("WAVESIM_RECORD_KERNELS"), setting("WAVESIM_RECORD_LAUNCHES"),
	                        once && strcmp(once, "0") != 0, &why))
		tell("WAVESIM_RECORD_LAUNCHES", why.v);
	array_free(&why);
	layer.recording = !layer.told && !atexit(end);
}

/* The file belongs to the parent, and so do the threads that held the locks. */
static void in_child(void)
{
	pthread_mutex_init(&layer.state, NULL);
	pthread_mutex_init(&layer.capture, NULL);
	pthread_mutex_init(&api.lock, NULL);
	layer.recording = api.on = false;
	layer.writer = NULL;
	*layer.unnamed = '\0';
}

/* ---- the loader ---- */

EXPORTED cl_int clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *needed)
{
	static const char name[] = "wavesim capture";
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
	size_t n = what == CL_LAYER_NAME ? sizeof name : sizeof version;
	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < n)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, n);
	if (needed)
		*needed = n;
	return CL_SUCCESS;
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
	if (layer.recording && setting("WAVESIM_RECORD_API"))
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
