/* Breakpoints, watched memory, catches: see debug.h. */
#include "engine/debug_run.h"

/* Does instruction i begin a run of its line in its block? */
static bool begins(const Debugger *g, const Block *b, u32 i)
{
	const SrcLoc *at = place_of(g, i), *before = i > b->first ? place_of(g, i - 1) : NULL;
	if (!before)
		return true;
	u32 f = function_scope(g, symbols_scope(g->sym, g->p->ins.v[i].loc)),
	    e = function_scope(g, symbols_scope(g->sym, g->p->ins.v[i - 1].loc));
	return before->line != at->line || before->file != at->file || e != f;
}

/* Instances of a template have its name, too. */
static bool is_named(const char *function, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(function, name, n) && (!function[n] || (n && function[n] == '<'));
}

/* Where a function begins: its first line, in each place that it was inlined into. */
static bool enters_function(const Debugger *g, u32 last, u32 ins, const char *name)
{
	const char *here = debugger_function_of(g, ins);
	if (!is_named(here, name) || !place_of(g, ins))
		return false;
	return last == NO_INS || !place_of(g, last) || strcmp(debugger_function_of(g, last), here);
}

static bool may_be_at(const Debugger *g, const Breakpoint *b, const Block *k, u32 i)
{
	const SrcLoc *at = place_of(g, i);
	switch (b->kind) {
	case BREAK_LINE: return at && at->line == b->line && at->file == b->file && begins(g, k, i);
	case BREAK_FUNCTION: return at && is_named(debugger_function_of(g, i), b->name);
	case BREAK_INS: return i == b->ins;
	case BREAK_WATCH: break;
	}
	return false;
}

static void mark_all(Debugger *g)
{
	for (u32 k = 0; k < g->p->blocks.n; k++) {
		const Block *b = &g->p->blocks.v[k];
		for (u32 i = b->first; i < b->first + b->n; i++) {
			g->flags[i] = g->p->ins.v[i].op == OP_barrier ? AT_BARRIER : 0;
			for (u32 x = 0; x < g->breaks.n; x++)
				if (!g->breaks.v[x].off && may_be_at(g, &g->breaks.v[x], b, i))
					g->flags[i] |= AT_BREAK;
		}
	}
	g->watches.n = g->watch_ids.n = 0;
	for (u32 x = 0; x < g->breaks.n; x++)
		if (!g->breaks.v[x].off && g->breaks.v[x].kind == BREAK_WATCH) {
			array_push(&g->watches, g->breaks.v[x].watch);
			array_push(&g->watch_ids, g->breaks.v[x].id);
		}
	sim_debug_watch(g->sim, g->watches.v, g->watches.n);
}

/* ---- the list ---- */

static u32 add(Debugger *g, Breakpoint b)
{
	b.id = ++g->next_id;
	array_push(&g->breaks, b);
	mark_all(g);
	return b.id;
}

u32 debugger_break_line(Debugger *g, const char *file, u32 line, const char **why)
{
	Breakpoint b = {.kind = BREAK_LINE, .asked = line};
	b.line = debugger_line(g, file, line, &b.file);
	if (b.line)
		return add(g, b);
	*why = arena_printf(g->arena, "there is no code at line %u of %s or behind it", line,
	                    file ? file : engine_path(g->run));
	return 0;
}

u32 debugger_break_function(Debugger *g, const char *name, const char **why)
{
	for (u32 i = 0; i < g->p->ins.n; i++)
		if (place_of(g, i) && is_named(debugger_function_of(g, i), name))
			return add(g, (Breakpoint){.kind = BREAK_FUNCTION, .name = arena_strdup(g->arena, name)});
	*why = arena_printf(g->arena, "the kernel runs no function '%s'", name);
	return 0;
}

u32 debugger_break_ins(Debugger *g, u32 ins, const char **why)
{
	if (ins < g->p->ins.n)
		return add(g, (Breakpoint){.kind = BREAK_INS, .ins = ins});
	*why = arena_printf(g->arena, "instructions are numbered from 0 to %u", g->p->ins.n - 1);
	return 0;
}

