/* Intrinsics about the machine (launch values, barriers), about whole vectors
 * (reductions) and about memory with a mask.
 *
 * Masked accesses stay free of branches: a component whose mask bit is off accesses a
 * spare object instead, and a load then takes the pass-through value. */
#include "frontend/lower/lowering.h"

/* What a barrier's flags order; 0: they are not known. */
static i64 fence_flags(const Lower *l, LLVMValueRef barrier)
{
	LLVMValueRef node, flags;
	node = LLVMGetMetadata(barrier, LLVMGetMDKindIDInContext(l->m->ctx, FE_FENCE_MARK, sizeof FE_FENCE_MARK - 1));
	if (!node || LLVMGetMDNodeNumOperands(node) != 1) /* bitcode may have any */
		return 0;
	LLVMGetMDNodeOperands(node, &flags);
	return flags && LLVMIsAConstantInt(flags) ? (i64)LLVMConstIntGetZExtValue(flags) : 0;
}

/* ---- the machine ---- */

static bool special_query(Lower *l, LLVMValueRef v, Query q)
{
	RegKind kind = query_is_vector(q) ? REG_VECTOR : REG_SCALAR;
	u32 d = program_reg(l->p, query_type(q), kind, NULL);

	lo_emit(l, OP_query, &d, 1, NULL, 0)->aux = (u8)q;
	lo_set(l, v, &d);
	return true;
}

static bool special_constant(Lower *l, LLVMValueRef v, u128 value)
{
	u32 d = lo_c(l, (Type)lo_shape(l, LLVMTypeOf(v))->c[0].type, value);

	lo_set(l, v, &d);
	return true;
}

bool lo_machine_intrinsic(Lower *l, LLVMValueRef v, const char *name)
{
	static const struct {
		const char *name;
		Query query;
	} rows[] = {
		{"amdgcn.workitem.id.x", QUERY_local_id_x},   {"amdgcn.workitem.id.y", QUERY_local_id_y},
		{"amdgcn.workitem.id.z", QUERY_local_id_z},   {"amdgcn.workgroup.id.x", QUERY_group_id_x},
		{"amdgcn.workgroup.id.y", QUERY_group_id_y},  {"amdgcn.workgroup.id.z", QUERY_group_id_z},
		{"amdgcn.dispatch.ptr", QUERY_dispatch_ptr},  {"amdgcn.wavefrontsize", QUERY_wave_size},
		{"amdgcn.implicitarg.ptr", QUERY_implicitarg_ptr},
	};
	u128 flag = 0;

	for (u32 i = 0; i < COUNT(rows); i++) {
		if (intrin_is(name, rows[i].name))
			return special_query(l, v, rows[i].query == QUERY_implicitarg_ptr && l->m->v5
			                                   ? QUERY_implicitarg_v5_ptr
			                                   : rows[i].query);
	}
	if (intrin_is(name, "amdgcn.s.barrier")) {
		lo_emit(l, OP_barrier, NULL, 0, NULL, 0)->imm = fence_flags(l, v);
		return true;
	}
	if (intrin_is(name, "amdgcn.wave.barrier")) { /* for checks: the wavefront runs in step */
		if (l->m->check)
			lo_emit(l, OP_wave_barrier, NULL, 0, NULL, 0);
		return true;
	}
	if (intrin_is(name, "is.constant"))
		return special_constant(l, v, 0);
	if (intrin_is(name, "objectsize")) {
		lo_const_int(LLVMGetOperand(v, 1), &flag);
		return special_constant(l, v, flag ? 0 : ~(u128)0);
	}
	if (intrin_is(name, "stacksave"))
		return special_constant(l, v, 0);
	if (intrin_is(name, "ptrmask")) {
		u32 a = lo_val1(l, LLVMGetOperand(v, 0));
		u32 d = lo_and(l, a, lo_zext(l, lo_val1(l, LLVMGetOperand(v, 1)), lo_type(l, a)));
		lo_set(l, v, &d);
		return true;
	}
	return false;
}

/* ---- reductions ---- */

