/* Control flow. A branch on a condition that is the same for the whole group leaves the
 * flow uniform, so that barriers may follow inside; any other branch makes it divergent
 * until the paths meet. Every loop has a bound.
 *
 * Of the branches of one if or switch only one may hold barriers: with two of them and
 * more branches behind, PoCL 3.1 does not come to an end. */
#include "tests/gen/gen.h"

enum { MAX_TRIPS = 6 };

/* Where the flow is uniform, a branch stays uniform often, not always. */
static bool choose_uniform(Gen *g) { return g->flow.uniform && chance(g, 60); }

static void put_branch_cond(Gen *g, bool uniform)
{
	u32 depth = 1 + below(g, 2);
	if (uniform)
		put_flow_cond(g, depth);
	else
		put_cond(g, depth);
}

static void put_inner(Gen *g, bool uniform)
{
	bool saved = g->flow.uniform;
	g->flow.uniform &= uniform;
	put_block(g, block_size(g));
	g->flow.uniform = saved;
}

static void put_else(Gen *g, bool uniform)
{
	Node n = node_begin(g);
	put(g, " else ");
	put_inner(g, uniform);
	node_end(g, n, true);
}

void st_if(Gen *g)
{
	bool uniform = choose_uniform(g);
	put_indent(g);
	put(g, "if (");
	put_branch_cond(g, uniform);
	put(g, ") ");
	u32 barriers = below(g, 2);
	put_inner(g, uniform && barriers == 0);
	if (chance(g, 45))
		put_else(g, uniform && barriers == 1);
	put(g, "\n");
}

void st_chain(Gen *g)
{
	bool uniform = choose_uniform(g);
	u32 n = 2 + below(g, 3), barriers = below(g, n);
	put_indent(g);
	for (u32 i = 0; i < n; i++) {
		Node link = node_begin(g);
		put(g, "%sif (", i ? " else " : "");
		put_branch_cond(g, uniform);
		put(g, ") ");
		put_inner(g, uniform && i == barriers);
		if (i)
			node_end(g, link, true);
	}
	if (chance(g, 60))
		put_else(g, false);
	put(g, "\n");
}

/* ---- switch ---- */

static void put_switch_value(Gen *g, Type t, u32 mask)
{
	put(g, "(");
	put_expr(g, t, 2);
	put(g, " & (%s)(%u))", type_name(g, t), mask);
}

static void put_case(Gen *g, const char *label, bool barriers, bool last)
{
	Node n = node_begin(g);
	bool saved = g->flow.uniform;
	g->flow.uniform &= barriers;
	put_line(g, "%s", label);
	g->indent++;
	put_indent(g);
	put_block(g, block_size(g));
	put(g, "\n");
	if (last || chance(g, 75))
		put_line(g, "break;");
	g->indent--;
	g->flow.uniform = saved;
	node_end(g, n, true);
}

void st_switch(Gen *g)
{
	bool uniform = choose_uniform(g), saved_expr = g->uniform_expr;
	u32 mask = 3u << below(g, 3) | 1u, ncases = 2 + below(g, 4),
	    at_default = below(g, ncases + 1);
	Type t = mk_type(pick_kind(g, INT), 1);
	Flow saved = g->flow;
	put_indent(g);
	put(g, "switch (");
	g->uniform_expr |= uniform;
	put_switch_value(g, t, mask);
	g->uniform_expr = saved_expr;
	put(g, ") {\n");
	g->flow.uniform &= uniform;
	g->flow.can_break = true;
	g->flow.break_uniform = g->flow.uniform;
	bool with_default = chance(g, 75);
	u32 barriers = below(g, ncases);
	for (u32 i = 0, label = 0; i <= ncases; i++) {
		if (i == at_default && with_default)
			put_case(g, "default:", false, i == ncases);
		if (i == ncases)
			break;
		const char *also =
		    chance(g, 20) ? arena_printf(g->arena, "case %u: ", label++) : "";
		label += below(g, 3);
		put_case(g, arena_printf(g->arena, "%scase %u:", also, label++), i == barriers,
			 i + 1 == ncases);
	}
	g->flow = saved;
	put_line(g, "}");
}

/* ---- loops ---- */

/* Writes a body that runs at most `trips` times; name is its counter or "". */
static void put_loop_body(Gen *g, bool uniform, u32 trips, const char *name, bool counter_uniform)
{
	Flow saved = g->flow;
	u32 nvars = g->nvars;
	g->flow.uniform &= uniform;
	g->flow.in_loop = g->flow.can_break = true;
	g->flow.loop_uniform = g->flow.break_uniform = g->flow.uniform;
	g->flow.mult *= trips;
	if (*name)
		add_var(g, name, mk_type(K_uint, 1), false, counter_uniform);
	put_block(g, block_size(g));
	g->nvars = nvars;
	g->flow = saved;
}

