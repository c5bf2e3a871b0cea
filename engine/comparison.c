/* Two Results side by side: metrics, lines, and what follows from them in words. */
#include "engine/comparison.h"

#include "base/number.h"
#include "engine/align.h"

#include <math.h>

const char *const compare_verdict_name[VERDICT_COUNT] = {COMPARE_VERDICTS(X_NAME)};
const char *const compare_verdict_doc[VERDICT_COUNT] = {COMPARE_VERDICTS(X_DOC)};

/* Times that differ by less than this share are the same. */
static const double same_time = 0.005;
/* A change of a count that is worth a word. */
static const double worth_a_word = 0.05;

bool compare_same(const Compare *c) { return !c->results.different && !c->results.printed_differs; }

/* ---- metrics ---- */

static double machine_total(const Result *r)
{
	return r->machine.run ? (double)machine_sum(r->machine.run->total) : (double)NAN;
}

#define METRIC(id, better, unit, value, words) \
	static double metric_##id(const Result *r) { return (value); }
#include "engine/metrics.def"

static const struct {
	CompareMetric row;
	double (*of)(const Result *r);
} metrics[METRIC_COUNT] = {
#define METRIC(id, better, unit, value, words) {{#id, unit, words, better, {0, 0}}, metric_##id},
#include "engine/metrics.def"
};

double metric_value(MetricId id, const Result *r) { return metrics[id].of(r); }
const char *metric_name(MetricId id) { return metrics[id].row.id; }

bool compare_changed(const CompareMetric *m)
{
	double a = m->value[0], b = m->value[1];
	return isnan(a) != isnan(b) || fabs(a - b) > 1e-9 * fabs(a);
}

int compare_gain(const CompareMetric *m)
{
	double a = m->value[0], b = m->value[1];
	if (isnan(a) || isnan(b) || !compare_changed(m) || m->better == NEITHER)
		return 0;
	return (b < a) == (m->better == LOWER) ? 1 : -1;
}

void compare_value(const CompareMetric *m, u32 side, Buf *out)
{
	double v = m->value[side];
	if (isnan(v))
		buf_printf(out, "unknown");
	else if ((v < 1000 && floor(v) < v) || v < 0 || v >= 0x1p63)
		buf_printf(out, "%.4g", v);
	else
		put_grouped(out, (u64)(v + 0.5));
}

/* ---- lines ---- */

/* The source that most of a program's instructions come from. */
static u32 main_source(const Result *r)
{
	u32 best = 0;
	bool read = false; /* those of a saved report are not */
	u64 *n = xcalloc(r->nsources + 1, sizeof *n), most = 0;
	for (u32 i = 0; i < r->nlines; i++)
		n[r->lines[i].file] += r->lines[i].line ? 1 + r->lines[i].t.wave_instructions : 0;
	for (u32 f = 0; f < r->nsources; f++)
		read |= r->sources[f].text != NULL;
	for (u32 f = 0; f < r->nsources; f++)
		if ((r->sources[f].text || !read) && n[f] > most) {
			best = f;
			most = n[f];
		}
	free(n);
	return best;
}

/* The counts of each line of a source; *n: the highest line that has some. */
static const ResultLine **by_line(const Result *r, u32 file, u32 *n, Arena *a)
{
	*n = 0;
	for (u32 i = 0; i < r->nlines; i++)
		if (r->lines[i].file == file && r->lines[i].line > *n)
			*n = r->lines[i].line;
	const ResultLine **at = ARENA_ARRAY(a, const ResultLine *, *n + 1);
	for (u32 i = 0; i < r->nlines; i++)
		if (r->lines[i].file == file && r->lines[i].line)
			at[r->lines[i].line] = &r->lines[i];
	return at;
}

static double line_us(const Result *r, const ResultLine *l)
{
	if (r->estimate->missing || !l || l->cycles_share < 0)
		return -1;
	return l->cycles_share * (r->estimate->time_us - r->estimate->launch_us);
}

/* A text without lines [from, to]; from 0: all of it. */
typedef struct Cut {
	const char *text;
	u32 from, to;
} Cut;

