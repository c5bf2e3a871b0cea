/* An OpenCL layer of somebody else: passes every call on, and says at the end how many launches it
 * saw. For the tests of chaining. With MOST_ITEMS, kernels have as many registers as let no larger work-group begin. */
#include <CL/cl_layer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *target;
static cl_icd_dispatch own;
static unsigned launches;

static size_t most_items(void) { return getenv("MOST_ITEMS") ? (size_t)atoi(getenv("MOST_ITEMS")) : 0; }

static cl_int group_info(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t size, void *out, size_t *n)
{
	size_t most = most_items();
	if (what != CL_KERNEL_WORK_GROUP_SIZE || !most || !out || size < sizeof most)
		return target->clGetKernelWorkGroupInfo(k, d, what, size, out, n);
	memcpy(out, &most, sizeof most);
	if (n)
		*n = sizeof most;
	return CL_SUCCESS;
}

static cl_int launch(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	size_t items = 1;
	for (cl_uint i = 0; local && i < dims; i++)
		items *= local[i];
	if (most_items() && items > most_items())
		return CL_OUT_OF_RESOURCES;
	launches++;
	return target->clEnqueueNDRangeKernel(q, k, dims, offset, global, local, nwait, wait, event);
}

cl_int clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *needed)
{
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	if (what != CL_LAYER_API_VERSION || (value && size < sizeof version))
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, &version, sizeof version);
	if (needed)
		*needed = sizeof version;
	return CL_SUCCESS;
}

cl_int clInitLayer(cl_uint n, const cl_icd_dispatch *next, cl_uint *n_ret, const cl_icd_dispatch **out)
{
	size_t known = sizeof own / sizeof(void *);
	target = next;
	memcpy(&own, next, (n < known ? n : known) * sizeof(void *));
	own.clEnqueueNDRangeKernel = launch;
	own.clGetKernelWorkGroupInfo = group_info;
	*n_ret = (cl_uint)known;
	*out = &own;
	return CL_SUCCESS;
}

static __attribute__((destructor)) void end(void) { fprintf(stderr, "the other layer saw %u launches\n", launches); }
