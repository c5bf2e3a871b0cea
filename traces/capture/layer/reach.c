/* The memory that a launch can reach, and what it holds.
 *
 * Arguments lead to buffers, parts of buffers, images and blocks of shared virtual memory. Parts of
 * one buffer that overlap become one object, so that what the kernel writes through one of them is
 * seen through the other; what it cannot reach of a large buffer is not read. */
#include "traces/capture/layer/layer.h"

/* A range of a buffer, before overlapping ones are joined. */
typedef struct ReachRange {
	LayerMemory *root;
	u64 from, to;
	u32 arg;
} ReachRange;

static int by_address(const void *a, const void *b)
{
	const ReachRange *x = a, *y = b;
	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->arg < y->arg ? -1 : 1;
}

static void add_ranges(Capture *c, ReachRange *r, u32 n)
{
	if (n)
		qsort(r, n, sizeof *r, by_address);
	for (u32 i = 0; i < n;) {
		u32 k = i;
		u64 to = r[i].to;
		for (; k < n && r[k].root == r[i].root && (r[k].from < to || r[k].from == r[i].from); k++)
			to = r[k].to > to ? r[k].to : to;
		Reach new = {.object = r[i].root->object, .handle = r[i].root->thing.handle,
		             .missing = r[i].root->missing};
		new.object.base = r[i].from;
		new.object.size = to - r[i].from;
		array_push(&c->reach, new);
		for (; i < k; i++) {
			CapArg *a = &c->launch.args[r[i].arg];
			a->object = c->reach.n;
			a->at = r[i].from - new.object.base;
			a->length = r[i].to - r[i].from;
		}
	}
}

/* The object that is all of this image. */
static u32 image_object(Capture *c, const LayerMemory *m)
{
	for (u32 i = 0; i < c->reach.n; i++)
		if (c->reach.v[i].handle == m->thing.handle)
			return i + 1;
	array_push(&c->reach, ((Reach){m->object, m->thing.handle, m->missing}));
	return c->reach.n;
}

/* The object that is all of this block. A kernel may reach very many of them. */
static u32 svm_object(Capture *c, SvmBlock *b)
{
	if (b->search == layer.nsearches)
		return b->object;
	CapObject o = {.kind = CAP_SVM, .size = b->size, .base = (u64)(uintptr_t)b->start};
	array_push(&c->reach, ((Reach){o, b->start, NULL}));
	b->search = layer.nsearches;
	return b->object = c->reach.n;
}

static void svm_argument(Capture *c, CapArg *a, const void *p)
{
	SvmBlock *b = thing_svm(p);
	if (b) {
		a->object = svm_object(c, b);
		a->at = (u64)((const u8 *)p - b->start);
		a->length = b->size - a->at;
	} else if (p) {
		c->why = "a pointer to memory that was not allocated through OpenCL";
	}
}

/* What the handle in an argument of 8 bytes means, if it is one. */
static void handle_argument(Capture *c, const LayerArgument *from, u32 i, ReachRange *ranges, u32 *nranges)
{
	CapArg *a = &c->launch.args[i];
	void *handle;
	memcpy(&handle, from->bytes, sizeof handle);
	if (from->svm) {
		svm_argument(c, a, handle);
		return;
	}
	LayerMemory *m = (LayerMemory *)thing_find(THING_MEMORY, handle);
	const LayerSampler *s = (LayerSampler *)thing_find(THING_SAMPLER, handle);
	if (s) {
		*a = (CapArg){.kind = CAP_SAMPLER, .addressing = s->addressing, .filter = s->filter,
		              .normalized = s->normalized};
	} else if (m && m->object.kind == CAP_IMAGE) {
		a->object = image_object(c, m);
		a->length = m->object.size;
	} else if (m) {
		LayerMemory *root = m->parent ? m->parent : m;
		ranges[(*nranges)++] = (ReachRange){root, m->origin, m->origin + m->object.size, i};
	}
}

void reach_find(Capture *c, const LayerKernel *k)
{
	CapLaunch *l = &c->launch;
	l->nargs = k->nargs;
	l->args = ARENA_ARRAY(c->arena, CapArg, k->nargs);
	ReachRange *ranges = ARENA_ARRAY(c->arena, ReachRange, k->nargs + 1);
	u32 n = 0;
	layer.nsearches++;
	for (u32 i = 0; i < k->nargs; i++) {
		const LayerArgument *from = &k->args[i];
		u8 *copy = arena_alloc(c->arena, from->size + 1);
		if (from->kind == CAP_BYTES)
			memcpy(copy, from->bytes, from->size);
		l->args[i] = (CapArg){.kind = (u8)from->kind, .size = from->size, .bytes = copy};
		if (from->kind == CAP_BYTES && from->size == sizeof(void *))
			handle_argument(c, from, i, ranges, &n);
	}
	add_ranges(c, ranges, n);
	for (u32 i = 0; i < k->nsvm; i++) {
		SvmBlock *b = thing_svm(k->svm[i]);
		if (b)
			svm_object(c, b);
	}
}

/* ---- contents ---- */

/* Buffers that the host may not read are read through a copy. */
static cl_int read_through_copy(const Capture *c, cl_mem from, u64 at, size_t n, void *out)
{
	const cl_icd_dispatch *t = layer.target;
	cl_int e;
	cl_mem copy = t->clCreateBuffer(c->context, CL_MEM_READ_WRITE, n, NULL, &e);
	if (e != CL_SUCCESS)
		return e;
	e = t->clEnqueueCopyBuffer(c->queue, from, copy, at, 0, n, 0, NULL, NULL);
	t->clFinish(c->queue);
	if (e == CL_SUCCESS)
		e = t->clEnqueueReadBuffer(c->queue, copy, CL_TRUE, 0, n, out, 0, NULL, NULL);
	t->clReleaseMemObject(copy);
	return e;
}

