/* Changes to a module that keep it readable, for the fuzz targets of modules: flipping bits
 * of bitcode alone seldom gets past LLVM's reader. Each takes a random instruction, function or
 * variable; the result need not pass LLVM's verifier. */
#ifndef WAVESIM_MODULE_MUTATE_H
#define WAVESIM_MODULE_MUTATE_H

#include "base/base.h"

#include <llvm-c/Core.h>

typedef struct Mutate {
	LLVMContextRef ctx;
	LLVMModuleRef mod;
	LLVMBuilderRef b;
	LLVMValueRef f, ins; /* chosen */
	u64 rng;
	bool alone; /* in a process of its own, where LLVM may crash */
} Mutate;

static u32 mutate_below(Mutate *m, u32 n)
{
	m->rng = m->rng * 6364136223846793005u + 1442695040888963407u;
	return n ? (u32)(m->rng >> 33) % n : 0;
}

/* ---- choosing ---- */

static LLVMValueRef mutate_function(Mutate *m, bool with_body)
{
	LLVMValueRef found = NULL;
	u32 n = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f))
		if ((!with_body || !LLVMIsDeclaration(f)) && !mutate_below(m, ++n))
			found = f;
	return found;
}

static LLVMBasicBlockRef mutate_block(Mutate *m)
{
	u32 n = mutate_below(m, LLVMCountBasicBlocks(m->f));
	LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->f);
	while (n--)
		b = LLVMGetNextBasicBlock(b);
	return b;
}

static LLVMValueRef mutate_instruction(Mutate *m)
{
	LLVMValueRef found = NULL;
	u32 n = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(mutate_block(m)); i; i = LLVMGetNextInstruction(i))
		if (!mutate_below(m, ++n))
			found = i;
	return found;
}

static LLVMTypeRef mutate_type(Mutate *m)
{
	static const u8 widths[] = {1, 8, 16, 32, 64, 7, 24, 33, 65, 128};
	LLVMContextRef c = m->ctx;
	switch (mutate_below(m, 8)) {
	case 0: return LLVMFloatTypeInContext(c);
	case 1: return LLVMDoubleTypeInContext(c);
	case 2: return LLVMHalfTypeInContext(c);
	case 3: return LLVMPointerTypeInContext(c, mutate_below(m, 8));
	case 4: return LLVMVectorType(LLVMInt32TypeInContext(c), 1 + mutate_below(m, 17));
	case 5: return LLVMVectorType(LLVMFloatTypeInContext(c), 1 + mutate_below(m, 17));
	default: return LLVMIntTypeInContext(c, widths[mutate_below(m, COUNT(widths))]);
	}
}

static LLVMValueRef mutate_constant(Mutate *m, LLVMTypeRef t)
{
	static const u64 numbers[] = {0, 1, 2, 3, 31, 32, 64, 255, UINT32_MAX, UINT64_MAX, 1ull << 63};
	u64 v = numbers[mutate_below(m, COUNT(numbers))];
	switch (mutate_below(m, 4)) {
	case 0: return LLVMGetUndef(t);
	case 1: return LLVMGetPoison(t);
	case 2: return LLVMConstNull(t);
	default: break;
	}
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind: return LLVMConstInt(t, v, 0);
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind: return LLVMConstReal(t, (double)v);
	case LLVMPointerTypeKind: return LLVMConstIntToPtr(LLVMConstInt(LLVMInt64TypeInContext(m->ctx), v, 0), t);
	default: return LLVMConstNull(t);
	}
}

/* Of a type: an argument, what an instruction computes, or a constant. */
static LLVMValueRef mutate_value(Mutate *m, LLVMTypeRef t)
{
	LLVMValueRef found = NULL;
	u32 n = 0;
	for (LLVMValueRef a = LLVMGetFirstParam(m->f); a; a = LLVMGetNextParam(a))
		if (LLVMTypeOf(a) == t && !mutate_below(m, ++n))
			found = a;
	for (u32 k = 0; k < 2; k++) {
		LLVMBasicBlockRef b = k ? mutate_block(m) : LLVMGetInstructionParent(m->ins);
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && i != m->ins;
		     i = LLVMGetNextInstruction(i))
			if (LLVMTypeOf(i) == t && !mutate_below(m, ++n))
				found = i;
	}
	return found && mutate_below(m, 4) ? found : mutate_constant(m, t);
}

static bool mutate_has_values(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
	case LLVMVectorTypeKind:
	case LLVMArrayTypeKind:
	case LLVMStructTypeKind: return true;
	default: return false;
	}
}

static bool mutate_is_computed(LLVMValueRef v) { return mutate_has_values(LLVMTypeOf(v)); }

/* ---- changes of an instruction ---- */

