/* Argument specs: the SPEC of --arg NAME=SPEC, typed by the kernel's own argument.
 *
 *   value      4096   -1   0xff   1.5   1.5,2,3,4   bytes:HEX
 *   struct     0xHEX   bytes:HEX   @FILE   raw:@FILE   [byte,byte,…]; a field of it, NAME.FIELD=SPEC, is a value
 *   buffer     [ro:|wo:][TYPE:] then one of
 *              zero   iota   random   random(LO,HI)   fill:V   uninit   each with :COUNT
 *              range:A:INC:B   [V,V,…]   bytes:HEX   0xHEX   [text:|raw:]@FILE   null
 *   local      [TYPE:]local:COUNT
 *   pipe       pipe:ROOM   [pipe:ROOM:]CONTENTS, those of a buffer
 *
 * COUNT is in elements of the pointed-to type, or of TYPE; left out, it is guessed.
 * Every message points at the part of the spec that is wrong. Images and samplers
 * are in launch_image.c, pipes in launch_pipe.c, files in launch_file.c. */
#include "traces/launch/launch_spec.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- values ---- */

static bool no_file(const ArgSpec *s, FileForm form)
{
	return spec_bad(s, s->p, "a file is missing behind %s %s@FILE", file_form_prefix[form], file_form_prefix[form]);
}

/* A value from a file, which holds its bytes. */
static bool value_file(ArgSpec *s, SpecBytes *out)
{
	FileForm form = file_form_of(s->p);
	if (form == FILE_TEXT)
		return spec_bad(
		    s, s->p, "a value's file is read as raw bytes, not as text; write the number itself, or raw:@FILE");
	s->p += strlen(file_form_prefix[form]);
	if (*s->p != '@')
		return no_file(s, form);
	const char *path = launch_path(s->l, s->t, s->p + 1);
	const char *fault = launch_file_fault(s->l, s->t, path), *why;
	u64 n;
	if (fault)
		return spec_bad(s, s->p + 1, "'%s' %s", path, fault);
	FILE *f = launch_open(s->l, path, &n, &why);
	if (!f)
		return spec_bad(s, s->p + 1, "%s", why);
	if (!form && s->k->elem_class != ELEM_OTHER && launch_looks_like_text(f)) {
		fclose(f);
		spec_bad(s, s->p + 1, "'%s' is text, but a value's file must hold its raw bytes", path);
		return diag_hint(s->d, "write the number itself, as in %s=4096, or %s=raw:@%s to take the bytes",
		                 s->k->name, s->k->name, s->p + 1);
	}
	bool fits = n <= MAX_VALUE_BYTES;
	u8 *bytes = ARENA_ARRAY(s->l->arena, u8, fits ? n + 1 : 1);
	bool whole = fits && fread(bytes, 1, n, f) == n;
	fclose(f);
	if (!fits)
		return spec_bad(s, s->p + 1, "'%s' is no file of at most %d bytes", path, MAX_VALUE_BYTES);
	*out = (SpecBytes){bytes, (u32)n};
	return whole || spec_bad(s, s->p + 1, "cannot read '%s'", path);
}

static bool looks_like_buffer(const char *spec)
{
	static const char *const words[] = {
	    "random", "iota", "zero", "fill:", "range:", "uninit", "local", "null", "pipe:"};
	for (u32 i = 0; i < COUNT(words); i++)
		if (!strncmp(spec, words[i], strlen(words[i])))
			return true;
	return false;
}

