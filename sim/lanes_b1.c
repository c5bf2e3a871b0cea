/* Lane operations whose result is b1, and each of them with the branch that alone reads it. See lanes.h. */
#define LANES_FILE lanes_b1
#define SEL_b1(...) __VA_ARGS__
#define SEL_i8(...)
#define SEL_i16(...)
#define SEL_i32(...)
#define SEL_i64(...)
#define SEL_i128(...)
#define SEL_f32(...)
#define SEL_f64(...)
#include "sim/lanes.h"

/* ---- with a branch ----
 *
 * The lanes of a few vectors at a time become bits: such that the compiler keeps the results of its comparisons in
 * registers. A row of bytes, which the branch reads at once, would make it wait for all its stores. */

#if defined(__AVX512BW__)
#include <immintrin.h>

#define YES_b1 i8
#define YES_i8 i8
#define YES_i16 i16
#define YES_i32 i32
#define YES_i64 i64
#define YES_i128 i64
#define YES_f32 i32
#define YES_f64 i64
#define SIGNS_i8(yes) _mm256_movepi8_mask(_mm256_load_si256((const void *)(yes)))
#define SIGNS_i16(yes) _mm512_movepi16_mask(_mm512_load_si512(yes))
#define SIGNS_i32(yes) _mm512_movepi32_mask(_mm512_load_si512(yes))
#define SIGNS_i64(yes) _mm512_movepi64_mask(_mm512_load_si512(yes))
#define SIGNS(T, yes) PASTE(SIGNS, T)(yes)
#define YES_LANES(T) (sizeof(T) == 1 ? LANE_CHUNK : 64 / sizeof(T))
#else
#define YES_b1 i8
#define YES_i8 i8
#define YES_i16 i8
#define YES_i32 i8
#define YES_i64 i8
#define YES_i128 i8
#define YES_f32 i8
#define YES_f64 i8
#define SIGNS(T, yes) byte_signs(yes)
#define YES_LANES(T) LANE_CHUNK
static FORCE_INLINE u32 byte_signs(const i8 *bytes)
{
	u32 signs = 0;
	for (u32 i = 0; i < LANE_CHUNK; i += 8) {
		u64 eight;
		memcpy(&eight, bytes + i, 8);
		signs |= (u32)((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56) << i;
	}
	return signs;
}
#endif

/* Into `bits`: lanes run to run + 31, from bit 0 on. */
#define CHUNK_YES(A, values, expr) \
	u64 bits = 0; \
	for (size_t part = 0; part < LANE_CHUNK; part += YES_LANES(YES_##A)) { \
		_Alignas(64) YES_##A yes[YES_LANES(YES_##A)]; \
		INDEPENDENT for (size_t i = 0; i < YES_LANES(YES_##A); i++) \
		{ \
			const size_t l = run + part + i; \
			values yes[i] = (expr) ? -1 : 0; \
		} \
		bits |= (u64)SIGNS(YES_##A, yes) << part; \
	}

#define EACH_YES(A, values, expr) \
	u64 low = 0, high = 0; \
	if (w->n == USUAL_LANES) { \
		for (size_t run = 0; run < USUAL_LANES; run += LANE_CHUNK) { \
			CHUNK_YES(A, values, expr) \
			low |= bits << run; \
		} \
		low &= (u64)w->mask; \
		return flow_part(w, s, low, mask_count(low)); \
	} \
	for (size_t run = 0, n = w->n; run < n; run += LANE_CHUNK) { \
		CHUNK_YES(A, values, expr) \
		if (run < 64) \
			low |= bits << run; \
		else \
			high |= bits << (run - 64); \
	} \
	const Mask mask = (low | (Mask)high << 64) & w->mask; \
	return flow_part(w, s, mask, mask_count(mask));

#undef UN_FN
#define UN_FN(name, variant, D, A, expr, AS) \
	static const Step *name##variant##_br(Wave *w, const Step *s) \
	{ \
		const LT_##A *pa = ROW(A, s->a); \
		const LT_##A a0 = pa[0]; \
		EACH_YES(A, const LT_##A a = AS ? a0 : pa[l];, expr) \
	}
#undef BIN_FN
#define BIN_FN(name, variant, D, A, B, expr, AS, BS) \
	static const Step *name##variant##_br(Wave *w, const Step *s) \
	{ \
		const LT_##A *pa = ROW(A, s->a); \
		const LT_##B *pb = ROW(B, s->b); \
		const LT_##A a0 = pa[0]; \
		const LT_##B b0 = pb[0]; \
		EACH_YES(A, const LT_##A a = AS ? a0 : pa[l]; const LT_##B b = BS ? b0 : pb[l];, expr) \
	}
#define UN(name, D, A, unit, expr, doc) SEL_##D(UN_FN(name, _v, D, A, expr, 0))
#define BIN(name, D, A, B, unit, expr, doc) \
	SEL_##D(BIN_FN(name, _vv, D, A, B, expr, 0, 0) BIN_FN(name, _sv, D, A, B, expr, 1, 0) \
	        BIN_FN(name, _vs, D, A, B, expr, 0, 1))
#include "isa/ops.def"

#define UN(name, D, A, unit, expr, doc) SEL_##D([OP_##name] = {name##_v_br},)
#define BIN(name, D, A, B, unit, expr, doc) SEL_##D([OP_##name] = {name##_vv_br, name##_sv_br, name##_vs_br},)
extern StepFn *const LEVEL(lanes_b1_br)[OP_COUNT][VARIANTS];
StepFn *const LEVEL(lanes_b1_br)[OP_COUNT][VARIANTS] = {
#include "isa/ops.def"
};
