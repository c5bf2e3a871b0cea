/* What the machine does to whole rows of lanes besides arithmetic: masks to
 * bytes and back, the shape of address vectors, gathers, blends. Compiled for
 * each level of the host, as the lane operations are, so that the compiler may
 * use its widest vectors. */
#include "sim/lane_level.h"

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

static void expand(u8 *out, Mask m, u32 n)
{
	u64 part[MAX_WAVE / 64] = {(u64)m, (u64)(m >> 64)};
	for (u32 i = 0; i < n; i += 8) {
		u64 eight = part[i / 64] >> (i % 64) & 0xFF;
		/* Copy the byte to all eight, keep bit j of byte j, turn it into 0xFF. */
		eight = (eight * 0x0101010101010101u) & 0x8040201008040201u;
		eight = ((eight + 0x7F7F7F7F7F7F7F7Fu) | eight) & 0x8080808080808080u;
		eight = (eight >> 7) * 0xFF;
		memcpy(out + i, &eight, 8);
	}
}

#define SHAPE(name, T) \
	static void name(const T *a, u32 n, T base, T last, T first, T stride, Mask *outside, Mask *differ) \
	{ \
		u8 out[MAX_WAVE], diff[MAX_WAVE]; \
		T any = 0; \
		for (u32 run = 0; run < n; run += LANE_CHUNK) { \
			INDEPENDENT for (u32 l = run; l < run + LANE_CHUNK; l++) { \
				out[l] = (T)(a[l] - base) > last; \
				diff[l] = a[l] != (T)(first + (T)l * stride); \
				any |= (T)(out[l] | diff[l]); \
			} \
		} \
		*outside = any ? bits(out, n) : 0; \
		*differ = any ? bits(diff, n) : 0; \
	}
SHAPE(shape64, u64)
SHAPE(shape32, u32)

#define MOVED(name, T) \
	static Mask name(const T *a, u32 n, T first, const T *ref) \
	{ \
		u8 diff[MAX_WAVE]; \
		T any = 0; \
		for (u32 run = 0; run < n; run += LANE_CHUNK) { \
			INDEPENDENT for (u32 l = run; l < run + LANE_CHUNK; l++) { \
				T x = (T)(a[l] - first) ^ ref[l]; \
				diff[l] = x != 0; \
				any |= x; \
			} \
		} \
		return any ? bits(diff, n) : 0; \
	}
MOVED(moved64, u64)
MOVED(moved32, u32)

#define GATHER_BYTES(T, A) \
	for (u32 run = 0; run < n; run += LANE_CHUNK) { \
		INDEPENDENT for (u32 l = run; l < run + LANE_CHUNK; l++) { \
			T x; \
			memcpy(&x, base + (A)(a[l] - origin), sizeof x); \
			((T *)d)[l] = x; \
		} \
	}
#define GATHER(name, A) \
	static void name(void *d, const u8 *base, const A *a, A origin, u32 n, u32 bytes) \
	{ \
		switch (bytes) { \
		case 1: GATHER_BYTES(u8, A) break; \
		case 2: GATHER_BYTES(u16, A) break; \
		case 4: GATHER_BYTES(u32, A) break; \
		case 8: GATHER_BYTES(u64, A) break; \
		default: GATHER_BYTES(u128, A) break; \
		} \
	}
GATHER(gather64, u64)
GATHER(gather32, u32)

#define BLEND(T) \
	for (u32 run = 0; run < n; run += LANE_CHUNK) { \
		INDEPENDENT for (u32 l = run; l < run + LANE_CHUNK; l++) \
			((T *)d)[l] = on[l] ? ((const T *)a)[l] : ((T *)d)[l]; \
	}
static void blend(void *d, const void *a, const u8 *on, u32 n, u32 bytes)
{
	switch (bytes) {
	case 1: BLEND(u8) break;
	case 2: BLEND(u16) break;
	case 4: BLEND(u32) break;
	case 8: BLEND(u64) break;
	default: BLEND(u128) break;
	}
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

extern const LaneKit LEVEL(lane_kit);
const LaneKit LEVEL(lane_kit) = {
    .lane = lane, .bits = bits, .expand = expand, .shape64 = shape64, .shape32 = shape32,
    .moved64 = moved64, .moved32 = moved32, .gather64 = gather64, .gather32 = gather32, .blend = blend,
};
