/* Small repairs between LLVM's passes.
 *
 * infer-address-spaces does not touch volatile accesses, although the address space
 * is as certain for them: it leaves an addrspacecast to flat right before the access,
 * which is skipped here, and in front of a volatile memcpy, too. The same pass gives its new
 * address computations no line, and the optimiser drops the line of an instruction that it
 * merged from two places; counters per line need one, so such an instruction gets that of its
 * user.
 *
 * A float out of range converted to an integer is poison in LLVM, from which the optimiser
 * concludes that the code does not run. OpenCL C says that some integer comes out, and PoCL's
 * library counts on it: its floor() converts a NaN on the way to the right result. */
#include "frontend/retarget/repair.h"

#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

/* ---- programs that were linked ---- */

/* clang describes a function where it is called, too, and where PoCL links its library that is left on functions that
 * have a body now: one without places. */
static bool has_places(LLVMValueRef f)
{
	llvm_each_instruction(f, i)
		if (LLVMInstructionGetDebugLoc(i))
			return true;
	return false;
}

void repair_subprograms(FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (LLVMGetSubprogram(f) && !has_places(f))
			LLVMGlobalEraseMetadata(f, LLVMGetMDKindIDInContext(m->ctx, "dbg", 3));
}

/* ---- addresses ---- */

static LLVMValueRef specific(LLVMValueRef address)
{
	LLVMValueRef source = llvm_cast_source(address);
	return source && LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == SPACE_FLAT ? source : NULL;
}

/* A volatile memcpy: the intrinsic is another one for each pair of address spaces. */
static void copy_addresses(FeModule *m, LLVMBuilderRef b, LLVMValueRef call)
{
	enum { TO, FROM, BYTES, ARGS = 4 };
	LLVMValueRef arg[ARGS];
	LLVMTypeRef type[ARGS];
	bool better = false, set = LLVMIsAMemSetInst(call);
	u32 kind = llvm_attribute("align");
	for (u32 k = 0; k < ARGS; k++) {
		LLVMValueRef old = LLVMGetOperand(call, k);
		LLVMValueRef source = k == TO || (k == FROM && !set) ? specific(old) : NULL;
		better |= source != NULL;
		arg[k] = source ? source : old;
		type[k] = LLVMTypeOf(arg[k]);
	}
	if (!better)
		return;
	if (set)
		type[FROM] = type[BYTES];
	u32 id = LLVMGetIntrinsicID(LLVMGetCalledValue(call));
	LLVMPositionBuilderBefore(b, call);
	LLVMValueRef new = llvm_call(b, LLVMGetIntrinsicDeclaration(m->mod, id, type, set ? 2 : 3), arg, ARGS);
	for (u32 k = TO; k <= FROM; k++) {
		LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
		if (a)
			LLVMAddCallSiteAttribute(new, k + 1, a);
	}
	LLVMInstructionEraseFromParent(call);
}

static void function_addresses(FeModule *m, LLVMBuilderRef b, LLVMValueRef f)
{
	llvm_each_instruction(f, i) {
		if (LLVMIsAMemIntrinsic(i))
			copy_addresses(m, b, i);
		u32 at = LLVMIsAStoreInst(i) ? 1 : 0;
		if (!at && !LLVMIsALoadInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i))
			continue;
		LLVMValueRef source = specific(LLVMGetOperand(i, at));
		if (source)
			LLVMSetOperand(i, at, source);
	}
}

void repair_addresses(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		function_addresses(m, b, f);
	LLVMDisposeBuilder(b);
}

/* ---- conversions ---- */

static void freeze(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
	LLVMValueRef f = LLVMBuildFreeze(b, i, "");
	LLVMReplaceAllUsesWith(i, f);
	LLVMSetOperand(f, 0, i);
}

void repair_conversions(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f) {
		llvm_each_instruction(f, i) {
			if (LLVMIsAFPToSIInst(i) || LLVMIsAFPToUIInst(i))
				freeze(b, i);
		}
	}
	LLVMDisposeBuilder(b);
}

/* ---- hints ---- */

