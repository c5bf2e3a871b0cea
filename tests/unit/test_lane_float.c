/* Lane operations on floating point: rounding against the C library, conversions and
 * minima against the instructions whose behaviour they promise, half floats by the
 * midpoints between neighbours. */
#include "isa/lane.h"
#include "tests/unit/random_program.h"
#include "tests/unit/scalar_oracle.h"

#include <CUnit/CUnit.h>
#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

void suite_lane_float(void);

static u32 bits32(float f) { return lane_bits32(f); }
static float flt(u32 b) { return lane_float32(b); }
static double dbl(u64 b) { return double_of_bits(b); }

static bool same32(float a, float b) { return bits32(a) == bits32(b) || (a != a && b != b); }
static bool same64(double a, double b)
{
	return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

/* A float that is often special. */
static u32 pick32(u64 *rng)
{
	static const u32 edge[] = {
	    0,          0x80000000, 1,          0x80000001, 0x7FFFFF,   0x800000,   0x3F800000,
	    0xBF800000, 0x3F000000, 0xBF000000, 0x3EFFFFFF, 0x3FC00000, 0x40200000, 0x4B000000,
	    0x4B000001, 0x4AFFFFFF, 0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x4F800000, 0x5F000000,
	    0xDF000000, 0x5F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000,
	    0x7F000000, 0x477FE000, 0x477FEFFF, 0x477FF000, 0x38800000, 0x33000000, 0x33000001,
	    0xCF000001, 0xBF7FFFFF, 0xBF800001, 0x4F7FFFFF, 0x5F7FFFFF};
	u64 k = random_next(rng);
	return k % 3 ? edge[(k >> 8) % COUNT(edge)] + (k % 7 == 1 ? (u32)(k >> 40) % 5 - 2 : 0)
		     : (u32)(k >> 16);
}

static u64 pick64(u64 *rng)
{
	u64 k = random_next(rng);
	if (k % 3 == 0)
		return random_next(rng);
	return bits_of_double((double)flt(pick32(rng))) + (k % 7 == 1 ? (k >> 40) % 5 - 2 : 0);
}

static void rounding(void)
{
	bool ok = true;
	for (u64 x = 0; x < 1ull << 32; x += 1009) {
		float a = flt((u32)x);
		ok &= same32(lane_round(a), roundf(a)) && same32(lane_rint(a), nearbyintf(a)) &&
		      same32(lane_floor(a), floorf(a)) && same32(lane_ceil(a), ceilf(a)) &&
		      same32(lane_trunc(a), truncf(a)) && same32(lane_sqrt(a), sqrtf(a)) &&
		      bits32(lane_fneg(a)) == ((u32)x ^ 0x80000000u) &&
		      bits32(lane_fabs(a)) == ((u32)x & 0x7FFFFFFFu);
	}
	u64 rng = 5;
	for (u32 k = 0; k < 300000; k++) {
		float f = flt(pick32(&rng)), g = flt(pick32(&rng));
		double a = dbl(pick64(&rng)), b = dbl(pick64(&rng));
		ok &= same32(lane_round(f), roundf(f)) && same32(lane_rint(f), nearbyintf(f)) &&
		      same32(lane_copysign(f, g), copysignf(f, g)) &&
		      same32(lane_fmod(f, g), fmodf(f, g));
		ok &= same64(lane_round(a), round(a)) && same64(lane_rint(a), nearbyint(a)) &&
		      same64(lane_sqrt(a), sqrt(a)) && same64(lane_floor(a), floor(a)) &&
		      same64(lane_ceil(a), ceil(a)) && same64(lane_trunc(a), trunc(a)) &&
		      same64(lane_copysign(a, b), copysign(a, b)) &&
		      same64(lane_fmod(a, b), fmod(a, b)) &&
		      bits_of_double(lane_fneg(a)) == (bits_of_double(a) ^ 1ull << 63);
	}
	CU_ASSERT_TRUE(ok);
}

/* -0 below +0, NaN in, NaN out. */
static bool minimum_rule(float a, float b)
{
	float lo = lane_fminimum(a, b), hi = lane_fmaximum(a, b);
	if (a != a || b != b)
		return lo != lo && hi != hi;
	/* As integers that order as the floats do. */
	i64 x = bits32(a) >> 31 ? -(i64)(bits32(a) & 0x7FFFFFFF) - 1 : (i64)bits32(a);
	i64 y = bits32(b) >> 31 ? -(i64)(bits32(b) & 0x7FFFFFFF) - 1 : (i64)bits32(b);
	return bits32(lo) == bits32(x < y ? a : b) && bits32(hi) == bits32(x > y ? a : b);
}

#if defined(__x86_64__)
/* minss(x, y) is x < y ? x : y; LLVM computes minnum(a, b) as minss(b, a), or b when a is NaN. */
static float x86_minnum(float a, float b, bool least)
{
	__m128 va = _mm_set_ss(a), vb = _mm_set_ss(b);
	__m128 r = least ? _mm_min_ss(vb, va) : _mm_max_ss(vb, va);
	return a != a ? b : _mm_cvtss_f32(r);
}
static double x86_minnum64(double a, double b, bool least)
{
	__m128d va = _mm_set_sd(a), vb = _mm_set_sd(b);
	__m128d r = least ? _mm_min_sd(vb, va) : _mm_max_sd(vb, va);
	return a != a ? b : _mm_cvtsd_f64(r);
}
#endif

static void minima(void)
{
	u64 rng = 11;
	bool ok = true;
	for (u32 k = 0; k < 300000; k++) {
		float a = flt(pick32(&rng)), b = flt(pick32(&rng));
		ok &= minimum_rule(a, b);
#if defined(__x86_64__)
		double c = dbl(pick64(&rng)), d = dbl(pick64(&rng));
		ok &= bits32(lane_fminnum(a, b)) == bits32(x86_minnum(a, b, true)) &&
		      bits32(lane_fmaxnum(a, b)) == bits32(x86_minnum(a, b, false)) &&
		      bits_of_double(lane_fminnum(c, d)) == bits_of_double(x86_minnum64(c, d, true)) &&
		      bits_of_double(lane_fmaxnum(c, d)) == bits_of_double(x86_minnum64(c, d, false));
		u32 lt = bits32(_mm_cvtss_f32(_mm_min_ss(_mm_set_ss(a), _mm_set_ss(b))));
		ok &= (u32)lane_eval(OP_fmin_lt_f32, bits32(a), bits32(b), 0, 0) == lt;
#endif
	}
	CU_ASSERT_TRUE(ok);
}

static void comparisons(void)
{
	u64 rng = 13;
	bool ok = true;
	for (u32 k = 0; k < 100000; k++) {
		u32 x = pick32(&rng), y = k % 5 ? pick32(&rng) : x;
		float a = flt(x), b = flt(y);
		bool nan = isnan(a) || isnan(b), lt = isless(a, b), gt = isgreater(a, b),
		     eq = !nan && !lt && !gt;
		const struct {
			u32 op;
			bool want;
		} c[] = {{OP_oeq_f32, eq},         {OP_one_f32, lt || gt},
			 {OP_olt_f32, lt},         {OP_ole_f32, lt || eq},
			 {OP_ord_f32, !nan},       {OP_uno_f32, nan},
			 {OP_ueq_f32, nan || eq},  {OP_une_f32, !eq},
			 {OP_fult_f32, nan || lt}, {OP_fule_f32, nan || lt || eq}};
		for (u32 i = 0; i < COUNT(c); i++) {
			u128 wide = lane_eval(c[i].op + 1, bits_of_double((double)a),
					      bits_of_double((double)b), 0, 0);
			ok &= lane_eval(c[i].op, x, y, 0, 0) == c[i].want && wide == c[i].want;
		}
	}
	CU_ASSERT_TRUE(ok);
}

/* ---- conversions ---- */

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static bool unsigned_conversions(float f, double d)
{
	return lane_fptoui_i32(f) == _mm_cvttss_u32(_mm_set_ss(f)) &&
	       lane_fptoui_i64(f) == _mm_cvttss_u64(_mm_set_ss(f)) &&
	       lane_fptoui_i32(d) == _mm_cvttsd_u32(_mm_set_sd(d)) &&
	       lane_fptoui_i64(d) == _mm_cvttsd_u64(_mm_set_sd(d));
}
#endif

/* All signed and, with AVX-512, unsigned conversions are what the instructions give. */
static void to_integer(void)
{
#if defined(__x86_64__)
	u64 rng = 17;
	bool ok = true, wide = __builtin_cpu_supports("avx512f");
	for (u32 k = 0; k < 500000; k++) {
		float f = flt(pick32(&rng));
		double d = dbl(pick64(&rng));
		u32 s = (u32)_mm_cvttss_si32(_mm_set_ss(f)),
		    t = (u32)_mm_cvttsd_si32(_mm_set_sd(d));
		ok &= lane_fptosi_i32(f) == s && lane_fptosi_i32(d) == t && lane_cvtt(f) == s &&
		      lane_cvtt(d) == t;
		ok &= lane_fptosi_i64(f) == (u64)_mm_cvttss_si64(_mm_set_ss(f)) &&
		      lane_fptosi_i64(d) == (u64)_mm_cvttsd_si64(_mm_set_sd(d));
		ok &= lane_cvtr(f) == (u32)_mm_cvtss_si32(_mm_set_ss(f)) &&
		      lane_cvtr(d) == (u32)_mm_cvtsd_si32(_mm_set_sd(d));
		ok &= lane_fptosi_i8(f) == (u8)s && lane_fptoui_i16(d) == (u16)t &&
		      lane_fptoui_i8(f) == (u8)s;
		ok &= !wide || unsigned_conversions(f, d);
	}
	CU_ASSERT_TRUE(ok);
#endif
}

static long double clamp(long double a, long double least, long double most)
{
	return isnan(a) ? 0 : a < least ? least : a > most ? most : a;
}

static void saturating(void)
{
	u64 rng = 19;
	bool ok = true;
	for (u32 k = 0; k < 300000; k++) {
		double d = dbl(pick64(&rng));
		float f = flt(pick32(&rng));
		ok &= lane_fptosi_sat_i8(d) == (u8)(i8)clamp(d, -128, 127) &&
		      lane_fptosi_sat_i16(f) == (u16)(i16)clamp(f, -32768, 32767) &&
		      lane_fptosi_sat_i32(d) == (u32)(i32)clamp(d, INT32_MIN, INT32_MAX) &&
		      lane_fptosi_sat_i32(f) == (u32)(i32)clamp(f, INT32_MIN, INT32_MAX) &&
		      lane_fptosi_sat_i64(d) == (u64)(i64)clamp(d, -0x1p63L, 0x1p63L - 1) &&
		      lane_fptosi_sat_i64(f) == (u64)(i64)clamp(f, -0x1p63L, 0x1p63L - 1) &&
		      lane_fptoui_sat_i8(f) == (u8)clamp(f, 0, 255) &&
		      lane_fptoui_sat_i16(d) == (u16)clamp(d, 0, 65535) &&
		      lane_fptoui_sat_i32(d) == (u32)clamp(d, 0, UINT32_MAX) &&
		      lane_fptoui_sat_i32(f) == (u32)clamp(f, 0, UINT32_MAX) &&
		      lane_fptoui_sat_i64(d) == (u64)clamp(d, 0, 0x1p64L - 1) &&
		      lane_fptoui_sat_i64(f) == (u64)clamp(f, 0, 0x1p64L - 1);
		/* 128 bits: the mantissa, moved. */
		int e;
		double m = frexp(fabs(d), &e);
		u128 want = isnan(d)              ? 0
			    : e > 128 || isinf(d) ? ~(u128)0
			    : e <= 0              ? 0
			    : e >= 53             ? (u128)(u64)(m * 0x1p53) << (e - 53)
						  : (u128)(u64)(m * 0x1p53) >> (53 - e);
		u128 top = (u128)1 << 127;
		ok &= lane_fptoui_i128(d) == (d > 0 ? want : 0) &&
		      lane_fptosi_i128(d) == (d < 0         ? (want > top ? top : 0 - want)
					      : want >= top ? top - 1
							    : want);
	}
	CU_ASSERT_TRUE(ok);
}

/* ---- half floats ---- */

/* Every CPU with AVX2 has F16C; clang does not know how to ask for the latter. */
#if defined(__x86_64__)
__attribute__((target("f16c"))) static u32 x86_from_half(u32 h)
{
	return bits32(_mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128((int)h))));
}
__attribute__((target("f16c"))) static u32 x86_to_half(float f)
{
	return (u32)_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(f), 0)) & 0xFFFF;
}
#endif

