/* Vectors and aggregates. They are lists of registers already, so that taking them
 * apart and putting them together costs no instruction; only an index that is not
 * constant does. */
#include "frontend/lower/lowering.h"

/* A pick or poke with an index of any integer type; the machine takes i32. An index
 * beyond 32 bits is out of range in any case and becomes one that is. */
static u32 vec_index(Lower *l, u32 i)
{
	Type t = lo_type(l, i);
	if (t != T_i64 && t != T_i128)
		return lo_zext(l, i, T_i32);
	return lo_zext(l, lo_bin_on(l, OP_umin_i8, i, lo_c(l, t, UINT32_MAX)), T_i32);
}

/* Registers of one element of a vector; more than one of a wide integer. */
static u32 vec_step(Lower *l, LLVMTypeRef vector)
{
	return lo_shape(l, LLVMGetElementType(vector))->n;
}

static void vec_extract(Lower *l, LLVMValueRef v)
{
	LLVMValueRef src = LLVMGetOperand(v, 0);
	const u32 *a = lo_val(l, src);
	u32 n = LLVMGetVectorSize(LLVMTypeOf(src)), step = vec_step(l, LLVMTypeOf(src));
	u32 *s = lo_regs(l, n + 1), *d = lo_regs(l, step);
	u128 at;
	if (lo_const_int(LLVMGetOperand(v, 1), &at)) {
		lo_set(l, v, a + (at < n ? at * step : 0));
		return;
	}
	s[0] = vec_index(l, lo_val1(l, LLVMGetOperand(v, 1)));
	for (u32 k = 0; k < step; k++) {
		for (u32 i = 0; i < n; i++)
			s[i + 1] = a[i * step + k];
		d[k] = program_reg(l->p, lo_type(l, a[0]), lo_kind(l, s, n + 1), NULL);
		lo_emit(l, OP_pick, &d[k], 1, s, n + 1);
	}
	lo_set(l, v, d);
}

static void vec_insert(Lower *l, LLVMValueRef v)
{
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0)), *x = lo_val(l, LLVMGetOperand(v, 1));
	u32 n = LLVMGetVectorSize(LLVMTypeOf(v)), step = vec_step(l, LLVMTypeOf(v));
	u32 *s = lo_regs(l, n + 2), *d = lo_regs(l, n * step), *one = lo_regs(l, n);
	u128 at;
	if (lo_const_int(LLVMGetOperand(v, 2), &at)) {
		memcpy(d, a, n * step * sizeof *a);
		if (at < n)
			memcpy(d + at * step, x, step * sizeof *x);
		lo_set(l, v, d);
		return;
	}
	s[0] = vec_index(l, lo_val1(l, LLVMGetOperand(v, 2)));
	bool fits = n <= MOST_DST && n * type_bytes[lo_type(l, x[0])] <= LARGEST_ACCESS;
	for (u32 i = 0; i < n && !fits; i++)
		for (u32 k = 0; k < step; k++)
			d[i * step + k] =
			    lo_select(l, lo_bin_on(l, OP_eq_i8, s[0], lo_c(l, T_i32, i)), x[k], a[i * step + k]);
	for (u32 k = 0; k < step && fits; k++) {
		s[1] = x[k];
		for (u32 i = 0; i < n; i++)
			s[i + 2] = a[i * step + k];
		RegKind kind = lo_kind(l, s, n + 2);
		for (u32 i = 0; i < n; i++)
			one[i] = d[i * step + k] = program_reg(l->p, lo_type(l, x[k]), kind, NULL);
		lo_emit(l, OP_poke, one, n, s, n + 2);
	}
	lo_set(l, v, d);
}

static void vec_shuffle(Lower *l, LLVMValueRef v)
{
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0)), *b = lo_val(l, LLVMGetOperand(v, 1));
	u32 na = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0))), step = vec_step(l, LLVMTypeOf(v));
	u32 n = LLVMGetNumMaskElements(v), *d = lo_regs(l, n * step);
	for (u32 i = 0; i < n * step; i++) {
		int at = LLVMGetMaskValue(v, i / step);
		u32 k = (u32)at * step + i % step;
		if (at == LLVMGetUndefMaskElem())
			d[i] = lo_c(l, lo_type(l, a[0]), 0);
		else
			d[i] = k < na * step ? a[k] : b[k - na * step];
	}
	lo_set(l, v, d);
}

/* First component of the member that v's indices select in a value of type t. */
static u32 vec_member(Lower *l, LLVMValueRef v, LLVMTypeRef t)
{
	const unsigned *index = LLVMGetIndices(v);
	u32 at = 0;
	for (u32 i = 0; i < LLVMGetNumIndices(v); i++) {
		if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			for (u32 k = 0; k < index[i]; k++)
				at += lo_shape(l, LLVMStructGetTypeAtIndex(t, k))->n;
			t = LLVMStructGetTypeAtIndex(t, index[i]);
		} else {
			t = LLVMGetElementType(t);
			at += index[i] * lo_shape(l, t)->n;
		}
	}
	return at;
}

static void vec_insert_value(Lower *l, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 1);
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0)), *b = lo_val(l, x);
	u32 n = lo_shape(l, LLVMTypeOf(v))->n, nx = lo_shape(l, LLVMTypeOf(x))->n;
	u32 *d = lo_regs(l, n);
	memcpy(d, a, n * sizeof *a);
	memcpy(d + vec_member(l, v, LLVMTypeOf(v)), b, nx * sizeof *b);
	lo_set(l, v, d);
}

static void vec_select(Lower *l, LLVMValueRef v)
{
	LLVMValueRef cond = LLVMGetOperand(v, 0);
	const u32 *c = lo_val(l, cond), *a = lo_val(l, LLVMGetOperand(v, 1));
	const u32 *b = lo_val(l, LLVMGetOperand(v, 2));
	u32 n = lo_shape(l, LLVMTypeOf(v))->n, *d = lo_regs(l, n);
	bool each = LLVMGetTypeKind(LLVMTypeOf(cond)) == LLVMVectorTypeKind;
	u32 step = each ? vec_step(l, LLVMTypeOf(v)) : n;
	for (u32 i = 0; i < n; i++)
		d[i] = lo_select(l, c[i / step], a[i], b[i]);
	lo_set(l, v, d);
}

bool lo_vector(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	switch (op) {
	case LLVMExtractElement:
		vec_extract(l, v);
		return true;
	case LLVMInsertElement:
		vec_insert(l, v);
		return true;
	case LLVMShuffleVector:
		vec_shuffle(l, v);
		return true;
	case LLVMExtractValue:
		lo_set(l, v, lo_val(l, x) + vec_member(l, v, LLVMTypeOf(x)));
		return true;
	case LLVMInsertValue:
		vec_insert_value(l, v);
		return true;
	case LLVMSelect:
		vec_select(l, v);
		return true;
	case LLVMFreeze:
		lo_set(l, v, lo_val(l, x));
		return true;
	default:
		return false;
	}
}
