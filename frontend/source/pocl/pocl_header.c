/* PoCL's header declares OpenCL's functions in 18,000 lines, which takes clang longer than all that it does after them.
 * So clang reads a copy with those declarations alone whose names a program has. An overlay of clang's file system puts
 * the copy in the header's place: what comes before and after it, and each line's number, stay as they are.
 *
 * A program that compiles with the copy is the same program: all of the header's functions of a name are declared, or
 * none. One that includes files, or pastes names together, has names that its text does not show, and reads the whole
 * header. So does, once more, one that does not compile (pocl.c, pocl_work.c). */
#include "frontend/source/pocl/pocl_header.h"

#include "base/hash.h"
#include "base/scan.h"
#include "frontend/source/pocl/pocl_cl.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>

static const char name[] = "opencl-c.h";

/* ---- names ---- */

static u64 hash_name(const char *word, size_t n)
{
	u64 h = n;
	for (size_t i = 0; i < n; i++)
		h = hash_mix(h + (u8)word[i]);
	return h | 1;
}

/* By hash: two names of one hash only leave a declaration more. */
static void add_names(Map *names, const char *text, const char *end)
{
	while (text < end) {
		size_t n = scan_word(text);
		if (n)
			*map_slot(names, hash_name(text, n)) = names;
		text += n ? n : 1;
	}
}

static bool has_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return true;
	return false;
}

/* Are the names that the compiler will see in the text? If in doubt, no: that only takes longer. */
static bool shows_names(const char *text)
{
	static const char *const pastes[] = {"##", "%:", "??", NULL}, *const includes[] = {"include", "import", NULL};
	if (has_any(text, pastes))
		return false;
	/* Options have no directives, but names of folders. */
	if (strchr(text, '#') && has_any(text, includes))
		return false;
	/* Words, and what begins a directive, may go on in the next line. */
	for (const char *at = strchr(text, '\\'); at; at = strchr(at + 1, '\\'))
		if (at[1 + strspn(at + 1, " \t\v\f\r")] == '\n' && at > text && (scan_is_word(at[-1]) || at[-1] == '#'))
			return false;
	return true;
}

/* ---- the header's text ---- */

/* Behind a directive, with the lines that continue it. */
static const char *skip_directive(const char *p)
{
	do
		p += strcspn(p, "\n") + 1;
	while (p[-1] && p[-2] == '\\');
	return p[-1] ? p : p - 1;
}

/* Behind a declaration. whole: it is no plain one, and stays. */
static const char *skip_declaration(const char *p, bool *whole)
{
	u32 braces = 0;
	SrcStep step;
	while (source_next(&p, &step)) {
		*whole |= source_is_char(&step, '#') || source_is_char(&step, '{');
		braces += source_is_char(&step, '{');
		braces -= source_is_char(&step, '}') && braces;
		if (source_is_char(&step, ';') && !braces)
			break;
	}
	return p;
}

/* Does the program name the function that this declares? Also if it declares something else. */
static bool is_named(const Map *names, const char *p, const char *end)
{
	static const char *const others[] = {"typedef", "struct", "union", "enum", "extern", "__attribute__"};
	for (u32 i = 0; i < COUNT(others); i++)
		if (scan_is(p, scan_word(p), others[i]))
			return true;
	const char *open = memchr(p, '(', (size_t)(end - p)), *last = open;
	while (last && last > p && isspace((unsigned char)last[-1]))
		last--;
	const char *word = last;
	while (word && word > p && scan_is_word(word[-1]))
		word--;
	size_t n = (size_t)(last - word);
	return !n || scan_is(word, n, "__attribute__") || map_get(names, hash_name(word, n));
}

/* What is left out leaves its line ends. */
static void leave_out(const char *p, const char *end, Buf *out)
{
	for (; p < end; p++)
		if (*p == '\n')
			buf_write(out, p, 1);
}

static void shorten(const Map *names, const char *p, Buf *out)
{
	SrcStep step;
	for (const char *end = p; source_next(&end, &step);) {
		bool keep = false;
		if (source_is_char(&step, '#')) {
			end = skip_directive(p);
			keep = true;
		} else if (step.kind == SRC_OTHER || step.kind == SRC_WORD) {
			end = skip_declaration(p, &keep);
			keep = keep || is_named(names, p, end);
		}
		if (keep)
			buf_write(out, p, (size_t)(end - p));
		else
			leave_out(p, end, out);
		p = end;
	}
}

