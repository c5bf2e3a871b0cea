/* See misuse.h. The place of a misuse is the innermost call in the program's own source: not in OpenCL's loader, and
 * not in a header of the system, where C++ has its wrappers. */
#include "engine/misuse.h"

#include "engine/host_lines.h"

#include <unistd.h>

static const struct {
	const char *name, *severity, *hint;
} classes[MISUSE_COUNT] = {
#define MISUSE(name, severity, hint) {#name, severity, hint},
#include "traces/capture/misuse.def"
};

typedef struct MisusePlace {
	const char *file; /* of the source, or NULL */
	u32 line;
	const char
	    *from; /* "file:line" of its caller, because programs wrap OpenCL's functions in their own; or NULL */
	const char *binary; /* "program+0x1234" where there is no line; or NULL */
} MisusePlace;

static bool in_loader(const CapFrame *f) { return !strncmp(path_name(f->file), "libOpenCL.", 10); }

/* Below the current folder it is named from there. */
static const char *short_name(const char *file, Arena *a)
{
	char here[4096];
	size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
	bool below = n && !strncmp(file, here, n) && file[n] == '/';
	return arena_strdup(a, below ? file + n + 1 : file);
}

static MisusePlace place_of(const CapPlace *p, bool own, HostLines *lines, Arena *a)
{
	MisusePlace best = {0};
	const char *caller = NULL; /* the program or library that calls OpenCL: what calls that in turn is not of it, as
	                            * the C library is not that calls main */
	bool found = false;
	for (u32 i = 0; i < p->n; i++) {
		const CapFrame *f = &p->frames[i];
		const char *source;
		u32 line;
		if (in_loader(f))
			continue;
		if (caller && strcmp(f->file, caller) != 0)
			break;
		if (!caller)
			best.binary = arena_printf(a, "%s+0x%" PRIx64, path_name(f->file), f->address);
		caller = f->file;
		if (!own || !host_line(lines, f->file, f->address, &source, &line))
			continue;
		bool of_system = !strncmp(source, "/usr/include/", 13);
		if (found) {
			best.from = arena_printf(a, "%s:%u", short_name(source, a), line);
			break;
		}
		if (!best.file || !of_system) {
			best.file = short_name(source, a);
			best.line = line;
		}
		found = !of_system;
	}
	return best;
}

static void put_place(Buf *b, const MisusePlace *p)
{
	if (p->file)
		buf_printf(b, "%s:%u", p->file, p->line);
	else
		buf_printf(b, "%s", p->binary ? p->binary : "an unknown place");
	if (p->from)
		buf_printf(b, ", called from %s", p->from);
}

/* The line of the source, if it is there. */
static const char *source_line(const MisusePlace *p, bool own, Arena *a)
{
	char *text = p->file && own ? read_regular_file(p->file, NULL) : NULL;
	u32 n = 0;
	const char *line =
	    text ? result_source_line(&(ResultSource){.name = p->file, .text = text}, p->line, &n) : NULL;
	line = line ? arena_strndup(a, line, n) : NULL;
	free(text);
	return line;
}

static void add(Result *r, const CapMisuse *m, bool own, HostLines *lines)
{
	Buf b = {0};
	MisusePlace at = place_of(&m->place, own, lines, r->arena),
		    other = place_of(&m->other_place, own, lines, r->arena);
	buf_printf(&b, "misuse of OpenCL: %s", m->text);
	if (m->count > 1)
		buf_printf(&b, ", %" PRIu64 " times", m->count);
	if ((!at.file || at.from) && m->place.n)
		buf_printf(&b, "; called from %s", at.from ? at.from : at.binary ? at.binary : "an unknown place");
	if (m->other) {
		buf_printf(&b, "; %s at ", m->other);
		put_place(&b, &other);
	}
	ResultFinding f = {.id = "api_misuse", .class = classes[m->class].name, .severity = classes[m->class].severity,
	                   .hint = classes[m->class].hint, .count = m->count, .message = buf_keep(&b, r->arena),
	                   .at = {.file = at.file, .line = at.line, .source = source_line(&at, own, r->arena)}};
	array_push(&r->findings, f);
}

void misuse_add(Result *r, const CapFile *const *files, u32 n)
{
	HostLines *lines = host_lines_new();
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < files[i]->misuses.n; k++)
			add(r, &files[i]->misuses.v[k], files[i]->own, lines);
	host_lines_free(lines);
}
