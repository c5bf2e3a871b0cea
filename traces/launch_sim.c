/* Oclgrind's .sim files: program, kernel, sizes, then one header per argument with its data.
 *
 *   reduce.cl reduce
 *   64 1 1   4 1 1
 *   <size=4> 256
 *   <size=1024 range=0:1:255>
 *   <size=64 fill=0 dump>      # a comment
 *   <size=16>                  # local memory: only the size
 *
 * What a header means depends on the kernel's argument, which is known only after the
 * program has been compiled: launch_parse_sim reads up to the sizes, launch_bind the rest.
 * Accepted is what Oclgrind accepts, and besides: a last line without a line feed,
 * comments after the last argument, inf and nan. A first line `# ARGS: …` carries options.
 * The program file is looked for beside the .sim file. */
#include "traces/launch_impl.h"

#include <errno.h>

typedef struct Sim {
	Launch *l;
	const char *p, *line_start;
	Loc at; /* line of p */
	Diag *d;
	const KernelArg *k; /* the argument being read */
	u32 index;
} Sim;

static Loc here(const Sim *s, const char *p)
{
	Loc loc = s->at;
	loc.col = (u32)(p - s->line_start) + 1;
	return loc;
}

/* To the next character that is neither blank nor in a comment; false at the end. */
static bool skip(Sim *s)
{
	for (;;) {
		s->p += strspn(s->p, " \t\r\v\f");
		if (*s->p == '#')
			s->p += strcspn(s->p, "\n");
		if (*s->p != '\n')
			return *s->p != 0;
		s->p++;
		s->at.line++;
		s->line_start = s->p;
	}
}

static char *word(Sim *s, const char *what)
{
	if (!skip(s)) {
		launch_error(s->l, s->d, here(s, s->p), "the file ends where the %s is expected", what);
		return NULL;
	}
	size_t n = strcspn(s->p, " \t\r\n\v\f#");
	char *w = arena_strndup(s->l->arena, s->p, n);
	s->p += n;
	return w;
}

static bool sim_sizes(Sim *s, const char *what, u64 out[3])
{
	for (u32 i = 0; i < 3; i++) {
		char *w = word(s, what);
		if (!w)
			return false;
		Loc loc = here(s, s->p - strlen(w));
		if (w[strspn(w, "0123456789")] || !parse_u64(w, &out[i]))
			return launch_error(s->l, s->d, loc, "the %s is not a whole number: '%s'", what, w);
		if (!out[i] || out[i] > UINT32_MAX)
			return launch_error(s->l, s->d, loc, "the %s is not between 1 and %u: %s", what, UINT32_MAX,
			                    w);
	}
	return true;
}

/* A size that nobody stronger gave. */
static void sim_set_sizes(u64 *to, Origin *from, u32 *dims, Loc *loc, const u64 *v, Loc at)
{
	if (*from >= FROM_FILE)
		return;
	memcpy(to, v, 3 * sizeof *v);
	*from = FROM_FILE;
	*dims = 3;
	*loc = at;
}

static bool sim_args_line(Launch *l, const char *text, Loc at, Diag *d)
{
	static const char start[] = "# ARGS:";
	if (strncmp(text, start, sizeof start - 1) != 0)
		return true;
	const char *p = text + sizeof start - 1;
	at.col = sizeof start;
	return launch_apply_text(l, arena_strndup(l->arena, p, strcspn(p, "\n")), at, d);
}

static bool parse_sim(Launch *l, const char *path, const char *text, Diag *d)
{
	LaunchText *t = l->text;
	Sim s = {.l = l, .p = text, .line_start = text, .at = {path, 1, 1}, .d = d};
	u64 global[3], local[3];
	if (!sim_args_line(l, text, s.at, d))
		return false;
	char *program = word(&s, "program file");
	char *kernel = program ? word(&s, "kernel name") : NULL;
	if (!kernel || !sim_sizes(&s, "global size", global))
		return false;
	Loc global_at = here(&s, s.p);
	if (!sim_sizes(&s, "work-group size", local))
		return false;
	sim_set_sizes(l->global, &l->global_from, &t->global_dims, &t->global_loc, global, global_at);
	sim_set_sizes(l->local, &l->local_from, &t->local_dims, &t->local_loc, local, here(&s, s.p));
	if (l->program_from < FROM_FILE) {
		l->program = *program == '/' ? program
		                             : arena_printf(l->arena, "%s%s", launch_dir(l, path), program);
		l->program_from = FROM_FILE;
	}
	if (l->kernel_from < FROM_FILE) {
		l->kernel = kernel;
		l->kernel_from = FROM_FILE;
	}
	t->sim_path = path;
	t->sim_text = arena_strdup(l->arena, text);
	t->sim_line_start = (size_t)(s.line_start - text);
	t->sim_pos = (size_t)(s.p - text);
	t->sim_line = s.at.line;
	return true;
}