static bool is_hint(const char *name)
{
	static const char *const hints[] = {"llvm.assume", "llvm.experimental.noalias.scope.decl", "llvm.donothing",
	                                    "llvm.sideeffect", "llvm.var.annotation"};
	for (u32 i = 0; i < COUNT(hints); i++)
		if (!strncmp(name, hints[i], strlen(hints[i])))
			return true;
	return false;
}

void repair_hints(FeModule *m)
{
	llvm_each_function(m->mod, f) {
		llvm_each_instruction(f, i) {
			LLVMValueRef callee = llvm_callee(i);
			if (llvm_debug(i) || (callee && is_hint(LLVMGetValueName(callee))))
				LLVMInstructionEraseFromParent(i);
		}
	}
}

/* ---- locations ---- */

enum { STORED_DEPTH = 4 }; /* operations before a store in which its line is looked for (models/README.md) */

static LLVMMetadataRef place_of(LLVMValueRef i)
{
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
	return at && LLVMDILocationGetLine(at) ? at : NULL;
}

static LLVMMetadataRef user_place(LLVMValueRef i)
{
	for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (LLVMIsAInstruction(user) && place_of(user))
			return place_of(user);
	}
	return NULL;
}

/* Of a branch: where its condition is computed. Clang's own branches, behind a `break` out of a block with variables,
 * have no line. */
static LLVMMetadataRef condition_place(LLVMValueRef i)
{
	LLVMValueRef c = LLVMIsABranchInst(i) && LLVMIsConditional(i) ? LLVMGetCondition(i) : NULL;
	return c && LLVMIsAInstruction(c) ? place_of(c) : NULL;
}

/* Where an instruction lies in the function of the same call as `like`, whose own line may be 0. */
static LLVMMetadataRef place_beside(LLVMValueRef i, LLVMMetadataRef like)
{
	LLVMMetadataRef at = place_of(i), call = like ? LLVMDILocationGetInlinedAt(like) : NULL;
	while (at && LLVMDILocationGetInlinedAt(at) != call)
		at = LLVMDILocationGetInlinedAt(at);
	return at && LLVMDILocationGetLine(at) ? at : NULL;
}

/* Of a store that both sides of a branch had and LLVM made one: the last place of what is stored, and where. */
static LLVMMetadataRef stored_place(LLVMValueRef i, LLVMMetadataRef like, u32 depth)
{
	LLVMMetadataRef last = NULL;
	for (u32 k = 0; depth && k < (u32)LLVMGetNumOperands(i); k++) {
		LLVMValueRef v = LLVMGetOperand(i, k);
		LLVMMetadataRef at = LLVMIsAInstruction(v) ? place_beside(v, like) : NULL;
		if (!at && LLVMIsAInstruction(v))
			at = stored_place(v, like, depth - 1);
		if (at && (!last || LLVMDILocationGetLine(at) > LLVMDILocationGetLine(last)))
			last = at;
	}
	return last;
}

static LLVMMetadataRef neighbour_place(LLVMValueRef i)
{
	for (LLVMValueRef p = LLVMGetPreviousInstruction(i); p; p = LLVMGetPreviousInstruction(p))
		if (place_of(p))
			return place_of(p);
	for (LLVMValueRef n = LLVMGetNextInstruction(i); n; n = LLVMGetNextInstruction(n))
		if (place_of(n))
			return place_of(n);
	return NULL;
}

/* Backwards, so that users have their place before what they use. */
static void block_locations(LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
		if (place_of(i))
			continue;
		LLVMMetadataRef at = LLVMIsAPHINode(i)      ? NULL
		                     : LLVMIsABranchInst(i) ? condition_place(i)
		                     : LLVMIsAStoreInst(i)
		                         ? stored_place(i, LLVMInstructionGetDebugLoc(i), STORED_DEPTH)
		                         : user_place(i);
		if (!at)
			at = neighbour_place(i);
		if (at)
			LLVMInstructionSetDebugLoc(i, at);
	}
}

void repair_locations(FeModule *m)
{
	llvm_each_function(m->mod, f)
		for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(f); b; b = LLVMGetPreviousBasicBlock(b))
			block_locations(b);
}
