/* Loops and their metadata: see loops.h. */
#include "frontend/retarget/loops.h"

#include <llvm-c/DebugInfo.h>

static void find_edges(Loops *f)
{
	for (u32 b = 0; b < f->all.n; b++)
		for (u32 k = 0; k < llvm_successors(&f->all, b); k++) {
			u32 to = llvm_successor(&f->all, b, k);
			array_push(&f->edges, ((LoopEdge){b, f->preds[to]}));
			f->preds[to] = f->edges.n;
		}
}

static void find_loops(Loops *f)
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
			array_push(&f->v, ((Loop){to, b}));
		if (f->seen[to])
			continue;
		f->seen[to] = 1;
		stack[n++] = (__typeof__(*stack)){to, 0};
	}
}

void loops_open(Loops *f, LLVMValueRef function)
{
	Arena *a = arena_new();
	*f = (Loops){.arena = a, .all = llvm_blocks(function, a)};
	f->preds = ARENA_ARRAY(a, u32, f->all.n);
	f->body = ARENA_ARRAY(a, u32, f->all.n);
	f->seen = ARENA_ARRAY(a, u8, f->all.n);
	find_edges(f);
	find_loops(f);
}

void loops_close(Loops *f)
{
	array_free(&f->edges);
	array_free(&f->v);
	array_free(&f->walked);
	arena_free(f->arena);
}

u32 loop_walk(Loops *f, u32 loop, u32 most)
{
	const Loop *l = &f->v.v[loop];
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
			if (loop_has(f, loop, from) || !f->seen[from])
				continue;
			f->body[from] = loop + 1;
			array_push(&work, from);
		}
	}
	array_free(&work);
	return size;
}

u32 loop_walk_innermost(Loops *f, u32 loop, u32 most)
{
	u32 size = loop_walk(f, loop, most);
	for (u32 k = 0; k < f->v.n; k++)
		if (k != loop && loop_has(f, loop, f->v.v[k].latch) && loop_has(f, loop, f->v.v[k].header))
			size = 0;
	return size;
}

LLVMValueRef loop_latch(const Loops *f, u32 loop)
{
	return LLVMGetBasicBlockTerminator(f->all.block[f->v.v[loop].latch]);
}

/* ---- metadata ---- */

static u32 loop_kind(const FeModule *m)
{
	static const char name[] = "llvm.loop";
	return LLVMGetMDKindIDInContext(m->ctx, name, sizeof name - 1);
}

LLVMValueRef loop_node(const FeModule *m, LLVMValueRef latch) { return LLVMGetMetadata(latch, loop_kind(m)); }

bool loop_says(FeModule *m, LLVMValueRef latch, const char *word)
{
	LLVMValueRef node = loop_node(m, latch);
	bool found = false;
	for (u32 k = 1; k < llvm_operands(node); k++) {
		const char *text = llvm_operand_text(m->arena, llvm_operand(node, k), 0);
		found |= text && !strcmp(text, word);
	}
	return found;
}

/* A loop's node begins with itself. */
void loop_change(FeModule *m, LLVMValueRef latch, const char *without, LLVMMetadataRef more)
{
	LLVMValueRef old = loop_node(m, latch);
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
	LLVMSetMetadata(latch, loop_kind(m), LLVMMetadataAsValue(m->ctx, node));
	free(op);
}

void loop_add_word(FeModule *m, LLVMValueRef latch, const char *word)
{
	LLVMMetadataRef text = LLVMMDStringInContext2(m->ctx, word, strlen(word));
	loop_change(m, latch, word, LLVMMDNodeInContext2(m->ctx, &text, 1));
}
