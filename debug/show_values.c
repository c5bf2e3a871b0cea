/* Values of one lane, of all lanes as rows, of a work-group as a grid; registers; local memory with who wrote it: see
 * show.h. */
#include "debug/show.h"

enum { ROW = 8, WIDEST = 24, MOST_COLUMNS = 64, MOST_ROWS = 256 };

/* ---- one ---- */

static void show_typed(Debugger *g, Focus f, const DebugValue *v, Buf *out)
{
	if (!debugger_value_text(g, f, v, out))
		buf_printf(out, "<cannot be read: its address leads nowhere>");
}

bool show_value(Debugger *g, const char *text, Buf *out, const char **why)
{
	u32 at;
	Focus f = debugger_focus(g);
	DebugValue v;
	DebugExpr *e = debugger_parse(g, text, why, &at);
	if (!e || !debugger_eval(g, e, f, &v, why))
		return false;
	buf_printf(out, "%s = ", text);
	show_typed(g, f, &v, out);
	buf_printf(out, "\n");
	return true;
}

/* ---- of many ---- */

typedef struct Cell {
	char *text; /* NULL: there is no such work-item, or it does not know the name */
	bool active;
} Cell;

static Cell cell(Debugger *g, const DebugExpr *e, u32 wave, u32 lane, u32 frame)
{
	SimWave w = sim_debug_wave(debugger_sim(g), wave);
	Focus f = {.wave = wave, .lane = lane, .frame = frame};
	DebugValue v;
	const char *why;
	Buf b = {0};
	if (!(w.began & mask_lane(lane)) || w.state == SIM_ENDED)
		return (Cell){0};
	bool ok = debugger_eval(g, e, f, &v, &why) && debugger_value_text(g, f, &v, &b);
	Cell c = {.text = ok ? b.v : NULL, .active = w.mask >> lane & 1};
	if (!ok)
		array_free(&b);
	return c;
}

static void cells_free(Cell *c, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free(c[i].text);
	free(c);
}

static u32 widest(const Cell *c, u32 n)
{
	u32 width = 1;
	for (u32 i = 0; i < n; i++) {
		u32 k = c[i].text ? (u32)strlen(c[i].text) : 1;
		width = k > width ? k : width;
	}
	return width;
}

static void show_cell(const Cell *c, u32 width, Buf *out)
{
	const char *text = c->text ? c->text : "-";
	buf_printf(out, c->text && !c->active ? " (%*s)" : "  %*s ", (int)width, text);
}

/* Is it the same for all work-items that are there? */
static const char *all_same(const Cell *c, u32 n, u32 *count)
{
	const char *one = NULL;
	*count = 0;
	for (u32 i = 0; i < n; i++) {
		if (!c[i].text)
			continue;
		if (one && strcmp(one, c[i].text))
			return NULL;
		one = c[i].text;
		++*count;
	}
	return one;
}

static bool can_show(Debugger *g, const char *text, DebugExpr **e, const char **why)
{
	u32 at;
	DebugValue v;
	*e = debugger_parse(g, text, why, &at);
	return *e && debugger_eval(g, *e, debugger_focus(g), &v, why);
}

bool show_row(Debugger *g, const char *text, Buf *out, const char **why)
{
	Focus f = debugger_focus(g);
	u32 n = debugger_lanes(g), count;
	DebugExpr *e;
	if (!can_show(g, text, &e, why))
		return false;
	Cell *c = xcalloc(n + 1, sizeof *c);
	for (u32 i = 0; i < n; i++)
		c[i] = cell(g, e, f.wave, i, f.frame);
	const char *one = all_same(c, n, &count);
	if (one) {
		buf_printf(out, "%s = %s in %s%u lane%s of wavefront %u\n", text, one, count > 1 ? "all " : "", count,
		           count == 1 ? "" : "s", f.wave);
	} else {
		u32 width = widest(c, n), each = width > WIDEST ? 1 : width > 10 ? ROW / 2 : ROW;
		buf_printf(out, "%s, wavefront %u; in brackets: lanes that wait\n", text, f.wave);
		while (n > 1 && !c[n - 1].text)
			n--;
		for (u32 i = 0; i < n; i++) {
			if (i % each == 0)
				buf_printf(out, "%slane %3u ", i ? "\n" : "", i);
			show_cell(&c[i], each == 1 ? 1 : width, out);
		}
		buf_printf(out, "\n");
	}
	cells_free(c, debugger_lanes(g));
	return true;
}

/* Wavefront and lane of a work-item by its local ids: the first that has them. */
static void grid_fill(Debugger *g, const DebugExpr *e, const u32 local[3], u32 z, Cell *c)
{
	const SimDebug *s = debugger_sim(g);
	u32 waves = sim_debug_waves(s), lanes = debugger_lanes(g), frame = debugger_focus(g).frame;
	for (u32 w = 0; w < waves; w++) {
		Mask began = sim_debug_wave(s, w).began;
		for (u32 l = 0; l < lanes; l++) {
			u64 global[3], id[3];
			if (!(began & mask_lane(l)))
				continue;
			sim_debug_item(s, w, l, global, id);
			if (id[2] == z && id[0] < local[0] && id[1] < local[1])
				c[id[1] * local[0] + id[0]] = cell(g, e, w, l, w == debugger_focus(g).wave ? frame : 0);
		}
	}
}

