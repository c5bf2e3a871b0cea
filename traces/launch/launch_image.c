/* Image and sampler specs.
 *
 *   image     pieces between colons, in any order:
 *             WIDTHxHEIGHTxDEPTH   as many as the image has dimensions; an array's layers last
 *             rgba r rg a bgra     channel order (default rgba)
 *             float half unorm8 … uint32   channel type (default float)
 *             zero iota random random(LO,HI) fill:V   contents (default zero)
 *             bytes:HEX  @FILE     raw pixels, row after row (a file is the last piece)
 *   sampler   words between commas: nearest|linear, none|clamp|clamp_to_edge|repeat|
 *             mirrored_repeat, normalized|unnormalized
 *
 * Contents count per channel, in the type in which the channel is stored: random fills
 * unorm8 with 0 … 255. */
#include "traces/launch/launch_impl.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

typedef struct Word {
	const char *name;
	u32 code;
} Word;

static const Word orders[] = {
    {"r", IMAGE_R}, {"a", IMAGE_A}, {"rg", IMAGE_RG}, {"rgba", IMAGE_RGBA}, {"bgra", IMAGE_BGRA},
};
static const Word types[] = {
    {"snorm8", IMAGE_SNORM8},   {"snorm16", IMAGE_SNORM16}, {"unorm8", IMAGE_UNORM8},
    {"unorm16", IMAGE_UNORM16}, {"int8", IMAGE_SINT8},      {"int16", IMAGE_SINT16},
    {"int32", IMAGE_SINT32},    {"uint8", IMAGE_UINT8},     {"uint16", IMAGE_UINT16},
    {"uint32", IMAGE_UINT32},   {"half", IMAGE_HALF},       {"float", IMAGE_FLOAT},
};
static const Word filters[] = {{"nearest", SAMPLER_NEAREST}, {"linear", SAMPLER_LINEAR}};
static const Word addressings[] = {
    {"none", SAMPLER_NONE},
    {"clamp_to_edge", SAMPLER_CLAMP_TO_EDGE},
    {"clamp", SAMPLER_CLAMP},
    {"repeat", SAMPLER_REPEAT},
    {"mirrored_repeat", SAMPLER_MIRRORED_REPEAT},
};
static const Word coordinates[] = {{"unnormalized", 0}, {"normalized", 1}};

static bool find_word(const Word *words, u32 n, const char *text, u32 *code)
{
	for (u32 i = 0; i < n; i++) {
		if (!strcmp(words[i].name, text)) {
			*code = words[i].code;
			return true;
		}
	}
	return false;
}

/* NULL: there is none. */
static const char *word_of(const Word *words, u32 n, u32 code)
{
	for (u32 i = 0; i < n; i++)
		if (words[i].code == code)
			return words[i].name;
	return NULL;
}

static void print_word(const Word *words, u32 n, u32 code, const char *after, Buf *out)
{
	const char *word = word_of(words, n, code);
	buf_printf(out, "%s%s", word ? word : "?", after);
}

bool launch_image_known(u32 order, u32 type)
{
	return word_of(orders, COUNT(orders), order) && word_of(types, COUNT(types), type);
}

Shape launch_image_shape(u32 order, u32 type)
{
	u32 width = order == IMAGE_RG ? 2 : order == IMAGE_RGBA || order == IMAGE_BGRA ? 4 : 1;
	u8 elem_class = ELEM_UINT, bytes = 1;
	switch (type) {
	case IMAGE_SNORM8:
	case IMAGE_SINT8: elem_class = ELEM_INT; break;
	case IMAGE_SNORM16:
	case IMAGE_SINT16: elem_class = ELEM_INT, bytes = 2; break;
	case IMAGE_UNORM16:
	case IMAGE_UINT16: bytes = 2; break;
	case IMAGE_SINT32: elem_class = ELEM_INT, bytes = 4; break;
	case IMAGE_UINT32: bytes = 4; break;
	case IMAGE_HALF: elem_class = ELEM_FLOAT, bytes = 2; break;
	case IMAGE_FLOAT: elem_class = ELEM_FLOAT, bytes = 4; break;
	default: break;
	}
	return (Shape){elem_class, bytes, width, width * bytes};
}

typedef struct Piece {
	char *text;
	Loc loc;
} Piece;

