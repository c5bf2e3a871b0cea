/* One component of an element of a buffer: its bits, its value as text, distances of floats. */
#include "engine/element.h"

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

u64 element_bits(const u8 *p, u32 bytes)
{
	u64 v = 0;
	memcpy(&v, p, bytes);
	return v;
}

static double element_float(u64 bits, u32 bytes)
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

/* Units in the last place between two floats. */
static double element_ulps(u64 a, u64 b, u32 bytes)
{
	i64 x = float_order(a, bytes), y = float_order(b, bytes);
	return x > y ? (double)((u64)x - (u64)y) : (double)((u64)y - (u64)x);
}

const char *element_text(Arena *arena, const ElemShape *s, u64 bits)
{
	if (s->elem_class == ELEM_FLOAT)
		return arena_printf(arena, "%.*g", s->elem_bytes == 2 ? 5 : s->elem_bytes == 4 ? 9 : 17,
		                    element_float(bits, s->elem_bytes));
	if (s->elem_class == ELEM_INT) {
		u32 up = 64 - 8u * s->elem_bytes;
		return arena_printf(arena, "%" PRId64, (i64)(bits << up) >> up);
	}
	return arena_printf(arena, "%" PRIu64, bits);
}

ElemShape element_shape(const LaunchArg *arg, u64 size)
{
	ElemShape s = arg->shape;
	if (!s.elem_bytes || !s.stride || s.elem_bytes > 8 || s.width * s.elem_bytes > s.stride || size % s.stride)
		s = (ElemShape){.elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .stride = 1};
	return s;
}

typedef enum { SAME, WITHIN, DIFFERENT } Verdict;

/* Two components whose bits differ. */
static Verdict compare_component(ElementCompare *c, u64 x, u64 y)
{
	u32 bytes = c->shape.elem_bytes;
	if (c->shape.elem_class != ELEM_FLOAT)
		return DIFFERENT;
	double fx = element_float(x, bytes), fy = element_float(y, bytes);
	if (isnan(fx) || isnan(fy))
		return isnan(fx) && isnan(fy) ? SAME : DIFFERENT;
	double far = element_ulps(x, y, bytes);
	c->has_ulp = true;
	c->max_ulp = far > c->max_ulp ? far : c->max_ulp;
	bool flushed = c->flush_f32 && bytes == 4 && fabs(fx) < 0x1p-126 && fabs(fy) < 0x1p-126;
	return far <= c->ulps[bytes / 4] || flushed ? WITHIN : DIFFERENT;
}

void element_compare(ElementCompare *c)
{
	const ElemShape *s = &c->shape;
	for (u64 i = 0; i < c->n; i++) {
		const u8 *a = c->a + i * s->stride, *b = c->b + i * s->stride;
		Verdict worst = SAME;
		if (!memcmp(a, b, s->stride) || (c->before && !memcmp(a, c->before + i * s->stride, s->stride)))
			continue;
		for (u32 k = 0; k < s->width; k++) {
			u64 x = element_bits(a + k * s->elem_bytes, s->elem_bytes), y = element_bits(b + k * s->elem_bytes, s->elem_bytes);
			Verdict v = x == y ? SAME : compare_component(c, x, y);
			if (v == DIFFERENT && worst != DIFFERENT)
				c->differs(c->ctx, i, k, x, y);
			worst = v > worst ? v : worst;
		}
		c->different += worst == DIFFERENT;
		c->within += worst == WITHIN;
	}
}
