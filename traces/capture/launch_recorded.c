/* A launch from a launch file: what the host program set, seen through the kernel's own types.
 *
 * The file says of each argument which bytes were set, and whether they are the handle of a memory
 * object. Whether a handle is meant, the kernel knows: eight bytes may also be a number. */
#include "traces/capture/launch_recorded.h"

#include "traces/launch/launch_impl.h"

#include <errno.h>

FIELD_ORDER(by_address, SrcPlaced, address)

/* Objects that variables of the program lie in are called as these. */
static void name_objects(Launch *l, const SrcProgram *p)
{
	SrcPlaced *all = arena_copy(l->arena, p->placed, p->nplaced * sizeof *all);
	sort(all, p->nplaced, sizeof *all, by_address);
	for (u32 i = 0; i < l->nobjects; i++) {
		SrcPlaced key = {.address = l->objects[i].address};
		u32 k = lower_bound(all, p->nplaced, sizeof *all, &key, by_address);
		if (key.address && k < p->nplaced && all[k].address == key.address)
			l->objects[i].name = all[k].symbol;
	}
}

static bool all_zero(const CapArg *c)
{
	for (u64 i = 0; i < c->size; i++)
		if (c->bytes[i])
			return false;
	return true;
}

static const char *bind_pointer(const CapArg *c, const CapLaunch *r, LaunchArg *a)
{
	const CapObject *o = c->object ? &r->objects[c->object - 1] : NULL;
	if (c->kind == CAP_NOTHING || (c->kind == CAP_BYTES && !o && all_zero(c))) {
		a->kind = LAUNCH_NULL;
		return NULL;
	}
	if (c->kind != CAP_BYTES || !o)
		return "it points to memory that was not seen to be allocated";
	if (o->kind == CAP_IMAGE)
		return "an image stands where a buffer should";
	a->kind = LAUNCH_BUFFER;
	a->size = c->length;
	a->count = a->shape.stride && c->length >= a->shape.stride ? c->length / a->shape.stride : 1;
	return c->length ? NULL : "the buffer is empty";
}

static const char *bind_image(const CapArg *c, const CapLaunch *r, LaunchArg *a)
{
	const CapObject *o = c->object ? &r->objects[c->object - 1] : NULL;
	if (c->kind != CAP_BYTES || !o || o->kind != CAP_IMAGE || c->at || c->length != o->size)
		return "there is no image";
	a->shape = launch_image_shape(o->order, o->type);
	u64 pixels = 1;
	for (u32 i = 0; i < 3; i++) {
		if (!o->extent[i] || o->extent[i] > 1u << 20 || pixels > (u64)1 << 40)
			return "the image has an impossible size";
		a->image_size[i] = (u32)o->extent[i];
		pixels *= o->extent[i];
	}
	if (!launch_image_known(o->order, o->type) || pixels * a->shape.stride != o->size)
		return "images of this format are not simulated";
	a->kind = LAUNCH_IMAGE;
	a->image_order = o->order;
	a->image_type = o->type;
	a->count = pixels;
	a->size = o->size;
	return NULL;
}

/* Three components may be given without the room of the fourth. */
static const char *bind_value(Arena *arena, const CapArg *c, const KernelArg *k, LaunchArg *a)
{
	u64 size = k->size ? k->size : c->size;
	bool three = k->width == 3 && c->size == 3u * k->elem_bytes;
	if (c->kind != CAP_BYTES || (c->size != size && !three))
		return "its value has another size";
	u8 *bytes = arena_alloc(arena, size);
	memcpy(bytes, c->bytes, c->size < size ? c->size : size);
	*a = (LaunchArg){.kind = LAUNCH_VALUE, .shape = a->shape, .size = size, .bytes = bytes, .count = 1};
	return NULL;
}

