/* What answers are made of: see made_of.h. */
#include "frontend/made_of.h"

#include "base/child.h"

#include <limits.h>
#include <link.h>
#include <unistd.h>

static bool has(const MadeOf *m, const char *name, size_t n)
{
	const char *at = m->names.n ? m->names.v : NULL;
	while (at && *at && (strncmp(at, name, n) != 0 || at[n] != '\n'))
		at = strchr(at, '\n') + 1;
	return at && *at;
}

static void add(MadeOf *m, const char *name, size_t n)
{
	m->unknown |= !n || memchr(name, '\n', n);
	if (!m->unknown && !has(m, name, n))
		buf_line(&m->names, "%.*s", (int)n, name);
}

void made_of(MadeOf *m, const char *name) { add(m, name, strlen(name)); }

void made_of_text(MadeOf *m, const char *names)
{
	m->unknown |= !names;
	while (names && *names) {
		size_t n = strcspn(names, "\n");
		add(m, names, n);
		names += n + (names[n] == '\n');
	}
}

const char *made_of_names(const MadeOf *m) { return m->unknown ? NULL : m->names.n ? m->names.v : ""; }

void made_of_free(MadeOf *m)
{
	array_free(&m->names);
	m->unknown = false;
}

/* ---- between processes ---- */

void made_of_give(const MadeOf *m, int fd)
{
	const char *names = made_of_names(m);
	names = names ? names : "\n";
	write_bytes(fd, names, strlen(names));
}

char *made_of_take(int fd)
{
	MadeOf m = {0};
	size_t n;
	char *names = child_file_read(fd, &n);
	made_of_text(&m, n ? names : NULL);
	free(names);
	names = xstrdup(made_of_names(&m));
	made_of_free(&m);
	return names;
}

/* ---- this process ---- */

static int add_library(struct dl_phdr_info *info, size_t size, void *m)
{
	(void)size;
	if (strchr(info->dlpi_name, '/')) /* else it is the program, or the kernel's own */
		made_of(m, info->dlpi_name);
	return 0;
}

/* Where other libraries are found once another package is there; and other drivers of OpenCL. */
static const char *const deciders[] = {"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/OpenCL/vendors"};

void made_of_process(MadeOf *m)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	m->unknown |= n <= 0;
	self[n > 0 ? n : 0] = 0;
	made_of(m, self);
	dl_iterate_phdr(add_library, m);
	for (u32 i = 0; i < COUNT(deciders); i++)
		made_of(m, deciders[i]);
}

/* ---- rules ---- */

/* The next name of a rule into out; where it ends. clang writes `\ ` and `\#` with the backslashes before them doubled,
 * `$$`, and lets a line end with a backslash. */
static const char *next_name(const char *s, Buf *out)
{
	out->n = 0;
	s += strspn(s, " \n");
	while (!strncmp(s, "\\\n", 2)) {
		s += 2;
		s += strspn(s, " \n");
	}
	while (*s && *s != ' ' && *s != '\n') {
		size_t back = strspn(s, "\\");
		bool escapes = back && (s[back] == ' ' || s[back] == '#');
		for (size_t i = 0; i < (escapes ? back / 2 : back); i++)
			buf_write(out, "\\", 1);
		s += back;
		if (back && !escapes)
			continue;
		s += s[0] == '$' && s[1] == '$';
		buf_write(out, s++, 1);
	}
	buf_printf(out, "%s", "");
	return s;
}

void made_of_rule(MadeOf *m, const char *rule, const char *cache)
{
	char link[PATH_MAX], inside[PATH_MAX];
	size_t n = strlen(cache);
	int k = snprintf(inside, sizeof inside, "%s/include", cache);
	ssize_t real = readlink(inside, link, sizeof link);
	const char *names = rule ? strchr(rule, ':') : NULL;
	Buf name = {0};
	m->unknown |= !names || k < 0 || (size_t)k >= sizeof inside;
	for (const char *s = names ? names + 1 : ""; *(s = next_name(s, &name)) || name.n;) {
		if (!n || strncmp(name.v, cache, n) != 0 || name.v[n] != '/') {
			made_of(m, name.v);
		} else if (real > 0 && !strncmp(name.v, inside, (size_t)k) && name.v[k] == '/') {
			Buf where = {0};
			buf_printf(&where, "%.*s%s", (int)real, link, name.v + k);
			made_of(m, where.v);
			array_free(&where);
		}
	}
	array_free(&name);
}
