/* Which branches become predicates: see predicate.h.
 *
 * NVIDIA's assembler does it with sides of up to seven instructions, addresses not counted, loads and stores among
 * them, one side or both, also one in the other. (SASS of 30 loops, 2026-11-28: seven multiply-adds are predicated,
 * eight are not; four loads with three products and sums are.) One side alone that loads is skipped by a branch where
 * it is the only one, and predicated where several follow each other without a barrier, as in an unrolled loop.
 * A side of two conditions, `if (x || y)`, is on the predicate of both. Quotients, whose code has a branch, are not,
 * nor atomics. */
#include "models/timing/predicate.h"

#include "models/timing/cost_ops_impl.h"

enum { MOST_INSTRUCTIONS = 7 };

typedef struct Finder {
	const Device *dev;
	const Program *p;
	Predicates x;
	u32 *preds; /* per block: edges that lead there */
	u32 *by;    /* per block: Predicates.by of its instructions */
	u32 *last;  /* per head: the last block of its code */
	bool *loads;  /* per block */
	bool *apart;  /* per block: it has a barrier, a call or a switch, and begins code of its own */
	bool *calls;  /* per block: accesses behind its call are not looked for in its record */
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
	/* (Whether private memory's are predicated nobody looked.) */
	if (unit == UNIT_MEM)
		return (i->op == OP_ld || i->op == OP_st) && i->space != SPACE_PRIVATE ? 1 : MOST_INSTRUCTIONS + 1;
	if (unit == UNIT_SYNC || unit == UNIT_SYS || unit == UNIT_LANES || unit == UNIT_FLOW ||
	    cost_branches(f->dev, f->p, i))
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

/* May the code of block s, which comes behind block b, be under a predicate of b? */
static bool may_be_side(const Finder *f, u32 b, u32 s)
{
	const Block *from = &f->p->blocks.v[b], *to = &f->p->blocks.v[s];
	return s > b && from->loop_depth == to->loop_depth && from->func == to->func && f->size[s] <= MOST_INSTRUCTIONS;
}

/* Where the code of head s ends that is left by a jump; NO_BLOCK: it is left otherwise. */
static u32 jumps_to(const Finder *f, u32 s)
{
	const Ins *end = end_of(f, f->last[s]);
	return end->op == OP_jmp ? ins_tgt(f->p, end)[0] : NO_BLOCK;
}

/* Where a side ends, if block s is one that only block b leads to and that is short; or NO_BLOCK. */
static u32 side_leads_to(const Finder *f, u32 b, u32 s)
{
	return may_be_side(f, b, s) && f->preds[s] == 1 ? jumps_to(f, s) : NO_BLOCK;
}

/* The code of head `part` goes on that of `head`. */
static void append(Finder *f, u32 head, u32 part)
{
	f->x.next[f->last[head]] = part;
	f->last[head] = f->last[part];
	f->size[head] += f->size[part];
}

/* A side: under predicate `by` is what has none of its own. */
static void append_side(Finder *f, u32 head, u32 side, u32 by)
{
	for (u32 b = side; b != NO_BLOCK; b = f->x.next[b])
		if (f->by[b] == NO_PREDICATE)
			f->by[b] = by;
	append(f, head, side);
}

/* The branch of two ways at the end of block b that may become a predicate, or NULL. */
static const Ins *way_out(const Finder *f, u32 b)
{
	const Ins *end = end_of(f, b);
	bool may = end->op == OP_br && end->nsrc == 1 && !f->p->blocks.v[b].masked &&
	           f->p->regs.v[ins_src(f->p, end)[0]].kind != REG_CONST;
	return may ? end : NULL;
}

/* A branch with short sides; join NO_BLOCK: it is none. */
typedef struct ShortBranch {
	u32 first, second, join; /* second: NO_BLOCK where there is one side only */
} ShortBranch;

static ShortBranch short_branch(const Finder *f, u32 b)
{
	ShortBranch none = {.join = NO_BLOCK};
	const Ins *end = way_out(f, b);
	if (!end)
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

/* What comes where sides meet is the same piece of code, unless others come there, too. */
static void append_join(Finder *f, u32 b, u32 join)
{
	const Block *from = &f->p->blocks.v[b], *to = &f->p->blocks.v[join];
	if (f->preds[join] == 2 && from->loop_depth == to->loop_depth && !to->masked && !f->apart[join])
		append(f, b, join);
}

/* One side that either of two conditions leads to, the second asked where the first does not hold: as
 * `if (x || y)` has it. Both are one predicate. */
static bool try_either(Finder *f, u32 b)
{
	const Ins *first = way_out(f, b);
	for (u32 k = 0; first && k < 2; k++) {
		u32 asks = ins_tgt(f->p, first)[k], side = ins_tgt(f->p, first)[1 - k];
		const Ins *second = way_out(f, asks);
		if (!second || f->preds[asks] != 1 || f->preds[side] != 2 || f->x.next[asks] != NO_BLOCK ||
		    side <= asks || !may_be_side(f, b, asks) || !may_be_side(f, b, side) || f->loads[asks] || f->loads[side] ||
		    f->size[asks] + f->size[side] > MOST_INSTRUCTIONS)
			continue;
		const u32 *ways = ins_tgt(f->p, second);
		u32 join = ways[0] == side ? ways[1] : ways[1] == side ? ways[0] : NO_BLOCK;
		if (join == NO_BLOCK || join <= f->last[side] || jumps_to(f, side) != join)
			continue;
		append_side(f, b, asks, ins_src(f->p, first)[0]);
		append_side(f, b, side, ins_src(f->p, second)[0]);
		append_join(f, b, join);
		return true;
	}
	return false;
}

static void try_branch(Finder *f, u32 b)
{
	if (f->calls[b] || try_either(f, b))
		return;
	ShortBranch x = short_branch(f, b);
	if (x.join == NO_BLOCK)
		return;
	u32 join = x.join, by = ins_src(f->p, end_of(f, b))[0];
	bool more = f->behind[b] || (!f->apart[join] && short_branch(f, join).join != NO_BLOCK);
	if (x.second == NO_BLOCK && f->loads[x.first] && !more)
		return;
	append_side(f, b, x.first, by);
	if (x.second != NO_BLOCK)
		append_side(f, b, x.second, by);
	append_join(f, b, join);
}

Predicates predicates_find(const Device *dev, const Program *p, Arena *a)
{
	u32 n = p->blocks.n + 1;
	Finder f = {.dev = dev, .p = p, .preds = ARENA_ARRAY(a, u32, n), .last = ARENA_ARRAY(a, u32, n),
	            .size = ARENA_ARRAY(a, u32, n), .uses = ARENA_ARRAY(a, u32, p->regs.n + 1),
	            .addresses = ARENA_ARRAY(a, u32, p->regs.n + 1), .by = ARENA_ARRAY(a, u32, n),
	            .loads = ARENA_ARRAY(a, bool, n), .apart = ARENA_ARRAY(a, bool, n),
	            .calls = ARENA_ARRAY(a, bool, n), .behind = ARENA_ARRAY(a, bool, n)};
	f.x = (Predicates){ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, p->ins.n + 1)};
	for (u32 b = 0; b < p->blocks.n; b++) {
		f.x.head[b] = f.last[b] = b;
		f.x.next[b] = NO_BLOCK;
		f.by[b] = NO_PREDICATE;
	}
	bool asked = cost_rules[dev->ir_rules].predicates;
	if (asked)
		count_uses(&f);
	for (u32 b = 0; b < p->blocks.n && asked; b++) {
		const Ins *end = end_of(&f, b);
		f.size[b] = size_of_block(&f, b);
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
			f.loads[b] |= p->ins.v[i].op == OP_ld;
			f.calls[b] |= p->ins.v[i].op == OP_call;
			f.apart[b] |=
			    f.calls[b] || op_info[p->ins.v[i].op].unit == UNIT_SYNC || p->ins.v[i].op == OP_switch;
		}
		for (u32 k = 0; k < end->ntgt; k++)
			f.preds[ins_tgt(p, end)[k]]++;
	}
	for (u32 b = 0; b < p->blocks.n && asked; b++) {
		u32 join = short_branch(&f, b).join;
		if (join != NO_BLOCK && !f.apart[join])
			f.behind[join] = true;
	}
	/* Sides come behind their branch: their own are found before. */
	for (u32 b = p->blocks.n; b-- > 0 && asked;)
		try_branch(&f, b);
	for (u32 b = 0; b < p->blocks.n; b++) {
		if (f.x.next[b] != NO_BLOCK) /* a head comes before what is part of its code */
			f.x.head[f.x.next[b]] = f.x.head[b];
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			f.x.by[i] = f.by[b];
	}
	return f.x;
}
