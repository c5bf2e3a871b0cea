/* A crosscheck as JSON: schema wavesim-crosscheck/1. */
#include "report/crosscheck.h"

#include <cjson/cJSON.h>

#include <math.h>

static void number(cJSON *o, const char *name, double v)
{
	if (isnan(v))
		cJSON_AddNullToObject(o, name);
	else
		cJSON_AddNumberToObject(o, name, v);
}

static void text(cJSON *o, const char *name, const char *v)
{
	if (v)
		cJSON_AddStringToObject(o, name, v);
	else
		cJSON_AddNullToObject(o, name);
}

static void add_point(cJSON *list, const CrossPoint *p)
{
	cJSON *o = cJSON_CreateObject();
	text(o, "device", p->device);
	text(o, "model", p->model);
	text(o, "family", p->family);
	number(o, "x", p->has_x ? p->x : (double)NAN);
	text(o, "kernel", p->kernel);
	text(o, "file", p->file);
	text(o, "options", p->options);
	number(o, "samples", p->samples);
	number(o, "measured_us", p->measured_us);
	number(o, "measured_p10_us", p->fast_us);
	number(o, "measured_p90_us", p->slow_us);
	bool have = !p->problem;
	number(o, "estimate_us", have ? p->estimate_us : (double)NAN);
	number(o, "low_us", have ? p->low_us : (double)NAN);
	number(o, "high_us", have ? p->high_us : (double)NAN);
	text(o, "bound_by", have ? p->bound_by : NULL);
	text(o, "skipped", p->problem);
	cJSON_AddItemToArray(list, o);
}

static void add_family(cJSON *list, const CrossFamily *f)
{
	cJSON *o = cJSON_CreateObject();
	text(o, "device", f->device);
	text(o, "family", f->name);
	number(o, "points", f->a.n);
	number(o, "skipped", f->skipped);
	number(o, "spearman", f->a.spearman);
	number(o, "kendall", f->a.kendall);
	bool have = f->a.n > 0;
	number(o, "median_error", have ? agree_percent(f->a.median_log) / 100 : (double)NAN);
	number(o, "p90_error", have ? agree_percent(f->a.p90_log) / 100 : (double)NAN);
	number(o, "bias", have ? agree_percent(f->a.bias_log) / 100 : (double)NAN);
	number(o, "in_band", have ? (double)f->inside / f->a.n : (double)NAN);
	cJSON_AddItemToArray(list, o);
}

void crosscheck_json(const Crosscheck *c, Buf *out)
{
	cJSON *o = cJSON_CreateObject();
	text(o, "schema", "wavesim-crosscheck/1");
	text(o, "source", c->source);
	text(o, "program", c->program);
	cJSON *families = cJSON_AddArrayToObject(o, "families");
	for (u32 i = 0; i < c->nfamilies; i++)
		add_family(families, &c->families[i]);
	cJSON *points = cJSON_AddArrayToObject(o, "points");
	for (u32 i = 0; i < c->npoints; i++)
		add_point(points, &c->points[i]);
	char *printed = cJSON_Print(o);
	buf_printf(out, "%s\n", printed);
	cJSON_free(printed);
	cJSON_Delete(o);
}
