/* Conversions between lane types; part of lane.h.
 *
 * A C cast of a float that does not fit is undefined, so each conversion tests
 * the range first and picks the out-of-range result itself. That result is what
 * x86-64 with AVX-512 gives:
 *   signed i32, i64     vcvttss2si: the least value (0x80000000)
 *   unsigned i32, i64   vcvttss2usi: all ones
 *   i8, i16             the low bits of a conversion to signed i32
 *   i128                a library call there; here kept within range, 0 for NaN */
#ifndef WAVESIM_LANE_CONVERT_H
#define WAVESIM_LANE_CONVERT_H

#include "isa/lane.h"

/* Of source type X (T): limits as exact powers of two. */
#define LANE_FROM_FLOAT(X, T, rint_of) \
	static FORCE_INLINE u32 lane_fptosi_i32_##X(T a) \
	{ \
		return a >= (T)-0x1p31 && a < (T)0x1p31 ? (u32)(i32)a : 0x80000000u; \
	} \
	static FORCE_INLINE u64 lane_fptosi_i64_##X(T a) \
	{ \
		return a >= (T)-0x1p63 && a < (T)0x1p63 ? (u64)(i64)a : 0x8000000000000000u; \
	} \
	static FORCE_INLINE u32 lane_fptoui_i32_##X(T a) \
	{ \
		return a > -1 && a < (T)0x1p32 ? (u32)(i64)a : 0xFFFFFFFFu; \
	} \
	static FORCE_INLINE u64 lane_fptoui_i64_##X(T a) \
	{ \
		T low = a > 0 ? a : 0; \
		return a > -1 && a < (T)0x1p64 ? (u64)low : 0xFFFFFFFFFFFFFFFFu; \
	} \
	static FORCE_INLINE u128 lane_fptosi_i128_##X(T a) \
	{ \
		u128 top = (u128)1 << 127; \
		if (!(a >= (T)-0x1p127 && a < (T)0x1p127)) \
			return a != a ? 0 : a < 0 ? top : top - 1; \
		return (u128)(i128)a; \
	} \
	static FORCE_INLINE u128 lane_fptoui_i128_##X(T a) \
	{ \
		if (!(a > 0)) \
			return 0; \
		return (double)a < 0x1p128 ? (u128)a : ~(u128)0; \
	} \
	static FORCE_INLINE u32 lane_cvtr_##X(T a) \
	{ \
		T r = rint_of(a); \
		return r >= (T)-0x1p31 && r < (T)0x1p31 ? (u32)(i32)r : 0x80000000u; \
	}
LANE_FROM_FLOAT(f32, float, __builtin_rintf)
LANE_FROM_FLOAT(f64, double, __builtin_rint)
#undef LANE_FROM_FLOAT

#define lane_fptosi_i8(a) ((u8)lane_fptosi_i32(a))
#define lane_fptosi_i16(a) ((u16)lane_fptosi_i32(a))
#define lane_fptosi_i32(a) LANE_FLT(lane_fptosi_i32, a)(a)
#define lane_fptosi_i64(a) LANE_FLT(lane_fptosi_i64, a)(a)
#define lane_fptosi_i128(a) LANE_FLT(lane_fptosi_i128, a)(a)
#define lane_fptoui_i8(a) ((u8)lane_fptosi_i32(a))
#define lane_fptoui_i16(a) ((u16)lane_fptosi_i32(a))
#define lane_fptoui_i32(a) LANE_FLT(lane_fptoui_i32, a)(a)
#define lane_fptoui_i64(a) LANE_FLT(lane_fptoui_i64, a)(a)
#define lane_fptoui_i128(a) LANE_FLT(lane_fptoui_i128, a)(a)
#define lane_cvtr(a) LANE_FLT(lane_cvtr, a)(a)
#define lane_cvtt(a) lane_fptosi_i32(a)

