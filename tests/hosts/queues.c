/* Scenes about queues, events and threads. */
#include "tests/hosts/host.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

void scene_chain(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	for (unsigned i = 0; i < h->n; i++)
		host_launch(h, k, 64, 16);
	host_expect(h, a, 64, (int)h->n, 1);
	host_drop(k, a);
}

void scene_many(Host *h) { scene_chain(h); }

void scene_endless(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	for (;;) {
		host_launch(h, k, h->n, 16);
		OK(clFinish(h->queue));
		if (write(STDOUT_FILENO, ".", 1) != 1)
			exit(1);
	}
}

void scene_out_of_order(Host *h)
{
	cl_int e;
	cl_event done[3];
	size_t global = h->n, local = 16;
	cl_command_queue q = clCreateCommandQueue(h->context, h->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
	OK(e);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_kernel(
	    h, "kernel void next(global int *a, int x) { int i = get_global_id(0); a[i] = a[i] * x + 1; }\n", "next");
	host_set(k, 0, sizeof a, &a);
	for (cl_int i = 0; i < 3; i++) {
		cl_int x = i + 2;
		host_set(k, 1, sizeof x, &x);
		OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, i ? 1 : 0, i ? &done[i - 1] : NULL,
		                          &done[i]));
	}
	OK(clWaitForEvents(1, &done[2]));
	host_expect(h, a, h->n, 17, 24);
	for (int i = 0; i < 3; i++)
		OK(clReleaseEvent(done[i]));
	OK(clReleaseCommandQueue(q));
	host_drop(k, a);
}

void scene_contexts(Host *h)
{
	cl_int e;
	Host other = *h;
	other.context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &e);
	OK(e);
	cl_queue_properties none[] = {0};
	other.queue = clCreateCommandQueueWithProperties(other.context, h->device, none, &e);
	OK(e);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1), b = host_ints(&other, CL_MEM_READ_WRITE, h->n, 7, 2);
	cl_kernel k = host_step_kernel(h, a, 10), l = host_step_kernel(&other, b, 20);
	host_launch(h, k, h->n, 16);
	host_launch(&other, l, h->n, 32);
	host_launch(h, k, h->n, 64);
	host_expect(h, a, h->n, 20, 1);
	host_expect(&other, b, h->n, 27, 2);
	host_drop(k, a);
	host_drop(l, b);
	OK(clReleaseCommandQueue(other.queue));
	OK(clReleaseContext(other.context));
}

static bool says_profiling(cl_command_queue q)
{
	cl_command_queue_properties p = 0;
	OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof p, &p, NULL));
	return p & CL_QUEUE_PROFILING_ENABLE;
}

void scene_profiling(Host *h)
{
	cl_int e;
	Host timed = *h;
	timed.queue = clCreateCommandQueue(h->context, h->device, CL_QUEUE_PROFILING_ENABLE, &e);
	OK(e);
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	host_launch(h, k, h->n, 16);
	OK(clFinish(h->queue));
	host_launch(&timed, k, h->n, 16);
	host_expect(&timed, a, h->n, 2, 1);
	TRUE(!says_profiling(h->queue));
	TRUE(says_profiling(timed.queue));
	cl_queue_properties asked[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, told[8] = {0};
	size_t n = 0;
	cl_command_queue q = clCreateCommandQueueWithProperties(h->context, h->device, asked, &e);
	OK(e);
	OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof told, told, &n));
	TRUE(n == sizeof asked && !memcmp(told, asked, n));
	OK(clReleaseCommandQueue(q));
	host_drop(k, a);
	OK(clReleaseCommandQueue(timed.queue));
}

static void *one_thread(void *p)
{
	Host h = *(Host *)p;
	cl_int e;
	h.queue = clCreateCommandQueue(h.context, h.device, 0, &e);
	OK(e);
	cl_mem a = host_ints(&h, CL_MEM_READ_WRITE, 256, 0, 1);
	cl_kernel k = host_step_kernel(&h, a, 1);
	for (unsigned i = 0; i < h.n; i++)
		host_launch(&h, k, 256, 16);
	host_expect(&h, a, 256, (int)h.n, 1);
	host_drop(k, a);
	OK(clReleaseCommandQueue(h.queue));
	return NULL;
}

void scene_threads(Host *h)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		TRUE(!pthread_create(&t[i], NULL, one_thread, h));
	for (int i = 0; i < 4; i++)
		TRUE(!pthread_join(t[i], NULL));
}

void scene_user_event(Host *h)
{
	cl_int e;
	size_t global = h->n, local = 16;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 3);
	cl_event gate = clCreateUserEvent(h->context, &e), done;
	OK(e);
	OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 1, &gate, &done));
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clWaitForEvents(1, &done));
	host_launch(h, k, h->n, 16);
	host_expect(h, a, h->n, 6, 1);
	OK(clReleaseEvent(gate));
	OK(clReleaseEvent(done));
	host_drop(k, a);
}

typedef struct Next {
	Host *h;
	cl_kernel kernel;
	cl_event done; /* a user event */
} Next;

static void CL_CALLBACK launch_next(cl_event event, cl_int status, void *p)
{
	Next *n = p;
	(void)event;
	(void)status;
	host_launch(n->h, n->kernel, n->h->n, 16);
	OK(clFlush(n->h->queue));
	OK(clSetUserEventStatus(n->done, CL_COMPLETE));
}

void scene_callback(Host *h)
{
	cl_int e;
	size_t global = h->n, local = 16;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	cl_event first;
	OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, &first));
	Next n = {h, k, clCreateUserEvent(h->context, &e)};
	OK(e);
	OK(clSetEventCallback(first, CL_COMPLETE, launch_next, &n));
	OK(clFlush(h->queue));
	OK(clWaitForEvents(1, &n.done));
	host_expect(h, a, h->n, 2, 1);
	OK(clReleaseEvent(first));
	OK(clReleaseEvent(n.done));
	host_drop(k, a);
}

