/* Which branches become predicates: see predicate.h.
 *
 * NVIDIA's assembler does it with sides of up to seven instructions, addresses not counted, loads and stores among them,
 * one side or both, also one in the other. (SASS of 30 loops, 2026-11-28: seven multiply-adds are predicated, eight are
 * not; four loads with three products and sums are.) One side alone that loads is skipped by a branch where it is the only
 * one, and predicated where several follow each other without a barrier, as in an unrolled loop. Quotients, whose code has a branch, are
 * not, nor atomics. */
#include "models/timing/predicate.h"

#include "models/timing/cost_ops.h"

enum { MOST_INSTRUCTIONS = 7 };

typedef struct Finder {
	const Device *dev;
	const Program *p;
	Predicates x;
	u32 *preds; /* per block: edges that lead there */
	u32 *by;    /* per block: Predicates.by of its instructions */
	u32 *last;  /* per head: the last block of its code */
	bool *loads, *waits; /* per block: it loads, it has a barrier */
	bool *behind; /* per block: such a branch meets there */
	u32 *size;  /* per head: instructions; above MOST_INSTRUCTIONS: too many, or what no predicate can be on */
	u32 *uses;  /* per register: how often it is read … */
	u32 *addresses; /* … and how often for an address */
} Finder;

static const Ins *end_of(const Finder *f, u32 block)
{
	const Block *b = &f->p->blocks.v[block];
	return &f->p->ins.v[b->first + b->n - 1];
}

static void count_uses(Finder *f)
{
	for (u32 i = f->p->ins.n; i-- > 0;) {
		const Ins *x = &f->p->ins.v[i];
		bool address = op_info[x->op].unit == UNIT_ADDR;
		for (u32 d = 0; d < x->ndst && !address; d++) {
			u32 r = ins_dst(f->p, x)[d];
			address = f->uses[r] && f->addresses[r] == f->uses[r];
		}
		for (u32 k = 0; k < x->nsrc; k++) {
			f->uses[ins_src(f->p, x)[k]]++;
			f->addresses[ins_src(f->p, x)[k]] += address;
		}
	}
}

/* Instructions that an operation counts as. */
static u32 size_of(const Finder *f, const Ins *i)
{
	u32 unit = op_info[i->op].unit;
	if (unit == UNIT_NONE || unit == UNIT_ADDR || i->op == OP_jmp || i->op == OP_br)
		return 0;
	if (unit == UNIT_MEM)
		return i->op == OP_ld || i->op == OP_st ? 1 : MOST_INSTRUCTIONS + 1;
	if (unit == UNIT_SYNC || unit == UNIT_SYS || unit == UNIT_LANES || unit == UNIT_FLOW || cost_branches(f->dev, i))
		return MOST_INSTRUCTIONS + 1;
	for (u32 d = 0; d < i->ndst; d++) {
		u32 r = ins_dst(f->p, i)[d];
		if (!f->uses[r] || f->addresses[r] != f->uses[r])
			return 1;
	}
	return 0;
}

static u32 size_of_block(const Finder *f, u32 b)
{
	const Block *k = &f->p->blocks.v[b];
	u32 n = k->masked ? MOST_INSTRUCTIONS + 1 : 0;
	for (u32 i = k->first; i < k->first + k->n && n <= MOST_INSTRUCTIONS; i++)
		n += size_of(f, &f->p->ins.v[i]);
	return n;
}

/* Where a side ends, if block s is one that only block b leads to and that is short; or NO_BLOCK. */
static u32 side_leads_to(const Finder *f, u32 b, u32 s)
{
	const Block *from = &f->p->blocks.v[b], *to = &f->p->blocks.v[s];
	bool side = s > b && f->preds[s] == 1 && from->loop_depth == to->loop_depth && from->func == to->func &&
	            f->size[s] <= MOST_INSTRUCTIONS;
	const Ins *end = end_of(f, f->last[s]);
	return side && end->op == OP_jmp ? ins_tgt(f->p, end)[0] : NO_BLOCK;
}

/* The code of head `part` goes on that of `head`; under predicate `by` what has none of its own. */
static void append(Finder *f, u32 head, u32 part, u32 by)
{
	f->x.next[f->last[head]] = part;
	for (u32 b = part; b != NO_BLOCK; b = f->x.next[b]) {
		f->x.head[b] = head;
		if (f->by[b] == NO_PREDICATE)
			f->by[b] = by;
	}
	f->last[head] = f->last[part];
	f->size[head] += f->size[part];
}

