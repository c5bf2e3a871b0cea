/* x86 intrinsics of PoCL's builtin library as small expansions; the rows are x86.def.
 * They are exact, rounding modes and NaNs included: PoCL's own run, which executes the
 * instructions themselves, is the reference. */
#include "frontend/lower/lowering.h"

enum { CVT_NEAREST, CVT_TRUNC, CVT_OPERAND };
enum { TEST_Z = 1, TEST_C = 2, TEST_NZC = 3, TEST_SIGNS = 4 };
#define PERM(of, bit) ((of) << 4 | (bit))

typedef struct X86Call {
	Lower *l;
	LLVMValueRef v;
	const ValueShape *s;   /* of the result */
	const ValueShape *in;  /* of the first operand */
	const u32 *a, *b; /* first two operands; b only where there is one */
	u32 *d;
	u32 detail;
} X86Call;

/* A constant operand. */
static u32 x86_imm(const X86Call *x, u32 operand)
{
	u128 c = 0;
	lo_const_int(LLVMGetOperand(x->v, operand), &c);
	return (u32)c;
}

/* Take the pass-through value where the mask's bit is off. */
static void x86_mask(X86Call *x, u32 pass, u32 mask)
{
	Lower *l = x->l;
	const u32 *p = lo_val(l, LLVMGetOperand(x->v, pass));
	u32 m = lo_val1(l, LLVMGetOperand(x->v, mask));
	for (u32 i = 0; i < x->s->n; i++) {
		u32 bit = l->p->regs.v[m].kind == REG_CONST
		                  ? lo_c(l, T_b1, l->p->regs.v[m].value >> i)
		                  : lo_zext(l, lo_lshr(l, m, i), T_b1);
		x->d[i] = lo_select(l, bit, x->d[i], p[i]);
	}
}

/* ---- conversions ---- */

enum { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO, ROUND_CURRENT = 4 };

static u32 x86_to_integral(Lower *l, u32 a, u32 mode)
{
	static const u16 op[] = {OP_rint_f32, OP_floor_f32, OP_ceil_f32, OP_trunc_f32};
	return lo_un_on(l, (Op)(mode & ROUND_CURRENT ? OP_rint_f32 : op[mode & 3]), a);
}

static bool x86_cvt(X86Call *x)
{
	Lower *l = x->l;
	bool masked = LLVMGetNumArgOperands(x->v) == 4;
	u32 mode = x->detail == CVT_OPERAND ? x86_imm(x, 3) : 0;
	bool trunc = x->detail == CVT_TRUNC || (mode & 7) == ROUND_ZERO;
	for (u32 i = 0; i < x->s->n; i++) {
		if (i >= x->in->n) { /* the upper half of two doubles */
			x->d[i] = lo_c(l, T_i32, 0);
			continue;
		}
		u32 a = x->a[i];
		if (!trunc && !(mode & ROUND_CURRENT) && (mode & 3))
			a = x86_to_integral(l, a, mode & 3);
		Op f32 = trunc ? OP_cvtt_i32_f32 : OP_cvtr_i32_f32;
		Op f64 = trunc ? OP_cvtt_i32_f64 : OP_cvtr_i32_f64;
		x->d[i] = lo_un(l, lo_type(l, a) == T_f64 ? f64 : f32, a);
	}
	if (masked)
		x86_mask(x, 1, 2);
	return true;
}

/* The half next to h: toward zero, or away from it. */
static u32 x86_half_step(Lower *l, u32 h, bool away)
{
	return lo_bin_on(l, away ? OP_add_i8 : OP_sub_i8, h, lo_c(l, T_i16, 1));
}

