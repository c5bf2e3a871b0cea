/* Emitting instructions: pick the member of a family by register type, decide whether
 * the result is scalar, fold what is trivial. A family of ops.def is named by its i8 or f32 row. */
#include "frontend/codegen/codegen.h"
#include "frontend/lower/lowering.h"

u32 lo_c(Lower *l, Type t, u128 value) { return program_const(l->p, t, value); }

static bool lo_is_const(const Lower *l, u32 r) { return l->p->regs.v[r].kind == REG_CONST; }
static u128 lo_bits(const Lower *l, u32 r) { return l->p->regs.v[r].value; }
static u32 lo_width(Type t) { return t == T_b1 ? 1 : type_bytes[t] * 8u; }

RegKind lo_kind(const Lower *l, const u32 *src, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (l->p->regs.v[src[i]].kind == REG_VECTOR)
			return REG_VECTOR;
	}
	return REG_SCALAR;
}

Ins *lo_emit(Lower *l, Op op, const u32 *d, u32 nd, const u32 *s, u32 ns)
{
	if (!ins_holds(nd, ns)) {
		lo_error(
		    l,
		    "this needs an instruction with %u results and %u operands; the most are %d and %d: use vectors "
		    "with fewer components",
		    nd, ns, MOST_DST, MOST_SRC);
		nd = nd > MOST_DST ? (u32)MOST_DST : nd;
		ns = ns > MOST_SRC ? (u32)MOST_SRC : ns;
	}
	Ins *i = program_emit(l->p, op, d, nd, s, ns, NULL, 0, l->loc);
	u32 unit = op_info[op].unit;
	if ((unit == UNIT_MEM || unit == UNIT_UDIV || unit == UNIT_SDIV) && l->ins)
		i->origin = codegen_ins(l->m, l->ins);
	return i;
}

/* Lane operations of the block being emitted. LLVM left no equal ones; they come up when
 * constants move from addresses into loads and stores. */
u32 lo_op_imm(Lower *l, Op op, const u32 *src, u32 n, i64 imm)
{
	Known k = {.epoch = l->p->blocks.n, .op = op, .imm = imm};
	u64 h = hash_mix(hash_mix((u64)k.epoch << 32 | op) ^ (u64)imm);
	for (u32 i = 0; i < n; i++) {
		k.src[i] = src[i];
		h = hash_mix(h ^ src[i]);
	}
	for (u32 at = 0, i; hash_index_next(&l->known_at, h, &at, &i);) {
		const Known *x = &l->known.v[i];
		if (x->epoch == k.epoch && x->op == op && x->imm == imm && !memcmp(x->src, k.src, sizeof k.src))
			return x->d;
	}
	k.d = program_reg(l->p, (Type)op_info[op].type[0], lo_kind(l, src, n), NULL);
	lo_emit(l, op, &k.d, 1, src, n)->imm = imm;
	hash_index_add(&l->known_at, h, l->known.n);
	array_push(&l->known, k);
	return k.d;
}

u32 lo_op(Lower *l, Op op, const u32 *src, u32 n) { return lo_op_imm(l, op, src, n, 0); }

u32 lo_un(Lower *l, Op op, u32 a) { return lo_op(l, op, &a, 1); }
u32 lo_bin(Lower *l, Op op, u32 a, u32 b) { return lo_op(l, op, (u32[]){a, b}, 2); }
u32 lo_ter(Lower *l, Op op, u32 a, u32 b, u32 c) { return lo_op(l, op, (u32[]){a, b, c}, 3); }

u32 lo_un_on(Lower *l, Op family, u32 a) { return lo_un(l, op_on(family, lo_type(l, a)), a); }
u32 lo_bin_on(Lower *l, Op family, u32 a, u32 b)
{
	return lo_bin(l, op_on(family, lo_type(l, a)), a, b);
}

static u128 lo_ones(Type t)
{
	return t == T_i128 ? ~(u128)0 : ((u128)1 << lo_width(t)) - 1;
}

u32 lo_and(Lower *l, u32 a, u32 b)
{
	Type t = lo_type(l, a);
	if (lo_is_const(l, a) && lo_is_const(l, b))
		return lo_c(l, t, lo_bits(l, a) & lo_bits(l, b));
	if (lo_is_const(l, b) && (lo_bits(l, b) == 0 || lo_bits(l, b) == lo_ones(t)))
		return lo_bits(l, b) ? a : b;
	return lo_bin_on(l, OP_and_b1, a, b);
}

u32 lo_or(Lower *l, u32 a, u32 b)
{
	Type t = lo_type(l, a);
	if (lo_is_const(l, a) && lo_is_const(l, b))
		return lo_c(l, t, lo_bits(l, a) | lo_bits(l, b));
	if (lo_is_const(l, a) && lo_bits(l, a) == 0)
		return b;
	if (lo_is_const(l, b) && lo_bits(l, b) == 0)
		return a;
	return lo_bin_on(l, OP_or_b1, a, b);
}

u32 lo_xor(Lower *l, u32 a, u32 b)
{
	Type t = lo_type(l, a);
	if (lo_is_const(l, a) && lo_is_const(l, b))
		return lo_c(l, t, lo_bits(l, a) ^ lo_bits(l, b));
	return lo_bin_on(l, OP_xor_b1, a, b);
}

u32 lo_not(Lower *l, u32 b1) { return lo_xor(l, b1, lo_c(l, T_b1, 1)); }

u32 lo_select(Lower *l, u32 c, u32 a, u32 b)
{
	if (a == b)
		return a;
	if (lo_is_const(l, c))
		return lo_bits(l, c) ? a : b;
	return lo_ter(l, op_on(OP_select_b1, lo_type(l, a)), c, a, b);
}

/* ---- widths ---- */

