/* Image and sampler specs.
 *
 *   image     parts between colons, in any order:
 *             WIDTHxHEIGHTxDEPTH   as many as the image has dimensions; an array's layers last
 *             rgba r rg a bgra argb channel order (default rgba)
 *             float half unorm8 … uint32   channel type (default float)
 *             zero iota random random(LO,HI) fill:V   contents (default zero)
 *             bytes:HEX  @FILE     raw pixels, row after row (a file is the last part)
 *   sampler   words between commas: nearest|linear, none|clamp|clamp_to_edge|repeat|
 *             mirrored_repeat, normalized|unnormalized
 *
 * Contents count per channel, in the type in which the channel is stored: random fills
 * unorm8 with 0 … 255. */
#include "traces/launch/launch_spec.h"

#include <errno.h>
#include <sys/stat.h>

/* A word of a spec. Of a channel type also piglit's name, and how a channel is stored. */
typedef enum {
	WORD_ORDER = 1, WORD_TYPE = 2, WORD_FILTER = 4, WORD_ADDRESSING = 8, WORD_COORDINATES = 16,
	SAMPLER_WORDS = WORD_FILTER | WORD_ADDRESSING | WORD_COORDINATES
} ImageWordKind;
typedef struct ImageWord {
	ImageWordKind kind;
	u32 code;
	const char *name, *piglit;
	u8 elem_class, elem_bytes;
} ImageWord;

static const ImageWord image_words[] = {
    {WORD_ORDER, IMAGE_R, "r", "r", 0, 0},
    {WORD_ORDER, IMAGE_A, "a", "a", 0, 0},
    {WORD_ORDER, IMAGE_RG, "rg", "rg", 0, 0},
    {WORD_ORDER, IMAGE_RGBA, "rgba", "rgba", 0, 0},
    {WORD_ORDER, IMAGE_BGRA, "bgra", "bgra", 0, 0},
    {WORD_ORDER, IMAGE_ARGB, "argb", "argb", 0, 0},
    {WORD_TYPE, IMAGE_SNORM8, "snorm8", "snorm_int8", ELEM_INT, 1},
    {WORD_TYPE, IMAGE_SNORM16, "snorm16", "snorm_int16", ELEM_INT, 2},
    {WORD_TYPE, IMAGE_UNORM8, "unorm8", "unorm_int8", ELEM_UINT, 1},
    {WORD_TYPE, IMAGE_UNORM16, "unorm16", "unorm_int16", ELEM_UINT, 2},
    {WORD_TYPE, IMAGE_SINT8, "int8", "signed_int8", ELEM_INT, 1},
    {WORD_TYPE, IMAGE_SINT16, "int16", "signed_int16", ELEM_INT, 2},
    {WORD_TYPE, IMAGE_SINT32, "int32", "signed_int32", ELEM_INT, 4},
    {WORD_TYPE, IMAGE_UINT8, "uint8", "unsigned_int8", ELEM_UINT, 1},
    {WORD_TYPE, IMAGE_UINT16, "uint16", "unsigned_int16", ELEM_UINT, 2},
    {WORD_TYPE, IMAGE_UINT32, "uint32", "unsigned_int32", ELEM_UINT, 4},
    {WORD_TYPE, IMAGE_HALF, "half", "half_float", ELEM_FLOAT, 2},
    {WORD_TYPE, IMAGE_FLOAT, "float", "float", ELEM_FLOAT, 4},
    {WORD_FILTER, SAMPLER_NEAREST, "nearest", NULL, 0, 0},
    {WORD_FILTER, SAMPLER_LINEAR, "linear", NULL, 0, 0},
    {WORD_ADDRESSING, SAMPLER_NONE, "none", NULL, 0, 0},
    {WORD_ADDRESSING, SAMPLER_CLAMP, "clamp", NULL, 0, 0},
    {WORD_ADDRESSING, SAMPLER_CLAMP_TO_EDGE, "clamp_to_edge", NULL, 0, 0},
    {WORD_ADDRESSING, SAMPLER_REPEAT, "repeat", NULL, 0, 0},
    {WORD_ADDRESSING, SAMPLER_MIRRORED_REPEAT, "mirrored_repeat", NULL, 0, 0},
    {WORD_COORDINATES, 1, "normalized", NULL, 0, 0},
    {WORD_COORDINATES, 0, "unnormalized", NULL, 0, 0},
};

static bool find_word(ImageWordKind kind, const char *text, u32 *code)
{
	for (u32 i = 0; i < COUNT(image_words); i++) {
		if (image_words[i].kind == kind && !strcmp(image_words[i].name, text)) {
			*code = image_words[i].code;
			return true;
		}
	}
	return false;
}

/* NULL: there is none. */
static const ImageWord *word_of(ImageWordKind kind, u32 code)
{
	for (u32 i = 0; i < COUNT(image_words); i++)
		if (image_words[i].kind == kind && image_words[i].code == code)
			return &image_words[i];
	return NULL;
}

