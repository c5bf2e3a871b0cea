/* The machine code as text, beside the source: a row an instruction, with the source line before those that come from
 * it. Columns that the code or the run does not fill are left out; lines are never cut, also on a terminal. */
#include "report/table.h"

typedef enum {
	COLUMN_EXECUTIONS, COLUMN_LANES, COLUMN_CYCLES, COLUMN_TIME, COLUMN_WHY, COLUMN_VGPRS, COLUMN_AGPRS,
	COLUMN_SGPRS, COLUMN_MARK, COLUMN_COUNT
} ListingColumn;

static const TableColumn columns[COLUMN_COUNT] = {
    [COLUMN_EXECUTIONS] = {.head = "execs"},
    [COLUMN_LANES] = {.head = "lanes", .sub = "mean"},
    [COLUMN_CYCLES] = {.head = "cycles", .sub = "each"},
    [COLUMN_TIME] = {.head = "time", .sub = "%"},
    [COLUMN_WHY] = {.head = "most for", .left = true},
    [COLUMN_VGPRS] = {.head = "VGPRs", .sub = "live"},
    [COLUMN_AGPRS] = {.head = "AGPRs", .sub = "live"},
    [COLUMN_SGPRS] = {.head = "SGPRs", .sub = "live"},
    [COLUMN_MARK] = {.head = "", .left = true},
};

static TimePart reason(const ListedIns *x)
{
	TimePart most = 0;
	for (u32 k = 1; k < PART_COUNT; k++)
		most = x->part[k] > x->part[most] ? (TimePart)k : most;
	return most;
}

/* What stands before the colon of a description. */
static void put_mark(const ListedIns *x, Buf *out)
{
	bool array = x->spill == SPILL_none && x->cls == MC_scratch;
	const char *doc = array ? machine_class_doc[MC_scratch] : machine_spill_doc[x->spill];
	buf_printf(out, "%.*s", (int)strcspn(doc, ":"), doc);
}

static void put_cell(const Listing *l, ListingColumn column, const ListedIns *x, Buf *out)
{
	const ListedBlock *b = &l->blocks[x->block];
	bool ran = l->ran && b->executions;
	switch (column) {
	case COLUMN_EXECUTIONS:
		if (l->ran) {
			buf_printf(out, "%s", b->assumed && ran ? ">=" : "");
			put_short(out, b->executions);
		}
		break;
	case COLUMN_LANES:
		if (ran && b->lanes >= 0)
			buf_printf(out, "%.1f", b->lanes);
		break;
	case COLUMN_CYCLES:
		if (l->timed)
			buf_printf(out, "%u", x->cycles);
		break;
	case COLUMN_TIME:
		if (l->timed && ran)
			buf_printf(out, "%.1f", 100 * x->share);
		break;
	case COLUMN_WHY:
		if (l->timed && x->share > 0)
			buf_printf(out, "%s", time_part_name[reason(x)]);
		break;
	case COLUMN_VGPRS:
		if (l->live)
			buf_printf(out, "%u", x->vgprs);
		break;
	case COLUMN_SGPRS:
		if (l->live && l->sgprs)
			buf_printf(out, "%u", x->sgprs);
		break;
	case COLUMN_AGPRS:
		if (l->live && l->agprs)
			buf_printf(out, "%u", x->agprs);
		break;
	case COLUMN_MARK: put_mark(x, out); break;
	case COLUMN_COUNT: break;
	}
}

static Paint paint_of(const Listing *l, ListingColumn column, const ListedIns *x)
{
	if (column == COLUMN_MARK)
		return PAINT_BAD;
	if (column == COLUMN_TIME || column == COLUMN_WHY)
		return x->share >= 0.1 ? PAINT_BOLD : PAINT_NONE;
	if (column == COLUMN_VGPRS && l->live)
		return x->vgprs + x->agprs == l->ins[l->most].vgprs + l->ins[l->most].agprs ? PAINT_BOLD : PAINT_NONE;
	return PAINT_NONE;
}

static void fill(Table *t, const Listing *l)
{
	Buf cell = {0};
	for (u32 i = 0; i < COLUMN_COUNT; i++)
		table_column(t, &columns[i]);
	for (u32 i = 0; i < l->nins; i++)
		for (u32 k = 0; k < COLUMN_COUNT; k++) {
			cell.n = 0;
			buf_printf(&cell, "%s", "");
			put_cell(l, (ListingColumn)k, &l->ins[i], &cell);
			table_cell(t, &cell, NULL, paint_of(l, (ListingColumn)k, &l->ins[i]));
		}
	array_free(&cell);
}

