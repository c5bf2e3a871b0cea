/* Advice on loops that wait for memory, turn after turn: for what they load, or, where a sum is kept in memory, for
 * what the last turn stored. Whether the compiler puts the loads of several turns first, once it may, only it can say:
 * the kernel is compiled and run with the change. */
#include "engine/advice.h"

#include "models/timing/cost_edit.h"

enum { MOST_SUMS = 2, LEAST_TURNS = 8, LEAST_PERCENT = 20, LEAST_GAIN_PERCENT = 15 };

/* ---- loops ---- */

/* Does a loop end with that block? */
static bool loop_of_latch(const Program *p, u32 latch, LoopBlocks *out)
{
	const Block *b = &p->blocks.v[latch];
	u32 n;
	const u32 *to = block_succs(p, latch, &n);
	bool is = false;
	for (u32 i = 0; i < n && b->loop_depth; i++) {
		if (to[i] > latch)
			continue;
		*out = (LoopBlocks){to[i], latch, p->ins.v[b->first + b->n - 1].loc};
		is = true;
	}
	return is;
}

static bool loop_from(const Program *p, u32 block, u32 latch, LoopBlocks *out)
{
	for (; latch < p->blocks.n && p->blocks.v[latch].loop_depth; latch++)
		if (loop_of_latch(p, latch, out) && out->first <= block)
			return true;
	return false;
}

bool loop_around(const Program *p, u32 block, LoopBlocks *out) { return loop_from(p, block, block, out); }

bool loop_outside(const Program *p, u32 block, LoopBlocks *out) { return loop_from(p, block, out->last + 1, out); }

/* ---- sums in memory ---- */

/* Where an access of global memory goes, from turn to turn of a wavefront. */
typedef struct Goes {
	const LaneShape *shape; /* the last time … */
	u64 address;
	u32 wave;               /* … in this wavefront, counted from 1 */
	u64 all, same;          /* times; those of them that went where the wavefront's last one went */
} Goes;

static Goes *follow(Advisor *a)
{
	const Events *ev = a->base.profile->events;
	Goes *goes = ARENA_ARRAY(a->arena, Goes, a->in->program->ins.n + 1);
	for (u32 i = 0; i < ev->waves.n; i++) {
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);) {
			if (w.kind != EVENT_ACCESS || w.shape->lds)
				continue;
			Goes *g = &goes[w.ins];
			bool same = g->wave == i + 1 && g->address == w.address && g->shape == w.shape;
			*g = (Goes){w.shape, w.address, i + 1, g->all + 1, g->same + same};
		}
	}
	return goes;
}

/* Nearly always: a loop that lanes leave at different times has other lanes now and then. */
static bool stays(const Goes *g)
{
	return g->all >= LEAST_TURNS && g->same * LEAST_TURNS >= g->all * (LEAST_TURNS - 1);
}

/* Each lane has its own place. */
static bool is_sum(const Program *p, u32 i, const Goes *g)
{
	return p->ins.v[i].op == OP_st && stays(g) && (g->shape->lanes == 1 || g->shape->offset[g->shape->lanes - 1]);
}

typedef struct MemorySum {
	const Costs *costs;
	bool *kept; /* per access number: it goes to where the sum is kept */
} MemorySum;

static bool is_read(const Program *p, const Goes *goes, u32 first, u32 past, const Goes *store)
{
	for (u32 i = first; i < past; i++)
		if (p->ins.v[i].op == OP_ld && goes[i].all &&
		    (goes[i].address == store->address || goes[i].wave != store->wave))
			return true;
	return false;
}

