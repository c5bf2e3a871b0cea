/* The annotated source: a row per source line, counters in aligned columns before the
 * text. A column that would be empty everywhere is left out, as are stretches of source
 * where nothing ran. On a narrow terminal the heads become brief, then columns are left out until the
 * source has room: first those without a coloured cell. */
#include "report/table.h"

enum {
	CONTEXT = 2,      /* lines shown around a counted one */
	BAR = 10,         /* columns of the longest bar */
	BRIEF_BAR = 4,
	LEAST_SOURCE = 28 /* columns for the source on a terminal, but no more than a third */
};

/* What cells look at besides their source line. */
typedef struct LineCells {
	const SinkStyle *style;
	double most_time; /* the largest share of a source line */
	bool brief;
} LineCells;

typedef struct LineColumn {
	TableColumn as;
	bool (*used)(const ResultLine *l);
	void (*cell)(const ResultLine *l, const LineCells *c, Buf *out);
	Paint (*paint)(const ResultLine *l); /* NULL: never coloured */
} LineColumn;

static bool counted(const ResultLine *l) { return l->t.wave_instructions || l->executions; }
static bool branches(const ResultLine *l) { return l->t.branches; }
static bool uses_lds(const ResultLine *l) { return l->t.lds.accesses; }
static bool uses_memory(const ResultLine *l) { return l->t.accesses; }
static bool live(const ResultLine *l) { return l->live_vgprs; }

static void cell_executions(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	put_short(out, l->executions);
}

static void cell_share(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->share);
}

static bool timed(const ResultLine *l) { return l->cycles_share > 0; }

static void cell_time(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	buf_printf(out, "%.1f", 100 * l->cycles_share);
}

/* Eighths of a column where the terminal can show them. */
static void cell_bar(const ResultLine *l, const LineCells *c, Buf *out)
{
	double part = c->most_time > 0 ? l->cycles_share / c->most_time : 0;
	u32 eighths = (u32)(part * 8 * (c->brief ? BRIEF_BAR : BAR) + 0.5);
	if (!c->style->utf8) {
		for (u32 i = 4; i <= eighths; i += 8)
			buf_printf(out, "#");
		return;
	}
	for (; eighths >= 8; eighths -= 8)
		buf_printf(out, "\u2588");
	if (eighths)
		buf_printf(out, "%c%c%c", 0xE2, 0x96, 0x90 - (int)eighths);
}

static Paint paint_time(const ResultLine *l)
{
	return l->cycles_share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
}

static void cell_lanes(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->utilization);
}

static void cell_divergent(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	put_short(out, l->t.divergent_branches);
	buf_printf(out, "/");
	put_short(out, l->t.branches);
}

static void put_ratio(u64 ideal, u64 actual, const LineCells *c, Buf *out)
{
	put_short(out, ideal);
	buf_printf(out, "%s", c->style->utf8 ? "\u2192" : "->");
	put_short(out, actual);
}

static void cell_lds(const ResultLine *l, const LineCells *c, Buf *out)
{
	put_ratio(l->t.lds.ideal, l->t.lds.actual, c, out);
}

static void cell_memory(const ResultLine *l, const LineCells *c, Buf *out)
{
	put_ratio(l->t.ideal_lines, l->t.actual_lines, c, out);
}

static void cell_live(const ResultLine *l, const LineCells *c, Buf *out)
{
	(void)c;
	buf_printf(out, "%u", l->live_vgprs);
}

static Paint paint_share(const ResultLine *l)
{
	return l->share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
}

