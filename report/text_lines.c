/* The annotated source: a row per source line, counters in aligned columns before the
 * text. A column that would be empty everywhere is left out, as are stretches of source
 * where nothing ran. */
#include "report/style.h"

#include <stdio.h>

enum { CONTEXT = 2 }; /* lines shown around a counted one */

typedef struct Column {
	const char *head, *sub;
	bool (*used)(const ReportLine *l);
	void (*cell)(const ReportLine *l, Buf *out);
	Paint (*paint)(const ReportLine *l);
} Column;

static bool counted(const ReportLine *l) { return l->t.wave_instructions || l->executions; }
static bool branches(const ReportLine *l) { return l->t.branches; }
static bool uses_lds(const ReportLine *l) { return l->t.lds.accesses; }
static bool uses_memory(const ReportLine *l) { return l->t.accesses; }
static bool live(const ReportLine *l) { return l->live_vgprs; }

static void cell_executions(const ReportLine *l, Buf *out) { put_short(out, l->executions); }

static void cell_share(const ReportLine *l, Buf *out)
{
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->share);
}

static bool timed(const ReportLine *l) { return l->cycles_share > 0; }

static void cell_time(const ReportLine *l, Buf *out) { buf_printf(out, "%.1f", 100 * l->cycles_share); }

static Paint paint_time(const ReportLine *l)
{
	return l->cycles_share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
}

static void cell_lanes(const ReportLine *l, Buf *out)
{
	if (l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->utilization);
}

static void cell_divergent(const ReportLine *l, Buf *out)
{
	put_short(out, l->t.divergent_branches);
	buf_printf(out, "/");
	put_short(out, l->t.branches);
}

static void cell_lds(const ReportLine *l, Buf *out)
{
	put_short(out, l->t.lds.ideal);
	buf_printf(out, "->");
	put_short(out, l->t.lds.actual);
}

static void cell_memory(const ReportLine *l, Buf *out)
{
	put_short(out, l->t.ideal_lines);
	buf_printf(out, "->");
	put_short(out, l->t.actual_lines);
}

static void cell_live(const ReportLine *l, Buf *out) { buf_printf(out, "%u", l->live_vgprs); }

static Paint plain(const ReportLine *l) { return (void)l, PAINT_NONE; }

static Paint paint_share(const ReportLine *l)
{
	return l->share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
}