static void mutate_operand(Mutate *m)
{
	u32 n = (u32)LLVMGetNumOperands(m->ins), k = mutate_below(m, n);
	LLVMValueRef v = n ? LLVMGetOperand(m->ins, k) : NULL;
	if (k && LLVMIsASwitchInst(m->ins))
		return; /* cases, which must be numbers */
	if (v && !LLVMValueIsBasicBlock(v) && mutate_is_computed(v))
		LLVMSetOperand(m->ins, k, mutate_value(m, LLVMTypeOf(v)));
}

static void mutate_target(Mutate *m)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(mutate_block(m));
	u32 n = end ? LLVMGetNumSuccessors(end) : 0;
	if (n)
		LLVMSetSuccessor(end, mutate_below(m, n), mutate_block(m));
}

static void mutate_replace(Mutate *m, LLVMValueRef by)
{
	if (by != m->ins && LLVMTypeOf(by) == LLVMTypeOf(m->ins))
		LLVMReplaceAllUsesWith(m->ins, by);
}

/* The same operands, another operation. */
static void mutate_operation(Mutate *m)
{
	static const LLVMOpcode ints[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem,
	                                  LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd, LLVMOr, LLVMXor};
	static const LLVMOpcode floats[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFRem};
	LLVMPositionBuilderBefore(m->b, m->ins);
	if (LLVMIsAICmpInst(m->ins)) {
		LLVMIntPredicate p = (LLVMIntPredicate)((u32)LLVMIntEQ + mutate_below(m, 10));
		mutate_replace(m, LLVMBuildICmp(m->b, p, LLVMGetOperand(m->ins, 0), LLVMGetOperand(m->ins, 1), ""));
	} else if (LLVMIsAFCmpInst(m->ins)) {
		LLVMRealPredicate p = (LLVMRealPredicate)mutate_below(m, 16);
		mutate_replace(m, LLVMBuildFCmp(m->b, p, LLVMGetOperand(m->ins, 0), LLVMGetOperand(m->ins, 1), ""));
	} else if (LLVMIsABinaryOperator(m->ins)) {
		LLVMTypeRef t = LLVMTypeOf(m->ins);
		LLVMTypeKind k = LLVMGetTypeKind(t);
		k = k == LLVMVectorTypeKind ? LLVMGetTypeKind(LLVMGetElementType(t)) : k;
		LLVMOpcode op = k == LLVMIntegerTypeKind ? ints[mutate_below(m, COUNT(ints))]
		                                         : floats[mutate_below(m, COUNT(floats))];
		mutate_replace(m, LLVMBuildBinOp(m->b, op, LLVMGetOperand(m->ins, 0),
		                                 LLVMGetOperand(m->ins, 1), ""));
	}
}

/* Through memory, as another type: storing and loading are possible with any. */
static void mutate_detour(Mutate *m)
{
	LLVMTypeRef other = mutate_type(m);
	LLVMValueRef next = LLVMGetNextInstruction(m->ins);
	if (!mutate_is_computed(m->ins) || !next || LLVMIsAPHINode(next))
		return;
	LLVMPositionBuilderBefore(m->b, next);
	LLVMTypeRef room = LLVMArrayType(LLVMInt64TypeInContext(m->ctx), 40);
	LLVMValueRef count = mutate_constant(m, LLVMInt32TypeInContext(m->ctx));
	LLVMValueRef slot = LLVMBuildArrayAlloca(m->b, room, count, "");
	LLVMValueRef as = LLVMBuildLoad2(m->b, other, slot, "");
	LLVMBuildStore(m->b, as, slot);
	LLVMReplaceAllUsesWith(m->ins, LLVMBuildLoad2(m->b, LLVMTypeOf(m->ins), slot, ""));
	LLVMPositionBuilderBefore(m->b, as);
	LLVMBuildStore(m->b, m->ins, slot);
}

static void mutate_memory(Mutate *m)
{
	if (LLVMIsALoadInst(m->ins) || LLVMIsAStoreInst(m->ins)) {
		LLVMSetAlignment(m->ins, 1u << mutate_below(m, 12));
		LLVMSetVolatile(m->ins, (LLVMBool)mutate_below(m, 2));
	}
	if (LLVMIsAAtomicRMWInst(m->ins))
		LLVMSetAtomicRMWBinOp(m->ins, (LLVMAtomicRMWBinOp)mutate_below(m, 13));
}