/* Of HIP: whatever the program gave for a pointer is one, and local memory may be none. */
static void bind_hip(const CapArg *c, const KernelArg *k, LaunchArg *a)
{
	bool pointer = k->kind == ARG_GLOBAL || k->kind == ARG_CONSTANT;
	u64 stride = a->shape.stride;
	if (pointer && c->kind == CAP_BYTES && c->size == 8 && (!c->object || !c->length)) {
		*a = (LaunchArg){.kind = LAUNCH_VALUE, .shape = a->shape, .size = c->size, .bytes = c->bytes};
		a->count = 1;
	} else if (k->kind == ARG_LOCAL && c->kind == CAP_NOTHING && c->size <= UINT32_MAX) {
		*a = (LaunchArg){.kind = LAUNCH_LOCAL, .shape = a->shape, .size = c->size ? c->size : 1};
		a->count = stride && c->size >= stride ? c->size / stride : 1;
	}
	a->origin = FROM_FILE;
}

/* NULL when all is well, else why not. */
static const char *bind_one(Arena *arena, const CapArg *c, const CapLaunch *r, const KernelArg *k, LaunchArg *a)
{
	const char *why = NULL;
	switch (k->kind) {
	case ARG_VALUE: why = bind_value(arena, c, k, a); break;
	case ARG_GLOBAL:
	case ARG_CONSTANT: why = bind_pointer(c, r, a); break;
	case ARG_LOCAL:
		if (c->kind != CAP_NOTHING || !c->size)
			return "no local memory was given";
		if (c->size > UINT32_MAX)
			return "no work-group has so much local memory";
		a->kind = LAUNCH_LOCAL;
		a->size = c->size;
		a->count = a->shape.stride && c->size >= a->shape.stride ? c->size / a->shape.stride : 1;
		break;
	case ARG_IMAGE: why = bind_image(c, r, a); break;
	case ARG_PIPE: return "recorded programs have no pipes";
	case ARG_SAMPLER:
		if (c->kind != CAP_SAMPLER)
			return "there is no sampler";
		a->kind = LAUNCH_SAMPLER;
		a->addressing = c->addressing;
		a->filter = c->filter;
		a->normalized = c->normalized;
		break;
	}
	a->origin = FROM_FILE;
	if (a->kind == LAUNCH_BUFFER || a->kind == LAUNCH_IMAGE) {
		a->object = c->object;
		a->object_at = c->at;
		a->init = INIT_DATA;
	}
	return why;
}

static bool bind_recorded(Launch *l, Diag *d)
{
	const CapLaunch *r = l->recorded;
	bool hip = l->language == LANGUAGE_hip; /* whose last is the launch's local memory, which may not be wanted */
	if (r->nargs != l->nargs && !(hip && r->nargs == l->nargs + 1))
		return diag_error(d, NO_LOC, "kernel '%s' takes %u arguments, the recorded launch has %u", l->kernel,
		                  l->nargs, r->nargs);
	bool ok = true;
	for (u32 i = 0; i < l->nargs; i++) {
		const char *why = bind_one(l->arena, &r->args[i], r, &l->kernel_args[i], &l->args[i]);
		if (hip && why) {
			bind_hip(&r->args[i], &l->kernel_args[i], &l->args[i]);
			why = l->args[i].kind == LAUNCH_VALUE || l->args[i].kind == LAUNCH_LOCAL ? NULL : why;
		}
		if (why)
			ok = diag_error(d, NO_LOC, "argument %s (%s): %s", l->kernel_args[i].name,
			                l->kernel_args[i].type_name, why);
	}
	return ok;
}

