/* The launches of a program as JSON, in pieces: {"launches": [ each a report ], "kernels": [ … ], … }. */
#include "report/json_kit.h"
#include "report/program.h"

void program_json_start(const ProgramResult *p, Buf *out)
{
	cJSON *o = cJSON_CreateObject();
	JSON(o, *p, file, command);
	buf_printf(out, "{\n\t\"schema\":\t\"wavesim/1\",\n\t\"program\":\t");
	json_put(o, false, out);
	buf_printf(out, ",\n\t\"launches\":\t[");
}

void program_json_launch(const ProgramLaunch *l, bool first, Buf *out)
{
	buf_printf(out, "%s{\n\t\"number\":\t%" PRIu64 ",", first ? "" : ", ", l->number);
	if (l->report) {
		Buf one = {0};
		sink_json(l->report, &(SinkStyle){0}, &one);
		const char *rest = strchr(one.v, '{') + 1;
		buf_printf(out, "%.*s", (int)(strlen(rest) - (one.v[one.n - 1] == '\n')), rest);
		array_free(&one);
		return;
	}
	cJSON *o = cJSON_CreateObject();
	JSON(o, *l, kernel, global, local);
	json_text(o, "skipped", l->failed ? l->failed : "not asked for");
	Buf one = {0};
	json_put(o, false, &one);
	buf_printf(out, "%s", strchr(one.v, '{') + 1);
	array_free(&one);
}

static cJSON *row_json(const ProgramRow *r)
{
	cJSON *o = cJSON_CreateObject();
	JSON(o, *r, kernel, launches, simulated, failed, equal, different, unchecked, findings);
	json_int(o, "work_items", r->items);
	json_int(o, "wave_instructions", r->t.wave_instructions);
	json_ratio(o, "lane_utilization", r->lanes ? (double)r->t.active_lanes / (double)r->lanes : 0);
	JSON(o, r->t, branches, divergent_branches);
	json_int(o, "lds_ideal_cycles", r->t.lds.ideal);
	json_int(o, "lds_actual_cycles", r->t.lds.actual);
	JSON(o, r->t, ideal_lines, actual_lines);
	JSON(o, *r, timed, time_us, low_us, high_us, measured, measured_us);
	return o;
}

void program_json_end(const ProgramResult *p, const Result *more, Buf *out)
{
	const ProgramRow *rows = p->rows.v;
	u32 n = p->rows.n;
	cJSON *kernels = cJSON_CreateArray();
	for (u32 i = 0; i + 1 < n; i++)
		cJSON_AddItemToArray(kernels, row_json(&rows[i]));
	buf_printf(out, "],\n\t\"kernels\":\t");
	json_put(kernels, false, out);
	cJSON *findings = more ? findings_array(more) : cJSON_CreateArray();
	buf_printf(out, ",\n\t\"findings\":\t");
	json_put(findings, false, out);
	buf_printf(out, ",\n\t\"total\":\t");
	json_put(row_json(&rows[n - 1]), false, out);
	buf_printf(out, "\n}\n");
}

void program_json_one(const ProgramOne *one, const Result *r, Buf *out)
{
	ProgramLaunch l = one->launch;
	l.report = r;
	program_result_add(one->of, &l);
	program_result_sum(one->of);
	program_json_start(one->of, out);
	program_json_launch(&l, true, out);
	program_json_end(one->of, NULL, out);
}
