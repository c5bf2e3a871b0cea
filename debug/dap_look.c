/* Threads, frames, variables, expressions, for an editor. */
#include "debug/dap_run.h"

#include <unistd.h>

enum { MOST_FRAMES = 64 };

/* ---- threads and frames ---- */

bool dap_threads(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const SimDebug *s = debugger_sim(d->g);
	cJSON *list = cJSON_AddArrayToObject(body, "threads");
	u32 id[3], n = sim_debug_waves(s);
	u64 group = sim_debug_group(s, id);
	(void)a;
	(void)why;
	for (u32 i = 0; i < n; i++) {
		static const char *const states[] = {"", ", at a barrier", ", has ended"};
		cJSON *t = json_row(list);
		cJSON_AddNumberToObject(t, "id", i + 1);
		json_text(t, "name",
		          arena_printf(d->arena, "group %llu, wavefront %u%s", (unsigned long long)group, i,
		                       states[sim_debug_wave(s, i).state]));
	}
	return true;
}

static void source_of(Dap *d, cJSON *row, u32 file)
{
	const char *name = debugger_program(d->g)->files.v[file];
	cJSON *source = cJSON_AddObjectToObject(row, "source");
	char *full = realpath(name, NULL);
	json_text(source, "name", path_name(name));
	json_text(source, "path", full ? full : name);
	if (!full) /* only we have its text */
		cJSON_AddNumberToObject(source, "sourceReference", file + 1);
	free(full);
}

bool dap_stack(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	DebugFrame all[MOST_FRAMES];
	u32 wave = dap_number(a, "threadId", 0) - 1, from = dap_number(a, "startFrame", 0),
	    levels = dap_number(a, "levels", 0);
	*why = "there is no such wavefront in the work-group";
	if (wave >= sim_debug_waves(debugger_sim(d->g)))
		return false;
	u32 n = debugger_frames(d->g, wave, all, COUNT(all));
	cJSON *list = cJSON_AddArrayToObject(body, "stackFrames");
	for (u32 i = from; i < n && (!levels || i - from < levels); i++) {
		cJSON *f = json_row(list);
		const SrcLoc *at = program_place(debugger_program(d->g), all[i].loc);
		cJSON_AddNumberToObject(f, "id", wave * MOST_FRAMES + i + 1);
		json_text(f, "name", all[i].function);
		cJSON_AddNumberToObject(f, "line", at ? at->line - d->lines_from_0 : 0);
		cJSON_AddNumberToObject(f, "column", at ? at->col - (at->col && d->columns_from_0) : 0);
		if (at)
			source_of(d, f, at->file);
	}
	cJSON_AddNumberToObject(body, "totalFrames", n);
	return true;
}

/* Of a frame's id; the lane that is looked at, in its own wavefront. */
bool dap_focus(const Dap *d, u32 id, Focus *f)
{
	Focus now = debugger_focus(d->g);
	*f = now;
	if (!id)
		return true;
	f->wave = (id - 1) / MOST_FRAMES;
	f->frame = (id - 1) % MOST_FRAMES;
	if (f->wave >= sim_debug_waves(debugger_sim(d->g)))
		return false;
	SimWave w = sim_debug_wave(debugger_sim(d->g), f->wave);
	Mask lanes = w.mask ? w.mask : w.began;
	if (f->wave != now.wave && !(lanes & mask_lane(f->lane)))
		f->lane = mask_lowest(lanes);
	return true;
}

/* ---- variables ---- */

static u32 reference(Dap *d, Ref r)
{
	array_push(&d->refs, r);
	return d->refs.n;
}

bool dap_scopes(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	static const struct {
		RefKind kind;
		const char *name, *hint;
	} all[] = {{REF_LOCALS, "Locals", "locals"}, {REF_PARAMETERS, "Parameters", "arguments"},
	           {REF_ALL, "All lanes", NULL},     {REF_LANES, "Lanes", NULL},
	           {REF_LDS, "Local memory", NULL},  {REF_BUFFERS, "Kernel arguments", NULL}};
	Focus f;
	*why = "there is no such frame";
	if (!dap_focus(d, dap_number(a, "frameId", 0), &f))
		return false;
	cJSON *list = cJSON_AddArrayToObject(body, "scopes");
	for (u32 i = 0; i < COUNT(all); i++) {
		cJSON *s = json_row(list);
		const char *name = all[i].name;
		if (all[i].kind == REF_LOCALS)
			name = arena_printf(d->arena, "Locals of lane %u", f.lane);
		json_text(s, "name", name);
		if (all[i].hint)
			json_text(s, "presentationHint", all[i].hint);
		cJSON_AddNumberToObject(s, "variablesReference", reference(d, (Ref){.kind = all[i].kind, .focus = f}));
		cJSON_AddBoolToObject(s, "expensive", all[i].kind == REF_LDS || all[i].kind == REF_ALL);
	}
	return true;
}