/* The value of a finite half, from its definition; 31 as exponent goes on as a number. */
static double half_value(u32 h)
{
	u32 e = h >> 10 & 31, m = h & 1023;
	double v = e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}

static void from_half(void)
{
	bool ok = true;
	for (u32 h = 0; h < 65536; h++) {
		float f = lane_half_to_f32((u16)h);
		bool finite = (h & 0x7C00) != 0x7C00;
		ok &= finite      ? (double)f == half_value(h) && !!signbit(f) == (h >> 15)
		      : h & 0x3FF ? isnan(f)
				  : isinf(f) && (f < 0) == (h >> 15);
#if defined(__x86_64__)
		if (__builtin_cpu_supports("avx2"))
			ok &= bits32(f) == x86_from_half(h);
#endif
	}
	CU_ASSERT_TRUE(ok);
}

/* Is h the half nearest to d? It lies between the midpoints to its neighbours. */
static bool nearest_half(double d, u32 h)
{
	u32 m = h & 0x7FFF;
	double a = fabs(d), below = m ? (half_value(m - 1) + half_value(m)) / 2 : -1;
	double above = (half_value(m) + half_value(m + 1)) / 2;
	if (isnan(d))
		return m > 0x7C00 && (m & 0x200);
	if (signbit(d) != signbit(half_value(h)) || m > 0x7C00)
		return false;
	bool even = !(m & 1);
	return (a > below || (even && a == below)) &&
	       (m == 0x7C00 || a < above || (even && a == above));
}

