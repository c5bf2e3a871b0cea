/* The tables behind the names: op_info[] from ops.def, the names of types,
 * address spaces, atomics and launch values. Nothing here is written by hand
 * twice; a new row in ops.def appears by itself. */
#include "isa/text.h"

#include "base/scan.h"

#include <assert.h>

const char *const type_name[TYPE_COUNT] = {TYPES(X_NAME)};
const u8 type_bytes[TYPE_COUNT] = {TYPES(X_DOC)};

const char *const space_name[SPACE_COUNT] = {
    [SPACE_FLAT] = "flat",
    [SPACE_GLOBAL] = "global",
    [2] = "region", /* LLVM's number 2 on amdgcn; no program uses it */
    [SPACE_LDS] = "lds",
    [SPACE_CONSTANT] = "constant",
    [SPACE_PRIVATE] = "private",
};

const char *const atomic_name[ATOMIC_COUNT] = {ATOMIC_OPS(X_NAME)};
const char *const fold_name[FOLD_COUNT] = {FOLDS(X_NAME)};
const char *const query_name[QUERY_COUNT] = {QUERIES(X_NAME)};
const char *const unit_name[UNIT_COUNT] = {UNITS(X_NAME)};

#define QUERY_TYPE(name, type, kind) T_##type,
static const u8 query_types[QUERY_COUNT] = {QUERIES(QUERY_TYPE)};
#define QUERY_KIND(name, type, kind) REG_##kind,
static const u8 query_kinds[QUERY_COUNT] = {QUERIES(QUERY_KIND)};

Type query_type(u32 q) { return (Type)query_types[q]; }
bool query_is_vector(u32 q) { return query_kinds[q] == REG_VECTOR; }

enum { N = ANY_COUNT };

const OpInfo op_info[OP_COUNT] = {
#define LANE(n, count, u, e, text, what, ...) \
	{.name = #n, \
	 .lane = (count), \
	 .ndst = 1, \
	 .nsrc = (count), \
	 .type = {__VA_ARGS__}, \
	 .unit = UNIT_##u, \
	 .operands = what, \
	 .expr = #e, \
	 .doc = text},
#define UN(n, D, A, u, e, text) LANE(n, 1, u, e, text, "d, a", T_##D, T_##A)
#define BIN(n, D, A, B, u, e, text) LANE(n, 2, u, e, text, "d, a, b", T_##D, T_##A, T_##B)
#define TER(n, D, A, B, C, u, e, text) LANE(n, 3, u, e, text, "d, a, b, c", T_##D, T_##A, T_##B, T_##C)
#define OP(n, nd, ns, u, f, what, text) \
	{.name = #n, \
	 .ndst = (nd), \
	 .nsrc = (ns), \
	 .unit = UNIT_##u, \
	 .flags = (f), \
	 .operands = what, \
	 .doc = text},
#include "isa/ops.def"
};

/* The members of each family by type, + 1; 0: there is none. */
#define ROW(n, t, ...) [OP_##n##_##t] = {__VA_ARGS__},
#define INT_ROWS(n, ...) \
	ROW(n, i8, __VA_ARGS__) ROW(n, i16, __VA_ARGS__) ROW(n, i32, __VA_ARGS__) \
	ROW(n, i64, __VA_ARGS__) ROW(n, i128, __VA_ARGS__)
#define FLT_ROWS(n, ...) ROW(n, f32, __VA_ARGS__) ROW(n, f64, __VA_ARGS__)
#define MEMBER(n, t) [T_##t] = OP_##n##_##t + 1
#define INTS(n) MEMBER(n, i8), MEMBER(n, i16), MEMBER(n, i32), MEMBER(n, i64), MEMBER(n, i128)
#define FLTS(n) MEMBER(n, f32), MEMBER(n, f64)
#define BITS(n) MEMBER(n, b1), INTS(n)
static const u16 member[OP_COUNT][TYPE_COUNT] = {
#define FAMILIES
#define INT_UN(n, ...) INT_ROWS(n, INTS(n))
#define INT_BIN INT_UN
#define INT_TER INT_UN
#define INT_CMP INT_UN
#define BIT_BIN(n, ...) ROW(n, b1, BITS(n)) INT_ROWS(n, BITS(n))
#define FLT_UN(n, ...) FLT_ROWS(n, FLTS(n))
#define FLT_BIN FLT_UN
#define FLT_TER FLT_UN
#define FLT_CMP FLT_UN
#define ALL_SEL(n, ...) \
	ROW(n, b1, BITS(n), FLTS(n)) INT_ROWS(n, BITS(n), FLTS(n)) FLT_ROWS(n, BITS(n), FLTS(n))
#include "isa/ops.def"
};

Op op_on(Op op, Type t)
{
	if (op_info[op].type[op_info[op].lane] == t)
		return op;
	assert(member[op][t]);
	return (Op)(member[op][t] - 1);
}

bool op_is_of(u32 op, Op family)
{
	const OpInfo *info = &op_info[op];
	return info->lane && member[family][info->type[info->lane]] == op + 1;
}

#define FOLD_FAMILY(name, family, neutral) OP_##family,
#define FOLD_NEUTRAL(name, family, neutral) NEUTRAL_##neutral,

u32 fold_op(u32 fold, Type t)
{
	static const u16 family[FOLD_COUNT] = {FOLDS(FOLD_FAMILY)};
	u32 op = member[family[fold]][t];
	return op ? op - 1u : OP_COUNT;
}

u128 fold_neutral(u32 fold, Type t)
{
	enum { NEUTRAL_ZERO, NEUTRAL_ONE, NEUTRAL_ONES, NEUTRAL_MOST, NEUTRAL_LEAST };
	static const u8 neutral[FOLD_COUNT] = {FOLDS(FOLD_NEUTRAL)};
	static const u64 one[] = {[T_f32] = 0x3f800000, [T_f64] = 0x3ff0000000000000};
	static const u64 infinity[] = {[T_f32] = 0x7f800000, [T_f64] = 0x7ff0000000000000};
	u128 sign = t == T_b1 ? 1 : (u128)1 << (type_bytes[t] * 8 - 1);
	switch (neutral[fold]) {
	case NEUTRAL_ZERO: return 0;
	case NEUTRAL_ONE: return type_is_float(t) ? one[t] : 1;
	case NEUTRAL_ONES: return sign | (sign - 1);
	case NEUTRAL_MOST: return type_is_float(t) ? infinity[t] : sign - 1;
	default: return type_is_float(t) ? infinity[t] | sign : sign;
	}
}

u32 op_by_name(const char *name)
{
	u32 op = 0;
	/* Most differ in the first letter already; a call of strcmp for each takes ten times as long. */
	while (op < OP_COUNT && (*op_info[op].name != *name || strcmp(op_info[op].name, name) != 0))
		op++;
	return op;
}

bool op_has_imm(u32 op)
{
	if (op_info[op].flags & F_IMM)
		return true;
	const char *e = op_info[op].expr;
	for (; e && *e; e++)
		if (*e == 'k' && !scan_is_word(e[1]) && (e == op_info[op].expr || !scan_is_word(e[-1])))
			return true;
	return false;
}

const char *const arg_kind_name[ARG_KINDS] = {"value", "global", "constant",
					      "local", "image",  "sampler", "pipe"};
const char *const elem_class_name[ELEM_CLASSES] = {"other", "int", "uint", "float"};
