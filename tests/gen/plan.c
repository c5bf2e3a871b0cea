/* What a program has before its code: the launch, the kernel's parameters with the data
 * that the launch gives them, and the memory that functions and kernel will work on. */
#include "tests/gen/gen.h"

enum { MAX_TILE_BYTES = 8192 };

/* ---- the launch ---- */

static u32 some_divisor(Gen *g, u32 n)
{
	u32 d;
	do
		d = 1 + below(g, n);
	while (n % d);
	return d;
}

static void make_grid(Gen *g)
{
	static const u16 sizes[] = {1,  2,  7,  16, 31,  32,  33,  48,  63, 64,
				    64, 64, 65, 96, 100, 128, 130, 192, 256};
	Grid *q = &g->grid;
	u32 group = sizes[below(g, COUNT(sizes))];
	u32 groups = group < 64 ? 1 + below(g, 6) : 1 + below(g, 3);
	u32 x = below(g, 100);
	q->dims = x < 60 ? 1 : x < 85 ? 2 : 3;
	q->group = group;
	q->groups = groups;
	q->items = group * groups;
	bool offset = chance(g, 15);
	for (u32 d = 0; d < 3; d++) {
		bool last = d + 1 >= q->dims;
		q->local[d] = d >= q->dims ? 1 : last ? group : some_divisor(g, group);
		u32 n = d >= q->dims ? 1 : last ? groups : some_divisor(g, groups);
		q->global[d] = q->local[d] * n;
		if (d < q->dims) {
			group /= q->local[d];
			groups /= n;
			if (offset)
				q->offset[d] = below(g, 20);
		}
	}
}

/* ---- parameters ---- */

static void add_param(Gen *g, const char *name, char *decl, char *spec)
{
	if (g->nparams == COUNT(g->param))
		return;
	KernelParam *p = &g->param[g->nparams++];
	*p = (KernelParam){.decl = decl, .spec = spec};
	set_name(p->name, name);
}

/* An element type: three-element vectors have a hole in memory, so none of those. */
static Type memory_type(Gen *g)
{
	Type t = pick_type(g);
	if (t.width == 3)
		t.width = 4;
	return t;
}

static void plan_arr(Gen *g, const Arr *a)
{
	if (g->nplan < COUNT(g->plan))
		g->plan[g->nplan++] = *a;
}

static char *input_data(Gen *g, Type t, u32 count)
{
	u32 x = below(g, 100);
	if (x < 12)
		return arena_printf(g->arena, "iota:%u", count);
	if (x < 40 && (is_float(t.kind) || is_signed(t.kind)))
		return arena_printf(g->arena, "random(-100,100):%u", count);
	if (x < 50)
		return arena_printf(g->arena, "random(0,%u):%u", 2 + below(g, 50), count);
	return arena_printf(g->arena, "random:%u", count);
}

static void make_input(Gen *g, Type t)
{
	Arr a = {.type = t, .space = SP_global, .count = 16u << below(g, 4)};
	if (chance(g, 20))
		a.space = SP_constant;
	fresh_name(g, a.name, "in");
	memcpy(a.param, a.name, NAME);
	const char *space = a.space == SP_constant ? "__constant" : "__global const";
	add_param(g, a.name, arena_printf(g->arena, "%s %s *%s", space, type_name(g, t), a.name),
		  input_data(g, t, a.count));
	plan_arr(g, &a);
}

static void make_output(Gen *g)
{
	Arr a = {.type = memory_type(g), .space = SP_global, .write = true};
	a.count = 1u << below(g, 4);
	fresh_name(g, a.name, "o");
	fresh_name(g, a.param, "out");
	add_param(g, a.param,
		  arena_printf(g->arena, "__global %s *%s", type_name(g, a.type), a.param),
		  arena_printf(g->arena, "zero:%u", g->grid.items * a.count));
	plan_arr(g, &a);
}

static void make_counter(Gen *g)
{
	Arr a = {.space = SP_global, .count = 1u << below(g, 5)};
	a.family = (u8)(1 + below(g, FAMILIES - 1));
	u32 kinds = a.family == A_add ? M_uint : I32;
	if (chance(g, 20) && has(g, F_long))
		kinds = M_ulong;
	a.type = mk_type(pick_kind(g, kinds), 1);
	fresh_name(g, a.name, "acc");
	memcpy(a.param, a.name, NAME);
	add_param(g, a.name,
		  arena_printf(g->arena, "volatile __global %s *%s", type_name(g, a.type), a.name),
		  arena_printf(g->arena, chance(g, 50) ? "zero:%u" : "random:%u", a.count));
	plan_arr(g, &a);
}

