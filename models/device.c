/* Read, check and print device descriptions.
 *
 *   # a comment
 *   [section]
 *   key = value            ; MARK source
 *
 * Every key of device.def appears exactly once, in its section; a figure has a
 * source behind the semicolon, which starts with a mark: M measured, D documented by
 * the vendor, P probed with a compiler, A assumed. All mistakes of a file are reported. */
#include "models/device.h"

#include <errno.h>

typedef enum { KIND_TEXT, KIND_NUM, KIND_POW2, KIND_CHOICE } Kind;

typedef struct Field {
	const char *section, *key, *unit, *doc;
	Kind kind;
	u32 min, max;
	size_t member; /* offset in Device */
	const char *const *words; /* of a CHOICE */
} Field;

/* device.def says the section once, above its keys; an enumerator of sections counts up
 * while the rows are listed. */
enum {
#define SECTION(name, doc) SECTION_##name,
#include "models/device.def"
	SECTION_COUNT
};

static const char *const section_name[SECTION_COUNT] = {
#define SECTION(name, doc) #name,
#include "models/device.def"
};

static const char *const section_doc[SECTION_COUNT] = {
#define SECTION(name, doc) doc,
#include "models/device.def"
};

/* The words of a CHOICE, NULL at the end. */
#define X(name, doc) #name,
static const char *const words_of_LDS_FAMILIES[] = {LDS_FAMILIES(X) NULL};
#undef X

