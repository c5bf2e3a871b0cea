/* Memory that an editor watches. What it watches is told to it as a text, and comes back as that: "local 12 4 tile[3]",
 * four bytes from byte 12 on. */
#include "debug/dap_run.h"

/* A child of what a variablesReference stands for. */
static bool child(Dap *d, const Ref *r, const char *name, DebugValue *out)
{
	u32 n;
	bool found = false;
	if (r->kind == REF_VALUE) {
		n = debugger_parts(d->g, &r->value);
		for (u32 i = 0; i < n && !found; i++) {
			Buf part = {0};
			found =
			    debugger_part(d->g, r->focus, &r->value, i, out, &part) && part.v && !strcmp(part.v, name);
			array_free(&part);
		}
		return found;
	}
	const DebugVariable *all = r->kind == REF_LDS       ? debugger_lds(d->g, r->focus, &n)
	                           : r->kind == REF_BUFFERS ? debugger_arguments(d->g, r->focus, &n)
	                                                    : debugger_variables(d->g, r->focus, &n);
	for (u32 i = 0; i < n && !found; i++) {
		found = all[i].known && !strcmp(all[i].name, name);
		*out = all[i].value;
	}
	return found;
}

bool dap_data_info(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const char *name = dap_text(a, "name");
	u32 of = dap_number(a, "variablesReference", 0), at;
	Focus f;
	DebugValue v;
	SimWatch w;
	*why = "which variable?";
	if (!name || of > d->refs.n || !dap_focus(d, dap_number(a, "frameId", 0), &f))
		return false;
	f = of ? d->refs.v[of - 1].focus : f;
	DebugExpr *e = of ? NULL : debugger_parse(d->g, name, why, &at);
	bool known = of ? child(d, &d->refs.v[of - 1], name, &v) : e && debugger_eval(d->g, e, f, &v, why);
	if (!known || !debugger_watchable(d->g, f, &v, &w)) {
		cJSON_AddNullToObject(body, "dataId");
		json_text(body, "description", known || of ? DEBUG_UNWATCHABLE : *why);
		return true;
	}
	const char *space = w.lds ? "local" : "global";
	json_text(body, "dataId", arena_printf(d->arena, "%s %llu %llu %s", space, (unsigned long long)w.first,
	                                       (unsigned long long)w.bytes, name));
	json_text(body, "description", arena_printf(d->arena, "%s: %llu bytes of %s memory", name,
	                                            (unsigned long long)w.bytes, space));
	json_strings(body, "accessTypes", (const char *const[]){"write"}, 1);
	return true;
}

static u32 set(Dap *d, const char *id, const char **why)
{
	char space[8] = "";
	unsigned long long first, bytes;
	int n = 0;
	*why = "this was not said by dataBreakpointInfo";
	if (!id || sscanf(id, "%7s %llu %llu %n", space, &first, &bytes, &n) != 3 || !n || !bytes ||
	    bytes > UINT64_MAX - first)
		return 0;
	bool lds = !strcmp(space, "local");
	return lds || !strcmp(space, "global")
	           ? debugger_watch_at(d->g, id + n, (SimWatch){.lds = lds, .first = first, .bytes = bytes})
	           : 0;
}

bool dap_data(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const cJSON *one, *list = dap_list(a, "breakpoints");
	dap_forget(d, BREAK_WATCH, NULL);
	cJSON *rows = cJSON_AddArrayToObject(body, "breakpoints");
	cJSON_ArrayForEach(one, list)
		dap_add(d, rows, set(d, dap_text(one, "dataId"), why), one, why);
	return true;
}
