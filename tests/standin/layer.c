/* An OpenCL layer of somebody else: passes every call on, and says at the end how many launches it
 * saw. For the tests of chaining. */
#include <CL/cl_layer.h>

#include <stdio.h>
#include <string.h>

static const cl_icd_dispatch *target;
static cl_icd_dispatch own;
static unsigned launches;

static cl_int launch(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint nwait, const cl_event *wait, cl_event *event)
{
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
	*n_ret = (cl_uint)known;
	*out = &own;
	return CL_SUCCESS;
}

static __attribute__((destructor)) void end(void) { fprintf(stderr, "the other layer saw %u launches\n", launches); }
