/* Arguments of piglit headers:
 *
 *   arg_in:  1 int 5                        arg_in:  0 buffer float4[2] 1 2 3 4 5 6 7 8
 *   arg_in:  2 buffer int[64] repeat 1 2    arg_in:  3 buffer int[4] random (or NULL)
 *   arg_out: 0 buffer float[2] 1 nan tolerance 4 ulp
 *   arg_in:  4 sampler normalized_coords 0 addressing_mode clamp filter_mode nearest
 *   arg_in:  5 image float 1 2 … image_type 2d image_width 2 … (also random, repeat)
 *
 * arg_out says what a buffer must hold after the run; without an arg_in of its own the
 * buffer starts uninitialised. */
#include "traces/launch/launch_impl.h"

#include <math.h>

typedef struct PiglitReader {
	Launch *l;
	const PiglitArg *a;
	char **w; /* words */
	u32 n, i;
	u32 arg;
	Diag *d;
} PiglitReader;

#define bad(g, ...) \
	launch_error((g)->l, (g)->d, (g)->a->loc, "%s: %s", (g)->a->out ? "arg_out" : "arg_in", \
	             arena_printf((g)->l->arena, __VA_ARGS__))

static void words(PiglitReader *g)
{
	Arena *a = g->l->arena;
	const char *p = g->a->text;
	g->w = ARENA_ARRAY(a, char *, strlen(p) / 2 + 2);
	for (p += strspn(p, " \t"); *p; p += strspn(p, " \t")) {
		size_t n = strcspn(p, " \t");
		g->w[g->n++] = arena_strndup(a, p, n);
		p += n;
	}
}

static const char *word(PiglitReader *g) { return g->i < g->n ? g->w[g->i++] : ""; }
static const char *peek(const PiglitReader *g) { return g->i < g->n ? g->w[g->i] : ""; }

static bool either(const char *w, const char *a, const char *b)
{
	return !strcmp(w, a) || !strcmp(w, b);
}

/* Integers are cut to the type, as a C conversion cuts them. */
static bool number(PiglitReader *g, const char *w, const ElemShape *s, Num *out)
{
	static const char *const nan[] = {"NAN", "NaN"}, *const inf[] = {"infinity", "INFINITY",
									 "Infinity", "INF", "Inf"};
	const ElemShape wide = {s->elem_class, 8, 1, 8}, wide_bits = {ELEM_UINT, 8, 1, 8};
	const char *sign = *w == '-' || *w == '+' ? w : "";
	for (u32 i = 0; s->elem_class == ELEM_FLOAT && i < COUNT(inf); i++)
		if (!strcmp(w + (*sign != 0), inf[i]))
			w = *sign == '-' ? "-inf" : "inf";
	for (u32 i = 0; s->elem_class == ELEM_FLOAT && i < COUNT(nan); i++)
		if (!strcmp(w + (*sign != 0), nan[i]))
			w = *sign == '-' ? "-nan" : "nan";
	NumError e = num_parse(w, s, out);
	if (e == NUM_OUT_OF_RANGE && s->elem_class != ELEM_FLOAT &&
	    (num_parse(w, &wide, out) == NUM_OK || num_parse(w, &wide_bits, out) == NUM_OK))
		return true;
	if (e == NUM_OK)
		return true;
	return bad(g, "%s (%s)", num_explain(g->l->arena, e, w, s), launch_type_name(s));
}

static bool is_number(const char *w)
{
	return *w && (strchr("+-.0123456789", *w) || !strncmp(w, "nan", 3) ||
		      !strncmp(w, "NAN", 3) || !strncmp(w, "NaN", 3) || !strncmp(w, "inf", 3) ||
		      !strncmp(w, "INF", 3) || !strncmp(w, "Inf", 3));
}

