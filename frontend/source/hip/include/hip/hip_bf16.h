/* bfloat16 of HIP: the upper half of a float. For programs, where the installed HIP has no such header (before 5.7):
 * wavesim names this folder to clang behind all others.
 *
 * Arithmetic is that of floats, whose results are rounded to nearest even; so is __hfma, which is one fma of floats, as
 * on AMD's devices. NaN stays NaN, and becomes quiet. Conversions from doubles and integers round once. */
#ifndef WAVESIM_HIP_BF16_H
#define WAVESIM_HIP_BF16_H

#include <hip/hip_runtime.h>
#if defined(__HIPCC_RTC__)
#include <hip/amd_detail/amd_warp_functions.h>
#endif

#define BF16_BOTH __host__ __device__ inline
#define BF16_DEVICE __device__ inline

/* ---- bits ---- */

struct __attribute__((aligned(2))) __hip_bfloat16_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __hip_bfloat162_raw {
	unsigned short x, y;
};

namespace wavesim_bf16 {

enum Rounding { NEAREST, ZERO, DOWN, UP };

BF16_BOTH unsigned bits(float x) { return __builtin_bit_cast(unsigned, x); }

BF16_BOTH float wide(unsigned short x) { return __builtin_bit_cast(float, static_cast<unsigned>(x) << 16); }

/* Of the bits of a float. Adding to them goes on to the next exponent, and from the largest number to infinity. */
BF16_BOTH unsigned short round(unsigned x, Rounding how)
{
	bool nan = (x & 0x7fffffffu) > 0x7f800000u, negative = x >> 31, inexact = x & 0xffffu;
	unsigned up = how == NEAREST ? (x + 0x7fffu + (x >> 16 & 1)) >> 16
	              : how == ZERO  ? x >> 16
	                             : (x >> 16) + (inexact && negative == (how == DOWN));
	return static_cast<unsigned short>(nan ? x >> 16 | 0x40 : up);
}

BF16_BOTH unsigned short narrow(float x, Rounding how = NEAREST) { return round(bits(x), how); }

/* By way of the float next to it whose last bit is 1, if none is equal: what is rounded after that is rounded once. */
BF16_BOTH unsigned short narrow(double x, Rounding how = NEAREST)
{
	float near = static_cast<float>(x);
	double back = near;
	unsigned u = bits(near);
	bool even = x == x && back != x && !(u & 1);
	return round(!even ? u : __builtin_fabs(back) > __builtin_fabs(x) ? u - 1 : u + 1, how);
}

/* top: of the magnitude, from its highest bit on; the last one stands for all below, too. */
BF16_BOTH unsigned short whole(unsigned top, int exponent, bool negative, Rounding how)
{
	unsigned fraction = (top >> 8 & 0x7fffffu) | ((top & 0xffu) != 0);
	unsigned sign = negative ? 0x80000000u : 0;
	return round(sign | static_cast<unsigned>(exponent + 127) << 23 | fraction, how);
}

BF16_BOTH unsigned short magnitude(unsigned m, bool negative, Rounding how)
{
	int zeros = m ? __builtin_clz(m) : 0;
	return m ? whole(m << zeros, 31 - zeros, negative, how) : 0;
}

BF16_BOTH unsigned short magnitude(unsigned long long m, bool negative, Rounding how)
{
	int zeros = m ? __builtin_clzll(m) : 0;
	unsigned long long all = m << zeros;
	unsigned top = static_cast<unsigned>(all >> 32) | (static_cast<unsigned>(all) != 0);
	return m ? whole(top, 63 - zeros, negative, how) : 0;
}

template <typename Wide, typename T> BF16_BOTH unsigned short from_integer(T x, Rounding how = NEAREST)
{
	bool negative = x < 0;
	Wide m = static_cast<Wide>(x);
	return magnitude(negative ? 0 - m : m, negative, how);
}

BF16_BOTH float integral(float x, Rounding how)
{
	return how == NEAREST ? __builtin_rintf(x)
	       : how == ZERO  ? __builtin_truncf(x)
	       : how == DOWN  ? __builtin_floorf(x)
	                      : __builtin_ceilf(x);
}

/* The nearest number that T has; 0 of NaN. As a float, the most of int is one more. */
template <typename T> BF16_BOTH T to_integer(unsigned short x, Rounding how)
{
	const bool is_signed = T(-1) < T(0);
	const T most = static_cast<T>(is_signed ? (1ull << (sizeof(T) * 8 - 1)) - 1 : ~0ull);
	const T least = is_signed ? static_cast<T>(-most - 1) : T(0);
	float f = integral(wide(x), how);
	return f != f                           ? T(0)
	       : f <= static_cast<float>(least) ? least
	       : f >= static_cast<float>(most)  ? most
	                                        : static_cast<T>(f);
}

} // namespace wavesim_bf16