static bool value(ArgSpec *s)
{
	LaunchArg *a = s->out;
	bool is_struct = s->k->elem_class == ELEM_OTHER || !s->k->elem_bytes;
	SpecBytes bytes = {0};
	u64 count = 0;
	const char *p = s->p;
	size_t n = strlen(p);
	bool ok;
	a->kind = LAUNCH_VALUE;
	if (!n)
		return spec_bad(s, p, "the value is missing");
	if (looks_like_buffer(p))
		return spec_bad(s, p, "'%s' is for pointers, this is a value", p);
	if (!strncmp(p, "bytes:", 6)) {
		ok = spec_hex(s, p + 6, &bytes);
	} else if (is_struct && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		ok = spec_hex(s, p + 2, &bytes);
	} else if (*p == '@' || file_form_of(p)) {
		ok = value_file(s, &bytes);
	} else {
		bool bracket =
		    n >= 2 && ((*p == '[' && p[n - 1] == ']') || (*p == '(' && p[n - 1] == ')'));
		ok = spec_numbers(s, p + bracket, n - 2 * bracket, &a->shape, &bytes, &count);
		if (ok && !is_struct && count != a->shape.width)
			return spec_bad(s, p, "%u component%s wanted, %llu given", a->shape.width,
				   a->shape.width == 1 ? "" : "s", (unsigned long long)count);
	}
	u32 want = s->k->size ? s->k->size : is_struct ? bytes.n : a->shape.stride; /* 0: unknown */
	a->size = want;
	a->count = 1;
	a->bytes = bytes.v;
	return ok && (bytes.n == want || spec_bad(s, p, "%u bytes wanted, %u given", want, bytes.n));
}

/* ---- buffers ---- */

/* Behind the contents: nothing, or :COUNT. */
static bool optional_count(ArgSpec *s)
{
	s->out->count_guessed = !*s->p;
	if (!*s->p)
		return true;
	if (*s->p != ':')
		return spec_bad(s, s->p, "':COUNT' expected at '%s'", s->p);
	const char *at = ++s->p;
	u64 count;
	s->p += strlen(s->p);
	if (!parse_u64(at, &count))
		return spec_bad(s, at, "the count '%s' %s", at, parse_u64_fault(at));
	return spec_count(s, at, count);
}

/* :V or :V,V,… one component for all, or one per component. */
static bool fill_value(ArgSpec *s)
{
	LaunchArg *a = s->out;
	if (*s->p != ':' || !s->p[1])
		return spec_bad(s, s->p, "fill wants a value: fill:V");
	const char *at = s->p + 1;
	size_t n = strcspn(at, ":");
	SpecBytes bytes;
	u64 count;
	if (!spec_numbers(s, at, n, &a->shape, &bytes, &count))
		return false;
	if (count != 1 && count != a->shape.width)
		return spec_bad(s, at, "fill wants 1 value or %u, %llu given", a->shape.width,
			   (unsigned long long)count);
	for (u32 i = 1; count == 1 && i < a->shape.width; i++)
		memcpy(bytes.v + i * a->shape.elem_bytes, bytes.v, a->shape.elem_bytes);
	a->bytes = bytes.v;
	s->p = at + n;
	return true;
}

static bool range(ArgSpec *s) /* at ":A:INC:B" */
{
	LaunchArg *a = s->out;
	const char *first = s->p;
	for (u32 i = 0; i < 3; i++) {
		if (*s->p != ':')
			return spec_bad(s, s->p, "range wants range:FIRST:STEP:LAST");
		size_t n = strcspn(s->p + 1, ":");
		if (!spec_number(s, s->p + 1, n, &a->shape, &a->num[i]))
			return false;
		s->p += 1 + n;
	}
	if (*s->p)
		return spec_bad(s, s->p, "range wants range:FIRST:STEP:LAST and no count");
	u64 n = launch_range_count(a);
	if (!n)
		return spec_bad(s, first + 1, "the range does not reach its last value in whole steps");
	return spec_fills(s, first + 1, n, a->shape.width, "numbers") && spec_count(s, first, n / a->shape.width);
}

static bool literal(ArgSpec *s) /* at "[" */
{
	LaunchArg *a = s->out;
	size_t n = strlen(s->p);
	if (s->p[n - 1] != ']' || n < 3)
		return spec_bad(s, s->p, n < 3 ? "the list is empty" : "the list has no ']' at its end");
	SpecBytes bytes;
	u64 count;
	if (!spec_numbers(s, s->p + 1, n - 2, &a->shape, &bytes, &count))
		return false;
	if (!spec_fills(s, s->p, count, a->shape.width, "numbers"))
		return false;
	a->init = INIT_DATA;
	a->bytes = bytes.v;
	return spec_count(s, s->p, count / a->shape.width);
}

