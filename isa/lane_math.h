/* The functions that AMD's hardware computes in one instruction (part of lane.h).
 *
 * v_exp_f32, v_log_f32, v_sin_f32 … are right to about 1 ulp. Here each is computed in double
 * and rounded once, so a result is the nearest float in nearly every case: what a chip gives
 * may differ from it in the last bit. The series are Taylor's, long enough that their error
 * lies below 2^-36 of the result. Free of branches and calls: see lane.h. */
#ifndef WAVESIM_LANE_MATH_H
#define WAVESIM_LANE_MATH_H

#include "isa/lane.h"

/* Adding it to a double below 2^51 rounds it to an integer, which is then in the low bits. */
#define LANE_MAGIC 0x1.8p52

static FORCE_INLINE double lane_within(double x, double low, double high)
{
	x = x < low ? low : x;
	return x > high ? high : x; /* a NaN stays */
}

static FORCE_INLINE float lane_exp2(float a)
{
	double x = lane_within((double)a, -200, 200), m = x + LANE_MAGIC, r = x - (m - LANE_MAGIC);
	double p = 0x1.e8cac7351bb22p-32;
	p = p * r + 0x1.e4cf5158b8ec7p-28;
	p = p * r + 0x1.b5253d395e7c1p-24;
	p = p * r + 0x1.62c0223a5c822p-20;
	p = p * r + 0x1.ffcbfc588b0c5p-17;
	p = p * r + 0x1.430912f86c786p-13;
	p = p * r + 0x1.5d87fe78a6730p-10;
	p = p * r + 0x1.3b2ab6fba4e77p-7;
	p = p * r + 0x1.c6b08d704a0bfp-5;
	p = p * r + 0x1.ebfbdff82c58ep-3;
	p = p * r + 0x1.62e42fefa39efp-1;
	p = p * r + 0x1.0000000000000p+0;
	return (float)(p * double_of_bits((bits_of_double(m) + 1023) << 52));
}

static FORCE_INLINE float lane_log2(float a)
{
	/* a = z * 2^k with z between sqrt(1/2) and sqrt(2). */
	u64 bits = bits_of_double((double)a), from = bits - 0x3fe6a09e667f3bcdull;
	u64 k = (from >> 52) - (from >> 63 << 12);
	double z = double_of_bits(bits - (k << 52));
	double e = double_of_bits(bits_of_double(LANE_MAGIC) + k) - LANE_MAGIC;
	double s = (z - 1) / (z + 1), q = s * s;
	double p = 0x1.3703c1f4d0ffep-3;
	p = p * q + 0x1.5b9ac9b743f0dp-3;
	p = p * q + 0x1.89f3b1694cffep-3;
	p = p * q + 0x1.c68f568d31760p-3;
	p = p * q + 0x1.0c9a84994022dp-2;
	p = p * q + 0x1.484b13d7c02a9p-2;
	p = p * q + 0x1.a61762a7aded9p-2;
	p = p * q + 0x1.2776c50ef9bfep-1;
	p = p * q + 0x1.ec709dc3a03fdp-1;
	p = p * q + 0x1.71547652b82fep+1;
	float r = (float)(e + p * s);
	r = a == __builtin_inff() ? a : r;
	r = a == 0 ? -__builtin_inff() : r;
	return a >= 0 ? r : __builtin_nanf("");
}

/* Sine of a quarter turn at most to either side, r in turns. */
static FORCE_INLINE double lane_quarter_sine(double r)
{
	double q = r * r;
	double p = 0x1.2877020d52cecp-10;
	p = p * q + -0x1.8a404211f9542p-7;
	p = p * q + 0x1.aaec32af93355p-4;
	p = p * q + -0x1.6fadb9f155740p-1;
	p = p * q + 0x1.e8f434d018d5fp+1;
	p = p * q + -0x1.e3074fde8871cp+3;
	p = p * q + 0x1.50783487ee77fp+5;
	p = p * q + -0x1.32d2cce62bd84p+6;
	p = p * q + 0x1.466bc6775aae1p+6;
	p = p * q + -0x1.4abbce625be52p+5;
	p = p * q + 0x1.921fb54442d18p+2;
	return p * r;
}

/* a turns without the whole ones, -1/2 to 1/2; NaN when a is not finite. */
static FORCE_INLINE double lane_turn(float a)
{
	double x = (double)a, whole = (x + LANE_MAGIC) - LANE_MAGIC, big = x - x;
	return __builtin_fabs(x) < 0x1p40 ? x - whole : big;
}

