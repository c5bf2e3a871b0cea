/* Addresses in local memory as sums: what a lane's number is multiplied by, and what else is added. So places that each
 * lane has for itself are told from those by which lanes may hand something on:
 *
 *   a column   s[t], s[k * 64 + t]: lanes side by side, and everything else in steps of a whole wavefront
 *   a row      s[t * n + k]: everything else smaller than the step from lane to lane
 *
 * Sizes of work-groups and the values of arguments are not known here: a factor that is one of these counts as large,
 * and so does that of the place in another dimension. In a kernel that asks for this place, an address without it is no
 * lane's own. */
#include "frontend/native/native.h"

enum { DEEPEST = 12, WHOLE_INT = 32 };

typedef struct Sum {
	LaneAddress *out;
	LLVMTargetDataRef td;
	bool odd;      /* something may be anything, or there are two numbers of the lane */
	bool counters; /* something changes in a loop */
	i64 constant;
	/* Of constant factors of what else is added, 0 without any: what divides all, the largest. */
	i64 common, most;
	bool negative; /* … one is */
	bool unknown;  /* something is added that has another factor */
} Sum;

/* What a part of the sum is multiplied by: n, and by something uniform, or NULL. */
typedef struct Factor {
	i64 n;
	LLVMValueRef by;
} Factor;

static bool is_call_of(LLVMValueRef v, const char *intrinsic)
{
	return !strncmp(llvm_callee_name(v), intrinsic, strlen(intrinsic));
}

/* That keeps a lane's number: a short or a char does not. */
static bool is_cast(LLVMValueRef v)
{
	if (LLVMIsATruncInst(v))
		return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
		       LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= WHOLE_INT;
	return LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsABitCastInst(v) ||
	       LLVMIsAAddrSpaceCastInst(v);
}

/* The same for all lanes, as far as that is seen in a few steps. counter: the phi of a loop, which may stand for
 * itself; or NULL. */
static bool is_uniform(LLVMValueRef v, LLVMValueRef counter, u32 depth)
{
	if (v == counter || LLVMIsAConstant(v) || LLVMIsAArgument(v))
		return true;
	if (depth == DEEPEST)
		return false;
	if (LLVMIsALoadInst(v))
		return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == SPACE_CONSTANT &&
		       is_uniform(LLVMGetOperand(v, 0), counter, depth + 1);
	if (is_call_of(v, "llvm.amdgcn.workgroup.id") || is_call_of(v, "llvm.amdgcn.dispatch.ptr") ||
	    is_call_of(v, "llvm.amdgcn.implicitarg.ptr"))
		return true;
	bool least = is_call_of(v, "llvm.umin") || is_call_of(v, "llvm.smin");
	if (!least && !is_cast(v) && !LLVMIsATruncInst(v) && !LLVMIsABinaryOperator(v) &&
	    !LLVMIsAGetElementPtrInst(v) && !LLVMIsASelectInst(v) && !LLVMIsAICmpInst(v))
		return false;
	for (u32 k = 0; k < (u32)(least ? 2 : LLVMGetNumOperands(v)); k++)
		if (!is_uniform(LLVMGetOperand(v, k), counter, depth + 1))
			return false;
	return true;
}

static bool is_counter(LLVMValueRef v)
{
	if (!LLVMIsAPHINode(v))
		return false;
	for (u32 k = 0; k < LLVMCountIncoming(v); k++)
		if (!is_uniform(LLVMGetIncomingValue(v, k), v, DEEPEST - 4))
			return false;
	return true;
}

/* Added, and no number of the lane. */
static void add_other(Sum *s, Factor f)
{
	i64 n = f.n < 0 ? -f.n : f.n;
	if (f.by) {
		s->unknown = true;
		return;
	}
	s->negative |= f.n < 0;
	s->most = n > s->most ? n : s->most;
	for (i64 rest; n; n = rest) {
		rest = s->common % n;
		s->common = n;
	}
}

static void add_lane(Sum *s, Factor f)
{
	s->odd |= s->out->step || s->out->by;
	s->out->step = f.n;
	s->out->by = f.by;
}

static void add(Sum *s, LLVMValueRef v, Factor f, u32 depth);