bool launch_parse_sim(Launch *l, const char *path, const char *text, Diag *d)
{
	Origin was = l->text->reading;
	l->text->reading = FROM_FILE;
	path = arena_strdup(l->arena, path);
	launch_source(l, path, text);
	bool ok = parse_sim(l, path, text, d);
	l->text->reading = was;
	return ok;
}

bool launch_read_sim(Launch *l, const char *path, Diag *d)
{
	char *text = read_file(path, NULL);
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	bool ok = launch_parse_sim(l, path, text, d);
	free(text);
	return ok;
}

/* ---- arguments ---- */

typedef struct Header {
	bool has_size, null, dump, hex, noinit, ro, wo;
	bool typed;
	Shape type;
	u64 size;
	const char *fill, *range;
	Loc loc, fill_loc, range_loc;
} Header;

static bool PRINTF_LIKE(3, 4) bad(const Sim *s, Loc loc, const char *fmt, ...)
{
	Buf text = {0};
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	launch_error(s->l, s->d, loc, "argument %u: %s (%s): %s", s->index, s->k->name, s->k->type_name,
	             text.v);
	array_free(&text);
	return false;
}

/* How many characters at p a C++ stream would read as a number. */
static size_t number_length(const char *p, const Shape *t, bool hex)
{
	size_t n = *p == '-' || *p == '+';
	if (t->elem_class == ELEM_FLOAT) {
		if (!strncmp(p + n, "inf", 3) || !strncmp(p + n, "nan", 3))
			return n + 3;
		size_t digits = strspn(p + n, "0123456789.");
		n += digits;
		if (digits && (p[n] == 'e' || p[n] == 'E')) {
			size_t sign = p[n + 1] == '-' || p[n + 1] == '+';
			size_t exponent = strspn(p + n + 1 + sign, "0123456789");
			n += exponent ? 1 + sign + exponent : 0;
		}
		return n;
	}
	if (!hex)
		return n + strspn(p + n, "0123456789");
	if (p[n] == '0' && (p[n + 1] == 'x' || p[n + 1] == 'X'))
		n += 2;
	return n + strspn(p + n, "0123456789abcdefABCDEF");
}

/* As a C++ stream reads it: in hex without 0x, unsigned types take negative numbers
 * (not uchar), signed types no bit patterns. */
static NumError stream_number(Launch *l, const char *p, size_t n, const Shape *t, bool hex, Num *out)
{
	if (t->elem_class == ELEM_FLOAT)
		return num_parse(arena_strndup(l->arena, p, n), t, out);
	bool negative = *p == '-';
	size_t sign = *p == '-' || *p == '+';
	bool has_0x = p[sign] == '0' && n > sign + 1 && (p[sign + 1] == 'x' || p[sign + 1] == 'X');
	char *digits = arena_printf(l->arena, "%s%.*s", hex && !has_0x && n > sign ? "0x" : "",
	                            (int)(n - sign), p + sign);
	u64 v;
	if (n > sign + 24)
		return NUM_OUT_OF_RANGE;
	if (!parse_u64(digits, &v))
		return n > sign + (has_0x ? 2 : 0) ? NUM_OUT_OF_RANGE : NUM_NOT_A_NUMBER;
	u64 max = t->elem_bytes == 8 ? UINT64_MAX : ((u64)1 << (8 * t->elem_bytes)) - 1;
	if (t->elem_class == ELEM_INT)
		max = max / 2 + negative;
	if (v > max)
		return NUM_OUT_OF_RANGE;
	if (t->elem_class == ELEM_UINT && negative && v && t->elem_bytes == 1)
		return NUM_NEGATIVE;
	out->u = negative ? 0 - v : v;
	if (t->elem_class == ELEM_UINT && negative && t->elem_bytes < 8)
		out->u &= max;
	return NUM_OK;
}

