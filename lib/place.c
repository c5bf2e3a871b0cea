/* Where the helper lies: what the environment names; beside the library (in the build tree), in its folder wavesim (as
 * installed: lib/wavesim), or in that of a folder for one kind of machine (lib/x86_64-linux-gnu). A program that has
 * the library inside is anywhere: then it is where `make install` put it. */
#include "lib/impl.h"

#include "place.h"

#include <limits.h>
#include <link.h>
#include <unistd.h>

#define HELPER "wavesim-helper"

typedef struct Own {
	char file[PATH_MAX];
} Own;

/* The one of the loaded files that this function is in. */
static int is_own(struct dl_phdr_info *info, size_t size, void *own)
{
	(void)size;
	uintptr_t here = (uintptr_t)(void *)lib_helper;
	for (u32 i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || here < from || here >= from + p->p_memsz)
			continue;
		snprintf(((Own *)own)->file, PATH_MAX, "%s", info->dlpi_name);
		return 1;
	}
	return 0;
}

char *lib_helper(void)
{
	static const char *const places[] = {"", "wavesim/", "../wavesim/"};
	const char *given = getenv("WAVESIM_HELPER");
	Own own = {{0}};
	char path[PATH_MAX + 64], real[PATH_MAX];
	if (given && *given)
		return NULL;
	dl_iterate_phdr(is_own, &own);
	for (u32 i = 0; *own.file && i < COUNT(places); i++) {
		int folder = (int)(path_name(own.file) - own.file);
		snprintf(path, sizeof path, "%.*s%s" HELPER, folder, own.file, places[i]);
		if (realpath(path, real))
			return xstrdup(real);
	}
	return !*own.file && near_program(HELPER, real)                ? xstrdup(real)
	       : realpath(WAVESIM_PREFIX "/lib/wavesim/" HELPER, real) ? xstrdup(real)
	                                                               : NULL;
}
