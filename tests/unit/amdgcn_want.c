/* One lane of an instruction at a time: see amdgcn_want.h. */
#include "tests/unit/amdgcn_want.h"

#include <math.h>

static u32 X(const Seen *s) { return s->x[s->lane]; }
static u32 Y(const Seen *s) { return s->y[s->lane]; }
static u32 Z(const Seen *s) { return s->z[s->lane]; }

static float to_float(u32 bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return f;
}

static u64 of_float(float f)
{
	u32 bits;
	memcpy(&bits, &f, 4);
	return bits;
}

static double to_double(u32 high, u32 low)
{
	u64 bits = (u64)high << 32 | low;
	double d;
	memcpy(&d, &bits, 8);
	return d;
}

static u64 of_double(double d)
{
	u64 bits;
	memcpy(&bits, &d, 8);
	return bits;
}

static u64 of_int(int v) { return (u64)(i64)v; }

static bool active(const Seen *s, u32 lane) { return s->on >> lane & 1; }

/* ---- mathematics ---- */

/* The kernel's n_float: -20 to 44. */
static float middling(const Seen *s) { return (float)(X(s) >> 8) * 0x1p-18f - 20.0f; }

u64 want_exp(const Seen *s) { return of_float((float)exp((double)middling(s))); }
u64 want_log(const Seen *s) { return of_float((float)log(fabs((double)middling(s)))); }
u64 want_log10(const Seen *s) { return of_float((float)log10(fabs((double)middling(s)))); }
u64 want_sin(const Seen *s) { return of_float((float)sin((double)middling(s))); }
u64 want_cos(const Seen *s) { return of_float((float)cos((double)middling(s))); }

u64 want_ldexp(const Seen *s) { return of_float(ldexpf(to_float(X(s)), (int)(Y(s) % 600) - 300)); }

u64 want_ldexp_d(const Seen *s)
{
	return of_double(ldexp(to_double(X(s), Y(s)), (int)(Z(s) % 4400) - 2200));
}

static u64 frexp_exp(double v)
{
	int e = 0;
	if (!isfinite(v))
		return 0;
	(void)frexp(v, &e);
	return of_int(e);
}

u64 want_frexp_exp(const Seen *s) { return frexp_exp((double)to_float(X(s))); }
u64 want_frexp_exp_d(const Seen *s) { return frexp_exp(to_double(X(s), Y(s))); }

/* 53 bits of 2/pi, further on for each segment and for large exponents. */
u64 want_trig_preop(const Seen *s)
{
	static const u32 two_over_pi[] = { /* 24 bits each */
		0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163,
		0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c};
	int exponent = 1023 + (int)(X(s) % 220);
	int shift = (int)(Y(s) % 3) * 53;
	if (exponent > 1077)
		shift += exponent - 1077;
	u64 bits = 0;
	for (int i = shift; i < shift + 53; i++)
		bits = bits << 1 | (two_over_pi[i / 24] >> (23 - i % 24) & 1);
	return of_double(ldexp((double)bits, -53 - shift));
}

u64 want_div_fmas(const Seen *s)
{
	return of_float(fmaf(to_float(X(s)), to_float(Y(s)), to_float(Z(s))));
}

u64 want_div_fmas_d(const Seen *s)
{
	return of_double(fma(to_double(X(s), Y(s)), to_double(Y(s), Z(s)), to_double(Z(s), X(s))));
}

u64 want_div(const Seen *s) { return of_float(to_float(X(s)) / to_float(Y(s))); }
u64 want_div_d(const Seen *s) { return of_double(to_double(X(s), Y(s)) / to_double(Y(s), Z(s))); }

bool want_quotient(const void *n, const void *d, const void *q)
{
	float a, b, have;
	memcpy(&a, n, 4);
	memcpy(&b, d, 4);
	memcpy(&have, q, 4);
	return of_float(have) == of_float(a / b) || (isnan(have) && isnan(a / b));
}

