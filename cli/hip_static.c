/* With -fgpu-rdc, clang gives a `static` variable of the device that the host uses, too, a name that no other file has:
 * _ZL3own is _ZL3own.static.0123…. It sees the host's use late: kernels above it still say _ZL3own, of which there is
 * only a declaration then (clang 15). In LLVM's text of the module they are the same again. */
#include "cli/hip_link.h"

#include <ctype.h>
#include <errno.h>

static bool in_name(char c) { return isalnum((u8)c) || (c && strchr("_.$-", c)); }

/* From its @ on. One with other letters than ASCII's stands between quotes. */
static size_t name_length(const char *s)
{
	size_t n = 1;
	if (s[1] == '"')
		return 2 + strcspn(s + 2, "\"\n") + 1;
	while (in_name(s[n]))
		n++;
	return n;
}

/* Of "@_ZL3own.static.0123 = …" the name in the source, @_ZL3own, to be freed; an empty one: it is another name. */
static Buf plain_name(const char *line)
{
	static const char mark[] = ".static.";
	Buf out = {0};
	const char *at = *line == '@' ? memmem(line, name_length(line), mark, sizeof mark - 1) : NULL;
	if (at)
		buf_printf(&out, "%.*s%s", (int)(at - line), line, line[1] == '"' ? "\"" : "");
	return out;
}

/* The line that declares @NAME, or NULL. */
static const char *declaration(const char *text, const Buf *name)
{
	static const char external[] = " = external ";
	for (const char *s = text; (s = strstr(s, name->v)); s += name->n)
		if ((s == text || s[-1] == '\n') && !strncmp(s + name->n, external, sizeof external - 1))
			return s;
	return NULL;
}

/* The text with another name, so long, for the plain one, and without the line that declares that. */
static char *renamed(const char *text, const char *declared, const Buf *plain, const char *name, size_t length)
{
	Buf out = {0};
	while (*text) {
		size_t n = 1 + strcspn(text + 1, "@");
		if (text == declared)
			n = strcspn(text, "\n");
		else if (*text == '@' && name_length(text) == plain->n && !memcmp(text, plain->v, plain->n)) {
			buf_write(&out, name, length);
			buf_write(&out, text + plain->n, n - plain->n);
		} else
			buf_write(&out, text, n);
		text += n;
	}
	buf_write(&out, "", 1);
	return out.v;
}

/* NULL: nothing is to be changed. The caller's to free. */
static char *one_renamed(const char *text)
{
	char *out = NULL;
	for (const char *line = text; *line && !out; line += strcspn(line, "\n"), line += *line == '\n') {
		Buf plain = plain_name(line);
		const char *declared = plain.n ? declaration(text, &plain) : NULL;
		if (declared)
			out = renamed(text, declared, &plain, line, name_length(line));
		array_free(&plain);
	}
	return out;
}

/* *changed, which is false before: it is written anew. */
static bool rename_in(const char *file, bool *changed, Diag *d)
{
	size_t n;
	char *text = read_file(file, &n);
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", file, strerror(errno));
	for (char *next; (next = one_renamed(text)); text = next) {
		free(text);
		*changed = true;
	}
	bool ok = !*changed || hip_write(file, text, strlen(text), d);
	free(text);
	return ok;
}

bool hip_name_statics(const HipTools *t, const char *bitcode, const char *text, Diag *d)
{
	bool changed = false;
	return hip_convert(t, bitcode, "-S", text, d) && rename_in(text, &changed, d) &&
	       (!changed || hip_convert(t, text, "-c", bitcode, d));
}
