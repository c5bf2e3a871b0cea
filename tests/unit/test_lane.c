/* Lane operations on integers against oracles of another kind: bit by bit, or in wider
 * arithmetic. Narrow types are tried out completely, wide ones at their edges and at
 * random. Floating point: test_lane_float.c. */
#include "isa/lane.h"
#include "tests/unit/random_program.h"
#include "tests/unit/scalar_oracle.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

void suite_lane(void);

static u128 low(u32 bits) { return bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1; }
static i128 as_signed(u128 v, u32 bits) { return (i128)(v << (128 - bits)) >> (128 - bits); }

/* ---- integers ---- */

static u128 count_bits(u128 a, u32 bits)
{
	u32 n = 0;
	for (u32 i = 0; i < bits; i++)
		n += (u32)(a >> i & 1);
	return n;
}

static u128 highest(u128 a, u32 bits) /* leading zeros */
{
	u32 n = 0;
	while (n < bits && !(a >> (bits - 1 - n) & 1))
		n++;
	return n;
}

static u128 reversed(u128 a, u32 bits, u32 unit)
{
	u128 r = 0;
	for (u32 i = 0; i < bits; i += unit)
		r = r << unit | (a >> i & low(unit));
	return r;
}

static u128 funnel(u128 a, u128 b, u32 s, u32 bits) /* bit i of (a:b) << s, upper half */
{
	u128 r = 0;
	for (u32 i = 0; i < bits; i++) {
		u32 from = i + bits - s; /* bit number in a:b */
		r |= (from >= bits ? a >> (from - bits) & 1 : b >> from & 1) << i;
	}
	return r;
}

static u128 product(u128 a, u128 b, u32 bits)
{
	u128 r = 0;
	for (u32 i = 0; i < bits; i++)
		if (b >> i & 1)
			r += a << i;
	return r;
}

/* The quotient by long division; the remainder in *rem. */
static u128 divide(u128 a, u128 b, u128 *rem)
{
	u128 q = 0, r = 0;
	for (u32 i = 128; i-- > 0;) {
		bool carry = r >> 127;
		r = r << 1 | (a >> i & 1);
		if (carry || r >= b) {
			r -= b;
			q |= (u128)1 << i;
		}
	}
	*rem = r;
	return q;
}

static u128 signed_division(u128 a, u128 b, u32 bits, bool remainder)
{
	i128 sa = as_signed(a, bits), sb = as_signed(b, bits);
	u128 r, q = divide(sa < 0 ? 0 - (u128)sa : (u128)sa, sb < 0 ? 0 - (u128)sb : (u128)sb, &r);
	if (remainder)
		return sa < 0 ? 0 - r : r;
	return (sa < 0) != (sb < 0) ? 0 - q : q;
}

/* a + b or a - b with one bit more than the type has, kept within the signed range. */
static u128 saturated(u128 a, u128 b, u32 bits, bool subtract)
{
	u128 r = subtract ? a - b : a + b, top = (u128)1 << (bits - 1);
	bool na = a & top, nb = b & top, nr = r & top;
	if (subtract)
		nb = !nb;
	return na == nb && nr != na ? (na ? top : top - 1) : r;
}

static bool named(const char *name, const char *stem)
{
	size_t n = strlen(stem);
	return !strncmp(name, stem, n) && name[n] == '_' && strchr("ib", name[n + 1]) &&
	       !strchr(name + n + 1, '_');
}

/* The operands of an integer operation, and its result so far. */
typedef struct Sum {
	const char *name;
	u32 bits;
	u128 a, b, c, r;
	i128 sa, sb;
} Sum;

/* Each knows some operations; false when it does not know this one. */
static bool arithmetic(Sum *s)
{
	const char *n = s->name;
	u128 a = s->a, b = s->b, rem = 0, room = low(s->bits) - a;
	bool overflows = b == low(s->bits) && a == (u128)1 << (s->bits - 1);
	if (named(n, "add"))
		s->r = a + b;
	else if (named(n, "sub"))
		s->r = a + ~b + 1;
	else if (named(n, "mul"))
		s->r = product(a, b, s->bits);
	else if (named(n, "udiv"))
		s->r = b ? divide(a, b, &rem) : a;
	else if (named(n, "urem"))
		s->r = b ? (divide(a, b, &rem), rem) : 0;
	else if (named(n, "sdiv"))
		s->r = b ? signed_division(a, b, s->bits, false) : a;
	else if (named(n, "srem"))
		s->r = b && !overflows ? signed_division(a, b, s->bits, true) : s->sa < 0 ? low(s->bits) : 0;
	else if (named(n, "uadd_sat"))
		s->r = b > room ? low(s->bits) : a + b;
	else if (named(n, "usub_sat"))
		s->r = b > a ? 0 : a - b;
	else if (named(n, "sadd_sat"))
		s->r = saturated(a, b, s->bits, false);
	else if (named(n, "ssub_sat"))
		s->r = saturated(a, b, s->bits, true);
	else if (named(n, "abs"))
		s->r = s->sa < 0 ? ~a + 1 : a;
	else
		return false;
	return true;
}

