/* What the GPU has as instructions, computed as the machine computes them (isa/lane_math.h), and the C library's
 * mathematics in place of AMD's: a second opinion. */
#include "frontend/native/native.h"

#include "isa/lane_math.h"

#include <math.h>

/* ---- instructions ---- */

static float rcp_f32(float x) { return 1 / x; }
static double rcp_f64(double x) { return 1 / x; }

/* What LLVM makes of functions of a float: one instruction, for base 2 or for turns, and a factor. */
static float exp_f32(float x) { return lane_exp2(x * 0x1.715476p+0f); }
static float log_f32(float x) { return lane_log2(x) * 0x1.62e430p-1f; }
static float log10_f32(float x) { return lane_log2(x) * 0x1.344136p-2f; }
static float sin_f32(float x) { return lane_sin_turn(x * 0x1.45f306p-3f); }
static float cos_f32(float x) { return lane_cos_turn(x * 0x1.45f306p-3f); }

/* The classes of LLVM's is.fpclass, a bit each. */
static bool class_of(u32 mask, int kind, bool negative, bool quiet)
{
	static const u32 bit[][2] = {
		[FP_INFINITE] = {1 << 9, 1 << 2}, [FP_NORMAL] = {1 << 8, 1 << 3}, [FP_SUBNORMAL] = {1 << 7, 1 << 4},
		[FP_ZERO] = {1 << 6, 1 << 5},
	};
	return mask & (kind == FP_NAN ? 1u << quiet : bit[kind][negative]);
}

static bool class_f32(float x, u32 mask)
{
	u32 bits;
	memcpy(&bits, &x, sizeof bits);
	return class_of(mask, fpclassify(x), bits >> 31, bits >> 22 & 1);
}

static bool class_f64(double x, u32 mask)
{
	u64 bits;
	memcpy(&bits, &x, sizeof bits);
	return class_of(mask, fpclassify(x), bits >> 63, bits >> 51 & 1);
}

/* Halves come and go as bits. */
static u32 half_bits(float x) { return lane_f32_to_half(x); }
static float half_value(u32 bits) { return lane_half_to_f32((u16)bits); }
static u32 rcp_f16(u32 a) { return half_bits(rcp_f32(half_value(a))); }
static u32 rsq_f16(u32 a) { return half_bits(lane_rsq_f32(half_value(a))); }
static u32 sqrt_f16(u32 a) { return half_bits(sqrtf(half_value(a))); }
static u32 fract_f16(u32 a) { return half_bits(lane_fract_f32(half_value(a))); }
static u32 frexp_mant_f16(u32 a) { return half_bits(lane_frexp_mant_f32(half_value(a))); }
static u32 frexp_exp_f16(u32 a) { return lane_frexp_exp_f32(half_value(a)); }
static u32 ldexp_f16(u32 a, u32 n) { return half_bits(lane_ldexp_f32(half_value(a), n)); }
static u32 sin_f16(u32 a) { return half_bits(lane_sin_turn(half_value(a))); }
static u32 cos_f16(u32 a) { return half_bits(lane_cos_turn(half_value(a))); }
static u32 fmed3_f16(u32 a, u32 b, u32 c) { return half_bits(lane_fmed3(half_value(a), half_value(b), half_value(c))); }

static bool class_f16(u32 bits, u32 mask)
{
	float x = half_value(bits);
	int kind = fpclassify(x);
	kind = kind == FP_NORMAL && fabsf(x) < 0x1p-14f ? FP_SUBNORMAL : kind;
	return class_of(mask, kind, bits >> 15 & 1, bits >> 9 & 1);
}

static u32 ubfe(u32 x, u32 at, u32 n)
{
	n &= 31;
	return n ? x >> (at & 31) & (UINT32_MAX >> (32 - n)) : 0;
}

static u32 sbfe(u32 x, u32 at, u32 n)
{
	n &= 31;
	return n ? (u32)((i32)(x >> (at & 31) << (32 - n)) >> (32 - n)) : 0;
}

static u32 mul_u24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
static u32 mul_i24(u32 a, u32 b) { return (u32)((i32)(a << 8) >> 8) * (u32)((i32)(b << 8) >> 8); }
static u32 alignbyte(u32 a, u32 b, u32 n) { return (u32)(((u64)a << 32 | b) >> 8 * (n & 3)); }

/* Four bytes times four bytes, all added to a value. */
static u32 sudot4(int a_signed, u32 a, int b_signed, u32 b, u32 value, int saturates)
{
	bool is_signed = a_signed || b_signed;
	i64 sum = is_signed ? (i32)value : (i64)value, most = is_signed ? INT32_MAX : UINT32_MAX;
	for (u32 i = 0; i < 32; i += 8) {
		i64 x = a_signed ? (i8)(a >> i) : (u8)(a >> i), y = b_signed ? (i8)(b >> i) : (u8)(b >> i);
		sum += x * y;
	}
	i64 least = is_signed ? INT32_MIN : 0;
	return (u32)(!saturates ? sum : sum > most ? most : sum < least ? least : sum);
}

