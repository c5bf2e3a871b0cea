/* Loads become volatile; operations that may be a fault, and expressions of constants, are calls of functions
 * that nobody knows; see keep.h. */
#include "frontend/retarget/keep.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>

#define KEPT "wavesim.kept"
/* The opcode that it stands for (0: its operand itself), and a number for the type. */
#define UNKNOWN "wavesim.unknown."

static u32 kept_kind(const FeModule *m) { return LLVMGetMDKindIDInContext(m->ctx, KEPT, sizeof KEPT - 1); }

static bool is_masked(LLVMValueRef amount)
{
	return LLVMIsAConstant(amount) ||
	       (LLVMIsAInstruction(amount) && LLVMGetInstructionOpcode(amount) == LLVMAnd);
}

/* A division may be one by zero. Too large an amount, or a float out of range, has a result here, and none for LLVM. */
static bool may_be_fault(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMSDiv: case LLVMUDiv: case LLVMSRem: case LLVMURem:
	case LLVMFPToSI: case LLVMFPToUI: return true;
	case LLVMShl: case LLVMLShr: case LLVMAShr: return !is_masked(LLVMGetOperand(i, 1));
	default: return false;
	}
}

static LLVMValueRef unknown_function(FeModule *m, LLVMOpcode op, LLVMTypeRef result, LLVMTypeRef *types, u32 n)
{
	char name[sizeof UNKNOWN + 22];
	LLVMTypeRef t = LLVMFunctionType(result, types, n, false);
	LLVMValueRef f;
	for (u32 k = 0;; k++) {
		snprintf(name, sizeof name, UNKNOWN "%u.%u", (u32)op, k);
		f = LLVMGetNamedFunction(m->mod, name);
		if (!f)
			break;
		if (LLVMGlobalGetValueType(f) == t)
			return f;
	}
	return LLVMAddFunction(m->mod, name, t);
}

static LLVMValueRef unknown(FeModule *m, LLVMBuilderRef b, LLVMOpcode op, LLVMTypeRef result, LLVMValueRef *x, u32 n)
{
	LLVMTypeRef types[2];
	for (u32 i = 0; i < n; i++)
		types[i] = LLVMTypeOf(x[i]);
	return llvm_call(b, unknown_function(m, op, result, types, n), x, n);
}

static bool is_unknown_function(LLVMValueRef f)
{
	size_t n;
	return f && !strncmp(LLVMGetValueName2(f, &n), UNKNOWN, sizeof UNKNOWN - 1);
}

/* ---- operands ---- */

/* Expressions of constants that clang did not evaluate become others that nobody does. */
static bool is_hidden(LLVMValueRef v)
{
	return LLVMIsAConstantExpr(v) && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind;
}

/* An operand of a phi that comes from the same block, which must be the same value; or NULL. */
static LLVMValueRef hidden_before(LLVMValueRef phi, u32 operand)
{
	for (u32 k = 0; k < operand; k++)
		if (LLVMGetIncomingBlock(phi, k) == LLVMGetIncomingBlock(phi, operand))
			return LLVMGetOperand(phi, k);
	return NULL;
}

static void hide_operand(FeModule *m, LLVMBuilderRef b, LLVMValueRef i, u32 operand)
{
	LLVMValueRef before = LLVMIsAPHINode(i) ? hidden_before(i, operand) : NULL, v = LLVMGetOperand(i, operand);
	if (!before) {
		LLVMPositionBuilderBefore(
		    b, LLVMIsAPHINode(i) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, operand)) : i);
		before = unknown(m, b, (LLVMOpcode)0, LLVMTypeOf(v), &v, 1);
	}
	LLVMSetOperand(i, operand, before);
}

/* ---- operations ---- */

static void take_place(LLVMValueRef old, LLVMValueRef other)
{
	char *name = xstrdup(LLVMGetValueName(old));
	LLVMInstructionSetDebugLoc(other, LLVMInstructionGetDebugLoc(old));
	LLVMReplaceAllUsesWith(old, other);
	LLVMInstructionEraseFromParent(old);
	LLVMSetValueName2(other, name, strlen(name));
	free(name);
}

static void hide(FeModule *m, LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef x[2];
	u32 n = (u32)LLVMGetNumOperands(i);
	for (u32 k = 0; k < n; k++)
		x[k] = LLVMGetOperand(i, k);
	LLVMPositionBuilderBefore(b, i);
	take_place(i, unknown(m, b, LLVMGetInstructionOpcode(i), LLVMTypeOf(i), x, n));
}

static void show(LLVMBuilderRef b, LLVMValueRef call)
{
	size_t length;
	LLVMOpcode op =
	    (LLVMOpcode)strtoul(LLVMGetValueName2(llvm_callee(call), &length) + sizeof UNKNOWN - 1, NULL, 10);
	LLVMValueRef x = LLVMGetOperand(call, 0);
	if (!op) {
		LLVMReplaceAllUsesWith(call, x);
		LLVMInstructionEraseFromParent(call);
		return;
	}
	LLVMPositionBuilderBefore(b, call);
	LLVMValueRef meanwhile = LLVMBuildFreeze(b, x, ""); /* of constants it would not be built, but computed */
	bool cast = op == LLVMFPToSI || op == LLVMFPToUI;
	LLVMValueRef v = cast ? LLVMBuildCast(b, op, meanwhile, LLVMTypeOf(call), "")
	                      : LLVMBuildBinOp(b, op, meanwhile, LLVMGetOperand(call, 1), "");
	LLVMSetOperand(v, 0, x);
	LLVMInstructionEraseFromParent(meanwhile);
	take_place(call, v);
}

/* ---- all of them ---- */

/* A function of the source that only computes may still read out of bounds: nothing says that a call may go. */
static void keep_calls(LLVMValueRef f)
{
	u32 returns = llvm_attribute("willreturn");
	if (!LLVMIsDeclaration(f))
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, returns);
	llvm_each_instruction(f, i)
		if (llvm_callee(i) && !LLVMIsDeclaration(llvm_callee(i)))
			LLVMRemoveCallSiteEnumAttribute(i, ON_FUNCTION, returns);
}

void keep_begin(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMValueRef node = LLVMMetadataAsValue(m->ctx, LLVMMDNodeInContext2(m->ctx, NULL, 0));
	llvm_each_function(m->mod, f) {
		keep_calls(f);
		llvm_each_instruction(f, i) {
			if (LLVMIsALoadInst(i) && !LLVMGetVolatile(i)) {
				LLVMSetVolatile(i, true);
				LLVMSetMetadata(i, kept_kind(m), node);
			}
			for (u32 k = 0, n = (u32)LLVMGetNumOperands(i); k < n; k++)
				if (is_hidden(LLVMGetOperand(i, k)))
					hide_operand(m, b, i, k);
			if (may_be_fault(i))
				hide(m, b, i);
		}
	}
	LLVMDisposeBuilder(b);
}

void keep_end(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			if (LLVMIsALoadInst(i) && LLVMGetMetadata(i, kept_kind(m))) {
				LLVMSetVolatile(i, false);
				LLVMSetMetadata(i, kept_kind(m), NULL);
			}
			if (is_unknown_function(llvm_callee(i)))
				show(b, i);
		}
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		if (is_unknown_function(f))
			LLVMDeleteFunction(f);
	}
	LLVMDisposeBuilder(b);
}
