/* Turn a Launch into what the machine and PoCL take: memory, argument values, buffers.
 *
 * The machine changes its buffers in place. The helper, where PoCL runs, gets a copy of their first
 * contents before the machine runs, and PoCL's results come back in that copy.
 * An image is two buffers for the machine: its pixels, and the description that the
 * kernel's code reads.
 *
 * A recorded launch brings its memory as objects. Arguments that point into the same one share its
 * buffer, so that what is written through one is read through the other. */
#include "engine/arguments.h"
#include "traces/capture/launch_recorded.h"

static void *allocate(void *user, u32 arg, u64 size)
{
	(void)user;
	(void)arg;
	return calloc(1, size);
}

static bool is_writable(const LaunchArg *arg, const KernelArg *k)
{
	if (k->kind == ARG_IMAGE)
		return k->writes;
	return k->kind != ARG_CONSTANT && !arg->read_only;
}

static SimBuffer *new_buffer(Arguments *a, const char *name)
{
	SimBuffer *b = &a->buffers[a->nbuffers++];
	*b = (SimBuffer){.name = name};
	return b;
}

static void add_buffer(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k)
{
	ArgObject *o = arg->object ? &a->objects[arg->object - 1] : NULL;
	SimBuffer *b;
	a->size[i] = arg->size;
	if (o && o->buffer) {
		b = &a->buffers[o->buffer - 1];
	} else {
		b = new_buffer(a, k->name);
		b->data = o ? o->data : a->data[i];
		b->size = o ? a->object_size[arg->object - 1] : arg->size;
	}
	a->buffer_of[i] = (u32)(b - a->buffers);
	if (o)
		o->buffer = a->buffer_of[i] + 1;
	a->addresses[a->buffer_of[i]] = o ? o->address : 0;
	b->guessed = arg->origin == FROM_GUESS || arg->count_guessed;
	if (k->elem_class != ELEM_OTHER && k->elem_bytes && !arg->pipe)
		b->element = arg->shape;
	b->unset = !o && arg->init == INIT_NONE;
	if (k->kind == ARG_IMAGE)
		b->image =
		    (SimImage){arg->shape.stride, arg->image_size[0], k->image_dims > 1 ? arg->image_size[1] : 1};
	b->readable |= !arg->write_only;
	b->writable |= is_writable(arg, k);
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
	case LAUNCH_BUFFER:
		*s = (SimArg){.kind = SIM_BUFFER, .buffer = a->buffer_of[i], .at = arg->object_at};
		break;
	case LAUNCH_LOCAL:
		*s = (SimArg){
		    .kind = SIM_LOCAL, .size = arg->size, .guessed = arg->origin == FROM_GUESS || arg->count_guessed};
		break;
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

/* Where PoCL shall leave its version of argument i: it stays NULL when it cannot change it. */
static bool pocl_result(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k, PoclBuffer *b, Diag *d)
{
	if (!is_writable(arg, k) || k->is_const)
		return true;
	if (!b->result)
		b->result = calloc(1, b->size);
	if (!b->result)
		return diag_error(d, NO_LOC, "no memory for PoCL's version of '%s' (%llu bytes)", k->name,
		                  (unsigned long long)b->size);
	a->result[i] = (u8 *)b->result + arg->object_at;
	if (arg->object)
		a->objects[arg->object - 1].result = b->result;
	return true;
}

static bool pocl_buffer(Arguments *a, u32 i, const LaunchArg *arg, const KernelArg *k, Diag *d)
{
	ArgObject *o = arg->object ? &a->objects[arg->object - 1] : NULL;
	PoclArg *p = &a->pocl_args[i];
	if (o && o->pocl_buffer) {
		p->buffer = o->pocl_buffer - 1;
	} else {
		p->buffer = a->npocl_buffers++;
		a->pocl_buffers[p->buffer] = (PoclBuffer){
			.init = o ? o->data : a->data[i],
			.size = o ? a->object_size[arg->object - 1] : arg->size,
			.address = o ? o->address : 0};
	}
	PoclBuffer *b = &a->pocl_buffers[p->buffer];
	if (o)
		o->pocl_buffer = p->buffer + 1;
	if (arg->kind == LAUNCH_IMAGE && !b->image) {
		PoclImage *image = ARENA_NEW(a->arena, PoclImage);
		image_for_pocl(arg, k, image);
		b->image = image;
	} else if (arg->kind == LAUNCH_BUFFER && (arg->object_at || arg->size != b->size)) {
		p->at = arg->object_at;
		p->size = arg->size;
	}
	return pocl_result(a, i, arg, k, b, d);
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
		*p = (PoclArg){.kind = POCL_BUFFER};
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

/* ---- recorded launches ---- */

static u8 *load_object(Arguments *a, const Launch *l, u32 object, bool after, Diag *d)
{
	u8 *bytes = calloc(1, a->object_size[object] + 1);
	if (!bytes) {
		diag_error(d, NO_LOC, "no memory for %llu bytes of a recorded launch",
		           (unsigned long long)a->object_size[object]);
		return NULL;
	}
	if (launch_object_load(l, object, after, bytes, d))
		return bytes;
	free(bytes);
	return NULL;
}

static bool load_objects(Arguments *a, const Launch *l, Diag *d)
{
	a->objects = ARENA_ARRAY(a->arena, ArgObject, l->nobjects);
	a->object_size = ARENA_ARRAY(a->arena, u64, l->nobjects);
	a->nobjects = l->nobjects;
	for (u32 i = 0; i < l->nobjects; i++) {
		a->object_size[i] = l->objects[i].size;
		a->objects[i].address = l->objects[i].address;
		a->objects[i].data = load_object(a, l, i, false, d);
		if (!a->objects[i].data)
			return false;
	}
	for (u32 i = 0; i < l->nargs; i++)
		if (l->args[i].object)
			a->data[i] = a->objects[l->args[i].object - 1].data + l->args[i].object_at;
	return true;
}

static bool recorded_result(Arguments *a, const Launch *l, u32 i, const KernelArg *k, Diag *d)
{
	const LaunchArg *arg = &l->args[i];
	if (!arg->object || !is_writable(arg, k) || k->is_const)
		return true;
	ArgObject *o = &a->objects[arg->object - 1];
	if (!o->result)
		o->result = load_object(a, l, arg->object - 1, true, d);
	if (o->result)
		a->result[i] = o->result + arg->object_at;
	return o->result != NULL;
}

/* Objects with addresses that no argument points to: pointers in others, or in structs, do. */
static bool add_reached(Arguments *a, const Launch *l, ResultFrom from, Diag *d)
{
	for (u32 i = 0; i < a->nobjects; i++) {
		ArgObject *o = &a->objects[i];
		if (!o->address || o->buffer)
			continue;
		o->reached = true;
		o->name = l->objects[i].name;
		if (!o->name)
			o->name = arena_printf(a->arena, "memory at 0x%llx", (unsigned long long)o->address);
		SimBuffer *b = new_buffer(a, o->name);
		*b = (SimBuffer){.data = o->data, .size = a->object_size[i], .name = o->name, .readable = true,
		                 .writable = true};
		o->buffer = a->nbuffers;
		a->addresses[a->nbuffers - 1] = o->address;
		if (from == RESULT_RECORDED && !(o->result = load_object(a, l, i, true, d)))
			return false;
		if (from != RESULT_POCL || l->language != LANGUAGE_hip) /* PoCL's buffers lie elsewhere */
			continue;
		o->result = calloc(1, a->object_size[i] + 1);
		a->pocl_buffers[a->npocl_buffers++] = (PoclBuffer){.init = o->data, .result = o->result,
		                                                   .size = a->object_size[i], .address = o->address};
		if (!o->result)
			return diag_error(d, NO_LOC, "no memory for the reference's version of '%s'", o->name);
	}
	return true;
}

/* ---- all of it ---- */

bool arguments_build(Arguments *a, const Launch *l, const Program *p, const LaunchLimits *limits,
                     ResultFrom from, Diag *d)
{
	memset(a, 0, sizeof *a);
	a->arena = arena_new();
	a->n = l->nargs;
	a->from = from;
	a->data = ARENA_ARRAY(a->arena, void *, a->n);
	a->result = ARENA_ARRAY(a->arena, void *, a->n);
	a->size = ARENA_ARRAY(a->arena, u64, a->n);
	a->packets = ARENA_ARRAY(a->arena, u8 *, a->n);
	a->buffer_of = ARENA_ARRAY(a->arena, u32, a->n);
	a->sim_args = ARENA_ARRAY(a->arena, SimArg, a->n);
	a->buffers = ARENA_ARRAY(a->arena, SimBuffer, 2 * a->n + l->nobjects);
	a->addresses = ARENA_ARRAY(a->arena, u64, 2 * a->n + l->nobjects);
	a->pocl_args = ARENA_ARRAY(a->arena, PoclArg, a->n);
	a->pocl_buffers = ARENA_ARRAY(a->arena, PoclBuffer, a->n + l->nobjects);
	if (!launch_materialise(l, limits, allocate, NULL, a->data, d) || !load_objects(a, l, d))
		return false;
	for (u32 i = 0; i < a->n; i++) {
		if (l->args[i].kind == LAUNCH_BUFFER || l->args[i].kind == LAUNCH_IMAGE)
			add_buffer(a, i, &l->args[i], &p->args.v[i]);
		if (l->args[i].pipe)
			a->packets[i] = arena_alloc(a->arena, l->args[i].size);
	}
	bool ok = add_reached(a, l, from, d);
	for (u32 i = 0; i < a->n && ok; i++) {
		machine_argument(a, i, p, &l->args[i]);
		if (from == RESULT_POCL)
			ok &= pocl_argument(a, i, &l->args[i], &p->args.v[i], d);
		else if (from == RESULT_RECORDED)
			ok &= recorded_result(a, l, i, &p->args.v[i], d);
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
	if (!a->arena)
		return;
	for (u32 i = 0; i < a->nobjects; i++) {
		free(a->objects[i].data);
		free(a->objects[i].result);
	}
	for (u32 i = 0; !a->nobjects && i < a->n; i++) {
		free(a->data[i]);
		free(a->result[i]);
	}
	arena_free(a->arena);
	memset(a, 0, sizeof *a);
}
