/* A host program that launches one small kernel as often as its argument says (tests/growth_times.py). */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source = "kernel void add(global float *y, float a) { y[get_global_id(0)] += a; }";

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	size_t items = 1024, group = 256;
	float a = 0.5f, first = 0;
	cl_platform_id platform;
	cl_device_id device;
	cl_int e;
	if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 1;
	cl_kernel kernel = clCreateKernel(program, "add", &e);
	cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof a, NULL, &e);
	clEnqueueFillBuffer(queue, y, &first, sizeof first, 0, items * sizeof a, 0, NULL, NULL);
	clSetKernelArg(kernel, 0, sizeof y, &y);
	clSetKernelArg(kernel, 1, sizeof a, &a);
	for (long i = 0; i < n; i++)
		if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL))
			return 1;
	clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL);
	printf("%g\n", first);
	return 0;
}
