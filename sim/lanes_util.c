/* What the machine does to whole rows of lanes besides arithmetic: masks to
 * bytes and back, the shape of address vectors, gathers, blends, moves. Compiled for
 * each level of the host, as the lane operations are, so that the compiler may
 * use its widest vectors. */
#include "sim/lane_level.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512BW__)
static Mask bits(const u8 *bytes, u32 n)
{
	__mmask64 some = n >= 64 ? UINT64_MAX : ((u64)1 << n) - 1;
	__m512i low = _mm512_maskz_loadu_epi8(some, bytes);
	Mask m = _mm512_test_epi8_mask(low, low);
	if (n > 64) {
		some = n >= 128 ? UINT64_MAX : ((u64)1 << (n - 64)) - 1;
		__m512i high = _mm512_maskz_loadu_epi8(some, bytes + 64);
		m |= (Mask)_mm512_test_epi8_mask(high, high) << 64;
	}
	return m;
}
#else
static Mask bits(const u8 *bytes, u32 n)
{
	u64 part[MAX_WAVE / 64] = {0};
	for (u32 i = 0; i < n; i += 8) {
		u64 eight;
		memcpy(&eight, bytes + i, 8);
		part[i / 64] |= ((eight * 0x0102040810204080u) >> 56) << (i % 64);
	}
	return part[0] | (Mask)part[1] << 64;
}
#endif

static void expand(u8 *out, Mask m, u32 n)
{
	u64 part[MAX_WAVE / 64] = {(u64)m, (u64)(m >> 64)};
	for (u32 i = 0; i < n; i += 8) {
		u64 eight = part[i / 64] >> (i % 64) & 0xFF;
		/* Copy the byte to all eight, keep bit j of byte j, make it 0xFF. */
		eight = (eight * 0x0101010101010101u) & 0x8040201008040201u;
		eight = ((eight + 0x7F7F7F7F7F7F7F7Fu) | eight) & 0x8080808080808080u;
		eight = (eight >> 7) * 0xFF;
		memcpy(out + i, &eight, 8);
	}
}

#if defined(__AVX512BW__)
#define MOVED(name, T, width) \
	static Mask name(const T *a, u32 n, T first, const T *ref) \
	{ \
		u64 part[MAX_WAVE / 64] = {0}; \
		const __m512i f = _mm512_set1_epi##width((i##width)first); \
		for (u32 l = 0; l < n; l += 512 / width) { \
			__m512i x = _mm512_sub_epi##width(_mm512_loadu_si512(a + l), f); \
			const __m512i r = _mm512_loadu_si512(ref + l); \
			part[l / 64] |= (u64)_mm512_cmpneq_epi##width##_mask(x, r) << (l % 64); \
		} \
		return part[0] | (Mask)part[1] << 64; \
	}
#else
/* Mostly nothing moved: find that out first. */
#define MOVED(name, T, width) \
	static Mask name(const T *a, u32 n, T first, const T *ref) \
	{ \
		u8 diff[MAX_WAVE]; \
		T any = 0; \
		for (u32 l = 0; l < n; l++) \
			any |= (T)(a[l] - first) ^ ref[l]; \
		if (!any) \
			return 0; \
		for (u32 l = 0; l < n; l++) \
			diff[l] = (T)(a[l] - first) != ref[l]; \
		return bits(diff, n); \
	}
#endif
MOVED(moved64, u64, 64)
MOVED(moved32, u32, 32)

#if defined(__AVX512BW__)
static __m512i load_part(const u32any *p, u32 dwords, u32 from)
{
	if (dwords <= from)
		return _mm512_setzero_si512();
	u32 n = dwords - from;
	return _mm512_maskz_loadu_epi32((__mmask16)(n >= 16 ? 0xFFFF : (1u << n) - 1), p + from);
}