/* ---- types ---- */

struct __attribute__((aligned(2))) __hip_bfloat16 {
	unsigned short data; /* its bits */

	__hip_bfloat16() = default;
	__host__ __device__ constexpr __hip_bfloat16(const __hip_bfloat16_raw &r) : data(r.x) {}
	__host__ __device__ __hip_bfloat16(float v) : data(wavesim_bf16::narrow(v)) {}
	__host__ __device__ __hip_bfloat16(double v) : data(wavesim_bf16::narrow(v)) {}
	__host__ __device__ operator __hip_bfloat16_raw() const { return {data}; }
	__host__ __device__ operator float() const { return wavesim_bf16::wide(data); }
	__host__ __device__ explicit operator bool() const { return (data & 0x7fff) != 0; }

/* From an integer: to the nearest; to an integer: towards zero. */
#define BF16_INTEGER(T, WIDE) \
	__host__ __device__ __hip_bfloat16(T v) : data(wavesim_bf16::from_integer<WIDE>(v)) {} \
	BF16_TO_INTEGER(T)
#define BF16_TO_INTEGER(T) \
	__host__ __device__ explicit operator T() const \
	{ \
		return wavesim_bf16::to_integer<T>(data, wavesim_bf16::ZERO); \
	}
	BF16_INTEGER(short, unsigned)
	BF16_INTEGER(unsigned short, unsigned)
	BF16_INTEGER(int, unsigned)
	BF16_INTEGER(unsigned, unsigned)
	BF16_INTEGER(long, unsigned long long)
	BF16_INTEGER(unsigned long, unsigned long long)
	BF16_INTEGER(long long, unsigned long long)
	BF16_INTEGER(unsigned long long, unsigned long long)
	BF16_TO_INTEGER(char)
	BF16_TO_INTEGER(signed char)
	BF16_TO_INTEGER(unsigned char)
#undef BF16_INTEGER
#undef BF16_TO_INTEGER
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
	__hip_bfloat16 x, y;

	__hip_bfloat162() = default;
	__host__ __device__ constexpr __hip_bfloat162(const __hip_bfloat16 &a, const __hip_bfloat16 &b) : x(a), y(b) {}
	__host__ __device__ constexpr __hip_bfloat162(const __hip_bfloat162_raw &r)
	    : x(__hip_bfloat16_raw{r.x}), y(__hip_bfloat16_raw{r.y})
	{
	}
	__host__ __device__ explicit __hip_bfloat162(const float2 &v) : x(v.x), y(v.y) {}
	__host__ __device__ operator __hip_bfloat162_raw() const { return {x.data, y.data}; }
	__host__ __device__ operator float2() const { return float2{float(x), float(y)}; }
};

