/* Names of a program's sources: see source.h. */
#include "isa/source.h"

#include "base/scan.h"

#include <stdio.h>

bool source_safe_name(const char *name)
{
	for (const char *p = name; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
		if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2]))
			return false;
	return *name && *name != '/';
}

/* ---- options ---- */

static bool is_blank(char c) { return c && strchr(" \t\n\r\v\f", c); }
static bool is_quote(char c) { return c == '"' || c == '\'' || c == '\\'; }

/* Behind a word, which quotes and a backslash keep together. */
static const char *word_end(const char *p)
{
	for (char quote = 0; *p && (quote || !is_blank(*p)); p++) {
		if (*p == '\\' && quote != '\'' && p[1])
			p++;
		else if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
	}
	return p;
}

/* Does some part of it begin an option, or name a file of options, if it is split at every blank? */
static bool opens_another(const char *p)
{
	for (bool begins = true; *p; begins = is_blank(*p++))
		if (begins && (*p == '-' || *p == '@'))
			return true;
	return false;
}

/* Without quotes. */
static const char *plain_text(const char *p, const char *end, Arena *a)
{
	char *text = arena_alloc(a, (size_t)(end - p) + 1), *to = text;
	for (; p < end; p++)
		if (!is_quote(*p))
			*to++ = *p;
	*to = 0;
	return text;
}

bool source_option(const char **options, SrcOption *out, Arena *a)
{
	static const char *const whole[] = {"-w", "-g", "-create-library", "-enable-link-options"};
	static const char *const begins[] = {"-cl-",  "-Werror", "-Wall", "-Wextra",
	                                     "-Wno-", "-O",      "-nv-",  "-spir-std="};
	const char *p = *options;
	while (is_blank(*p))
		p++;
	const char *end = word_end(p), *from = p;
	if (end == p)
		return false;
	const char *word = plain_text(p, end, a), *operand = word + 2;
	bool has = word[0] == '-' && word[1] && strchr("DUIx", word[1]);
	if (has && !*operand) {
		for (from = end; is_blank(*from); from++)
			;
		end = word_end(from);
		operand = plain_text(from, end, a);
	}
	*out = (SrcOption){.text = arena_strndup(a, p, (size_t)(end - p)),
	                   .folder = has && word[1] == 'I' ? operand : NULL,
	                   .harmless = has && *operand && !opens_another(operand)};
	for (u32 i = 0; i < COUNT(whole); i++)
		out->harmless |= !strcmp(word, whole[i]);
	for (u32 i = 0; i < COUNT(begins); i++)
		out->harmless |= !strncmp(word, begins[i], strlen(begins[i])) && !opens_another(word + 1);
	*options = end;
	return true;
}

char source_std(const char *options)
{
	static const char std[] = "-cl-std=CL";
	char last = 0;
	for (const char *p = options; p && (p = strstr(p, std)) != NULL;) {
		p += sizeof std - 1;
		last = *p;
	}
	return last;
}

static const char *without_folders(const char *options, Arena *a)
{
	Buf out = {0};
	SrcOption o;
	if (!options)
		return NULL;
	buf_printf(&out, "%s", "");
	while (source_option(&options, &o, a))
		if (!o.folder)
			buf_printf(&out, "%s%s", out.n ? " " : "", o.text);
	return buf_keep(&out, a);
}

void source_leave_folders(SrcProgram *p, Arena *a)
{
	p->options = without_folders(p->options, a);
	for (u32 i = 0; i < p->nunits; i++)
		p->units[i].options = without_folders(p->units[i].options, a);
}

const char *source_options_fault(const SrcProgram *p, Arena *a)
{
	SrcOption o;
	for (u32 i = 0; i <= p->nunits; i++) {
		const char *options = i ? p->units[i - 1].options : p->options;
		while (options && source_option(&options, &o, a))
			if (!o.harmless)
				return o.text;
	}
	return NULL;
}

const char *source_unit_name(const char *path, u32 i, Arena *a)
{
	const char *dot = strrchr(path, '.');
	int stem = dot ? (int)(dot - path) : (int)strlen(path);
	return i ? arena_printf(a, "%.*s-%u%s", stem, path, i + 1, path + stem) : path;
}

static const char *include_text(const SrcUnit *u, const char *name)
{
	for (u32 k = 0; k < u->nincludes; k++)
		if (!strcmp(name, u->includes[k].name))
			return u->includes[k].text;
	return NULL;
}

/* clang takes apart a path that begins as the folder does which it runs in. */
static bool is_called(const SrcInclude *text, const char *name)
{
	size_t n = strlen(text->name), k = strlen(name);
	return n >= k && !strcmp(text->name + n - k, name) &&
	       (n == k || (*text->name == '/' && text->name[n - k - 1] == '/'));
}

const char *source_text(const SrcProgram *p, const char *path, const char *name, Arena *a)
{
	const char *text = NULL;
	u32 unit;
	int n = 0;
	for (u32 i = 0; i < p->nunits; i++)
		if (!strcmp(name, source_unit_name(path, i, a)))
			return p->units[i].source;
	for (u32 i = 0; i < p->nunits && !text; i++)
		text = include_text(&p->units[i], name);
	if (!text && sscanf(name, SOURCE_UNIT_FOLDER "/%n", &unit, &n) == 1 && n && unit && unit <= p->nunits)
		text = include_text(&p->units[unit - 1], name + n);
	for (u32 i = 0; i < p->ntexts && !text; i++)
		text = is_called(&p->texts[i], name) ? p->texts[i].text : NULL;
	return text;
}

