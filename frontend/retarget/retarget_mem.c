/* Variables into their address spaces.
 *
 * clang compiled for one flat address space, so the kind of a global variable shows
 * in its form: a constant is `__constant` data or a table; a variable whose initial
 * value is undefined is a `__local` variable of a kernel (OpenCL initialises all other
 * variables); the rest is program scope. */
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

static Space space_of(LLVMValueRef g)
{
	if (LLVMIsGlobalConstant(g))
		return SPACE_CONSTANT;
	return LLVMIsUndef(LLVMGetInitializer(g)) ? SPACE_LDS : SPACE_GLOBAL;
}

bool mem_globals(FeModule *m, Diag *d)
{
	typedef struct { LLVMValueRef old, new; } MovedGlobal;
	ARRAY(MovedGlobal) pairs = {0};
	bool ok = true;
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMGetInitializer(g))
			ok = diag_error(d, (Loc){.file = m->user_path}, "variable '%s' has no definition",
			                LLVMGetValueName(g));
		else if (LLVMIsThreadLocal(g) || LLVMGetLinkage(g) == LLVMAppendingLinkage)
			ok = diag_error(d, (Loc){.file = m->user_path},
			                "'%s' is not a variable of OpenCL C", LLVMGetValueName(g));
		else
			array_push(&pairs, ((MovedGlobal){g, NULL}));
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
		LLVMReplaceAllUsesWith(old, LLVMConstAddrSpaceCast(g, llvm_pointer(m->ctx, SPACE_FLAT)));
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

/* ---- private memory ---- */

typedef ARRAY(LLVMValueRef) Instructions;

/* Is the variable one of the user's? The optimiser need not carry those of PoCL's library. */
static bool is_users(const FeModule *m, LLVMValueRef declaration)
{
	LLVMValueRef variable = llvm_debug_variable(declaration);
	LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(LLVMValueAsMetadata(variable)) : NULL;
	return file && fe_file(m, file);
}

/* Lifetime markers and debug declarations are tied to the old pointer. */
static void drop_markers(const FeModule *m, LLVMValueRef f, Instructions *declarations)
{
	llvm_each_instruction(f, i) {
		LLVMValueRef callee = llvm_callee(i);
		LlvmDebug kind = llvm_debug(i);
		LLVMValueRef where = kind == LLVM_DEBUG_DECLARE ? llvm_debug_of(i) : NULL;
		if (where && LLVMIsAAllocaInst(where) && is_users(m, i))
			array_push(declarations, i);
		else if (kind || (callee && !strncmp(LLVMGetValueName(callee), "llvm.lifetime.", 14)))
			LLVMInstructionEraseFromParent(i);
	}
}

static void one_alloca(const FeModule *m, LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(b, i);
	LLVMValueRef count = LLVMGetOperand(i, 0);
	LLVMTypeRef t = LLVMGetAllocatedType(i);
	size_t n;
	const char *name = LLVMGetValueName2(i, &n);
	LLVMValueRef v = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1
		? LLVMBuildAlloca(b, t, "")
		: LLVMBuildArrayAlloca(b, t, count, "");
	LLVMSetAlignment(v, LLVMGetAlignment(i));
	LLVMValueRef flat = LLVMBuildAddrSpaceCast(b, v, llvm_pointer(m->ctx, SPACE_FLAT), "");
	name = arena_strndup(m->arena, name, n);
	LLVMReplaceAllUsesWith(i, flat);
	LLVMInstructionEraseFromParent(i);
	LLVMSetValueName2(v, name, n);
}

static void call_marker(const FeModule *m, LLVMBuilderRef b, const char *name, LLVMValueRef *args)
{
	LLVMTypeRef pointer = LLVMTypeOf(args[1]);
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->mod, LLVMLookupIntrinsicID(name, strlen(name)), &pointer, 1);
	LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* An array of a function's outermost block lives from its declaration to the function's end: clang says so where it
 * optimises, and what memory and registers the code needs depends on it. Where inner blocks end is not known. */
static void mark_lifetime(const FeModule *m, LLVMBuilderRef b, LLVMValueRef declaration, LLVMValueRef array,
                          const Instructions *returns)
{
	LLVMValueRef variable = llvm_debug_variable(declaration);
	LLVMMetadataRef scope = variable ? LLVMDIVariableGetScope(LLVMValueAsMetadata(variable)) : NULL;
	if (!scope || LLVMGetMetadataKind(scope) != (LLVMMetadataKind)LLVMDISubprogramMetadataKind ||
	    !LLVMIsAAllocaInst(array) || LLVMGetTypeKind(LLVMGetAllocatedType(array)) != LLVMArrayTypeKind)
		return;
	LLVMValueRef args[] = {LLVMConstInt(LLVMInt64TypeInContext(m->ctx),
	                                    LLVMABISizeOfType(m->td, LLVMGetAllocatedType(array)), 0), array};
	LLVMPositionBuilderBefore(b, declaration);
	call_marker(m, b, "llvm.lifetime.start", args);
	for (u32 i = 0; i < returns->n; i++) {
		LLVMPositionBuilderBefore(b, returns->v[i]);
		call_marker(m, b, "llvm.lifetime.end", args);
	}
}

/* The declaration has followed the alloca to the cast that took its place: it is of the new alloca. */
static void declare_again(const FeModule *m, LLVMBuilderRef b, LLVMValueRef call, const Instructions *returns)
{
	LLVMValueRef cast = llvm_debug_of(call);
	if (!cast || !LLVMIsAAddrSpaceCastInst(cast))
		return;
	llvm_debug_set(call, LLVMGetOperand(cast, 0));
	mark_lifetime(m, b, call, LLVMGetOperand(cast, 0), returns);
}

static void function_allocas(const FeModule *m, LLVMValueRef f, LLVMBuilderRef b)
{
	Instructions kept = {0}, returns = {0};
	drop_markers(m, f, &kept);
	llvm_each_instruction(f, i)
		if (LLVMIsAReturnInst(i))
			array_push(&returns, i);
		else if (LLVMIsAAllocaInst(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(i)) != SPACE_PRIVATE)
			one_alloca(m, b, i);
	for (u32 i = 0; i < kept.n; i++)
		declare_again(m, b, kept.v[i], &returns);
	array_free(&returns);
	array_free(&kept);
}

void mem_allocas(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			function_allocas(m, f, b);
	LLVMDisposeBuilder(b);
}