namespace wavesim_bf16 {

constexpr BF16_BOTH __hip_bfloat16 from_bits(unsigned short x) { return __hip_bfloat16_raw{x}; }

BF16_BOTH __hip_bfloat16 truth(bool yes) { return from_bits(yes ? 0x3f80 : 0); }
BF16_BOTH unsigned mask(bool x, bool y) { return (x ? 0xffffu : 0) | (y ? 0xffff0000u : 0); }

BF16_BOTH unsigned word(const __hip_bfloat162 &v) { return v.x.data | static_cast<unsigned>(v.y.data) << 16; }
BF16_BOTH __hip_bfloat162 from_word(unsigned w)
{
	return __hip_bfloat162_raw{static_cast<unsigned short>(w), static_cast<unsigned short>(w >> 16)};
}

/* 0 to 1; 0 of NaN. */
BF16_BOTH float saturated(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }
BF16_BOTH float positive(float x) { return x < 0 ? 0.0f : x; }

/* Is it below, where -0 is below +0? Of numbers. */
BF16_BOTH bool below(const __hip_bfloat16 &a, const __hip_bfloat16 &b)
{
	int x = static_cast<short>(a.data), y = static_cast<short>(b.data);
	return (x < 0 ? -(x & 0x7fff) - 1 : x) < (y < 0 ? -(y & 0x7fff) - 1 : y);
}

} // namespace wavesim_bf16

/* ---- conversions ---- */

BF16_BOTH float __bfloat162float(__hip_bfloat16 a) { return a; }
BF16_BOTH __hip_bfloat16 __float2bfloat16(float a) { return a; }
BF16_BOTH __hip_bfloat16 __double2bfloat16(double a) { return a; }
BF16_BOTH unsigned short __bfloat16_as_ushort(const __hip_bfloat16 a) { return a.data; }
BF16_BOTH short __bfloat16_as_short(const __hip_bfloat16 a) { return static_cast<short>(a.data); }
BF16_BOTH __hip_bfloat16 __ushort_as_bfloat16(const unsigned short a) { return wavesim_bf16::from_bits(a); }
BF16_BOTH __hip_bfloat16 __short_as_bfloat16(const short a)
{
	return wavesim_bf16::from_bits(static_cast<unsigned short>(a));
}

#define BF16_ROUNDINGS(DO, ...) \
	DO(_rn, NEAREST, __VA_ARGS__) \
	DO(_rz, ZERO, __VA_ARGS__) \
	DO(_rd, DOWN, __VA_ARGS__) \
	DO(_ru, UP, __VA_ARGS__)
#define BF16_FROM_FLOAT(END, HOW, T) \
	BF16_BOTH __hip_bfloat16 __float2bfloat16##END(T a) \
	{ \
		return wavesim_bf16::from_bits(wavesim_bf16::narrow(a, wavesim_bf16::HOW)); \
	}
#define BF16_INTEGER(END, HOW, NAME, T, WIDE) \
	BF16_BOTH __hip_bfloat16 __##NAME##2bfloat16##END(T a) \
	{ \
		return wavesim_bf16::from_bits(wavesim_bf16::from_integer<WIDE>(a, wavesim_bf16::HOW)); \
	} \
	BF16_BOTH T __bfloat162##NAME##END(__hip_bfloat16 a) \
	{ \
		return wavesim_bf16::to_integer<T>(a.data, wavesim_bf16::HOW); \
	}
BF16_ROUNDINGS(BF16_FROM_FLOAT, float)
BF16_ROUNDINGS(BF16_INTEGER, short, short, unsigned)
BF16_ROUNDINGS(BF16_INTEGER, ushort, unsigned short, unsigned)
BF16_ROUNDINGS(BF16_INTEGER, int, int, unsigned)
BF16_ROUNDINGS(BF16_INTEGER, uint, unsigned, unsigned)
BF16_ROUNDINGS(BF16_INTEGER, ll, long long, unsigned long long)
BF16_ROUNDINGS(BF16_INTEGER, ull, unsigned long long, unsigned long long)
#undef BF16_ROUNDINGS
#undef BF16_FROM_FLOAT
#undef BF16_INTEGER

BF16_BOTH signed char __bfloat162char_rz(__hip_bfloat16 a) { return static_cast<signed char>(a); }
BF16_BOTH unsigned char __bfloat162uchar_rz(__hip_bfloat16 a) { return static_cast<unsigned char>(a); }