/* Two kernels of one file: each side's text without the other's kernel, so that the kernels come to
 * lie side by side. */
static void cut_other(Compare *c, const char *const text[SIDES], Cut cut[SIDES])
{
	for (u32 s = 0; s < SIDES; s++)
		cut[s] = (Cut){.text = text[s]};
	if (!text[0] || !text[1] || strcmp(text[0], text[1]) != 0 || !strcmp(c->side[0]->kernel, c->side[1]->kernel))
		return;
	for (u32 s = 0; s < SIDES; s++) {
		u32 from = source_kernel_line(text[s], c->side[1 - s]->kernel);
		if (!from)
			continue;
		Buf b = {0};
		u32 to = source_kernel_end(text[s], from), line = 1;
		for (const char *p = text[s]; *p; line++) {
			size_t n = strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n');
			if (line < from || line > to)
				buf_write(&b, p, n);
			p += n;
		}
		cut[s] = (Cut){buf_keep(&b, c->arena), from, to};
	}
}

static u32 uncut(const Cut *x, u32 line)
{
	return line && x->from && line >= x->from ? line + x->to - x->from + 1 : line;
}

static void build_rows(Compare *c)
{
	const ResultLine **at[SIDES];
	u32 n[SIDES];
	const char *text[SIDES];
	for (u32 s = 0; s < SIDES; s++) {
		const Result *r = c->side[s];
		u32 file = main_source(r);
		c->source[s] = r->nsources ? &r->sources[file] : NULL;
		text[s] = c->source[s] ? c->source[s]->text : NULL;
		at[s] = by_line(r, file, &n[s], c->arena);
	}
	if (!text[0] != !text[1]) /* of a saved report: nothing to lay side by side */
		return;
	AlignRow *rows;
	Cut cut[SIDES];
	cut_other(c, text, cut);
	c->nrows = align_lines(cut[0].text, cut[1].text, c->arena, &rows);
	c->rows = ARENA_ARRAY(c->arena, CompareRow, c->nrows + 1);
	const char *next[SIDES] = {cut[0].text, cut[1].text};
	for (u32 i = 0; i < c->nrows; i++) {
		CompareRow *row = &c->rows[i];
		row->line[0] = uncut(&cut[0], rows[i].before);
		row->line[1] = uncut(&cut[1], rows[i].after);
		for (u32 s = 0; s < SIDES; s++) {
			row->at[s] = row->line[s] && row->line[s] <= n[s] ? at[s][row->line[s]] : NULL;
			row->time_us[s] = line_us(c->side[s], row->at[s]);
			if (!row->line[s])
				continue;
			row->bytes = row->text ? row->bytes : (u32)strcspn(next[s], "\r\n");
			row->text = row->text ? row->text : next[s];
			next[s] += strcspn(next[s], "\n");
			next[s] += *next[s] == '\n';
		}
	}
}

/* ---- in words ---- */

#define say(c, ...) arena_printf((c)->arena, __VA_ARGS__)

static const char *grouped(Compare *c, u64 v)
{
	Buf b = {0};
	put_grouped(&b, v);
	return buf_keep(&b, c->arena);
}

/* The same kernel, whatever the options are. */
static RatioKind ratio_kind(const Compare *c)
{
	const Result *a = c->side[0], *b = c->side[1];
	bool same = a->source_hash && a->source_hash == b->source_hash && !strcmp(a->kernel, b->kernel);
	return same ? RATIO_same : RATIO_other;
}

static void find_ratio(Compare *c)
{
	const Estimate *a = c->side[0]->estimate, *b = c->side[1]->estimate;
	bool one_device = !strcmp(c->side[0]->device, c->side[1]->device);
	c->ratio = b->time_us / a->time_us;
	bool near = c->ratio < ratio_near && c->ratio * ratio_near > 1;
	RatioKind kind = near ? ratio_kind(c) : RATIO_far;
	double factor = one_device ? fmax(a->ratio_factor[kind], b->ratio_factor[kind]) : 0;
	bool measured = factor > 0 && a->ratio_factor[kind] > 0 && b->ratio_factor[kind] > 0;
	c->ratio_low = measured ? c->ratio / factor : b->low_us / a->high_us;
	c->ratio_high = measured ? c->ratio * factor : b->high_us / a->low_us;
}

