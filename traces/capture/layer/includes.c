/* Files that a source includes.
 *
 * `#include "name"` and `#include <name>` are looked up in the folder of the including file, in the
 * current one and in those of -I, as the compiler does; what is found is searched
 * likewise. Conditions are not followed: a file too many does no harm. Names are kept as they are
 * written, those of files beside another one relative to it; a name with ".." or from the
 * root is left to the disk. */
#include "traces/capture/layer/layer.h"

enum { MAX_INCLUDES = 256, MAX_DIRS = 64 };

typedef struct Finder {
	Arena *a;
	const char *dirs[MAX_DIRS];
	u32 ndirs;
	SrcInclude found[MAX_INCLUDES];
	u32 nfound;
} Finder;

static void folders(Finder *f, const char *options)
{
	f->dirs[f->ndirs++] = ".";
	for (const char *p = options ? strstr(options, "-I") : NULL; p; p = strstr(p, "-I")) {
		bool word = p == options || p[-1] == ' ';
		p += 2;
		p += strspn(p, " ");
		char quote = *p == '"' || *p == '\'' ? *p++ : 0;
		size_t n = strcspn(p, quote == '"' ? "\"" : quote ? "'" : " ");
		if (word && n && f->ndirs < MAX_DIRS)
			f->dirs[f->ndirs++] = arena_strndup(f->a, p, n);
		p += n;
	}
}

static const char *load(Finder *f, const char *name)
{
	for (u32 i = 0; i < f->ndirs; i++) {
		size_t n;
		char *text = read_file(arena_printf(f->a, "%s/%s", f->dirs[i], name), &n);
		const char *copy = text && strlen(text) == n ? arena_strdup(f->a, text) : NULL;
		free(text);
		if (copy)
			return copy;
	}
	return NULL;
}

static bool add(Finder *f, const char *name)
{
	if (!source_safe_name(name) || f->nfound == MAX_INCLUDES)
		return false;
	for (u32 i = 0; i < f->nfound; i++)
		if (!strcmp(f->found[i].name, name))
			return true;
	const char *text = load(f, name);
	if (text)
		f->found[f->nfound++] = (SrcInclude){name, text};
	return text != NULL;
}

/* The name behind the #include that a line has, or NULL. */
static const char *included(Finder *f, const char *line)
{
	line += strspn(line, " \t");
	if (*line != '#')
		return NULL;
	line += 1 + strspn(line + 1, " \t");
	if (strncmp(line, "include", 7) != 0)
		return NULL;
	line += 7 + strspn(line + 7, " \t");
	if (*line != '"' && *line != '<')
		return NULL;
	size_t n = strcspn(line + 1, "\">\n");
	return arena_strndup(f->a, line + 1, n);
}

static void scan(Finder *f, const char *text, const char *from)
{
	const char *slash = from ? strrchr(from, '/') : NULL;
	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *name = included(f, line);
		if (!name)
			continue;
		if (!slash || !add(f, arena_printf(f->a, "%.*s%s", (int)(slash + 1 - from), from, name)))
			add(f, name);
	}
}

void includes_find(SrcUnit *u, Arena *a)
{
	Finder *f = xcalloc(1, sizeof *f);
	f->a = a;
	folders(f, u->options);
	for (u32 i = 0; i < u->nincludes && i < MAX_INCLUDES; i++)
		f->found[f->nfound++] = u->includes[i];
	scan(f, u->source, NULL);
	for (u32 i = 0; i < f->nfound; i++)
		scan(f, f->found[i].text, f->found[i].name);
	u->includes = ARENA_ARRAY(a, SrcInclude, f->nfound);
	u->nincludes = f->nfound;
	memcpy(u->includes, f->found, f->nfound * sizeof *f->found);
	free(f);
}
