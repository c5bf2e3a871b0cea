/* Where in a text of OpenCL C a kernel is. Comments and strings are passed over; macros are not
 * expanded. */
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
