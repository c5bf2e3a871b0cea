/* A sweep as JSON, CSV and Kernel Tuner's results. A point of the JSON is its settings and place, and
 * behind them the keys of its own report, byte for byte as that was written. */
#include "report/sweep.h"

#include "report/json_kit.h"

#include <stdio.h>

/* ---- JSON ---- */

static void put_settings(cJSON *o, const SweepInput *in, const SweepRow *row)
{
	cJSON *list = cJSON_AddObjectToObject(o, "settings");
	for (u32 i = 0; i < in->naxes; i++)
		json_text(list, in->axes[i].name, row->values[i]);
}

static void put_place(cJSON *o, const SweepPoint *p)
{
	json_int(o, "position", p->position);
	json_int(o, "rank", p->rank);
	json_int(o, "rank_on_device", p->rank_on_device);
	cJSON_AddBoolToObject(o, "ties_best", p->ties_best);
	json_ratio(o, "times_best", p->times_best);
	json_text(o, "why_best", p->why_best);
	json_text(o, "why_usual", p->why_usual);
}

/* The keys of the report behind those of o, which is released. */
static cJSON *with_report(cJSON *o, const char *report)
{
	char *own = cJSON_Print(o);
	cJSON_Delete(o);
	size_t n = strlen(own), k = strlen(report);
	while (n && own[n - 1] != '}')
		n--;
	while (n && strchr("\n\t }", own[n - 1]))
		n--;
	while (k && report[k - 1] != '}')
		k--;
	const char *brace = strchr(report, '{');
	Buf text = {0};
	buf_write(&text, own, n);
	buf_printf(&text, ",%.*s", brace ? (int)(k - (size_t)(brace + 1 - report)) : 0, brace ? brace + 1 : "");
	cJSON *raw = cJSON_CreateRaw(text.v);
	array_free(&text);
	cJSON_free(own);
	return raw;
}

static cJSON *point_object(const Sweep *s, const SweepPoint *p)
{
	cJSON *o = cJSON_CreateObject();
	json_int(o, "number", p->row->n);
	put_settings(o, s->in, p->row);
	cJSON_AddBoolToObject(o, "usual", p->row->usual);
	json_text(o, "status", p->row->status);
	if (p->ran)
		put_place(o, p);
	if (!p->ran)
		json_text(o, "skipped", *p->row->note ? p->row->note : "there is no estimate");
	else if (*p->row->note)
		json_text(o, "stopped_early", p->row->note);
	return *p->row->report ? with_report(o, p->row->report) : o;
}

static void put_axes(cJSON *root, const SweepInput *in)
{
	cJSON *list = cJSON_AddArrayToObject(root, "axes");
	for (u32 i = 0; i < in->naxes; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		json_text(o, "name", in->axes[i].name);
		cJSON *values = cJSON_AddArrayToObject(o, "values");
		for (u32 k = 0; k < in->axes[i].n; k++)
			cJSON_AddItemToArray(values, cJSON_CreateString(in->axes[i].values[k]));
	}
}

void sweep_json(const Sweep *s, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim/1");
	json_text(root, "sweep", s->in->title);
	put_axes(root, s->in);
	cJSON *o = cJSON_AddObjectToObject(root, "count");
	json_int(o, "points", s->in->product);
	json_int(o, "estimated", s->nran);
	json_int(o, "stopped_early", s->nstopped);
	json_int(o, "skipped", s->nskipped);
	json_int(o, "missing", s->in->product > s->n ? s->in->product - s->n : 0);
	cJSON *list = cJSON_AddArrayToObject(root, "devices");
	for (u32 i = 0; i < s->ndevices; i++) {
		const SweepDevice *d = &s->devices[i];
		cJSON_AddItemToArray(list, o = cJSON_CreateObject());
		json_text(o, "device", d->name);
		json_int(o, "best", d->best->row->n); /* numbers of points */
		if (d->usual)
			json_int(o, "usual", d->usual->row->n);
		else
			cJSON_AddNullToObject(o, "usual");
	}
	list = cJSON_AddArrayToObject(root, "points");
	for (u32 i = 0; i < s->n; i++)
		cJSON_AddItemToArray(list, point_object(s, &s->points[i]));
	json_finish(root, out);
}

/* ---- CSV ---- */

static void csv_text(Buf *out, const char *s)
{
	s = s ? s : "";
	if (!strpbrk(s, ",\"\n\r")) {
		buf_printf(out, ",%s", s);
		return;
	}
	buf_printf(out, ",\"");
	for (; *s; s++)
		buf_printf(out, *s == '"' ? "\"\"" : "%c", *s);
	buf_printf(out, "\"");
}

static void csv_number(Buf *out, double v) { buf_printf(out, ",%.10g", v); }

