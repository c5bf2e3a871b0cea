/* The annotated source: a row per source line, counters in aligned columns before the
 * text. A column that would be empty everywhere is left out, as are stretches of source
 * where nothing ran. On a narrow terminal the heads become brief, then columns give way until the
 * source has room: those first that show nothing remarkable. */
#include "report/style.h"

#include <stdio.h>

enum {
	CONTEXT = 2,      /* lines shown around a counted one */
	BAR = 10,         /* columns of the longest bar */
	BRIEF_BAR = 4,
	LEAST_SOURCE = 28 /* columns for the source on a terminal, but no more than a third */
};

/* What cells look at besides their line. */
typedef struct Cells {
	const SinkStyle *style;
	double most_time; /* the largest share of a line */
	bool brief;
} Cells;

typedef struct Column {
	const char *name;  /* in the list of those left out */
	const char *head, *sub, *brief_head, *brief_sub;
	u32 keep;          /* the least gives way first */
	bool quiet, left;  /* quiet: says nothing when no cell is coloured; left: adjusted so */
	bool (*used)(const ResultLine *l);
	void (*cell)(const ResultLine *l, const Cells *c, Buf *out);
	Paint (*paint)(const ResultLine *l);
} Column;

static bool counted(const ResultLine *l) { return l->t.wave_instructions || l->executions; }
static bool branches(const ResultLine *l) { return l->t.branches; }
static bool uses_lds(const ResultLine *l) { return l->t.lds.accesses; }
static bool uses_memory(const ResultLine *l) { return l->t.accesses; }
static bool live(const ResultLine *l) { return l->live_vgprs; }

static void cell_executions(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	put_short(out, l->executions);
}

static void cell_share(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->share);
}

static bool timed(const ResultLine *l) { return l->cycles_share > 0; }

static void cell_time(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	buf_printf(out, "%.1f", 100 * l->cycles_share);
}

/* Eighths of a column where the terminal can show them. */
static void cell_bar(const ResultLine *l, const Cells *c, Buf *out)
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

static void cell_lanes(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->utilization);
}

static void cell_divergent(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	put_short(out, l->t.divergent_branches);
	buf_printf(out, "/");
	put_short(out, l->t.branches);
}

static void put_ratio(u64 ideal, u64 actual, const Cells *c, Buf *out)
{
	put_short(out, ideal);
	buf_printf(out, "%s", c->style->utf8 ? "\u2192" : "->");
	put_short(out, actual);
}

static void cell_lds(const ResultLine *l, const Cells *c, Buf *out)
{
	put_ratio(l->t.lds.ideal, l->t.lds.actual, c, out);
}

static void cell_memory(const ResultLine *l, const Cells *c, Buf *out)
{
	put_ratio(l->t.ideal_lines, l->t.actual_lines, c, out);
}

static void cell_live(const ResultLine *l, const Cells *c, Buf *out)
{
	(void)c;
	buf_printf(out, "%u", l->live_vgprs);
}

static Paint plain(const ResultLine *l) { return (void)l, PAINT_NONE; }

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

/* Counters that have columns of their own. */
#define SHOWN_CELL(name, at) \
	static bool used_##name(const ResultLine *l) { return l->t.at; } \
	static void cell_##name(const ResultLine *l, const Cells *c, Buf *out) \
	{ \
		(void)c; \
		put_short(out, l->t.at); \
	}
