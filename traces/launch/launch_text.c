/* What the files of the launch description share: messages that quote their source, type
 * names, paths. */
#include "isa/arg_type.h"
#include "traces/launch/launch_impl.h"

bool launch_say(const Launch *l, Diag *d, DiagLevel level, Loc loc, const char *text)
{
	diag_add(d, level, loc, "%s", text);
	for (u32 i = 0; loc.file && loc.line && i < l->text->sources.n; i++)
		if (!strcmp(l->text->sources.v[i].name, loc.file))
			return diag_source(d, l->text->sources.v[i].text);
	return false;
}

static const struct {
	const char *name;
	u8 elem_class, bytes;
} scalars[] = {
    {"char", ELEM_INT, 1},    {"uchar", ELEM_UINT, 1},   {"short", ELEM_INT, 2},
    {"ushort", ELEM_UINT, 2}, {"int", ELEM_INT, 4},      {"uint", ELEM_UINT, 4},
    {"long", ELEM_INT, 8},    {"ulong", ELEM_UINT, 8},   {"half", ELEM_FLOAT, 2},
    {"float", ELEM_FLOAT, 4}, {"double", ELEM_FLOAT, 8},
};

const char *launch_type_name(const ElemShape *s)
{
	for (u32 i = 0; i < COUNT(scalars); i++)
		if (scalars[i].elem_class == s->elem_class && scalars[i].bytes == s->elem_bytes)
			return scalars[i].name;
	return "byte";
}

bool launch_type_shape(const char *name, size_t n, ElemShape *out)
{
	KernelArg k = {0};
	if (!arg_type_parse(name, n, &k))
		return false;
	ElemShape shape = launch_arg_shape(&k);
	const char *scalar = launch_type_name(&shape); /* "unsigned int", size_t and such are none here */
	size_t len = strlen(scalar);
	if (strncmp(name, scalar, len) || len + strspn(name + len, "0123456789") < n ||
	    (len == n) != (shape.width == 1))
		return false;
	*out = shape;
	return true;
}

ElemShape launch_arg_shape(const KernelArg *k)
{
	if (k->elem_class == ELEM_OTHER || !k->elem_bytes) {
		u32 bytes = k->size ? k->size : 1;
		return (ElemShape){ELEM_UINT, 1, bytes, bytes};
	}
	u32 width = k->width ? k->width : 1;
	u32 padded = (width == 3 ? 4 : width) * k->elem_bytes;
	return (ElemShape){k->elem_class, k->elem_bytes, width, k->size > padded ? k->size : padded};
}

const char *launch_dir(Launch *l, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? arena_strndup(l->arena, path, (size_t)(slash - path) + 1) : "";
}

const char *launch_path(Launch *l, const ArgText *t, const char *name)
{
	if (t->origin == FROM_OPTION || *name == '/')
		return name;
	return arena_printf(l->arena, "%s%s", launch_dir(l, t->loc.file), name);
}

bool launch_is_inside(Launch *l, const char *file, const char *path)
{
	return path_is_inside(launch_dir(l, file), path);
}

const char *launch_file_fault(Launch *l, const ArgText *t, const char *path)
{
	return t->origin == FROM_OPTION || launch_is_inside(l, t->loc.file, path) ? NULL : launch_outside(t->origin);
}

const char *launch_outside(LaunchOrigin from)
{
	return from == FROM_UNTRUSTED
	           ? "is outside the current folder, which is not allowed after --untrusted"
	           : "is outside the folder of the file that names it; name it on the command line instead";
}
