/* LLVM's intrinsics. Those that are one operation for each component are in
 * lower.def; here are the others and what both need for odd widths and half. */
#include "frontend/lower/lowering.h"

enum { SIGNED = 1, CUT = 2, WHOLE = 4, ONLY_F32 = 8 };

typedef struct IntrinRow {
	const char *name;
	u16 op;
	u8 operands, flags;
} IntrinRow;

static const IntrinRow int_calls[] = {
#define INT_CALL(intrinsic, family, operands, f) {#intrinsic, OP_##family##_i8, operands, f},
#include "frontend/lower/lower.def"
};
static const IntrinRow flt_calls[] = {
#define FLT_CALL(intrinsic, family, operands) {#intrinsic, OP_##family##_f32, operands, 0},
#define F32_CALL(intrinsic, operation, operands) {#intrinsic, OP_##operation, operands, ONLY_F32},
#include "frontend/lower/lower.def"
};

bool intrin_is(const char *name, const char *base)
{
	size_t n = strlen(base);
	return !strncmp(name, base, n) && (!name[n] || name[n] == '.');
}

static const IntrinRow *intrin_row(const IntrinRow *rows, u32 n, const char *name)
{
	for (u32 i = 0; i < n; i++) {
		if (intrin_is(name, rows[i].name))
			return &rows[i];
	}
	return NULL;
}

/* ---- integers ---- */

static u32 intrin_b1(Lower *l, Op op, const u32 *a)
{
	switch (op) {
	case OP_umin_i8:
	case OP_smax_i8: return lo_and(l, a[0], a[1]);
	case OP_umax_i8:
	case OP_smin_i8:
	case OP_uadd_sat_i8:
	case OP_sadd_sat_i8: return lo_or(l, a[0], a[1]);
	case OP_usub_sat_i8:
	case OP_ssub_sat_i8: return lo_and(l, a[0], lo_not(l, a[1]));
	case OP_ctlz_i8:
	case OP_cttz_i8: return lo_not(l, a[0]);
	default: return a[0]; /* ctpop, bitreverse, abs; a funnel shift by 0 */
	}
}

/* A sum or difference kept within the signed range of a width below its register's. */
static u32 intrin_clamp(Lower *l, u32 x, u32 bits)
{
	Type t = lo_type(l, x);
	u128 most = ((u128)1 << (bits - 1)) - 1;
	x = lo_bin_on(l, OP_smin_i8, x, lo_c(l, t, most));
	x = lo_bin_on(l, OP_smax_i8, x, lo_c(l, t, ~most));
	return lo_cut(l, x, bits);
}

static u32 intrin_funnel(Lower *l, bool left, const u32 *a, u32 bits)
{
	Type t = lo_type(l, a[0]);
	u32 w = lo_c(l, t, bits), n = lo_bin_on(l, OP_urem_i8, a[2], w);
	u32 rest = lo_bin_on(l, OP_sub_i8, w, n);
	u32 high = lo_bin_on(l, OP_shl_i8, a[0], left ? n : rest);
	u32 low = lo_bin_on(l, OP_lshr_i8, a[1], left ? rest : n);
	return lo_cut(l, lo_or(l, high, low), bits);
}

/* Of a width below the register's, where the plain operation is not enough. */
static u32 intrin_odd(Lower *l, Op op, const u32 *a, u32 bits)
{
	Type t = lo_type(l, a[0]);
	u32 spare = type_bytes[t] * 8u - bits;
	switch (op) {
	case OP_uadd_sat_i8:
		return lo_bin_on(l, OP_umin_i8, lo_bin_on(l, OP_add_i8, a[0], a[1]),
		               lo_c(l, t, ((u128)1 << bits) - 1));
	case OP_sadd_sat_i8:
	case OP_ssub_sat_i8:
		return intrin_clamp(l, lo_bin_on(l, op == OP_sadd_sat_i8 ? OP_add_i8 : OP_sub_i8,
		                               lo_signed(l, a[0], bits), lo_signed(l, a[1], bits)), bits);
	case OP_ctlz_i8:
		return lo_bin_on(l, OP_sub_i8, lo_un_on(l, op, a[0]), lo_c(l, t, spare));
	case OP_cttz_i8:
		return lo_un_on(l, op, lo_or(l, a[0], lo_c(l, t, (u128)1 << bits)));
	case OP_fshl_i8:
	case OP_fshr_i8:
		return intrin_funnel(l, op == OP_fshl_i8, a, bits);
	default: /* bswap, bitrev */
		return lo_lshr(l, lo_un_on(l, op, a[0]), spare);
	}
}