static Paint paint_lanes(const ReportLine *l)
{
	return l->utilization < 0.5 ? PAINT_BAD : l->utilization < 0.8 ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_divergent(const ReportLine *l)
{
	return l->t.divergent_branches ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_ratio(u64 ideal, u64 actual)
{
	return actual >= 4 * ideal && actual ? PAINT_BAD : actual > ideal ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_lds(const ReportLine *l) { return paint_ratio(l->t.lds.ideal, l->t.lds.actual); }

static Paint paint_memory(const ReportLine *l)
{
	return l->t.actual_lines >= 2 * l->t.ideal_lines
	           ? paint_ratio(l->t.ideal_lines, l->t.actual_lines)
	           : PAINT_NONE;
}

static const Column columns[] = {
	{"execs", "", counted, cell_executions, plain},
	{"time", "%", timed, cell_time, paint_time},
	{"instrs", "%", counted, cell_share, paint_share},
	{"lanes", "%", counted, cell_lanes, paint_lanes},
	{"branches", "div/all", branches, cell_divergent, paint_divergent},
	{"LDS cycles", "ideal->actual", uses_lds, cell_lds, paint_lds},
	{"cache lines", "ideal->actual", uses_memory, cell_memory, paint_memory},
	{"VGPRs", "live", live, cell_live, plain},
};
enum { COLUMNS = COUNT(columns) };

typedef struct Layout {
	u32 width[COLUMNS]; /* 0: not shown */
	u32 number;         /* digits of the line number */
	u32 before;         /* columns before the source text */
} Layout;

static void measure(const Report *r, Layout *lay)
{
	memset(lay, 0, sizeof *lay);
	u32 last = 0;
	Buf cell = {0};
	for (u32 i = 0; i < r->nlines; i++) {
		if (r->lines[i].line > last)
			last = r->lines[i].line;
		for (u32 c = 0; c < COLUMNS; c++) {
			if (!columns[c].used(&r->lines[i]))
				continue;
			cell.n = 0;
			buf_printf(&cell, "%s", "");
			columns[c].cell(&r->lines[i], &cell);
			u32 w = cell.n;
			u32 head = (u32)strlen(columns[c].head), sub = (u32)strlen(columns[c].sub);
			w = w < head ? head : w;
			w = w < sub ? sub : w;
			lay->width[c] = w > lay->width[c] ? w : lay->width[c];
		}
	}
	array_free(&cell);
	lay->number = (u32)snprintf(NULL, 0, "%u", last + CONTEXT);
	lay->before = lay->number + 5;
	for (u32 c = 0; c < COLUMNS; c++)
		lay->before += lay->width[c] ? lay->width[c] + 2 : 0;
}

static void put_head(const Layout *lay, const SinkStyle *style, Buf *out)
{
	for (u32 row = 0; row < 2; row++) {
		Buf line = {0};
		for (u32 c = 0; c < COLUMNS; c++) {
			if (lay->width[c])
				buf_printf(&line, "  %*s", (int)lay->width[c],
				           row ? columns[c].sub : columns[c].head);
		}
		while (line.n && line.v[line.n - 1] == ' ')
			line.v[--line.n] = 0;
		paint(out, style, PAINT_BOLD, line.v);
		buf_printf(out, "\n");
		array_free(&line);
	}
}

/* The cells of a line, or blanks when l is NULL. */
static void put_cells(const ReportLine *l, const Layout *lay, const SinkStyle *style, Buf *out)
{
	Buf cell = {0};
	for (u32 c = 0; c < COLUMNS; c++) {
		if (!lay->width[c])
			continue;
		cell.n = 0;
		buf_printf(&cell, "%s", "");
		if (l && columns[c].used(l))
			columns[c].cell(l, &cell);
		buf_printf(out, "  %*s", (int)(lay->width[c] - cell.n), "");
		paint(out, style, cell.n ? columns[c].paint(l) : PAINT_NONE, cell.v);
	}
	array_free(&cell);
}

static void put_row(const Report *r, u32 file, u32 line, const ReportLine *l, const Layout *lay,
                    const SinkStyle *style, Buf *out)
{
	u32 n = 0;
	const char *text = report_source_line(&r->sources[file], line, &n);
	if (!text && !l)
		return;
	u32 start = out->n;
	put_cells(l, lay, style, out);
	buf_printf(out, "  %*u | ", (int)lay->number, line);
	if (text)
		put_source(out, text, n, style->width > lay->before ? style->width - lay->before : 0);
	while (out->n > start && out->v[out->n - 1] == ' ')
		out->v[--out->n] = 0;
	buf_printf(out, "\n");
}

/* Lines of one file: r->lines[from … to). */
static void put_file(const Report *r, u32 from, u32 to, const Layout *lay, const SinkStyle *style,
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
			put_row(r, file, k, NULL, lay, style, out);
		put_row(r, file, line, &r->lines[i], lay, style, out);
		next = line + 1;
		u32 after = i + 1 < to ? r->lines[i + 1].line : UINT32_MAX;
		for (u32 k = 0; k < CONTEXT && next < after; k++, next++)
			put_row(r, file, next, NULL, lay, style, out);
	}
}

void text_lines(const Report *r, const SinkStyle *style, Buf *out)
{
	if (!r->nlines)
		return;
	Layout lay;
	measure(r, &lay);
	buf_printf(out, "\n");
	put_head(&lay, style, out);
	u32 files = 0;
	for (u32 i = 0; i < r->nlines; i++)
		files += r->lines[i].line && (!i || r->lines[i].file != r->lines[i - 1].file);
	for (u32 i = 0, to; i < r->nlines; i = to) {
		const ReportLine *l = &r->lines[i];
		to = i + 1;
		if (!l->line) {
			if (!counted(l))
				continue;
			put_cells(l, &lay, style, out);
			buf_printf(out, "  %*s | ", (int)lay.number, "-");
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
