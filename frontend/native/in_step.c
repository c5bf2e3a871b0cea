/* The lanes of a wavefront run in step on a GPU, and programs older than sub-groups and tiles count on it: they hand
 * values on through volatile local memory, without a barrier. One work-item after another would read what is not there
 * yet. So lanes meet before each such access, as far as its address is known to be in local memory. */
#include "frontend/native/native.h"

#include "frontend/retarget/repair.h"

static bool is_volatile(LLVMValueRef i) { return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i); }

static LLVMValueRef address_of(LLVMValueRef access) { return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0); }

/* Of what is not a variable of the function's own. */
static bool has_volatile(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (is_volatile(i) && !LLVMIsAAllocaInst(address_of(i)))
				return true;
	return false;
}

bool native_in_step(FeModule *m, Diag *d)
{
	static const char passes[] = "always-inline,globaldce,function(sroa,infer-address-spaces)";
	if (!has_volatile(m))
		return true;
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && f != m->kernel)
			llvm_inline_always(f);
	if (!fe_passed(m, llvm_passes(m->mod, passes, m->tm), "find volatile local memory", d))
		return false;
	repair_addresses(m);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (is_volatile(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(address_of(i))) == SPACE_LDS) {
				LLVMPositionBuilderBefore(b, i);
				llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.wave.barrier", NULL, 0), NULL, 0);
			}
	LLVMDisposeBuilder(b);
	return true;
}
