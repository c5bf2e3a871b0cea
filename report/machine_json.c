/* Machine code in the JSON report. Classes that did not occur are left out. */
#include "report/json_kit.h"
#include "report/resources.h"

static void put_classes(cJSON *o, const char *key, const u64 *count)
{
	cJSON *list = cJSON_AddObjectToObject(o, key);
	for (u32 i = 0; i < MC_COUNT; i++)
		if (count[i])
			json_int(list, machine_class_name[i], count[i]);
}

/* Of LDS accesses: executed instructions by their machine width, "b32", "2xb32", … */
static void put_lds_widths(cJSON *o, const MachineResult *m)
{
	cJSON *list = cJSON_AddObjectToObject(o, "lds_widths");
	for (u32 i = 0; i < 34; i++) {
		u32 pair = i / 17, bytes = i % 17;
		char key[16];
		snprintf(key, sizeof key, "%sb%u", pair ? "2x" : "", bytes * 8 / (1 + pair));
		if (m->lds_widths[pair][bytes])
			json_int(list, key, m->lds_widths[pair][bytes]);
	}
}

cJSON *machine_object(const MachineResult *m)
{
	if (!m->run) {
		cJSON *none = cJSON_CreateObject();
		cJSON_AddStringToObject(none, "missing", m->missing);
		return none;
	}
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "cpu", m->cpu);
	if (m->stands_for)
		cJSON_AddStringToObject(o, "stands_in_for", m->stands_for);
	if (m->left_out)
		cJSON_AddStringToObject(o, "left_out", m->left_out);
	JSON(o, *m, code_bytes, code_instructions, vgpr_spills, sgpr_spills);
	json_int(o, "instructions", machine_sum(m->run->total));
	json_int(o, "from_no_ir", m->run->unmapped);
	json_int(o, "assumed_blocks", m->run->nassumed);
	put_classes(o, "classes", m->run->total);
	put_lds_widths(o, m);
	return o;
}

void machine_line_keys(cJSON *line, const MachineResult *m, const u64 *count)
{
	static const u64 none[MC_COUNT];
	if (!m->run) {
		cJSON_AddNullToObject(line, "machine_instructions");
		cJSON_AddNullToObject(line, "machine");
		return;
	}
	json_int(line, "machine_instructions", machine_sum(count ? count : none));
	put_classes(line, "machine", count ? count : none);
}
