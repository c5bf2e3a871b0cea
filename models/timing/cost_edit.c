/* Issue costs of changed code: see cost_edit.h. */
#include "models/timing/cost_edit.h"

#define COPY(to, from) \
	do { \
		array_reserve(&(to), (from).n + 1); \
		if ((from).n) \
			memcpy((to).v, (from).v, (from).n * sizeof *(from).v); \
		(to).n = (from).n; \
	} while (0)

void cost_edit_begin(CostEdit *e, const Costs *x, const Program *p)
{
	*e = (CostEdit){.nblocks = p->blocks.n, .nins = p->ins.n};
	Costs *to = &e->costs;
	*to = (Costs){.source = x->source, .naccesses = x->naccesses, .wave = x->wave};
	COPY(to->ins, x->ins);
	COPY(to->blocks, x->blocks);
	COPY(to->access_of, x->access_of);
	COPY(to->lines, x->lines);
	to->first_block = xmalloc((e->nblocks + 1) * sizeof *to->first_block);
	memcpy(to->first_block, x->first_block, (e->nblocks + 1) * sizeof *to->first_block);
	to->access = xmalloc((e->nins + 1) * sizeof *to->access);
	if (e->nins)
		memcpy(to->access, x->access, e->nins * sizeof *to->access);
}

void cost_edit_free(CostEdit *e)
{
	array_free(&e->costs.ins);
	array_free(&e->costs.blocks);
	array_free(&e->costs.access_of);
	array_free(&e->costs.lines);
	free(e->costs.first_block);
	free(e->costs.access);
}

/* The code added since then is a block. */
static u32 end_block(CostEdit *e)
{
	Costs *x = &e->costs;
	x->first_block = xrealloc(x->first_block, (e->nblocks + 2) * sizeof *x->first_block);
	x->first_block[e->nblocks + 1] = x->blocks.n;
	return e->nblocks++;
}

u32 cost_edit_copy(CostEdit *e, u32 block, CostDrop *drop, void *ctx)
{
	Costs *x = &e->costs;
	u32 from = x->first_block[block], to = x->first_block[block + 1];
	for (u32 k = from; k < to; k++) {
		CostBlock code = x->blocks.v[k];
		u32 first = x->ins.n;
		for (u32 i = code.first; i < code.first + code.n; i++) {
			CostIns ins = x->ins.v[i];
			if (!drop(ctx, &ins, i))
				array_push(&x->ins, ins);
		}
		array_push(&x->blocks, ((CostBlock){first, x->ins.n - first, code.rate, code.loops}));
	}
	return end_block(e);
}

void cost_edit_each(CostEdit *e, CostChange *change, void *ctx)
{
	Costs *x = &e->costs;
	u32 *to = xmalloc((x->ins.n + 1) * sizeof *to), n = 0;
	for (u32 i = 0; i < x->ins.n; i++) {
		CostIns ins = x->ins.v[i];
		to[i] = n;
		if (change(ctx, &ins))
			x->ins.v[n++] = ins;
	}
	to[x->ins.n] = n;
	for (u32 k = 0; k < x->blocks.n; k++) {
		CostBlock *b = &x->blocks.v[k];
		b->n = to[b->first + b->n] - to[b->first];
		b->first = to[b->first];
	}
	x->ins.n = n;
	free(to);
}

u32 cost_edit_access(CostEdit *e, const Device *dev, MachineClass cls, u32 *access)
{
	Costs *x = &e->costs;
	x->access = xrealloc(x->access, (e->nins + 1) * sizeof *x->access);
	x->access[e->nins] = x->naccesses;
	*access = e->nins++;
	CostIns it = {.cls = (u8)cls, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1,
	                 .first_access = x->access_of.n, .naccess = 1};
	it.cycles = (u16)cost_cycles(dev, cls, x->wave);
	CostIns wait = {.cls = MC_waitcnt, .vm = 0, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1};
	array_push(&x->access_of, x->naccesses + (cls != MC_vmem_load));
	x->naccesses += 2;
	array_push(&x->ins, it);
	array_push(&x->ins, wait);
	array_push(&x->blocks, ((CostBlock){.first = x->ins.n - 2, .n = 2, .rate = 1}));
	return end_block(e);
}
