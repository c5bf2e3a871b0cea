/* The comparison for people: verdict, results, numbers, then the sources with the counts of both. */
#include "report/compare.h"
#include "report/table.h"

static Paint verdict_paint(CompareVerdict v)
{
	switch (v) {
	case VERDICT_different: return PAINT_BAD;
	case VERDICT_slower: return PAINT_WARN;
	case VERDICT_faster: return PAINT_GOOD;
	default: return PAINT_NONE;
	}
}

void compare_verdict(const Compare *c, const SinkStyle *style, Buf *out)
{
	put_row(out, style, "verdict");
	paint(out, style, verdict_paint(c->verdict), c->summary);
	buf_printf(out, "\n");
	for (u32 i = 0; i < c->nreasons; i++)
		put_text_row(out, style, i ? "" : "because", "%s\n", c->reasons[i]);
}

/* ---- results ---- */

static void put_writer(const Compare *c, u32 s, const CompareWriter *w, const SinkStyle *style, Buf *out)
{
	if (!w->known)
		return;
	put_text_row(out, style, "", "  %s: work-item (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ") wrote it", c->label[s],
	             w->item[0], w->item[1], w->item[2]);
	if (w->file)
		buf_printf(out, " at %s:%u", w->file, w->line);
	for (u32 i = 0; i < w->ninputs; i++) {
		const CompareInput *in = &w->input[i];
		buf_printf(out, "%s%s", !i ? "; inputs: " : ", ", in->name);
		if (!in->is_value)
			buf_printf(out, "[%" PRIu64 "]", in->index);
		buf_printf(out, " = %s", in->text);
	}
	u64 elements = 0;
	for (u32 i = 0; i < w->ninputs; i++)
		elements += !w->input[i].is_value;
	if (w->nread > elements)
		buf_printf(out, " and %" PRIu64 " more elements", w->nread - elements);
	buf_printf(out, "\n");
}

/* So little may come from another order of operations. */
enum { SMALL_ULP = 16 };

static void put_buffer(const Compare *c, const CompareBuffer *b, const SinkStyle *style, Buf *out)
{
	if (b->note)
		put_text_row(out, style, "", "'%s': %s\n", b->name, b->note);
	if (!b->different && !b->within)
		return;
	put_row(out, style, "");
	put_numbers(out, "# of # elements of ", b->different, b->compared);
	buf_printf(out, "'%s' differ", b->name);
	if (b->has_ulp)
		buf_printf(out, ", by at most %.6g ulp%s", b->max_ulp,
		           b->max_ulp <= SMALL_ULP ? " (--max-ulp can count this as equal)" : "");
	if (b->within)
		put_numbers(out, "; # more by no more than --max-ulp", b->within);
	buf_printf(out, "\n");
	for (u32 i = 0; i < b->nfirst; i++) {
		const CompareElement *e = &b->first[i];
		put_text_row(out, style, "", "%s[%" PRIu64 "]", b->name, e->index);
		if (b->width > 1)
			buf_printf(out, ".s%x", e->component);
		buf_printf(out, " is %s in %s and %s in %s\n", e->text[0], c->label[0], e->text[1], c->label[1]);
		for (u32 s = 0; s < SIDES; s++)
			put_writer(c, s, &e->by[s], style, out);
	}
}

static void put_results(const Compare *c, const SinkStyle *style, Buf *out)
{
	const CompareResults *x = &c->results;
	put_row(out, style, "results");
	if (x->missing) {
		buf_printf(out, "not compared: %s\n", x->missing);
	} else {
		paint(out, style, compare_same(c) ? PAINT_GOOD : PAINT_BAD, compare_same(c) ? "equal" : "different");
		put_numbers(out, ": # element~ in # buffer~", x->compared, x->nbuffers);
		if (x->printed)
			buf_printf(out, x->printed_differs ? "; the printed text differs"
			                                   : "; the printed text is the same");
		buf_printf(out, "\n");
	}
	for (u32 i = 0; i < x->nbuffers; i++)
		put_buffer(c, &x->buffers[i], style, out);
	for (u32 i = 0; i < x->nnotes; i++)
		put_text_row(out, style, "", "%s\n", x->notes[i]);
}

