/* The formats of a comparison (engine/comparison.h). */
#ifndef WAVESIM_REPORT_COMPARE_H
#define WAVESIM_REPORT_COMPARE_H

#include "engine/comparison.h"
#include "report/report.h"

/* "+50 %", "+3 points", "new", in the colour of its gain; nothing when it is the same or not known. */
void compare_change(const CompareMetric *m, const SinkStyle *style, Buf *out);
/* Only the numbers that changed (compare_changes.c). since: "the last run". */
void compare_changes(const Compare *c, const char *since, const SinkStyle *style, Buf *out);
/* The verdict and its reasons. */
void compare_verdict(const Compare *c, const SinkStyle *style, Buf *out);
/* Both, below a report: what became of a saved one. */
void compare_baseline(const Compare *c, const SinkStyle *style, Buf *out);
void compare_text(const Compare *c, const SinkStyle *style, Buf *out);
void compare_json(const Compare *c, const SinkStyle *style, Buf *out);
void compare_html(const Compare *c, const SinkStyle *style, Buf *out); /* html_compare.c */
/* What compare_json writes; cJSON_Delete(). */
struct cJSON *compare_object(const Compare *c);

#endif
