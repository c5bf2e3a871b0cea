/* Work-group copies. Every access to memory of a copy under way is a finding. A wait completes the copies whose events
 * it names.
 *
 * As a rule the bytes move before: code behind the start of a copy, up to async_copied, is the loop in which each
 * work-item copies its elements (frontend/retarget/copies.h), and counts as any other. For checks, and in a text of a
 * program, there may be no such code. Then the bytes move when the work-group passes wait_group_events, not before, so
 * that a kernel that reads too early sees old data. */
#include "sim/check_race.h"
#include "sim/check_unset.h"

static u32 side_space(const Operand *o) { return type_bytes[o->type] == 4 ? SPACE_LDS : SPACE_FLAT; }

/* Is an operand the same in every active lane? */
static bool agree(const Wave *w, const Operand *o, u64 value)
{
	if (!o->scalar)
		for (Mask m = w->mask; m; m = mask_drop(m))
			if (sys_operand(w, o, mask_lowest(m)) != value)
				return false;
	return true;
}

static void check_event(Wave *w, u64 event, u32 ins, u32 lane)
{
	if (!event || event > w->group->copies_started)
		finding_add(w, FINDING_invalid_event, ins, lane);
}

/* Is the copy that a wavefront starts the one that the first wavefront started as its so manieth? */
static bool same_copy(const AsyncCopy *a, const AsyncCopy *b)
{
	return a->ins == b->ins && a->to == b->to && a->from == b->from && a->count == b->count &&
	       a->stride == b->stride && a->event == b->event;
}

/* Every wavefront starts the same copies in the same order; the first one makes the
 * entry. An event is the number of its first copy, from 1. */
const Step *step_async_copy(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Ins *ins = &w->code->p->ins.v[s->ins];
	Group *g = w->group;
	u32 lane = mask_lowest(w->mask);
	u64 v[5];
	bool alike = true;
	for (u32 i = 0; i < COUNT(v); i++) {
		v[i] = sys_operand(w, &sys->src[i], lane);
		alike &= agree(w, &sys->src[i], v[i]);
	}
	if (v[4])
		check_event(w, v[4], s->ins, lane);
	AsyncCopy c = {.access = &w->code->accesses.v[sys->access],
	               .to = v[0],
	               .from = v[1],
	               .count = v[2],
	               .stride = v[3],
	               .to_space = (u8)side_space(&sys->src[0]),
	               .from_space = (u8)side_space(&sys->src[1]),
	               .event = v[4] ? v[4] : w->copies_started + 1,
	               .serial = w->copies_started,
	               .elem_bytes = (u32)ins->imm,
	               .dir = ins->aux & COPY_TO_GLOBAL,
	               .by_code = ins->aux & COPY_BY_CODE,
	               .ins = s->ins};
	if (!c.to && c.dir == COPY_TO_LDS) /* which pointer of no address space it is, is known */
		c.to_space = SPACE_LDS;
	if (!c.from && c.dir != COPY_TO_LDS)
		c.from_space = SPACE_LDS;
	flow_expect_all(w, FINDING_divergent_copy, s->ins);
	if (w->copies_started == g->copies_started) {
		array_push(&g->copies, c);
		g->copies_pending = true;
		g->copies_started++;
	} else {
		for (u32 i = 0; i < g->copies.n; i++)
			if (g->copies.v[i].serial == c.serial)
				alike &= same_copy(&g->copies.v[i], &c);
	}
	if (!alike)
		finding_add(w, FINDING_divergent_copy, s->ins, lane);
	w->copies_started++;
	w->copying = c.by_code;
	for (u32 l = 0, lanes = sys->dst_scalar[0] ? 1 : w->n; l < lanes; l++)
		memcpy(w->r + s->d + l * 8, &c.event, 8);
	return s + 1;
}

const Step *step_async_copied(Wave *w, const Step *s)
{
	w->copying = false;
	return s + 1;
}

static u64 from_step(const AsyncCopy *c) { return c->elem_bytes * (c->dir == COPY_TO_LDS ? c->stride : 1); }
static u64 to_step(const AsyncCopy *c) { return c->elem_bytes * (c->dir == COPY_TO_GLOBAL ? c->stride : 1); }

static void move(Wave *w, const AsyncCopy *c)
{
	u8 bytes[LARGEST_ACCESS];
	u32 lane = w->mask ? mask_lowest(w->mask) : 0;
	for (u64 i = 0; i < c->count; i++) {
		Place from, to;
		if (!place_find(w, c->from_space, c->from + i * from_step(c), c->elem_bytes, false, c->ins, lane,
		                &from) ||
		    !place_find(w, c->to_space, c->to + i * to_step(c), c->elem_bytes, true, c->ins, lane, &to))
			return;
		place_read(w, &from, lane, bytes, c->elem_bytes);
		if (w->worker->races) {
			race_lane(w, c->access, ACCESS_LOAD, &from, lane, c->elem_bytes, NULL);
			race_lane(w, c->access, ACCESS_STORE, &to, lane, c->elem_bytes, bytes);
		}
		if (w->worker->unset)
			unset_element(w, c->ins, &to, &from, lane, c->elem_bytes);
		if (w->worker->debug)
			debug_moved(w, c->ins, &to, lane, c->elem_bytes);
		place_write(w, &to, lane, bytes, c->elem_bytes);
	}
}