/* Split at sep, but not inside parentheses; "@…" takes the rest. */
static u32 split(Launch *l, const ArgText *t, char sep, Piece *out, u32 max)
{
	u32 n = 0;
	for (const char *p = t->spec;;) {
		const char *end = p;
		u32 depth = 0;
		for (; *end && (*p == '@' || depth || *end != sep); end++)
			depth += *end == '(' ? 1 : *end == ')' && depth ? UINT32_MAX : 0;
		if (n < max) {
			Loc loc = t->loc;
			if (loc.col)
				loc.col += (u32)(p - t->spec);
			out[n] = (Piece){arena_strndup(l->arena, p, (size_t)(end - p)), loc};
		}
		n++;
		if (!*end)
			return n;
		p = end + 1;
	}
}

/* How many sizes the image type wants, arrays' layers included. */
static u32 sizes_wanted(const KernelArg *k)
{
	return k->image_dims + (strstr(k->type_name, "array") ? 1u : 0u);
}

static bool image_sizes(Launch *l, const KernelArg *k, const Piece *piece, LaunchArg *a, Diag *d)
{
	u32 size[3] = {1, 1, 1}, n = 0, want = sizes_wanted(k);
	char *p = piece->text;
	for (;;) {
		char *x = strchr(p, 'x');
		if (x)
			*x = 0;
		u64 v;
		if (!parse_u64(p, &v) || !v || v > 65536)
			return launch_error(l, d, piece->loc,
					    "argument %s (%s): an image size is 1 to 65536",
					    k->name, k->type_name);
		if (n < 3)
			size[n] = (u32)v;
		n++;
		if (!x)
			break;
		p = x + 1;
	}
	if (n != want)
		return launch_error(l, d, piece->loc, "argument %s (%s): %u sizes wanted, %u given",
				    k->name, k->type_name, want, n);
	if (k->image_dims == 1 && want == 2) /* layers are the depth */
		size[2] = size[1], size[1] = 1;
	memcpy(a->image_size, size, sizeof size);
	return true;
}

static bool image_number(Launch *l, const KernelArg *k, const Piece *at, const char *text,
			 const Shape *s, Num *out, Diag *d)
{
	NumError e = num_parse(text, s, out);
	if (e == NUM_OK)
		return true;
	Buf why = {0};
	num_explain(e, text, s, &why);
	launch_error(l, d, at->loc, "argument %s (%s): %s", k->name, k->type_name, why.v);
	array_free(&why);
	return false;
}

/* The numbers of random(LO,HI), fill:V and bytes:HEX wait until the format is known. */
typedef struct Contents {
	const Piece *limits, *fill, *bytes;
} Contents;

static bool image_bytes(Launch *l, const KernelArg *k, const Piece *p, LaunchArg *a, Diag *d)
{
	size_t n = strlen(p->text);
	if (p->text[strspn(p->text, "0123456789abcdefABCDEF")] || n != 2 * a->size)
		return launch_error(l, d, p->loc,
				    "argument %s (%s): %llu hexadecimal digits wanted", k->name,
				    k->type_name, (unsigned long long)(2 * a->size));
	u8 *bytes = arena_alloc(l->arena, a->size);
	for (size_t i = 0; i < n; i += 2)
		bytes[i / 2] = (u8)strtoul((char[]){p->text[i], p->text[i + 1], 0}, NULL, 16);
	a->bytes = bytes;
	return true;
}

static bool image_numbers(Launch *l, const KernelArg *k, const Contents *c, LaunchArg *a, Diag *d)
{
	if (c->fill) {
		Num v;
		if (!image_number(l, k, c->fill, c->fill->text, &a->shape, &v, d))
			return false;
		u8 *pixel = arena_alloc(l->arena, a->shape.stride);
		for (u32 i = 0; i < a->shape.width; i++)
			num_store(pixel + i * a->shape.elem_bytes, &a->shape, v);
		a->bytes = pixel;
	}
	if (c->limits) {
		char *lo = arena_strdup(l->arena, c->limits->text + strlen("random("));
		char *hi = strchr(lo, ','), *end = strchr(lo, ')');
		if (!hi || !end || end[1] || hi > end)
			return launch_error(l, d, c->limits->loc,
					    "argument %s (%s): random wants its limits as (LO,HI)",
					    k->name, k->type_name);
		*hi++ = 0, *end = 0;
		if (!image_number(l, k, c->limits, lo, &a->shape, &a->num[0], d) ||
		    !image_number(l, k, c->limits, hi, &a->shape, &a->num[1], d))
			return false;
		bool is_float = a->shape.elem_class == ELEM_FLOAT;
		bool order = is_float ? a->num[0].f <= a->num[1].f && isfinite(a->num[0].f) &&
					    isfinite(a->num[1].f)
				      : a->num[0].i <= a->num[1].i;
		if (!order)
			return launch_error(
			    l, d, c->limits->loc,
			    "argument %s (%s): random's limits are the wrong way round", k->name,
			    k->type_name);
		a->random_range = true;
	}
	return true;
}

