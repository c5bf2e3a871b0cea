/* The whole program: the kernel around its statements, then everything that is mentioned,
 * in the order C wants, behind the comment with the launch. */
#include "tests/gen/gen.h"

/* A piece of text that is printed only if what follows mentions its name. */
typedef struct {
	const char *name;
	char *text;
} Unit;

typedef struct {
	Unit unit[64];
	u32 n;
} Units;

static void add_unit(Units *u, const char *name, char *text)
{
	if (u->n < COUNT(u->unit))
		u->unit[u->n++] = (Unit){name, text};
}

/* Keeps the units that `rest` or a kept later unit mentions, in front of it. */
static char *with_units(Gen *g, const Units *u, char *rest)
{
	for (u32 i = u->n; i-- > 0;)
		if (mentions(rest, u->unit[i].name))
			rest = arena_printf(g->arena, "%s%s", u->unit[i].text, rest);
	return rest;
}

/* What write puts, as a string. */
static char *captured(Gen *g, void (*write)(Gen *, const Arr *), const Arr *a)
{
	Buf text = {0}, *saved = g->b;
	g->b = &text;
	put(g, "%s", "");
	write(g, a);
	g->b = saved;
	char *s = arena_strdup(g->arena, text.v);
	array_free(&text);
	return s;
}

/* ---- the kernel ---- */

static void put_flat_index(Gen *g, const char *name, bool local)
{
	const Grid *q = &g->grid;
	put_indent(g);
	put(g, "uint %s = ", name);
	for (u32 d = q->dims; d-- > 0;) {
		u32 stride = 1;
		for (u32 e = 0; e < d; e++)
			stride *= local ? q->local[e] : q->global[e];
		if (local)
			put(g, "(uint)get_local_id(%u)", d);
		else if (q->offset[d])
			put(g, "(uint)(get_global_id(%u) - get_global_offset(%u))", d, d);
		else
			put(g, "(uint)get_global_id(%u)", d);
		put(g, " * %uu%s", stride, d ? " + " : ";\n");
	}
}

static void put_lid(Gen *g, const Arr *a)
{
	(void)a;
	put_flat_index(g, "lid", true);
}

static void put_gid(Gen *g, const Arr *a)
{
	(void)a;
	put_flat_index(g, "gid", false);
}

static void put_group(Gen *g, const Arr *a)
{
	(void)a;
	put_indent(g);
	put(g, "uint grp = ");
	u32 stride = 1;
	for (u32 d = 0; d < g->grid.dims; d++) {
		put(g, "%s(uint)get_group_id(%u) * %uu", d ? " + " : "", d, stride);
		stride *= g->grid.global[d] / g->grid.local[d];
	}
	put(g, ";\n");
}

static void put_memory(Gen *g, const Arr *a)
{
	const char *tn = type_name(g, a->type);
	if (a->tile && a->space == SP_global) {
		put_line(g, "__global %s *%s = %s + grp * %uu;", tn, a->name, a->param, a->count);
	} else if (a->tile) {
		if (!*a->param)
			put_line(g, "__local %s %s[%u];", tn, a->name, a->count);
		put_tile_init(g, a);
	} else {
		put_line(g, "__global %s *%s = %s + gid * %uu;", tn, a->name, a->param, a->count);
	}
}

static void hash_line(Gen *g, Type t, const char *value)
{
	Node n = node_begin(g);
	put_line(g, "h = hash_%s(h, %s);", type_name(g, t), value);
	node_end(g, n, true);
}

static void hash_record(Gen *g, const char *path, u32 r)
{
	const Record *rec = &g->record[r];
	for (u32 i = 0; i < (rec->is_union ? 1 : rec->nfields); i++) {
		const Field *f = &rec->field[i];
		char *member = arena_printf(g->arena, "%s.m%u", path, i);
		if (f->record >= 0)
			hash_record(g, member, (u32)f->record);
		for (u32 k = 0; f->record < 0 && k < f->count; k++)
			hash_line(g, f->type, arena_printf(g->arena, "%s[%u]", member, k));
		if (f->record < 0 && !f->count)
			hash_line(g, f->type, member);
	}
}

/* Everything that a work-item still holds goes into one number. */
static void put_result(Gen *g)
{
	put_line(g, "uint h = 0x811c9dc5u;");
	for (u32 i = g->first_var; i < g->nvars; i++)
		hash_line(g, g->var[i].type, g->var[i].name);
	for (u32 i = g->first_arr; i < g->narrs; i++) {
		const Arr *a = &g->arr[i];
		Node n = node_begin(g);
		const char *tn = type_name(g, a->type);
		if (a->tile)
			put_line(g, "h = hash_%s(h, %s[lid %% %uu]);", tn, a->name, a->count);
		else if (a->write)
			put_line(g, "for (uint i = 0; i < %uu; i++) h = hash_%s(h, %s[i]);",
				 a->count, tn, a->name);
		node_end(g, n, true);
	}
	for (u32 i = g->first_obj; i < g->nobjs; i++)
		hash_record(g, g->obj[i].name, g->obj[i].record);
	put_line(g, "res[gid] = h;");
}

