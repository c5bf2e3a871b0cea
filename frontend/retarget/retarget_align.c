/* Arrays aligned as the device's compiler aligns them.
 *
 * The ABI of x86-64 gives arrays of 16 bytes and more an alignment of 16, and clang says so at
 * each access whose place it knows. For AMD's devices an array has the alignment of its
 * elements, from which follows what accesses the code generator may merge and how it lays out
 * memory. So arrays get that, unless the source asks for another one, and the accesses to them
 * what follows from it. */
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

enum { STEPS = 16 };

static LLVMTypeRef element_of(LLVMTypeRef t)
{
	while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
		t = LLVMGetElementType(t);
	return t;
}

/* The alignment of an array by its elements; 0: not an array, or of structs, whose own alignment
 * the source may have set. */
static u32 natural(const FeModule *m, LLVMTypeRef t)
{
	LLVMTypeRef e = element_of(t);
	return e == t || LLVMGetTypeKind(e) == LLVMStructTypeKind ? 0 : LLVMABIAlignmentOfType(m->td, e);
}

/* Has it more than that? */
static bool is_more(const FeModule *m, LLVMValueRef v, LLVMTypeRef t)
{
	u32 align = natural(m, t);
	return align && LLVMGetAlignment(v) > align;
}

/* Does the source say `aligned` of this variable? (LLVM numbers all of the module for an answer:
 * ask only when it matters.) */
static bool is_aligned(LLVMValueRef variable)
{
	char *text = LLVMPrintValueToString(variable);
	bool yes = strstr(text, ", align: ") != NULL;
	LLVMDisposeMessage(text);
	return yes;
}

/* ---- accesses ---- */

/* What is known of an access to a value of type t in an object with this alignment. */
static void align_access(const FeModule *m, LLVMValueRef i, LLVMTypeRef t, u32 align)
{
	u32 own = LLVMABIAlignmentOfType(m->td, t), most = own > align ? own : align;
	if (LLVMGetAlignment(i) > most)
		LLVMSetAlignment(i, most);
}

/* memcpy and memset: the arguments that point into the object. */
static void align_call(const FeModule *m, LLVMValueRef call, LLVMValueRef pointer, u32 align)
{
	u32 kind = llvm_attribute("align");
	for (u32 i = 0; i < LLVMGetNumArgOperands(call) && i < 2; i++) {
		LLVMAttributeRef a = LLVMGetOperand(call, i) == pointer
		                             ? LLVMGetCallSiteEnumAttribute(call, i + 1, kind) : NULL;
		if (!a || LLVMGetEnumAttributeValue(a) <= align)
			continue;
		LLVMRemoveCallSiteEnumAttribute(call, i + 1, kind);
		LLVMAddCallSiteAttribute(call, i + 1, LLVMCreateEnumAttribute(m->ctx, kind, align));
	}
}

static bool is_address(LLVMValueRef v)
{
	LLVMOpcode op = LLVMIsAConstantExpr(v)    ? LLVMGetConstOpcode(v)
	                : LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
	return op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMAddrSpaceCast;
}

/* steps: addresses derived from addresses that are still followed. */
static void align_users(const FeModule *m, LLVMValueRef pointer, u32 align, u32 steps)
{
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u && steps; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);
		if (is_address(i))
			align_users(m, i, align, steps - 1);
		else if (LLVMIsALoadInst(i))
			align_access(m, i, LLVMTypeOf(i), align);
		else if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == pointer)
			align_access(m, i, LLVMTypeOf(LLVMGetOperand(i, 0)), align);
		else if (LLVMIsAMemIntrinsic(i))
			align_call(m, i, pointer, align);
	}
}

/* ---- objects ---- */

/* requires is_more() */
static void align_object(const FeModule *m, LLVMValueRef v, LLVMTypeRef t)
{
	u32 align = natural(m, t);
	LLVMSetAlignment(v, align);
	align_users(m, v, align, STEPS);
}

static bool is_aligned_global(LLVMValueRef g, LLVMContextRef ctx)
{
	size_t n;
	bool yes = false;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
	for (u32 i = 0; i < n; i++)
		if (LLVMGetMetadataKind(LLVMValueMetadataEntriesGetMetadata(all, i)) ==
		    (LLVMMetadataKind)LLVMDIGlobalVariableExpressionMetadataKind)
			yes |= is_aligned(LLVMMetadataAsValue(
				ctx, LLVMDIGlobalVariableExpressionGetVariable(
					     LLVMValueMetadataEntriesGetMetadata(all, i))));
	LLVMDisposeValueMetadataEntries(all);
	return yes;
}

static void function_objects(const FeModule *m, LLVMValueRef f)
{
	ARRAY(LLVMValueRef) kept = {0};
	llvm_each_instruction(f, i) {
		LLVMValueRef where = llvm_debug(i) == LLVM_DEBUG_DECLARE ? llvm_debug_of(i) : NULL;
		if (where && LLVMIsAAllocaInst(where) && is_more(m, where, LLVMGetAllocatedType(where)) &&
		    is_aligned(llvm_debug_variable(i)))
			array_push(&kept, where);
	}
	llvm_each_instruction(f, i) {
		if (!LLVMIsAAllocaInst(i) || !is_more(m, i, LLVMGetAllocatedType(i)))
			continue;
		bool own = false;
		for (u32 k = 0; k < kept.n; k++)
			own |= kept.v[k] == i;
		if (!own)
			align_object(m, i, LLVMGetAllocatedType(i));
	}
	array_free(&kept);
}

void align_arrays(FeModule *m)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsDeclaration(g) && is_more(m, g, LLVMGlobalGetValueType(g)) &&
		    !is_aligned_global(g, m->ctx))
			align_object(m, g, LLVMGlobalGetValueType(g));
	}
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			function_objects(m, f);
}
