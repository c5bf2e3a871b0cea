/* Blocks that the compiler copied (machine_flow.h). */
#include "models/timing/machine_flow.h"

/* Where edge e leads: through the jump that ends a block behind its branch. */
static u32 way(const MachineCode *c, u32 e)
{
	u32 to = c->edges.v[e];
	const MachineBlock *b = &c->blocks.v[to];
	bool jump = b->n == 1 && !b->label && b->ir_block == NO_IR && b->nedges == 1;
	return jump && c->ins.v[b->first].cls == MC_branch ? c->edges.v[b->first_edge] : to;
}

static bool same_ways(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	if (a->nedges != b->nedges)
		return false;
	for (u32 i = 0; i < a->nedges; i++) {
		u32 k = 0;
		while (k < b->nedges && way(c, b->first_edge + k) != way(c, a->first_edge + i))
			k++;
		if (k == b->nedges)
			return false;
	}
	return true;
}

static bool shares_ir(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	for (u32 i = a->first; i < a->first + a->n; i++)
		for (u32 k = b->first; k < b->first + b->n; k++)
			if (c->ins.v[i].ir != NO_IR && c->ins.v[i].ir == c->ins.v[k].ir)
				return true;
	return false;
}

/* Does b have all of what a does for the IR? */
static bool has_all_ir(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	bool any = false;
	for (u32 i = a->first; i < a->first + a->n; i++) {
		const MachineIns *x = &c->ins.v[i];
		if (x->ir == NO_IR)
			continue;
		u32 k = b->first;
		while (k < b->first + b->n &&
		       (c->ins.v[k].ir != x->ir || strcmp(c->ins.v[k].mnemonic, x->mnemonic) != 0))
			k++;
		if (k == b->first + b->n)
			return false;
		any = true;
	}
	return any;
}

/* The compiler may copy a block to the end of each block before it; one copy keeps the
 * name. Then no copy alone has the IR block's count. A block that has a name of its own must
 * hold all of the other one: a few instructions may have been moved there. */
static bool is_copy(const MachineCode *c, u32 b, u32 of)
{
	const MachineBlock *k = &c->blocks.v[of], *x = &c->blocks.v[b];
	if (b == of || x->func != k->func || !same_ways(c, k, x))
		return false;
	return x->ir_block == NO_IR ? shares_ir(c, k, x) : x->n > k->n && has_all_ir(c, k, x);
}

/* That block `block` does something for IR instruction `ir`. */
typedef struct IrUse {
	u32 ir;
	u32 block;
	u64 key; /* blocks of one function that end in the same places have equal ones */
} IrUse;

FIELD_ORDER(by_ir, IrUse, ir, key, block)

static u64 copy_key(const MachineCode *c, const MachineBlock *k)
{
	const u64 mix = 0x9E3779B97F4A7C15ull;
	u64 key = (k->func + 1) * mix + k->nedges;
	for (u32 i = 0; i < k->nedges; i++)
		key += (way(c, k->first_edge + i) + 1) * mix * mix;
	return key;
}

/* Sorted; each once. */
static u32 find_uses(const MachineCode *c, IrUse *use)
{
	u32 n = 0, kept = 0;
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		u64 key = copy_key(c, k);
		for (u32 i = k->first; i < k->first + k->n; i++)
			if (c->ins.v[i].ir != NO_IR)
				use[n++] = (IrUse){c->ins.v[i].ir, b, key};
	}
	qsort(use, n, sizeof *use, by_ir);
	for (u32 i = 0; i < n; i++)
		if (!kept || by_ir(&use[kept - 1], &use[i]))
			use[kept++] = use[i];
	return kept;
}

/* A copy does something for the same IR: only such blocks are compared. */
void flow_find_copies(MachineFlow *f)
{
	const MachineCode *c = f->c;
	u32 *seen = xcalloc(c->blocks.n + 1, sizeof *seen); /* + 1: the last block that it was compared with */
	IrUse *use = xcalloc(c->ins.n + 1, sizeof *use);
	u32 n = find_uses(c, use);
	for (u32 of = 0; of < c->blocks.n; of++) {
		const MachineBlock *k = &c->blocks.v[of];
		u64 key = copy_key(c, k);
		for (u32 i = k->first; i < k->first + k->n; i++) {
			u32 ir = c->ins.v[i].ir;
			u32 at =
			    ir == NO_IR ? n : lower_bound(use, n, sizeof *use, &(IrUse){.ir = ir, .key = key}, by_ir);
			for (; at < n && use[at].ir == ir && use[at].key == key; at++) {
				u32 b = use[at].block;
				if (seen[b] != of + 1 && is_copy(c, b, of))
					array_push(&f->copies[of], b);
				seen[b] = of + 1;
			}
		}
	}
	free(seen);
	free(use);
}
