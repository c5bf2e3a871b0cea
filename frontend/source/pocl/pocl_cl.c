/* OpenCL inside a worker process: the device, error names, the private cache. */
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl.h"

#include "base/opencl_host.h"
#include "frontend/module/llvm.h"
#include "frontend/packages.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static bool choose_platform(cl_platform_id *out)
{
	cl_platform_id all[32];
	cl_uint n = 0;
	opencl_host_prepare();
	if (clGetPlatformIDs(COUNT(all), all, &n) != CL_SUCCESS)
		return false;
	for (cl_uint i = 0; i < n && i < COUNT(all); i++) {
		char name[256] = "";
		clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
		if (!strcmp(name, "Portable Computing Language")) {
			*out = all[i];
			return true;
		}
	}
	return false;
}

/* The LLVM that PoCL was built with, 0: it does not say ("… PoCL 6.0 …, LLVM 18.1.8, …"). */
static u32 platform_llvm(cl_platform_id platform)
{
	char text[1024] = "";
	clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL);
	const char *at = strstr(text, "LLVM ");
	return at ? (u32)strtoul(at + strlen("LLVM "), NULL, 10) : 0;
}

/* Both are in one process. clang 18 and later get on with that also where they cannot be kept apart. What a later LLVM
 * writes an earlier one cannot read. */
bool pocl_goes_with(u32 theirs, u32 ours, bool apart, char *why, size_t size)
{
	const char *how = theirs > ours ? "cannot read what it writes" : "cannot be in one process with it";
	if (!theirs || theirs == ours || (theirs < ours && (apart || theirs >= 18)))
		return true;
	snprintf(why, size, "PoCL here has LLVM %u, and LLVM %u, which wavesim was built with, %s; build wavesim with: "
	                    "make LLVM=%u", theirs, ours, how, theirs);
	return false;
}

bool pocl_cl_open(PoclCl *cl, char *why, size_t size)
{
	cl_platform_id platform;
	if (!choose_platform(&platform)) {
		snprintf(why, size,
		         "PoCL, the OpenCL compiler that wavesim uses, is not installed, or no file in "
		         "/etc/OpenCL/vendors names it (OCL_ICD_VENDORS may); install it with: " INSTALL_POCL);
		return false;
	}
	cl->llvm = platform_llvm(platform);
	if (!pocl_goes_with(cl->llvm, llvm_version(), pocl_is_apart(), why, size))
		return false;
	cl_int e = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cl->device, NULL);
	if (e != CL_SUCCESS) {
		snprintf(why, size, "PoCL has no CPU device here (%s); POCL_DEVICES may hide it, or "
		                    "install it with: " INSTALL_POCL, opencl_error(e));
		return false;
	}
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &e);
	if (e == CL_SUCCESS)
		return true;
	snprintf(why, size, "PoCL's CPU device does not start: %s", opencl_error(e));
	return false;
}

char *pocl_cl_log(const PoclCl *cl, cl_program program)
{
	size_t n = 0;
	clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
	char *log = xcalloc(n + 1, 1);
	clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
	return log;
}

/* ---- the cache ---- */

static void rule_path(const char *cache, Buf *out) { buf_printf(out, "%s/rule", cache); }

/* Between tabs, as POCL_UNOPTIMISED. */
void pocl_cache_rule(const char *cache, Buf *options)
{
	Buf path = {0};
	rule_path(cache, &path);
	if (!strpbrk(cache, " \t\n\"'\\"))
		buf_printf(options, " -DWAVESIM_RULE\t" MADE_OF_RULE, path.v);
	array_free(&path);
}

void pocl_made_of(int fd)
{
	MadeOf m = {0};
	made_of_process(&m);
	made_of_give(&m, fd);
	made_of_free(&m);
}

/* Each translation unit overwrites the rule of the one before. */
void pocl_cache_made_of(const char *cache, const SrcProgram *src, MadeOf *m)
{
	Buf path = {0};
	rule_path(cache, &path);
	char *rule = read_regular_file(path.v, NULL);
	m->unknown |= src && src->nunits > 1;
	if (!src || src->nunits)
		made_of_rule(m, rule, cache);
	free(rule);
	array_free(&path);
}

const char *pocl_head(const char *first, const char *user)
{
	static const char disable[] = "-cl-opt-disable";
	bool ours = strstr(first, disable) && !(user && strstr(user, disable));
	if (strstr(first, POCL_UNOPTIMISED))
		return pocl_declare_head();
	return ours ? "#undef __NO_INLINE__\n#define __OPTIMIZE__ 1\n#line 1\n" : "";
}

char *pocl_cache_options(const char *cache, const char *path, const char *first, const char *user)
{
	char dir[PATH_MAX] = ".", link[TEMP_PATH + 16], real[PATH_MAX];
	const char *slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		snprintf(dir, sizeof dir, "%.*s", slash == path ? 1 : (int)(slash - path), path);
	const char *include = dir;
	if (strpbrk(dir, " \t\"'\\")) {
		snprintf(link, sizeof link, "%s/include", cache);
		if (realpath(dir, real) && !symlink(real, link))
			include = link;
	}
	Buf b = {0};
	buf_printf(&b, "%s -I%s %s", first, include, user ? user : "");
	return b.v;
}
