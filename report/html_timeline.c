/* The timeline as compact JSON.
 *
 *   quantum   cycles of one step of the spans, which show what took most of it
 *   lives     per wavefront [group, wave, wgp, cu, simd, begin, end], cycles; left_out: how many more
 *   spans     per wavefront [gap, length, part, line …]: steps since the span before; line: index of
 *             `lines`, or -1
 *   use       slot: cycles of one slot of time from the start; end: of the last of them; units: of each busy one the
 *             share of each slot, in thousandths
 *
 * A page needs no more spans than can be seen: steps grow until there are few enough. */
#include "report/html.h"

#include <math.h>

enum { MOST_RUNS = 100000, MOST_LIVES = 4096 };

/* Costs.lines -> Result.lines; both are sorted sets of places, small enough to look through. */
static i32 *line_map(const Result *r)
{
	const Costs *p = r->estimate->costs;
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

static void put_spans(const Timeline *t, u32 life, const u32 *span, u32 n, const i32 *map, Buf *out)
{
	i64 at = 0;
	buf_printf(out, "[");
	for (u32 i = 0; i < n; i++) {
		const TimingSpan *s = &t->spans.v[span[i]];
		i64 from = llround((s->from - t->lives.v[life].begin) / t->quantum);
		i64 to = (i64)ceil((s->to - t->lives.v[life].begin) / t->quantum - 1e-6);
		buf_printf(out, "%s%" PRId64 ",%" PRId64 ",%u,%d", i ? "," : "", from - at, to - from, s->part,
		           map[s->line]);
		at = to;
	}
	buf_printf(out, "]");
}

static void put_use(const UnitUse *use, Buf *out)
{
	bool any = false;
	buf_printf(out, "{\"slot\":%.0f,\"end\":%.1f,\"units\":{", use->slot, use->end);
	for (u32 u = 0; u < BUSY_COUNT; u++) {
		double most = 0;
		for (u32 i = 0; i < use->n; i++)
			most = fmax(most, use->busy[u][i]);
		if (most <= 0)
			continue;
		buf_printf(out, "%s\"%s\":[", any ? "," : "", busy_unit_name[u]);
		for (u32 i = 0; i < use->n; i++)
			buf_printf(out, "%s%.0f", i ? "," : "", 1000 * use->busy[u][i]);
		buf_printf(out, "]");
		any = true;
	}
	buf_printf(out, "}}");
}

void html_timeline(const Result *r, Buf *out)
{
	Timeline t = r->timeline;
	t.spans.v = xmalloc((t.spans.n + 1) * sizeof *t.spans.v);
	memcpy(t.spans.v, r->timeline.spans.v, t.spans.n * sizeof *t.spans.v);
	t.spans.cap = t.spans.n + 1;
	double quantum = t.quantum > 1 ? t.quantum : 1;
	for (timeline_coarsen(&t, quantum); t.spans.n > MOST_RUNS; timeline_coarsen(&t, quantum))
		quantum *= 2;
	u32 lives = t.lives.n < MOST_LIVES ? t.lives.n : MOST_LIVES, *span, *start = timeline_by_life(&t, &span);
	i32 *map = line_map(r);
	buf_printf(out, "{\"quantum\":%.0f,\"left_out\":%u,\"lives\":[", t.quantum, t.lives.n - lives);
	for (u32 i = 0; i < lives; i++) {
		const TimingLife *l = &t.lives.v[i];
		buf_printf(out, "%s[%" PRIu64 ",%u,%u,%u,%u,%.1f,%.1f]", i ? "," : "", l->group, l->wave, l->wgp, l->cu,
		           l->simd, l->begin, l->end);
	}
	buf_printf(out, "],\"spans\":[");
	for (u32 i = 0; i < lives; i++) {
		buf_printf(out, i ? "," : "");
		put_spans(&t, i, span + start[i], start[i + 1] - start[i], map, out);
	}
	buf_printf(out, "],\"use\":");
	put_use(&r->timeline.use, out);
	buf_printf(out, "}");
	free(map);
	free(start);
	free(span);
	array_free(&t.spans);
}
