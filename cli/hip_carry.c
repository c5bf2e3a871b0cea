/* What an object of -fgpu-rdc carries. The host's linker joins the sections of all objects that it takes into a
 * program, members of archives, too: it decides what belongs to it. So that it sees what the device's parts need of
 * each other, an object has a symbol NAME.device for each name that it defines for the device, or needs. */
#include "cli/hip_link.h"

#include <ctype.h>
#include <errno.h>

/* ---- names, in LLVM's text of a module ---- */

typedef enum { NAME_NONE, NAME_NEEDED, NAME_STRONG, NAME_WEAK } NameKind;

typedef struct Name {
	NameKind kind;
	bool variable;
	const char *s;
	u32 n;
} Name;

static bool word_is(const char *s, const char *word) { return !strncmp(s, word, strlen(word)); }

static bool in_name(char c) { return isalnum((u8)c) || (c && strchr("_.$", c)); }

/* What an escape, \C3, stands for, of letters other than ASCII's; 0: it is none. */
static char letter_at(const char *s)
{
	char code[] = {s[0] == '\\' && s[1] ? s[1] : '\0', s[0] && s[1] ? s[2] : '\0', '\0'}, *end;
	unsigned long c = strtoul(code, &end, 16);
	return end == code + 2 && c >= 0x80 && c <= 0xff ? (char)c : '\0';
}

/* What follows the quote behind a name with such letters; NULL: it is none. */
static const char *behind_name(const char *s)
{
	while (in_name(*s) || letter_at(s))
		s += in_name(*s) ? 1 : 3;
	return *s == '"' ? s + 1 : NULL;
}

/* @"gr\C3\B6sse" becomes the name itself. */
static void unquote_names(char *text)
{
	char *to = text;
	for (const char *s = text; *s;) {
		const char *end = *s == '@' && s[1] == '"' ? behind_name(s + 2) : NULL;
		*to++ = *s++;
		for (s += end != NULL; end && s < end - 1; s += letter_at(s) ? 3 : 1)
			*to++ = letter_at(s) ? letter_at(s) : *s;
		s = end ? end : s;
	}
	*to = '\0';
}

/* By the word that says its linkage, or that says none. */
static NameKind defined_as(const char *linkage)
{
	static const char *const not_shared[] = {"internal ", "private ", "appending ", "available_", "extern_weak "};
	for (u32 i = 0; i < COUNT(not_shared); i++)
		if (word_is(linkage, not_shared[i]))
			return NAME_NONE;
	if (word_is(linkage, "external "))
		return NAME_NEEDED;
	return word_is(linkage, "weak") || word_is(linkage, "linkonce") || word_is(linkage, "common ") ? NAME_WEAK
	                                                                                               : NAME_STRONG;
}

/* "define linkage type @name(…", "declare type @name(…", "@name = linkage …"; line: to the end of the text. */
static Name name_in(const char *line)
{
	Name r = {.variable = *line == '@'};
	size_t length = strcspn(line, "\n");
	const char *at = memchr(line, '@', length);
	if (!at || (!r.variable && !word_is(line, "define ") && !word_is(line, "declare ")))
		return r;
	r.s = at + 1;
	r.n = (u32)strcspn(r.s, "( =\n");
	if (*r.s == '"' || word_is(r.s, "llvm."))
		return r;
	const char *linkage = r.variable ? r.s + r.n : strchr(line, ' ');
	linkage += strspn(linkage, " =");
	r.kind = defined_as(linkage);
	if (*line == 'd' && line[2] == 'c' && r.kind)
		r.kind = NAME_NEEDED;
	if (r.kind == NAME_NEEDED && r.variable && memmem(line, length, "addrspace(3)", 12))
		r.kind = NAME_NONE; /* shared memory of a size that the launch gives */
	return r;
}

/* Is it the device's library's, or the compiler's? (What HIP's headers and clang leave undefined.) Files of the program
 * have all others, among them names like __helper. */
static bool of_library(const Name *name)
{
	static const char *const starts[] = {"__ockl_",   "__ocml_", "__oclc_",   "__hip_",  "__llvm_",      "__assert",
	                                     "__atomic_", "__cxa_",  "__amdgpu_", "__asan_", "__work_group_"};
	static const char *const functions[] = {"printf",  "malloc", "free",   "memcpy",
	                                        "memmove", "memset", "memcmp", "abort"};
	for (u32 i = 0; i < COUNT(starts); i++)
		if (word_is(name->s, starts[i]))
			return true;
	for (u32 i = 0; i < COUNT(functions); i++)
		if (strlen(functions[i]) == name->n && word_is(name->s, functions[i]))
			return true;
	return false;
}

static void add_symbol(Buf *out, const Name *name)
{
	buf_printf(out, "\t%s \"%.*s.device\"\n", name->kind == NAME_WEAK ? ".weak" : ".globl", (int)name->n, name->s);
	if (name->kind == NAME_NEEDED)
		return; /* without a relocation: the linker looks for it, and goes on where there is none */
	buf_printf(out, "\t.hidden \"%.*s.device\"\n\"%.*s.device\":\n", (int)name->n, name->s, (int)name->n, name->s);
}

