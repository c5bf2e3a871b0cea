/* One lane of arithmetic: what the expressions of ops.def are made of.
 *
 * LT_<type> is the C type of a lane (b1: a byte 0 or 1; integers unsigned; half
 * floats are i16 bits), S(x) is x as signed, BITS(x) its width. The helpers are
 * generic over the lane types.
 *
 * Two rules hold for every helper. It is defined for all inputs, because lanes
 * that do not take part hold anything. And it is free of branches and of calls
 * where the host has an instruction, because the machine puts it inside a loop
 * over the lanes that gcc and clang must turn into vector code (-ffp-contract=off
 * -fno-math-errno -fno-trapping-math). Where LLVM leaves a result open, the
 * helper does what LLVM's x86-64 code generator does, since that is what PoCL's
 * run of the same kernel shows. */
#ifndef WAVESIM_LANE_H
#define WAVESIM_LANE_H

#include "isa/isa.h"

typedef u8 LT_b1;
typedef u8 LT_i8;
typedef u16 LT_i16;
typedef u32 LT_i32;
typedef u64 LT_i64;
typedef u128 LT_i128;
typedef float LT_f32;
typedef double LT_f64;

#define BITS(x) ((u32)(8 * sizeof(x)))
#define S(x) \
	_Generic((x), u8 \
		 : (i8)(x), u16 \
		 : (i16)(x), u32 \
		 : (i32)(x), u64 \
		 : (i64)(x), u128 \
		 : (i128)(x))

