/* Recording for the timing model (isa/event.h): what the wavefronts of chosen work-groups do,
 * and which lines of global memory the launch touches at all. Wavefronts of other groups
 * pay one test of a pointer for it. */
#include "sim/memory.h"
#include "sim/observe.h"

static bool is_chosen(const SimRecord *r, u64 group)
{
	u32 k = lower_bound(r->groups, r->ngroups, sizeof *r->groups, &group, by_u64);
	return k < r->ngroups && r->groups[k] == group;
}

void record_wave_start(Wave *w)
{
	const SimRecord *r = w->worker->m->cfg->record;
	w->recording = false;
	if (!r || !is_chosen(r, w->group->linear))
		return;
	w->events.n = 0;
	w->most_words = r->words;
	w->masks = r->masks;
	w->recorded = 0;
	w->mask_recorded = 0;
	w->recording = true;
	Worker *wk = w->worker;
	if (!wk->shapes) {
		wk->shapes = shape_table_new();
		wk->same_shapes = ARENA_ARRAY(wk->arena, SameShape, w->code->accesses.n + 1);
	}
}

void record_wave_end(Wave *w)
{
	const SimRecord *r = w->worker->m->cfg->record;
	if (!r || !is_chosen(r, w->group->linear))
		return;
	u32 items = w->group->items - w->index * w->code->wave;
	WaveEvents e = {.group = w->group->linear, .wave = w->index, .n = w->events.n};
	e.lanes = items < w->code->wave ? items : w->code->wave;
	e.words = event_pool_keep(&w->worker->wave_words, w->events.v, w->events.n);
	e.instructions = w->prof.instructions;
	e.recorded = w->recording ? w->prof.instructions : w->recorded;
	array_push(&w->worker->wave_events, e);
	w->recording = false;
}

/* Room for n more words; else the wavefront's record ends here. */
static bool room(Wave *w, u32 n)
{
	if (w->events.n + n <= w->most_words)
		return true;
	w->recording = false;
	w->recorded = w->prof.instructions;
	return false;
}

/* A mask is a shape without addresses, so that equal ones are kept once. */
static void put_mask(Wave *w)
{
	i64 none = 0;
	LaneShape s = {.mask = w->mask, .offset = &none};
	array_push(&w->events, EVENT_MASK | shape_intern(w->worker->shapes, &s));
	w->mask_recorded = w->mask;
	w->most_words++;
}

void record_block(Wave *w, u32 block)
{
	if (!room(w, 1))
		return;
	if (UNLIKELY(w->masks) && w->mask != w->mask_recorded)
		put_mask(w);
	array_push(&w->events, EVENT_BLOCK | (w->active - 1) << EVENT_BLOCK_BITS | block);
}

void record_barrier(Wave *w, u32 ins)
{
	if (room(w, 1))
		array_push(&w->events, EVENT_BARRIER | ins);
}

static void put_access(Wave *w, const Access *a, u32 shape, u64 address)
{
	if (!room(w, EVENT_ACCESS_WORDS))
		return;
	array_reserve(&w->events, EVENT_ACCESS_WORDS);
	u32 *at = w->events.v + w->events.n;
	at[0] = EVENT_ACCESS | a->ins;
	at[1] = shape;
	at[2] = (u32)address;
	at[3] = (u32)(address >> 32);
	w->events.n += EVENT_ACCESS_WORDS;
}

static u32 shape_of(Wave *w, const WaveAccess *x)
{
	i64 offset[MAX_WAVE];
	LaneShape s = {.mask = x->mask, .bytes = x->bytes, .lds = x->lds, .write = x->kind != ACCESS_LOAD,
	               .atomic = x->kind == ACCESS_ATOMIC, .offset = offset};
	for (Mask m = x->mask; m; m = mask_drop(m))
		offset[s.lanes++] = (i64)(access_at(x, mask_lowest(m)) - x->first);
	return shape_intern(w->worker->shapes, &s);
}

/* All lanes are at one address. */
static u32 same_shape(Wave *w, const WaveAccess *x)
{
	SameShape *s = &w->worker->same_shapes[x->a->index];
	if (s->mask != x->mask || s->bytes != x->bytes || s->kind != x->kind || s->lds != x->lds)
		*s = (SameShape){x->mask, x->bytes, shape_of(w, x), x->kind, x->lds};
	return s->shape;
}

