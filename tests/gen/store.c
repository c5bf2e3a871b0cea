/* Statements that write memory: the work-item's own arrays and slots, members, and
 * counters that all work-items reach through atomics. */
#include "tests/gen/gen.h"

static bool writable(const Gen *g, const Arr *a)
{
	(void)g;
	return a->write;
}

static bool writable_scalars(const Gen *g, const Arr *a)
{
	(void)g;
	return a->write && a->type.width == 1 && a->count >= 2;
}

static bool writable_private(const Gen *g, const Arr *a)
{
	(void)g;
	return a->write && a->space == SP_private;
}

static bool counter(const Gen *g, const Arr *a)
{
	(void)g;
	return a->family != A_none;
}

static void put_lvalue(Gen *g, const Arr *a)
{
	if (chance(g, 25)) {
		put(g, "*(%s + ", a->name);
		put_index(g, a->count, 2);
		put(g, ")");
		return;
	}
	put(g, "%s[", a->name);
	put_index(g, a->count, 2);
	put(g, "]");
	if (a->type.width > 1 && chance(g, 20))
		put(g, ".s%x", below(g, a->type.width));
}

/* A float in a buffer is compared by its bits. */
static bool seen_nan(const Arr *a) { return a->space == SP_global && is_float(a->type.kind); }

static void put_stored(Gen *g, const Arr *a, Type t, u32 depth)
{
	if (seen_nan(a))
		put(g, "canon_%s(", type_name(g, t));
	put_expr(g, t, depth);
	if (seen_nan(a))
		put(g, ")");
}

void st_store(Gen *g)
{
	const Arr *a = pick_arr(g, writable);
	if (!a) {
		st_assign(g);
		return;
	}
	Type t = a->type;
	Buf place = {0}, *saved = g->b;
	g->b = &place;
	put_lvalue(g, a);
	g->b = saved;
	const char *dot = strrchr(place.v, '.');
	if (dot && !strchr(dot, ']') && !strchr(dot, ')'))
		t.width = 1;
	put_indent(g);
	bool compound = !is_signed(t.kind) && !seen_nan(a) && chance(g, 30);
	put(g, "%s %s ", place.v, compound ? "+=" : "=");
	put_stored(g, a, t, 3);
	put(g, ";\n");
	array_free(&place);
}

/* A pointer into one of two arrays, used both ways. */
void st_pointer(Gen *g)
{
	const Arr *a = pick_arr(g, writable_private);
	if (!a) {
		st_assign(g);
		return;
	}
	const Arr *other = a;
	for (u32 i = g->first_arr; i < g->narrs; i++)
		if (writable_private(g, &g->arr[i]) && same_type(g->arr[i].type, a->type) &&
		    chance(g, 60))
			other = &g->arr[i];
	char q[NAME];
	fresh_name(g, q, "q");
	put_line(g, "{");
	g->indent++;
	put_indent(g);
	put(g, "%s *%s = ", type_name(g, a->type), q);
	put_cond(g, 1);
	put(g, " ? &%s[", a->name);
	put_index(g, a->count, 2);
	put(g, "] : &%s[", other->name);
	put_index(g, other->count, 2);
	put(g, "];\n");
	put_indent(g);
	put(g, "*%s = ", q);
	put_expr(g, a->type, 2);
	put(g, ";\n");
	const Var *v = pick_assignable(g);
	if (v && !v->uniform) {
		put_indent(g);
		put(g, "%s = ", v->name);
		put_adapted(g, a->type, v->type, arena_printf(g->arena, "(*%s)", q));
		put(g, ";\n");
	}
	g->indent--;
	put_line(g, "}");
}

void st_vstore(Gen *g)
{
	static const u8 widths[] = {2, 3, 4, 8, 16};
	u32 w = widths[below(g, COUNT(widths))];
	const Arr *a = pick_arr(g, writable_scalars);
	if (!a || a->count < w) {
		st_store(g);
		return;
	}
	put_indent(g);
	put(g, "vstore%u(", w);
	put_stored(g, a, mk_type(a->type.kind, w), 2);
	put(g, ", ");
	put_index(g, a->count / w, 1);
	put(g, ", %s);\n", a->name);
}

