/* The report as JSON, schema "wavesim/1".
 *
 * Keys of the contract are always there; what is not known is null, so that a reader can tell
 * it from "nothing" (`estimate` and `cycles_share` when no estimate was asked for).
 * schema/report.schema.json says the same to machines; tests/schemas.py compares. */
#include "report/json_kit.h"
#include "report/report.h"
#include "report/resources.h"

#include <math.h>

static void put_launch(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "launch");
	json_int(o, "work_dim", r->dims);
	JSON(o, *r, global, local, offset);
	json_int(o, "groups", r->ngroups);
	json_int(o, "groups_run", r->groups_run);
	json_int(o, "waves", r->nwaves);
	json_int(o, "work_items", r->items);
	JSON(o, *r, options, guessed, guess_decides);
}

/* The IR's: the machine's own order of instructions may need more or fewer (vgprs). */
static void put_peak(cJSON *resources, const Result *r)
{
	cJSON *o = json_object(resources, "peak_live", r->peak.n);
	if (!o)
		return;
	json_text(o, "source", "ir");
	JSON(o, r->peak, vgprs, file, line);
	cJSON *list = cJSON_AddArrayToObject(o, "values");
	for (u32 i = 0; i < r->peak.n; i++) {
		const ResultLive *v = &r->peak.values[i];
		cJSON *row = json_row(list);
		JSON(row, *v, name, kind, file, line, vgprs);
	}
}

static void put_resources(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "resources");
	JSON(o, *r, vgprs, agprs, sgprs, lds_bytes, lds_private_bytes, scratch_bytes);
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
	JSON(o, r->t, wave_instructions, active_lanes);
	json_ratio(o, "lane_utilization", r->utilization);
	JSON(o, r->t, branches, divergent_branches);
	json_int(o, "serialized_wave_instructions", r->serialized);
	json_int(o, "lost_lane_slots", r->t.ends.lost);
	if (r->most_lost != NO_LINE)
		json_int(o, "most_lost_line", r->most_lost);
	else
		cJSON_AddNullToObject(o, "most_lost_line");
	o = cJSON_AddObjectToObject(root, "lds");
	put_lds(o, &r->t.lds);
	json_text(o, "source", r->lds_source);
	json_int(o, "accesses_of_unclear_width", r->lds_unclear); /* counted as in the IR */
	put_lds(cJSON_AddObjectToObject(o, "ir"), &r->lds_ir); /* the same at the IR's access widths */
	json_text(o, "rule", r->own_lds_rule ? "device" : "general");
	o = cJSON_AddObjectToObject(root, "memory");
	JSON(o, r->t, accesses, ideal_lines, actual_lines, scalar_loads, bytes);
	json_int(o, "line_bytes", r->line_bytes);
}

static void put_waves(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "wavefronts");
	json_int(o, "counted", r->waves.n);
	json_int(o, "min_instructions", r->waves.min);
	json_ratio(o, "mean_instructions", r->waves.mean);
	json_int(o, "max_instructions", r->waves.max);
	cJSON *s = json_object(o, "slowest", r->waves.n);
	if (!s)
		return;
	json_int(s, "group", r->waves.slowest_group);
	json_int(s, "wave", r->waves.slowest_wave);
}

/* What levels of memory moved, those that moved something. */
static void put_levels(cJSON *o, const Estimate *e)
{
	cJSON *list = cJSON_AddObjectToObject(o, "levels");
	for (u32 i = 0; i < LEVEL_COUNT; i++) {
		const LevelUse *use = &e->level[i];
		if (use->bytes <= 0)
			continue;
		cJSON *one = cJSON_AddObjectToObject(list, memory_level_name[i]);
		json_ratio(one, "bytes", use->bytes);
		json_ratio(one, "written_bytes", use->written);
		if (use->requests > 0) {
			json_ratio(one, "requests", use->requests);
			json_ratio(one, "hit_rate", level_hit_rate(use));
		}
		if (i == LEVEL_lds)
			json_ratio(one, "conflict_cycles", e->lanes.conflict_cycles);
	}
}

/* What lanes ask of them, where they ask for something. */
static void put_lanes(cJSON *o, const Estimate *e)
{
	cJSON *list = cJSON_AddObjectToObject(o, "lanes");
	for (u32 i = 0; i < LANES_COUNT; i++) {
		const LaneUse *use = &e->lanes.of[i];
		if (use->loads + use->stores <= 0)
			continue;
		cJSON *one = cJSON_AddObjectToObject(list, lane_memory_name[i]);
		json_ratio(one, "loads", use->loads);
		json_ratio(one, "loaded_bytes", use->loaded);
		json_ratio(one, "stores", use->stores);
		json_ratio(one, "stored_bytes", use->stored);
	}
}

