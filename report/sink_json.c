/* The report as JSON, schema "wavesim/1".
 *
 * Keys of the contract are always there; what is not known is null, so that a reader can tell
 * it from "nothing" (`estimate` and `cycles_share` when no estimate was asked for).
 * schema/report.schema.json says the same to machines; tests/schemas.py compares. */
#include "report/json_kit.h"
#include "report/report.h"
#include "report/resources.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put_launch(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "launch");
	json_int(o, "work_dim", r->dims);
	json_3(o, "global", r->global);
	json_3(o, "local", r->local);
	json_3(o, "offset", r->offset);
	json_int(o, "groups", r->ngroups);
	json_int(o, "groups_run", r->groups_run);
	json_int(o, "waves", r->nwaves);
	json_int(o, "work_items", r->items);
	json_text(o, "options", r->options);
	json_text(o, "guessed", r->guessed);
}

/* The IR's: the machine's own order of instructions may need more or fewer (vgprs). */
static void put_peak(cJSON *resources, const Result *r)
{
	if (!r->peak.n) {
		cJSON_AddNullToObject(resources, "peak_live");
		return;
	}
	cJSON *o = cJSON_AddObjectToObject(resources, "peak_live");
	json_text(o, "source", "ir");
	json_int(o, "vgprs", r->peak.vgprs);
	json_text(o, "file", r->peak.file);
	json_int(o, "line", r->peak.line);
	cJSON *list = cJSON_AddArrayToObject(o, "values");
	for (u32 i = 0; i < r->peak.n; i++) {
		const ResultLive *v = &r->peak.values[i];
		cJSON *row = json_row(list);
		json_text(row, "name", v->name);
		json_text(row, "kind", v->kind);
		json_text(row, "file", v->file);
		json_int(row, "line", v->line);
		json_int(row, "vgprs", v->vgprs);
	}
}

static void put_resources(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "resources");
	json_int(o, "vgprs", r->vgprs);
	json_int(o, "agprs", r->agprs);
	json_int(o, "sgprs", r->sgprs);
	json_int(o, "lds_bytes", r->lds_bytes);
	json_int(o, "scratch_bytes", r->scratch_bytes);
	json_text(o, "source", r->resource_source);
	put_peak(o, r);
}

static void put_lds(cJSON *o, const LdsTotals *t)
{
	json_int(o, "accesses", t->accesses);
	json_int(o, "ideal_cycles", t->ideal);
	json_int(o, "actual_cycles", t->actual);
	json_int(o, "conflict_cycles", t->actual - t->ideal);
	json_int(o, "max_way", t->max_way);
}

static void put_counts(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "divergence");
	json_int(o, "wave_instructions", r->t.wave_instructions);
	json_int(o, "active_lanes", r->t.active_lanes);
	json_ratio(o, "lane_utilization", r->utilization);
	json_int(o, "branches", r->t.branches);
	json_int(o, "divergent_branches", r->t.divergent_branches);
	json_int(o, "serialized_wave_instructions", r->serialized);

	o = cJSON_AddObjectToObject(root, "lds");
	put_lds(o, &r->t.lds);
	json_text(o, "source", r->lds_source);
	json_int(o, "accesses_of_unclear_width", r->lds_unclear); /* counted as in the IR */
	put_lds(cJSON_AddObjectToObject(o, "ir"), &r->lds_ir); /* the same at the IR's access widths */
	json_text(o, "rule", r->own_lds_rule ? "device" : "general");

	o = cJSON_AddObjectToObject(root, "memory");
	json_int(o, "accesses", r->t.accesses);
	json_int(o, "ideal_lines", r->t.ideal_lines);
	json_int(o, "actual_lines", r->t.actual_lines);
	json_int(o, "scalar_loads", r->t.scalar_loads);
	json_int(o, "bytes", r->t.bytes);
	json_int(o, "line_bytes", r->line_bytes);
}