static void show_plane(const Cell *c, const u32 local[3], u32 z, Buf *out)
{
	u32 columns = local[0] < MOST_COLUMNS ? local[0] : MOST_COLUMNS,
	    rows = local[1] < MOST_ROWS ? local[1] : MOST_ROWS;
	u32 width = widest(c, local[0] * local[1]);
	if (local[2] > 1)
		buf_printf(out, "z = %u\n", z);
	if (local[1] == 1) /* a line, broken */
		columns = width > 6 ? ROW : 2 * ROW, rows = (local[0] + columns - 1) / columns;
	for (u32 y = 0; y < rows; y++) {
		buf_printf(out, local[1] == 1 ? "x %4u" : "y %4u", local[1] == 1 ? y * columns : y);
		for (u32 x = 0; x < columns && (local[1] > 1 || y * columns + x < local[0]); x++)
			show_cell(&c[local[1] == 1 ? y * columns + x : y * local[0] + x], width, out);
		buf_printf(out, local[1] > 1 && columns < local[0] ? " ...\n" : "\n");
	}
	if (local[1] > rows && local[1] > 1)
		buf_printf(out, "... and %u more rows\n", local[1] - rows);
}

bool show_grid(Debugger *g, const char *text, Buf *out, const char **why)
{
	u32 local[3];
	DebugExpr *e;
	if (!can_show(g, text, &e, why))
		return false;
	sim_debug_local(debugger_sim(g), local);
	buf_printf(
	    out,
	    "%s, work-items by local id; in brackets: those that wait; -: it has ended, or is not in this function\n",
	    text);
	u32 n = local[0] * local[1];
	for (u32 z = 0; z < local[2]; z++) {
		Cell *c = xcalloc(n + 1, sizeof *c);
		grid_fill(g, e, local, z, c);
		show_plane(c, local, z, out);
		cells_free(c, n);
	}
	return true;
}

/* ---- registers ---- */

static void show_register(Debugger *g, u32 reg, const char *role, Buf *out)
{
	const Reg *r = &debugger_program(g)->regs.v[reg];
	Focus f = debugger_focus(g);
	Mask began = sim_debug_wave(debugger_sim(g), f.wave).began;
	DebugValue v;
	if (r->kind == REG_CONST)
		return;
	buf_printf(out, "%-5s %c%u:%s%s%s ", role, r->kind == REG_VECTOR ? 'v' : 's', reg, type_name[r->type],
	           r->name ? " " : "", r->name ? r->name : "");
	for (u32 l = 0; l < debugger_lanes(g); l++) {
		f.lane = l;
		Buf one = {0};
		if ((l && r->kind != REG_VECTOR) || !(began & mask_lane(l)))
			break;
		if (!debugger_register(g, f, reg, &v) || !debugger_value_text(g, f, &v, &one))
			buf_printf(&one, "128 bits");
		buf_printf(out, " %s", one.v);
		array_free(&one);
	}
	buf_printf(out, "\n");
}

void show_registers(Debugger *g, Buf *out)
{
	const Program *p = debugger_program(g);
	u32 at = sim_debug_wave(debugger_sim(g), debugger_focus(g).wave).ins;
	if (at == NO_INS) {
		buf_printf(out, "the wavefront has ended\n");
		return;
	}
	const Ins *i = &p->ins.v[at];
	buf_printf(out, "instruction %u: ", at);
	ins_print(p, i, out);
	buf_printf(out, "\n");
	for (u32 k = 0; k < i->nsrc; k++)
		show_register(g, ins_src(p, i)[k], "reads", out);
	for (u32 k = 0; k < i->ndst; k++)
		show_register(g, ins_dst(p, i)[k], "will be", out);
}

/* ---- local memory ---- */

static bool same_writer(const SimWriter *a, bool has_a, const SimWriter *b, bool has_b)
{
	return has_a == has_b && (!has_a || (a->wave == b->wave && a->ins == b->ins));
}

static void show_writer(const Debugger *g, u64 from, u64 to, const SimWriter *w, bool has, u64 count, Buf *out)
{
	buf_printf(out, from == to ? "    [%" PRIu64 "]" : "    [%" PRIu64 "-%" PRIu64 "]", from, to);
	if (!has) {
		buf_printf(out, " not written\n");
		return;
	}
	buf_printf(out,
	           count == 1 ? " written by wavefront %u, lane %u, at "
	                      : " written by wavefront %u, from lane %u on, at ",
	           w->wave, w->lane);
	show_place(g, w->ins, out);
	buf_printf(out, "\n");
}

/* Who wrote which elements last, runs of one wavefront's instruction as one. */
static void show_writers(Debugger *g, Focus f, const DebugValue *v, Buf *out)
{
	const SymType *t = debugger_types(g, v->type);
	u32 each = t->kind == SYM_ARRAY ? debugger_types(g, t->base)->bytes : t->bytes;
	u64 n = each ? t->bytes / each : 0, from = 0;
	SimWriter last = {0}, now;
	bool has_last = false;
	for (u64 i = 0; i <= n; i++) {
		bool has = i < n && sim_debug_writer(debugger_sim(g), f.wave, v->space, v->address + i * each, &now);
		if (i && (i == n || !same_writer(&last, has_last, &now, has))) {
			show_writer(g, from, i - 1, &last, has_last, i - from, out);
			from = i;
		}
		if (i == from || !i) {
			last = now;
			has_last = has;
		}
	}
}

void show_lds(Debugger *g, Buf *out)
{
	u32 n;
	Focus f = debugger_focus(g);
	const DebugVariable *all = debugger_lds(g, f, &n);
	DebugVariable *list = xcalloc(n + 1, sizeof *list);
	if (n)
		memcpy(list, all, n * sizeof *list);
	for (u32 i = 0; i < n; i++) {
		buf_printf(out, "%s, ", list[i].name);
		debugger_type_name(g, list[i].value.type, out);
		buf_printf(out, " = ");
		show_typed(g, f, &list[i].value, out);
		buf_printf(out, "\n");
		show_writers(g, f, &list[i].value, out);
	}
	if (!n)
		buf_printf(out, "the kernel has no local memory\n");
	free(list);
}
