/* Innermost loops are marked with the metadata of `#pragma unroll N`, by the rules of NVIDIA's compiler and assembler
 * (mark_loop). A loop that has such metadata already is left alone. -O3 unrolls none of the others, as it would by the
 * rules for AMD's chips; and some rules ask what the source has, which -O3 makes unknown: that is noted before it. */
#include "frontend/retarget/unroll.h"

#include "frontend/module/mangled.h"
#include "frontend/retarget/loops.h"
#include "frontend/retarget/retarget.h"
#include "frontend/retarget/turns.h"

#include <llvm-c/DebugInfo.h>

/* Words of a loop's metadata. LLVM's: not to be unrolled where only the run knows how often it runs; not at all … */
static const char not_by_run[] = "llvm.loop.unroll.runtime.disable", disabled[] = "llvm.loop.unroll.disable";
/* … which is not the user's wish: the rules here decide about it. */
static const char by_rules[] = "wavesim.loop.by.rules";
/* Nobody can count its turns: its source compares 32 bits without a sign, which may wrap, with 64. */
static const char uncounted[] = "wavesim.loop.uncounted";
/* Its source compares with what the test itself computes of the launch's sizes. */
static const char to_launch[] = "wavesim.loop.launch";

/* A pragma of the user's, or what LLVM leaves on a loop that it unrolled. */
static bool says_unroll(FeModule *m, LLVMValueRef latch)
{
	LLVMValueRef node = loop_node(m, latch);
	bool found = false;
	for (u32 k = 1; k < llvm_operands(node); k++) {
		const char *text = llvm_operand_text(m->arena, llvm_operand(node, k), 0);
		found |= text && strstr(text, "llvm.loop.unroll");
	}
	return found;
}

/* ---- before -O3 ---- */

enum {
	DEPTH = 6,           /* of what is looked through */
	MOST_NOTED = 1 << 13, /* instructions of a loop, of which -O3 may leave far fewer */
};

static bool has_width(LLVMValueRef v, u32 bits)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

/* The comparison that the loop that was walked last is left by, if there is one such place; or NULL. */
static LLVMValueRef source_test(const Loops *f, u32 loop)
{
	LLVMValueRef test = NULL;
	u32 exits = 0;
	for (u32 k = 0; k < f->walked.n; k++) {
		u32 b = f->walked.v[k], n = llvm_successors(&f->all, b), out = 0;
		for (u32 i = 0; i < n; i++)
			out += !loop_has(f, loop, llvm_successor(&f->all, b, i));
		if (!out)
			continue;
		LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->all.block[b]);
		bool one = n == 2 && out == 1 && LLVMIsABranchInst(branch) && LLVMIsConditional(branch);
		test = one && LLVMIsAICmpInst(LLVMGetCondition(branch)) ? LLVMGetCondition(branch) : NULL;
		exits++;
	}
	return exits == 1 ? test : NULL;
}

/* Is it computed of the launch's sizes, by OpenCL's functions for them? (PoCL's, with --builtins pocl, are no calls any
 * more, and HIP has variables.) */
static bool of_launch(LLVMValueRef v, u32 depth)
{
	static const char *const sizes[] = {"get_local_size", "get_enqueued_local_size", "get_global_size",
	                                    "get_num_groups"};
	LLVMValueRef f = llvm_callee(v);
	Mangled called = fe_mangled(llvm_callee_name(v));
	for (u32 i = 0; f && !LLVMGetSubprogram(f) && called.name && i < COUNT(sizes); i++)
		if (mangled_is(&called, sizes[i]))
			return true;
	bool computes = depth && (LLVMIsACastInst(v) || LLVMIsABinaryOperator(v));
	for (int k = 0; computes && k < LLVMGetNumOperands(v); k++) {
		LLVMValueRef x = LLVMGetOperand(v, (unsigned)k);
		computes = LLVMIsConstant(x) || of_launch(x, depth - 1);
	}
	return computes;
}

static bool in_loop(const Loops *f, u32 loop, LLVMValueRef i)
{
	u32 block = llvm_block_number(&f->all, LLVMGetInstructionParent(i));
	/* It may be of another function, as users of variables are. */
	return block < f->all.n && loop_has(f, loop, block);
}

