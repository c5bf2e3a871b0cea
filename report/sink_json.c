/* The report as JSON, schema "wavesim/1".
 *
 * Keys of the contract are always there; what is not known is null, so that a reader can tell
 * it from "nothing" (`estimate` and `cycles_share` when no estimate was asked for).
 * Integers are written in full, ratios with as many digits as give the same double
 * back; both as text that cJSON takes over, because its own numbers are doubles. */
#include "report/report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

static void put_int(cJSON *o, const char *key, u64 v)
{
	char s[32];
	snprintf(s, sizeof s, "%" PRIu64, v);
	cJSON_AddRawToObject(o, key, s);
}

static void put_ratio(cJSON *o, const char *key, double v)
{
	char s[64];
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(s, sizeof s, "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	cJSON_AddRawToObject(o, key, s);
}

/* cJSON writes bytes as they are, and a kernel may print anything. */
static char *valid_utf8(const char *s, size_t n)
{
	Buf b = {0};
	buf_write(&b, "", 0);
	for (size_t i = 0; i < n;) {
		u8 c = (u8)s[i];
		u32 more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2
		         : c >= 0xF0 && c < 0xF5 ? 3 : 9;
		bool ok = more < 9 && c && i + more < n;
		for (u32 k = 1; ok && k <= more; k++)
			ok = ((u8)s[i + k] & 0xC0) == 0x80;
		if (ok)
			buf_write(&b, s + i, more + 1);
		else
			buf_write(&b, "\xEF\xBF\xBD", 3);
		i += ok ? more + 1 : 1;
	}
	return b.v;
}

static void put_text(cJSON *o, const char *key, const char *s)
{
	if (!s) {
		cJSON_AddNullToObject(o, key);
		return;
	}
	char *clean = valid_utf8(s, strlen(s));
	cJSON_AddStringToObject(o, key, clean);
	free(clean);
}

static void put_3(cJSON *o, const char *key, const u64 v[3])
{
	char s[80];
	snprintf(s, sizeof s, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", v[0], v[1], v[2]);
	cJSON_AddRawToObject(o, key, s);
}

static void put_launch(cJSON *root, const Report *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "launch");
	put_int(o, "work_dim", r->dims);
	put_3(o, "global", r->global);
	put_3(o, "local", r->local);
	put_3(o, "offset", r->offset);
	put_int(o, "groups", r->ngroups);
	put_int(o, "groups_run", r->groups_run);
	put_int(o, "waves", r->nwaves);
	put_int(o, "work_items", r->items);
	put_text(o, "options", r->options);
	put_text(o, "guessed", r->guessed);
}

/* The IR's: the machine's own order of instructions may need more or fewer (vgprs). */
static void put_peak(cJSON *resources, const Report *r)
{
	if (!r->peak.n) {
		cJSON_AddNullToObject(resources, "peak_live");
		return;
	}
	cJSON *o = cJSON_AddObjectToObject(resources, "peak_live");
	put_text(o, "source", "ir");
	put_int(o, "vgprs", r->peak.vgprs);
	put_text(o, "file", r->peak.file);
	put_int(o, "line", r->peak.line);
	cJSON *list = cJSON_AddArrayToObject(o, "values");
	for (u32 i = 0; i < r->peak.n; i++) {
		const ReportLive *v = &r->peak.values[i];
		cJSON *row = cJSON_CreateObject();
		cJSON_AddItemToArray(list, row);
		put_text(row, "name", v->name);
		put_text(row, "kind", v->kind);
		put_text(row, "file", v->file);
		put_int(row, "line", v->line);
		put_int(row, "vgprs", v->vgprs);
	}
}

static void put_resources(cJSON *root, const Report *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "resources");
	put_int(o, "vgprs", r->vgprs);
	put_int(o, "agprs", r->agprs);
	put_int(o, "sgprs", r->sgprs);
	put_int(o, "lds_bytes", r->lds_bytes);
	put_int(o, "scratch_bytes", r->scratch_bytes);
	put_text(o, "source", r->resource_source);
	put_peak(o, r);
}

