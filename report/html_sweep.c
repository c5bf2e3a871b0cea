/* A sweep as a page (html.h): what the ranking needs of each point, not its whole report.
 *
 *   axes    [{name, values}]
 *   points  ranked: settings, place, time, what bounds it, parts of the time, the figures compared
 *   others  that did not run, with the reason
 *   left_out {points, others}: how many more there are */
#include "report/html.h"

#include "report/json_kit.h"
#include "report/sweep.h"

enum { MOST_POINTS = 5000 };

static void put_numbers(cJSON *o, const char *key, const double *v, u32 n)
{
	Buf text = {0};
	for (u32 i = 0; i < n; i++)
		buf_printf(&text, "%s%.6g", i ? "," : "[", v[i]);
	buf_printf(&text, "]");
	cJSON_AddRawToObject(o, key, text.v);
	array_free(&text);
}

static void put_values(cJSON *o, const SweepInput *in, const SweepRow *row)
{
	json_strings(o, "values", row->values, in->naxes);
	json_int(o, "number", row->n);
	JSON(o, *row, usual, status, note);
}

static bool is_best(const Sweep *s, const SweepPoint *p)
{
	for (u32 i = 0; i < s->ndevices; i++)
		if (s->devices[i].best == p)
			return true;
	return false;
}

static cJSON *point_object(const Sweep *s, const SweepPoint *p)
{
	cJSON *o = cJSON_CreateObject();
	put_values(o, s->in, p->row);
	if (!p->ran)
		return o;
	const double us[] = {p->r->time_us, p->r->low_us, p->r->high_us};
	JSON(o, *p, rank, rank_on_device);
	cJSON_AddBoolToObject(o, "best", is_best(s, p));
	JSON(o, *p, ties_best, times_best);
	cJSON_AddBoolToObject(o, "other_results", p->results == RESULTS_OTHER);
	JSON(o, *p->r, device, file, kernel, wave, banks, global, local);
	put_numbers(o, "us", us, COUNT(us));
	put_numbers(o, "parts", p->r->part_us, PART_COUNT + 1);
	JSON(o, *p->r, launch_us, bound_by);
	json_waves(o, "waves", p->r->waves_per_simd);
	json_waves(o, "max_waves", p->r->max_waves_per_simd);
	JSON(o, *p->r, limiter, vgprs, lds_bytes, scratch_bytes);
	json_ratio(o, "lanes", p->r->utilization);
	JSON(o, *p->r, conflicts, coalescing, findings, differs);
	JSON(o, *p, why_best, why_usual);
	return o;
}

void sweep_html(const Sweep *s, Buf *out)
{
	cJSON *root = cJSON_CreateObject(), *points, *others;
	cJSON_AddStringToObject(root, "page", "sweep");
	JSON(root, *s->in, title, program);
	sweep_axes(s->in, root);
	json_int(root, "product", s->in->product);
	json_int(root, "ran", s->nran);
	json_int(root, "stopped", s->nstopped);
	json_int(root, "skipped", s->nskipped);
	const char **names = xcalloc(s->ndevices + 1, sizeof *names);
	for (u32 i = 0; i < s->ndevices; i++)
		names[i] = s->devices[i].name;
	json_strings(root, "devices", names, s->ndevices);
	free(names);
	points = cJSON_AddArrayToObject(root, "points");
	others = cJSON_AddArrayToObject(root, "others");
	u32 shown[2] = {0, 0};
	for (u32 i = 0; i < s->n; i++) {
		const SweepPoint *p = &s->points[i];
		if (shown[p->ran]++ < MOST_POINTS)
			cJSON_AddItemToArray(p->ran ? points : others, point_object(s, p));
	}
	cJSON *left = cJSON_AddObjectToObject(root, "left_out");
	json_int(left, "points", shown[1] > MOST_POINTS ? shown[1] - MOST_POINTS : 0);
	json_int(left, "others", shown[0] > MOST_POINTS ? shown[0] - MOST_POINTS : 0);
	html_docs(root);
	Buf title = {0};
	buf_printf(&title, "sweep: %s", s->in->title);
	html_page(title.v, root, out);
	array_free(&title);
}