static Paint paint_lanes(const ResultLine *l)
{
	return l->utilization < 0.5 ? PAINT_BAD : l->utilization < 0.8 ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_divergent(const ResultLine *l)
{
	return l->t.divergent_branches ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_ratio(u64 ideal, u64 actual)
{
	return actual >= 4 * ideal && actual ? PAINT_BAD : actual > ideal ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_lds(const ResultLine *l) { return paint_ratio(l->t.lds.ideal, l->t.lds.actual); }

static Paint paint_memory(const ResultLine *l)
{
	return l->t.actual_lines >= 2 * l->t.ideal_lines
	           ? paint_ratio(l->t.ideal_lines, l->t.actual_lines)
	           : PAINT_NONE;
}

#define HEADS(long_head, short_head) \
	.head = long_head, .brief_head = short_head, .sub = "ideal->actual", .brief_sub = "id->act"
static const LineColumn columns[] = {
	{{.name = "time", .head = "time", .sub = "%"}, timed, cell_time, paint_time},
	{{.name = "bar", .keep = 6, .left = true, .least = {BAR, BRIEF_BAR}}, timed, cell_bar, paint_time},
	{{.name = "execs", .head = "execs", .keep = 8}, counted, cell_executions, NULL},
	{{.name = "instrs", .head = "instrs", .sub = "%", .keep = 1}, counted, cell_share, paint_share},
	{{.name = "lanes", .head = "lanes", .sub = "%", .keep = 9, .worth = WORTH_PAINTED},
	 counted, cell_lanes, paint_lanes},
	{{.name = "branches", .head = "branches", .sub = "div/all", .keep = 5, .worth = WORTH_PAINTED},
	 branches, cell_divergent, paint_divergent},
	{{.name = "LDS", HEADS("LDS cycles", "LDS"), .keep = 7, .worth = WORTH_PAINTED},
	 uses_lds, cell_lds, paint_lds},
	{{.name = "cache lines", HEADS("cache lines", "lines"), .keep = 4, .worth = WORTH_PAINTED},
	 uses_memory, cell_memory, paint_memory},
	{{.name = "VGPRs", .head = "VGPRs", .sub = "live", .keep = 2}, live, cell_live, NULL},
};
enum { SHOWN_COUNTER_KEEP = 3 };

typedef struct LineTable {
	Table t;
	u32 number; /* digits of the line number */
	u32 before; /* columns before the source text */
} LineTable;

static void add_columns(Table *t)
{
	for (u32 i = 0; i < COUNT(columns); i++)
		table_column(t, &columns[i].as);
	for (const Counter *c = shown_counters; c->name; c++)
		table_column(t, &(TableColumn){.name = c->name, .head = c->name, .keep = SHOWN_COUNTER_KEEP});
}

static void add_row(Table *t, const ResultLine *l, const LineCells *wide)
{
	LineCells narrow = *wide;
	narrow.brief = true;
	Buf text = {0}, brief = {0};
	for (u32 i = 0; i < COUNT(columns); i++) {
		bool used = columns[i].used(l);
		text.n = brief.n = 0;
		if (used) {
			columns[i].cell(l, wide, &text);
			columns[i].cell(l, &narrow, &brief);
		}
		table_cell(t, &text, &brief, used && columns[i].paint ? columns[i].paint(l) : PAINT_NONE);
	}
	for (const Counter *c = shown_counters; c->name; c++) {
		text.n = 0;
		if (counter_of(&l->t, c))
			put_short(&text, counter_of(&l->t, c));
		table_cell(t, &text, NULL, PAINT_NONE);
	}
	array_free(&text);
	array_free(&brief);
}

static void build(const Result *r, const SinkStyle *style, LineTable *lines)
{
	LineCells cells = {.style = style};
	u32 last = 0, room = 0;
	table_init(&lines->t, style, 2, 1);
	add_columns(&lines->t);
	for (u32 i = 0; i < r->nlines; i++)
		cells.most_time = r->lines[i].cycles_share > cells.most_time ? r->lines[i].cycles_share : cells.most_time;
	for (u32 i = 0; i < r->nlines; i++) {
		last = r->lines[i].line > last ? r->lines[i].line : last;
		add_row(&lines->t, &r->lines[i], &cells);
	}
	lines->number = (u32)snprintf(NULL, 0, "%u", last + CONTEXT);
	u32 fixed = lines->number + 3; /* and " | " */
	if (style->width) {
		u32 source = style->width < 3 * LEAST_SOURCE ? style->width / 3 : LEAST_SOURCE;
		room = style->width > source + fixed ? style->width - source - fixed : 1;
	}
	table_fit(&lines->t, room);
	lines->before = table_width(&lines->t) + fixed;
}

static void put_head(const Table *t, Buf *out)
{
	for (u32 second = 0; second < 2; second++) {
		Buf line = {0};
		table_head(t, second, &line);
		paint(out, t->style, PAINT_BOLD, line.n ? line.v : "");
		buf_printf(out, "\n");
		array_free(&line);
	}
	table_left_out(t, 2, out);
}

/* row: of the table, TABLE_NO_ROW: nothing was counted here. */
static void put_line(const Result *r, u32 file, u32 line, u32 row, const LineTable *lines, Buf *out)
{
	const SinkStyle *style = lines->t.style;
	u32 n = 0, start = out->n;
	const char *text = result_source_line(&r->sources[file], line, &n);
	if (!text && row == TABLE_NO_ROW)
		return;
	table_row(&lines->t, row, out);
	buf_printf(out, "%*s%*u | ", (int)lines->t.gap[lines->t.brief], "", (int)lines->number, line);
	if (text)
		put_source(out, text, n, style->width > lines->before ? style->width - lines->before : 0);
	table_trim(out, start);
	buf_printf(out, "\n");
}

/* Source lines of one file: r->lines[from … to). */
static void put_file(const Result *r, u32 from, u32 to, const LineTable *lines, Buf *out)
{
	u32 file = r->lines[from].file, next = 1;
	for (u32 i = from; i < to; i++) {
		u32 line = r->lines[i].line;
		u32 first = line > next + CONTEXT ? line - CONTEXT : next;
		/* A gap of one line costs as much as the mark that replaces it. */
		if (first == next + 1)
			first = next;
		if (first > next && i > from)
			buf_printf(out, "%*s...\n", (int)lines->before - 5, "");
		for (u32 k = first; k < line; k++)
			put_line(r, file, k, TABLE_NO_ROW, lines, out);
		put_line(r, file, line, i, lines, out);
		next = line + 1;
		u32 after = i + 1 < to ? r->lines[i + 1].line : UINT32_MAX;
		for (u32 k = 0; k < CONTEXT && next < after; k++, next++)
			put_line(r, file, next, TABLE_NO_ROW, lines, out);
	}
}

static void put_without_line(u32 row, const LineTable *lines, Buf *out)
{
	table_row(&lines->t, row, out);
	buf_printf(out, "%*s%*s | ", (int)lines->t.gap[lines->t.brief], "", (int)lines->number, "-");
	paint(out, lines->t.style, PAINT_DIM, "(instructions without a source line)");
	buf_printf(out, "\n");
}

void text_lines(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->nlines)
		return;
	LineTable lines;
	build(r, style, &lines);
	buf_printf(out, "\n");
	put_head(&lines.t, out);
	u32 files = 0;
	for (u32 i = 0; i < r->nlines; i++)
		files += r->lines[i].line && (!i || r->lines[i].file != r->lines[i - 1].file);
	for (u32 i = 0, to; i < r->nlines; i = to) {
		const ResultLine *l = &r->lines[i];
		to = i + 1;
		if (!l->line) {
			if (counted(l))
				put_without_line(i, &lines, out);
			continue;
		}
		while (to < r->nlines && r->lines[to].line && r->lines[to].file == l->file)
			to++;
		if (files > 1 || !r->sources[l->file].text) {
			paint(out, style, PAINT_BOLD, r->sources[l->file].name);
			buf_printf(out, "\n");
		}
		put_file(r, i, to, &lines, out);
	}
	table_free(&lines.t);
}
