/* The bytes of buffers and images before the run, and what is written of them after it.
 *
 * Random contents are splitmix64 by position: number i of an argument is
 * mix(stream + (i + 1) * 0x9E3779B97F4A7C15), where stream is mix(seed) xor the FNV-1a
 * hash of the argument's name. So they depend on nothing but seed, name and position:
 * another argument, another count or another machine changes none of them.
 *   float   the upper 24 bits / 2^24, double: 53 bits / 2^53, half: 11 bits / 2^11
 *   integer the upper 16 bits, cut to the type; with (LO,HI) both ends are included */
#include "traces/launch/launch_impl.h"

#include <errno.h>
#include <math.h>

void launch_set_buffer_size(LaunchArg *a) { a->size = (a->pipe ? PIPE_HEADER : 0) + a->count * a->shape.stride; }

/* Rounding of the step may leave the last number a little off: 0:0.1:0.9 has ten. */
u64 launch_range_count(const LaunchArg *a)
{
	double first, step, last;
	if (a->shape.elem_class == ELEM_FLOAT)
		first = a->num[0].f, step = a->num[1].f, last = a->num[2].f;
	else if (a->shape.elem_class == ELEM_INT)
		first = (double)a->num[0].i, step = (double)a->num[1].i, last = (double)a->num[2].i;
	else
		first = (double)a->num[0].u, step = (double)a->num[1].u, last = (double)a->num[2].u;
	double n = (last - first) / step + 1;
	bool whole = fabs(n - rint(n)) <= 1e-6 * n;
	return n >= 0.5 && n <= ldexp(1, SEG_SHIFT) && whole ? (u64)rint(n) : 0;
}