static FORCE_INLINE float lane_sin_turn(float a)
{
	double r = lane_turn(a), half = __builtin_copysign(0.5, r);
	return (float)lane_quarter_sine(__builtin_fabs(r) > 0.25 ? half - r : r);
}

static FORCE_INLINE float lane_cos_turn(float a)
{
	return (float)lane_quarter_sine(0.25 - __builtin_fabs(lane_turn(a)));
}

static FORCE_INLINE float lane_rsq_f32(float a) { return (float)(1 / __builtin_sqrt((double)a)); }
static FORCE_INLINE double lane_rsq_f64(double a) { return 1 / __builtin_sqrt(a); }
#define lane_rsq(a) LANE_FLT(lane_rsq, a)(a)

static FORCE_INLINE float lane_fract_f32(float a)
{
	float r = a - __builtin_floorf(a);
	return r >= 1 ? 0x1.fffffep-1f : r;
}
static FORCE_INLINE double lane_fract_f64(double a)
{
	double r = a - __builtin_floor(a);
	return r >= 1 ? 0x1.fffffffffffffp-1 : r;
}
#define lane_fract(a) LANE_FLT(lane_fract, a)(a)

/* ---- a number's fraction and exponent ---- */

static FORCE_INLINE double lane_power(i32 n) { return double_of_bits((u64)(i64)(n + 1023) << 52); }

static FORCE_INLINE float lane_ldexp_f32(float a, u32 b)
{
	i32 n = (i32)b;
	n = n < -300 ? -300 : n;
	n = n > 300 ? 300 : n;
	return (float)((double)a * lane_power(n)); /* the product is exact */
}

/* In steps within the exponent's range; 969 = 1022 - 53, so that only one of them rounds. */
static FORCE_INLINE double lane_ldexp_f64(double a, u32 b)
{
	i32 n = (i32)b;
	n = n < -4000 ? -4000 : n;
	n = n > 4000 ? 4000 : n;
	for (u32 i = 0; i < 2; i++) {
		i32 step = n > 1023 ? 1023 : 0;
		step = n < -1022 ? -969 : step;
		a *= lane_power(step);
		n -= step;
	}
	n = n < -1022 ? -1022 : n;
	n = n > 1023 ? 1023 : n;
	return a * lane_power(n);
}

