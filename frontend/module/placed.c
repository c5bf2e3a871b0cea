/* Variables of a HIP program's device memory. A launch does not make them anew: they lie where the program's run time
 * put them (isa/gpu.h), keep what launches and the host leave in them, and pointers to them are stored in memory. So
 * what kernels name becomes that address. */
#include "frontend/module/placed.h"

bool placed_is(LLVMValueRef g)
{
	u32 space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
	return (space == SPACE_GLOBAL || space == SPACE_CONSTANT) && !LLVMIsDeclaration(g) &&
	       !LLVMIsUndef(LLVMGetInitializer(g)) && strncmp(LLVMGetValueName(g), "llvm.", 5) != 0 &&
	       (LLVMIsExternallyInitialized(g) || !LLVMIsGlobalConstant(g));
}

void placed_replace(FeModule *m)
{
	static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
	const SrcProgram *src = m->src;
	if (!src || !src->nplaced)
		return;
	for (u32 i = 0; i < COUNT(lists); i++) {
		LLVMValueRef list = LLVMGetNamedGlobal(m->mod, lists[i]);
		if (list)
			LLVMDeleteGlobal(list);
	}
	for (u32 i = 0; i < src->nplaced; i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(m->mod, src->placed[i].symbol);
		if (!g || !placed_is(g))
			continue;
		LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(m->ctx), src->placed[i].address, 0);
		LLVMReplaceAllUsesWith(g, LLVMConstIntToPtr(at, LLVMTypeOf(g)));
		LLVMSetLinkage(g, LLVMInternalLinkage);
	}
}
