/* A program of several sources, with the files that they include, or a binary.
 *
 * Included files are laid into CACHE/include, where debug lines find their names again (module.c). Those
 * of a source that has another text under a name that is there already get a folder below, which
 * source_text knows. All but the first source begin with a #line, so that their lines can be told apart. */
#include "frontend/source/pocl/pocl_parts.h"

#include <stdio.h>
#include <sys/stat.h>

/* Every folder of a relative path below root. */
static void make_folders(const char *root, const char *name)
{
	Buf path = {0};
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		path.n = 0;
		buf_printf(&path, "%s/%.*s", root, (int)(slash - name), name);
		mkdir(path.v, 0777);
	}
	array_free(&path);
}

/* Is one of the names there already, with another text? */
static bool other_text(const SrcUnit *u, const char *root)
{
	Buf path = {0};
	bool other = false;
	for (u32 i = 0; i < u->nincludes && !other; i++) {
		size_t n;
		path.n = 0;
		buf_printf(&path, "%s/%s", root, u->includes[i].name);
		char *text = source_safe_name(u->includes[i].name) ? read_file(path.v, &n) : NULL;
		other = text && strcmp(text, u->includes[i].text) != 0;
		free(text);
	}
	array_free(&path);
	return other;
}

/* Files that unit i includes; folder: where they are then. */
static bool lay_includes(const SrcProgram *src, u32 i, const char *root, Buf *folder)
{
	const SrcUnit *u = &src->units[i];
	Buf path = {0};
	bool ok = true;
	folder->n = 0;
	buf_printf(folder, "%s", root);
	mkdir(folder->v, 0777);
	if (other_text(u, root)) {
		buf_printf(folder, "/" SOURCE_UNIT_FOLDER, i + 1);
		mkdir(folder->v, 0777);
	}
	for (u32 k = 0; k < u->nincludes; k++) {
		const SrcInclude *inc = &u->includes[k];
		if (!source_safe_name(inc->name))
			continue;
		make_folders(folder->v, inc->name);
		path.n = 0;
		buf_printf(&path, "%s/%s", folder->v, inc->name);
		ok &= write_file(path.v, inc->text);
	}
	array_free(&path);
	return ok;
}

static cl_program make_unit(const PoclCl *cl, const SrcProgram *src, u32 i, const char *path, const char *first,
                            cl_int *e)
{
	Arena *a = arena_new();
	Buf text = {0};
	buf_printf(&text, "%s", pocl_head(first, src->units[i].options));
	if (i)
		buf_printf(&text, "#line 1 \"%s\"\n", source_unit_name(path, i, a));
	buf_printf(&text, "%s", src->units[i].source);
	cl_program p = clCreateProgramWithSource(cl->context, 1, (const char *[]){text.v}, NULL, e);
	array_free(&text);
	arena_free(a);
	return p;
}

/* Translation unit i, with what it includes laid out and its options; NULL: *e says why. */
static cl_program prepare_unit(const PoclCl *cl, const SrcProgram *src, u32 i, const char *path, const char *root,
                               const char *first, Buf *options, cl_int *e)
{
	Buf folder = {0};
	bool laid = lay_includes(src, i, root, &folder);
	options->n = 0;
	buf_printf(options, "%s -I%s %s", first, folder.v, src->units[i].options ? src->units[i].options : "");
	array_free(&folder);
	*e = CL_OUT_OF_RESOURCES;
	return laid ? make_unit(cl, src, i, path, first, e) : NULL;
}

static cl_program link_units(const PoclCl *cl, const SrcProgram *src, const char *path, const char *root,
                             const char *first, cl_program *failed, cl_int *e)
{
	cl_program *parts = xcalloc(src->nunits, sizeof *parts);
	*e = CL_SUCCESS;
	Buf options = {0};
	for (u32 i = 0; *e == CL_SUCCESS && i < src->nunits; i++) {
		parts[i] = prepare_unit(cl, src, i, path, root, first, &options, e);
		if (*e == CL_SUCCESS)
			*e = clCompileProgram(parts[i], 1, &cl->device, options.v, 0, NULL, NULL, NULL, NULL);
		if (*e != CL_SUCCESS)
			*failed = parts[i];
	}
	array_free(&options);
	cl_program p = NULL;
	if (*e == CL_SUCCESS)
		p = clLinkProgram(cl->context, 1, &cl->device, src->options, src->nunits, parts, NULL, NULL, e);
	free(parts);
	if (*e != CL_SUCCESS && p)
		*failed = p;
	return *e == CL_SUCCESS ? p : NULL;
}

static cl_program build_binary(const PoclCl *cl, const SrcProgram *src, cl_int *e)
{
	size_t n = src->nbinary;
	cl_int status;
	cl_program p = clCreateProgramWithBinary(cl->context, 1, &cl->device, &n, (const u8 *[]){src->binary},
	                                         &status, e);
	if (*e == CL_SUCCESS)
		*e = clBuildProgram(p, 1, &cl->device, src->options, NULL, NULL);
	return *e == CL_SUCCESS ? p : NULL;
}

cl_program pocl_parts_build(const PoclCl *cl, const SrcProgram *src, const char *path, const char *cache,
                            const char *first, bool compile, cl_program *failed, cl_int *e)
{
	char root[TEMP_PATH + 16];
	snprintf(root, sizeof root, "%s/include", cache);
	*failed = NULL;
	if (!src->nunits)
		return build_binary(cl, src, e);
	if (src->linked)
		return link_units(cl, src, path, root, first, failed, e);
	Buf options = {0};
	cl_program p = prepare_unit(cl, src, 0, path, root, first, &options, e);
	if (*e == CL_SUCCESS && compile)
		*e = clCompileProgram(p, 1, &cl->device, options.v, 0, NULL, NULL, NULL, NULL);
	else if (*e == CL_SUCCESS)
		*e = clBuildProgram(p, 1, &cl->device, options.v, NULL, NULL);
	if (*e != CL_SUCCESS)
		*failed = p;
	array_free(&options);
	return *e == CL_SUCCESS ? p : NULL;
}
