/* The ends of expressions: literals, variables, elements of memory, members, and the
 * position of the work-item. A leaf of another type than wanted is turned into it. */
#include "tests/gen/gen.h"

bool visible_arr(const Gen *g, u32 i)
{
	return (i < g->ntables || i >= g->first_arr) && i < g->narrs;
}

/* A uniform index keeps an element of shared memory uniform; own memory never is. */
static bool readable(const Gen *g, const Arr *a)
{
	return a->family == A_none && !(g->uniform_expr && a->write);
}

static bool readable_scalars(const Gen *g, const Arr *a)
{
	return readable(g, a) && a->type.width == 1 && a->count >= 16;
}

Arr *pick_arr(Gen *g, bool (*want)(const Gen *, const Arr *))
{
	u32 n = 0;
	for (u32 i = 0; i < g->narrs; i++)
		n += visible_arr(g, i) && want(g, &g->arr[i]);
	u32 x = below(g, n);
	for (u32 i = 0; i < g->narrs; i++)
		if (visible_arr(g, i) && want(g, &g->arr[i]) && x-- == 0)
			return &g->arr[i];
	return NULL;
}

void put_index(Gen *g, u32 count, u32 depth)
{
	if (count == 1 || chance(g, 15)) {
		put(g, "%u", below(g, count));
		return;
	}
	put(g, "(");
	put_expr(g, mk_type(K_uint, 1), depth);
	put(g, count & (count - 1) ? " %% %uu)" : " & %uu)",
	    count & (count - 1) ? count : count - 1);
}

static bool put_var(Gen *g, Type *t, bool exact)
{
	u32 n = 0;
	for (u32 i = g->first_var; i < g->nvars; i++)
		n += (!exact || same_type(g->var[i].type, *t)) &&
		     (!g->uniform_expr || g->var[i].uniform);
	u32 x = below(g, n);
	for (u32 i = g->first_var; i < g->nvars; i++) {
		const Var *v = &g->var[i];
		bool want = (!exact || same_type(v->type, *t)) && (!g->uniform_expr || v->uniform);
		if (want && x-- == 0) {
			put(g, "%s", v->name);
			*t = v->type;
			return true;
		}
	}
	return false;
}

static bool put_element(Gen *g, Type *t, u32 depth)
{
	const Arr *a = pick_arr(g, readable);
	if (!a)
		return false;
	put(g, "%s[", a->name);
	put_index(g, a->count, depth ? depth - 1 : 0);
	put(g, "]");
	*t = a->type;
	return true;
}

static bool readable_halves(const Gen *g, const Arr *a)
{
	return readable_scalars(g, a) && kind_bits(a->type.kind) == 16 && !a->write && !a->tile;
}

/* Half floats from memory that nobody writes as anything else. */
static bool put_vload_half(Gen *g, Type *t, u32 depth)
{
	static const char *const spaces[] = {"", "__local", "__global", "__constant"};
	static const u8 widths[] = {1, 1, 2, 4, 8, 16};
	u32 w = widths[below(g, has(g, F_vector) ? COUNT(widths) : 2)];
	const Arr *a = has(g, F_float) ? pick_arr(g, readable_halves) : NULL;
	if (!a)
		return false;
	*t = mk_type(K_float, w);
	put(g, "canon_%s(vload_half", type_name(g, *t));
	if (w > 1)
		put(g, "%u", w);
	put(g, "(");
	put_index(g, a->count / w, depth ? depth - 1 : 0);
	put(g, ", (%s const half *)%s))", spaces[a->space], a->name);
	return true;
}

static bool put_vload(Gen *g, Type *t, u32 depth)
{
	static const u8 widths[] = {2, 3, 4, 8, 16};
	u32 w = widths[below(g, COUNT(widths))];
	const Arr *a = has(g, F_vector) ? pick_arr(g, readable_scalars) : NULL;
	if (!a)
		return false;
	put(g, "vload%u(", w);
	put_index(g, a->count / w, depth ? depth - 1 : 0);
	put(g, ", %s)", a->name);
	*t = mk_type(a->type.kind, w);
	return true;
}

void put_path(Gen *g, const Obj *o, bool assign, Type *t)
{
	const Record *r = &g->record[o->record];
	put(g, "%s", o->name);
	for (;;) {
		u32 i = below(g, r->nfields);
		const Field *f = &r->field[i];
		put(g, ".m%u", i);
		if (f->record >= 0) {
			r = &g->record[f->record];
			continue;
		}
		if (f->count) {
			put(g, "[");
			put_index(g, f->count, assign ? 1 : 0);
			put(g, "]");
		}
		*t = f->type;
		return;
	}
}

static bool put_member(Gen *g, Type *t)
{
	u32 n = g->nobjs - g->first_obj;
	if (!n || g->uniform_expr)
		return false;
	put_path(g, &g->obj[g->first_obj + below(g, n)], false, t);
	return true;
}

static bool put_position(Gen *g, Type *t)
{
	static const char *const uniform[] = {"get_group_id", "get_local_size", "get_num_groups",
					      "get_global_size", "get_global_offset"};
	static const char *const own[] = {"get_local_id", "get_global_id"};
	*t = mk_type(K_uint, 1);
	u32 dim = below(g, g->grid.dims);
	if (!g->uniform_expr && g->flow.kernel && chance(g, 60))
		put(g, chance(g, 50) ? "lid" : "gid");
	else if (!g->uniform_expr && chance(g, 60))
		put(g, "((uint)%s(%u))", own[below(g, COUNT(own))], dim);
	else
		put(g, "((uint)%s(%u))", uniform[below(g, COUNT(uniform))], dim);
	return true;
}

static bool put_source(Gen *g, Type *t, u32 depth)
{
	u32 x = below(g, 100);
	if (x < 40)
		return put_var(g, t, false);
	if (x < 65)
		return put_element(g, t, depth);
	if (x < 68)
		return put_vload(g, t, depth);
	if (x < 72)
		return put_vload_half(g, t, depth) || put_vload(g, t, depth);
	if (x < 85)
		return put_member(g, t);
	return put_position(g, t);
}

void put_leaf(Gen *g, Type t, u32 depth)
{
	if (chance(g, 45) && put_var(g, &t, true))
		return;
	if (chance(g, 80)) {
		Buf text = {0}, *saved = g->b;
		Type from = t;
		g->b = &text;
		bool ok = put_source(g, &from, depth);
		g->b = saved;
		if (ok)
			put_adapted(g, from, t, text.v);
		array_free(&text);
		if (ok)
			return;
	}
	put_literal(g, t);
}
