/* Pipes, whose functions are AMD's library's. */
#include "frontend/retarget/retarget.h"

/* It is called there, and no argument as well. */
static bool only_called(LLVMValueRef call, LLVMValueRef f)
{
	bool only = LLVMGetCalledValue(call) == f;
	for (u32 i = 0; i < LLVMGetNumArgOperands(call); i++)
		only &= LLVMGetOperand(call, i) != f;
	return only;
}

/* To commit a reservation does nothing there, and the functions take an integer for what clang hands them as a pointer.
 */
void pipes_drop_commits(FeModule *m)
{
	static const char *const names[] = {"__commit_read_pipe",
	                                    "__commit_write_pipe",
	                                    "__work_group_commit_read_pipe",
	                                    "__work_group_commit_write_pipe",
	                                    "__sub_group_commit_read_pipe",
	                                    "__sub_group_commit_write_pipe"};
	for (u32 i = 0; i < COUNT(names); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m->mod, names[i]);
		for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL, next; u; u = next) {
			LLVMValueRef call = LLVMGetUser(u);
			next = LLVMGetNextUse(u);
			if (LLVMIsACallInst(call) && only_called(call, f))
				LLVMInstructionEraseFromParent(call);
		}
	}
}

/* ---- when the last packet is read ---- */

static bool sets_0(LLVMValueRef i)
{
	return LLVMIsAStoreInst(i) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic &&
	       LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && !LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
}

/* Known in all of the function. */
static bool known_at_once(LLVMValueRef f, LLVMValueRef v)
{
	return LLVMIsAArgument(v) ||
	       (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == LLVMGetEntryBasicBlock(f));
}

/* The block that does nothing but set the pipe's counts to 0, in front of the function's end; or NULL. */
static LLVMBasicBlockRef reset_of(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		bool only = LLVMGetFirstInstruction(b) != end && LLVMGetNumSuccessors(end) == 1;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); only && i != end; i = LLVMGetNextInstruction(i))
			only = sets_0(i) && known_at_once(f, LLVMGetOperand(i, 1));
		if (only && LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(LLVMGetSuccessor(end, 0))))
			return b;
	}
	return NULL;
}

static void move(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMInstructionRemoveFromParent(i);
	LLVMInsertIntoBuilder(b, i);
}

/* reset: behind it the lanes meet, before the counts become 0. */
static void reset_later(FeModule *m, LLVMValueRef f, LLVMBasicBlockRef reset)
{
	LLVMTypeRef bit = LLVMInt1TypeInContext(m->ctx);
	LLVMBasicBlockRef end = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(reset), 0),
			  zero = LLVMAppendBasicBlockInContext(m->ctx, f, "reset"),
			  leave = LLVMAppendBasicBlockInContext(m->ctx, f, "leave");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilder(b, end, LLVMGetFirstInstruction(end));
	LLVMValueRef last = LLVMBuildPhi(b, bit, "last"), first = LLVMGetNextInstruction(last);
	while (LLVMIsAPHINode(first))
		first = LLVMGetNextInstruction(first);
	for (LLVMBasicBlockRef from = LLVMGetFirstBasicBlock(f); from; from = LLVMGetNextBasicBlock(from)) {
		LLVMValueRef t = from == zero || from == leave ? NULL : LLVMGetBasicBlockTerminator(from),
			     of = LLVMConstInt(bit, from == reset, 0);
		for (u32 i = 0; t && i < LLVMGetNumSuccessors(t); i++)
			if (LLVMGetSuccessor(t, i) == end)
				LLVMAddIncoming(last, &of, &from, 1);
	}
	LLVMPositionBuilderAtEnd(b, leave);
	for (LLVMValueRef i = first, next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		move(b, i);
	}
	LLVMPositionBuilderAtEnd(b, zero);
	for (LLVMValueRef i = LLVMGetFirstInstruction(reset), next; i != LLVMGetBasicBlockTerminator(reset); i = next) {
		next = LLVMGetNextInstruction(i);
		move(b, i);
	}
	LLVMBuildBr(b, leave);
	LLVMPositionBuilderAtEnd(b, end);
	llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.wave.barrier", NULL, 0), NULL, 0);
	LLVMBuildCondBr(b, last, zero, leave);
	LLVMDisposeBuilder(b);
}

/* The lane that reads the last packet sets the counts to 0. Lanes in step all have theirs by then; work-items one after
 * the other would read packets again. */
void pipes_reset_later(FeModule *m)
{
	llvm_each_function(m->mod, f) {
		LLVMBasicBlockRef reset = strstr(LLVMGetValueName(f), "read_pipe") ? reset_of(f) : NULL;
		if (reset)
			reset_later(m, f, reset);
	}
}
