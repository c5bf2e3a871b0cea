/* A grading as text, CSV and JUnit's XML: see grade.h. */
#include "report/grade.h"

#include "base/csv.h"
#include "report/html.h"
#include "report/style.h"

u32 grade_count(const Grade *g, JudgeVerdict v)
{
	u32 n = 0;
	for (u32 i = 0; i < g->n; i++)
		n += g->of[i].judgement.verdict == v;
	return n;
}

/* "not_compiled" as "not compiled". */
static void put_verdict(Buf *out, u32 verdict)
{
	for (const char *p = judge_verdict_name[verdict]; *p; p++)
		buf_printf(out, "%c", *p == '_' ? ' ' : *p);
}

static Paint verdict_paint(u32 v)
{
	return v == JUDGE_passed ? PAINT_GOOD : v == JUDGE_not_judged ? PAINT_WARN : PAINT_BAD;
}

void grade_text(const Grade *g, const SinkStyle *style, Buf *out)
{
	u32 widest = 4;
	for (u32 i = 0; i < g->n; i++) {
		u32 w = text_columns(g->of[i].name, (u32)strlen(g->of[i].name));
		widest = w > widest && w <= 32 ? w : widest;
	}
	for (u32 i = 0; i < g->n; i++) {
		const GradeOne *x = &g->of[i];
		Buf verdict = {0}, line = {0};
		put_verdict(&verdict, x->judgement.verdict);
		u32 w = text_columns(x->name, (u32)strlen(x->name));
		buf_printf(&line, "%s%*s  ", x->name, w < widest ? (int)(widest - w) : 0, "");
		paint(&line, style, verdict_paint(x->judgement.verdict), verdict.v);
		if (x->judgement.why)
			buf_printf(&line, "%*s  %s", (int)(12 - verdict.n), "", x->judgement.why);
		buf_printf(&line, "\n");
		put_wrapped(out, style, line.v, widest + 16);
		array_free(&line);
		array_free(&verdict);
	}
	put_numbers(out, "\n# submission~: # passed", g->n, grade_count(g, JUDGE_passed));
	for (u32 v = JUDGE_passed + 1; v < JUDGE_VERDICT_COUNT; v++) {
		if (!grade_count(g, v))
			continue;
		put_numbers(out, ", # ", grade_count(g, v));
		put_verdict(out, v);
	}
	buf_printf(out, "\n");
}

static void put_item(const Judgement *j, const char *file, const JudgeItem *x, const SinkStyle *style, Buf *out)
{
	static const Paint paints[] = {[ITEM_met] = PAINT_GOOD, [ITEM_missed] = PAINT_BAD, [ITEM_open] = PAINT_DIM};
	static const char *const marks[] = {[ITEM_met] = "met", [ITEM_missed] = "MISSED", [ITEM_open] = "open"};
	Buf line = {0};
	buf_printf(&line, "  ");
	paint(&line, style, paints[x->state], marks[x->state]);
	buf_printf(&line, "%*s  %s", 6 - (int)strlen(marks[x->state]), "", x->name);
	if (x->said)
		buf_printf(&line, " (%s)", x->said);
	buf_printf(&line, "\n");
	put_wrapped(out, style, line.v, 10);
	array_free(&line);
	u32 n;
	const char *source = x->line ? judge_line(j, x->line, &n) : NULL;
	if (source) {
		buf_printf(out, "          %s:%u: ", file, x->line);
		source += strspn(source, " \t") < n ? strspn(source, " \t") : 0;
		put_source(out, source, (u32)strcspn(source, "\r\n"), style->width > 30 ? style->width - 20 : 100);
		buf_printf(out, "\n");
	}
	const char *more[] = {x->hint, x->advice}, *names[] = {"hint", "advice"};
	for (u32 i = 0; i < COUNT(more); i++) {
		if (!more[i])
			continue;
		Buf text = {0};
		buf_printf(&text, "          %s: %s\n", names[i], more[i]);
		put_wrapped(out, style, text.v, 10);
		array_free(&text);
	}
}

