/* A sweep as a table for the terminal: a row for each point, the best first, with a bar for its time
 * and below it why it is not the best. Columns that say nothing are left out; on a narrow terminal those
 * give way that matter least, and of these first the ones where all points say the same. */
#include "report/sweep.h"

#include "report/style.h"

enum { BAR = 16, POINTS_PER_REASON = 3, REASONS = 20, GAP = 2, INDENT = 6 };

typedef struct Table {
	const Sweep *s;
	const SinkStyle *style;
	double most; /* the longest time shown */
	u32 top;
} Table;

static bool is_shown(const Table *t, u32 point)
{
	return !t->top || point < t->top || t->s->points[point].row->usual;
}

/* ---- what the columns say ---- */

static void cell_time(const Table *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	put_time(out, p->r->time_us);
}

/* "2.65-5.98 us"; with both units when they are not the same. */
static void cell_band(const Table *t, const SweepPoint *p, Buf *out)
{
	Buf low = {0}, high = {0};
	(void)t;
	put_time(&low, p->r->low_us);
	put_time(&high, p->r->high_us);
	const char *unit = strchr(low.v, ' '), *other = strchr(high.v, ' ');
	bool same = unit && other && !strcmp(unit, other);
	buf_printf(out, "%.*s-%s", same ? (int)(unit - low.v) : (int)low.n, low.v, high.v);
	array_free(&low);
	array_free(&high);
}

static void cell_waves(const Table *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	buf_printf(out, "%.3g/%.3g", p->r->waves_per_simd, p->r->max_waves_per_simd);
}

static void percent(Buf *out, double v)
{
	if (v >= 0)
		buf_printf(out, "%.0f %%", 100 * v);
}

static void cell_lanes(const Table *t, const SweepPoint *p, Buf *out) { (void)t, percent(out, p->r->utilization); }
static void cell_conflicts(const Table *t, const SweepPoint *p, Buf *out) { (void)t, percent(out, p->r->conflicts); }
static void cell_coalesced(const Table *t, const SweepPoint *p, Buf *out) { (void)t, percent(out, p->r->coalescing); }

static void cell_limiter(const Table *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	bool full = p->r->limiter && !strcmp(p->r->limiter, occ_limiter_name[OCC_waves]);
	buf_printf(out, "%s", full ? "" : p->r->limiter ? p->r->limiter : "?");
}

static void cell_bar(const Table *t, const SweepPoint *p, Buf *out)
{
	u32 n = t->most > 0 ? (u32)(p->r->time_us / t->most * BAR + 0.5) : 0;
	n = n ? n : 1;
	for (u32 i = 0; i < n && i < BAR; i++)
		buf_printf(out, "#");
}

static void cell_mark(const Table *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	const char *const said[] = {p->row->usual ? "usual" : NULL, sweep_stopped(p) ? "stopped early" : NULL,
	                            p->r->differs ? "RESULTS DIFFER" : p->r->findings ? "findings" : NULL,
	                            p->results == RESULTS_OTHER ? "other results" : NULL};
	for (u32 i = 0; i < COUNT(said); i++)
		if (said[i])
			buf_printf(out, "%s%s", out->n ? ", " : "", said[i]);
}

typedef struct Column {
	const char *head, *brief;
	u32 keep; /* the least gives way first; 0: never */
	bool left;
	void (*cell)(const Table *t, const SweepPoint *p, Buf *out);
} Column;
static const Column columns[] = {
	{"time", "time", 0, false, cell_time},
	{"band", "band", 7, true, cell_band},
	{"waves/SIMD", "waves", 5, false, cell_waves},
	{"lanes", "lanes", 6, false, cell_lanes},
	{"conflicts", "confl.", 4, false, cell_conflicts},
	{"coalesced", "coal.", 3, false, cell_coalesced},
	{"limiter", "limiter", 2, true, cell_limiter},
	{"", "", 1, true, cell_bar},
	{"", "", 0, true, cell_mark},
};

/* ---- columns ---- */

typedef struct Layout {
	u32 *axis;                    /* columns of text of each; 0: not shown */
	u32 cell[COUNT(columns)];     /* the widest; 0: nothing to say */
	bool brief;                   /* heads */
	bool same[COUNT(columns)];    /* for all points */
	bool left_out[COUNT(columns)];
	u32 prefix;                   /* bytes of file names that all share */
} Layout;

static bool is_file(const Sweep *s, u32 axis) { return s->in->axes[axis].kind == AXIS_FILE; }

static const char *value_of(const Sweep *s, const Layout *lay, const SweepPoint *p, u32 axis)
{
	const char *v = p->row->values[axis];
	return !v ? "(as it is)" : is_file(s, axis) && strlen(v) > lay->prefix ? v + lay->prefix : v;
}

