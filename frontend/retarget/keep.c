/* Loads and stores become volatile; divisors and expressions of constants go through a function that nobody knows. See
 * keep.h. */
#include "frontend/retarget/keep.h"

#include <stdio.h>

#define KEPT "wavesim.kept"
#define UNKNOWN "wavesim.unknown." /* and a number: a function for each type */

static u32 kept_kind(const FeModule *m) { return LLVMGetMDKindIDInContext(m->ctx, KEPT, sizeof KEPT - 1); }

static bool accesses(LLVMValueRef i) { return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i); }

static bool divides(LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	return op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
}

static LLVMValueRef unknown_function(FeModule *m, LLVMTypeRef type)
{
	char name[sizeof UNKNOWN + 10];
	LLVMTypeRef t = LLVMFunctionType(type, &type, 1, false);
	LLVMValueRef f;
	for (u32 k = 0;; k++) {
		snprintf(name, sizeof name, UNKNOWN "%u", k);
		f = LLVMGetNamedFunction(m->mod, name);
		if (!f)
			break;
		if (LLVMGlobalGetValueType(f) == t)
			return f;
	}
	return LLVMAddFunction(m->mod, name, t);
}

static bool is_unknown(LLVMValueRef i)
{
	return !strncmp(llvm_callee_name(i), UNKNOWN, sizeof UNKNOWN - 1);
}

/* A divisor may be zero, and expressions of constants that clang did not evaluate become others that nobody does. */
static bool is_hidden(LLVMValueRef i, u32 operand)
{
	LLVMValueRef v = LLVMGetOperand(i, operand);
	return (operand == 1 && divides(i)) ||
	       (LLVMIsAConstantExpr(v) && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind);
}

/* An operand of a phi that comes from the same block, which must be the same value; or NULL. */
static LLVMValueRef hidden_before(LLVMValueRef phi, u32 operand)
{
	for (u32 k = 0; k < operand; k++)
		if (LLVMGetIncomingBlock(phi, k) == LLVMGetIncomingBlock(phi, operand))
			return LLVMGetOperand(phi, k);
	return NULL;
}

static void hide(FeModule *m, LLVMBuilderRef b, LLVMValueRef i, u32 operand)
{
	LLVMValueRef before = LLVMIsAPHINode(i) ? hidden_before(i, operand) : NULL;
	if (before) {
		LLVMSetOperand(i, operand, before);
		return;
	}
	LLVMValueRef v = LLVMGetOperand(i, operand), unknown = unknown_function(m, LLVMTypeOf(v));
	LLVMPositionBuilderBefore(b, LLVMIsAPHINode(i) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, operand)) : i);
	LLVMSetOperand(i, operand, llvm_call(b, unknown, &v, 1));
}

void keep_begin(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMValueRef node = LLVMMetadataAsValue(m->ctx, LLVMMDNodeInContext2(m->ctx, NULL, 0));
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			if (accesses(i) && !LLVMGetVolatile(i)) {
				LLVMSetVolatile(i, true);
				LLVMSetMetadata(i, kept_kind(m), node);
			}
			for (u32 k = 0, n = (u32)LLVMGetNumOperands(i); k < n; k++)
				if (is_hidden(i, k))
					hide(m, b, i, k);
		}
	LLVMDisposeBuilder(b);
}

void keep_end(FeModule *m)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			if (accesses(i) && LLVMGetMetadata(i, kept_kind(m))) {
				LLVMSetVolatile(i, false);
				LLVMSetMetadata(i, kept_kind(m), NULL);
			}
			if (is_unknown(i)) {
				LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
				LLVMInstructionEraseFromParent(i);
			}
		}
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod), next; f; f = next) {
		size_t n;
		next = LLVMGetNextFunction(f);
		if (!strncmp(LLVMGetValueName2(f, &n), UNKNOWN, sizeof UNKNOWN - 1))
			LLVMDeleteFunction(f);
	}
}