void grade_one_text(const Grade *g, const GradeOne *x, const SinkStyle *style, Buf *out)
{
	const Judgement *j = &x->judgement;
	Buf verdict = {0}, line = {0};
	put_verdict(&verdict, j->verdict);
	buf_printf(&line, "%s, %s: ", g->exercise, x->name);
	paint(&line, style, verdict_paint(j->verdict), verdict.v);
	if (j->verdict == JUDGE_not_judged)
		buf_printf(&line, ": %s", j->why);
	buf_printf(&line, "\n");
	put_wrapped(out, style, line.v, 2);
	for (u32 i = 0; i < j->nitems; i++)
		put_item(j, g->file, &j->items[i], style, out);
	array_free(&verdict);
	array_free(&line);
}

/* ---- CSV ---- */

void grade_csv(const Grade *g, Buf *out)
{
	buf_printf(out, "submission,verdict,why");
	for (u32 i = 0; g->n && i < g->of[0].judgement.nitems; i++) {
		buf_printf(out, ",");
		csv_text(g->of[0].judgement.items[i].name, out);
	}
	buf_printf(out, "\n");
	for (u32 i = 0; i < g->n; i++) {
		const Judgement *j = &g->of[i].judgement;
		csv_text(g->of[i].name, out);
		buf_printf(out, ",%s,", judge_verdict_name[j->verdict]);
		csv_text(j->why, out);
		for (u32 k = 0; k < j->nitems; k++)
			buf_printf(out, ",%s", judge_state_name[j->items[k].state]);
		buf_printf(out, "\n");
	}
}

/* ---- JUnit ---- */

/* XML has no control characters but these, not even escaped. */
static void put_xml(const char *text, Buf *out)
{
	Buf safe = {0};
	buf_printf(&safe, "%s", "");
	for (const char *p = text ? text : ""; *p;) {
		u32 n = control_at(p, strlen(p));
		buf_write(&safe, n ? "?" : p, 1);
		p += n ? n : 1;
	}
	html_escape(safe.v, out);
	array_free(&safe);
}

static void put_attribute(const char *name, const char *text, Buf *out)
{
	buf_printf(out, " %s=\"", name);
	put_xml(text, out);
	buf_printf(out, "\"");
}

static void put_case(const Grade *g, const GradeOne *x, const JudgeItem *item, Buf *out)
{
	buf_printf(out, "    <testcase");
	put_attribute("classname", g->exercise, out);
	put_attribute("name", item->name, out);
	bool judged = x->judgement.verdict != JUDGE_not_judged;
	if (item->state == ITEM_met && judged) {
		buf_printf(out, "/>\n");
	} else if (item->state == ITEM_missed) {
		buf_printf(out, ">\n      <failure");
		put_attribute("message", item->said, out);
		buf_printf(out, ">");
		if (item->line)
			buf_printf(out, "%s:%u: ", g->file, item->line);
		put_xml(item->hint ? item->hint : item->said, out);
		buf_printf(out, "</failure>\n    </testcase>\n");
	} else {
		buf_printf(out, ">\n      <skipped");
		put_attribute("message", judged ? "not looked at" : x->judgement.why, out);
		buf_printf(out, "/>\n    </testcase>\n");
	}
}

void grade_junit(const Grade *g, Buf *out)
{
	buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	put_attribute("name", g->title, out);
	buf_printf(out, ">\n");
	for (u32 i = 0; i < g->n; i++) {
		const GradeOne *x = &g->of[i];
		u32 count[ITEM_STATE_COUNT] = {0};
		for (u32 k = 0; k < x->judgement.nitems; k++)
			count[x->judgement.items[k].state]++;
		buf_printf(out, "  <testsuite");
		put_attribute("name", x->name, out);
		bool judged = x->judgement.verdict != JUDGE_not_judged;
		u32 skipped = count[ITEM_open] + (judged ? 0 : count[ITEM_met]);
		buf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n", x->judgement.nitems,
		           count[ITEM_missed], skipped);
		for (u32 k = 0; k < x->judgement.nitems; k++)
			put_case(g, x, &x->judgement.items[k], out);
		buf_printf(out, "  </testsuite>\n");
	}
	buf_printf(out, "</testsuites>\n");
}