void record_access(Wave *w, const WaveAccess *x)
{
	PatternUse *use = x->p ? pattern_use(w, x->a, x->p) : NULL;
	if (use && use->recorded != x->p->serial) {
		use->shape = shape_of(w, x);
		use->recorded = x->p->serial;
	}
	u32 shape = use ? use->shape : x->at || x->lds_at ? shape_of(w, x) : same_shape(w, x);
	put_access(w, x->a, shape, x->first);
}

/* Dwords of all lanes lie side by side. */
void record_private(Wave *w, const Access *a, bool write, Mask lanes, const u32 *at, u32 same)
{
	if (a->image) /* nothing that images' functions do is */
		return;
	i64 offset[MAX_WAVE], first = 0;
	LaneShape s = {.mask = lanes, .bytes = a->bytes, .write = write, .private = true, .offset = offset};
	for (Mask m = lanes; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m), own = at ? at[lane] : same;
		i64 place = ((i64)(own / 4) * w->code->wave + lane) * 4 + own % 4;
		first = s.lanes ? first : place;
		offset[s.lanes++] = place - first;
	}
	put_access(w, a, shape_intern(w->worker->shapes, &s), (u64)first);
}

/* ---- lines touched ---- */

static FORCE_INLINE void set_lines(const Worker *wk, u32 seg, u64 first, u64 bytes)
{
	u32 shift = wk->m->finest_shift;
	for (u64 line = first >> shift; line <= (first + bytes - 1) >> shift; line++)
		wk->touched[seg][line] |= wk->window;
}

void touch_access(Wave *w, const WaveAccess *x)
{
	const u64 in_seg = ((u64)1 << SEG_SHIFT) - 1;
	u32 seg = (u32)(x->first >> SEG_SHIFT);
	u64 run = access_run(x);
	if (run) {
		set_lines(w->worker, seg, x->first & in_seg, run);
		return;
	}
	u32 pieces = x->p ? x->p->npieces : 0;
	for (u32 i = 0; i < pieces; i++) {
		u64 at = x->first + (u64)x->p->piece[i].offset;
		set_lines(w->worker, (u32)(at >> SEG_SHIFT), at & in_seg, x->p->piece[i].bytes);
	}
	if (pieces)
		return;
	/* access_at, without its tests */
	const u64 *lane = x->p ? x->p->offset.o64 : x->at, from = x->p ? x->first : 0;
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u64 at = from + lane[mask_lowest(m)];
		set_lines(w->worker, (u32)(at >> SEG_SHIFT), at & in_seg, x->bytes);
	}
}

static u64 fine_lines(const Machine *m, u32 seg) { return (m->segs[seg].span >> m->finest_shift) + 2; }

void touched_new(Worker *wk)
{
	u64 all = 0;
	wk->touched = xcalloc(wk->m->nsegs, sizeof *wk->touched);
	for (u32 i = 0; i < wk->m->nsegs; i++)
		all += fine_lines(wk->m, i);
	wk->touched[0] = xcalloc(all, 1);
	for (u32 i = 1; i < wk->m->nsegs; i++)
		wk->touched[i] = wk->touched[i - 1] + fine_lines(wk->m, i - 1);
}

void touched_free(Worker *wk)
{
	if (wk->touched)
		free(wk->touched[0]);
	free(wk->touched);
}

void touched_merge(Worker *workers, u32 n)
{
	const Machine *m = workers->m;
	u64 all = (u64)(workers->touched[m->nsegs - 1] - workers->touched[0]) + fine_lines(m, m->nsegs - 1);
	for (u32 w = 1; w < n; w++)
		for (u64 k = 0; k < all; k++)
			workers->touched[0][k] |= workers[w].touched[0][k];
}

/* Room is counted at the end of each line that gets it. */
EventLines touched_count(const Worker *wk, const View *v)
{
	static const u8 ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	EventLines n = {0};
	u64 parts = (u64)1 << (v->fetch_shift - wk->m->finest_shift);
	u64 room = (u64)1 << (v->room_shift - wk->m->finest_shift), each = (u64)1 << (v->room_shift - v->fetch_shift);
	for (u32 i = 1; i < wk->m->nsegs; i++) {
		u64 fine = fine_lines(wk->m, i);
		n.all += (wk->m->segs[i].span >> v->fetch_shift) + 1;
		u8 line = 0;
		for (u64 k = 0; k < fine; k += parts) {
			u8 any = 0;
			for (u64 j = k; j < k + parts && j < fine; j++)
				any |= wk->touched[i][j];
			n.touched += any != 0;
			n.in_windows += ones[any % 16] + ones[any / 16];
			n.met += (any & (any - 1)) != 0;
			line |= any;
			if ((k + parts) % room == 0 || k + parts >= fine) {
				n.room += line ? each : 0;
				line = 0;
			}
		}
	}
	return n;
}

