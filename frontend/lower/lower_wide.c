/* Integers of more than 128 bits, and vectors of them. No source has them: LLVM makes them
 * of vectors and structs that a kernel writes in one way and reads in another.
 *
 * Such an integer is a list of 64-bit words, the lowest first, the last one zero above the
 * width. So loads, stores, phis, calls and bitwise operations treat it like a vector of
 * i64. What only moves bits by a known distance (conversions, shifts) takes them out of a
 * longer list, lo_take(); arithmetic goes from word to word with a carry. Division and
 * conversions to and from floating point are refused. */
#include "frontend/lower/lowering.h"

/* Bits in a row, the lowest first. */
typedef struct List {
	Comp *c;
	u32 *r;
	u32 n;
} List;

static void list_add(List *x, const Comp *c, const u32 *r, u32 n)
{
	memcpy(x->c + x->n, c, n * sizeof *c);
	memcpy(x->r + x->n, r, n * sizeof *r);
	x->n += n;
}

static List list_new(Lower *l, u32 room)
{
	return (List){.c = ARENA_ARRAY(l->arena, Comp, room), .r = lo_regs(l, room)};
}

static Comp wide_comp(u32 bits) { return (Comp){.type = T_i64, .cls = C_INT, .bits = (u16)bits}; }

static u32 wide_word(Lower *l, u64 value) { return lo_c(l, T_i64, value); }

static u32 wide_bits(const ValueShape *s) { return 64 * (s->n - 1) + s->c[s->n - 1].bits; }

/* Fill d, shaped as s, with the bits of x from lo on. */
static void wide_take(Lower *l, const List *x, u32 lo, const ValueShape *s, u32 *d)
{
	for (u32 i = 0; i < s->n; i++) {
		d[i] = lo_take(l, x->c, x->r, x->n, lo, s->c[i].bits, T_i64);
		lo += s->c[i].bits;
	}
}

/* 64 copies of the sign. */
static u32 wide_sign(Lower *l, const Comp *top, u32 a)
{
	a = top->type == T_b1 ? lo_sext(l, a, T_i64) : lo_signed(l, a, top->bits);
	return lo_ashr(l, lo_sext(l, a, T_i64), 63);
}

/* The words of a with the sign above the width, for operations that look at it. */
static u32 *wide_signed(Lower *l, const ValueShape *s, const u32 *a)
{
	u32 *d = lo_regs(l, s->n);
	memcpy(d, a, s->n * sizeof *a);
	d[s->n - 1] = lo_signed(l, a[s->n - 1], s->c[s->n - 1].bits);
	return d;
}

static void wide_cut(Lower *l, const ValueShape *s, u32 *d)
{
	d[s->n - 1] = lo_cut(l, d[s->n - 1], s->c[s->n - 1].bits);
}

/* ---- sums and products ---- */

/* d = a + b, or a - b as a + ~b + 1. */
static void wide_add(Lower *l, bool sub, const ValueShape *s, const u32 *a, const u32 *b, u32 *d)
{
	u32 carry = lo_c(l, T_b1, sub), ones = wide_word(l, ~(u64)0);
	for (u32 i = 0; i < s->n; i++) {
		u32 y = sub ? lo_xor(l, b[i], ones) : b[i], x = lo_bin_on(l, OP_add_i8, a[i], y);
		u32 over = lo_bin_on(l, OP_ult_i8, x, y);
		bool in = i || sub;
		d[i] = in ? lo_bin_on(l, OP_add_i8, x, lo_zext(l, carry, T_i64)) : x;
		carry = in ? lo_or(l, over, lo_bin_on(l, OP_ult_i8, d[i], x)) : over;
	}
	wide_cut(l, s, d);
}