static void judge(Compare *c)
{
	const Estimate *a = c->side[0]->estimate, *b = c->side[1]->estimate;
	const char *before = c->label[0], *after = c->label[1];
	if (a->missing || b->missing) {
		c->ratio = c->ratio_low = c->ratio_high = NAN;
		c->verdict = VERDICT_unknown;
		c->summary = say(c, "no time is known: %s", a->missing ? a->missing : b->missing);
	} else {
		find_ratio(c);
		bool lower = b->time_us < a->time_us;
		double far = lower ? 1 / c->ratio : c->ratio;
		double least = lower ? 1 / c->ratio_high : c->ratio_low,
		       most = lower ? 1 / c->ratio_low : c->ratio_high;
		bool apart = least > 1;
		c->verdict = far < 1 + same_time ? VERDICT_equal
		             : apart ? (lower ? VERDICT_faster : VERDICT_slower)
		                     : lower ? VERDICT_likely_faster : VERDICT_likely_slower;
		char then[TIME_WORDS], now[TIME_WORDS];
		time_words(then, a->time_us);
		time_words(now, b->time_us);
		if (c->verdict == VERDICT_equal)
			c->summary = say(c, "%s and %s take the same time: %s", before, after, now);
		else
			c->summary =
			    say(c, "%s takes %s and %s %s: %.3g times as %s (%.3g to %.3g)%s", after, now, before, then,
			        far, lower ? "fast" : "long", least, most,
			        apart ? ""
			              : ": the band includes 1, so no difference can be told; measure both on a "
			                "card");
	}
	if (compare_same(c))
		return;
	c->verdict = VERDICT_different;
	c->summary = say(c, "%s and %s do not compute the same: %s%s%s", before, after,
	                 c->results.different ? say(c, "%s of %s elements differ", grouped(c, c->results.different),
	                                            grouped(c, c->results.compared)) : "",
	                 c->results.different && c->results.printed_differs ? ", and " : "",
	                 c->results.printed_differs ? "what they print differs" : "");
}

typedef ARRAY(const char *) Sentences;

/* Where the difference in time lies. */
static void explain_parts(Compare *c, Sentences *out)
{
	const Estimate *e[SIDES] = {c->side[0]->estimate, c->side[1]->estimate};
	enum { TAIL = PART_COUNT, START, DELTAS };
	double delta[DELTAS] = {[START] = e[1]->launch_us - e[0]->launch_us}, all = e[1]->time_us - e[0]->time_us;
	if (fabs(all) < same_time * e[0]->time_us)
		return;
	for (u32 i = 0; i <= TAIL; i++) {
		for (u32 s = 0; s < SIDES; s++) {
			double us = e[s]->cycles > 0 ? (e[s]->time_us - e[s]->launch_us) / e[s]->cycles : 0;
			double part = (i < PART_COUNT ? e[s]->part[i] : e[s]->tail) * us;
			delta[i] += s ? part : -part;
		}
	}
	Buf b = {0};
	buf_printf(&b, "the difference of %.3g us:", fabs(all));
	u32 said = 0;
	for (u32 n = 0; n < 4; n++) {
		u32 best = 0;
		for (u32 i = 1; i < DELTAS; i++)
			if (fabs(delta[i]) > fabs(delta[best]))
				best = i;
		if (fabs(delta[best]) < 0.1 * fabs(all))
			break;
		buf_printf(&b, "%s %+.3g us %s", said++ ? "," : "", delta[best],
		           best < PART_COUNT ? time_part_doc[best]
		           : best == TAIL    ? "compute units without work at the end"
		                             : "starting the kernel");
		delta[best] = 0;
	}
	const char *text = buf_keep(&b, c->arena);
	if (said)
		array_push(out, text);
	if (e[0]->bound_by != e[1]->bound_by)
		array_push(out, say(c, "limit of %s: %s; limit of %s: %s", c->label[0], time_bound_doc[e[0]->bound_by],
		                    c->label[1], time_bound_doc[e[1]->bound_by]));
}