u32 debugger_watch(Debugger *g, const char *expression, const char **why)
{
	u32 at;
	DebugValue v;
	SimWatch place;
	DebugExpr *e = debugger_parse(g, expression, why, &at);
	if (!e || !debugger_eval(g, e, g->focus, &v, why))
		return 0;
	*why = DEBUG_UNWATCHABLE;
	return debugger_watchable(g, g->focus, &v, &place) ? debugger_watch_at(g, expression, place) : 0;
}

bool debugger_watchable(const Debugger *g, Focus f, const DebugValue *v, SimWatch *out)
{
	return v->place && sim_debug_watchable(g->sim, f.wave, v->space, v->address, g->types.v[v->type].bytes, out);
}

u32 debugger_watch_at(Debugger *g, const char *name, SimWatch place)
{
	return add(g, (Breakpoint){.kind = BREAK_WATCH, .name = arena_strdup(g->arena, name), .watch = place});
}

Breakpoint *debugger_breakpoint(Debugger *g, u32 id)
{
	for (u32 i = 0; i < g->breaks.n; i++)
		if (g->breaks.v[i].id == id)
			return &g->breaks.v[i];
	return NULL;
}

Breakpoint *debugger_breakpoints(Debugger *g, u32 *n)
{
	*n = g->breaks.n;
	return g->breaks.v;
}

bool debugger_condition(Debugger *g, u32 id, const char *condition, const char **why)
{
	u32 at;
	Breakpoint *b = debugger_breakpoint(g, id);
	DebugExpr *e = NULL;
	if (!b) {
		*why = "there is no such breakpoint";
		return false;
	}
	if (condition && *condition && !(e = debugger_parse(g, condition, why, &at)))
		return false;
	b->condition = e ? arena_strdup(g->arena, condition) : NULL;
	b->test = e;
	return true;
}

void debugger_switch(Debugger *g, u32 id, bool on)
{
	for (u32 i = 0; i < g->breaks.n; i++)
		if (!id || g->breaks.v[i].id == id)
			g->breaks.v[i].off = !on;
	mark_all(g);
}

void debugger_delete(Debugger *g, u32 id)
{
	u32 n = 0;
	for (u32 i = 0; i < g->breaks.n; i++)
		if (id && g->breaks.v[i].id != id)
			g->breaks.v[n++] = g->breaks.v[i];
	g->breaks.n = n;
	mark_all(g);
}

void debugger_catch(Debugger *g, u32 what) { g->catches = what; }
u32 debugger_catches(const Debugger *g) { return g->catches; }

/* ---- is this a stop? ---- */

/* Does the condition hold for a lane? The one looked at first. */
static bool holds(Debugger *g, const Breakpoint *b, u32 wave, Mask lanes, u32 *lane)
{
	*lane = NO_LANE;
	if (!b->test)
		return true;
	for (Mask m = lanes; m; m = mask_drop(m)) {
		DebugValue v;
		const char *why;
		Focus f = {.wave = wave, .lane = mask_lowest(m)};
		if (debugger_eval(g, b->test, f, &v, &why) && value_load(g, f, &v) && debug_truth(g, &v)) {
			*lane = f.lane;
			return true;
		}
	}
	return false;
}

static bool is_at(const Debugger *g, const Breakpoint *b, const SimWave *w)
{
	const SrcLoc *at = place_of(g, w->ins);
	switch (b->kind) {
	case BREAK_LINE: return at && at->line == b->line && at->file == b->file && enters_line(g, w->last, w->ins);
	case BREAK_FUNCTION: return enters_function(g, w->last, w->ins, b->name);
	case BREAK_INS: return w->ins == b->ins;
	case BREAK_WATCH: break;
	}
	return false;
}