static u64 mix(u64 z)
{
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static u64 stream_of(u64 seed, const char *name)
{
	u64 hash = 0xCBF29CE484222325u;
	for (; *name; name++)
		hash = (hash ^ (u8)*name) * 0x100000001B3u;
	return mix(seed + 0x9E3779B97F4A7C15u) ^ hash;
}

static u64 number_of(u64 stream, u64 i) { return mix(stream + (i + 1) * 0x9E3779B97F4A7C15u); }

u64 launch_random(u64 seed, const char *name, u64 i) { return number_of(stream_of(seed, name), i); }

static Num random_float(const LaunchArg *a, u64 bits)
{
	u32 digits = a->shape.elem_bytes == 8 ? 53 : a->shape.elem_bytes == 4 ? 24 : 11;
	double step = a->shape.elem_bytes == 8   ? 0x1p-53
		      : a->shape.elem_bytes == 4 ? 0x1p-24
						 : 0x1p-11;
	Num n = {.f = (double)(bits >> (64 - digits)) * step};
	if (!a->random_range)
		return n;
	double lo = a->num[0].f, hi = a->num[1].f;
	/* Halves, so that the width of the range cannot overflow; fma, so that the
	 * compiler has no choice of rounding. */
	double v = 2 * fma(n.f, hi / 2 - lo / 2, lo / 2);
	u8 bytes[8];
	num_store(bytes, &a->shape, (Num){.f = v});
	n = num_load(bytes, &a->shape);
	if (n.f >= hi) /* rounded up to the end that does not belong to it */
		n.f = lo;
	return n;
}

static Num random_int(const LaunchArg *a, u64 bits)
{
	Num n = {.u = bits >> 48};
	if (a->random_range) {
		u64 width = a->num[1].u - a->num[0].u + 1; /* 0: all of them */
		n.u = a->num[0].u + (width ? (u64)((u128)bits * width >> 64) : bits);
	}
	return n;
}

/* Number i behind n; sums are made in the type itself, as Oclgrind makes them. */
static Num next_number(const LaunchArg *a, u64 stream, u64 i, Num n)
{
	bool is_float = a->shape.elem_class == ELEM_FLOAT;
	if (a->init == INIT_RANDOM)
		return is_float ? random_float(a, number_of(stream, i)) : random_int(a, number_of(stream, i));
	if (a->init == INIT_IOTA)
		return is_float ? (Num){.f = (double)i} : (Num){.u = i};
	if (!i)
		return a->num[0];
	if (!is_float)
		return (Num){.u = n.u + a->num[1].u};
	return (Num){.f = a->shape.elem_bytes == 8 ? n.f + a->num[1].f : (double)((float)n.f + (float)a->num[1].f)};
}

/* Most buffers are of such numbers, which need no choice for each. The same as next_number() stores. */
static bool fill_plainly(const LaunchArg *a, u64 stream, u8 *out)
{
	const ElemShape *s = &a->shape;
	u64 n = a->count * s->width;
	if (a->init != INIT_RANDOM || a->random_range || s->elem_bytes != 4 || s->stride != 4 * s->width)
		return false;
	for (u64 i = 0; s->elem_class == ELEM_FLOAT && i < n; i++) {
		float f = (float)(number_of(stream, i) >> 40) * 0x1p-24f;
		memcpy(out + 4 * i, &f, sizeof f);
	}
	for (u64 i = 0; s->elem_class != ELEM_FLOAT && i < n; i++) {
		u32 v = (u32)(number_of(stream, i) >> 48);
		memcpy(out + 4 * i, &v, sizeof v);
	}
	return true;
}

static void fill_numbers(const LaunchArg *a, u64 seed, const char *name, u8 *out)
{
	const ElemShape *s = &a->shape;
	u64 stream = stream_of(seed, name), i = 0;
	Num n = {.u = 0};
	if (fill_plainly(a, stream, out))
		return;
	for (u64 e = 0; e < a->count; e++, out += s->stride) {
		for (u32 c = 0; c < s->width; c++, i++) {
			n = next_number(a, stream, i, n);
			num_store(out + c * s->elem_bytes, s, n);
		}
	}
}

void launch_fill(const LaunchArg *a, u64 seed, const char *name, u8 *out)
{
	switch (a->init) {
	case INIT_FILL:
		for (u64 e = 0; e < a->count; e++)
			memcpy(out + e * a->shape.stride, a->bytes, a->shape.stride);
		break;
	case INIT_IOTA:
	case INIT_RANDOM:
	case INIT_RANGE: fill_numbers(a, seed, name, out); break;
	case INIT_DATA:
		if (a->size)
			memcpy(out, a->bytes, a->size);
		break;
	case INIT_ZERO:
	case INIT_NONE:
	case INIT_FILE: break;
	}
}

/* ---- files ---- */

static bool fill_file(const Launch *l, const LaunchArg *a, const char *name, u8 *out, Diag *d)
{
	const char *fault;
	u64 size;
	FILE *f = launch_open(l, a->path, &size, &fault);
	if (!f)
		return launch_error(l, d, a->loc, "argument %s: %s", name, fault);
	const ElemShape *s = &a->shape;
	if (a->path_form == FILE_TEXT) {
		u64 n;
		bool whole = launch_read_text(f, s, out, a->count, &n, l->arena, &fault) && n == a->count * s->width;
		fclose(f);
		return whole || launch_error(l, d, a->loc, "argument %s: '%s' has changed meanwhile", name, a->path);
	}
	size_t elem = a->path_packed ? s->width * s->elem_bytes : s->stride;
	bool ok = fseek(f, (long)a->path_offset, SEEK_SET) == 0;
	if (ok && elem == s->stride)
		ok = fread(out, s->stride, a->count, f) == a->count;
	for (u64 e = 0; ok && elem != s->stride && e < a->count; e++)
		ok = fread(out + e * s->stride, elem, 1, f) == 1;
	int why = errno;
	bool short_file = feof(f);
	fclose(f);
	if (ok)
		return true;
	return launch_error(l, d, a->loc, "argument %s: cannot read '%s': %s", name, a->path,
			    short_file ? "it is shorter than its header says" : strerror(why));
}

static bool holds_bytes(const LaunchArg *a)
{
	return (a->kind == LAUNCH_BUFFER || a->kind == LAUNCH_IMAGE) && a->size && !a->object;
}

static bool total_fits(const Launch *l, const LaunchLimits *limits, Diag *d)
{
	u64 total = 0;
	for (u32 i = 0; i < l->nobjects; i++) {
		u64 size = l->objects[i].size;
		if (size > limits->max_bytes || total > limits->max_bytes - size)
			return diag_error(d, NO_LOC, "the memory of this launch is larger than the limit of %" PRIu64
			                  " bytes", limits->max_bytes);
		total += size;
	}
	for (u32 i = 0; i < l->nargs; i++) {
		if (!holds_bytes(&l->args[i]))
			continue;
		total += l->args[i].size; /* each is at most 2^40: no overflow before the test */
		if (total <= limits->max_bytes)
			continue;
		launch_error(l, d, l->args[i].loc,
			     "argument %s: with its %" PRIu64
			     " bytes the buffers are larger than the limit "
			     "of %" PRIu64 " bytes",
			     l->kernel_args[i].name, l->args[i].size, limits->max_bytes);
		return diag_hint(d, "give a smaller count, for example --arg %s=random:65536",
			  l->kernel_args[i].name);
	}
	return true;
}

bool launch_materialise(const Launch *l, const LaunchLimits *limits, LaunchAlloc *alloc, void *user,
			void **data, Diag *d)
{
	for (u32 i = 0; i < l->nargs; i++)
		data[i] = NULL;
	if (!total_fits(l, limits, d))
		return false;
	u32 errors = d->errors;
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		if (!holds_bytes(a))
			continue;
		const char *name = l->kernel_args[i].name;
		data[i] = alloc(user, i, a->size);
		if (!data[i])
			return launch_error(l, d, a->loc,
					    "argument %s: no memory for %" PRIu64 " bytes", name,
					    a->size);
		u8 *to = data[i];
		LaunchArg contents = *a;
		if (a->pipe) {
			contents = launch_pipe_contents(a);
			launch_pipe_begin(a, to);
			to += PIPE_HEADER;
		}
		if (a->init == INIT_FILE)
			fill_file(l, &contents, name, to, d);
		else
			launch_fill(&contents, l->seed, name, to);
	}
	return d->errors == errors;
}

