/* A grading as pages (html.h): one of the class, one of each submission.
 *
 *   class       exercise, title, file, items [name], of [{name, page, verdict, why, states}], verdicts {name: what it
 * means} submission  the same of one: name, verdict, why, items [{name, state, said, hint, advice, line}], text */
#include "report/html.h"

#include "report/grade.h"
#include "report/json_kit.h"

static cJSON *page(const Grade *g, const char *kind)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddStringToObject(root, "page", kind);
	JSON(root, *g, exercise, title, file);
	cJSON *verdicts = cJSON_AddObjectToObject(root, "verdicts");
	for (u32 i = 0; i < JUDGE_VERDICT_COUNT; i++)
		cJSON_AddStringToObject(verdicts, judge_verdict_name[i], judge_verdict_doc[i]);
	return root;
}

void grade_html(const Grade *g, Buf *out)
{
	cJSON *root = page(g, "class"), *of = cJSON_AddArrayToObject(root, "of");
	u32 n = g->n ? g->of[0].judgement.nitems : 0;
	const char **names = xcalloc(n + 1, sizeof *names);
	for (u32 i = 0; i < n; i++)
		names[i] = g->of[0].judgement.items[i].name;
	json_strings(root, "items", names, n);
	for (u32 i = 0; i < g->n; i++) {
		const Judgement *j = &g->of[i].judgement;
		cJSON *o = json_row(of);
		JSON(o, g->of[i], name, page);
		json_text(o, "verdict", judge_verdict_name[j->verdict]);
		JSON(o, *j, why);
		for (u32 k = 0; k < n; k++)
			names[k] = judge_state_name[j->items[k].state];
		json_strings(o, "states", names, n);
	}
	free(names);
	Buf title = {0};
	buf_printf(&title, "%s: %u submissions", g->exercise, g->n);
	html_page(title.v, root, out);
	array_free(&title);
}

void grade_one_html(const Grade *g, const GradeOne *x, Buf *out)
{
	cJSON *root = page(g, "submission");
	const Judgement *j = &x->judgement;
	json_text(root, "name", x->name);
	json_text(root, "verdict", judge_verdict_name[j->verdict]);
	JSON(root, *j, why, text);
	cJSON *items = cJSON_AddArrayToObject(root, "items");
	for (u32 i = 0; i < j->nitems; i++) {
		cJSON *o = json_row(items);
		JSON(o, j->items[i], name, said, hint, advice, line);
		json_text(o, "state", judge_state_name[j->items[i].state]);
	}
	Buf title = {0};
	buf_printf(&title, "%s: %s", g->exercise, x->name);
	html_page(title.v, root, out);
	array_free(&title);
}