static cl_int read_block(const Capture *c, const Reach *r, u64 at, size_t n)
{
	const cl_icd_dispatch *t = layer.target;
	if (r->object.kind == CAP_SVM)
		return t->clEnqueueSVMMemcpy(c->queue, CL_TRUE, c->block, (u8 *)r->handle + at, n, 0, NULL, NULL);
	at += r->object.base;
	cl_int e = t->clEnqueueReadBuffer(c->queue, r->handle, CL_TRUE, at, n, c->block, 0, NULL, NULL);
	return e == CL_INVALID_OPERATION ? read_through_copy(c, r->handle, at, n, c->block) : e;
}

static cl_int read_bytes(const Capture *c, const Reach *r)
{
	for (u64 at = 0; at < r->object.size; at += LAYER_BLOCK) {
		u64 left = r->object.size - at;
		size_t n = left < LAYER_BLOCK ? left : LAYER_BLOCK;
		cl_int e = read_block(c, r, at, n);
		if (e != CL_SUCCESS)
			return e;
		cap_content_add(layer.file.writer, c->block, n);
	}
	return CL_SUCCESS;
}

/* Row by row, as many as fit the block: a row is as long as an image is wide. */
static cl_int read_image(const Capture *c, const Reach *r)
{
	const CapObject *o = &r->object;
	size_t width = o->extent[0], rows = o->extent[1], row = o->size / (o->extent[1] * o->extent[2]);
	size_t most = row && LAYER_BLOCK / row ? LAYER_BLOCK / row : 1;
	bool layers = o->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	for (size_t z = 0; z < o->extent[2]; z++) {
		for (size_t y = 0; y < rows; y += most) {
			size_t n = rows - y < most ? rows - y : most;
			size_t origin[3] = {0, y, z}, region[3] = {width, n, 1};
			if (row > LAYER_BLOCK)
				return CL_OUT_OF_HOST_MEMORY;
			cl_int e =
			    layer.target->clEnqueueReadImage(c->queue, r->handle, CL_TRUE, origin, region,
			                                     layers || n == 1 ? 0 : row, 0, c->block, 0, NULL, NULL);
			if (e != CL_SUCCESS)
				return e;
			cap_content_add(layer.file.writer, c->block, n * row);
		}
	}
	return CL_SUCCESS;
}

bool reach_read(Capture *c, bool after)
{
	for (u32 i = 0; i < c->reach.n; i++) {
		Reach *r = &c->reach.v[i];
		if (!c->why && r->missing)
			c->why = r->missing;
		if (!c->why && cap_full(layer.file.writer))
			c->why = "the file has reached its limit (--limit)";
		if (c->why)
			return false;
		cap_content_begin(layer.file.writer);
		cl_int e = r->object.kind == CAP_IMAGE ? read_image(c, r) : read_bytes(c, r);
		if (e != CL_SUCCESS)
			c->why = arena_printf(c->arena, "its memory cannot be read: OpenCL error %d", e);
		if (e != CL_SUCCESS)
			return false;
		*(after ? &r->object.after : &r->object.before) = cap_content_end(layer.file.writer);
	}
	return true;
}

/* The same, not waited for. */
static cl_int read_through_copy_later(const Capture *c, const Reach *r, u8 *out, cl_uint nwait, const cl_event *wait,
                                      cl_event *done)
{
	const cl_icd_dispatch *t = layer.target;
	const CapObject *o = &r->object;
	cl_int e;
	cl_event copied = NULL;
	cl_mem copy = t->clCreateBuffer(c->context, CL_MEM_READ_WRITE, o->size, NULL, &e);
	if (e != CL_SUCCESS)
		return e;
	e = t->clEnqueueCopyBuffer(c->queue, r->handle, copy, o->base, 0, o->size, nwait, wait, &copied);
	if (e == CL_SUCCESS) {
		e = t->clEnqueueReadBuffer(c->queue, copy, CL_FALSE, 0, o->size, out, 1, &copied, done);
		t->clReleaseEvent(copied);
	}
	t->clReleaseMemObject(copy); /* commands that use it keep it */
	return e;
}

cl_int reach_read_later(const Capture *c, const Reach *r, u8 *out, cl_uint nwait, const cl_event *wait,
                        cl_event *done)
{
	const cl_icd_dispatch *t = layer.target;
	const CapObject *o = &r->object;
	size_t origin[3] = {0}, region[3] = {o->extent[0], o->extent[1], o->extent[2]};
	if (o->kind == CAP_SVM)
		return t->clEnqueueSVMMemcpy(c->queue, CL_FALSE, out, r->handle, o->size, nwait, wait, done);
	if (o->kind == CAP_IMAGE)
		return t->clEnqueueReadImage(c->queue, r->handle, CL_FALSE, origin, region, 0, 0, out, nwait, wait,
		                             done);
	cl_int e = t->clEnqueueReadBuffer(c->queue, r->handle, CL_FALSE, o->base, o->size, out, nwait, wait, done);
	return e == CL_INVALID_OPERATION ? read_through_copy_later(c, r, out, nwait, wait, done) : e;
}