static u32 reduce_step(Lower *l, const char *op, const Comp *k, u32 a, u32 b)
{
	static const struct {
		const char *name;
		LLVMOpcode op;
	} binary[] = {
		{"add", LLVMAdd}, {"mul", LLVMMul},   {"and", LLVMAnd},   {"or", LLVMOr},
		{"xor", LLVMXor}, {"fadd", LLVMFAdd}, {"fmul", LLVMFMul},
	};
	static const struct {
		const char *name;
		LLVMIntPredicate take_a;
	} minmax[] = {
		{"smax", LLVMIntSGT}, {"smin", LLVMIntSLT}, {"umax", LLVMIntUGT}, {"umin", LLVMIntULT},
	};

	for (u32 i = 0; i < COUNT(binary); i++) {
		if (intrin_is(op, binary[i].name))
			return op[0] == 'f' ? lo_flt_binary(l, binary[i].op, k, a, b)
			                    : lo_int_binary(l, binary[i].op, k, a, b);
	}
	for (u32 i = 0; i < COUNT(minmax); i++) {
		if (intrin_is(op, minmax[i].name))
			return lo_select(l, lo_icmp(l, minmax[i].take_a, k, a, b), a, b);
	}
	Op base = intrin_is(op, "fmax") ? OP_fmaxnum_f32 : OP_fminnum_f32;
	if (k->cls == C_HALF)
		return lo_half_down(l, lo_bin_on(l, base, lo_half_up(l, a), lo_half_up(l, b)));
	return lo_bin_on(l, base, a, b);
}

static bool vector_reduce(Lower *l, LLVMValueRef v, const char *op)
{
	bool start = intrin_is(op, "fadd") || intrin_is(op, "fmul");
	LLVMValueRef x = LLVMGetOperand(v, start ? 1 : 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	const u32 *a = lo_val(l, x);
	u32 d = start ? lo_val1(l, LLVMGetOperand(v, 0)) : a[0];

	for (u32 i = start ? 0 : 1; i < s->n; i++)
		d = reduce_step(l, op, &s->c[i], d, a[i]);
	lo_set(l, v, &d);
	return true;
}

/* ---- memory under a mask ---- */

/* Where component i is accessed: its address, or the spare object when the mask is off. */
static Addr masked_addr(Lower *l, Addr a, u32 mask, u32 spare)
{
	if (l->p->regs.v[mask].kind == REG_CONST)
		return a;
	if (a.off) {
		Type t = lo_type(l, a.reg);
		a.reg = lo_bin_on(l, OP_add_i8, a.reg, lo_c(l, t, (u64)a.off));
	}
	a.reg = lo_select(l, mask, a.reg, spare);
	a.off = 0;
	return a;
}

static bool masked_off(const Lower *l, u32 mask)
{
	return l->p->regs.v[mask].kind == REG_CONST && !l->p->regs.v[mask].value;
}

/* gather, scatter: ptrs is a vector of pointers; load, store: one pointer. */
static bool masked_access(Lower *l, LLVMValueRef v, bool store, bool many)
{
	LLVMValueRef ptr = LLVMGetOperand(v, store ? 1 : 0), value = store ? LLVMGetOperand(v, 0) : v;
	LLVMTypeRef e = LLVMGetElementType(LLVMTypeOf(value)), pt = LLVMTypeOf(ptr);
	u32 n = LLVMGetVectorSize(LLVMTypeOf(value)), *d = lo_regs(l, n);
	const u32 *mask = lo_val(l, LLVMGetOperand(v, store ? 3 : 2)), *ptrs = lo_val(l, ptr);
	const u32 *x = store ? lo_val(l, value) : lo_val(l, LLVMGetOperand(v, 3));
	u32 space = lo_shape(l, pt)->c[0].space, spare = lo_dummy_object(l, space);

	for (u32 i = 0; i < n; i++) {
		Addr a = {.reg = ptrs[many ? i : 0], .space = (u8)space,
		          .off = many ? 0 : (i64)(i * LLVMABISizeOfType(l->td, e))};
		if (masked_off(l, mask[i])) {
			d[i] = x[i];
			continue;
		}
		a = masked_addr(l, a, mask[i], spare);
		if (store) {
			lo_store(l, a, e, &x[i]);
		} else {
			lo_load(l, a, e, true, &d[i]);
			d[i] = lo_select(l, mask[i], d[i], x[i]);
		}
	}
	if (!store)
		lo_set(l, v, d);
	return true;
}

bool lo_vector_intrinsic(Lower *l, LLVMValueRef v, const char *name)
{
	if (lo_shape(l, LLVMTypeOf(LLVMGetOperand(v, 0)))->wide || lo_shape(l, LLVMTypeOf(v))->wide)
		return false;
	if (!strncmp(name, "vector.reduce.", 14))
		return vector_reduce(l, v, name + 14);
	if (intrin_is(name, "masked.load"))
		return masked_access(l, v, false, false);
	if (intrin_is(name, "masked.store"))
		return masked_access(l, v, true, false);
	if (intrin_is(name, "masked.gather"))
		return masked_access(l, v, false, true);
	if (intrin_is(name, "masked.scatter"))
		return masked_access(l, v, true, true);
	return false;
}
