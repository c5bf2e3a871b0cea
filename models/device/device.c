/* Read, check and print device descriptions.
 *
 *   # a comment
 *   [section]
 *   key = value            ; MARK source
 *
 * Every key of device.def appears exactly once, in its section. A figure of the files here
 * has a source behind the semicolon, which starts with a mark: M measured, D documented by
 * the vendor, P probed with a compiler, A assumed; a user's own file may have any words there,
 * or none. All mistakes of a file are reported.
 *
 * A file may begin with `base = NAME`: keys that it leaves out are then those of that
 * device, or of that .ini file (its path seen from this file's folder), with their sources or with
 * the one behind NAME. A base need not have every key: what
 * all of them leave out is missing in the device. */
#include "models/device/device.h"

typedef enum { KIND_TEXT, KIND_NUM, KIND_POW2, KIND_CHOICE, KIND_STEPS, KIND_SIZES } FieldKind;

typedef struct Field {
	const char *section, *key, *unit, *doc;
	FieldKind kind;
	u32 min, max;
	size_t member; /* offset in Device */
	const char *const *words; /* of a CHOICE */
	u32 number; /* DeviceField, of those with a key */
} Field;

/* device.def says the section once, above its keys; an enumerator of sections counts up
 * while the rows are listed. */
enum {
#define SECTION(name, doc) SECTION_##name,
#include "models/device/device.def"
	SECTION_COUNT
};

static const char *const section_name[SECTION_COUNT] = {
#define SECTION(name, doc) #name,
#include "models/device/device.def"
};

static const char *const section_doc[SECTION_COUNT] = {
#define SECTION(name, doc) doc,
#include "models/device/device.def"
};

/* The words of a CHOICE, NULL at the end. */
static const char *const words_of_LDS_FAMILIES[] = {LDS_FAMILIES(X_NAME) NULL};
static const char *const words_of_DEVICE_FAMILIES[] = {DEVICE_FAMILIES(X_NAME) NULL};
static const char *const words_of_DEVICE_CODEGENS[] = {DEVICE_CODEGENS(X_NAME) NULL};
static const char *const words_of_DEVICE_IR_RULES[] = {DEVICE_IR_RULES(X_NAME) NULL};
static const char *const words_of_DEVICE_CACHE_SETS[] = {DEVICE_CACHE_SETS(X_NAME) NULL};
static const char *const words_of_DEVICE_UNIFORM_ATOMICS[] = {DEVICE_UNIFORM_ATOMICS(X_NAME) NULL};
static const char *const words_of_DEVICE_PARTIAL_WRITES[] = {DEVICE_PARTIAL_WRITES(X_NAME) NULL};
static const char *const words_of_DEVICE_AGPR_RULES[] = {DEVICE_AGPR_RULES(X_NAME) NULL};
static const char *const words_of_LDS_PAIRS[] = {LDS_PAIRS(X_NAME) NULL};
static const char *const words_of_DEVICE_TRANS_UNITS[] = {DEVICE_TRANS_UNITS(X_NAME) NULL};
static const char *const words_of_DEVICE_ISSUE_ORDERS[] = {DEVICE_ISSUE_ORDERS(X_NAME) NULL};