/* Saturating: the range as the least value, and the first float above it. */
#define LANE_SATURATE(X, T, name, U, I, bits) \
	static FORCE_INLINE U lane_fptosi_sat_##name##_##X(T a) \
	{ \
		const T top = (T)(0x1p##bits / 2); \
		U least = (U)((u64)1 << (bits - 1)), \
		  r = (U)(a >= -top && a < top ? (I)a : (I)least); \
		return a != a ? 0 : a >= top ? (U)(least - 1) : r; \
	} \
	static FORCE_INLINE U lane_fptoui_sat_##name##_##X(T a) \
	{ \
		const T top = (T)0x1p##bits; \
		U r = a > 0 && a < top ? (U)a : (U)0; \
		return a >= top ? (U)-1 : r; \
	}
#define LANE_SATURATE_BOTH(name, U, I, bits) \
	LANE_SATURATE(f32, float, name, U, I, bits) LANE_SATURATE(f64, double, name, U, I, bits)
LANE_SATURATE_BOTH(i8, u8, i8, 8)
LANE_SATURATE_BOTH(i16, u16, i16, 16)
LANE_SATURATE_BOTH(i32, u32, i32, 32)
LANE_SATURATE_BOTH(i64, u64, i64, 64)
#undef LANE_SATURATE
#undef LANE_SATURATE_BOTH

#define lane_fptosi_sat_i8(a) LANE_FLT(lane_fptosi_sat_i8, a)(a)
#define lane_fptosi_sat_i16(a) LANE_FLT(lane_fptosi_sat_i16, a)(a)
#define lane_fptosi_sat_i32(a) LANE_FLT(lane_fptosi_sat_i32, a)(a)
#define lane_fptosi_sat_i64(a) LANE_FLT(lane_fptosi_sat_i64, a)(a)
#define lane_fptosi_sat_i128(a) lane_fptosi_i128(a)
#define lane_fptoui_sat_i8(a) LANE_FLT(lane_fptoui_sat_i8, a)(a)
#define lane_fptoui_sat_i16(a) LANE_FLT(lane_fptoui_sat_i16, a)(a)
#define lane_fptoui_sat_i32(a) LANE_FLT(lane_fptoui_sat_i32, a)(a)
#define lane_fptoui_sat_i64(a) LANE_FLT(lane_fptoui_sat_i64, a)(a)
#define lane_fptoui_sat_i128(a) lane_fptoui_i128(a)

/* ---- half floats: sign 1, exponent 5, fraction 10 bits ---- */

static FORCE_INLINE float lane_half_to_f32(u16 h)
{
	u32 sign = (u32)(h & 0x8000) << 16, rest = h & 0x7FFF;
	u32 normal = (rest << 13) + (112u << 23); /* exponent bias 15 -> 127 */
	u32 special = rest << 13 | 0x7F800000u | (rest > 0x7C00 ? 1u << 22 : 0); /* NaNs go quiet */
	u32 tiny = lane_bits32((float)(i32)rest * 0x1p-24f);
	u32 r = rest >= 0x7C00 ? special : rest < 0x400 ? tiny : normal;
	return lane_float32(r | sign);
}

static FORCE_INLINE u16 lane_f32_to_half(float a)
{
	u32 x = lane_bits32(a), sign = x >> 16 & 0x8000, m = x & 0x7FFFFFFF;
	/* Half up, less one unless the last kept bit is odd: to nearest even. */
	u32 normal = (m + 0xFFF + (m >> 13 & 1) - (112u << 23)) >> 13;
	/* The last place of 0.5 is the least half: the adder does the rounding. */
	u32 tiny = lane_bits32(lane_float32(m) + 0.5f) - lane_bits32(0.5f);
	u32 nan = 0x7E00 | (m >> 13 & 0x3FF);
	u32 r = m < 113u << 23 ? tiny : normal;
	r = m >= 0x477FF000u ? 0x7C00 : r; /* 65520 and above: infinity */
	r = m > 0x7F800000u ? nan : r;
	return (u16)(r | sign);
}

static FORCE_INLINE u16 lane_f64_to_half(double a)
{
	u64 x = bits_of_double(a), sign = x >> 48 & 0x8000, m = x & 0x7FFFFFFFFFFFFFFFu;
	u64 normal = (m + 0x1FFFFFFFFFFu + (m >> 42 & 1) - ((u64)1008 << 52)) >> 42;
	u64 tiny = bits_of_double(double_of_bits(m) + 0x1p28) - bits_of_double(0x1p28);
	u64 nan = 0x7E00 | (m >> 42 & 0x3FF);
	u64 r = m < (u64)1009 << 52 ? tiny : normal;
	r = m >= 0x40EFFE0000000000u ? 0x7C00 : r;
	r = m > 0x7FF0000000000000u ? nan : r;
	return (u16)(r | sign);
}

#endif
