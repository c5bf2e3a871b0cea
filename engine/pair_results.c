/* Results of two launches, element by element, by the names of the arguments.
 *
 * Bit for bit; a NaN equals every other NaN, and --max-ulp accepts floats within so many units in the last place. */
#include "engine/element.h"
#include "engine/pair_writers.h"
#include "engine/run.h"

typedef struct Both {
	Pair *p;
	u32 arg[SIDES];
	const u8 *data[SIDES]; /* what it holds: of a pipe, its packets */
	u64 size[SIDES];
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
	c.a = b->data[0];
	c.b = b->data[1];
	c.size = b->size[0] < b->size[1] ? b->size[0] : b->size[1];
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

static const LaunchArg *arg_of(const Both *b, u32 side) { return &b->p->side[side].run->launch.args[b->arg[side]]; }

/* Where that component is in the argument's memory. */
static u64 place_of(const Both *b, u32 side, const CompareElement *e)
{
	const LaunchArg *a = arg_of(b, side);
	const u8 *memory = b->p->side[side].run->args.data[b->arg[side]];
	u64 at = a->pipe ? launch_pipe_at(a, memory, e->index) : e->index * b->shape.stride;
	return at + (u64)e->component * b->shape.elem_bytes;
}

static void find_writers(const Both *b)
{
	WriterQuestion q[COMPARE_SHOWN];
	for (u32 side = 0; b->out->nfirst && side < SIDES; side++) {
		for (u32 n = 0; n < b->out->nfirst; n++) {
			CompareElement *e = &b->out->first[n];
			q[n] = (WriterQuestion){b->arg[side], place_of(b, side, e), b->shape.elem_bytes, &e->by[side]};
		}
		pair_find_writers(b->p, side, q, b->out->nfirst);
	}
}

/* A packet that one pipe lacks is another result. Buffers may have other sizes: what both have counts. */
static void compare_lengths(const Both *b)
{
	CompareBuffer *out = b->out;
	unsigned long long n = out->elements[0], m = out->elements[1], less = n < m ? n : m, more = n < m ? m : n;
	bool pipes = arg_of(b, 0)->pipe && arg_of(b, 1)->pipe;
	if (n != m)
		out->note = pipes ? arena_printf(b->p->arena, "packets: %llu in one and %llu in the other", n, m)
		                  : arena_printf(b->p->arena,
		                                 "%llu elements in one and %llu in the other: those that both "
		                                 "have are compared",
		                                 n, m);
	out->different += pipes ? more - less : 0;
	out->compared = pipes ? more : less;
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
		b.data[side] = engine_buffer(s[side], b.arg[side], &b.size[side]);
		out->elements[side] = element_count(&b.shape, b.size[side]);
	}
	compare_elements(&b);
	compare_lengths(&b);
	r->compared += out->compared;
	r->different += out->different;
	find_writers(&b);
}

static void alone(Pair *p, CompareResults *r, u32 side, u32 i)
{
	const EngineRun *s = p->side[side].run;
	CompareBuffer *out = &r->buffers[r->nbuffers++];
	out->name = s->program->args.v[i].name;
	out->type = s->program->args.v[i].type_name;
	ElemShape shape = element_shape(&s->launch.args[i], &s->program->args.v[i]);
	u64 size;
	engine_buffer(s, i, &size);
	out->elements[side] = element_count(&shape, size);
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
