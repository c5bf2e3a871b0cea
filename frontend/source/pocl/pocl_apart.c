/* PoCL's clang beside an LLVM that is not its own.
 *
 * Debian's libLLVM gives each symbol its version, so that LLVM 15 and 19 can be in one process, and libpocl asks for
 * those of its own. libclang-cpp does not: tables of virtual functions that it has itself it would take from the LLVM
 * that was there first, which is ours, and run passes of the other version. So it is loaded first, alone, and looks
 * into its own libraries before it looks elsewhere. libpocl cannot be loaded that way: its dlopen() must be ours
 * (pocl_work.c). */
#include "frontend/source/pocl/pocl_cl.h"

#include "frontend/module/llvm.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static const char CLANG[] = "libclang-cpp.so.";

/* The library's file, where the system's loader looks for it. */
static bool find(const char *name, char *path)
{
	Dl_serinfo size, *places = NULL;
	void *program = strchr(name, '/') ? NULL : dlopen(NULL, RTLD_LAZY);
	bool found = false;
	snprintf(path, PATH_MAX, "%s", name);
	if (strchr(name, '/'))
		return !access(path, R_OK);
	if (program && !dlinfo(program, RTLD_DI_SERINFOSIZE, &size)) {
		places = xcalloc(size.dls_size, 1);
		places->dls_size = size.dls_size;
		places->dls_cnt = size.dls_cnt;
		if (!dlinfo(program, RTLD_DI_SERINFO, places))
			for (u32 i = 0; !found && i < places->dls_cnt; i++) {
				snprintf(path, PATH_MAX, "%s/%s", places->dls_serpath[i].dls_name, name);
				found = !access(path, R_OK);
			}
	}
	free(places);
	if (program)
		dlclose(program);
	return found;
}

bool pocl_needs_clang(const char *pocl, char *name, size_t size, u32 *version)
{
	char path[PATH_MAX];
	size_t n;
	char *bytes = find(pocl, path) ? read_file(path, &n) : NULL;
	const char *at = bytes ? memmem(bytes, n, CLANG, strlen(CLANG)) : NULL;
	if (at) {
		snprintf(name, size, "%s", at);
		*version = (u32)strtoul(at + strlen(CLANG), NULL, 10);
	}
	free(bytes);
	return at;
}

static bool apart;

/* Another version only: what sanitizers are in the process do not bear it. */
void pocl_load_apart(const char *pocl)
{
	char name[64];
	u32 version;
	if (!apart && pocl_needs_clang(pocl, name, sizeof name, &version) && version < llvm_version())
		apart = dlopen(name, RTLD_LAZY | RTLD_DEEPBIND);
}

bool pocl_is_apart(void) { return apart; }