static bool bad_number(const Sim *s, Loc loc, NumError e, const char *p, size_t n, const Shape *t)
{
	Buf why = {0};
	num_explain(e, arena_strndup(s->l->arena, p, n), t, &why);
	bad(s, loc, "%s (%s)", why.v, launch_type_name(t));
	array_free(&why);
	return false;
}

typedef enum { NO_TYPE, TYPE_TAKEN, TYPE_WRONG } TypeWord;

static TypeWord header_type(Sim *s, Header *h, const char *w, Loc loc)
{
	Shape shape;
	if (!launch_type_shape(w, strlen(w), &shape) || shape.width != 1 || !strcmp(w, "half"))
		return NO_TYPE;
	if (h->typed) {
		bad(s, loc, "a second type, '%s'", w);
		return TYPE_WRONG;
	}
	h->typed = true;
	h->type = shape;
	return TYPE_TAKEN;
}

static bool header_size(Sim *s, Header *h, const char *w, Loc loc)
{
	if (w[4] != '=')
		return bad(s, loc, "'=' expected after 'size'");
	if (w[5 + strspn(w + 5, "0123456789")] || !parse_u64(w + 5, &h->size))
		return bad(s, loc, "size wants a whole number of bytes, not '%s'", w + 5);
	if (h->size > (u64)1 << SEG_SHIFT)
		return bad(s, loc, "%s bytes are more than a buffer can hold (1 TiB)", w + 5);
	h->has_size = true;
	return true;
}

static bool unknown_word(Sim *s, const char *w, Loc loc)
{
	static const char *const words[] = {"size",  "fill",  "range", "dump", "hex",  "noinit", "null",
	                                    "ro",    "wo",    "char",  "uchar", "short", "ushort", "int",
	                                    "uint",  "long",  "ulong", "float", "double"};
	bad(s, loc, "'%s' is not known in a header", w);
	const char *near = nearest_word(arena_strndup(s->l->arena, w, strcspn(w, "=")), words,
	                                COUNT(words));
	if (near)
		diag_hint(s->d, "did you mean '%s'?", near);
	return false;
}

static bool header_word(Sim *s, Header *h, const char *w, Loc loc)
{
	bool buffer = s->k->kind == ARG_GLOBAL || s->k->kind == ARG_CONSTANT;
	TypeWord type = header_type(s, h, w, loc);
	if (type != NO_TYPE)
		return type == TYPE_TAKEN;
	if (!strncmp(w, "size", 4))
		return header_size(s, h, w, loc);
	if (!strncmp(w, "dump", 4)) {
		h->dump = true;
		return buffer || bad(s, loc, "'dump' is only for buffers");
	}
	if (!strncmp(w, "fill", 4)) {
		h->fill = w + 5;
		h->fill_loc = loc, h->fill_loc.col += 5;
		return (w[4] == '=' && w[5]) || bad(s, loc, "fill wants =VALUE");
	}
	if (!strncmp(w, "range", 5)) {
		h->range = w + 6;
		h->range_loc = loc, h->range_loc.col += 6;
		return (w[5] == '=' && w[6]) || bad(s, loc, "range wants =FIRST:STEP:LAST");
	}
	if (!strcmp(w, "hex"))
		return h->hex = true;
	if (!strcmp(w, "noinit") || !strcmp(w, "null")) {
		*(w[1] == 'o' ? &h->noinit : &h->null) = true;
		return buffer || bad(s, loc, "'%s' is only for buffers", w);
	}
	if (!strcmp(w, "ro") || !strcmp(w, "wo")) {
		*(*w == 'r' ? &h->ro : &h->wo) = true;
		if (h->ro && h->wo)
			return bad(s, loc, "'ro' and 'wo' exclude each other");
		return s->k->kind == ARG_GLOBAL || bad(s, loc, "'%s' is only for global buffers", w);
	}
	return unknown_word(s, w, loc);
}

/* <…>, which ends at the last > of its line. */
static bool header(Sim *s, Header *h)
{
	*h = (Header){0};
	if (!skip(s))
		return bad(s, here(s, s->p), "the file ends where the header <…> is expected");
	h->loc = here(s, s->p);
	if (*s->p != '<')
		return bad(s, h->loc, "a header <…> expected, not '%.*s'", (int)strcspn(s->p, " \t\r\n#"),
		           s->p);
	size_t line = strcspn(s->p, "\n#"), n = line;
	while (n && s->p[n - 1] != '>')
		n--;
	if (!n)
		return bad(s, h->loc, "the header has no '>' at its end");
	const char *p = s->p + 1, *end = s->p + n - 1;
	for (;;) {
		while (p < end && strchr(" \t\r\v\f", *p))
			p++;
		const char *start = p;
		while (p < end && !strchr(" \t\r\v\f", *p))
			p++;
		if (p == start)
			break;
		char *w = arena_strndup(s->l->arena, start, (size_t)(p - start));
		if (!header_word(s, h, w, here(s, start)))
			return false;
	}
	s->p = end + 1;
	return true;
}

