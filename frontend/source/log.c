/* What compilers say: see log.h. */
#include "frontend/source/log.h"

#include "frontend/module/mangled.h"
#include "isa/source.h"

#include <ctype.h>
#include <stdio.h>

/* "file:line:col: message" -> loc (file in *name, to free) and message. */
static bool split_place(const char *line, size_t n, char **name, Loc *loc, const char **message)
{
	for (size_t i = 0; i < n; i++) {
		u32 row, col;
		int used = 0;
		if (line[i] != ':' || sscanf(line + i, ":%u:%u%n", &row, &col, &used) != 2 || !used)
			continue;
		size_t at = i + (size_t)used;
		/* Inside a macro: where the macro is written comes in between. */
		if (at < n && !strncmp(line + at, " <Spelling=", 11)) {
			const char *close = strstr(line + at, ">: ");
			at = close ? (size_t)(close + 1 - line) : n;
		}
		if (at + 2 > n || strncmp(line + at, ": ", 2) != 0)
			continue;
		*name = xmalloc(i + 1);
		memcpy(*name, line, i);
		(*name)[i] = 0;
		*loc = (Loc){*name, row, col};
		*message = line + at + 2;
		return true;
	}
	return false;
}

/* Do the options of the compiler give the macro a value? */
static bool gives(const char *options, const char *macro)
{
	size_t n = strlen(macro);
	for (const char *p = options; p && (p = strstr(p, "-D")) != NULL;) {
		p += 2 + strspn(p + 2, " \"'");
		if (!strncmp(p, macro, n) && strchr("= \"'", p[n]))
			return true;
	}
	return false;
}

/* The macro of "'NAME' macro redefined", where it was -D's; else NULL. */
static const char *redefined(const char *text, size_t n, const char *options, Arena *a)
{
	static const char end[] = "' macro redefined";
	size_t behind = sizeof end - 1;
	if (n <= behind + 1 || *text != '\'' || memcmp(text + n - behind, end, behind) != 0)
		return NULL;
	const char *macro = arena_strndup(a, text + 1, n - behind - 1);
	return gives(options, macro) ? macro : NULL;
}

/* Such as N_STATES, or N. */
static bool is_macros_name(const char *name, size_t n)
{
	size_t capitals = 0;
	for (size_t i = 0; i < n; i++) {
		capitals += !!isupper((u8)name[i]);
		if (!isupper((u8)name[i]) && !isdigit((u8)name[i]) && name[i] != '_')
			return false;
	}
	return capitals > 0;
}

/* What begins a declaration of C++ only. */
static bool is_word_of_cpp(const char *name, size_t n)
{
	static const char *const words[] = {"template", "class", "namespace", "using", "public", "virtual"};
	for (u32 i = 0; i < COUNT(words); i++)
		if (n == strlen(words[i]) && !memcmp(name, words[i], n))
			return true;
	return false;
}

static bool is_word_of_c(const char *name, size_t n) { return !is_word_of_cpp(name, n); }

/* Is a pointer given to one that names no address space? text: the message
 * up to where the quotes of the pointer's type close, which is the last but in an initialisation. */
static bool to_private(const char *text, size_t n)
{
	static const char first[] = "initializing '";
	const char *quote = memrchr(text, '\'', n);
	const char *type = !strncmp(text, first, strlen(first)) ? text + strlen(first) : quote ? quote + 1 : text + n;
	return memmem(type, strcspn(type, "*'"), "__private ", strlen("__private "));
}

/* What lies outside of the file, where a program has it and the command line has not, by how the message begins and
 * ends, and whether what is between fits; the hint names that. */
static const struct {
	const char *begin, *end;
	bool (*fits)(const char *between, size_t n); /* NULL: all does */
	const char *before, *after; /* after NULL: it does not name it */
	bool before_2; /* only before OpenCL C 2.0 */
} outside[] = {
	{"use of undeclared identifier '", "'", is_macros_name,
	 "if the host program defines this macro in its build options, define it here, too: -D ", "=VALUE", false},
	{"unknown type name '", "'", is_word_of_cpp,
	 "this is C++: build it as C++ for OpenCL, with --build-options -cl-std=CLC++, where only functions that a "
	 "kernel calls can be templates, not kernels; or write it in HIP",
	 NULL, false},
	{"", " by zero in preprocessor expression", NULL,
	 "a macro that is not defined is 0 here: if the program defines it when it builds, give it with -D NAME=VALUE",
	 NULL, false},
	{"unknown type name '", "'", is_word_of_c,
	 "if the host program defines this macro in its build options, define it here, too: -D ",
	 "=TYPE; if the program puts other sources before this one, run a file that includes them and then this one",
	 false},
	{"'", "' file not found", NULL, "-I DIR adds a folder in which to look for ", "", false},
	{"", "' changes address space of pointer", to_private,
	 "declare the pointer with its address space, as in `global int *p`; or build with --build-options "
	 "-cl-std=CL2.0, where it needs none",
	 NULL, true},
};

