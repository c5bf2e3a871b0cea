#include "report/json_kit.h"
#include "report/watch.h"

void watch_json(u64 run, const Result *r, const Diag *d, Buf *out)
{
	static const char *const levels[] = {[DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
	cJSON *root = cJSON_CreateObject(), *list;
	json_text(root, "schema", "wavesim-watch/1");
	json_int(root, "run", run);
	list = cJSON_AddArrayToObject(root, "messages");
	for (u32 i = 0; i < d->msgs.n; i++) {
		const DiagMsg *m = &d->msgs.v[i];
		cJSON *row = json_row(list);
		json_text(row, "level", levels[m->level]);
		json_text(row, "file", m->loc.file);
		json_int(row, "line", m->loc.line);
		json_int(row, "column", m->loc.col);
		json_text(row, "text", m->text);
		json_text(row, "hint", m->hint);
	}
	if (r)
		cJSON_AddItemToObject(root, "report", report_object(r));
	else
		cJSON_AddNullToObject(root, "report");
	json_put(root, true, out);
	buf_printf(out, "\n");
}
