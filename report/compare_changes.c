/* The short comparison: what it comes to, and the numbers that are not the same. */
#include "report/compare.h"
#include "report/style.h"

#include <math.h>

void compare_change(const CompareMetric *m, const SinkStyle *style, Buf *out)
{
	static const Paint colour[] = {PAINT_WARN, PAINT_NONE, PAINT_GOOD};
	double a = m->value[0], b = m->value[1];
	char text[48];
	if (isnan(a) || isnan(b) || !compare_changed(m))
		return;
	if (!(a > 0))
		snprintf(text, sizeof text, "new");
	else if (!strcmp(m->unit, "%"))
		snprintf(text, sizeof text, "%+.3g points", b - a);
	else
		snprintf(text, sizeof text, "%+.3g %%", 100 * (b - a) / a);
	paint(out, style, colour[1 + compare_gain(m)], text);
}

void compare_changes(const Compare *c, const char *since, const SinkStyle *style, Buf *out)
{
	u32 changed = 0, width = 0;
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		const CompareMetric *m = &c->metrics[i];
		u32 n = compare_changed(m) ? (u32)strlen(m->words) : 0;
		changed += n > 0;
		width = n > width ? n : width;
	}
	buf_printf(out, "\n");
	Buf head = {0};
	buf_printf(&head, changed ? "since %s" : "since %s nothing changed that is counted", since);
	paint(out, style, PAINT_BOLD, head.v);
	array_free(&head);
	buf_printf(out, "\n");
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		const CompareMetric *m = &c->metrics[i];
		if (!compare_changed(m))
			continue;
		buf_printf(out, "  %-*s  ", (int)width, m->words);
		compare_value(m, 0, out);
		buf_printf(out, " -> ");
		compare_value(m, 1, out);
		buf_printf(out, "%s%s  ", *m->unit ? " " : "", m->unit);
		compare_change(m, style, out);
		while (out->v[out->n - 1] == ' ')
			out->v[--out->n] = 0;
		buf_printf(out, "\n");
	}
}

void compare_baseline(const Compare *c, const SinkStyle *style, Buf *out)
{
	Buf rows = {0};
	buf_printf(&rows, "\n");
	compare_verdict(c, style, &rows);
	for (u32 i = 0; i < c->results.nnotes; i++)
		put_text_row(&rows, style, "", "%s\n", c->results.notes[i]);
	put_wrapped(out, style, rows.v, ROW_INDENT);
	array_free(&rows);
	compare_changes(c, c->label[0], style, out);
}