static bool unknown_piece(Launch *l, const KernelArg *k, const Piece *p, Diag *d)
{
	const char *words[COUNT(orders) + COUNT(types) + 5] = {"zero", "iota", "random", "fill",
							       "bytes"};
	u32 n = 5;
	for (u32 i = 0; i < COUNT(orders); i++)
		words[n++] = orders[i].name;
	for (u32 i = 0; i < COUNT(types); i++)
		words[n++] = types[i].name;
	launch_error(l, d, p->loc, "argument %s (%s): '%s' is no part of an image", k->name,
		     k->type_name, p->text);
	const char *near = nearest_word(p->text, words, n);
	if (near)
		diag_hint(d, "did you mean '%s'?", near);
	else
		diag_hint(d, "say for example %s=random:64x64:rgba:float", k->name);
	return false;
}

/* One piece; *i moves on over a value that belongs to it. */
static bool image_piece(Launch *l, const KernelArg *k, const ArgText *t, const Piece *p, u32 n,
			u32 *i, LaunchArg *a, Contents *c, Diag *d)
{
	const Piece *piece = &p[*i];
	const char *text = piece->text;
	if (*text >= '0' && *text <= '9')
		return image_sizes(l, k, piece, a, d);
	if (find_word(orders, COUNT(orders), text, &a->image_order) ||
	    find_word(types, COUNT(types), text, &a->image_type))
		return true;
	if (*text == '@' && text[1]) {
		a->init = INIT_FILE;
		a->path = launch_path(l, t, text + 1);
	} else if (!strcmp(text, "zero")) {
		a->init = INIT_ZERO;
	} else if (!strcmp(text, "iota")) {
		a->init = INIT_IOTA;
	} else if (!strcmp(text, "random") || !strncmp(text, "random(", 7)) {
		a->init = INIT_RANDOM;
		c->limits = text[6] ? piece : NULL;
	} else if (!strcmp(text, "fill") && *i + 1 < n) {
		a->init = INIT_FILL;
		c->fill = &p[++*i];
	} else if (!strcmp(text, "bytes") && *i + 1 < n) {
		a->init = INIT_DATA;
		c->bytes = &p[++*i];
	} else {
		return unknown_piece(l, k, piece, d);
	}
	return true;
}

static bool image_file(Launch *l, const KernelArg *k, const ArgText *t, LaunchArg *a, Diag *d)
{
	const char *fault = launch_file_fault(l, t, a->path);
	struct stat st;
	if (fault)
		return launch_error(l, d, t->loc, "argument %s (%s): '%s' %s", k->name, k->type_name, a->path, fault);
	if (stat(a->path, &st))
		return launch_error(l, d, t->loc, "argument %s (%s): cannot read '%s': %s", k->name,
				    k->type_name, a->path, strerror(errno));
	if (S_ISREG(st.st_mode) && (u64)st.st_size == a->size)
		return true;
	return launch_error(l, d, t->loc, "argument %s (%s): '%s' has %llu bytes, the image %llu",
			    k->name, k->type_name, a->path, (unsigned long long)st.st_size,
			    (unsigned long long)a->size);
}

