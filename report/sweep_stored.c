/* A sweep as a store keeps it: its axes, the settings of a point and the numbers of a point's report, from
 * and to JSON. */
#include "report/json_kit.h"
#include "report/sweep.h"

#include <math.h>

/* ---- the sweep, and the settings of a point ---- */

char *sweep_settings_json(const SweepInput *in, const SweepRow *row)
{
	cJSON *o = cJSON_CreateObject();
	for (u32 i = 0; i < in->naxes; i++)
		json_text(o, in->axes[i].name, row->values[i]);
	Buf out = {0};
	json_put(o, true, &out);
	return out.v;
}

char *sweep_spec_json(const SweepInput *in)
{
	cJSON *o = cJSON_CreateObject(), *list;
	json_text(o, "title", in->title);
	json_text(o, "program", in->program);
	json_int(o, "points", in->product);
	if (in->max_ulp)
		json_int(o, "max_ulp", in->max_ulp);
	sweep_axes(in, o);
	list = cJSON_AddArrayToObject(o, "usual");
	for (u32 i = 0; i < in->nusual; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(in->usual[i]));
	Buf out = {0};
	json_put(o, true, &out);
	return out.v;
}

static const cJSON *at(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, a);
	return b ? cJSON_GetObjectItemCaseSensitive(v, b) : v;
}

static double number(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = at(o, a, b);
	return cJSON_IsNumber(v) ? v->valuedouble : 0;
}

static const char *text(const cJSON *o, const char *a, const char *b, Arena *arena)
{
	const cJSON *v = at(o, a, b);
	return cJSON_IsString(v) ? arena_strdup(arena, v->valuestring) : NULL;
}

static void numbers3(const cJSON *o, const char *a, const char *b, u64 out[3])
{
	const cJSON *v = at(o, a, b);
	for (int i = 0; i < 3; i++) {
		const cJSON *x = cJSON_GetArrayItem(v, i);
		out[i] = cJSON_IsNumber(x) && x->valuedouble >= 0 ? (u64)x->valuedouble : 0;
	}
}

static bool read_axes(const cJSON *spec, Arena *a, SweepInput *out)
{
	const cJSON *list = at(spec, "axes", NULL), *axis, *value;
	SweepAxis *axes = ARENA_ARRAY(a, SweepAxis, cJSON_GetArraySize(list) + 1);
	cJSON_ArrayForEach(axis, list) {
		const cJSON *values = at(axis, "values", NULL);
		const char **v = ARENA_ARRAY(a, const char *, cJSON_GetArraySize(values) + 1);
		const char *name = text(axis, "name", NULL, a);
		u32 n = 0;
		cJSON_ArrayForEach(value, values)
			v[n++] = cJSON_IsString(value) ? arena_strdup(a, value->valuestring) : "";
		if (!name)
			return false;
		axes[out->naxes++] = sweep_axis(name, v, n);
	}
	out->axes = axes;
	return cJSON_IsArray(list);
}

bool sweep_spec_read(const char *json, Arena *a, SweepInput *out)
{
	cJSON *spec = cJSON_Parse(json);
	const cJSON *points = at(spec, "points", NULL), *usual = at(spec, "usual", NULL), *v;
	*out = (SweepInput){.title = text(spec, "title", NULL, a), .program = text(spec, "program", NULL, a)};
	bool ok = out->title && out->program && cJSON_IsNumber(points) && points->valuedouble >= 0 &&
	          points->valuedouble < UINT32_MAX && read_axes(spec, a, out);
	out->product = ok ? (u32)points->valuedouble : 0;
	out->max_ulp = (u64)fmin(fmax(number(spec, "max_ulp", NULL), 0), 0x1p53);
	u32 *numbers = ARENA_ARRAY(a, u32, cJSON_GetArraySize(usual) + 1);
	cJSON_ArrayForEach(v, usual)
		if (cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < UINT32_MAX)
			numbers[out->nusual++] = (u32)v->valuedouble;
	out->usual = numbers;
	cJSON_Delete(spec);
	return ok;
}

const char *const *sweep_settings_read(const char *json, const SweepInput *in, Arena *a)
{
	cJSON *settings = cJSON_Parse(json);
	const char **values = ARENA_ARRAY(a, const char *, in->naxes + 1);
	for (u32 i = 0; i < in->naxes; i++)
		values[i] = text(settings, in->axes[i].name, NULL, a);
	cJSON_Delete(settings);
	return values;
}

/* ---- the report of a point ---- */

static double share(double part, double all) { return all > 0 ? part / all : -1; }

