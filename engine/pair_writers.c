/* Who wrote an element: the work-groups run again, recorded.
 *
 * First those that are likely, the one with the work-item of that number and the one with that
 * number itself, then all of them, some at a time; each run holds the memory as the one before
 * left it. The record has the lane of the store, and what the same lane had loaded before. */
#include "engine/element.h"
#include "engine/pair_writers.h"
#include "engine/run.h"

enum { WAVES_AT_ONCE = 256, WORDS = 1 << 16, ELEMENTS = 4 };

typedef struct Search {
	Pair *p;
	const PairSide *x;
	WriterQuestion *q;
	u32 n, found;
	SimLaunch sim;
	u64 groups[3], ngroups;
} Search;

/* ---- memory of its own ---- */

static void copy_memory(Search *s, Arena *a)
{
	const Arguments *args = &s->x->run->args;
	s->sim = s->x->run->sim;
	s->sim.buffers = ARENA_ARRAY(a, SimBuffer, s->sim.nbuffers + 1);
	if (s->sim.nbuffers)
		memcpy(s->sim.buffers, args->buffers, s->sim.nbuffers * sizeof *s->sim.buffers);
	for (u32 i = 0; i < args->n; i++) {
		if (!args->data[i])
			continue;
		u8 *data = arena_alloc(a, args->size[i] + 1);
		memcpy(data, s->x->initial[i], args->size[i]);
		s->sim.buffers[args->buffer_of[i]].data = data;
	}
}

/* ---- reading a record ---- */

static u64 address_of(const Search *s, const WriterQuestion *q)
{
	return sim_buffer_address(s->x->run->program, s->x->run->args.buffer_of[q->arg]) + q->offset;
}

/* The lane of a shape that touches these bytes; -1: none. */
static int lane_at(const LaneShape *shape, u64 address, u64 want, u64 bytes)
{
	u32 k = 0;
	for (Mask m = shape->mask; m; m = mask_drop(m), k++) {
		u64 at = address + (u64)shape->offset[k];
		if (at < want + bytes && want < at + shape->bytes)
			return (int)mask_lowest(m);
	}
	return -1;
}

/* Where lane `lane` of a shape accesses; false: it takes no part. */
static bool lane_address(const LaneShape *shape, u64 address, u32 lane, u64 *at)
{
	if (!(shape->mask & mask_lane(lane)))
		return false;
	u32 k = mask_count(shape->mask & mask_first(lane));
	*at = address + (u64)shape->offset[k];
	return true;
}