/* A branch with short sides; join NO_BLOCK: it is none. */
typedef struct ShortBranch {
	u32 first, second, join; /* second: NO_BLOCK where there is one side only */
} ShortBranch;

static ShortBranch short_branch(const Finder *f, u32 b)
{
	ShortBranch none = {.join = NO_BLOCK};
	const Ins *end = end_of(f, b);
	if (end->op != OP_br || end->nsrc != 1 || f->p->blocks.v[b].masked ||
	    f->p->regs.v[ins_src(f->p, end)[0]].kind == REG_CONST)
		return none;
	u32 one = ins_tgt(f->p, end)[0], other = ins_tgt(f->p, end)[1];
	ShortBranch x = {one < other ? one : other, one < other ? other : one, NO_BLOCK};
	u32 join = x.first == x.second ? NO_BLOCK : side_leads_to(f, b, x.first);
	if (join == NO_BLOCK || join <= f->last[x.first])
		return none;
	if (join != x.second && (side_leads_to(f, b, x.second) != join || join <= f->last[x.second]))
		return none;
	x.second = join == x.second ? NO_BLOCK : x.second;
	x.join = join;
	return x;
}

static void try_branch(Finder *f, u32 b)
{
	ShortBranch x = short_branch(f, b);
	if (x.join == NO_BLOCK)
		return;
	u32 join = x.join, by = ins_src(f->p, end_of(f, b))[0];
	bool more = f->behind[b] || (!f->waits[join] && short_branch(f, join).join != NO_BLOCK);
	if (x.second == NO_BLOCK && f->loads[x.first] && !more)
		return;
	append(f, b, x.first, by);
	if (x.second != NO_BLOCK)
		append(f, b, x.second, by);
	/* What comes where they meet is the same piece of code, unless others come there, too. */
	const Block *from = &f->p->blocks.v[b], *to = &f->p->blocks.v[join];
	if (f->preds[join] == 2 && from->loop_depth == to->loop_depth && !to->masked && !f->waits[join])
		append(f, b, join, NO_PREDICATE);
}

Predicates predicates_find(const Device *dev, const Program *p, Arena *a)
{
	u32 n = p->blocks.n + 1;
	Finder f = {.dev = dev, .p = p, .preds = ARENA_ARRAY(a, u32, n), .last = ARENA_ARRAY(a, u32, n),
	            .size = ARENA_ARRAY(a, u32, n), .uses = ARENA_ARRAY(a, u32, p->regs.n + 1),
	            .addresses = ARENA_ARRAY(a, u32, p->regs.n + 1), .by = ARENA_ARRAY(a, u32, n),
	            .loads = ARENA_ARRAY(a, bool, n), .waits = ARENA_ARRAY(a, bool, n), .behind = ARENA_ARRAY(a, bool, n)};
	f.x = (Predicates){ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, p->ins.n + 1)};
	for (u32 b = 0; b < p->blocks.n; b++) {
		f.x.head[b] = f.last[b] = b;
		f.x.next[b] = NO_BLOCK;
		f.by[b] = NO_PREDICATE;
	}
	bool asked = dev->ir_rules == DEVICE_IR_RULES_nvidia;
	if (asked)
		count_uses(&f);
	for (u32 b = 0; b < p->blocks.n && asked; b++) {
		const Ins *end = end_of(&f, b);
		f.size[b] = size_of_block(&f, b);
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
			f.loads[b] |= p->ins.v[i].op == OP_ld;
			f.waits[b] |= op_info[p->ins.v[i].op].unit == UNIT_SYNC;
		}
		for (u32 k = 0; k < end->ntgt; k++)
			f.preds[ins_tgt(p, end)[k]]++;
	}
	for (u32 b = 0; b < p->blocks.n && asked; b++) {
		u32 join = short_branch(&f, b).join;
		if (join != NO_BLOCK && !f.waits[join])
			f.behind[join] = true;
	}
	/* Sides come behind their branch: their own are found before. */
	for (u32 b = p->blocks.n; b-- > 0 && asked;)
		try_branch(&f, b);
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			f.x.by[i] = f.by[b];
	return f.x;
}
