/* A sweep as JSON, CSV and Kernel Tuner's results. A point of the JSON is its settings and place, and
 * behind them the keys of its own report, byte for byte as that was written. */
#include "report/sweep.h"

#include "base/csv.h"
#include "report/json_kit.h"

#include <math.h>

/* ---- JSON ---- */

static void put_settings(cJSON *o, const SweepInput *in, const SweepRow *row)
{
	cJSON *list = cJSON_AddObjectToObject(o, "settings");
	for (u32 i = 0; i < in->naxes; i++)
		json_text(list, in->axes[i].name, row->values[i]);
}

static void put_place(cJSON *o, const SweepPoint *p)
{
	JSON(o, *p, position, rank, rank_on_device, ties_best, times_best);
	if (p->results)
		cJSON_AddBoolToObject(o, "same_results", p->results == RESULTS_SAME);
	JSON(o, *p, why_best, why_usual);
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
	JSON(o, *p->row, usual, status);
	if (p->ran)
		put_place(o, p);
	if (!p->ran)
		json_text(o, "skipped", *p->row->note ? p->row->note : "there is no estimate");
	else if (sweep_stopped(p))
		json_text(o, "stopped_early", p->row->note);
	return *p->row->report ? with_report(o, p->row->report) : o;
}

void sweep_axes(const SweepInput *in, cJSON *root)
{
	cJSON *list = cJSON_AddArrayToObject(root, "axes");
	for (u32 i = 0; i < in->naxes; i++) {
		cJSON *o = json_row(list);
		json_text(o, "name", in->axes[i].name);
		json_strings(o, "values", in->axes[i].values, in->axes[i].n);
	}
}

