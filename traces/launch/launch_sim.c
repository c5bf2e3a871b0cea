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
#include "traces/launch/launch_sim.h"

#include <errno.h>

static char *word(SimReader *s, const char *what)
{
	if (!launch_sim_skip(s)) {
		launch_error(s->l, s->d, launch_sim_here(s, s->p),
			     "the file ends where the %s is expected", what);
		return NULL;
	}
	size_t n = strcspn(s->p, " \t\r\n\v\f#");
	char *w = arena_strndup(s->l->arena, s->p, n);
	s->p += n;
	return w;
}

static bool sim_sizes(SimReader *s, const char *what, u64 out[3])
{
	for (u32 i = 0; i < 3; i++) {
		char *w = word(s, what);
		if (!w)
			return false;
		Loc loc = launch_sim_here(s, s->p - strlen(w));
		if (w[strspn(w, "0123456789")] || !parse_u64(w, &out[i]))
			return launch_error(s->l, s->d, loc, "the %s is not a whole number: '%s'",
					    what, w);
		if (!out[i] || out[i] > UINT32_MAX)
			return launch_error(s->l, s->d, loc, "the %s is not between 1 and %u: %s",
					    what, UINT32_MAX, w);
	}
	return true;
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
	SimReader s = {.l = l, .p = text, .line_start = text, .at = {path, 1, 1}, .d = d};
	u64 global[3], local[3];
	if (!sim_args_line(l, text, s.at, d))
		return false;
	char *program = word(&s, "program file");
	Loc program_at = launch_sim_here(&s, s.p - (program ? strlen(program) : 0));
	char *kernel = program ? word(&s, "kernel name") : NULL;
	if (!kernel || !sim_sizes(&s, "global size", global))
		return false;
	Loc global_at = launch_sim_here(&s, s.p);
	if (!sim_sizes(&s, "work-group size", local))
		return false;
	launch_offer_sizes(l, "--global", global, 3, global_at);
	launch_offer_sizes(l, "--local", local, 3, launch_sim_here(&s, s.p));
	if (l->program_from < FROM_FILE) {
		l->program = *program == '/' ? program : arena_printf(l->arena, "%s%s", launch_dir(l, path), program);
		if (!launch_is_inside(l, path, l->program))
			return launch_error(l, d, program_at, "the program '%s' is outside the folder of this .sim "
			                                      "file, which may only name "
			                    "programs there or in folders below: move one of them", program);
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
	LaunchOrigin was = l->text->reading;
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

/* How many characters at p a C++ stream would read as a number. */
static size_t number_length(const char *p, const ElemShape *t, bool hex)
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
static NumError stream_number(Launch *l, const char *p, size_t n, const ElemShape *t, bool hex,
			      Num *out)
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

static bool bad_number(const SimReader *s, Loc loc, NumError e, const char *p, size_t n, const ElemShape *t)
{
	Arena *a = s->l->arena;
	return launch_sim_bad(s, loc, "%s (%s)", num_explain(a, e, arena_strndup(a, p, n), t), launch_type_name(t));
}

static bool sim_fill(SimReader *s, const SimHeader *h, LaunchArg *a)
{
	Num v;
	size_t n = number_length(h->fill, &h->type, h->hex);
	NumError e =
	    h->fill[n] ? NUM_NOT_A_NUMBER : stream_number(s->l, h->fill, n, &h->type, h->hex, &v);
	if (e != NUM_OK)
		return bad_number(s, h->fill_loc, e, h->fill, strlen(h->fill), &h->type);
	u8 *bytes = arena_alloc(s->l->arena, 8);
	num_store(bytes, &h->type, v);
	a->init = INIT_FILL;
	a->bytes = bytes;
	return true;
}

static bool sim_range(SimReader *s, const SimHeader *h, LaunchArg *a)
{
	const char *p = h->range;
	for (u32 i = 0; i < 3; i++) {
		size_t n = number_length(p, &h->type, h->hex);
		if (p[n] != (i < 2 ? ':' : 0))
			return launch_sim_bad(s, h->range_loc,
					      "range wants =FIRST:STEP:LAST, not '%s'", h->range);
		NumError e = stream_number(s->l, p, n, &h->type, h->hex, &a->num[i]);
		if (e != NUM_OK)
			return bad_number(s, h->range_loc, e, p, n, &h->type);
		p += n + 1;
	}
	a->init = INIT_RANGE;
	u64 n = launch_range_count(a);
	if (!n || n * h->type.stride != h->size)
		return launch_sim_bad(
		    s, h->range_loc, "the range %s has %llu numbers, the size wants %llu", h->range,
		    (unsigned long long)n, (unsigned long long)(h->size / h->type.stride));
	return true;
}

static bool sim_data(SimReader *s, const SimHeader *h, LaunchArg *a)
{
	Buf bytes = {0};
	u64 count = h->size / h->type.stride;
	for (u64 i = 0; i < count; i++) {
		bool more = launch_sim_skip(s);
		size_t n = more ? number_length(s->p, &h->type, h->hex) : 0;
		Num v = {.u = 0};
		NumError e = NUM_NOT_A_NUMBER;
		if (n)
			e = stream_number(s->l, s->p, n, &h->type, h->hex, &v);
		if (e != NUM_OK) {
			array_free(&bytes);
			if (!more || *s->p == '<')
				return launch_sim_bad(
				    s, launch_sim_here(s, s->p), "%llu of %llu numbers are missing",
				    (unsigned long long)(count - i), (unsigned long long)count);
			size_t len = strcspn(s->p, " \t\r\n#");
			return bad_number(s, launch_sim_here(s, s->p), e, s->p, n ? n : len,
					  &h->type);
		}
		u8 raw[8];
		num_store(raw, &h->type, v);
		buf_write(&bytes, raw, h->type.elem_bytes);
		s->p += n;
	}
	a->init = INIT_DATA;
	a->bytes = array_keep(&bytes, s->l->arena);
	return true;
}

/* A value's bytes from the same initialisers as a buffer's. */
static bool sim_value(SimReader *s, const SimHeader *h, LaunchArg *a)
{
	u64 want = s->k->size ? s->k->size : h->size;
	if (h->size < want)
		return launch_sim_bad(s, h->loc, "%llu bytes wanted, size says %llu",
				      (unsigned long long)want, (unsigned long long)h->size);
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

static bool sim_local(SimReader *s, const SimHeader *h, LaunchArg *a)
{
	if (!h->size)
		return launch_sim_bad(s, h->loc, "local memory of 0 bytes");
	a->kind = LAUNCH_LOCAL;
	a->shape = launch_arg_shape(s->k);
	if (h->size % a->shape.stride)
		a->shape = (ElemShape){ELEM_UINT, 1, 1, 1};
	a->size = h->size;
	a->count = h->size / a->shape.stride;
	return true;
}

static bool sim_arg(SimReader *s, LaunchArg *a)
{
	SimHeader h;
	if (!launch_sim_header(s, &h))
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
		return launch_sim_bad(s, h.loc, "a value of %llu bytes",
				      (unsigned long long)h.size);
	if (h.noinit)
		a->init = INIT_NONE;
	else if (h.fill    ? !sim_fill(s, &h, a)
		 : h.range ? !sim_range(s, &h, a)
			   : !sim_data(s, &h, a))
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
		*a = (LaunchArg){.kind = LAUNCH_NULL,
				 .origin = FROM_FILE,
				 .loc = h.loc,
				 .shape = launch_arg_shape(s->k)};
	return true;
}

bool launch_bind_sim(Launch *l, Diag *d)
{
	LaunchText *t = l->text;
	SimReader s = {
	    .l = l, .p = t->sim_text + t->sim_pos, .at = {t->sim_path, t->sim_line, 1}, .d = d};
	s.line_start = t->sim_text + t->sim_line_start;
	for (u32 i = 0; i < l->nargs; i++) {
		s.index = i;
		s.k = &l->kernel_args[i];
		if (!sim_arg(&s, &l->args[i]))
			return false;
	}
	u32 line = s.at.line;
	if (!launch_sim_skip(&s))
		return true;
	size_t n = strcspn(s.p, " \t\r\n#");
	if (s.at.line != line)
		return launch_error(l, d, launch_sim_here(&s, s.p),
				    "'%.*s' after the last argument", (int)n, s.p);
	launch_warn(l, d, launch_sim_here(&s, s.p), "'%.*s' behind the last argument is left out",
		    (int)n, s.p);
	return true;
}
