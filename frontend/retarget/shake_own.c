/* What a kernel's own code leaves open, changed: see shake.h.
 *
 * Addresses become other numbers, by a distance that keeps their alignment and that differences of two do not show; not
 * in a program that makes addresses of numbers, which would miss their memory. A vector's component without a value
 * gets one. */
#include "frontend/retarget/shake.h"

#include "frontend/retarget/amdlib.h"

enum { FAR = 0x550000, SOME_VALUE = 0x55 };

/* The same instruction once more, behind i, where b goes on. */
static LLVMValueRef again(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef clone = LLVMInstructionClone(i);
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
	LLVMInsertIntoBuilder(b, clone);
	return clone;
}

/* NULL stays 0. */
static void move_address(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef address = LLVMGetOperand(i, 0), number = again(b, i);
	LLVMValueRef null = LLVMBuildICmp(b, LLVMIntEQ, address, LLVMConstNull(LLVMTypeOf(address)), "");
	LLVMValueRef moved = LLVMBuildAdd(b, number, llvm_integers(LLVMTypeOf(i), FAR), "");
	LLVMReplaceAllUsesWith(i, LLVMBuildSelect(b, null, number, moved, ""));
}

static void set_components(FeModule *m, LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMTypeRef one = LLVMGetElementType(LLVMTypeOf(i));
	LLVMTypeKind kind = LLVMGetTypeKind(one);
	LLVMValueRef value = kind == LLVMIntegerTypeKind ? LLVMConstInt(one, SOME_VALUE, false)
	                     : kind == LLVMPointerTypeKind ? NULL : LLVMConstReal(one, SOME_VALUE);
	if (!value)
		return;
	LLVMValueRef v = again(b, i);
	for (u32 k = 0; k < LLVMGetVectorSize(LLVMTypeOf(i)); k++)
		if (amdlib_picks_unset(i, (int)k))
			v = LLVMBuildInsertElement(b, v, value, LLVMConstInt(LLVMInt32TypeInContext(m->ctx), k, false),
			                           "");
	LLVMReplaceAllUsesWith(i, v);
}

bool shake_makes_addresses(LLVMValueRef f)
{
	bool any = false;
	llvm_each_instruction(f, i)
		any |= LLVMIsAIntToPtrInst(i) != NULL;
	return any;
}

void shake_own(FeModule *m, LLVMBuilderRef b, LLVMValueRef f, bool addresses)
{
	ARRAY(LLVMValueRef) all = {0};
	llvm_each_instruction(f, i)
		if ((addresses && LLVMIsAPtrToIntInst(i)) ||
		    (LLVMIsAShuffleVectorInst(i) && amdlib_picks_unset(i, -1)))
			array_push(&all, i);
	for (u32 k = 0; k < all.n; k++) {
		if (LLVMIsAPtrToIntInst(all.v[k]))
			move_address(b, all.v[k]);
		else
			set_components(m, b, all.v[k]);
	}
	array_free(&all);
}
