/* Building the sources of a program on the device: one text at once, or, as host programs may do it,
 * several texts with the headers that they include, compiled each and linked. */
#include "runner/runner.h"

#include <fcntl.h>
#include <unistd.h>

#define FIRST "-cl-kernel-arg-info "
/* What a program that does not say its language is, by OpenCL's specification. NVIDIA's compiler and PoCL take it for
 * OpenCL C 3.0, where some such programs are errors. */
#define USUAL_STD "-cl-std=CL1.2 "

static void report_log(const ClDev *dev, cl_program p, const char *path, Diag *d)
{
	size_t n = 0;
	clGetProgramBuildInfo(p, dev->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
	char *log = xcalloc(n + 1, 1);
	clGetProgramBuildInfo(p, dev->id, CL_PROGRAM_BUILD_LOG, n, log, NULL);
	diag_error(d, (Loc){path, 0, 0}, "the device's compiler rejects this kernel:\n%s", log);
	free(log);
}

/* False, and why, when e is none; d NULL: no message. */
static bool good(const ClDev *dev, cl_program p, cl_int e, const char *call, const char *path, Diag *d)
{
	if (e == CL_SUCCESS || !d)
		return e == CL_SUCCESS;
	bool rejected = e == CL_BUILD_PROGRAM_FAILURE || e == CL_COMPILE_PROGRAM_FAILURE ||
	                e == CL_LINK_PROGRAM_FAILURE;
	if (!rejected || !p)
		return cl_good(e, call, d);
	report_log(dev, p, path, d);
	return false;
}

static cl_program create(const ClDev *dev, const SrcProgram *src, u32 i, const ProgramMore *more, cl_int *e)
{
	Buf text = {0};
	buf_printf(&text, "%s", src->units[i].source);
	if (more && more->unit == i)
		buf_printf(&text, "\n%s", more->text);
	cl_program p = clCreateProgramWithSource(dev->context, 1, (const char *[]){text.v}, NULL, e);
	array_free(&text);
	return *e == CL_SUCCESS ? p : NULL;
}

static char *unit_options(const SrcUnit *u, const char *std)
{
	Buf out = {0};
	buf_printf(&out, FIRST "%s%s", std, u->options ? u->options : "");
	return out.v;
}

static bool names_std(const SrcProgram *src)
{
	bool names = false;
	for (u32 i = 0; i < src->nunits; i++)
		names |= src->units[i].options && strstr(src->units[i].options, "-cl-std=");
	return names;
}

/* ---- compiled each, then linked ---- */

static cl_int compile(const ClDev *dev, cl_program p, const SrcUnit *u, const char *std)
{
	cl_int e = CL_SUCCESS;
	cl_program *headers = xcalloc(u->nincludes + 1, sizeof *headers);
	const char **names = xcalloc(u->nincludes + 1, sizeof *names);
	for (u32 i = 0; e == CL_SUCCESS && i < u->nincludes; i++) {
		names[i] = u->includes[i].name;
		headers[i] =
		    clCreateProgramWithSource(dev->context, 1, (const char *[]){u->includes[i].text}, NULL, &e);
	}
	char *options = unit_options(u, std);
	u32 n = u->nincludes;
	if (e == CL_SUCCESS)
		e = clCompileProgram(p, 1, &dev->id, options, n, n ? headers : NULL, n ? names : NULL, NULL, NULL);
	free(options);
	for (u32 i = 0; i < n; i++)
		if (headers[i])
			clReleaseProgram(headers[i]);
	free(headers);
	free(names);
	return e;
}

/* Some drivers keep the types of arguments only when the link asks for them too, others do not know the
 * option there. */
static cl_program link_parts(const ClDev *dev, const SrcProgram *src, const cl_program *parts, cl_int *e)
{
	Buf options = {0};
	buf_printf(&options, FIRST "%s", src->linked && src->options ? src->options : "");
	cl_program p = clLinkProgram(dev->context, 1, &dev->id, options.v, src->nunits, parts, NULL, NULL, e);
	if (*e == CL_INVALID_LINKER_OPTIONS && !p)
		p = clLinkProgram(dev->context, 1, &dev->id, options.v + sizeof FIRST - 1, src->nunits, parts, NULL,
		                  NULL, e);
	array_free(&options);
	return p;
}

static cl_program link_units(const ClDev *dev, const char *path, const SrcProgram *src, const ProgramMore *more,
                             const char *std, Diag *d)
{
	cl_program *parts = xcalloc(src->nunits, sizeof *parts), p = NULL;
	bool ok = true;
	cl_int e;
	for (u32 i = 0; ok && i < src->nunits; i++) {
		parts[i] = create(dev, src, i, more, &e);
		ok = good(dev, NULL, e, "clCreateProgramWithSource", path, d) &&
		     good(dev, parts[i], compile(dev, parts[i], &src->units[i], std), "clCompileProgram", path, d);
	}
	if (ok) {
		p = link_parts(dev, src, parts, &e);
		ok = good(dev, p, e, "clLinkProgram", path, d);
	}
	for (u32 i = 0; i < src->nunits; i++)
		if (parts[i])
			clReleaseProgram(parts[i]);
	free(parts);
	if (ok || !p)
		return p;
	clReleaseProgram(p);
	return NULL;
}

static cl_program build_as(const ClDev *dev, const char *path, const SrcProgram *src, const ProgramMore *more,
                           const char *std, Diag *d)
{
	cl_int e;
	if (src->linked || src->nunits > 1 || src->units[0].nincludes)
		return link_units(dev, path, src, more, std, d);
	cl_program p = create(dev, src, 0, more, &e);
	if (!good(dev, NULL, e, "clCreateProgramWithSource", path, d))
		return NULL;
	char *options = unit_options(&src->units[0], std);
	e = clBuildProgram(p, 1, &dev->id, options, NULL, NULL);
	free(options);
	if (good(dev, p, e, "clBuildProgram", path, d))
		return p;
	clReleaseProgram(p);
	return NULL;
}

/* As the device takes it; else, where it names no language, as what it is by the specification. What is wrong is said
 * of the former. */
static cl_program build(const ClDev *dev, const char *path, const SrcProgram *src, const ProgramMore *more, Diag *d)
{
	bool again = !names_std(src);
	cl_program p = build_as(dev, path, src, more, "", again ? NULL : d);
	if (!p && again)
		p = build_as(dev, path, src, more, USUAL_STD, NULL);
	return !p && again && d ? build_as(dev, path, src, more, "", d) : p;
}

/* Compilers in this process say on standard error how many warnings there were; what is wrong is in the log. */
cl_program program_build(const ClDev *dev, const char *path, const SrcProgram *src, const ProgramMore *more,
                         Diag *d)
{
	fflush(stderr);
	int ours = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (ours >= 0 && null >= 0)
		dup2(null, STDERR_FILENO);
	cl_program p = build(dev, path, src, more, d);
	fflush(stderr);
	if (ours >= 0 && null >= 0)
		dup2(ours, STDERR_FILENO);
	if (ours >= 0)
		close(ours);
	if (null >= 0)
		close(null);
	return p;
}
