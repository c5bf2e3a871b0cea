/* Mangled names taken apart: see mangled.h. */
#include "frontend/module/mangled.h"

#include <ctype.h>

static const char library[] = "_cl_";
enum { LIBRARY = sizeof library - 1 };

Mangled fe_mangled(const char *symbol)
{
	Mangled m = {0};
	if (strncmp(symbol, "_Z", 2) != 0 || symbol[2] < '1' || symbol[2] > '9')
		return m;
	char *name;
	unsigned long n = strtoul(symbol + 2, &name, 10);
	if (n > strlen(name))
		return m;
	m = (Mangled){.name = name, .n = (u32)n, .params = name + n};
	if (n > LIBRARY && !strncmp(name, library, LIBRARY)) {
		m.pocl = true;
		m.name += LIBRARY;
		m.n -= LIBRARY;
	}
	return m;
}

const char *fe_kernel_name(const char *symbol)
{
	if (strncmp(symbol, library, LIBRARY) != 0 || !symbol[LIBRARY] || fe_is_runtime(symbol + LIBRARY))
		return symbol;
	return symbol + LIBRARY;
}

bool mangled_begins(const Mangled *m, const char *start)
{
	size_t n = strlen(start);
	return m->name && n <= m->n && !memcmp(m->name, start, n);
}

bool mangled_is(const Mangled *m, const char *name) { return mangled_begins(m, name) && strlen(name) == m->n; }

/* The last name of a length that ends the symbol, or stands before what ends it. */
const char *fe_variable_name(Arena *a, const char *symbol)
{
	const char *last = symbol;
	size_t length = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) != 0)
		return symbol;
	for (const char *s = symbol + 2; *s; s++) {
		if (!isdigit((unsigned char)*s) || isdigit((unsigned char)s[-1]))
			continue;
		char *name;
		unsigned long n = strtoul(s, &name, 10);
		const char *end = n && n <= strlen(name) ? name + n : NULL;
		if (end && (!*end || *end == '_' || (*end == 'E' && (!end[1] || end[1] == '_')))) {
			last = name;
			length = n;
		}
	}
	return arena_strndup(a, last, length);
}

bool fe_is_runtime(const char *symbol)
{
	static const char *const functions[] = {"async_work_group_copy", "async_work_group_strided_copy",
	                                        "wait_group_events", "prefetch"};
	Mangled f = fe_mangled(symbol);
	bool found = !strcmp(symbol, "printf") || !strcmp(symbol, FE_ASSERT);
	for (u32 i = 0; i < COUNT(functions); i++)
		found |= mangled_is(&f, functions[i]);
	return found;
}

const FeAbsent *fe_absent(const char *symbol)
{
	static const FeAbsent rows[] = {
		{"llvm.amdgcn.image.", "textures and surfaces", "pass a buffer, and compute the index"},
		{"llvm.amdgcn.ds.gws.", "synchronisation of the whole grid", "end the kernel there, and launch the rest as another"},
		{"__ockl_grid_sync", "synchronisation of the whole grid", "end the kernel there, and launch the rest as another"},
		{"__ockl_multi_grid_", "synchronisation of several grids", "end the kernel there, and launch the rest as another"},
		{"*ocl_image", "images in SPIR-V", "give the OpenCL C source, or pass a buffer"},
		{"__ockl_dm_", "memory that the device allocates", "use an array of a constant size, or pass a buffer"},
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (*rows[i].start == '*' ? strstr(symbol, rows[i].start + 1) != NULL
		                          : !strncmp(symbol, rows[i].start, strlen(rows[i].start)))
			return &rows[i];
	return NULL;
}
