/* The short comparison: what it comes to, and the numbers that are not the same. */
#include "report/compare.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>

static void put_value(Buf *out, double v)
{
	if (isnan(v))
		buf_printf(out, "unknown");
	else if (fabs(v) < 1000 && floor(v) < v)
		buf_printf(out, "%.4g", v);
	else
		put_grouped(out, (u64)(v + 0.5));
}

static void put_change(const CompareMetric *m, const SinkStyle *style, Buf *out)
{
	double a = m->value[0], b = m->value[1];
	put_value(out, a);
	buf_printf(out, " -> ");
	put_value(out, b);
	buf_printf(out, "%s%s", *m->unit ? " " : "", m->unit);
	if (!(a > 0) || isnan(b)) {
		buf_printf(out, "\n");
		return;
	}
	char text[48];
	snprintf(text, sizeof text, "%+.3g %%", 100 * (b - a) / a);
	buf_printf(out, "  ");
	paint(out, style, m->better == NEITHER ? PAINT_NONE : (b < a) == (m->better == LOWER) ? PAINT_GOOD : PAINT_WARN,
	      text);
	buf_printf(out, "\n");
}

void compare_changes(const Compare *c, const SinkStyle *style, Buf *out)
{
	u32 changed = 0, width = 0;
	bool differs[METRIC_COUNT];
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		const CompareMetric *m = &c->metrics[i];
		double a = m->value[0], b = m->value[1];
		u32 n = (u32)strlen(m->words);
		differs[i] = isnan(a) != isnan(b) || fabs(a - b) > 1e-9 * fabs(a);
		changed += differs[i];
		width = differs[i] && n > width ? n : width;
	}
	buf_printf(out, "\n");
	paint(out, style, PAINT_BOLD, changed ? "since the last run" : "since the last run nothing changed that is counted");
	buf_printf(out, "\n");
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		if (!differs[i])
			continue;
		buf_printf(out, "  %-*s  ", (int)width, c->metrics[i].words);
		put_change(&c->metrics[i], style, out);
	}
}