static bool bitwise(Sum *s)
{
	const char *n = s->name;
	u128 a = s->a, b = s->b;
	u32 bits = s->bits, by = (u32)b & (bits - 1), by_c = (u32)s->c & (bits - 1);
	if (named(n, "and"))
		s->r = ~(~a | ~b);
	else if (named(n, "or"))
		s->r = ~(~a & ~b);
	else if (named(n, "xor"))
		s->r = (a | b) - (a & b);
	else if (named(n, "shl"))
		s->r = funnel(a, 0, by, bits);
	else if (named(n, "lshr"))
		s->r = by ? funnel(0, a, bits - by, bits) : a;
	else if (named(n, "ashr"))
		s->r = by ? funnel(s->sa < 0 ? low(bits) : 0, a, bits - by, bits) : a;
	else if (named(n, "fshl"))
		s->r = funnel(a, b, by_c, bits);
	else if (named(n, "fshr"))
		s->r = by_c ? funnel(a, b, bits - by_c, bits) : b;
	else if (named(n, "ctpop"))
		s->r = count_bits(a, bits);
	else if (named(n, "ctlz"))
		s->r = highest(a, bits);
	else if (named(n, "cttz"))
		s->r = highest(reversed(a, bits, 1), bits);
	else if (named(n, "bswap"))
		s->r = reversed(a, bits, 8);
	else if (named(n, "bitrev"))
		s->r = reversed(a, bits, 1);
	else
		return false;
	return true;
}

static bool order(Sum *s)
{
	const char *n = s->name;
	u128 a = s->a, b = s->b;
	if (named(n, "umin"))
		s->r = a > b ? b : a;
	else if (named(n, "umax"))
		s->r = a > b ? a : b;
	else if (named(n, "smin"))
		s->r = s->sa > s->sb ? b : a;
	else if (named(n, "smax"))
		s->r = s->sa > s->sb ? a : b;
	else if (named(n, "eq"))
		s->r = !(a ^ b);
	else if (named(n, "ne"))
		s->r = !!(a ^ b);
	else if (named(n, "ult"))
		s->r = !(a >= b);
	else if (named(n, "ule"))
		s->r = !(a > b);
	else if (named(n, "slt"))
		s->r = !(s->sa >= s->sb);
	else if (named(n, "sle"))
		s->r = !(s->sa > s->sb);
	else
		return false;
	return true;
}

/* What operation op gives for integers; false when it is not one of those above. */
static bool integer_oracle(u32 op, u128 a, u128 b, u128 c, u128 *r)
{
	const OpInfo *i = &op_info[op];
	u32 bits = i->type[1] == T_b1 ? 1 : type_bytes[i->type[1]] * 8u;
	Sum s = {.name = i->name, .bits = bits, .a = a, .b = b, .c = c};
	s.sa = as_signed(a, bits);
	s.sb = as_signed(b, bits);
	if (!arithmetic(&s) && !bitwise(&s) && !order(&s))
		return false;
	*r = s.r & (i->type[0] == T_b1 ? 1 : low(bits));
	return true;
}

