/* See turns.h. */
#include "frontend/retarget/turns.h"

LLVMValueRef loop_unwidened(LLVMValueRef v)
{
	return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsATruncInst(v) ? LLVMGetOperand(v, 0) : v;
}

/* v: a variable of the loop, or what one becomes for the next turn. */
static bool read_counter(LLVMValueRef v, LoopTest *t)
{
	LLVMValueRef phi = LLVMIsAPHINode(v) ? v : NULL;
	for (u32 k = 0; !phi && LLVMIsABinaryOperator(v) && k < 2; k++) {
		LLVMValueRef x = loop_unwidened(LLVMGetOperand(v, k));
		phi = LLVMIsAPHINode(x) ? x : NULL;
	}
	for (u32 k = 0; phi && k < LLVMCountIncoming(phi); k++) {
		LLVMValueRef next = loop_unwidened(LLVMGetIncomingValue(phi, k));
		if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
		    (v != phi && v != next))
			continue;
		for (u32 side = 0; side < 2; side++)
			if (loop_unwidened(LLVMGetOperand(next, side)) == phi) {
				*t = (LoopTest){.counter = phi, .step = LLVMGetOperand(next, 1 - side), .next = next,
				                .before = v == phi};
				return true;
			}
	}
	return false;
}

LoopTest loop_test(LLVMValueRef branch)
{
	LoopTest t = {0};
	LLVMValueRef test = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
	if (test && LLVMIsAICmpInst(test))
		for (u32 k = 0; k < 2; k++)
			if (read_counter(LLVMGetOperand(test, k), &t)) {
				t.bound = LLVMGetOperand(test, 1 - k);
				break;
			}
	return t;
}

/* By its test alone, however many they are; or 0. */
static u64 turns_computed(const LoopTest *t)
{
	bool known = t->counter && LLVMIsAConstantInt(t->bound) && LLVMIsAConstantInt(t->step) &&
	             LLVMGetIntTypeWidth(LLVMTypeOf(t->bound)) <= 64;
	LLVMValueRef start = NULL;
	for (u32 k = 0; known && k < LLVMCountIncoming(t->counter); k++) {
		LLVMValueRef v = LLVMGetIncomingValue(t->counter, k);
		if (loop_unwidened(v) == t->next)
			continue;
		known = !start && LLVMIsAConstantInt(v);
		start = v;
	}
	if (!known || !start)
		return 0;
	i64 first = LLVMConstIntGetSExtValue(start), bound = LLVMConstIntGetSExtValue(t->bound),
	    step = LLVMConstIntGetSExtValue(t->step);
	const i64 far = (i64)1 << 60; /* further is no number of turns that anybody counts */
	if (first < -far || first > far || bound < -far || bound > far || step < -far || step > far)
		return 0;
	i64 way = bound - first + (t->before ? step : 0);
	return step && (way > 0) == (step > 0) && way ? (u64)((way + (step > 0 ? step - 1 : step + 1)) / step) : 0;
}

/* ---- by trying ---- */

enum {
	MOST_TURNS = 100, /* LLVM's, for the same */
	DEPTH = 8,        /* of what is computed */
};

typedef struct Trial {
	LLVMBuilderRef builder; /* of numbers it makes a number, and builds nothing */
	LLVMBasicBlockRef header, latch;
	LLVMValueRef variable; /* the loop's, of which everything else is computed; NULL: not met yet */
	LLVMValueRef next;     /* … what it becomes */
	LLVMValueRef value;    /* … of this turn, a constant */
} Trial;

/* A variable of the loop that begins with a number. */
static bool meet(Trial *t, LLVMValueRef phi)
{
	if (LLVMGetInstructionParent(phi) != t->header || LLVMCountIncoming(phi) != 2)
		return false;
	u32 back = LLVMGetIncomingBlock(phi, 1) == t->latch;
	LLVMValueRef start = LLVMGetIncomingValue(phi, 1 - back);
	if (LLVMGetIncomingBlock(phi, back) != t->latch || !LLVMIsAConstantInt(start))
		return false;
	t->variable = phi;
	t->next = LLVMGetIncomingValue(phi, back);
	t->value = start;
	return true;
}

/* What v is in this turn, a number; or NULL. */
static LLVMValueRef value_of(Trial *t, LLVMValueRef v, u32 depth)
{
	if (LLVMIsAConstantInt(v))
		return v;
	if (LLVMIsAPHINode(v))
		return v == t->variable || (!t->variable && meet(t, v)) ? t->value : NULL;
	LLVMValueRef x[2] = {NULL}, is = NULL;
	u32 n = LLVMIsACastInst(v) ? 1 : LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v) ? 2 : 0;
	for (u32 k = 0; k < n; k++)
		if (!depth || !(x[k] = value_of(t, LLVMGetOperand(v, k), depth - 1)))
			return NULL;
	if (n == 1)
		is = LLVMBuildCast(t->builder, LLVMGetInstructionOpcode(v), x[0], LLVMTypeOf(v), "");
	else if (n && LLVMIsAICmpInst(v))
		is = LLVMBuildICmp(t->builder, LLVMGetICmpPredicate(v), x[0], x[1], "");
	else if (n)
		is = LLVMBuildBinOp(t->builder, LLVMGetInstructionOpcode(v), x[0], x[1], "");
	return is && LLVMIsAConstantInt(is) ? is : NULL;
}

static u64 turns_until_left(Trial *t, LLVMValueRef branch)
{
	u64 on = LLVMGetSuccessor(branch, 0) == t->header;
	for (u32 turn = 1; turn <= MOST_TURNS; turn++) {
		LLVMValueRef asked = value_of(t, LLVMGetCondition(branch), DEPTH);
		if (!asked || !t->variable)
			return 0;
		if (LLVMConstIntGetZExtValue(asked) != on)
			return turn;
		t->value = value_of(t, t->next, DEPTH);
		if (!t->value)
			return 0;
	}
	return 0;
}

/* Computes what its last branch asks, turn for turn, as LLVM does; 0: that depends on more than one variable of the
 * loop that begins with a number, or there are too many turns to try. */
static u64 turns_tried(const Loops *f, u32 loop)
{
	LLVMValueRef branch = loop_latch(f, loop);
	if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
		return 0;
	Trial t = {
	    .builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(branch)))),
	    .header = f->all.block[f->v.v[loop].header],
	    .latch = LLVMGetInstructionParent(branch),
	};
	u64 turns = turns_until_left(&t, branch);
	LLVMDisposeBuilder(t.builder);
	return turns;
}

u64 loop_turns(const Loops *f, u32 loop, const LoopTest *test)
{
	u64 tried = turns_tried(f, loop);
	return tried ? tried : turns_computed(test);
}