/* First statements among which barriers may stand, then some where work-items may leave. */
static void put_kernel_body(Gen *g, void *unused)
{
	(void)unused;
	u32 n = g->size / 2 + below(g, g->size + 1);
	u32 last = has(g, F_local) && chance(g, 75) ? below(g, g->size / 3 + 1) : n;
	for (u32 i = 0; i < n; i++) {
		if (i + last >= n) {
			g->flow.may_return = true;
			g->flow.uniform = false;
		}
		put_stmt(g);
	}
	put_result(g);
}

static char *kernel_text(Gen *g)
{
	Units units = {0};
	Buf body = {0};
	g->indent = 1;
	g->first_var = 0; /* the kernel's value parameters */
	g->first_arr = g->narrs;
	g->first_obj = g->nobjs;
	g->flow = (Flow){.kernel = true, .uniform = true, .mult = 1};
	add_unit(&units, "lid", captured(g, put_lid, NULL));
	add_unit(&units, "gid", captured(g, put_gid, NULL));
	add_unit(&units, "grp", captured(g, put_group, NULL));
	for (u32 i = 0; i < g->nplan; i++) {
		const Arr *a = &g->plan[i];
		if (a->tile || a->write)
			add_unit(&units, a->name, captured(g, put_memory, a));
		add_arr(g, a);
	}
	g->b = &body;
	put_body(g, 3 + below(g, 6), put_kernel_body, NULL);
	g->indent = 0;
	char *text = with_units(g, &units, arena_strdup(g->arena, body.v));
	array_free(&body);
	return text;
}

static char *kernel_head(Gen *g, const char *body)
{
	const Grid *q = &g->grid;
	char *s = arena_strdup(g->arena, "__kernel ");
	if (chance(g, 20))
		s = arena_printf(g->arena, "%s__attribute__((reqd_work_group_size(%u, %u, %u)))\n",
				 s, q->local[0], q->local[1], q->local[2]);
	s = arena_printf(g->arena, "%svoid test(", s);
	const char *comma = "";
	for (u32 i = 0; i < g->nparams; i++) {
		if (!mentions(body, g->param[i].name))
			continue;
		s = arena_printf(g->arena, "%s%s%s", s, comma, g->param[i].decl);
		comma = ",\n\t";
	}
	return arena_printf(g->arena, "%s)\n{\n", s);
}

/* ---- the file ---- */

static void put_sizes(Gen *g, const char *option, const u32 *v)
{
	put(g, " --%s %u", option, v[0]);
	for (u32 d = 1; d < g->grid.dims; d++)
		put(g, ",%u", v[d]);
}

static void put_launch(Gen *g, const char *body)
{
	put(g, "// wavesim:");
	put_sizes(g, "global", g->grid.global);
	put_sizes(g, "local", g->grid.local);
	if (g->grid.offset[0] | g->grid.offset[1] | g->grid.offset[2])
		put_sizes(g, "offset", g->grid.offset);
	for (u32 i = 0; i < g->nparams; i++)
		if (mentions(body, g->param[i].name))
			put(g, " --arg %s=%s", g->param[i].name, g->param[i].spec);
	put(g, "\n");
}

static void put_pragmas(Gen *g, const char *text)
{
	if (has(g, F_double))
		put(g, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
	if (strstr(text, "atom_"))
		put(g, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
		       "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
	if (!has(g, F_contract))
		put(g, "#pragma OPENCL FP_CONTRACT OFF\n");
	put(g, "\n");
}

static void put_record_unit(Gen *g, const Arr *a) { put_record_def(g, a->count); }

void put_program(Gen *g)
{
	Units types = {0}, code = {0};
	Buf *out = g->b, dummy = {0};
	g->b = &dummy;
	make_records(g);
	for (u32 i = 0; i < g->nrecords; i++) {
		Arr r = {.count = i};
		add_unit(&types, strchr(record_name(g, i), ' ') + 1,
			 captured(g, put_record_unit, &r));
	}
	for (u32 i = 0, n = below(g, 4); i < n; i++) {
		char *text = make_tables(g, i);
		add_unit(&code, g->arr[i].name, text);
	}
	make_plan(g);
	for (u32 i = 0; i < g->nplan; i++)
		if (g->plan[i].tile && !g->plan[i].atomic && g->plan[i].space == SP_local)
			add_unit(&code, arena_printf(g->arena, "round_%s", g->plan[i].name),
				 captured(g, put_round_function, &g->plan[i]));
	make_functions(g);
	for (u32 i = 0; i < g->nfns; i++)
		add_unit(&code, g->fn[i].name, arena_printf(g->arena, "\n%s", g->fn[i].text.v));
	char *body = kernel_text(g), *head = kernel_head(g, body);
	char *text = with_units(g, &code, arena_printf(g->arena, "\n%s%s}\n", head, body));
	g->b = out;
	put(g, "/* Random program, seed %llu. */\n", (unsigned long long)g->seed);
	put_launch(g, body);
	put_pragmas(g, text);
	char *records = with_units(g, &types, arena_strdup(g->arena, text));
	put(g, "%.*s", (int)(strlen(records) - strlen(text)), records);
	put_helpers(g, text);
	put(g, "%s", text);
	array_free(&dummy);
	for (u32 i = 0; i < g->nfns; i++)
		array_free(&g->fn[i].text);
}
