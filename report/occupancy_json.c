/* Occupancy as JSON: the report's `occupancy`, and the page of `wavesim occupancy`. */
#include "report/json_kit.h"
#include "report/resources.h"

static void put_next(cJSON *root, const OccResult *r)
{
	cJSON *o = json_object(root, "next_step", r->o.next.n);
	if (!o)
		return;
	cJSON_AddStringToObject(o, "text", r->next);
	cJSON *list = cJSON_AddArrayToObject(o, "changes");
	for (u32 i = 0; i < r->o.next.n; i++) {
		const OccChange *c = &r->o.next.v[i];
		cJSON *change = json_row(list);
		cJSON_AddStringToObject(change, "resource", occ_limiter_name[c->resource]);
		if (c->resource != OCC_group_size)
			json_int(change, "less", c->less);
		json_int(change, "to", c->to);
	}
	json_waves(o, "waves_per_simd", r->o.next.waves_per_simd);
	json_waves(o, "waves_per_cu", r->o.next.waves_per_cu);
}

static void put_curves(cJSON *root, const OccResult *r)
{
	cJSON *curves = cJSON_AddObjectToObject(root, "curves");
	for (u32 i = 0; i < OCC_CURVES; i++) {
		cJSON *list = cJSON_AddArrayToObject(curves, occ_limiter_name[occ_curve_over[i]]);
		for (u32 k = 0; k < r->ncurve[i]; k++) {
			const OccStep *s = &r->curve[i][k];
			cJSON *o = json_row(list);
			JSON(o, *s, from, to);
			json_waves(o, "waves_per_simd", s->waves_per_simd);
			json_waves(o, "waves_per_cu", s->waves_per_cu);
		}
	}
}

cJSON *occ_object(const OccResult *r)
{
	const Occupancy *o = &r->o;
	cJSON *root = cJSON_CreateObject();
	json_waves(root, "waves_per_simd", o->waves_per_simd);
	json_int(root, "max_waves_per_simd", o->max_waves_per_simd);
	json_waves(root, "waves_per_cu", o->waves_per_cu);
	json_waves(root, "max_waves_per_cu", o->max_waves_per_cu);
	json_waves(root, "groups_per_cu", o->groups_per_cu);
	JSON(root, *o, waves_per_group, waves_on_device, l1_bytes);
	cJSON_AddStringToObject(root, "limiter", occ_limiter_name[o->limiter]);
	put_next(root, r);
	put_curves(root, r);
	return root;
}

void occ_json(const OccResult *r, Buf *out)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddStringToObject(root, "schema", "wavesim/1");
	if (r->kernel) {
		JSON(root, *r, file, kernel);
	}
	json_text(root, "device", r->device);
	JSON(root, r->o.in, wave, group_size);
	cJSON *o = cJSON_AddObjectToObject(root, "resources");
	JSON(o, r->o.in, vgprs, agprs, sgprs, lds_bytes);
	json_text(o, "source", r->source ? r->source : "given");
	if (r->r600)
		cJSON_AddItemToObject(root, "r600", r600_object(r->r600));
	cJSON_AddItemToObject(root, "occupancy", occ_object(r));
	json_finish(root, out);
}
