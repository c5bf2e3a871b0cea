/* host NAME [N]: run a scene; see host.h. */
#include "tests/hosts/host.h"

static const struct {
	const char *name;
	unsigned n;
	void (*run)(Host *);
	const char *doc;
} scenes[] = {
#define SCENE(name, n, doc) {#name, n, scene_##name, doc},
#include "tests/hosts/scenes.def"
};

static const char *error_place = "";

void host_ok(cl_int e, const char *what, int line)
{
	if (e == CL_SUCCESS)
		return;
	fprintf(stderr, "host %s: line %d: %s: OpenCL error %d\n", error_place, line, what, e);
	exit(3);
}

void host_true(bool yes, const char *what, int line)
{
	if (yes)
		return;
	fprintf(stderr, "host %s: line %d: not so: %s\n", error_place, line, what);
	exit(4);
}

cl_program host_build(Host *h, const char *source, const char *options)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &e);
	OK(e);
	OK(clBuildProgram(p, 1, &h->device, options, NULL, NULL));
	return p;
}

cl_kernel host_kernel(Host *h, const char *source, const char *name)
{
	cl_int e;
	cl_program p = host_build(h, source, NULL);
	cl_kernel k = clCreateKernel(p, name, &e);
	OK(e);
	OK(clReleaseProgram(p));
	return k;
}

cl_mem host_ints(Host *h, cl_mem_flags flags, unsigned n, int first, int step)
{
	cl_int e, *v = malloc(n * sizeof *v);
	for (unsigned i = 0; i < n; i++)
		v[i] = first + (int)i * step;
	cl_mem m = clCreateBuffer(h->context, flags | CL_MEM_COPY_HOST_PTR, n * sizeof *v, v, &e);
	free(v);
	OK(e);
	return m;
}

void host_expect(Host *h, cl_mem m, unsigned n, int first, int step)
{
	cl_int *v = malloc(n * sizeof *v);
	OK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, n * sizeof *v, v, 0, NULL, NULL));
	for (unsigned i = 0; i < n; i++)
		TRUE(v[i] == first + (int)i * step);
	free(v);
}

void host_set(cl_kernel k, cl_uint i, size_t size, const void *value) { OK(clSetKernelArg(k, i, size, value)); }

void host_launch(Host *h, cl_kernel k, size_t global, size_t local)
{
	OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
}

static const char step_source[] =
    "kernel void advance(global int *a, int by) { a[get_global_id(0)] += by; }\n";

cl_kernel host_step_kernel(Host *h, cl_mem a, cl_int by)
{
	cl_kernel k = host_kernel(h, step_source, "advance");
	if (a)
		host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof by, &by);
	return k;
}

void host_drop(cl_kernel k, cl_mem a)
{
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(a));
}

static void open_device(Host *h)
{
	cl_int e;
	OK(clGetPlatformIDs(1, &h->platform, NULL));
	OK(clGetDeviceIDs(h->platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL));
	h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &e);
	OK(e);
	h->queue = clCreateCommandQueue(h->context, h->device, 0, &e);
	OK(e);
}

int main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof scenes / sizeof *scenes && argc > 1; i++) {
		Host h = {.n = argc > 2 ? (unsigned)atoi(argv[2]) : scenes[i].n};
		if (strcmp(scenes[i].name, argv[1]) != 0)
			continue;
		error_place = scenes[i].name;
		open_device(&h);
		scenes[i].run(&h);
		OK(clReleaseCommandQueue(h.queue));
		OK(clReleaseContext(h.context));
		return 0;
	}
	for (unsigned i = 0; i < sizeof scenes / sizeof *scenes; i++)
		printf("%-16s %s\n", scenes[i].name, scenes[i].doc);
	return 2;
}