/* The folders that all files are in. */
static u32 common_folder(const Sweep *s, u32 axis)
{
	const char *first = s->points[0].row->values[axis];
	u32 n = first ? (u32)strlen(first) : 0;
	for (u32 i = 1; i < s->nran && first; i++) {
		const char *v = s->points[i].row->values[axis];
		u32 same = 0;
		while (v && same < n && v[same] == first[same])
			same++;
		n = same;
	}
	while (n && first[n - 1] != '/')
		n--;
	return n;
}

static void measure(const Table *t, Layout *lay)
{
	const Sweep *s = t->s;
	for (u32 i = 0; i < s->in->naxes; i++) {
		if (is_file(s, i))
			lay->prefix = common_folder(s, i);
		lay->axis[i] = (u32)strlen(s->in->axes[i].own);
		for (u32 k = 0; k < s->nran; k++) {
			const char *v = value_of(s, lay, &s->points[k], i);
			u32 n = text_columns(v, (u32)strlen(v));
			lay->axis[i] = is_shown(t, k) && n > lay->axis[i] ? n : lay->axis[i];
		}
	}
	Buf text = {0}, first = {0};
	for (u32 c = 0; c < COUNT(columns); c++) {
		u32 width = 0;
		lay->same[c] = true;
		for (u32 k = 0; k < s->nran; k++) {
			if (!is_shown(t, k))
				continue;
			Buf *b = k ? &text : &first;
			b->n = 0;
			buf_printf(b, "%s", "");
			columns[c].cell(t, &s->points[k], b);
			u32 n = text_columns(b->v, b->n);
			width = n > width ? n : width;
			lay->same[c] &= !k || !strcmp(text.v, first.v);
		}
		lay->cell[c] = width;
	}
	array_free(&text);
	array_free(&first);
}

static const char *head_of(const Layout *lay, u32 c) { return lay->brief ? columns[c].brief : columns[c].head; }

/* 0: not shown. */
static u32 column_width(const Layout *lay, u32 c)
{
	u32 head = (u32)strlen(head_of(lay, c));
	return !lay->cell[c] || lay->left_out[c] ? 0 : head > lay->cell[c] ? head : lay->cell[c];
}

static u32 table_width(const Table *t, const Layout *lay)
{
	u32 width = 5;
	for (u32 i = 0; i < t->s->in->naxes; i++)
		width += GAP + lay->axis[i];
	for (u32 c = 0; c < COUNT(columns); c++)
		width += column_width(lay, c) ? GAP + column_width(lay, c) : 0;
	return width;
}

static void make_room(const Table *t, Layout *lay)
{
	u32 room = t->style->width;
	lay->brief = room && table_width(t, lay) > room;
	while (room && table_width(t, lay) > room) {
		u32 least = COUNT(columns), its = UINT32_MAX;
		for (u32 c = 0; c < COUNT(columns); c++) {
			u32 keep = columns[c].keep + (lay->same[c] ? 0 : (u32)COUNT(columns));
			if (!columns[c].keep || !column_width(lay, c) || keep >= its)
				continue;
			least = c;
			its = keep;
		}
		if (least == COUNT(columns))
			break;
		lay->left_out[least] = true;
	}
	for (u32 c = 0; room && c < COUNT(columns); c++) { /* a wide one that went may have made room again */
		bool was = lay->left_out[c];
		lay->left_out[c] = false;
		lay->left_out[c] = was && table_width(t, lay) > room;
	}
}

static void trim(Buf *line)
{
	while (line->n && line->v[line->n - 1] == ' ')
		line->v[--line->n] = 0;
}

static void put_head(const Table *t, const Layout *lay, Buf *out)
{
	Buf line = {0};
	buf_printf(&line, " rank");
	for (u32 i = 0; i < t->s->in->naxes; i++)
		buf_printf(&line, "%*s%-*s", GAP, "", (int)lay->axis[i], t->s->in->axes[i].own);
	for (u32 c = 0; c < COUNT(columns); c++)
		if (column_width(lay, c))
			buf_printf(&line, columns[c].left ? "%*s%-*s" : "%*s%*s", GAP, "", (int)column_width(lay, c),
			           head_of(lay, c));
	trim(&line);
	buf_printf(out, "%s\n", line.v);
	line.n = 0;
	for (u32 c = 0; c < COUNT(columns); c++)
		if (lay->left_out[c] && *columns[c].head)
			buf_printf(&line, "%s%s", line.n ? ", " : " (no room for: ", columns[c].head);
	if (line.n) {
		buf_printf(&line, ")\n");
		put_wrapped(out, t->style, line.v, INDENT);
	}
	array_free(&line);
}

