/* Variables into their address spaces.
 *
 * clang compiled for one flat address space, so the kind of a global variable shows
 * in its form: a constant is `__constant` data or a table; a variable whose initial
 * value is undefined is a `__local` variable of a kernel (OpenCL initialises all other
 * variables); the rest is program scope. */
#include "frontend/retarget.h"

static Space space_of(LLVMValueRef g)
{
	if (LLVMIsGlobalConstant(g))
		return SPACE_CONSTANT;
	return LLVMIsUndef(LLVMGetInitializer(g)) ? SPACE_LDS : SPACE_GLOBAL;
}

bool mem_globals(FeModule *m, Diag *d)
{
	typedef struct { LLVMValueRef old, new; } Pair;
	ARRAY(Pair) pairs = {0};
	bool ok = true;
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMGetInitializer(g))
			ok = diag_error(d, (Loc){.file = m->user_path}, "variable '%s' has no definition",
			                LLVMGetValueName(g));
		else if (LLVMIsThreadLocal(g) || LLVMGetLinkage(g) == LLVMAppendingLinkage)
			ok = diag_error(d, (Loc){.file = m->user_path},
			                "'%s' is not a variable of OpenCL C", LLVMGetValueName(g));
		else
			array_push(&pairs, ((Pair){g, NULL}));
	}
	for (u32 i = 0; ok && i < pairs.n; i++) {
		LLVMValueRef old = pairs.v[i].old;
		Space space = space_of(old);
		LLVMValueRef g = LLVMAddGlobalInAddressSpace(m->mod, LLVMGlobalGetValueType(old), "", space);
		LLVMSetLinkage(g, LLVMInternalLinkage);
		LLVMSetAlignment(g, LLVMGetAlignment(old));
		LLVMSetGlobalConstant(g, LLVMIsGlobalConstant(old));
		LLVMSetUnnamedAddress(g, LLVMGetUnnamedAddress(old));
		pairs.v[i].new = g;
		LLVMReplaceAllUsesWith(old, LLVMConstAddrSpaceCast(g, retarget_ptr(m, SPACE_FLAT)));
	}
	for (u32 i = 0; ok && i < pairs.n; i++) {
		LLVMValueRef old = pairs.v[i].old, g = pairs.v[i].new;
		LLVMSetInitializer(g, LLVMGetInitializer(old));
		size_t n;
		const char *name = arena_strdup(m->arena, LLVMGetValueName2(old, &n));
		LLVMDeleteGlobal(old);
		LLVMSetValueName2(g, name, n);
	}
	array_free(&pairs);
	return ok;
}

/* Lifetime markers and debug declarations are tied to the old pointer. */
static void drop_markers(LLVMValueRef f)
{
	for_each_instruction(f, i) {
		LLVMValueRef callee = retarget_callee(i);
		const char *name = callee ? LLVMGetValueName(callee) : "";
		if (!strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.dbg.", 9))
			LLVMInstructionEraseFromParent(i);
	}
}

static void function_allocas(const FeModule *m, LLVMValueRef f, LLVMBuilderRef b)
{
	drop_markers(f);
	for_each_instruction(f, i) {
		if (!LLVMIsAAllocaInst(i) ||
		    LLVMGetPointerAddressSpace(LLVMTypeOf(i)) == SPACE_PRIVATE)
			continue;
		LLVMPositionBuilderBefore(b, i);
		LLVMValueRef count = LLVMGetOperand(i, 0);
		LLVMTypeRef t = LLVMGetAllocatedType(i);
		size_t n;
		const char *name = LLVMGetValueName2(i, &n);
		LLVMValueRef v = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1
			? LLVMBuildAlloca(b, t, "")
			: LLVMBuildArrayAlloca(b, t, count, "");
		LLVMSetAlignment(v, LLVMGetAlignment(i));
		LLVMValueRef flat = LLVMBuildAddrSpaceCast(b, v, retarget_ptr(m, SPACE_FLAT), "");
		name = arena_strndup(m->arena, name, n);
		LLVMReplaceAllUsesWith(i, flat);
		LLVMInstructionEraseFromParent(i);
		LLVMSetValueName2(v, name, n);
	}
}

void mem_allocas(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			function_allocas(m, f, b);
	LLVMDisposeBuilder(b);
}