/* As by hand: each word of a times each of b, into the words above. */
static void wide_mul(Lower *l, const ValueShape *s, const u32 *a, const u32 *b, u32 *d)
{
	for (u32 i = 0; i < s->n; i++)
		d[i] = wide_word(l, 0);
	for (u32 i = 0; i < s->n; i++) {
		u32 x = lo_zext(l, a[i], T_i128), carry = lo_c(l, T_i128, 0);
		for (u32 k = i; k < s->n; k++) {
			u32 p = lo_bin_on(l, OP_mul_i8, x, lo_zext(l, b[k - i], T_i128));
			p = lo_bin_on(l, OP_add_i8, p, lo_zext(l, d[k], T_i128));
			p = lo_bin_on(l, OP_add_i8, p, carry);
			d[k] = lo_zext(l, p, T_i64);
			carry = lo_lshr(l, p, 64);
		}
	}
	wide_cut(l, s, d);
}

/* ---- shifts ---- */

/* d[0 … s->n-1] = the words of w (nw of them, then fill) shifted right by the amount, which
 * is at most 64 * most + 63. */
static void wide_right(Lower *l, const u32 *w, u32 nw, u32 fill, u32 amount, u32 most,
                       const ValueShape *s, u32 *d)
{
	u32 *choice = lo_regs(l, most + 2), *x = lo_regs(l, s->n + 1);
	choice[0] = lo_zext(l, lo_lshr(l, amount, 6), T_i32);
	for (u32 i = 0; i <= s->n; i++) {
		x[i] = fill;
		if (i >= nw)
			continue;
		for (u32 q = 0; q <= most; q++)
			choice[q + 1] = i + q < nw ? w[i + q] : fill;
		x[i] = program_reg(l->p, T_i64, lo_kind(l, choice, most + 2), NULL);
		lo_emit(l, OP_pick, &x[i], 1, choice, most + 2);
	}
	for (u32 i = 0; i < s->n; i++)
		d[i] = lo_ter(l, OP_fshr_i64, x[i + 1], x[i], amount);
	wide_cut(l, s, d);
}

/* Is a constant? Then its value modulo the width in *amount. */
static bool wide_amount(const Lower *l, const ValueShape *s, const u32 *a, u32 *amount)
{
	u128 rest = 0;
	for (u32 i = s->n; i-- > 0;) {
		const Reg *r = &l->p->regs.v[a[i]];
		if (r->kind != REG_CONST)
			return false;
		rest = (rest << 64 | (u64)r->value) % wide_bits(s);
	}
	*amount = (u32)rest;
	return true;
}

static void wide_shift_variable(Lower *l, LLVMOpcode op, const ValueShape *s, const u32 *a,
                                u32 amount, u32 *d)
{
	u32 n = s->n, zero = wide_word(l, 0);
	if (op != LLVMShl) {
		u32 fill = op == LLVMAShr ? wide_sign(l, &s->c[n - 1], a[n - 1]) : zero;
		const u32 *w = op == LLVMAShr ? wide_signed(l, s, a) : a;
		wide_right(l, w, n, fill, amount, n - 1, s, d);
		return;
	}
	/* To the left by x is to the right by 64 * n - x, with n words of zeros below. */
	u32 *w = lo_regs(l, 2 * n);
	for (u32 i = 0; i < n; i++) {
		w[i] = zero;
		w[n + i] = a[i];
	}
	amount = lo_bin_on(l, OP_sub_i8, wide_word(l, 64 * (u64)n), amount);
	wide_right(l, w, 2 * n, zero, amount, n, s, d);
}

static void wide_shift(Lower *l, LLVMOpcode op, const ValueShape *s, const u32 *a, const u32 *by,
                       u32 *d)
{
	u32 n = s->n, k, sign = wide_word(l, 0), zeros = sign;
	if (!wide_amount(l, s, by, &k)) {
		wide_shift_variable(l, op, s, a, by[0], d);
		return;
	}
	List x = list_new(l, 2 * n + 1);
	Comp below = wide_comp(k), above = wide_comp(64);
	if (op == LLVMAShr)
		sign = wide_sign(l, &s->c[n - 1], a[n - 1]);
	if (op == LLVMShl)
		list_add(&x, &below, &zeros, 1);
	list_add(&x, s->c, a, n);
	for (u32 i = 0; i < n && op == LLVMAShr; i++)
		list_add(&x, &above, &sign, 1);
	wide_take(l, &x, op == LLVMShl ? 0 : k, s, d);
}

