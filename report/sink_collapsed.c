/* Collapsed stacks for flame graphs (flamegraph.pl, speedscope, inferno): kernel, source line and,
 * of time, what wavefronts did there; behind it the weight. SinkStyle.weight chooses of what.
 *
 * Weights of time sum up to the estimated cycles (rounded), the others to the totals of the
 * report. Frames may hold neither a semicolon nor, at their end, a number behind a blank. */
#include "report/json_kit.h"
#include "report/report.h"

#include <math.h>

#define X(name, doc) #name,
const char *const stack_weight_name[WEIGHT_COUNT] = {STACK_WEIGHTS(X)};
#undef X

/* A frame: "stride.cl:18 uint value = pool[lid * stride]". */
static void put_frame(const Result *r, u32 file, u32 line, Buf *out)
{
	if (!line) {
		buf_printf(out, ";(no source line)");
		return;
	}
	buf_printf(out, ";%s:%u ", path_name(r->sources[file].name), line);
	u32 n = 0;
	const char *text = result_source_line(&r->sources[file], line, &n);
	char *clean = utf8_clean(text ? text : "", text ? n : 0);
	bool blank = true; /* what precedes is one */
	for (const char *c = clean; *c; c++) {
		bool space = (u8)*c <= ' ' || *c == ';';
		if (!space || !blank)
			buf_printf(out, "%c", space ? ' ' : *c);
		blank = space;
	}
	free(clean);
	while (out->n && out->v[out->n - 1] == ' ')
		out->v[--out->n] = 0;
}

static void put_stack(const Result *r, u32 file, u32 line, const char *leaf, u64 weight, Buf *out)
{
	if (!weight)
		return;
	buf_printf(out, "%s", r->kernel);
	put_frame(r, file, line, out);
	buf_printf(out, "%s%s %" PRIu64 "\n", leaf ? ";" : "", leaf ? leaf : "", weight);
}

static void put_time_stacks(const Result *r, Buf *out)
{
	const Estimate *e = r->estimate;
	for (u32 l = 0; !e->missing && l < e->costs->lines.n; l++) {
		const CostLine *at = &e->costs->lines.v[l];
		for (u32 i = 0; i < PART_COUNT; i++)
			put_stack(r, at->file, at->line, time_part_doc[i],
			          (u64)llround(e->line_part[i][l] * e->cycles), out);
	}
}

static u64 weight_of(const Result *r, const ResultLine *l, StackWeight w)
{
	switch (w) {
	case WEIGHT_instructions: return l->t.wave_instructions;
	case WEIGHT_idle_lanes: return l->t.wave_instructions * r->wave - l->t.active_lanes;
	case WEIGHT_conflicts: return l->t.lds.actual - l->t.lds.ideal;
	case WEIGHT_lines: return l->t.actual_lines;
	case WEIGHT_cycles:
	case WEIGHT_COUNT: break;
	}
	return 0;
}

void sink_collapsed(const Result *r, const SinkStyle *style, Buf *out)
{
	if (style->weight == WEIGHT_cycles) {
		put_time_stacks(r, out);
		return;
	}
	for (u32 i = 0; i < r->nlines; i++) {
		const ResultLine *l = &r->lines[i];
		put_stack(r, l->file, l->line, NULL, weight_of(r, l, style->weight), out);
	}
}
