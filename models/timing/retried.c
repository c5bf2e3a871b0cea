/* Swaps that a loop repeats until they succeed: see retried.h. */
#include "models/timing/retried.h"

typedef struct Walk {
	const Program *p;
	const u32 *writer; /* per register: an instruction that writes it, + 1 */
	const u32 *loop;   /* per instruction: the first one of the loop that it is in */
	u32 *seen;         /* per register: the walk, from 1, that reached it last */
	u32 *reg;          /* those that are reached, in their order; room for all registers */
	u32 walks;
} Walk;

/* What a register is made of is looked for nearest first, and not through memory. */

/* The instruction that writes the k-th of the registers that are reached, whose sources are then reached, too; NULL: none
 * is known. */
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
		if (x && (u32)(x - p->ins.v) >= w->loop[swap] && differs(p, x))
			return true;
	}
	return false;
}

/* Marks the swaps that the branch of block b is decided by, through what compilers make of a comparison. */
static void mark_deciding(Walk *w, u32 b, bool *retried)
{
	enum { FAR = 6 }; /* instructions from the branch */
	const Program *p = w->p;
	u32 n = begin_walk(w, ins_src(p, end_of(p, b))[0]), from = 0;
	for (u32 step = 0; step < FAR && from < n; step++) {
		for (u32 end = n; from < end; from++) {
			const Ins *x = step_back(w, from, &n);
			if (x && may_be_retried(p, x))
				retried[x - p->ins.v] = true;
		}
	}
}

/* Blocks of a loop follow each other, none of them less deep than another loop's that it is in. */
static u32 *loops_of(const Program *p, Arena *a)
{
	u32 *loop = ARENA_ARRAY(a, u32, p->ins.n + 1), *open = ARENA_ARRAY(a, u32, p->blocks.n + 1), n = 0;
	for (u32 b = 0; b < p->blocks.n; b++) { /* open: the first blocks of loops around b, ever deeper */
		const Block *k = &p->blocks.v[b];
		u32 first = b;
		while (n && p->blocks.v[open[n - 1]].loop_depth >= k->loop_depth)
			first = open[--n];
		open[n++] = first;
		for (u32 i = k->first; i < k->first + k->n; i++)
			loop[i] = p->blocks.v[first].first;
	}
	return loop;
}

bool *swaps_retried(const Program *p, Arena *a)
{
	bool *retried = ARENA_ARRAY(a, bool, p->ins.n + 1), any = false;
	for (u32 i = 0; i < p->ins.n; i++)
		any |= may_be_retried(p, &p->ins.v[i]);
	if (!any)
		return retried;
	u32 *writer = ARENA_ARRAY(a, u32, p->regs.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			writer[ins_dst(p, &p->ins.v[i])[k]] = i + 1;
	Walk w = {p, writer, loops_of(p, a), ARENA_ARRAY(a, u32, p->regs.n + 1), ARENA_ARRAY(a, u32, p->regs.n + 1), 0};
	for (u32 b = 0; b < p->blocks.n; b++)
		if (turns(p, b))
			mark_deciding(&w, b, retried);
	for (u32 i = 0; i < p->ins.n; i++)
		retried[i] = retried[i] && !goes_on(&w, i);
	return retried;
}
