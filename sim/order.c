/* Does the order of work-groups show in what a launch leaves? Then one thread runs them all.
 *
 * They leave the same memory in any order when all they share are atomics that commute and whose
 * old value nobody reads, and stores to places of their own. A store whose address is the same in
 * every work-group is not; which addresses differ is found by following the group's id. */
#include "sim/wave.h"

typedef struct Taint {
	const Program *p;
	bool *varies; /* register -> its value depends on the work-group */
	bool *used;   /* register -> some instruction reads it */
} Taint;

static bool any_source_varies(const Taint *t, const Ins *ins)
{
	for (u32 i = 0; i < ins->nsrc; i++)
		if (t->varies[ins_src(t->p, ins)[i]])
			return true;
	return false;
}

static bool mark(Taint *t, const u32 *regs, u32 n)
{
	bool changed = false;
	for (u32 i = 0; i < n; i++) {
		changed |= !t->varies[regs[i]];
		t->varies[regs[i]] = true;
	}
	return changed;
}

static bool taint_ins(Taint *t, const Ins *ins, const Func *in, const u64 groups[3])
{
	const Program *p = t->p;
	bool source = false;
	if (ins->op == OP_query && ins->aux >= QUERY_group_id_x && ins->aux <= QUERY_group_id_z)
		source = groups[ins->aux - QUERY_group_id_x] > 1;
	if (ins->op == OP_atomic || ins->op == OP_cas)
		source = true;
	bool changed = false;
	if (ins->op == OP_call) {
		const Func *f = &p->funcs.v[ins_tgt(p, ins)[0]];
		for (u32 i = 0; i < f->nparams; i++)
			if (t->varies[ins_src(p, ins)[i]])
				changed |= mark(t, &p->opnds.v[f->params + i], 1);
		for (u32 i = 0; i < f->nresults; i++)
			if (t->varies[p->opnds.v[f->results + i]])
				changed |= mark(t, &ins_dst(p, ins)[i], 1);
		return changed;
	}
	if (!source && !any_source_varies(t, ins))
		return false;
	if (ins->op == OP_ret)
		return mark(t, &p->opnds.v[in->results], ins->nsrc < in->nresults ? ins->nsrc : in->nresults);
	return mark(t, ins_dst(p, ins), ins->ndst);
}

static bool shared_space(const Ins *ins)
{
	return ins->space != SPACE_LDS && ins->space != SPACE_PRIVATE;
}

bool order_shows(const Program *p, const u64 groups[3])
{
	Taint t = {p, xcalloc(p->regs.n + 1, 1), xcalloc(p->regs.n + 1, 1)};
	bool shows = false, changed = true;
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 j = 0; j < p->ins.v[i].nsrc; j++)
			t.used[ins_src(p, &p->ins.v[i])[j]] = true;
	while (changed) {
		changed = false;
		for (u32 b = 0; b < p->blocks.n; b++)
			for (u32 i = 0; i < p->blocks.v[b].n; i++)
				changed |= taint_ins(&t, &p->ins.v[p->blocks.v[b].first + i],
				                     &p->funcs.v[p->blocks.v[b].func], groups);
	}
	for (u32 i = 0; i < p->ins.n && !shows; i++) {
		const Ins *ins = &p->ins.v[i];
		if (!shared_space(ins))
			continue;
		if (ins->op == OP_cas)
			shows = true;
		else if (ins->op == OP_atomic)
			shows = ins->aux == ATOMIC_xchg || ins->aux >= ATOMIC_fadd || t.used[ins_dst(p, ins)[0]];
		else if (ins->op == OP_st || ins->op == OP_copy || ins->op == OP_fill)
			shows = !t.varies[ins_src(p, ins)[0]];
	}
	free(t.varies);
	free(t.used);
	return shows;
}
