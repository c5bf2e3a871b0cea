/* The scatter plot of a crosscheck: measured time to the right, estimated time upwards, both
 * logarithmic; the diagonal is agreement, the band around it a factor of 1.2. A family has a
 * colour and a shape; every point says what it is when the mouse rests on it. */
#include "report/crosscheck.h"
#include "report/html.h"

#include <math.h>

enum { SIZE = 640, LEFT = 70, TOP = 20, LEGEND = 220 };

typedef struct PlotAxis {
	double from, to; /* decades */
} PlotAxis;

static PlotAxis axis_of(const Crosscheck *c)
{
	PlotAxis a = {INFINITY, -INFINITY};
	for (u32 i = 0; i < c->nworst; i++) {
		const CrossPoint *p = &c->points[c->worst[i]];
		a.from = fmin(a.from, fmin(p->measured_us, p->estimate_us));
		a.to = fmax(a.to, fmax(p->measured_us, p->estimate_us));
	}
	if (!c->nworst)
		return (PlotAxis){0, 1};
	a.from = floor(log10(a.from));
	a.to = ceil(log10(a.to) + 1e-9);
	return a;
}

static double place(const PlotAxis *a, double us) { return (log10(us) - a->from) / (a->to - a->from) * SIZE; }

static void grid(const PlotAxis *a, Buf *out)
{
	buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"white\" stroke=\"#444\"/>\n",
	           LEFT, TOP, SIZE, SIZE);
	for (double k = a->from; k <= a->to; k++) {
		double at = (k - a->from) / (a->to - a->from) * SIZE;
		buf_printf(out, "<path d=\"M%.1f %d v%d M%d %.1f h%d\" stroke=\"#ddd\"/>"
		           "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>"
		           "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
		           LEFT + at, TOP, SIZE, LEFT, TOP + SIZE - at, SIZE, LEFT + at, TOP + SIZE + 18,
		           pow(10, k), LEFT - 6, TOP + SIZE - at + 4, pow(10, k));
	}
	double band = log10(1.2) / (a->to - a->from) * SIZE;
	buf_printf(out, "<path d=\"M%d %d L%d %d\" stroke=\"#444\"/>"
	           "<path d=\"M%d %.1f L%.1f %d M%.1f %d L%d %.1f\" stroke=\"#999\" stroke-dasharray=\"4\"/>\n",
	           LEFT, TOP + SIZE, LEFT + SIZE, TOP, LEFT, TOP + SIZE - band, LEFT + SIZE - band, TOP,
	           LEFT + band, TOP + SIZE, LEFT + SIZE, TOP + band);
	buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">measured, microseconds</text>"
	           "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">"
	           "estimated, microseconds</text>\n",
	           LEFT + SIZE / 2, TOP + SIZE + 38, TOP + SIZE / 2);
}

/* Family i in its colour and shape, 3 units around x, y. */
static void mark(u32 i, double x, double y, Buf *out)
{
	static const char *const shapes[] = {"m-3 0 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0", "m-3 -3 h6 v6 h-6 z",
	                                     "m0 -4 l4 7 h-8 z", "m0 -4 l4 4 -4 4 -4 -4 z"};
	buf_printf(out, "<path d=\"M%.1f %.1f %s\" fill=\"hsl(%u 70%% 45%%)\" fill-opacity=\"0.7\">", x, y,
	           shapes[i % COUNT(shapes)], i * 137 % 360);
}

static u32 family_of(const Crosscheck *c, const CrossPoint *p)
{
	for (u32 i = 0; i < c->nfamilies; i++) {
		const CrossFamily *f = &c->families[i];
		if (f->name && !strcmp(f->device, p->device) && !strcmp(f->name, p->family ? p->family : ""))
			return i;
	}
	return 0;
}

static void legend(const Crosscheck *c, Buf *out)
{
	u32 row = 0;
	for (u32 i = 0; i < c->nfamilies; i++) {
		if (!c->families[i].name || !c->families[i].a.n)
			continue;
		double y = TOP + 8 + 13.0 * row++;
		mark(i, LEFT + SIZE + 14, y, out);
		buf_printf(out, "</path><text x=\"%d\" y=\"%.1f\">", LEFT + SIZE + 24, y + 4);
		html_escape(*c->families[i].name ? c->families[i].name : "(no family)", out);
		buf_printf(out, "</text>\n");
	}
}

void crosscheck_svg(const Crosscheck *c, Buf *out)
{
	PlotAxis a = axis_of(c);
	u32 rows = c->nfamilies;
	u32 height = TOP + SIZE + 50;
	if (TOP + 13 * rows + 20 > height)
		height = TOP + 13 * rows + 20;
	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
	           "font-family=\"sans-serif\" font-size=\"11\">\n", LEFT + SIZE + LEGEND, height);
	grid(&a, out);
	for (u32 i = 0; i < c->npoints; i++) {
		const CrossPoint *p = &c->points[i];
		if (p->problem)
			continue;
		mark(family_of(c, p), LEFT + place(&a, p->measured_us), TOP + SIZE - place(&a, p->estimate_us), out);
		buf_printf(out, "<title>");
		html_escape(p->family && *p->family ? p->family : p->kernel, out);
		if (p->has_x)
			buf_printf(out, " %g", p->x);
		buf_printf(out, ": measured %.3g us, estimated %.3g us (%s)</title></path>\n", p->measured_us,
		           p->estimate_us, p->bound_by);
	}
	legend(c, out);
	buf_printf(out, "</svg>\n");
}

void crosscheck_html(const Crosscheck *c, Buf *out)
{
	Buf text = {0};
	crosscheck_text(c, true, &text);
	buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>crosscheck of ");
	html_escape(c->source, out);
	buf_printf(out, "</title>\n<h1>Estimates against measured times: ");
	html_escape(c->source, out);
	buf_printf(out, "</h1>\n<p>");
	html_escape(c->program, out);
	buf_printf(out, "</p>\n");
	crosscheck_svg(c, out);
	buf_printf(out, "<pre>\n");
	html_escape(text.v, out);
	buf_printf(out, "</pre>\n</html>\n");
	array_free(&text);
}