static const Field fields[] = {
#define SECTION(name, doc) {.section = #name},
#define TEXT(key, doc) {NULL, #key, "", doc, KIND_TEXT, 0, 0, offsetof(Device, key), NULL},
#define NUM(key, unit, min, max, doc) \
	{NULL, #key, unit, doc, KIND_NUM, min, max, offsetof(Device, key), NULL},
#define POW2(key, unit, min, max, doc) \
	{NULL, #key, unit, doc, KIND_POW2, min, max, offsetof(Device, key), NULL},
#define CHOICE(key, list, doc) \
	{NULL, #key, "", doc, KIND_CHOICE, 0, 0, offsetof(Device, key), words_of_##list},
#include "models/device.def"
};

typedef struct Reader {
	Device *dev;
	Arena *arena;
	const char *file, *text;
	Diag *diag;
	const char *section; /* NULL before the first */
	bool section_bad;    /* its name was wrong: take any key, one message is enough */
	bool seen[COUNT(fields)];
} Reader;

/* Field rows are those with a key; the others open a section. */
static u32 field_number(u32 row)
{
	u32 n = 0;
	for (u32 i = 0; i < row; i++)
		n += fields[i].key != NULL;
	return n;
}

static const char *field_section(u32 row)
{
	while (fields[row].key)
		row--;
	return fields[row].section;
}

static u32 field_row(const char *key)
{
	for (u32 i = 0; i < COUNT(fields); i++) {
		if (fields[i].key && !strcmp(fields[i].key, key))
			return i;
	}
	return COUNT(fields);
}

static bool complain(Reader *r, u32 line, u32 col, const char *what, const char *word)
{
	Loc at = {r->file, line, col};
	diag_error(r->diag, at, what, word);
	diag_source(r->diag, r->text);
	return false;
}

static bool unknown_key(Reader *r, u32 line, u32 col, const char *key)
{
	const char *names[COUNT(fields)];
	u32 n = 0;
	for (u32 i = 0; i < COUNT(fields); i++) {
		if (fields[i].key)
			names[n++] = fields[i].key;
	}
	Loc at = {r->file, line, col};
	diag_error(r->diag, at, "no device field is called '%s'", key);
	diag_source(r->diag, r->text);
	const char *near = nearest_word(key, names, n);
	if (near)
		diag_hint(r->diag, "did you mean '%s'?", near);
	else
		diag_hint(r->diag, "`wavesim devices mi50` prints every field with its meaning");
	return false;
}

static bool read_section(Reader *r, const char *word, u32 line, u32 col)
{
	r->section_bad = false;
	for (u32 i = 0; i < SECTION_COUNT; i++) {
		if (!strcmp(section_name[i], word)) {
			r->section = section_name[i];
			return true;
		}
	}
	complain(r, line, col, "no section is called '%s'", word);
	const char *near = nearest_word(word, section_name, SECTION_COUNT);
	if (near)
		diag_hint(r->diag, "did you mean [%s]?", near);
	r->section_bad = true;
	return false;
}

static bool read_number(Reader *r, const Field *f, const char *value, u32 line, u32 col)
{
	u64 v;
	Loc at = {r->file, line, col};
	if (!parse_u64(value, &v)) {
		complain(r, line, col, "'%s' is not a whole number", value);
		return false;
	}
	if (v < f->min || v > f->max) {
		diag_error(r->diag, at, "%s must be between %u and %u%s%s", f->key, f->min, f->max,
		           *f->unit ? " " : "", f->unit);
		diag_source(r->diag, r->text);
		return false;
	}
	if (f->kind == KIND_POW2 && (v & (v - 1))) {
		diag_error(r->diag, at, "%s must be a power of two", f->key);
		diag_source(r->diag, r->text);
		return false;
	}
	*(u32 *)(void *)((u8 *)r->dev + f->member) = (u32)v;
	return true;
}

static bool read_choice(Reader *r, const Field *f, const char *value, u32 line, u32 col)
{
	for (u32 i = 0; f->words[i]; i++) {
		if (!strcmp(f->words[i], value)) {
			*(u32 *)(void *)((u8 *)r->dev + f->member) = i;
			return true;
		}
	}
	Loc at = {r->file, line, col};
	diag_error(r->diag, at, "'%s' is no %s", value, f->key);
	diag_source(r->diag, r->text);
	Buf known = {0};
	for (u32 i = 0; f->words[i]; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", f->words[i]);
	diag_hint(r->diag, "known: %s", known.v);
	array_free(&known);
	return false;
}

/* The part behind the semicolon: "M CLPEAK". */
static bool read_source(Reader *r, const Field *f, const char *source, u32 line, u32 col)
{
	if (f->kind == KIND_TEXT)
		return true;
	if (!source || !*source) {
		Loc at = {r->file, line, col};
		diag_error(r->diag, at, "%s has no source", f->key);
		diag_source(r->diag, r->text);
		diag_hint(r->diag, "write where the figure comes from behind it: '; D vendor's manual' "
		                   "(M measured, D documented, P probed, A assumed)");
		return false;
	}
	if (!device_mark(source[0]) || (source[1] && source[1] != ' ')) {
		complain(r, line, col, "the source '%s' does not start with a mark", source);
		diag_hint(r->diag, "M measured, D documented, P probed with a compiler, A assumed");
		return false;
	}
	return true;
}

static char *trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		s[--n] = 0;
	return s;
}

static bool read_pair(Reader *r, char *line_text, const char *start, u32 line)
{
	char *eq = strchr(line_text, '=');
	if (!eq)
		return complain(r, line, (u32)(line_text - start) + 1,
		                "expected 'key = value', found '%s'", line_text);
	*eq = 0;
	char *key = trim(line_text);
	char *value = eq + 1;
	char *source = strchr(value, ';');
	if (source) {
		*source = 0;
		source = trim(source + 1);
	}
	value = trim(value);
	u32 key_col = (u32)(key - start) + 1, value_col = (u32)(value - start) + 1;
	u32 row = field_row(key);
	if (row == COUNT(fields))
		return unknown_key(r, line, key_col, key);
	const Field *f = &fields[row];
	if (!r->section_bad && (!r->section || strcmp(field_section(row), r->section))) {
		complain(r, line, key_col, "'%s' is not of this section", key);
		diag_hint(r->diag, "it belongs below [%s]", field_section(row));
		r->seen[row] = true;
		return false;
	}
	if (r->seen[row])
		return complain(r, line, key_col, "'%s' is given twice", key);
	r->seen[row] = true;
	if (!*value)
		return complain(r, line, key_col, "'%s' has no value", key);
	if (f->kind == KIND_TEXT)
		*(const char **)(void *)((u8 *)r->dev + f->member) = value;
	else if (f->kind == KIND_CHOICE && !read_choice(r, f, value, line, value_col))
		return false;
	else if (f->kind != KIND_CHOICE && !read_number(r, f, value, line, value_col))
		return false;
	u32 source_col = source ? (u32)(source - start) + 1 : value_col + (u32)strlen(value);
	r->dev->source[field_number(row)] = source;
	return read_source(r, f, source, line, source_col);
}

static bool read_line(Reader *r, char *start, u32 line)
{
	char *s = trim(start);
	if (!*s || *s == '#')
		return true;
	u32 col = (u32)(s - start) + 1;
	if (*s != '[')
		return read_pair(r, s, start, line);
	char *end = strchr(s, ']');
	if (!end || end[1]) {
		r->section_bad = true;
		return complain(r, line, col, "expected '[section]', found '%s'", s);
	}
	*end = 0;
	return read_section(r, s + 1, line, col + 1);
}

/* Rules between fields. */
static bool check_together(const Reader *r)
{
	const Device *v = r->dev;
	Loc at = {r->file, 0, 0};
	if (v->lds_per_group > v->lds_per_cu)
		return diag_error(r->diag, at, "lds_per_group (%u) is more than lds_per_cu (%u)",
		                  v->lds_per_group, v->lds_per_cu);
	if (v->lds_rule == LDS_FAMILY_gcn && (v->wave != 64 || v->lds_banks != 32))
		return diag_error(r->diag, at, "the lds_rule 'gcn' is for 64 lanes on 32 banks, not %u on %u",
		                  v->wave, v->lds_banks);
	return true;
}

bool device_parse(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                  Diag *d)
{
	memset(dev, 0, sizeof *dev);
	dev->name = arena_strdup(a, name);
	Reader r = {.dev = dev, .arena = a, .file = file, .text = text, .diag = d};
	u32 before = d->errors;
	char *copy = arena_strdup(a, text);
	u32 line = 1;
	for (char *s = copy; s; line++) {
		char *next = strchr(s, '\n');
		if (next)
			*next++ = 0;
		read_line(&r, s, line);
		s = next;
	}
	for (u32 i = 0; i < COUNT(fields); i++) {
		if (!fields[i].key || r.seen[i])
			continue;
		Loc at = {file, 0, 0};
		diag_error(d, at, "the field '%s' of [%s] is missing", fields[i].key, field_section(i));
		diag_hint(d, "%s", fields[i].doc);
	}
	return d->errors == before && check_together(&r);
}

u32 device_count(void) { return device_ntexts; }
const char *device_name(u32 i) { return device_texts[i].name; }

static bool has_alias(const char *aliases, const char *name)
{
	size_t n = strlen(name);
	for (const char *s = aliases; *s;) {
		size_t len = strcspn(s, " \t");
		if (len == n && !memcmp(s, name, n) && strcmp(name, "-"))
			return true;
		s += len + strspn(s + len, " \t");
	}
	return false;
}

static bool load_file(Device *dev, const char *path, Loc at, Arena *a, Diag *d)
{
	size_t size;
	char *text = read_file(path, &size);
	if (!text)
		return diag_error(d, at, "cannot read the device file '%s': %s", path, strerror(errno));
	bool ok;
	if (memchr(text, 0, size)) {
		Loc file = {path, 0, 0};
		ok = diag_error(d, file, "this is no device description: it holds a zero byte");
	} else {
		const char *slash = strrchr(path, '/');
		const char *base = slash ? slash + 1 : path;
		char *name = arena_strndup(a, base, strlen(base) - strlen(".ini"));
		ok = device_parse(dev, name, path, text, a, d);
	}
	free(text);
	return ok;
}

static bool load_text(Device *dev, u32 i, Arena *a, Diag *d)
{
	char *file = arena_printf(a, "models/devices/%s.ini", device_texts[i].name);
	return device_parse(dev, device_texts[i].name, file, device_texts[i].text, a, d);
}

bool device_load(Device *dev, const char *name, Loc at, Arena *a, Diag *d)
{
	size_t n = strlen(name);
	if (n > 4 && !strcmp(name + n - 4, ".ini"))
		return load_file(dev, name, at, a, d);
	for (u32 i = 0; i < device_ntexts; i++) {
		if (!strcmp(device_texts[i].name, name))
			return load_text(dev, i, a, d);
	}
	for (u32 i = 0; i < device_ntexts; i++) {
		if (!load_text(dev, i, a, d))
			return false;
		if (has_alias(dev->aliases, name))
			return true;
	}
	const char **names = arena_alloc(a, device_ntexts * sizeof *names);
	Buf known = {0};
	for (u32 i = 0; i < device_ntexts; i++) {
		names[i] = device_texts[i].name;
		buf_printf(&known, "%s%s", i ? ", " : "", names[i]);
	}
	diag_error(d, at, "no device is called '%s'", name);
	const char *near = nearest_word(name, names, device_ntexts);
	if (near)
		diag_hint(d, "did you mean '%s'? known: %s, or the path of an .ini file", near, known.v);
	else
		diag_hint(d, "known: %s, or the path of an .ini file", known.v);
	array_free(&known);
	return false;
}

const char *device_mark(char mark)
{
	switch (mark) {
	case 'M': return "measured";
	case 'D': return "documented";
	case 'P': return "probed with a compiler";
	case 'A': return "assumed";
	default: return NULL;
	}
}

void device_print(const Device *dev, Buf *out)
{
	buf_printf(out, "%s\n", dev->name);
	u32 section = 0;
	for (u32 i = 0; i < COUNT(fields); i++) {
		const Field *f = &fields[i];
		if (!f->key) {
			buf_printf(out, "\n[%s] %s\n", section_name[section], section_doc[section]);
			section++;
			continue;
		}
		const void *member = (const u8 *)dev + f->member;
		Buf value = {0};
		if (f->kind == KIND_TEXT)
			buf_printf(&value, "%s", *(const char *const *)member);
		else if (f->kind == KIND_CHOICE)
			buf_printf(&value, "%s", f->words[*(const u32 *)member]);
		else
			buf_printf(&value, "%u%s%s", *(const u32 *)member, *f->unit ? " " : "", f->unit);
		const char *source = dev->source[field_number(i)];
		if (f->kind == KIND_TEXT)
			buf_printf(out, "  %-19s %s\n", f->key, value.v);
		else
			buf_printf(out, "  %-19s %-16s %-30s %s\n", f->key, value.v, source, f->doc);
		array_free(&value);
	}
	buf_printf(out, "\nmarks: M measured, D documented, P probed with a compiler, A assumed; "
	                "sources: models/README.md\n");
}