const char *source_skip(const char *s)
{
	char quote = *s;
	if (s[0] == '/' && s[1] == '/')
		return s + strcspn(s, "\n");
	if (s[0] == '/' && s[1] == '*') {
		const char *end = strstr(s + 2, "*/");
		return end ? end + 2 : s + strlen(s);
	}
	if (quote != '"' && quote != '\'')
		return s;
	for (s++; *s && *s != quote && *s != '\n'; s++)
		s += *s == '\\' && s[1];
	return *s == quote ? s + 1 : s;
}

bool source_next(const char **s, SrcStep *out)
{
	const char *at = *s, *end = source_skip(at);
	if (!*at)
		return false;
	out->kind = end > at ? (*at == '/' ? SRC_COMMENT : SRC_QUOTED)
	            : is_blank(*at) ? SRC_BLANK : scan_is_word(*at) ? SRC_WORD : SRC_OTHER;
	while (out->kind == SRC_BLANK && is_blank(*end))
		end++;
	end += out->kind == SRC_WORD ? scan_word(at) : out->kind == SRC_OTHER;
	out->at = at;
	out->n = (size_t)(end - at);
	*s = end;
	return true;
}

bool source_is(const SrcStep *step, const char *word)
{
	return step->kind == SRC_WORD && scan_is(step->at, step->n, word);
}

bool source_defines(const char *s)
{
	SrcStep step;
	while (source_next(&s, &step) && !source_is_char(&step, ';'))
		if (source_is_char(&step, '{'))
			return true;
	return false;
}

const char *source_bare_name(const char *name, size_t *n)
{
	size_t end = strcspn(name, "<("), from;
	while (end && !scan_is_word(name[end - 1]))
		end--;
	for (from = end; from && scan_is_word(name[from - 1]);)
		from--;
	*n = end - from;
	return name + from;
}

/* ---- lines ---- */

/* `#line N "file"`, or `# N "file"` as preprocessors write it. */
static bool line_directive(const char *p, SrcLines *out, Arena *a)
{
	char *end;
	p += strspn(p, " \t");
	if (*p++ != '#')
		return false;
	p += strspn(p, " \t");
	p += strncmp(p, "line", 4) ? 0 : 4;
	p += strspn(p, " \t");
	if (*p < '0' || *p > '9')
		return false;
	out->number = (u32)strtoul(p, &end, 10);
	end += strspn(end, " \t");
	if (*end == '"')
		out->file = arena_strndup(a, end + 1, strcspn(end + 1, "\"\n"));
	return true;
}

void source_numbers(const char *text, SrcNumbers *out, Arena *a)
{
	SrcLines now = {1, 1, NULL};
	array_push(out, now);
	u32 line = 1;
	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL, line++) {
		now.from = line + 1;
		if (line_directive(p, &now, a))
			array_push(out, now);
	}
}

u32 source_physical(const SrcNumbers *all, const char *file, u32 line)
{
	for (u32 i = 0; i < all->n; i++) {
		const SrcLines *r = &all->v[i];
		u32 end = i + 1 < all->n ? all->v[i + 1].from : UINT32_MAX;
		bool here = file && r->file ? !strcmp(file, r->file) : !file && !r->file;
		if (here && line >= r->number && line - r->number < end - r->from)
			return r->from + (line - r->number);
	}
	return 0;
}

SrcLines source_presumed(const SrcNumbers *all, u32 line)
{
	u32 i = 0;
	for (u32 end = all->n; end - i > 1;) {
		u32 middle = i + (end - i) / 2;
		*(all->v[middle].from > line ? &end : &i) = middle;
	}
	return (SrcLines){line, all->v[i].number + (line - all->v[i].from), all->v[i].file};
}

static void code_unit(Codec *c, SrcUnit *u)
{
	code_text(c, &u->source);
	code_text(c, &u->options);
	u->includes = code_list(c, u->includes, &u->nincludes, sizeof *u->includes);
	for (u32 i = 0; i < u->nincludes && !c->bad; i++) {
		code_text(c, &u->includes[i].name);
		code_text(c, &u->includes[i].text);
		codec_check(c, u->includes[i].name && u->includes[i].text && source_safe_name(u->includes[i].name));
	}
	codec_check(c, u->source);
}

void source_code(Codec *c, SrcProgram *p)
{
	code_text(c, &p->options);
	p->units = code_list(c, p->units, &p->nunits, sizeof *p->units);
	for (u32 i = 0; i < p->nunits && !c->bad; i++)
		code_unit(c, &p->units[i]);
	code_bool(c, &p->linked);
	code_bytes(c, &p->binary, &p->nbinary);
	code_text(c, &p->missing);
}

static void code_placed(Codec *c, SrcPlaced *v)
{
	CODE(c, v->symbol, v->address);
	codec_check(c, v->symbol != NULL);
}

void source_code_placed(Codec *c, SrcProgram *p) { CODE_LIST(c, SrcPlaced, p->placed, p->nplaced, code_placed); }

void source_code_include(Codec *c, SrcInclude *i)
{
	CODE(c, i->name, i->text);
	codec_check(c, i->name && i->text);
}

void source_code_texts(Codec *c, SrcProgram *p) { CODE_LIST(c, SrcInclude, p->texts, p->ntexts, source_code_include); }

bool source_is_hip(const SrcProgram *p)
{
	static const u8 bitcode[] = {'B', 'C', 0xC0, 0xDE};
	return !p->nunits && p->nbinary > sizeof bitcode && !memcmp(p->binary, bitcode, sizeof bitcode);
}
