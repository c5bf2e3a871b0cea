/* Scenes about arguments and sizes. */
#include "tests/hosts/host.h"

static const char add_source[] =
	"kernel void add(global const int *a, global int *b, int n) { int i = get_global_id(0); b[i] = a[i] + n; }\n";

void scene_basic(Host *h)
{
	cl_int n = 5;
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_ONLY, h->n, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 0);
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof b, &b);
	host_set(k, 2, sizeof n, &n);
	host_launch(h, k, h->n, 16);
	host_expect(h, b, h->n, 5, 1);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
}

void scene_values(Host *h)
{
	struct { cl_int x; cl_char c; cl_short s; } v = {1000, -7, 30};
	cl_float4 f = {{1, 2, 3, 4}};
	cl_double d = 0.5;
	cl_char c = -3;
	cl_kernel k = host_kernel(h,
		"typedef struct { int x; char c; short s; } V;\n"
		"kernel void values(global int *o, V v, float4 f, double d, char c) {\n"
		"  o[get_global_id(0)] = v.x + v.c + v.s + (int)(f.x + f.y * f.z - f.w + d * 2) + c; }\n", "values");
	cl_mem o = host_ints(h, CL_MEM_WRITE_ONLY, h->n, 0, 0);
	host_set(k, 0, sizeof o, &o);
	host_set(k, 1, sizeof v, &v);
	host_set(k, 2, sizeof f, &f);
	host_set(k, 3, sizeof d, &d);
	host_set(k, 4, sizeof c, &c);
	host_launch(h, k, h->n, 32);
	host_expect(h, o, h->n, 1000 - 7 + 30 + 4 - 3, 0);
	OK(clReleaseMemObject(o));
	OK(clReleaseKernel(k));
}

void scene_null_local(Host *h)
{
	cl_kernel k = host_kernel(
	    h, "kernel void size(global int *o) { o[get_global_id(0)] = get_local_size(0) * get_num_groups(0); }\n",
	    "size");
	cl_mem o = host_ints(h, CL_MEM_WRITE_ONLY, h->n, 0, 0);
	host_set(k, 0, sizeof o, &o);
	host_launch(h, k, h->n, 0);
	host_expect(h, o, h->n, (int)h->n, 0);
	OK(clReleaseMemObject(o));
	OK(clReleaseKernel(k));
}

void scene_offset(Host *h)
{
	size_t offset[2] = {8, 3}, global[2] = {h->n / 8, 8}, local[2] = {4, 2};
	cl_kernel k = host_kernel(
	    h,
	    "kernel void place(global int *o) { int x = get_global_id(0) - 8, y = get_global_id(1) - 3;\n"
	    "  o[y * get_global_size(0) + x] = x + (int)get_global_size(0) * y + (int)get_global_offset(1); }\n",
	    "place");
	cl_mem o = host_ints(h, CL_MEM_WRITE_ONLY, h->n, 0, 0);
	host_set(k, 0, sizeof o, &o);
	OK(clEnqueueNDRangeKernel(h->queue, k, 2, offset, global, local, 0, NULL, NULL));
	host_expect(h, o, h->n, 3, 1);
	OK(clReleaseMemObject(o));
	OK(clReleaseKernel(k));
}

void scene_task(Host *h)
{
	cl_kernel k = host_kernel(h, "kernel void one(global int *o) { o[0] += 41 + get_global_size(0); }\n", "one");
	cl_mem o = host_ints(h, CL_MEM_READ_WRITE, 1, 0, 0);
	host_set(k, 0, sizeof o, &o);
	OK(clEnqueueTask(h->queue, k, 0, NULL, NULL));
	host_expect(h, o, 1, 42, 0);
	OK(clReleaseMemObject(o));
	OK(clReleaseKernel(k));
}

void scene_set_later(Host *h)
{
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 0);
	for (cl_int i = 1; i <= 4; i++) {
		host_set(k, 0, sizeof a, i & 1 ? &a : &b);
		host_set(k, 1, sizeof a, i & 1 ? &b : &a);
		host_set(k, 2, sizeof i, &i);
		host_launch(h, k, h->n, 16);
	}
	host_expect(h, a, h->n, 10, 1);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
}

void scene_same_buffer(Host *h)
{
	cl_int n = 3;
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof a, &a);
	host_set(k, 2, sizeof n, &n);
	host_launch(h, k, h->n, 16);
	host_launch(h, k, h->n, 16);
	host_expect(h, a, h->n, 6, 1);
	OK(clReleaseMemObject(a));
	OK(clReleaseKernel(k));
}

/* The second part begins in the middle of the first: what is written through one is read through
 * the other, behind a barrier. */