/* What the kernel's own type says about the data, where the header does not. */
static bool default_type(Sim *s, Header *h)
{
	static const char *const names[] = {"char", "uchar", "short", "ushort", "int",
	                                    "uint", "long",  "ulong", "float",  "double"};
	if (h->typed || s->k->kind == ARG_LOCAL || h->null)
		return true;
	for (u32 i = 0; i < COUNT(names); i++)
		if (!strncmp(s->k->type_name, names[i], strlen(names[i])))
			return launch_type_shape(names[i], strlen(names[i]), &h->type);
	if (!strncmp(s->k->type_name, "void*", 5))
		return launch_type_shape("uchar", 5, &h->type);
	bad(s, h->loc, "the header must name a type for the data of this argument");
	diag_hint(s->d, "for example <size=%llu char>", (unsigned long long)h->size);
	return false;
}

static bool check_header(Sim *s, Header *h)
{
	if (h->null) {
		if (h->has_size || h->fill || h->range || h->noinit || h->dump)
			return bad(s, h->loc, "'null' goes with nothing else");
		return true;
	}
	if (!h->has_size)
		return bad(s, h->loc, "the header names no size");
	if (!default_type(s, h))
		return false;
	if (h->type.stride && h->size % h->type.stride)
		return bad(s, h->loc, "%llu bytes are no whole number of %s", (unsigned long long)h->size,
		           launch_type_name(&h->type));
	if (h->noinit + (h->fill != NULL) + (h->range != NULL) > 1)
		return bad(s, h->loc, "fill, range and noinit exclude each other");
	return true;
}

static bool sim_fill(Sim *s, const Header *h, LaunchArg *a)
{
	Num v;
	size_t n = number_length(h->fill, &h->type, h->hex);
	NumError e = h->fill[n] ? NUM_NOT_A_NUMBER
	                        : stream_number(s->l, h->fill, n, &h->type, h->hex, &v);
	if (e != NUM_OK)
		return bad_number(s, h->fill_loc, e, h->fill, strlen(h->fill), &h->type);
	u8 *bytes = arena_alloc(s->l->arena, 8);
	num_store(bytes, &h->type, v);
	a->init = INIT_FILL;
	a->bytes = bytes;
	return true;
}

static bool sim_range(Sim *s, const Header *h, LaunchArg *a)
{
	const char *p = h->range;
	for (u32 i = 0; i < 3; i++) {
		size_t n = number_length(p, &h->type, h->hex);
		if (p[n] != (i < 2 ? ':' : 0))
			return bad(s, h->range_loc, "range wants =FIRST:STEP:LAST, not '%s'", h->range);
		NumError e = stream_number(s->l, p, n, &h->type, h->hex, &a->num[i]);
		if (e != NUM_OK)
			return bad_number(s, h->range_loc, e, p, n, &h->type);
		p += n + 1;
	}
	a->init = INIT_RANGE;
	u64 n = launch_range_count(a);
	if (!n || n * h->type.stride != h->size)
		return bad(s, h->range_loc, "the range %s has %llu numbers, the size wants %llu", h->range,
		           (unsigned long long)n, (unsigned long long)(h->size / h->type.stride));
	return true;
}

static bool sim_data(Sim *s, const Header *h, LaunchArg *a)
{
	Buf bytes = {0};
	u64 count = h->size / h->type.stride;
	for (u64 i = 0; i < count; i++) {
		bool more = skip(s);
		size_t n = more ? number_length(s->p, &h->type, h->hex) : 0;
		Num v = {.u = 0};
		NumError e = NUM_NOT_A_NUMBER;
		if (n)
			e = stream_number(s->l, s->p, n, &h->type, h->hex, &v);
		if (e != NUM_OK) {
			array_free(&bytes);
			if (!more || *s->p == '<')
				return bad(s, here(s, s->p), "%llu of %llu numbers are missing",
				           (unsigned long long)(count - i), (unsigned long long)count);
			size_t len = strcspn(s->p, " \t\r\n#");
			return bad_number(s, here(s, s->p), e, s->p, n ? n : len, &h->type);
		}
		u8 raw[8];
		num_store(raw, &h->type, v);
		buf_write(&bytes, raw, h->type.elem_bytes);
		s->p += n;
	}
	u8 *kept = arena_alloc(s->l->arena, bytes.n + 1);
	if (bytes.n)
		memcpy(kept, bytes.v, bytes.n);
	array_free(&bytes);
	a->init = INIT_DATA;
	a->bytes = kept;
	return true;
}

