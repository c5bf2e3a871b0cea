/* What a launch that is debugged looks like between two instructions: see debug.h. */
#include "sim/debug_run.h"

#include "sim/memory.h"

u64 sim_debug_group(const SimDebug *s, u32 id[3])
{
	memcpy(id, s->worker->group.id, sizeof s->worker->group.id);
	return s->worker->group.linear;
}

u32 sim_debug_waves(const SimDebug *s) { return group_waves(s->worker); }
void sim_debug_local(const SimDebug *s, u32 local[3]) { memcpy(local, s->worker->group.local, 3 * sizeof *local); }

SimWave sim_debug_wave(const SimDebug *s, u32 wave)
{
	const Wave *w = &s->worker->waves[wave];
	SimWave x = {.block = w->block,
	             .depth = w->frames.n ? w->frames.n - 1 : 0,
	             .mask = w->mask,
	             .began = w->began,
	             .alive = w->alive,
	             .last = s->last[wave]};
	x.state = w->state == WAVE_DONE ? SIM_ENDED : w->state == WAVE_BARRIER ? SIM_AT_BARRIER : SIM_READY;
	x.ins = x.state == SIM_ENDED ? NO_INS : x.state == SIM_AT_BARRIER ? w->barrier_ins : w->resume->ins;
	if (x.state == SIM_ENDED)
		x.mask = x.alive = 0;
	return x;
}

u32 sim_debug_frame(const SimDebug *s, u32 wave, u32 frame)
{
	const Wave *w = &s->worker->waves[wave];
	if (w->state == WAVE_DONE || frame >= w->frames.n)
		return NO_INS;
	return frame ? w->frames.v[w->frames.n - frame].back[-1].ins : sim_debug_wave(s, wave).ins;
}

/* ---- lanes that wait ---- */

/* The latest branch that these lanes and running ones both ran. */
static u32 parted_at(const Wave *w, Mask lanes)
{
	for (u32 i = w->forks.n; i-- > 0;)
		if ((w->forks.v[i].lanes & lanes) == lanes && w->forks.v[i].lanes & w->mask)
			return w->forks.v[i].block;
	return NO_BLOCK;
}

static u32 meets_at(const Wave *w, Mask lanes)
{
	for (u32 i = w->splits.n; i-- > 0;)
		if ((w->splits.v[i].lanes & lanes) == lanes)
			return w->splits.v[i].reconv;
	return NO_BLOCK;
}

static SimWaiting waiting(const Wave *w, Mask lanes, u32 block, u32 frame)
{
	return (SimWaiting){
	    .lanes = lanes, .block = block, .frame = frame, .parted = parted_at(w, lanes), .meet = meets_at(w, lanes)};
}

u32 sim_debug_waiting(const SimDebug *s, u32 wave, SimWaiting *out, u32 most)
{
	const Wave *w = &s->worker->waves[wave];
	u32 n = 0, end = w->pending.n;
	if (w->state == WAVE_DONE)
		return 0;
	for (u32 f = w->frames.n; f-- > 0; end = w->frames.v[f].pending_base) {
		const Frame *x = &w->frames.v[f];
		u32 frame = w->frames.n - 1 - f;
		if (x->returned && x->back && n < most)
			out[n++] = waiting(w, x->returned, NO_BLOCK, frame);
		for (u32 i = end; i > x->pending_base && n < most; i--)
			out[n++] = waiting(w, w->pending.v[i - 1].mask, w->pending.v[i - 1].block, frame);
		end = x->pending_base;
	}
	return n;
}

/* ---- values ---- */

void sim_debug_item(const SimDebug *s, u32 wave, u32 lane, u64 global_id[3], u64 local_id[3])
{
	item_ids(&s->run.m, s->worker->group.linear, wave, lane, global_id, local_id);
}

const void *sim_debug_register(const SimDebug *s, u32 wave, u32 reg)
{
	return s->worker->waves[wave].r + s->run.m.code->reg[reg];
}

bool sim_debug_read(const SimDebug *s, u32 wave, u32 lane, u32 space, u64 address, u64 n, void *to)
{
	Place p;
	const Wave *w = &s->worker->waves[wave];
	FindingKind k = place_peek(w, space, address, n, false, &p);
	if (k != FINDING_COUNT && k != FINDING_write_only)
		return false;
	place_read(w, &p, lane, to, n);
	return true;
}

u64 sim_debug_extent(const SimDebug *s, u32 wave, u32 space, u64 address, const char **name)
{
	const Machine *m = &s->run.m;
	const Wave *w = &s->worker->waves[wave];
	space = place_space(space, &address);
	u64 shift = space == SPACE_GLOBAL ? SEG_SHIFT : SEG32_SHIFT;
	u64 number = address >> shift, at = address & (((u64)1 << shift) - 1), size = 0;
	*name = NULL;
	if (space == SPACE_PRIVATE) {
		size = number < w->code->npriv ? w->code->priv_size[number] : 0;
		*name = private_name(m->p, number);
	} else if (number && number < (space == SPACE_LDS ? m->nlds : m->nsegs)) {
		const Seg *seg = space == SPACE_LDS ? &m->lds_segs[number] : &m->segs[number];
		size = seg->size;
		*name = seg->name;
	}
	return at < size ? size - at : 0;
}

bool sim_debug_watchable(const SimDebug *s, u32 wave, u32 space, u64 address, u64 n, SimWatch *out)
{
	Place p;
	const Wave *w = &s->worker->waves[wave];
	FindingKind k = place_peek(w, space, address, n, false, &p);
	if ((k != FINDING_COUNT && k != FINDING_write_only) || p.space == SPACE_PRIVATE)
		return false;
	bool lds = p.space == SPACE_LDS;
	*out = (SimWatch){.lds = lds, .bytes = n, .first = lds ? (u64)(p.bytes - w->group->lds) : p.address};
	return true;
}

bool sim_debug_writer(const SimDebug *s, u32 wave, u32 space, u64 address, SimWriter *out)
{
	SimWatch at;
	if (!sim_debug_watchable(s, wave, space, address, 1, &at) || !at.lds || at.first / 4 >= s->trace.nlds)
		return false;
	const LdsWriter *x = &s->trace.lds[at.first / 4];
	*out = (SimWriter){x->wave, x->lane, x->ins - 1};
	return x->ins;
}

const Finding *sim_debug_finding(const SimDebug *s, u32 i)
{
	u32 n = s->repeats ? s->found.n : s->worker->findings.n;
	const Finding *all = s->repeats ? s->found.v : s->worker->findings.v;
	return i < n ? &all[i] : NULL;
}

void sim_debug_printed(SimDebug *s, Buf *out)
{
	buf_write(out, s->printed.v, s->printed.n);
	s->printed.n = 0;
}
