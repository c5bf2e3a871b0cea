/* The machine of a launch: segments and arguments laid out, and the workers that run its work-groups. */
#include "sim/check_race.h"
#include "sim/check_unset.h"
#include "sim/image.h"
#include "sim/launch.h"

#include "base/reserve.h"
#include "isa/abi.h"

/* ---- segments ---- */

static u32 first_buffer_seg(const Program *p)
{
	u32 last = 0;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if ((o->space == SPACE_CONSTANT || o->space == SPACE_GLOBAL) && o->seg > last)
			last = o->seg;
	}
	return last + 1;
}

u64 sim_buffer_address(const Program *p, u32 buffer)
{
	return (u64)(first_buffer_seg(p) + buffer) << SEG_SHIFT;
}

static u64 object_address(const Object *o)
{
	switch (o->space) {
	case SPACE_LDS: return APERTURE_LDS | (u64)o->seg << SEG32_SHIFT;
	case SPACE_PRIVATE: return APERTURE_PRIVATE | (u64)o->seg << SEG32_SHIFT;
	default: return (u64)o->seg << SEG_SHIFT;
	}
}

static void object_load(LaunchRun *r, const Object *o)
{
	u8 *data = arena_alloc(r->arena, o->size);
	if (o->data)
		memcpy(data, o->data, o->size);
	for (u32 i = 0; i < o->nrelocs; i++) {
		const Reloc *rel = &o->relocs[i];
		u64 address = object_address(&r->m.p->objects.v[rel->target]) + (u64)rel->addend;
		if (rel->offset + 8 <= o->size)
			memcpy(data + rel->offset, &address, 8);
	}
	r->m.segs[o->seg] = (Seg){.data = data, .size = o->size, .name = o->name, .readable = true,
	                           .writable = o->space == SPACE_GLOBAL, .span = o->size};
}

/* A read-only segment of our own; its address. */
static u64 extra_seg(LaunchRun *r, u32 *next, const void *bytes, u64 size, const char *name)
{
	r->m.segs[*next] = (Seg){.data = arena_copy(r->arena, bytes, size), .size = size, .name = name,
	                            .readable = true, .span = size};
	return (u64)(*next)++ << SEG_SHIFT;
}

static Seg buffer_seg(const SimBuffer *b)
{
	return (Seg){.data = b->data,
	             .size = b->size,
	             .name = b->name,
	             .readable = b->readable,
	             .writable = b->writable,
	             .unset = b->unset,
	             .guessed = b->guessed,
	             .element = b->element,
	             .span = image_span(b),
	             .image = b->image};
}

static void launch_segs(LaunchRun *r, u32 *next)
{
	const SimLaunch *l = r->m.launch;
	u8 dispatch[DISPATCH_BYTES] = {0}, implicit[IMPLICIT_BYTES] = {0}, v5[IMPLICIT_BYTES] = {0};
	u16 dims = (u16)l->dims;
	for (u32 i = 0; i < 3; i++) {
		u16 local = (u16)l->local[i], left = (u16)(l->global[i] % l->local[i]);
		u32 global = (u32)l->global[i], groups = (u32)r->m.groups[i];
		u32 full = (u32)(l->global[i] / l->local[i]);
		memcpy(dispatch + DISPATCH_LOCAL_SIZE + i * 2, &local, 2);
		memcpy(dispatch + DISPATCH_GLOBAL_SIZE + i * 4, &global, 4);
		memcpy(implicit + IMPLICIT_GROUPS + i * 4, &groups, 4);
		memcpy(implicit + IMPLICIT_LOCAL_SIZE + i * 2, &local, 2);
		memcpy(implicit + IMPLICIT_REMAINDER + i * 2, &left, 2);
		memcpy(implicit + IMPLICIT_GLOBAL_OFFSET + i * 8, &l->offset[i], 8);
		memcpy(v5 + V5_GROUPS + i * 4, &full, 4);
		memcpy(v5 + V5_LOCAL_SIZE + i * 2, &local, 2);
		memcpy(v5 + V5_REMAINDER + i * 2, &left, 2);
		memcpy(v5 + V5_GLOBAL_OFFSET + i * 8, &l->offset[i], 8);
		memcpy(v5 + V5_ALL_GROUPS + i * 4, &groups, 4);
	}
	memcpy(v5 + V5_DIMS, &dims, 2);
	memcpy(dispatch + DISPATCH_SETUP, &dims, 2);
	r->m.dispatch_ptr = extra_seg(r, next, dispatch, sizeof dispatch, "dispatch packet");
	r->m.implicitarg_ptr = extra_seg(r, next, implicit, sizeof implicit, "implicit arguments");
	r->m.implicitarg_v5_ptr = extra_seg(r, next, v5, sizeof v5, "implicit arguments");
}