static bool check_integer(u32 op, u128 a, u128 b, u128 c)
{
	u128 want;
	if (!integer_oracle(op, a, b, c, &want) || lane_eval(op, a, b, c, 0) == want)
		return true;
	fprintf(stderr, "%s %llx %llx %llx gave %llx, not %llx\n", op_info[op].name,
		(unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
		(unsigned long long)lane_eval(op, a, b, c, 0), (unsigned long long)want);
	return false;
}

static bool is_int(u32 t) { return t == T_b1 || (t >= T_i8 && t <= T_i128); }

static u128 interesting(u64 *rng, u32 bits)
{
	static const i64 edge[] = {0,      1,         -1,        2,         -2,       3,
				   7,      127,       128,       255,       -128,     32767,
				   -32768, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
	u64 k = random_next(rng);
	u128 v = (u128)random_next(rng) << 64 | random_next(rng);
	if (k % 4 == 0)
		v = (u128)(i128)edge[(k >> 8) % COUNT(edge)];
	if (k % 4 == 1)
		v = (u128)1 << (k >> 8) % bits;
	if (k % 4 == 2)
		v >>= (k >> 8) % bits;
	return v & low(bits);
}

static void integers(void)
{
	u64 rng = 1;
	u32 known = 0;
	for (u32 op = 0; op < OP_COUNT; op++) {
		const OpInfo *i = &op_info[op];
		u128 ignored;
		if (!i->lane || !is_int(i->type[1]) || !integer_oracle(op, 1, 1, 1, &ignored))
			continue;
		known++;
		bool ok = true;
		u32 bits = i->type[1] == T_b1 ? 1 : type_bytes[i->type[1]] * 8u;
		if (bits <= 8)
			for (u32 ab = 0; ab < 1u << 2 * bits; ab++)
				ok &= check_integer(op, ab & low(bits), ab >> bits,
						    (ab * 37 >> 3) & low(bits));
		if (bits == 16)
			for (u32 a = 0; a < 1u << 16; a++)
				ok &= check_integer(op, a, interesting(&rng, 16),
						    interesting(&rng, 16));
		for (u32 k = 0; bits > 16 && k < 4000; k++)
			ok &= check_integer(op, interesting(&rng, bits), interesting(&rng, bits),
					    interesting(&rng, bits));
		CU_ASSERT_TRUE(ok);
	}
	CU_ASSERT_EQUAL(known, 35 * 5 + 3);
}

/* Every row is defined everywhere (the sanitizers look on) and stays within its type. */
static void any_input(void)
{
	u64 rng = 3;
	for (u32 op = 0; op < OP_COUNT; op++) {
		u32 d = op_info[op].type[0], bits = d == T_b1 ? 1 : type_bytes[d] * 8u;
		bool ok = true;
		for (u32 k = 0; op_info[op].lane && k < 3000; k++) {
			u128 a = interesting(&rng, 128), b = interesting(&rng, 128),
			     c = interesting(&rng, 128);
			u128 r = lane_eval(op, a, b, c, (i64)interesting(&rng, 64));
			ok &= (r & ~low(bits)) == 0;
		}
		CU_ASSERT_TRUE(ok);
	}
	CU_ASSERT(lane_eval(OP_barrier, 1, 2, 3, 0) == 0);
}

/* ---- conversions ---- */

static float flt(u32 b) { return lane_float32(b); }
static double dbl(u64 b) { return double_of_bits(b); }

static bool same32(float a, float b)
{
	return lane_bits32(a) == lane_bits32(b) || (a != a && b != b);
}
static bool same64(double a, double b)
{
	return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

/* v rounded to nearest even with so many bits of precision, by hand. */
static double rounded(u128 v, u32 precision)
{
	u32 n = 128 - (u32)highest(v, 128);
	if (n <= precision)
		return (double)(u64)(v >> 64) * 0x1p64 + (double)(u64)v;
	u32 drop = n - precision;
	u128 keep = v >> drop, rest = v & low(drop), half = (u128)1 << (drop - 1);
	keep += rest > half || (rest == half && (keep & 1));
	return ldexp((double)(u64)keep, (int)drop);
}

static void from_integer(void)
{
	static const struct {
		u32 to32, to64, bits;
		bool is_signed;
	} c[] = {
	    {OP_sitofp_f32_i8, OP_sitofp_f64_i8, 8, true},
	    {OP_sitofp_f32_i16, OP_sitofp_f64_i16, 16, true},
	    {OP_sitofp_f32_i32, OP_sitofp_f64_i32, 32, true},
	    {OP_sitofp_f32_i64, OP_sitofp_f64_i64, 64, true},
	    {OP_sitofp_f32_i128, OP_sitofp_f64_i128, 128, true},
	    {OP_uitofp_f32_i8, OP_uitofp_f64_i8, 8, false},
	    {OP_uitofp_f32_i16, OP_uitofp_f64_i16, 16, false},
	    {OP_uitofp_f32_i32, OP_uitofp_f64_i32, 32, false},
	    {OP_uitofp_f32_i64, OP_uitofp_f64_i64, 64, false},
	    {OP_uitofp_f32_i128, OP_uitofp_f64_i128, 128, false},
	};
	u64 rng = 23;
	for (u32 i = 0; i < COUNT(c); i++) {
		bool ok = true;
		for (u32 k = 0; k < 20000; k++) {
			u128 v = interesting(&rng, c[i].bits);
			bool negative = c[i].is_signed && as_signed(v, c[i].bits) < 0;
			u128 m = negative ? 0 - (u128)as_signed(v, c[i].bits) : v;
			double s = negative ? -1 : 1;
			ok &=
			    same32(flt((u32)lane_eval(c[i].to32, v, 0, 0, 0)),
				   (float)(s * rounded(m, 24))) &&
			    same64(dbl((u64)lane_eval(c[i].to64, v, 0, 0, 0)), s * rounded(m, 53));
		}
		CU_ASSERT_TRUE(ok);
	}
}

/* zext, sext and trunc between all widths. */
static void widths(void)
{
	u64 rng = 29;
	for (u32 op = 0; op < OP_COUNT; op++) {
		const char *n = op_info[op].name;
		bool zext = !strncmp(n, "zext_", 5), sext = !strncmp(n, "sext_", 5),
		     trunc = !strncmp(n, "trunc_", 6);
		if (!(zext || sext || trunc) || !is_int(op_info[op].type[1]))
			continue;
		u32 from = op_info[op].type[1] == T_b1 ? 1 : type_bytes[op_info[op].type[1]] * 8u;
		u32 to = op_info[op].type[0] == T_b1 ? 1 : type_bytes[op_info[op].type[0]] * 8u;
		bool ok = trunc ? to < from : from < to;
		for (u32 k = 0; k < 1000; k++) {
			u128 v = interesting(&rng, from),
			     want = sext ? (u128)as_signed(v, from) : v;
			ok &= lane_eval(op, v, 0, 0, 0) == (want & low(to));
		}
		CU_ASSERT_TRUE(ok);
	}
}

/* ---- the rest ---- */

static void others(void)
{
	CU_ASSERT(lane_eval(OP_select_i128, 1, (u128)5 << 100, 7, 0) == (u128)5 << 100);
	CU_ASSERT(lane_eval(OP_select_b1, 0, 1, 0, 0) == 0);
	CU_ASSERT(lane_eval(OP_lea_i32, 0x100000, 3, 0, -4) == 0x100000 - 12);
	CU_ASSERT(lane_eval(OP_lea_i64, 1ull << 40, 3, 0, 8) == (1ull << 40) + 24);
	CU_ASSERT(lane_eval(OP_leas_i64, 1ull << 40, 0xFFFFFFFF, 0, 8) == (1ull << 40) - 8);
	CU_ASSERT(lane_eval(OP_leaz_i64, 1ull << 40, 0xFFFFFFFF, 0, 8) ==
		  (1ull << 40) + 8 * 0xFFFFFFFFull);
	CU_ASSERT(lane_eval(OP_fma_f32, lane_bits32(0x1.001p0f), lane_bits32(0x1.001p0f),
			    lane_bits32(-0x1.002p0f), 0) == lane_bits32(0x1p-24f));
	CU_ASSERT(lane_eval(OP_bits_i32_f32, lane_bits32(-2), 0, 0, 0) == 0xC0000000);
	CU_ASSERT(lane_eval(OP_bits_f64_i64, 0x7FF0000000000001, 0, 0, 0) == 0x7FF0000000000001);
	CU_ASSERT(lane_eval(OP_fpext_f64_f32, lane_bits32(1.5f), 0, 0, 0) == bits_of_double(1.5));
	CU_ASSERT(lane_eval(OP_fptrunc_f32_f64, bits_of_double(0x1.000001p0), 0, 0, 0) ==
		  lane_bits32(1.0f));
}

static void masks(void)
{
	Mask some = 0, x = 1;
	for (u32 n = 0; n <= MAX_WAVE; n++) {
		x = x * 0x2545F4914F6CDD1D + 0x9E3779B97F4A7C15;
		some = some << 37 ^ x;
		CU_ASSERT_EQUAL(mask_count(mask_first(n)), n);
		CU_ASSERT_EQUAL(mask_count(~mask_first(n)), MAX_WAVE - n);
		CU_ASSERT_EQUAL(mask_count(some), count_bits(some, MAX_WAVE));
	}
}

void suite_lane(void)
{
	CU_pSuite s = CU_add_suite("lane", NULL, NULL);
	CU_add_test(s, "integers", integers);
	CU_add_test(s, "any input", any_input);
	CU_add_test(s, "integers to floats", from_integer);
	CU_add_test(s, "integer widths", widths);
	CU_add_test(s, "select, lea, fma, bits", others);
	CU_add_test(s, "lanes of masks", masks);
}