static void to_half(void)
{
	u64 rng = 31;
	bool ok = true;
	for (u64 x = 0; x < 1ull << 32; x += 641) {
		float f = flt((u32)x);
		u32 h = lane_f32_to_half(f);
		ok &= nearest_half((double)f, h) && lane_f64_to_half((double)f) == h;
#if defined(__x86_64__)
		if (__builtin_cpu_supports("avx2"))
			ok &= h == x86_to_half(f);
#endif
	}
	CU_ASSERT_TRUE(ok);
	for (u32 h = 0; h < 0x7C00; h++) { /* around every midpoint */
		double mid = (half_value(h) + half_value(h + 1)) / 2;
		for (int k = -1; k <= 1; k++) {
			double d = dbl(bits_of_double(mid) + (u64)(i64)k);
			ok &= nearest_half(d, lane_f64_to_half(d)) &&
			      nearest_half(-d, lane_f64_to_half(-d));
		}
	}
	for (u32 k = 0; k < 300000; k++) {
		double d = dbl(pick64(&rng));
		ok &= nearest_half(d, lane_f64_to_half(d));
	}
	CU_ASSERT_TRUE(ok);
}

void suite_lane_float(void)
{
	CU_pSuite s = CU_add_suite("lane_float", NULL, NULL);
	CU_add_test(s, "rounding", rounding);
	CU_add_test(s, "minima and maxima", minima);
	CU_add_test(s, "comparisons", comparisons);
	CU_add_test(s, "floats to integers", to_integer);
	CU_add_test(s, "saturating conversions", saturating);
	CU_add_test(s, "from half", from_half);
	CU_add_test(s, "to half", to_half);
}
