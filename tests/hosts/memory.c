/* Scenes about memory that host and kernels share. */
#include "tests/hosts/host.h"

static const char twice_source[] = "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";

void scene_mapped(Host *h)
{
	cl_int e;
	size_t bytes = h->n * sizeof(cl_int);
	cl_kernel k = host_kernel(h, twice_source, "twice");
	cl_mem a = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &e);
	OK(e);
	host_set(k, 0, sizeof a, &a);
	for (int round = 1; round <= 2; round++) {
		cl_int *v = clEnqueueMapBuffer(h->queue, a, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &e);
		OK(e);
		for (unsigned i = 0; i < h->n; i++)
			v[i] = round * (int)i;
		OK(clEnqueueUnmapMemObject(h->queue, a, v, 0, NULL, NULL));
		host_launch(h, k, h->n, 16);
		v = clEnqueueMapBuffer(h->queue, a, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &e);
		OK(e);
		for (unsigned i = 0; i < h->n; i++)
			TRUE(v[i] == 2 * round * (int)i);
		OK(clEnqueueUnmapMemObject(h->queue, a, v, 0, NULL, NULL));
	}
	OK(clFinish(h->queue));
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
}

void scene_svm(Host *h)
{
	cl_kernel k = host_kernel(h, twice_source, "twice");
	cl_int *v = clSVMAlloc(h->context, CL_MEM_READ_WRITE, 2 * h->n * sizeof *v, 0);
	TRUE(v != NULL);
	OK(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_WRITE, v, 2 * h->n * sizeof *v, 0, NULL, NULL));
	for (unsigned i = 0; i < 2 * h->n; i++)
		v[i] = (int)i;
	OK(clEnqueueSVMUnmap(h->queue, v, 0, NULL, NULL));
	OK(clSetKernelArgSVMPointer(k, 0, v + h->n));
	host_launch(h, k, h->n, 16);
	OK(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_READ, v, 2 * h->n * sizeof *v, 0, NULL, NULL));
	for (unsigned i = 0; i < 2 * h->n; i++)
		TRUE(v[i] == (int)(i < h->n ? i : 2 * i));
	OK(clEnqueueSVMUnmap(h->queue, v, 0, NULL, NULL));
	OK(clFinish(h->queue));
	clSVMFree(h->context, v);
	OK(clReleaseKernel(k));
}

void scene_user_pointer(Host *h)
{
	cl_int e, *own = aligned_alloc(4096, 4096);
	size_t bytes = h->n * sizeof *own;
	TRUE(bytes <= 4096);
	for (unsigned i = 0; i < h->n; i++)
		own[i] = (int)i;
	cl_kernel k = host_kernel(h, twice_source, "twice");
	cl_mem a = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, own, &e);
	OK(e);
	host_set(k, 0, sizeof a, &a);
	host_launch(h, k, h->n, 16);
	cl_int *v = clEnqueueMapBuffer(h->queue, a, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &e);
	OK(e);
	TRUE(v == own);
	for (unsigned i = 0; i < h->n; i++)
		TRUE(own[i] == 2 * (int)i);
	OK(clEnqueueUnmapMemObject(h->queue, a, v, 0, NULL, NULL));
	OK(clFinish(h->queue));
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
	free(own);
}
