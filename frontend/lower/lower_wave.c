/* What the lanes of a wavefront pass each other, and what they know of it: calls that the bodies of OpenCL's sub-group
 * functions are made of (frontend/module/collective.h). */
#include "frontend/lower/lowering.h"
#include "frontend/module/collective.h"

u32 lo_shared(Lower *l, LLVMValueRef v, u32 d)
{
	if (!lo_info(l, v)->divergent)
		return d;
	u32 own = program_reg(l->p, lo_type(l, d), REG_VECTOR, NULL);
	lo_mov(l, own, d);
	return own;
}

/* A scalar register with what the first active lane has there. */
static u32 first_lane(Lower *l, u32 r)
{
	if (l->p->regs.v[r].kind != REG_VECTOR)
		return r;
	u32 d = program_reg(l->p, lo_type(l, r), REG_SCALAR, NULL);
	lo_emit(l, OP_readfirst, &d, 1, &r, 1);
	return d;
}

static bool wave_query(Lower *l, LLVMValueRef v, const char *name)
{
	u32 q = fe_wave_named(query_name, QUERY_COUNT, name);
	if (q == QUERY_COUNT)
		return false;
	bool vector = query_is_vector(q);
	u32 d = program_reg(l->p, query_type(q), vector ? REG_VECTOR : REG_SCALAR, NULL);
	lo_emit(l, OP_query, &d, 1, NULL, 0)->aux = (u8)q;
	d = vector ? d : lo_shared(l, v, d);
	lo_set(l, v, &d);
	return true;
}

/* Halves are joined as floats. */
static bool wave_fold(Lower *l, LLVMValueRef v, Op op, const char *name)
{
	LLVMValueRef value = LLVMGetOperand(v, 0);
	const Comp *k = &lo_shape(l, LLVMTypeOf(value))->c[0];
	u32 fold = fe_wave_named(fold_name, FOLD_COUNT, name), x = lo_val1(l, value);
	u128 how;
	if (fold == FOLD_COUNT)
		return false;
	if (!lo_const_int(LLVMGetOperand(v, 1), &how) || (op == OP_reduce && (how > MAX_WAVE || (how & (how - 1))))) {
		lo_error(l, "the cluster size must be a constant and a power of two from 1 to %d", MAX_WAVE);
		diag_hint(l->d, "write the number in the call, such as 8");
		return true;
	}
	if (k->cls == C_HALF)
		x = lo_half_up(l, x);
	bool scalar = op == OP_reduce && !how;
	u32 d = program_reg(l->p, lo_type(l, x), scalar ? REG_SCALAR : REG_VECTOR, NULL);
	Ins *i = lo_emit(l, op, &d, 1, &x, 1);
	i->aux = (u8)fold;
	i->imm = (i64)how;
	d = scalar ? lo_shared(l, v, d) : d;
	if (k->cls == C_HALF)
		d = lo_half_down(l, d);
	lo_set(l, v, &d);
	return true;
}

static bool wave_read(Lower *l, LLVMValueRef v, Op op)
{
	u32 s[2] = {lo_val1(l, LLVMGetOperand(v, 0)), 0}, n = 1;
	if (op == OP_readlane)
		s[n++] = first_lane(l, lo_val1(l, LLVMGetOperand(v, 1)));
	u32 d = program_reg(l->p, op == OP_ballot ? T_i128 : lo_type(l, s[0]), REG_SCALAR, NULL);
	lo_emit(l, op, &d, 1, s, n)->imm = op == OP_readlane;
	d = lo_shared(l, v, d);
	lo_set(l, v, &d);
	return true;
}

static bool wave_permute(Lower *l, LLVMValueRef v)
{
	u32 s[2] = {lo_val1(l, LLVMGetOperand(v, 0)), lo_val1(l, LLVMGetOperand(v, 1))};
	u32 d = program_reg(l->p, lo_type(l, s[1]), REG_VECTOR, NULL);
	lo_emit(l, OP_bpermute, &d, 1, s, 2)->imm = 1;
	lo_set(l, v, &d);
	return true;
}

static bool wave_barrier(Lower *l, LLVMValueRef v)
{
	u128 flags = 0;
	i64 k = 0;
	if (lo_const_int(LLVMGetOperand(v, 0), &flags)) {
		k = (i64)(flags & (FENCE_LDS | FENCE_GLOBAL));
		k = k ? k : FENCE_NONE;
	}
	lo_emit(l, OP_wave_barrier, NULL, 0, NULL, 0)->imm = k;
	return true;
}

bool lo_wave(Lower *l, LLVMValueRef v, const char *name)
{
	const char *rest;
	if ((rest = fe_wave_behind(name, "query")))
		return wave_query(l, v, rest);
	if ((rest = fe_wave_behind(name, "reduce")))
		return wave_fold(l, v, OP_reduce, rest);
	if ((rest = fe_wave_behind(name, "scan")))
		return wave_fold(l, v, OP_scan, rest);
	if (fe_wave_behind(name, "ballot"))
		return wave_read(l, v, OP_ballot);
	if (fe_wave_behind(name, "first"))
		return wave_read(l, v, OP_readfirst);
	if (fe_wave_behind(name, "read"))
		return wave_read(l, v, OP_readlane);
	if (fe_wave_behind(name, "permute"))
		return wave_permute(l, v);
	if (fe_wave_behind(name, "barrier"))
		return wave_barrier(l, v);
	if (fe_wave_behind(name, "whole")) {
		lo_emit(l, OP_whole, NULL, 0, NULL, 0);
		return true;
	}
	return false;
}

bool lo_wave_differs(LLVMValueRef call, const char *name)
{
	size_t n = sizeof FE_WAVE - 1;
	if (strncmp(name, FE_WAVE, n) != 0)
		return false;
	name += n;
	u128 lanes;
	if (fe_wave_behind(name, "reduce"))
		return !lo_const_int(LLVMGetOperand(call, 1), &lanes) || lanes;
	return fe_wave_behind(name, "scan") || fe_wave_behind(name, "permute") || fe_wave_behind(name, "query.lane_id");
}