static void add_product(Sum *s, LLVMValueRef v, Factor f, u32 depth)
{
	LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
	bool first = LLVMIsAConstantInt(a) || (!LLVMIsAConstantInt(b) && is_uniform(a, NULL, 0));
	LLVMValueRef factor = first ? a : b, other = first ? b : a;
	if (LLVMIsAConstantInt(factor)) {
		add(s, other, (Factor){f.n * LLVMConstIntGetSExtValue(factor), f.by}, depth);
		return;
	}
	while (is_cast(other))
		other = LLVMGetOperand(other, 0);
	bool lane = is_call_of(other, "llvm.amdgcn.workitem.id.");
	if (f.by || !is_uniform(factor, NULL, 0) || (!lane && !is_uniform(other, NULL, 0) && !is_counter(other)))
		s->odd = true;
	else
		add(s, other, (Factor){f.n, factor}, depth);
}

static void add_pointer(Sum *s, LLVMValueRef v, Factor f, u32 depth)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
	add(s, LLVMGetOperand(v, 0), f, depth);
	for (u32 k = 1; k < (u32)LLVMGetNumOperands(v); k++) {
		LLVMValueRef index = LLVMGetOperand(v, k);
		LLVMTypeKind kind = LLVMGetTypeKind(type);
		if (k > 1 && kind == LLVMStructTypeKind) {
			u32 member = (u32)LLVMConstIntGetZExtValue(index);
			s->constant += f.n * (i64)LLVMOffsetOfElement(s->td, type, member);
			type = LLVMStructGetTypeAtIndex(type, member);
			continue;
		}
		if (k > 1)
			type = LLVMGetElementType(type);
		add(s, index, (Factor){f.n * (i64)LLVMABISizeOfType(s->td, type), f.by}, depth);
	}
}

static void add(Sum *s, LLVMValueRef v, Factor f, u32 depth)
{
	LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
	                : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
	                                         : LLVMRet;
	if (LLVMIsAConstantInt(v) && !f.by) {
		s->constant += f.n * LLVMConstIntGetSExtValue(v);
	} else if (LLVMIsAGlobalVariable(v)) {
		s->out->variable = v;
	} else if (is_call_of(v, "llvm.amdgcn.workitem.id.x")) {
		add_lane(s, f);
	} else if (is_call_of(v, "llvm.amdgcn.workitem.id.")) {
		s->odd |= s->out->pitch != 0;
		s->out->pitch = f.n;
		s->out->pitch_by = f.by;
	} else if (depth == DEEPEST) {
		s->odd = true;
	} else if (is_cast(v) || op == LLVMBitCast || op == LLVMAddrSpaceCast) {
		add(s, LLVMGetOperand(v, 0), f, depth + 1);
	} else if (op == LLVMAdd || op == LLVMSub) {
		add(s, LLVMGetOperand(v, 0), f, depth + 1);
		add(s, LLVMGetOperand(v, 1), (Factor){op == LLVMSub ? -f.n : f.n, f.by}, depth + 1);
	} else if (op == LLVMMul) {
		add_product(s, v, f, depth + 1);
	} else if (op == LLVMShl && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
		u64 by = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
		add(s, LLVMGetOperand(v, 0), (Factor){(i64)((u64)f.n << (by & 31)), f.by}, depth + 1);
	} else if (op == LLVMGetElementPtr) {
		add_pointer(s, v, f, depth + 1);
	} else if (is_uniform(v, NULL, 0)) {
		add_other(s, f);
	} else if (is_counter(v)) {
		s->counters = true;
		add_other(s, f);
	} else {
		s->odd = true;
	}
}

void lane_address(LLVMValueRef address, LLVMTargetDataRef td, u32 wave, bool uses_second, LaneAddress *out)
{
	Sum s = {.out = out, .td = td};
	*out = (LaneAddress){0};
	add(&s, address, (Factor){1, NULL}, 0);
	i64 step = out->step < 0 ? -out->step : out->step;
	if (s.odd || !step || (uses_second && !out->pitch))
		return;
	i64 all = (i64)wave * step;
	bool column = !out->by && s.common % all == 0 && s.constant % all == 0;
	bool within = !s.negative && s.most < step && s.constant >= 0 && s.constant < step;
	bool row = !s.unknown && (out->by || within);
	out->kind = column ? LANE_COLUMN : row ? LANE_ROW : !s.counters ? LANE_FIXED : LANE_ANY;
}