BF16_BOTH __hip_bfloat162 make_bfloat162(const __hip_bfloat16 x, const __hip_bfloat16 y) { return {x, y}; }
BF16_BOTH __hip_bfloat162 __halves2bfloat162(const __hip_bfloat16 x, const __hip_bfloat16 y) { return {x, y}; }
BF16_BOTH __hip_bfloat162 __bfloat162bfloat162(const __hip_bfloat16 a) { return {a, a}; }
BF16_BOTH __hip_bfloat162 __float2bfloat162_rn(const float a) { return {a, a}; }
BF16_BOTH __hip_bfloat162 __floats2bfloat162_rn(const float x, const float y) { return {x, y}; }
BF16_BOTH __hip_bfloat162 __float22bfloat162_rn(const float2 a) { return {a.x, a.y}; }
BF16_BOTH float2 __bfloat1622float2(const __hip_bfloat162 a) { return a; }
BF16_BOTH float __low2float(const __hip_bfloat162 a) { return a.x; }
BF16_BOTH float __high2float(const __hip_bfloat162 a) { return a.y; }
BF16_BOTH __hip_bfloat16 __low2bfloat16(const __hip_bfloat162 a) { return a.x; }
BF16_BOTH __hip_bfloat16 __high2bfloat16(const __hip_bfloat162 a) { return a.y; }
BF16_BOTH __hip_bfloat162 __low2bfloat162(const __hip_bfloat162 a) { return {a.x, a.x}; }
BF16_BOTH __hip_bfloat162 __high2bfloat162(const __hip_bfloat162 a) { return {a.y, a.y}; }
BF16_BOTH __hip_bfloat162 __lowhigh2highlow(const __hip_bfloat162 a) { return {a.y, a.x}; }
BF16_BOTH __hip_bfloat162 __lows2bfloat162(const __hip_bfloat162 a, const __hip_bfloat162 b) { return {a.x, b.x}; }
BF16_BOTH __hip_bfloat162 __highs2bfloat162(const __hip_bfloat162 a, const __hip_bfloat162 b) { return {a.y, b.y}; }

/* ---- arithmetic ---- */

/* One function of one, two or three operands, and the same of both halves. The value is a float, of which x, y, z are
 * the operands. */
#define BF16_ONE(NAME, NAME2, VALUE) \
	BF16_BOTH __hip_bfloat16 NAME(const __hip_bfloat16 a) \
	{ \
		const float x = a; \
		return VALUE; \
	} \
	BF16_BOTH __hip_bfloat162 NAME2(const __hip_bfloat162 a) { return {NAME(a.x), NAME(a.y)}; }
#define BF16_TWO(NAME, NAME2, VALUE) \
	BF16_BOTH __hip_bfloat16 NAME(const __hip_bfloat16 a, const __hip_bfloat16 b) \
	{ \
		const float x = a, y = b; \
		return VALUE; \
	} \
	BF16_BOTH __hip_bfloat162 NAME2(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return {NAME(a.x, b.x), NAME(a.y, b.y)}; \
	}
#define BF16_THREE(NAME, NAME2, VALUE) \
	BF16_BOTH __hip_bfloat16 NAME(const __hip_bfloat16 a, const __hip_bfloat16 b, const __hip_bfloat16 c) \
	{ \
		const float x = a, y = b, z = c; \
		return VALUE; \
	} \
	BF16_BOTH __hip_bfloat162 NAME2(const __hip_bfloat162 a, const __hip_bfloat162 b, const __hip_bfloat162 c) \
	{ \
		return {NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)}; \
	}

