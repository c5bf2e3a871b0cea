/* Swaps that a loop repeats until they succeed: see retried.h. */
#include "models/timing/retried.h"

typedef struct Walk {
	const Program *p;
	const u32 *writer; /* per register: an instruction that writes it, + 1 */
	const u32 *block;  /* per instruction */
	const u32 *first, *last; /* per block: of the loop that it is in */
	u32 *seen;         /* per register: the walk, from 1, that reached it last */
	u32 *reg;          /* those that are reached, in their order; room for all registers */
	u32 walks;
} Walk;

/* What a register is made of is looked for nearest first, and not through memory. */

/* The instruction that writes the k-th of the registers that are reached, whose sources are then reached, too, or
 * NULL. */
static const Ins *step_back(Walk *w, u32 k, u32 *n)
{
	const Program *p = w->p;
	u32 by = w->writer[w->reg[k]];
	const Ins *x = by ? &p->ins.v[by - 1] : NULL;
	for (u32 i = 0; x && op_info[x->op].unit != UNIT_MEM && i < x->nsrc; i++) {
		u32 reg = ins_src(p, x)[i];
		if (w->seen[reg] == w->walks)
			continue;
		w->seen[reg] = w->walks;
		w->reg[(*n)++] = reg;
	}
	return x;
}

static u32 begin_walk(Walk *w, u32 reg)
{
	w->seen[reg] = ++w->walks;
	w->reg[0] = reg;
	return 1;
}

static const Ins *end_of(const Program *p, u32 b)
{
	const Block *k = &p->blocks.v[b];
	return &p->ins.v[k->first + k->n - 1];
}

static bool only_copies(const Program *p, u32 b)
{
	const Block *k = &p->blocks.v[b];
	for (u32 i = k->first; i + 1 < k->first + k->n; i++)
		if (p->ins.v[i].op != OP_mov)
			return false;
	return end_of(p, b)->op == OP_jmp;
}

/* Where those that come to a block go, over copies on an edge. */
static u32 leads_to(const Program *p, u32 b)
{
	for (u32 last = b; b >= last && only_copies(p, b); b = ins_tgt(p, end_of(p, b))[0])
		last = b + 1;
	return b;
}

/* Does the branch at the end of block b decide whether a loop goes on: do its sides part, and one lead back, or out? */
static bool turns(const Program *p, u32 b)
{
	u32 depth = p->blocks.v[b].loop_depth, first = NO_BLOCK;
	const Ins *end = end_of(p, b);
	bool any = false, part = false;
	for (u32 t = 0; depth && end->op == OP_br && t < end->ntgt; t++) {
		u32 to = ins_tgt(p, end)[t];
		to = to > b ? leads_to(p, to) : to;
		first = t ? first : to;
		part |= to != first;
		any |= to <= b || p->blocks.v[to].loop_depth < depth;
	}
	return any && part;
}

/* Where a constant is expected, of a lock or of a place that is free, another one's success changes the answer. */
static bool may_be_retried(const Program *p, const Ins *x)
{
	return x->op == OP_cas && x->space != SPACE_LDS && p->regs.v[ins_src(p, x)[1]].kind != REG_CONST;
}

/* May its result differ each time, though nothing that it reads is written in between? */
static bool differs(const Program *p, const Ins *x)
{
	bool own = false;
	for (u32 i = 0; i < x->nsrc; i++)
		own |= ins_src(p, x)[i] == ins_dst(p, x)[0];
	return own || x->op == OP_mov || op_info[x->op].unit == UNIT_MEM;
}

/* Is a swap's address another one in each turn of its loop? Then what fails is not what is tried next. */
static bool goes_on(Walk *w, u32 swap)
{
	enum { MOST = 100 }; /* registers that are looked at */
	const Program *p = w->p;
	u32 n = begin_walk(w, ins_src(p, &p->ins.v[swap])[0]);
	for (u32 k = 0; k < n && k < MOST; k++) {
		const Ins *x = step_back(w, k, &n);
		u32 at = x ? w->block[x - p->ins.v] : 0;
		if (x && at >= w->first[w->block[swap]] && at <= w->last[w->block[swap]] && differs(p, x))
			return true;
	}
	return false;
}

