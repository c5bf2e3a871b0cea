/* Machine code in the JSON report. Classes that did not occur are left out. */
#include "report/json_kit.h"
#include "report/resources.h"

#include <stdio.h>

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
	u64 n[2][17] = {{0}};
	for (u32 b = 0; b < m->code->blocks.n; b++) {
		const MachineBlock *k = &m->code->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const MachineIns *x = &m->code->ins.v[i];
			if (x->bytes && x->bytes <= 16)
				n[x->pair][x->bytes] += m->run->execs[b];
		}
	}
	cJSON *list = cJSON_AddObjectToObject(o, "lds_widths");
	for (u32 i = 0; i < 34; i++) {
		u32 pair = i / 17, bytes = i % 17;
		char key[16];
		snprintf(key, sizeof key, "%sb%u", pair ? "2x" : "", bytes * 8 / (1 + pair));
		if (n[pair][bytes])
			json_int(list, key, n[pair][bytes]);
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
	cJSON_AddStringToObject(o, "cpu", m->code->cpu);
	if (m->code->left_out)
		cJSON_AddStringToObject(o, "left_out", m->code->left_out);
	json_int(o, "code_bytes", m->code->code_bytes);
	json_int(o, "code_instructions", m->code->ins.n);
	json_int(o, "vgpr_spills", m->code->vgpr_spills);
	json_int(o, "sgpr_spills", m->code->sgpr_spills);
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
