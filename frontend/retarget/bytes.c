/* See bytes.h. */
#include "frontend/retarget/bytes.h"

#include "frontend/module/llvm.h"

enum { BYTES = 4, BYTE_BITS = 8 };

static bool is_bytes(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) == BYTES &&
	       LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(LLVMGetElementType(t)) == BYTE_BITS;
}

static bool is_word(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == BYTES * BYTE_BITS;
}

/* The word whose bytes these are; NULL: they come one by one. */
static LLVMValueRef word_of(const FeModule *m, LLVMValueRef bytes)
{
	if (LLVMIsUndef(bytes) || LLVMIsPoison(bytes))
		return LLVMConstInt(LLVMIntTypeInContext(m->ctx, BYTES * BYTE_BITS), 0, 0);
	if (!LLVMIsABitCastInst(bytes) || !is_word(LLVMTypeOf(LLVMGetOperand(bytes, 0))))
		return NULL;
	return LLVMGetOperand(bytes, 0);
}

/* The word that i makes of bytes of one or two others, as one operation; NULL: it is something else. */
static LLVMValueRef permuted(FeModule *m, LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef shuffle = LLVMIsABitCastInst(i) ? LLVMGetOperand(i, 0) : NULL;
	if (!shuffle || !is_word(LLVMTypeOf(i)) || !LLVMIsAShuffleVectorInst(shuffle) ||
	    !is_bytes(LLVMTypeOf(shuffle)) || !is_bytes(LLVMTypeOf(LLVMGetOperand(shuffle, 0))))
		return NULL;
	LLVMValueRef low = word_of(m, LLVMGetOperand(shuffle, 0)), high = word_of(m, LLVMGetOperand(shuffle, 1));
	if (!low || !high)
		return NULL;
	u32 from = 0;
	for (u32 k = 0; k < BYTES; k++) {
		int at = LLVMGetMaskValue(shuffle, k);
		from |= (at < 0 ? k : (u32)at) << BYTE_BITS * k;
	}
	LLVMPositionBuilderBefore(b, i);
	LLVMValueRef x[] = {high, low, LLVMConstInt(LLVMTypeOf(i), from, 0)};
	return llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.perm", NULL, 0), x, COUNT(x));
}

void bytes_permute(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			LLVMValueRef word = permuted(m, b, i);
			if (word)
				LLVMReplaceAllUsesWith(i, word);
		}
	LLVMDisposeBuilder(b);
}