static void put_waves(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "wavefronts");
	json_int(o, "counted", r->waves.n);
	json_int(o, "min_instructions", r->waves.min);
	json_ratio(o, "mean_instructions", r->waves.mean);
	json_int(o, "max_instructions", r->waves.max);
	if (r->waves.n) {
		cJSON *s = cJSON_AddObjectToObject(o, "slowest");
		json_int(s, "group", r->waves.slowest_group);
		json_int(s, "wave", r->waves.slowest_wave);
	} else {
		cJSON_AddNullToObject(o, "slowest");
	}
}

static void put_estimate(cJSON *root, const Result *r)
{
	const Estimate *e = r->estimate;
	if (e->missing) {
		cJSON_AddNullToObject(root, "estimate");
		return;
	}
	cJSON *o = cJSON_AddObjectToObject(root, "estimate"), *list;
	json_ratio(o, "cycles", e->cycles);
	json_ratio(o, "time_us", e->time_us);
	json_ratio(o, "low_us", e->low_us);
	json_ratio(o, "high_us", e->high_us);
	json_text(o, "bound_by", time_bound_name[e->bound_by]);
	json_text(o, "source", e->source);
	json_ratio(o, "launch_us", e->launch_us);
	json_ratio(o, "queue_us", e->queue_us);
	list = cJSON_AddObjectToObject(o, "parts"); /* cycles; they sum up to cycles */
	for (u32 i = 0; i < PART_COUNT; i++)
		json_ratio(list, time_part_name[i], e->part[i]);
	json_ratio(list, "tail", e->tail);
	list = cJSON_AddObjectToObject(o, "busy"); /* share of the time */
	json_ratio(list, "vector", e->vector);
	json_ratio(list, "scalar", e->scalar);
	json_ratio(list, "lds", e->lds);
	json_ratio(list, "address", e->address);
	json_ratio(list, "l2", e->l2);
	json_ratio(list, "l3", e->l3);
	json_ratio(list, "dram", e->dram);
	json_ratio(o, "dram_bytes", e->dram_bytes);
	list = cJSON_AddObjectToObject(o, "what_if_us");
	for (u32 i = 0; i < IF_COUNT; i++)
		if (e->what_if_us[i] >= 0)
			json_ratio(list, what_if_name[i], e->what_if_us[i]);
	json_int(o, "groups_played", e->groups_played);
	json_int(o, "units_played", e->wgps);
}

static void put_elements(cJSON *o, const RefBuffer *b)
{
	cJSON *list = cJSON_AddArrayToObject(o, "first");
	for (u32 k = 0; k < b->nfirst; k++) {
		const RefElement *e = &b->first[k];
		cJSON *row = json_row(list);
		json_int(row, "index", e->index);
		json_int(row, "component", e->component);
		json_text(row, "actual", e->actual);
		json_text(row, "expected", e->expected);
		if (e->has_item)
			json_3(row, "global_id", e->item);
	}
}

static void put_reference(cJSON *root, const Result *r)
{
	const Reference *ref = &r->reference;
	cJSON *o = cJSON_AddObjectToObject(root, "reference");
	json_text(o, "status", ref_status_name[ref->status]);
	json_text(o, "why", ref->why);
	json_text(o, "built", ref->built);
	json_text(o, "unconfined", ref->unconfined);
	cJSON_AddBoolToObject(o, "recorded", ref->recorded);
	json_int(o, "checked", ref->checked);
	json_int(o, "mismatches", ref->mismatches);
	json_ratio(o, "max_ulp", ref->max_ulp);
	json_int(o, "within_limits", ref->within);
	json_ratio(o, "limit_ulp_f32", ref->limit_f32);
	json_ratio(o, "limit_ulp_f64", ref->limit_f64);
	json_text(o, "builtins", ref->builtins);
	if (ref->output_checked)
		cJSON_AddBoolToObject(o, "printf_equal", !ref->output_differs);
	cJSON *list = cJSON_AddArrayToObject(o, "buffers");
	for (u32 i = 0; i < ref->nbuffers; i++) {
		const RefBuffer *b = &ref->buffers[i];
		cJSON *row = json_row(list);
		json_text(row, "name", b->name);
		json_text(row, "type", b->type);
		json_text(row, "against", b->against);
		json_int(row, "checked", b->elements);
		json_int(row, "mismatches", b->mismatches);
		json_int(row, "within_limits", b->within);
		if (b->has_ulp)
			json_ratio(row, "max_ulp", b->max_ulp);
		if (b->note)
			json_text(row, "note", b->note);
		if (b->nfirst)
			put_elements(row, b);
	}
}

