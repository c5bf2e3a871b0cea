/* Advice on chains of comparisons that are a table.
 *
 * LLVM makes a switch of else-ifs that compare one value with constants; on a chip without indirect
 * jumps that is a tree of branches again. When every arm only names a value, the lanes could load it
 * from a table instead. The record is played with such a load in place of the arms. */
#include "engine/advice.h"

#include "models/timing/cost_edit.h"

enum { LEAST_CASES = 4, MOST_ENTRIES = 1024 };

/* Does a block do nothing but give registers values known before, and go to the join? */
static bool names_value(const Program *p, u32 block, u32 join)
{
	const Block *b = &p->blocks.v[block];
	for (u32 i = b->first; i + 1 < b->first + b->n; i++)
		if (p->ins.v[i].op != OP_mov)
			return false;
	const Ins *last = &p->ins.v[b->first + b->n - 1];
	return last->op == OP_jmp && ins_tgt(p, last)[0] == join;
}

static bool is_table(const Program *p, u32 block)
{
	const Block *b = &p->blocks.v[block];
	const Ins *last = &p->ins.v[b->first + b->n - 1];
	if (last->op != OP_switch || last->ntgt < LEAST_CASES + 1 || b->ipdom == NO_BLOCK)
		return false;
	for (u32 i = 0; i < last->ntgt; i++) {
		u32 to = ins_tgt(p, last)[i];
		if (to != b->ipdom && !names_value(p, to, b->ipdom))
			return false;
	}
	return true;
}

typedef struct TableChange {
	Advisor *a;
	u32 block, join, cases, entries;
	u32 copy, load, access; /* blocks of the changed costs; the table's access */
} TableChange;

/* Only the block's own code stays, without the branches at its end. */
static bool drop_tree(void *ctx, const CostIns *x, u32 ins)
{
	const TableChange *t = ctx;
	const Costs *costs = t->a->r->estimate->costs;
	const CostBlock *own = &costs->blocks.v[costs->first_block[t->block]];
	return ins < own->first || ins >= own->first + own->n || x->cls == MC_branch;
}

static void put_load(const TableChange *t, u32 lanes, Rewrite *out)
{
	i64 offset[MAX_WAVE];
	LaneShape s = {.mask = mask_first(lanes), .bytes = 4, .lanes = lanes, .offset = offset};
	for (u32 i = 0; i < lanes; i++)
		offset[i] = 4 * (i64)(i * t->entries / lanes);
	rewrite_word(out, EVENT_BLOCK | (lanes - 1) << EVENT_BLOCK_BITS | t->load);
	rewrite_access(out, t->access, &s, (u64)0xFFFF << SEG_SHIFT); /* no buffer lies there */
}

static Events *with_table(const TableChange *t)
{
	const Events *from = t->a->base.profile->events;
	Rewrite out;
	rewrite_begin(&out, from);
	for (u32 i = 0; i < from->waves.n; i++) {
		u32 lanes = 0; /* of the block at hand, when its load is still to come */
		bool skip = false;
		for (EventWord w = {0}; event_next(&from->waves.v[i], &w);) {
			if (w.kind == EVENT_BLOCK) {
				if (lanes) {
					put_load(t, lanes, &out);
					skip = true;
				}
				skip = skip && w.block != t->join;
				lanes = w.block == t->block ? w.lanes : 0;
			}
			if (skip)
				continue;
			if (lanes && w.kind == EVENT_BLOCK)
				rewrite_word(&out, EVENT_BLOCK | (lanes - 1) << EVENT_BLOCK_BITS | t->copy);
			else
				rewrite_event(&out, &w);
		}
		rewrite_wave(&out, i);
	}
	return rewrite_end(&out);
}

static void say_table(TableChange *t)
{
	Advisor *a = t->a;
	CostEdit edit;
	cost_edit_begin(&edit, a->r->estimate->costs, a->in->program);
	t->copy = cost_edit_copy(&edit, t->block, drop_tree, t);
	t->load = cost_edit_access(&edit, a->in->device, MC_vmem_load, &t->access);
	const EstimateChanged *after = advice_time_record(a, with_table(t), (EstimateChange){.costs = &edit.costs});
	cost_edit_free(&edit);
	const Block *b = &a->in->program->blocks.v[t->block];
	advise(
	    a, ADVICE_table_chain, a->in->program->ins.v[b->first + b->n - 1].loc, after,
	    advice_text(a, "%u comparisons of one value choose among values, and lanes that differ wait for each other",
	                t->cases),
	    advice_text(
		a, "a constant table of %u entries, indexed by the value (mind what lies between and beyond the cases)",
		t->entries));
}

void advice_table_chain(Advisor *a)
{
	const Program *p = a->in->program;
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *block = &p->blocks.v[b];
		if (!a->in->profile->blocks[b].divergent || !is_table(p, b))
			continue;
		const Ins *last = &p->ins.v[block->first + block->n - 1];
		i64 low = p->cases.v[last->cases], high = low;
		for (u32 i = 0; i + 1 < last->ntgt; i++) {
			i64 v = p->cases.v[last->cases + i];
			low = v < low ? v : low;
			high = v > high ? v : high;
		}
		const Costs *x = a->r->estimate->costs;
		if ((u64)high - (u64)low >= MOST_ENTRIES || x->first_block[b] == x->first_block[b + 1])
			continue;
		low = low > 0 && high < 64 ? 0 : low;
		if (!advice_can_time(a))
			return;
		TableChange t = {.a = a, .block = b, .join = block->ipdom, .cases = last->ntgt - 1u,
		           .entries = (u32)(high - low) + 1};
		say_table(&t);
	}
}
