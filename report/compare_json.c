/* The comparison as JSON, schema "wavesim-compare/1": both launches in short, then what differs. */
#include "report/compare.h"
#include "report/json_kit.h"

#include <math.h>

static const char *const side_name[SIDES] = {"before", "after"};

static void put_side(cJSON *root, const Compare *c, u32 s)
{
	const Result *r = c->side[s];
	cJSON *o = cJSON_AddObjectToObject(root, side_name[s]);
	json_text(o, "label", c->label[s]);
	JSON(o, *r, file, kernel, device, wave, banks, options);
	json_text(o, "reference", ref_status_name[r->reference.status]);
	cJSON *e = json_object(o, "estimate", !r->estimate->missing);
	if (e) {
		JSON(e, *r->estimate, time_us, low_us, high_us);
		json_text(e, "bound_by", time_bound_name[r->estimate->bound_by]);
	}
	json_text(o, "limiter", occ_limiter_name[r->occupancy.o.limiter]);
	cJSON *list = cJSON_AddArrayToObject(o, "findings");
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		cJSON *row = json_row(list);
		JSON(row, *f, id, severity);
		JSON(row, f->at, file, line);
		JSON(row, *f, message, hint);
	}
}

static void put_writer(cJSON *o, const char *key, const CompareWriter *w)
{
	cJSON *by = json_object(o, key, w->known);
	if (!by)
		return;
	json_3(by, "global_id", w->item);
	JSON(by, *w, file, line);
	json_int(by, "elements_read", w->nread);
	cJSON *list = cJSON_AddArrayToObject(by, "inputs");
	for (u32 i = 0; i < w->ninputs; i++) {
		cJSON *in = json_row(list);
		json_text(in, "name", w->input[i].name);
		if (!w->input[i].is_value)
			json_int(in, "index", w->input[i].index);
		json_text(in, "value", w->input[i].text);
	}
}

static void put_buffer(cJSON *list, const CompareBuffer *b)
{
	cJSON *o = json_row(list);
	JSON(o, *b, name, type);
	json_int(o, "elements_before", b->elements[0]);
	json_int(o, "elements_after", b->elements[1]);
	json_int(o, "different", b->different);
	json_int(o, "within_max_ulp", b->within);
	if (b->has_ulp)
		json_ratio(o, "max_ulp", b->max_ulp);
	json_text(o, "note", b->note);
	cJSON *first = cJSON_AddArrayToObject(o, "first");
	for (u32 i = 0; i < b->nfirst; i++) {
		const CompareElement *e = &b->first[i];
		cJSON *row = json_row(first);
		JSON(row, *e, index, component);
		json_text(row, "before", e->text[0]);
		json_text(row, "after", e->text[1]);
		put_writer(row, "written_before", &e->by[0]);
		put_writer(row, "written_after", &e->by[1]);
	}
}

static void put_results(cJSON *root, const Compare *c)
{
	const CompareResults *x = &c->results;
	cJSON *o = cJSON_AddObjectToObject(root, "results");
	if (x->missing)
		cJSON_AddNullToObject(o, "equal");
	else
		cJSON_AddBoolToObject(o, "equal", compare_same(c));
	json_text(o, "why", x->missing);
	JSON(o, *x, compared, different);
	if (x->printed)
		cJSON_AddBoolToObject(o, "printf_equal", !x->printed_differs);
	cJSON *list = cJSON_AddArrayToObject(o, "buffers");
	for (u32 i = 0; i < x->nbuffers; i++)
		put_buffer(list, &x->buffers[i]);
	json_strings(o, "notes", x->notes, x->nnotes);
}

static void put_metrics(cJSON *root, const Compare *c)
{
	static const char *const better[] = {[LOWER] = "lower", [HIGHER] = "higher", [NEITHER] = NULL};
	cJSON *list = cJSON_AddArrayToObject(root, "metrics");
	for (u32 i = 0; i < METRIC_COUNT; i++) {
		const CompareMetric *m = &c->metrics[i];
		cJSON *o = json_row(list);
		json_text(o, "id", m->id);
		json_text(o, "unit", *m->unit ? m->unit : NULL);
		json_text(o, "better", better[m->better]);
		json_ratio(o, "before", m->value[0]);
		json_ratio(o, "after", m->value[1]);
	}
}

static void put_line(cJSON *o, const CompareRow *row, u32 s)
{
	const ResultLine *l = row->at[s];
	cJSON *x = json_object(o, side_name[s], row->line[s]);
	if (!x)
		return;
	json_int(x, "line", row->line[s]);
	json_int(x, "executions", l ? l->executions : 0);
	json_ratio(x, "lane_utilization", l && l->t.wave_instructions ? l->utilization : NAN);
	json_int(x, "divergent_branches", l ? l->t.divergent_branches : 0);
	json_int(x, "lds_conflict_cycles", l ? l->t.lds.actual - l->t.lds.ideal : 0);
	json_int(x, "ideal_lines", l ? l->t.ideal_lines : 0);
	json_int(x, "actual_lines", l ? l->t.actual_lines : 0);
	json_int(x, "live_vgprs", l ? l->live_vgprs : 0);
	json_ratio(x, "time_us", row->time_us[s] < 0 ? NAN : row->time_us[s]);
}

/* Lines that were counted on one side at least. */
static void put_lines(cJSON *root, const Compare *c)
{
	cJSON *list = cJSON_AddArrayToObject(root, "lines");
	for (u32 i = 0; i < c->nrows; i++) {
		const CompareRow *row = &c->rows[i];
		if (!row->at[0] && !row->at[1])
			continue;
		cJSON *o = json_row(list);
		for (u32 s = 0; s < SIDES; s++)
			put_line(o, row, s);
	}
}

cJSON *compare_object(const Compare *c)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim-compare/1");
	for (u32 s = 0; s < SIDES; s++)
		put_side(root, c, s);
	put_results(root, c);
	cJSON *v = cJSON_AddObjectToObject(root, "verdict");
	json_text(v, "id", compare_verdict_name[c->verdict]);
	json_text(v, "summary", c->summary);
	json_ratio(v, "time_ratio", c->ratio);
	json_ratio(v, "time_ratio_low", c->ratio_low);
	json_ratio(v, "time_ratio_high", c->ratio_high);
	json_strings(v, "reasons", c->reasons, c->nreasons);
	put_metrics(root, c);
	put_lines(root, c);
	return root;
}

void compare_json(const Compare *c, const SinkStyle *style, Buf *out)
{
	(void)style;
	json_finish(compare_object(c), out);
}
