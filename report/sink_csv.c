/* The source lines as a table: a row for each, the columns of line_columns.def between what distinguishes
 * rows of several files and the text of the source line. What is not known is empty. */
#include "base/csv.h"
#include "report/report.h"

static void put_int(u64 v, Buf *out) { buf_printf(out, ",%" PRIu64, v); }

static void put_ratio(double v, Buf *out)
{
	buf_printf(out, ",");
	csv_ratio(v, out);
}

void sink_csv(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	buf_printf(out, "kernel,device,file,line");
#define LINE_INT(key, value, doc) buf_printf(out, ",%s", #key);
#define LINE_RATIO(key, value, doc) buf_printf(out, ",%s", #key);
#include "report/line_columns.def"
	for (const Counter *c = shown_counters; c->name; c++)
		buf_printf(out, ",%s", c->name);
	buf_printf(out, ",source\n");
	for (u32 i = 0; i < r->nlines; i++) {
		const ResultLine *l = &r->lines[i];
		csv_text(r->kernel, out);
		buf_printf(out, ",");
		csv_text(r->device, out);
		buf_printf(out, ",");
		csv_text(l->line ? r->sources[l->file].name : NULL, out);
		put_int(l->line, out);
#define LINE_INT(key, value, doc) put_int(value, out);
#define LINE_RATIO(key, value, doc) put_ratio(value, out);
#include "report/line_columns.def"
		for (const Counter *c = shown_counters; c->name; c++)
			put_int(counter_of(&l->t, c), out);
		u32 n = 0;
		const char *text = l->line ? result_source_line(&r->sources[l->file], l->line, &n) : NULL;
		buf_printf(out, ",");
		csv_write(text ? text : "", text ? n : 0, out);
		buf_printf(out, "\n");
	}
}
