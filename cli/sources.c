/* What a source includes, as far as its text tells. */
#include "cli/sources.h"

#include <sys/stat.h>

enum { DEEPEST = 32 };

typedef struct SourceWalk {
	const char *options;
	SourceEach *each;
	void *ctx;
	Arena *arena;
	ARRAY(struct stat) seen;
} SourceWalk;

static bool visit(SourceWalk *w, const char *path, u32 depth);

static bool visit_included(SourceWalk *w, const char *path, const char *text, u32 depth)
{
	bool ok = true;
	int folder = (int)(path_name(path) - path); /* "" or with its slash */
	for (const char *at = text; ok && (at = strstr(at, "include")); at += 7) {
		const char *before = at, *open = at + 7 + strspn(at + 7, " \t");
		while (before > text && strchr(" \t", before[-1]))
			before--;
		int n = *open == '"' || *open == '<' ? (int)strcspn(open + 1, "\">\n") : 0;
		if (before == text || before[-1] != '#' || !n)
			continue;
		const char *name = arena_strndup(w->arena, open + 1, (size_t)n);
		ok = visit(w, name, depth) &&
		     (!folder || visit(w, arena_printf(w->arena, "%.*s%s", folder, path, name), depth));
		for (const char *i = w->options; ok && i && (i = strstr(i, "-I")); i += 2) {
			const char *dir = i + 2 + strspn(i + 2, " ");
			ok = visit(w, arena_printf(w->arena, "%.*s/%s", (int)strcspn(dir, " "), dir, name), depth);
		}
	}
	return ok;
}

static bool visit(SourceWalk *w, const char *path, u32 depth)
{
	struct stat st;
	size_t n;
	if (depth > DEEPEST || stat(path, &st) || !S_ISREG(st.st_mode))
		return true;
	for (u32 i = 0; i < w->seen.n; i++) /* one file has many names: a/../a/b.h */
		if (w->seen.v[i].st_dev == st.st_dev && w->seen.v[i].st_ino == st.st_ino)
			return true;
	array_push(&w->seen, st);
	char *text = read_regular_file(path, &n);
	bool ok = !text || (w->each(w->ctx, path, text, n) && visit_included(w, path, text, depth + 1));
	free(text);
	return ok;
}

bool sources_walk(const char *path, const char *options, SourceEach *each, void *ctx)
{
	SourceWalk w = {.options = options, .each = each, .ctx = ctx, .arena = arena_new()};
	bool ok = visit(&w, path, 0);
	array_free(&w.seen);
	arena_free(w.arena);
	return ok;
}
