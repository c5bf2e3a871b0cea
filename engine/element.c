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

static const ElemShape plain_bytes = {.elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .stride = 1};

ElemShape element_shape_of_both(ElemShape a, ElemShape b)
{
	return a.stride == b.stride && a.elem_bytes == b.elem_bytes ? a : plain_bytes;
}

ElemShape element_shape(const LaunchArg *arg, const KernelArg *k)
{
	ElemShape s = arg->shape;
	if (k->floats && arg->kind == LAUNCH_BUFFER)
		s = (ElemShape){.elem_class = ELEM_OTHER, .elem_bytes = 1, .width = k->size, .stride = k->size};
	else if (k->stores_floats && arg->kind == LAUNCH_BUFFER)
		s = (ElemShape){
		    .elem_class = ELEM_FLOAT, .elem_bytes = k->stores_floats, .width = 1, .stride = k->stores_floats};
	else if (!s.elem_bytes || !s.stride || s.elem_bytes > 8 || s.width * s.elem_bytes > s.stride)
		s = plain_bytes;
	return s;
}

u64 element_count(const ElemShape *s, u64 bytes) { return (bytes + s->stride - 1) / s->stride; }

typedef enum { SAME, WITHIN, OPEN, DIFFERENT } Verdict;

/* How far apart two components are; that are not both numbers: infinitely. */
static double component_far(const ElemShape *s, u64 x, u64 y)
{
	u32 up = 64 - 8u * s->elem_bytes;
	if (x == y)
		return 0;
	if (s->elem_class != ELEM_FLOAT)
		return fabs((double)((i64)((x - y) << up) >> up));
	double far = fabs(element_float(x, s->elem_bytes) - element_float(y, s->elem_bytes));
	return isnan(far) ? (double)INFINITY : far;
}

/* Bytes whose number nobody knows: all of a word that moved may be anything. Of 8 bytes where an error may carry from
 * one byte to the next; of 4 where bits are other ones, as what lies beside them is not. */
static bool word_moved(const ElementCompare *c, const u8 *to, u64 at, u32 bytes)
{
	u64 from = at & ~(u64)(bytes - 1), n = c->size - from < bytes ? c->size - from : bytes;
	return memcmp(to + from, c->shaken->plain + from, n) != 0;
}

static double moved_by(const ElementCompare *c, const ElemShape *s, u64 at, const u8 *to)
{
	bool byte = s->elem_bytes == 1 && (c->shape.elem_class == ELEM_OTHER || c->shape.elem_class == ELEM_UINT);
	if (byte)
		return word_moved(c, to, at, 8) ? (double)INFINITY : 0;
	return component_far(s, elem_bits(to + at, s->elem_bytes), elem_bits(c->shaken->plain + at, s->elem_bytes));
}

/* How far the component at byte `at` of the buffer may be off. */
static double allowed_at(const ElementCompare *c, const ElemShape *s, u64 at)
{
	double most = c->most;
	for (u32 i = 0; c->shaken && i < MOST_SHAKEN; i++)
		if (c->shaken->moved[i])
			most = fmax(most, c->shaken->times * moved_by(c, s, at, c->shaken->moved[i]));
	return most;
}

/* Is the component at byte `at` of the buffer open? */
static bool is_open(const ElementCompare *c, const ElemShape *s, u64 at)
{
	if (!c->shaken || !c->shaken->open)
		return false;
	if (c->shape.elem_class == ELEM_OTHER && s->elem_bytes == 1)
		return word_moved(c, c->shaken->open, at, 4);
	return memcmp(c->shaken->open + at, c->shaken->plain + at, s->elem_bytes) != 0;
}

/* The same, but for what is open. */
static Verdict compare_values(ElementCompare *c, const ElemShape *s, u64 at, u64 x, u64 y)
{
	u32 bytes = s->elem_bytes;
	double allowed = allowed_at(c, s, at);
	if (s->elem_class != ELEM_FLOAT)
		return component_far(s, x, y) <= allowed ? WITHIN : DIFFERENT;
	double fx = element_float(x, bytes), fy = element_float(y, bytes);
	if (isnan(fx) && isnan(fy))
		return SAME;
	if (isnan(fx) || isnan(fy))
		return isinf(allowed) ? WITHIN : DIFFERENT;
	bool flushed = c->flush_f32 && bytes == 4 && fabs(fx) < 0x1p-126 && fabs(fy) < 0x1p-126;
	double far = flushed ? 0 : elem_ulps(x, y, bytes); /* of numbers that may be zeros none counts */
	c->has_ulp = true;
	c->max_ulp = far > c->max_ulp ? far : c->max_ulp;
	return far <= c->ulps[bytes / 4] || component_far(s, x, y) <= allowed ? WITHIN : DIFFERENT;
}

/* Two components whose bits differ, at byte `at` of the buffer. */
static Verdict compare_component(ElementCompare *c, const ElemShape *s, u64 at, u64 x, u64 y)
{
	Verdict v = compare_values(c, s, at, x, y);
	return v == DIFFERENT && is_open(c, s, at) ? OPEN : v;
}

/* An address of the machine that this runs on, as a program gets them: above 4 GB, below 2^47 (models/README.md)? */
static bool host_address(u64 y) { return y >> 32 && !(y >> 47); }

/* One that only a native run has: it keeps local memory below 4 GB where it can (frontend/native/fibers.c). */
static bool native_address(u64 y) { return y >> 12 && !(y >> 47); }

/* Does x point into a buffer where y, of another address space, points as far into some memory? That is where the
 * other side has the buffer then. */