static void permute(u32 *d, const u32any *window, u32 dwords, const u32 *index, u32 n)
{
	__m512i w0 = load_part(window, dwords, 0), w1 = load_part(window, dwords, 16);
	if (dwords <= 32) {
		for (u32 l = 0; l < n; l += 16)
			_mm512_storeu_si512(d + l, _mm512_permutex2var_epi32(w0, _mm512_loadu_si512(index + l), w1));
		return;
	}
	__m512i w2 = load_part(window, dwords, 32), w3 = load_part(window, dwords, 48);
	for (u32 l = 0; l < n; l += 16) {
		__m512i i = _mm512_loadu_si512(index + l);
		__m512i low = _mm512_permutex2var_epi32(w0, i, w1), high = _mm512_permutex2var_epi32(w2, i, w3);
		__mmask16 upper = _mm512_cmpge_epu32_mask(i, _mm512_set1_epi32(32));
		_mm512_storeu_si512(d + l, _mm512_mask_blend_epi32(upper, low, high));
	}
}
#else
static void permute(u32 *d, const u32any *window, u32 dwords, const u32 *index, u32 n)
{
	(void)dwords;
	for (u32 l = 0; l < n; l++)
		d[l] = window[index[l]];
}
#endif

#define BELOW(name, T) \
	static bool name(const T *a, u32 n, T limit) \
	{ \
		T bad = 0; \
		for (u32 l = 0; l < n; l++) \
			bad |= (T)(a[l] >= limit); \
		return !bad; \
	}
BELOW(below32, u32)
BELOW(below64, u64)

/* ---- divisions and roots of doubles ---- */

static FORCE_INLINE i64 exponent(u64 f64) { return (i64)(f64 >> 52 & 0x7FF); }

/* Steps of a quotient's remainder need 54 bits below the dividend, those of a root 53 below its operand; the quotient's
 * exponent has to be one of a normal number. What is seldom is told from bits alone: the least quotients, rounded up,
 * may be normal. */
enum { LEAST_DIVIDEND = 54, LEAST_RADICAND = 53, NOT_FINITE = 2047, LEAST_APART = -1022, MOST_APART = 1023 };

/* on: a byte for each lane, or NULL: all. xs, ys: one value for all lanes. */
static FORCE_INLINE bool any_slow(const u64 *x, bool xs, const u64 *y, bool ys, const u8 *on, u32 n)
{
	u64 slow = 0;
	for (u32 l = 0; l < n; l++) {
		i64 a = exponent(x[xs ? 0 : l]), b = exponent(y[ys ? 0 : l]);
		u64 is = (u64)((a < LEAST_DIVIDEND) | (a == NOT_FINITE) | (b == 0) | (b == NOT_FINITE) |
		               (a - b < LEAST_APART) | (a - b > MOST_APART));
		slow |= is & (on ? on[l] : 1);
	}
	return slow;
}

static bool slow_quotient(const u64 *x, bool xs, const u64 *y, bool ys, const u8 *on, u32 n)
{
	if (xs && ys)
		return any_slow(x, true, y, true, NULL, 1);
	if (xs)
		return any_slow(x, true, y, false, NULL, n) && any_slow(x, true, y, false, on, n);
	if (ys)
		return any_slow(x, false, y, true, NULL, n) && any_slow(x, false, y, true, on, n);
	return any_slow(x, false, y, false, NULL, n) && any_slow(x, false, y, false, on, n);
}

/* A sign makes the exponent a great one. */
static FORCE_INLINE bool any_slow_root(const u64 *x, const u8 *on, u32 n)
{
	u64 slow = 0;
	for (u32 l = 0; l < n; l++) {
		i64 a = (i64)(x[l] >> 52);
		slow |= (u64)((a < LEAST_RADICAND) | (a >= NOT_FINITE)) & (on ? on[l] : 1);
	}
	return slow;
}

static bool slow_root(const u64 *x, const u8 *on, u32 n)
{
	return any_slow_root(x, NULL, n) && any_slow_root(x, on, n);
}