static void name_item(const Search *s, const WaveEvents *e, u32 lane, u64 item[3])
{
	const SimLaunch *l = &s->sim;
	u64 group[3] = {e->group % s->groups[0], e->group / s->groups[0] % s->groups[1],
	                e->group / s->groups[0] / s->groups[1]};
	u64 linear = (u64)e->wave * s->x->run->wave + lane, size[3];
	for (u32 i = 0; i < 3; i++) {
		u64 left = l->global[i] - group[i] * l->local[i];
		size[i] = left < l->local[i] ? left : l->local[i]; /* the last group may be smaller */
	}
	u64 local[3] = {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
	for (u32 i = 0; i < 3; i++)
		item[i] = l->offset[i] + group[i] * l->local[i] + local[i];
}

static void add_input(Search *s, CompareWriter *w, u64 at)
{
	const EngineRun *x = s->x->run;
	for (u32 i = 0; i < x->args.n; i++) {
		u64 base = x->args.data[i] ? sim_buffer_address(x->program, x->args.buffer_of[i]) : 0;
		if (!base || at < base || at >= base + x->args.size[i])
			continue;
		ElemShape shape = element_shape(&x->launch.args[i], &x->program->args.v[i]);
		const char *name = x->program->args.v[i].name;
		u64 index = (at - base) / shape.stride;
		if (shape.elem_class == ELEM_OTHER || x->args.size[i] - index * shape.stride < shape.stride) {
			shape = (ElemShape){.elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .stride = 1};
			index = at - base;
		}
		for (u32 k = 0; k < w->ninputs; k++)
			if (w->input[k].name == name && w->input[k].index == index)
				return;
		w->nread++;
		if (w->ninputs == ELEMENTS)
			return;
		Buf text = {0};
		const u8 *element = s->x->initial[i] + index * shape.stride;
		for (u32 c = 0; c < shape.width; c++)
			buf_printf(&text, "%s%s", c ? ", " : shape.width > 1 ? "(" : "",
			           element_text(s->p->arena, &shape,
			                        elem_bits(element + c * shape.elem_bytes, shape.elem_bytes)));
		buf_printf(&text, "%s", shape.width > 1 ? ")" : "");
		w->input[w->ninputs++] = (CompareInput){name, index, false, buf_keep(&text, s->p->arena)};
		return;
	}
}

static void add_values(Search *s, CompareWriter *w)
{
	const Launch *l = &s->x->run->launch;
	for (u32 i = 0; i < l->nargs && w->ninputs < COMPARE_INPUTS; i++) {
		const LaunchArg *a = &l->args[i];
		if (a->kind != LAUNCH_VALUE || a->shape.width != 1 || !a->shape.elem_bytes || a->shape.elem_bytes > 8)
			continue;
		w->input[w->ninputs++] =
			(CompareInput){l->kernel_args[i].name, 0, true,
		                       element_text(s->p->arena, &a->shape,
		                                    elem_bits(a->bytes, a->shape.elem_bytes))};
	}
}

/* A store of a wavefront: which it was, and what that lane had loaded. */
static void answer(Search *s, WriterQuestion *q, const WaveEvents *e, const EventWord *store, u32 lane)
{
	const Program *p = s->x->run->program;
	CompareWriter *w = q->answer;
	s->found += !w->known;
	*w = (CompareWriter){.known = true};
	name_item(s, e, lane, w->item);
	const SrcLoc *loc = program_place(p, p->ins.v[store->ins].loc);
	if (loc) {
		w->file = arena_strdup(s->p->arena, p->files.v[loc->file]);
		w->line = loc->line;
	}
	u64 where;
	for (EventWord x = {0}; event_next(e, &x) && x.at < store->at;)
		if (x.kind == EVENT_ACCESS && !x.shape->lds && !x.shape->write &&
		    lane_address(x.shape, x.address, lane, &where))
			add_input(s, w, where);
	add_values(s, w);
}

static void read_wave(Search *s, const WaveEvents *e)
{
	for (EventWord x = {0}; event_next(e, &x);) {
		if (x.kind != EVENT_ACCESS || x.shape->lds || (!x.shape->write && !x.shape->atomic))
			continue;
		for (u32 k = 0; k < s->n; k++) {
			int lane = lane_at(x.shape, x.address, address_of(s, &s->q[k]), s->q[k].bytes);
			if (lane >= 0)
				answer(s, &s->q[k], e, &x, (u32)lane);
		}
	}
}

/* ---- running ---- */

static void run_groups(Search *s, const u64 *groups, u32 n)
{
	const EngineRun *x = s->x->run;
	SimRecord record = {.groups = groups, .ngroups = n, .words = WORDS};
	SimConfig cfg = {.wave = x->wave, .lds = x->lds, .line_bytes = x->device.line_bytes, .threads = 1,
	                 .max_instructions = x->want.max_instructions, .record = &record, .only = groups, .nonly = n,
	                 .deadline = x->deadline, .stop = x->want.stop};
	Diag quiet;
	diag_init(&quiet);
	Profile *prof = sim_run(x->program, &s->sim, &cfg, &quiet);
	for (u32 i = 0; prof && prof->events && i < prof->events->waves.n; i++)
		read_wave(s, &prof->events->waves.v[i]);
	profile_free(prof);
	diag_free(&quiet);
}

static void add_group(u64 *list, u32 *n, u64 group)
{
	u32 k = *n;
	for (u32 i = 0; i < *n; i++)
		if (list[i] == group)
			return;
	for (; k && list[k - 1] > group; k--)
		list[k] = list[k - 1];
	list[k] = group;
	++*n;
}

static void try_likely(Search *s)
{
	const SimLaunch *l = &s->sim;
	u64 list[2 * COMPARE_SHOWN];
	u32 n = 0;
	for (u32 k = 0; k < s->n; k++) {
		const LaunchArg *arg = &s->x->run->launch.args[s->q[k].arg];
		u64 index = s->q[k].offset / (arg->shape.stride ? arg->shape.stride : 1);
		u64 item[3] = {index % l->global[0], index / l->global[0] % l->global[1],
		               index / l->global[0] / l->global[1]};
		u64 group = item[0] / l->local[0] + s->groups[0] * (item[1] / l->local[1] +
		            s->groups[1] * (item[2] / l->local[2]));
		if (item[2] < l->global[2])
			add_group(list, &n, group);
		if (index < s->ngroups)
			add_group(list, &n, index);
	}
	if (n)
		run_groups(s, list, n);
}

static void try_all(Search *s)
{
	u64 items = s->sim.local[0] * s->sim.local[1] * s->sim.local[2];
	u64 waves = (items + s->x->run->wave - 1) / s->x->run->wave;
	u64 list[WAVES_AT_ONCE], most = waves < WAVES_AT_ONCE ? WAVES_AT_ONCE / waves : 1;
	for (u64 from = 0; from < s->ngroups && s->found < s->n; from += most) {
		u32 n = 0;
		while (n < most && from + n < s->ngroups)
			list[n] = from + n, n++;
		run_groups(s, list, n);
	}
}

void pair_find_writers(Pair *p, u32 side, WriterQuestion *q, u32 n)
{
	Search s = {.p = p, .x = &p->side[side], .q = q, .n = n};
	launch_groups(&s.x->run->launch, s.groups);
	s.ngroups = s.groups[0] * s.groups[1] * s.groups[2];
	Arena *a = arena_new();
	copy_memory(&s, a);
	try_likely(&s);
	if (s.found < n)
		try_all(&s);
	arena_free(a);
}