/* Marks what the loop does where its store goes. False: something else goes there, or may need to see it. */
static bool mark_accesses(const Advisor *a, const Goes *goes, u32 store, const LoopBlocks *loop, MemorySum *out)
{
	const Program *p = a->in->program;
	u64 segment = goes[store].address >> SEG_SHIFT;
	const Block *end = &p->blocks.v[loop->last];
	u32 first = p->blocks.v[loop->first].first, past = end->first + end->n;
	bool several = false;
	for (u32 i = first; i < past; i++) {
		const Ins *x = &p->ins.v[i];
		bool moves = x->op == OP_ld || x->op == OP_st;
		if (x->op == OP_barrier || ins_calls(x) || (moves && x->sync != SYNC_NONE))
			return false;
		if (!goes[i].all || goes[i].address >> SEG_SHIFT != segment)
			continue;
		u32 access = out->costs->access[i];
		if (!moves || !stays(&goes[i]) || access == NO_ACCESS)
			return false;
		several |= goes[i].wave == goes[store].wave && goes[i].address != goes[store].address;
		out->kept[access + (x->op == OP_st)] = true;
	}
	/* Several sums read what they add to. Else it is an unrolled loop, each of whose stores has its own place. */
	for (u32 i = first; several && i < past; i++)
		if (p->ins.v[i].op == OP_st && out->costs->access[i] != NO_ACCESS &&
		    out->kept[out->costs->access[i] + 1] && !is_read(p, goes, first, past, &goes[i]))
			return false;
	return true;
}

static bool without_kept(void *ctx, CostIns *x)
{
	const MemorySum *m = ctx;
	u32 kept = 0;
	for (u32 i = 0; i < x->naccess; i++)
		kept += m->kept[m->costs->access_of.v[x->first_access + i]];
	return !kept || kept < x->naccess;
}

static const EstimateChanged *time_without(Advisor *a, MemorySum *m)
{
	if (!advice_can_time(a))
		return NULL;
	CostEdit edit;
	cost_edit_begin(&edit, m->costs, a->in->program);
	cost_edit_each(&edit, without_kept, m);
	const EstimateChanged *after = advice_time(a, (EstimateChange){.costs = &edit.costs});
	cost_edit_free(&edit);
	return after;
}

static bool is_in_loop(const Advisor *a, const LoopBlocks *loop, const ResultPlace *at)
{
	const Program *p = a->in->program;
	const Block *end = &p->blocks.v[loop->last];
	for (u32 i = p->blocks.v[loop->first].first; i < end->first + end->n; i++) {
		const SrcLoc *loc = program_place(p, p->ins.v[i].loc);
		if (loc && loc->line == at->line && at->file && !strcmp(result_place(a->r, loc).file, at->file))
			return true;
	}
	return false;
}

/* While such a loop waits for its own stores, it is the compiler's placing of these waits that decides what other
 * addresses would bring. They are looked at again once the sum is out of memory. */
static void drop_uncoalesced(Advisor *a, const LoopBlocks *loop)
{
	u32 kept = 0;
	for (u32 i = 0; i < a->said.n; i++) {
		ResultFinding *f = &a->said.v[i];
		if (strcmp(f->id, "uncoalesced") != 0 || !is_in_loop(a, loop, &f->at))
			a->said.v[kept++] = *f;
	}
	a->said.n = kept;
}

static void say_sum(Advisor *a, u32 store, const LoopBlocks *loop, MemorySum *m)
{
	const char *hint =
	    advice_text(a,
	                "add up in a variable of the kernel's own, and store it once behind the loop; %s on the "
	                "pointers, where none reaches another's data, lets the compiler do so",
	                a->words->restricted);
	const SrcLoc *at = program_place(a->in->program, loop->loc);
	const char *text = advice_source(a, at);
	const EstimateChanged *after = time_without(a, m);
	char *own = text ? text_restrict(text, a->r->kernel) : NULL;
	TrialCost cost;
	double gain = a->r->estimate->time_us * LEAST_GAIN_PERCENT / 100, most = after ? after->time_us - gain : 0;
	if (own && most >= 0 && advice_try_text(a, text_unrolled(own, at), most, &cost) == TRIAL_SAME &&
	    (!after || after->time_us - cost.us > gain)) {
		EstimateChanged *tried = ARENA_NEW(a->arena, EstimateChanged);
		tried->time_us = cost.us;
		after = tried;
		hint = advice_text(a, "%s; then #pragma unroll " ADVICE_UNROLL " before the loop has the loads of "
		                      "several turns under way at once (both tried, with the same results)", hint);
	}
	free(own);
	u32 before = a->said.n;
	advise(a, ADVICE_memory_sum, a->in->program->ins.v[store].loc, after,
	       "each turn of the loop stores to the same address, and waits for what the last turn stored: the "
	       "compiler cannot keep it in a register, as another pointer may point there", hint);
	if (a->said.n > before)
		drop_uncoalesced(a, loop);
}

