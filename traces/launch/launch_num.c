/* Numbers of kernel types: reading them from text with an exact reason when they do
 * not fit, storing, loading, printing so that they read back as the same bits.
 *
 * Hexadecimal integers name bits: 0xffffffff is -1 for an int. Floats are rounded
 * once, from the text to their own type; half floats through double, which is exact
 * for every decimal text that a person writes. */
#include "isa/lane.h"
#include "traces/launch/launch_impl.h"

#include <errno.h>
#include <math.h>

static u64 umax(const ElemShape *s)
{
	return s->elem_bytes == 8 ? UINT64_MAX : ((u64)1 << (8 * s->elem_bytes)) - 1;
}

static NumError parse_int(const char *text, const ElemShape *s, Num *out)
{
	const char *t = text + (*text == '-' || *text == '+');
	bool negative = *text == '-';
	bool is_signed = s->elem_class == ELEM_INT;
	u64 v;
	double f;
	if (!parse_u64(t, &v)) {
		if (looks_whole(t))
			return negative && !is_signed ? NUM_NEGATIVE : NUM_OUT_OF_RANGE;
		return parse_f64(text, &f) ? NUM_NOT_AN_INTEGER : NUM_NOT_A_NUMBER;
	}
	if (!is_signed) {
		if (negative && v)
			return NUM_NEGATIVE;
		out->u = v;
		return v > umax(s) ? NUM_OUT_OF_RANGE : NUM_OK;
	}
	u64 half = umax(s) / 2; /* the largest positive value */
	bool hex = t[0] == '0' && (t[1] == 'x' || t[1] == 'X');
	if (v > half + negative && !(hex && !negative && v <= umax(s)))
		return NUM_OUT_OF_RANGE;
	if (v > half && !negative)
		v -= 2 * (half + 1); /* the bits of a negative number */
	out->u = negative ? 0 - v : v;
	return NUM_OK;
}

static NumError parse_float(const char *text, const ElemShape *s, Num *out)
{
	char *end;
	if (!*text || strchr(" \t\r\n\v\f", *text))
		return NUM_NOT_A_NUMBER;
	errno = 0;
	double v = s->elem_bytes == 4 ? (double)strtof(text, &end) : strtod(text, &end);
	if (end > text && (*end == 'f' || *end == 'F') && !end[1])
		end++;
	if (*end || end == text)
		return NUM_NOT_A_NUMBER;
	out->f = v;
	if (errno == ERANGE && isinf(v))
		return NUM_OUT_OF_RANGE;
	if (s->elem_bytes == 2 && isfinite(v) && isinf(lane_half_to_f32(lane_f64_to_half(v))))
		return NUM_OUT_OF_RANGE;
	return NUM_OK;
}

NumError num_parse(const char *text, const ElemShape *s, Num *out)
{
	return s->elem_class == ELEM_FLOAT ? parse_float(text, s, out) : parse_int(text, s, out);
}

const char *num_explain(Arena *a, NumError e, const char *text, const ElemShape *s)
{
	switch (e) {
	case NUM_OK: return "";
	case NUM_NOT_A_NUMBER: return arena_printf(a, "'%s' is not a number", text);
	case NUM_NOT_AN_INTEGER: return arena_printf(a, "%s is not an integer", text);
	case NUM_NEGATIVE: return arena_printf(a, "%s is negative", text);
	case NUM_OUT_OF_RANGE: break;
	}
	if (s->elem_class == ELEM_FLOAT)
		return arena_printf(a, "%s is too large", text);
	if (s->elem_class == ELEM_UINT)
		return arena_printf(a, "%s is outside 0 to %" PRIu64, text, umax(s));
	return arena_printf(a, "%s is outside %" PRId64 " to %" PRIu64, text, -(i64)(umax(s) / 2) - 1, umax(s) / 2);
}

void num_store(u8 *p, const ElemShape *s, Num n)
{
	if (s->elem_class == ELEM_FLOAT && s->elem_bytes == 4) {
		float f = (float)n.f;
		memcpy(p, &f, 4);
	} else if (s->elem_class == ELEM_FLOAT && s->elem_bytes == 2) {
		u16 h = lane_f64_to_half(n.f);
		memcpy(p, &h, 2);
	} else {
		memcpy(p, &n.u, s->elem_bytes); /* little-endian, as PoCL's device is */
	}
}

Num num_load(const u8 *p, const ElemShape *s)
{
	Num n = {.u = 0};
	if (s->elem_class == ELEM_FLOAT && s->elem_bytes == 4) {
		float f;
		memcpy(&f, p, 4);
		n.f = (double)f;
	} else if (s->elem_class == ELEM_FLOAT && s->elem_bytes == 2) {
		u16 h;
		memcpy(&h, p, 2);
		n.f = (double)lane_half_to_f32(h);
	} else {
		memcpy(&n.u, p, s->elem_bytes);
		u32 unused = 64 - 8u * s->elem_bytes;
		if (s->elem_class == ELEM_INT)
			n.i = (i64)(n.u << unused) >> unused;
	}
	return n;
}

bool num_print(Num n, const ElemShape *s, Buf *out)
{
	if (s->elem_class == ELEM_UINT)
		return buf_printf(out, "%" PRIu64, n.u), true;
	if (s->elem_class == ELEM_INT)
		return buf_printf(out, "%" PRId64, n.i), true;
	char text[40];
	u8 want[8] = {0}, got[8] = {0};
	num_store(want, s, n);
	if (fabs(n.f) < 1e6 && n.f == rint(n.f) && !(n.f == 0 && signbit(n.f)))
		return buf_printf(out, "%.0f", n.f), true;
	for (int digits = 1; digits <= 17; digits++) {
		Num back;
		snprintf(text, sizeof text, "%.*g", digits, n.f);
		if (num_parse(text, s, &back) != NUM_OK)
			continue; /* rounded up beyond the largest */
		num_store(got, s, back);
		if (!memcmp(want, got, sizeof want))
			return buf_printf(out, "%s", text), true;
		if (isnan(n.f))
			break;
	}
	return false;
}

u64 elem_bits(const u8 *p, u32 bytes)
{
	u64 v = 0;
	memcpy(&v, p, bytes);
	return v;
}

/* Floats in the order of their values as integers, so that neighbours differ by 1. */
static i64 float_order(u64 bits, u32 bytes)
{
	u64 sign = (u64)1 << (8 * bytes - 1);
	return bits & sign ? -(i64)(bits & (sign - 1)) : (i64)bits;
}

double elem_ulps(u64 a, u64 b, u32 bytes)
{
	i64 x = float_order(a, bytes), y = float_order(b, bytes);
	return x > y ? (double)((u64)x - (u64)y) : (double)((u64)y - (u64)x);
}
