/* The machine code of a run in the JSON report: a line for each block and instruction, because there may be many. */
#include "report/json_kit.h"
#include "report/report.h"

#include <math.h>

/* o as compact text, at the end of the list. */
static void put_compact(cJSON *list, cJSON *o)
{
	char *text = cJSON_PrintUnformatted(o);
	cJSON_AddItemToArray(list, cJSON_CreateRaw(text));
	free(text);
	cJSON_Delete(o);
}

static cJSON *block_object(const ListedBlock *b)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "label", b->label);
	json_int(o, "first", b->first);
	json_int(o, "instructions", b->n);
	json_int(o, "executions", b->executions);
	json_ratio(o, "lanes", b->lanes < 0 ? NAN : b->lanes);
	json_bool(o, "assumed", b->assumed);
	return o;
}

static cJSON *ins_object(const Listing *l, const ListedIns *x)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "text", x->text);
	cJSON_AddStringToObject(o, "class", machine_class_name[x->cls]);
	json_int(o, "block", x->block);
	json_text(o, "file", x->file);
	json_int(o, "line", x->line);
	if (l->live)
		json_int(o, "vgprs", x->vgprs);
	if (l->live && l->sgprs)
		json_int(o, "sgprs", x->sgprs);
	if (l->live && l->agprs)
		json_int(o, "agprs", x->agprs);
	if (x->spill != SPILL_none)
		cJSON_AddStringToObject(o, "spill", machine_spill_name[x->spill]);
	if (!l->timed)
		return o;
	json_int(o, "cycles", x->cycles);
	json_raw(o, "share", "%.6g", x->share);
	cJSON *parts = cJSON_AddObjectToObject(o, "parts");
	for (u32 i = 0; i < PART_COUNT; i++)
		if (x->part[i] > 0)
			json_raw(parts, time_part_name[i], "%.6g", x->part[i]);
	return o;
}

cJSON *listing_object(const Listing *l)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "cpu", l->cpu);
	if (l->stands_for)
		json_text(o, "stands_in_for", l->stands_for);
	if (l->left_out)
		json_text(o, "left_out", l->left_out);
	JSON(o, *l, vgprs, agprs, sgprs, most);
	cJSON *blocks = cJSON_AddArrayToObject(o, "blocks"), *ins = cJSON_AddArrayToObject(o, "instructions");
	for (u32 i = 0; i < l->nblocks; i++)
		put_compact(blocks, block_object(&l->blocks[i]));
	for (u32 i = 0; i < l->nins; i++)
		put_compact(ins, ins_object(l, &l->ins[i]));
	return o;
}