/* Upper (left) or lower half of (a:b) shifted by the amount modulo the width. */
static bool wide_funnel(Lower *l, bool left, const ValueShape *s, const u32 *a, const u32 *b,
                        const u32 *by, u32 *d)
{
	u32 n = s->n, bits = wide_bits(s), k;
	List x = list_new(l, 2 * n);
	list_add(&x, s->c, b, n);
	list_add(&x, s->c, a, n);
	if (wide_amount(l, s, by, &k)) {
		wide_take(l, &x, left ? bits - k : k, s, d);
		return true;
	}
	if (bits & (bits - 1)) /* no cheap remainder, and LLVM makes none of these */
		return false;
	k = lo_and(l, by[0], wide_word(l, bits - 1));
	if (left)
		k = lo_bin_on(l, OP_sub_i8, wide_word(l, bits), k);
	wide_right(l, x.r, 2 * n, wide_word(l, 0), k, n, s, d);
	return true;
}

/* ---- comparisons ---- */

static u32 wide_equal(Lower *l, const ValueShape *s, const u32 *a, const u32 *b)
{
	u32 differ = lo_xor(l, a[0], b[0]);
	for (u32 i = 1; i < s->n; i++)
		differ = lo_or(l, differ, lo_xor(l, a[i], b[i]));
	return lo_bin_on(l, OP_eq_i8, differ, wide_word(l, 0));
}

/* a < b: the highest word that differs decides. */
static u32 wide_less(Lower *l, bool sign, const ValueShape *s, const u32 *a, const u32 *b)
{
	if (sign) {
		a = wide_signed(l, s, a);
		b = wide_signed(l, s, b);
	}
	u32 d = lo_bin_on(l, OP_ult_i8, a[0], b[0]);
	for (u32 i = 1; i < s->n; i++) {
		Op less = sign && i == s->n - 1 ? OP_slt_i8 : OP_ult_i8;
		d = lo_select(l, lo_bin_on(l, OP_eq_i8, a[i], b[i]), d, lo_bin_on(l, less, a[i], b[i]));
	}
	return d;
}

static u32 wide_compare(Lower *l, LLVMIntPredicate p, const ValueShape *s, const u32 *a, const u32 *b)
{
	switch (p) {
	case LLVMIntEQ: return wide_equal(l, s, a, b);
	case LLVMIntNE: return lo_not(l, wide_equal(l, s, a, b));
	case LLVMIntULT: return wide_less(l, false, s, a, b);
	case LLVMIntUGT: return wide_less(l, false, s, b, a);
	case LLVMIntULE: return lo_not(l, wide_less(l, false, s, b, a));
	case LLVMIntUGE: return lo_not(l, wide_less(l, false, s, a, b));
	case LLVMIntSLT: return wide_less(l, true, s, a, b);
	case LLVMIntSGT: return wide_less(l, true, s, b, a);
	case LLVMIntSLE: return lo_not(l, wide_less(l, true, s, b, a));
	default: return lo_not(l, wide_less(l, true, s, a, b));
	}
}

/* ---- bits counted, turned around ---- */

static u32 wide_count(Lower *l, const u32 *a, u32 n)
{
	u32 d = lo_un_on(l, OP_ctpop_i8, a[0]);
	for (u32 i = 1; i < n; i++)
		d = lo_bin_on(l, OP_add_i8, d, lo_un_on(l, OP_ctpop_i8, a[i]));
	return d;
}