/* ---- numbers ---- */

static void put_band(const Compare *c, Table *t)
{
	Buf text = {0};
	buf_printf(&text, "  its band");
	table_cell(t, &text, NULL, PAINT_NONE);
	for (u32 s = 0; s < SIDES; s++) {
		text.n = 0;
		buf_printf(&text, "%.3g-%.3g", c->side[s]->estimate->low_us, c->side[s]->estimate->high_us);
		table_cell(t, &text, NULL, PAINT_NONE);
	}
	text.n = 0;
	table_cell(t, &text, NULL, PAINT_NONE);
	array_free(&text);
}

static void put_metric(const CompareMetric *m, Table *t)
{
	Buf text = {0};
	buf_printf(&text, "%s%s%s", m->words, *m->unit ? ", " : "", m->unit);
	table_cell(t, &text, NULL, PAINT_NONE);
	for (u32 s = 0; s < SIDES; s++) {
		text.n = 0;
		compare_value(m, s, &text);
		table_cell(t, &text, NULL, PAINT_NONE);
	}
	text.n = 0;
	compare_change(m, t->style, &text);
	table_cell(t, &text, NULL, PAINT_NONE);
	array_free(&text);
}

/* Names of files give way on a narrow terminal: they stand above, too. */
static void put_metrics(const Compare *c, const SinkStyle *style, Buf *out)
{
	enum { GAP = 2 };
	Table t;
	u32 rows = 0;
	table_init(&t, style, GAP, GAP);
	table_column(&t, &(TableColumn){.left = true});
	table_column(&t, &(TableColumn){.head = c->label[0], .brief_head = "before", .least = {10, 8}});
	table_column(&t, &(TableColumn){.head = c->label[1], .brief_head = "after", .least = {10, 8}});
	table_column(&t, &(TableColumn){.name = "change", .keep = 1});
	bool both = !c->side[0]->estimate->missing && !c->side[1]->estimate->missing;
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		const CompareMetric *m = &c->metrics[i];
		if (!(m->value[0] > 0) && !(m->value[1] > 0))
			continue;
		put_metric(m, &t);
		rows++;
		if (i == METRIC_time_us && both) {
			put_band(c, &t);
			rows++;
		}
	}
	table_fit(&t, style->width ? style->width + GAP : 0); /* the gap behind it stays empty */
	buf_printf(out, "\n");
	table_head(&t, false, out);
	buf_printf(out, "\n");
	for (u32 i = 0; i < rows; i++) {
		u32 start = out->n;
		table_row(&t, i, out);
		table_trim(out, start);
		buf_printf(out, "\n");
	}
	table_left_out(&t, GAP, out);
	table_free(&t);
}

/* ---- sources ---- */

enum { COLUMN_TIME, COLUMN_LANES, COLUMN_DIVERGENT, COLUMN_CONFLICTS };
static const char *const heads[] = {"time us", "lanes %", "divergent", "LDS conflicts", "cache lines"};
static const u32 keeps[] = {5, 3, 1, 4, 2};
enum { LEAST_SOURCE = 30 }; /* columns that the text of a line has on a narrow terminal */

/* What stands between the counts and the text: both numbers and a mark. */
static u32 numbers_width(u32 number) { return 2 * number + 6; }

static void put_count(u32 column, const CompareRow *row, u32 s, Buf *out)
{
	const ResultLine *l = row->at[s];
	u64 v = !l                            ? 0
	        : column == COLUMN_DIVERGENT ? l->t.divergent_branches
	        : column == COLUMN_CONFLICTS ? l->t.lds.actual - l->t.lds.ideal
	                                     : l->t.actual_lines;
	if (column == COLUMN_TIME && row->time_us[s] > 0)
		buf_printf(out, "%.3g", row->time_us[s]);
	else if (column == COLUMN_LANES && l && l->t.wave_instructions)
		buf_printf(out, "%.1f", 100 * l->utilization);
	else if (column > COLUMN_LANES && v)
		buf_printf(out, "%" PRIu64, v);
}

