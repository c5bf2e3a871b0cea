/* A stand-in OpenCL driver that answers as an AMD device does: PoCL with another face.
 *
 * A driver's objects begin with a pointer to its table of functions, and the loader calls through
 * that. PoCL's platform and devices get a copy of its table here, with the questions about the
 * device replaced; everything else is PoCL, so that kernels really run. The answers are those of
 * an Instinct MI50, as AMD's extension defines them. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef struct Object {
	cl_icd_dispatch *dispatch;
} Object;

static cl_icd_dispatch pocl, ours;

static cl_int answer(const void *value, size_t bytes, size_t size, void *out, size_t *n)
{
	if (n)
		*n = bytes;
	if (out && size < bytes)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, bytes);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id d, cl_device_info what, size_t size, void *out,
                                      size_t *n)
{
	static const struct {
		cl_device_info what;
		const char *text;
	} texts[] = {
		{CL_DEVICE_NAME, "gfx906:sramecc+:xnack-"},
		{CL_DEVICE_VENDOR, "Advanced Micro Devices, Inc."},
		{CL_DRIVER_VERSION, "3513.0 (HSA1.1,LC)"},
		{CL_DEVICE_BOARD_NAME_AMD, "AMD Instinct MI50"},
		{CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_amd_device_attribute_query cl_khr_byte_addressable_store"},
	};
	static const struct {
		cl_device_info what;
		cl_uint number;
	} numbers[] = {
		{CL_DEVICE_MAX_COMPUTE_UNITS, 60},
		{CL_DEVICE_MAX_CLOCK_FREQUENCY, 1725},
		{CL_DEVICE_PCIE_ID_AMD, 0x66a1},
		{CL_DEVICE_GFXIP_MAJOR_AMD, 9},
		{CL_DEVICE_GFXIP_MINOR_AMD, 0},
		{CL_DEVICE_WAVEFRONT_WIDTH_AMD, 64},
		{CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD, 4},
		{CL_DEVICE_SIMD_WIDTH_AMD, 16},
		{CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD, 1},
		{CL_DEVICE_LOCAL_MEM_BANKS_AMD, 32},
		{CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD, 65536},
		{CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD, 32},
		{CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD, 4},
		{CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD, 256},
	};
	cl_device_type gpu = CL_DEVICE_TYPE_GPU;
	cl_device_topology_amd place = {.pcie = {.type = CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD}};
	place.pcie.bus = (cl_char)0xc5; /* the field is a signed byte in AMD's header */
	place.pcie.device = 0;
	place.pcie.function = 1;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (texts[i].what == what)
			return answer(texts[i].text, strlen(texts[i].text) + 1, size, out, n);
	}
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (numbers[i].what == what)
			return answer(&numbers[i].number, sizeof(cl_uint), size, out, n);
	}
	if (what == CL_DEVICE_TYPE)
		return answer(&gpu, sizeof gpu, size, out, n);
	if (what == CL_DEVICE_TOPOLOGY_AMD)
		return answer(&place, sizeof place, size, out, n);
	return pocl.clGetDeviceInfo(d, what, size, out, n);
}

static cl_int CL_API_CALL device_ids(cl_platform_id p, cl_device_type type, cl_uint room,
                                     cl_device_id *out, cl_uint *n)
{
	cl_uint found = 0;
	(void)type;
	cl_int e = pocl.clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, room, out, &found);
	for (cl_uint i = 0; e == CL_SUCCESS && out && i < found && i < room; i++)
		((Object *)(void *)out[i])->dispatch = &ours;
	if (n)
		*n = found;
	return e;
}

static cl_int CL_API_CALL platform_info(cl_platform_id p, cl_platform_info what, size_t size, void *out,
                                        size_t *n)
{
	static const char name[] = "AMD Accelerated Parallel Processing", suffix[] = "AMD";
	if (what == CL_PLATFORM_NAME)
		return answer(name, sizeof name, size, out, n);
	if (what == CL_PLATFORM_ICD_SUFFIX_KHR)
		return answer(suffix, sizeof suffix, size, out, n);
	return pocl.clGetPlatformInfo(p, what, size, out, n);
}

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *n)
{
	static void *library;
	static clIcdGetPlatformIDsKHR_fn get;
	if (!library && (library = dlopen("libpocl.so.2", RTLD_NOW))) {
		void *(*find)(const char *);
		*(void **)(void *)&find = dlsym(library, "clGetExtensionFunctionAddress");
		if (find)
			*(void **)(void *)&get = find("clIcdGetPlatformIDsKHR");
	}
	cl_platform_id own;
	if (!get || get(1, &own, NULL) != CL_SUCCESS)
		return CL_PLATFORM_NOT_FOUND_KHR;
	Object *platform = (Object *)(void *)own;
	if (platform->dispatch != &ours) {
		pocl = ours = *platform->dispatch;
		ours.clGetDeviceInfo = device_info;
		ours.clGetDeviceIDs = device_ids;
		ours.clGetPlatformInfo = platform_info;
		platform->dispatch = &ours;
	}
	if (room && out)
		*out = own;
	if (n)
		*n = 1;
	return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	if (!strcmp(name, "clIcdGetPlatformIDsKHR"))
		return (void *)(size_t)clIcdGetPlatformIDsKHR;
	return NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t size,
                                                  void *out, size_t *n)
{
	return platform_info(p, what, size, out, n);
}

/* With STANDIN_END, it takes that many seconds to shut down; other threads go on meanwhile. */
static __attribute__((destructor)) void end(void)
{
	const char *seconds = getenv("STANDIN_END");
	if (seconds)
		thrd_sleep(&(struct timespec){.tv_sec = atoi(seconds)}, NULL);
}