void scene_parts(Host *h)
{
	cl_int e;
	size_t half = h->n / 2 * sizeof(cl_int);
	cl_buffer_region first = {0, half + half / 2}, second = {half, half};
	cl_mem all = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_mem a = clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &first, &e);
	OK(e);
	cl_mem b = clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &second, &e);
	OK(e);
	OK(clReleaseMemObject(all));
	cl_kernel k = host_kernel(h,
		"kernel void parts(global int *a, global int *b, int middle) { int i = get_global_id(0);\n"
		"  b[i] = 1000 + i; barrier(CLK_GLOBAL_MEM_FENCE);\n"
		"  int seen = a[middle + (i ^ 1)]; barrier(CLK_GLOBAL_MEM_FENCE); a[i] = seen; }\n", "parts");
	cl_int n = (cl_int)h->n / 2;
	size_t items = h->n / 4;
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof b, &b);
	host_set(k, 2, sizeof n, &n);
	host_launch(h, k, items, items);
	cl_int v[64];
	OK(clEnqueueReadBuffer(h->queue, a, CL_TRUE, 0, sizeof v, v, 0, NULL, NULL));
	for (int i = 0; i < 64; i++)
		TRUE(v[i] == 1000 + (i ^ 1));
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
}

void scene_null_pointer(Host *h)
{
	cl_mem none = NULL, o = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 1);
	cl_kernel k = host_kernel(h,
		"kernel void maybe(global int *o, global int *p, local int *s) { int i = get_local_id(0);\n"
		"  s[i] = o[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  o[get_global_id(0)] = s[get_local_size(0) - 1 - i] + (p ? p[0] : 1); }\n", "maybe");
	host_set(k, 0, sizeof o, &o);
	host_set(k, 1, sizeof none, &none);
	host_set(k, 2, h->n * sizeof(cl_int), NULL);
	host_launch(h, k, h->n, h->n);
	host_expect(h, o, h->n, (int)h->n, -1);
	OK(clReleaseMemObject(o));
	OK(clReleaseKernel(k));
}

void scene_clone(Host *h)
{
	cl_int e, n = 5, more = 7;
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_ONLY, h->n, 0, 1), b = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 0);
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof b, &b);
	host_set(k, 2, sizeof n, &n);
	cl_kernel c = clCloneKernel(k, &e);
	OK(e);
	host_set(k, 2, sizeof more, &more);
	OK(clReleaseKernel(k));
	host_launch(h, c, h->n, 16);
	host_expect(h, b, h->n, 5, 1);
	OK(clReleaseKernel(c));
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
}

void scene_host_cannot_read(Host *h)
{
	cl_int n = 1;
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, h->n, 0, 1);
	cl_mem b = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 0);
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof b, &b);
	host_set(k, 2, sizeof n, &n);
	host_launch(h, k, h->n, 16);
	host_expect(h, b, h->n, 1, 1);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
}

/* The same where nobody may wait for the launch. */
void scene_host_cannot_read_later(Host *h)
{
	cl_int e, n = 1;
	size_t global = h->n, local = 16;
	cl_kernel k = host_kernel(h, add_source, "add");
	cl_mem a = host_ints(h, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, h->n, 0, 1);
	cl_mem b = host_ints(h, CL_MEM_READ_WRITE, h->n, 0, 0);
	host_set(k, 0, sizeof a, &a);
	host_set(k, 1, sizeof b, &b);
	host_set(k, 2, sizeof n, &n);
	cl_event gate = clCreateUserEvent(h->context, &e), done;
	OK(e);
	OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 1, &gate, &done));
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clWaitForEvents(1, &done));
	host_expect(h, b, h->n, 1, 1);
	OK(clReleaseEvent(gate));
	OK(clReleaseEvent(done));
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(k));
}

void scene_image(Host *h)
{
	cl_int e;
	unsigned n = h->n;
	cl_image_format format = {CL_RGBA, CL_FLOAT};
	cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = n, .image_height = n};
	float *pixels = malloc(n * n * 4 * sizeof *pixels);
	for (unsigned i = 0; i < n * n * 4; i++)
		pixels[i] = (float)i;
	cl_mem in = clCreateImage(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &e);
	OK(e);
	cl_mem out = clCreateImage(h->context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &e);
	OK(e);
	cl_sampler sampler = clCreateSampler(h->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &e);
	OK(e);
	cl_kernel k = host_kernel(h,
		"kernel void left(read_only image2d_t in, write_only image2d_t out, sampler_t s) {\n"
		"  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
		"  write_imagef(out, p, read_imagef(in, s, p - (int2)(1, 0))); }\n", "left");
	host_set(k, 0, sizeof in, &in);
	host_set(k, 1, sizeof out, &out);
	host_set(k, 2, sizeof sampler, &sampler);
	size_t global[2] = {n, n}, local[2] = {8, 8}, origin[3] = {0}, region[3] = {n, n, 1};
	OK(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, local, 0, NULL, NULL));
	OK(clEnqueueReadImage(h->queue, out, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
	for (unsigned i = 0; i < n * n; i++)
		TRUE(pixels[4 * i] == (float)(4 * (i % n ? i - 1 : i)));
	free(pixels);
	OK(clReleaseSampler(sampler));
	OK(clReleaseMemObject(in));
	OK(clReleaseMemObject(out));
	OK(clReleaseKernel(k));
}