/* ---- compare-and-swaps ---- */

void record_swaps(Wave *w, const Reached *r)
{
	Worker *wk = w->worker;
	u64 before = 0;
	if (!wk->m->cfg->record || !r->global)
		return;
	if (!wk->swap_slots)
		wk->swap_slots = xcalloc(SWAP_SLOTS, sizeof *wk->swap_slots);
	SwapSlot visit = swap_visit(w->group->linear, wk->m->ngroups);
	for (Mask m = r->global; m; m = mask_drop(m)) {
		u64 at = r->global_at[mask_lowest(m)];
		if (at != before)
			swap_add(&wk->swap_slots[swap_slot_of(at)], &visit);
		before = at;
	}
}

/* Those of all, which the caller frees. */
static SwapSlot *swaps_take(Worker *workers, u32 n)
{
	SwapSlot *all = NULL;
	for (u32 w = 0; w < n; w++) {
		SwapSlot *own = workers[w].swap_slots;
		for (u32 i = 0; all && own && i < SWAP_SLOTS; i++)
			if (own[i].visits)
				swap_add(&all[i], &own[i]);
		if (all)
			continue;
		all = own;
		workers[w].swap_slots = NULL;
	}
	return all;
}

/* ---- the record of the launch ---- */

FIELD_ORDER(by_place, WaveEvents, group, wave)

/* Words of a wavefront get the numbers that its shapes have in another table. to: those + 1; 0: none yet. */
static void renumber(WaveEvents *w, const LaneShape *from, u32 *to, ShapeTable *t)
{
	for (u32 k = 0; k < w->n; k += event_words(w->words[k])) {
		u32 kind = EVENT_KIND(w->words[k]);
		if (kind != EVENT_MASK && kind != EVENT_ACCESS)
			continue;
		u32 shape = kind == EVENT_MASK ? EVENT_INS_OF(w->words[k]) : w->words[k + 1];
		if (!to[shape])
			to[shape] = shape_intern(t, &from[shape]) + 1;
		if (kind == EVENT_MASK)
			w->words[k] = EVENT_MASK | (to[shape] - 1);
		else
			w->words[k + 1] = to[shape] - 1;
	}
}

/* Each worker has numbered its own shapes; the record has one table, the first worker's, to which the others' are
 * added: where lanes are at places of their own, a table is large. So numbers depend on the threads (WaveEvents). */
static void join_shapes(Events *e, Worker *wk)
{
	ShapeTable *own = wk->shapes;
	wk->shapes = NULL;
	if (!e->shapes) {
		e->shapes = own;
		return;
	}
	u32 *to = xcalloc(shape_count(own) + 1, sizeof *to);
	for (u32 i = 0; i < wk->wave_events.n; i++)
		renumber(&wk->wave_events.v[i], shape_table(own), to, e->shapes);
	free(to);
	shape_table_free(own);
}

Events *record_collect(const Machine *m, Worker *workers, u32 n)
{
	Events *e = events_new();
	e->fetch_bytes = 1u << m->own.fetch_shift;
	for (u32 i = 0; i < n; i++) {
		Worker *wk = &workers[i];
		if (!wk->shapes)
			continue;
		join_shapes(e, wk);
		for (u32 k = 0; k < wk->wave_events.n; k++)
			array_push(&e->waves, wk->wave_events.v[k]);
		array_free(&wk->wave_events);
		event_pool_join(&e->pool, &wk->wave_words);
	}
	if (!e->shapes)
		e->shapes = shape_table_new();
	for (u32 i = 0; i < e->waves.n; i++)
		e->waves.v[i].shapes = shape_table(e->shapes);
	array_sort(&e->waves, by_place);
	e->lines = touched_count(workers, &m->own);
	e->swap_slots = swaps_take(workers, n);
	return e;
}