/* Lanes of which a condition holds: of x, these bits of a[l], and of o, a value or a row. */
#if defined(__AVX512BW__)
#define LANES_WHERE(name, T, other, compare, greater, portable) \
	static Mask name(const u32 *a, u32 n, u32 of, T b) \
	{ \
		u64 part[MAX_WAVE / 64] = {0}; \
		const __m512i some = _mm512_set1_epi32((i32)of); \
		for (u32 l = 0; l < n; l += 16) { \
			const __mmask16 in = (__mmask16)(n - l >= 16 ? 0xFFFF : (1u << (n - l)) - 1); \
			const __m512i x = _mm512_and_si512(_mm512_maskz_loadu_epi32(in, a + l), some), o = other; \
			part[l / 64] |= (u64)_mm512_mask_cmp##compare##_epu32_mask(in, x, o) << (l % 64); \
		} \
		return part[0] | (Mask)part[1] << 64; \
	}
#define LANES_VALUE _mm512_set1_epi32((i32)b)
#define LANES_ROW _mm512_and_si512(_mm512_maskz_loadu_epi32(in, b + l), some)
#elif defined(__AVX2__)
#define LANES_WHERE(name, T, other, compare, greater, portable) \
	static Mask name(const u32 *a, u32 n, u32 of, T b) \
	{ \
		u64 part[MAX_WAVE / 64] = {0}; \
		const __m256i some = _mm256_set1_epi32((i32)of), eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); \
		for (u32 l = 0; l < n; l += 8) { \
			const __m256i in = _mm256_cmpgt_epi32(_mm256_set1_epi32((i32)(n - l)), eight), \
				      x = _mm256_and_si256(_mm256_maskload_epi32((const i32 *)a + l, in), some), \
				      o = other, \
				      is = _mm256_and_si256( \
					  _mm256_cmpeq_epi32(greater ? _mm256_max_epu32(x, o) : o, x), in); \
			part[l / 64] |= (u64)(u32)_mm256_movemask_ps(_mm256_castsi256_ps(is)) << (l % 64); \
		} \
		return part[0] | (Mask)part[1] << 64; \
	}
#define LANES_VALUE _mm256_set1_epi32((i32)b)
#define LANES_ROW _mm256_and_si256(_mm256_maskload_epi32((const i32 *)b + l, in), some)
#else
#define LANES_WHERE(name, T, other, compare, greater, portable) \
	static Mask name(const u32 *a, u32 n, u32 of, T b) \
	{ \
		u8 yes[MAX_WAVE]; \
		for (u32 l = 0; l < n; l++) { \
			const u32 x = a[l] & of, o = other; \
			yes[l] = x portable o; \
		} \
		return bits(yes, n) & mask_first(n); \
	}
#define LANES_VALUE b
#define LANES_ROW b[l] & of
#endif
LANES_WHERE(equal32, u32, LANES_VALUE, eq, false, ==)
LANES_WHERE(least32, u32, LANES_VALUE, ge, true, >=)
LANES_WHERE(agree32, const u32 *, LANES_ROW, eq, false, ==)