static void put_estimate(cJSON *root, const Result *r)
{
	const Estimate *e = r->estimate;
	cJSON *o = json_object(root, "estimate", !e->missing), *list;
	if (!o)
		return;
	JSON(o, *e, cycles, time_us, low_us, high_us);
	json_text(o, "bound_by", time_bound_name[e->bound_by]);
	list = cJSON_AddArrayToObject(o, "doubts");
	for (u32 i = 0; i < DOUBT_COUNT; i++)
		if (e->doubts >> i & 1)
			cJSON_AddItemToArray(list, cJSON_CreateString(time_doubt_name[i]));
	list = cJSON_AddObjectToObject(o, "ratio_factors"); /* those that were measured */
	for (u32 i = 0; i < RATIO_COUNT; i++)
		if (e->ratio_factor[i] > 0)
			json_ratio(list, ratio_kind_name[i], e->ratio_factor[i]);
	JSON(o, *e, source, launch_us, queue_us);
	json_text(o, "caches", e->warm ? "warm" : "cold");
	list = cJSON_AddObjectToObject(o, "parts"); /* cycles; they sum up to cycles */
	for (u32 i = 0; i < PART_COUNT; i++)
		json_ratio(list, time_part_name[i], e->part[i]);
	json_ratio(list, "tail", e->tail);
	list = cJSON_AddObjectToObject(o, "busy"); /* share of the time */
	for (u32 i = 0; i < BUSY_COUNT; i++)
		json_ratio(list, busy_unit_name[i], e->busy[i]);
	json_ratio(o, "dram_bytes", e->level[LEVEL_dram].bytes);
	put_levels(o, e);
	put_lanes(o, e);
	list = cJSON_AddObjectToObject(o, "what_if_us");
	for (u32 i = 0; i < IF_COUNT; i++)
		if (e->what_if_us[i] >= 0)
			json_ratio(list, what_if_name[i], e->what_if_us[i]);
	json_int(o, "groups_played", e->groups_played);
	json_int(o, "units_played", e->wgps);
	json_int(o, "units_used", e->used_wgps);
	json_int(o, "units", e->all_wgps);
	json_ratio(o, "groups_resident", e->resident);
}

static void put_elements(cJSON *o, const RefBuffer *b)
{
	cJSON *list = cJSON_AddArrayToObject(o, "first");
	for (u32 k = 0; k < b->nfirst; k++) {
		const RefElement *e = &b->first[k];
		cJSON *row = json_row(list);
		JSON(row, *e, index, component, actual, expected);
		if (e->has_item)
			json_3(row, "global_id", e->item);
	}
}

static void put_reference(cJSON *root, const Result *r)
{
	const Reference *ref = &r->reference;
	cJSON *o = cJSON_AddObjectToObject(root, "reference");
	json_text(o, "status", ref_status_name[ref->status]);
	json_text(o, "source", ref_source_name[ref->source]);
	JSON(o, *ref, source_why, why, built, unconfined, repeated, repeat_equal, recorded, checked, mismatches,
	     max_ulp);
	json_int(o, "within_limits", ref->within);
	json_int(o, "open", ref->open);
	if (ref->open)
		json_text(o, "open_what", ref->open_what);
	json_ratio(o, "limit_ulp_f32", ref->limit_f32);
	json_ratio(o, "limit_ulp_f64", ref->limit_f64);
	json_int(o, "pointers", ref->pointers);
	json_text(o, "builtins", ref->builtins);
	if (ref->output_refused)
		cJSON_AddNullToObject(o, "printf_equal");
	else if (ref->output_checked)
		json_bool(o, "printf_equal", !ref->output_differs);
	cJSON *list = cJSON_AddArrayToObject(o, "buffers");
	for (u32 i = 0; i < ref->nbuffers; i++) {
		const RefBuffer *b = &ref->buffers[i];
		cJSON *row = json_row(list);
		JSON(row, *b, name, type, against);
		json_int(row, "checked", b->elements);
		json_int(row, "mismatches", b->mismatches);
		json_int(row, "within_limits", b->within);
		if (b->open)
			json_int(row, "open", b->open);
		if (b->has_ulp)
			json_ratio(row, "max_ulp", b->max_ulp);
		if (b->note)
			json_text(row, "note", b->note);
		if (b->nfirst)
			put_elements(row, b);
	}
}

