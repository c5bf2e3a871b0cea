/* Findings as text: what, where, which work-item, what to do. */
#include "report/style.h"

static void put_id(Buf *out, const char *name, const u64 id[3])
{
	buf_printf(out, "%s(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", name, id[0], id[1], id[2]);
}

static void put_place(const Result *r, const ResultFinding *f, Buf *out)
{
	buf_printf(out, "  kernel %s, work-item ", r->kernel);
	put_id(out, "global", f->global_id);
	put_id(out, " local", f->local_id);
	put_id(out, " group", f->group_id);
	buf_printf(out, ", wavefront %u lane %u", f->wave, f->lane);
	if (f->count > 1)
		put_numbers(out, "; # times in all", f->count);
	buf_printf(out, "\n");
}

static void put_line(const ResultPlace *at, const SinkStyle *style, Buf *out)
{
	const char *source = at->source;
	u32 col = at->col;
	if (!source)
		return;
	u32 n = (u32)strlen(source), skip = 0;
	while (skip < n && (source[skip] == ' ' || source[skip] == '\t'))
		skip++;
	buf_printf(out, "  %4u | ", at->line);
	put_source(out, source + skip, n - skip, style->width > 9 ? style->width - 9 : 0);
	buf_printf(out, "\n");
	if (!col || col <= skip || col > n || (style->width && col - skip + 9 > style->width))
		return;
	buf_printf(out, "       | ");
	for (u32 i = skip; i + 1 < col; i++) {
		if (((u8)source[i] & 0xC0) != 0x80)
			buf_printf(out, "%s", source[i] == '\t' ? "    " : " ");
	}
	paint(out, style, PAINT_GOOD, "^");
	buf_printf(out, "\n");
}

/* The other half of what happened. */
static void put_other(const Result *r, const ResultFinding *f, const SinkStyle *style, Buf *out)
{
	const ResultAccess *o = f->other;
	if (f->own && f->own->value)
		buf_printf(out, "  value %s\n", f->own->value);
	bool declared = !strcmp(o->did, "declaration"), atomic = !strcmp(o->did, "atomic");
	buf_printf(out, "  %s by work-item ",
	           declared              ? "declared without a value, met"
	           : !finding_is_race(f) ? "read"
	                                 : arena_printf(r->arena, "before it, %s %s", atomic ? "an" : "a", o->did));
	put_id(out, "global", o->global_id);
	put_id(out, " local", o->local_id);
	put_id(out, " group", o->group_id);
	buf_printf(out, ", wavefront %u lane %u", o->wave, o->lane);
	if (o->value)
		buf_printf(out, ", value %s", o->value);
	if (o->at.file) {
		buf_printf(out, ", ");
		put_result_place(out, &o->at);
	}
	buf_printf(out, "\n");
	put_line(&o->at, style, out);
}

static void put_elements(const RefBuffer *b, Buf *out)
{
	if (b->note)
		buf_printf(out, "  %s\n", b->note);
	for (u32 k = 0; k < b->nfirst; k++) {
		const RefElement *e = &b->first[k];
		buf_printf(out, "  %s[%" PRIu64 "]", b->name, e->index);
		if (b->is_struct)
			buf_printf(out, " byte %u", e->component);
		else if (b->width > 1)
			buf_printf(out, ".s%x", e->component);
		buf_printf(out, " is %s, %s has %s", e->actual, b->against, e->expected);
		if (e->has_item)
			put_id(out, "   work-item ", e->item);
		buf_printf(out, "\n");
	}
	if (!b->nfirst || b->mismatches == b->nfirst)
		return;
	put_numbers(out, "  and # more", b->mismatches - b->nfirst);
	if (b->has_ulp)
		buf_printf(out, "; at most %.6g ulp apart", b->max_ulp);
	buf_printf(out, "\n");
}

static void put_gain(const ResultFinding *f, Buf *out)
{
	double gain = f->before_us - f->after_us;
	char before[TIME_WORDS], after[TIME_WORDS], less[TIME_WORDS];
	time_words(before, f->before_us);
	time_words(after, f->after_us);
	if (f->after_us < 0)
		buf_printf(out, "  gain: not estimated\n");
	else if (!strcmp(before, after))
		buf_printf(out, "  gain: none here, by the model (%s)\n", before);
	else if (strcmp(f->severity, "advice") != 0)
		buf_printf(out, "  gain: less than 1 %% here; the model says %s instead of %s\n", after, before);
	else
		buf_printf(out, "  gain: %s of %s (%.3g %%), by the model\n", time_words(less, gain), before,
		           100 * gain / f->before_us);
}

void text_findings(const Result *r, const SinkStyle *style, Buf *out)
{
	u32 all = style->faults_only ? result_problems(r) : r->findings.n;
	for (u32 i = 0; i < all; i++) {
		if (i == style->max_findings) {
			put_numbers(out, "\nand # more finding~", all - i);
			buf_printf(out, " (--max-errors %u)\n", style->max_findings);
			return;
		}
		const ResultFinding *f = &r->findings.v[i];
		bool error = !strcmp(f->severity, "error");
		buf_printf(out, "\n");
		if (f->at.file) {
			put_result_place(out, &f->at);
			if (f->at.col)
				buf_printf(out, ":%u", f->at.col);
			buf_printf(out, ": ");
		}
		paint(out, style, error ? PAINT_BAD : f->advice ? PAINT_GOOD : PAINT_WARN, f->severity);
		buf_printf(out, ": %s\n", f->message);
		if (f->has_place)
			put_place(r, f, out);
		else if (f->buffer)
			put_elements(f->buffer, out);
		put_line(&f->at, style, out);
		if (f->other)
			put_other(r, f, style, out);
		if (f->advice)
			put_gain(f, out);
		if (f->hint)
			buf_printf(out, "  hint: %s\n", f->hint);
	}
}