/* A hint of each kind is for its first message. *told: a bit for each. */
static void outside_hint(const char *text, size_t n, const char *options, u32 *told, Diag *d)
{
	char std = source_std(options);
	bool is_before_2 = !std || std == '1';
	for (u32 i = 0; i < COUNT(outside); i++) {
		size_t begin = strlen(outside[i].begin), end = strlen(outside[i].end);
		if (*told >> i & 1 || n < begin + end || memcmp(text, outside[i].begin, begin) ||
		    memcmp(text + n - end, outside[i].end, end))
			continue;
		const char *between = text + begin, *after = outside[i].after;
		size_t length = n - begin - end;
		if ((outside[i].fits && !outside[i].fits(between, length)) || (outside[i].before_2 && !is_before_2))
			continue;
		*told |= 1u << i;
		diag_hint(d, "%s%.*s%s", outside[i].before, after ? (int)length : 0, between, after ? after : "");
	}
}

/* Functions of OpenCL C by their names: macros of PoCL's headers make them '_cl_…'. */
static const char *without_prefix(const char *text, size_t n, const char *source, Arena *a)
{
	static const char prefix[] = "'" POCL_PREFIX;
	if (source && strstr(source, prefix + 1)) /* the user has such names */
		return arena_strndup(a, text, n);
	Buf out = {0};
	const char *end = text + n, *at;
	for (; (at = memmem(text, (size_t)(end - text), prefix, sizeof prefix - 1)); text = at + sizeof prefix - 1)
		buf_printf(&out, "%.*s'", (int)(at - text), text);
	buf_printf(&out, "%.*s", (int)(end - text), text);
	return buf_keep(&out, a);
}

static void add_message(Diag *d, DiagLevel level, Loc loc, const char *text, size_t n, const char *path,
                        const char *source, const char *options, const SrcNumbers *numbers, u32 *told, Arena *a)
{
	bool own = !strcmp(loc.file, path);
	u32 line = source_physical(numbers, own ? NULL : loc.file, loc.line);
	diag_add(d, level, loc, "%s", without_prefix(text, n, source, a));
	const char *macro = redefined(text, n, options, a);
	if (macro)
		diag_hint(d, "the source defines %s again, so -D has no effect: put #ifndef %s before this line and "
		             "#endif after it", macro, macro);
	if (level == DIAG_ERROR)
		outside_hint(text, n, options, told, d);
	if (line)
		diag_source_line(d, source, line);
	else if (own)
		diag_source(d, source);
	else
		diag_source_file(d, loc.file);
}

/* The level that a text begins with; *skip: the bytes of its word. False: it has none. */
static bool level_of(const char *text, DiagLevel *level, size_t *skip)
{
	static const struct {
		const char *word;
		DiagLevel level;
	} levels[] = {{"error: ", DIAG_ERROR}, {"fatal error: ", DIAG_ERROR},
	              {"warning: ", DIAG_WARNING}, {"note: ", DIAG_NOTE}};
	for (u32 i = 0; i < COUNT(levels); i++) {
		*skip = strlen(levels[i].word);
		*level = levels[i].level;
		if (!strncmp(text, levels[i].word, *skip))
			return true;
	}
	return false;
}

void log_to_diag(const char *log, const char *path, const char *text, const char *options,
                 bool (*leave_out)(const char *message), Diag *d)
{
	Arena *a = arena_new();
	SrcNumbers numbers = {0};
	source_numbers(text, &numbers, a);
	u32 hints = 0;
	bool again = false; /* PoCL says what the preprocessor finds twice */
	for (const char *line = log; *line;) {
		size_t n = strcspn(line, "\n"), before = 0, behind = 0;
		DiagLevel level;
		char *name = NULL;
		const char *message = line;
		Loc loc;
		bool first = level_of(line, &level, &before);
		before = first ? before : 0;
		bool placed = split_place(line + before, n - before, &name, &loc, &message);
		bool told = placed && (first || level_of(message, &level, &behind));
		size_t len = (size_t)(line + n - message) - behind;
		if (told && level != DIAG_NOTE)
			again = diag_has(d, level, loc, message + behind, len);
		if (told && !again && (level != DIAG_WARNING || !leave_out || !leave_out(message)))
			add_message(d, level, loc, message + behind, len, path, text, options, &numbers, &hints, a);
		free(name);
		line += n + (line[n] == '\n');
	}
	array_free(&numbers);
	arena_free(a);
}
