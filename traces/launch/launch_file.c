/* Buffers from files, or from memory in their place: raw bytes, or NumPy's .npy. Sizes are checked now; the bytes are
 * read when the launch runs (launch_data.c). */
#include "traces/launch/launch_spec.h"

#include <errno.h>
#include <sys/stat.h>

FILE *launch_open(const Launch *l, const char *path, u64 *size, const char **why)
{
	struct stat st;
	for (u32 i = 0; i < l->nmemory; i++) {
		const LaunchMemory *m = &l->memory[i];
		if (strcmp(m->name, path))
			continue;
		*size = m->size;
		FILE *f = fmemopen((void *)(uintptr_t)m->bytes, m->size, "rb");
		if (!f)
			*why = arena_printf(l->arena, "cannot read '%s': %s", path, strerror(errno));
		return f;
	}
	bool there = !stat(path, &st), regular = there && S_ISREG(st.st_mode);
	FILE *f = regular ? fopen(path, "rb") : NULL;
	if (there && !regular)
		*why = arena_printf(l->arena, "'%s' is not a regular file", path);
	else if (!f)
		*why = arena_printf(l->arena, "cannot read '%s': %s", path, strerror(errno));
	*size = f ? (u64)st.st_size : 0;
	return f;
}

static bool npy(ArgSpec *s, FILE *f)
{
	LaunchArg *a = s->out;
	NpyInfo info;
	const char *why = npy_header(s->l->arena, f, &info);
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

static bool file(ArgSpec *s, FILE *f, u64 size)
{
	LaunchArg *a = s->out;
	const char *name = s->p + 1;
	if (npy_magic(f))
		return npy(s, f);
	if (path_ends(name, ".npy"))
		return spec_bad(s, name, "'%s' is not a NumPy file", a->path);
	if (!size || size % a->shape.stride)
		return spec_bad(s, name,
			   "'%s' has %llu bytes, which is no whole number of elements (%u bytes)",
			   a->path, (unsigned long long)size, a->shape.stride);
	return spec_count(s, name, size / a->shape.stride);
}

bool spec_file(ArgSpec *s)
{
	LaunchArg *a = s->out;
	const char *name = s->p + 1, *why;
	if (!*name)
		return spec_bad(s, s->p, "a file name is missing after '@'");
	a->path = launch_path(s->l, s->t, name);
	a->init = INIT_FILE;
	const char *fault = launch_file_fault(s->l, s->t, a->path);
	if (fault)
		return spec_bad(s, name, "'%s' %s", a->path, fault);
	u64 size;
	FILE *f = launch_open(s->l, a->path, &size, &why);
	if (!f)
		return spec_bad(s, name, "%s", why);
	bool ok = file(s, f, size);
	fclose(f);
	return ok;
}
