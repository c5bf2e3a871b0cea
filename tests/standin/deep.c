/* Preloaded, it loads $DEEP (PoCL) so that calls of its own go to its libraries first: no program comes between. */
#include <dlfcn.h>
#include <stdlib.h>

__attribute__((constructor)) static void load(void)
{
	const char *name = getenv("DEEP");
	if (name)
		dlopen(name, RTLD_NOW | RTLD_DEEPBIND);
}