static u32 intrin_int(Lower *l, const IntrinRow *r, const Comp *k, u32 *a)
{
	bool odd = k->bits != type_bytes[k->type] * 8u;
	if (k->type == T_b1)
		return intrin_b1(l, (Op)r->op, a);
	if (odd && r->flags & WHOLE)
		return intrin_odd(l, (Op)r->op, a, k->bits);
	for (u32 i = 0; r->flags & SIGNED && i < r->operands; i++)
		a[i] = lo_signed(l, a[i], k->bits);
	u32 d = lo_op(l, op_on((Op)r->op, (Type)k->type), a, r->operands);
	return r->flags & CUT ? lo_cut(l, d, k->bits) : d;
}

static u32 intrin_flt(Lower *l, const IntrinRow *r, const Comp *k, u32 *a)
{
	if (k->cls != C_HALF)
		return lo_op(l, op_on((Op)r->op, (Type)k->type), a, r->operands);
	for (u32 i = 0; i < r->operands; i++)
		a[i] = lo_half_up(l, a[i]);
	return lo_half_down(l, lo_op(l, (Op)r->op, a, r->operands));
}

static bool intrin_table(Lower *l, LLVMValueRef v, const char *name)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	const IntrinRow *in = intrin_row(int_calls, COUNT(int_calls), name);
	const IntrinRow *fl = in ? NULL : intrin_row(flt_calls, COUNT(flt_calls), name);
	const IntrinRow *r = in ? in : fl;
	const u32 *arg[3];
	if (!r || (r->flags & ONLY_F32 && s->c[0].type == T_f64))
		return false;
	if (s->wide)
		return lo_wide_intrinsic(l, v, (Op)r->op, r->operands);
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < r->operands; i++)
		arg[i] = lo_val(l, LLVMGetOperand(v, i));
	for (u32 k = 0; k < s->n; k++) {
		u32 a[3] = {0};
		for (u32 i = 0; i < r->operands; i++)
			a[i] = arg[i][k];
		d[k] = in ? intrin_int(l, r, &s->c[k], a) : intrin_flt(l, r, &s->c[k], a);
	}
	lo_set(l, v, d);
	return true;
}

/* ---- arithmetic with an overflow bit ---- */

/* Products as wide as needed; other results fit their register plus a comparison. */
static void overflow_mul(Lower *l, bool sign, const Comp *k, u32 a, u32 b, u32 *d)
{
	Type wide = lo_int_type(k->bits * 2u);
	a = sign ? lo_sext(l, lo_signed(l, a, k->bits), wide) : lo_zext(l, a, wide);
	b = sign ? lo_sext(l, lo_signed(l, b, k->bits), wide) : lo_zext(l, b, wide);
	u32 p = lo_bin_on(l, OP_mul_i8, a, b);
	d[0] = lo_cut(l, lo_zext(l, p, (Type)k->type), k->bits);
	u32 back = sign ? lo_sext(l, lo_signed(l, d[0], k->bits), wide) : lo_zext(l, d[0], wide);
	d[1] = lo_bin_on(l, OP_ne_i8, back, p);
}

static void overflow_add(Lower *l, bool sign, bool sub, const Comp *k, u32 a, u32 b, u32 *d)
{
	u32 bits = k->bits;
	d[0] = lo_cut(l, lo_bin_on(l, sub ? OP_sub_i8 : OP_add_i8, a, b), bits);
	if (!sign) {
		d[1] = sub ? lo_bin_on(l, OP_ult_i8, a, b) : lo_bin_on(l, OP_ult_i8, d[0], a);
		return;
	}
	/* Overflow: the result's sign is neither operand's (of a - b: a's and not b's). */
	u32 x = lo_xor(l, a, d[0]), y = sub ? lo_xor(l, a, b) : lo_xor(l, b, d[0]);
	u32 z = lo_signed(l, lo_and(l, x, y), bits);
	d[1] = lo_bin_on(l, OP_slt_i8, z, lo_c(l, lo_type(l, z), 0));
}

static bool intrin_overflow(Lower *l, LLVMValueRef v, const char *name)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	const u32 *a = lo_val(l, x), *b = lo_val(l, LLVMGetOperand(v, 1));
	bool sign = name[0] == 's';
	u32 *d = lo_regs(l, s->n * 2);
	if (s->wide || s->c[0].type == T_b1 || (name[1] == 'm' && s->c[0].bits > 64))
		return false;
	for (u32 i = 0; i < s->n; i++) {
		u32 r[2];
		if (name[1] == 'm')
			overflow_mul(l, sign, &s->c[i], a[i], b[i], r);
		else
			overflow_add(l, sign, name[1] == 's', &s->c[i], a[i], b[i], r);
		d[i] = r[0];
		d[s->n + i] = r[1];
	}
	lo_set(l, v, d);
	return true;
}

