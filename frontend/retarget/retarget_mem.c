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

/* Where it is declared goes with it. */
static void keep_declaration(LLVMValueRef from, LLVMValueRef to)
{
	size_t n = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &n);
	for (u32 i = 0; i < n; i++)
		LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
		                      LLVMValueMetadataEntriesGetMetadata(entries, i));
	LLVMDisposeValueMetadataEntries(entries);
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
		keep_declaration(old, g);
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

/* Debug declarations and lifetime markers are tied to the old pointer. For checks a variable lives as long as its
 * function: what a pointer to a dead one reads is the machine's to say. */
static void collect_markers(const FeModule *m, LLVMValueRef f, Instructions *declarations, Instructions *lifetimes)
{
	llvm_each_instruction(f, i) {
		LlvmDebug kind = llvm_debug(i);
		LLVMValueRef where = kind == LLVM_DEBUG_DECLARE ? llvm_debug_of(i) : NULL;
		if (where && LLVMIsAAllocaInst(where) && is_users(m, i))
			array_push(declarations, i);
		else if (!m->check && llvm_is_lifetime(i) && LLVMIsAAllocaInst(LLVMGetOperand(i, 1)))
			array_push(lifetimes, i);
		else if (kind || llvm_is_lifetime(i))
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

/* Markers followed the alloca to the cast that took its place: they are of the new alloca, if there is one. */
static LLVMValueRef behind_cast(LLVMValueRef v)
{
	return v && LLVMIsAAddrSpaceCastInst(v) ? LLVMGetOperand(v, 0) : v;
}

static void mark_again(const FeModule *m, LLVMBuilderRef b, LLVMValueRef old)
{
	const char *name = llvm_callee_name(old);
	name = !strncmp(name, "llvm.lifetime.start", 19) ? "llvm.lifetime.start" : "llvm.lifetime.end";
	LLVMValueRef args[] = {LLVMGetOperand(old, 0), behind_cast(LLVMGetOperand(old, 1))};
	LLVMTypeRef pointer = LLVMTypeOf(args[1]);
	LLVMPositionBuilderBefore(b, old);
	llvm_call(b, llvm_intrinsic(m->mod, name, &pointer, 1), args, COUNT(args));
	LLVMInstructionEraseFromParent(old);
}

static void function_allocas(const FeModule *m, LLVMValueRef f, LLVMBuilderRef b)
{
	Instructions declarations = {0}, lifetimes = {0};
	collect_markers(m, f, &declarations, &lifetimes);
	llvm_each_instruction(f, i)
		if (LLVMIsAAllocaInst(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(i)) != SPACE_PRIVATE)
			one_alloca(m, b, i);
	for (u32 i = 0; i < declarations.n; i++)
		llvm_debug_set(declarations.v[i], behind_cast(llvm_debug_of(declarations.v[i])));
	for (u32 i = 0; i < lifetimes.n; i++)
		mark_again(m, b, lifetimes.v[i]);
	array_free(&lifetimes);
	array_free(&declarations);
}

void mem_allocas(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			function_allocas(m, f, b);
	LLVMDisposeBuilder(b);
}