/* Call f_<type> for the type of x. */
#define LANE_INT(f, x) \
	_Generic((x), u8 : f##_u8, u16 : f##_u16, u32 : f##_u32, u64 : f##_u64, u128 : f##_u128)
#define LANE_FLT(f, x) _Generic((x), float : f##_f32, double : f##_f64)

/* ---- bits ---- */

static FORCE_INLINE u32 lane_bits32(float x)
{
	u32 r;
	memcpy(&r, &x, sizeof r);
	return r;
}
static FORCE_INLINE float lane_float32(u32 x)
{
	float r;
	memcpy(&r, &x, sizeof r);
	return r;
}
/* ---- integers ---- */

/* a / b for b not 0, signed: not -1. There are no vector instructions for integer
 * division, but for floating point there are, and the truncated quotient of two
 * integers is exact in a format that holds both: a quotient that is not whole is at
 * least 1/b away from the next whole number, more than the division rounds. Without
 * SSE4.1 the truncation would be a call, and the plain division is better. */
#if defined(__SSE4_1__) || defined(__aarch64__)
static FORCE_INLINE u8 lane_uquot_u8(u8 a, u8 b) { return (u8)(i32)((float)a / (float)b); }
static FORCE_INLINE u8 lane_squot_u8(u8 a, u8 b) { return (u8)(i32)((float)(i8)a / (float)(i8)b); }
static FORCE_INLINE u16 lane_uquot_u16(u16 a, u16 b) { return (u16)(i32)((float)a / (float)b); }
static FORCE_INLINE u16 lane_squot_u16(u16 a, u16 b)
{
	return (u16)(i32)((float)(i16)a / (float)(i16)b);
}
static FORCE_INLINE u32 lane_uquot_u32(u32 a, u32 b)
{
	/* Moved into the range of a signed conversion, the only one before AVX-512. */
	double q = __builtin_trunc((double)a / (double)b) - 0x1p31;
	return (u32)(i32)q ^ 0x80000000u;
}
static FORCE_INLINE u32 lane_squot_u32(u32 a, u32 b)
{
	return (u32)(i32)((double)(i32)a / (double)(i32)b);
}
#else
static FORCE_INLINE u8 lane_uquot_u8(u8 a, u8 b) { return (u8)(a / b); }
static FORCE_INLINE u8 lane_squot_u8(u8 a, u8 b) { return (u8)((i8)a / (i8)b); }
static FORCE_INLINE u16 lane_uquot_u16(u16 a, u16 b) { return (u16)(a / b); }
static FORCE_INLINE u16 lane_squot_u16(u16 a, u16 b) { return (u16)((i16)a / (i16)b); }
static FORCE_INLINE u32 lane_uquot_u32(u32 a, u32 b) { return a / b; }
static FORCE_INLINE u32 lane_squot_u32(u32 a, u32 b) { return (u32)((i32)a / (i32)b); }
#endif
static FORCE_INLINE u64 lane_uquot_u64(u64 a, u64 b) { return a / b; }
static FORCE_INLINE u64 lane_squot_u64(u64 a, u64 b) { return (u64)((i64)a / (i64)b); }
static FORCE_INLINE u128 lane_uquot_u128(u128 a, u128 b) { return a / b; }
static FORCE_INLINE u128 lane_squot_u128(u128 a, u128 b) { return (u128)((i128)a / (i128)b); }

/* For each width: U unsigned, I signed, W unsigned and not below int. */

#define LANE_INTEGER(U, I, W) \
	static FORCE_INLINE U lane_mul_##U(U a, U b) { return (U)((W)a * (W)b); } \
	static FORCE_INLINE U lane_sdiv_##U(U a, U b) \
	{ \
		U one = (U)((b == 0) | (b == (U)-1)), safe = one ? 1 : b; \
		U q = lane_squot_##U(a, safe); \
		return b == (U)-1 ? (U)(0 - a) : q; \
	} \
	static FORCE_INLINE U lane_srem_##U(U a, U b) \
	{ \
		U one = (U)((b == 0) | (b == (U)-1)), safe = one ? 1 : b; \
		U rest = (U)((W)a - (W)lane_squot_##U(a, safe) * (W)safe), least = (U)((U)1 << (sizeof(U) * 8 - 1)); \
		U bad = (U)((b == 0) | ((b == (U)-1) & (a == least))); \
		return bad ? (U)((I)a < 0 ? -1 : 0) : rest; \
	} \
	static FORCE_INLINE U lane_udiv_##U(U a, U b) \
	{ \
		return lane_uquot_##U(a, b ? b : 1); \
	} \
	static FORCE_INLINE U lane_urem_##U(U a, U b) \
	{ \
		U safe = b ? b : 1; \
		return (U)((W)a - (W)lane_uquot_##U(a, safe) * (W)safe); \
	} \
	static FORCE_INLINE U lane_uadd_sat_##U(U a, U b) \
	{ \
		U r = (U)(a + b); \
		return r < a ? (U)-1 : r; \
	} \
	static FORCE_INLINE U lane_sadd_sat_##U(U a, U b) \
	{ \
		U r = (U)(a + b), top = (U)((W)1 << (BITS(a) - 1)); \
		U limit = (I)a < 0 ? top : (U)(top - 1); \
		return (U)((U)(a ^ r) & (U)(b ^ r)) & top ? limit : r; \
	} \
	static FORCE_INLINE U lane_ssub_sat_##U(U a, U b) \
	{ \
		U r = (U)(a - b), top = (U)((W)1 << (BITS(a) - 1)); \
		U limit = (I)a < 0 ? top : (U)(top - 1); \
		return (U)((U)(a ^ b) & (U)(a ^ r)) & top ? limit : r; \
	} \
	static FORCE_INLINE U lane_fshl_##U(U a, U b, U c) \
	{ \
		u32 s = (u32)c & (BITS(a) - 1); \
		return (U)((W)a << s | (W)b >> 1 >> (BITS(a) - 1 - s)); \
	} \
	static FORCE_INLINE U lane_fshr_##U(U a, U b, U c) \
	{ \
		u32 s = (u32)c & (BITS(a) - 1); \
		return (U)((W)a << 1 << (BITS(a) - 1 - s) | (W)b >> s); \
	}
LANE_INTEGER(u8, i8, u32)
LANE_INTEGER(u16, i16, u32)
LANE_INTEGER(u32, i32, u32)
LANE_INTEGER(u64, i64, u64)
LANE_INTEGER(u128, i128, u128)
#undef LANE_INTEGER

#define lane_mul(a, b) LANE_INT(lane_mul, a)(a, b)
#define lane_sdiv(a, b) LANE_INT(lane_sdiv, a)(a, b)
#define lane_srem(a, b) LANE_INT(lane_srem, a)(a, b)
#define lane_udiv(a, b) LANE_INT(lane_udiv, a)(a, b)
#define lane_urem(a, b) LANE_INT(lane_urem, a)(a, b)
#define lane_uadd_sat(a, b) LANE_INT(lane_uadd_sat, a)(a, b)
#define lane_sadd_sat(a, b) LANE_INT(lane_sadd_sat, a)(a, b)
#define lane_ssub_sat(a, b) LANE_INT(lane_ssub_sat, a)(a, b)
#define lane_fshl(a, b, c) LANE_INT(lane_fshl, a)(a, b, c)
#define lane_fshr(a, b, c) LANE_INT(lane_fshr, a)(a, b, c)

static FORCE_INLINE u64 lane_ctpop_u64(u64 a) { return (u64)__builtin_popcountll(a); }
static FORCE_INLINE u32 lane_ctpop_u32(u32 a) { return (u32)__builtin_popcount(a); }
static FORCE_INLINE u16 lane_ctpop_u16(u16 a) { return (u16)__builtin_popcount(a); }
static FORCE_INLINE u8 lane_ctpop_u8(u8 a) { return (u8)__builtin_popcount(a); }
static FORCE_INLINE u128 lane_ctpop_u128(u128 a)
{
	return lane_ctpop_u64((u64)a) + lane_ctpop_u64((u64)(a >> 64));
}
#define lane_ctpop(a) LANE_INT(lane_ctpop, a)(a)

/* A marker bit just outside the narrow types stops the count at their width. */
static FORCE_INLINE u8 lane_ctlz_u8(u8 a) { return (u8)__builtin_clz((u32)a << 24 | 1u << 23); }
static FORCE_INLINE u16 lane_ctlz_u16(u16 a) { return (u16)__builtin_clz((u32)a << 16 | 1u << 15); }
static FORCE_INLINE u32 lane_ctlz_u32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
static FORCE_INLINE u64 lane_ctlz_u64(u64 a) { return a ? (u64)__builtin_clzll(a) : 64; }
static FORCE_INLINE u128 lane_ctlz_u128(u128 a)
{
	u64 high = (u64)(a >> 64);
	return high ? lane_ctlz_u64(high) : 64 + lane_ctlz_u64((u64)a);
}
#define lane_ctlz(a) LANE_INT(lane_ctlz, a)(a)

static FORCE_INLINE u8 lane_cttz_u8(u8 a) { return (u8)__builtin_ctz((u32)a | 1u << 8); }
static FORCE_INLINE u16 lane_cttz_u16(u16 a) { return (u16)__builtin_ctz((u32)a | 1u << 16); }
static FORCE_INLINE u32 lane_cttz_u32(u32 a) { return a ? (u32)__builtin_ctz(a) : 32; }
static FORCE_INLINE u64 lane_cttz_u64(u64 a) { return a ? (u64)__builtin_ctzll(a) : 64; }
static FORCE_INLINE u128 lane_cttz_u128(u128 a)
{
	return (u64)a ? lane_cttz_u64((u64)a) : 64 + lane_cttz_u64((u64)(a >> 64));
}
#define lane_cttz(a) LANE_INT(lane_cttz, a)(a)

static FORCE_INLINE u8 lane_bswap_u8(u8 a) { return a; }
static FORCE_INLINE u16 lane_bswap_u16(u16 a) { return __builtin_bswap16(a); }
static FORCE_INLINE u32 lane_bswap_u32(u32 a) { return __builtin_bswap32(a); }
static FORCE_INLINE u64 lane_bswap_u64(u64 a) { return __builtin_bswap64(a); }
static FORCE_INLINE u128 lane_bswap_u128(u128 a)
{
	return (u128)__builtin_bswap64((u64)a) << 64 | __builtin_bswap64((u64)(a >> 64));
}
#define lane_bswap(a) LANE_INT(lane_bswap, a)(a)

/* Reverse the bits of every byte, then the bytes. */
static FORCE_INLINE u64 lane_bitrev_u64(u64 a)
{
	a = (a >> 1 & 0x5555555555555555u) | (a & 0x5555555555555555u) << 1;
	a = (a >> 2 & 0x3333333333333333u) | (a & 0x3333333333333333u) << 2;
	a = (a >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (a & 0x0F0F0F0F0F0F0F0Fu) << 4;
	return __builtin_bswap64(a);
}
static FORCE_INLINE u32 lane_bitrev_u32(u32 a)
{
	a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
	a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
	a = (a >> 4 & 0x0F0F0F0Fu) | (a & 0x0F0F0F0Fu) << 4;
	return __builtin_bswap32(a);
}
static FORCE_INLINE u16 lane_bitrev_u16(u16 a) { return (u16)(lane_bitrev_u32(a) >> 16); }
static FORCE_INLINE u8 lane_bitrev_u8(u8 a) { return (u8)(lane_bitrev_u32(a) >> 24); }
static FORCE_INLINE u128 lane_bitrev_u128(u128 a)
{
	return (u128)lane_bitrev_u64((u64)a) << 64 | lane_bitrev_u64((u64)(a >> 64));
}
#define lane_bitrev(a) LANE_INT(lane_bitrev, a)(a)

/* ---- floating point, for f32 and f64: T, its bits U, suffix of the built-ins ---- */

#define LANE_FLOAT(X, T, U, f, to_bits, from_bits, below_half) \
	static FORCE_INLINE T lane_fneg_##X(T a) { return -a; } \
	static FORCE_INLINE T lane_fabs_##X(T a) { return __builtin_fabs##f(a); } \
	static FORCE_INLINE T lane_copysign_##X(T a, T b) { return __builtin_copysign##f(a, b); } \
	static FORCE_INLINE T lane_sqrt_##X(T a) { return __builtin_sqrt##f(a); } \
	static FORCE_INLINE T lane_floor_##X(T a) { return __builtin_floor##f(a); } \
	static FORCE_INLINE T lane_ceil_##X(T a) { return __builtin_ceil##f(a); } \
	static FORCE_INLINE T lane_trunc_##X(T a) { return __builtin_trunc##f(a); } \
	static FORCE_INLINE T lane_rint_##X(T a) { return __builtin_rint##f(a); } \
	/* Half away from zero: adding the number just below one half with a's sign \
	 * carries into the integer part exactly when a's fraction is at least a half. */ \
	static FORCE_INLINE T lane_round_##X(T a) \
	{ \
		return __builtin_trunc##f(a + __builtin_copysign##f(below_half, a)); \
	} \
	static FORCE_INLINE T lane_fmod_##X(T a, T b) { return __builtin_fmod##f(a, b); } \
	static FORCE_INLINE T lane_fma_##X(T a, T b, T c) { return __builtin_fma##f(a, b, c); } \
	/* As LLVM lowers llvm.minnum and llvm.maxnum for x86: min(b, a), which is a \
	 * when they are equal or b is NaN, then b where a is NaN. */ \
	static FORCE_INLINE T lane_fminnum_##X(T a, T b) \
	{ \
		T least = b < a ? b : a; \
		return a != a ? b : least; \
	} \
	static FORCE_INLINE T lane_fmaxnum_##X(T a, T b) \
	{ \
		T most = b > a ? b : a; \
		return a != a ? b : most; \
	} \
	/* Equal numbers differ at most in the sign of zero: or keeps -0, and keeps +0. */ \
	static FORCE_INLINE T lane_fminimum_##X(T a, T b) \
	{ \
		T least = a < b ? a : b, same = from_bits(to_bits(a) | to_bits(b)), nan = a + b; \
		T r = a == b ? same : least; \
		return ((a != a) | (b != b)) ? nan : r; \
	} \
	static FORCE_INLINE T lane_fmaximum_##X(T a, T b) \
	{ \
		T most = a > b ? a : b, same = from_bits(to_bits(a) & to_bits(b)), nan = a + b; \
		T r = a == b ? same : most; \
		return ((a != a) | (b != b)) ? nan : r; \
	}
LANE_FLOAT(f32, float, u32, f, lane_bits32, lane_float32, 0x1.fffffep-2f)
LANE_FLOAT(f64, double, u64, , bits_of_double, double_of_bits, 0x1.fffffffffffffp-2)
#undef LANE_FLOAT

#define lane_fneg(a) LANE_FLT(lane_fneg, a)(a)
#define lane_fabs(a) LANE_FLT(lane_fabs, a)(a)
#define lane_copysign(a, b) LANE_FLT(lane_copysign, a)(a, b)
#define lane_sqrt(a) LANE_FLT(lane_sqrt, a)(a)
#define lane_floor(a) LANE_FLT(lane_floor, a)(a)
#define lane_ceil(a) LANE_FLT(lane_ceil, a)(a)
#define lane_trunc(a) LANE_FLT(lane_trunc, a)(a)
#define lane_rint(a) LANE_FLT(lane_rint, a)(a)
#define lane_round(a) LANE_FLT(lane_round, a)(a)
#define lane_fmod(a, b) LANE_FLT(lane_fmod, a)(a, b)
#define lane_fminnum(a, b) LANE_FLT(lane_fminnum, a)(a, b)
#define lane_fmaxnum(a, b) LANE_FLT(lane_fmaxnum, a)(a, b)
#define lane_fminimum(a, b) LANE_FLT(lane_fminimum, a)(a, b)
#define lane_fmaximum(a, b) LANE_FLT(lane_fmaximum, a)(a, b)
#define lane_fma(a, b, c) LANE_FLT(lane_fma, a)(a, b, c)

#include "isa/lane_convert.h"
#include "isa/lane_math.h"

#endif
