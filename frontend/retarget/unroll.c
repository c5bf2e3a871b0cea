/* Innermost loops are marked with the metadata of `#pragma unroll N`. LLVM unrolls loops of an
 * unknown number of iterations for an AMD chip only where they use local memory; NVIDIA's compiler and
 * assembler do it by rules of their own (copies_of). A loop that has such metadata already (a pragma of the user's, or
 * what LLVM leaves on one that it unrolled) is left alone.
 *
 * LLVM's C interface has no loops: they are found by their back edges, a depth-first search's
 * edges to blocks that it has not left yet, and their blocks backward from there. */
#include "frontend/retarget/unroll.h"

#include "base/hash.h"
#include "base/scan.h"
#include "frontend/module/mangled.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

typedef struct Edge {
	u32 from, next; /* of the same block, + 1 */
} Edge;

typedef struct UnrollLoop {
	u32 header, latch;
} UnrollLoop;

typedef struct UnrollFlow {
	Arena *arena;
	LlvmBlocks all;
	u32 *preds; /* per block: first edge + 1 */
	ARRAY(Edge) edges;
	ARRAY(UnrollLoop) loops;
	u8 *seen;  /* 0: not yet, 1: on the way, 2: left */
	u32 *body; /* per block: the loop (+ 1) whose body was walked last */
	ARRAY(u32) walked; /* the blocks of that loop */
} UnrollFlow;

static void find_edges(UnrollFlow *f)
{
	for (u32 b = 0; b < f->all.n; b++)
		for (u32 k = 0; k < llvm_successors(&f->all, b); k++) {
			u32 to = llvm_successor(&f->all, b, k);
			array_push(&f->edges, ((Edge){b, f->preds[to]}));
			f->preds[to] = f->edges.n;
		}
}

static void find_loops(UnrollFlow *f)
{
	struct {
		u32 block, next;
	} *stack = arena_alloc(f->arena, (f->all.n + 1) * sizeof *stack);
	u32 n = 0;
	stack[n++] = (__typeof__(*stack)){0, 0};
	f->seen[0] = 1;
	while (n) {
		u32 b = stack[n - 1].block;
		if (stack[n - 1].next == llvm_successors(&f->all, b)) {
			f->seen[b] = 2;
			n--;
			continue;
		}
		u32 to = llvm_successor(&f->all, b, stack[n - 1].next++);
		if (f->seen[to] == 1)
			array_push(&f->loops, ((UnrollLoop){to, b}));
		if (f->seen[to])
			continue;
		f->seen[to] = 1;
		stack[n++] = (__typeof__(*stack)){to, 0};
	}
}

/* The blocks of a loop (f->walked, and f->body says which); how many instructions they have, at most `most` + 1, where it
 * stops. */
static u32 walk(UnrollFlow *f, u32 loop, u32 most)
{
	const UnrollLoop *l = &f->loops.v[loop];
	ARRAY(u32) work = {0};
	u32 size = 0;
	f->walked.n = 0;
	array_push(&work, l->latch);
	f->body[l->header] = f->body[l->latch] = loop + 1;
	if (l->header != l->latch)
		array_push(&work, l->header);
	while (work.n && size <= most) {
		u32 b = work.v[--work.n];
		array_push(&f->walked, b);
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[b]); i && size <= most;
		     i = LLVMGetNextInstruction(i))
			size += !llvm_debug(i);
		for (u32 e = b == l->header ? 0 : f->preds[b]; e; e = f->edges.v[e - 1].next) {
			u32 from = f->edges.v[e - 1].from;
			if (f->body[from] == loop + 1 || !f->seen[from])
				continue;
			f->body[from] = loop + 1;
			array_push(&work, from);
		}
	}
	array_free(&work);
	return size;
}

/* The same; 0: it is not innermost, or has a second latch. Once for each loop. */
static u32 size_of(UnrollFlow *f, u32 loop, u32 most)
{
	u32 size = walk(f, loop, most);
	for (u32 k = 0; k < f->loops.n; k++)
		if (k != loop && f->body[f->loops.v[k].latch] == loop + 1 &&
		    f->body[f->loops.v[k].header] == loop + 1)
			size = 0;
	return size;
}

/* Of the loop that was walked last: does `what` hold for an instruction of it? */
static bool any_in(const UnrollFlow *f, bool (*what)(LLVMValueRef))
{
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i; i = LLVMGetNextInstruction(i))
			if (what(i))
				return true;
	return false;
}