/* To half in a directed mode: round to nearest, then step back where that went too far. */
static u32 x86_half(Lower *l, u32 a, u32 mode)
{
	u32 h = lo_half_down(l, a), back = lo_half_up(l, h);
	if (mode & ROUND_CURRENT || mode == ROUND_NEAREST)
		return h;
	if (mode == ROUND_ZERO) {
		u32 far = lo_bin_on(l, OP_olt_f32, lo_un_on(l, OP_fabs_f32, a), lo_un_on(l, OP_fabs_f32, back));
		return lo_select(l, far, x86_half_step(l, h, false), h);
	}
	u32 negative = lo_bin_on(l, OP_slt_i8, h, lo_c(l, T_i16, 0));
	u32 wrong = mode == ROUND_UP ? lo_bin_on(l, OP_olt_f32, back, a)
	                             : lo_bin_on(l, OP_olt_f32, a, back);
	u32 in = x86_half_step(l, h, false), out = x86_half_step(l, h, true);
	u32 step = mode == ROUND_UP ? lo_select(l, negative, in, out) : lo_select(l, negative, out, in);
	return lo_select(l, wrong, step, h);
}

static bool x86_to_half(X86Call *x)
{
	for (u32 i = 0; i < x->s->n; i++)
		x->d[i] = i < x->in->n ? x86_half(x->l, x->a[i], x86_imm(x, 1) & 7)
		                       : lo_c(x->l, T_i16, 0);
	return true;
}

static bool x86_round(X86Call *x)
{
	for (u32 i = 0; i < x->s->n; i++)
		x->d[i] = x86_to_integral(x->l, x->a[i], x86_imm(x, 1) & 7);
	return true;
}

/* ---- choice ---- */

static bool x86_minmax(X86Call *x)
{
	for (u32 i = 0; i < x->s->n; i++)
		x->d[i] = lo_bin_on(x->l, (Op)x->detail, x->a[i], x->b[i]);
	return true;
}

static u32 x86_sign(Lower *l, u32 a)
{
	u32 bits = lo_to_bits(l, a);
	const Reg *r = &l->p->regs.v[bits];
	if (r->kind == REG_CONST)
		return lo_c(l, T_b1, r->value >> (type_bytes[r->type] * 8 - 1));
	return lo_bin_on(l, OP_slt_i8, bits, lo_c(l, lo_type(l, bits), 0));
}

static bool x86_blend(X86Call *x)
{
	const u32 *m = lo_val(x->l, LLVMGetOperand(x->v, 2));
	for (u32 i = 0; i < x->s->n; i++)
		x->d[i] = lo_select(x->l, x86_sign(x->l, m[i]), x->b[i], x->a[i]);
	return true;
}

static bool x86_test(X86Call *x)
{
	Lower *l = x->l;
	u32 z = NO_BLOCK, c = NO_BLOCK; /* or of a & b, of ~a & b */
	u32 what = x->detail & 3, t;
	for (u32 i = 0; i < x->in->n; i++) {
		u32 a = lo_to_bits(l, x->a[i]), b = lo_to_bits(l, x->b[i]);
		u32 both = lo_and(l, a, b), not_a = lo_xor(l, a, lo_c(l, lo_type(l, a), ~(u128)0));
		u32 only = lo_and(l, not_a, b);
		z = i ? lo_or(l, z, both) : both;
		c = i ? lo_or(l, c, only) : only;
	}
	u32 zero = lo_c(l, lo_type(l, z), 0);
	Op is_zero = x->detail & TEST_SIGNS ? OP_sle_i8 : OP_eq_i8;
	u32 no_z = x->detail & TEST_SIGNS ? lo_bin_on(l, is_zero, zero, z) : lo_bin_on(l, is_zero, z, zero);
	u32 no_c = x->detail & TEST_SIGNS ? lo_bin_on(l, is_zero, zero, c) : lo_bin_on(l, is_zero, c, zero);
	t = what == TEST_Z ? no_z : what == TEST_C ? no_c : lo_and(l, lo_not(l, no_z), lo_not(l, no_c));
	x->d[0] = lo_zext(l, t, T_i32);
	return true;
}

static bool x86_signs(X86Call *x)
{
	Lower *l = x->l;
	u32 d = lo_c(l, T_i32, 0);
	for (u32 i = 0; i < x->in->n; i++)
		d = lo_or(l, d, lo_shl(l, lo_zext(l, x86_sign(l, x->a[i]), T_i32), i));
	x->d[0] = d;
	return true;
}

