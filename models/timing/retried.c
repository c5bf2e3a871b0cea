/* Swaps that a loop repeats until they succeed: see retried.h. */
#include "models/timing/retried.h"

typedef struct Walk {
	const Program *p;
	const u32 *writer; /* per register: an instruction that writes it, + 1 */
	u32 *seen;         /* per register: the block, + 1, from whose branch it was reached last */
	u32 *reg;          /* those that are reached, in their order; room for all registers */
} Walk;

static const Ins *end_of(const Program *p, u32 b)
{
	const Block *k = &p->blocks.v[b];
	return &p->ins.v[k->first + k->n - 1];
}

/* Where those that come to a block go, over blocks without a branch, as copies on an edge are. */
static u32 leads_to(const Program *p, u32 b)
{
	const Ins *end = end_of(p, b);
	for (u32 last = b; end->op == OP_jmp && b >= last; end = end_of(p, b)) {
		last = b + 1;
		b = ins_tgt(p, end)[0];
	}
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

/* Marks the swaps that the branch of block b is decided by, through what compilers make of a comparison: nearest
 * first, and no memory. */
static void mark_deciding(Walk *w, u32 b, bool *retried)
{
	enum { FAR = 6 }; /* instructions from the branch */
	const Program *p = w->p;
	const Block *k = &p->blocks.v[b];
	u32 n = 0, from = 0;
	w->reg[n++] = ins_src(p, &p->ins.v[k->first + k->n - 1])[0];
	w->seen[w->reg[0]] = b + 1;
	for (u32 step = 0; step < FAR && from < n; step++) {
		for (u32 end = n; from < end; from++) {
			u32 by = w->writer[w->reg[from]];
			const Ins *x = by ? &p->ins.v[by - 1] : NULL;
			if (x && may_be_retried(p, x))
				retried[by - 1] = true;
			for (u32 i = 0; x && op_info[x->op].unit != UNIT_MEM && i < x->nsrc; i++) {
				u32 reg = ins_src(p, x)[i];
				if (w->seen[reg] == b + 1)
					continue;
				w->seen[reg] = b + 1;
				w->reg[n++] = reg;
			}
		}
	}
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
	Walk w = {p, writer, ARENA_ARRAY(a, u32, p->regs.n + 1), ARENA_ARRAY(a, u32, p->regs.n + 1)};
	for (u32 b = 0; b < p->blocks.n; b++)
		if (turns(p, b))
			mark_deciding(&w, b, retried);
	return retried;
}
