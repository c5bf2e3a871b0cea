/* What work-items of a group do together. Memory that they share (a tile) is in the
 * readable state between statements: all writes are behind a barrier, and a new write
 * waits behind another one. So everything outside this file may read any element. What a
 * work-item writes is computed before the first barrier. */
#include "tests/gen/gen.h"

static bool any_tile(const Gen *g, const Arr *a)
{
	(void)g;
	return a->tile && !a->atomic;
}

static bool atomic_tile(const Gen *g, const Arr *a)
{
	(void)g;
	return a->tile && a->atomic;
}

/* One slot each, at the work-item's own index: what neighbours can be computed from. */
static bool line_tile(const Gen *g, const Arr *a)
{
	(void)g;
	return a->tile && !a->atomic && a->own == 1 && a->layout == 0;
}

void put_barrier(Gen *g, const Arr *a)
{
	put_line(g, "barrier(%s);",
		 a->space == SP_local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE");
}

/* Layouts: 0 item-major, 1 slot-major, 2 rotated, 3 a pad after every 32 slots. */
void tile_slot(Gen *g, const Arr *a, u32 k)
{
	u32 n = g->grid.group;
	if (a->layout == 1)
		put(g, "%uu + lid", k * n);
	else if (a->layout == 2)
		put(g, "(lid + %uu) %% %uu", n / 3 + 1, n);
	else if (a->layout == 3)
		put(g, "lid + lid / 32u");
	else if (a->own == 1)
		put(g, "lid");
	else
		put(g, "lid * %uu + %uu", a->own, k);
}

void put_tile_init(Gen *g, const Arr *a)
{
	const char *tn = type_name(g, a->type);
	u32 factor = 1 + below(g, 100), term = below(g, 100);
	put_line(g, "for (uint i = lid; i < %uu; i += %uu) %s[i] = (%s)(i * %uu + %uu);", a->count,
		 g->grid.group, a->name, tn, factor, term);
	put_barrier(g, a);
}

/* Every work-item writes its slots, some perhaps not. */
void st_exchange(Gen *g)
{
	const Arr *a = pick_arr(g, any_tile);
	if (!a) {
		st_assign(g);
		return;
	}
	char x[NAME], c[NAME];
	fresh_name(g, x, "x");
	fresh_name(g, c, "c");
	bool some = chance(g, 25);
	put_line(g, "{");
	g->indent++;
	put_indent(g);
	put(g, "%s %s = ", type_name(g, a->type), x);
	put_expr(g, a->type, 3);
	put(g, ";\n");
	if (some) {
		put_indent(g);
		put(g, "int %s = ", c);
		put_cond(g, 2);
		put(g, ";\n");
	}
	put_barrier(g, a);
	for (u32 k = 0; k < a->own; k++) {
		put_indent(g);
		if (some)
			put(g, "if (%s) ", c);
		put(g, "%s[", a->name);
		tile_slot(g, a, k);
		put(g, "] = %s;\n", x);
	}
	put_barrier(g, a);
	g->indent--;
	put_line(g, "}");
}

/* Atomics of one family between two barriers. */
void st_burst(Gen *g)
{
	static const char *const ops[] = {"atomic_add", "atomic_sub", "atomic_and", "atomic_or",
					  "atomic_xor", "atomic_min", "atomic_max"};
	const Arr *a = pick_arr(g, atomic_tile);
	if (!a) {
		st_exchange(g);
		return;
	}
	char i[NAME], x[NAME], c[NAME];
	fresh_name(g, i, "i");
	fresh_name(g, x, "x");
	fresh_name(g, c, "c");
	put_line(g, "{");
	g->indent++;
	put_indent(g);
	put(g, "uint %s = ", i);
	put_index(g, a->count, 2);
	put(g, ";\n");
	put_indent(g);
	put(g, "%s %s = ", type_name(g, a->type), x);
	put_expr(g, a->type, 2);
	put(g, ";\n");
	put_indent(g);
	put(g, "int %s = ", c);
	put_cond(g, 2);
	put(g, ";\n");
	put_barrier(g, a);
	put_line(g, "if (%s) %s(&%s[%s], %s);", c, ops[below(g, COUNT(ops))], a->name, i, x);
	put_barrier(g, a);
	g->indent--;
	put_line(g, "}");
}

static void put_combine(Gen *g, Type t, const char *a, const char *b)
{
	const char *tn = type_name(g, t);
	if (is_float(t.kind))
		put(g, "%s + %s", a, b);
	else if (chance(g, 50))
		put(g, "add_%s(%s, %s)", tn, a, b);
	else
		put(g, "max(%s, %s)", a, b);
}

void st_reduce(Gen *g)
{
	const Arr *a = pick_arr(g, line_tile);
	u32 n = g->grid.group, half = 1;
	if (!a || n < 2) {
		st_exchange(g);
		return;
	}
	while (half * 2 < n)
		half *= 2;
	char s[NAME];
	fresh_name(g, s, "n");
	put_line(g, "for (uint %s = %uu; %s > 0u; %s >>= 1) {", s, half, s, s);
	g->indent++;
	put_barrier(g, a);
	put_line(g, "if (lid < %s && lid + %s < %uu)", s, s, n);
	put_indent(g);
	put(g, "\t%s[lid] = ", a->name);
	put_combine(g, a->type, arena_printf(g->arena, "%s[lid]", a->name),
		    arena_printf(g->arena, "%s[lid + %s]", a->name, s));
	put(g, ";\n");
	g->indent--;
	put_line(g, "}");
	put_barrier(g, a);
	g->cost += g->flow.mult * 20;
}

void st_scan(Gen *g)
{
	const Arr *a = pick_arr(g, line_tile);
	u32 n = g->grid.group;
	if (!a || n < 2) {
		st_exchange(g);
		return;
	}
	char d[NAME], x[NAME];
	fresh_name(g, d, "n");
	fresh_name(g, x, "x");
	const char *tn = type_name(g, a->type);
	put_line(g, "for (uint %s = 1u; %s < %uu; %s <<= 1) {", d, d, n, d);
	g->indent++;
	put_line(g, "%s %s = (%s)(0);", tn, x, tn);
	put_line(g, "if (lid >= %s) %s = %s[lid - %s];", d, x, a->name, d);
	put_barrier(g, a);
	put_indent(g);
	put(g, "%s[lid] = ", a->name);
	put_combine(g, a->type, arena_printf(g->arena, "%s[lid]", a->name), x);
	put(g, ";\n");
	put_barrier(g, a);
	g->indent--;
	put_line(g, "}");
	g->cost += g->flow.mult * 20;
}

/* A function with barriers, called by all: see put_round_function. */
void st_round(Gen *g)
{
	const Arr *a = pick_arr(g, any_tile);
	if (!a || a->space != SP_local) {
		st_exchange(g);
		return;
	}
	char x[NAME];
	fresh_name(g, x, "x");
	put_line(g, "{");
	g->indent++;
	put_indent(g);
	put(g, "%s %s = round_%s(%s, lid, ", type_name(g, a->type), x, a->name, a->name);
	put_expr(g, a->type, 2);
	put(g, ", ");
	put_expr(g, mk_type(K_uint, 1), 2);
	put(g, ");\n");
	const Var *v = NULL;
	for (u32 k = 0; k < 4 && (!v || v->uniform); k++)
		v = pick_assignable(g);
	if (v && !v->uniform) {
		put_indent(g);
		put(g, "%s = ", v->name);
		put_adapted(g, a->type, v->type, x);
		put(g, ";\n");
	}
	g->indent--;
	put_line(g, "}");
	g->cost += g->flow.mult * 20;
}

void put_round_function(Gen *g, const Arr *a)
{
	const char *tn = type_name(g, a->type);
	u32 rounds = 1 + below(g, 3);
	put(g, "%s round_%s(__local %s *t, uint lid, %s x, uint j)\n{\n", tn, a->name, tn, tn);
	g->indent = 1;
	if (rounds > 1) {
		put_line(g, "for (uint i = 0u; i < %uu; i++) {", rounds);
		g->indent++;
	}
	put_barrier(g, a);
	for (u32 k = 0; k < a->own; k++) {
		put_indent(g);
		put(g, "t[");
		tile_slot(g, a, k);
		put(g, "] = x;\n");
	}
	put_barrier(g, a);
	const char *step = rounds > 1 ? " + i" : "";
	put_indent(g);
	put(g, "x = ");
	put_combine(g, a->type, "x", arena_printf(g->arena, "t[(j%s) %% %uu]", step, a->count));
	put(g, ";\n");
	if (rounds > 1) {
		g->indent--;
		put_line(g, "}");
	}
	g->indent = 0;
	put(g, "\treturn x;\n}\n");
}

/* The whole tile from an input of the same type. */
void st_async(Gen *g)
{
	const Arr *a = pick_arr(g, any_tile), *from = NULL;
	for (u32 i = g->first_arr; a && i < g->narrs; i++) {
		const Arr *b = &g->arr[i];
		if (b->space == SP_global && !b->write && !b->tile && b->family == A_none &&
		    same_type(a->type, b->type) && b->count >= 2)
			from = b;
	}
	if (!from || a->space != SP_local) {
		st_exchange(g);
		return;
	}
	u32 n = a->count < from->count ? a->count : from->count;
	n = 1 + below(g, n);
	char e[NAME];
	fresh_name(g, e, "e");
	put_line(g, "{");
	g->indent++;
	put_barrier(g, a);
	put_line(g, "event_t %s = async_work_group_copy(%s, %s + %u, %u, 0);", e, a->name,
		 from->name, below(g, from->count - n + 1), n);
	put_line(g, "wait_group_events(1, &%s);", e);
	put_barrier(g, a);
	g->indent--;
	put_line(g, "}");
}

void st_barrier(Gen *g)
{
	put_line(g, chance(g, 50) ? "barrier(CLK_LOCAL_MEM_FENCE);"
				  : "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
}