bool want_quotient_d(const void *n, const void *d, const void *q)
{
	double a, b, have;
	memcpy(&a, n, 8);
	memcpy(&b, d, 8);
	memcpy(&have, q, 8);
	return of_double(have) == of_double(a / b) || (isnan(have) && isnan(a / b));
}

enum { C_SNAN, C_QNAN, C_MINUS_INF, C_MINUS_NORMAL, C_MINUS_DENORMAL, C_MINUS_ZERO, C_PLUS_ZERO };

static u64 in_class(const Seen *s, double v, bool quiet, bool denormal)
{
	u32 mask = s->detail ? s->detail : Z(s), c;
	if (isnan(v))
		c = quiet ? C_QNAN : C_SNAN;
	else
		c = isinf(v) ? C_MINUS_INF : v != 0 ? (denormal ? C_MINUS_DENORMAL : C_MINUS_NORMAL) : C_MINUS_ZERO;
	if (!isnan(v) && !signbit(v))
		c = 11 - c; /* the positive classes in turn */
	return mask >> c & 1;
}

u64 want_class(const Seen *s)
{
	float f = to_float(X(s));
	return in_class(s, (double)f, X(s) >> 22 & 1, fpclassify(f) == FP_SUBNORMAL);
}

u64 want_class_d(const Seen *s)
{
	double d = to_double(X(s), Y(s));
	return in_class(s, d, X(s) >> 19 & 1, fpclassify(d) == FP_SUBNORMAL);
}

/* ---- bits ---- */

u64 want_ubfe(const Seen *s)
{
	u32 width = s->detail ? 0 : Z(s) & 31;
	return X(s) >> (Y(s) & 31) & ((1u << width) - 1);
}

/* The data is shifted with its sign, then cut to the width with a sign of its own. */
u64 want_sbfe(const Seen *s)
{
	u32 width = s->detail ? 0 : Z(s) & 31;
	i64 v = (i64)(i32)X(s) >> (Y(s) & 31) & (((i64)1 << width) - 1);
	if (width && v >> (width - 1) & 1)
		v -= (i64)1 << width;
	return (u32)v;
}

u64 want_mul_u24(const Seen *s) { return (u32)((u64)(X(s) & 0xffffff) * (Y(s) & 0xffffff)); }

static i64 signed24(u32 v) { return (v & 0xffffff) - (v & 0x800000 ? (i64)1 << 24 : 0); }

u64 want_mul_i24(const Seen *s) { return (u32)(signed24(X(s)) * signed24(Y(s))); }

u64 want_perm(const Seen *s)
{
	u64 from = (u64)X(s) << 32 | Y(s);
	u32 select = Z(s) & s->detail, d = 0;
	for (u32 i = 0; i < 4; i++) {
		u32 k = select >> 8 * i & 0xff, byte;
		if (k >= 13)
			byte = 0xff;
		else if (k == 12)
			byte = 0;
		else if (k >= 8)
			byte = from >> (16 * (k - 8) + 15) & 1 ? 0xff : 0;
		else
			byte = from >> 8 * k & 0xff;
		d |= byte << 8 * i;
	}
	return d;
}

u64 want_alignbyte(const Seen *s) { return (u32)(((u64)X(s) << 32 | Y(s)) >> 8 * (Z(s) & 3)); }

static u32 apart(u32 a, u32 b) { return (u32)abs((i32)a - (i32)b); }

static u32 sad(u32 a, u32 b, u32 sum, bool masked)
{
	for (u32 i = 0; i < 4; i++) {
		u32 x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
		sum += masked && !y ? 0 : apart(x, y);
	}
	return sum;
}

u64 want_sad(const Seen *s) { return sad(X(s), Y(s), Z(s), false); }
u64 want_sad_hi(const Seen *s) { return Z(s) + (sad(X(s), Y(s), 0, false) << 16); }
u64 want_msad(const Seen *s) { return sad(X(s), Y(s) & 0xffff00ff, Z(s), true); }

u64 want_sad_u16(const Seen *s)
{
	return Z(s) + apart(X(s) & 0xffff, Y(s) & 0xffff) + apart(X(s) >> 16, Y(s) >> 16);
}