/* Macros stand for other functions. */
static void add_names_of_macros(Map *names, const char *p)
{
	while (*p) {
		p += strspn(p, " \t");
		const char *end = *p == '#' ? skip_directive(p) : p + strcspn(p, "\n");
		if (*p == '#')
			add_names(names, p, end);
		p = end + (*end == '\n');
	}
}

char *pocl_header_shorten(const char *header, const char *const *texts)
{
	Arena *a = arena_new();
	Map *names = map_new(a);
	bool all = true;
	for (; *texts && all; texts++) {
		all = shows_names(*texts);
		add_names(names, *texts, *texts + strlen(*texts));
	}
	Buf out = {0};
	if (all) {
		add_names_of_macros(names, header);
		shorten(names, header, &out);
		buf_printf(&out, "%s", "");
	}
	arena_free(a);
	return out.v;
}

/* ---- in its place ---- */

/* As clang's overlay sees a path: without "..", whatever links lead where. */
static void without_dots(char *path)
{
	char *out = path;
	for (const char *p = path; *p;) {
		size_t n = strcspn(p + 1, "/") + 1;
		if (n == 3 && !strncmp(p, "/..", 3))
			while (out > path && *--out != '/')
				;
		else if (!(n == 2 && p[1] == '.') && n > 1) {
			memmove(out, p, n);
			out += n;
		}
		p += n;
	}
	*out = 0;
}

/* An overlay knows a folder by its path without "..", under which there may be none: so all of its files are in it. */
static bool overlay(const char *folder, const char *copy, Buf *out)
{
	char plain[PATH_MAX], real[PATH_MAX];
	snprintf(plain, sizeof plain, "%s", folder);
	without_dots(plain);
	DIR *dir = realpath(folder, real) && !strpbrk(real, "\"\\") ? opendir(real) : NULL;
	bool found = false;
	buf_printf(out, "{\"version\": 0, \"case-sensitive\": \"true\", \"use-external-names\": \"false\", \"roots\": "
	                "[{\"name\": \"%s\", \"type\": \"directory\", \"contents\": [", plain);
	const char *comma = "";
	for (struct dirent *e; dir && (e = readdir(dir));) {
		bool it = !strcmp(e->d_name, name);
		if (*e->d_name == '.' || strpbrk(e->d_name, "\"\\"))
			continue;
		found |= it;
		buf_printf(out, "%s\n{\"name\": \"%s\", \"type\": \"file\", \"external-contents\": \"%s%s%s\"}", comma,
		           e->d_name, it ? copy : real, it ? "" : "/", it ? "" : e->d_name);
		comma = ",";
	}
	buf_printf(out, "]}]}\n");
	if (dir)
		closedir(dir);
	return found;
}

/* All that a program is made of. */
static const char **texts_of(const char *text, const SrcProgram *src, const char *options)
{
	ARRAY(const char *) all = {0};
	array_push(&all, options);
	if (text)
		array_push(&all, text);
	for (u32 i = 0; src && i < src->nunits; i++) {
		const SrcUnit *u = &src->units[i];
		array_push(&all, u->source);
		if (u->options)
			array_push(&all, u->options);
	}
	array_push(&all, NULL);
	return all.v;
}

bool pocl_header_replace(const char *cache, const char *text, const SrcProgram *src, Buf *options)
{
	char folder[PATH_MAX];
	Buf path = {0}, list = {0};
	bool ok = (!src || src->nunits) && pocl_headers_find(folder, sizeof folder) && !strpbrk(folder, " \t\n\"'\\") &&
	          !strpbrk(cache, " \t\n\"'\\");
	buf_printf(&path, "%s/%s", folder, name);
	char *header = ok ? read_file(path.v, NULL) : NULL, *copy = NULL;
	if (header) {
		const char **texts = texts_of(text, src, options->v);
		copy = pocl_header_shorten(header, texts);
		free(texts);
	}
	path.n = 0;
	buf_printf(&path, "%s/%s", cache, name);
	ok = copy && overlay(folder, path.v, &list) && write_file(path.v, copy);
	path.n = 0;
	buf_printf(&path, "%s/overlay.json", cache);
	ok = ok && write_file(path.v, list.v);
	if (ok) /* (between tabs, as in pocl_cache_rule) */
		buf_printf(options, " -DWAVESIM_HEADER\t-ivfsoverlay\t%s", path.v);
	free(header);
	free(copy);
	array_free(&path);
	array_free(&list);
	return ok;
}