static void plain_row(cJSON *list, const char *name, const char *value)
{
	cJSON *v = json_row(list);
	json_text(v, "name", name);
	json_text(v, "value", value);
	cJSON_AddNumberToObject(v, "variablesReference", 0);
}

/* The value itself, its type, and a reference to its parts. */
static void value_of(Dap *d, cJSON *v, const char *key, Focus f, const DebugValue *x)
{
	Buf text = {0}, type = {0};
	debugger_type_name(d->g, x->type, &type);
	bool ok = debugger_value_text(d->g, f, x, &text);
	json_text(v, key, ok ? text.v : "<cannot be read>");
	json_text(v, "type", type.v);
	u32 n = debugger_parts(d->g, x);
	cJSON_AddNumberToObject(v, "variablesReference",
	                        n ? reference(d, (Ref){.kind = REF_VALUE, .focus = f, .value = *x}) : 0);
	if (n && debugger_types(d->g, x->type)->kind == SYM_ARRAY)
		cJSON_AddNumberToObject(v, "indexedVariables", n);
	array_free(&text);
	array_free(&type);
}

static void list_known(Dap *d, cJSON *list, const Ref *r)
{
	u32 n;
	const DebugVariable *known = debugger_variables(d->g, r->focus, &n);
	DebugVariable *all = arena_copy(d->arena, known, n * sizeof *known);
	for (u32 i = 0; i < n; i++) {
		if (!all[i].local || (r->kind != REF_ALL && all[i].parameter != (r->kind == REF_PARAMETERS)))
			continue;
		cJSON *v = json_row(list);
		json_text(v, "name", all[i].name);
		if (!all[i].known) {
			json_text(v, "value", "<optimised out>");
			cJSON_AddNumberToObject(v, "variablesReference", 0);
		} else if (r->kind == REF_ALL) {
			Ref one = {.kind = REF_ALL_ONE, .focus = r->focus, .name = arena_strdup(d->arena, all[i].name)};
			json_text(v, "value", "");
			cJSON_AddNumberToObject(v, "variablesReference", reference(d, one));
		} else {
			json_text(v, "evaluateName", all[i].name);
			value_of(d, v, "value", r->focus, &all[i].value);
		}
	}
}

/* One variable for each lane. */
static void list_lanes_of(Dap *d, cJSON *list, const Ref *r)
{
	const char *why;
	u32 at;
	DebugExpr *e = debugger_parse(d->g, r->name, &why, &at);
	SimWave w = sim_debug_wave(debugger_sim(d->g), r->focus.wave);
	for (Mask m = e ? w.began : 0; m; m = mask_drop(m)) {
		Focus f = r->focus;
		DebugValue v;
		Buf text = {0};
		f.lane = mask_lowest(m);
		bool ok = debugger_eval(d->g, e, f, &v, &why) && debugger_value_text(d->g, f, &v, &text);
		plain_row(list,
		          arena_printf(d->arena, "lane %u%s", f.lane, w.mask & mask_lane(f.lane) ? "" : " (waits)"),
		          ok ? text.v : why);
		array_free(&text);
	}
}

static void list_lanes(Dap *d, cJSON *list, const Ref *r)
{
	Buf b = {0};
	u64 global[3], local[3];
	char *rest = NULL;
	sim_debug_item(debugger_sim(d->g), r->focus.wave, r->focus.lane, global, local);
	plain_row(list, "lane", arena_printf(d->arena, "%u", r->focus.lane));
	plain_row(list, "global id",
	          arena_printf(d->arena, "(%llu, %llu, %llu)", (unsigned long long)global[0],
	                       (unsigned long long)global[1], (unsigned long long)global[2]));
	plain_row(list, "local id",
	          arena_printf(d->arena, "(%llu, %llu, %llu)", (unsigned long long)local[0],
	                       (unsigned long long)local[1], (unsigned long long)local[2]));
	show_mask(d->g, r->focus.wave, &b);
	plain_row(list, "mask", b.v);
	b.n = 0;
	show_waiting(d->g, r->focus.wave, &b);
	u32 i = 0;
	for (char *line = strtok_r(b.v, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), i++)
		if (i)
			plain_row(list, arena_printf(d->arena, "why %u", i), line + strspn(line, " "));
	array_free(&b);
}