static void print_word(ImageWordKind kind, u32 code, const char *after, Buf *out)
{
	const ImageWord *word = word_of(kind, code);
	buf_printf(out, "%s%s", word ? word->name : "?", after);
}

bool launch_image_known(u32 order, u32 type)
{
	return word_of(WORD_ORDER, order) && word_of(WORD_TYPE, type);
}

ElemShape launch_image_shape(u32 order, u32 type)
{
	u32 width = order == IMAGE_RG ? 2 : order == IMAGE_R || order == IMAGE_A ? 1 : 4;
	const ImageWord *t = word_of(WORD_TYPE, type);
	u8 elem_class = t ? t->elem_class : ELEM_UINT, bytes = t ? t->elem_bytes : 1;
	return (ElemShape){elem_class, bytes, width, width * bytes};
}

u32 launch_image_piglit(const char *word)
{
	for (u32 i = 0; i < COUNT(image_words); i++)
		if (image_words[i].piglit && !strcasecmp(image_words[i].piglit, word))
			return image_words[i].code;
	return 0;
}

typedef struct SpecPart {
	char *text;
	const char *at; /* in the spec */
} SpecPart;

/* Split at sep, but not inside parentheses; "@…" takes the rest. */
static u32 split(const ArgSpec *s, char sep, SpecPart *out, u32 max)
{
	u32 n = 0;
	for (const char *p = s->p;;) {
		const char *end = p;
		u32 depth = 0;
		for (; *end && (*p == '@' || depth || *end != sep); end++)
			depth += *end == '(' ? 1 : *end == ')' && depth ? UINT32_MAX : 0;
		if (n < max)
			out[n] = (SpecPart){arena_strndup(s->l->arena, p, (size_t)(end - p)), p};
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

static bool image_sizes(const ArgSpec *s, const SpecPart *part)
{
	u32 size[3] = {1, 1, 1}, n = 0, want = sizes_wanted(s->k);
	for (char *p = part->text, *x; p; p = x) {
		u64 v;
		x = strchr(p, 'x');
		if (x)
			*x++ = 0;
		if (!parse_u64(p, &v) || !v || v > 65536)
			return spec_bad(s, part->at, "an image size is 1 to 65536");
		if (n < 3)
			size[n] = (u32)v;
		n++;
	}
	if (n != want)
		return spec_bad(s, part->at, "%u sizes wanted, %u given", want, n);
	if (s->k->image_dims == 1 && want == 2) /* layers are the depth */
		size[2] = size[1], size[1] = 1;
	memcpy(s->out->image_size, size, sizeof size);
	return true;
}

/* The numbers of random(LO,HI), fill:V and bytes:HEX wait until the format is known. */
typedef struct ImageContents {
	const SpecPart *limits, *fill, *bytes;
} ImageContents;

static bool image_bytes(const ArgSpec *s, const SpecPart *part)
{
	LaunchArg *a = s->out;
	size_t n = strlen(part->text);
	SpecBytes bytes;
	if (part->text[strspn(part->text, "0123456789abcdefABCDEF")] || n != 2 * a->size)
		return spec_bad(s, part->at, "%llu hexadecimal digits wanted", (unsigned long long)(2 * a->size));
	if (!spec_hex(s, part->text, &bytes))
		return false;
	a->bytes = bytes.v;
	return true;
}

static bool image_numbers(const ArgSpec *s, const ImageContents *c)
{
	LaunchArg *a = s->out;
	if (c->fill) {
		Num v;
		if (!spec_number(s, c->fill->at, strlen(c->fill->text), &a->shape, &v))
			return false;
		u8 *pixel = arena_alloc(s->l->arena, a->shape.stride);
		for (u32 i = 0; i < a->shape.width; i++)
			num_store(pixel + i * a->shape.elem_bytes, &a->shape, v);
		a->bytes = pixel;
	}
	if (!c->limits)
		return true;
	const char *end;
	return spec_limits(s, c->limits->at + strlen("random"), &end) &&
	       (end == c->limits->at + strlen(c->limits->text) ||
	        spec_bad(s, c->limits->at, "random wants its limits as (LO,HI)"));
}

/* Says what a word could have been: one of those kinds, or of n more. */
static bool unknown_part(const ArgSpec *s, const SpecPart *part, const char *of, u32 kinds, const char *const *more,
			 u32 n, const char *example)
{
	const char *words[COUNT(image_words) + 8];
	if (n)
		memcpy(words, more, n * sizeof *words);
	for (u32 i = 0; i < COUNT(image_words); i++)
		if (image_words[i].kind & kinds)
			words[n++] = image_words[i].name;
	spec_bad(s, part->at, "'%s' is no part of %s", part->text, of);
	if (!diag_near(s->d, "'", part->text, words, n))
		diag_hint(s->d, "say for example %s=%s", s->k->name, example);
	return false;
}

static bool unknown_image_part(const ArgSpec *s, const SpecPart *part)
{
	static const char *const more[] = {"zero", "iota", "random", "fill", "bytes"};
	return unknown_part(s, part, "an image", WORD_ORDER | WORD_TYPE, more, COUNT(more), "random:64x64:rgba:float");
}

/* parts[*i] of n; *i moves on over a value that belongs to it. */
static bool image_part(const ArgSpec *s, const SpecPart *parts, u32 n, u32 *i, ImageContents *c)
{
	const SpecPart *part = &parts[*i];
	const char *text = part->text;
	LaunchArg *a = s->out;
	if (*text >= '0' && *text <= '9')
		return image_sizes(s, part);
	if (find_word(WORD_ORDER, text, &a->image_order) || find_word(WORD_TYPE, text, &a->image_type))
		return true;
	if (*text == '@' && text[1]) {
		a->init = INIT_FILE;
		a->path = launch_path(s->l, s->t, text + 1);
	} else if (!strcmp(text, "zero")) {
		a->init = INIT_ZERO;
	} else if (!strcmp(text, "iota")) {
		a->init = INIT_IOTA;
	} else if (!strcmp(text, "random") || !strncmp(text, "random(", 7)) {
		a->init = INIT_RANDOM;
		c->limits = text[6] ? part : NULL;
	} else if (!strcmp(text, "fill") && *i + 1 < n) {
		a->init = INIT_FILL;
		c->fill = &parts[++*i];
	} else if (!strcmp(text, "bytes") && *i + 1 < n) {
		a->init = INIT_DATA;
		c->bytes = &parts[++*i];
	} else {
		return unknown_image_part(s, part);
	}
	return true;
}

static bool image_file(const ArgSpec *s)
{
	const LaunchArg *a = s->out;
	const char *fault = launch_file_fault(s->l, s->t, a->path), *why;
	u64 size;
	if (fault)
		return spec_bad(s, s->p, "'%s' %s", a->path, fault);
	FILE *f = launch_open(s->l, a->path, &size, &why);
	if (!f)
		return spec_bad(s, s->p, "%s", why);
	fclose(f);
	return size == a->size || spec_bad(s, s->p, "'%s' has %llu bytes, the image %llu", a->path,
	                                   (unsigned long long)size, (unsigned long long)a->size);
}

bool spec_image(ArgSpec *s)
{
	LaunchArg *a = s->out;
	SpecPart parts[16];
	ImageContents c = {0};
	u32 n = split(s, ':', parts, COUNT(parts));
	if (n > COUNT(parts))
		return spec_bad(s, s->p, "an image has up to 16 parts, with a ':' between them; this has more");
	a->kind = LAUNCH_IMAGE;
	a->image_order = IMAGE_RGBA;
	a->image_type = IMAGE_FLOAT;
	for (u32 i = 0; i < n; i++)
		if (!image_part(s, parts, n, &i, &c))
			return false;
	a->shape = launch_image_shape(a->image_order, a->image_type);
	if (!image_numbers(s, &c))
		return false;
	a->count_guessed = !a->image_size[0];
	if (a->count_guessed && (a->init == INIT_FILE || a->init == INIT_DATA))
		return spec_bad(s, s->p, "these contents need the image's size");
	a->count = (u64)a->image_size[0] * a->image_size[1] * a->image_size[2];
	launch_set_buffer_size(a);
	if (a->init == INIT_DATA)
		return image_bytes(s, c.bytes);
	return a->init != INIT_FILE || image_file(s);
}

bool spec_sampler(ArgSpec *s)
{
	LaunchArg *a = s->out;
	SpecPart parts[8];
	u32 n = split(s, ',', parts, COUNT(parts)), normalized = 0;
	if (n > COUNT(parts))
		return spec_bad(s, s->p,
		                "a sampler is one filter, one addressing mode and one coordinate mode; this has "
		                "more than 8 words");
	a->kind = LAUNCH_SAMPLER;
	a->filter = SAMPLER_NEAREST;
	a->addressing = SAMPLER_CLAMP_TO_EDGE;
	for (u32 i = 0; i < n; i++) {
		const char *text = parts[i].text;
		if (!find_word(WORD_FILTER, text, &a->filter) && !find_word(WORD_ADDRESSING, text, &a->addressing) &&
		    !find_word(WORD_COORDINATES, text, &normalized))
			return unknown_part(s, &parts[i], "a sampler", SAMPLER_WORDS, NULL, 0,
			                    "nearest,clamp,unnormalized");
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
	print_word(WORD_ORDER, a->image_order, ":", out);
	print_word(WORD_TYPE, a->image_type, "", out);
	if (a->init == INIT_FILE)
		buf_printf(out, ":@%s", a->path);
}

void launch_print_sampler(const LaunchArg *a, Buf *out)
{
	print_word(WORD_FILTER, a->filter, ",", out);
	print_word(WORD_ADDRESSING, a->addressing, ",", out);
	buf_printf(out, "%snormalized", a->normalized ? "" : "un");
}
