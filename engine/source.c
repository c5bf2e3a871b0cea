/* Where in a text of OpenCL C a kernel is, and where its lines are. Comments and strings are passed over; macros are
 * not expanded. */
#include "engine/result.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Past a comment or a string that begins at s; s itself when none does. */
static const char *skip_other(const char *s)
{
	if (s[0] == '/' && s[1] == '/')
		return s + strcspn(s, "\n");
	if (s[0] == '/' && s[1] == '*') {
		const char *end = strstr(s + 2, "*/");
		return end ? end + 2 : s + strlen(s);
	}
	if (*s != '"')
		return s;
	for (s++; *s && *s != '"' && *s != '\n'; s++)
		s += *s == '\\' && s[1];
	return *s ? s + 1 : s;
}

u32 source_kernel_line(const char *text, const char *name)
{
	u32 line = 1;
	size_t n = strlen(name);
	bool after_void = false;
	for (const char *s = text; *s;) {
		const char *end = skip_other(s);
		if (end == s && is_word(*s)) {
			while (is_word(*end))
				end++;
			bool it = after_void && (size_t)(end - s) == n && !memcmp(s, name, n);
			if (it && end[strspn(end, " \t\r\n")] == '(')
				return line;
			after_void = end - s == 4 && !memcmp(s, "void", 4);
		} else if (end == s) {
			end++;
			after_void &= *s == ' ' || *s == '\t' || *s == '\r' || *s == '\n';
		}
		for (; s < end; s++)
			line += *s == '\n';
	}
	return 0;
}

u32 source_kernel_end(const char *text, u32 line)
{
	u32 at = 1, depth = 0;
	for (const char *s = text; *s;) {
		const char *end = skip_other(s);
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

const char *source_macro(const char *text, const char *name, Arena *a)
{
	static const char define[] = "define";
	size_t n = strlen(name);
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *q = p + strspn(p, " \t");
		if (*q != '#')
			continue;
		q += 1 + strspn(q + 1, " \t");
		if (strncmp(q, define, sizeof define - 1) != 0)
			continue;
		q += sizeof define - 1;
		q += strspn(q, " \t");
		if (strncmp(q, name, n) || !q[n] || !strchr(" \t", q[n]))
			continue;
		q += n + strspn(q + n, " \t");
		size_t end = 0;
		while (!strchr("\r\n", q[end]) && strncmp(q + end, "//", 2) && strncmp(q + end, "/*", 2))
			end++;
		while (end && strchr(" \t", q[end - 1]))
			end--;
		return end ? arena_strndup(a, q, end) : NULL;
	}
	return NULL;
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