/* The numbers that follow fill count elements: all of them, or repeating. */
static const u8 *numbers(PiglitReader *g, const ElemShape *s, u64 count, bool repeat)
{
	u32 first = g->i, given = 0;
	while (is_number(peek(g))) {
		g->i++;
		given++;
	}
	u64 want = count * s->width;
	if (!given || (!repeat && given != want)) {
		bad(g, "%" PRIu64 " numbers wanted, %u given", want, given);
		return NULL;
	}
	u8 *bytes = arena_alloc(g->l->arena, count * s->stride);
	Num *v = ARENA_ARRAY(g->l->arena, Num, given);
	for (u32 i = 0; i < given; i++)
		if (!number(g, g->w[first + i], s, &v[i]))
			return NULL;
	for (u64 i = 0; i < want; i++)
		num_store(bytes + i / s->width * s->stride + i % s->width * s->elem_bytes, s,
			  v[i % given]);
	return bytes;
}

enum { MAX_BYTES = 1 << 28 };

/* TYPE[COUNT] */
static bool array_type(PiglitReader *g, ElemShape *s, u64 *count)
{
	const char *w = word(g), *open = strchr(w, '[');
	size_t n = open ? strspn(open + 1, "0123456789") : 0;
	char digits[16] = "";
	if (!n || n >= sizeof digits || open[1 + n] != ']' || open[2 + n] ||
	    !launch_type_shape(w, (size_t)(open - w), s))
		return bad(g, "TYPE[COUNT] expected, not '%s'", w);
	memcpy(digits, open + 1, n);
	if (!parse_u64(digits, count) || !*count || *count > MAX_BYTES / s->stride)
		return bad(g, "%s elements are none or too many", digits);
	return true;
}

static bool tolerance(PiglitReader *g, LaunchExpect *e)
{
	if (strcmp(peek(g), "tolerance") != 0)
		return true;
	g->i++;
	const char *w = word(g);
	if (!parse_f64(w, &e->tolerance) || !(e->tolerance >= 0))
		return bad(g, "the tolerance '%s' is not a number", w);
	e->ulp = !strcmp(peek(g), "ulp");
	g->i += e->ulp;
	return true;
}

static bool expectation(PiglitReader *g, const LaunchArg *a, const u8 *bytes)
{
	LaunchExpect e = {
	    .arg = g->arg, .bytes = bytes, .size = a->size, .shape = a->shape, .loc = g->a->loc};
	if (!tolerance(g, &e))
		return false;
	array_push(&g->l->expects, e);
	return true;
}

static bool buffer(PiglitReader *g, LaunchArg *a)
{
	const KernelArg *k = &g->l->kernel_args[g->arg];
	if (!array_type(g, &a->shape, &a->count))
		return false;
	launch_set_buffer_size(a);
	a->kind = LAUNCH_BUFFER;
	a->init = INIT_NONE;
	const char *w = peek(g);
	bool null = either(w, "NULL", "null");
	if (k->kind != ARG_GLOBAL && k->kind != ARG_CONSTANT && !(null && k->kind == ARG_LOCAL))
		return bad(g, "argument %s (%s) is not a buffer", k->name, k->type_name);
	if (null) {
		g->i++;
		a->kind = k->kind == ARG_LOCAL ? LAUNCH_LOCAL : LAUNCH_NULL;
	} else if (either(w, "random", "RANDOM")) {
		g->i++;
		a->init = INIT_RANDOM;
	} else {
		bool repeat = either(w, "repeat", "REPEAT");
		g->i += repeat;
		const u8 *bytes = numbers(g, &a->shape, a->count, repeat);
		if (!bytes)
			return false;
		if (g->a->out)
			return expectation(g, a, bytes);
		a->init = INIT_DATA;
		a->bytes = bytes;
	}
	return !g->a->out || bad(g, "the expected contents are missing");
}

static bool value(PiglitReader *g, LaunchArg *a)
{
	const KernelArg *k = &g->l->kernel_args[g->arg];
	const char *type = word(g);
	if (!launch_type_shape(type, strlen(type), &a->shape))
		return bad(g, "'%s' is not a type", type);
	if (k->kind != ARG_VALUE || (k->size && k->size != a->shape.stride))
		return bad(g, "%s does not fit argument %s (%s)", type, k->name, k->type_name);
	a->kind = LAUNCH_VALUE;
	a->count = 1;
	a->size = a->shape.stride;
	a->bytes = numbers(g, &a->shape, 1, false);
	a->shape = launch_arg_shape(k);
	return a->bytes != NULL;
}

