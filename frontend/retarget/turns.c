/* See turns.h. */
#include "frontend/retarget/turns.h"

enum {
	MOST_TURNS = 100, /* LLVM's, for the same */
	DEPTH = 8,        /* of what is computed */
	MOST_BITS = 64
};

typedef struct Trial {
	LLVMBasicBlockRef header, latch;
	LLVMValueRef variable; /* the loop's, of which everything else is computed; NULL: not met yet */
	LLVMValueRef next;     /* … what it becomes */
	u64 value;             /* … of this turn */
} Trial;

static u32 bits_of(LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static u64 cut(u64 x, u32 bits) { return bits >= MOST_BITS ? x : x & (((u64)1 << bits) - 1); }
static i64 with_sign(u64 x, u32 bits) { return (i64)(x << (MOST_BITS - bits)) >> (MOST_BITS - bits); }

static bool binary(LLVMOpcode op, u64 a, u64 b, u32 bits, u64 *out)
{
	bool shifts = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
	if ((shifts && b >= bits) || ((op == LLVMUDiv || op == LLVMURem) && !b))
		return false;
	switch (op) {
	case LLVMAdd: *out = a + b; break;
	case LLVMSub: *out = a - b; break;
	case LLVMMul: *out = a * b; break;
	case LLVMShl: *out = a << b; break;
	case LLVMLShr: *out = a >> b; break;
	case LLVMAShr: *out = (u64)(with_sign(a, bits) >> b); break;
	case LLVMAnd: *out = a & b; break;
	case LLVMOr: *out = a | b; break;
	case LLVMXor: *out = a ^ b; break;
	case LLVMUDiv: *out = a / b; break;
	case LLVMURem: *out = a % b; break;
	default: return false;
	}
	*out = cut(*out, bits);
	return true;
}

static bool compare(LLVMIntPredicate p, u64 a, u64 b, u32 bits)
{
	i64 x = with_sign(a, bits), y = with_sign(b, bits);
	switch (p) {
	case LLVMIntEQ: return a == b;
	case LLVMIntNE: return a != b;
	case LLVMIntUGT: return a > b;
	case LLVMIntUGE: return a >= b;
	case LLVMIntULT: return a < b;
	case LLVMIntULE: return a <= b;
	case LLVMIntSGT: return x > y;
	case LLVMIntSGE: return x >= y;
	case LLVMIntSLT: return x < y;
	default: return x <= y;
	}
}

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
	t->value = LLVMConstIntGetZExtValue(start);
	return true;
}

/* What v is in this turn. */
static bool value_of(Trial *t, LLVMValueRef v, u32 depth, u64 *out)
{
	u32 bits = bits_of(v);
	if (!bits || bits > MOST_BITS || !depth)
		return false;
	if (LLVMIsAConstantInt(v)) {
		*out = LLVMConstIntGetZExtValue(v);
		return true;
	}
	if (LLVMIsAPHINode(v)) {
		if (t->variable ? t->variable != v : !meet(t, v))
			return false;
		*out = t->value;
		return true;
	}
	u64 x[2] = {0};
	u32 n = LLVMIsACastInst(v) ? 1 : LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v) ? 2 : 0, of = 0;
	for (u32 k = 0; k < n; k++) {
		of = bits_of(LLVMGetOperand(v, k));
		if (!value_of(t, LLVMGetOperand(v, k), depth - 1, &x[k]))
			return false;
	}
	if (n == 1) {
		LLVMOpcode op = LLVMGetInstructionOpcode(v);
		*out = cut(op == LLVMSExt ? (u64)with_sign(x[0], of) : x[0], bits);
		return op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc;
	}
	if (LLVMIsAICmpInst(v)) {
		*out = compare(LLVMGetICmpPredicate(v), x[0], x[1], of);
		return true;
	}
	return n && binary(LLVMGetInstructionOpcode(v), x[0], x[1], bits, out);
}

u64 loop_turns_tried(const Loops *f, u32 loop)
{
	LLVMValueRef branch = loop_latch(f, loop);
	if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
		return 0;
	Trial t = {f->all.block[f->v.v[loop].header], LLVMGetInstructionParent(branch), NULL, NULL, 0};
	u64 on = LLVMGetSuccessor(branch, 0) == t.header, asked;
	for (u32 turn = 1; turn <= MOST_TURNS; turn++) {
		if (!value_of(&t, LLVMGetCondition(branch), DEPTH, &asked) || !t.variable)
			return 0;
		if (asked != on)
			return turn;
		if (!value_of(&t, t.next, DEPTH, &t.value))
			return 0;
	}
	return 0;
}
