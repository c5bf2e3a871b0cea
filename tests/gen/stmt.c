/* Statements: the table of productions, blocks with their declarations, assignment. */
#include "tests/gen/gen.h"

enum {
	N_uniform = 1, /* barriers may stand here */
	N_loop = 2,    /* inside a loop */
	N_break = 4,
	N_return = 8,
	N_room = 16, /* not too deep and not run too often: may hold statements */
	N_kernel = 32,
};

typedef struct {
	u16 weight;
	u16 needs;
	u32 feature;
	void (*emit)(Gen *g);
} Rule;

enum { NO_FEATURE = 31 };

/* A production that finds nothing to work on falls back to an assignment. */
static const Rule rules[] = {
    {26, 0, NO_FEATURE, st_assign},
    {8, 0, NO_FEATURE, st_store},
    {3, 0, NO_FEATURE, st_pointer},
    {3, 0, F_vector, st_vstore},
    {6, 0, F_struct, st_member},
    {2, 0, F_struct, st_copy},
    {4, 0, F_call, st_call},
    {4, 0, F_atomic, st_atomic},
    {1, 0, F_atomic, st_cas},
    {10, N_room, NO_FEATURE, st_if},
    {3, N_room, NO_FEATURE, st_chain},
    {5, N_room, NO_FEATURE, st_switch},
    {7, N_room, NO_FEATURE, st_for},
    {4, N_room, NO_FEATURE, st_while},
    {3, N_room, NO_FEATURE, st_do},
    {3, N_room, F_goto, st_goto},
    {4, N_break, NO_FEATURE, st_break},
    {3, N_loop, NO_FEATURE, st_continue},
    {2, N_return, NO_FEATURE, st_return},
    {9, N_uniform | N_kernel, F_local, st_exchange},
    {5, N_uniform | N_kernel, F_local, st_burst},
    {3, N_uniform | N_kernel | N_room, F_local, st_reduce},
    {3, N_uniform | N_kernel | N_room, F_local, st_scan},
    {6, N_uniform | N_kernel | N_room, F_local, st_round},
    {5, N_uniform | N_kernel, F_async, st_async},
    {1, N_uniform | N_kernel, F_local, st_barrier},
};

static u32 offered(const Gen *g)
{
	const Flow *f = &g->flow;
	u32 have = 0;
	if (f->uniform && !f->may_return)
		have |= N_uniform;
	if (f->in_loop && !(f->loop_uniform && !f->uniform))
		have |= N_loop;
	if (f->can_break && !(f->break_uniform && !f->uniform))
		have |= N_break;
	if (f->may_return && f->depth > 1)
		have |= N_return;
	if (f->depth < 5 && f->mult <= 64 && g->budget)
		have |= N_room;
	if (f->kernel)
		have |= N_kernel;
	return have;
}

void put_stmt(Gen *g)
{
	u32 have = offered(g), sum = 0;
	for (u32 i = 0; i < COUNT(rules); i++)
		sum += rules[i].needs & ~have || (rules[i].feature != NO_FEATURE &&
						  !has(g, (Feature)rules[i].feature))
			   ? 0u
			   : rules[i].weight;
	u32 x = below(g, sum), i = 0;
	for (;; i++) {
		bool ok = !(rules[i].needs & ~have) &&
			  (rules[i].feature == NO_FEATURE || has(g, (Feature)rules[i].feature));
		if (ok && x < rules[i].weight)
			break;
		x -= ok ? rules[i].weight : 0u;
	}
	Node n = node_begin(g);
	if (!g->flow.depth)
		g->budget = (g->flow.kernel ? 2 : 1) + below(g, g->flow.kernel ? 14 : 5);
	else if (g->budget)
		g->budget--;
	g->flow.depth++;
	rules[i].emit(g);
	g->flow.depth--;
	node_end(g, n, true);
}

u32 block_size(Gen *g)
{
	u32 most = !g->budget ? 1 : g->flow.depth < 2 ? 4 : g->flow.depth < 4 ? 3 : 2;
	return 1 + below(g, most);
}

/* ---- declarations ---- */

static void declare_var(Gen *g)
{
	char name[NAME];
	Type t = pick_type(g);
	bool uniform = g->flow.uniform && chance(g, 35);
	fresh_name(g, name, uniform ? "u" : "v");
	put_indent(g);
	put(g, "%s %s = ", type_name(g, t), name);
	if (uniform)
		put_flow_expr(g, t, 2);
	else
		put_expr(g, t, 2);
	put(g, ";\n");
	add_var(g, name, t, true, uniform);
}

static void declare_array(Gen *g)
{
	Arr a = {.type = pick_type(g), .space = SP_private, .write = true};
	a.count = 2u << below(g, 4);
	if (type_bytes(a.type) > 16)
		a.count = 2;
	fresh_name(g, a.name, "p");
	const char *tn = type_name(g, a.type);
	if (a.count <= 4 || chance(g, 40)) {
		put_indent(g);
		put(g, "%s %s[%u] = { ", tn, a.name, a.count);
		u32 given = a.count > 4 ? 1 + below(g, 4) : a.count;
		for (u32 i = 0; i < given; i++) {
			put(g, i ? ", " : "");
			put_expr(g, a.type, 1);
		}
		put(g, " };\n");
	} else {
		char i[NAME];
		fresh_name(g, i, "i");
		put_line(g, "%s %s[%u];", tn, a.name, a.count);
		put_indent(g);
		put(g, "for (uint %s = 0; %s < %uu; %s++) %s[%s] = ", i, i, a.count, i, a.name, i);
		u32 nvars = g->nvars;
		add_var(g, i, mk_type(K_uint, 1), false, false);
		put_expr(g, a.type, 1);
		g->nvars = nvars;
		put(g, ";\n");
	}
	add_arr(g, &a);
}

