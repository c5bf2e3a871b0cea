/* A comparison as a page (html.h): its JSON, the parts of both times, and the sources side by side.
 *
 *   rows  [line before, line after, text, counts before, counts after]; counts: null or
 *         [time us or null, executions, lanes 0 … 1 or null, branches, divergent, LDS ideal, actual,
 *         lines ideal, actual, live VGPRs]
 *   left_out {rows}: how many more there are */
#include "report/compare.h"
#include "report/html.h"
#include "report/json_kit.h"

enum { MOST_ROWS = 8000 };

static void put_counts(const CompareRow *row, u32 side, Buf *out)
{
	const ResultLine *l = row->at[side];
	if (!l) {
		buf_printf(out, ",null");
		return;
	}
	if (row->time_us[side] < 0)
		buf_printf(out, ",[null");
	else
		buf_printf(out, ",[%.6g", row->time_us[side]);
	buf_printf(out, ",%" PRIu64, l->executions);
	if (l->t.wave_instructions)
		buf_printf(out, ",%.6g", l->utilization);
	else
		buf_printf(out, ",null");
	buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u]", l->t.branches,
	           l->t.divergent_branches, l->t.lds.ideal, l->t.lds.actual, l->t.ideal_lines, l->t.actual_lines,
	           l->live_vgprs);
}

static void put_rows(cJSON *root, const Compare *c)
{
	Buf out = {0};
	buf_printf(&out, "[");
	for (u32 i = 0; i < c->nrows && i < MOST_ROWS; i++) {
		const CompareRow *row = &c->rows[i];
		char *clean = utf8_clean(row->text ? row->text : "", row->text ? row->bytes : 0);
		cJSON *text = cJSON_CreateString(clean);
		char *quoted = cJSON_PrintUnformatted(text);
		buf_printf(&out, "%s[%u,%u,%s", i ? "," : "", row->line[0], row->line[1], quoted);
		for (u32 s = 0; s < SIDES; s++)
			put_counts(row, s, &out);
		buf_printf(&out, "]");
		cJSON_Delete(text);
		free(quoted);
		free(clean);
	}
	buf_printf(&out, "]");
	cJSON_AddRawToObject(root, "rows", out.v);
	json_int(cJSON_AddObjectToObject(root, "left_out"), "rows", c->nrows > MOST_ROWS ? c->nrows - MOST_ROWS : 0);
	array_free(&out);
}

/* Parts of the time, in microseconds, from the start of the kernel on. */
static void put_parts(cJSON *root, const Compare *c)
{
	cJSON *list = cJSON_AddArrayToObject(root, "parts");
	for (u32 s = 0; s < SIDES; s++) {
		const Estimate *e = c->side[s]->estimate;
		cJSON *o = json_row(list);
		if (e->missing)
			continue;
		double us = e->cycles > 0 ? (e->time_us - e->launch_us) / e->cycles : 0;
		json_ratio(o, "launch", e->launch_us);
		for (u32 i = 0; i < PART_COUNT; i++)
			json_ratio(o, time_part_name[i], e->part[i] * us);
		json_ratio(o, "tail", e->tail * us);
	}
}

static void put_metric_words(cJSON *root, const Compare *c)
{
	cJSON *o = cJSON_AddObjectToObject(root, "metric_words");
	for (u32 i = 0; i < METRIC_COUNT; i++)
		cJSON_AddStringToObject(o, c->metrics[i].id, c->metrics[i].words);
}

void compare_html(const Compare *c, const SinkStyle *style, Buf *out)
{
	(void)style;
	cJSON *root = cJSON_CreateObject();
	cJSON_AddStringToObject(root, "page", "compare");
	cJSON *compare = compare_object(c);
	cJSON_DeleteItemFromObject(compare, "lines"); /* the rows have them */
	cJSON_AddItemToObject(root, "compare", compare);
	json_text(root, "verdict", compare_verdict_doc[c->verdict]);
	put_parts(root, c);
	put_rows(root, c);
	put_metric_words(root, c);
	html_docs(root);
	Buf title = {0};
	buf_printf(&title, "%s and %s", c->label[0], c->label[1]);
	html_page(title.v, root, out);
	array_free(&title);
}
