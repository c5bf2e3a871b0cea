/* With -fgpu-rdc, clang gives a `static` variable of the device that the host uses, too, a name that no other file has:
 * _ZL3own is _ZL3own.static.0123…. It sees the host's use late: kernels above it still say _ZL3own, of which there is
 * only a declaration then (clang 15). In LLVM's text of the module they are the same again. */
#include "cli/hip_link.h"

#include <ctype.h>
#include <errno.h>

static bool in_name(char c) { return isalnum((u8)c) || (c && strchr("_.$-", c)); }

/* How much of "@_ZL3own.static.0123 = …" is the name in the source; 0: another one. */
static size_t plain_length(const char *line)
{
	static const char mark[] = ".static.";
	const char *at = *line == '@' ? memmem(line, strcspn(line, " \n"), mark, sizeof mark - 1) : NULL;
	return at ? (size_t)(at - line) : 0;
}

/* The line that declares @NAME, or NULL. */
static const char *declaration(const char *text, const char *name, size_t n)
{
	static const char external[] = " = external ";
	for (const char *s = text; (s = memmem(s, strlen(s), name, n)); s += n)
		if ((s == text || s[-1] == '\n') && !strncmp(s + n, external, sizeof external - 1))
			return s;
	return NULL;
}

/* The text with another name for one, and without its declaration. */
static void rename_to(const char *text, const char *declared, const char *name, size_t plain, size_t all, Buf *out)
{
	while (*text) {
		size_t n = 1 + strcspn(text + 1, "@");
		if (text == declared)
			n = strcspn(text, "\n");
		else if (!strncmp(text, name, plain) && !in_name(text[plain])) {
			buf_write(out, name, all);
			buf_write(out, text + plain, n - plain);
		} else
			buf_write(out, text, n);
		text += n;
	}
	buf_write(out, "", 1);
}

/* NULL: nothing is to be changed. The caller's to free. */
static char *one_renamed(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = plain_length(line);
		const char *declared = n ? declaration(text, line, n) : NULL;
		Buf out = {0};
		if (!declared)
			continue;
		rename_to(text, declared, line, n, strcspn(line, " \n"), &out);
		return out.v;
	}
	return NULL;
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
	bool ok = !*changed || hip_write(file, &(Buf){.v = text, .n = (u32)strlen(text)}, d);
	free(text);
	return ok;
}

bool hip_name_statics(const HipTools *t, const char *bitcode, const char *text, Diag *d)
{
	bool changed = false;
	return hip_convert(t, bitcode, "-S", text, d) && rename_in(text, &changed, d) &&
	       (!changed || hip_convert(t, text, "-c", bitcode, d));
}