#define SHOWN_COLUMN(n) \
	{.name = #n, .head = #n, .sub = "", .keep = 2, .used = used_##n, .cell = cell_##n, .paint = plain},
#define KEPT_CELL(name, at)
#define KEPT_COLUMN(name)
#define BLOCK(name, how, show, ...) show##_CELL(name, ends.name)
#define ACCESS(name, how, show, ...) show##_CELL(name, name)
#include "isa/counters.def"

#define IDEAL "ideal->actual", .brief_sub = "id->act"
static const Column columns[] = {
	{.name = "time", .head = "time", .sub = "%", .keep = 9, .used = timed, .cell = cell_time,
	 .paint = paint_time},
	{.name = "bar", .head = "", .sub = "", .keep = 5, .left = true, .used = timed, .cell = cell_bar,
	 .paint = paint_time},
	{.name = "execs", .head = "execs", .sub = "", .keep = 7, .used = counted, .cell = cell_executions,
	 .paint = plain},
	{.name = "instrs", .head = "instrs", .sub = "%", .keep = 0, .used = counted, .cell = cell_share,
	 .paint = paint_share},
	{.name = "lanes", .head = "lanes", .sub = "%", .keep = 8, .quiet = true, .used = counted,
	 .cell = cell_lanes, .paint = paint_lanes},
	{.name = "branches", .head = "branches", .sub = "div/all", .keep = 4, .quiet = true,
	 .used = branches, .cell = cell_divergent, .paint = paint_divergent},
	{.name = "LDS", .head = "LDS cycles", .brief_head = "LDS", .sub = IDEAL, .keep = 6, .quiet = true,
	 .used = uses_lds, .cell = cell_lds, .paint = paint_lds},
	{.name = "cache lines", .head = "cache lines", .brief_head = "lines", .sub = IDEAL, .keep = 3,
	 .quiet = true, .used = uses_memory, .cell = cell_memory, .paint = paint_memory},
	{.name = "VGPRs", .head = "VGPRs", .sub = "live", .keep = 1, .used = live, .cell = cell_live,
	 .paint = plain},
#define BLOCK(name, how, show, ...) show##_COLUMN(name)
#define ACCESS(name, how, show, ...) show##_COLUMN(name)
#include "isa/counters.def"
};
enum { COLUMNS = COUNT(columns) };

typedef struct Layout {
	Cells cells;
	u32 cell[COLUMNS];   /* widest cell; 0: the column is empty */
	bool loud[COLUMNS];  /* some cell is coloured */
	bool left_out[COLUMNS]; /* for want of room */
	u32 number;          /* digits of the line number */
	u32 before;          /* columns before the source text */
} Layout;

static const char *head_of(const Layout *lay, u32 c)
{
	return lay->cells.brief && columns[c].brief_head ? columns[c].brief_head : columns[c].head;
}

static const char *sub_of(const Layout *lay, u32 c)
{
	return lay->cells.brief && columns[c].brief_sub ? columns[c].brief_sub : columns[c].sub;
}

/* 0: not shown. */
static u32 width_of(const Layout *lay, u32 c)
{
	u32 head = (u32)strlen(head_of(lay, c)), sub = (u32)strlen(sub_of(lay, c)), w = lay->cell[c];
	if (!w || lay->left_out[c])
		return 0;
	if (columns[c].cell == cell_bar)
		w = lay->cells.brief ? BRIEF_BAR : BAR;
	w = w < head ? head : w;
	return w < sub ? sub : w;
}

/* Blanks before each column. */
static u32 gap(const Layout *lay) { return lay->cells.brief ? 1 : 2; }

static void add_up(Layout *lay)
{
	lay->before = lay->number + 3 + gap(lay);
	for (u32 c = 0; c < COLUMNS; c++)
		lay->before += width_of(lay, c) ? width_of(lay, c) + gap(lay) : 0;
}

static bool too_wide(Layout *lay, u32 width)
{
	u32 source = width < 3 * LEAST_SOURCE ? width / 3 : LEAST_SOURCE;
	add_up(lay);
	return width && lay->before + source > width;
}

/* The column that matters least. 0: none is left; the first, time, stays. */
static u32 least(const Layout *lay)
{
	u32 best = 0, its = 0;
	for (u32 c = 1; c < COLUMNS; c++) {
		u32 keep = columns[c].keep + (columns[c].quiet && !lay->loud[c] ? 0 : 10);
		if (!lay->cell[c] || lay->left_out[c])
			continue;
		if (!best || keep < its) {
			best = c;
			its = keep;
		}
	}
	return best;
}

static void make_room(Layout *lay, u32 width)
{
	lay->cells.brief = too_wide(lay, width);
	for (u32 c; too_wide(lay, width) && (c = least(lay));)
		lay->left_out[c] = true;
	/* A wide column that went may have made room for a narrow one that went before. */
	for (u32 c = 1; c < COLUMNS; c++) {
		bool was = lay->left_out[c];
		lay->left_out[c] = false;
		lay->left_out[c] = was && too_wide(lay, width);
	}
	add_up(lay);
}

static void measure(const Result *r, const SinkStyle *style, Layout *lay)
{
	*lay = (Layout){.cells.style = style};
	for (u32 i = 0; i < r->nlines; i++)
		if (r->lines[i].cycles_share > lay->cells.most_time)
			lay->cells.most_time = r->lines[i].cycles_share;
	u32 last = 0;
	Buf cell = {0};
	for (u32 i = 0; i < r->nlines; i++) {
		const ResultLine *l = &r->lines[i];
		last = l->line > last ? l->line : last;
		for (u32 c = 0; c < COLUMNS; c++) {
			if (!columns[c].used(l))
				continue;
			cell.n = 0;
			columns[c].cell(l, &lay->cells, &cell);
			u32 w = cell.n ? text_columns(cell.v, cell.n) : 0;
			lay->cell[c] = w > lay->cell[c] ? w : lay->cell[c];
			lay->loud[c] |= columns[c].paint(l) != PAINT_NONE;
		}
	}
	array_free(&cell);
	lay->number = (u32)snprintf(NULL, 0, "%u", last + CONTEXT);
	make_room(lay, style->width);
}

static void put_head(const Layout *lay, const SinkStyle *style, Buf *out)
{
	for (u32 row = 0; row < 2; row++) {
		Buf line = {0};
		for (u32 c = 0; c < COLUMNS; c++) {
			if (width_of(lay, c))
				buf_printf(&line, "%*s%*s", (int)gap(lay), "", (int)width_of(lay, c),
				            row ? sub_of(lay, c) : head_of(lay, c));
		}
		while (line.n && line.v[line.n - 1] == ' ')
			line.v[--line.n] = 0;
		paint(out, style, PAINT_BOLD, line.n ? line.v : "");
		buf_printf(out, "\n");
		array_free(&line);
	}
	Buf missing = {0};
	for (u32 c = 0; c < COLUMNS; c++) {
		if (lay->left_out[c] && lay->cell[c])
			buf_printf(&missing, "%s%s", missing.n ? ", " : " (no room for: ", columns[c].name);
	}
	if (missing.n) {
		buf_printf(&missing, ")\n");
		put_wrapped(out, style, missing.v, 2);
	}
	array_free(&missing);
}

/* The cells of a line, or blanks when l is NULL. */
static void put_cells(const ResultLine *l, const Layout *lay, const SinkStyle *style, Buf *out)
{
	Buf cell = {0};
	for (u32 c = 0; c < COLUMNS; c++) {
		u32 width = width_of(lay, c);
		if (!width)
			continue;
		cell.n = 0;
		buf_printf(&cell, "%s", "");
		if (l && columns[c].used(l))
			columns[c].cell(l, &lay->cells, &cell);
		int blanks = (int)(width - text_columns(cell.v, cell.n));
		buf_printf(out, "%*s%*s", (int)gap(lay), "", columns[c].left ? 0 : blanks, "");
		paint(out, style, cell.n ? columns[c].paint(l) : PAINT_NONE, cell.v);
		buf_printf(out, "%*s", columns[c].left ? blanks : 0, "");
	}
	array_free(&cell);
}

static void put_line(const Result *r, u32 file, u32 line, const ResultLine *l, const Layout *lay,
                     const SinkStyle *style, Buf *out)
{
	u32 n = 0;
	const char *text = result_source_line(&r->sources[file], line, &n);
	if (!text && !l)
		return;
	u32 start = out->n;
	put_cells(l, lay, style, out);
	buf_printf(out, "%*s%*u | ", (int)gap(lay), "", (int)lay->number, line);
	if (text)
		put_source(out, text, n, style->width > lay->before ? style->width - lay->before : 0);
	while (out->n > start && out->v[out->n - 1] == ' ')
		out->v[--out->n] = 0;
	buf_printf(out, "\n");
}

/* Lines of one file: r->lines[from … to). */
static void put_file(const Result *r, u32 from, u32 to, const Layout *lay, const SinkStyle *style,
                     Buf *out)
{
	u32 file = r->lines[from].file, next = 1;
	for (u32 i = from; i < to; i++) {
		u32 line = r->lines[i].line;
		u32 first = line > next + CONTEXT ? line - CONTEXT : next;
		/* A gap of one line costs as much as the mark that replaces it. */
		if (first == next + 1)
			first = next;
		if (first > next && i > from)
			buf_printf(out, "%*s...\n", (int)lay->before - 5, "");
		for (u32 k = first; k < line; k++)
			put_line(r, file, k, NULL, lay, style, out);
		put_line(r, file, line, &r->lines[i], lay, style, out);
		next = line + 1;
		u32 after = i + 1 < to ? r->lines[i + 1].line : UINT32_MAX;
		for (u32 k = 0; k < CONTEXT && next < after; k++, next++)
			put_line(r, file, next, NULL, lay, style, out);
	}
}

void text_lines(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->nlines)
		return;
	Layout lay;
	measure(r, style, &lay);
	buf_printf(out, "\n");
	put_head(&lay, style, out);
	u32 files = 0;
	for (u32 i = 0; i < r->nlines; i++)
		files += r->lines[i].line && (!i || r->lines[i].file != r->lines[i - 1].file);
	for (u32 i = 0, to; i < r->nlines; i = to) {
		const ResultLine *l = &r->lines[i];
		to = i + 1;
		if (!l->line) {
			if (!counted(l))
				continue;
			put_cells(l, &lay, style, out);
			buf_printf(out, "%*s%*s | ", (int)gap(&lay), "", (int)lay.number, "-");
			paint(out, style, PAINT_DIM, "(instructions without a source line)");
			buf_printf(out, "\n");
			continue;
		}
		while (to < r->nlines && r->lines[to].line && r->lines[to].file == l->file)
			to++;
		if (files > 1 || !r->sources[l->file].text) {
			paint(out, style, PAINT_BOLD, r->sources[l->file].name);
			buf_printf(out, "\n");
		}
		put_file(r, i, to, &lay, style, out);
	}
}