bool launch_from_recording(Launch *l, const CapFile *file, const CapLaunch *r, Diag *d)
{
	const SrcProgram *p = &file->programs.v[r->program - 1];
	const char *bad = file->own ? NULL : source_options_fault(p, l->arena);
	if (bad)
		return diag_error(d, NO_LOC, "its program was built with '%s', which no launch file may ask for", bad);
	l->file = file;
	l->recorded = r;
	l->bind_recorded = bind_recorded;
	l->kernel = arena_strdup(l->arena, r->kernel);
	l->kernel_from = l->global_from = l->offset_from = FROM_FILE;
	l->work_dim = r->dims;
	bool fits = true;
	for (u32 i = 0; i < 3; i++) {
		l->global[i] = r->global[i];
		l->local[i] = r->local[i] ? r->local[i] : 1;
		l->offset[i] = r->offset[i];
		fits &= r->global[i] && r->global[i] <= UINT32_MAX && l->local[i] <= UINT32_MAX;
	}
	l->text->global_dims = r->dims;
	if (r->local[0]) {
		l->local_from = FROM_FILE;
		l->text->local_dims = r->dims;
	}
	if (r->offset[0] || r->offset[1] || r->offset[2])
		l->text->offset_dims = r->dims;
	const char *options = p->nunits ? p->units[0].options : p->options;
	if (options && *options) {
		BuildText t = {'b', arena_strdup(l->arena, options), FROM_FILE};
		array_push(&l->text->builds, t);
	}
	l->nobjects = r->nobjects;
	l->objects = ARENA_ARRAY(l->arena, LaunchObject, r->nobjects);
	for (u32 i = 0; i < r->nobjects; i++)
		l->objects[i] = (LaunchObject){.size = r->objects[i].size, .before = r->objects[i].before,
		                               .after = r->objects[i].after,
		                               .address = r->objects[i].kind == CAP_SVM ? r->objects[i].base : 0};
	name_objects(l, p);
	return fits || diag_error(d, NO_LOC, "its sizes are larger than 2^32 - 1, or 0");
}

bool launch_object_load(const Launch *l, u32 object, bool after, u8 *out, Diag *d)
{
	const LaunchObject *o = &l->objects[object];
	return cap_load(l->file, after ? o->after : o->before, out, d);
}

/* ---- in the store ---- */

/* The part of path behind the folder of store, where it is below that; both are whole. */
static const char *seen_from(const char *store, const char *path)
{
	const char *slash = store ? strrchr(store, '/') : NULL;
	size_t n = slash ? (size_t)(slash - store) + 1 : 0;
	return n && !strncmp(path, store, n) ? path + n : path;
}

void recorded_options(const char *store, const CapFile *file, const CapLaunch *r, Buf *out)
{
	char *path = realpath(file->path, NULL), *from = store ? realpath(store, NULL) : NULL;
	buf_printf(out, "--recorded ");
	launch_print_quoted(path ? seen_from(from, path) : file->path, out);
	free(from);
	free(path);
	buf_printf(out, " --launch %" PRIu64 " --file-hash %016" PRIx64 " --kernel %s", r->number, cap_hash(file),
	           r->kernel);
	launch_print_sizes("--global", r->global, r->dims, out);
	if (r->local[0])
		launch_print_sizes("--local", r->local, r->dims, out);
	if (r->offset[0] || r->offset[1] || r->offset[2])
		launch_print_sizes("--offset", r->offset, r->dims, out);
}

static bool parse_hex(const char *text, u64 *out)
{
	char *end;
	errno = 0;
	*out = strtoull(text, &end, 16);
	return *text && !*end && !errno;
}

bool recorded_ref(const char *options, RecordedRef *out, Arena *a)
{
	static const char first[] = "--recorded ";
	if (strncmp(options, first, sizeof first - 1) != 0)
		return false;
	Diag none;
	LaunchTokens t = {0};
	diag_init(&none);
	bool ok = launch_words(options, NO_LOC, NULL, a, &t, &none) && t.n >= 6 &&
	          !strcmp(t.v[2].text, "--launch") && parse_u64(t.v[3].text, &out->number) &&
	          !strcmp(t.v[4].text, "--file-hash") && parse_hex(t.v[5].text, &out->hash);
	if (ok)
		out->path = t.v[1].text;
	array_free(&t);
	diag_free(&none);
	return ok;
}

const CapLaunch *recorded_find(const RecordedRef *ref, const CapFile *file, Diag *d)
{
	if (cap_hash(file) != ref->hash) {
		diag_error(d, (Loc){.file = file->path}, "this launch file is not the one that was measured");
		return NULL;
	}
	for (u32 i = 0; i < file->launches.n; i++)
		if (file->launches.v[i].number == ref->number)
			return &file->launches.v[i];
	diag_error(d, (Loc){.file = file->path}, "launch %" PRIu64 " is not in this file", ref->number);
	return NULL;
}
