/* Control-flow facts: successors and immediate post-dominators.
 *
 * A wavefront whose lanes part at a branch has joined all of them again at the branch
 * block's immediate post-dominator (sim/flow.c: some of them earlier). Every block that ends lanes (ret,
 * unreachable) has an edge to one virtual exit, which is NO_BLOCK to the
 * outside. A block from which no exit can be reached (a loop without an end)
 * would have no post-dominator at all; so, as long as there are such blocks, the
 * last of them in layout gets an edge to the virtual exit too. The last block of
 * an endless loop is its latch, hence everything inside the loop still joins at
 * the usual places.
 *
 * The method is Cooper, Harvey and Kennedy's "A Simple, Fast Dominance
 * Algorithm" on the reversed graph. Malformed programs (program_finish comes
 * before program_verify) must not hurt: edges that leave the function are
 * ignored. */
#include "isa/isa.h"

const u32 *block_succs(const Program *p, u32 b, u32 *n)
{
	const Block *block = &p->blocks.v[b];
	*n = 0;
	if (!block->n)
		return p->opnds.v;
	const Ins *last = &p->ins.v[block->first + block->n - 1];
	if (op_info[last->op].flags & F_END)
		*n = last->ntgt;
	return ins_tgt(p, last);
}

/* The reversed graph of one function; blocks are numbered from 0, n is the exit. */
typedef struct Graph {
	const Program *p;
	Arena *arena;
	u32 base, n;
	u32 *first, *pred; /* predecessors of b: pred[first[b] … first[b + 1]] */
	bool *leaves;      /* b has an edge to the exit */
	u32 *order;        /* post-order of the reversed graph, the exit last */
	u32 *rank;         /* where b is in order */
	u32 *idom;
} Graph;

static bool inside(const Graph *g, u32 target)
{
	return target >= g->base && target - g->base < g->n;
}

/* One pass over the edges: count the predecessors of each block in at[], or, when
 * there is room for them, store them from at[] on. */
static void each_edge(Graph *g, u32 *at)
{
	for (u32 b = 0; b < g->n; b++) {
		u32 ns;
		const u32 *succ = block_succs(g->p, g->base + b, &ns);
		for (u32 i = 0; i < ns; i++) {
			if (!inside(g, succ[i]))
				continue;
			u32 to = succ[i] - g->base;
			if (g->pred)
				g->pred[at[to]] = b;
			at[to]++;
		}
	}
}

static void collect_preds(Graph *g)
{
	u32 *at = ARENA_ARRAY(g->arena, u32, g->n + 1);
	each_edge(g, at);
	for (u32 b = 0; b < g->n; b++)
		g->first[b + 1] = g->first[b] + at[b];
	g->pred = ARENA_ARRAY(g->arena, u32, g->first[g->n] + 1);
	memcpy(at, g->first, sizeof *at * (g->n + 1));
	each_edge(g, at);
}

/* Depth first from one block over predecessors; an explicit stack, since a
 * function may have a hundred thousand blocks in a row. */
static void walk(Graph *g, u32 root, u32 *count, u32 *stack, u32 *next)
{
	u32 depth = 0;
	stack[depth++] = root;
	g->rank[root] = 0;
	next[root] = g->first[root];
	while (depth) {
		u32 b = stack[depth - 1];
		if (next[b] < g->first[b + 1]) {
			u32 from = g->pred[next[b]++];
			if (g->rank[from] == UINT32_MAX) {
				g->rank[from] = 0;
				next[from] = g->first[from];
				stack[depth++] = from;
			}
			continue;
		}
		g->rank[b] = *count;
		g->order[(*count)++] = b;
		depth--;
	}
}

static void number(Graph *g)
{
	u32 count = 0;
	u32 *stack = ARENA_ARRAY(g->arena, u32, g->n + 1), *next = ARENA_ARRAY(g->arena, u32, g->n + 1);
	for (u32 b = 0; b < g->n; b++) {
		u32 ns;
		block_succs(g->p, g->base + b, &ns);
		g->leaves[b] = ns == 0;
		g->rank[b] = UINT32_MAX;
	}
	for (u32 b = 0; b < g->n; b++)
		if (g->leaves[b] && g->rank[b] == UINT32_MAX)
			walk(g, b, &count, stack, next);
	for (u32 b = g->n; b-- > 0;) {
		if (g->rank[b] == UINT32_MAX) {
			g->leaves[b] = true;
			walk(g, b, &count, stack, next);
		}
	}
	g->rank[g->n] = count;
	g->order[count] = g->n;
}

static u32 intersect(const Graph *g, u32 a, u32 b)
{
	while (a != b) {
		while (g->rank[a] < g->rank[b])
			a = g->idom[a];
		while (g->rank[b] < g->rank[a])
			b = g->idom[b];
	}
	return a;
}

static u32 nearest_common(const Graph *g, u32 b)
{
	u32 at = g->leaves[b] ? g->n : UINT32_MAX, ns;
	const u32 *succ = block_succs(g->p, g->base + b, &ns);
	for (u32 i = 0; i < ns; i++) {
		if (!inside(g, succ[i]))
			continue;
		u32 to = succ[i] - g->base;
		if (g->idom[to] != UINT32_MAX)
			at = at == UINT32_MAX ? to : intersect(g, at, to);
	}
	return at;
}

void func_ipdoms(const Program *p, u32 f, u32 *out)
{
	Graph g = {.p = p, .arena = arena_new(), .base = p->funcs.v[f].first_block, .n = p->funcs.v[f].nblocks};
	g.first = ARENA_ARRAY(g.arena, u32, g.n + 1);
	g.leaves = ARENA_ARRAY(g.arena, bool, g.n + 1);
	g.order = ARENA_ARRAY(g.arena, u32, g.n + 1);
	g.rank = ARENA_ARRAY(g.arena, u32, g.n + 1);
	g.idom = ARENA_ARRAY(g.arena, u32, g.n + 1);
	collect_preds(&g);
	number(&g);
	for (u32 b = 0; b < g.n; b++)
		g.idom[b] = UINT32_MAX;
	g.idom[g.n] = g.n;
	for (bool changed = true; changed;) {
		changed = false;
		for (u32 i = g.n; i-- > 0;) {
			u32 b = g.order[i], at = nearest_common(&g, b);
			changed |= at != g.idom[b];
			g.idom[b] = at;
		}
	}
	for (u32 b = 0; b < g.n; b++)
		out[b] = g.idom[b] == g.n ? NO_BLOCK : g.base + g.idom[b];
	arena_free(g.arena);
}

void program_ipdoms(Program *p)
{
	u32 *out = xmalloc(sizeof *out * p->blocks.n);
	for (u32 f = 0; f < p->funcs.n; f++) {
		const Func *fn = &p->funcs.v[f];
		if (fn->first_block > p->blocks.n || fn->nblocks > p->blocks.n - fn->first_block)
			continue;
		func_ipdoms(p, f, out);
		for (u32 b = 0; b < fn->nblocks; b++)
			p->blocks.v[fn->first_block + b].ipdom = out[b];
	}
	free(out);
}
