/* A crosscheck as text: every point, the families, and the points that are furthest off. */
#include "report/crosscheck.h"

#include <math.h>

enum { WORST_SHOWN = 10 };

static bool same(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

static void rank_text(double v, Buf *out)
{
	if (isnan(v))
		buf_printf(out, "        -");
	else
		buf_printf(out, "   %6.3f", v);
}

static void family_text(const CrossFamily *f, Buf *out)
{
	static const char *const of[] = {[CROSS_ALL] = "all points", [CROSS_KEPT] = "no registers spill",
	                                 [CROSS_SPILLED] = "registers spill"};
	const char *name = f->of == CROSS_FAMILY ? f->name : of[f->of];
	buf_printf(out, "%-22s %6u", *name ? name : "(no family)", f->a.n);
	if (f->a.n) {
		rank_text(f->a.spearman, out);
		rank_text(f->a.kendall, out);
		buf_printf(out, "   %8.1f   %8.1f   %+8.1f   %3.0f", agree_percent(f->a.median_log),
		           agree_percent(f->a.p90_log), agree_percent(f->a.bias_log),
		           100.0 * f->inside / f->a.n);
	}
	if (f->skipped)
		buf_printf(out, "   %u without an estimate", f->skipped);
	buf_printf(out, "\n");
}

static void point_name(const CrossPoint *p, Buf *out)
{
	if (p->has_x)
		buf_printf(out, "%-20s %10.10g", p->family, p->x);
	else
		buf_printf(out, "%-31s", p->family && *p->family ? p->family : p->kernel);
}

/* Whether a point before it had the same problem; else *more: how many behind it have. */
static bool said(const Crosscheck *c, u32 i, u32 *more)
{
	*more = 0;
	for (u32 k = 0; k < c->npoints && c->points[i].problem; k++) {
		bool as = k != i && same(c->points[k].device, c->points[i].device) && c->points[k].problem &&
		          !strcmp(c->points[k].problem, c->points[i].problem);
		if (as && k < i)
			return true;
		*more += as;
	}
	return false;
}

static void point_text(const CrossPoint *p, u32 more, Buf *out)
{
	point_name(p, out);
	buf_printf(out, " %12.3f", p->measured_us);
	if (p->problem && more)
		buf_printf(out, "            -        -   %s (and %u more)\n", p->problem, more);
	else if (p->problem)
		buf_printf(out, "            -        -   %s\n", p->problem);
	else
		buf_printf(out, " %12.3f %8.2f   %s\n", p->estimate_us, p->estimate_us / p->measured_us,
		           p->bound_by);
}

void crosscheck_text(const Crosscheck *c, bool all_points, Buf *out)
{
	const char *device = NULL;
	u32 more;
	for (u32 i = 0; all_points && i < c->npoints; i++) {
		const CrossPoint *p = &c->points[i];
		if (!device || !same(device, p->device))
			buf_printf(out, "%s%s, estimated as %s\n%-31s %12s %12s %8s   bound by\n", device ? "\n" : "",
			           p->device, p->model && *p->model ? p->model : "none of wavesim's devices", "launch",
			           "measured us", "estimate us", "ratio");
		device = p->device;
		if (!said(c, i, &more))
			point_text(p, more, out);
	}
	device = NULL;
	for (u32 i = 0; i < c->nfamilies; i++) {
		const CrossFamily *f = &c->families[i];
		if (!device || !same(device, f->device))
			buf_printf(out, "%s%s\n%-22s %6s %8s %8s   %8s   %8s   %8s   %s\n", i || all_points ? "\n" : "",
			           f->device, "family", "points", "Spearman", "Kendall", "median %", "90th %",
			           "bias %", "in band %");
		device = f->device;
		family_text(f, out);
	}
	if (c->nworst)
		buf_printf(out, "\nfurthest off\n");
	for (u32 i = 0; i < c->nworst && i < WORST_SHOWN; i++) {
		const CrossPoint *p = &c->points[c->worst[i]];
		double r = p->estimate_us / p->measured_us;
		point_name(p, out);
		buf_printf(out, " estimated %.2f times too %s: %s, it says\n", r < 1 ? 1 / r : r,
		           r < 1 ? "short" : "long", p->bound_doc);
	}
}
