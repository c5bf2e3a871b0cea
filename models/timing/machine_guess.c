/* Counts of machine blocks that do not follow from others: machine.h says what is assumed.
 *
 * Each choice takes the first block or edge that it fits, so that equal code gives equal counts. */
#include "models/timing/machine_flow.h"

/* The copies of a block together have the IR block's count. */
static bool finish_copies(MachineFlow *f)
{
	while (f->copies_due.n) {
		u32 b = (u32)heap_take(&f->copies_due), unknown = b;
		if (f->group_unknown[b] != 1)
			continue;
		u64 sum = 0;
		for (u32 k = 0; k <= f->copies[b].n; k++) {
			u32 i = k < f->copies[b].n ? f->copies[b].v[k] : b;
			sum += f->known[i] ? f->r->execs[i] : 0;
			unknown = f->known[i] ? unknown : i;
		}
		flow_set_block(f, unknown, f->ir[b] > sum ? f->ir[b] - sum : 0);
		return true;
	}
	return false;
}

/* A chain that nothing else decides: its most frequent IR block. */
static bool finish_chain(MachineFlow *f)
{
	for (; f->next_chain < f->c->blocks.n; f->next_chain++) {
		u32 b = f->next_chain;
		if (f->known[b] || !f->has_ir[b] || flow_is_copied(f, b))
			continue;
		u64 most = f->ir[b];
		for (u32 i = b + 1; i < f->c->blocks.n && f->before[i] != NO_BLOCK; i++)
			if (f->has_ir[i] && !flow_is_copied(f, i) && f->ir[i] > most)
				most = f->ir[i];
		flow_set_block(f, b, most);
		return true;
	}
	return false;
}

/* A back edge that only the machine has is not taken. */
static bool guess_back_edges(MachineFlow *f)
{
	for (; f->next_back_edge < f->ne; f->next_back_edge++) {
		FlowEdge *e = &f->e[f->next_back_edge];
		if (e->known || e->to > e->from || (f->known[e->from] && f->known[e->to]))
			continue;
		flow_set_edge(f, e, 0);
		f->r->assumed[e->to] = f->r->assumed[e->from] = true;
		return true;
	}
	return false;
}

/* Anything else: the least that the known ways in and out need … */
static bool guess_least(MachineFlow *f)
{
	while (f->pulled.n) {
		u32 b = (u32)heap_take(&f->pulled);
		u64 in = f->side[IN][b].sum, out = f->side[OUT][b].sum;
		if (f->known[b])
			continue;
		flow_set_block(f, b, in > out ? in : out);
		f->r->assumed[b] = true;
		return true;
	}
	return false;
}

/* … without any, the count of the busiest block before it. */
static bool guess_busiest(MachineFlow *f)
{
	while (f->next_block < f->c->blocks.n && f->known[f->next_block])
		f->next_block++;
	if (f->next_block == f->c->blocks.n)
		return false;
	u32 b = f->next_block;
	u64 most = 0;
	for (u32 i = f->in_first[b]; i < f->in_first[b + 1]; i++) {
		u32 from = f->e[f->in[i]].from;
		if (f->known[from] && f->r->execs[from] > most)
			most = f->r->execs[from];
	}
	flow_set_block(f, b, most);
	f->r->assumed[b] = true;
	return true;
}

bool flow_decide(MachineFlow *f)
{
	return finish_copies(f) || guess_back_edges(f) || finish_chain(f) || guess_least(f) || guess_busiest(f);
}