#if defined(__AVX512BW__)
/* Whole vectors are stored: for what masked ones leave, the next step would wait. */
#define PUT_64(T, width, start, part, lanes) \
	for (u32 l = 0; l < (lanes); l += 512 / width) { \
		T *to = (T *)d + (start) + l; \
		const __m512i from = one ? _mm512_set1_epi##width(*(const i##width *)a) \
		                         : _mm512_loadu_si512((const T *)a + (start) + l), \
			      old = _mm512_loadu_si512(to); \
		_mm512_storeu_si512(to, _mm512_mask_blend_epi##width((MASK_##T)((u64)(part) >> l), old, from)); \
	}
#define PUT(T, width) \
	if (n == USUAL_LANES) { \
		PUT_64(T, width, 0, m, USUAL_LANES) \
	} else { \
		PUT_64(T, width, 0, m, n < 64 ? n : 64) \
		if (n > 64) \
			PUT_64(T, width, 64, m >> 64, n - 64) \
	}
#define MASK_u32 __mmask16
#define MASK_u64 __mmask8
#endif
#define BLEND(T) \
	for (size_t run = 0; run < n; run += LANE_CHUNK) { \
		const T first = *(const T *)a; \
		INDEPENDENT for (size_t i = 0; i < LANE_CHUNK; i++) \
			((T *)d)[run + i] = on[run + i] ? one ? first : ((const T *)a)[run + i] : ((T *)d)[run + i]; \
	}
static FORCE_INLINE void put(void *d, const void *a, Mask m, u32 n, u32 bytes, const bool one)
{
#if defined(__AVX512BW__)
	if (bytes == 4) {
		PUT(u32, 32)
		return;
	}
	if (bytes == 8) {
		PUT(u64, 64)
		return;
	}
#endif
	u8 on[MAX_WAVE];
	expand(on, m, n);
	switch (bytes) {
	case 1: BLEND(u8) break;
	case 2: BLEND(u16) break;
	case 4: BLEND(u32) break;
	case 8: BLEND(u64) break;
	default: BLEND(u128) break;
	}
}
static void blend(void *d, const void *a, Mask m, u32 n, u32 bytes) { put(d, a, m, n, bytes, false); }
static void fill(void *d, const void *a, Mask m, u32 n, u32 bytes) { put(d, a, m, n, bytes, true); }

#define MOV(T, SIZE) \
	static const Step *mov_vv_##SIZE(Wave *w, const Step *s) \
	{ \
		put(w->r + s->d, w->r + s->a, w->mask, w->n, sizeof(T), false); \
		return next_step(w, s); \
	} \
	static const Step *mov_vs_##SIZE(Wave *w, const Step *s) \
	{ \
		put(w->r + s->d, w->r + s->a, w->mask, w->n, sizeof(T), true); \
		return next_step(w, s); \
	} \
	static const Step *mov_s_##SIZE(Wave *w, const Step *s) /* a may be a row whose active lanes agree */ \
	{ \
		*(T *)(void *)(w->r + s->d) = *(T *)(void *)(w->r + s->a); \
		return next_step(w, s); \
	}
MOV(u8, 1)
MOV(u16, 2)
MOV(u32, 4)
MOV(u64, 8)
MOV(u128, 16)

static StepFn *mov(u32 bytes, bool to_scalar, bool from_scalar)
{
#define PICK(n) return to_scalar ? mov_s_##n : from_scalar ? mov_vs_##n : mov_vv_##n
	switch (bytes) {
	case 1: PICK(1);
	case 2: PICK(2);
	case 4: PICK(4);
	case 8: PICK(8);
	default: PICK(16);
	}
#undef PICK
}

#define TABLE(file) extern StepFn *const LEVEL(file)[OP_COUNT][VARIANTS];
TABLE(lanes_b1) TABLE(lanes_int) TABLE(lanes_wide) TABLE(lanes_flt)

static StepFn *lane(u32 op, u32 variant)
{
	StepFn *const(*tables[])[VARIANTS] = {LEVEL(lanes_b1), LEVEL(lanes_int), LEVEL(lanes_wide), LEVEL(lanes_flt)};
	for (u32 i = 0; i < COUNT(tables); i++)
		if (tables[i][op][0])
			return tables[i][op][variant];
	return NULL;
}

extern StepFn *const LEVEL(lanes_b1_br)[OP_COUNT][VARIANTS];
static StepFn *branch(u32 op, u32 variant) { return LEVEL(lanes_b1_br)[op][variant]; }

extern u32 LEVEL(screen16)(const ScreenRow *s, u32 kind), LEVEL(screen32)(const ScreenRow *s, u32 kind);
extern const LaneKit LEVEL(lane_kit);
const LaneKit LEVEL(lane_kit) = {
    .lane = lane,
    .branch = branch,
    .bits = bits,
    .expand = expand,
    .moved64 = moved64,
    .moved32 = moved32,
    .permute = permute,
    .mov = mov,
    .blend = blend,
    .fill = fill,
    .below32 = below32,
    .below64 = below64,
    .slow_quotient = slow_quotient,
    .slow_root = slow_root,
    .equal32 = equal32,
    .least32 = least32,
    .agree32 = agree32,
    .screen16 = LEVEL(screen16),
    .screen32 = LEVEL(screen32),
};
