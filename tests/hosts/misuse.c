/* Scenes about misuse of OpenCL (--check=api). Each does one thing wrong, N times where it says so; whatever the driver
 * makes of it. */
#include "tests/hosts/host.h"

void scene_leak(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	size_t n = 64;
	for (unsigned i = 0; i < h->n; i++) {
		cl_event done;
		OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &n, NULL, 0, NULL, &done));
	}
	host_expect(h, a, 64, (int)h->n, 1);
	host_drop(k, a);
}

void scene_release_twice(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	cl_program p;
	OK(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof p, &p, NULL));
	host_launch(h, k, h->n, 16);
	host_expect(h, a, h->n, 1, 1);
	clReleaseProgram(p); /* whose only reference is the kernel's */
	fflush(NULL);
	_Exit(0);
}

void scene_unset(Host *h)
{
	size_t n = h->n;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, NULL, 1);
	TRUE(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL) != CL_SUCCESS);
	host_set(k, 0, sizeof a, &a);
	host_launch(h, k, h->n, 16);
	host_expect(h, a, h->n, 1, 1);
	host_drop(k, a);
}

void scene_wrong_size(Host *h)
{
	cl_int e, v[80];
	cl_buffer_region behind = {128, 256};
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16);
	TRUE(clEnqueueReadBuffer(h->queue, a, CL_TRUE, 64, sizeof v, v, 0, NULL, NULL) != CL_SUCCESS);
	TRUE(!clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &behind, &e));
	TRUE(clSetKernelArg(k, 0, 4, v) != CL_SUCCESS);
	host_expect(h, a, 64, 1, 1);
	host_drop(k, a);
}

void scene_refused_calls(Host *h)
{
	int v[64];
	cl_event none = NULL;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16);
	TRUE(clEnqueueReadBuffer(h->queue, a, CL_TRUE, 0, sizeof v, v, 1, &none, NULL) != CL_SUCCESS);
	TRUE(clSetKernelArg(k, 9, sizeof v[0], v) != CL_SUCCESS);
	host_expect(h, a, 64, 1, 1);
	host_drop(k, a);
}

void scene_wrong_flags(Host *h)
{
	cl_int e, v[64];
	TRUE(!clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 256, NULL, &e));
	TRUE(!clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, 256, NULL, &e));
	cl_mem a = host_ints(h, CL_MEM_READ_ONLY, 64, 0, 1), b = host_ints(h, CL_MEM_HOST_WRITE_ONLY, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16); /* it writes */
	TRUE(clEnqueueReadBuffer(h->queue, b, CL_TRUE, 0, sizeof v, v, 0, NULL, NULL) != CL_SUCCESS);
	OK(clReleaseMemObject(b));
	host_drop(k, a);
}

void scene_use_mapped(Host *h)
{
	cl_int e, v[64];
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	void *p = clEnqueueMapBuffer(h->queue, a, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, NULL, NULL, &e);
	OK(e);
	void *q = clEnqueueMapBuffer(h->queue, b, CL_TRUE, CL_MAP_READ, 0, 128, 0, NULL, NULL, &e);
	OK(e);
	host_launch(h, k, 64, 16);
	OK(clEnqueueReadBuffer(h->queue, b, CL_TRUE, 0, sizeof v, v, 0, NULL, NULL)); /* both may read */
	OK(clEnqueueWriteBuffer(h->queue, b, CL_TRUE, 128, 128, v, 0, NULL, NULL));  /* and this is beside it */
	OK(clEnqueueWriteBuffer(h->queue, b, CL_TRUE, 64, 128, v, 0, NULL, NULL));
	OK(clEnqueueUnmapMemObject(h->queue, a, p, 0, NULL, NULL));
	OK(clEnqueueUnmapMemObject(h->queue, b, q, 0, NULL, NULL));
	host_launch(h, k, 64, 16);
	OK(clFinish(h->queue));
	OK(clReleaseMemObject(b));
	host_drop(k, a);
}

void scene_use_released(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	size_t n = 64;
	host_launch(h, k, 64, 16);
	OK(clFinish(h->queue));
	OK(clReleaseMemObject(a));
	fflush(NULL);
	clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL);
	_Exit(0);
}