/* The layout decides how many elements the group needs; see tile_slot. */
static void make_tile(Gen *g, bool global)
{
	Arr a = {.type = memory_type(g), .tile = true, .own = 1};
	u32 n = g->grid.group;
	a.space = global ? SP_global : SP_local;
	if (global) /* a buffer is compared by its bits, and a NaN has many */
		a.type.kind = (u8)to_unsigned(a.type.kind);
	a.layout = (u8)(chance(g, 55) ? 0 : below(g, 4));
	if (a.layout < 2 && chance(g, 30))
		a.own = 2 + below(g, 3);
	while (type_bytes(a.type) * n * a.own > MAX_TILE_BYTES) {
		if (a.own > 1)
			a.own--;
		else
			a.type = mk_type(K_uint, 1);
	}
	a.count = a.layout == 3 ? n + n / 32 : n * a.own;
	if (!global && chance(g, 15))
		a.count += below(g, 20);
	fresh_name(g, a.name, global ? "w" : "tile");
	if (global || chance(g, 30))
		fresh_name(g, a.param, global ? "work" : "scratch");
	const char *tn = type_name(g, a.type);
	if (global) {
		add_param(g, a.param, arena_printf(g->arena, "__global %s *%s", tn, a.param),
			  arena_printf(g->arena, "zero:%u", g->grid.groups * a.count));
	} else if (*a.param) {
		memcpy(a.param, a.name, NAME);
		add_param(g, a.name, arena_printf(g->arena, "__local %s *%s", tn, a.name),
			  arena_printf(g->arena, "local:%u", a.count));
	}
	plan_arr(g, &a);
	if (!global && has(g, F_async) && chance(g, 75))
		make_input(g, a.type);
}

static void make_atomic_tile(Gen *g)
{
	Arr a = {.space = SP_local, .tile = true, .atomic = true};
	a.type = mk_type(pick_kind(g, I32), 1);
	a.count = 1u << below(g, 6);
	fresh_name(g, a.name, "tally");
	plan_arr(g, &a);
}

static char *number(Gen *g, u32 kind)
{
	bool minus = (is_signed(kind) || is_float(kind)) && chance(g, 30);
	if (is_float(kind)) {
		u32 quarters = below(g, 400);
		return arena_printf(g->arena, "%s%u.%02u", minus ? "-" : "", quarters / 4,
				    quarters % 4 * 25);
	}
	u32 most = kind_bits(kind) == 8 ? 100 : chance(g, 60) ? 40 : 30000;
	return arena_printf(g->arena, "%s%u", minus ? "-" : "", below(g, most));
}

static void make_value(Gen *g)
{
	Type t = chance(g, 70) ? pick_scalar(g) : pick_type(g);
	char name[NAME];
	fresh_name(g, name, "n");
	char *spec = number(g, t.kind);
	for (u32 i = 1; i < t.width; i++) {
		char *next = number(g, t.kind);
		spec = arena_printf(g->arena, "%s,%s", spec, next);
	}
	add_param(g, name, arena_printf(g->arena, "%s %s", type_name(g, t), name), spec);
	add_var(g, name, t, false, true);
}

void make_plan(Gen *g)
{
	make_grid(g);
	add_param(g, "res", arena_strdup(g->arena, "__global uint *res"),
		  arena_printf(g->arena, "zero:%u", g->grid.items));
	for (u32 n = 1 + below(g, 2); n > 0; n--)
		make_input(g, memory_type(g));
	for (u32 n = below(g, 3); n > 0; n--)
		make_output(g);
	if (has(g, F_atomic))
		for (u32 n = below(g, 3); n > 0; n--)
			make_counter(g);
	if (has(g, F_local)) {
		for (u32 n = chance(g, 15) ? 0 : 1 + below(g, 2); n > 0; n--)
			make_tile(g, false);
		if (has(g, F_atomic) && chance(g, 40))
			make_atomic_tile(g);
		if (chance(g, 25))
			make_tile(g, true);
	}
	for (u32 n = below(g, 4); n > 0; n--)
		make_value(g);
}