static FORCE_INLINE float lane_frexp_mant_f32(float a)
{
	u64 bits = bits_of_double((double)a);
	float m = (float)double_of_bits((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
	return ((a == 0) | (a - a != 0)) ? a : m;
}
static FORCE_INLINE u32 lane_frexp_exp_f32(float a)
{
	u32 e = (u32)(bits_of_double((double)a) >> 52 & 2047) - 1022;
	return ((a == 0) | (a - a != 0)) ? 0 : e;
}
static FORCE_INLINE double lane_frexp_mant_f64(double a)
{
	double x = __builtin_fabs(a) < 0x1p-1022 ? a * 0x1p54 : a;
	double m = double_of_bits((bits_of_double(x) & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
	return ((a == 0) | (a - a != 0)) ? a : m;
}
static FORCE_INLINE u32 lane_frexp_exp_f64(double a)
{
	bool low = __builtin_fabs(a) < 0x1p-1022;
	double x = low ? a * 0x1p54 : a;
	u32 e = (u32)(bits_of_double(x) >> 52 & 2047) - (low ? 1076 : 1022);
	return ((a == 0) | (a - a != 0)) ? 0 : e;
}
#define lane_frexp_mant(a) LANE_FLT(lane_frexp_mant, a)(a)
#define lane_frexp_exp(a) LANE_FLT(lane_frexp_exp, a)(a)

/* The middle one; the smallest number when one is NaN (v_med3_f32). */
static FORCE_INLINE float lane_fmed3(float a, float b, float c)
{
	float low = lane_fminnum_f32(a, b), high = lane_fmaxnum_f32(a, b);
	float most = lane_fminnum_f32(high, c), r = lane_fmaxnum_f32(low, most);
	return ((a != a) | (b != b) | (c != c)) ? lane_fminnum_f32(low, c) : r;
}

/* ---- bytes (v_perm_b32, v_sad_u8 and others, GCN3 ISA manual) ---- */

static FORCE_INLINE u32 lane_perm_byte(u64 x, u32 c)
{
	u64 byte = x >> (c & 7) * 8 & 255;
	u64 sign = 0 - (x >> ((c & 3) * 16 + 15) & 1);
	u64 r = c < 8 ? byte : c < 12 ? sign : c == 12 ? 0 : 255;
	return (u32)r & 255;
}

static FORCE_INLINE u32 lane_perm(u32 a, u32 b, u32 c)
{
	u64 x = (u64)a << 32 | b;
	return lane_perm_byte(x, c & 255) | lane_perm_byte(x, c >> 8 & 255) << 8 |
	       lane_perm_byte(x, c >> 16 & 255) << 16 | lane_perm_byte(x, c >> 24) << 24;
}

/* How far the bytes (or halves) of two words lie apart, added up. */
static FORCE_INLINE u32 lane_apart(u32 a, u32 b) { return a > b ? a - b : b - a; }
static FORCE_INLINE u32 lane_byte_apart(u32 a, u32 b, u32 at) { return lane_apart(a >> at & 255, b >> at & 255); }

static FORCE_INLINE u32 lane_sad(u32 a, u32 b, u32 c)
{
	return c + lane_byte_apart(a, b, 0) + lane_byte_apart(a, b, 8) + lane_byte_apart(a, b, 16) +
	       lane_byte_apart(a, b, 24);
}

static FORCE_INLINE u32 lane_sad_hi(u32 a, u32 b, u32 c) { return c + (lane_sad(a, b, 0) << 16); }

static FORCE_INLINE u32 lane_sad_wide(u32 a, u32 b, u32 c)
{
	return c + lane_apart(a & 0xffff, b & 0xffff) + lane_apart(a >> 16, b >> 16);
}

/* Where a byte of b is 0, that of a becomes 0, too. */
static FORCE_INLINE u32 lane_msad(u32 a, u32 b, u32 c)
{
	u32 mask = 0;
	for (u32 at = 0; at < 32; at += 8)
		mask |= b >> at & 255 ? 255u << at : 0;
	return lane_sad(a & mask, b, c);
}

static FORCE_INLINE u64 lane_qsad(u64 a, u32 b, u64 c)
{
	u64 d = 0;
	for (u32 i = 0; i < 4; i++)
		d |= (u64)(lane_sad((u32)(a >> 8 * i), b, (u32)(c >> 16 * i)) & 0xffff) << 16 * i;
	return d;
}

static FORCE_INLINE u64 lane_mqsad(u64 a, u32 b, u64 c)
{
	u64 d = 0;
	for (u32 i = 0; i < 4; i++)
		d |= (u64)(lane_msad((u32)(a >> 8 * i), b, (u32)(c >> 16 * i)) & 0xffff) << 16 * i;
	return d;
}

static FORCE_INLINE u32 lane_lerp(u32 a, u32 b, u32 c)
{
	u32 d = 0;
	for (u32 at = 0; at < 32; at += 8)
		d |= ((a >> at & 255) + (b >> at & 255) + (c >> at & 1)) >> 1 << at;
	return d;
}

/* v_cvt_pk_u8_f32, which rounds as the mode says: to the nearest, ties to even. */
static FORCE_INLINE u32 lane_put_byte(float a, u32 b, u32 c)
{
	float x = a > 0 ? a : 0; /* 0 for NaN, too */
	u32 at = (b & 3) * 8, byte = (u32)lane_rint_f32(x < 255 ? x : 255);
	return (c & ~(255u << at)) | byte << at;
}

/* ---- 2/pi, in parts of 53 bits (v_trig_preop_f64, GCN3 ISA manual) ---- */

/* The first 1,201 bits of 2/pi behind the point, then zeros. */
static const u32 lane_two_over_pi[38] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
	0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
	0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
	0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
	0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
	0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
	0x56033046, 0xfc7b0000,
};

static FORCE_INLINE u32 lane_pi_word(u32 i) { return i < 38 ? lane_two_over_pi[i] : 0; }

static FORCE_INLINE double lane_trig_preop(double a, u32 segment)
{
	u32 e = (u32)(bits_of_double(a) >> 52 & 2047), shift = (segment & 31) * 53;
	shift += e > 1077 ? e - 1077 : 0;
	u32 w = shift / 32, s = shift % 32;
	u64 high = (u64)lane_pi_word(w) << 32 | lane_pi_word(w + 1);
	u64 low = (u64)lane_pi_word(w + 2) << 32;
	u64 part = (high << s | (low >> 1) >> (63 - s)) >> 11;
	i32 scale = -53 - (i32)shift + (e >= 1968 ? 128 : 0);
	return lane_ldexp_f64((double)part, (u32)scale);
}

#endif
