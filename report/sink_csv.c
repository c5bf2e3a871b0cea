/* The source lines as a table: a row for each, the columns of line_columns.def between what tells
 * rows of several files apart and the text of the line. Quoted as RFC 4180 says; what is not known
 * is empty. */
#include "report/json_kit.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

static void put_int(u64 v, Buf *out) { buf_printf(out, ",%" PRIu64, v); }

static void put_ratio(double v, Buf *out)
{
	buf_printf(out, v < 0 ? "," : ",%.9g", v);
}

static void put_quoted(const char *text, size_t n, Buf *out)
{
	char *clean = json_clean(text, n);
	buf_printf(out, "\"");
	for (const char *s = clean; *s; s++)
		buf_printf(out, *s == '"' ? "\"%c" : "%c", *s);
	buf_printf(out, "\"");
	free(clean);
}

void sink_csv(const Report *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	buf_printf(out, "kernel,device,file,line");
#define LINE_INT(key, value, doc) buf_printf(out, ",%s", #key);
#define LINE_RATIO(key, value, doc) buf_printf(out, ",%s", #key);
#include "report/line_columns.def"
	buf_printf(out, ",source\r\n");
	for (u32 i = 0; i < r->nlines; i++) {
		const ReportLine *l = &r->lines[i];
		const char *file = l->line ? r->sources[l->file].name : "";
		put_quoted(r->kernel, strlen(r->kernel), out);
		buf_printf(out, ",");
		put_quoted(r->device, strlen(r->device), out);
		buf_printf(out, ",");
		put_quoted(file, strlen(file), out);
		put_int(l->line, out);
#define LINE_INT(key, value, doc) put_int(value, out);
#define LINE_RATIO(key, value, doc) put_ratio(value, out);
#include "report/line_columns.def"
		u32 n = 0;
		const char *text = l->line ? report_source_line(&r->sources[l->file], l->line, &n) : NULL;
		buf_printf(out, ",");
		put_quoted(text ? text : "", text ? n : 0, out);
		buf_printf(out, "\r\n");
	}
}