/* Is it a variable of 32 bits without a sign that the loop changes, as 64? (In code that was optimised before it came
 * here there are no variables, and loops are taken to be counted.) */
static bool may_wrap_as_64(const Loops *f, u32 loop, LLVMValueRef v)
{
	LLVMValueRef from = LLVMIsAZExtInst(v) && has_width(v, 64) ? LLVMGetOperand(v, 0) : NULL;
	if (!from || !has_width(from, 32) || !LLVMIsALoadInst(from))
		return false;
	LLVMValueRef variable = LLVMGetOperand(from, 0);
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef i = LLVMGetUser(use);
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable && in_loop(f, loop, i))
			return true;
	}
	return false;
}

static void leave_to_rules(FeModule *m, LLVMValueRef latch)
{
	loop_add_word(m, latch, disabled);
	loop_add_word(m, latch, by_rules);
}

static void note_loop(FeModule *m, Loops *f, u32 loop)
{
	LLVMValueRef latch = loop_latch(f, loop);
	if (says_unroll(m, latch))
		return;
	if (m->unroll < 2) {
		loop_add_word(m, latch, not_by_run);
		return;
	}
	leave_to_rules(m, latch);
	LLVMValueRef test = loop_walk(f, loop, MOST_NOTED) <= MOST_NOTED ? source_test(f, loop) : NULL;
	for (u32 k = 0; test && k < 2; k++) {
		LLVMValueRef v = LLVMGetOperand(test, k), bound = LLVMGetOperand(test, 1 - k);
		if (may_wrap_as_64(f, loop, v) && !LLVMIsConstant(bound))
			loop_add_word(m, latch, uncounted);
		if (of_launch(bound, DEPTH))
			loop_add_word(m, latch, to_launch);
	}
}

void unroll_note(FeModule *m)
{
	llvm_each_function(m->mod, fn) {
		Loops f;
		if (LLVMIsDeclaration(fn))
			continue;
		loops_open(&f, fn);
		for (u32 l = 0; l < f.v.n; l++)
			note_loop(m, &f, l);
		loops_close(&f);
	}
}

/* ---- after it ---- */

/* Of the loop that was walked last: does `what` hold for an instruction of it? */
static bool any_in(const Loops *f, bool (*what)(LLVMValueRef))
{
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i;
		     i = LLVMGetNextInstruction(i))
			if (what(i))
				return true;
	return false;
}

/* The private array that an instruction accesses by an index that is no constant, or NULL. */
static LLVMValueRef indexed_array(LLVMValueRef i)
{
	LLVMValueRef at = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
	if (!at || LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != SPACE_PRIVATE)
		return NULL;
	bool varies = false;
	while (LLVMIsABitCastInst(at) || LLVMIsAGetElementPtrInst(at)) {
		for (u32 k = 1; LLVMIsAGetElementPtrInst(at) && k < (u32)LLVMGetNumOperands(at); k++)
			varies |= !LLVMIsConstant(LLVMGetOperand(at, k));
		at = LLVMGetOperand(at, 0);
	}
	return varies && LLVMIsAAllocaInst(at) ? at : NULL;
}

static bool indexes_private(LLVMValueRef i) { return indexed_array(i) != NULL; }

static bool indexes_vectors(LLVMValueRef i)
{
	LLVMValueRef array = indexed_array(i);
	LLVMTypeRef t = array ? LLVMGetAllocatedType(array) : NULL;
	while (t && LLVMGetTypeKind(t) == LLVMArrayTypeKind)
		t = LLVMGetElementType(t);
	return t && LLVMGetTypeKind(t) == LLVMVectorTypeKind;
}

/* Is it loaded from what an intrinsic of AMD's points to, as 32 bits, or as fewer where it is widened? */
static bool is_loaded_from(LLVMValueRef v, const char *intrinsic, bool widened)
{
	LLVMValueRef load = widened && LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
	if (!LLVMIsALoadInst(load) || widened != (load != v) || !has_width(v, 32))
		return false;
	LLVMValueRef at = LLVMGetOperand(load, 0);
	while (LLVMIsABitCastInst(at) || LLVMIsAGetElementPtrInst(at))
		at = LLVMGetOperand(at, 0);
	return LLVMIsACallInst(at) && !strcmp(llvm_callee_name(at), intrinsic);
}