static void declare_record(Gen *g)
{
	char name[NAME];
	u32 r = below(g, g->nrecords);
	fresh_name(g, name, "s");
	put_indent(g);
	put(g, "%s %s = ", record_name(g, r), name);
	put_record_init(g, r, false);
	put(g, ";\n");
	add_obj(g, name, r);
}

static char *declare(Gen *g)
{
	Buf text = {0}, *saved = g->b;
	g->b = &text;
	u32 x = below(g, 100);
	if (x < 12 && g->nrecords)
		declare_record(g);
	else if (x < 28)
		declare_array(g);
	else
		declare_var(g);
	g->b = saved;
	char *s = arena_strdup(g->arena, text.v);
	array_free(&text);
	return s;
}

/* The name that a declaration introduces: the first word of a letter and digits that
 * fresh_name made, which is the second word of the text. */
static char *declared_name(Gen *g, const char *text)
{
	while (*text == '\t')
		text++;
	if (!strncmp(text, "struct ", 7) || !strncmp(text, "union ", 6))
		text = strchr(text, ' ') + 1;
	const char *name = strchr(text, ' ') + 1;
	return arena_strndup(g->arena, name, strcspn(name, " [;"));
}

/* Declarations, then what body writes; declarations that nothing mentions are left out. */
void put_body(Gen *g, u32 ndecls, void (*body)(Gen *, void *), void *arg)
{
	char *decl[16];
	Buf text = {0}, *saved = g->b;
	if (ndecls > COUNT(decl))
		ndecls = COUNT(decl);
	Scope scope = {g->nvars, g->narrs, g->nobjs};
	for (u32 i = 0; i < ndecls; i++)
		decl[i] = declare(g);
	g->b = &text;
	put(g, "%s", "");
	body(g, arg);
	g->b = saved;
	for (u32 i = ndecls; i-- > 0;) {
		const char *name = declared_name(g, decl[i]);
		bool used = mentions(text.v, name);
		for (u32 k = i + 1; k < ndecls; k++)
			used |= decl[k] && mentions(decl[k], name);
		if (!used)
			decl[i] = NULL;
	}
	for (u32 i = 0; i < ndecls; i++)
		if (decl[i])
			put(g, "%s", decl[i]);
	put(g, "%s", text.v);
	array_free(&text);
	g->nvars = scope.nvars;
	g->narrs = scope.narrs;
	g->nobjs = scope.nobjs;
}

static void put_stmts(Gen *g, void *n)
{
	for (u32 i = 0; i < *(u32 *)n; i++)
		put_stmt(g);
}

void put_block(Gen *g, u32 n)
{
	put(g, "{\n");
	g->indent++;
	put_body(g, chance(g, 40) ? 1 + below(g, 2) : 0, put_stmts, &n);
	g->indent--;
	put_indent(g);
	put(g, "}");
}

/* ---- assignment ---- */

Var *pick_assignable(Gen *g)
{
	u32 n = 0;
	for (u32 i = g->first_var; i < g->nvars; i++)
		n += g->var[i].assign && (!g->var[i].uniform || g->flow.uniform);
	u32 x = below(g, n);
	for (u32 i = g->first_var; i < g->nvars; i++)
		if (g->var[i].assign && (!g->var[i].uniform || g->flow.uniform) && x-- == 0)
			return &g->var[i];
	return NULL;
}

static void put_value(Gen *g, const Var *v, Type t, u32 depth)
{
	bool saved = g->uniform_expr;
	g->uniform_expr |= v->uniform;
	put_expr(g, t, depth);
	g->uniform_expr = saved;
}

/* v.xz = …; no element twice */
static void put_part_assign(Gen *g, const Var *v)
{
	u32 free = (1u << v->type.width) - 1, n = 1;
	if (chance(g, 50) && v->type.width > 2)
		n = 2;
	put_indent(g);
	put(g, "%s.s", v->name);
	for (u32 i = 0; i < n; i++) {
		u32 e;
		do
			e = below(g, v->type.width);
		while (!(free >> e & 1));
		free &= ~(1u << e);
		put(g, "%x", e);
	}
	put(g, " = ");
	put_value(g, v, mk_type(v->type.kind, n), 2);
	put(g, ";\n");
}

static void put_compound_assign(Gen *g, const Var *v)
{
	static const char *const ops[] = {"+=", "-=", "&=", "|=", "^=", "*="};
	/* ushort * ushort would be a signed multiplication */
	bool narrow = kind_bits(v->type.kind) < 32 && v->type.width == 1;
	u32 op = is_float(v->type.kind) ? below(g, 2) : below(g, narrow ? 5 : 6);
	put_indent(g);
	put(g, "%s %s ", v->name, ops[op]);
	put_value(g, v, v->type, 3);
	put(g, ";\n");
}

void st_assign(Gen *g)
{
	const Var *v = pick_assignable(g);
	if (!v) {
		put_line(g, ";");
		return;
	}
	if (v->type.width > 1 && chance(g, 25)) {
		put_part_assign(g, v);
	} else if (!is_signed(v->type.kind) && chance(g, 35)) {
		put_compound_assign(g, v);
	} else if (!is_signed(v->type.kind) && !is_float(v->type.kind) && chance(g, 12)) {
		put_line(g, chance(g, 50) ? "%s++;" : "--%s;", v->name);
	} else {
		put_indent(g);
		put(g, "%s = ", v->name);
		put_value(g, v, v->type, 1 + below(g, 4));
		put(g, ";\n");
	}
}