/* Marks the atomics that the branch of block b is decided by, through what compilers make of a comparison. */
static void mark_deciding(Walk *w, u32 b, bool *deciding)
{
	enum { FAR = 6 }; /* instructions from the branch */
	const Program *p = w->p;
	u32 n = begin_walk(w, ins_src(p, end_of(p, b))[0]), from = 0;
	for (u32 step = 0; step < FAR && from < n; step++) {
		for (u32 end = n; from < end; from++) {
			const Ins *x = step_back(w, from, &n);
			if (x && (x->op == OP_cas || x->op == OP_atomic))
				deciding[x - p->ins.v] = true;
		}
	}
}

/* Per block the first one of the loop that it is in, or the last one. Blocks of a loop follow each other, none of them
 * less deep than another loop's that it is in. */
static u32 *loop_ends(const Program *p, bool last, Arena *a)
{
	u32 *loop = ARENA_ARRAY(a, u32, p->blocks.n + 1), *open = ARENA_ARRAY(a, u32, p->blocks.n + 1), n = 0;
	for (u32 i = 0; i < p->blocks.n; i++) { /* open: those ends of the loops around b, ever deeper */
		u32 b = last ? p->blocks.n - 1 - i : i;
		loop[b] = b;
		while (n && p->blocks.v[open[n - 1]].loop_depth >= p->blocks.v[b].loop_depth)
			loop[b] = open[--n];
		open[n++] = loop[b];
	}
	return loop;
}

/* Per instruction: the atomics that decide whether a loop goes on. NULL: there are no atomics. */
static bool *decides_loop(const Program *p, Walk *w, Arena *a)
{
	bool *deciding = ARENA_ARRAY(a, bool, p->ins.n + 1), any = false;
	for (u32 i = 0; i < p->ins.n; i++)
		any |= p->ins.v[i].op == OP_cas || p->ins.v[i].op == OP_atomic;
	if (!any)
		return NULL;
	u32 *writer = ARENA_ARRAY(a, u32, p->regs.n + 1), *block = ARENA_ARRAY(a, u32, p->ins.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			writer[ins_dst(p, &p->ins.v[i])[k]] = i + 1;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			block[i] = b;
	*w = (Walk){p, writer, block, loop_ends(p, false, a), loop_ends(p, true, a),
	            ARENA_ARRAY(a, u32, p->regs.n + 1), ARENA_ARRAY(a, u32, p->regs.n + 1), 0};
	for (u32 b = 0; b < p->blocks.n; b++)
		if (turns(p, b))
			mark_deciding(w, b, deciding);
	return deciding;
}

static bool is_retried(Walk *w, u32 i) { return may_be_retried(w->p, &w->p->ins.v[i]) && !goes_on(w, i); }

bool *swaps_retried(const Program *p, Arena *a)
{
	Walk w;
	bool *retried = decides_loop(p, &w, a);
	for (u32 i = 0; retried && i < p->ins.n; i++)
		retried[i] = retried[i] && is_retried(&w, i);
	return retried ? retried : ARENA_ARRAY(a, bool, p->ins.n + 1);
}

u32 *atomic_loops(const Program *p, Arena *a)
{
	Walk w;
	bool *deciding = decides_loop(p, &w, a), *has = ARENA_ARRAY(a, bool, p->blocks.n + 1);
	u32 *of = ARENA_ARRAY(a, u32, p->blocks.n + 1);
	for (u32 i = 0; deciding && i < p->ins.n; i++)
		has[w.first[w.block[i]]] |= deciding[i] && !is_retried(&w, i);
	for (u32 b = 0; deciding && b < p->blocks.n; b++)
		of[b] = has[w.first[b]] && p->blocks.v[b].loop_depth ? w.first[b] + 1 : 0;
	return of;
}