static void put_bound(Gen *g, bool uniform)
{
	if (chance(g, 50)) {
		put(g, "%uu", 1 + below(g, MAX_TRIPS));
		return;
	}
	bool saved = g->uniform_expr;
	g->uniform_expr |= uniform;
	put(g, "(");
	put_expr(g, mk_type(K_uint, 1), 2);
	put(g, " & %uu)", chance(g, 50) ? 3 : 7);
	g->uniform_expr = saved;
}

void st_for(Gen *g)
{
	bool uniform = choose_uniform(g);
	char i[NAME];
	fresh_name(g, i, "i");
	put_indent(g);
	u32 form = below(g, 4);
	if (form == 0) {
		put(g, "for (uint %s = %uu; %s > 0u; %s--) ", i, 1 + below(g, MAX_TRIPS), i, i);
	} else if (form == 1) {
		put(g, "for (uint %s = 1u; %s < %uu; %s <<= 1) ", i, i, 2u << below(g, MAX_TRIPS),
		    i);
	} else {
		put(g, "for (uint %s = 0u; %s < ", i, i);
		put_bound(g, uniform);
		put(g, "; %s += %uu) ", i, 1 + below(g, 2));
	}
	put_loop_body(g, uniform, MAX_TRIPS, i, uniform);
	put(g, "\n");
}

static void put_counter(Gen *g, const char *name, bool uniform)
{
	put_indent(g);
	put(g, "uint %s = ", name);
	put_bound(g, uniform);
	put(g, ";\n");
}

void st_while(Gen *g)
{
	bool uniform = choose_uniform(g);
	char n[NAME];
	fresh_name(g, n, "n");
	put_line(g, "{");
	g->indent++;
	put_counter(g, n, uniform);
	put_indent(g);
	put(g, "while (%s-- != 0u", n);
	if (chance(g, 60)) {
		put(g, " && ");
		put_branch_cond(g, uniform);
	}
	put(g, ") ");
	put_loop_body(g, uniform, MAX_TRIPS, n, uniform);
	put(g, "\n");
	g->indent--;
	put_line(g, "}");
}

void st_do(Gen *g)
{
	bool uniform = choose_uniform(g);
	char n[NAME];
	fresh_name(g, n, "n");
	put_line(g, "{");
	g->indent++;
	put_counter(g, n, uniform);
	put_indent(g);
	put(g, "do ");
	put_loop_body(g, uniform, MAX_TRIPS, n, uniform);
	put(g, " while (%s-- != 0u", n);
	if (chance(g, 50)) {
		put(g, " && ");
		put_branch_cond(g, uniform);
	}
	put(g, ");\n");
	g->indent--;
	put_line(g, "}");
}

/* A loop with two entries. All ways back pass a test of the fuel:
 *
 *   if (c) goto b;
 *   a: …  if (fuel-- == 0) goto end;  [if (c) goto a;]
 *   b: …  if (fuel-- == 0) goto end;  if (c) goto a;
 *   end: ; */
void st_goto(Gen *g)
{
	Flow saved = g->flow;
	char fuel[NAME], a[NAME], b[NAME], end[NAME];
	fresh_name(g, fuel, "n");
	fresh_name(g, a, "A");
	fresh_name(g, b, "B");
	fresh_name(g, end, "E");
	put_line(g, "{");
	g->indent++;
	put_counter(g, fuel, false);
	g->flow.uniform = false;
	g->flow.mult *= 4;
	put_indent(g);
	put(g, "if (");
	put_cond(g, 1);
	put(g, ") goto %s;\n", b);
	for (u32 part = 0; part < 2; part++) {
		put_line(g, "%s:;", part ? b : a);
		put_indent(g);
		put_block(g, block_size(g));
		put(g, "\n");
		put_line(g, "if (%s-- == 0u) goto %s;", fuel, end);
		put_indent(g);
		put(g, "if (");
		put_cond(g, 1);
		put(g, ") goto %s;\n", part || chance(g, 50) ? a : b);
	}
	put_line(g, "%s:;", end);
	g->indent--;
	put_line(g, "}");
	g->flow = saved;
}

/* ---- leaving ---- */

void st_break(Gen *g)
{
	put_indent(g);
	put(g, "if (");
	put_branch_cond(g, g->flow.break_uniform);
	put(g, ") break;\n");
}

void st_continue(Gen *g)
{
	put_indent(g);
	put(g, "if (");
	put_branch_cond(g, g->flow.loop_uniform);
	put(g, ") continue;\n");
}
