/* Names of a program's sources: see source.h. */
#include "isa/source.h"

#include <stdio.h>

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

static const char *include_text(const SrcUnit *u, const char *name)
{
	for (u32 k = 0; k < u->nincludes; k++)
		if (!strcmp(name, u->includes[k].name))
			return u->includes[k].text;
	return NULL;
}

const char *source_text(const SrcProgram *p, const char *path, const char *name, Arena *a)
{
	const char *text = NULL;
	u32 unit;
	int n = 0;
	for (u32 i = 0; i < p->nunits; i++)
		if (!strcmp(name, source_unit_name(path, i, a)))
			return p->units[i].source;
	for (u32 i = 0; i < p->nunits && !text; i++)
		text = include_text(&p->units[i], name);
	if (!text && sscanf(name, SOURCE_UNIT_FOLDER "/%n", &unit, &n) == 1 && n && unit && unit <= p->nunits)
		text = include_text(&p->units[unit - 1], name + n);
	return text;
}

static void code_unit(Codec *c, SrcUnit *u)
{
	code_text(c, &u->source);
	code_text(c, &u->options);
	u->includes = code_list(c, u->includes, &u->nincludes, sizeof *u->includes);
	for (u32 i = 0; i < u->nincludes && !c->bad; i++) {
		code_text(c, &u->includes[i].name);
		code_text(c, &u->includes[i].text);
		codec_check(c, u->includes[i].name && u->includes[i].text && source_safe_name(u->includes[i].name));
	}
	codec_check(c, u->source);
}

void source_code(Codec *c, SrcProgram *p)
{
	code_text(c, &p->options);
	p->units = code_list(c, p->units, &p->nunits, sizeof *p->units);
	for (u32 i = 0; i < p->nunits && !c->bad; i++)
		code_unit(c, &p->units[i]);
	code_bool(c, &p->linked);
	code_bytes(c, &p->binary, &p->nbinary);
	code_text(c, &p->missing);
}
