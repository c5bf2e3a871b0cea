/* Arithmetic and comparisons of one component, by the rows of lower.def.
 *
 * Integers of odd width are zero-extended in their register: operations that look at
 * the sign get sign-extended operands, results that may reach above the width are cut.
 * i1 is T_b1, which has only and, or, xor and select; the rest follows from them. */
#include "frontend/lower/lowering.h"

enum { SIGNED = 1, CUT = 2, SWAP = 4 };

typedef struct ArithRow {
	u16 opcode;
	u16 op; /* first of the family: i8 or f32 */
	u16 flags;
} ArithRow;

static const ArithRow int_rows[] = {
#define INT(opcode, family, f) {opcode, OP_##family##_i8, f},
#include "frontend/lower/lower.def"
};
static const ArithRow flt_rows[] = {
#define FLT(opcode, family) {opcode, OP_##family##_f32, 0},
#include "frontend/lower/lower.def"
};
static const ArithRow icmp_rows[] = {
#define ICMP(predicate, family, f) {predicate, OP_##family##_i8, f},
#include "frontend/lower/lower.def"
};
static const ArithRow fcmp_rows[] = {
#define FCMP(predicate, family, f) {predicate, OP_##family##_f32, f},
#include "frontend/lower/lower.def"
};

static const ArithRow *arith_row(const ArithRow *rows, u32 n, u32 opcode)
{
	for (u32 i = 0; i < n; i++) {
		if (rows[i].opcode == opcode)
			return &rows[i];
	}
	return NULL;
}

static u32 arith_b1(Lower *l, LLVMOpcode op, u32 a, u32 b)
{
	switch (op) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMXor:
		return lo_xor(l, a, b);
	case LLVMMul:
	case LLVMAnd:
		return lo_and(l, a, b);
	case LLVMOr:
		return lo_or(l, a, b);
	case LLVMURem:
	case LLVMSRem:
		return lo_c(l, T_b1, 0);
	default: /* a shift by 1 and a division by 0 have no defined result */
		return a;
	}
}

/* By a power of two a shift or a mask does it, which -O3 says itself, and code for checks does not. */
static bool divide_by_power(Lower *l, LLVMOpcode op, u32 a, u32 b, u32 *d)
{
	const Reg *r = &l->p->regs.v[b];
	u128 n = r->value;
	if ((op != LLVMUDiv && op != LLVMURem) || r->kind != REG_CONST || !n || (n & (n - 1)))
		return false;
	u32 shift = (u64)n ? (u32)__builtin_ctzll((u64)n) : 64 + (u32)__builtin_ctzll((u64)(n >> 64));
	*d = op == LLVMURem ? lo_and(l, a, lo_c(l, r->type, n - 1))
	                    : lo_bin_on(l, OP_lshr_i8, a, lo_c(l, r->type, shift));
	return true;
}

u32 lo_int_binary(Lower *l, LLVMOpcode op, const Comp *k, u32 a, u32 b)
{
	u32 quick;
	if (k->type == T_b1)
		return arith_b1(l, op, a, b);
	const ArithRow *r = arith_row(int_rows, COUNT(int_rows), op);
	if (op == LLVMAnd)
		return lo_and(l, a, b);
	if (op == LLVMOr)
		return lo_or(l, a, b);
	if (divide_by_power(l, op, a, b, &quick))
		return quick;
	if (r->flags & SIGNED) {
		a = lo_signed(l, a, k->bits);
		b = op == LLVMAShr ? b : lo_signed(l, b, k->bits);
	}
	u32 d = lo_bin_on(l, (Op)r->op, a, b);
	return r->flags & CUT ? lo_cut(l, d, k->bits) : d;
}

u32 lo_flt_binary(Lower *l, LLVMOpcode op, const Comp *k, u32 a, u32 b)
{
	const ArithRow *r = arith_row(flt_rows, COUNT(flt_rows), op);
	if (k->cls == C_HALF)
		return lo_half_down(l, lo_bin_on(l, (Op)r->op, lo_half_up(l, a), lo_half_up(l, b)));
	return lo_bin_on(l, (Op)r->op, a, b);
}

static u32 icmp_b1(Lower *l, LLVMIntPredicate p, u32 a, u32 b)
{
	switch (p) {
	case LLVMIntEQ: return lo_not(l, lo_xor(l, a, b));
	case LLVMIntNE: return lo_xor(l, a, b);
	case LLVMIntUGT: /* signed, 1 is -1 */
	case LLVMIntSLT: return lo_and(l, a, lo_not(l, b));
	case LLVMIntULT:
	case LLVMIntSGT: return lo_and(l, lo_not(l, a), b);
	case LLVMIntUGE:
	case LLVMIntSLE: return lo_or(l, a, lo_not(l, b));
	default: return lo_or(l, lo_not(l, a), b);
	}
}

u32 lo_icmp(Lower *l, LLVMIntPredicate pred, const Comp *k, u32 a, u32 b)
{
	if (k->type == T_b1)
		return icmp_b1(l, pred, a, b);
	const ArithRow *r = arith_row(icmp_rows, COUNT(icmp_rows), pred);
	if (r->flags & SIGNED && k->cls == C_INT) {
		a = lo_signed(l, a, k->bits);
		b = lo_signed(l, b, k->bits);
	}
	return r->flags & SWAP ? lo_bin_on(l, (Op)r->op, b, a) : lo_bin_on(l, (Op)r->op, a, b);
}

u32 lo_fcmp(Lower *l, LLVMRealPredicate pred, const Comp *k, u32 a, u32 b)
{
	const ArithRow *r = arith_row(fcmp_rows, COUNT(fcmp_rows), pred);
	if (!r) /* always false, always true */
		return lo_c(l, T_b1, pred == LLVMRealPredicateTrue);
	if (k->cls == C_HALF) {
		a = lo_half_up(l, a);
		b = lo_half_up(l, b);
	}
	return r->flags & SWAP ? lo_bin_on(l, (Op)r->op, b, a) : lo_bin_on(l, (Op)r->op, a, b);
}

u32 lo_neg(Lower *l, const Comp *k, u32 a)
{
	if (k->cls == C_HALF)
		return lo_xor(l, a, lo_c(l, T_i16, 0x8000));
	return lo_un_on(l, OP_fneg_f32, a);
}