static void list_memory(Dap *d, cJSON *list, const Ref *r)
{
	u32 n;
	const DebugVariable *known =
	    r->kind == REF_LDS ? debugger_lds(d->g, r->focus, &n) : debugger_arguments(d->g, r->focus, &n);
	DebugVariable *all = arena_copy(d->arena, known, n * sizeof *known);
	for (u32 i = 0; i < n; i++) {
		cJSON *v = json_row(list);
		json_text(v, "name", all[i].name);
		value_of(d, v, "value", r->focus, &all[i].value);
	}
}

static void list_parts(Dap *d, cJSON *list, const Ref *r, u32 from, u32 count)
{
	u32 n = debugger_parts(d->g, &r->value);
	for (u32 i = from; i < n && (!count || i - from < count); i++) {
		DebugValue part;
		Buf name = {0};
		cJSON *v = json_row(list);
		bool ok = debugger_part(d->g, r->focus, &r->value, i, &part, &name);
		json_text(v, "name", name.n ? name.v : "");
		if (ok)
			value_of(d, v, "value", r->focus, &part);
		array_free(&name);
	}
}

bool dap_variables(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	u32 at = dap_number(a, "variablesReference", 0);
	*why = "this reference is not known, or older than the last step";
	if (!at || at > d->refs.n)
		return false;
	Ref r = d->refs.v[at - 1];
	cJSON *list = cJSON_AddArrayToObject(body, "variables");
	switch (r.kind) {
	case REF_LOCALS:
	case REF_PARAMETERS:
	case REF_ALL: list_known(d, list, &r); break;
	case REF_ALL_ONE: list_lanes_of(d, list, &r); break;
	case REF_LANES: list_lanes(d, list, &r); break;
	case REF_LDS:
	case REF_BUFFERS: list_memory(d, list, &r); break;
	case REF_VALUE: list_parts(d, list, &r, dap_number(a, "start", 0), dap_number(a, "count", 0)); break;
	}
	return true;
}

/* ---- expressions, and commands of the console ---- */

bool dap_evaluate(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const char *text = dap_text(a, "expression"), *context = dap_text(a, "context");
	bool several;
	u32 at;
	DebugValue v;
	Focus f;
	*why = "there is nothing to evaluate";
	if (!text || !dap_focus(d, dap_number(a, "frameId", 0), &f))
		return false;
	DebugExpr *e = debugger_parse(d->g, text, why, &at);
	if (e && debugger_eval(d->g, e, f, &v, why)) {
		value_of(d, body, "result", f, &v);
		return true;
	}
	char *name = arena_strndup(d->arena, text, strcspn(text, " \t"));
	const Command *c = context && !strcmp(context, "repl") && *name ? command_find(name, &several) : NULL;
	if (!c || c->moves)
		return false;
	Focus was = debugger_focus(d->g);
	if (f.wave != was.wave || f.frame != was.frame)
		debugger_look(d->g, f);
	u32 failed = d->terminal.failed;
	d->terminal.out.n = 0;
	command_line(&d->terminal, text);
	*why = arena_strndup(d->arena, d->terminal.out.v ? d->terminal.out.v : "", d->terminal.out.n);
	json_text(body, "result", *why);
	cJSON_AddNumberToObject(body, "variablesReference", 0);
	return d->terminal.failed == failed;
}

/* Another lane: what the editor shows is out of date. */
void dap_evaluated(Dap *d, const cJSON *a)
{
	const char *text = dap_text(a, "expression"), *context = dap_text(a, "context");
	if (!d->invalidates || !text || !context || strcmp(context, "repl") ||
	    (strncmp(text, "lane ", 5) && strncmp(text, "wave ", 5)))
		return;
	cJSON *body = cJSON_CreateObject();
	cJSON *areas = cJSON_AddArrayToObject(body, "areas");
	cJSON_AddItemToArray(areas, cJSON_CreateString("variables"));
	dap_event(d, "invalidated", body);
}

bool dap_source(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	u32 file = dap_number(a, "sourceReference", 0);
	const cJSON *source = cJSON_GetObjectItemCaseSensitive(a, "source");
	const char *path = dap_text(source, "path");
	file = file ? file : dap_number(source, "sourceReference", 0);
	if (!file && path && debugger_line(d->g, path, 1, &file))
		file++;
	const char *text = file ? debugger_text(d->g, file - 1) : NULL;
	*why = "there is no text of this source";
	if (text)
		json_text(body, "content", text);
	return text;
}

bool dap_exception(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	Buf b = {0};
	(void)a;
	*why = "it did not stop at a finding";
	if (!d->finding)
		return false;
	show_finding(d->g, d->finding, &b);
	json_text(body, "exceptionId", finding_name[d->finding->kind]);
	json_text(body, "description", b.v);
	json_text(body, "breakMode", "always");
	array_free(&b);
	return true;
}