/* The counts of all rows; *number: digits of the last line number. */
static void build_table(const Compare *c, const SinkStyle *style, Table *t, u32 *number)
{
	u32 last = 0;
	Buf text = {0};
	table_init(t, style, 2, 2);
	for (u32 k = 0; k < COUNT(heads); k++)
		table_column(t, &(TableColumn){.head = heads[k], .name = heads[k], .keep = keeps[k],
		                               .worth = WORTH_DIFFERENT, .parts = SIDES});
	for (u32 i = 0; i < c->nrows; i++) {
		for (u32 s = 0; s < SIDES; s++)
			last = c->rows[i].line[s] > last ? c->rows[i].line[s] : last;
		for (u32 k = 0; k < COUNT(heads) * SIDES; k++) {
			text.n = 0;
			put_count(k / SIDES, &c->rows[i], k % SIDES, &text);
			table_cell(t, &text, NULL, PAINT_NONE);
		}
	}
	array_free(&text);
	*number = (u32)snprintf(NULL, 0, "%u", last);
	u32 taken = numbers_width(*number) + LEAST_SOURCE;
	table_fit(t, !style->width ? 0 : style->width > taken ? style->width - taken : 1);
}

static void put_source_row(const CompareRow *row, const Table *t, u32 i, u32 number, Buf *out)
{
	const SinkStyle *style = t->style;
	u32 start = out->n, before = numbers_width(number) + table_width(t);
	table_row(t, i, out);
	for (u32 s = 0; s < SIDES; s++) {
		if (row->line[s])
			buf_printf(out, "  %*u", (int)number, row->line[s]);
		else
			buf_printf(out, "  %*s", (int)number, "");
	}
	bool both = row->line[0] && row->line[1];
	buf_printf(out, " ");
	paint(out, style, both ? PAINT_NONE : row->line[0] ? PAINT_BAD : PAINT_GOOD,
	      both ? " " : row->line[0] ? "-" : "+");
	buf_printf(out, "| ");
	if (row->text)
		put_source(out, row->text, row->bytes, style->width > before ? style->width - before : 0);
	table_trim(out, start);
	buf_printf(out, "\n");
}

static bool counted(const CompareRow *row) { return row->at[0] || row->at[1]; }
static bool changed(const CompareRow *row) { return !row->line[0] || !row->line[1]; }

/* Is the row, or one beside it, worth showing? Changes only where something runs nearby. */
static bool shown(const Compare *c, u32 i)
{
	for (u32 k = i ? i - 1 : 0; k <= i + 1 && k < c->nrows; k++)
		if (counted(&c->rows[k]))
			return true;
	if (!changed(&c->rows[i]))
		return false;
	u32 from = i, to = i;
	while (from && changed(&c->rows[from - 1]) && i - from < 8)
		from--;
	while (to + 1 < c->nrows && changed(&c->rows[to + 1]) && to - i < 8)
		to++;
	for (u32 k = from; k <= to; k++)
		if (counted(&c->rows[k]))
			return true;
	return false;
}

static void put_sources(const Compare *c, const SinkStyle *style, Buf *out)
{
	bool any = false;
	for (u32 i = 0; i < c->nrows; i++)
		any |= counted(&c->rows[i]);
	if (!any)
		return;
	Table t;
	u32 number;
	build_table(c, style, &t, &number);
	buf_printf(out, "\n");
	Buf head = {0};
	table_head(&t, false, &head);
	if (head.n)
		paint(out, style, PAINT_BOLD, head.v);
	array_free(&head);
	buf_printf(out, "   (each: before, after)\n");
	bool gap = false;
	for (u32 i = 0; i < c->nrows; i++) {
		if (!shown(c, i)) {
			gap = true;
			continue;
		}
		if (gap && i)
			buf_printf(out, "  ...\n");
		gap = false;
		put_source_row(&c->rows[i], &t, i, number, out);
	}
	table_left_out(&t, 2, out);
	table_free(&t);
}

void compare_text(const Compare *c, const SinkStyle *style, Buf *out)
{
	Buf rows = {0};
	buf_printf(&rows, "%s -> %s\n", c->label[0], c->label[1]);
	compare_verdict(c, style, &rows);
	put_results(c, style, &rows);
	put_wrapped(out, style, rows.v, ROW_INDENT);
	array_free(&rows);
	put_metrics(c, style, out);
	put_sources(c, style, out);
}
