/* A grading as JSON: schema/grade.schema.json. */
#include "report/grade.h"
#include "report/json_kit.h"

static void put_item(cJSON *list, const JudgeItem *x)
{
	cJSON *o = json_row(list);
	json_text(o, "name", x->name);
	json_text(o, "state", judge_state_name[x->state]);
	JSON(o, *x, said, hint, advice);
	if (x->line)
		json_int(o, "line", x->line);
	else
		cJSON_AddNullToObject(o, "line");
}

void grade_json(const Grade *g, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim-grade/1");
	JSON(root, *g, exercise, title, file);
	cJSON *count = cJSON_AddObjectToObject(root, "count");
	for (u32 v = 0; v < JUDGE_VERDICT_COUNT; v++)
		json_int(count, judge_verdict_name[v], grade_count(g, v));
	cJSON *list = cJSON_AddArrayToObject(root, "submissions");
	for (u32 i = 0; i < g->n; i++) {
		const Judgement *j = &g->of[i].judgement;
		cJSON *o = json_row(list);
		json_text(o, "name", g->of[i].name);
		json_text(o, "verdict", judge_verdict_name[j->verdict]);
		JSON(o, *j, why);
		cJSON *items = cJSON_AddArrayToObject(o, "items");
		for (u32 k = 0; k < j->nitems; k++)
			put_item(items, &j->items[k]);
	}
	json_finish(root, out);
}