/* Zeros before the first one bit, from the lowest (cttz) or the highest bit on. */
static u32 wide_zeros(Lower *l, bool low, const ValueShape *s, const u32 *a)
{
	u32 bits = wide_bits(s), d = wide_word(l, bits);
	for (u32 i = 0; i < s->n; i++) {
		u32 k = low ? s->n - 1 - i : i; /* the word that counts most comes last */
		u32 at = lo_un_on(l, low ? OP_cttz_i8 : OP_ctlz_i8, a[k]);
		u64 before = low ? 64 * k : (u64)bits - 64 * (k + 1); /* wraps for a cut word */
		at = lo_bin_on(l, OP_add_i8, at, wide_word(l, before));
		d = lo_select(l, lo_bin_on(l, OP_eq_i8, a[k], wide_word(l, 0)), d, at);
	}
	return d;
}

static void wide_reverse(Lower *l, Op base, const ValueShape *s, const u32 *a, u32 *d)
{
	List x = list_new(l, s->n);
	Comp word = wide_comp(64);
	for (u32 i = 0; i < s->n; i++) {
		u32 r = lo_un_on(l, base, a[s->n - 1 - i]);
		list_add(&x, &word, &r, 1);
	}
	wide_take(l, &x, 64 * s->n - wide_bits(s), s, d);
}

/* A number that fits the lowest word. */
static void wide_number(Lower *l, const ValueShape *s, u32 low, u32 *d)
{
	for (u32 i = 0; i < s->n; i++)
		d[i] = i ? wide_word(l, 0) : low;
}

static void wide_extreme(Lower *l, bool max, bool sign, const ValueShape *s, const u32 *a,
                         const u32 *b, u32 *d)
{
	u32 less = wide_less(l, sign, s, a, b);
	for (u32 i = 0; i < s->n; i++)
		d[i] = lo_select(l, less, max ? b[i] : a[i], max ? a[i] : b[i]);
}

/* |a| = (a ^ sign) - sign */
static void wide_abs(Lower *l, const ValueShape *s, const u32 *a, u32 *d)
{
	u32 *sign = lo_regs(l, s->n), *flipped = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++) {
		sign[i] = wide_sign(l, &s->c[s->n - 1], a[s->n - 1]);
		flipped[i] = lo_xor(l, a[i], sign[i]);
	}
	wide_add(l, true, s, flipped, sign, d);
}

/* ---- one integer at a time ---- */

static bool wide_binary(Lower *l, LLVMOpcode op, const ValueShape *s, const u32 *a, const u32 *b,
                        u32 *d)
{
	switch (op) {
	case LLVMAdd:
	case LLVMSub:
		wide_add(l, op == LLVMSub, s, a, b, d);
		return true;
	case LLVMMul:
		wide_mul(l, s, a, b, d);
		return true;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		wide_shift(l, op, s, a, b, d);
		return true;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
		for (u32 i = 0; i < s->n; i++)
			d[i] = lo_int_binary(l, op, &s->c[i], a[i], b[i]);
		return true;
	default:
		lo_error(l, "a division of integers of more than 128 bits");
		diag_hint(l->d, "divide numbers of at most 64 bits");
		return false;
	}
}

/* base: the family that does it for narrow ones. */
static bool wide_call(Lower *l, Op base, const ValueShape *s, const u32 *const x[3], u32 *d)
{
	switch (base) {
	case OP_umin_i8: wide_extreme(l, false, false, s, x[0], x[1], d); return true;
	case OP_umax_i8: wide_extreme(l, true, false, s, x[0], x[1], d); return true;
	case OP_smin_i8: wide_extreme(l, false, true, s, x[0], x[1], d); return true;
	case OP_smax_i8: wide_extreme(l, true, true, s, x[0], x[1], d); return true;
	case OP_abs_i8: wide_abs(l, s, x[0], d); return true;
	case OP_ctpop_i8: wide_number(l, s, wide_count(l, x[0], s->n), d); return true;
	case OP_ctlz_i8: wide_number(l, s, wide_zeros(l, false, s, x[0]), d); return true;
	case OP_cttz_i8: wide_number(l, s, wide_zeros(l, true, s, x[0]), d); return true;
	case OP_bswap_i8:
	case OP_bitrev_i8: wide_reverse(l, base, s, x[0], d); return true;
	case OP_fshl_i8:
	case OP_fshr_i8: return wide_funnel(l, base == OP_fshl_i8, s, x[0], x[1], x[2], d);
	default: return false;
	}
}