/* ---- floats ---- */

static u32 float_mask(Lower *l, const Comp *k, u32 a, bool sign_only)
{
	Type t = k->cls == C_HALF ? T_i16 : k->type == T_f32 ? T_i32 : T_i64;
	u128 sign = (u128)1 << (k->bits - 1);
	return lo_and(l, a, lo_c(l, t, sign_only ? sign : sign - 1));
}

static u32 float_one(Lower *l, const char *name, const Comp *k, u32 a, u32 b)
{
	if (intrin_is(name, "fabs"))
		return k->cls == C_HALF ? float_mask(l, k, a, false) : lo_un_on(l, OP_fabs_f32, a);
	if (intrin_is(name, "copysign"))
		return k->cls == C_HALF ? lo_or(l, float_mask(l, k, a, false), float_mask(l, k, b, true))
		                        : lo_bin_on(l, OP_copysign_f32, a, b);
	/* canonicalize: a NaN becomes quiet. */
	if (k->cls == C_HALF)
		return lo_half_down(l, lo_half_up(l, a));
	u128 one = k->type == T_f32 ? 0x3f800000u : 0x3ff0000000000000ull;
	return lo_bin_on(l, OP_fmul_f32, a, lo_c(l, (Type)k->type, one));
}

static bool intrin_float(Lower *l, LLVMValueRef v, const char *name)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0));
	const u32 *b = intrin_is(name, "copysign") ? lo_val(l, LLVMGetOperand(v, 1)) : a;
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++)
		d[i] = float_one(l, name, &s->c[i], a[i], b[i]);
	lo_set(l, v, d);
	return true;
}

/* Classes of llvm.is.fpclass by magnitude. Bits of its mask: 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6
 * +0 … 9 +inf. */
enum { CLASSES = 6, NEGATIVE = 1, POSITIVE = 2 };
static const u8 class_bit[CLASSES] = {5, 4, 3, 2, 0, 1};

/* The signs for which a mask has a class. */
static u32 class_signs(u32 mask, u32 class)
{
	u32 bit = class_bit[class];
	bool negative = mask >> bit & 1, positive = bit < 2 ? negative : mask >> (11 - bit) & 1;
	return (negative ? NEGATIVE : 0u) | (positive ? POSITIVE : 0u);
}

/* Is m, the bits without sign, of the classes from `first` to before `end`? begins: where each of them does. */
static u32 class_range(Lower *l, u32 m, const u128 *begins, u32 first, u32 end)
{
	Type t = lo_type(l, m);
	bool any = first == 0, all = end == CLASSES;
	if (begins[end] - begins[first] == 1)
		return lo_bin_on(l, OP_eq_i8, m, lo_c(l, t, begins[first]));
	u32 above = any ? lo_c(l, T_b1, 1) : lo_bin_on(l, OP_ule_i8, lo_c(l, t, begins[first]), m);
	u32 below = all ? lo_c(l, T_b1, 1) : lo_bin_on(l, OP_ult_i8, m, lo_c(l, t, begins[end]));
	return any ? below : all ? above : lo_and(l, above, below);
}

/* Neighbouring classes with the same signs are one range. */
static u32 class_one(Lower *l, const Comp *k, u32 a, u32 mask)
{
	u32 fraction = k->bits == 16 ? 10 : k->bits == 32 ? 23 : 52;
	u32 x = lo_to_bits(l, a), d = lo_c(l, T_b1, 0);
	Type t = lo_type(l, x);
	u128 sign = (u128)1 << (k->bits - 1), one = (u128)1 << fraction;
	u128 inf = (sign - 1) & ~(one - 1);
	const u128 begins[CLASSES + 1] = {0, 1, one, inf, inf + 1, inf | one >> 1, sign};
	u32 m = lo_and(l, x, lo_c(l, t, sign - 1));
	u32 negative = lo_bin_on(l, OP_slt_i8, x, lo_c(l, t, 0));

	for (u32 first = 0, end; first < CLASSES; first = end) {
		u32 signs = class_signs(mask, first);
		for (end = first + 1; end < CLASSES && class_signs(mask, end) == signs; end++)
			;
		if (!signs)
			continue;
		u32 y = class_range(l, m, begins, first, end);
		if (signs != (NEGATIVE | POSITIVE))
			y = lo_and(l, y, signs == NEGATIVE ? negative : lo_not(l, negative));
		d = lo_or(l, d, y);
	}
	return d;
}