/* An access of a private array by an index that is no constant; of one that registers can hold, half of a lane's. */
enum { REGISTERS = 128 * 4 };

static bool indexes_private(LLVMValueRef i)
{
	LLVMValueRef at = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
	if (!at || LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != SPACE_PRIVATE)
		return false;
	bool varies = false;
	while (LLVMIsABitCastInst(at) || LLVMIsAGetElementPtrInst(at)) {
		for (u32 k = 1; LLVMIsAGetElementPtrInst(at) && k < (u32)LLVMGetNumOperands(at); k++)
			varies |= !LLVMIsConstant(LLVMGetOperand(at, k));
		at = LLVMGetOperand(at, 0);
	}
	if (!varies || !LLVMIsAAllocaInst(at))
		return false;
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
	return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(at)) <= REGISTERS;
}

static bool has_width(LLVMValueRef v, u32 bits)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

/* Is it a number of work-items of the launch, which NVIDIA's compiler computes as a product that may wrap? */
static bool is_launch_size(LLVMValueRef v)
{
	if (!LLVMIsALoadInst(v) || !has_width(v, 32))
		return false;
	LLVMValueRef at = LLVMGetOperand(v, 0);
	while (LLVMIsABitCastInst(at) || LLVMIsAGetElementPtrInst(at))
		at = LLVMGetOperand(at, 0);
	return LLVMIsACallInst(at) && !strcmp(llvm_callee_name(at), "llvm.amdgcn.dispatch.ptr");
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

enum { DEPTH = 6 };

/* May this index of 32 bits wrap, by what NVIDIA's compiler knows? Of one without a sign it knows nothing. Constants and
 * sizes of the launch that something is multiplied by lose what it knows of the product. */
static bool may_wrap(LLVMValueRef index, bool sign, u32 depth)
{
	if (!depth || !LLVMIsABinaryOperator(index) || !grows(index, depth))
		return false;
	LLVMOpcode op = LLVMGetInstructionOpcode(index);
	LLVMValueRef x = LLVMGetOperand(index, 0), y = LLVMGetOperand(index, 1);
	if (op == LLVMAdd || op == LLVMSub)
		return !sign || may_wrap(x, sign, depth - 1) || may_wrap(y, sign, depth - 1);
	return !sign || LLVMIsAConstant(y) || is_launch_size(x) || is_launch_size(y);
}

/* An index of 32 bits that may wrap. (Addresses of local memory have 32
 * bits here, so that its indices have lost their sign: they are taken to have one.) */
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

/* What a loop's last branch compares. */
typedef struct LoopTest {
	LLVMValueRef counter; /* a variable that each turn adds something to, or NULL */
	LLVMValueRef step;    /* that something */
	LLVMValueRef next;    /* the counter of the next turn */
	bool before;          /* the counter is compared before it is added to */
	LLVMValueRef bound;   /* what it is compared with */
} LoopTest;

/* v: a variable of the loop, or what one becomes for the next turn. */
static bool read_counter(LLVMValueRef v, LoopTest *t)
{
	LLVMValueRef phi = LLVMIsAPHINode(v) ? v : NULL;
	for (u32 k = 0; !phi && LLVMIsABinaryOperator(v) && k < 2; k++)
		phi = LLVMIsAPHINode(LLVMGetOperand(v, k)) ? LLVMGetOperand(v, k) : NULL;
	for (u32 k = 0; phi && k < LLVMCountIncoming(phi); k++) {
		LLVMValueRef next = LLVMGetIncomingValue(phi, k);
		if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd || (v != phi && v != next))
			continue;
		for (u32 side = 0; side < 2; side++)
			if (LLVMGetOperand(next, side) == phi) {
				*t = (LoopTest){.counter = phi, .step = LLVMGetOperand(next, 1 - side), .next = next,
				                .before = v == phi};
				return true;
			}
	}
	return false;
}

static LoopTest test_of(LLVMValueRef branch)
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