/* Is it a number of work-items of the launch, which NVIDIA's compiler computes as a product that may wrap? AMD's
 * library loads it, by code objects before version 5; … */
static bool is_launch_size(LLVMValueRef v) { return is_loaded_from(v, "llvm.amdgcn.dispatch.ptr", false); }

/* … since then it is a product there, too, of a number of groups and their size, and its factors lie in one with
 * others. */
static bool has_launch_size(LLVMValueRef product, u32 depth)
{
	static const char from[] = "llvm.amdgcn.implicitarg.ptr";
	bool groups = false, size = false;
	while (depth-- && LLVMIsABinaryOperator(product) && LLVMGetInstructionOpcode(product) == LLVMMul) {
		LLVMValueRef x = LLVMGetOperand(product, 0), y = LLVMGetOperand(product, 1);
		groups |= is_loaded_from(x, from, false) || is_loaded_from(y, from, false);
		size |= is_loaded_from(x, from, true) || is_loaded_from(y, from, true);
		product = LLVMIsABinaryOperator(x) ? x : y;
	}
	return groups && size;
}

static bool is_affine(LLVMOpcode op) { return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl; }

/* Does the index grow with a variable of a loop? */
static bool grows(LLVMValueRef index, u32 depth)
{
	if (LLVMIsAPHINode(index))
		return true;
	return depth && LLVMIsABinaryOperator(index) && is_affine(LLVMGetInstructionOpcode(index)) &&
	       (grows(LLVMGetOperand(index, 0), depth - 1) || grows(LLVMGetOperand(index, 1), depth - 1));
}

/* May this index of 32 bits wrap, by what NVIDIA's compiler knows? Of one without a sign it knows nothing. Constants
 * and sizes of the launch that something is multiplied by lose what it knows of the product. */
static bool may_wrap(LLVMValueRef index, bool sign, u32 depth)
{
	if (!depth || !LLVMIsABinaryOperator(index) || !grows(index, depth))
		return false;
	LLVMOpcode op = LLVMGetInstructionOpcode(index);
	LLVMValueRef x = LLVMGetOperand(index, 0), y = LLVMGetOperand(index, 1);
	if (op == LLVMAdd || op == LLVMSub)
		return !sign || may_wrap(x, sign, depth - 1) || may_wrap(y, sign, depth - 1);
	return !sign || LLVMIsAConstant(y) || is_launch_size(x) || is_launch_size(y) || has_launch_size(index, DEPTH);
}

/* An index of 32 bits that may wrap. (Addresses of local memory have 32 bits
 * here, so that its indices have lost their sign: they are taken to have one.) */
static bool wraps(LLVMValueRef i)
{
	if (LLVMIsAGetElementPtrInst(i)) {
		bool any = false, local = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
		                          LLVMGetPointerAddressSpace(LLVMTypeOf(i)) == SPACE_LDS;
		for (u32 k = 1; local && k < (u32)LLVMGetNumOperands(i); k++)
			any |= has_width(LLVMGetOperand(i, k), 32) && may_wrap(LLVMGetOperand(i, k), true, DEPTH);
		return any;
	}
	bool sign = LLVMIsASExtInst(i);
	if ((!sign && !LLVMIsAZExtInst(i)) || !has_width(i, 64) || !has_width(LLVMGetOperand(i, 0), 32) ||
	    !may_wrap(LLVMGetOperand(i, 0), sign, DEPTH))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
		if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
			return true;
	return false;
}

/* What the loop that was walked last has by the rules of NVIDIA's compiler and assembler. */
typedef struct LoopSize {
	/* Instructions, as LLVM counts them: no variables, nothing that is part of others; indices have 64 bits … */
	u32 compiler;
	u32 addresses; /* … in arrays, by an index that changes */
	u32 assembler; /* … nor what an address is made of that grows with a counter */
} LoopSize;

/* Is that value computed in the loop? */
static bool changes(const Loops *f, u32 loop, LLVMValueRef v)
{
	return LLVMIsAInstruction(v) && in_loop(f, loop, v);
}

