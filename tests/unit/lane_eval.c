/* lane_eval: any lane operation on one lane, its operands given as bits. */
#include "isa/lane.h"
#include "tests/unit/scalar_oracle.h"

static FORCE_INLINE LT_f32 from_f32(u128 v) { return lane_float32((u32)v); }
static FORCE_INLINE LT_f64 from_f64(u128 v) { return double_of_bits((u64)v); }
#define from_b1(v) ((LT_b1)((v)&1))
#define from_i8(v) ((LT_i8)(v))
#define from_i16(v) ((LT_i16)(v))
#define from_i32(v) ((LT_i32)(v))
#define from_i64(v) ((LT_i64)(v))
#define from_i128(v) (v)
#define bits_b1(v) ((u128)(v))
#define bits_i8(v) ((u128)(v))
#define bits_i16(v) ((u128)(v))
#define bits_i32(v) ((u128)(v))
#define bits_i64(v) ((u128)(v))
#define bits_i128(v) (v)
#define bits_f32(v) ((u128)lane_bits32(v))
#define bits_f64(v) ((u128)bits_of_double(v))

#define UN(name, D, A, unit, expr, doc) \
	static u128 one_##name(u128 va, u128 vb, u128 vc, i64 k) \
	{ \
		const LT_##A a = from_##A(va); \
		(void)vb, (void)vc, (void)k; \
		return bits_##D((LT_##D)(expr)); \
	}
#define BIN(name, D, A, B, unit, expr, doc) \
	static u128 one_##name(u128 va, u128 vb, u128 vc, i64 k) \
	{ \
		const LT_##A a = from_##A(va); \
		const LT_##B b = from_##B(vb); \
		(void)vc, (void)k; \
		return bits_##D((LT_##D)(expr)); \
	}
#define TER(name, D, A, B, C, unit, expr, doc) \
	static u128 one_##name(u128 va, u128 vb, u128 vc, i64 k) \
	{ \
		const LT_##A a = from_##A(va); \
		const LT_##B b = from_##B(vb); \
		const LT_##C c = from_##C(vc); \
		(void)k; \
		return bits_##D((LT_##D)(expr)); \
	}
#include "isa/ops.def"

typedef u128 LaneFn(u128 a, u128 b, u128 c, i64 k);
static LaneFn *const table[OP_COUNT] = {
#define UN(name, ...) [OP_##name] = one_##name,
#define BIN(name, ...) [OP_##name] = one_##name,
#define TER(name, ...) [OP_##name] = one_##name,
#include "isa/ops.def"
};

u128 lane_eval(u32 op, u128 a, u128 b, u128 c, i64 k)
{
	return table[op] ? table[op](a, b, c, k) : 0;
}
