/* The timeline as compact JSON.
 *
 *   quantum   cycles of one unit of the spans
 *   until     cycle up to which there are spans; cut: wavefronts did more
 *   lives     per wavefront [group, wave, pool, cu, simd, begin, end], cycles
 *   spans     per wavefront [gap, length, part, line …]: units since the span before; line: index of
 *             `lines`, or -1
 *
 * A page needs no more spans than can be seen: time is cut into units, each of which shows what took
 * most of it, and units grow until there are few enough. */
#include "report/html.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_RUNS = 100000, MOST_LIVES = 4096 };

/* A span as the page has it, in units. */
typedef struct Run {
	u64 from, to;
	u32 part, line;
} Run;

typedef struct Runs {
	ARRAY(Run) all;
	u64 last;    /* the unit that is being filled */
	double most; /* the longest span in it, … */
	u32 part, line; /* … which is of these; most > 0 */
} Runs;

static void add_run(Runs *r, u32 first, u64 from, u64 to, u32 part, u32 line)
{
	Run *last = r->all.n > first ? &r->all.v[r->all.n - 1] : NULL;
	if (last && last->to == from && last->part == part && last->line == line)
		last->to = to;
	else
		array_push(&r->all, ((Run){from, to, part, line}));
}

static void close_unit(Runs *r, u32 first)
{
	if (r->most > 0)
		add_run(r, first, r->last, r->last + 1, r->part, r->line);
	r->most = 0;
}

static void fill_unit(Runs *r, u32 first, u64 unit, double cycles, const TimingSpan *s)
{
	if (unit != r->last)
		close_unit(r, first);
	r->last = unit;
	if (cycles <= r->most)
		return;
	r->most = cycles;
	r->part = s->part;
	r->line = s->line;
}

/* The spans of one life: begin is cycle 0 of its units. */
static void add_span(Runs *r, u32 first, const TimingSpan *s, double begin, double quantum)
{
	double from = (s->from - begin) / quantum, to = (s->to - begin) / quantum;
	from = from > 0 ? from : 0;
	u64 a = (u64)from, b = (u64)to;
	if (a == b) {
		fill_unit(r, first, a, to - from, s);
		return;
	}
	fill_unit(r, first, a, (double)(a + 1) - from, s);
	close_unit(r, first);
	if (b > a + 1)
		add_run(r, first, a + 1, b, s->part, s->line);
	r->last = b;
	if (to > (double)b)
		fill_unit(r, first, b, to - (double)b, s);
}

/* Spans by life, each life's in order. */
typedef struct Sorted {
	u32 *start, *span; /* spans of life i: span[start[i] … start[i + 1]) */
} Sorted;

static void sort_spans(const Timeline *t, Sorted *out)
{
	out->start = xcalloc(t->lives.n + 2, sizeof *out->start);
	out->span = xcalloc(t->spans.n + 1, sizeof *out->span);
	for (u32 i = 0; i < t->spans.n; i++)
		out->start[t->spans.v[i].life + 2]++;
	for (u32 i = 0; i < t->lives.n; i++)
		out->start[i + 2] += out->start[i + 1];
	for (u32 i = 0; i < t->spans.n; i++)
		out->span[out->start[t->spans.v[i].life + 1]++] = i;
}

/* first[i]: where the runs of life i begin. False: there are too many. */
static bool make_runs(const Timeline *t, const Sorted *s, u32 lives, double quantum, Runs *r, u32 *first)
{
	r->all.n = 0;
	for (u32 i = 0; i < lives; i++) {
		first[i] = r->all.n;
		r->last = 0;
		r->most = 0;
		for (u32 k = s->start[i]; k < s->start[i + 1]; k++)
			add_span(r, first[i], &t->spans.v[s->span[k]], t->lives.v[i].begin, quantum);
		close_unit(r, first[i]);
		if (r->all.n > MOST_RUNS)
			return false;
	}
	first[lives] = r->all.n;
	return true;
}

/* Price.lines -> Report.lines; both are sorted sets of places, small enough to look through. */
static i32 *line_map(const Report *r)
{
	const Price *p = r->estimate->price;
	i32 *map = xcalloc(p->lines.n + 1, sizeof *map);
	for (u32 i = 0; i < p->lines.n; i++) {
		map[i] = -1;
		for (u32 k = 0; k < r->nlines && map[i] < 0; k++)
			if (r->lines[k].line == p->lines.v[i].line &&
			    (!r->lines[k].line || r->lines[k].file == p->lines.v[i].file))
				map[i] = (i32)k;
	}
	return map;
}

static void put_runs(const Runs *r, u32 from, u32 to, const i32 *map, Buf *out)
{
	u64 at = 0;
	buf_printf(out, "[");
	for (u32 i = from; i < to; i++) {
		const Run *x = &r->all.v[i];
		buf_printf(out, "%s%" PRIu64 ",%" PRIu64 ",%u,%d", i > from ? "," : "", x->from - at, x->to - x->from,
		           x->part, map[x->line]);
		at = x->to;
	}
	buf_printf(out, "]");
}

void html_timeline(const Report *r, Buf *out)
{
	const Timeline *t = &r->timeline;
	u32 lives = t->lives.n < MOST_LIVES ? t->lives.n : MOST_LIVES;
	Sorted sorted;
	Runs runs = {0};
	u32 *first = xcalloc(lives + 1, sizeof *first);
	double quantum = 1;
	sort_spans(t, &sorted);
	while (!make_runs(t, &sorted, lives, quantum, &runs, first))
		quantum *= 2;
	i32 *map = line_map(r);
	buf_printf(out, "{\"quantum\":%.0f,\"until\":%.2f,\"cut\":%s,\"lives\":[", quantum, t->until,
	           t->cut || lives < t->lives.n ? "true" : "false");
	for (u32 i = 0; i < lives; i++) {
		const TimingLife *l = &t->lives.v[i];
		buf_printf(out, "%s[%" PRIu64 ",%u,%u,%u,%u,%.1f,%.1f]", i ? "," : "", l->group, l->wave, l->pool, l->cu,
		           l->simd, l->begin, l->end);
	}
	buf_printf(out, "],\"spans\":[");
	for (u32 i = 0; i < lives; i++) {
		buf_printf(out, i ? "," : "");
		put_runs(&runs, first[i], first[i + 1], map, out);
	}
	buf_printf(out, "]}");
	free(map);
	free(first);
	free(sorted.start);
	free(sorted.span);
	array_free(&runs.all);
}
