/* Advice on barriers that one wavefront alone needs.
 *
 * Between two barriers a group's wavefronts work. Where, stretch after stretch, only one of them touches
 * memory (the last steps of a sum in a tree), the barriers between these stretches make no wavefront wait for
 * anybody. The record is played without them, the other wavefronts skipping what they do there. */
#include "engine/advice.h"

#include "models/timing/cost_edit.h"

enum { LEAST = 2 }; /* barriers of a group that could go */

/* The wavefronts of one group in the record. */
typedef struct RecordedGroup {
	u32 first, nwaves;
	u32 nbarriers; /* that each of them passes */
	bool *idle;    /* per barrier: it can go */
	u32 worker;    /* the wavefront that works alone */
	u32 nidle;
} RecordedGroup;

typedef struct Lonely {
	Advisor *a;
	const Events *ev;
	RecordedGroup *group;
	u32 ngroups;
	u32 *copy;     /* per Block: the one without barriers, or 0 */
	u32 loc;
	u64 all;       /* barriers that can go */
} Lonely;

/* Who touches memory in each stretch: NOBODY, one of the wavefronts, or MANY. */
enum { NOBODY = UINT32_MAX, MANY = UINT32_MAX - 1 };

static u32 count_barriers(const WaveEvents *e)
{
	u32 n = 0;
	for (EventWord x = {0}; event_next(e, &x);)
		n += x.kind == EVENT_BARRIER;
	return n;
}

static void find_workers(const Lonely *l, const RecordedGroup *g, u32 *who)
{
	for (u32 i = 0; i <= g->nbarriers; i++)
		who[i] = NOBODY;
	for (u32 w = 0; w < g->nwaves; w++) {
		u32 k = 0;
		for (EventWord x = {0}; event_next(&l->ev->waves.v[g->first + w], &x);) {
			if (x.kind == EVENT_BARRIER)
				k++;
			else if (x.kind == EVENT_ACCESS)
				who[k] = who[k] == NOBODY || who[k] == w ? w : MANY;
		}
	}
}

/* Barriers with the same lone wavefront on both sides. */
static void find_idle(Lonely *l, RecordedGroup *g)
{
	u32 *who = ARENA_ARRAY(l->a->arena, u32, g->nbarriers + 1);
	g->idle = ARENA_ARRAY(l->a->arena, bool, g->nbarriers + 1);
	g->worker = NOBODY;
	find_workers(l, g, who);
	for (u32 k = 0; k < g->nbarriers; k++) {
		u32 x = who[k], y = who[k + 1];
		if (x == MANY || y == MANY || x == NOBODY || (y != NOBODY && y != x))
			continue;
		if (g->worker != NOBODY && g->worker != x)
			continue;
		g->worker = x;
		g->idle[k] = true;
		g->nidle++;
	}
	if (g->nidle < LEAST) {
		memset(g->idle, 0, g->nbarriers * sizeof *g->idle);
		g->nidle = 0;
	}
	l->all += g->nidle;
}

/* False: the record does not hold all of the groups. */
static bool find_groups(Lonely *l)
{
	l->group = ARENA_ARRAY(l->a->arena, RecordedGroup, l->ev->waves.n + 1);
	for (u32 i = 0; i < l->ev->waves.n; i++) {
		const WaveEvents *e = &l->ev->waves.v[i];
		RecordedGroup *g = l->ngroups ? &l->group[l->ngroups - 1] : NULL;
		u32 n = count_barriers(e);
		if (e->recorded < e->instructions)
			return false;
		if (g && l->ev->waves.v[g->first].group == e->group) {
			g->nwaves++;
			if (g->nbarriers != n)
				return false;
			continue;
		}
		l->group[l->ngroups++] = (RecordedGroup){.first = i, .nwaves = 1, .nbarriers = n};
	}
	for (u32 i = 0; i < l->ngroups; i++)
		if (l->group[i].nwaves > 1)
			find_idle(l, &l->group[i]);
	return l->all >= (u64)LEAST * l->ngroups;
}

/* ---- the record without them ---- */

