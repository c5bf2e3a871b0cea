/* Results of two launches, element by element, by the names of the arguments.
 *
 * Bit for bit; a NaN equals every other NaN, and --max-ulp accepts floats within so many units in the last place. */
#include "engine/element.h"
#include "engine/pair_writers.h"
#include "engine/run.h"

typedef struct Both {
	Pair *p;
	u32 arg[SIDES], front[SIDES]; /* front: bytes before a pipe's packets */
	CompareBuffer *out;
	ElemShape shape;
} Both;

static void keep_first(void *ctx, u64 index, u32 c, const ElemShape *s, u64 x, u64 y)
{
	const Both *b = ctx;
	if (b->out->nfirst == COMPARE_SHOWN)
		return;
	b->out->first[b->out->nfirst++] =
		(CompareElement){.index = index, .component = c, .text = {element_text(b->p->arena, s, x),
	                         element_text(b->p->arena, s, y)}};
}

static void compare_elements(Both *b)
{
	CompareBuffer *out = b->out;
	double most = (double)b->p->max_ulp;
	ElementCompare c = {.shape = b->shape, .ulps = {most, most, most}, .differs = keep_first, .ctx = b};
	const u8 *at[SIDES];
	u64 size[SIDES];
	for (u32 i = 0; i < SIDES; i++) {
		at[i] = (const u8 *)b->p->side[i].run->args.data[b->arg[i]] + b->front[i];
		size[i] = b->p->side[i].run->args.size[b->arg[i]] - b->front[i];
	}
	c.a = at[0];
	c.b = at[1];
	c.size = size[0] < size[1] ? size[0] : size[1];
	if (b->shape.elem_class == ELEM_OTHER)
		c.floats = b->p->side[0].run->program->args.v[b->arg[0]].floats;
	element_compare(&c);
	out->different = c.different;
	out->within = c.within;
	out->has_ulp = c.has_ulp;
	out->max_ulp = c.max_ulp;
}

static u32 find_result(const EngineRun *s, const char *name)
{
	u32 i = 0;
	while (i < s->args.n && !(run_writes(s, i) && name && s->program->args.v[i].name &&
	                          !strcmp(s->program->args.v[i].name, name)))
		i++;
	return i;
}

/* Two pipes hold the same number of packets. */
static void compare_packets(Both *b)
{
	u64 n[SIDES];
	for (u32 i = 0; i < SIDES; i++) {
		const EngineRun *s = b->p->side[i].run;
		if (!b->front[i])
			return;
		n[i] = launch_pipe_count(&s->launch.args[b->arg[i]], s->args.data[b->arg[i]]);
	}
	if (n[0] == n[1])
		return;
	b->out->different++;
	b->out->note = arena_printf(b->p->arena, "one holds %llu packets, the other %llu", (unsigned long long)n[0],
	                            (unsigned long long)n[1]);
}

static void compare_buffer(Pair *p, CompareResults *r, u32 i, u32 k)
{
	const EngineRun *s[SIDES] = {p->side[0].run, p->side[1].run};
	Both b = {.p = p, .arg = {i, k}, .out = &r->buffers[r->nbuffers++]};
	CompareBuffer *out = b.out;
	b.shape = element_shape_of_both(element_shape(&s[0]->launch.args[i], &s[0]->program->args.v[i]),
	                                element_shape(&s[1]->launch.args[k], &s[1]->program->args.v[k]));
	out->name = s[0]->program->args.v[i].name;
	out->type = s[0]->program->args.v[i].type_name;
	out->width = b.shape.width;
	for (u32 side = 0; side < SIDES; side++) {
		b.front[side] = arguments_front(&s[side]->launch.args[b.arg[side]]);
		out->elements[side] = element_count(&b.shape, s[side]->args.size[b.arg[side]] - b.front[side]);
	}
	if (out->elements[0] != out->elements[1])
		out->note = arena_printf(
		    p->arena, "%llu elements in one and %llu in the other: those that both have are compared",
		    (unsigned long long)out->elements[0], (unsigned long long)out->elements[1]);
	compare_elements(&b);
	compare_packets(&b);
	r->compared += out->elements[0] < out->elements[1] ? out->elements[0] : out->elements[1];
	r->different += out->different;
	WriterQuestion q[COMPARE_SHOWN];
	for (u32 side = 0; out->nfirst && side < SIDES; side++) {
		for (u32 n = 0; n < out->nfirst; n++)
			q[n] = (WriterQuestion){b.arg[side], b.front[side] + out->first[n].index * b.shape.stride +
			                        (u64)out->first[n].component * b.shape.elem_bytes, b.shape.elem_bytes,
			                        &out->first[n].by[side]};
		pair_find_writers(p, side, q, out->nfirst);
	}
}

static void alone(Pair *p, CompareResults *r, u32 side, u32 i)
{
	const EngineRun *s = p->side[side].run;
	CompareBuffer *out = &r->buffers[r->nbuffers++];
	out->name = s->program->args.v[i].name;
	out->type = s->program->args.v[i].type_name;
	ElemShape shape = element_shape(&s->launch.args[i], &s->program->args.v[i]);
	out->elements[side] = element_count(&shape, s->args.size[i] - arguments_front(&s->launch.args[i]));
	out->note = arena_printf(p->arena, "%s alone writes it", p->side[side].label);
}

CompareResults *pair_results(Pair *p)
{
	EngineRun *a = p->side[0].run, *b = p->side[1].run;
	run_clock(a);
	run_clock(b);
	CompareResults *r = ARENA_NEW(p->arena, CompareResults);
	r->buffers = ARENA_ARRAY(p->arena, CompareBuffer, a->args.n + b->args.n + 1);
	bool stopped = a->profile->stopped || b->profile->stopped;
	bool sampled =
	    stopped || a->profile->groups_run < a->profile->groups || b->profile->groups_run < b->profile->groups;
	if (sampled)
		r->missing = stopped ? "a launch was stopped early" : "--sample ran only a part of the work-groups";
	for (u32 i = 0; !sampled && i < a->args.n; i++) {
		if (!run_writes(a, i))
			continue;
		u32 k = find_result(b, a->program->args.v[i].name);
		if (k < b->args.n)
			compare_buffer(p, r, i, k);
		else
			alone(p, r, 0, i);
	}
	for (u32 k = 0; !sampled && k < b->args.n; k++)
		if (run_writes(b, k) && find_result(a, b->program->args.v[k].name) == a->args.n)
			alone(p, r, 1, k);
	r->printed = a->profile->printed.n || b->profile->printed.n;
	r->printed_differs = !sampled && (a->profile->printed.n != b->profile->printed.n ||
	                                  (r->printed && memcmp(a->profile->printed.v, b->profile->printed.v,
	                                                        a->profile->printed.n) != 0));
	if (!sampled && !r->compared && !r->printed)
		r->missing = "there is no result that both kernels write";
	r->notes = p->notes.v;
	r->nnotes = p->notes.n;
	return run_in_time(a) && run_in_time(b) ? r : NULL;
}
