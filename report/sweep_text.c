/* A sweep as a table for the terminal: a row for each point, the best first, with a bar for its time
 * and below it why it is not the best. Empty columns are left out; on a narrow terminal also those
 * that matter least, first the ones in which all points are the same. */
#include "report/sweep.h"

#include "report/table.h"

enum { BAR = 16, POINTS_PER_REASON = 3, REASONS = 20, GAP = 2, INDENT = 6, RANK = 5 };

typedef struct SweepTable {
	const Sweep *s;
	const SinkStyle *style;
	double most; /* the longest time shown */
	u32 top;
	u32 prefix; /* bytes of file names that all share */
} SweepTable;

static bool is_shown(const SweepTable *t, u32 point)
{
	return !t->top || point < t->top || t->s->points[point].row->usual;
}

/* ---- cells ---- */

static void cell_time(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	put_time(out, p->r->time_us);
}

/* "2.65-5.98 us"; with both units when they are not the same. */
static void cell_band(const SweepTable *t, const SweepPoint *p, Buf *out)
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

static void cell_waves(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	buf_printf(out, "%.3g/%.3g", p->r->waves_per_simd, p->r->max_waves_per_simd);
}

static void percent(Buf *out, double v)
{
	if (v >= 0)
		buf_printf(out, "%.0f %%", 100 * v);
}

static void cell_lanes(const SweepTable *t, const SweepPoint *p, Buf *out) { (void)t, percent(out, p->r->utilization); }
static void cell_conflicts(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t, percent(out, p->r->conflicts);
}
static void cell_coalesced(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t, percent(out, p->r->coalescing);
}

static void cell_limiter(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	bool full = p->r->limiter && !strcmp(p->r->limiter, occ_limiter_name[OCC_waves]);
	buf_printf(out, "%s", full ? "" : p->r->limiter ? p->r->limiter : "?");
}

static void cell_bar(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	u32 n = t->most > 0 ? (u32)(p->r->time_us / t->most * BAR + 0.5) : 0;
	n = n ? n : 1;
	for (u32 i = 0; i < n && i < BAR; i++)
		buf_printf(out, "#");
}

static void cell_mark(const SweepTable *t, const SweepPoint *p, Buf *out)
{
	(void)t;
	const char *const said[] = {p->row->usual ? "usual" : NULL, sweep_stopped(p) ? "stopped early" : NULL,
	                            p->r->differs ? "RESULTS DIFFER" : p->r->findings ? "findings" : NULL,
	                            p->results == RESULTS_OTHER ? "other results" : NULL};
	for (u32 i = 0; i < COUNT(said); i++)
		if (said[i])
			buf_printf(out, "%s%s", out->n ? ", " : "", said[i]);
}

static const struct SweepColumn {
	TableColumn as;
	void (*cell)(const SweepTable *t, const SweepPoint *p, Buf *out);
} columns[] = {
	{{.head = "time", .name = "time"}, cell_time},
	{{.head = "band", .name = "band", .keep = 7, .left = true, .worth = WORTH_DIFFERENT}, cell_band},
	{{.head = "waves/SIMD", .brief_head = "waves", .name = "waves/SIMD", .keep = 5, .worth = WORTH_DIFFERENT},
	 cell_waves},
	{{.head = "lanes", .name = "lanes", .keep = 6, .worth = WORTH_DIFFERENT}, cell_lanes},
	{{.head = "conflicts", .brief_head = "confl.", .name = "conflicts", .keep = 4, .worth = WORTH_DIFFERENT},
	 cell_conflicts},
	{{.head = "coalesced", .brief_head = "coal.", .name = "coalesced", .keep = 3, .worth = WORTH_DIFFERENT},
	 cell_coalesced},
	{{.head = "limiter", .name = "limiter", .keep = 2, .left = true, .worth = WORTH_DIFFERENT}, cell_limiter},
	{{.keep = 1, .left = true, .worth = WORTH_DIFFERENT}, cell_bar},
	{{.left = true}, cell_mark},
};

/* ---- rows ---- */

