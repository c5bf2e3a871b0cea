/* Work-group copies. The bytes move when the work-group passes wait_group_events,
 * not before, so a kernel that reads too early sees old data here as it may on a
 * machine; and every access to memory of a copy under way is a finding. */
#include "sim/memory.h"

enum { TO_LDS, TO_GLOBAL };

static u32 side_space(const Operand *o) { return type_bytes[o->type] == 4 ? SPACE_LDS : SPACE_FLAT; }

/* Every wavefront starts the same copies in the same order; the first one makes the entry. */
const Step *sys_async_copy(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const Ins *ins = &w->code->p->ins.v[s->ins];
	Group *g = w->group;
	u32 lane = mask_lowest(w->mask);
	if (w->copies_started == g->copies.n) {
		AsyncCopy c = {.to = sys_operand(w, &sys->src[0], lane), .from = sys_operand(w, &sys->src[1], lane),
		               .to_space = (u8)side_space(&sys->src[0]), .from_space = (u8)side_space(&sys->src[1]),
		               .count = sys_operand(w, &sys->src[2], lane),
		               .stride = sys_operand(w, &sys->src[3], lane), .elem_bytes = (u32)ins->imm,
		               .dir = ins->aux, .ins = s->ins};
		array_push(&g->copies, c);
		g->copies_pending = true;
	}
	w->copies_started++;
	for (u32 l = 0, lanes = sys->dst_scalar[0] ? 1 : w->n; l < lanes; l++)
		memset(w->r + s->d + l * 8, 0, 8);
	return s + 1;
}

static u64 from_step(const AsyncCopy *c) { return c->elem_bytes * (c->dir == TO_LDS ? c->stride : 1); }
static u64 to_step(const AsyncCopy *c) { return c->elem_bytes * (c->dir == TO_GLOBAL ? c->stride : 1); }

static void move(Wave *w, const AsyncCopy *c)
{
	u8 bytes[LARGEST_ACCESS];
	u32 lane = w->mask ? mask_lowest(w->mask) : 0;
	for (u64 i = 0; i < c->count; i++) {
		Place from, to;
		if (!place_find(w, c->from_space, c->from + i * from_step(c), c->elem_bytes, false, c->ins, lane, &from) ||
		    !place_find(w, c->to_space, c->to + i * to_step(c), c->elem_bytes, true, c->ins, lane, &to))
			return;
		place_read(w, &from, lane, bytes, c->elem_bytes);
		place_write(w, &to, lane, bytes, c->elem_bytes);
	}
}

void async_finish(Wave *w)
{
	Group *g = w->group;
	g->copies_pending = false; /* the moves themselves are no findings */
	for (u32 i = 0; i < g->copies.n; i++)
		move(w, &g->copies.v[i]);
	g->copies.n = 0;
}

void async_group_end(Wave *w)
{
	Group *g = w->group;
	for (u32 i = 0; i < g->copies.n; i++)
		finding_add(w, FINDING_missing_wait, g->copies.v[i].ins, 0);
	async_finish(w);
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
			finding_memory(w, FINDING_unfinished_copy, ins, lane, place, plain(space, address), bytes, write);
			return;
		}
	}
}
