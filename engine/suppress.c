/* See suppress.h. */
#include "engine/suppress.h"

#include <errno.h>
#include <fnmatch.h>

typedef ARRAY(Suppression) SuppressionList;

static bool take_line(const Suppressions *s, SuppressionList *list, char *text, u32 line, Arena *a, Diag *d)
{
	static const char space[] = " \t\r";
	char *rest;
	text[strcspn(text, "#")] = 0;
	char *what = strtok_r(text, space, &rest), *where = what ? strtok_r(NULL, space, &rest) : NULL;
	char *more = where ? strtok_r(NULL, space, &rest) : NULL;
	if (more) {
		diag_error(d, (Loc){.file = s->path, .line = line, .col = (u32)(more - text) + 1},
		           "there is something behind the place: '%s'", more);
		return diag_hint(d, "a line is FINDING[/CLASS] [FILE[:LINE]]");
	}
	Suppression one = {arena_strdup(a, what), arena_strdup(a, where), line, 0};
	if (what)
		array_push(list, one);
	return true;
}

Suppressions *suppress_read(const char *path, Loc loc, Arena *a, Diag *d)
{
	Suppressions *s = ARENA_NEW(a, Suppressions);
	char *text = read_file(path, NULL), *next = text;
	SuppressionList list = {0};
	bool ok = true;
	s->path = arena_strdup(a, path);
	if (!text) {
		diag_error(d, loc, "cannot read '%s': %s", path, strerror(errno));
		return NULL;
	}
	for (u32 line = 1; next && *next; line++) {
		char *one = strsep(&next, "\n");
		ok &= take_line(s, &list, one, line, a, d);
	}
	free(text);
	s->n = list.n;
	s->v = array_keep(&list, a);
	return ok ? s : NULL;
}

/* The pattern is the whole path, or its end; with or without a line. */
static bool named_so(const char *where, const char *file, u32 line)
{
	char numbered[4096 + 16];
	for (const char *p = file; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
		snprintf(numbered, sizeof numbered, "%s:%u", p, line);
		if (!fnmatch(where, p, 0) || !fnmatch(where, numbered, 0))
			return true;
	}
	return false;
}

/* By the name of its file, or by what `#line` calls it, as it is printed. */
static bool at_place(const char *where, const ResultPlace *at)
{
	if (!at->file)
		return !strcmp(where, "*");
	return named_so(where, at->file, at->line) ||
	       (at->presumed_file && named_so(where, at->presumed_file, at->presumed_line));
}

static bool matches(const Suppression *s, const ResultFinding *f)
{
	char with_class[128];
	snprintf(with_class, sizeof with_class, "%s/%s", f->id, f->class ? f->class : "");
	if (fnmatch(s->what, f->id, 0) && (!f->class || fnmatch(s->what, with_class, 0)))
		return false;
	return !s->where || at_place(s->where, &f->at) || (f->other && at_place(s->where, &f->other->at));
}

void suppress_findings(Suppressions *s, Result *r)
{
	u32 kept = 0;
	for (u32 i = 0; i < r->findings.n; i++) {
		bool out = false;
		for (u32 k = 0; k < s->n; k++) {
			bool hit = matches(&s->v[k], &r->findings.v[i]);
			s->v[k].used += hit;
			out |= hit;
		}
		if (!out)
			r->findings.v[kept++] = r->findings.v[i];
	}
	r->findings.n = kept;
}

void suppress_note_unused(const Suppressions *s, Diag *d)
{
	for (u32 i = 0; s && i < s->n; i++)
		if (!s->v[i].used)
			diag_note(d, (Loc){.file = s->path, .line = s->v[i].line}, "no finding matched this line");
}