/* Those that have columns of their own (isa/counters.def). */
static void put_counters(cJSON *o, const ProfileTotals *t)
{
	if (!shown_counters[0].name)
		return;
	cJSON *list = cJSON_AddObjectToObject(o, "counters");
	for (const Counter *c = shown_counters; c->name; c++)
		json_int(list, c->name, counter_of(t, c));
}

static void put_lines(cJSON *root, const Result *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "lines");
	for (u32 i = 0; i < r->nlines; i++) {
		const ResultLine *l = &r->lines[i];
		cJSON *o = json_row(list);
		json_text(o, "file", l->line ? r->sources[l->file].name : NULL);
		json_int(o, "line", l->line);
#define LINE_INT(key, value, doc) json_int(o, #key, value);
#define LINE_RATIO(key, value, doc) json_ratio(o, #key, (value) < 0 ? NAN : (value));
#include "report/line_columns.def"
		put_counters(o, &l->t);
		machine_line_keys(o, &r->machine, l->machine);
	}
}

static void put_findings(cJSON *root, const Result *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "findings");
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		cJSON *o = json_row(list);
		json_text(o, "id", f->id);
		json_text(o, "severity", f->severity);
		json_text(o, "file", f->file);
		json_int(o, "line", f->line);
		json_int(o, "column", f->col);
		json_text(o, "message", f->message);
		json_text(o, "hint", f->hint);
		json_int(o, "count", f->count);
		if (f->advice && f->after_us >= 0) { /* the estimate, and the one with the change */
			json_ratio(o, "before_us", f->before_us);
			json_ratio(o, "after_us", f->after_us);
			json_ratio(o, "gain_us", f->before_us - f->after_us);
			json_ratio(o, "gain_percent", 100 * (f->before_us - f->after_us) / f->before_us);
		}
		if (!f->has_place)
			continue;
		json_3(o, "global_id", f->global_id);
		json_3(o, "local_id", f->local_id);
		json_3(o, "group_id", f->group_id);
		json_int(o, "wave", f->wave);
		json_int(o, "lane", f->lane);
		if (!f->has_address)
			continue;
		char address[32];
		snprintf(address, sizeof address, "0x%" PRIx64, f->address);
		json_text(o, "space", f->space);
		json_text(o, "address", address);
		json_int(o, "bytes", f->bytes);
	}
}

cJSON *report_object(const Result *r)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim/1");
	json_text(root, "file", r->file);
	json_text(root, "kernel", r->kernel);
	json_text(root, "device", r->device);
	json_int(root, "wave", r->wave);
	json_int(root, "banks", r->banks);
	put_launch(root, r);
	put_resources(root, r);
	cJSON_AddItemToObject(root, "occupancy", occ_object(&r->occupancy));
	put_counts(root, r);
	put_waves(root, r);
	cJSON_AddItemToObject(root, "machine", machine_object(&r->machine));
	if (r->r600)
		cJSON_AddItemToObject(root, "r600", r600_object(r->r600));
	put_estimate(root, r);
	put_reference(root, r);
	put_counters(root, &r->t);
	put_lines(root, r);
	put_findings(root, r);
	if (r->printed_bytes) {
		char *text = utf8_clean(r->printed, r->printed_bytes);
		cJSON_AddStringToObject(root, "printf", text);
		free(text);
	}
	if (r->dumped && *r->dumped)
		json_text(root, "dumps", r->dumped);
	cJSON_AddBoolToObject(root, "stopped", r->stopped);
	return root;
}

void sink_json(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	json_finish(report_object(r), out);
}
