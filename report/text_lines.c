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

typedef enum {
	COLUMN_TIME, COLUMN_BAR, COLUMN_EXECUTIONS, COLUMN_SHARE, COLUMN_LANES, COLUMN_BRANCHES, COLUMN_LOST,
	COLUMN_LDS, COLUMN_MEMORY, COLUMN_LIVE, COLUMN_WHY, COLUMN_COUNT
} LineColumn;
#define HEADS(long_head, short_head) \
	.head = long_head, .brief_head = short_head, .sub = "ideal->actual", .brief_sub = "id->act"
static const TableColumn columns[COLUMN_COUNT] = {
    [COLUMN_TIME] = {.name = "time", .head = "time", .sub = "%"},
    [COLUMN_BAR] = {.name = "bar", .keep = 6, .left = true, .least = {BAR, BRIEF_BAR}},
    [COLUMN_EXECUTIONS] = {.name = "execs", .head = "execs", .keep = 8},
    [COLUMN_SHARE] = {.name = "instrs", .head = "instrs", .sub = "%", .keep = 1},
    [COLUMN_LANES] = {.name = "lanes", .head = "lanes", .sub = "%", .keep = 9, .worth = WORTH_PAINTED},
    [COLUMN_BRANCHES] = {.name = "branches", .head = "branches", .sub = "div/all", .keep = 5, .worth = WORTH_PAINTED},
    [COLUMN_LOST] = {.name = "lost", .head = "lost", .sub = "slots", .keep = 3, .worth = WORTH_PAINTED},
    [COLUMN_LDS] = {.name = "LDS", HEADS("LDS cycles", "LDS"), .keep = 7, .worth = WORTH_PAINTED},
    [COLUMN_MEMORY] = {.name = "cache lines", HEADS("cache lines", "lines"), .keep = 4, .worth = WORTH_PAINTED},
    [COLUMN_LIVE] = {.name = "VGPRs", .head = "VGPRs", .sub = "live", .keep = 2},
    [COLUMN_WHY] = {.name = "why", .head = "time goes to", .sub = "% of it", .left = true, .keep = 2},
};

/* Of the time: less is 0.0 %. */
#define WORTH_A_ROW 0.0005

static bool counted(const ResultLine *l) { return l->t.wave_instructions || l->executions; }

static bool is_used(LineColumn column, const ResultLine *l, const LineCells *c)
{
	switch (column) {
	case COLUMN_TIME:
	case COLUMN_BAR: return l->cycles_share > 0;
	case COLUMN_BRANCHES: return l->t.branches;
	case COLUMN_LOST: return l->t.ends.lost;
	case COLUMN_LDS: return l->t.lds.accesses;
	case COLUMN_MEMORY: return l->t.accesses;
	case COLUMN_LIVE: return l->live_vgprs;
	case COLUMN_WHY: return c->style->verbose && result_line_reason(l) < PART_COUNT;
	default: return counted(l);
	}
}

/* Eighths of a column where the terminal can show them. */
static void put_bar(const ResultLine *l, const LineCells *c, Buf *out)
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

static void put_pair(u64 a, const char *between, u64 b, Buf *out)
{
	put_short(out, a);
	buf_printf(out, "%s", between);
	put_short(out, b);
}

/* The two parts that most of its time goes to. */
static void put_why(const ResultLine *l, Buf *out)
{
	TimePart first = result_line_reason(l), second = PART_COUNT;
	for (u32 k = 0; k < PART_COUNT; k++)
		if (k != first && l->part[k] >= 0.1 * l->cycles_share &&
		    (second == PART_COUNT || l->part[k] > l->part[second]))
			second = (TimePart)k;
	buf_printf(out, "%.0f %s", 100 * l->part[first] / l->cycles_share, time_part_name[first]);
	if (second < PART_COUNT)
		buf_printf(out, ", %.0f %s", 100 * l->part[second] / l->cycles_share, time_part_name[second]);
}

static void put_cell(LineColumn column, const ResultLine *l, const LineCells *c, Buf *out)
{
	const char *arrow = c->style->utf8 ? "\u2192" : "->";
	switch (column) {
	case COLUMN_TIME: buf_printf(out, "%.1f", 100 * l->cycles_share); break;
	case COLUMN_BAR: put_bar(l, c, out); break;
	case COLUMN_EXECUTIONS: put_short(out, l->executions); break;
	case COLUMN_SHARE:
	case COLUMN_LANES:
		if (l->t.wave_instructions)
			buf_printf(out, "%.1f", 100 * (column == COLUMN_SHARE ? l->share : l->utilization));
		break;
	case COLUMN_BRANCHES: put_pair(l->t.divergent_branches, "/", l->t.branches, out); break;
	case COLUMN_LOST: put_short(out, l->t.ends.lost); break;
	case COLUMN_LDS: put_pair(l->t.lds.ideal, arrow, l->t.lds.actual, out); break;
	case COLUMN_MEMORY: put_pair(l->t.ideal_lines, arrow, l->t.actual_lines, out); break;
	case COLUMN_LIVE: buf_printf(out, "%u", l->live_vgprs); break;
	case COLUMN_WHY: put_why(l, out); break;
	case COLUMN_COUNT: break;
	}
}