/* A mask known only at run time (amdgcn.class): class by class. */
static u32 class_any(Lower *l, const Comp *k, u32 a, u32 mask)
{
	u32 d = lo_c(l, T_b1, 0);
	for (u32 bit = 0; bit < 10; bit++) {
		u32 wanted = lo_zext(l, lo_lshr(l, mask, bit), T_b1);
		d = lo_or(l, d, lo_and(l, wanted, class_one(l, k, a, 1u << bit)));
	}
	return d;
}

static bool intrin_class(Lower *l, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	const u32 *a = lo_val(l, x);
	u32 *d = lo_regs(l, s->n);
	u128 mask = 0;
	bool known = lo_const_int(LLVMGetOperand(v, 1), &mask);
	u32 given = known ? 0 : lo_val1(l, LLVMGetOperand(v, 1));
	for (u32 i = 0; i < s->n; i++)
		d[i] = known ? class_one(l, &s->c[i], a[i], (u32)mask)
		             : class_any(l, &s->c[i], a[i], given);
	lo_set(l, v, d);
	return true;
}

static bool intrin_to_int_sat(Lower *l, LLVMValueRef v, bool sign)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v)), *from = lo_shape(l, LLVMTypeOf(x));
	const u32 *a = lo_val(l, x);
	u32 *d = lo_regs(l, s->n);
	if (s->wide)
		return false;
	for (u32 i = 0; i < s->n; i++) {
		const Comp *k = &s->c[i];
		u32 y = from->c[i].cls == C_HALF ? lo_half_up(l, a[i]) : a[i];
		Type t = k->type == T_b1 ? T_i8 : (Type)k->type;
		d[i] = lo_convert(l, sign ? CONVERT_fptosi_sat : CONVERT_fptoui_sat, y, t);
		if (k->bits == type_bytes[t] * 8u)
			continue;
		if (sign)
			d[i] = intrin_clamp(l, d[i], k->bits);
		else
			d[i] = lo_bin_on(l, OP_umin_i8, d[i], lo_c(l, t, ((u128)1 << k->bits) - 1));
		d[i] = lo_zext(l, d[i], (Type)k->type);
	}
	lo_set(l, v, d);
	return true;
}

/* ---- dispatch ---- */

static bool intrin_more(Lower *l, LLVMValueRef v, const char *name)
{
	if (intrin_is(name, "fabs") || intrin_is(name, "copysign") || intrin_is(name, "canonicalize"))
		return intrin_float(l, v, name);
	if (intrin_is(name, "is.fpclass") || intrin_is(name, "amdgcn.class"))
		return intrin_class(l, v);
	if (intrin_is(name, "fptosi.sat") || intrin_is(name, "fptoui.sat"))
		return intrin_to_int_sat(l, v, name[4] == 's');
	if (strlen(name) > 5 && !strncmp(name + 4, ".with.overflow", 14))
		return intrin_overflow(l, v, name);
	if (intrin_is(name, "memcpy") || intrin_is(name, "memmove"))
		return lo_copy(l, v);
	if (intrin_is(name, "memset"))
		return lo_fill(l, v);
	return lo_machine_intrinsic(l, v, name) || lo_vector_intrinsic(l, v, name) ||
	       lo_amdgcn(l, v, name);
}

bool lo_intrinsic(Lower *l, LLVMValueRef v, const char *name)
{
	static const char *const ignored[] = {
		"dbg", "lifetime", "invariant", "assume", "experimental.noalias.scope.decl", "sideeffect",
		"donothing", "prefetch", "var.annotation", "pseudoprobe", "stackrestore", "trap",
		"debugtrap", "ubsantrap", "va_end", "va_start", "amdgcn.sched.barrier", "amdgcn.s.sleep",
		"amdgcn.s.waitcnt", "amdgcn.s.setprio",
	};
	static const char *const first_operand[] = {
		"expect", "ssa.copy", "arithmetic.fence", "annotation", "ptr.annotation",
		"launder.invariant.group", "strip.invariant.group",
	};
	for (u32 i = 0; i < COUNT(ignored); i++) {
		if (intrin_is(name, ignored[i]))
			return true;
	}
	for (u32 i = 0; i < COUNT(first_operand); i++) {
		if (intrin_is(name, first_operand[i])) {
			lo_set(l, v, lo_val(l, LLVMGetOperand(v, 0)));
			return true;
		}
	}
	return intrin_table(l, v, name) || intrin_more(l, v, name);
}