/* Widen or narrow. */
static bool wide_convert(Lower *l, LLVMOpcode op, const ValueShape *from, const u32 *a,
                         const ValueShape *to, u32 *d)
{
	List x = list_new(l, from->n + to->n);
	list_add(&x, from->c, a, from->n);
	if (op == LLVMSExt) {
		Comp above = wide_comp(64);
		u32 sign = wide_sign(l, &from->c[from->n - 1], a[from->n - 1]);
		for (u32 i = 0; i < to->n; i++)
			list_add(&x, &above, &sign, 1);
	} else if (op != LLVMTrunc && op != LLVMZExt && op != LLVMPtrToInt && op != LLVMIntToPtr) {
		lo_error(l, "a conversion between floating point and an integer of more than 128 bits");
		diag_hint(l->d, "convert numbers of at most 64 bits");
		return false;
	}
	lo_repack(l, x.c, x.r, x.n, to, d);
	return true;
}

/* ---- instructions: each element of a vector ---- */

static LLVMTypeRef wide_element(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

bool lo_wide_binary(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	const ValueShape *e = lo_shape(l, wide_element(t));
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0)), *b = lo_val(l, LLVMGetOperand(v, 1));
	u32 n = lo_shape(l, t)->n, *d = lo_regs(l, n);
	for (u32 i = 0; i < n; i += e->n) {
		if (!wide_binary(l, op, e, a + i, b + i, d + i))
			return false;
	}
	lo_set(l, v, d);
	return true;
}

void lo_wide_icmp(Lower *l, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *e = lo_shape(l, wide_element(LLVMTypeOf(x)));
	const u32 *a = lo_val(l, x), *b = lo_val(l, LLVMGetOperand(v, 1));
	u32 n = lo_shape(l, LLVMTypeOf(v))->n, *d = lo_regs(l, n);
	for (u32 i = 0; i < n; i++)
		d[i] = wide_compare(l, LLVMGetICmpPredicate(v), e, a + i * e->n, b + i * e->n);
	lo_set(l, v, d);
}

bool lo_wide_cast(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	LLVMTypeRef from = LLVMTypeOf(x), to = LLVMTypeOf(v);
	const ValueShape *s = lo_shape(l, wide_element(from)), *e = lo_shape(l, wide_element(to));
	const u32 *a = lo_val(l, x);
	u32 n = lo_shape(l, to)->n, *d = lo_regs(l, n);
	for (u32 i = 0; i * e->n < n; i++) {
		if (!wide_convert(l, op, s, a + i * s->n, e, d + i * e->n))
			return false;
	}
	lo_set(l, v, d);
	return true;
}

bool lo_wide_intrinsic(Lower *l, LLVMValueRef v, Op base, u32 operands)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	const ValueShape *e = lo_shape(l, wide_element(t));
	u32 n = lo_shape(l, t)->n, *d = lo_regs(l, n);
	for (u32 i = 0; i < n; i += e->n) {
		const u32 *x[3] = {NULL};
		for (u32 k = 0; k < operands; k++)
			x[k] = lo_val(l, LLVMGetOperand(v, k)) + i;
		if (!wide_call(l, base, e, x, d + i))
			return false;
	}
	lo_set(l, v, d);
	return true;
}