static const Obj *pick_obj(Gen *g)
{
	u32 n = 0;
	for (u32 i = g->first_obj; i < g->nobjs; i++)
		n += g->obj[i].assign;
	u32 x = below(g, n);
	for (u32 i = g->first_obj; i < g->nobjs; i++)
		if (g->obj[i].assign && x-- == 0)
			return &g->obj[i];
	return NULL;
}

void st_member(Gen *g)
{
	const Obj *o = pick_obj(g);
	if (!o) {
		st_assign(g);
		return;
	}
	Type t;
	put_indent(g);
	put_path(g, o, true, &t);
	put(g, " = ");
	put_expr(g, t, 3);
	put(g, ";\n");
}

void st_copy(Gen *g)
{
	const Obj *to = pick_obj(g), *from = NULL;
	for (u32 i = g->first_obj; to && i < g->nobjs; i++)
		if (&g->obj[i] != to && g->obj[i].record == to->record)
			from = &g->obj[i];
	if (!from) {
		st_member(g);
		return;
	}
	put_line(g, "%s = %s;", to->name, from->name);
}

/* ---- atomics ---- */

/* Operations of one family commute, and nobody looks at what they return. */
static const char *family_op(Gen *g, u32 family)
{
	static const char *const adds[] = {"atomic_add", "atomic_sub", "atomic_inc", "atomic_dec"};
	static const char *const others[FAMILIES] = {[A_and] = "atomic_and",
						     [A_or] = "atomic_or",
						     [A_xor] = "atomic_xor",
						     [A_min] = "atomic_min",
						     [A_max] = "atomic_max"};
	return family == A_add ? adds[below(g, 4)] : others[family];
}

void st_atomic(Gen *g)
{
	const Arr *a = pick_arr(g, counter);
	if (!a) {
		st_store(g);
		return;
	}
	const char *op = family_op(g, a->family);
	bool alone = !strcmp(op, "atomic_inc") || !strcmp(op, "atomic_dec");
	/* 64-bit atomics have names of their own */
	const char *name =
	    kind_bits(a->type.kind) == 64 ? arena_printf(g->arena, "atom_%s", op + 7) : op;
	put_indent(g);
	put(g, "%s(&%s[", name, a->name);
	put_index(g, a->count, 2);
	put(g, "]");
	if (!alone) {
		put(g, ", ");
		put_expr(g, a->type, 2);
	}
	put(g, ");\n");
}

static const char *combined(Gen *g, u32 family, const char *a, const char *b)
{
	static const char *const sign[FAMILIES] = {
	    [A_add] = "+", [A_and] = "&", [A_or] = "|", [A_xor] = "^"};
	if (family == A_min || family == A_max)
		return arena_printf(g->arena, "%s(%s, %s)", family == A_min ? "min" : "max", a, b);
	return arena_printf(g->arena, "%s %s %s", a, sign[family], b);
}

/* The same by compare and exchange, until it succeeds. */
void st_cas(Gen *g)
{
	const Arr *a = pick_arr(g, counter);
	if (!a || kind_bits(a->type.kind) != 32) {
		st_atomic(g);
		return;
	}
	char p[NAME], old[NAME], seen[NAME], x[NAME];
	fresh_name(g, p, "q");
	fresh_name(g, old, "x");
	fresh_name(g, seen, "x");
	fresh_name(g, x, "x");
	const char *tn = type_name(g, a->type);
	put_line(g, "{");
	g->indent++;
	put_indent(g);
	put(g, "volatile %s %s *%s = &%s[", a->space == SP_local ? "__local" : "__global", tn, p,
	    a->name);
	put_index(g, a->count, 1);
	put(g, "];\n");
	put_indent(g);
	put(g, "%s %s = ", tn, x);
	put_expr(g, a->type, 2);
	put(g, ";\n");
	put_line(g, "%s %s, %s = atomic_or(%s, 0);", tn, old, seen, p);
	put_line(g, "do {");
	put_line(g, "\t%s = %s;", old, seen);
	put_indent(g);
	put(g, "\t%s = atomic_cmpxchg(%s, %s, ", seen, p, old);
	put(g, "%s", combined(g, a->family, old, x));
	put(g, ");\n");
	put_line(g, "} while (%s != %s);", seen, old);
	g->indent--;
	put_line(g, "}");
}