static void explain_counts(Compare *c, Sentences *out)
{
	static const MetricId told[] = {METRIC_lane_utilization, METRIC_divergent_branches,
	                                METRIC_serialized_wave_instructions, METRIC_wave_instructions,
	                                METRIC_lds_conflict_cycles, METRIC_actual_lines, METRIC_waves_per_simd,
	                                METRIC_vgprs, METRIC_lds_bytes, METRIC_scratch_bytes};
	for (u32 i = 0; i < COUNT(told); i++) {
		const CompareMetric *m = &c->metrics[told[i]];
		double a = m->value[0], b = m->value[1], most = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
		if (!(fabs(a - b) > worth_a_word * most))
			continue;
		Buf text = {0};
		buf_printf(&text, "%s: ", m->words);
		compare_value(m, 0, &text);
		buf_printf(&text, " -> ");
		compare_value(m, 1, &text);
		buf_printf(&text, "%s%s", *m->unit ? " " : "", m->unit);
		if (compare_gain(m))
			buf_printf(&text, ", which is %s", compare_gain(m) > 0 ? "better" : "worse");
		array_push(out, buf_keep(&text, c->arena));
	}
}

/* The line that takes most time on each side. */
static void explain_lines(Compare *c, Sentences *out)
{
	for (u32 s = 0; s < SIDES; s++) {
		const Result *r = c->side[s];
		u32 file = main_source(r);
		const ResultLine *best = NULL;
		for (u32 i = 0; i < r->nlines; i++) {
			const ResultLine *l = &r->lines[i];
			if (l->line && l->file == file && line_us(r, l) > 0 &&
			    (!best || line_us(r, l) > line_us(r, best)))
				best = l;
		}
		if (best)
			array_push(out, say(c, "most time in %s goes to line %u: %.3g us", c->label[s], best->line,
			                    line_us(r, best)));
	}
}

static void explain_findings(Compare *c, Sentences *out)
{
	for (u32 s = 0; s < SIDES; s++)
		for (u32 i = 0; i < c->side[s]->findings.n; i++) {
			const ResultFinding *f = &c->side[s]->findings.v[i];
			if (f->advice)
				continue;
			Buf at = {0};
			if (f->at.file) {
				buf_printf(&at, " at ");
				put_result_place(&at, &f->at);
			}
			array_push(out, say(c, "%s of %s%s: %s", f->severity, c->label[s], at.n ? at.v : "",
			                    f->message));
			array_free(&at);
		}
}

static void explain(Compare *c)
{
	Sentences out = {0};
	explain_findings(c, &out);
	if (!c->side[0]->estimate->missing && !c->side[1]->estimate->missing)
		explain_parts(c, &out);
	explain_counts(c, &out);
	explain_lines(c, &out);
	c->nreasons = out.n;
	c->reasons = array_keep(&out, c->arena);
}

Compare *compare_build(const Result *before, const Result *after, const char *const label[SIDES],
                       const CompareResults *results)
{
	Compare *c = xcalloc(1, sizeof *c);
	c->arena = arena_new();
	c->side[0] = before;
	c->side[1] = after;
	c->results = *results;
	for (u32 s = 0; s < SIDES; s++)
		c->label[s] = arena_strdup(c->arena, label[s]);
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		c->metrics[i] = metrics[i].row;
		for (u32 s = 0; s < SIDES; s++)
			c->metrics[i].value[s] = metrics[i].of(c->side[s]);
		/* A register, a wavefront or a cache line of another chip is another thing. */
		if (i != METRIC_time_us && strcmp(before->device, after->device) != 0)
			c->metrics[i].better = NEITHER;
	}
	build_rows(c);
	judge(c);
	explain(c);
	return c;
}

void compare_free(Compare *c)
{
	if (!c)
		return;
	arena_free(c->arena);
	free(c);
}
