/* Variables that nothing was written to, for checks.
 *
 * A variable in registers has no memory that could tell whether it was written, and LLVM takes its value for whatever
 * suits. So each gets a first value, by a call that no pass can look into, and which becomes OP_undef: the machine
 * follows it (sim/check_unset.c). */
#include "frontend/retarget/repair.h"

#include "base/hash.h"

#include <llvm-c/DebugInfo.h>

static LLVMValueRef unset_function(FeModule *m, LLVMTypeRef t)
{
	char *type = LLVMPrintTypeToString(t), *name = arena_printf(m->arena, FE_UNSET "%s", type);
	LLVMDisposeMessage(type);
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, name);
	return f ? f : LLVMAddFunction(m->mod, name, LLVMFunctionType(t, NULL, 0, false));
}

/* Numbers and vectors of them: what mem2reg puts into registers. */
static bool is_plain(LLVMTypeRef t)
{
	LLVMTypeKind k = LLVMGetTypeKind(t);
	if (k == LLVMVectorTypeKind)
		t = LLVMGetElementType(t), k = LLVMGetTypeKind(t);
	return k == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) >= 8 && LLVMGetIntTypeWidth(t) <= 64
	                                : k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
}

/* Where the source declares a variable, and its node. */
typedef struct Declared {
	LLVMMetadataRef at;
	LLVMValueRef variable;
} Declared;

static void one_function(FeModule *m, LLVMValueRef f, LLVMBuilderRef b)
{
	ARRAY(LLVMValueRef) allocas = {0};
	Arena *a = arena_new();
	Map *declared = map_new(a); /* of Declared, by the alloca */
	llvm_each_instruction(f, i) {
		if (llvm_debug(i) == LLVM_DEBUG_DECLARE && llvm_debug_of(i)) {
			Declared *x = ARENA_NEW(a, Declared);
			*x = (Declared){LLVMInstructionGetDebugLoc(i), llvm_debug_variable(i)};
			*ptrmap_slot(declared, llvm_debug_of(i)) = x;
		}
		if (LLVMIsAAllocaInst(i) && is_plain(LLVMGetAllocatedType(i)) &&
		    LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
		    LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == 1)
			array_push(&allocas, i);
	}
	for (u32 i = 0; i < allocas.n; i++) {
		LLVMValueRef v = allocas.v[i], call;
		LLVMTypeRef t = LLVMGetAllocatedType(v);
		LLVMValueRef function = unset_function(m, t);
		LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(v));
		/* Its name in the source: of two that are called i, LLVM calls one i2. */
		const Declared *x = ptrmap_get(declared, v);
		const char *name = x ? llvm_operand_text(a, x->variable, VARIABLE_NAME) : NULL;
		name = arena_printf(a, "%s.first", name ? name : LLVMGetValueName(v)); /* lo_name() ends at the stop */
		call = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, NULL, 0, name);
		LLVMInstructionSetDebugLoc(call, x ? x->at : NULL);
		LLVMInstructionSetDebugLoc(LLVMBuildStore(b, call, v), NULL);
	}
	array_free(&allocas);
	arena_free(a);
}

void repair_unset(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && fe_is_users(m, f))
			one_function(m, f, b);
	LLVMDisposeBuilder(b);
}