/* How many turns the source says, where it does; 0: only the run knows. */
static u64 turns_of(const LoopTest *t)
{
	bool known = t->counter && LLVMIsAConstantInt(t->bound) && LLVMIsAConstantInt(t->step) &&
	             LLVMGetIntTypeWidth(LLVMTypeOf(t->bound)) <= 64;
	LLVMValueRef start = NULL;
	for (u32 k = 0; known && k < LLVMCountIncoming(t->counter); k++) {
		LLVMValueRef v = LLVMGetIncomingValue(t->counter, k);
		if (v == t->next)
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

/* ---- metadata ---- */

/* Words of a loop's metadata. LLVM's, which we write, too: do not unroll it where only the run knows how often it runs. */
static const char not_by_run[] = "llvm.loop.unroll.runtime.disable";
/* We wrote that. */
static const char noted[] = "wavesim.loop.noted";
/* Nobody can count its turns: its source compares 32 bits without a sign, which may wrap, with 64. */
static const char uncounted[] = "wavesim.loop.uncounted";
/* Its source compares with what the test itself computes of the launch's sizes. */
static const char to_launch[] = "wavesim.loop.launch";

static bool says(FeModule *m, LLVMValueRef node, const char *word)
{
	bool found = false;
	for (u32 k = 1; node && k < llvm_operands(node); k++) {
		const char *text = llvm_operand_text(m->arena, llvm_operand(node, k), 0);
		found |= text && !strcmp(text, word);
	}
	return found;
}

static bool says_unroll(FeModule *m, LLVMValueRef node)
{
	bool found = false, ours = says(m, node, noted);
	for (u32 k = 1; k < llvm_operands(node); k++) {
		const char *text = llvm_operand_text(m->arena, llvm_operand(node, k), 0);
		found |= text && strstr(text, "llvm.loop.unroll") && !(ours && !strcmp(text, not_by_run));
	}
	return found;
}

/* A node that begins with itself, as those of loops do, then what there was but for `without`, then `more`; either may
 * be NULL. */
static void set_node(FeModule *m, LLVMValueRef branch, LLVMValueRef old, u32 kind, const char *without,
                     LLVMMetadataRef more)
{
	u32 n = llvm_operands(old), k = 1;
	LLVMMetadataRef *op = xcalloc(n + 2, sizeof *op);
	LLVMMetadataRef self = op[0] = LLVMTemporaryMDNode(m->ctx, NULL, 0);
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef was = llvm_operand(old, i);
		const char *text = without ? llvm_operand_text(m->arena, was, 0) : NULL;
		if (was && !(text && !strcmp(text, without)))
			op[k++] = LLVMValueAsMetadata(was);
	}
	if (more)
		op[k++] = more;
	LLVMMetadataRef node = LLVMMDNodeInContext2(m->ctx, op, k);
	LLVMMetadataReplaceAllUsesWith(self, node);
	LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(m->ctx, node));
	free(op);
}

static void set_count(FeModule *m, LLVMValueRef branch, LLVMValueRef old, u32 kind, u32 count)
{
	static const char key[] = "llvm.loop.unroll.count";
	LLVMMetadataRef pair[2] = {
	    LLVMMDStringInContext2(m->ctx, key, sizeof key - 1),
	    LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx), count, 0)),
	};
	set_node(m, branch, old, kind, not_by_run, LLVMMDNodeInContext2(m->ctx, pair, 2));
}

/* Our own words; LLVM's keeps it from unrolling by the rules for AMD's chips. */
static void forget(FeModule *m, LLVMValueRef branch, u32 kind)
{
	static const char *const words[] = {uncounted, to_launch, noted};
	for (u32 k = 0; says(m, LLVMGetMetadata(branch, kind), noted) && k < COUNT(words); k++)
		set_node(m, branch, LLVMGetMetadata(branch, kind), kind, words[k], NULL);
}

static u32 loop_kind(const FeModule *m)
{
	static const char name[] = "llvm.loop";
	return LLVMGetMDKindIDInContext(m->ctx, name, sizeof name - 1);
}

/* What the loop that was walked last has by the rules of NVIDIA's compiler and assembler. */
typedef struct LoopSize {
	u32 compiler;  /* instructions, as LLVM counts them: no variables, nothing that is part of others; indices have 64 bits */
	u32 assembler; /* … nor what an address is made of that grows with a counter */
} LoopSize;

static LoopSize sizes_of(const UnrollFlow *f)
{
	LoopSize s = {0};
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i; i = LLVMGetNextInstruction(i)) {
			bool nothing = llvm_debug(i) || LLVMIsAPHINode(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i);
			if (nothing || (LLVMIsASExtInst(i) && grows(LLVMGetOperand(i, 0), DEPTH)))
				continue;
			s.compiler++;
			s.assembler += !LLVMIsACastInst(i) && !grows(i, DEPTH);
		}
	return s;
}