/* From floating-point numbers to integers, or back. */
static bool converts(LLVMValueRef i)
{
	LLVMOpcode op = LLVMIsACastInst(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
	return op == LLVMFPToSI || op == LLVMFPToUI || op == LLVMSIToFP || op == LLVMUIToFP;
}

/* An address in memory that each turn computes anew: its index changes, but does not grow with a counter; or has no
 * sign, so that a sum of it may wrap where that of the address does not. */
static bool is_own_address(const Loops *f, u32 loop, LLVMValueRef i)
{
	bool own = false;
	for (int k = 1; LLVMIsAGetElementPtrInst(i) && k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef index = LLVMGetOperand(i, (unsigned)k), x = loop_unwidened(index);
		bool unsigned_ = LLVMIsAZExtInst(index) && LLVMIsAPHINode(x);
		own |= changes(f, loop, index) && (!grows(x, DEPTH) || unsigned_);
	}
	return own;
}

static bool has_index(const Loops *f, u32 loop, LLVMValueRef i)
{
	bool has = false;
	for (int k = 1; LLVMIsAGetElementPtrInst(i) && k < LLVMGetNumOperands(i); k++)
		has |= changes(f, loop, LLVMGetOperand(i, (unsigned)k));
	return has;
}

static bool is_widened(LLVMValueRef i) { return (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i)) && has_width(i, 64); }

static LoopSize sizes_of(const Loops *f, u32 loop)
{
	LoopSize s = {0};
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i;
		     i = LLVMGetNextInstruction(i)) {
			s.assembler += is_own_address(f, loop, i) || converts(i);
			s.addresses += has_index(f, loop, i);
			bool nothing = llvm_debug(i) || LLVMIsAPHINode(i) || LLVMIsAGetElementPtrInst(i) ||
			               LLVMIsABitCastInst(i);
			if (nothing || (is_widened(i) && grows(loop_unwidened(i), DEPTH)))
				continue;
			s.compiler++;
			bool jump = LLVMIsABranchInst(i) && !LLVMIsConditional(i); /* short sides have predicates */
			s.assembler += !LLVMIsACastInst(i) && !grows(i, DEPTH) && !jump;
		}
	return s;
}

/* All turns of it: the counter, its test and the branch go. */
static u64 size_of_all(const LoopSize *s, u64 turns)
{
	enum { OF_THE_COUNTER = 3 };
	return (s->compiler > OF_THE_COUNTER ? s->compiler - OF_THE_COUNTER : 1) * turns;
}

/* So many turns in one: of an address the widening of its index stays, too; one test and one branch for all. */
static u64 size_of_part(const LoopSize *s, u64 turns)
{
	enum { OF_AN_ADDRESS = 2, OF_THE_END = 2 };
	u32 size = s->compiler + OF_AN_ADDRESS * s->addresses;
	return (size > OF_THE_END ? size - OF_THE_END : 1) * turns;
}

/* May lanes leave that loop anywhere but at its end? */
static bool leaves_early(const Loops *f, u32 loop)
{
	for (u32 k = 0; k < f->walked.n; k++) {
		u32 b = f->walked.v[k];
		for (u32 n = 0; b != f->v.v[loop].latch && n < llvm_successors(&f->all, b); n++)
			if (!loop_has(f, loop, llvm_successor(&f->all, b, n)))
				return true;
	}
	return false;
}

/* Can its turns be counted by what is added in each? By another value than a number only where that cannot wrap. */
static bool has_step(const Loops *f, u32 loop, const LoopTest *t)
{
	return LLVMIsAConstantInt(t->step) || (!changes(f, loop, t->step) && llvm_cannot_wrap(t->next, " nsw"));
}

/* By numbers that cannot wrap: so the assembler can count them, too. */
static bool steps_plainly(const LoopTest *t)
{
	return LLVMIsAConstantInt(t->step) && (llvm_cannot_wrap(t->next, " nsw") || llvm_cannot_wrap(t->next, " nuw"));
}

/* NVIDIA unrolls twice. The compiler: all where the source says how often the loop runs and that is not too large, else
 * as many as are not too large together, a power of two; a quarter of `copies` at most where only the run knows, or some
 * are left over. Then the assembler: four times more what is small, if the counter has 32 bits and no index may wrap,
 * because only then it sees how often the loop runs. Neither unrolls what can neither be counted nor tried. What makes
 * an array registers may become much longer. (PTX and SASS of 320 loops, 2026-11-29, and PTX of 430 whose bodies, turns
 * and arrays differ, 2026-11-30.) */
