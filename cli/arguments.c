/* Turn a Launch into what the machine and PoCL take: memory, argument values, buffers.
 *
 * The machine changes its buffers in place. PoCL runs in a child process forked after
 * this, so it sees their first contents, and writes its own results into shared memory.
 * An image is two buffers for the machine: its pixels, and the description that the
 * kernel's code reads. */
#include "cli/session.h"

static void *allocate(void *user, u32 arg, u64 size)
{
	(void)user;
	(void)arg;
	return calloc(1, size);
}

static bool is_writable(const LaunchArg *arg, const KernelArg *k)
{
	if (k->kind == ARG_IMAGE)
		return k->writes_image;
	return k->kind != ARG_CONSTANT && !arg->read_only;
}

static void add_buffer(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k)
{
	a->buffer_of[i] = a->nbuffers;
	a->size[i] = arg->size;
	a->buffers[a->nbuffers++] = (SimBuffer){
		.data = a->data[i],
		.size = arg->size,
		.name = k->name,
		.readable = !arg->write_only,
		.writable = is_writable(arg, k),
	};
}

/* The description of image i, behind all buffers that hold data. */
static void add_description(Arguments *a, u32 i, const Program *p, const LaunchArg *arg,
                            const KernelArg *k)
{
	u8 *bytes = arena_alloc(a->arena, DEV_IMAGE_BYTES);
	image_describe(arg, k, sim_buffer_address(p, a->buffer_of[i]), bytes);
	a->sim_args[i] = (SimArg){.kind = SIM_BUFFER, .buffer = a->nbuffers};
	a->buffers[a->nbuffers++] = (SimBuffer){
		.data = bytes,
		.size = DEV_IMAGE_BYTES,
		.name = k->name,
		.readable = true,
	};
}

static void machine_argument(Arguments *a, u32 i, const Program *p, const LaunchArg *arg)
{
	SimArg *s = &a->sim_args[i];
	switch (arg->kind) {
	case LAUNCH_VALUE:
		*s = (SimArg){.kind = SIM_VALUE, .bytes = arg->bytes, .size = arg->size};
		break;
	case LAUNCH_BUFFER: *s = (SimArg){.kind = SIM_BUFFER, .buffer = a->buffer_of[i]}; break;
	case LAUNCH_LOCAL: *s = (SimArg){.kind = SIM_LOCAL, .size = arg->size}; break;
	case LAUNCH_IMAGE: add_description(a, i, p, arg, &p->args.v[i]); break;
	case LAUNCH_SAMPLER: {
		u64 *v = ARENA_NEW(a->arena, u64);
		*v = image_sampler(arg);
		*s = (SimArg){.kind = SIM_VALUE, .bytes = v, .size = sizeof *v};
		break;
	}
	case LAUNCH_NULL:
	case LAUNCH_UNSET: *s = (SimArg){.kind = SIM_NULL}; break;
	}
}

static bool pocl_buffer(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k, Diag *d)
{
	PoclBuffer *b = &a->pocl_buffers[a->npocl_buffers++];
	*b = (PoclBuffer){.init = a->data[i], .size = arg->size};
	if (is_writable(arg, k) && !k->is_const) {
		b->result = a->result[i] = pocl_shared_alloc(arg->size);
		if (!b->result)
			return diag_error(d, NO_LOC, "no memory for PoCL's version of '%s' (%llu bytes)", k->name,
			                  (unsigned long long)arg->size);
	}
	if (arg->kind == LAUNCH_IMAGE) {
		PoclImage *image = ARENA_NEW(a->arena, PoclImage);
		image_for_pocl(arg, k, image);
		b->image = image;
	}
	return true;
}

static bool pocl_argument(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k, Diag *d)
{
	PoclArg *p = &a->pocl_args[i];
	switch (arg->kind) {
	case LAUNCH_VALUE:
		*p = (PoclArg){.kind = POCL_VALUE, .value = arg->bytes, .size = arg->size};
		return true;
	case LAUNCH_BUFFER:
	case LAUNCH_IMAGE:
		if (!arg->size)
			break;
		*p = (PoclArg){.kind = POCL_BUFFER, .buffer = a->npocl_buffers};
		return pocl_buffer(a, i, arg, k, d);
	case LAUNCH_LOCAL: *p = (PoclArg){.kind = POCL_LOCAL, .size = arg->size}; return true;
	case LAUNCH_SAMPLER:
		*p = (PoclArg){.kind = POCL_SAMPLER,
		               .normalized = arg->normalized,
		               .addressing = arg->addressing,
		               .filter = arg->filter};
		return true;
	case LAUNCH_NULL:
	case LAUNCH_UNSET: break;
	}
	*p = (PoclArg){.kind = POCL_NULL};
	return true;
}

bool arguments_build(Arguments *a, const Launch *l, const Program *p, const LaunchLimits *limits,
                     bool want_reference, Diag *d)
{
	memset(a, 0, sizeof *a);
	a->arena = arena_new();
	a->n = l->nargs;
	a->data = ARENA_ARRAY(a->arena, void *, a->n);
	a->result = ARENA_ARRAY(a->arena, void *, a->n);
	a->size = ARENA_ARRAY(a->arena, u64, a->n);
	a->buffer_of = ARENA_ARRAY(a->arena, u32, a->n);
	a->sim_args = ARENA_ARRAY(a->arena, SimArg, a->n);
	a->buffers = ARENA_ARRAY(a->arena, SimBuffer, 2 * a->n);
	a->pocl_args = ARENA_ARRAY(a->arena, PoclArg, a->n);
	a->pocl_buffers = ARENA_ARRAY(a->arena, PoclBuffer, a->n);
	if (!launch_materialise(l, limits, allocate, NULL, a->data, d))
		return false;
	for (u32 i = 0; i < a->n; i++) {
		if (l->args[i].kind == LAUNCH_BUFFER || l->args[i].kind == LAUNCH_IMAGE)
			add_buffer(a, i, &l->args[i], &p->args.v[i]);
	}
	bool ok = true;
	for (u32 i = 0; i < a->n; i++) {
		machine_argument(a, i, p, &l->args[i]);
		if (want_reference)
			ok &= pocl_argument(a, i, &l->args[i], &p->args.v[i], d);
	}
	return ok;
}

void arguments_keep(Arguments *a)
{
	a->before = ARENA_ARRAY(a->arena, u8 *, a->n);
	for (u32 i = 0; i < a->n; i++) {
		if (!a->result[i])
			continue;
		a->before[i] = arena_alloc(a->arena, a->size[i]);
		memcpy(a->before[i], a->data[i], a->size[i]);
	}
}

void arguments_free(Arguments *a)
{
	for (u32 i = 0; i < a->n; i++) {
		free(a->data[i]);
		if (a->result[i])
			pocl_shared_free(a->result[i], a->size[i]);
	}
	if (a->arena)
		arena_free(a->arena);
	memset(a, 0, sizeof *a);
}