/* Component i is chosen by index i among all, or among its group. */
static bool x86_permute(X86Call *x)
{
	Lower *l = x->l;
	u32 of = x->detail >> 4 ? x->detail >> 4 : x->s->n, bit = x->detail & 15;
	for (u32 i = 0; i < x->s->n; i++) {
		u32 *s = lo_regs(l, of + 1);
		u32 at = lo_zext(l, lo_lshr(l, x->b[i], bit), T_i32);
		s[0] = lo_and(l, at, lo_c(l, T_i32, of - 1));
		memcpy(s + 1, x->a + i / of * of, of * sizeof *s);
		x->d[i] = program_reg(l->p, lo_type(l, s[1]), lo_kind(l, s, of + 1), NULL);
		lo_emit(l, OP_pick, &x->d[i], 1, s, of + 1);
	}
	return true;
}

/* ---- the parts of a float ---- */

typedef struct Flt {
	const Comp *k;
	Type t; /* of its bits */
	u32 fraction, bias;
	u128 sign, inf;
} Flt;

static Flt x86_flt(const Comp *k)
{
	Flt f = {.k = k, .t = k->type == T_f32 ? T_i32 : T_i64, .fraction = k->type == T_f32 ? 23 : 52,
	         .bias = k->type == T_f32 ? 127 : 1023};
	f.sign = (u128)1 << (k->bits - 1);
	f.inf = (f.sign - 1) & ~(((u128)1 << f.fraction) - 1);
	return f;
}

static u32 x86_bits(Lower *l, const Flt *f, u128 v) { return lo_c(l, f->t, v); }
static u32 x86_const(Lower *l, const Flt *f, u128 v)
{
	return lo_from_bits(l, lo_c(l, f->t, v), f->k);
}

static u128 x86_one(const Flt *f) { return (u128)f->bias << f->fraction; }
static u128 x86_quiet(const Flt *f) { return f->inf | (u128)1 << (f->fraction - 1); }

/* Bits of |a|, subnormals scaled up to normal numbers; *exp: the exponent without bias. */
static u32 x86_normal(Lower *l, const Flt *f, u32 a, u32 *exp)
{
	u32 m = lo_and(l, lo_to_bits(l, a), x86_bits(l, f, f->sign - 1));
	u32 small = lo_bin_on(l, OP_ult_i8, m, x86_bits(l, f, (u128)1 << f->fraction));
	u128 scale = (u128)(f->bias + 64) << f->fraction;
	u32 scaled = lo_bin_on(l, OP_fmul_f32, lo_from_bits(l, m, f->k), x86_const(l, f, scale));
	u32 up = lo_to_bits(l, scaled);
	u32 n = lo_select(l, small, up, m);
	u32 e = lo_lshr(l, n, f->fraction);
	u32 off = lo_select(l, small, x86_bits(l, f, f->bias + 64), x86_bits(l, f, f->bias));
	*exp = lo_bin_on(l, OP_sub_i8, e, off);
	return n;
}

static u32 x86_is_nan(Lower *l, u32 a) { return lo_bin_on(l, OP_uno_f32, a, a); }

static u32 x86_quieted(Lower *l, const Flt *f, u32 a)
{
	return lo_from_bits(l, lo_or(l, lo_to_bits(l, a), x86_bits(l, f, x86_quiet(f))), f->k);
}

static u32 x86_exponent_one(Lower *l, const Flt *f, u32 a)
{
	u32 e, m, d;
	u32 mag = lo_un_on(l, OP_fabs_f32, a);
	u32 inf = x86_const(l, f, f->inf), zero = x86_const(l, f, 0);
	m = x86_normal(l, f, a, &e);
	(void)m;
	d = lo_un(l, f->k->type == T_f32 ? OP_sitofp_f32_i32 : OP_sitofp_f64_i64, e);
	d = lo_select(l, lo_bin_on(l, OP_oeq_f32, mag, inf), inf, d);
	d = lo_select(l, lo_bin_on(l, OP_oeq_f32, mag, zero), x86_const(l, f, f->inf | f->sign), d);
	return lo_select(l, x86_is_nan(l, a), x86_quieted(l, f, a), d);
}

