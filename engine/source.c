/* Where in a text of OpenCL C a kernel is, what it defines a macro as, and where its lines are. Comments and strings
 * are passed over; macros are not expanded. */
#include "engine/result.h"

#include "base/scan.h"

/* The name alone, of "space::sum<float, 256>(float*)", and its length. */
static const char *bare_name(const char *name, size_t *n)
{
	size_t end = strcspn(name, "<("), from;
	while (end && !scan_is_word(name[end - 1]))
		end--;
	for (from = end; from && scan_is_word(name[from - 1]);)
		from--;
	*n = end - from;
	return name + from;
}

u32 source_kernel_line(const char *text, const char *name)
{
	size_t n;
	const char *bare = bare_name(name, &n);
	bool one_of = bare[n] || bare != name; /* others may have that name, too */
	u32 line = 1, found = 0;
	bool after_void = false;
	for (const char *s = text; *s && n;) {
		const char *end = source_skip(s);
		if (end == s && scan_is_word(*s)) {
			end += scan_word(s);
			bool it = after_void && (size_t)(end - s) == n && !memcmp(s, bare, n);
			it = it && end[strspn(end, " \t\r\n")] == '(' && source_defines(end);
			if (it && (found || !one_of))
				return one_of ? 0 : line;
			found = it ? line : found;
			after_void = end - s == 4 && !memcmp(s, "void", 4);
		} else if (end == s) {
			end++;
			after_void &= *s == ' ' || *s == '\t' || *s == '\r' || *s == '\n';
		}
		for (; s < end; s++)
			line += *s == '\n';
	}
	return found;
}

u32 source_kernel_end(const char *text, u32 line)
{
	u32 at = 1, depth = 0;
	for (const char *s = text; *s;) {
		const char *end = source_skip(s);
		bool code = end == s;
		end += code;
		if (at >= line && code) {
			depth += *s == '{';
			if (*s == '}' && depth && !--depth)
				return at;
		}
		for (; s < end; s++)
			at += *s == '\n';
	}
	return at;
}

/* ---- macros ---- */

/* The preprocessor's line that begins at s, with the lines that continue it and without comments; returns its end. */
static const char *directive(const char *s, Buf *out)
{
	out->n = 0;
	while (*s && *s != '\n') {
		const char *end = source_skip(s);
		size_t joined = *s == '\\' ? 1 + (s[1] == '\r') : 0;
		if (joined && s[joined] == '\n') {
			s += joined + 1;
		} else if (end > s && *s == '/') {
			buf_printf(out, " ");
			s = end;
		} else {
			end += end == s;
			buf_write(out, s, (size_t)(end - s));
			s = end;
		}
	}
	while (out->n && strchr(" \t\r", out->v[out->n - 1]))
		out->n--;
	buf_printf(out, "%s", "");
	return s;
}

static const char *past(const char *s, const char *chars) { return s + strspn(s, chars); }

/* What stands behind a word; NULL: s is another one. */
static const char *after_word(const char *s, const char *word)
{
	size_t n = strlen(word);
	return strncmp(s, word, n) || scan_is_word(s[n]) ? NULL : past(s + n, " \t");
}

/* Is the condition that the macro is not defined yet? */
static bool is_guard(const char *s, const char *name)
{
	const char *test = after_word(s, "ifndef");
	if (!test && (test = after_word(s, "if")) != NULL)
		test = *test == '!' ? after_word(past(test + 1, " \t"), "defined") : NULL;
	test = test ? after_word(past(test, "( \t"), name) : NULL;
	return test && !*past(test, ") \t");
}

typedef struct MacroSearch {
	const char *name;
	u32 depth;   /* conditions around the line */
	u32 guard;   /* 1: the outermost is the macro's guard */
	u32 changed; /* how often it is defined or undefined */
	const char *value; /* by the last of these; NULL: none, or it depends on a condition */
} MacroSearch;

static void see_directive(MacroSearch *m, const char *s, Arena *a)
{
	size_t n = strlen(m->name);
	const char *to = after_word(s, "define"), *gone = after_word(s, "undef");
	if (!strncmp(s, "if", 2)) {
		if (!m->depth++)
			m->guard = is_guard(s, m->name);
	} else if (!strncmp(s, "el", 2)) {
		if (m->depth == 1)
			m->guard = 0;
	} else if (after_word(s, "endif")) {
		m->depth -= m->depth > 0;
		m->guard = m->depth ? m->guard : 0;
	} else if ((to && after_word(to, m->name)) || (gone && after_word(gone, m->name))) {
		const char *value = to && to[n] != '(' ? after_word(to, m->name) : "";
		m->changed++;
		m->value = *value && m->depth == m->guard ? arena_strdup(a, value) : NULL;
	}
}

const char *source_macro(const char *text, const char *name, Arena *a)
{
	MacroSearch m = {.name = name};
	Buf line = {0};
	bool begins = true; /* only blanks and comments stand before it in its line */
	for (const char *s = text; *s;) {
		const char *end = source_skip(s);
		if (begins && *s == '#') {
			s = directive(s + 1, &line);
			see_directive(&m, past(line.v, " \t"), a);
		} else if (end > s) {
			begins &= *s == '/';
			s = end;
		} else {
			begins = *s == '\n' || (begins && strchr(" \t\r", *s));
			s++;
		}
	}
	array_free(&line);
	return m.changed == 1 ? m.value : NULL;
}

/* ---- lines ---- */

typedef struct SourceIndex {
	Arena *arena;
	bool made;
	const char **start; /* of each of n lines */
	u32 n;
	SrcNumbers numbers; /* the arena's */
} SourceIndex;

SourceIndex *source_index_new(Arena *a)
{
	SourceIndex *x = ARENA_NEW(a, SourceIndex);
	x->arena = a;
	return x;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : NULL;
}

static const SourceIndex *index_of(const ResultSource *s)
{
	SourceIndex *x = s->index;
	if (!x || x->made)
		return x;
	ARRAY(const char *) start = {0};
	for (const char *p = s->text; p; p = next_line(p))
		array_push(&start, p);
	x->n = start.n;
	x->start = array_keep(&start, x->arena);
	source_numbers(s->text, &x->numbers, x->arena);
	x->numbers.v = array_keep(&x->numbers, x->arena);
	x->made = true;
	return x;
}

const char *result_source_line(const ResultSource *s, u32 line, u32 *n)
{
	const SourceIndex *x = line && s->text ? index_of(s) : NULL;
	const char *p = line ? s->text : NULL;
	if (x)
		p = line <= x->n ? x->start[line - 1] : NULL;
	for (u32 i = 1; !x && p && i < line; i++)
		p = next_line(p);
	if (!p || !*p)
		return NULL;
	*n = (u32)strcspn(p, "\r\n");
	return p;
}

SrcLines source_line_presumed(const ResultSource *s, u32 line)
{
	const SourceIndex *x = index_of(s);
	return x ? source_presumed(&x->numbers, line) : (SrcLines){line, line, NULL};
}