static void read_estimate(SweepNumbers *p, const cJSON *o, Arena *a)
{
	const cJSON *e = at(o, "estimate", NULL), *parts = at(e, "parts", NULL);
	p->time_us = number(e, "time_us", NULL);
	p->low_us = number(e, "low_us", NULL);
	p->high_us = number(e, "high_us", NULL);
	for (u32 i = 0; i < RATIO_COUNT; i++)
		p->ratio_factor[i] = number(at(e, "ratio_factors", NULL), ratio_kind_name[i], NULL);
	p->launch_us = number(e, "launch_us", NULL);
	p->bound_by = text(e, "bound_by", NULL, a);
	p->bound_doc = p->bound_by;
	for (u32 i = 0; p->bound_by && i < BOUND_COUNT; i++)
		if (!strcmp(p->bound_by, time_bound_name[i]))
			p->bound_doc = time_bound_doc[i];
	double cycles = number(e, "cycles", NULL), us = p->time_us - p->launch_us;
	for (u32 i = 0; i <= PART_COUNT && cycles > 0; i++)
		p->part_us[i] = number(parts, i < PART_COUNT ? time_part_name[i] : "tail", NULL) / cycles * us;
}

static void read_lines(SweepNumbers *p, const cJSON *o, Arena *a)
{
	const cJSON *list = at(o, "lines", NULL), *l;
	p->lines = ARENA_ARRAY(a, SweepLine, cJSON_GetArraySize(list) + 1);
	cJSON_ArrayForEach(l, list) {
		p->lines[p->nlines++] = (SweepLine){
			.file = text(l, "file", NULL, a),
			.line = (u32)number(l, "line", NULL),
			.us = number(l, "cycles_share", NULL) * (p->time_us - p->launch_us),
			.conflicts = number(l, "lds_conflict_cycles", NULL),
			.lds = number(l, "lds_actual_cycles", NULL),
			.lines = number(l, "actual_lines", NULL),
			.ideal_lines = number(l, "ideal_lines", NULL),
			.utilization = number(l, "lane_utilization", NULL),
			.divergent = (u64)number(l, "divergent_branches", NULL),
		};
	}
}

/* Advice is no problem. */
static void read_findings(SweepNumbers *p, const cJSON *findings)
{
	const cJSON *f;
	cJSON_ArrayForEach(f, findings) {
		const cJSON *severity = cJSON_GetObjectItemCaseSensitive(f, "severity");
		const cJSON *id = cJSON_GetObjectItemCaseSensitive(f, "id");
		if (!cJSON_IsString(severity))
			continue;
		p->findings += !strcmp(severity->valuestring, "error") || !strcmp(severity->valuestring, "warning");
		p->differs |= cJSON_IsString(id) && sweep_is_difference(id->valuestring, severity->valuestring);
	}
}

const SweepNumbers *sweep_numbers_read(const char *json, Arena *a)
{
	cJSON *o = cJSON_Parse(json);
	if (!o)
		return NULL;
	SweepNumbers *p = ARENA_NEW(a, SweepNumbers);
	read_estimate(p, o, a);
	p->device = text(o, "device", NULL, a);
	p->file = text(o, "file", NULL, a);
	p->kernel = text(o, "kernel", NULL, a);
	p->wave = (u32)number(o, "wave", NULL);
	p->banks = (u32)number(o, "banks", NULL);
	numbers3(o, "launch", "global", p->global);
	numbers3(o, "launch", "local", p->local);
	p->groups = (u64)number(o, "launch", "groups");
	p->groups_run = (u64)number(o, "launch", "groups_run");
	p->vgprs = (u32)number(o, "resources", "vgprs");
	p->lds_bytes = number(o, "resources", "lds_bytes");
	p->scratch_bytes = number(o, "resources", "scratch_bytes");
	p->waves_per_simd = number(o, "occupancy", "waves_per_simd");
	p->max_waves_per_simd = number(o, "occupancy", "max_waves_per_simd");
	p->limiter = text(o, "occupancy", "limiter", a);
	p->utilization = number(o, "divergence", "lane_utilization");
	p->conflicts = share(number(o, "lds", "conflict_cycles"), number(o, "lds", "actual_cycles"));
	p->coalescing = share(number(o, "memory", "ideal_lines"), number(o, "memory", "actual_lines"));
	read_findings(p, at(o, "findings", NULL));
	double machine = number(o, "machine", "instructions");
	p->instructions = machine > 0 ? machine : number(o, "divergence", "wave_instructions");
	if (p->groups_run)
		p->instructions *= (double)p->groups / (double)p->groups_run;
	read_lines(p, o, a);
	bool ok = cJSON_IsObject(at(o, "estimate", NULL)) && p->device && p->kernel && p->bound_by;
	cJSON_Delete(o);
	return ok ? p : NULL;
}
