/* Cache lines of one wave access to global memory: the distinct lines that the
 * active lanes touch, against the fewest that could hold what they asked for. */
#include "sim/wave.h"

enum { SLOTS = 1024 }; /* more than 128 lanes of 128 bytes can touch, so the table never fills */

u32 lines_count(const u64 *addr, u32 bytes, Mask mask, u32 shift)
{
	u64 seen[SLOTS];
	u32 lines = 0;
	u64 last = UINT64_MAX;
	memset(seen, 0xFF, sizeof seen);
	for (Mask m = mask; m; m = mask_drop(m)) {
		u64 first = addr[mask_lowest(m)];
		for (u64 line = first >> shift; line <= (first + bytes - 1) >> shift; line++) {
			if (line == last)
				continue;
			last = line;
			u32 h = (u32)(line * 0x9E3779B97F4A7C15u >> 54);
			while (seen[h] != UINT64_MAX && seen[h] != line)
				h = (h + 1) % SLOTS;
			lines += seen[h] != line;
			seen[h] = line;
		}
	}
	return lines;
}

static void add(Wave *w, const Access *a, u32 active, u32 ideal, u32 actual)
{
	AccessProf *p = &w->worker->accesses[a - w->code->accesses.v];
	p->accesses++;
	p->ideal_lines += ideal;
	p->actual_lines += actual;
	p->bytes += (u64)active * a->bytes;
	w->prof.lines += actual;
}

/* At most the actual ones: lanes that want the same bytes share them. */
static u32 ideal_lines(const Wave *w, const Access *a, u32 active, u32 actual)
{
	u32 shift = w->worker->m->line_shift;
	u32 ideal = (active * a->bytes + (1u << shift) - 1) >> shift;
	return ideal < actual ? ideal : actual;
}

void count_lines_run(Wave *w, const Access *a, u64 first, u64 bytes, u32 active)
{
	u32 shift = w->worker->m->line_shift;
	u32 actual = (u32)(((first + bytes - 1) >> shift) - (first >> shift) + 1);
	add(w, a, active, ideal_lines(w, a, active, actual), actual);
}

void count_lines(Wave *w, const Access *a, Mask mask, const u64 *addr, u64 base)
{
	/* Moving every address by whole lines changes nothing. */
	Memo *m = &w->worker->memos[a->memo];
	u32 shift = w->worker->m->line_shift;
	u64 first = addr[mask_lowest(mask)];
	u64 phase = (first + base) & ((1u << shift) - 1);
	u32 active = mask == w->mask ? w->active : mask_count(mask);
	if (!(m->valid && m->mask == mask && m->phase == phase &&
	      !(w->code->kit->moved64(addr, w->n, first, m->offset.o64) & mask))) {
		u64 moved[MAX_WAVE];
		for (u32 l = 0; l < w->n; l++) {
			moved[l] = addr[l] + base;
			m->offset.o64[l] = addr[l] - first;
		}
		m->mask = mask;
		m->phase = phase;
		m->valid = true;
		m->actual = lines_count(moved, a->bytes, mask, shift);
		m->ideal = ideal_lines(w, a, active, m->actual);
	}
	add(w, a, active, m->ideal, m->actual);
}