static bool raw_bytes(ArgSpec *s, u32 prefix)
{
	LaunchArg *a = s->out;
	SpecBytes bytes;
	if (!spec_hex(s, s->p + prefix, &bytes))
		return false;
	a->init = INIT_DATA;
	a->bytes = bytes.v;
	return spec_fills(s, s->p, bytes.n, a->shape.stride, "bytes") &&
	       spec_count(s, s->p, bytes.n / a->shape.stride);
}

static bool head_is(const ArgSpec *s, const char *word)
{
	size_t n = strlen(word);
	return !strncmp(s->p, word, n) && (!s->p[n] || s->p[n] == ':' || s->p[n] == '(');
}

static bool unknown_contents(const ArgSpec *s)
{
	static const char *const words[] = {"random", "iota",  "zero",  "fill",  "range", "uninit",
					    "null",   "bytes", "float", "int",   "uint"};
	size_t n = strcspn(s->p, ":(");
	char *word = arena_strndup(s->l->arena, s->p, n);
	if (!n)
		spec_bad(s, s->p, "contents are missing");
	else if (!strcmp(word, "local"))
		spec_bad(s, s->p, "'local' is for pointers to local memory, this one is %s",
		         s->k->kind == ARG_CONSTANT ? "constant" : "global");
	else
		spec_bad(s, s->p, "'%s' names no contents for a buffer", word);
	if (strchr(word, ',') && strspn(word, "0123456789+-.eE, ") == n)
		diag_hint(s->d, "say %s=[%s] for these elements", s->k->name, word);
	else if (!n || !diag_near(s->d, "'", word, words, COUNT(words)))
		diag_hint(
		    s->d,
		    "say for example %s=random:1024, %s=fill:0:1024, %s=[1,2,3] or %s=@data.npy",
		    s->k->name, s->k->name, s->k->name, s->k->name);
	return false;
}

/* ro:, wo: and TYPE: in front of the contents, text: and raw: in front of a file. */
static bool prefixes(ArgSpec *s, bool flags)
{
	LaunchArg *a = s->out;
	for (;;) {
		size_t n = strcspn(s->p, ":");
		if (!s->p[n] || *s->p == '@')
			return true;
		if (flags && n == 2 && (!memcmp(s->p, "ro", 2) || !memcmp(s->p, "wo", 2))) {
			a->read_only |= *s->p == 'r';
			a->write_only |= *s->p == 'w';
			if (a->read_only && a->write_only)
				return spec_bad(s, s->p, "ro and wo exclude each other");
		} else if (flags && file_form_of(s->p)) {
			FileForm form = file_form_of(s->p);
			if (a->path_form && a->path_form != form)
				return spec_bad(s, s->p, "text: and raw: exclude each other; leave one out");
			a->path_form = form;
		} else if (!launch_type_shape(s->p, n, &a->shape)) {
			return true;
		}
		s->p += n + 1;
	}
}

