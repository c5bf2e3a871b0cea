/* Buffers from files: raw bytes, or NumPy's .npy. Sizes are checked now; the bytes are
 * read when the launch runs (launch_data.c). */
#include "traces/launch/launch_spec.h"

#include <errno.h>
#include <sys/stat.h>

static bool npy(ArgSpec *s)
{
	LaunchArg *a = s->out;
	NpyInfo info;
	const char *why = npy_header(s->l->arena, a->path, &info);
	if (why)
		return spec_bad(s, s->p, "'%s': %s", a->path, why);
	bool is_struct = s->k->elem_class == ELEM_OTHER && a->shape.elem_bytes == 1;
	if (!is_struct && (info.shape.elem_class != a->shape.elem_class ||
			   info.shape.elem_bytes != a->shape.elem_bytes)) {
		char *have = arena_strdup(s->l->arena, launch_type_name(&info.shape));
		return spec_bad(s, s->p, "'%s' holds %s, the buffer %s", a->path, have,
			   launch_type_name(&a->shape));
	}
	u64 n = info.shape.elem_bytes;
	for (u32 i = 0; i < info.ndims; i++) {
		if (info.dims[i] && n > ((u64)1 << SEG_SHIFT) / info.dims[i])
			return spec_bad(s, s->p, "'%s': its shape is larger than a buffer can be",
				   a->path);
		n *= info.dims[i];
	}
	u64 elem = is_struct ? a->shape.stride : (u64)a->shape.width * a->shape.elem_bytes;
	if (n % elem)
		return spec_bad(s, s->p, "'%s' has %llu numbers: each element takes %u, and that is no "
		                         "multiple", a->path,
			   (unsigned long long)(n / info.shape.elem_bytes), a->shape.width);
	a->path_offset = info.data;
	a->path_packed = a->shape.stride != elem;
	return spec_count(s, s->p, n / elem);
}

bool spec_file(ArgSpec *s)
{
	LaunchArg *a = s->out;
	const char *name = s->p + 1;
	if (!*name)
		return spec_bad(s, s->p, "a file name is missing after '@'");
	a->path = launch_path(s->l, s->t, name);
	a->init = INIT_FILE;
	const char *fault = launch_file_fault(s->l, s->t, a->path);
	if (fault)
		return spec_bad(s, name, "'%s' %s", a->path, fault);
	struct stat st;
	if (stat(a->path, &st))
		return spec_bad(s, name, "cannot read '%s': %s", a->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return spec_bad(s, name, "'%s' is not a regular file", a->path);
	if (npy_magic(a->path))
		return npy(s);
	if (path_ends(name, ".npy"))
		return spec_bad(s, name, "'%s' is not a NumPy file", a->path);
	u64 size = (u64)st.st_size;
	if (!size || size % a->shape.stride)
		return spec_bad(s, name,
			   "'%s' has %llu bytes, which is no whole number of elements (%u bytes)",
			   a->path, (unsigned long long)size, a->shape.stride);
	return spec_count(s, name, size / a->shape.stride);
}