static Paint paint_ratio(u64 ideal, u64 actual)
{
	return actual >= 4 * ideal && actual ? PAINT_BAD : actual > ideal ? PAINT_WARN : PAINT_NONE;
}

static Paint paint_of(LineColumn column, const ResultLine *l)
{
	switch (column) {
	case COLUMN_TIME:
	case COLUMN_BAR: return l->cycles_share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
	case COLUMN_SHARE: return l->share >= 0.25 ? PAINT_BOLD : PAINT_NONE;
	case COLUMN_LANES: return l->utilization < 0.5 ? PAINT_BAD : l->utilization < 0.8 ? PAINT_WARN : PAINT_NONE;
	case COLUMN_BRANCHES: return l->t.divergent_branches ? PAINT_WARN : PAINT_NONE;
	case COLUMN_LOST: return PAINT_WARN;
	case COLUMN_LDS: return paint_ratio(l->t.lds.ideal, l->t.lds.actual);
	case COLUMN_MEMORY:
		return l->t.actual_lines < 2 * l->t.ideal_lines ? PAINT_NONE
		                                                : paint_ratio(l->t.ideal_lines, l->t.actual_lines);
	default: return PAINT_NONE;
	}
}

enum { SHOWN_COUNTER_KEEP = 3 };

typedef struct LineTable {
	Table t;
	u32 number; /* digits of the line number */
	u32 before; /* columns before the source text */
} LineTable;

static void add_columns(Table *t)
{
	for (u32 i = 0; i < COUNT(columns); i++)
		table_column(t, &columns[i]);
	for (const Counter *c = shown_counters; c->name; c++)
		table_column(t, &(TableColumn){.name = c->name, .head = c->name, .keep = SHOWN_COUNTER_KEEP});
}

static void add_row(Table *t, const ResultLine *l, const LineCells *wide)
{
	LineCells narrow = *wide;
	narrow.brief = true;
	Buf text = {0}, brief = {0};
	for (u32 i = 0; i < COUNT(columns); i++) {
		bool used = is_used(i, l, wide);
		text.n = brief.n = 0;
		if (used) {
			put_cell(i, l, wide, &text);
			put_cell(i, l, &narrow, &brief);
		}
		table_cell(t, &text, &brief, used ? paint_of(i, l) : PAINT_NONE);
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
		cells.most_time =
		    r->lines[i].cycles_share > cells.most_time ? r->lines[i].cycles_share : cells.most_time;
	for (u32 i = 0; i < r->nlines; i++) {
		last = r->lines[i].line > last ? r->lines[i].line : last;
		add_row(&lines->t, &r->lines[i], &cells);
	}
	lines->number = (u32)snprintf(NULL, 0, "%" PRIu64, (u64)last + CONTEXT);
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

/* The kernel's first and last line in a file. */
typedef struct KernelLines {
	u32 from, to; /* 0: not known */
} KernelLines;

static KernelLines kernel_lines(const Result *r, u32 file)
{
	const char *text = r->sources[file].text;
	u32 from = text ? source_kernel_line(text, r->kernel) : 0;
	return (KernelLines){from, from ? source_kernel_end(text, from) : 0};
}

/* Lines that are shown, the last one included. */
typedef struct Stretch {
	u64 from, to;
} Stretch;
typedef ARRAY(Stretch) Stretches;

/* In order of from. A gap of one line costs as much as the mark that replaces it. */
static void add_stretch(Stretches *all, u64 from, u64 to)
{
	Stretch *last = all->n ? &all->v[all->n - 1] : NULL;
	if (last && from <= last->to + 2)
		last->to = to > last->to ? to : last->to;
	else
		array_push(all, ((Stretch){from, to}));
}

/* Those of a file: the kernel from its first line to its last, others that were counted, such as those of functions,
 * with some around them. */
static void find_stretches(const Result *r, u32 from, u32 to, Stretches *all)
{
	KernelLines kernel = kernel_lines(r, r->lines[from].file);
	bool said = !kernel.from;
	for (u32 i = from; i < to; i++) {
		u64 line = r->lines[i].line;
		u64 around = line >= kernel.from && line <= kernel.to ? 0 : CONTEXT;
		u64 first = line > around ? line - around : 1;
		if (!said && kernel.from <= first) {
			add_stretch(all, kernel.from, kernel.to);
			said = true;
		}
		add_stretch(all, first, line + around);
	}
	if (!said)
		add_stretch(all, kernel.from, kernel.to);
}

/* The lines of one file, r->lines[from … to). */
static void put_file(const Result *r, u32 from, u32 to, const LineTable *lines, Buf *out)
{
	Stretches all = {0};
	find_stretches(r, from, to, &all);
	for (u32 s = 0, i = from; s < all.n; s++) {
		if (s)
			buf_printf(out, "%*s...\n", (int)lines->before - 5, "");
		for (u64 k = all.v[s].from; k <= all.v[s].to && k <= UINT32_MAX; k++) {
			bool here = i < to && r->lines[i].line == k;
			put_line(r, r->lines[from].file, (u32)k, here ? i : TABLE_NO_ROW, lines, out);
			i += here;
		}
	}
	array_free(&all);
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
			if (counted(l) || l->cycles_share >= WORTH_A_ROW)
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
