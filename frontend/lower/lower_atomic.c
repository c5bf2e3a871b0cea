/* atomicrmw and cmpxchg: one operation of the wave ISA each, on a whole register. */
#include "frontend/lower/lowering.h"

/* The ISA's names are those of IR, but that it says which kind of integers min and max compare. */
static AtomicOp atomic_of(const char *name)
{
	name = !strcmp(name, "min") ? "smin" : !strcmp(name, "max") ? "smax" : name;
	AtomicOp op = 0;
	while (op < ATOMIC_COUNT && strcmp(atomic_name[op], name) != 0)
		op++;
	return op;
}

/* Atomics work on whole registers of 8 to 64 bits. */
static bool atomic_type(Lower *l, LLVMTypeRef t)
{
	const ValueShape *s = lo_shape(l, t);
	const Comp *k = &s->c[0];
	if (!s->wide && k->cls != C_HALF && k->bits == type_bytes[k->type] * 8u && k->type != T_i128)
		return true;
	char *name = LLVMPrintTypeToString(t);
	lo_error(l, "an atomic operation on %s", name);
	diag_hint(l->d, "use int, long, float or double");
	LLVMDisposeMessage(name);
	return false;
}

bool lo_rmw(Lower *l, LLVMValueRef v)
{
	const char *name = llvm_rmw_name(l->arena, v);
	AtomicOp op = atomic_of(name);
	if (op < ATOMIC_COUNT)
		return lo_rmw_as(l, v, op, lo_sync(v));
	lo_error(l, "the atomic operation '%s', which wavesim does not know", name);
	return false;
}

bool lo_rmw_as(Lower *l, LLVMValueRef v, AtomicOp op, u8 sync)
{
	Addr a = lo_addr(l, LLVMGetOperand(v, 0));
	u32 s[2] = {lo_addr_reg(l, a), lo_val1(l, LLVMGetOperand(v, 1))};
	if (!atomic_type(l, LLVMTypeOf(v)))
		return false;
	u32 d = program_reg(l->p, lo_type(l, s[1]), REG_VECTOR, NULL);
	Ins *i = lo_emit(l, OP_atomic, &d, 1, s, 2);
	i->space = a.space;
	i->aux = (u8)op;
	i->sync = sync;
	lo_set(l, v, &d);
	return true;
}

bool lo_cas(Lower *l, LLVMValueRef v)
{
	Addr a = lo_addr(l, LLVMGetOperand(v, 0));
	LLVMValueRef expected = LLVMGetOperand(v, 1);
	const Comp *k = &lo_shape(l, LLVMTypeOf(expected))->c[0];
	u32 s[3] = {lo_addr_reg(l, a), lo_val1(l, expected), lo_val1(l, LLVMGetOperand(v, 2))};
	if (!atomic_type(l, LLVMTypeOf(expected)))
		return false;
	u32 d[2] = {program_reg(l->p, lo_type(l, s[1]), REG_VECTOR, NULL)};
	Ins *i = lo_emit(l, OP_cas, d, 1, s, 3);
	i->space = a.space;
	i->sync = lo_sync(v);
	d[1] = lo_icmp(l, LLVMIntEQ, k, d[0], s[1]);
	lo_set(l, v, d);
	return true;
}
