/* Where in a text of OpenCL C a kernel is, what it defines a macro as, and where its lines are. Comments and strings
 * are passed over; macros are not expanded. */
#include "engine/result.h"

#include "base/scan.h"

static u32 count_lines(const char *from, const char *end)
{
	u32 lines = 0;
	for (; from < end; from++)
		lines += *from == '\n';
	return lines;
}

u32 source_kernel_line(const char *text, const char *name)
{
	size_t n;
	const char *bare = source_bare_name(name, &n);
	bool one_of = bare[n] || bare != name; /* others may have that name, too */
	u32 line = 1, found = 0;
	bool after_void = false;
	SrcStep step;
	for (const char *s = text; n && source_next(&s, &step); line += count_lines(step.at, s)) {
		bool it = after_void && step.kind == SRC_WORD && step.n == n && !memcmp(step.at, bare, n);
		it = it && s[strspn(s, " \t\r\n")] == '(' && source_defines(s);
		if (it && (found || !one_of))
			return one_of ? 0 : line;
		found = it ? line : found;
		after_void = step.kind == SRC_WORD ? source_is(&step, "void") : after_void && step.kind != SRC_OTHER;
	}
	return found;
}

u32 source_kernel_end(const char *text, u32 line)
{
	u32 at = 1, depth = 0;
	SrcStep step;
	for (const char *s = text; source_next(&s, &step); at += count_lines(step.at, s)) {
		if (at < line)
			continue;
		depth += source_is_char(&step, '{');
		if (source_is_char(&step, '}') && depth && !--depth)
			return at;
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
	SrcStep step;
	for (const char *s = text; source_next(&s, &step);) {
		if (begins && source_is_char(&step, '#')) {
			s = directive(s, &line);
			see_directive(&m, past(line.v, " \t"), a);
		} else {
			begins &= step.kind == SRC_COMMENT || step.kind == SRC_BLANK;
			begins |= step.kind == SRC_BLANK && count_lines(step.at, s);
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
