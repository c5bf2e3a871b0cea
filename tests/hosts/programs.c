/* Scenes about programs. */
#include "tests/hosts/host.h"

#include <sys/stat.h>

static void run_twice(Host *h, cl_program p, const char *name, int first, int step)
{
	cl_int e;
	cl_kernel k = clCreateKernel(p, name, &e);
	OK(e);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	host_set(k, 0, sizeof a, &a);
	host_launch(h, k, h->n, 16);
	host_launch(h, k, h->n, 32);
	host_expect(h, a, h->n, first, step);
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
}

/* Two sources compiled with a header each, which both call both.h, then linked. */
static cl_program link_two(Host *h, const char *const texts[2], const char *const headers[2])
{
	const char *name = "both.h";
	cl_program p[2];
	cl_int e;
	for (int i = 1; i >= 0; i--) {
		p[i] = clCreateProgramWithSource(h->context, 1, (const char **)&texts[i], NULL, &e);
		OK(e);
		cl_program header = clCreateProgramWithSource(h->context, 1, (const char **)&headers[i], NULL, &e);
		OK(e);
		OK(clCompileProgram(p[i], 1, &h->device, i ? "-DUNUSED=1" : "", 1, &header, &name, NULL, NULL));
		OK(clReleaseProgram(header));
	}
	cl_program all = clLinkProgram(h->context, 1, &h->device, "", 2, p, NULL, NULL, &e);
	OK(e);
	for (int i = 0; i < 2; i++)
		OK(clReleaseProgram(p[i]));
	return all;
}

void scene_linked(Host *h)
{
	const char *texts[] = {
	    "#include \"both.h\"\nkernel void linked(global int *a)\n{ int i = get_global_id(0); a[i] = helper(a[i]); "
	    "}\n",
	    "#include \"both.h\"\nint helper(int x)\n{\n  if (x & 1)\n    return x * FACTOR;\n  return x + x; }\n"};
	const char *header = "int helper(int x);\n#define FACTOR 2\n";
	cl_program all = link_two(h, texts, (const char *[]){header, header});
	run_twice(h, all, "linked", 0, 4);
	OK(clReleaseProgram(all));
}

void scene_same_name(Host *h)
{
	const char *texts[] = {"#include \"both.h\"\nkernel void linked(global int *a)\n{ int i = get_global_id(0); "
	                       "a[i] = helper(a[i]) + ADDED; }\n",
	                       "#include \"both.h\"\nint helper(int x) { return twice(x); }\n"};
	const char *headers[] = {"int helper(int x);\n#define ADDED 1\n",
	                         "int twice(int x)\n{\n  return x + x;\n}\n"};
	cl_program all = link_two(h, texts, headers);
	run_twice(h, all, "linked", 3, 4);
	OK(clReleaseProgram(all));
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	TRUE(f && fputs(text, f) >= 0 && !fclose(f));
}

void scene_includes(Host *h)
{
	mkdir("headers", 0777);
	mkdir("headers/deep", 0777);
	write_file("headers/outer.h", "#include \"deep/inner.h\"\nint outer(int x) { return inner(x) + 1; }\n");
	write_file("headers/deep/inner.h", "int inner(int x) { return x * 3; }\n");
	cl_program p =
	    host_build(h,
	               "#include <outer.h>\nkernel void included(global int *a) { int i = get_global_id(0);\n"
	               "  a[i] = outer(a[i]); }\n",
	               "-I headers");
	remove("headers/outer.h");
	remove("headers/deep/inner.h");
	run_twice(h, p, "included", 4, 9);
	OK(clReleaseProgram(p));
}

void scene_binary(Host *h)
{
	cl_int e, status;
	size_t n = 0;
	cl_program p = host_build(h, "kernel void stored(global int *a) { a[get_global_id(0)] += 5; }\n", "");
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL));
	unsigned char *bytes = malloc(n);
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
	cl_program again =
	    clCreateProgramWithBinary(h->context, 1, &h->device, &n, (const unsigned char **)&bytes, &status, &e);
	OK(e);
	OK(status);
	OK(clReleaseProgram(p));
	free(bytes);
	OK(clBuildProgram(again, 1, &h->device, "", NULL, NULL));
	run_twice(h, again, "stored", 10, 1);
	OK(clReleaseProgram(again));
}

void scene_rebuilt(Host *h)
{
	const char *text = "kernel void rebuilt(global int *a) { a[get_global_id(0)] += BY; }\n";
	cl_int e;
	cl_program p = clCreateProgramWithSource(h->context, 1, &text, NULL, &e);
	OK(e);
	OK(clBuildProgram(p, 1, &h->device, "-DBY=1", NULL, NULL));
	run_twice(h, p, "rebuilt", 2, 1);
	OK(clBuildProgram(p, 1, &h->device, "-DBY=10", NULL, NULL));
	run_twice(h, p, "rebuilt", 20, 1);
	OK(clReleaseProgram(p));
}

void scene_prints(Host *h)
{
	cl_kernel k = host_kernel(
	    h, "kernel void prints(int x) { printf(\"%d of %d\\n\", (int)get_global_id(0), x); }\n", "prints");
	cl_int x = (cl_int)h->n;
	host_set(k, 0, sizeof x, &x);
	host_launch(h, k, h->n, h->n);
	OK(clFinish(h->queue));
	OK(clReleaseKernel(k));
}

