/* Small helpers of the text report: colours, rows, broken lines. */
#ifndef WAVESIM_REPORT_STYLE_H
#define WAVESIM_REPORT_STYLE_H

#include "base/number.h"
#include "report/report.h"

typedef enum { PAINT_NONE, PAINT_BOLD, PAINT_DIM, PAINT_GOOD, PAINT_WARN, PAINT_BAD } Paint;

/* text in a colour, when the style has colours. */
void paint(Buf *out, const SinkStyle *style, Paint p, const char *text);
/* n bytes of source text, tabs as four blanks, control characters as '?', at most width
 * columns (0: no limit). */
void put_source(Buf *out, const char *text, u32 n, u32 width);

/* text with the numbers for each '#' in it, grouped by thousands; '~' is an s unless the number before it is 1:
 * put_numbers(out, "# work-item~ of #\n", n, all). */
#define put_numbers(out, text, ...) \
	put_number_list(out, text, (const u64[]){__VA_ARGS__}, COUNT(((const u64[]){__VA_ARGS__})))
void put_number_list(Buf *out, const char *text, const u64 *v, u32 n);

/* The start of a summary row, and of a row that goes on with the one before (name ""). */
void put_row(Buf *out, const SinkStyle *style, const char *name);
/* The same with its text. */
void put_text_row(Buf *out, const SinkStyle *style, const char *name, const char *fmt, ...) PRINTF_LIKE(4, 5);
enum { ROW_INDENT = 14 }; /* columns before its text */
/* text with every line that is wider than the terminal broken at blanks; what follows is indented.
 * Colours take no room. Without a width it is copied. */
void put_wrapped(Buf *out, const SinkStyle *style, const char *text, u32 indent);
/* Columns that n bytes of text take on a terminal. */
u32 text_columns(const char *text, u32 n);

/* Parts of the text report, in its order. */
void text_time(const Result *r, const SinkStyle *style, Buf *out);     /* text_time.c */
void text_lines(const Result *r, const SinkStyle *style, Buf *out);    /* text_lines.c */
void text_findings(const Result *r, const SinkStyle *style, Buf *out); /* text_findings.c */

#endif
