/* A sweep as a table for the terminal: a row for each point, the best first, with a bar for its time
 * and below it why it is not the best. */
#include "report/sweep.h"

#include "report/style.h"

enum { BAR = 16, POINTS_PER_REASON = 3, REASONS = 20 };

typedef struct Table {
	const Sweep *s;
	const SinkStyle *style;
	u32 *width;  /* of each axis' column */
	double most; /* the longest time shown */
} Table;

static void put_right(Buf *out, u32 width, const char *text) { buf_printf(out, "%*s", (int)width, text); }

static void put_column(Buf *out, u32 width, void (*put)(Buf *, double), double v)
{
	Buf text = {0};
	put(&text, v);
	put_right(out, width, text.v);
	array_free(&text);
}

/* "-D TILE" as "TILE". */
static const char *column_name(const Sweep *s, u32 axis)
{
	const char *name = s->in->axes[axis].name, *space = strrchr(name, ' ');
	return space ? space + 1 : name;
}

static const char *value_of(const Sweep *s, const SweepPoint *p, u32 axis)
{
	const char *v = p->row->values[axis];
	(void)s;
	return v ? v : "(as it is)";
}

static void head(const Table *t, Buf *out)
{
	const Sweep *s = t->s;
	buf_printf(out, " rank");
	for (u32 i = 0; i < s->in->naxes; i++)
		buf_printf(out, "  %-*s", (int)t->width[i], column_name(s, i));
	buf_printf(out, "       time  (band)                waves/SIMD  lanes  conflicts  coalesced  limiter\n");
}

static void percent(Buf *out, u32 width, double v)
{
	if (v < 0)
		put_right(out, width, "-");
	else
		buf_printf(out, "%*.0f %%", (int)width - 2, 100 * v);
}

static void bar(const Table *t, const SweepPoint *p, Buf *out)
{
	u32 n = t->most > 0 ? (u32)(p->time_us / t->most * BAR + 0.5) : 0;
	n = n ? n : 1;
	n = n > BAR ? BAR : n;
	buf_printf(out, "  ");
	Buf text = {0};
	for (u32 i = 0; i < n; i++)
		buf_printf(&text, "#");
	paint(out, t->style, p->ties_best ? PAINT_GOOD : PAINT_WARN, text.v);
	array_free(&text);
}

static void point_row(const Table *t, const SweepPoint *p, Buf *out)
{
	const Sweep *s = t->s;
	buf_printf(out, "%c%4u", p->ties_best ? '=' : ' ', p->rank);
	for (u32 i = 0; i < s->in->naxes; i++)
		buf_printf(out, "  %-*s", (int)t->width[i], value_of(s, p, i));
	put_column(out, 11, put_time, p->time_us);
	Buf band = {0};
	buf_printf(&band, "  (");
	put_time(&band, p->low_us);
	buf_printf(&band, " to ");
	put_time(&band, p->high_us);
	buf_printf(&band, ")");
	buf_printf(out, "%-24s", band.v);
	array_free(&band);
	buf_printf(out, "%5.3g/%-3.3g", p->waves_per_simd, p->max_waves_per_simd);
	percent(out, 9, p->utilization);
	percent(out, 11, p->conflicts);
	percent(out, 11, p->coalescing);
	buf_printf(out, "  %-10s", p->limiter ? p->limiter : "?");
	bar(t, p, out);
	buf_printf(out, "%s%s%s\n", p->row->usual ? "  usual" : "", *p->row->note ? "  stopped early" : "",
	           p->differs ? "  RESULTS DIFFER" : p->findings ? "  has findings" : "");
}

static void reason(const SweepPoint *p, Buf *out)
{
	buf_printf(out, "      %s\n", p->why_best);
}

/* Those on top, and the usual ones wherever they are. */
static void points(const Table *t, u32 top, Buf *out)
{
	const Sweep *s = t->s;
	u32 left_out = 0;
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		if (top && i >= top && !p->row->usual) {
			left_out++;
			continue;
		}
		point_row(t, p, out);
		reason(p, out);
	}
	if (left_out)
		buf_printf(out, "  … and %u more that are slower; --top 0 shows all\n", left_out);
}

static void devices(const Sweep *s, Buf *out)
{
	for (u32 i = 0; i < s->ndevices; i++) {
		const SweepDevice *d = &s->devices[i];
		Buf best = {0};
		sweep_settings(s->in, d->best->row, &best);
		u32 ties = 0;
		for (u32 k = 0; k < s->nran; k++)
			ties += !strcmp(s->points[k].device, d->name) && s->points[k].ties_best;
		buf_printf(out, "best on %s: %s, ", d->name, best.v);
		put_time(out, d->best->time_us);
		if (ties > 1)
			buf_printf(out, " (one of %u within its band)", ties);
		if (d->usual && d->usual != d->best)
			buf_printf(out, "\n  %s", d->best->why_usual);
		buf_printf(out, "\n");
		array_free(&best);
	}
}

/* Points that did not run, one line for each reason. */
static void skipped(const Sweep *s, Buf *out)
{
	bool *said = xcalloc(s->nskipped + 1, sizeof *said);
	const SweepPoint *list = s->points + s->nran;
	if (s->nskipped)
		buf_printf(out, "skipped:\n");
	u32 reasons = 0, left = s->nskipped;
	for (u32 i = 0; i < s->nskipped && reasons < REASONS; i++) {
		if (said[i])
			continue;
		u32 n = 0;
		reasons++;
		Buf which = {0};
		for (u32 k = i; k < s->nskipped; k++) {
			if (strcmp(list[k].row->note, list[i].row->note) != 0)
				continue;
			said[k] = true;
			if (n++ >= POINTS_PER_REASON)
				continue;
			buf_printf(&which, "%s", n > 1 ? "; " : "");
			sweep_settings(s->in, list[k].row, &which);
		}
		if (n > POINTS_PER_REASON)
			buf_printf(&which, "; and %u more", n - POINTS_PER_REASON);
		buf_printf(out, "  %s: %s\n", which.v, *list[i].row->note ? list[i].row->note : "there is no estimate");
		array_free(&which);
		left -= n;
	}
	if (left)
		buf_printf(out, "  … and %u more for other reasons\n", left);
	free(said);
}

void sweep_text(const Sweep *s, const SinkStyle *style, u32 top, Buf *out)
{
	Table t = {.s = s, .style = style, .width = xcalloc(s->in->naxes + 1, sizeof(u32))};
	buf_printf(out, "%s: ", s->in->title);
	put_count(out, s->in->product, "point");
	buf_printf(out, ", %u estimated", s->nran);
	if (s->nstopped)
		buf_printf(out, ", %u of them stopped early", s->nstopped);
	if (s->nskipped)
		buf_printf(out, ", %u skipped", s->nskipped);
	if (s->in->product > s->n)
		buf_printf(out, ", %u not run yet", s->in->product - s->n);
	buf_printf(out, "\n\n");
	for (u32 i = 0; i < s->in->naxes; i++) {
		t.width[i] = (u32)strlen(column_name(s, i));
		for (u32 k = 0; k < s->nran; k++) {
			u32 n = (u32)strlen(value_of(s, &s->points[k], i));
			t.width[i] = n > t.width[i] ? n : t.width[i];
		}
	}
	for (u32 i = 0; i < s->nran && (!top || i < top || s->points[i].row->usual); i++)
		t.most = s->points[i].time_us > t.most ? s->points[i].time_us : t.most;
	if (s->nran) {
		head(&t, out);
		points(&t, top, out);
		buf_printf(out, "\n");
		devices(s, out);
	}
	skipped(s, out);
	free(t.width);
}