static bool stores(const Program *p, const Block *b)
{
	for (u32 i = b->first; i < b->first + b->n; i++)
		if (p->ins.v[i].op == OP_st)
			return true;
	return false;
}

void advice_memory_sum(Advisor *a)
{
	const Program *p = a->in->program;
	const BlockProf *prof = a->in->profile->blocks;
	const Goes *goes = NULL;
	u32 told[MOST_SUMS], ntold = 0;
	for (u32 b = 0; b < p->blocks.n && ntold < MOST_SUMS; b++) {
		const Block *block = &p->blocks.v[b];
		LoopBlocks loop;
		/* What runs seldom brings little, and need not be looked at. */
		if (prof[b].execs * block->weight * 50 < a->r->t.wave_instructions || !stores(p, block) ||
		    !loop_around(p, b, &loop) || (ntold && told[ntold - 1] == loop.last))
			continue;
		goes = goes ? goes : follow(a);
		for (u32 i = block->first; i < block->first + block->n; i++) {
			MemorySum m = {.costs = a->r->estimate->costs};
			if (!is_sum(p, i, &goes[i]))
				continue;
			m.kept = ARENA_ARRAY(a->arena, bool, m.costs->naccesses + 2);
			if (!mark_accesses(a, goes, i, &loop, &m))
				continue;
			told[ntold++] = loop.last;
			say_sum(a, i, &loop, &m);
			break;
		}
	}
}

/* ---- loops that wait for what they load ---- */

/* What loads of the loop wait for, as a share of the time, each line of it once. 0: it has none; or a barrier, another
 * loop or few turns. */
static double waits_of(const Advisor *a, const LoopBlocks *x)
{
	const Program *p = a->in->program;
	const Estimate *e = a->r->estimate;
	bool *seen = ARENA_ARRAY(a->arena, bool, e->costs->lines.n + 1);
	double waits = 0;
	if (a->in->profile->blocks[x->last].execs < LEAST_TURNS * a->r->nwaves)
		return 0;
	for (u32 b = x->first; b <= x->last; b++) {
		const Block *block = &p->blocks.v[b];
		if (block->loop_depth != p->blocks.v[x->last].loop_depth)
			return 0;
		for (u32 i = block->first; i < block->first + block->n; i++) {
			const Ins *ins = &p->ins.v[i];
			const SrcLoc *at = program_place(p, ins->loc);
			u32 line = at ? cost_find_line(e->costs, at->file, at->line) : UINT32_MAX;
			if (ins->op == OP_barrier || ins_calls(ins))
				return 0;
			if (ins->op != OP_ld || line == UINT32_MAX || seen[line])
				continue;
			seen[line] = true;
			waits += e->line_part[PART_latency][line];
		}
	}
	return waits;
}

void advice_waiting_loop(Advisor *a)
{
	const Program *p = a->in->program;
	LoopBlocks loop, most = {0};
	double waits = 0;
	TrialCost cost;
	if (advice_said(a, ADVICE_memory_sum, NULL)) /* its loop was tried unrolled */
		return;
	for (u32 b = 0; b < p->blocks.n; b++) {
		double w = a->in->profile->blocks[b].execs && loop_of_latch(p, b, &loop) ? waits_of(a, &loop) : 0;
		most = w > waits ? loop : most;
		waits = w > waits ? w : waits;
	}
	const SrcLoc *at = waits * 100 < LEAST_PERCENT ? NULL : program_place(p, most.loc);
	const char *text = advice_source(a, at);
	double most_us = a->r->estimate->time_us * (100 - LEAST_GAIN_PERCENT) / 100;
	if (!text || advice_try_text(a, text_unrolled(text, at), most_us, &cost) != TRIAL_SAME ||
	    cost.us * 100 > a->r->estimate->time_us * (100 - LEAST_GAIN_PERCENT))
		return;
	advise(a, ADVICE_waiting_loop, most.loc, &(EstimateChanged){.time_us = cost.us},
	       advice_text(a, "each turn of this loop waits for what it loads: %.0f %% of the time", 100 * waits),
	       "#pragma unroll " ADVICE_UNROLL " before the loop: the loads of several turns are then under way at "
	       "once (tried, with the same results)");
}