void scene_without_order(Host *h)
{
	cl_int e, v[64], w[64];
	cl_event done;
	cl_command_queue q = clCreateCommandQueue(h->context, h->device, 0, &e);
	OK(e);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16);
	OK(clEnqueueReadBuffer(q, a, CL_TRUE, 0, sizeof v, v, 0, NULL, NULL)); /* of what the launch writes */
	OK(clFinish(h->queue));
	OK(clEnqueueReadBuffer(h->queue, a, CL_FALSE, 0, sizeof v, v, 0, NULL, &done));
	OK(clEnqueueWriteBuffer(q, b, CL_FALSE, 0, sizeof v, v, 0, NULL, NULL)); /* from what that reads into */
	OK(clEnqueueReadBuffer(q, a, CL_FALSE, 0, sizeof w, w, 0, NULL, NULL));  /* two reads are fine */
	OK(clEnqueueCopyBuffer(q, a, b, 0, 0, 256, 1, &done, NULL));
	OK(clFinish(h->queue));
	OK(clFinish(q));
	OK(clReleaseEvent(done));
	OK(clReleaseMemObject(b));
	OK(clReleaseCommandQueue(q));
	host_drop(k, a);
}

/* Each of n in a text of its own, then one n times more; and a leak behind all that are listed. */
void scene_misuse_often(Host *h)
{
	cl_int v[80];
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16);
	for (unsigned i = 0; i < 2 * h->n; i++) {
		size_t at = i < h->n ? i : 0;
		TRUE(clEnqueueReadBuffer(h->queue, a, CL_TRUE, at, sizeof v, v, 0, NULL, NULL) != CL_SUCCESS);
	}
	OK(clRetainMemObject(a));
	host_expect(h, a, 64, 1, 1);
	host_drop(k, a);
}

void scene_retain_released(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, 64, 16);
	host_expect(h, a, 64, 1, 1);
	host_drop(k, a);
	fflush(NULL);
	clRetainMemObject(a);
	_Exit(0);
}

void scene_unmap_refused(Host *h)
{
	cl_int e;
	cl_event none = NULL;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	void *p = clEnqueueMapBuffer(h->queue, a, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, NULL, NULL, &e);
	OK(e);
	TRUE(clEnqueueUnmapMemObject(h->queue, a, p, 1, &none, NULL) != CL_SUCCESS);
	host_launch(h, k, 64, 16);
	OK(clEnqueueUnmapMemObject(h->queue, a, p, 0, NULL, NULL));
	OK(clFinish(h->queue));
	host_drop(k, a);
}

/* A kernel that has `from` as an argument and leaves it alone, and a second queue. */
typedef struct Unread {
	cl_command_queue second;
	cl_mem to, from;
	cl_kernel kernel;
} Unread;

static Unread unread(Host *h)
{
	static const char source[] = "kernel void fill(global int *to, const global int *from, int copy)\n"
	                             "{\n"
	                             "	size_t i = get_global_id(0);\n"
	                             "	to[i] = copy ? from[i] : 7;\n"
	                             "}\n";
	cl_int e, copy = 0;
	Unread u = {.second = clCreateCommandQueue(h->context, h->device, 0, &e),
	            .to = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1),
	            .from = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1),
	            .kernel = host_kernel(h, source, "fill")};
	OK(e);
	host_set(u.kernel, 0, sizeof u.to, &u.to);
	host_set(u.kernel, 1, sizeof u.from, &u.from);
	host_set(u.kernel, 2, sizeof copy, &copy);
	return u;
}

static void unread_end(Host *h, Unread *u)
{
	OK(clFinish(h->queue));
	OK(clFinish(u->second));
	OK(clReleaseMemObject(u->from));
	OK(clReleaseCommandQueue(u->second));
	host_drop(u->kernel, u->to);
}

/* All of `from` is written while a launch runs that may read it. */
void scene_unread(Host *h)
{
	static const cl_int v[64];
	Unread u = unread(h);
	host_launch(h, u.kernel, 64, 16);
	OK(clEnqueueWriteBuffer(u.second, u.from, CL_FALSE, 0, sizeof v, v, 0, NULL, NULL));
	unread_end(h, &u);
}

/* A launch that may read what a copy writes, and certainly writes what it reads. */
void scene_more_certain(Host *h)
{
	Unread u = unread(h);
	OK(clEnqueueCopyBuffer(u.second, u.to, u.from, 0, 0, 256, 0, NULL, NULL));
	host_launch(h, u.kernel, 64, 16);
	unread_end(h, &u);
}
