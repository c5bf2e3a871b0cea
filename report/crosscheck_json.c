/* A crosscheck as JSON: schema wavesim-crosscheck/1. */
#include "report/crosscheck.h"
#include "report/json_kit.h"

#include <math.h>

static void add_point(cJSON *list, const CrossPoint *p)
{
	cJSON *o = json_row(list);
	JSON(o, *p, device, model, family);
	json_ratio(o, "x", p->has_x ? p->x : NAN);
	JSON(o, *p, kernel, file, options, samples, measured_us);
	json_ratio(o, "measured_p10_us", p->fast_us);
	json_ratio(o, "measured_p90_us", p->slow_us);
	bool have = !p->problem;
	json_ratio(o, "estimate_us", have ? p->estimate_us : NAN);
	json_ratio(o, "low_us", have ? p->low_us : NAN);
	json_ratio(o, "high_us", have ? p->high_us : NAN);
	json_text(o, "bound_by", have ? p->bound_by : NULL);
	json_int(o, "vgpr_spills", p->vgpr_spills);
	json_text(o, "skipped", p->problem);
}

static void add_family(cJSON *list, const CrossFamily *f)
{
	cJSON *o = json_row(list);
	json_text(o, "device", f->device);
	static const char *const of[] = {[CROSS_FAMILY] = "family", [CROSS_ALL] = "all", [CROSS_KEPT] = "not_spilled",
	                                 [CROSS_SPILLED] = "spilled"};
	json_text(o, "of", of[f->of]);
	json_text(o, "family", f->name);
	json_int(o, "points", f->a.n);
	json_int(o, "skipped", f->skipped);
	JSON(o, f->a, spearman, kendall);
	bool have = f->a.n > 0;
	json_ratio(o, "median_error", have ? agree_percent(f->a.median_log) / 100 : NAN);
	json_ratio(o, "p90_error", have ? agree_percent(f->a.p90_log) / 100 : NAN);
	json_ratio(o, "bias", have ? agree_percent(f->a.bias_log) / 100 : NAN);
	json_ratio(o, "in_band", have ? (double)f->inside / f->a.n : NAN);
}

void crosscheck_json(const Crosscheck *c, Buf *out)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "schema", "wavesim-crosscheck/1");
	JSON(o, *c, source, program);
	cJSON *families = cJSON_AddArrayToObject(o, "families");
	for (u32 i = 0; i < c->nfamilies; i++)
		add_family(families, &c->families[i]);
	cJSON *points = cJSON_AddArrayToObject(o, "points");
	for (u32 i = 0; i < c->npoints; i++)
		add_point(points, &c->points[i]);
	json_finish(o, out);
}
