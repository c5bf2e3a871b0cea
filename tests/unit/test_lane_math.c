/* The one-instruction functions of AMD's hardware against the C library in higher precision. */
#include "isa/lane.h"
#include "tests/unit/random_program.h"

#include <CUnit/CUnit.h>
#include <math.h>

void suite_lane_math(void);

static bool same32(float a, float b)
{
	return lane_bits32(a) == lane_bits32(b) || (a != a && b != b);
}
static bool same64(double a, double b)
{
	return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

/* The nearest float, or its neighbour where the exact value lies next to the middle. */
static bool nearest(float got, long double exact, u32 *apart)
{
	float want = (float)exact;
	if (same32(got, want))
		return true;
	++*apart;
	return fabsl((long double)got - exact) <=
	       0.5001L * fabsl((long double)nextafterf(want, INFINITY) - (long double)want);
}

static long double turn(float a)
{
	return isfinite(a) ? remainderl((long double)a, 1) : (long double)NAN;
}

static void transcendental(void)
{
	const long double pi = acosl(-1);
	bool exp2_ok = true, log2_ok = true, sin_ok = true, cos_ok = true, rsq_ok = true;
	u32 apart = 0, n = 0;
	for (u64 x = 0; x < 1ull << 32; x += 30011, n++) {
		float a = lane_float32((u32)x);
		exp2_ok &= nearest(lane_exp2(a), exp2l((long double)a), &apart);
		log2_ok &= nearest(lane_log2(a), log2l((long double)a), &apart);
		rsq_ok &= nearest(lane_rsq(a), 1 / sqrtl((long double)a), &apart);
		long double t = turn(a), quarters = 4 * t;
		if (quarters == floorl(quarters)) { /* exact here, not in radians */
			sin_ok &= fabsf(lane_sin_turn(a)) == (fabsl(t) == 0.25L ? 1 : 0);
			cos_ok &= fabsf(lane_cos_turn(a)) == (fabsl(t) == 0.25L ? 0 : 1);
			continue;
		}
		sin_ok &= nearest(lane_sin_turn(a), sinl(2 * pi * t), &apart);
		cos_ok &= nearest(lane_cos_turn(a), cosl(2 * pi * t), &apart);
	}
	CU_ASSERT(exp2_ok);
	CU_ASSERT(log2_ok);
	CU_ASSERT(rsq_ok);
	CU_ASSERT(sin_ok);
	CU_ASSERT(cos_ok);
	CU_ASSERT(apart < n / 1000);
	CU_ASSERT(lane_sin_turn(0.5f) == 0 && lane_cos_turn(0.25f) == 0 && lane_cos_turn(0) == 1);
	CU_ASSERT(same32(lane_sin_turn(-0.0f), -0.0f));
	CU_ASSERT(lane_log2(8) == 3 && lane_exp2(-149) == 0x1p-149f && lane_exp2(-151) == 0);
	CU_ASSERT(lane_log2(0x1p-149f) == -149 && lane_log2(0) == -INFINITY && isnan(lane_log2(-1)));
	CU_ASSERT(lane_exp2(INFINITY) == INFINITY && lane_exp2(-INFINITY) == 0);
	CU_ASSERT(isnan(lane_exp2(NAN)) && isnan(lane_sin_turn(INFINITY)) && isnan(lane_log2(NAN)));
}

static u64 pick(u64 *rng)
{
	static const u64 edge[] = {0, 1, 0x8000000000000000, 0x000fffffffffffff, 0x0010000000000000,
	                           0x3ff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
	                           0xfff0000000000000, 0x7ff8000000000000, 0x0000000000100000};
	u64 k = random_next(rng);
	return k % 3 ? random_next(rng) : edge[(k >> 8) % COUNT(edge)];
}

static void parts(void)
{
	u64 rng = 1;
	bool ldexp32 = true, ldexp64 = true, frexp32 = true, frexp64 = true, fract = true;
	for (u32 i = 0; i < 300000; i++) {
		double d = double_of_bits(pick(&rng));
		float f = (float)d;
		if (i % 2)
			f = lane_float32((u32)random_next(&rng));
		i32 n = (i32)(random_next(&rng) % 4400) - 2200, e;
		if (i % 3 == 0)
			n /= 10;
		if (i % 1000 == 0)
			n = n < 0 ? INT32_MIN : INT32_MAX;
		ldexp32 &= same32(lane_ldexp_f32(f, (u32)n), ldexpf(f, n));
		ldexp64 &= same64(lane_ldexp_f64(d, (u32)n), ldexp(d, n));
		float m = frexpf(f, &e);
		frexp32 &= same32(lane_frexp_mant(f), m) &&
		           lane_frexp_exp(f) == (u32)(isfinite(f) && f != 0 ? e : 0);
		double dm = frexp(d, &e);
		frexp64 &= same64(lane_frexp_mant(d), dm) &&
		           lane_frexp_exp(d) == (u32)(isfinite(d) && d != 0 ? e : 0);
		double r = d - floor(d);
		fract &= same64(lane_fract(d), r < 1 || r != r ? r : nextafter(1, 0));
	}
	CU_ASSERT(ldexp32);
	CU_ASSERT(ldexp64);
	CU_ASSERT(frexp32);
	CU_ASSERT(frexp64);
	CU_ASSERT(fract);
}

/* The pieces put together are 2/pi. */
static void two_over_pi(void)
{
	long double sum = 0, want = 2 / acosl(-1);
	for (u32 i = 0; i < 3; i++)
		sum += (long double)lane_trig_preop(1.0, i);
	CU_ASSERT(sum == want);
	/* Above 2^54 the first piece starts later: 2/pi without the bits that give whole turns. */
	u64 e = 1100;
	double big = double_of_bits(e << 52), first = lane_trig_preop(big, 0), plain = lane_trig_preop(1.0, 0);
	CU_ASSERT(first > 0 && first < ldexp(1, -(int)(e - 1077)));
	long double rest = want - floorl(ldexpl(want, 23)) / ldexpl(1, 23);
	CU_ASSERT(fabsl((long double)first - rest) < ldexpl(1, -70));
	CU_ASSERT(plain > (double)first);
}

static void bytes(void)
{
	CU_ASSERT(lane_perm(0x87654321, 0x0fedcba9, 0x07060100) == 0x8765cba9);
	CU_ASSERT(lane_perm(0x87654321, 0x0fedcba9, 0x0d0c0b0a) == 0xff00ff00);
	CU_ASSERT(lane_perm(0x87654321, 0x0fedcba9, 0x09080302) == 0x00ff0fed);
	CU_ASSERT(lane_fmed3(3, 1, 2) == 2 && lane_fmed3(1, 2, 3) == 2 && lane_fmed3(2, 2, 1) == 2);
	CU_ASSERT(lane_fmed3(NAN, 5, 4) == 4);
	CU_ASSERT(lane_put_byte(2.5f, 1, ~0u) == 0xffff02ff && lane_put_byte(3.5f, 4, 0) == 4);
	CU_ASSERT(lane_put_byte(NAN, 0, ~0u) == 0xffffff00 && lane_put_byte(-1e9f, 3, ~0u) == 0x00ffffff);
	CU_ASSERT(lane_put_byte(INFINITY, 2, 0) == 0x00ff0000 && lane_put_byte(255.5f, 0, 0) == 255);
}

void suite_lane_math(void)
{
	CU_pSuite s = CU_add_suite("lane_math", NULL, NULL);
	CU_add_test(s, "exp2, log2, sine and cosine of turns, rsq", transcendental);
	CU_add_test(s, "ldexp, frexp, fract", parts);
	CU_add_test(s, "pieces of 2/pi", two_over_pi);
	CU_add_test(s, "bytes, the middle of three", bytes);
}