static const Field fields[] = {
#define SECTION(name, doc) {.section = #name},
#define TEXT(key, doc) {NULL, #key, "", doc, KIND_TEXT, 0, 0, offsetof(Device, key), NULL, DEVICE_##key},
#define NUM(key, unit, min, max, doc) \
	{NULL, #key, unit, doc, KIND_NUM, min, max, offsetof(Device, key), NULL, DEVICE_##key},
#define POW2(key, unit, min, max, doc) \
	{NULL, #key, unit, doc, KIND_POW2, min, max, offsetof(Device, key), NULL, DEVICE_##key},
#define CHOICE(key, list, doc) \
	{NULL, #key, "", doc, KIND_CHOICE, 0, 0, offsetof(Device, key), words_of_##list, DEVICE_##key},
#define STEPS(key, doc) {NULL, #key, "", doc, KIND_STEPS, 0, 0, offsetof(Device, key), NULL, DEVICE_##key},
#define SIZES(key, doc) {NULL, #key, "", doc, KIND_SIZES, 0, 0, offsetof(Device, key), NULL, DEVICE_##key},
#include "models/device/device.def"
};

typedef struct DeviceReader {
	Device *dev;
	Arena *arena;
	const char *file, *text;
	Diag *diag;
	const char *section; /* NULL before the first */
	bool section_bad;    /* its name was wrong: take any key, one message is enough */
	bool has_base, any;  /* a base was named; any key was */
	bool ours;           /* each figure needs a source */
	u32 depth;           /* of bases */
	u32 next;            /* row to look at first */
	bool seen[COUNT(fields)];
} DeviceReader;

/* Rows without a key open a section. */
static const char *field_section(u32 row)
{
	while (fields[row].key)
		row--;
	return fields[row].section;
}

/* Most files follow the table: from, the row after the last one that was found, is the first guess. */
static u32 field_row(const char *key, u32 from)
{
	for (u32 i = 0; i < COUNT(fields); i++) {
		u32 row = (from + i) % COUNT(fields);
		if (fields[row].key && !strcmp(fields[row].key, key))
			return row;
	}
	return COUNT(fields);
}

static bool show_text(const DeviceReader *r)
{
	diag_source(r->diag, r->text);
	return false;
}

#define complain(r, line, col, ...) (diag_error((r)->diag, (Loc){(r)->file, line, col}, __VA_ARGS__), show_text(r))

static bool unknown_key(DeviceReader *r, u32 line, u32 col, const char *key)
{
	const char *names[COUNT(fields)];
	u32 n = 0;
	for (u32 i = 0; i < COUNT(fields); i++) {
		if (fields[i].key)
			names[n++] = fields[i].key;
	}
	complain(r, line, col, "no device field is called '%s'", key);
	const char *near = nearest_word(key, names, n);
	if (near)
		diag_hint(r->diag, "did you mean '%s'?", near);
	else
		diag_hint(r->diag, "`wavesim devices mi50` prints every field with its meaning");
	return false;
}

static bool read_section(DeviceReader *r, const char *word, u32 line, u32 col)
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

static bool read_number(DeviceReader *r, const Field *f, const char *value, u32 line, u32 col)
{
	u64 v;
	if (!parse_u64(value, &v))
		return complain(r, line, col, "'%s' is not a whole number", value);
	if (v < f->min || v > f->max)
		return complain(r, line, col, "%s must be between %u and %u%s%s", f->key, f->min, f->max,
		                *f->unit ? " " : "", f->unit);
	if (f->kind == KIND_POW2 && (v & (v - 1)))
		return complain(r, line, col, "%s must be a power of two", f->key);
	*(u32 *)(void *)((u8 *)r->dev + f->member) = (u32)v;
	return true;
}

static bool read_choice(DeviceReader *r, const Field *f, const char *value, u32 line, u32 col)
{
	for (u32 i = 0; f->words[i]; i++) {
		if (!strcmp(f->words[i], value)) {
			*(u32 *)(void *)((u8 *)r->dev + f->member) = i;
			return true;
		}
	}
	complain(r, line, col, "'%s' is no %s", value, f->key);
	Buf known = {0};
	for (u32 i = 0; f->words[i]; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", f->words[i]);
	diag_hint(r->diag, "known: %s", known.v);
	array_free(&known);
	return false;
}

enum { MOST_STEP = 1 << 24 };

/* "48:10 56:9", of sizes "48 56"; or "-". */
static bool read_steps(DeviceReader *r, const Field *f, const char *value, u32 line, u32 col)
{
	Steps *steps = (Steps *)(void *)((u8 *)r->dev + f->member);
	bool sizes = f->kind == KIND_SIZES;
	steps->n = 0;
	if (!strcmp(value, "-"))
		return true;
	for (const char *s = value; *s;) {
		size_t n = strcspn(s, " \t"), first = strcspn(s, ":");
		u64 upto = 0, v = 0;
		char *pair = arena_strndup(r->arena, s, n), *second = pair;
		if (first < n && !sizes) {
			pair[first] = 0;
			second = pair + first + 1;
		}
		bool ok = steps->n < DEVICE_STEPS && (second > pair || sizes) && parse_u64(pair, &upto) &&
		          parse_u64(second, &v) && upto <= MOST_STEP && v && v <= MOST_STEP &&
		          (!steps->n || upto > steps->v[steps->n - 1].upto);
		if (!ok) {
			complain(r, line, col + (u32)(s - value), "'%s' is no %s", arena_strndup(r->arena, s, n),
			         sizes ? "size" : "threshold");
			diag_hint(r->diag, sizes ? "at most %u sizes that grow, as in 8192 16384, or -"
			                         : "at most %u of UPTO:VALUE with growing UPTO, as in 48:10 56:9, or -",
			          (u32)DEVICE_STEPS);
			return false;
		}
		steps->v[steps->n].upto = (u32)upto;
		steps->v[steps->n++].value = (u32)v;
		s += n + strspn(s + n, " \t");
	}
	return true;
}

/* The part behind the semicolon: "M CLPEAK". */
static bool read_source(DeviceReader *r, const Field *f, const char *source, u32 line, u32 col)
{
	if (f->kind == KIND_TEXT || !r->ours)
		return true;
	if (!source || !*source) {
		complain(r, line, col, "%s has no source", f->key);
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

/* base = NAME: all of that device, to be changed by what follows; with a source, that is the one of all of it. */
static bool read_base(DeviceReader *r, const char *name, const char *source, u32 line, u32 key_col, u32 col)
{
	Loc at = {r->file, line, col};
	if (r->any || r->has_base)
		return complain(r, line, key_col, "'%s' must stand once, before all other keys", "base");
	r->has_base = true;
	if (!*name)
		return complain(r, line, key_col, "'%s' has no value", "base");
	if (r->depth == 8)
		return complain(r, line, col,
		                "'%s': too many levels of base files; does one of them lead back to this?", name);
	const char *own = r->dev->name, *slash = strrchr(r->file, '/');
	size_t n = strlen(name);
	if (n > 4 && !strcmp(name + n - 4, ".ini") && *name != '/' && slash)
		name = arena_printf(r->arena, "%.*s%s", (int)(slash - r->file + 1), r->file, name);
	if (!device_load_base(r->dev, name, at, r->arena, r->depth + 1, r->diag)) {
		if (!r->diag->msgs.v[r->diag->msgs.n - 1].source)
			diag_source(r->diag, r->text);
		return false;
	}
	r->dev->name = own;
	for (u32 i = 0; source && i < DEVICE_FIELDS; i++)
		if (r->dev->source[i])
			r->dev->source[i] = source;
	return true;
}

static bool read_value(DeviceReader *r, const Field *f, const char *value, u32 line, u32 col)
{
	switch (f->kind) {
	case KIND_TEXT: *(const char **)(void *)((u8 *)r->dev + f->member) = value; return true;
	case KIND_CHOICE: return read_choice(r, f, value, line, col);
	case KIND_STEPS:
	case KIND_SIZES: return read_steps(r, f, value, line, col);
	case KIND_NUM:
	case KIND_POW2: return read_number(r, f, value, line, col);
	}
	return false;
}

static bool read_pair(DeviceReader *r, char *line_text, const char *start, u32 line)
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
	if (!strcmp(key, "base"))
		return read_base(r, value, source, line, key_col, value_col);
	r->any = true;
	u32 row = field_row(key, r->next);
	r->next = row + 1;
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
	if (!read_value(r, f, value, line, value_col))
		return false;
	u32 source_col = source ? (u32)(source - start) + 1 : value_col + (u32)strlen(value);
	r->dev->source[f->number] = source || r->ours ? source : "-";
	return read_source(r, f, source, line, source_col);
}

static bool read_line(DeviceReader *r, char *start, u32 line)
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
static bool check_together(const DeviceReader *r)
{
	const Device *v = r->dev;
	Loc at = {r->file, 0, 0};
	if (v->lds_cus > v->cus_per_wgp)
		return diag_error(r->diag, at, "lds_cus (%u) is more than cus_per_wgp (%u)", v->lds_cus,
		                  v->cus_per_wgp);
	if (v->lds_per_group > v->lds_per_cu)
		return diag_error(r->diag, at, "lds_per_group (%u) is more than lds_per_cu (%u)",
		                  v->lds_per_group, v->lds_per_cu);
	if (!lds_family_fits((LdsFamily)v->lds_rule, v->wave, v->lds_banks))
		return diag_error(r->diag, at, "the lds_rule '%s' is for %s, not %u on %u",
		                  words_of_LDS_FAMILIES[v->lds_rule], lds_family_doc[v->lds_rule], v->wave,
		                  v->lds_banks);
	if (v->sector_bytes > v->line_bytes)
		return diag_error(r->diag, at, "sector_bytes (%u) is more than line_bytes (%u)", v->sector_bytes,
		                  v->line_bytes);
	if (v->l2_fetch_bytes > v->l2_line_bytes || v->l2_line_bytes / 8 > v->l2_fetch_bytes)
		return diag_error(r->diag, at, "l2_fetch_bytes (%u) must be l2_line_bytes (%u) or a half, quarter or "
		                  "eighth of it", v->l2_fetch_bytes, v->l2_line_bytes);
	if (v->l2_pair_bytes && (v->l2_pair_bytes < 2 * v->l2_interleave || v->l2_channels % 2))
		return diag_error(r->diag, at, "l2_pair_bytes (%u) must be twice l2_interleave (%u) or more, and l2_channels "
		                  "(%u) even", v->l2_pair_bytes, v->l2_interleave, v->l2_channels);
	if (v->l3_bytes && !v->l3_bytes_per_cycle)
		return diag_error(r->diag, at, "l3_bytes (%u) needs an l3_bytes_per_cycle above 0", v->l3_bytes);
	if (v->vgpr_max > v->vgpr_file)
		return diag_error(r->diag, at, "vgpr_max (%u) is more than vgpr_file (%u)", v->vgpr_max,
		                  v->vgpr_file);
	return true;
}

/* Did a base say it? */
static bool has_field(const Device *dev, u32 row)
{
	const void *member = (const u8 *)dev + fields[row].member;
	return fields[row].kind == KIND_TEXT ? *(const char *const *)member != NULL
	                                     : dev->source[fields[row].number] != NULL;
}

bool device_parse(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                  Diag *d)
{
	return device_parse_base(dev, name, file, text, a, 0, false, d);
}

bool device_parse_base(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                       u32 depth, bool ours, Diag *d)
{
	memset(dev, 0, sizeof *dev);
	dev->name = arena_strdup(a, name);
	DeviceReader r = {.dev = dev, .arena = a, .file = file, .text = text, .depth = depth, .ours = ours, .diag = d};
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
	if (depth || (r.has_base && d->errors != before)) /* a base that was not found says nothing */
		return d->errors == before;
	for (u32 i = 0; i < COUNT(fields); i++) {
		if (!fields[i].key || r.seen[i] || has_field(dev, i))
			continue;
		Loc at = {file, 0, 0};
		diag_error(d, at, "the field '%s' of [%s] is missing", fields[i].key, field_section(i));
		diag_hint(d, "%s; `base = mi50` at the top would take it from there", fields[i].doc);
	}
	return d->errors == before && check_together(&r);
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

static void put_steps(const Steps *steps, bool sizes, Buf *out)
{
	buf_printf(out, "%s", steps->n ? "" : "-");
	for (u32 i = 0; i < steps->n; i++) {
		buf_printf(out, "%s%u", i ? " " : "", steps->v[i].upto);
		if (!sizes)
			buf_printf(out, ":%u", steps->v[i].value);
	}
}

/* What is behind a source: what the figure is stands in a column of its own, below a source that is wider. */
static const char *source_end(const char *source)
{
	return strlen(source) <= 34 ? " "
	                            : "\n                                                                            ";
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
		else if (f->kind == KIND_STEPS || f->kind == KIND_SIZES)
			put_steps(member, f->kind == KIND_SIZES, &value);
		else
			buf_printf(&value, "%u%s%s", *(const u32 *)member, *f->unit ? " " : "", f->unit);
		const char *source = dev->source[f->number];
		if (f->kind == KIND_TEXT)
			buf_printf(out, "  %-19s %s\n", f->key, value.v);
		else
			buf_printf(out, "  %-19s %-18s %-34s%s%s\n", f->key, value.v, source, source_end(source),
			           f->doc);
		array_free(&value);
	}
	buf_printf(out, "\nmarks: M measured, D documented, P probed with a compiler, A assumed; "
	                "sources: models/README.md\n");
}

void device_copy(Device *to, const Device *from, Arena *a)
{
	*to = *from;
	to->name = arena_strdup(a, from->name);
#define TEXT(key, doc) to->key = arena_strdup(a, from->key);
#define NUM(key, unit, min, max, doc)
#define CHOICE(key, list, doc)
#define STEPS(key, doc)
#include "models/device/device.def"
	for (u32 i = 0; i < DEVICE_FIELDS; i++)
		to->source[i] = arena_strdup(a, from->source[i]);
}