/* Complete the copies of one event, or all of them (event 0). */
static void finish(Wave *w, u64 event)
{
	Group *g = w->group;
	u32 left = 0;
	g->copies_pending = false; /* the moves themselves are no findings */
	for (u32 i = 0; i < g->copies.n; i++) {
		const AsyncCopy *c = &g->copies.v[i];
		if (event && c->event != event)
			g->copies.v[left++] = *c;
		else if (!c->by_code)
			move(w, c);
	}
	g->copies.n = left;
	g->copies_pending = left > 0;
}

/* Event number i that a lane waits for; false (after a finding) when it cannot be read. */
static bool event_at(Wave *w, const Operand *src, u64 i, u32 ins, u32 lane, u64 *event)
{
	Place p;
	u8 where = w->code->p->ins.v[ins].aux;
	u32 bytes = where == WAIT_I32 ? 4 : 8;
	const Operand *list = &src[1];
	if (where == WAIT_VALUES) {
		*event = sys_operand(w, &src[i], lane);
		return true;
	}
	if (!place_find(w, side_space(list) == SPACE_FLAT ? SPACE_FLAT : SPACE_PRIVATE,
	                sys_operand(w, list, lane) + bytes * i, bytes, false, ins, lane, &p))
		return false;
	*event = 0;
	place_read(w, &p, lane, event, bytes);
	return true;
}

/* The first wavefront's first lane says which events the group waits for; the others must agree. */
const Step *step_async_wait(Wave *w, const Step *s)
{
	const Operand *src = w->code->sys.v[s->x].src;
	const Ins *ins = &w->code->p->ins.v[s->ins];
	Group *g = w->group;
	flow_expect_all(w, FINDING_divergent_barrier, s->ins);
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		u64 n = ins->aux == WAIT_VALUES ? ins->nsrc : (u32)sys_operand(w, &src[0], lane), event = 0, i = 0;
		bool first = !g->waits, alike = first || n == g->waited.n;
		for (; i < n && (first || alike) && event_at(w, src, i, s->ins, lane, &event); i++) {
			if (!first) {
				alike = event == g->waited.v[i];
				continue;
			}
			check_event(w, event, s->ins, lane);
			array_push(&g->waited, event);
		}
		if (!alike)
			finding_add(w, FINDING_divergent_wait, s->ins, lane);
		g->waits = true;
	}
	return flow_arrive(w, s);
}

void async_meet(Worker *wk, u32 waves)
{
	Group *g = &wk->group;
	for (u32 i = 0; i < waves; i++) {
		Wave *w = &wk->waves[i];
		if (w->state != WAVE_BARRIER)
			continue;
		for (u32 j = 0; j < g->copies.n; j++)
			if (g->copies.v[j].serial >= w->copies_started)
				finding_add(w, FINDING_divergent_copy, g->copies.v[j].ins, mask_lowest(w->mask));
		w->copies_started = g->copies_started;
	}
	for (u32 i = 0; i < g->waited.n; i++)
		finish(&wk->waves[0], g->waited.v[i]);
	g->waited.n = 0;
	g->waits = false;
}

void async_group_end(Wave *w)
{
	Group *g = w->group;
	for (u32 i = 0; i < g->copies.n; i++)
		finding_add(w, FINDING_missing_wait, g->copies.v[i].ins, 0);
	finish(w, 0);
}

static u64 plain(u32 space, u64 address)
{
	return space == SPACE_FLAT ? address & ~APERTURE_MASK : address;
}

static bool is_lds(u32 space, u64 address)
{
	return space == SPACE_LDS || (space == SPACE_FLAT && (address & APERTURE_MASK) == APERTURE_LDS);
}

static bool overlaps(u32 space, u64 address, u64 n, u32 copy_space, u64 start, u64 step, const AsyncCopy *c)
{
	if (!c->count || is_lds(space, address) != is_lds(copy_space, start))
		return false;
	u64 a = plain(space, address), b = plain(copy_space, start);
	if (a + n <= b || a >= b + (c->count - 1) * step + c->elem_bytes)
		return false;
	/* Between two elements of a strided side nothing is touched. */
	return a < b || (a - b) % step < c->elem_bytes || (a - b) % step + n > step;
}

void async_check(Wave *w, u32 ins, u32 lane, u32 space, u64 address, u64 bytes, bool write)
{
	Group *g = w->group;
	for (u32 i = 0; i < g->copies.n; i++) {
		const AsyncCopy *c = &g->copies.v[i];
		if (overlaps(space, address, bytes, c->to_space, c->to, to_step(c), c) ||
		    (write && overlaps(space, address, bytes, c->from_space, c->from, from_step(c), c))) {
			u32 place = is_lds(space, address) ? SPACE_LDS : SPACE_GLOBAL;
			finding_memory(w, FINDING_unfinished_copy, ins, lane, place, plain(space, address), bytes,
			               write);
			return;
		}
	}
}
