/* See inlining.h. */
#include "frontend/retarget/inlining.h"

#include "base/hash.h"
#include "frontend/module/llvm.h"

enum {
	MOST_INLINED = 200000, /* instructions of all kernels with everything in them: what is called twice is there twice */
	DEEPEST = 200          /* calls in calls */
};

/* nvidia.ll: it does not compute them, even of constants. */
static bool is_product(LLVMValueRef f)
{
	static const char *const names[] = {"nvidia.mul24", "nvidia.mad24"};
	for (u32 i = 0; i < COUNT(names); i++)
		if (!strcmp(LLVMGetValueName(f), names[i]))
			return true;
	return false;
}

/* sizes: of a function, instructions with all that it calls, + 1; 1: not known yet. */
static u64 size_inlined(Map *sizes, LLVMValueRef f, u32 depth)
{
	u64 known = (u64)(uintptr_t)ptrmap_get(sizes, f);
	if (known)
		return known - 1; /* 0 where it calls itself: that is not inlined */
	if (depth > DEEPEST)
		return MOST_INLINED;
	*ptrmap_slot(sizes, f) = (void *)(uintptr_t)1;
	u64 size = 0;
	llvm_each_instruction(f, i) {
		LLVMValueRef called = llvm_callee(i);
		bool within = called && !LLVMIsDeclaration(called) && !llvm_has_attribute(called, "noinline");
		size += 1 + (within ? size_inlined(sizes, called, depth + 1) : 0);
		if (size > MOST_INLINED)
			size = MOST_INLINED;
	}
	*ptrmap_slot(sizes, f) = (void *)(uintptr_t)(size + 1);
	return size;
}

void inline_functions(FeModule *m)
{
	Arena *a = arena_new();
	Map *sizes = map_new(a);
	u64 all = 0;
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMInternalLinkage)
			all += size_inlined(sizes, f, 0);
	arena_free(a);
	llvm_each_function(m->mod, f) {
		if (LLVMIsDeclaration(f) || f == m->kernel)
			continue;
		if (is_product(f)) { /* of a function that others may replace nothing is concluded */
			llvm_add_attribute(f, ON_FUNCTION, "noinline");
			LLVMSetLinkage(f, LLVMExternalLinkage);
		} else if (all < MOST_INLINED && !llvm_has_attribute(f, "noinline"))
			llvm_add_attribute(f, ON_FUNCTION, "alwaysinline");
	}
}

void inline_products(FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && is_product(f)) {
			LLVMSetLinkage(f, LLVMInternalLinkage);
			llvm_inline_always(f);
		}
}
