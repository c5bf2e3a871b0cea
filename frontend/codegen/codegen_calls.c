/* Calls that the machine runs by itself (fe_is_runtime) become code for the code generator, in
 * the child's copy of the module: AMD's library copies asynchronously with a loop over the
 * work-items, which is linked and inlined; a printf is left out, since what it costs says nothing
 * about the kernel. An inlined instruction has the number of the call. */
#include "frontend/codegen/codegen.h"
#include "frontend/module/mangled.h"
#include "frontend/retarget/amdlib.h"

#include <llvm-c/DebugInfo.h>

static bool is_called(LLVMValueRef f)
{
	return LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f);
}

/* NULL: not called. */
static LLVMValueRef find_printf(const FeModule *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, FE_PRINTF_MEANWHILE);
	return f && is_called(f) ? f : NULL;
}

bool codegen_leaves_out(const FeModule *m) { return find_printf(m) != NULL; }

const char *codegen_cannot_call(const FeModule *m)
{
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f);
		if (is_called(f) && f != find_printf(m) && (!fe_is_runtime(name) || !m->amd_library))
			return name;
	}
	return NULL;
}

static void drop_calls(LLVMValueRef f)
{
	LLVMUseRef use;
	while ((use = LLVMGetFirstUse(f))) {
		LLVMValueRef call = LLVMGetUser(use);
		if (!LLVMIsACallInst(call))
			return;
		LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
		LLVMInstructionEraseFromParent(call);
	}
}

bool codegen_passes(const FeModule *m, const char *passes)
{
	LLVMErrorRef e = llvm_passes(m->mod, passes, m->tm);
	LLVMConsumeError(e);
	return !e;
}

/* Everything but the kernel goes into its callers. */
static void inline_all(FeModule *m)
{
	llvm_each_function(m->mod, f) {
		if (LLVMIsDeclaration(f) || LLVMGetSubprogram(f))
			continue;
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute("noinline"));
		llvm_add_attribute(f, ON_FUNCTION, "alwaysinline");
		LLVMSetLinkage(f, LLVMInternalLinkage);
	}
}

bool codegen_replace_calls(FeModule *m)
{
	LLVMValueRef print = find_printf(m);
	bool copies = false;
	if (print)
		drop_calls(print);
	llvm_each_function(m->mod, f)
		copies |= is_called(f);
	if (copies) {
		Diag d;
		diag_init(&d);
		bool linked = amdlib_adapt_runtime(m) && amdlib_link(m, &d);
		diag_free(&d);
		if (!linked)
			return false;
		inline_all(m);
	}
	if (copies && !codegen_passes(m, "always-inline,globaldce,"
	                                 "function(infer-address-spaces,sroa,instcombine)"))
		return false;
	/* What was only printed is not computed either. */
	return !print ||
	       codegen_passes(m, "function(sroa,early-cse,dse,adce,simplifycfg,loop(loop-deletion),"
	                         "simplifycfg),globalopt,globaldce");
}
