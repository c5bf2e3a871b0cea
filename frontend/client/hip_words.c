/* See hip_words.h. */
#include "frontend/hip_words.h"

#include "frontend/packages.h"

#include <limits.h>
#include <unistd.h>

const char *hip_version_in(const char *text, Arena *a)
{
	const char *major = text ? strstr(text, "HIP_VERSION_MAJOR ") : NULL;
	const char *minor = text ? strstr(text, "HIP_VERSION_MINOR ") : NULL;
	return major && minor ? arena_printf(a, "%d.%d.0", atoi(strchr(major, ' ')), atoi(strchr(minor, ' '))) : NULL;
}

const char *hip_later_headers(Arena *a)
{
	char path[PATH_MAX];
	return near_program("hip/include", path) ? arena_strdup(a, path) : NULL;
}

const char *hip_clang(Diag *d)
{
	if (!access(LLVM_CLANG, X_OK))
		return LLVM_CLANG;
	diag_error(d, NO_LOC, "HIP is compiled by clang " LLVM_MAJOR ", which is not installed");
	diag_hint(d, INSTALL_CLANG);
	return NULL;
}

bool hip_lacks_headers(Diag *d)
{
	diag_error(d, NO_LOC, "HIP's headers are not installed");
	return diag_hint(d, INSTALL_HIP_HEADERS);
}
