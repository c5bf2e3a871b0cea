/* Advice on barriers that order nothing: between the barriers around them each place is touched by one work-item alone,
 * or only read, in every work-group of the record. The launch is played without them. */
#include "engine/advice.h"

#include "base/hash.h"
#include "models/timing/cost_edit.h"

enum { MOST_BARRIERS = 8, MOST_TOUCHES = 1 << 22 };

/* Who touched a dword between two barriers. */
typedef struct Touch {
	u32 item; /* + 1 */
	bool others, written;
} Touch;

typedef struct Barriers {
	Advisor *a;
	const Events *ev;
	u32 loc[MOST_BARRIERS], n; /* Program.locs: those of an unrolled loop are one */
	bool gone[MOST_BARRIERS];
	bool waits[MOST_BARRIERS]; /* for more than the other wavefronts: it stays */
} Barriers;

static u32 number_of(const Barriers *b, u32 ins)
{
	u32 k = 0, loc = b->a->in->program->ins.v[ins].loc;
	while (k < b->n && b->loc[k] != loc)
		k++;
	return k;
}

/* Which work-item copies an element is not the source's to know: OpenCL leaves it open. */
static bool copies(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_async_copy)
			return true;
	return false;
}

bool advice_has_barriers(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (op_info[p->ins.v[i].op].unit == UNIT_SYNC)
			return true;
	return false;
}

/* False: the record is not whole, or there are too many. */
static bool find_barriers(Barriers *b)
{
	u64 touches = 0;
	if (copies(b->a->in->program) || b->a->strays)
		return false;
	for (u32 i = 0; i < b->ev->waves.n; i++) {
		const WaveEvents *e = &b->ev->waves.v[i];
		if (e->recorded < e->instructions)
			return false;
		for (EventWord w = {0}; event_next(e, &w);) {
			touches += w.kind == EVENT_ACCESS ? w.shape->lanes : 0;
			if (w.kind != EVENT_BARRIER)
				continue;
			const Ins *x = &b->a->in->program->ins.v[w.ins];
			u32 k = number_of(b, w.ins);
			if (k == MOST_BARRIERS)
				return false;
			b->n += k == b->n;
			b->loc[k] = x->loc;
			b->waits[k] |= x->op != OP_barrier;
		}
	}
	return b->n && touches <= MOST_TOUCHES;
}

/* Does a lane's touch meet another work-item's? */
static bool touch(Map *seen, Arena *scratch, u64 key, u32 item, bool write)
{
	void **slot = map_slot(seen, key);
	Touch *t = *slot;
	if (!t)
		*slot = t = ARENA_NEW(scratch, Touch);
	t->others |= t->item && t->item != item + 1;
	t->item = item + 1;
	t->written |= write;
	return t->others && t->written;
}

static bool access_meets(Map *seen, Arena *scratch, const WaveEvents *e, u32 wave, u32 stretch, const EventWord *w)
{
	u32 k = 0;
	for (Mask m = w->shape->mask; m; m = mask_drop(m), k++) {
		u64 at = w->address + (u64)w->shape->offset[k];
		for (u64 d = at / 4; d <= (at + w->shape->bytes - 1) / 4; d++) {
			u64 key = hash_mix(d << 1 | w->shape->lds) ^ (u64)(stretch + 1) * 0x9E3779B97F4A7C15u;
			if (touch(seen, scratch, key ? key : 1, e->wave * wave + mask_lowest(m),
			          w->shape->write || w->shape->atomic))
				return true;
		}
	}
	return false;
}

/* Does each place between the barriers that are left belong to one work-item, or is only read? */
static bool own_places(const Barriers *b)
{
	bool own = true;
	for (u32 i = 0, next; own && i < b->ev->waves.n; i = next) {
		Arena *scratch = arena_new();
		Map *seen = map_new(scratch);
		u64 group = b->ev->waves.v[i].group;
		for (next = i; next < b->ev->waves.n && b->ev->waves.v[next].group == group; next++) {
			const WaveEvents *e = &b->ev->waves.v[next];
			u32 stretch = 0;
			for (EventWord w = {0}; own && event_next(e, &w);) {
				if (w.kind == EVENT_BARRIER)
					stretch += !b->gone[number_of(b, w.ins)];
				else if (w.kind == EVENT_ACCESS)
					own = !access_meets(seen, scratch, e, b->a->r->wave, stretch, &w);
			}
		}
		arena_free(scratch);
	}
	return own;
}

static bool without_barriers(void *ctx, CostIns *x)
{
	return x->cls != MC_barrier || !((const bool *)ctx)[x->line];
}

static const EstimateChanged *time_without(Barriers *b, bool *lines)
{
	CostEdit edit;
	Rewrite out;
	cost_edit_begin(&edit, b->a->r->estimate->costs, b->a->in->program);
	cost_edit_each(&edit, without_barriers, lines);
	rewrite_begin(&out, b->ev);
	for (u32 i = 0; i < b->ev->waves.n; i++) {
		for (EventWord w = {0}; event_next(&b->ev->waves.v[i], &w);)
			if (w.kind != EVENT_BARRIER || !b->gone[number_of(b, w.ins)])
				rewrite_event(&out, &w);
		rewrite_wave(&out, i);
	}
	Events *ev = rewrite_end(&out);
	const EstimateChanged *after = advice_time(b->a, (EstimateChange){.events = ev, .costs = &edit.costs});
	events_free(ev);
	cost_edit_free(&edit);
	return after;
}

void advice_redundant_barrier(Advisor *a)
{
	const Program *p = a->in->program;
	const Costs *costs = a->r->estimate->costs;
	Barriers b = {.a = a, .ev = a->base.profile->events};
	if (!advice_has_barriers(p) || !advice_can_time(a) || !find_barriers(&b))
		return;
	u32 line[MOST_BARRIERS], n = 0, loc = 0;
	/* One by one: without this barrier two stretches are one, which may make the next barrier necessary. */
	for (u32 k = 0; k < b.n; k++) {
		const SrcLoc *at = program_place(p, b.loc[k]);
		line[k] = at ? cost_find_line(costs, at->file, at->line) : UINT32_MAX;
		b.gone[k] = line[k] != UINT32_MAX && !b.waits[k];
		if (!b.gone[k] || !(b.gone[k] = own_places(&b)))
			continue;
		loc = n++ ? loc : b.loc[k];
	}
	if (!n)
		return;
	/* Of one line all go, or its costs stay. */
	bool *lines = ARENA_ARRAY(a->arena, bool, costs->lines.n + 1);
	for (u32 k = 0; k < b.n; k++) {
		bool all = b.gone[k];
		for (u32 i = 0; i < b.n; i++)
			all &= line[i] != line[k] || b.gone[i];
		if (all)
			lines[line[k]] = true;
	}
	advise(a, ADVICE_redundant_barrier, loc, time_without(&b, lines),
	       n == 1
	           ? "this barrier orders nothing: around it each work-item touches places of its own, or all only read"
	           : advice_text(a,
	                         "%u barriers, this one first, order nothing: around them each work-item touches "
	                         "places of its own, or all only read",
	                         n),
	       advice_text(
		   a,
		   "leave it out, if that holds for all inputs (--check looks for races without it); values of one "
		   "work-item need no %s memory",
		   a->words->shared));
}
