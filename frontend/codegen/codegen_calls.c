/* Calls that the machine runs by itself (fe_is_runtime) become code for the code generator, in
 * the child's copy of the module: AMD's library copies asynchronously with a loop over the
 * work-items, which is linked and inlined; a printf is left out, since what it costs says nothing
 * about the kernel. An inlined instruction has the number of the call. */
#include "frontend/retarget/amdlib.h"
#include "frontend/codegen/codegen.h"
#include "frontend/retarget/retarget.h"

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
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f)) {
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
	LLVMErrorRef e = fe_passes(m, passes, m->tm);
	LLVMConsumeError(e);
	return !e;
}

/* Everything but the kernel goes into its callers. */
static void inline_all(FeModule *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || LLVMGetSubprogram(f))
			continue;
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, retarget_attr("noinline"));
		retarget_add_attr(m, f, ON_FUNCTION, "alwaysinline");
		LLVMSetLinkage(f, LLVMInternalLinkage);
	}
}

bool codegen_replace_calls(FeModule *m)
{
	LLVMValueRef print = find_printf(m);
	bool copies = false;
	if (print)
		drop_calls(print);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f && !copies; f = LLVMGetNextFunction(f))
		copies = is_called(f);
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
