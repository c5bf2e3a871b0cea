/* A program of several sources, with the files that they include, or a binary.
 *
 * Included files are laid into CACHE/include, where debug lines find their names again (module.c). All
 * but the first source begin with a #line, so that their lines can be told apart. */
#include "frontend/pocl_parts.h"

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

static bool lay_includes(const SrcUnit *u, const char *root)
{
	Buf path = {0};
	bool ok = true;
	for (u32 i = 0; i < u->nincludes; i++) {
		const SrcInclude *inc = &u->includes[i];
		if (!source_safe_name(inc->name))
			continue;
		make_folders(root, inc->name);
		path.n = 0;
		buf_printf(&path, "%s/%s", root, inc->name);
		FILE *f = fopen(path.v, "w");
		ok &= f && fputs(inc->text, f) >= 0;
		if (f)
			fclose(f);
	}
	array_free(&path);
	return ok;
}

static cl_program make_unit(const PoclCl *cl, const SrcProgram *src, u32 i, const char *path, cl_int *e)
{
	Arena *a = arena_new();
	Buf text = {0};
	if (i)
		buf_printf(&text, "#line 1 \"%s\"\n", source_unit_name(path, i, a));
	buf_printf(&text, "%s", src->units[i].source);
	cl_program p = clCreateProgramWithSource(cl->context, 1, (const char *[]){text.v}, NULL, e);
	array_free(&text);
	arena_free(a);
	return p;
}

static char *unit_options(const SrcUnit *u, const char *first, const char *root)
{
	Buf b = {0};
	buf_printf(&b, "%s -I%s %s", first, root, u->options ? u->options : "");
	return b.v;
}

static cl_program link_units(const PoclCl *cl, const SrcProgram *src, const char *path, const char *root,
                             const char *first, cl_program *failed, cl_int *e)
{
	cl_program *parts = xcalloc(src->nunits, sizeof *parts);
	*e = CL_SUCCESS;
	for (u32 i = 0; *e == CL_SUCCESS && i < src->nunits; i++) {
		char *options = unit_options(&src->units[i], first, root);
		parts[i] = make_unit(cl, src, i, path, e);
		if (*e == CL_SUCCESS)
			*e = clCompileProgram(parts[i], 1, &cl->device, options, 0, NULL, NULL, NULL, NULL);
		if (*e != CL_SUCCESS)
			*failed = parts[i];
		free(options);
	}
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
	mkdir(root, 0777);
	*failed = NULL;
	if (!src->nunits)
		return build_binary(cl, src, e);
	for (u32 i = 0; i < src->nunits; i++) {
		*e = CL_OUT_OF_RESOURCES;
		if (!lay_includes(&src->units[i], root))
			return NULL;
	}
	if (src->linked)
		return link_units(cl, src, path, root, first, failed, e);
	char *options = unit_options(&src->units[0], first, root);
	cl_program p = make_unit(cl, src, 0, path, e);
	if (*e == CL_SUCCESS && compile)
		*e = clCompileProgram(p, 1, &cl->device, options, 0, NULL, NULL, NULL, NULL);
	else if (*e == CL_SUCCESS)
		*e = clBuildProgram(p, 1, &cl->device, options, NULL, NULL);
	if (*e != CL_SUCCESS)
		*failed = p;
	free(options);
	return *e == CL_SUCCESS ? p : NULL;
}
