/* Small helpers of the text report: colours, numbers for people. */
#ifndef WAVESIM_REPORT_STYLE_H
#define WAVESIM_REPORT_STYLE_H

#include "report/report.h"

typedef enum { PAINT_NONE, PAINT_BOLD, PAINT_DIM, PAINT_GOOD, PAINT_WARN, PAINT_BAD } Paint;

/* text in a colour, when the style has colours. */
void paint(Buf *out, const SinkStyle *style, Paint p, const char *text);
/* 1234567 as "1,234,567". */
void put_grouped(Buf *out, u64 v);
/* At most seven characters: 999999, then 1.234M, 12.34G. */
void put_short(Buf *out, u64 v);
/* "1 wavefront", "2 wavefronts". */
void put_count(Buf *out, u64 n, const char *thing);
/* n bytes of source text, tabs as four blanks, control characters as '?', at most width
 * columns (0: no limit). */
void put_source(Buf *out, const char *text, u32 n, u32 width);

/* The start of a summary row, and of a row that goes on with the one before (name ""). */
void put_row(Buf *out, const SinkStyle *style, const char *name);
enum { ROW_INDENT = 14 }; /* columns before its text */
/* text with every line that is wider than the terminal broken at blanks; what follows is indented.
 * Colours take no room. Without a width it is copied. */
void put_wrapped(Buf *out, const SinkStyle *style, const char *text, u32 indent);
/* Columns that n bytes of text take on a terminal. */
u32 text_columns(const char *text, u32 n);
/* Three digits, with the unit that fits: "4.47 us". */
void put_time(Buf *out, double us);

/* sink_text.c calls these in turn. */
void text_time(const Result *r, const SinkStyle *style, Buf *out);     /* text_time.c */
void text_lines(const Result *r, const SinkStyle *style, Buf *out);    /* text_lines.c */
void text_findings(const Result *r, const SinkStyle *style, Buf *out); /* text_findings.c */

#endif