static bool breaks_here(Debugger *g, bool hit, DebugStop *out)
{
	u32 wave = sim_debug_current(g->sim), lane;
	SimWave w = sim_debug_wave(g->sim, wave);
	bool any = false;
	for (u32 i = 0; i < g->breaks.n; i++) {
		Breakpoint *b = &g->breaks.v[i];
		if (b->off || !is_at(g, b, &w) || !holds(g, b, wave, w.mask, &lane))
			continue;
		b->hits += hit;
		if (!any)
			*out = (DebugStop){.kind = STOP_BREAK, .id = b->id, .wave = wave, .lane = lane, .ins = w.ins};
		any = true;
	}
	return any;
}

/* All that are hit count; the first is told. */
static bool watched_here(Debugger *g, bool hit, DebugStop *out)
{
	bool any = false;
	for (u32 i = 0; g->has_last && i < g->wrote.n; i++) {
		Breakpoint *b = debugger_breakpoint(g, g->wrote.v[i].id);
		if (!b || b->off)
			continue;
		b->hits += hit;
		if (!any)
			*out = (DebugStop){.kind = STOP_WATCH, .id = b->id, .wave = g->last.wave,
			                   .lane = g->wrote.v[i].lane, .ins = g->last.ins};
		any = true;
	}
	return any;
}

void note_watched(Debugger *g)
{
	g->wrote.n = 0;
	for (u32 i = 0; g->last.watched && i < g->watches.n; i++) {
		Mask lanes = g->watches.v[i].wrote;
		Breakpoint *b = lanes ? debugger_breakpoint(g, g->watch_ids.v[i]) : NULL;
		u32 lane;
		if (b && holds(g, b, g->last.wave, lanes, &lane))
			array_push(&g->wrote, ((WatchWrite){b->id, lane == NO_LANE ? mask_lowest(lanes) : lane}));
	}
}

FIELD_ORDER(by_count, FoundAt, count)

static bool found_here(Debugger *g, DebugStop *out)
{
	FoundAt key = {.count = sim_debug_count(g->sim)};
	u32 i = lower_bound(g->found.v, g->found.n, sizeof key, &key, by_count);
	if (i >= g->found.n || g->found.v[i].count != key.count)
		return false;
	const Finding *f = sim_debug_finding(g->sim, g->found.v[i].first);
	*out = (DebugStop){.kind = STOP_FINDING,
	                   .finding = f,
	                   .wave = f ? f->wave : 0,
	                   .lane = f ? f->lane : 0,
	                   .ins = f ? f->ins : NO_INS};
	return f;
}

bool stops_here(Debugger *g, bool hit, DebugStop *out)
{
	u32 group[3];
	/* Of a work-group that is over there is nothing to be seen: the wavefront is one of the next. */
	if (g->catches & CATCH_FINDING && g->found.n && found_here(g, out)) {
		if (sim_debug_group(g->sim, group) != out->finding->group)
			out->wave = sim_debug_current(g->sim), out->lane = NO_LANE;
		return true;
	}
	if (watched_here(g, hit, out))
		return true;
	if (g->catches & CATCH_DIVERGENCE && g->has_last && g->last.parted) {
		*out = (DebugStop){.kind = STOP_DIVERGENCE, .wave = g->last.wave, .lane = NO_LANE, .ins = g->last.ins};
		return true;
	}
	u32 wave = sim_debug_current(g->sim), ins = sim_debug_next(g->sim);
	if (ins == NO_INS || !g->flags[ins])
		return false;
	if (g->flags[ins] & AT_BREAK && breaks_here(g, hit, out))
		return true;
	*out = (DebugStop){.kind = STOP_BARRIER, .wave = wave, .lane = NO_LANE, .ins = ins};
	return g->catches & CATCH_BARRIER && g->flags[ins] & AT_BARRIER;
}

void stops_init(Debugger *g)
{
	g->flags = ARENA_ARRAY(g->arena, u8, g->p->ins.n + 1);
	mark_all(g);
}

void stops_free(Debugger *g)
{
	array_free(&g->breaks);
	array_free(&g->watches);
	array_free(&g->watch_ids);
	array_free(&g->wrote);
}
