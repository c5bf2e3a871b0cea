/* Small vectors that clang hands over as numbers of the same size, for checks.
 *
 * An argument such as short4 is stored as what it is, and loaded as a double, for that is how x86 passes it. mem2reg
 * leaves such a variable in memory; -O3 does not, but checks go without it. A kernel with many calls has thousands, and
 * private memory tells at most 4,095 variables apart. So they become numbers of one type. */
#include "frontend/retarget/repair.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_BITS = 64 };

/* Memory has as many bytes for three elements as for four. */
static LLVMTypeRef whole_type(LLVMTypeRef t)
{
	bool three = LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) == 3;
	return three ? LLVMVectorType(LLVMGetElementType(t), 4) : t;
}

/* The bits of a number, or of a vector of them; 0: it is neither. */
static u64 bits_of(const FeModule *m, LLVMTypeRef t)
{
	LLVMTypeRef e = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
	LLVMTypeKind k = LLVMGetTypeKind(e);
	bool number =
	    k == LLVMIntegerTypeKind || k == LLVMHalfTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
	return number ? LLVMSizeOfTypeInBits(m->td, whole_type(t)) : 0;
}

/* What a load or store of the whole variable v moves; NULL: user is something else. */
static LLVMTypeRef moved(LLVMValueRef user, LLVMValueRef v)
{
	bool store = LLVMIsAStoreInst(user), load = LLVMIsALoadInst(user);
	if ((!store && !load) || LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic ||
	    (store && LLVMGetOperand(user, 1) != v))
		return NULL;
	return store ? LLVMTypeOf(LLVMGetOperand(user, 0)) : LLVMTypeOf(user);
}

static bool is_coerced(const FeModule *m, LLVMValueRef v)
{
	LLVMTypeRef own = LLVMGetAllocatedType(v);
	u64 bits = bits_of(m, own);
	bool other = false;
	if (!bits || bits > MOST_BITS || !LLVMIsAConstantInt(LLVMGetOperand(v, 0)) ||
	    LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) != 1)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMTypeRef t = moved(LLVMGetUser(u), v);
		if (!t || bits_of(m, t) != bits)
			return false;
		other |= t != own;
	}
	return other;
}

/* x with as many elements as `to`: a fourth one that is nothing, or without it. */
static LLVMValueRef resized(LLVMBuilderRef b, LLVMValueRef x, LLVMTypeRef to)
{
	LLVMTypeRef from = LLVMTypeOf(x), index = LLVMInt32TypeInContext(LLVMGetTypeContext(from));
	LLVMValueRef mask[4] = {LLVMConstInt(index, 0, 0), LLVMConstInt(index, 1, 0), LLVMConstInt(index, 2, 0),
	                        LLVMGetUndef(index)};
	if (from == to)
		return x;
	return LLVMBuildShuffleVector(b, x, LLVMGetUndef(from), LLVMConstVector(mask, LLVMGetVectorSize(to)), "");
}

static void as_number(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef number)
{
	LLVMPositionBuilderBefore(b, v);
	LLVMSetCurrentDebugLocation2(b, NULL);
	LLVMValueRef slot = LLVMBuildAlloca(b, number, "");
	for (LLVMUseRef u; (u = LLVMGetFirstUse(v));) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMTypeRef t = moved(user, v);
		LLVMPositionBuilderBefore(b, user);
		LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(user));
		if (LLVMIsAStoreInst(user)) {
			LLVMValueRef x = resized(b, LLVMGetOperand(user, 0), whole_type(t));
			LLVMBuildStore(b, LLVMBuildBitCast(b, x, number, ""), slot);
		} else {
			LLVMValueRef x = LLVMBuildBitCast(b, LLVMBuildLoad2(b, number, slot, ""), whole_type(t), "");
			LLVMReplaceAllUsesWith(user, resized(b, x, t));
		}
		LLVMInstructionEraseFromParent(user);
	}
	char *name = xstrdup(LLVMGetValueName(v));
	LLVMReplaceAllUsesWith(v, slot); /* what says which variable it is */
	LLVMInstructionEraseFromParent(v);
	LLVMSetValueName2(slot, name, strlen(name));
	free(name);
}

void repair_coerced(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	ARRAY(LLVMValueRef) found = {0};
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (LLVMIsAAllocaInst(i) && is_coerced(m, i))
				array_push(&found, i);
	for (u32 i = 0; i < found.n; i++) {
		u64 bits = bits_of(m, LLVMGetAllocatedType(found.v[i]));
		as_number(b, found.v[i], LLVMIntTypeInContext(m->ctx, (unsigned)bits));
	}
	array_free(&found);
	LLVMDisposeBuilder(b);
}