BF16_TWO(__hadd, __hadd2, x + y)
BF16_TWO(__hsub, __hsub2, x - y)
BF16_TWO(__hmul, __hmul2, x * y)
BF16_TWO(__hdiv, __h2div, x / y)
BF16_TWO(__hadd_rn, __hadd2_rn, x + y)
BF16_TWO(__hsub_rn, __hsub2_rn, x - y)
BF16_TWO(__hmul_rn, __hmul2_rn, x * y)
BF16_TWO(__hadd_sat, __hadd2_sat, wavesim_bf16::saturated(x + y))
BF16_TWO(__hsub_sat, __hsub2_sat, wavesim_bf16::saturated(x - y))
BF16_TWO(__hmul_sat, __hmul2_sat, wavesim_bf16::saturated(x * y))
BF16_THREE(__hfma, __hfma2, __builtin_fmaf(x, y, z))
BF16_THREE(__hfma_sat, __hfma2_sat, wavesim_bf16::saturated(__builtin_fmaf(x, y, z)))
BF16_THREE(__hfma_relu, __hfma2_relu, wavesim_bf16::positive(__builtin_fmaf(x, y, z)))

/* Of the sign only, also of NaN. */
BF16_BOTH __hip_bfloat16 __hneg(const __hip_bfloat16 a)
{
	return wavesim_bf16::from_bits(static_cast<unsigned short>(a.data ^ 0x8000));
}
BF16_BOTH __hip_bfloat16 __habs(const __hip_bfloat16 a)
{
	return wavesim_bf16::from_bits(static_cast<unsigned short>(a.data & 0x7fff));
}
BF16_BOTH __hip_bfloat162 __hneg2(const __hip_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
BF16_BOTH __hip_bfloat162 __habs2(const __hip_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }

/* Complex: x is the real part. */
BF16_BOTH __hip_bfloat162 __hcmadd(const __hip_bfloat162 a, const __hip_bfloat162 b, const __hip_bfloat162 c)
{
	return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

/* ---- mathematics ---- */

BF16_ONE(hexp, h2exp, ::expf(x))
BF16_ONE(hexp2, h2exp2, ::exp2f(x))
BF16_ONE(hexp10, h2exp10, ::exp10f(x))
BF16_ONE(hlog, h2log, ::logf(x))
BF16_ONE(hlog2, h2log2, ::log2f(x))
BF16_ONE(hlog10, h2log10, ::log10f(x))
BF16_ONE(hsin, h2sin, ::sinf(x))
BF16_ONE(hcos, h2cos, ::cosf(x))
BF16_ONE(hsqrt, h2sqrt, ::sqrtf(x))
BF16_ONE(hrcp, h2rcp, 1.0f / x)
#if defined(__HIP_DEVICE_COMPILE__)
BF16_ONE(hrsqrt, h2rsqrt, ::rsqrtf(x))
#else
BF16_ONE(hrsqrt, h2rsqrt, 1.0 / ::sqrt(static_cast<double>(x)))
#endif
BF16_ONE(hceil, h2ceil, __builtin_ceilf(x))
BF16_ONE(hfloor, h2floor, __builtin_floorf(x))
BF16_ONE(htrunc, h2trunc, __builtin_truncf(x))
BF16_ONE(hrint, h2rint, __builtin_rintf(x))
#undef BF16_ONE
#undef BF16_TWO
#undef BF16_THREE

/* ---- comparisons ---- */

BF16_BOTH bool __hisnan(const __hip_bfloat16 a) { return (a.data & 0x7fff) > 0x7f80; }
BF16_BOTH int __hisinf(const __hip_bfloat16 a) { return a.data == 0x7f80 ? 1 : a.data == 0xff80 ? -1 : 0; }
BF16_BOTH __hip_bfloat162 __hisnan2(const __hip_bfloat162 a)
{
	return {wavesim_bf16::truth(__hisnan(a.x)), wavesim_bf16::truth(__hisnan(a.y))};
}

/* Of numbers, of both halves as numbers, whether both hold, as masks; END is u where NaN makes them true, too. In HIP,
 * NaN also makes __hne true. */
#define BF16_COMPARE(NAME, END, VALUE) \
	BF16_BOTH bool __h##NAME##END(const __hip_bfloat16 a, const __hip_bfloat16 b) \
	{ \
		const float x = a, y = b; \
		return VALUE; \
	} \
	BF16_BOTH __hip_bfloat162 __h##NAME##END##2(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return {wavesim_bf16::truth(__h##NAME##END(a.x, b.x)), wavesim_bf16::truth(__h##NAME##END(a.y, b.y))}; \
	} \
	BF16_BOTH bool __hb##NAME##END##2(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return __h##NAME##END(a.x, b.x) && __h##NAME##END(a.y, b.y); \
	} \
	BF16_BOTH unsigned __h##NAME##END##2_mask(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return wavesim_bf16::mask(__h##NAME##END(a.x, b.x), __h##NAME##END(a.y, b.y)); \
	}