static void csv_point(const Sweep *s, const SweepPoint *p, Buf *out)
{
	buf_printf(out, "%u", p->row->n);
	csv_text(out, p->row->status);
	for (u32 i = 0; i < s->in->naxes; i++)
		csv_text(out, p->row->values[i]);
	if (p->ran) {
		buf_printf(out, ",%u,%u", p->position, p->rank);
		csv_text(out, p->device);
		buf_printf(out, ",%u,%u,%llux%llux%llu", p->wave, p->banks, (unsigned long long)p->local[0],
		           (unsigned long long)p->local[1], (unsigned long long)p->local[2]);
		const double v[] = {p->time_us, p->low_us, p->high_us};
		for (u32 i = 0; i < COUNT(v); i++)
			csv_number(out, v[i]);
		csv_text(out, p->bound_by);
		csv_number(out, p->waves_per_simd);
		csv_text(out, p->limiter);
		csv_number(out, p->vgprs);
		csv_number(out, p->lds_bytes);
		csv_number(out, p->scratch_bytes);
		csv_number(out, p->utilization);
		if (p->conflicts >= 0)
			csv_number(out, p->conflicts);
		else
			buf_printf(out, ",");
		if (p->coalescing >= 0)
			csv_number(out, p->coalescing);
		else
			buf_printf(out, ",");
	} else {
		buf_printf(out, ",,,,,,,,,,,,,,,,,,");
	}
	csv_text(out, p->why_best);
	csv_text(out, p->why_usual);
	csv_text(out, p->row->note);
	buf_printf(out, "\n");
}

void sweep_csv(const Sweep *s, Buf *out)
{
	buf_printf(out, "number,status");
	for (u32 i = 0; i < s->in->naxes; i++)
		csv_text(out, s->in->axes[i].name);
	buf_printf(out, ",position,rank,on_device,lanes_of_wave,lds_banks,work_group,time_us,low_us,high_us,bound_by,"
	           "waves_per_simd,limiter,vgprs,lds_bytes,scratch_bytes,lane_utilization,lds_conflict_share,"
	           "coalescing,why_best,why_usual,note\n");
	for (u32 i = 0; i < s->n; i++)
		csv_point(s, &s->points[i], out);
}

/* ---- Kernel Tuner ---- */

/* A parameter of the tuner is a macro of the kernel; of other axes it gets a name that can be one. */
static void put_parameter(cJSON *config, const SweepAxis *axis, const char *value)
{
	char name[128];
	const char *from = !strncmp(axis->name, "-D ", 3) ? axis->name + 3
	                   : !strncmp(axis->name, "--arg ", 6) ? axis->name + 6 : axis->name;
	snprintf(name, sizeof name, "%s", from);
	double number;
	if (!value || cJSON_HasObjectItem(config, name))
		return;
	if (parse_f64(value, &number))
		cJSON_AddRawToObject(config, name, value);
	else
		json_text(config, name, value);
}

static cJSON *tuner_result(const Sweep *s, const SweepPoint *p)
{
	static const char *const block[] = {"block_size_x", "block_size_y", "block_size_z"};
	cJSON *o = cJSON_CreateObject(), *config = cJSON_AddObjectToObject(o, "configuration");
	for (u32 i = 0; p->ran && i < 3; i++)
		json_int(config, block[i], p->local[i]);
	for (u32 i = 0; i < s->in->naxes; i++)
		if (strcmp(s->in->axes[i].name, "local") && strcmp(s->in->axes[i].name, "global"))
			put_parameter(config, &s->in->axes[i], p->row->values[i]);
	json_text(o, "invalidity", !p->ran ? "compile" : p->differs ? "correctness" : "correct");
	json_int(o, "correctness", p->ran && !p->differs);
	cJSON_AddItemToObject(o, "objectives", cJSON_CreateStringArray((const char *[]){"time"}, 1));
	cJSON *list = cJSON_AddArrayToObject(o, "measurements");
	if (p->ran) {
		cJSON *m = cJSON_CreateObject();
		cJSON_AddItemToArray(list, m);
		json_text(m, "name", "time");
		json_ratio(m, "value", p->time_us / 1000);
		json_text(m, "unit", "ms");
		cJSON *times = cJSON_AddObjectToObject(o, "times"), *runs = cJSON_AddArrayToObject(times, "runtimes");
		cJSON_AddItemToArray(runs, cJSON_CreateNumber(p->time_us / 1000));
	}
	return o;
}

void sweep_tuner(const Sweep *s, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	const SweepPoint *first = s->nran ? &s->points[0] : NULL;
	json_text(root, "schema_version", "1.0.0");
	json_text(root, "device_name", first ? first->device : NULL);
	json_text(root, "kernel_name", first ? first->kernel : NULL);
	cJSON *meta = cJSON_AddObjectToObject(root, "metadata");
	json_text(meta, "estimated_by", s->in->program);
	char size[80] = "";
	if (first)
		snprintf(size, sizeof size, "%llu,%llu,%llu", (unsigned long long)first->global[0],
		         (unsigned long long)first->global[1], (unsigned long long)first->global[2]);
	json_text(root, "problem_size", size);
	cJSON *list = cJSON_AddArrayToObject(root, "results");
	for (u32 i = 0; i < s->n; i++)
		cJSON_AddItemToArray(list, tuner_result(s, &s->points[i]));
	json_finish(root, out);
}