enum {
	BY_ASSEMBLER = 4,
	COMPILER_ALL = 420,
	COMPILER_PART = 200,
	ASSEMBLER_PART = 47,
	OF_ARRAYS = 2400,
	OF_VECTORS = 1200, /* arrays of vectors */
};

/* All turns of it, of which the copies have `longest` instructions at most? */
static bool unrolls_whole(const LoopSize *s, u64 turns, u32 longest)
{
	return turns && turns <= longest && size_of_all(s, turns) <= longest;
}

/* Of one that is not unrolled whole. turns: 0 where only the run knows. */
static u32 part_copies(FeModule *m, const Loops *f, u32 loop, const LoopTest *t, const LoopSize *size, u64 turns,
                       u32 copies)
{
	LLVMValueRef latch = loop_latch(f, loop);
	bool counts = t->counter && has_step(f, loop, t) && !changes(f, loop, t->bound) && !loop_says(m, latch, uncounted);
	if ((!turns && !counts) || leaves_early(f, loop))
		return 1;
	/* Of an odd number of turns some are left over, as of one that only the run knows. */
	bool even = turns && turns % 2 == 0;
	u32 part = 1, most = even ? UINT32_MAX : copies / BY_ASSEMBLER;
	while (part * 2 <= most && size_of_part(size, part * 2) <= COMPILER_PART && (!even || turns % (part * 2) == 0))
		part *= 2;
	/* The assembler does not count on a number of turns that the compiler knows. */
	bool counted = !turns && !loop_says(m, latch, to_launch) && has_width(t->next, 32) && steps_plainly(t) &&
	               !any_in(f, wraps);
	bool small = part * size->assembler <= ASSEMBLER_PART && part * BY_ASSEMBLER <= copies;
	return counted && small ? part * BY_ASSEMBLER : part;
}

static void set_count(FeModule *m, LLVMValueRef latch, u32 count)
{
	static const char key[] = "llvm.loop.unroll.count";
	LLVMMetadataRef pair[2] = {
	    LLVMMDStringInContext2(m->ctx, key, sizeof key - 1),
	    LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx), count, 0)),
	};
	loop_change(m, latch, disabled, LLVMMDNodeInContext2(m->ctx, pair, 2));
	loop_change(m, latch, by_rules, NULL);
}

static bool mark_loop(FeModule *m, Loops *f, u32 loop, u32 copies, bool parts)
{
	LLVMValueRef latch = loop_latch(f, loop);
	bool ours = loop_says(m, latch, by_rules);
	if (!ours && says_unroll(m, latch))
		return false;
	if (!ours) /* a pass made it, or lost its words: LLVM would go by its own rules */
		leave_to_rules(m, latch);
	u32 size = loop_walk_innermost(f, loop, OF_ARRAYS);
	if (!size || size > OF_ARRAYS)
		return false;
	u32 longest = any_in(f, indexes_vectors)   ? OF_VECTORS
	              : any_in(f, indexes_private) ? OF_ARRAYS
	                                           : COMPILER_ALL;
	LoopTest test = loop_test(latch);
	u64 turns = loop_turns(f, loop, &test);
	if (!turns && !parts)
		return false;
	LoopSize of = sizes_of(f, loop);
	bool whole = unrolls_whole(&of, turns, longest);
	if (!whole && !parts)
		return false;
	u32 count = whole ? (u32)turns : part_copies(m, f, loop, &test, &of, turns, copies);
	if (count < 2)
		return false;
	set_count(m, latch, count);
	/* Else LLVM leaves a test in each copy of one that might not end. (OpenCL C's loops end, as C's do.) */
	loop_add_word(m, latch, "llvm.loop.mustprogress");
	return true;
}

bool unroll_mark(FeModule *m, u32 copies, bool parts)
{
	bool any = false;
	llvm_each_function(m->mod, fn) {
		Loops f;
		if (LLVMIsDeclaration(fn))
			continue;
		loops_open(&f, fn);
		for (u32 l = 0; l < f.v.n; l++)
			any |= mark_loop(m, &f, l, copies, parts);
		loops_close(&f);
	}
	return any;
}