/* D.u16[i] = SAD_U8(S0.u8[i … i + 3], S1, S2.u16[i]) */
static u64 four_sads(const Seen *s, u32 b, bool masked)
{
	u64 a = (u64)X(s) << 32 | Y(s), c = (u64)Y(s) << 32 | Z(s);
	u16 d[4];
	for (u32 i = 0; i < 4; i++)
		d[i] = (u16)sad((u32)(a >> 8 * i), b, (u16)(c >> 16 * i), masked);
	return d[0] | (u64)d[1] << 16 | (u64)d[2] << 32 | (u64)d[3] << 48;
}

u64 want_qsad(const Seen *s) { return four_sads(s, Z(s), false); }
u64 want_mqsad(const Seen *s) { return four_sads(s, Z(s) & 0xff00ffff, true); }

u64 want_lerp(const Seen *s)
{
	u32 d = 0;
	for (u32 i = 0; i < 32; i += 8)
		d += ((X(s) >> i & 0xff) + (Y(s) >> i & 0xff) + (Z(s) >> i & 1)) / 2 << i;
	return d;
}

u64 want_put_byte(const Seen *s)
{
	long x = lrint((double)(X(s) >> 20) / 8 - 100);
	u32 byte = x < 0 ? 0 : x > 255 ? 255 : (u32)x, at = 8 * (Y(s) & 3);
	return (Z(s) & ~(0xffu << at)) | byte << at;
}

/* ---- across lanes ---- */

u64 want_mbcnt(const Seen *s)
{
	u64 below = ((u64)1 << s->lane) - 1;
	u32 mask = (u32)(s->detail ? below >> 32 : below);
	return Y(s) + (u32)__builtin_popcount(X(s) & mask);
}

u64 want_lane(const Seen *s) { return s->lane; }
u64 want_odd(const Seen *s) { return X(s) & 1; }
u64 want_readfirst(const Seen *s) { return s->x[__builtin_ctzll(s->on)]; }
u64 want_readlane(const Seen *s) { return s->x[s->detail ? 0 : s->n]; }

u64 want_ballot(const Seen *s)
{
	u64 d = 0;
	for (u32 l = 0; l < s->wave; l++)
		d |= (u64)(active(s, l) && (s->detail || (s->x[l] & 1))) << l;
	return d;
}

static bool int_holds(u32 predicate, u32 a, u32 b)
{
	switch (predicate) {
	case 32: return a == b;
	case 33: return a != b;
	case 34: return a > b;
	case 35: return a >= b;
	case 36: return a < b;
	case 37: return a <= b;
	case 38: return (i32)a > (i32)b;
	case 39: return (i32)a >= (i32)b;
	case 40: return (i32)a < (i32)b;
	default: return (i32)a <= (i32)b;
	}
}

static u64 compare(const Seen *s, u32 mask)
{
	u64 d = 0;
	for (u32 l = 0; l < s->wave; l++)
		d |= (u64)(active(s, l) && int_holds(s->detail, s->x[l] & mask, s->y[l] & mask)) << l;
	return d;
}

u64 want_icmp(const Seen *s) { return compare(s, 7); }
u64 want_icmp_wide(const Seen *s) { return compare(s, ~0u); }