static bool x86_exponent(X86Call *x)
{
	for (u32 i = 0; i < x->s->n; i++) {
		Flt f = x86_flt(&x->s->c[i]);
		x->d[i] = x86_exponent_one(x->l, &f, x->a[i]);
	}
	x86_mask(x, 1, 2);
	return true;
}

/* The mantissa in the interval that imm names, with the sign it asks for. */
static u32 x86_mantissa_one(Lower *l, const Flt *f, u32 a, u32 imm)
{
	u32 interval = imm & 3, sc = imm >> 2 & 3, e;
	u32 m = x86_normal(l, f, a, &e), bits = lo_to_bits(l, a);
	u32 frac = lo_and(l, m, x86_bits(l, f, ((u128)1 << f->fraction) - 1));
	u32 one = x86_bits(l, f, x86_one(f)), half = x86_bits(l, f, (u128)(f->bias - 1) << f->fraction);
	u32 upper = interval == 1 ? e : lo_lshr(l, frac, f->fraction - 1);
	u32 low = interval == 0   ? lo_c(l, T_b1, 0)
	          : interval == 2 ? lo_c(l, T_b1, 1)
	                          : lo_zext(l, upper, T_b1);
	u32 d = lo_or(l, frac, lo_select(l, low, half, one));
	u32 mag = lo_un_on(l, OP_fabs_f32, a), negative = x86_sign(l, a);
	u32 zero = lo_bin_on(l, OP_oeq_f32, mag, x86_const(l, f, 0));
	u32 infinite = lo_bin_on(l, OP_oeq_f32, mag, x86_const(l, f, f->inf));
	d = lo_select(l, lo_or(l, zero, infinite), one, d);
	if (!(sc & 1))
		d = lo_or(l, d, lo_and(l, bits, x86_bits(l, f, f->sign)));
	if (sc & 2)
		d = lo_select(l, lo_and(l, negative, lo_not(l, zero)),
		              x86_bits(l, f, x86_quiet(f) | f->sign), d);
	return lo_select(l, x86_is_nan(l, a), x86_quieted(l, f, a), lo_from_bits(l, d, f->k));
}

static bool x86_mantissa(X86Call *x)
{
	for (u32 i = 0; i < x->s->n; i++) {
		Flt f = x86_flt(&x->s->c[i]);
		x->d[i] = x86_mantissa_one(x->l, &f, x->a[i], x86_imm(x, 1));
	}
	x86_mask(x, 2, 3);
	return true;
}

/* ---- fixupimm: special values by a table of answers ---- */

enum { TOKEN_QNAN, TOKEN_SNAN, TOKEN_ZERO, TOKEN_ONE, TOKEN_NEG_INF, TOKEN_POS_INF, TOKEN_NEG,
       TOKEN_POS };

static u32 x86_token(Lower *l, const Flt *f, u32 s, u32 token)
{
	u32 bits = lo_to_bits(l, s), quiet = x86_bits(l, f, (u128)1 << (f->fraction - 1));
	u32 zero = x86_bits(l, f, 0), is_quiet;
	switch (token) {
	case TOKEN_QNAN:
	case TOKEN_SNAN:
		is_quiet = lo_bin_on(l, token == TOKEN_QNAN ? OP_ne_i8 : OP_eq_i8, lo_and(l, bits, quiet),
		                   zero);
		return lo_and(l, x86_is_nan(l, s), is_quiet);
	case TOKEN_ZERO: return lo_bin_on(l, OP_oeq_f32, s, x86_const(l, f, 0));
	case TOKEN_ONE: return lo_bin_on(l, OP_oeq_f32, s, x86_const(l, f, x86_one(f)));
	case TOKEN_NEG_INF: return lo_bin_on(l, OP_oeq_f32, s, x86_const(l, f, f->inf | f->sign));
	case TOKEN_POS_INF: return lo_bin_on(l, OP_oeq_f32, s, x86_const(l, f, f->inf));
	case TOKEN_NEG: return lo_bin_on(l, OP_olt_f32, s, x86_const(l, f, 0));
	default: return lo_bin_on(l, OP_olt_f32, x86_const(l, f, 0), s);
	}
}

