/* Image and sampler specs.
 *
 *   image     parts between colons, in any order:
 *             WIDTHxHEIGHTxDEPTH   as many as the image has dimensions; an array's layers last
 *             rgba r rg a bgra     channel order (default rgba)
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
typedef struct ImageWord {
	const char *name;
	u32 code;
	const char *piglit;
	u8 elem_class, elem_bytes;
} ImageWord;

static const ImageWord orders[] = {
    {.name = "r", IMAGE_R}, {.name = "a", IMAGE_A}, {.name = "rg", IMAGE_RG}, {.name = "rgba", IMAGE_RGBA},
    {.name = "bgra", IMAGE_BGRA},
};
static const ImageWord types[] = {
    {"snorm8", IMAGE_SNORM8, "snorm_int8", ELEM_INT, 1},
    {"snorm16", IMAGE_SNORM16, "snorm_int16", ELEM_INT, 2},
    {"unorm8", IMAGE_UNORM8, "unorm_int8", ELEM_UINT, 1},
    {"unorm16", IMAGE_UNORM16, "unorm_int16", ELEM_UINT, 2},
    {"int8", IMAGE_SINT8, "signed_int8", ELEM_INT, 1},
    {"int16", IMAGE_SINT16, "signed_int16", ELEM_INT, 2},
    {"int32", IMAGE_SINT32, "signed_int32", ELEM_INT, 4},
    {"uint8", IMAGE_UINT8, "unsigned_int8", ELEM_UINT, 1},
    {"uint16", IMAGE_UINT16, "unsigned_int16", ELEM_UINT, 2},
    {"uint32", IMAGE_UINT32, "unsigned_int32", ELEM_UINT, 4},
    {"half", IMAGE_HALF, "half_float", ELEM_FLOAT, 2},
    {"float", IMAGE_FLOAT, "float", ELEM_FLOAT, 4},
};
static const ImageWord filters[] = {{.name = "nearest", SAMPLER_NEAREST}, {.name = "linear", SAMPLER_LINEAR}};
static const ImageWord addressings[] = {
    {.name = "none", SAMPLER_NONE},
    {.name = "clamp", SAMPLER_CLAMP},
    {.name = "clamp_to_edge", SAMPLER_CLAMP_TO_EDGE},
    {.name = "repeat", SAMPLER_REPEAT},
    {.name = "mirrored_repeat", SAMPLER_MIRRORED_REPEAT},
};
static const ImageWord coordinates[] = {{.name = "normalized", 1}, {.name = "unnormalized", 0}};

static bool find_word(const ImageWord *words, u32 n, const char *text, u32 *code)
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
static const ImageWord *word_of(const ImageWord *words, u32 n, u32 code)
{
	for (u32 i = 0; i < n; i++)
		if (words[i].code == code)
			return &words[i];
	return NULL;
}

/* Add the names of words to out, which has n; how many it has then. */
static u32 add_names(const ImageWord *words, u32 nwords, const char **out, u32 n)
{
	for (u32 i = 0; i < nwords; i++)
		out[n++] = words[i].name;
	return n;
}

static void print_word(const ImageWord *words, u32 n, u32 code, const char *after, Buf *out)
{
	const ImageWord *word = word_of(words, n, code);
	buf_printf(out, "%s%s", word ? word->name : "?", after);
}

bool launch_image_known(u32 order, u32 type)
{
	return word_of(orders, COUNT(orders), order) && word_of(types, COUNT(types), type);
}

ElemShape launch_image_shape(u32 order, u32 type)
{
	u32 width = order == IMAGE_RG ? 2 : order == IMAGE_RGBA || order == IMAGE_BGRA ? 4 : 1;
	const ImageWord *t = word_of(types, COUNT(types), type);
	u8 elem_class = t ? t->elem_class : ELEM_UINT, bytes = t ? t->elem_bytes : 1;
	return (ElemShape){elem_class, bytes, width, width * bytes};
}

u32 launch_image_piglit(const char *word)
{
	for (u32 i = 0; i < COUNT(orders); i++)
		if (!strcasecmp(orders[i].name, word))
			return orders[i].code;
	for (u32 i = 0; i < COUNT(types); i++)
		if (!strcasecmp(types[i].piglit, word))
			return types[i].code;
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

/* Says what a word could have been. */
static bool unknown_part(const ArgSpec *s, const SpecPart *part, const char *of, const char *const *words, u32 n,
			 const char *example)
{
	spec_bad(s, part->at, "'%s' is no part of %s", part->text, of);
	if (!diag_near(s->d, "'", part->text, words, n))
		diag_hint(s->d, "say for example %s=%s", s->k->name, example);
	return false;
}

static bool unknown_image_part(const ArgSpec *s, const SpecPart *part)
{
	const char *words[5 + COUNT(orders) + COUNT(types)] = {"zero", "iota", "random", "fill", "bytes"};
	u32 n = add_names(orders, COUNT(orders), words, 5);
	n = add_names(types, COUNT(types), words, n);
	return unknown_part(s, part, "an image", words, n, "random:64x64:rgba:float");
}

/* parts[*i] of n; *i moves on over a value that belongs to it. */
static bool image_part(const ArgSpec *s, const SpecPart *parts, u32 n, u32 *i, ImageContents *c)
{
	const SpecPart *part = &parts[*i];
	const char *text = part->text;
	LaunchArg *a = s->out;
	if (*text >= '0' && *text <= '9')
		return image_sizes(s, part);
	if (find_word(orders, COUNT(orders), text, &a->image_order) ||
	    find_word(types, COUNT(types), text, &a->image_type))
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
	const char *fault = launch_file_fault(s->l, s->t, a->path);
	struct stat st;
	if (fault)
		return spec_bad(s, s->p, "'%s' %s", a->path, fault);
	if (stat(a->path, &st))
		return spec_bad(s, s->p, "cannot read '%s': %s", a->path, strerror(errno));
	return (S_ISREG(st.st_mode) && (u64)st.st_size == a->size) ||
	       spec_bad(s, s->p, "'%s' has %llu bytes, the image %llu", a->path, (unsigned long long)st.st_size,
			(unsigned long long)a->size);
}

bool spec_image(ArgSpec *s)
{
	LaunchArg *a = s->out;
	SpecPart parts[16];
	ImageContents c = {0};
	u32 n = split(s, ':', parts, COUNT(parts));
	if (n > COUNT(parts))
		return spec_bad(s, s->p, "too many parts");
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
	a->kind = LAUNCH_SAMPLER;
	a->filter = SAMPLER_NEAREST;
	a->addressing = SAMPLER_CLAMP_TO_EDGE;
	for (u32 i = 0; i < n && i < COUNT(parts); i++) {
		const char *text = parts[i].text, *words[COUNT(filters) + COUNT(addressings) + COUNT(coordinates)];
		if (find_word(filters, COUNT(filters), text, &a->filter) ||
		    find_word(addressings, COUNT(addressings), text, &a->addressing) ||
		    find_word(coordinates, COUNT(coordinates), text, &normalized))
			continue;
		u32 nwords = add_names(filters, COUNT(filters), words, 0);
		nwords = add_names(addressings, COUNT(addressings), words, nwords);
		nwords = add_names(coordinates, COUNT(coordinates), words, nwords);
		return unknown_part(s, &parts[i], "a sampler", words, nwords, "nearest,clamp,unnormalized");
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
