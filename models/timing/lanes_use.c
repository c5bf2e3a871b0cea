/* See lanes_use.h. */
#include "models/timing/lanes_use.h"

const char *const lane_memory_name[LANES_COUNT] = {LANE_MEMORIES(X_NAME)};

/* The part of an instruction's accesses to a memory that stores: what copies from global memory to LDS loads there and
 * stores here; within a memory it does as much of both. */
static double part_stored(const Ins *i, bool lds)
{
	bool read = cost_accesses(i, false) && (cost_space(i, false) == SPACE_LDS) == lds;
	bool write = cost_accesses(i, true) && (cost_space(i, true) == SPACE_LDS) == lds;
	if (i->op == OP_atomic || i->op == OP_cas || !write)
		return 0;
	return read ? 0.5 : 1;
}

static void add(LaneUse *u, u64 n, double bytes, double stored)
{
	u->loads += (double)n * (1 - stored);
	u->stores += (double)n * stored;
	u->loaded += bytes * (1 - stored);
	u->stored += bytes * stored;
}

static void add_access(LanesUse *u, const Program *p, const Ins *i, const AccessProf *a, u32 banks, bool lds_ins)
{
	u64 n = lds_ins ? a->lds_ins : a->lds_accesses, ideal = lds_ins ? a->lds_ins_ideal : a->lds_ideal;
	add(&u->of[LANES_lds], n, (double)ideal * banks * 4, part_stored(i, true));
	u->conflict_cycles += (double)((lds_ins ? a->lds_ins_actual : a->lds_actual) - ideal);
	add(&u->of[LANES_global], a->accesses, (double)a->bytes, part_stored(i, false));
	if (a->scalar_loads)
		add(&u->of[LANES_scalar], a->scalar_loads, (double)a->scalar_loads * ins_access_bytes(p, i), 0);
}

/* Private memory has no counters: its instructions run as often as their blocks. */
static void add_private(LaneUse *u, const Costs *x, const Profile *prof, u32 block)
{
	const BlockProf *b = &prof->blocks[block];
	for (u32 k = x->first_block[block]; k < x->first_block[block + 1] && b->execs; k++)
		for (u32 i = x->blocks.v[k].first; i < x->blocks.v[k].first + x->blocks.v[k].n; i++) {
			const CostIns *ins = &x->ins.v[i];
			if (ins->cls != MC_scratch)
				continue;
			double rate = x->blocks.v[k].rate, bytes = rate * (double)b->lanes * ins->lds.bytes;
			*(ins->write ? &u->stores : &u->loads) += rate * (double)b->execs;
			*(ins->write ? &u->stored : &u->loaded) += bytes;
		}
}

LanesUse lanes_use(const Program *p, const Profile *prof, const Costs *costs, bool lds_ins)
{
	LanesUse u = {0};
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *k = &p->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++)
			add_access(&u, p, &p->ins.v[i], &prof->accesses[i], prof->banks, lds_ins);
		add_private(&u.of[LANES_private], costs, prof, b);
	}
	double all = prof->groups_run ? (double)prof->groups / (double)prof->groups_run : 1; /* of a sample */
	for (u32 m = 0; m < LANES_COUNT; m++) {
		LaneUse *of = &u.of[m];
		*of = (LaneUse){of->loads * all, of->stores * all, of->loaded * all, of->stored * all};
	}
	u.conflict_cycles *= all;
	return u;
}
