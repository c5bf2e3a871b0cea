/* Results that lie within --max-ulp of the usual launch's count as the same: such a point gets the usual launch's
 * checksum. The usual launches run before all others, and what they leave behind is kept until the sweep ends. */
#include "engine/element.h"
#include "engine/run.h"
#include "engine/sweep.h"

typedef struct SameOutput {
	const char *name;
	ElemShape shape;
	const u8 *data;
	u64 size;
} SameOutput;

struct SweepLeft {
	struct SweepLeft *next;
	const char *device, *results; /* the checksum */
	Buf printed;
	SameOutput *outputs;
	u32 n;
};

static ElemShape shape_of(const EngineRun *s, u32 i)
{
	return element_shape(&s->launch.args[i], &s->program->args.v[i]);
}

void sweep_same_keep(SweepSame *s, const EngineRun *run, const char *device, const char *results)
{
	pthread_mutex_lock(&s->lock);
	SweepLeft *left = ARENA_NEW(s->arena, SweepLeft);
	*left = (SweepLeft){.next = s->left, .device = arena_strdup(s->arena, device),
	                    .results = arena_strdup(s->arena, results)};
	const Buf *printed = &run->profile->printed;
	left->printed.v = arena_strndup(s->arena, printed->v ? printed->v : "", printed->n);
	left->printed.n = printed->n;
	left->outputs = ARENA_ARRAY(s->arena, SameOutput, run->args.n + 1);
	for (u32 i = 0; i < run->args.n; i++) {
		if (!run_writes(run, i))
			continue;
		const char *name = run->program->args.v[i].name;
		u64 size;
		const void *held = engine_buffer(run, i, &size);
		left->outputs[left->n++] = (SameOutput){name ? arena_strdup(s->arena, name) : NULL, shape_of(run, i),
		                                        arena_copy(s->arena, held, size), size};
	}
	s->left = left;
	pthread_mutex_unlock(&s->lock);
}

static bool output_within(const SweepSame *s, const SameOutput *have, const EngineRun *run, u32 i)
{
	double most = (double)s->max_ulp;
	u64 size;
	const u8 *data = engine_buffer(run, i, &size);
	if (size != have->size)
		return false;
	ElementCompare c = {.shape = element_shape_of_both(have->shape, shape_of(run, i)), .ulps = {most, most, most},
	                    .a = have->data, .b = data, .size = size};
	if (c.shape.elem_class == ELEM_OTHER)
		c.floats = run->program->args.v[i].floats;
	element_compare(&c);
	return !c.different;
}

static const SameOutput *find_output(const SweepLeft *left, const char *name)
{
	for (u32 i = 0; i < left->n; i++)
		if (name && left->outputs[i].name && !strcmp(left->outputs[i].name, name))
			return &left->outputs[i];
	return NULL;
}

/* Does the run write what is kept, and nothing else? */
static bool left_within(const SweepSame *s, const SweepLeft *left, const EngineRun *run)
{
	const Buf *printed = &run->profile->printed;
	u32 n = 0;
	if (printed->n != left->printed.n || (printed->n && memcmp(printed->v, left->printed.v, printed->n) != 0))
		return false;
	for (u32 i = 0; i < run->args.n; i++) {
		if (!run_writes(run, i))
			continue;
		const SameOutput *have = find_output(left, run->program->args.v[i].name);
		if (!have || !output_within(s, have, run, i))
			return false;
		n++;
	}
	return n == left->n;
}

const char *sweep_same(SweepSame *s, const EngineRun *run, const char *device, const char *results)
{
	pthread_mutex_lock(&s->lock);
	const SweepLeft *left = s->left; /* what is in the list does not change */
	pthread_mutex_unlock(&s->lock);
	for (; left; left = left->next)
		if (!strcmp(left->device, device) &&
		    (!strcmp(left->results, results) || left_within(s, left, run)))
			return left->results;
	return results;
}
