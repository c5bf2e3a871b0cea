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

/* sink_text.c calls these in turn. */
void text_time(const Report *r, const SinkStyle *style, Buf *out);     /* text_time.c */
void text_lines(const Report *r, const SinkStyle *style, Buf *out);    /* text_lines.c */
void text_findings(const Report *r, const SinkStyle *style, Buf *out); /* text_findings.c */

#endif