/* So many turns of it in one, with one test. */
static u64 size_unrolled(u32 size, u64 turns)
{
	enum { OF_THE_END = 2 };
	return (size > OF_THE_END ? size - OF_THE_END : 1) * turns + OF_THE_END;
}

/* May lanes leave that loop anywhere but at its end? */
static bool leaves_early(const UnrollFlow *f, u32 loop)
{
	for (u32 k = 0; k < f->walked.n; k++) {
		u32 b = f->walked.v[k];
		for (u32 n = 0; b != f->loops.v[loop].latch && n < llvm_successors(&f->all, b); n++)
			if (f->body[llvm_successor(&f->all, b, n)] != loop + 1)
				return true;
	}
	return false;
}

/* Is that value computed in the loop? */
static bool changes(const UnrollFlow *f, u32 loop, LLVMValueRef v)
{
	return LLVMIsAInstruction(v) && f->body[llvm_block_number(&f->all, LLVMGetInstructionParent(v))] == loop + 1;
}

/* NVIDIA unrolls twice. The compiler: all where the source says how often the loop runs and that is not too large, else as
 * many as are not too large together, a power of two; a quarter of `copies` at most where only the run knows. Then the
 * assembler: four times more what is small, if the counter has 32 bits and no index may wrap, because only then it sees how
 * often the loop runs. Neither unrolls what cannot be counted. What makes an array registers may become much longer. (PTX and
 * SASS of 180 loops, 2026-11-29; the sizes of the compiler are LLVM's thresholds.) */
enum { BY_ASSEMBLER = 4, COMPILER_ALL = 300, COMPILER_PART = 150, ASSEMBLER_PART = 50, OF_ARRAYS = 1280, MOST_TURNS = 32 };

static u32 copies_of(FeModule *m, const UnrollFlow *f, u32 loop, LLVMValueRef node, const LoopTest *t, u64 turns,
                     u32 copies)
{
	if (!t->counter || !LLVMIsAConstantInt(t->step) || changes(f, loop, t->bound) || leaves_early(f, loop))
		return 1;
	if (!turns && says(m, node, uncounted))
		return 1;
	LoopSize size = sizes_of(f);
	if (turns && turns <= COMPILER_ALL && size_unrolled(size.compiler, turns) <= COMPILER_ALL)
		return (u32)turns;
	u32 part = 1, most = turns ? UINT32_MAX : copies / BY_ASSEMBLER;
	while (part * 2 <= most && size_unrolled(size.compiler, part * 2) <= COMPILER_PART && turns % (part * 2) == 0)
		part *= 2;
	/* Of a known number of turns LLVM's -O3 has unrolled what it could. */
	bool counted = !turns && !says(m, node, to_launch) && has_width(t->counter, 32) && !any_in(f, wraps);
	bool small = part * size.assembler <= ASSEMBLER_PART && part * BY_ASSEMBLER <= copies;
	return counted && small ? part * BY_ASSEMBLER : part;
}

static void flow_open(UnrollFlow *f, LLVMValueRef fn)
{
	Arena *a = arena_new();
	*f = (UnrollFlow){.arena = a, .all = llvm_blocks(fn, a)};
	f->preds = ARENA_ARRAY(a, u32, f->all.n);
	f->body = ARENA_ARRAY(a, u32, f->all.n);
	f->seen = ARENA_ARRAY(a, u8, f->all.n);
	find_edges(f);
	find_loops(f);
}

static void flow_close(UnrollFlow *f)
{
	array_free(&f->edges);
	array_free(&f->loops);
	array_free(&f->walked);
	arena_free(f->arena);
}

static LLVMValueRef latch_of(const UnrollFlow *f, u32 loop)
{
	return LLVMGetBasicBlockTerminator(f->all.block[f->loops.v[loop].latch]);
}

static void mark_function(FeModule *m, LLVMValueRef fn, u32 copies)
{
	u32 kind = loop_kind(m);
	UnrollFlow f;
	flow_open(&f, fn);
	for (u32 l = 0; l < f.loops.n; l++) {
		LLVMValueRef branch = latch_of(&f, l);
		LLVMValueRef old = LLVMGetMetadata(branch, kind);
		if (old && says_unroll(m, old))
			continue;
		u32 size = size_of(&f, l, OF_ARRAYS);
		if (!size || size > OF_ARRAYS)
			continue;
		LoopTest test = test_of(branch);
		u64 turns = turns_of(&test);
		u32 count = copies_of(m, &f, l, old, &test, turns, copies);
		if (turns > 1 && turns <= MOST_TURNS && any_in(&f, indexes_private))
			count = (u32)turns;
		if (count > 1)
			set_count(m, branch, old, kind, count);
		forget(m, branch, kind);
	}
	flow_close(&f);
}