bool launch_parse_image(Launch *l, u32 arg, const ArgText *t, LaunchArg *a, Diag *d)
{
	const KernelArg *k = &l->kernel_args[arg];
	Piece pieces[16];
	u32 n = split(l, t, ':', pieces, COUNT(pieces));
	Contents c = {0};
	if (n > COUNT(pieces))
		return launch_error(l, d, t->loc, "argument %s (%s): too many parts", k->name,
				    k->type_name);
	a->kind = LAUNCH_IMAGE;
	a->image_order = IMAGE_RGBA;
	a->image_type = IMAGE_FLOAT;
	for (u32 i = 0; i < n; i++)
		if (!image_piece(l, k, t, pieces, n, &i, a, &c, d))
			return false;
	a->shape = launch_image_shape(a->image_order, a->image_type);
	if (!image_numbers(l, k, &c, a, d))
		return false;
	a->count_guessed = !a->image_size[0];
	if (a->count_guessed && (a->init == INIT_FILE || a->init == INIT_DATA))
		return launch_error(l, d, t->loc,
				    "argument %s (%s): these contents need the image's size",
				    k->name, k->type_name);
	a->count = (u64)a->image_size[0] * a->image_size[1] * a->image_size[2];
	launch_set_buffer_size(a);
	if (a->init == INIT_DATA)
		return image_bytes(l, k, c.bytes, a, d);
	return a->init != INIT_FILE || image_file(l, k, t, a, d);
}

bool launch_parse_sampler(Launch *l, u32 arg, const ArgText *t, LaunchArg *a, Diag *d)
{
	const KernelArg *k = &l->kernel_args[arg];
	Piece pieces[8];
	u32 n = split(l, t, ',', pieces, COUNT(pieces)), normalized = 0;
	a->kind = LAUNCH_SAMPLER;
	a->filter = SAMPLER_NEAREST;
	a->addressing = SAMPLER_CLAMP_TO_EDGE;
	for (u32 i = 0; i < n && i < COUNT(pieces); i++) {
		const char *text = pieces[i].text;
		if (find_word(filters, COUNT(filters), text, &a->filter) ||
		    find_word(addressings, COUNT(addressings), text, &a->addressing) ||
		    find_word(coordinates, COUNT(coordinates), text, &normalized))
			continue;
		static const char *const words[] = {
		    "nearest", "linear",          "none",       "clamp",       "clamp_to_edge",
		    "repeat",  "mirrored_repeat", "normalized", "unnormalized"};
		launch_error(l, d, pieces[i].loc, "argument %s (%s): '%s' is no part of a sampler",
			     k->name, k->type_name, text);
		const char *near = nearest_word(text, words, COUNT(words));
		if (near)
			diag_hint(d, "did you mean '%s'?", near);
		else
			diag_hint(d, "say for example %s=nearest,clamp,unnormalized", k->name);
		return false;
	}
	a->normalized = normalized != 0;
	return true;
}

void launch_print_image(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	static const char *const init[] = {
	    [INIT_ZERO] = "zero", [INIT_FILL] = "fill:",  [INIT_IOTA] = "iota", [INIT_RANDOM] = "",
	    [INIT_RANGE] = "range", [INIT_DATA] = "bytes:", [INIT_FILE] = "",     [INIT_NONE] = "zero"};
	buf_printf(out, "%s", init[a->init]);
	if (a->init == INIT_FILL)
		num_print(num_load(a->bytes, &a->shape), &a->shape, out);
	else if (a->init == INIT_RANDOM)
		launch_print_random(a, out);
	for (u64 i = 0; a->init == INIT_DATA && i < a->size; i++)
		buf_printf(out, "%02x", a->bytes[i]);
	if (a->init != INIT_FILE)
		buf_printf(out, ":");
	buf_printf(out, "%u", a->image_size[0]);
	if (k->image_dims == 1 && sizes_wanted(k) == 2) {
		buf_printf(out, "x%u", a->image_size[2]);
	} else {
		for (u32 i = 1; i < sizes_wanted(k) && i < 3; i++)
			buf_printf(out, "x%u", a->image_size[i]);
	}
	buf_printf(out, ":");
	print_word(orders, COUNT(orders), a->image_order, ":", out);
	print_word(types, COUNT(types), a->image_type, "", out);
	if (a->init == INIT_FILE)
		buf_printf(out, ":@%s", a->path);
}

void launch_print_sampler(const LaunchArg *a, Buf *out)
{
	print_word(filters, COUNT(filters), a->filter, ",", out);
	print_word(addressings, COUNT(addressings), a->addressing, ",", out);
	buf_printf(out, "%snormalized", a->normalized ? "" : "un");
}
