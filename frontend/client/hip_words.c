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

const char *const *hip_header_words(const char *root, const char *version, Arena *a)
{
	char own[PATH_MAX];
	const char **words = ARENA_ARRAY(a, const char *, 5);
	words[0] = arena_printf(a, "--rocm-path=%s", root);
	words[1] = arena_printf(a, "--hip-version=%s", version);
	if (near_program("hip/include", own)) {
		words[2] = "-idirafter";
		words[3] = arena_strdup(a, own);
	}
	return words;
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
