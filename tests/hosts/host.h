/* An OpenCL host program with many ways to launch a kernel: `host NAME [N]` runs one of them
 * (scenes.def) and checks its own results. It knows nothing of wavesim. */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Host {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	unsigned n; /* the number on the command line, or what the scene says */
} Host;

/* Ends the program when an OpenCL call failed, or a result is wrong. */
void host_ok(cl_int e, const char *what, int line);
void host_true(bool yes, const char *what, int line);
#define OK(call) host_ok((call), #call, __LINE__)
#define TRUE(x) host_true((x), #x, __LINE__)

cl_program host_build(Host *h, const char *source, const char *options);
cl_kernel host_kernel(Host *h, const char *source, const char *name);
/* n ints: first, first + step … */
cl_mem host_ints(Host *h, cl_mem_flags flags, unsigned n, int first, int step);
void host_expect(Host *h, cl_mem m, unsigned n, int first, int step);
void host_set(cl_kernel k, cl_uint i, size_t size, const void *value);
void host_launch(Host *h, cl_kernel k, size_t global, size_t local);
/* A kernel that adds `by` to each int of a; a NULL: not set. */
cl_kernel host_step_kernel(Host *h, cl_mem a, cl_int by);
void host_drop(cl_kernel k, cl_mem a);

#define SCENE(name, n, doc) void scene_##name(Host *h);
#include "tests/hosts/scenes.def"

#endif