void sweep_json(const Sweep *s, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim/1");
	json_text(root, "sweep", s->in->title);
	sweep_axes(s->in, root);
	json_int(root, "max_ulp", s->in->max_ulp);
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

static void put_text(const char *text, Buf *out)
{
	buf_printf(out, ",");
	csv_text(text, out);
}

static void put_ratio(double v, Buf *out)
{
	buf_printf(out, ",");
	csv_ratio(v, out);
}

static void put_count(u32 v, Buf *out) { buf_printf(out, ",%u", v); }

/* The figures of a point that ran: a column's name, and what puts its value. */
#define FIGURES(X) \
	X(position, put_count(p->position, out)) \
	X(rank, put_count(p->rank, out)) \
	X(on_device, put_text(p->r->device, out)) \
	X(lanes_of_wave, put_count(p->r->wave, out)) \
	X(lds_banks, put_count(p->r->banks, out)) \
	X(work_group, buf_printf(out, ",%llux%llux%llu", (unsigned long long)p->r->local[0], \
	                         (unsigned long long)p->r->local[1], (unsigned long long)p->r->local[2])) \
	X(time_us, put_ratio(p->r->time_us, out)) \
	X(low_us, put_ratio(p->r->low_us, out)) \
	X(high_us, put_ratio(p->r->high_us, out)) \
	X(bound_by, put_text(p->r->bound_by, out)) \
	X(instructions, buf_printf(out, ",%.0f", p->r->instructions)) \
	X(waves_per_simd, buf_printf(out, ",%.10g", p->r->waves_per_simd)) \
	X(limiter, put_text(p->r->limiter, out)) \
	X(vgprs, put_ratio(p->r->vgprs, out)) \
	X(lds_bytes, put_ratio(p->r->lds_bytes, out)) \
	X(scratch_bytes, put_ratio(p->r->scratch_bytes, out)) \
	X(lane_utilization, put_ratio(p->r->utilization, out)) \
	X(lds_conflict_share, put_ratio(p->r->conflicts, out)) \
	X(coalescing, put_ratio(p->r->coalescing, out)) \
	X(same_results, put_text(same[p->results], out))

static void csv_point(const Sweep *s, const SweepPoint *p, Buf *out)
{
	static const char *const same[] = {[RESULTS_UNKNOWN] = "", [RESULTS_SAME] = "yes", [RESULTS_OTHER] = "no"};
	buf_printf(out, "%u", p->row->n);
	put_text(p->row->status, out);
	for (u32 i = 0; i < s->in->naxes; i++)
		put_text(p->row->values[i], out);
#define X(name, put) \
	if (p->ran) \
		put; \
	else \
		put_text("", out);
	FIGURES(X)
#undef X
	put_text(p->why_best, out);
	put_text(p->why_usual, out);
	put_text(p->row->note, out);
	buf_printf(out, "\n");
}

void sweep_csv(const Sweep *s, Buf *out)
{
	buf_printf(out, "number,status");
	for (u32 i = 0; i < s->in->naxes; i++)
		put_text(s->in->axes[i].name, out);
#define X(name, put) "," #name
	buf_printf(out, FIGURES(X) ",why_best,why_usual,note\n");
#undef X
	for (u32 i = 0; i < s->n; i++)
		csv_point(s, &s->points[i], out);
}

/* ---- Kernel Tuner ---- */

/* "16", "0x10", "+.5": the number that it is; everything else as text, as is 010, which C reads as 8. */
static void put_value(cJSON *config, const char *name, const char *value)
{
	const char *digits = value + strspn(value, "+-");
	i64 whole;
	double number;
	if (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
		json_text(config, name, value);
	else if (parse_i64(value, &whole) && !strpbrk(digits, "kKmMgG"))
		json_raw(config, name, "%" PRId64, whole);
	else if (parse_f64(value, &number) && isfinite(number))
		json_ratio(config, name, number);
	else
		json_text(config, name, value);
}

/* A parameter of the tuner is a macro or an argument of the kernel under its own name; of other axes
 * the option is the name. */
static void put_parameter(cJSON *config, const SweepAxis *axis, const char *value)
{
	char *name = utf8_clean(axis->own, strlen(axis->own));
	if (value && !cJSON_HasObjectItem(config, name))
		put_value(config, name, value);
	free(name);
}

static cJSON *tuner_result(const Sweep *s, const SweepPoint *p)
{
	static const char *const block[] = {"block_size_x", "block_size_y", "block_size_z"};
	cJSON *o = cJSON_CreateObject(), *config = cJSON_AddObjectToObject(o, "configuration");
	for (u32 i = 0; p->ran && i < 3; i++)
		json_int(config, block[i], p->r->local[i]);
	for (u32 i = 0; i < s->in->naxes; i++)
		if (s->in->axes[i].kind != AXIS_LOCAL && s->in->axes[i].kind != AXIS_GLOBAL)
			put_parameter(config, &s->in->axes[i], p->row->values[i]);
	json_text(o, "invalidity", !p->ran ? "compile" : p->r->differs ? "correctness" : "correct");
	json_int(o, "correctness", p->ran && !p->r->differs);
	cJSON_AddItemToObject(o, "objectives", cJSON_CreateStringArray((const char *[]){"time"}, 1));
	cJSON *list = cJSON_AddArrayToObject(o, "measurements");
	if (p->ran) {
		cJSON *m = json_row(list);
		json_text(m, "name", "time");
		json_ratio(m, "value", p->r->time_us / 1000);
		json_text(m, "unit", "ms");
		cJSON *times = cJSON_AddObjectToObject(o, "times"), *runs = cJSON_AddArrayToObject(times, "runtimes");
		cJSON_AddItemToArray(runs, cJSON_CreateNumber(p->r->time_us / 1000));
	}
	return o;
}

void sweep_tuner(const Sweep *s, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	const SweepPoint *first = s->nran ? &s->points[0] : NULL;
	json_text(root, "schema_version", "1.0.0");
	json_text(root, "device_name", first ? first->r->device : NULL);
	json_text(root, "kernel_name", first ? first->r->kernel : NULL);
	cJSON *meta = cJSON_AddObjectToObject(root, "metadata");
	json_text(meta, "estimated_by", s->in->program);
	char size[80] = "";
	if (first)
		snprintf(size, sizeof size, "%llu,%llu,%llu", (unsigned long long)first->r->global[0],
		         (unsigned long long)first->r->global[1], (unsigned long long)first->r->global[2]);
	json_text(root, "problem_size", size);
	cJSON *list = cJSON_AddArrayToObject(root, "results");
	for (u32 i = 0; i < s->n; i++)
		cJSON_AddItemToArray(list, tuner_result(s, &s->points[i]));
	json_finish(root, out);
}