static void point_row(const Table *t, const Layout *lay, const SweepPoint *p, Buf *out)
{
	Buf line = {0}, cell = {0};
	buf_printf(&line, "%c%4u", p->ties_best ? '=' : ' ', p->rank);
	for (u32 i = 0; i < t->s->in->naxes; i++) {
		const char *v = value_of(t->s, lay, p, i);
		u32 n = text_columns(v, (u32)strlen(v));
		buf_printf(&line, "%*s%s%*s", GAP, "", v, (int)(lay->axis[i] > n ? lay->axis[i] - n : 0), "");
	}
	for (u32 c = 0; c < COUNT(columns); c++) {
		u32 width = column_width(lay, c);
		if (!width)
			continue;
		cell.n = 0;
		buf_printf(&cell, "%s", "");
		columns[c].cell(t, p, &cell);
		if (!cell.n)
			buf_printf(&cell, "%s", columns[c].left ? "" : "-");
		u32 n = text_columns(cell.v, cell.n), pad = width > n ? width - n : 0;
		buf_printf(&line, "%*s%*s", GAP, "", columns[c].left ? 0 : (int)pad, "");
		paint(&line, t->style, columns[c].cell != cell_bar ? PAINT_NONE : p->ties_best ? PAINT_GOOD : PAINT_WARN,
		      cell.v);
		buf_printf(&line, "%*s", columns[c].left ? (int)pad : 0, "");
	}
	trim(&line);
	buf_printf(out, "%s\n", line.v);
	array_free(&line);
	array_free(&cell);
}

/* Those on top, and the usual ones wherever they are. */
static void points(const Table *t, Buf *out)
{
	const Sweep *s = t->s;
	Layout lay = {.axis = xcalloc(s->in->naxes + 1, sizeof(u32))};
	u32 left_out = 0;
	measure(t, &lay);
	make_room(t, &lay);
	put_head(t, &lay, out);
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		if (!is_shown(t, i)) {
			left_out++;
			continue;
		}
		point_row(t, &lay, p, out);
		Buf reason = {0};
		buf_printf(&reason, "%*s%s\n", INDENT, "", p->why_best);
		put_wrapped(out, t->style, reason.v, INDENT);
		array_free(&reason);
	}
	if (left_out)
		buf_printf(out, "  … and %u more that are slower; --top 0 shows all\n", left_out);
	free(lay.axis);
}

/* What the settings of a point say, "local 16x16, -D TILE 8". */
static void put_settings(const SweepInput *in, const SweepRow *row, Buf *out)
{
	bool any = false;
	buf_printf(out, "%s", "");
	for (u32 i = 0; i < in->naxes; i++) {
		if (!row->values[i])
			continue;
		buf_printf(out, "%s%s %s", any ? ", " : "", in->axes[i].name, row->values[i]);
		any = true;
	}
	if (!any)
		buf_printf(out, "the launch as it is");
}

static void devices(const Sweep *s, Buf *out)
{
	for (u32 i = 0; i < s->ndevices; i++) {
		const SweepDevice *d = &s->devices[i];
		Buf best = {0};
		put_settings(s->in, d->best->row, &best);
		u32 ties = 0;
		for (u32 k = 0; k < s->nran; k++)
			ties += !strcmp(s->points[k].r->device, d->name) && s->points[k].ties_best;
		buf_printf(out, "best on %s: %s, ", d->name, best.v);
		put_time(out, d->best->r->time_us);
		if (ties > 1)
			buf_printf(out, " (one of %u within its band)", ties);
		u32 faster = 0;
		for (u32 k = 0; !sweep_wrong(d->best) && k < s->nran && &s->points[k] != d->best; k++)
			faster += !strcmp(s->points[k].r->device, d->name) && sweep_wrong(&s->points[k]) &&
			          s->points[k].r->time_us < d->best->r->time_us;
		if (faster)
			buf_printf(out, "; %u faster, but with findings or results that are not PoCL's", faster);
		if (d->best->results == RESULTS_OTHER)
			buf_printf(out, "\n  mind: its results are not those of the usual launch; wavesim compare tells which");
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
			put_settings(s->in, list[k].row, &which);
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
	Table t = {.s = s, .style = style, .top = top};
	Buf text = {0};
	buf_printf(out, "%s: ", s->in->title);
	put_count(out, s->in->product, "point");
	buf_printf(out, ", %u estimated", s->nran);
	if (s->nstopped)
		buf_printf(out, ", %u of them stopped early", s->nstopped);
	if (s->nskipped)
		buf_printf(out, ", %u skipped", s->nskipped);
	if (s->in->product > s->n)
		buf_printf(out, ", %u not run yet", s->in->product - s->n);
	u32 parts = 0;
	for (u32 i = 0; i < s->nran; i++)
		parts += s->points[i].r->groups_run < s->points[i].r->groups && !sweep_stopped(&s->points[i]);
	if (parts)
		buf_printf(out, "; of %u a part of the work-groups ran (--sample 100: all)", parts);
	buf_printf(out, "\n\n");
	for (u32 i = 0; i < s->nran; i++)
		t.most = is_shown(&t, i) && s->points[i].r->time_us > t.most ? s->points[i].r->time_us : t.most;
	if (s->nran) {
		points(&t, out);
		buf_printf(out, "\n");
		devices(s, &text);
	}
	skipped(s, &text);
	put_wrapped(out, style, text.n ? text.v : "", INDENT);
	array_free(&text);
}