static void put_checks(cJSON *root, const Result *r)
{
	cJSON *o = cJSON_AddObjectToObject(root, "checks");
	JSON(o, r->checks, ran, why);
	json_bool(o, "incomplete", r->checks.lack != LACK_nothing);
	cJSON *what = cJSON_AddArrayToObject(o, "what");
#define PUT_CHECK(name, bit) \
	if (r->checks.ran && (r->checks.what & bit)) \
		cJSON_AddItemToArray(what, cJSON_CreateString(#name));
	CHECKS(PUT_CHECK)
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

static void put_access(cJSON *finding, const char *key, const ResultAccess *x)
{
	if (!x)
		return;
	cJSON *o = cJSON_AddObjectToObject(finding, key);
	JSON(o, *x, did, value);
	JSON(o, x->at, file, line);
	JSON(o, *x, global_id, local_id, group_id, wave, lane);
	json_int(o, "column", x->at.col);
}

cJSON *findings_array(const Result *r)
{
	cJSON *list = cJSON_CreateArray();
	for (u32 i = 0; i < r->findings.n; i++) {
		const ResultFinding *f = &r->findings.v[i];
		cJSON *o = json_row(list);
		JSON(o, *f, id, severity);
		JSON(o, f->at, file, line);
		json_int(o, "column", f->at.col);
		JSON(o, *f, message, hint, count);
		if (f->advice && f->after_us >= 0) { /* the estimate, and the one with the change */
			json_ratio(o, "before_us", f->before_us);
			json_ratio(o, "after_us", f->after_us);
			json_ratio(o, "gain_us", f->before_us - f->after_us);
			json_ratio(o, "gain_percent", 100 * (f->before_us - f->after_us) / f->before_us);
		}
		if (f->class)
			json_text(o, "class", f->class);
		put_access(o, "own", f->own);
		put_access(o, finding_is_race(f) ? "other" : "origin", f->other);
		if (!f->has_place)
			continue;
		JSON(o, *f, global_id, local_id, group_id, wave, lane);
		if (!f->has_address)
			continue;
		char address[32];
		snprintf(address, sizeof address, "0x%" PRIx64, f->address);
		json_text(o, "space", f->space);
		json_text(o, "address", address);
		json_int(o, "bytes", f->bytes);
	}
	return list;
}

/* What lanes compute, what levels of memory move for it, and what the device could do of both. */
static void put_roofline(cJSON *root, const Roofline *r)
{
	if (!r || r->missing)
		return;
	cJSON *o = cJSON_AddObjectToObject(root, "roofline"), *ops = cJSON_AddObjectToObject(o, "operations");
	for (u32 i = 0; i < ROOF_OP_COUNT; i++) {
		cJSON *one = cJSON_AddObjectToObject(ops, roof_op_name[i]);
		json_ratio(one, "count", r->ops[i]);
		json_raw(one, "peak_gops", "%.6g", r->peak_gops[i]);
		json_raw(one, "matrix_peak_gops", "%.6g", r->matrix_gops[i]);
	}
	json_bool(o, "matrix_left_out", r->matrix);
	cJSON *levels = cJSON_AddObjectToObject(o, "levels");
	for (u32 i = 0; i < LEVEL_COUNT; i++) {
		const LevelUse *use = &r->level[i];
		if (r->peak_gbs[i] <= 0 && use->requests <= 0)
			continue;
		cJSON *one = cJSON_AddObjectToObject(levels, memory_level_name[i]);
		json_ratio(one, "bytes", use->bytes);
		if (r->peak_gbs[i] > 0)
			json_raw(one, "peak_gb_s", "%.6g", r->peak_gbs[i]);
		else
			cJSON_AddNullToObject(one, "peak_gb_s");
		double flops = r->ops[ROOF_f16] + r->ops[ROOF_f32] + r->ops[ROOF_f64];
		json_ratio(one, "flop_per_byte", use->bytes > 0 ? flops / use->bytes : NAN);
	}
}

cJSON *report_object(const Result *r)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "schema", "wavesim/1");
	JSON(root, *r, file, kernel, device, wave, banks);
	char hash[17];
	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->source_hash);
	if (r->source_hash)
		json_text(root, "source_hash", hash);
	put_launch(root, r);
	put_resources(root, r);
	cJSON_AddItemToObject(root, "occupancy", occ_object(&r->occupancy));
	put_counts(root, r);
	put_waves(root, r);
	cJSON_AddItemToObject(root, "machine", machine_object(&r->machine));
	if (r->r600)
		cJSON_AddItemToObject(root, "r600", r600_object(r->r600));
	if (r->listing)
		cJSON_AddItemToObject(root, "listing", listing_object(r->listing));
	put_roofline(root, r->roofline);
	put_estimate(root, r);
	put_reference(root, r);
	put_checks(root, r);
	put_counters(root, &r->t);
	put_lines(root, r);
	cJSON_AddItemToObject(root, "findings", findings_array(r));
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

void result_json(const Result *r, Buf *out)
{
	SinkStyle plain = {0};
	sink_json(r, &plain, out);
}
