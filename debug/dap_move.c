/* Breakpoints, and going on and back, for an editor. */
#include "debug/dap_run.h"

/* ---- breakpoints ---- */

static void say_breakpoint(const Dap *d, cJSON *row, u32 id, const char *why)
{
	const Breakpoint *b = id ? debugger_breakpoint(d->g, id) : NULL;
	cJSON_AddBoolToObject(row, "verified", id != 0);
	if (!id)
		json_text(row, "message", why);
	if (id)
		cJSON_AddNumberToObject(row, "id", id);
	if (b && b->kind == BREAK_LINE)
		cJSON_AddNumberToObject(row, "line", b->line - d->lines_from_0);
}

void dap_add(Dap *d, cJSON *rows, u32 id, const cJSON *from, const char **why)
{
	bool good = id && debugger_condition(d->g, id, dap_text(from, "condition"), why);
	if (id && !good)
		debugger_delete(d->g, id);
	say_breakpoint(d, json_row(rows), good ? id : 0, *why);
}

/* Does a breakpoint lie in that file, as an editor names it? */
static bool in_file(const Dap *d, const Breakpoint *b, const char *path)
{
	u32 file;
	return b->kind == BREAK_LINE && debugger_line(d->g, path, 1, &file) && b->file == file;
}

void dap_forget(Dap *d, BreakKind kind, const char *path)
{
	u32 n;
	for (u32 i = 0; i < (debugger_breakpoints(d->g, &n), n);) {
		const Breakpoint *b = &debugger_breakpoints(d->g, &n)[i];
		if (kind == BREAK_LINE ? in_file(d, b, path) : b->kind == kind)
			debugger_delete(d->g, b->id);
		else
			i++;
	}
}

bool dap_breakpoints(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const cJSON *one, *list = dap_list(a, "breakpoints");
	const char *path = dap_text(cJSON_GetObjectItemCaseSensitive(a, "source"), "path");
	*why = "which source?";
	if (!path)
		return false;
	dap_forget(d, BREAK_LINE, path);
	cJSON *rows = cJSON_AddArrayToObject(body, "breakpoints");
	cJSON_ArrayForEach(one, list)
	{
		u32 line = dap_number(one, "line", 0) + d->lines_from_0;
		dap_add(d, rows, debugger_break_line(d->g, path, line, why), one, why);
	}
	return true;
}

bool dap_functions(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const cJSON *one, *list = dap_list(a, "breakpoints");
	dap_forget(d, BREAK_FUNCTION, NULL);
	cJSON *rows = cJSON_AddArrayToObject(body, "breakpoints");
	cJSON_ArrayForEach(one, list)
	{
		const char *name = dap_text(one, "name");
		dap_add(d, rows, debugger_break_function(d->g, name ? name : "", why), one, why);
	}
	return true;
}

bool dap_exceptions(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	const cJSON *one, *list = dap_list(a, "filters");
	u32 what = 0;
	(void)body;
	(void)why;
	cJSON_ArrayForEach(one, list)
		what |= cJSON_IsString(one) ? catch_named(one->valuestring) : 0;
	debugger_catch(d->g, what);
	return true;
}

/* ---- moving ---- */

bool dap_go(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	u32 thread = dap_number(a, "threadId", 0);
	Focus f = debugger_focus(d->g);
	(void)why;
	cJSON_AddBoolToObject(body, "allThreadsContinued", true);
	if (thread && thread - 1 != f.wave && thread - 1 < sim_debug_waves(debugger_sim(d->g))) {
		SimWave w = sim_debug_wave(debugger_sim(d->g), thread - 1);
		Mask lanes = w.mask ? w.mask : w.began;
		debugger_look(d->g, (Focus){.wave = thread - 1, .lane = mask_lowest(lanes)});
	}
	return true;
}