bool spec_buffer(ArgSpec *s)
{
	LaunchArg *a = s->out;
	if (!strcmp(s->p, "null")) {
		a->kind = LAUNCH_NULL;
		return true;
	}
	a->kind = LAUNCH_BUFFER;
	if (!prefixes(s, true))
		return false;
	if (*s->p == '@')
		return spec_file(s);
	if (a->path_form)
		return no_file(s, a->path_form);
	if (*s->p == '[')
		return literal(s);
	if (s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X'))
		return raw_bytes(s, 2);
	if (!strncmp(s->p, "bytes:", 6))
		return raw_bytes(s, 6);
	static const struct {
		const char *word;
		InitKind init;
	} kinds[] = {{"zero", INIT_ZERO},  {"iota", INIT_IOTA},   {"random", INIT_RANDOM},
		     {"fill", INIT_FILL},  {"range", INIT_RANGE}, {"uninit", INIT_NONE},
		     {"noinit", INIT_NONE}};
	for (u32 i = 0; i < COUNT(kinds); i++) {
		if (!head_is(s, kinds[i].word))
			continue;
		a->init = kinds[i].init;
		s->p += strlen(kinds[i].word);
		if (a->init == INIT_RANGE)
			return range(s);
		if (a->init == INIT_FILL && !fill_value(s))
			return false;
		if (a->init == INIT_RANDOM && *s->p == '(' && !spec_limits(s, s->p, &s->p))
			return false;
		return optional_count(s);
	}
	return unknown_contents(s);
}

static bool local(ArgSpec *s)
{
	s->out->kind = LAUNCH_LOCAL;
	if (!prefixes(s, false))
		return false;
	if (!head_is(s, "local")) {
		spec_bad(s, s->p, "'%s' is not for a pointer to local memory", s->p);
		return diag_hint(s->d, "say %s=local:COUNT, in elements", s->k->name);
	}
	s->p += strlen("local");
	return optional_count(s);
}

bool launch_parse_arg(Launch *l, u32 arg, const ArgText *t, LaunchArg *out, Diag *d)
{
	const KernelArg *k = &l->kernel_args[arg];
	ArgSpec s = {l, k, t, out, t->spec, d};
	*out = (LaunchArg){.origin = t->origin, .loc = t->loc, .shape = launch_arg_shape(k)};
	switch (k->kind) {
	case ARG_VALUE: return value(&s);
	case ARG_GLOBAL:
	case ARG_CONSTANT: return spec_buffer(&s);
	case ARG_PIPE: return spec_pipe(&s);
	case ARG_LOCAL: return local(&s);
	case ARG_IMAGE: return spec_image(&s);
	case ARG_SAMPLER: return spec_sampler(&s);
	}
	return false;
}

/* ---- fields of structs ---- */

static bool no_field(Launch *l, const KernelArg *k, const ArgText *t, const char *field, Diag *d)
{
	const char **names = ARENA_ARRAY(l->arena, const char *, k->nfields + 1);
	Buf list = {0};
	for (u32 i = 0; i < k->nfields; i++) {
		names[i] = k->fields[i].name;
		buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	bool buffer = (k->kind == ARG_GLOBAL || k->kind == ARG_CONSTANT) && k->elem_class == ELEM_OTHER;
	launch_error(l, d, t->name_loc,
	             buffer ? "argument %s (%s): it is a buffer of structs, whose fields cannot be named: '%s'"
	                    : "argument %s (%s): it has no field '%s'",
	             k->name, k->type_name, field);
	if (buffer)
		diag_hint(
		    d, "give the bytes of its elements, from a file: %s=@FILE; only structs by value have named fields",
		    k->name);
	else if (k->nfields)
		diag_hint(d, "its fields are %s", list.v);
	else if (k->kind == ARG_VALUE && k->elem_class == ELEM_OTHER)
		diag_hint(d, "the names of its fields are not known; give all of it as %s=bytes:HEX", k->name);
	array_free(&list);
	return false;
}

bool launch_parse_field(Launch *l, u32 arg, const ArgText *t, LaunchArg *out, Diag *d)
{
	const KernelArg *k = &l->kernel_args[arg];
	const char *name = t->name + strlen(k->name) + 1;
	u32 i = 0;
	while (i < k->nfields && strcmp(k->fields[i].name, name) != 0)
		i++;
	if (i == k->nfields)
		return no_field(l, k, t, name, d);
	const ArgField *f = &k->fields[i];
	KernelArg of = {.name = t->name, .type_name = launch_type_name(&f->shape), .elem_class = f->shape.elem_class,
	                .elem_bytes = f->shape.elem_bytes, .size = f->shape.stride};
	LaunchArg number = {.shape = f->shape};
	ArgSpec s = {l, &of, t, &number, t->spec, d};
	if (!value(&s))
		return false;
	u8 *bytes = ARENA_ARRAY(l->arena, u8, k->size);
	if (out->kind == LAUNCH_VALUE && out->size == k->size)
		memcpy(bytes, out->bytes, k->size);
	memcpy(bytes + f->offset, number.bytes, f->shape.stride);
	*out = (LaunchArg){.kind = LAUNCH_VALUE, .origin = t->origin, .loc = t->loc, .shape = launch_arg_shape(k),
	                   .count = 1, .size = k->size, .bytes = bytes};
	return true;
}