static void put_counts(cJSON *root, const Report *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "divergence");
	put_int(o, "wave_instructions", r->t.wave_instructions);
	put_int(o, "active_lanes", r->t.active_lanes);
	put_ratio(o, "lane_utilization", r->utilization);
	put_int(o, "branches", r->t.branches);
	put_int(o, "divergent_branches", r->t.divergent_branches);
	put_int(o, "serialized_wave_instructions", r->serialized);

	o = cJSON_AddObjectToObject(root, "lds");
	put_int(o, "accesses", r->t.lds.accesses);
	put_int(o, "ideal_cycles", r->t.lds.ideal);
	put_int(o, "actual_cycles", r->t.lds.actual);
	put_int(o, "conflict_cycles", r->t.lds.actual - r->t.lds.ideal);
	put_int(o, "max_way", r->t.lds.max_way);
	put_text(o, "source", r->lds_source);
	put_int(o, "accesses_of_unclear_width", r->lds_unclear); /* counted as in the IR */
	cJSON *ir = cJSON_AddObjectToObject(o, "ir"); /* the same at the IR's access widths */
	put_int(ir, "accesses", r->lds_ir.accesses);
	put_int(ir, "ideal_cycles", r->lds_ir.ideal);
	put_int(ir, "actual_cycles", r->lds_ir.actual);
	put_int(ir, "conflict_cycles", r->lds_ir.actual - r->lds_ir.ideal);
	put_int(ir, "max_way", r->lds_ir.max_way);
	put_text(o, "rule", r->own_lds_rule ? "device" : "general");

	o = cJSON_AddObjectToObject(root, "memory");
	put_int(o, "accesses", r->t.accesses);
	put_int(o, "ideal_lines", r->t.ideal_lines);
	put_int(o, "actual_lines", r->t.actual_lines);
	put_int(o, "scalar_loads", r->t.scalar_loads);
	put_int(o, "bytes", r->t.bytes);
	put_int(o, "line_bytes", r->line_bytes);
}

static void put_waves(cJSON *root, const Report *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "wavefronts");
	put_int(o, "counted", r->waves.n);
	put_int(o, "min_instructions", r->waves.min);
	put_ratio(o, "mean_instructions", r->waves.mean);
	put_int(o, "max_instructions", r->waves.max);
	if (r->waves.n) {
		cJSON *s = cJSON_AddObjectToObject(o, "slowest");
		put_int(s, "group", r->waves.slowest_group);
		put_int(s, "wave", r->waves.slowest_wave);
	} else {
		cJSON_AddNullToObject(o, "slowest");
	}
}

static void put_estimate(cJSON *root, const Report *r)
{
	const Estimate *e = r->estimate;
	if (e->missing) {
		cJSON_AddNullToObject(root, "estimate");
		return;
	}
	cJSON *o = cJSON_AddObjectToObject(root, "estimate"), *list;
	put_ratio(o, "cycles", e->cycles);
	put_ratio(o, "time_us", e->time_us);
	put_ratio(o, "low_us", e->low_us);
	put_ratio(o, "high_us", e->high_us);
	put_text(o, "bound_by", time_bound_name[e->bound_by]);
	put_text(o, "source", e->source);
	put_ratio(o, "launch_us", e->launch_us);
	put_ratio(o, "queue_us", e->queue_us);
	list = cJSON_AddObjectToObject(o, "parts"); /* cycles; they sum up to cycles */
	for (u32 i = 0; i < PART_COUNT; i++)
		put_ratio(list, time_part_name[i], e->part[i]);
	put_ratio(list, "tail", e->tail);
	list = cJSON_AddObjectToObject(o, "busy"); /* share of the time */
	put_ratio(list, "vector", e->vector);
	put_ratio(list, "scalar", e->scalar);
	put_ratio(list, "lds", e->lds);
	put_ratio(list, "address", e->address);
	put_ratio(list, "l2", e->l2);
	put_ratio(list, "l3", e->l3);
	put_ratio(list, "dram", e->dram);
	put_ratio(o, "dram_bytes", e->dram_bytes);
	list = cJSON_AddObjectToObject(o, "what_if_us");
	for (u32 i = 0; i < IF_COUNT; i++)
		if (e->what_if_us[i] >= 0)
			put_ratio(list, what_if_name[i], e->what_if_us[i]);
	put_int(o, "groups_played", e->groups_played);
	put_int(o, "units_played", e->pools);
}

static void put_elements(cJSON *o, const RefBuffer *b)
{
	cJSON *list = cJSON_AddArrayToObject(o, "first");
	for (u32 k = 0; k < b->nfirst; k++) {
		const RefElement *e = &b->first[k];
		cJSON *row = cJSON_CreateObject();
		cJSON_AddItemToArray(list, row);
		put_int(row, "index", e->index);
		put_int(row, "component", e->component);
		put_text(row, "actual", e->actual);
		put_text(row, "expected", e->expected);
		if (e->has_item)
			put_3(row, "global_id", e->item);
	}
}

