/* What a kernel's own code leaves open, changed: see shake.h.
 *
 * Addresses become other numbers, by a distance that keeps their alignment and that differences of two do not show; not
 * in a program that makes addresses of numbers, which would miss their memory, and not where a constant is computed
 * from an address, which cannot be moved. (Where the run still misses memory, engine/repeat.c takes nothing for open.)
 * A vector's component without a value gets one. */
#include "frontend/retarget/shake.h"

#include "frontend/retarget/amdlib.h"

/* Bits of an address above those of the widest vector's alignment, so that its parts are other numbers, too. */
#define FAR 0x2AAAAAAAAA80ull
enum { SOME_VALUE = 0x55 };

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

static bool is_constant_number(LLVMValueRef v)
{
	return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt;
}

/* Is an address made a number somewhere in a constant, or a number an address? */
static bool computes(LLVMValueRef v)
{
	bool any = LLVMIsAConstantExpr(v) &&
	           (LLVMGetConstOpcode(v) == LLVMPtrToInt || LLVMGetConstOpcode(v) == LLVMIntToPtr);
	bool parts = LLVMIsAConstantExpr(v) || LLVMIsAConstantVector(v);
	for (int k = 0; parts && !any && k < LLVMGetNumOperands(v); k++)
		any = computes(LLVMGetOperand(v, (unsigned)k));
	return any;
}

bool shake_keeps_addresses(LLVMValueRef f)
{
	llvm_each_instruction(f, i) {
		if (LLVMIsAIntToPtrInst(i))
			return true;
		for (int k = 0; k < LLVMGetNumOperands(i); k++) {
			LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
			if (LLVMIsConstant(v) && !is_constant_number(v) && computes(v))
				return true;
		}
	}
	return false;
}

/* Of variables, as operands. */
static void move_constants(LLVMValueRef i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
		if (is_constant_number(v))
			LLVMSetOperand(i, (unsigned)k, LLVMConstAdd(v, llvm_integers(LLVMTypeOf(v), FAR)));
	}
}

void shake_own(FeModule *m, LLVMBuilderRef b, LLVMValueRef f, bool addresses)
{
	ARRAY(LLVMValueRef) all = {0};
	llvm_each_instruction(f, i) {
		if (addresses)
			move_constants(i);
		if ((addresses && LLVMIsAPtrToIntInst(i)) ||
		    (LLVMIsAShuffleVectorInst(i) && amdlib_picks_unset(i, -1)))
			array_push(&all, i);
	}
	for (u32 k = 0; k < all.n; k++) {
		if (LLVMIsAPtrToIntInst(all.v[k]))
			move_address(b, all.v[k]);
		else
			set_components(m, b, all.v[k]);
	}
	array_free(&all);
}
