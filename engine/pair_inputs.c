/* The same inputs for two launches.
 *
 * What is computed shall be the same, so values and contents are the first launch's, by the names of
 * the arguments. How it is computed is the second's own affair when somebody said it: group sizes,
 * local memory, the sizes of buffers. */
#include "engine/pair.h"
#include "engine/run.h"

#define note(p, ...) array_push(&(p)->notes, arena_printf((p)->arena, __VA_ARGS__))

static void take_sizes(Launch *to, const Launch *from, bool fixed_local)
{
	if (to->global_from == FROM_NOBODY && from->global_from > FROM_GUESS) {
		memcpy(to->global, from->global, sizeof to->global);
		to->work_dim = from->work_dim;
		to->global_from = FROM_FILE;
	}
	if (to->offset_from == FROM_NOBODY && from->offset_from > FROM_GUESS) {
		memcpy(to->offset, from->offset, sizeof to->offset);
		to->offset_from = FROM_FILE;
	}
	if (to->local_from == FROM_NOBODY && from->local_from > FROM_GUESS && !fixed_local) {
		memcpy(to->local, from->local, sizeof to->local);
		to->local_from = FROM_FILE;
	}
}

static u32 find_argument(const Launch *l, const char *name)
{
	u32 i = 0;
	while (i < l->nargs && (!l->kernel_args[i].name || !name || strcmp(l->kernel_args[i].name, name) != 0))
		i++;
	return i;
}

static bool is_own(const Pair *p, const char *name)
{
	for (u32 i = 0; i < p->own.n; i++)
		if (!strcmp(p->own.v[i], name))
			return true;
	return false;
}

static void take_value(Pair *p, LaunchArg *to, const LaunchArg *from, const char *name)
{
	bool same = to->size == from->size && !memcmp(to->bytes, from->bytes, to->size);
	if (same)
		return;
	if (to->size != from->size) {
		note(p, "'%s' is not of the same type in both kernels: each has its own value", name);
		return;
	}
	if (to->origin > FROM_GUESS)
		note(p, "'%s' is the value of %s in both; %s gives another one of its own", name, p->side[0].label,
		     p->side[1].label);
	to->bytes = from->bytes;
}

static void take_argument(Pair *p, u32 i)
{
	Launch *l = &p->side[1].run->launch;
	const Launch *from = &p->side[0].run->launch;
	LaunchArg *to = &l->args[i];
	const char *name = l->kernel_args[i].name;
	u32 k = find_argument(from, name);
	if (k == from->nargs) {
		if (to->kind != LAUNCH_LOCAL)
			note(p, "%s has no argument '%s': it is an input of %s alone", p->side[0].label,
			     name ? name : "?", p->side[1].label);
		return;
	}
	const LaunchArg *other = &from->args[k];
	if (is_own(p, name) || to->kind != other->kind)
		return;
	bool guessed = to->origin <= FROM_GUESS || to->count_guessed;
	bool same_shape = to->shape.stride == other->shape.stride;
	if (to->kind == LAUNCH_VALUE)
		take_value(p, to, other, name);
	else if ((guessed && same_shape) || to->kind == LAUNCH_SAMPLER)
		*to = *other;
}

/* ---- memory ---- */

static void keep_contents(Pair *p, PairSide *x)
{
	x->initial = ARENA_ARRAY(p->arena, u8 *, x->run->args.n + 1);
	for (u32 i = 0; i < x->run->args.n; i++) {
		if (!x->run->args.data[i])
			continue;
		x->initial[i] = arena_alloc(p->arena, x->run->args.size[i]);
		memcpy(x->initial[i], x->run->args.data[i], x->run->args.size[i]);
	}
}

static void take_contents(Pair *p)
{
	const Arguments *from = &p->side[0].run->args;
	Arguments *to = &p->side[1].run->args;
	const Launch *l = &p->side[1].run->launch;
	for (u32 i = 0; i < to->n; i++) {
		const char *name = l->kernel_args[i].name;
		u32 k = find_argument(&p->side[0].run->launch, name);
		if (k == from->n || !to->data[i] || !from->data[k] || is_own(p, name))
			continue;
		u64 n = to->size[i] < from->size[k] ? to->size[i] : from->size[k];
		memcpy(to->data[i], from->data[k], n);
		if (to->size[i] != from->size[k])
			note(p, "'%s' has %llu bytes in %s and %llu in %s: the first %llu are the same", name,
			     (unsigned long long)from->size[k], p->side[0].label, (unsigned long long)to->size[i],
			     p->side[1].label, (unsigned long long)n);
	}
}

bool pair_bind(Pair *p)
{
	EngineRun *a = p->side[0].run, *b = p->side[1].run;
	run_uses(b, a);
	if (!run_settle(a))
		return false;
	take_sizes(&b->launch, &a->launch, b->program->reqd_local[0] != 0);
	if (!run_settle(b))
		return false;
	for (u32 i = 0; i < b->launch.nargs; i++)
		take_argument(p, i);
	if (launch_items(&a->launch) != launch_items(&b->launch))
		note(p, "%s runs %llu work-items, %s %llu", p->side[0].label,
		     (unsigned long long)launch_items(&a->launch), p->side[1].label,
		     (unsigned long long)launch_items(&b->launch));
	if (!launch_check(&b->launch, &b->limits, b->d) || !run_fill(a) || !run_fill(b))
		return false;
	take_contents(p);
	for (u32 s = 0; s < SIDES; s++)
		keep_contents(p, &p->side[s]);
	return true;
}

void pair_free(Pair *p)
{
	array_free(&p->own);
	array_free(&p->notes);
}