/* A value's bytes from the same initialisers as a buffer's. */
static bool sim_value(Sim *s, const Header *h, LaunchArg *a)
{
	u64 want = s->k->size ? s->k->size : h->size;
	if (h->size < want)
		return bad(s, h->loc, "%llu bytes wanted, size says %llu", (unsigned long long)want,
		           (unsigned long long)h->size);
	if (a->init != INIT_DATA) {
		LaunchArg contents = *a;
		contents.count = h->size / h->type.stride;
		u8 *bytes = arena_alloc(s->l->arena, h->size);
		launch_fill(&contents, 0, s->k->name, bytes);
		a->bytes = bytes;
	}
	a->kind = LAUNCH_VALUE;
	a->init = INIT_ZERO;
	a->shape = launch_arg_shape(s->k);
	a->size = want;
	a->count = 1;
	memset(a->num, 0, sizeof a->num);
	return true;
}

static bool sim_local(Sim *s, const Header *h, LaunchArg *a)
{
	if (!h->size)
		return bad(s, h->loc, "local memory of 0 bytes");
	a->kind = LAUNCH_LOCAL;
	a->shape = launch_arg_shape(s->k);
	if (h->size % a->shape.stride)
		a->shape = (Shape){ELEM_UINT, 1, 1, 1};
	a->size = h->size;
	a->count = h->size / a->shape.stride;
	return true;
}

static bool sim_arg(Sim *s, LaunchArg *a)
{
	Header h;
	if (!header(s, &h) || !check_header(s, &h))
		return false;
	*a = (LaunchArg){.kind = LAUNCH_BUFFER, .origin = FROM_FILE, .loc = h.loc, .shape = h.type};
	if (s->k->kind == ARG_LOCAL)
		return sim_local(s, &h, a);
	if (h.null) {
		a->kind = LAUNCH_NULL;
		a->shape = launch_arg_shape(s->k);
		return true;
	}
	if (h.size > MAX_VALUE_BYTES && s->k->kind == ARG_VALUE)
		return bad(s, h.loc, "a value of %llu bytes", (unsigned long long)h.size);
	if (h.noinit)
		a->init = INIT_NONE;
	else if (h.fill ? !sim_fill(s, &h, a) : h.range ? !sim_range(s, &h, a) : !sim_data(s, &h, a))
		return false;
	if (s->k->kind == ARG_VALUE)
		return sim_value(s, &h, a);
	a->size = h.size;
	a->count = h.size / h.type.stride;
	a->read_only = h.ro;
	a->write_only = h.wo;
	a->dump = h.dump;
	a->dump_hex = h.dump && h.hex;
	if (!h.size) /* OpenCL has no empty buffers */
		*a = (LaunchArg){.kind = LAUNCH_NULL, .origin = FROM_FILE, .loc = h.loc,
		                 .shape = launch_arg_shape(s->k)};
	return true;
}

bool launch_bind_sim(Launch *l, Diag *d)
{
	LaunchText *t = l->text;
	Sim s = {.l = l, .p = t->sim_text + t->sim_pos, .at = {t->sim_path, t->sim_line, 1}, .d = d};
	s.line_start = t->sim_text + t->sim_line_start;
	for (u32 i = 0; i < l->nargs; i++) {
		s.index = i;
		s.k = &l->kernel_args[i];
		if (!sim_arg(&s, &l->args[i]))
			return false;
	}
	u32 line = s.at.line;
	if (!skip(&s))
		return true;
	size_t n = strcspn(s.p, " \t\r\n#");
	if (s.at.line != line)
		return launch_error(l, d, here(&s, s.p), "'%.*s' after the last argument", (int)n, s.p);
	launch_warn(l, d, here(&s, s.p), "'%.*s' behind the last argument is left out", (int)n, s.p);
	return true;
}