static u32 udot4(u32 a, u32 b, u32 value, int saturates) { return sudot4(0, a, 0, b, value, saturates); }
static u32 sdot4(u32 a, u32 b, u32 value, int saturates) { return sudot4(1, a, 1, b, value, saturates); }

/* Counters that turn round, as amdgcn's atomics count: the value before. One work-item runs at a time. */
#define TURNS(bits) \
	static u##bits inc_##bits(u##bits *p, u##bits most) \
	{ \
		u##bits old = *p; \
		*p = old >= most ? 0 : old + 1; \
		return old; \
	} \
	static u##bits dec_##bits(u##bits *p, u##bits most) \
	{ \
		u##bits old = *p; \
		*p = !old || old > most ? most : old - 1; \
		return old; \
	}
TURNS(32)
TURNS(64)

#define CALL(f) ((void (*)(void))(f))
static const NativeCall instructions[] = {
	{"amdgcn.rcp.f32", CALL(rcp_f32), -1, false, false},
	{"amdgcn.rcp.f64", CALL(rcp_f64), -1, false, false},
	{"amdgcn.rsq.f32", CALL(lane_rsq_f32), -1, false, false},
	{"amdgcn.rsq.f64", CALL(lane_rsq_f64), -1, false, false},
	{"amdgcn.sqrt.f32", CALL(sqrtf), -1, false, false},
	{"amdgcn.sqrt.f64", CALL(sqrt), -1, false, false},
	{"amdgcn.fract.f32", CALL(lane_fract_f32), -1, false, false},
	{"amdgcn.fract.f64", CALL(lane_fract_f64), -1, false, false},
	{"amdgcn.frexp.mant.f32", CALL(lane_frexp_mant_f32), -1, false, false},
	{"amdgcn.frexp.mant.f64", CALL(lane_frexp_mant_f64), -1, false, false},
	{"amdgcn.frexp.exp.i32.f32", CALL(lane_frexp_exp_f32), -1, false, false},
	{"amdgcn.frexp.exp.i32.f64", CALL(lane_frexp_exp_f64), -1, false, false},
	{"amdgcn.ldexp.f32", CALL(lane_ldexp_f32), -1, false, false},
	{"amdgcn.ldexp.f64", CALL(lane_ldexp_f64), -1, false, false},
	{"amdgcn.sin.f32", CALL(lane_sin_turn), -1, false, false},
	{"amdgcn.cos.f32", CALL(lane_cos_turn), -1, false, false},
	{"amdgcn.exp2.f32", CALL(lane_exp2), -1, false, false},
	{"amdgcn.log.f32", CALL(lane_log2), -1, false, false},
	{"amdgcn.fmed3.f32", CALL(lane_fmed3), -1, false, false},
	{"amdgcn.class.f32", CALL(class_f32), -1, false, false},
	{"amdgcn.class.f64", CALL(class_f64), -1, false, false},
	{"amdgcn.rcp.f16", CALL(rcp_f16), -1, false, false},
	{"amdgcn.rsq.f16", CALL(rsq_f16), -1, false, false},
	{"amdgcn.sqrt.f16", CALL(sqrt_f16), -1, false, false},
	{"amdgcn.fract.f16", CALL(fract_f16), -1, false, false},
	{"amdgcn.frexp.mant.f16", CALL(frexp_mant_f16), -1, false, false},
	{"amdgcn.frexp.exp.i16.f16", CALL(frexp_exp_f16), -1, false, false},
	{"amdgcn.ldexp.f16", CALL(ldexp_f16), -1, false, false},
	{"amdgcn.sin.f16", CALL(sin_f16), -1, false, false},
	{"amdgcn.cos.f16", CALL(cos_f16), -1, false, false},
	{"amdgcn.fmed3.f16", CALL(fmed3_f16), -1, false, false},
	{"amdgcn.class.f16", CALL(class_f16), -1, false, false},
	{"amdgcn.ubfe.i32", CALL(ubfe), -1, false, false},
	{"amdgcn.sbfe.i32", CALL(sbfe), -1, false, false},
	{"amdgcn.mul.u24", CALL(mul_u24), -1, false, false},
	{"amdgcn.mul.i24", CALL(mul_i24), -1, false, false},
	{"amdgcn.atomic.inc.i32", CALL(inc_32), -1, false, false},
	{"amdgcn.atomic.inc.i64", CALL(inc_64), -1, false, false},
	{"amdgcn.atomic.dec.i32", CALL(dec_32), -1, false, false},
	{"amdgcn.atomic.dec.i64", CALL(dec_64), -1, false, false},
	{"amdgcn.udot4", CALL(udot4), -1, false, false},
	{"amdgcn.sdot4", CALL(sdot4), -1, false, false},
	{"amdgcn.sudot4", CALL(sudot4), -1, false, false},
	{"amdgcn.alignbyte", CALL(alignbyte), -1, false, false},
	{"amdgcn.trig.preop.f64", CALL(lane_trig_preop), -1, false, false},
	{"amdgcn.perm", CALL(lane_perm), -1, false, false},
	{"amdgcn.sad.u8", CALL(lane_sad), -1, false, false},
	{"amdgcn.sad.hi.u8", CALL(lane_sad_hi), -1, false, false},
	{"amdgcn.sad.u16", CALL(lane_sad_wide), -1, false, false},
	{"amdgcn.msad.u8", CALL(lane_msad), -1, false, false},
	{"amdgcn.qsad.pk.u16.u8", CALL(lane_qsad), -1, false, false},
	{"amdgcn.mqsad.pk.u16.u8", CALL(lane_mqsad), -1, false, false},
	{"amdgcn.lerp", CALL(lane_lerp), -1, false, false},
	{"amdgcn.cvt.pk.u8.f32", CALL(lane_put_byte), -1, false, false},
	{"exp2.f32", CALL(lane_exp2), -1, false, false},
	{"log2.f32", CALL(lane_log2), -1, false, false},
	{"exp.f32", CALL(exp_f32), -1, false, false},
	{"log.f32", CALL(log_f32), -1, false, false},
	{"log10.f32", CALL(log10_f32), -1, false, false},
	{"sin.f32", CALL(sin_f32), -1, false, false},
	{"cos.f32", CALL(cos_f32), -1, false, false},
};