BF16_COMPARE(eq, , x == y)
BF16_COMPARE(ne, , x != y)
BF16_COMPARE(lt, , x < y)
BF16_COMPARE(le, , x <= y)
BF16_COMPARE(gt, , x > y)
BF16_COMPARE(ge, , x >= y)
BF16_COMPARE(eq, u, !(x < y || x > y))
BF16_COMPARE(ne, u, !(x == y))
BF16_COMPARE(lt, u, !(x >= y))
BF16_COMPARE(le, u, !(x > y))
BF16_COMPARE(gt, u, !(x <= y))
BF16_COMPARE(ge, u, !(x < y))
#undef BF16_COMPARE

/* Of a number and NaN it is the number; of NAME_nan it is NaN. NaN is 0x7fff. */
#define BF16_CHOICE(NAME, A_WINS) \
	BF16_BOTH __hip_bfloat16 NAME(const __hip_bfloat16 a, const __hip_bfloat16 b) \
	{ \
		const __hip_bfloat16 nan = wavesim_bf16::from_bits(0x7fff); \
		return __hisnan(a) ? __hisnan(b) ? nan : b : __hisnan(b) ? a : A_WINS ? a : b; \
	} \
	BF16_BOTH __hip_bfloat16 NAME##_nan(const __hip_bfloat16 a, const __hip_bfloat16 b) \
	{ \
		return __hisnan(a) || __hisnan(b) ? wavesim_bf16::from_bits(0x7fff) : NAME(a, b); \
	} \
	BF16_BOTH __hip_bfloat162 NAME##2(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return {NAME(a.x, b.x), NAME(a.y, b.y)}; \
	} \
	BF16_BOTH __hip_bfloat162 NAME##2_nan(const __hip_bfloat162 a, const __hip_bfloat162 b) \
	{ \
		return {NAME##_nan(a.x, b.x), NAME##_nan(a.y, b.y)}; \
	}
BF16_CHOICE(__hmax, wavesim_bf16::below(b, a))
BF16_CHOICE(__hmin, wavesim_bf16::below(a, b))
#undef BF16_CHOICE

/* ---- operators ---- */

#define BF16_OPERATOR(OP, T, NAME) \
	BF16_BOTH T operator OP(const T &a, const T &b) { return NAME(a, b); } \
	BF16_BOTH T &operator OP##=(T &a, const T &b) { return a = NAME(a, b); }
BF16_OPERATOR(+, __hip_bfloat16, __hadd)
BF16_OPERATOR(-, __hip_bfloat16, __hsub)
BF16_OPERATOR(*, __hip_bfloat16, __hmul)
BF16_OPERATOR(/, __hip_bfloat16, __hdiv)
BF16_OPERATOR(+, __hip_bfloat162, __hadd2)
BF16_OPERATOR(-, __hip_bfloat162, __hsub2)
BF16_OPERATOR(*, __hip_bfloat162, __hmul2)
BF16_OPERATOR(/, __hip_bfloat162, __h2div)
#undef BF16_OPERATOR

/* By 1, of both halves. */
#define BF16_STEP(OP, BY) \
	BF16_BOTH __hip_bfloat16 &operator OP(__hip_bfloat16 &a) { return a BY wavesim_bf16::from_bits(0x3f80); } \
	BF16_BOTH __hip_bfloat162 &operator OP(__hip_bfloat162 &a) \
	{ \
		return a BY __hip_bfloat162(wavesim_bf16::from_bits(0x3f80), wavesim_bf16::from_bits(0x3f80)); \
	} \
	BF16_BOTH __hip_bfloat16 operator OP(__hip_bfloat16 &a, int) \
	{ \
		const __hip_bfloat16 before = a; \
		OP a; \
		return before; \
	} \
	BF16_BOTH __hip_bfloat162 operator OP(__hip_bfloat162 &a, int) \
	{ \
		const __hip_bfloat162 before = a; \
		OP a; \
		return before; \
	}
BF16_STEP(++, +=)
BF16_STEP(--, -=)
#undef BF16_STEP

BF16_BOTH __hip_bfloat16 operator+(const __hip_bfloat16 &a) { return a; }
BF16_BOTH __hip_bfloat16 operator-(const __hip_bfloat16 &a) { return __hneg(a); }
BF16_BOTH __hip_bfloat162 operator+(const __hip_bfloat162 &a) { return a; }
BF16_BOTH __hip_bfloat162 operator-(const __hip_bfloat162 &a) { return __hneg2(a); }

/* As of floats; of two halves, whether it holds for both. != is true of NaN. */
#define BF16_OPERATOR(OP, NAME) \
	BF16_BOTH bool operator OP(const __hip_bfloat16 &a, const __hip_bfloat16 &b) { return __h##NAME(a, b); } \
	BF16_BOTH bool operator OP(const __hip_bfloat162 &a, const __hip_bfloat162 &b) { return __hb##NAME##2(a, b); }
BF16_OPERATOR(==, eq)
BF16_OPERATOR(!=, neu)
BF16_OPERATOR(<, lt)
BF16_OPERATOR(<=, le)
BF16_OPERATOR(>, gt)
BF16_OPERATOR(>=, ge)
#undef BF16_OPERATOR

/* ---- lanes and memory ---- */

#define BF16_SHUFFLE(NAME, LANES) \
	BF16_DEVICE __hip_bfloat16 NAME(__hip_bfloat16 v, LANES lanes, int width = warpSize) \
	{ \
		unsigned got = NAME(static_cast<unsigned>(v.data), lanes, width); \
		return wavesim_bf16::from_bits(static_cast<unsigned short>(got)); \
	} \
	BF16_DEVICE __hip_bfloat162 NAME(__hip_bfloat162 v, LANES lanes, int width = warpSize) \
	{ \
		return wavesim_bf16::from_word(NAME(wavesim_bf16::word(v), lanes, width)); \
	}
BF16_SHUFFLE(__shfl, int)
BF16_SHUFFLE(__shfl_up, unsigned)
BF16_SHUFFLE(__shfl_down, unsigned)
BF16_SHUFFLE(__shfl_xor, int)
#undef BF16_SHUFFLE

BF16_DEVICE __hip_bfloat16 __ldg(const __hip_bfloat16 *p) { return *p; }
BF16_DEVICE __hip_bfloat162 __ldg(const __hip_bfloat162 *p) { return *p; }

/* By compare and swap: each returns what was there before. */
BF16_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16 *p, __hip_bfloat16 v)
{
	unsigned short *at = &p->data;
	unsigned short before = __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	while (!__hip_atomic_compare_exchange_strong(at, &before, (wavesim_bf16::from_bits(before) + v).data,
	                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
		;
	return wavesim_bf16::from_bits(before);
}
BF16_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162 *p, __hip_bfloat162 v)
{
	unsigned *at = reinterpret_cast<unsigned *>(p);
	unsigned before = __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	while (!__hip_atomic_compare_exchange_strong(at, &before, wavesim_bf16::word(wavesim_bf16::from_word(before) + v),
	                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
		;
	return wavesim_bf16::from_word(before);
}
BF16_DEVICE __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16 *p, __hip_bfloat16 v) { return atomicAdd(p, v); }
BF16_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162 *p, __hip_bfloat162 v) { return atomicAdd(p, v); }

/* ---- numbers ---- */

#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)

#undef BF16_BOTH
#undef BF16_DEVICE

#endif