/* A call of any intrinsic, with values of the types that it takes. */
static void mutate_intrinsic(Mutate *m)
{
	enum { INTRINSICS = 10000, ARGS = 8 };
	u32 id = 1 + mutate_below(m, INTRINSICS);
	if (!m->alone && LLVMIntrinsicIsOverloaded(id))
		return;
	LLVMTypeRef over[3] = {LLVMTypeOf(m->ins), mutate_type(m), mutate_type(m)}, types[ARGS];
	LLVMValueRef args[ARGS];
	size_t nover = LLVMIntrinsicIsOverloaded(id) ? 1 + mutate_below(m, 3) : 0;
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->mod, id, over, nover);
	LLVMTypeRef t = LLVMGlobalGetValueType(f);
	u32 n = LLVMCountParamTypes(t);
	if (n > ARGS)
		return;
	LLVMGetParamTypes(t, types);
	for (u32 i = 0; i < n; i++)
		if (!mutate_has_values(types[i]))
			return;
	LLVMPositionBuilderBefore(m->b, m->ins);
	for (u32 i = 0; i < n; i++)
		args[i] = mutate_value(m, types[i]);
	mutate_replace(m, LLVMBuildCall2(m->b, t, f, args, n, ""));
}

/* ---- changes of functions and variables ---- */

/* Names that the front end gives a meaning. */
static const char *mutate_name(Mutate *m)
{
	static const char *const names[] = {
		"printf", "pocl.barrier", "_local_id_x", "_work_dim", "_Z13get_global_idj", "memory.tile", "",
		"__translate_sampler_initializer", "_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event",
		"_Z17wait_group_eventsiP9ocl_event", "wavesim.barrier", "wavesim._local_id_x", "llvm.fshl.i32",
	};
	return names[mutate_below(m, COUNT(names))];
}

static void mutate_symbol(Mutate *m)
{
	LLVMValueRef f = mutate_below(m, 2) ? mutate_function(m, false) : LLVMGetFirstGlobal(m->mod);
	for (u32 n = mutate_below(m, 6); n && f && LLVMIsAGlobalVariable(f); n--)
		f = LLVMGetNextGlobal(f);
	if (!f)
		return;
	const char *name = mutate_name(m);
	switch (mutate_below(m, 4)) {
	case 0: LLVMSetValueName2(f, name, strlen(name)); break;
	case 1: LLVMSetLinkage(f, (LLVMLinkage)mutate_below(m, 17)); break;
	case 2: LLVMSetAlignment(f, 1u << mutate_below(m, 20)); break;
	default:
		if (LLVMIsAGlobalVariable(f))
			LLVMSetInitializer(f, mutate_constant(m, LLVMGlobalGetValueType(f)));
		else
			LLVMSetFunctionCallConv(f, mutate_below(m, 2) ? 76 : mutate_below(m, 100));
	}
}

/* What describes the kernel's arguments. */
static void mutate_metadata(Mutate *m)
{
	static const char *const kinds[] = {"kernel_arg_addr_space", "kernel_arg_type", "kernel_arg_name",
	                                    "kernel_arg_base_type", "kernel_arg_access_qual",
	                                    "kernel_arg_type_qual", "reqd_work_group_size"};
	static const char *const words[] = {"", "float4", "image2d_t", "struct", "local", "sampler_t", "int*",
	                                    "uchar99", "read_only", "const restrict"};
	enum { OPERANDS = 9 };
	LLVMMetadataRef ops[OPERANDS];
	u32 n = mutate_below(m, OPERANDS + 1);
	bool numbers = mutate_below(m, 2);
	for (u32 i = 0; i < n; i++) {
		const char *w = words[mutate_below(m, COUNT(words))];
		LLVMTypeRef t = LLVMIntTypeInContext(m->ctx, mutate_below(m, 4) ? 32 : 128);
		ops[i] = !mutate_below(m, 12) ? NULL
			: numbers != !mutate_below(m, 8)
			? LLVMValueAsMetadata(LLVMConstInt(t, mutate_below(m, 4) ? mutate_below(m, 6) : UINT64_MAX, 1))
			: LLVMMDStringInContext2(m->ctx, w, strlen(w));
	}
	const char *kind = kinds[mutate_below(m, COUNT(kinds))];
	LLVMGlobalSetMetadata(m->f, LLVMGetMDKindIDInContext(m->ctx, kind, (unsigned)strlen(kind)),
	                      LLVMMDNodeInContext2(m->ctx, ops, n));
}

static void mutate_once(Mutate *m)
{
	static void (*const changes[])(Mutate *) = {
		mutate_operand, mutate_operand, mutate_target,    mutate_operation, mutate_detour,
		mutate_memory,  mutate_symbol,  mutate_intrinsic, mutate_metadata,
	};
	m->f = mutate_function(m, true);
	m->ins = m->f ? mutate_instruction(m) : NULL;
	if (m->ins)
		changes[mutate_below(m, COUNT(changes))](m);
}

#endif