static bool same_pointer(ElementCompare *c, u64 x, u64 y)
{
	enum { ALIGNED = 16 };
	for (u32 i = 0; i < c->npointees; i++) {
		ElementPointee *p = &c->pointees[i];
		u64 base = y - (x - p->address);
		bool at_end = p->packed && x - p->address == p->bytes; /* b may have another variable there */
		if (x < p->address || x - p->address > p->bytes)
			continue;
		if (p->scattered)
			return native_address(y);
		if (!p->other && !at_end && y > x - p->address && (p->packed || base % ALIGNED == 0) &&
		    host_address(base))
			p->other = base;
		return p->other && p->other == base;
	}
	return false;
}

/* The component at byte k of an element, of which `left` bytes remain. */
static ElemShape part_at(const ElementCompare *c, u32 k, u32 left)
{
	ElemShape s = c->shape;
	u32 bytes = c->floats ? c->floats[k] : 0;
	if (bytes && bytes <= left)
		s = (ElemShape){.elem_class = ELEM_FLOAT, .elem_bytes = (u8)bytes};
	else if (c->floats || s.elem_bytes > left)
		s = (ElemShape){.elem_class = ELEM_UINT, .elem_bytes = 1};
	return s;
}

static Verdict compare_element(ElementCompare *c, u64 index, u32 size)
{
	const u8 *a = c->a + index * c->shape.stride, *b = c->b + index * c->shape.stride;
	u32 used = c->shape.width * c->shape.elem_bytes;
	Verdict worst = SAME, v;
	size = used < size ? used : size;
	for (u32 k = 0, step; k < size; k += step) {
		ElemShape s = part_at(c, k, size - k);
		u64 x = elem_bits(a + k, s.elem_bytes), y = elem_bits(b + k, s.elem_bytes);
		step = s.elem_bytes;
		bool word = s.elem_class != ELEM_FLOAT && (index * c->shape.stride + k) % 8 == 0 &&
		            c->size - index * c->shape.stride - k >= 8;
		if (word && memcmp(a + k, b + k, 8) != 0 &&
		    same_pointer(c, elem_bits(a + k, 8), elem_bits(b + k, 8))) {
			c->pointers++;
			c->pointers_to = index * c->shape.stride + k + 8;
			step = 8;
			continue;
		}
		if (x == y)
			continue;
		v = compare_component(c, &s, index * c->shape.stride + k, x, y);
		if (v == DIFFERENT && worst != DIFFERENT && c->differs)
			c->differs(c->ctx, index, c->floats ? k : k / c->shape.elem_bytes, &s, x, y);
		worst = v > worst ? v : worst;
	}
	return worst;
}

u64 element_next(const u8 *a, const u8 *b, u64 at, u64 size, u32 stride)
{
	enum { MANY = 256 };
	u64 block = (u64)stride * MANY;
	while (at % block == 0 && size - at > block && !memcmp(a + at, b + at, block))
		at += block;
	return at;
}

void element_compare(ElementCompare *c)
{
	u32 stride = c->shape.stride;
	for (u64 at = 0; at < c->size; at += stride) {
		at = element_next(c->a, c->b, at, c->size, stride);
		u32 size = c->size - at < stride ? (u32)(c->size - at) : stride;
		if (at < c->pointers_to || !memcmp(c->a + at, c->b + at, size) ||
		    (c->before && !memcmp(c->a + at, c->before + at, size)))
			continue;
		Verdict worst = compare_element(c, at / stride, size);
		c->different += worst == DIFFERENT;
		c->within += worst == WITHIN;
		c->open += worst == OPEN;
	}
}

u64 element_open(const ElementCompare *c)
{
	u64 n = 0;
	if (!c->shaken || !c->shaken->open)
		return 0;
	for (u64 at = 0; at < c->size; at += c->shape.stride) {
		u32 used = c->shape.width * c->shape.elem_bytes;
		u32 left = (u32)(c->size - at < used ? c->size - at : used);
		bool open = false;
		for (u32 k = 0, step; k < left; k += step) {
			ElemShape s = part_at(c, k, left - k);
			step = s.elem_bytes;
			open |= is_open(c, &s, at + k);
		}
		n += open;
	}
	return n;
}

u64 element_unsteady(const ElementCompare *c)
{
	u64 n = 0;
	u32 used = c->shape.width * c->shape.elem_bytes;
	for (u64 at = 0; at + c->shape.stride <= c->size; at += c->shape.stride) {
		bool unsteady = false;
		for (u32 k = 0, step; k < used; k += step) {
			ElemShape s = part_at(c, k, used - k);
			double most = 0, least = (double)INFINITY;
			step = s.elem_bytes;
			for (u32 i = 0; i < MOST_SHAKEN; i++) {
				double by = c->shaken->moved[i] ? moved_by(c, &s, at + k, c->shaken->moved[i]) : 0;
				most = fmax(most, by);
				least = fmin(least, by);
			}
			unsteady |= most > c->shaken->times * least;
		}
		n += unsteady;
	}
	return n;
}

double element_largest(const ElementCompare *c)
{
	double most = 0;
	u32 used = c->shape.width * c->shape.elem_bytes;
	for (u64 at = 0; at + c->shape.stride <= c->size; at += c->shape.stride) {
		for (u32 k = 0, step; k < used; k += step) {
			ElemShape s = part_at(c, k, used - k);
			u64 bits = elem_bits(c->b + at + k, s.elem_bytes);
			step = s.elem_bytes;
			double v = s.elem_class == ELEM_FLOAT ? fabs(element_float(bits, step))
			           : s.elem_class == ELEM_INT
			               ? fabs((double)((i64)(bits << (64 - 8 * step)) >> (64 - 8 * step)))
			               : (double)bits;
			most = isfinite(v) && v > most ? v : most;
		}
	}
	return most;
}
