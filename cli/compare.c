/* Compare the machine's buffers with PoCL's, element by element.
 *
 * Bit for bit, because both run the same code; only a NaN equals every other NaN, in
 * buffers of floats. With AMD's math library floats may lie as far apart as the OpenCL C
 * specification lets the built-in functions that the kernel calls (FeLimits). A buffer of
 * structs is compared as bytes. Three-component vectors take the room of four, and the
 * fourth is nobody's. */
#include "cli/session.h"

#include <inttypes.h>
#include <math.h>

static double half_value(u16 h)
{
	u32 sign = h >> 15, exponent = h >> 10 & 31, fraction = h & 1023;
	double v = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
	           : exponent == 0 ? ldexp(fraction, -24)
	                           : ldexp(fraction + 1024, (int)exponent - 25);
	return sign ? -v : v;
}

static u64 bits_at(const u8 *p, u32 bytes)
{
	u64 v = 0;
	memcpy(&v, p, bytes);
	return v;
}

static double float_value(u64 bits, u32 bytes)
{
	if (bytes == 2)
		return half_value((u16)bits);
	if (bytes == 4) {
		u32 b = (u32)bits;
		float f;
		memcpy(&f, &b, sizeof f);
		return (double)f;
	}
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Floats in the order of their values as integers, so that neighbours differ by 1. */
static i64 float_order(u64 bits, u32 bytes)
{
	u64 sign = (u64)1 << (8 * bytes - 1);
	return bits & sign ? -(i64)(bits & (sign - 1)) : (i64)bits;
}

static double ulps(u64 a, u64 b, u32 bytes)
{
	i64 x = float_order(a, bytes), y = float_order(b, bytes);
	return x > y ? (double)((u64)x - (u64)y) : (double)((u64)y - (u64)x);
}

static const char *value_text(Arena *arena, const Shape *s, u64 bits)
{
	if (s->elem_class == ELEM_FLOAT)
		return arena_printf(arena, "%.*g", s->elem_bytes == 2 ? 5 : s->elem_bytes == 4 ? 9 : 17,
		                    float_value(bits, s->elem_bytes));
	if (s->elem_class == ELEM_INT) {
		u32 up = 64 - 8u * s->elem_bytes;
		return arena_printf(arena, "%" PRId64, (i64)(bits << up) >> up);
	}
	return arena_printf(arena, "%" PRIu64, bits);
}

/* The work-item of an element, when the buffer has one for each. */
static void find_item(RefElement *e, const Launch *l, u64 elements)
{
	u64 items = 1;
	for (u32 i = 0; i < 3; i++) {
		if (l->offset[i])
			return;
		items *= l->global[i];
	}
	if (elements != items)
		return;
	e->has_item = true;
	e->item[0] = e->index % l->global[0];
	e->item[1] = e->index / l->global[0] % l->global[1];
	e->item[2] = e->index / l->global[0] / l->global[1];
}

static void differing(RefBuffer *b, const Launch *l, const Shape *s, u64 index, u32 component, u64 x,
                      u64 y, Arena *arena)
{
	if (b->nfirst == REF_SHOWN)
		return;
	RefElement *e = &b->first[b->nfirst++];
	e->index = index;
	e->component = component;
	e->actual = value_text(arena, s, x);
	e->expected = value_text(arena, s, y);
	find_item(e, l, b->elements);
}

typedef enum { SAME, WITHIN, DIFFERENT } Verdict;

/* Two components whose bits differ. */
static Verdict compare_component(RefBuffer *b, const Shape *s, const FeLimits *limits, u64 x, u64 y)
{
	u32 bytes = s->elem_bytes;
	if (s->elem_class != ELEM_FLOAT)
		return DIFFERENT;
	double fx = float_value(x, bytes), fy = float_value(y, bytes);
	if (isnan(fx) || isnan(fy))
		return isnan(fx) && isnan(fy) ? SAME : DIFFERENT;
	double far = ulps(x, y, bytes), limit = bytes == 4 ? limits->f32 : bytes == 8 ? limits->f64 : 0;
	b->has_ulp = true;
	b->max_ulp = far > b->max_ulp ? far : b->max_ulp;
	bool flushed = limits->flush_f32 && bytes == 4 && fabs(fx) < 0x1p-126 && fabs(fy) < 0x1p-126;
	return far <= limit || flushed ? WITHIN : DIFFERENT;
}

/* before: of a sample, what the buffer held: elements that the sample did not change are not
 * compared. */
static void compare_elements(RefBuffer *b, const Launch *l, const Shape *s, const FeLimits *limits,
                             const u8 *mine, const u8 *theirs, const u8 *before, Arena *arena)
{
	for (u64 i = 0; i < b->elements; i++) {
		Verdict worst = SAME;
		if (before && !memcmp(mine + i * s->stride, before + i * s->stride, s->stride))
			continue;
		for (u32 c = 0; c < s->width; c++) {
			u64 at = i * s->stride + c * s->elem_bytes;
			u64 x = bits_at(mine + at, s->elem_bytes), y = bits_at(theirs + at, s->elem_bytes);
			Verdict v = x == y ? SAME : compare_component(b, s, limits, x, y);
			if (v == DIFFERENT && worst != DIFFERENT)
				differing(b, l, s, i, c, x, y, arena);
			worst = v > worst ? v : worst;
		}
		b->mismatches += worst == DIFFERENT;
		b->within += worst == WITHIN;
	}
}

static u64 changed_elements(const RefBuffer *b, const Shape *s, const u8 *mine, const u8 *before)
{
	u64 n = 0;
	for (u64 i = 0; i < b->elements; i++)
		n += memcmp(mine + i * s->stride, before + i * s->stride, s->stride) != 0;
	return n;
}

static void compare_buffer(Reference *ref, const Launch *l, const Arguments *a, u32 i,
                           const FeLimits *limits, Arena *arena)
{
	Shape s = l->args[i].shape;
	if (!s.elem_bytes || !s.stride || s.elem_bytes > 8 || s.width * s.elem_bytes > s.stride ||
	    a->size[i] % s.stride)
		s = (Shape){.elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .stride = 1};
	RefBuffer *b = &ref->buffers[ref->nbuffers++];
	b->name = l->kernel_args[i].name;
	b->type = l->kernel_args[i].type_name;
	b->against = "PoCL";
	b->elements = a->size[i] / s.stride;
	b->width = s.width;
	b->is_float = s.elem_class == ELEM_FLOAT;
	if (memcmp(a->data[i], a->result[i], a->size[i]))
		compare_elements(b, l, &s, limits, a->data[i], a->result[i], a->before ? a->before[i] : NULL,
		                 arena);
	if (a->before)
		b->elements = changed_elements(b, &s, a->data[i], a->before[i]);
	ref->checked += b->elements;
	ref->mismatches += b->mismatches;
	ref->within += b->within;
	if (b->has_ulp) {
		ref->has_ulp = true;
		ref->max_ulp = b->max_ulp > ref->max_ulp ? b->max_ulp : ref->max_ulp;
	}
}

/* What the launch itself says a buffer should hold. */
static void compare_expected(Reference *ref, const Launch *l, const Arguments *a, Arena *arena)
{
	for (u32 k = 0; k < l->expects.n; k++) {
		const LaunchExpect *e = &l->expects.v[k];
		if (!a->data[e->arg])
			continue;
		RefBuffer *b = &ref->buffers[ref->nbuffers++];
		b->name = l->kernel_args[e->arg].name;
		b->type = l->kernel_args[e->arg].type_name;
		b->against = "expected";
		b->width = e->shape.width;
		b->elements = e->shape.stride ? e->size / e->shape.stride : e->size;
		u64 first = 0;
		Buf why = {0};
		b->mismatches = launch_expect(l, e, a->data[e->arg], &first, &why);
		if (b->mismatches)
			b->note = why.n ? arena_strdup(arena, why.v) : NULL;
		array_free(&why);
	}
}

/* Are two printed numbers as close as the limits demand, but for one unit of the last digit
 * printed? a is read up to a_end. */
static bool printed_close(const char *a, const char *a_end, double x, double y,
                          const FeLimits *limits)
{
	const char *dot = memchr(a, '.', (size_t)(a_end - a)), *digit = dot ? dot + 1 : a_end;
	double last = 1;
	while (digit < a_end && *digit >= '0' && *digit <= '9')
		digit++, last /= 10;
	if (!dot)
		return x == y; /* an integer, or no number at all */
	int exponent;
	frexp(x, &exponent);
	double ulp = fmax(limits->f32 * ldexp(1, exponent - 24), limits->f64 * ldexp(1, exponent - 53));
	const char *e = digit < a_end && (*digit == 'e' || *digit == 'E') ? digit + 1 : NULL;
	return fabs(x - y) <= ulp + 1.001 * last * (e ? pow(10, strtod(e, NULL)) : 1);
}

/* The same text, numbers within the limits. Both end with a 0. */
static bool printed_within(const char *a, const char *b, const FeLimits *limits)
{
	while (*a && *b) {
		char *a_end = NULL, *b_end = NULL;
		bool number = (*a >= '0' && *a <= '9') || *a == '-' || *a == '.';
		double x = number ? strtod(a, &a_end) : 0, y = number ? strtod(b, &b_end) : 0;
		if (number && a_end != a && b_end != b) {
			if (!printed_close(a, a_end, x, y, limits))
				return false;
			a = a_end;
			b = b_end;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static void compare_printed(Reference *ref, const PoclOutcome *outcome, const Profile *profile,
                            const FeLimits *limits)
{
	if (!profile->printed.n && !outcome->output_size)
		return;
	ref->output_checked = true;
	ref->output_differs = profile->printed.n != outcome->output_size ||
	                      memcmp(profile->printed.v, outcome->output, outcome->output_size) != 0;
	if (!ref->output_differs || !(limits->f32 > 0 || limits->f64 > 0))
		return;
	Buf a = {0}, b = {0};
	buf_write(&a, profile->printed.v, profile->printed.n);
	buf_write(&b, outcome->output, outcome->output_size);
	buf_write(&a, "", 1);
	buf_write(&b, "", 1);
	ref->output_differs = !printed_within(a.v, b.v, limits);
	array_free(&a);
	array_free(&b);
}

void compare_results(Reference *ref, const Launch *l, const Arguments *a, const PoclOutcome *outcome,
                     const Profile *profile, const FeLimits *limits, Arena *arena)
{
	ref->buffers = ARENA_ARRAY(arena, RefBuffer, a->n + l->expects.n);
	ref->limit_f32 = limits->f32;
	ref->limit_f64 = limits->f64;
	if (ref->status == REF_equal) {
		for (u32 i = 0; i < a->n; i++) {
			if (a->result[i])
				compare_buffer(ref, l, a, i, limits, arena);
		}
		compare_printed(ref, outcome, profile, limits);
		if (ref->mismatches || ref->output_differs)
			ref->status = REF_different;
	}
	compare_expected(ref, l, a, arena);
}