#define CV(n, D, A) [T_##A][T_##D] = OP_##n##_##D##_##A
#define WIDER(n) \
	CV(n, i8, b1), CV(n, i16, b1), CV(n, i32, b1), CV(n, i64, b1), CV(n, i128, b1), \
		CV(n, i16, i8), CV(n, i32, i8), CV(n, i64, i8), CV(n, i128, i8), CV(n, i32, i16), \
		CV(n, i64, i16), CV(n, i128, i16), CV(n, i64, i32), CV(n, i128, i32), CV(n, i128, i64)
#define NARROWER(n) \
	CV(n, b1, i8), CV(n, b1, i16), CV(n, b1, i32), CV(n, b1, i64), CV(n, b1, i128), \
		CV(n, i8, i16), CV(n, i8, i32), CV(n, i8, i64), CV(n, i8, i128), CV(n, i16, i32), \
		CV(n, i16, i64), CV(n, i16, i128), CV(n, i32, i64), CV(n, i32, i128), CV(n, i64, i128)
#define INT_OF(n, A) CV(n, i8, A), CV(n, i16, A), CV(n, i32, A), CV(n, i64, A), CV(n, i128, A)
#define FLT_OF(n, A) CV(n, f32, A), CV(n, f64, A)
#define TO_INT(n) INT_OF(n, f32), INT_OF(n, f64)
#define TO_FLT(n) FLT_OF(n, i8), FLT_OF(n, i16), FLT_OF(n, i32), FLT_OF(n, i64), FLT_OF(n, i128)
static const u16 convert_op[][TYPE_COUNT][TYPE_COUNT] = {
	[CONVERT_zext] = {WIDER(zext), NARROWER(trunc)},
	[CONVERT_sext] = {WIDER(sext), NARROWER(trunc)},
	[CONVERT_fptosi] = {TO_INT(fptosi)},
	[CONVERT_fptoui] = {TO_INT(fptoui)},
	[CONVERT_fptosi_sat] = {TO_INT(fptosi_sat)},
	[CONVERT_fptoui_sat] = {TO_INT(fptoui_sat)},
	[CONVERT_sitofp] = {TO_FLT(sitofp)},
	[CONVERT_uitofp] = {TO_FLT(uitofp)},
};

u32 lo_convert(Lower *l, Convert how, u32 a, Type t)
{
	return lo_un(l, (Op)convert_op[how][lo_type(l, a)][t], a);
}

u32 lo_zext(Lower *l, u32 a, Type t)
{
	Type from = lo_type(l, a);
	if (from == t)
		return a;
	if (lo_is_const(l, a))
		return lo_c(l, t, lo_bits(l, a));
	return lo_convert(l, CONVERT_zext, a, t);
}

u32 lo_sext(Lower *l, u32 a, Type t)
{
	Type from = lo_type(l, a);
	if (from == t)
		return a;
	if (lo_is_const(l, a)) {
		u32 up = 128 - lo_width(from);
		return lo_c(l, t, (u128)((i128)(lo_bits(l, a) << up) >> up));
	}
	return lo_convert(l, CONVERT_sext, a, t);
}

static u32 lo_shift(Lower *l, Op base, u32 a, u32 n)
{
	return n ? lo_bin_on(l, base, a, lo_c(l, lo_type(l, a), n)) : a;
}

u32 lo_shl(Lower *l, u32 a, u32 n) { return lo_shift(l, OP_shl_i8, a, n); }
u32 lo_lshr(Lower *l, u32 a, u32 n) { return lo_shift(l, OP_lshr_i8, a, n); }
u32 lo_ashr(Lower *l, u32 a, u32 n) { return lo_shift(l, OP_ashr_i8, a, n); }

u32 lo_cut(Lower *l, u32 a, u32 bits)
{
	Type t = lo_type(l, a);
	return bits >= lo_width(t) ? a : lo_and(l, a, lo_c(l, t, ((u128)1 << bits) - 1));
}

u32 lo_signed(Lower *l, u32 a, u32 bits)
{
	u32 w = lo_width(lo_type(l, a));
	return bits >= w ? a : lo_ashr(l, lo_shl(l, a, w - bits), w - bits);
}

Type lo_int_type(u32 bits)
{
	return bits <= 1    ? T_b1
	       : bits <= 8  ? T_i8
	       : bits <= 16 ? T_i16
	       : bits <= 32 ? T_i32
	       : bits <= 64 ? T_i64
	                    : T_i128;
}

/* ---- floats ---- */

u32 lo_to_bits(Lower *l, u32 a)
{
	Type t = lo_type(l, a);
	if (t != T_f32 && t != T_f64)
		return a;
	if (lo_is_const(l, a))
		return lo_c(l, t == T_f32 ? T_i32 : T_i64, lo_bits(l, a));
	return lo_un(l, t == T_f32 ? OP_bits_i32_f32 : OP_bits_i64_f64, a);
}

u32 lo_from_bits(Lower *l, u32 a, const Comp *k)
{
	if (k->cls != C_FLT)
		return a;
	if (lo_is_const(l, a))
		return lo_c(l, (Type)k->type, lo_bits(l, a));
	return lo_un(l, k->type == T_f32 ? OP_bits_f32_i32 : OP_bits_f64_i64, a);
}

u32 lo_half_up(Lower *l, u32 a) { return lo_un(l, OP_fpext_half_f32_i16, a); }
u32 lo_half_down(Lower *l, u32 a)
{
	return lo_un(l, lo_type(l, a) == T_f64 ? OP_fptrunc_half_i16_f64 : OP_fptrunc_half_i16_f32, a);
}

void lo_mov(Lower *l, u32 d, u32 s)
{
	if (d != s)
		lo_emit(l, OP_mov, &d, 1, &s, 1);
}
