/* Issue costs of changed code: see cost_edit.h. */
#include "models/timing/cost_edit.h"

#include "models/timing/cost_ops.h"

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
	*to = (Costs){.source = x->source, .frame = x->frame, .naccesses = x->naccesses, .way = x->way,
	              .wave = x->wave};
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

/* The code that replaces a block's. */
typedef struct SplitBlock {
	const Costs *from;
	ARRAY(CostIns) to;
	u32 *at; /* where each of its instructions begins now, counted in the block, and the next one */
	u16 cycles;
	u32 address_ins;
} SplitBlock;

static bool has_address(const CostIns *x)
{
	return x->cls == MC_vmem_load || x->cls == MC_vmem_store || x->cls == MC_vmem_atomic;
}

/* Of the two counts of what is under way: vs, for separate ones, and vm. */
static bool is_counted(const CostIns *x, bool separate)
{
	return (has_address(x) || x->cls == MC_scratch) && x->separate == separate;
}

/* A wait leaves so many accesses under way, those of the instructions before it: how many these do now. */
static u8 still_under_way(const SplitBlock *s, const CostBlock *b, u32 i, u8 left, bool separate)
{
	u32 n = 0;
	if (left == NO_WAIT)
		return left;
	for (; i && left; i--) {
		if (!is_counted(&s->from->ins.v[b->first + i - 1], separate))
			continue;
		left--;
		for (u32 k = s->at[i - 1]; k < s->at[i]; k++)
			n += is_counted(&s->to.v[k], separate);
	}
	n += left;
	return n < NO_WAIT ? (u8)n : NO_WAIT - 1;
}

/* An instruction waits for what came `dep` before it in the block: further back now. */
static u8 further_back(const SplitBlock *s, u32 i, u8 dep)
{
	u32 back = dep ? s->to.n + 1 - s->at[i - dep + 1] : 0;
	return back < UINT8_MAX ? (u8)back : 0;
}

/* How an instruction's accesses change: as the one that changes most. */
static CostAddress new_address(const Costs *costs, const CostIns *x, const u8 *address)
{
	CostAddress most = ADDRESS_KEPT;
	for (u32 k = 0; k < x->naccess && has_address(x); k++) {
		CostAddress is = (CostAddress)address[costs->access_of.v[x->first_access + k]];
		most = is > most ? is : most;
	}
	return most;
}

static void put_address(SplitBlock *s, u32 line)
{
	for (u32 j = 0; j < s->address_ins; j++)
		array_push(&s->to, ((CostIns){.cls = MC_valu,
		                              .dep = j > 0,
		                              .vm = NO_WAIT,
		                              .lgkm = NO_WAIT,
		                              .vs = NO_WAIT,
		                              .parts = 1,
		                              .cycles = s->cycles,
		                              .line = line}));
}

static void split_block(SplitBlock *s, const CostBlock *b, const u8 *address)
{
	s->to.n = 0;
	for (u32 i = 0; i < b->n; i++) {
		const CostIns *x = &s->from->ins.v[b->first + i];
		CostAddress changes = new_address(s->from, x, address);
		u32 n = changes && !x->image && !x->moves ? x->naccess : 1;
		s->at[i] = s->to.n;
		for (u32 k = 0; k < n; k++) {
			if (changes == ADDRESS_INDEX)
				put_address(s, x->line);
			CostIns one = *x;
			/* Of what it waits for, the address comes last. */
			one.dep = changes == ADDRESS_INDEX ? 1 : further_back(s, i, x->dep);
			one.guard = further_back(s, i, x->guard);
			one.vm = still_under_way(s, b, i, x->vm, false);
			one.vs = still_under_way(s, b, i, x->vs, true);
			if (n > 1) {
				one.first_access = x->first_access + k;
				one.naccess = 1;
			}
			array_push(&s->to, one);
		}
		s->at[i + 1] = s->to.n;
	}
}

void cost_edit_split(CostEdit *e, const Device *dev, const u8 *address)
{
	Costs *x = &e->costs, old = *x;
	SplitBlock s = {.from = &old, .at = xmalloc((x->ins.n + 2) * sizeof *s.at),
	                .cycles = (u16)cost_cycles(dev, MC_valu, x->wave), .address_ins = cost_address_ins(dev)};
	x->ins.v = NULL;
	x->ins.n = x->ins.cap = 0;
	for (u32 k = 0; k < x->blocks.n; k++) {
		CostBlock *b = &x->blocks.v[k];
		split_block(&s, b, address);
		b->first = x->ins.n;
		b->n = s.to.n;
		for (u32 i = 0; i < s.to.n; i++)
			array_push(&x->ins, s.to.v[i]);
	}
	array_free(&old.ins);
	array_free(&s.to);
	free(s.at);
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