/* ---- arguments ---- */

static u64 buffer_pointer(const Machine *m, u32 buffer)
{
	const u64 *own = m->launch->addresses;
	return own && own[buffer] ? own[buffer] : sim_buffer_address(m->p, buffer);
}

static u64 arg_address(const LaunchRun *r, u32 i, const u32 *arg_seg)
{
	const SimArg *a = &r->m.launch->args[i];
	switch (a->kind) {
	case SIM_BUFFER: return buffer_pointer(&r->m, a->buffer) + a->at;
	case SIM_LOCAL: return (u64)arg_seg[i] << SEG32_SHIFT;
	case SIM_NULL: return r->m.p->args.v[i].kind == ARG_LOCAL ? UINT32_MAX : 0;
	case SIM_VALUE: break;
	}
	return 0;
}

static bool params_fill(LaunchRun *r, const u32 *arg_seg, u32 *next_seg, Diag *d)
{
	const Program *p = r->m.p;
	bool ok = true;
	for (u32 i = 0; i < p->params.n; i++) {
		const Param *param = &p->params.v[i];
		const SimArg *a = &r->m.launch->args[param->arg];
		u8 *slot = r->m.code->scalars + r->m.code->reg[param->reg];
		u32 bytes = type_bytes[p->regs.v[param->reg].type];
		if (a->kind != SIM_VALUE) {
			u64 address = arg_address(r, param->arg, arg_seg);
			memcpy(slot, &address, bytes < 8 ? bytes : 8);
		} else if (param->by_address) {
			u64 address = extra_seg(r, next_seg, a->bytes, a->size, p->args.v[param->arg].name);
			memcpy(slot, &address, 8);
		} else if ((u64)param->offset + bytes > a->size) {
			ok = diag_error(d, NO_LOC, "argument '%s' of kernel '%s' has %llu bytes, %u are needed",
			                p->args.v[param->arg].name, p->kernel, (unsigned long long)a->size,
			                param->offset + bytes);
		} else {
			memcpy(slot, (const u8 *)a->bytes + param->offset, bytes);
		}
	}
	return ok;
}

/* ---- addresses of the program's own ---- */

FIELD_ORDER(by_span, SegSpan, address)

/* Where a segment begins for the machine, and what it may hold, no buffer of the program's may lie: an address says
 * which is meant. */
static bool spans_fit(const Machine *m, Diag *d)
{
	const u64 whole = (u64)1 << SEG_SHIFT, room = (u64)1 << 34;
	for (u32 i = 0; i < m->nspans; i++) {
		const SegSpan *s = &m->spans[i];
		u64 number = (s->address + s->size) >> SEG_SHIFT, offset = s->address & (whole - 1);
		bool apart = s->address >> SEG_SHIFT == number && offset >= room;
		if ((number < m->nsegs && !apart) || s->address >> 47 ||
		    (i && m->spans[i - 1].address + m->spans[i - 1].size > s->address))
			return diag_error(d, NO_LOC, "memory at 0x%llx cannot be simulated at this address",
			                  (unsigned long long)s->address);
	}
	return true;
}

static bool spans_new(Machine *m, Arena *a, Diag *d)
{
	const SimLaunch *l = m->launch;
	SegSpan *spans = ARENA_ARRAY(a, SegSpan, l->nbuffers + 1);
	for (u32 i = 0; i < l->nbuffers && l->addresses; i++)
		if (l->addresses[i])
			spans[m->nspans++] = (SegSpan){l->addresses[i], l->buffers[i].size, first_buffer_seg(m->p) + i};
	sort(spans, m->nspans, sizeof *spans, by_span);
	m->spans = spans;
	return spans_fit(m, d);
}