static bool is_file(const Sweep *s, u32 axis) { return s->in->axes[axis].kind == AXIS_FILE; }

static const char *value_of(const SweepTable *t, const SweepPoint *p, u32 axis)
{
	const char *v = p->row->values[axis];
	return !v ? "(as it is)" : is_file(t->s, axis) && strlen(v) > t->prefix ? v + t->prefix : v;
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

static void add_point(const SweepTable *t, const SweepPoint *p, Table *out)
{
	Buf text = {0};
	for (u32 i = 0; i < t->s->in->naxes; i++) {
		text.n = 0;
		buf_printf(&text, "%s", value_of(t, p, i));
		table_cell(out, &text, NULL, PAINT_NONE);
	}
	for (u32 i = 0; i < COUNT(columns); i++) {
		bool bar = columns[i].cell == cell_bar;
		text.n = 0;
		columns[i].cell(t, p, &text);
		table_cell(out, &text, NULL, !bar ? PAINT_NONE : p->ties_best ? PAINT_GOOD : PAINT_WARN);
	}
	array_free(&text);
}

static void build_table(SweepTable *t, Table *out)
{
	const Sweep *s = t->s;
	table_init(out, t->style, GAP, GAP);
	out->empty = "-";
	for (u32 i = 0; i < s->in->naxes; i++) {
		u32 least = (u32)strlen(s->in->axes[i].own);
		if (is_file(s, i))
			t->prefix = common_folder(s, i);
		table_column(out, &(TableColumn){.head = s->in->axes[i].own, .left = true, .least = {least, least}});
	}
	for (u32 i = 0; i < COUNT(columns); i++)
		table_column(out, &columns[i].as);
	for (u32 i = 0; i < s->nran; i++)
		if (is_shown(t, i))
			add_point(t, &s->points[i], out);
	table_fit(out, t->style->width ? t->style->width + GAP - RANK : 0);
}

/* Those on top, and the usual ones wherever they are. */
static void points(SweepTable *t, Buf *out)
{
	const Sweep *s = t->s;
	u32 rows = 0;
	Table table;
	build_table(t, &table);
	buf_printf(out, "%*s", RANK, "rank");
	table_head(&table, false, out);
	buf_printf(out, "\n");
	table_left_out(&table, INDENT, out);
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		if (!is_shown(t, i))
			continue;
		Buf reason = {0};
		u32 start = out->n;
		buf_printf(out, "%c%*u", p->ties_best ? '=' : ' ', RANK - 1, p->rank);
		table_row(&table, rows++, out);
		table_trim(out, start);
		buf_printf(out, "\n");
		buf_printf(&reason, "%*s%s\n", INDENT, "", p->why_best);
		put_wrapped(out, t->style, reason.v, INDENT);
		array_free(&reason);
	}
	if (rows < s->nran)
		buf_printf(out, "  … and %u more that are slower; --top 0 shows all\n", s->nran - rows);
	table_free(&table);
}

/* The settings of a point, "local 16x16, -D TILE 8". */
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
			buf_printf(out, " (the model cannot tell %u other%s from it)", ties - 1, ties == 2 ? "" : "s");
		u32 faster = 0;
		for (u32 k = 0; !sweep_wrong(d->best) && k < s->nran && &s->points[k] != d->best; k++)
			faster += !strcmp(s->points[k].r->device, d->name) && sweep_wrong(&s->points[k]) &&
			          s->points[k].r->time_us < d->best->r->time_us;
		if (faster)
			buf_printf(out,
			           "; %u faster, but with findings or results that are not those of the native run",
			           faster);
		if (d->best->results == RESULTS_OTHER)
			buf_printf(out, "\n  note: its results differ from those of the usual launch: `wavesim "
			                "compare` shows where; --max-ulp N accepts floats that differ by N units in "
			                "the last place");
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
	SweepTable t = {.s = s, .style = style, .top = top};
	Buf text = {0};
	buf_printf(out, "%s", s->in->title);
	put_numbers(out, ": # point~", s->in->product);
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