void scene_gpu_only(Host *h)
{
	cl_int e;
	cl_device_type type;
	cl_uint n = 0;
	Host gpu = *h;
	OK(clGetDeviceIDs(h->platform, CL_DEVICE_TYPE_GPU, 1, &gpu.device, &n));
	TRUE(n == 1);
	OK(clGetDeviceInfo(gpu.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
	TRUE(type & CL_DEVICE_TYPE_GPU);
	gpu.context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &e);
	OK(e);
	gpu.queue = clCreateCommandQueue(gpu.context, gpu.device, 0, &e);
	OK(e);
	cl_program p = host_build(&gpu, "kernel void gpu(global int *a) { a[get_global_id(0)] += 1; }\n", "");
	run_twice(&gpu, p, "gpu", 2, 1);
	OK(clReleaseProgram(p));
	OK(clReleaseCommandQueue(gpu.queue));
	OK(clReleaseContext(gpu.context));
}

void scene_fails(Host *h)
{
	size_t global = h->n, local = 7;
	cl_program p = host_build(h, "kernel void fine(global int *a) { a[get_global_id(0)] += BY; }\n", "-DBY=1");
	cl_int e;
	cl_kernel k = clCreateKernel(p, "fine", &e);
	OK(e);
	/* not while it has a kernel */
	TRUE(clBuildProgram(p, 1, &h->device, "-DBY=2", NULL, NULL) == CL_INVALID_OPERATION);
	TRUE(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL) != CL_SUCCESS);
	run_twice(h, p, "fine", 2, 1);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	host_set(k, 0, sizeof a, &a);
	TRUE(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, NULL) != CL_SUCCESS);
	TRUE(clEnqueueNDRangeKernel(h->queue, k, 0, NULL, &global, NULL, 0, NULL, NULL) != CL_SUCCESS);
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(p));
}

void scene_no_launch(Host *h)
{
	const char *text = "kernel void wrong(global int *a) { a[0] = b; }\n";
	cl_int e;
	cl_program p = clCreateProgramWithSource(h->context, 1, &text, NULL, &e);
	OK(e);
	TRUE(clBuildProgram(p, 1, &h->device, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
	OK(clReleaseProgram(p));
	p = host_build(h, "kernel void right(global int *a) { a[0] = 1; }\n", "");
	TRUE(!clCreateKernel(p, "absent", NULL));
	TRUE(!clCreateKernel(p, "absent", &e) && e == CL_INVALID_KERNEL_NAME);
	cl_kernel k = clCreateKernel(p, "right", &e);
	OK(e);
	TRUE(!clCreateBuffer(h->context, CL_MEM_READ_WRITE, 0, NULL, &e));
	TRUE(clSetKernelArg(k, 9, sizeof e, &e) == CL_INVALID_ARG_INDEX);
	OK(clReleaseKernel(k));
	OK(clReleaseProgram(p));
}

static bool says(Host *h, cl_device_info what, const char *word)
{
	char text[8192] = "";
	OK(clGetDeviceInfo(h->device, what, sizeof text - 1, text, NULL));
	return strstr(text, word) != NULL;
}

static size_t read_module(const char *name, unsigned char *bytes, size_t room)
{
	FILE *f = fopen(name, "rb");
	TRUE(f != NULL);
	size_t n = fread(bytes, 1, room, f);
	TRUE(n > 0 && n < room && !fclose(f));
	return n;
}

/* Compiled, and linked; NULL: not by PoCL 6, which takes SPIR-V itself. */
static cl_program apart(Host *h, cl_program p)
{
	char version[64] = "";
	cl_int e = clGetDeviceInfo(h->device, CL_DRIVER_VERSION, sizeof version, version, NULL);
	OK(e);
	if (version[0] != '3')
		return NULL;
	OK(clCompileProgram(p, 1, &h->device, "", 0, NULL, NULL, NULL, NULL));
	cl_program whole = clLinkProgram(h->context, 1, &h->device, "", 1, &p, NULL, NULL, &e);
	OK(e);
	return whole;
}

void scene_il(Host *h)
{
	enum { ROOM = 1 << 16 };
	typedef cl_program Create(cl_context, const void *, size_t, cl_int *);
	static unsigned char il[ROOM], kept[ROOM];
	size_t n = read_module("il.spv", il, ROOM), size = 0;
	cl_int e;
	TRUE(says(h, CL_DEVICE_IL_VERSION, "SPIR-V_1.0") && says(h, CL_DEVICE_EXTENSIONS, "cl_khr_il_program"));
	Create *const ways[] = {
	    clCreateProgramWithIL,
	    (Create *)clGetExtensionFunctionAddressForPlatform(h->platform, "clCreateProgramWithILKHR")};
	for (int i = 0; i < 2; i++) {
		TRUE(ways[i] != NULL);
		cl_program p = ways[i](h->context, il, n, &e);
		OK(e);
		OK(clGetProgramInfo(p, CL_PROGRAM_IL, sizeof kept, kept, &size));
		TRUE(size == n && !memcmp(il, kept, n));
		cl_program whole = i ? apart(h, p) : NULL;
		if (!whole)
			OK(clBuildProgram(p, 1, &h->device, "", NULL, NULL));
		run_twice(h, whole ? whole : p, "stored", 10, 1);
		OK(whole ? clReleaseProgram(whole) : CL_SUCCESS);
		OK(clReleaseProgram(p));
	}
	/* PoCL 6 takes it, and looks at it when it builds. */
	cl_program half = clCreateProgramWithIL(h->context, il, n / 2 & ~(size_t)3, &e);
	TRUE(!half == (e != CL_SUCCESS));
	OK(half ? clReleaseProgram(half) : CL_SUCCESS);
}