/* ---- dumps ---- */

/* As a C++ stream prints it: characters as integers, six digits of a float; hex
 * pads to the type's width, and chars are widened to int first. */
static void dump_number(const u8 *p, const ElemShape *s, bool hex, Buf *out)
{
	Num n = num_load(p, s);
	int width = 2 * s->elem_bytes;
	if (s->elem_class == ELEM_FLOAT) {
		char text[32];
		snprintf(text, sizeof text, "%g", n.f);
		u32 len = (u32)strlen(text);
		buf_printf(out, "%s", hex ? "0x" : "");
		for (u32 i = len; hex && i < (u32)width; i++)
			buf_printf(out, "0");
		buf_printf(out, "%s", text);
	} else if (!hex) {
		if (s->elem_class == ELEM_INT)
			buf_printf(out, "%" PRId64, n.i);
		else
			buf_printf(out, "%" PRIu64, n.u);
	} else {
		u32 bytes = s->elem_bytes == 1 ? 4 : s->elem_bytes;
		u64 bits = bytes == 8 ? n.u : n.u & (((u64)1 << (8 * bytes)) - 1);
		buf_printf(out, "0x%0*" PRIx64, width, bits);
	}
}

void launch_dump_text(const Launch *l, u32 arg, const void *data, u64 size, Buf *out)
{
	const LaunchArg *a = &l->args[arg];
	const ElemShape *s = &a->shape;
	const char *name = l->kernel_args[arg].name;
	buf_printf(out, "\nArgument '%s': %" PRIu64 " bytes\n", name, size);
	u64 n = size / s->elem_bytes;
	for (u64 i = 0; i < n; i++) {
		buf_printf(out, "  %s[%" PRIu64 "] = ", name, i);
		dump_number((const u8 *)data + i * s->elem_bytes, s, a->dump_hex, out);
		buf_printf(out, "\n");
	}
	buf_printf(out, "\n");
}

bool launch_dump_file(const Launch *l, u32 arg, const void *data, u64 size, Diag *d)
{
	const LaunchArg *a = &l->args[arg];
	const ElemShape *s = &a->shape;
	Buf text = {0};
	bool npy = path_ends(a->dump_file, ".npy"), txt = path_ends(a->dump_file, ".txt");
	size_t elem = npy ? s->width * s->elem_bytes : s->stride;
	if (npy)
		npy_write_header(s, size / s->stride, &text);
	if (txt)
		launch_dump_text(l, arg, data, size, &text);
	FILE *f = fopen(a->dump_file, "wb");
	bool ok = f != NULL;
	if (ok && text.n)
		ok = fwrite(text.v, 1, text.n, f) == text.n;
	if (ok && !txt && elem == s->stride)
		ok = !size || fwrite(data, 1, size, f) == size;
	for (u64 e = 0; ok && !txt && elem != s->stride && e < size / s->stride; e++)
		ok = fwrite((const u8 *)data + e * s->stride, elem, 1, f) == 1;
	int why = errno;
	if (f && fclose(f) && ok) {
		ok = false;
		why = errno;
	}
	array_free(&text);
	if (ok)
		return true;
	return diag_error(d, NO_LOC, "cannot write the dump of %s to '%s': %s",
			  l->kernel_args[arg].name, a->dump_file, strerror(why));
}