/* "k.cl:12  float x = a[i];" */
static void put_place(const ListedIns *x, const ResultSource *sources, u32 nsources, u32 indent, const SinkStyle *style,
                      Buf *out)
{
	Buf line = {0};
	u32 n = 0;
	const char *name = x->file ? strrchr(x->file, '/') : NULL, *text = NULL;
	for (u32 i = 0; i < nsources && x->line; i++)
		if (!strcmp(sources[i].name, x->file))
			text = result_source_line(&sources[i], x->line, &n);
	if (x->line)
		buf_printf(&line, "; %s:%u  ", name ? name + 1 : x->file, x->line);
	else
		buf_printf(&line, "; no source line");
	u32 skip = 0;
	while (skip < n && (text[skip] == ' ' || text[skip] == '\t'))
		skip++;
	if (text)
		put_source(&line, text + skip, n - skip, 0);
	table_trim(&line, 0);
	buf_printf(&line, "%s", "");
	buf_printf(out, "%*s", (int)indent, "");
	paint(out, style, PAINT_DIM, line.v);
	buf_printf(out, "\n");
	array_free(&line);
}

/* The instruction's own lines: of a VLIW bundle there are several. */
static void put_text(const Table *t, u32 row, const char *text, Buf *out)
{
	for (bool first = true; text; first = false) {
		size_t n = strcspn(text, "\n");
		u32 from = out->n;
		table_row(t, first ? row : TABLE_NO_ROW, out);
		buf_printf(out, "  %.*s", (int)n, text);
		table_trim(out, from);
		buf_printf(out, "\n");
		text = text[n] ? text + n + 1 : NULL;
	}
}

static bool same_place(const ListedIns *a, const ListedIns *b)
{
	return a->line == b->line && (!a->line || a->file == b->file);
}

static void put_facts(const Listing *l, const SinkStyle *style, Buf *out)
{
	Buf text = {0};
	const ListedIns *most = l->nins ? &l->ins[l->most] : NULL;
	put_numbers(&text, "# machine instruction~ for ", l->nins);
	buf_printf(&text, "%s", l->cpu);
	if (l->live && most)
		buf_printf(&text, "; at most %u of the %u allocated vector registers are live at once",
		           most->vgprs + most->agprs, l->vgprs + l->agprs);
	if (l->stands_for)
		buf_printf(&text, "; in place of %s", l->stands_for);
	if (l->left_out)
		buf_printf(&text, "; without calls of %s", l->left_out);
	put_text_row(out, style, "code", "%s\n", text.v);
	array_free(&text);
	if (l->timed)
		put_text_row(out, style, "",
		             "time: of wavefronts; waiting for a result counts at the instruction that produces it, "
		             "not at s_waitcnt\n");
	buf_printf(out, "\n");
}

void listing_text(const Listing *l, const ResultSource *sources, u32 nsources, const SinkStyle *style, Buf *out)
{
	Table t;
	table_init(&t, style, 2, 2);
	fill(&t, l);
	u32 width = table_width(&t);
	put_facts(l, style, out);
	bool any = l->ran || l->timed || l->live;
	for (u32 second = 0; second < 2 && any; second++) {
		u32 from = out->n;
		table_head(&t, second, out);
		table_trim(out, from);
		buf_printf(out, "\n");
	}
	for (u32 b = 0; b < l->nblocks; b++) {
		const ListedBlock *k = &l->blocks[b];
		if (k->function)
			buf_printf(out, "\n");
		if (k->label)
			buf_printf(out, "%*s%s:\n", (int)width, "", k->label);
		for (u32 i = k->first; i < k->first + k->n; i++) {
			if (i == k->first || !same_place(&l->ins[i], &l->ins[i - 1]))
				put_place(&l->ins[i], sources, nsources, width, style, out);
			put_text(&t, i, l->ins[i].text, out);
		}
	}
	table_free(&t);
}

void sink_listing(const Result *r, const SinkStyle *style, Buf *out)
{
	if (r->listing)
		listing_text(r->listing, r->sources, r->nsources, style, out);
	else
		buf_printf(out, "There is no machine code: %s.\n", r->machine.missing);
}