/* A predicate of floats is a set: 1 equal, 2 greater, 4 less, 8 unordered. */
u64 want_fcmp(const Seen *s)
{
	u64 d = 0;
	for (u32 l = 0; l < s->wave; l++) {
		float a = to_float(s->x[l]), b = to_float(s->y[l]);
		u32 is = isunordered(a, b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
		d |= (u64)(active(s, l) && (s->detail & is)) << l;
	}
	return d;
}

/* A lane that is off gives 0. */
static u64 of_lane(const Seen *s, u32 from) { return active(s, from) ? s->x[from] : 0; }

u64 want_bpermute(const Seen *s) { return of_lane(s, Y(s) / 4 % s->wave); }

static u32 reversed(u32 v, u32 bits)
{
	u32 d = 0;
	for (u32 i = 0; i < bits; i++)
		d |= (v >> i & 1) << (bits - 1 - i);
	return d;
}

u64 want_swizzle(const Seen *s)
{
	u32 i = s->lane, o = s->detail, mask = o & 0x1f, j;
	if (o >= 0xe000) { /* for a Fourier transform; with all bits in the mask nothing moves */
		j = mask == 0x1f ? i & 0x1f
		                 : reversed(i & 0x1f, 5) >> __builtin_popcount(mask) | (i & mask);
		j |= i & 0x20;
	} else if (o >= 0xc000) { /* rotate */
		u32 by = o >> 5 & 0x1f;
		by = o >> 10 & 1 ? 32 - by : by;
		j = (i & mask) | ((i + by) & 0x1f & ~mask) | (i & 0x20);
	} else if (o & 0x8000) { /* within four */
		j = (i & ~3u) | (o >> 2 * (i & 3) & 3);
	} else {
		j = (((i & 0x1f & mask) | (o >> 5 & 0x1f)) ^ (o >> 10 & 0x1f)) | (i & ~0x1fu);
	}
	return of_lane(s, j);
}

u64 want_dot4(const Seen *s)
{
	bool is_signed = s->detail & (DOT_A_SIGNED | DOT_B_SIGNED);
	i64 sum = is_signed ? (i64)(i32)Z(s) : (i64)(u32)Z(s);
	for (u32 i = 0; i < 4; i++) {
		i64 a = X(s) >> 8 * i & 255, b = Y(s) >> 8 * i & 255;
		a -= s->detail & DOT_A_SIGNED && a > 127 ? 256 : 0;
		b -= s->detail & DOT_B_SIGNED && b > 127 ? 256 : 0;
		sum += a * b;
	}
	if (s->detail & DOT_SATURATES && is_signed)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	else if (s->detail & DOT_SATURATES && sum > UINT32_MAX)
		sum = UINT32_MAX;
	return (u32)sum;
}

u64 want_permlane(const Seen *s)
{
	static const u64 patterns[] = {0xfedcba9876543210, 0x4b5a69780f1e2d3c};
	u32 at = s->lane % 16, to = patterns[s->detail >> 1 & 1] >> 4 * at & 15;
	u32 from = (s->lane / 16 * 16 + to) ^ s->detail >> 2;
	return active(s, from) ? s->x[from] : s->detail & 1 ? 0 : Y(s);
}

/* The lane that a DPP control reads, or -1. */
static int dpp_source(u32 ctrl, int i, int wave)
{
	int row = i & ~15, at = i & 15, n = (int)ctrl & 15, to;
	if (ctrl < 0x100)
		return (i & ~3) | (int)(ctrl >> 2 * (i & 3) & 3);
	switch (ctrl & 0xff0) {
	case 0x100: to = at + n; return to < 16 ? row + to : -1;
	case 0x110: to = at - n; return to >= 0 ? row + to : -1;
	case 0x120: return row + ((at - n) & 15);
	case 0x150: return row + n;
	case 0x160: return row + (at ^ n);
	}
	switch (ctrl) {
	case 0x130: return i + 1 < wave ? i + 1 : -1;
	case 0x134: return (i + 1) % wave;
	case 0x138: return i - 1;
	case 0x13c: return (i + wave - 1) % wave;
	case 0x140: return row + 15 - at;
	case 0x141: return (i & ~7) + 7 - (i & 7);
	case 0x142: return row - 1;
	default: return i >= 32 ? 31 : -1;
	}
}

u64 want_dpp(const Seen *s)
{
	u32 rows = s->detail >> 12 & 15, banks = s->detail >> 16 & 15;
	if (!(rows >> s->lane / 16 & 1) || !(banks >> s->lane / 4 % 4 & 1))
		return Y(s);
	int from = dpp_source(s->detail & 0xfff, (int)s->lane, (int)s->wave);
	if (from >= 0 && active(s, (u32)from))
		return s->x[from];
	return s->detail >> 20 & 1 ? 0 : Y(s);
}