const NativeCall *native_call_named(const NativeCall *rows, u32 n, const char *intrinsic)
{
	for (u32 i = 0; i < n; i++) {
		size_t k = strlen(rows[i].name);
		if (!strncmp(intrinsic, rows[i].name, k) && (!intrinsic[k] || intrinsic[k] == '.'))
			return &rows[i];
	}
	return NULL;
}

const NativeCall *native_math_call(const char *intrinsic)
{
	return native_call_named(instructions, COUNT(instructions), intrinsic);
}

/* ---- AMD's mathematics ---- */

static float rsqrt_f32(float x) { return 1 / sqrtf(x); }
static double rsqrt_f64(double x) { return 1 / sqrt(x); }

static float sincos_f32(float x, float *c)
{
	*c = cosf(x);
	return sinf(x);
}

static double sincos_f64(double x, double *c)
{
	*c = cos(x);
	return sin(x);
}

typedef struct NativeMath {
	const char *name;
	void (*f32)(void), (*f64)(void);
} NativeMath;

#define BOTH(name) {#name, CALL(name##f), CALL(name)}
static const NativeMath library[] = {
	BOTH(sin), BOTH(cos), BOTH(tan), BOTH(asin), BOTH(acos), BOTH(atan), BOTH(sinh), BOTH(cosh), BOTH(tanh),
	BOTH(asinh), BOTH(acosh), BOTH(atanh), BOTH(exp), BOTH(exp2), BOTH(exp10), BOTH(expm1), BOTH(log), BOTH(log2),
	BOTH(log10), BOTH(log1p), BOTH(logb), BOTH(cbrt), BOTH(sqrt), BOTH(ceil), BOTH(floor), BOTH(trunc), BOTH(round),
	BOTH(rint), BOTH(nearbyint), BOTH(fabs), BOTH(erf), BOTH(erfc), BOTH(tgamma), BOTH(lgamma), BOTH(pow),
	BOTH(atan2), BOTH(fmod), BOTH(remainder), BOTH(hypot), BOTH(fmin), BOTH(fmax), BOTH(fdim), BOTH(nextafter),
	BOTH(copysign), BOTH(fma), BOTH(ldexp), BOTH(ilogb), BOTH(j0), BOTH(j1), BOTH(y0), BOTH(y1), BOTH(modf),
	BOTH(frexp),
	{"rsqrt", CALL(rsqrt_f32), CALL(rsqrt_f64)},
	{"sincos", CALL(sincos_f32), CALL(sincos_f64)},
};

/* __ocml_NAME_f32 */
void (*native_math(const char *function))(void)
{
	static const char start[] = "__ocml_";
	size_t n = strlen(function), head = sizeof start - 1;
	if (strncmp(function, start, head) != 0 || n < head + 5)
		return NULL;
	const char *end = function + n - 4;
	for (u32 i = 0; i < COUNT(library); i++) {
		if (strlen(library[i].name) != (size_t)(end - function) - head ||
		    strncmp(library[i].name, function + head, (size_t)(end - function) - head) != 0)
			continue;
		return !strcmp(end, "_f32") ? library[i].f32 : !strcmp(end, "_f64") ? library[i].f64 : NULL;
	}
	return NULL;
}