static void printed(Dap *d)
{
	Buf b = {0};
	debugger_printed(d->g, &b);
	if (b.n)
		dap_output(d, "stdout", b.v);
	array_free(&b);
}

static void ended(Dap *d)
{
	cJSON *body = cJSON_CreateObject();
	cJSON_AddNumberToObject(body, "exitCode", 0);
	dap_event(d, "exited", body);
	dap_event(d, "terminated", NULL);
}

static const char *reason(StopKind k)
{
	switch (k) {
	case STOP_BREAK: return "breakpoint";
	case STOP_WATCH: return "data breakpoint";
	case STOP_FINDING:
	case STOP_DIVERGENCE:
	case STOP_BARRIER: return "exception";
	case STOP_PAUSE: return "pause";
	case STOP_ITEM:
	case STOP_BEGIN: return "entry";
	default: return "step";
	}
}

static void stopped(Dap *d, const DebugStop *s)
{
	Buf text = {0};
	cJSON *body = cJSON_CreateObject();
	printed(d);
	d->refs.n = 0;
	d->finding = s->kind == STOP_FINDING ? s->finding : NULL;
	show_stop(d->g, s, &text);
	while (text.n && text.v[text.n - 1] == '\n')
		text.v[--text.n] = 0;
	json_text(body, "reason", reason(s->kind));
	if (text.n) {
		json_text(body, "description", text.v);
		json_text(body, "text", text.v);
	}
	cJSON_AddNumberToObject(body, "threadId", debugger_focus(d->g).wave + 1);
	cJSON_AddBoolToObject(body, "allThreadsStopped", true);
	if (s->kind == STOP_BREAK || s->kind == STOP_WATCH) {
		cJSON *ids = cJSON_AddArrayToObject(body, "hitBreakpointIds");
		cJSON_AddItemToArray(ids, cJSON_CreateNumber(s->id));
	}
	dap_event(d, "stopped", body);
	array_free(&text);
}

static void move(Dap *d, Move m)
{
	m.pause = dap_asks_pause;
	m.ctx = d;
	DebugStop s = debugger_move(d->g, &m);
	if (d->gone)
		return;
	if (s.kind == STOP_END && !d->stop_on_exit) {
		printed(d);
		ended(d);
	} else {
		stopped(d, &s);
	}
}

void dap_begin(Dap *d, const cJSON *a)
{
	(void)a;
	if (d->configured)
		return;
	d->configured = true;
	const u64 *first = debugger_launch(d->g)->offset;
	if (d->stop_on_entry)
		move(d, (Move){.kind = MOVE_ITEM, .item = {first[0], first[1], first[2]}});
	else
		move(d, (Move){.kind = MOVE_ON});
}

static void step(Dap *d, const cJSON *a, MoveKind kind, bool back)
{
	const char *grain = dap_text(a, "granularity");
	bool one = dap_flag(a, "singleThread", false);
	move(d, (Move){.kind = grain && !strcmp(grain, "instruction") ? MOVE_INS : kind,
	               .scope = one ? SCOPE_WAVE : d->stepping,
	               .back = back});
}

void dap_continue(Dap *d, const cJSON *a)
{
	(void)a;
	move(d, (Move){.kind = MOVE_ON});
}
void dap_next(Dap *d, const cJSON *a) { step(d, a, MOVE_OVER, false); }
void dap_step_in(Dap *d, const cJSON *a) { step(d, a, MOVE_LINE, false); }
void dap_step_out(Dap *d, const cJSON *a) { step(d, a, MOVE_OUT, false); }
void dap_step_back(Dap *d, const cJSON *a) { step(d, a, MOVE_OVER, true); }
void dap_reverse_continue(Dap *d, const cJSON *a)
{
	(void)a;
	move(d, (Move){.kind = MOVE_ON, .back = true});
}

/* It stands already: what runs is paused by dap_asks_pause. */
void dap_pause(Dap *d, const cJSON *a) { (void)d, (void)a; }