static u32 x86_answer(Lower *l, const Flt *f, u32 keep, u32 s, u32 answer)
{
	bool wide = f->k->type == T_f64;
	u32 sign;
	switch (answer) {
	case 0: return keep;
	case 1: return s;
	case 2: return x86_quieted(l, f, s);
	case 3: return x86_const(l, f, x86_quiet(f) | f->sign);
	case 4: return x86_const(l, f, f->inf | f->sign);
	case 5: return x86_const(l, f, f->inf);
	case 6:
		sign = lo_and(l, lo_to_bits(l, s), x86_bits(l, f, f->sign));
		return lo_from_bits(l, lo_or(l, sign, x86_bits(l, f, f->inf)), f->k);
	case 7: return x86_const(l, f, f->sign);
	case 8: return x86_const(l, f, 0);
	case 9: return x86_const(l, f, x86_one(f) | f->sign);
	case 10: return x86_const(l, f, x86_one(f));
	case 11: return x86_const(l, f, (u128)(f->bias - 1) << f->fraction);
	case 12: return x86_const(l, f, wide ? 0x4056800000000000ull : 0x42b40000u); /* 90 */
	case 13: return x86_const(l, f, wide ? 0x3ff921fb54442d18ull : 0x3fc90fdbu); /* pi / 2 */
	case 14: return x86_const(l, f, f->inf - 1);
	default: return x86_const(l, f, (f->inf - 1) | f->sign);
	}
}

static bool x86_fixup(X86Call *x)
{
	Lower *l = x->l;
	const u32 *table = lo_val(l, LLVMGetOperand(x->v, 2));
	for (u32 i = 0; i < x->s->n; i++) {
		Flt f = x86_flt(&x->s->c[i]);
		if (l->p->regs.v[table[i]].kind != REG_CONST)
			return false;
		u32 answers = (u32)l->p->regs.v[table[i]].value, d = x->a[i];
		/* Later tokens win; +1 and the infinities are also positive or negative values. */
		static const u8 order[] = {TOKEN_NEG, TOKEN_POS, TOKEN_ZERO, TOKEN_ONE, TOKEN_NEG_INF,
		                           TOKEN_POS_INF, TOKEN_SNAN, TOKEN_QNAN};
		for (u32 k = 0; k < COUNT(order); k++) {
			u32 answer = x86_answer(l, &f, x->a[i], x->b[i], answers >> (4 * order[k]) & 15);
			d = lo_select(l, x86_token(l, &f, x->b[i], order[k]), answer, d);
		}
		x->d[i] = d;
	}
	u32 m = x86_imm(x, 4), all = ((u32)1 << x->s->n) - 1;
	/* A component that is switched off keeps the first operand. */
	if ((m & all) != all || !LLVMIsConstant(LLVMGetOperand(x->v, 4)))
		x86_mask(x, 0, 4);
	return true;
}

/* ---- dispatch ---- */

bool lo_x86(Lower *l, LLVMValueRef v, const char *name)
{
	static const struct {
		const char *name;
		bool (*expand)(X86Call *x);
		u32 detail;
	} rows[] = {
#define X86(n, expansion, detail) {#n, x86_##expansion, detail},
#include "frontend/lower/x86.def"
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (strcmp(rows[i].name, name))
			continue;
		X86Call x = {.l = l, .v = v, .detail = rows[i].detail};
		LLVMValueRef a = LLVMGetOperand(v, 0);
		x.s = lo_shape(l, LLVMTypeOf(v));
		x.in = lo_shape(l, LLVMTypeOf(a));
		x.a = lo_val(l, a);
		x.b = LLVMGetNumArgOperands(v) > 1 ? lo_val(l, LLVMGetOperand(v, 1)) : x.a;
		x.d = lo_regs(l, x.s->n);
		if (!rows[i].expand(&x))
			return false;
		lo_set(l, v, x.d);
		return true;
	}
	return false;
}