void unroll_mark(FeModule *m, u32 copies)
{
	llvm_each_function(m->mod, fn)
		if (!LLVMIsDeclaration(fn))
			mark_function(m, fn, copies);
}

/* ---- what -O3 makes unknown ---- */

/* The comparison that the loop that was walked last is left by, if there is one such place; or NULL. */
static LLVMValueRef source_test(const UnrollFlow *f, u32 loop)
{
	LLVMValueRef test = NULL;
	u32 exits = 0;
	for (u32 k = 0; k < f->walked.n; k++) {
		u32 b = f->walked.v[k], n = llvm_successors(&f->all, b), out = 0;
		for (u32 i = 0; i < n; i++)
			out += f->body[llvm_successor(&f->all, b, i)] != loop + 1;
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
	static const char *const sizes[] = {"get_local_size", "get_enqueued_local_size", "get_global_size", "get_num_groups"};
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

/* Is it a variable of 32 bits without a sign that the loop changes, as 64? */
static bool may_wrap_as_64(const UnrollFlow *f, LLVMValueRef v)
{
	LLVMValueRef from = LLVMIsAZExtInst(v) && has_width(v, 64) ? LLVMGetOperand(v, 0) : NULL;
	if (!from || !has_width(from, 32) || !LLVMIsALoadInst(from))
		return false;
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == LLVMGetOperand(from, 0))
				return true;
	return false;
}

static void add_word(FeModule *m, LLVMValueRef branch, u32 kind, const char *word)
{
	LLVMMetadataRef text = LLVMMDStringInContext2(m->ctx, word, strlen(word));
	set_node(m, branch, LLVMGetMetadata(branch, kind), kind, word, LLVMMDNodeInContext2(m->ctx, &text, 1));
}

static void note_loop(FeModule *m, UnrollFlow *f, u32 loop)
{
	u32 kind = loop_kind(m);
	LLVMValueRef branch = latch_of(f, loop), node = LLVMGetMetadata(branch, kind);
	if (node && says_unroll(m, node))
		return;
	add_word(m, branch, kind, not_by_run);
	add_word(m, branch, kind, noted);
	walk(f, loop, UINT32_MAX - 1);
	LLVMValueRef test = source_test(f, loop);
	for (u32 k = 0; test && k < 2; k++) {
		LLVMValueRef v = LLVMGetOperand(test, k), bound = LLVMGetOperand(test, 1 - k);
		if (may_wrap_as_64(f, v) && !LLVMIsConstant(bound))
			add_word(m, branch, kind, uncounted);
		if (of_launch(bound, DEPTH))
			add_word(m, branch, kind, to_launch);
	}
}

void unroll_note(FeModule *m)
{
	llvm_each_function(m->mod, fn) {
		UnrollFlow f;
		if (LLVMIsDeclaration(fn))
			continue;
		flow_open(&f, fn);
		for (u32 l = 0; l < f.loops.n; l++)
			note_loop(m, &f, l);
		flow_close(&f);
	}
}

/* ---- what PoCL forbids ---- */

/* A source without its comments: blanks stand there. */
typedef struct UnrollSource {
	const char *file, *text; /* text: NULL: it cannot be read */
} UnrollSource;

typedef struct UnrollSources {
	FeModule *m;
	ARRAY(UnrollSource) known;
} UnrollSources;

static void blank_comments(char *text)
{
	for (char *p = text, *end; *p; p = end) {
		end = p + (source_skip(p) - p);
		for (char *c = *p == '/' ? p : end; c < end; c++)
			*c = *c == '\n' ? '\n' : ' ';
		end += end == p;
	}
}

static const char *text_of(UnrollSources *s, const char *file)
{
	FeModule *m = s->m;
	for (u32 i = 0; i < s->known.n; i++)
		if (!strcmp(s->known.v[i].file, file))
			return s->known.v[i].text;
	const char *given = m->user_path && !strcmp(file, m->user_path) ? m->user_text
	                    : m->src ? source_text(m->src, m->user_path, file, m->arena) : NULL;
	char *text = given ? xstrdup(given) : m->src ? NULL : read_regular_file(file, NULL);
	if (text)
		blank_comments(text);
	array_push(&s->known, ((UnrollSource){file, arena_strdup(m->arena, text)}));
	free(text);
	return s->known.v[s->known.n - 1].text;
}

static const char *line_start(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static bool contains(const char *at, size_t n, const char *word)
{
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= n; i++)
		if (!strncasecmp(at + i, word, length))
			return true;
	return false;
}

/* Is one of the first n of these at p? Loops are first. */
enum { LOOPS = 3, STATEMENTS = 6 };
static bool is_statement(const char *p, u32 n)
{
	static const char *const words[STATEMENTS] = {"for", "while", "do", "if", "else", "switch"};
	size_t length = scan_word(p);
	for (u32 i = 0; i < n; i++)
		if (strlen(words[i]) == length && !strncmp(p, words[i], length))
			return true;
	return false;
}

/* Behind the word at p and what follows it in parentheses. */
static const char *behind_condition(const char *p, const char *end)
{
	p += scan_word(p);
	p += strspn(p, " \t");
	for (u32 depth = 0; p < end; p++) {
		depth += *p == '(';
		if (!depth || (*p == ')' && !--depth))
			return p + (*p == ')');
	}
	return end;
}

/* What stands there before a loop, behind all other statements. */
static const char *behind_statements(const char *at, const char *end)
{
	for (const char *p = at; p < end;) {
		size_t word = scan_word(p);
		if (*p == '=')
			at = p += strcspn(p, ";\n");
		else if (strchr(";:{}", *p))
			at = ++p;
		else if (is_statement(p, STATEMENTS))
			at = p = behind_condition(p, end);
		else
			p += word ? word : 1;
	}
	return at < end ? at : end;
}

/* Does the source speak of unrolling where hints of the loop at a line and column stand: before it in its line, in
 * pragmas and attributes above, or in a line above that is no statement, a macro maybe? */
static bool speaks_of_unrolling(const char *text, u32 line, u32 column)
{
	static const char word[] = "unroll", attribute[] = "__attribute__";
	const char *at = text;
	for (u32 i = 1; at && i < line; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	size_t n = strcspn(at, "\n"), before = column && column - 1 < n ? column - 1 : 0;
	const char *end = at + before, *rest = behind_statements(at, end);
	if (!is_statement(end, LOOPS)) /* a macro that makes it */
		end = at + n;
	if (contains(rest, (size_t)(end - rest), word))
		return true;
	while (rest == at && at > text) {
		rest = at = line_start(text, at - 1);
		n = strcspn(at, "\n");
		size_t blank = strspn(at, " \t");
		bool directive = at[blank] == '#';
		if (at[blank + strspn(at + blank, "\r")] == '\n' || (directive && !contains(at, n, "pragma")))
			continue;
		if (!directive)
			rest = behind_statements(at, at + n);
		if (contains(rest, n - (size_t)(rest - at), word))
			return true;
		if (!directive && strncmp(at + blank, attribute, sizeof attribute - 1) != 0)
			return false;
	}
	return false;
}

static bool is_hinted(UnrollSources *s, LLVMValueRef node)
{
	LLVMValueRef start = llvm_operand(node, 1);
	if (!llvm_is_node(start, LLVMDILocationMetadataKind))
		return false;
	LLVMMetadataRef at = LLVMValueAsMetadata(start), file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
	const char *name = file ? fe_file(s->m, file) : NULL;
	if (!name)
		return false;
	Loc loc = fe_physical(s->m, (Loc){name, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at)});
	const char *text = text_of(s, loc.file);
	return text && speaks_of_unrolling(text, loc.line, loc.col);
}

void unroll_allow(FeModule *m)
{
	static const char forbidden[] = "llvm.loop.unroll.disable";
	u32 kind = loop_kind(m);
	UnrollSources sources = {.m = m};
	llvm_each_function(m->mod, fn)
		for (LLVMBasicBlockRef b = LLVMGetSubprogram(fn) ? LLVMGetFirstBasicBlock(fn) : NULL; b;
		     b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
			LLVMValueRef node = branch ? LLVMGetMetadata(branch, kind) : NULL;
			bool forbids = false;
			for (u32 i = 1; i < llvm_operands(node); i++) {
				const char *text = llvm_operand_text(m->arena, llvm_operand(node, i), 0);
				forbids |= text && !strcmp(text, forbidden);
			}
			if (forbids && !is_hinted(&sources, node))
				set_node(m, branch, node, kind, forbidden, NULL);
		}
	array_free(&sources.known);
}