void scene_stuck(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1),
		  forever = host_kernel(
		      h,
		      "kernel void forever(global volatile int *a) { while (a[64] != 1) a[get_global_id(0)] += 1; }\n",
		      "forever");
	cl_mem b = host_ints(h, CL_MEM_READ_WRITE, 65, 0, 0);
	host_set(forever, 0, sizeof b, &b);
	for (unsigned i = 0; i < h->n; i++)
		host_launch(h, k, 64, 16);
	OK(clFinish(h->queue));
	TRUE(write(STDOUT_FILENO, ".", 1) == 1);
	host_launch(h, forever, 64, 16);
	OK(clFinish(h->queue));
}

static void *launch_on(void *p)
{
	Next *n = p;
	size_t global = 64, local = 16;
	for (;;) /* a loader that has ended may refuse it */
		clEnqueueNDRangeKernel(n->h->queue, n->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	return NULL;
}

void scene_early_end(Host *h)
{
	cl_int e;
	pthread_t t;
	size_t global = 64, local = 16;
	Host other = *h;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	other.queue = clCreateCommandQueue(h->context, h->device, 0, &e);
	OK(e);
	Next n = {&other, host_step_kernel(h, b, 1), NULL};
	TRUE(!pthread_create(&t, NULL, launch_on, &n));
	for (unsigned i = 0; i < h->n; i++)
		host_launch(h, k, 64, 16);
	cl_event gate = clCreateUserEvent(h->context, &e);
	OK(e);
	OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 1, &gate, NULL));
	exit(0);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

void scene_long_ones(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 4096, 0, 1);
	cl_kernel k = host_kernel(h,
		"kernel void spin(global int *a) { uint x = get_global_id(0);\n"
		"  for (int i = 0; i < 400; i++) x = x * 1664525u + 1013904223u;\n"
		"  a[get_global_id(0)] += (int)(x & 1); }\n", "spin");
	host_set(k, 0, sizeof a, &a);
	host_launch(h, k, 4096, 64);
	OK(clFinish(h->queue));
	double start = now();
	for (unsigned i = 0; i < h->n; i++)
		host_launch(h, k, 4096, 64);
	OK(clFinish(h->queue));
	printf("%.3f ms a launch\n", (now() - start) / h->n);
	host_drop(k, a);
}

/* Functions whose last bits differ from library to library, in launches of one kernel. */
void scene_rounding(Host *h)
{
	cl_int e;
	cl_mem a = clCreateBuffer(h->context, CL_MEM_READ_WRITE, 4096 * sizeof(float), NULL, &e);
	OK(e);
	cl_kernel k =
	    host_kernel(h,
	                "kernel void powers(global float *a, int n) { float x = 1 + get_global_id(0) * 1e-4f;\n"
	                "for (int i = 0; i < 200; i++) x = pow(x, 1 + n * 1e-4f); a[get_global_id(0)] = x; }\n",
	                "powers");
	host_set(k, 0, sizeof a, &a);
	for (cl_int i = 0; i < (cl_int)h->n; i++) {
		host_set(k, 1, sizeof i, &i);
		host_launch(h, k, 4096, 64);
	}
	OK(clFinish(h->queue));
	host_drop(k, a);
}

/* Launches that read behind a buffer, each in the same place. */
void scene_outside(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_kernel(h, "kernel void outside(global int *a, int n) { int i = get_global_id(0);\n"
	                             "if (i == 63) a[i] += a[i + 1] & 1; a[i] += n; }\n", "outside");
	host_set(k, 0, sizeof a, &a);
	for (cl_int i = 0; i < (cl_int)h->n; i++) {
		host_set(k, 1, sizeof i, &i);
		host_launch(h, k, 64, 16);
	}
	OK(clFinish(h->queue));
	host_drop(k, a);
}

/* Compilers know the sum of the last launch; a run without optimization, as checks need, adds for hours. */
void scene_folded(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_kernel(h, "kernel void folded(global int *a, ulong n) {\n"
	                             "int s = a[get_global_id(0)]; for (ulong i = 0; i < n; i++) s += (int)i;\n"
	                             "a[get_global_id(0)] = s; }\n", "folded");
	host_set(k, 0, sizeof a, &a);
	for (unsigned i = 1; i <= h->n; i++) {
		cl_ulong n = i < h->n ? i : (cl_ulong)1 << 40;
		host_set(k, 1, sizeof n, &n);
		host_launch(h, k, 64, 16);
	}
	OK(clFinish(h->queue));
	host_drop(k, a);
}

/* Every launch is refused. */
void scene_refused(Host *h)
{
	size_t global = 60, local = 7, large = 1 << 20;
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k = host_step_kernel(h, a, 1);
	for (unsigned i = 0; i < h->n; i++)
		TRUE(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, NULL) != CL_SUCCESS);
	TRUE(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &large, &large, 0, NULL, NULL) != CL_SUCCESS);
	host_drop(k, a);
}

/* The last launch ends the program, as a kernel may on a CPU. */
void scene_crash(Host *h)
{
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, 64, 0, 1);
	cl_kernel k =
	    host_kernel(h, "kernel void far(global int *a, ulong n) { a[get_global_id(0) + n] += 1; }\n", "far");
	host_set(k, 0, sizeof a, &a);
	for (unsigned i = 0; i < h->n; i++) {
		cl_ulong n = i + 1 < h->n ? 0 : (cl_ulong)1 << 40;
		host_set(k, 1, sizeof n, &n);
		host_launch(h, k, 64, 16);
		OK(clFinish(h->queue));
	}
	host_drop(k, a);
}