static bool drop_barrier(void *ctx, const CostIns *x, u32 ins)
{
	(void)ctx;
	(void)ins;
	return x->cls == MC_barrier;
}

static u32 barriers_of(const Costs *x, u32 block)
{
	u32 n = 0;
	for (u32 k = x->first_block[block]; k < x->first_block[block + 1]; k++)
		for (u32 i = x->blocks.v[k].first; i < x->blocks.v[k].first + x->blocks.v[k].n; i++)
			n += x->ins.v[i].cls == MC_barrier;
	return n;
}

/* The words of one wavefront. A barrier belongs to the block whose code runs when it comes; false: it
 * is not known which. */
static bool write_wave(Lonely *l, Rewrite *out, CostEdit *edit, const RecordedGroup *g, u32 w)
{
	u32 k = 0, entry = UINT32_MAX; /* barriers so far; the word of the block that runs */
	bool skip = false;
	for (EventWord x = {0}; event_next(&l->ev->waves.v[g->first + w], &x);) {
		if (x.kind == EVENT_BARRIER) {
			bool idle = g->idle[k], next = k + 1 < g->nbarriers && g->idle[k + 1];
			if (idle && !skip) {
				if (entry == UINT32_MAX)
					return false;
				u32 block = EVENT_BLOCK_OF(out->words.v[entry]);
				if (block >= l->a->in->program->blocks.n ||
				    barriers_of(l->a->r->estimate->costs, block) != 1)
					return false;
				if (!l->copy[block])
					l->copy[block] = cost_edit_copy(edit, block, drop_barrier, NULL);
				out->words.v[entry] =
				    (out->words.v[entry] & ~((1u << EVENT_BLOCK_BITS) - 1)) | l->copy[block];
				l->loc = l->a->in->program->ins.v[x.ins].loc;
			} else if (!idle) {
				rewrite_event(out, &x);
			}
			k++;
			/* From the second of a row on the others have nothing to do. */
			skip = w != g->worker && idle && next;
			entry = UINT32_MAX;
		} else if (event_accesses(&x) && !skip) {
			rewrite_event(out, &x);
		} else if (x.kind == EVENT_BLOCK && !skip) {
			const u32 *first = l->a->r->estimate->costs->first_block;
			if (first[x.block + 1] > first[x.block])
				entry = out->words.n;
			rewrite_event(out, &x);
		}
	}
	rewrite_wave(out, g->first + w);
	return true;
}

void advice_lonely_barrier(Advisor *a)
{
	Lonely l = {.a = a, .ev = a->base.profile->events};
	const Program *p = a->in->program;
	if (a->r->nwaves <= a->r->ngroups || !advice_has_barriers(p) || !advice_can_time(a) || !find_groups(&l))
		return;
	l.copy = ARENA_ARRAY(a->arena, u32, p->blocks.n + 1);
	CostEdit edit;
	Rewrite out;
	cost_edit_begin(&edit, a->r->estimate->costs, p);
	rewrite_begin(&out, l.ev);
	bool ok = true;
	for (u32 i = 0; ok && i < l.ngroups; i++) {
		if (!l.group[i].idle)
			l.group[i].idle = ARENA_ARRAY(a->arena, bool, l.group[i].nbarriers + 1);
		for (u32 w = 0; ok && w < l.group[i].nwaves; w++)
			ok = write_wave(&l, &out, &edit, &l.group[i], w);
	}
	Events *ev = rewrite_end(&out);
	const EstimateChanged *after = ok ? advice_time(a, (EstimateChange){.events = ev, .costs = &edit.costs}) : NULL;
	events_free(ev);
	cost_edit_free(&edit);
	if (!after)
		return;
	u64 per_group = l.all / l.ngroups;
	advise(
	    a, ADVICE_lonely_barrier, l.loc, after,
	    advice_text(a, "at %llu barriers of each work-group only one of its %u wavefronts has work on either side",
	                (unsigned long long)per_group, l.group[0].nwaves),
	    advice_text(a,
	                "when %u work-items or fewer are left, let their wavefront finish alone, behind an if and with "
	                "%s, in place of the barrier",
	                a->r->wave, a->words->wave_fence));
}
