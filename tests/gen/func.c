/* Functions and calls. A function sees its parameters, its own variables, the constant
 * tables and the functions before it, so there is no recursion. One that writes nothing
 * of its caller may be called inside an expression; the others stand alone in a statement. */
#include "tests/gen/gen.h"

enum { MAX_CALL_COST = 1500, MAX_COST = 12000 };

/* ---- parameters ---- */

static void put_pointer_type(Gen *g, const Arr *a)
{
	static const char *const spaces[] = {"", "__local ", "__global ", "__constant "};
	const char *access = a->family != A_none                   ? "volatile "
			     : a->write || a->space == SP_constant ? ""
								   : "const ";
	put(g, "%s%s%s *", access, spaces[a->space], type_name(g, a->type));
}

static void put_param(Gen *g, Fn *f)
{
	Param *p = &f->param[f->nparams++];
	char name[NAME];
	u32 x = below(g, 100);
	if (x < 15 && g->nrecords) {
		p->what = P_record;
		p->record = below(g, g->nrecords);
		fresh_name(g, name, "s");
		put(g, "%s %s", record_name(g, p->record), name);
		add_obj(g, name, p->record);
		return;
	}
	if (x < 45) {
		p->what = P_pointer;
		p->shape = (Arr){.type = pick_type(g), .write = true};
		p->shape.count = 4u << below(g, 2);
		if (g->nplan && chance(g, 70))
			p->shape = g->plan[below(g, g->nplan)];
		if (p->shape.write || p->shape.family != A_none)
			f->pure = false;
		Arr a = p->shape;
		fresh_name(g, a.name, "p");
		put_pointer_type(g, &a);
		put(g, "%s", a.name);
		add_arr(g, &a);
		return;
	}
	p->what = P_value;
	p->type = pick_type(g);
	fresh_name(g, name, "a");
	put(g, "%s %s", type_name(g, p->type), name);
	add_var(g, name, p->type, true, false);
}

static void put_fn_body(Gen *g, void *n)
{
	for (u32 i = 0; i < *(u32 *)n; i++)
		put_stmt(g);
	put_indent(g);
	put(g, "return ");
	put_expr(g, g->ret, 3);
	put(g, ";\n");
}

static void make_function(Gen *g)
{
	Fn *f = &g->fn[g->nfns];
	Scope scope = {g->nvars, g->narrs, g->nobjs};
	Flow saved = g->flow;
	u32 cost = g->cost;
	*f = (Fn){.ret = pick_type(g), .pure = true};
	fresh_name(g, f->name, "f");
	g->first_var = g->nvars;
	g->first_arr = g->narrs;
	g->first_obj = g->nobjs;
	g->flow = (Flow){.may_return = true, .mult = 1};
	g->ret = f->ret;
	g->b = &f->text;
	if (chance(g, 50))
		put(g, "__attribute__((noinline)) ");
	put(g, "%s %s(", type_name(g, f->ret), f->name);
	for (u32 i = 1 + below(g, MAX_PARAMS - 1); i > 0; i--) {
		put_param(g, f);
		put(g, i > 1 ? ", " : ")\n{\n");
	}
	g->indent = 1;
	u32 n = 1 + below(g, g->size / 3 + 1);
	put_body(g, 1 + below(g, 3), put_fn_body, &n);
	put(g, "}\n");
	g->indent = 0;
	f->cost = g->cost - cost + 1;
	g->cost = cost;
	g->flow = saved;
	g->nvars = scope.nvars;
	g->narrs = scope.narrs;
	g->nobjs = scope.nobjs;
	g->nfns++;
}

void make_functions(Gen *g)
{
	if (!has(g, F_call))
		return;
	for (u32 n = below(g, 5); n > 0; n--)
		make_function(g);
}

/* ---- calls ---- */

static bool same_shape(const Arr *have, const Arr *want)
{
	return same_type(have->type, want->type) && have->space == want->space &&
	       have->family == want->family && have->atomic == want->atomic &&
	       have->count >= want->count && (have->write || !want->write);
}

static const Arr *find_arr(Gen *g, const Arr *want)
{
	u32 n = 0;
	for (u32 i = 0; i < g->narrs; i++)
		n += visible_arr(g, i) && same_shape(&g->arr[i], want);
	u32 x = below(g, n);
	for (u32 i = 0; i < g->narrs; i++)
		if (visible_arr(g, i) && same_shape(&g->arr[i], want) && x-- == 0)
			return &g->arr[i];
	return NULL;
}

static const Obj *find_obj(const Gen *g, u32 record)
{
	for (u32 i = g->nobjs; i-- > g->first_obj;)
		if (g->obj[i].record == record)
			return &g->obj[i];
	return NULL;
}

static bool callable(Gen *g, const Fn *f, bool pure)
{
	if (pure && !f->pure)
		return false;
	u64 cost = (u64)f->cost * g->flow.mult;
	if (cost > MAX_CALL_COST || g->cost + cost > MAX_COST)
		return false;
	for (u32 i = 0; i < f->nparams; i++) {
		const Param *p = &f->param[i];
		if (p->what == P_pointer && !find_arr(g, &p->shape))
			return false;
		if (p->what == P_record && !find_obj(g, p->record))
			return false;
	}
	return true;
}

static void put_arguments(Gen *g, const Fn *f, u32 depth)
{
	for (u32 i = 0; i < f->nparams; i++) {
		const Param *p = &f->param[i];
		put(g, i ? ", " : "");
		if (p->what == P_pointer)
			put(g, "%s", find_arr(g, &p->shape)->name);
		else if (p->what == P_record)
			put(g, "%s", find_obj(g, p->record)->name);
		else
			put_expr(g, p->type, depth);
	}
}

bool put_call(Gen *g, Type t, u32 depth, bool pure)
{
	if (!g->nfns)
		return false;
	const Fn *f = &g->fn[below(g, g->nfns)];
	if (!callable(g, f, pure))
		return false;
	g->cost += f->cost * g->flow.mult;
	Buf text = {0}, *saved = g->b;
	g->b = &text;
	put(g, "%s(", f->name);
	put_arguments(g, f, depth > 2 ? 2 : depth);
	put(g, ")");
	g->b = saved;
	put_adapted(g, f->ret, t, text.v);
	array_free(&text);
	return true;
}

void st_call(Gen *g)
{
	const Var *v = pick_assignable(g);
	if (!v || v->uniform) {
		st_store(g);
		return;
	}
	u32 start = g->b->n;
	put_indent(g);
	put(g, "%s = ", v->name);
	if (put_call(g, v->type, 2, false)) {
		put(g, ";\n");
		return;
	}
	g->b->n = start;
	g->b->v[start] = 0;
	st_store(g);
}

void st_return(Gen *g)
{
	put_indent(g);
	put(g, "if (");
	put_cond(g, 2);
	put(g, ")");
	if (g->flow.kernel) {
		put(g, " {\n");
		put_indent(g);
		put(g, "\tres[gid] = ");
		put_expr(g, mk_type(K_uint, 1), 2);
		put(g, ";\n");
		put_line(g, "\treturn;");
		put_line(g, "}");
		return;
	}
	put(g, " return ");
	put_expr(g, g->ret, 2);
	put(g, ";\n");
}