/* Just behind a segment is past its end; further away is no part of it. */
u64 span_address(const Machine *m, u64 address)
{
	enum { AROUND = 32 << 10 };
	u32 low = 0, high = m->nspans;
	while (low < high) {
		u32 middle = (low + high) / 2;
		if (m->spans[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const SegSpan *s = low ? &m->spans[low - 1] : NULL;
	if (s && address - s->address < s->size + AROUND)
		return ((u64)s->seg << SEG_SHIFT) + (address - s->address);
	s = low < m->nspans ? &m->spans[low] : NULL;
	return s && s->address - address < AROUND ? ((u64)s->seg << SEG_SHIFT) - (s->address - address) : address;
}

/* ---- workers ---- */

/* Zeros, aligned as vectors of the host may want it. */
static void *aligned_zeros(size_t size)
{
	void *p;
	while (!(p = aligned_alloc(64, (size + 63) & ~(size_t)63)))
		reserve_need(size);
	return memset(p, 0, size);
}

void worker_init(LaunchRun *r, Worker *wk)
{
	const Machine *m = &r->m;
	const Code *c = m->code;
	wk->m = m;
	wk->set = m->sets ? access_set(m->sets, (u32)(wk - r->workers)) : NULL;
	wk->races = m->cfg->check.races ? race_new(wk) : NULL;
	wk->unset = m->cfg->check.uninit ? unset_new(wk) : NULL;
	Arena *a = wk->arena = arena_new();
	wk->blocks = ARENA_ARRAY(a, BlockProf, m->p->blocks.n + 1);
	wk->accesses = ARENA_ARRAY(a, AccessProf, c->accesses.n + 1);
	wk->divisions = ARENA_ARRAY(a, DivisionProf, c->divisions.n + 1);
	wk->outside = ARENA_ARRAY(a, bool, c->sys.n + 1);
	wk->rows = ARENA_ARRAY(a, PatternRow, c->nrows + 1);
	wk->patterns = ARENA_ARRAY(a, Pattern, (size_t)c->nrows * PATTERNS + 1);
	wk->uses = ARENA_ARRAY(a, PatternUse, (size_t)c->accesses.n * PATTERNS + 1);
	for (u32 i = 0; i < m->p->funcs.n && !wk->image_call; i++)
		wk->image_call = m->p->funcs.v[i].image ? image_call_new(a) : NULL;
	if (m->cfg->record)
		touched_new(wk);
	if (m->nviews) {
		wk->view_accesses = ARENA_ARRAY(a, AccessProf, (size_t)c->accesses.n * m->nviews + 1);
		wk->view_counts = ARENA_ARRAY(a, ViewCount, (size_t)c->accesses.n * PATTERNS * m->nviews + 1);
	}
	wk->waves = aligned_zeros(m->waves_per_group * sizeof(Wave));
	wk->group.lds = arena_alloc(a, m->lds_bytes + 64u);
	wk->wave_profs = r->wave_profs;
	wk->work = r->work;
	wk->nwork = r->nwork;
	wk->local_ids = ARENA_ARRAY(a, u32, (size_t)m->waves_per_group * 3 * c->n);
	for (u32 i = 0; i < m->waves_per_group; i++) {
		Wave *w = &wk->waves[i];
		w->n = c->n;
		w->code = c;
		w->worker = wk;
		w->group = &wk->group;
		w->index = i;
		w->r = aligned_zeros(c->reg_bytes);
		w->priv = arena_alloc(a, (size_t)c->priv_bytes * c->n + 4);
		w->priv_set = c->unset ? arena_alloc(a, (size_t)c->priv_bytes * c->n + 4) : NULL;
		w->unset = c->follow ? aligned_zeros(c->reg_bytes / 16 * sizeof *w->unset) : NULL;
	}
}

void wave_arrays_free(Wave *w)
{
	array_free(&w->pending);
	array_free(&w->splits);
	array_free(&w->segments);
	array_free(&w->forks);
	array_free(&w->frames);
}

void worker_free(Worker *wk)
{
	for (u32 i = 0; i < wk->m->waves_per_group; i++) {
		Wave *w = &wk->waves[i];
		free(w->r);
		free(w->unset);
		wave_arrays_free(w);
		array_free(&w->events);
	}
	race_free(wk->races);
	unset_free(wk->unset);
	shape_table_free(wk->shapes);
	array_free(&wk->wave_events);
	event_pool_free(&wk->wave_words);
	for (u32 i = 0; i < wk->findings.n; i++)
		free(wk->findings.v[i].detail);
	array_free(&wk->findings);
	hash_index_free(&wk->finding_index);
	for (u32 i = 0; i < wk->printed.n; i++)
		free(wk->printed.v[i].text);
	free(wk->waves);
	touched_free(wk);
	free(wk->swap_slots);
	arena_free(wk->arena);
	array_free(&wk->group.copies);
	array_free(&wk->group.waited);
	array_free(&wk->group.prints);
	array_free(&wk->printed);
}

/* ---- the whole ---- */

/* Where private variable o is first used, or nowhere. */
static Loc private_loc(const Program *p, const Object *o)
{
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		const SrcLoc *at = program_place(p, ins->loc);
		for (u32 k = 0; at && k < ins->nsrc; k++) {
			const Reg *reg = &p->regs.v[ins_src(p, ins)[k]];
			if (reg->kind == REG_CONST && reg->type == T_i32 && (u32)reg->value >> SEG32_SHIFT == o->seg)
				return (Loc){p->files.v[at->file], at->line, at->col};
		}
	}
	return NO_LOC;
}

/* A work-group's private memory fits into MOST_PRIVATE? *group: its bytes. */
static bool private_fits(const Machine *m, u64 items, u64 *group, Diag *d)
{
	const Program *p = m->p;
	const Object *largest = NULL;
	u64 item = 0, lanes = (items + m->cfg->wave - 1) / m->cfg->wave * m->cfg->wave;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if (o->space != SPACE_PRIVATE)
			continue;
		item += object_private_bytes(o);
		largest = !largest || o->size > largest->size ? o : largest;
	}
	*group = item * lanes;
	if (*group <= MOST_PRIVATE)
		return true;
	diag_error(d, private_loc(p, largest),
	           "kernel '%s' needs %" PRIu64 " bytes of private memory for each work-item, %.3g GiB "
	           "for the %" PRIu64 " lanes of a work-group; at most %u GiB are simulated",
	           p->kernel, item, (double)*group / (1 << 30), lanes, (u32)(MOST_PRIVATE >> 30));
	return diag_hint(d, "'%s' has %u bytes", largest->name, largest->size);
}

bool machine_sizes(LaunchRun *r, Diag *d)
{
	Machine *m = &r->m;
	const SimLaunch *l = m->launch;
	u64 items = 1;
	for (u32 i = 0; i < 3; i++) {
		m->groups[i] = (l->global[i] + l->local[i] - 1) / l->local[i];
		items *= l->local[i];
	}
	m->ngroups = m->groups[0] * m->groups[1] * m->groups[2];
	m->waves_per_group = (u32)((items + m->cfg->wave - 1) / m->cfg->wave);
	return private_fits(m, items, &r->group_private, d);
}

bool machine_init(LaunchRun *r, bool observed, bool apart, Diag *d)
{
	Machine *m = &r->m;
	const SimLaunch *l = m->launch;
	m->code = code_new(m->p, m->cfg, observed, apart);
	views_new(m, r->arena);
	u32 buffers = first_buffer_seg(m->p), next = buffers + l->nbuffers;
	m->nsegs = next + 3 + m->p->params.n;
	m->segs = ARENA_ARRAY(r->arena, Seg, m->nsegs + 1);
	for (u32 i = 0; i < m->p->objects.n; i++) {
		const Object *o = &m->p->objects.v[i];
		if (o->space == SPACE_CONSTANT || o->space == SPACE_GLOBAL)
			object_load(r, o);
	}
	for (u32 i = 0; i < l->nbuffers; i++)
		m->segs[buffers + i] = buffer_seg(&l->buffers[i]);
	u32 *arg_seg = ARENA_ARRAY(r->arena, u32, m->p->args.n + 1);
	if (!spans_new(m, r->arena, d) || !sim_lds_fits(m->p, l, m->cfg->max_lds, d))
		return false;
	lds_place(m, r->arena, arg_seg);
	launch_segs(r, &next);
	return params_fill(r, arg_seg, &next, d);
}