static void put_reference(cJSON *root, const Report *r)
{
	const Reference *ref = &r->reference;
	cJSON *o = cJSON_AddObjectToObject(root, "reference");
	put_text(o, "status", ref_status_name[ref->status]);
	put_text(o, "why", ref->why);
	put_text(o, "built", ref->built);
	put_int(o, "checked", ref->checked);
	put_int(o, "mismatches", ref->mismatches);
	put_ratio(o, "max_ulp", ref->max_ulp);
	put_int(o, "within_limits", ref->within);
	put_ratio(o, "limit_ulp_f32", ref->limit_f32);
	put_ratio(o, "limit_ulp_f64", ref->limit_f64);
	put_text(o, "builtins", ref->builtins);
	if (ref->output_checked)
		cJSON_AddBoolToObject(o, "printf_equal", !ref->output_differs);
	cJSON *list = cJSON_AddArrayToObject(o, "buffers");
	for (u32 i = 0; i < ref->nbuffers; i++) {
		const RefBuffer *b = &ref->buffers[i];
		cJSON *row = cJSON_CreateObject();
		cJSON_AddItemToArray(list, row);
		put_text(row, "name", b->name);
		put_text(row, "type", b->type);
		put_text(row, "against", b->against);
		put_int(row, "checked", b->elements);
		put_int(row, "mismatches", b->mismatches);
		put_int(row, "within_limits", b->within);
		if (b->has_ulp)
			put_ratio(row, "max_ulp", b->max_ulp);
		if (b->note)
			put_text(row, "note", b->note);
		if (b->nfirst)
			put_elements(row, b);
	}
}

static void put_lines(cJSON *root, const Report *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "lines");
	for (u32 i = 0; i < r->nlines; i++) {
		const ReportLine *l = &r->lines[i];
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		put_text(o, "file", l->line ? r->sources[l->file].name : NULL);
		put_int(o, "line", l->line);
		put_int(o, "executions", l->executions);
		put_int(o, "wave_instructions", l->t.wave_instructions);
		put_int(o, "active_lanes", l->t.active_lanes);
		put_ratio(o, "lane_utilization", l->utilization);
		put_int(o, "branches", l->t.branches);
		put_int(o, "divergent_branches", l->t.divergent_branches);
		put_int(o, "lds_accesses", l->t.lds.accesses);
		put_int(o, "lds_ideal_cycles", l->t.lds.ideal);
		put_int(o, "lds_actual_cycles", l->t.lds.actual);
		put_int(o, "lds_conflict_cycles", l->t.lds.actual - l->t.lds.ideal);
		put_int(o, "lds_max_way", l->t.lds.max_way);
		put_int(o, "accesses", l->t.accesses);
		put_int(o, "ideal_lines", l->t.ideal_lines);
		put_int(o, "actual_lines", l->t.actual_lines);
		put_int(o, "scalar_loads", l->t.scalar_loads);
		put_int(o, "live_vgprs", l->live_vgprs);
		machine_report_line_keys(o, &r->machine, l->machine);
		if (l->cycles_share < 0)
			cJSON_AddNullToObject(o, "cycles_share");
		else
			put_ratio(o, "cycles_share", l->cycles_share);
	}
}

static void put_findings(cJSON *root, const Report *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "findings");
	for (u32 i = 0; i < r->findings.n; i++) {
		const ReportFinding *f = &r->findings.v[i];
		cJSON *o = cJSON_CreateObject();
		cJSON_AddItemToArray(list, o);
		put_text(o, "id", f->id);
		put_text(o, "severity", f->severity);
		put_text(o, "file", f->file);
		put_int(o, "line", f->line);
		put_int(o, "column", f->col);
		put_text(o, "message", f->message);
		put_text(o, "hint", f->hint);
		put_int(o, "count", f->count);
		if (!f->has_place)
			continue;
		put_3(o, "global_id", f->global_id);
		put_3(o, "local_id", f->local_id);
		put_3(o, "group_id", f->group_id);
		put_int(o, "wave", f->wave);
		put_int(o, "lane", f->lane);
		if (!f->has_address)
			continue;
		char address[32];
		snprintf(address, sizeof address, "0x%" PRIx64, f->address);
		put_text(o, "space", f->space);
		put_text(o, "address", address);
		put_int(o, "bytes", f->bytes);
	}
}

void sink_json(const Report *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	cJSON *root = cJSON_CreateObject();
	put_text(root, "schema", "wavesim/1");
	put_text(root, "file", r->file);
	put_text(root, "kernel", r->kernel);
	put_text(root, "device", r->device);
	put_int(root, "wave", r->wave);
	put_int(root, "banks", r->banks);
	put_launch(root, r);
	put_resources(root, r);
	cJSON_AddItemToObject(root, "occupancy", occ_report_object(&r->occupancy));
	put_counts(root, r);
	put_waves(root, r);
	cJSON_AddItemToObject(root, "machine", machine_report_object(&r->machine));
	if (r->r600)
		cJSON_AddItemToObject(root, "r600", r600_report_object(r->r600));
	put_estimate(root, r);
	put_reference(root, r);
	put_lines(root, r);
	put_findings(root, r);
	if (r->printed_bytes) {
		char *text = valid_utf8(r->printed, r->printed_bytes);
		cJSON_AddStringToObject(root, "printf", text);
		free(text);
	}
	if (r->dumped && *r->dumped)
		put_text(root, "dumps", r->dumped);
	cJSON_AddBoolToObject(root, "stopped", r->stopped);
	char *text = cJSON_Print(root);
	buf_printf(out, "%s\n", text);
	free(text);
	cJSON_Delete(root);
}
