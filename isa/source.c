/* Names of a program's sources: see source.h. */
#include "isa/source.h"

bool source_safe_name(const char *name)
{
	for (const char *p = name; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
		if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2]))
			return false;
	return *name && *name != '/';
}

const char *source_unit_name(const char *path, u32 i, Arena *a)
{
	const char *dot = strrchr(path, '.');
	int stem = dot ? (int)(dot - path) : (int)strlen(path);
	return i ? arena_printf(a, "%.*s-%u%s", stem, path, i + 1, path + stem) : path;
}

const char *source_text(const SrcProgram *p, const char *path, const char *name, Arena *a)
{
	for (u32 i = 0; i < p->nunits; i++)
		if (!strcmp(name, source_unit_name(path, i, a)))
			return p->units[i].source;
	for (u32 i = 0; i < p->nunits; i++)
		for (u32 k = 0; k < p->units[i].nincludes; k++)
			if (!strcmp(name, p->units[i].includes[k].name))
				return p->units[i].includes[k].text;
	return NULL;
}
