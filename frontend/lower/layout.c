/* The order of a function's blocks, and its loops.
 *
 * A wavefront always runs the earliest block in layout order that has waiting lanes
 * (isa.h), so the order decides where lanes reconverge: every loop is contiguous, its header
 * first and its only latch last, and what follows a loop comes after all of it. Then
 * all lanes that stay in a loop start each iteration together, and a block outside
 * runs when no lane is left that can still come to it.
 *
 * Found by strongly connected components: those of the function without its entry's
 * back edges, then, inside each loop, those without edges to its header, and so on. A
 * component with one entry and one latch is a loop. Any other cycle (two entries, two
 * latches) is an irreducible region: contiguous, in reverse post-order, and `masked`,
 * because lanes may pass its blocks at different times. Reverse post-order puts a
 * block after its dominators, so definitions come before their uses everywhere. */
#include "frontend/lower/lowering.h"

typedef struct Node { /* in reverse post-order */
	LLVMBasicBlockRef bb;
	u32 *succ, nsucc;
	u32 *pred, npred;
	u32 region;         /* innermost region found so far */
	u32 index, low;     /* Tarjan; index 0 = not visited */
	bool on_stack, placed;
} Node;

typedef struct BlockLayout {
	Arena *a;
	Map *index;      /* block -> node + 1 */
	Node *node;
	u32 n;
	ARRAY(LLVMBasicBlockRef) post;
	/* Tarjan */
	ARRAY(u32) stack;
	ARRAY(u32) comp;    /* members of the components found, reverse topological */
	ARRAY(u32) comp_end;
	u32 counter, regions;
	/* result */
	ARRAY(u32) order;   /* nodes */
	ARRAY(CfLoop) loops;
	u32 *loop_of;       /* per node */
	bool *masked;
} BlockLayout;

static void layout_post(BlockLayout *y, LLVMBasicBlockRef bb)
{
	void **slot = ptrmap_slot(y->index, bb);
	LLVMValueRef t = LLVMGetBasicBlockTerminator(bb);
	if (*slot)
		return;
	*slot = y;
	for (u32 i = LLVMGetNumSuccessors(t); i-- > 0;)
		layout_post(y, LLVMGetSuccessor(t, i));
	array_push(&y->post, bb);
}

static u32 layout_index(BlockLayout *y, LLVMBasicBlockRef bb)
{
	return (u32)(uintptr_t)ptrmap_get(y->index, bb) - 1;
}

static void layout_edges(BlockLayout *y)
{
	for (u32 i = 0; i < y->n; i++) {
		Node *b = &y->node[i];
		LLVMValueRef t = LLVMGetBasicBlockTerminator(b->bb);
		b->nsucc = LLVMGetNumSuccessors(t);
		b->succ = ARENA_ARRAY(y->a, u32, b->nsucc);
		for (u32 s = 0; s < b->nsucc; s++) {
			b->succ[s] = layout_index(y, LLVMGetSuccessor(t, s));
			y->node[b->succ[s]].npred++;
		}
	}
	for (u32 i = 0; i < y->n; i++) {
		y->node[i].pred = ARENA_ARRAY(y->a, u32, y->node[i].npred);
		y->node[i].npred = 0;
	}
	for (u32 i = 0; i < y->n; i++) {
		for (u32 s = 0; s < y->node[i].nsucc; s++) {
			Node *t = &y->node[y->node[i].succ[s]];
			t->pred[t->npred++] = i;
		}
	}
}

/* Components of region without edges to its header, reachable from b. */
static void layout_tarjan(BlockLayout *y, u32 b, u32 region, u32 header)
{
	Node *n = &y->node[b];
	n->index = n->low = ++y->counter;
	n->on_stack = true;
	array_push(&y->stack, b);
	for (u32 i = n->nsucc; i-- > 0;) {
		Node *s = &y->node[n->succ[i]];
		if (s->region != region || n->succ[i] == header)
			continue;
		if (!s->index) {
			layout_tarjan(y, n->succ[i], region, header);
			n->low = s->low < n->low ? s->low : n->low;
		} else if (s->on_stack) {
			n->low = s->index < n->low ? s->index : n->low;
		}
	}
	if (n->low != n->index)
		return;
	u32 m;
	do {
		m = y->stack.v[--y->stack.n];
		y->node[m].on_stack = false;
		array_push(&y->comp, m);
	} while (m != b);
	array_push(&y->comp_end, y->comp.n);
}

static bool layout_self_loop(const Node *n, u32 b)
{
	for (u32 i = 0; i < n->nsucc; i++) {
		if (n->succ[i] == b)
			return true;
	}
	return false;
}

/* The header of a natural loop with one latch, or NO_BLOCK. All members are in `region`. */
static u32 layout_header(BlockLayout *y, const u32 *m, u32 n, u32 region)
{
	u32 header = NO_BLOCK, latch = NO_BLOCK;
	for (u32 i = 0; i < n; i++) {
		const Node *b = &y->node[m[i]];
		for (u32 p = 0; p < b->npred; p++) {
			if (y->node[b->pred[p]].region == region)
				continue;
			if (header != NO_BLOCK && header != m[i])
				return NO_BLOCK;
			header = m[i];
		}
	}
	if (header == NO_BLOCK)
		return NO_BLOCK;
	const Node *h = &y->node[header];
	for (u32 p = 0; p < h->npred; p++) {
		if (y->node[h->pred[p]].region != region)
			continue;
		if (latch != NO_BLOCK && latch != h->pred[p])
			return NO_BLOCK;
		latch = h->pred[p];
	}
	return header;
}

