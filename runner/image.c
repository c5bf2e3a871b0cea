/* Images and samplers of a launch on the device. A launch gives pixels without gaps and as many sizes as
 * the image has; layers of an array are the last one, as OpenCL's regions have them. */
#include "runner/runner.h"

static const size_t no_origin[3];

static void region_of(const LaunchArg *a, size_t out[3])
{
	for (u32 i = 0; i < 3; i++)
		out[i] = a->image_size[i];
}

static cl_image_desc describe(const LaunchArg *a, const KernelArg *k)
{
	bool array = strstr(k->type_name, "_array") != NULL;
	cl_image_desc d = {.image_width = a->image_size[0]};
	switch (k->image_dims) {
	case 1:
		d.image_type = array ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE1D;
		d.image_array_size = array ? a->image_size[1] : 0;
		break;
	case 2:
		d.image_type = array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
		d.image_height = a->image_size[1];
		d.image_array_size = array ? a->image_size[2] : 0;
		break;
	default:
		d.image_type = CL_MEM_OBJECT_IMAGE3D;
		d.image_height = a->image_size[1];
		d.image_depth = a->image_size[2];
	}
	return d;
}

cl_mem image_create(const ClDev *dev, const LaunchArg *a, const KernelArg *k, const void *data, Diag *d)
{
	cl_image_format format = {a->image_order, a->image_type};
	cl_image_desc desc = describe(a, k);
	size_t region[3];
	cl_int e;
	region_of(a, region);
	cl_mem m = clCreateImage(dev->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &e);
	if (e == CL_IMAGE_FORMAT_NOT_SUPPORTED)
		diag_error(d, NO_LOC, "argument '%s': this device has no images of its format that can be written",
		           k->name);
	if (e == CL_IMAGE_FORMAT_NOT_SUPPORTED || !cl_good(e, "clCreateImage", d))
		return NULL;
	e = clEnqueueWriteImage(dev->queue, m, CL_TRUE, no_origin, region, 0, 0, data, 0, NULL, NULL);
	if (cl_good(e, "clEnqueueWriteImage", d))
		return m;
	clReleaseMemObject(m);
	return NULL;
}

cl_int image_copy(const ClDev *dev, const LaunchArg *a, cl_mem from, cl_mem to)
{
	size_t region[3];
	region_of(a, region);
	return clEnqueueCopyImage(dev->queue, from, to, no_origin, no_origin, region, 0, NULL, NULL);
}

cl_int image_read(const ClDev *dev, const LaunchArg *a, cl_mem m, void *out)
{
	size_t region[3];
	region_of(a, region);
	return clEnqueueReadImage(dev->queue, m, CL_TRUE, no_origin, region, 0, 0, out, 0, NULL, NULL);
}

cl_sampler sampler_create(const ClDev *dev, const LaunchArg *a, Diag *d)
{
	cl_int e;
	cl_sampler s = clCreateSampler(dev->context, a->normalized, a->addressing, a->filter, &e);
	return cl_good(e, "clCreateSampler", d) ? s : NULL;
}
