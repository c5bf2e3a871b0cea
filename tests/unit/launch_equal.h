/* Are two launches the same: sizes, seed, compiler options, what each argument holds, dumps? */
#ifndef WAVESIM_LAUNCH_EQUAL_H
#define WAVESIM_LAUNCH_EQUAL_H

#include "traces/launch/launch.h"

static bool same_text(const char *a, const char *b) { return !a || !b ? a == b : !strcmp(a, b); }

static bool same_shape(const ElemShape *a, const ElemShape *b)
{
	return a->elem_class == b->elem_class && a->elem_bytes == b->elem_bytes &&
	       a->width == b->width && a->stride == b->stride;
}

static bool same_contents(const LaunchArg *a, const LaunchArg *b)
{
	u64 bytes = a->pipe ? a->packets * a->shape.stride : a->size;
	if (a->init != b->init || a->random_range != b->random_range || a->pipe != b->pipe || a->packets != b->packets)
		return false;
	switch (a->init) {
	case INIT_FILL: return !memcmp(a->bytes, b->bytes, a->shape.stride);
	case INIT_DATA: return !memcmp(a->bytes, b->bytes, bytes);
	case INIT_RANGE:
	case INIT_RANDOM: return !memcmp(a->num, b->num, sizeof a->num);
	case INIT_FILE:
		return same_text(a->path, b->path) && a->path_offset == b->path_offset && a->path_form == b->path_form;
	case INIT_ZERO:
	case INIT_IOTA:
	case INIT_NONE: break;
	}
	return true;
}

static bool same_arg(const LaunchArg *a, const LaunchArg *b)
{
	if (a->kind != b->kind || a->dump != b->dump || a->dump_hex != b->dump_hex ||
	    !same_text(a->dump_file, b->dump_file))
		return false;
	switch (a->kind) {
	case LAUNCH_UNSET:
	case LAUNCH_NULL: return true;
	case LAUNCH_VALUE: return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
	case LAUNCH_LOCAL: return a->size == b->size;
	case LAUNCH_SAMPLER:
		return a->filter == b->filter && a->addressing == b->addressing &&
		       a->normalized == b->normalized;
	case LAUNCH_IMAGE:
		return !memcmp(a->image_size, b->image_size, sizeof a->image_size) &&
		       a->image_order == b->image_order && a->image_type == b->image_type &&
		       same_contents(a, b);
	case LAUNCH_BUFFER: break;
	}
	return a->size == b->size && same_shape(&a->shape, &b->shape) &&
	       a->read_only == b->read_only && a->write_only == b->write_only &&
	       same_contents(a, b);
}

static bool launch_equal(const Launch *a, const Launch *b)
{
	Buf x = {0}, y = {0};
	launch_build_options(a, &x);
	launch_build_options(b, &y);
	bool same = !strcmp(x.v, y.v);
	array_free(&x);
	array_free(&y);
	same = same && same_text(a->kernel, b->kernel) && a->work_dim == b->work_dim &&
	       a->seed == b->seed && a->nargs == b->nargs &&
	       !memcmp(a->global, b->global, sizeof a->global) &&
	       !memcmp(a->local, b->local, sizeof a->local) &&
	       !memcmp(a->offset, b->offset, sizeof a->offset);
	for (u32 i = 0; same && i < a->nargs; i++)
		same = same_arg(&a->args[i], &b->args[i]);
	return same;
}

#endif
