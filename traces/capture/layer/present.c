/* A CPU device shown as a GPU, to programs that ask for nothing else (WAVESIM_PRESENT).
 *
 * Only where no platform has a GPU. A program that asks for CPUs first keeps seeing CPUs. With limits
 * given, programs that size their work-groups and local memory by what the device can do choose sizes
 * that the GPU can do too: a CPU's would be larger. */
#include "traces/capture/layer/layer.h"

void present_begin(const char *text)
{
	unsigned long long v[4] = {0};
	layer.present_gpu = !strncmp(text, "gpu", 3);
	if (!layer.present_gpu || sscanf(text, "gpu:%llu,%llu,%llu,%llu", &v[0], &v[1], &v[2], &v[3]) != 4)
		return;
	layer.group = v[0];
	layer.lds = v[1];
	layer.units = v[2];
	layer.wave = v[3];
}

enum { WANTED = CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR };

static bool any_gpu(void)
{
	cl_platform_id all[32];
	cl_uint n = 0, found;
	if (layer.target->clGetPlatformIDs(COUNT(all), all, &n) != CL_SUCCESS)
		return false;
	for (cl_uint i = 0; i < n && i < COUNT(all); i++) {
		found = 0;
		if (layer.target->clGetDeviceIDs(all[i], CL_DEVICE_TYPE_GPU, 0, NULL, &found) == CL_SUCCESS && found)
			return true;
	}
	return false;
}

static bool pretends(void)
{
	if (!layer.present_gpu)
		return false;
	if (!layer.searched) { /* several threads find the same */
		layer.found_gpu = any_gpu();
		layer.searched = true;
	}
	return !layer.found_gpu;
}

cl_int layer_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                            cl_uint *n)
{
	if (type == CL_DEVICE_TYPE_CPU)
		layer.asked_for_cpu = true;
	cl_int e = layer.target->clGetDeviceIDs(platform, type, room, devices, n);
	if (e == CL_DEVICE_NOT_FOUND && type & WANTED && pretends())
		e = layer.target->clGetDeviceIDs(platform, type | CL_DEVICE_TYPE_CPU, room, devices, n);
	return failed_call("clGetDeviceIDs", NULL, e);
}

static void limit(size_t *v, u64 most) { *v = most && *v > most ? most : *v; }

static void present(cl_device_info what, size_t size, void *value)
{
	cl_device_type *type = value;
	cl_ulong *bytes = value;
	cl_uint *units = value;
	size_t *items = value;
	switch (what) {
	case CL_DEVICE_TYPE:
		if (*type & CL_DEVICE_TYPE_CPU && !layer.asked_for_cpu)
			*type = (*type & ~(cl_device_type)CL_DEVICE_TYPE_CPU) | CL_DEVICE_TYPE_GPU;
		break;
	case CL_DEVICE_MAX_WORK_GROUP_SIZE: limit(items, layer.group); break;
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		for (size_t i = 0; i < size / sizeof *items; i++)
			limit(&items[i], layer.group);
		break;
	case CL_DEVICE_LOCAL_MEM_SIZE: *bytes = layer.lds && *bytes > layer.lds ? layer.lds : *bytes; break;
	case CL_DEVICE_MAX_COMPUTE_UNITS: *units = layer.units ? (cl_uint)layer.units : *units; break;
	default: break;
	}
}

cl_int layer_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed)
{
	size_t n = 0;
	cl_int e;
	if (il_device_info(device, what, size, value, needed, &e))
		return e;
	e = layer.target->clGetDeviceInfo(device, what, size, value, &n);
	if (e == CL_SUCCESS && needed)
		*needed = n;
	if (e == CL_SUCCESS && value && layer.present_gpu && pretends())
		present(what, n, value);
	return e;
}

cl_int layer_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                      size_t size, void *value, size_t *needed)
{
	cl_int e = layer.target->clGetKernelWorkGroupInfo(kernel, device, what, size, value, needed);
	if (e != CL_SUCCESS || !value || !layer.present_gpu || !pretends())
		return e;
	if (what == CL_KERNEL_WORK_GROUP_SIZE)
		limit(value, layer.group);
	else if (what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE && layer.wave)
		*(size_t *)value = layer.wave;
	return e;
}

cl_context layer_clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                         void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                         void *user, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	cl_context c = layer.target->clCreateContextFromType(properties, type, notify, user, &why);
	if ((!c || why != CL_SUCCESS) && (type & WANTED) && pretends()) {
		why = CL_SUCCESS; /* not every driver sets it */
		c = layer.target->clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, notify, user, &why);
	}
	if (!c)
		failed_call("clCreateContextFromType", NULL, why);
	if (e)
		*e = why;
	return c;
}