static void layout_irreducible(BlockLayout *y, u32 *m, u32 n, u32 loop)
{
	qsort(m, n, sizeof *m, by_u32);
	for (u32 i = 0; i < n; i++) {
		y->masked[m[i]] = true;
		y->loop_of[m[i]] = loop;
		array_push(&y->order, m[i]);
	}
	y->loops.v[loop].irreducible = true;
}

static void layout_place(BlockLayout *y, u32 region, u32 header, u32 loop);

static void layout_component(BlockLayout *y, const u32 *members, u32 n, u32 parent)
{
	if (n == 1 && !layout_self_loop(&y->node[members[0]], members[0])) {
		y->loop_of[members[0]] = parent;
		array_push(&y->order, members[0]);
		return;
	}
	u32 *m = ARENA_ARRAY(y->a, u32, n), region = ++y->regions, loop = y->loops.n;
	u32 depth = parent == NO_BLOCK ? 1 : y->loops.v[parent].depth + 1;
	memcpy(m, members, n * sizeof *m);
	for (u32 i = 0; i < n; i++)
		y->node[m[i]].region = region;
	array_push(&y->loops, ((CfLoop){.parent = parent, .first = y->order.n, .depth = depth}));
	u32 header = layout_header(y, m, n, region);
	if (header == NO_BLOCK) {
		layout_irreducible(y, m, n, loop);
	} else {
		for (u32 i = 0; i < n; i++)
			y->node[m[i]].index = 0;
		layout_place(y, region, header, loop);
	}
	y->loops.v[loop].last = y->order.n - 1;
}

static void layout_place(BlockLayout *y, u32 region, u32 header, u32 loop)
{
	u32 first = y->comp.n, first_end = y->comp_end.n;
	layout_tarjan(y, header, region, header);
	for (u32 c = y->comp_end.n; c-- > first_end;) {
		u32 from = c > first_end ? y->comp_end.v[c - 1] : first;
		/* A loop's header comes first, as a component of its own: its back edge is not
		 * one here, though it may still be its own successor. */
		if (y->comp.v[from] == header) {
			y->loop_of[header] = loop;
			array_push(&y->order, header);
		} else {
			layout_component(y, y->comp.v + from, y->comp_end.v[c] - from, loop);
		}
	}
	y->comp.n = first;
	y->comp_end.n = first_end;
}

static Cfg *layout_result(BlockLayout *y, LLVMValueRef fn)
{
	Cfg *c = ARENA_NEW(y->a, Cfg);
	u32 *at = ARENA_ARRAY(y->a, u32, y->n);
	c->fn = fn;
	c->n = y->n;
	c->b = ARENA_ARRAY(y->a, CfBlock, y->n);
	c->nloops = y->loops.n;
	c->loops = ARENA_ARRAY(y->a, CfLoop, y->loops.n);
	if (y->loops.n)
		memcpy(c->loops, y->loops.v, y->loops.n * sizeof *c->loops);
	for (u32 i = 0; i < y->n; i++)
		at[y->order.v[i]] = i;
	for (u32 i = 0; i < y->n; i++) {
		u32 from = y->order.v[i];
		Node *n = &y->node[from];
		for (u32 s = 0; s < n->nsucc; s++)
			n->succ[s] = at[n->succ[s]];
		for (u32 p = 0; p < n->npred; p++)
			n->pred[p] = at[n->pred[p]];
		c->b[i] = (CfBlock){.bb = n->bb, .succ = n->succ, .nsucc = n->nsucc,
		                    .pred = n->pred, .npred = n->npred,
		                    .loop = y->loop_of[from], .masked = y->masked[from]};
	}
	return c;
}

Cfg *cfg_new(Arena *a, LLVMValueRef fn)
{
	BlockLayout y = {.a = a, .index = map_new(a)};
	layout_post(&y, LLVMGetEntryBasicBlock(fn));
	y.n = y.post.n;
	y.node = ARENA_ARRAY(a, Node, y.n);
	y.loop_of = ARENA_ARRAY(a, u32, y.n);
	y.masked = ARENA_ARRAY(a, bool, y.n);
	for (u32 i = 0; i < y.n; i++) {
		y.node[i].bb = y.post.v[y.n - 1 - i];
		*ptrmap_slot(y.index, y.node[i].bb) = (void *)(uintptr_t)(i + 1);
	}
	layout_edges(&y);
	layout_place(&y, 0, 0, NO_BLOCK);
	Cfg *c = layout_result(&y, fn);
	array_free(&y.post);
	array_free(&y.stack);
	array_free(&y.comp);
	array_free(&y.comp_end);
	array_free(&y.order);
	array_free(&y.loops);
	return c;
}

bool cfg_in_loop(const Cfg *c, u32 block, u32 loop)
{
	return loop == NO_BLOCK || (block >= c->loops[loop].first && block <= c->loops[loop].last);
}
