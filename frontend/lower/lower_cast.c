/* Conversions: widths, int <-> float, address spaces, reinterpretation. */
#include "frontend/lower/lowering.h"

/* ---- numbers ---- */

static u32 cast_to_int(Lower *l, Convert how, const Comp *from, const Comp *to, u32 a)
{
	Type t = to->type == T_b1 ? T_i8 : (Type)to->type;
	if (from->cls == C_HALF)
		a = lo_half_up(l, a);
	u32 d = lo_convert(l, how, a, t);
	return to->type == T_b1 ? lo_zext(l, d, T_b1) : lo_cut(l, d, to->bits);
}

static u32 cast_from_int(Lower *l, bool sign, const Comp *from, const Comp *to, u32 a)
{
	if (from->type == T_b1)
		a = sign ? lo_sext(l, a, T_i8) : lo_zext(l, a, T_i8);
	else if (sign)
		a = lo_signed(l, a, from->bits);
	Type t = to->type == T_f64 ? T_f64 : T_f32;
	u32 d = lo_convert(l, sign ? CONVERT_sitofp : CONVERT_uitofp, a, t);
	/* As the host does it: through float, rounded twice. */
	return to->cls == C_HALF ? lo_half_down(l, d) : d;
}

static u32 cast_float(Lower *l, const Comp *from, const Comp *to, u32 a)
{
	if (from->cls == to->cls && from->type == to->type)
		return a;
	if (to->cls == C_HALF)
		return lo_half_down(l, a);
	if (from->cls == C_HALF)
		a = lo_half_up(l, a);
	if (lo_type(l, a) == to->type)
		return a;
	return lo_un(l, to->type == T_f64 ? OP_fpext_f64_f32 : OP_fptrunc_f32_f64, a);
}

static u32 space_cast(Lower *l, u32 a, u32 from, u32 to)
{
	bool narrow_from = from == SPACE_LDS || from == SPACE_PRIVATE;
	bool narrow_to = to == SPACE_LDS || to == SPACE_PRIVATE;
	if (narrow_from == narrow_to)
		return a;
	u32 d = program_reg(l->p, narrow_from ? T_i64 : T_i32, lo_kind(l, &a, 1), NULL);
	Op op = narrow_from ? OP_toflat : to == SPACE_LDS ? OP_tolds : OP_topriv;
	Ins *i = lo_emit(l, op, &d, 1, &a, 1);
	if (narrow_from) /* the others have it in their name */
		i->space = (u8)from;
	return d;
}

static u32 cast_one(Lower *l, LLVMOpcode op, const Comp *from, const Comp *to, u32 a)
{
	switch (op) {
	case LLVMTrunc:
		return lo_cut(l, lo_zext(l, a, (Type)to->type), to->bits);
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return lo_cut(l, lo_zext(l, a, (Type)to->type), to->bits);
	case LLVMSExt:
		a = from->type == T_b1 ? a : lo_signed(l, a, from->bits);
		return lo_cut(l, lo_sext(l, a, (Type)to->type), to->bits);
	case LLVMFPToUI:
		return cast_to_int(l, CONVERT_fptoui, from, to, a);
	case LLVMFPToSI:
		return cast_to_int(l, CONVERT_fptosi, from, to, a);
	case LLVMUIToFP:
		return cast_from_int(l, false, from, to, a);
	case LLVMSIToFP:
		return cast_from_int(l, true, from, to, a);
	case LLVMFPTrunc:
	case LLVMFPExt:
		return cast_float(l, from, to, a);
	default: /* LLVMAddrSpaceCast */
		return space_cast(l, a, from->space, to->space);
	}
}

/* ---- reinterpretation ---- */

u32 lo_take(Lower *l, const Comp *c, const u32 *a, u32 n, u32 lo, u32 bits, Type t)
{
	u32 at = 0, d = 0;
	bool any = false;
	for (u32 i = 0; i < n && at < lo + bits; at += c[i++].bits) {
		const Reg *r = &l->p->regs.v[a[i]];
		if (at + c[i].bits <= lo || (r->kind == REG_CONST && !r->value))
			continue;
		u32 x = lo_to_bits(l, a[i]);
		if (at < lo) {
			x = lo_zext(l, lo_lshr(l, x, lo - at), t);
		} else {
			x = lo_zext(l, x, t);
			if (at > lo)
				x = lo_shl(l, x, at - lo);
		}
		d = any ? lo_or(l, d, x) : x;
		any = true;
	}
	return any ? lo_cut(l, d, bits) : lo_c(l, t, 0);
}

void lo_repack(Lower *l, const Comp *from, const u32 *a, u32 n, const ValueShape *s, u32 *out)
{
	bool same = n == s->n;
	u32 lo = 0;
	for (u32 i = 0; same && i < n; i++)
		same = from[i].bits == s->c[i].bits;
	for (u32 i = 0; i < s->n; i++) {
		const Comp *k = &s->c[i];
		Type t = k->cls == C_FLT ? (k->type == T_f32 ? T_i32 : T_i64) : (Type)k->type;
		if (same && from[i].type == k->type)
			out[i] = a[i];
		else if (same)
			out[i] = lo_from_bits(l, lo_zext(l, lo_to_bits(l, a[i]), t), k);
		else
			out[i] = lo_from_bits(l, lo_take(l, from, a, n, lo, k->bits, t), k);
		lo += k->bits;
	}
}

bool lo_cast(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *from = lo_shape(l, LLVMTypeOf(x)), *to = lo_shape(l, LLVMTypeOf(v));
	if (op != LLVMBitCast && (from->wide || to->wide))
		return lo_wide_cast(l, op, v);
	const u32 *a = lo_val(l, x);
	u32 *out = lo_regs(l, to->n);
	if (op == LLVMBitCast) {
		lo_repack(l, from->c, a, from->n, to, out);
	} else {
		for (u32 i = 0; i < to->n; i++)
			out[i] = cast_one(l, op, &from->c[i], &to->c[i], a[i]);
	}
	lo_set(l, v, out);
	return true;
}