static void read_names(const char *text, Buf *symbols, Buf *needs, Buf *has)
{
	for (const char *line = text; *line; line += *line == '\n') {
		Name name = name_in(line);
		if (name.kind == NAME_NEEDED && of_library(&name))
			name.kind = NAME_NONE;
		if (name.kind)
			add_symbol(symbols, &name);
		if (name.kind > NAME_NEEDED)
			buf_printf(has, "%.*s ", (int)name.n, name.s);
		else if (name.kind == NAME_NEEDED)
			buf_printf(needs, "%.*s ", (int)name.n, name.s);
		line += strcspn(line, "\n");
	}
}

static bool names_of(const HipTools *t, const char *text, HipCarried *c, Buf *symbols, Diag *d)
{
	Buf needs = {0}, has = {0};
	size_t n;
	char *module = read_file(text, &n);
	if (!module)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", text, strerror(errno));
	unquote_names(module);
	read_names(module, symbols, &needs, &has);
	c->needs = buf_keep(&needs, t->arena);
	c->has = buf_keep(&has, t->arena);
	free(module);
	return true;
}

bool hip_names(const HipTools *t, const char *text, HipCarried *c, Diag *d)
{
	Buf symbols = {0};
	bool ok = names_of(t, text, c, &symbols, d);
	array_free(&symbols);
	return ok;
}

/* ---- writing ---- */

/* How many bytes follow, the strings, the fat binary. */
static bool write_record(const HipCarried *c, const char *file, Diag *d)
{
	const char *const strings[] = {c->source, c->chips, c->needs, c->has};
	Buf out = {0};
	u64 n = c->nbundle;
	for (u32 i = 0; i < COUNT(strings); i++)
		n += strlen(strings[i]) + 1;
	buf_write(&out, &n, sizeof n);
	for (u32 i = 0; i < COUNT(strings); i++)
		buf_write(&out, strings[i], strlen(strings[i]) + 1);
	buf_write(&out, c->bundle, c->nbundle);
	bool ok = hip_write(file, out.v, out.n, d);
	array_free(&out);
	return ok;
}

/* Clang 18 gives each file a fat binary of its own, __hip_fatbin_0123…: in a program they are one. */
static void join_fat_binary(const char *assembly, Buf *out)
{
	static const char own[] = "__hip_fatbin_";
	for (const char *s = assembly; (s = strstr(s, own)); s++) {
		size_t n = sizeof own - 1 + strspn(s + sizeof own - 1, "0123456789abcdef");
		if (n == sizeof own - 1 || isalnum((u8)s[n]) || s[n] == '_')
			continue;
		buf_printf(out, "\t.set %.*s, __hip_fatbin\n", (int)n, s);
		return;
	}
}

static bool append(const char *assembly, const char *symbols, const char *record, Diag *d)
{
	Buf out = {0};
	size_t n;
	char *text = read_file(assembly, &n);
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", assembly, strerror(errno));
	buf_write(&out, text, n);
	join_fat_binary(text, &out);
	/* R: --gc-sections keeps it, where nothing of the host's is needed either. */
	buf_printf(&out, "\t.section " HIP_CARRIED ",\"R\",@progbits\n%s", symbols);
	hip_include_bytes(&out, record);
	bool ok = hip_write(assembly, out.v, out.n, d);
	array_free(&out);
	free(text);
	return ok;
}

bool hip_carry(const HipTools *t, const HipCarried *c, const char *text, const char *assembly, Diag *d)
{
	Buf symbols = {0};
	const char *record = arena_printf(t->arena, "%s.device", assembly);
	HipCarried all = *c;
	bool ok = names_of(t, text, &all, &symbols, d) && write_record(&all, record, d) &&
	          append(assembly, symbols.n ? symbols.v : "", record, d);
	array_free(&symbols);
	return ok;
}

/* ---- reading ---- */

/* What assembly may say of them (make_object of hip_link.c) is a name. */
static bool are_names(const char *s)
{
	while (in_name(*s) || *s == ' ' || (u8)*s >= 0x80)
		s++;
	return !*s;
}

static bool read_record(const char *p, u64 n, HipCarried *c)
{
	const char **const strings[] = {&c->source, &c->chips, &c->needs, &c->has};
	for (u32 i = 0; i < COUNT(strings); i++) {
		const char *end = memchr(p, 0, n);
		if (!end)
			return false;
		*strings[i] = p;
		n -= (u64)(end - p) + 1;
		p = end + 1;
	}
	c->bundle = (const u8 *)p;
	c->nbundle = n;
	return n && *c->chips && are_names(c->needs) && are_names(c->has);
}

bool hip_carried(const char *section, u64 n, HipCarriedList *out)
{
	while (n) {
		HipCarried c;
		u64 size;
		if (n < sizeof size)
			return false;
		memcpy(&size, section, sizeof size);
		section += sizeof size;
		n -= sizeof size;
		if (size > n || !read_record(section, size, &c))
			return false;
		array_push(out, c);
		section += size;
		n -= size;
	}
	return true;
}

bool hip_file_carries(const char *file)
{
	size_t n;
	char *bytes = read_file(file, &n);
	bool has = bytes && memmem(bytes, n, HIP_CARRIED, sizeof HIP_CARRIED);
	free(bytes);
	return has;
}

bool hip_carries(const HipWords *files)
{
	bool found = false;
	for (u32 i = 0; i < files->n && !found; i++) {
		const char *word = files->v[i];
		found = (path_ends(word, ".o") || path_ends(word, ".a")) && hip_file_carries(word);
	}
	return found;
}
