/* Mangled names taken apart: see mangled.h. */
#include "frontend/module/mangled.h"

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

bool fe_is_runtime(const char *symbol)
{
	static const char *const functions[] = {"async_work_group_copy", "async_work_group_strided_copy",
	                                        "wait_group_events", "prefetch"};
	Mangled f = fe_mangled(symbol);
	bool found = !strcmp(symbol, "printf");
	for (u32 i = 0; i < COUNT(functions); i++)
		found |= mangled_is(&f, functions[i]);
	return found;
}
