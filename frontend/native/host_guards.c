/* Instructions that end a process on this processor and are no more than a finding on the machine, or nothing. */
#include "frontend/native/host.h"

/* By 0 a quotient is the dividend on the machine (isa/ops.def), and a finding; this processor would end the run. */
static bool guard_division(Host *h, LLVMValueRef i)
{
	LLVMOpcode op = LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
	bool is_signed = op == LLVMSDiv || op == LLVMSRem;
	if (!is_signed && op != LLVMUDiv && op != LLVMURem)
		return false;
	LLVMTypeRef t = LLVMTypeOf(i), element = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
	u32 bits = LLVMGetIntTypeWidth(element);
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1), zero = LLVMConstNull(t);
	if (LLVMIsConstant(b) || bits > 64 || (element != t && LLVMGetVectorSize(t) > 64))
		return false;
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef bad = LLVMBuildICmp(h->b, LLVMIntEQ, b, zero, "");
	if (is_signed) { /* the least number by -1 */
		LLVMValueRef least = LLVMBuildICmp(h->b, LLVMIntEQ, a, llvm_integers(t, 1ull << (bits - 1)), "");
		LLVMValueRef wraps = LLVMBuildICmp(h->b, LLVMIntEQ, b, LLVMConstAllOnes(t), "");
		bad = LLVMBuildOr(h->b, bad, LLVMBuildAnd(h->b, least, wraps, ""), "");
	}
	LLVMSetOperand(i, 1, LLVMBuildSelect(h->b, bad, llvm_integers(t, 1), b, ""));
	if (op != LLVMSRem)
		return true;
	LLVMValueRef sign = LLVMBuildAShr(h->b, a, llvm_integers(t, bits - 1), "");
	LLVMPositionBuilderBefore(h->b, LLVMGetNextInstruction(i));
	LLVMValueRef result = LLVMBuildSelect(h->b, bad, sign, i, "");
	LLVMReplaceAllUsesWith(i, result);
	LLVMSetOperand(result, 2, i);
	return true;
}

/* Local memory at an address that is a number, as inline assembly has it: where none is, a chip reads 0 and drops what
 * is stored. The machine has a finding; this processor would end the run. */
static bool guard_local(Host *h, LLVMValueRef i)
{
	enum { FIRST_PAGE = 4096, WIDEST = 128 }; /* native_run keeps local memory behind it; an access's bytes */
	static _Alignas(WIDEST) const u8 zero[WIDEST];
	static _Alignas(WIDEST) u8 dropped[WIDEST];
	unsigned at = LLVMIsALoadInst(i) ? 0 : 1;
	bool access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
	LLVMValueRef p = access && LLVMGetVolatile(i) ? LLVMGetOperand(i, at) : NULL;
	if (!p || LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != SPACE_LDS ||
	    !(LLVMIsAIntToPtrInst(p) || LLVMIsNull(p) ||
	      (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMIntToPtr)))
		return false;
	LLVMTypeRef of = LLVMTypeOf(at ? LLVMGetOperand(i, 0) : i), wide = LLVMInt64TypeInContext(h->m->ctx);
	if (LLVMStoreSizeOfType(LLVMGetModuleDataLayout(h->m->mod), of) > WIDEST)
		return false;
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef number = LLVMBuildPtrToInt(h->b, p, wide, "");
	LLVMValueRef none = LLVMBuildICmp(h->b, LLVMIntULT, number, LLVMConstInt(wide, FIRST_PAGE, false), "");
	LLVMValueRef flat = LLVMBuildIntToPtr(h->b, number, llvm_pointer(h->m->ctx, 0), "");
	LLVMSetOperand(
	    i, at, LLVMBuildSelect(h->b, none, host_address(h, at ? (void *)dropped : (const void *)zero), flat, ""));
	return true;
}

bool host_guard(Host *h, LLVMValueRef i) { return guard_division(h, i) || guard_local(h, i); }