static bool sampler(PiglitReader *g, LaunchArg *a)
{
	const KernelArg *k = &g->l->kernel_args[g->arg];
	Buf spec = {0};
	char *name, *lower;
	while (g->i + 1 < g->n) {
		name = g->w[g->i++];
		lower = g->w[g->i++];
		for (char *p = lower; *p; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		const char *word = lower;
		if (!strcmp(name, "normalized_coords"))
			word = either(lower, "1", "true") ? "normalized" : "unnormalized";
		buf_printf(&spec, "%s%s", spec.n ? "," : "", word);
	}
	if (k->kind != ARG_SAMPLER || !spec.n) {
		array_free(&spec);
		return bad(g, "argument %s (%s) and this sampler do not fit", k->name,
			   k->type_name);
	}
	ArgText t = {.name = k->name,
		     .spec = buf_keep(&spec, g->l->arena),
		     .loc = g->a->loc,
		     .origin = FROM_FILE};
	t.loc.col = 0;
	return launch_parse_arg(g->l, g->arg, &t, a, g->d);
}

/* image_width 4 … ; the words piglit writes for formats, in its own spelling. */
static bool image_properties(PiglitReader *g, LaunchArg *a)
{
	a->image_size[0] = a->image_size[1] = a->image_size[2] = 1;
	while (!strncmp(peek(g), "image_", 6) && g->i + 1 < g->n) {
		const char *name = word(g), *w = word(g);
		u64 v;
		u32 code = launch_image_piglit(w);
		bool size = either(name, "image_width", "image_height");
		bool order = !strcmp(name, "image_channel_order");
		if (size && (!parse_u64(w, &v) || !v || v > 65536))
			return bad(g, "%s: an image size is 1 to 65536", name);
		if (size)
			a->image_size[name[6] == 'h'] = (u32)v;
		else if ((order || !strcmp(name, "image_channel_data_type")) && !code)
			return bad(g, "%s: '%s' is not supported", name, w);
		else if (code)
			*(order ? &a->image_order : &a->image_type) = code;
		else if (!strcmp(name, "image_type") && strcasecmp(w, "2d") != 0)
			return bad(g, "image_type: '%s' is not supported", w);
	}
	if (!a->image_order || !a->image_type)
		return bad(g, "the image has no format");
	a->shape = launch_image_shape(a->image_order, a->image_type);
	a->count = (u64)a->image_size[0] * a->image_size[1];
	launch_set_buffer_size(a);
	return true;
}

static bool image(PiglitReader *g, LaunchArg *a)
{
	const KernelArg *k = &g->l->kernel_args[g->arg];
	word(g); /* the type of its numbers, which the channel type says again */
	u32 at = g->i;
	while (g->i < g->n && strncmp(peek(g), "image_", 6) != 0)
		g->i++;
	if (!image_properties(g, a))
		return false;
	if (k->kind != ARG_IMAGE || k->image_dims != 2)
		return bad(g, "argument %s (%s) is not a 2D image", k->name, k->type_name);
	if (a->size > MAX_BYTES)
		return bad(g, "the image is too large");
	u32 behind = g->i;
	g->i = at;
	a->kind = LAUNCH_IMAGE;
	a->init = INIT_ZERO;
	if (either(peek(g), "random", "RANDOM")) {
		a->init = INIT_RANDOM;
	} else {
		bool repeat = either(peek(g), "repeat", "REPEAT");
		g->i += repeat;
		const u8 *bytes = numbers(g, &a->shape, a->count, repeat);
		if (!bytes)
			return false;
		a->bytes = g->a->out ? NULL : bytes;
		a->init = g->a->out ? INIT_ZERO : INIT_DATA;
		g->i = behind;
		return !g->a->out || expectation(g, a, bytes);
	}
	g->i = behind;
	return !g->a->out || bad(g, "the expected contents are missing");
}

static bool piglit_arg(PiglitReader *g)
{
	u64 index;
	words(g);
	const char *w = word(g);
	if (!parse_u64(w, &index) || index >= g->l->nargs)
		return bad(g, "'%s' is not the number of an argument (there are %u)", w,
			   g->l->nargs);
	g->arg = (u32)index;
	LaunchArg *slot = &g->l->args[g->arg];
	LaunchArg a = {.origin = FROM_FILE, .loc = g->a->loc};
	w = peek(g);
	bool word_used = either(w, "buffer", "image") || !strcmp(w, "sampler");
	g->i += word_used;
	if (g->a->out && !either(w, "buffer", "image"))
		return bad(g, "only buffers and images can be looked at after the run");
	bool ok = !strcmp(w, "buffer")    ? buffer(g, &a)
		  : !strcmp(w, "image")   ? image(g, &a)
		  : !strcmp(w, "sampler") ? sampler(g, &a)
					  : value(g, &a);
	if (!ok)
		return false;
	if (g->i < g->n)
		return bad(g, "'%s' does not belong here", g->w[g->i]);
	a.origin = FROM_FILE;
	if (!g->a->out || slot->kind == LAUNCH_UNSET)
		*slot = a;
	return true;
}

bool launch_bind_piglit(Launch *l, Diag *d)
{
	u32 errors = d->errors;
	for (u32 out = 0; out < 2; out++) { /* inputs first: they say how a buffer starts */
		for (u32 i = 0; i < l->text->piglit.n; i++) {
			PiglitReader g = {.l = l, .a = &l->text->piglit.v[i], .d = d};
			if (g.a->out == (out == 1))
				piglit_arg(&g);
		}
	}
	return d->errors == errors;
}

/* ---- after the run ---- */

static double one_ulp(double v, const ElemShape *s)
{
	if (s->elem_bytes == 8)
		return nextafter(fabs(v), (double)INFINITY) - fabs(v);
	if (s->elem_bytes == 4)
		return (double)(nextafterf((float)fabs(v), INFINITY) - (float)fabs(v));
	int e = fabs(v) < ldexp(1, -14) ? -14 : ilogb(v);
	return ldexp(1, e - 10);
}

static bool close_enough(const LaunchExpect *e, Num got, Num want)
{
	if (e->shape.elem_class != ELEM_FLOAT) {
		u64 far = e->shape.elem_class == ELEM_INT
			      ? (got.i > want.i ? got.u - want.u : want.u - got.u)
			      : (got.u > want.u ? got.u - want.u : want.u - got.u);
		return (double)far <= e->tolerance;
	}
	if (isnan(want.f) || isnan(got.f))
		return isnan(want.f) && isnan(got.f);
	if (isinf(want.f) || isinf(got.f))
		return want.f == got.f;
	double limit = e->ulp ? e->tolerance * one_ulp(want.f, &e->shape) : e->tolerance;
	return fabs(got.f - want.f) <= limit;
}

u64 launch_expect(const Launch *l, const LaunchExpect *e, const void *data, u64 *first, Buf *why)
{
	const ElemShape *s = &e->shape;
	const char *name = l->kernel_args[e->arg].name;
	u64 wrong = 0, n = e->size / s->stride * s->width, have = l->args[e->arg].size;
	if (have < e->size) { /* a stronger origin gave it other contents */
		*first = 0;
		buf_printf(why, "%s has %" PRIu64 " bytes, expected %" PRIu64, name, have, e->size);
		return n;
	}
	for (u64 i = 0; i < n; i++) {
		u64 at = i / s->width * s->stride + i % s->width * s->elem_bytes;
		Num got = num_load((const u8 *)data + at, s), want = num_load(e->bytes + at, s);
		if (close_enough(e, got, want))
			continue;
		if (!wrong++) {
			*first = i;
			buf_printf(why, "%s[%" PRIu64 "] is ", name, i);
			if (!num_print(got, s, why))
				buf_printf(why, "nan");
			buf_printf(why, ", expected ");
			if (!num_print(want, s, why))
				buf_printf(why, "nan");
		}
	}
	return wrong;
}
