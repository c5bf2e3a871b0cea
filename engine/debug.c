/* Going on and going back, and the life of a debugger: see debug.h. What was executed is executed again by
 * debug_history.c. */
#include "engine/debug_run.h"

enum { LOOKS = 1 << 12 }; /* instructions from one question for a pause to the next */

/* ---- where a move ends ---- */

typedef struct Going {
	const Move *move;
	u64 group, depth;
	u32 wave, lane, line, file;
	bool moved; /* the wavefront executed something, or is past the barrier at which it waited */
	bool waited;
	u32 over; /* what the wavefront executed last in no function that was called meanwhile */
	u64 asked;
} Going;

/* Of the kernel itself, which may be called by what the launch begins with; that of its first line. */
static u64 kernel_depth(const Debugger *g)
{
	return g->first == NO_INS ? 0 : (u64)(function_of(g, g->first) != 0) << 32 | g->inlined[g->first];
}

static Going going(const Debugger *g, const Move *m, u32 wave)
{
	Going x = {.move = m, .wave = wave, .lane = g->focus.lane};
	u32 id[3];
	x.group = sim_debug_group(g->sim, id);
	const SrcLoc *at = sim_debug_over(g->sim) ? NULL : place_of(g, sim_debug_wave(g->sim, x.wave).ins);
	x.waited = !sim_debug_over(g->sim) && sim_debug_wave(g->sim, x.wave).state == SIM_AT_BARRIER;
	x.line = at ? at->line : 0;
	x.file = at ? at->file : 0;
	x.depth = sim_debug_over(g->sim) ? 0 : depth_of(g, x.wave);
	SimWave w = sim_debug_wave(g->sim, x.wave);
	/* As if in the kernel's first line. */
	if (!sim_debug_over(g->sim) && w.last == NO_INS && !at && g->first != NO_INS) {
		at = place_of(g, g->first);
		x.line = at->line;
		x.file = at->file;
		x.depth = kernel_depth(g);
	}
	return x;
}

/* Is the next instruction the first in the source of the wavefront that has the work-item? */
static bool item_here(const Debugger *g, const u64 want[3])
{
	u32 wave = sim_debug_current(g->sim);
	SimWave w = sim_debug_wave(g->sim, wave);
	bool first = w.last == NO_INS && (place_of(g, w.ins) || g->p->locs.n <= 1);
	for (Mask m = first ? w.began : 0; m; m = mask_drop(m)) {
		u64 global[3], local[3];
		sim_debug_item(g->sim, wave, mask_lowest(m), global, local);
		if (!memcmp(global, want, sizeof global))
			return true;
	}
	return false;
}

/* A position of the wavefront at which stepping by lines may stop. */
static bool line_here(const Debugger *g, const Going *x, const SimWave *w)
{
	const SrcLoc *at = place_of(g, w->ins);
	u64 depth = depth_of(g, x->wave);
	bool here = at && w->state != SIM_AT_BARRIER;
	if (x->move->scope == SCOPE_LANE)
		here = here && (w->mask & mask_lane(x->lane)) != 0;
	switch (x->move->kind) {
	case MOVE_OUT: return here && depth < x->depth;
	case MOVE_OVER: here = here && depth <= x->depth; /* fall through */
	default: return here && (at->line != x->line || at->file != x->file || depth != x->depth);
	}
}

/* After an instruction: is the move over? */
static bool arrived(Debugger *g, Going *x, DebugStop *out)
{
	const Move *m = x->move;
	u32 id[3];
	*out = (DebugStop){.kind = STOP_STEP, .wave = x->wave, .lane = NO_LANE, .ins = NO_INS};
	if (m->kind == MOVE_ITEM) {
		out->kind = STOP_ITEM;
		out->wave = sim_debug_current(g->sim);
		return item_here(g, m->item);
	}
	if (m->kind == MOVE_COUNT)
		out->wave = sim_debug_current(g->sim);
	if (m->kind == MOVE_COUNT || m->kind == MOVE_ON)
		return m->kind == MOVE_COUNT && sim_debug_count(g->sim) >= m->count;
	if (sim_debug_group(g->sim, id) != x->group) {
		*out = (DebugStop){.kind = STOP_GROUP, .wave = 0, .lane = NO_LANE, .ins = NO_INS};
		return true;
	}
	SimWave w = sim_debug_wave(g->sim, x->wave);
	if (w.state == SIM_ENDED) {
		*out =
		    (DebugStop){.kind = STOP_GROUP, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
		return true;
	}
	x->moved |= g->last.wave == x->wave || (x->waited && w.state == SIM_READY);
	if (!x->moved)
		return false;
	if (m->scope == SCOPE_GROUP && w.state == SIM_AT_BARRIER) /* the others have their turns */
		return true;
	if (m->kind == MOVE_INS)
		return w.state == SIM_READY && (m->scope != SCOPE_LANE || (w.mask & mask_lane(x->lane)));
	return line_here(g, x, &w);
}

static bool paused(Going *x) { return x->move->pause && !(++x->asked % LOOKS) && x->move->pause(x->move->ctx); }

static DebugStop end_stop(void) { return (DebugStop){.kind = STOP_END, .lane = NO_LANE, .ins = NO_INS}; }

static DebugStop forward(Debugger *g, const Move *m)
{
	Going x = going(g, m, g->focus.wave);
	DebugStop stop;
	bool by_wave = m->kind != MOVE_ON && m->kind != MOVE_ITEM && m->kind != MOVE_COUNT;
	for (;;) {
		if (by_wave)
			history_choose(g, x.wave);
		if (!history_next(g))
			return end_stop();
		if (stops_here(g, true, &stop))
			return stop;
		if (sim_debug_over(g->sim))
			return end_stop();
		if (arrived(g, &x, &stop))
			return stop;
		if (paused(&x))
			return (DebugStop){
			    .kind = STOP_PAUSE, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
	}
}

/* ---- back ---- */

/* Is the present state, which lies before the one that it goes back from, where it stops? */
static bool back_here(Debugger *g, const Going *x, DebugStop *out)
{
	const Move *m = x->move;
	u32 id[3];
	if (m->kind == MOVE_ON || m->kind == MOVE_ITEM) {
		*out =
		    (DebugStop){.kind = STOP_ITEM, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
		return m->kind == MOVE_ON ? stops_here(g, false, out) : item_here(g, m->item);
	}
	*out = (DebugStop){.kind = STOP_STEP, .wave = x->wave, .lane = NO_LANE, .ins = NO_INS};
	if (sim_debug_group(g->sim, id) != x->group || sim_debug_current(g->sim) != x->wave)
		return false;
	SimWave w = sim_debug_wave(g->sim, x->wave);
	bool active = m->scope != SCOPE_LANE || (w.mask & mask_lane(x->lane));
	u64 depth = depth_of(g, x->wave);
	switch (m->kind) {
	case MOVE_INS: return active;
	case MOVE_OUT: return active && depth < x->depth && place_of(g, w.ins);
	case MOVE_OVER: return active && depth <= x->depth && other_line(g, x->over, w.ins);
	default: return active && other_line(g, w.last, w.ins);
	}
}

/* What it executed last at no greater depth than where it goes back from. */
static u32 over_at(const Debugger *g, const Going *x)
{
	SimWave w = sim_debug_wave(g->sim, x->wave);
	u32 depth = (u32)(x->depth >> 32), ins;
	if (w.depth <= depth)
		return w.last;
	ins = sim_debug_frame(g->sim, x->wave, w.depth - depth);
	return place_of(g, ins) ? ins : NO_INS;
}

static void note_over(const Debugger *g, Going *x)
{
	u32 ins = sim_debug_next(g->sim);
	if (sim_debug_current(g->sim) == x->wave && depth_of(g, x->wave) <= x->depth && place_of(g, ins))
		x->over = ins;
}

/* Where one goes back to: counts of instructions + 1, 0: nowhere. */
typedef struct Back {
	Going x;
	u64 to, beyond; /* by lines and instructions `beyond` is where it would go to from `to` */
	DebugStop stop; /* at `to` */
} Back;

/* Executes again from the last copy before `limit` to there, and notes the states at which these stop. What led to the
 * copy is not known: unless the launch begins there, it is left to the copy before. Where the copy is; *group_done: it
 * is of an earlier work-group. */
static u64 scan_back(Debugger *g, Back *all, u32 n, u64 limit, bool *group_done, bool *pause)
{
	const SimState *from = history_before(g, limit > 2 ? limit - 2 : 0);
	u64 begin = sim_state_count(from), (*seen)[2] = xcalloc(n, sizeof *seen);
	u32 id[3];
	history_restore(g, from);
	*group_done = sim_debug_group(g->sim, id) != all->x.group;
	for (u32 i = 0; i < n; i++)
		all[i].x.over = over_at(g, &all[i].x);
	while (sim_debug_count(g->sim) < limit && !*pause) {
		DebugStop here;
		u64 count = sim_debug_count(g->sim);
		history_follow(g);
		u32 i = n > 1 ? sim_debug_current(g->sim) : 0;
		if (i < n && (count > begin || !begin) && back_here(g, &all[i].x, &here)) {
			seen[i][1] = seen[i][0];
			seen[i][0] = count + 1;
			if (!all[i].to)
				all[i].stop = here;
		}
		if (i < n)
			note_over(g, &all[i].x);
		*pause = paused(&all->x);
		history_step(g);
	}
	for (u32 i = 0; i < n; i++) {
		u64 first = all[i].to ? seen[i][0] : seen[i][1];
		all[i].beyond = all[i].beyond ? all[i].beyond : first;
		all[i].to = all[i].to ? all[i].to : seen[i][0];
	}
	free(seen);
	return begin;
}

/* The earliest to which each goes back once at most: exactly one step of a group, if it came by that. */
static u64 each_once(const Back *all, u32 n)
{
	u64 beyond = 0, to = 0;
	for (u32 i = 0; i < n; i++)
		beyond = all[i].beyond > beyond ? all[i].beyond : beyond;
	for (u32 i = 0; i < n; i++)
		if (all[i].to > beyond && (!to || all[i].to < to))
			to = all[i].to;
	return to;
}

/* The last state before the present one at which it stops. */
static DebugStop backward(Debugger *g, const Move *m)
{
	bool by_wave = m->kind != MOVE_ON && m->kind != MOVE_ITEM, group_done = false, pause = false, done = false;
	u32 own = g->focus.wave, n = m->scope == SCOPE_GROUP && by_wave ? sim_debug_waves(g->sim) : 1;
	u64 now = sim_debug_count(g->sim), limit = now;
	Back *all = xcalloc(n, sizeof *all);
	for (u32 i = 0; i < n; i++)
		all[i].x = going(g, m, n > 1 ? i : own);
	while (limit && !done && !pause && !(by_wave && group_done)) {
		u64 begin = scan_back(g, all, n, limit, &group_done, &pause);
		limit = begin ? begin + 1 : 0;
		for (u32 i = 0; i < n; i++)
			done |= (n > 1 ? all[i].beyond : all[i].to) != 0;
	}
	u64 to = each_once(all, n);
	DebugStop stop =
	    n == 1 ? all->stop : (DebugStop){.kind = STOP_STEP, .wave = own, .lane = NO_LANE, .ins = NO_INS};
	free(all);
	if (pause || (!to && by_wave)) {
		history_seek(g, now);
		return (DebugStop){
		    .kind = pause ? STOP_PAUSE : STOP_BEGIN, .wave = own, .lane = NO_LANE, .ins = NO_INS};
	}
	history_seek(g, to ? to - 1 : 0);
	history_follow(g);
	if (!to)
		stop =
		    (DebugStop){.kind = STOP_BEGIN, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
	return stop;
}

/* ---- a move ---- */

/* Look at what stopped. */
static void look_at(Debugger *g, const DebugStop *s)
{
	Focus f = {.wave = sim_debug_over(g->sim) ? sim_debug_current(g->sim) : s->wave, .lane = g->lane};
	SimWave w = sim_debug_wave(g->sim, f.wave);
	if (s->lane != NO_LANE)
		f.lane = g->lane = s->lane;
	else if (w.mask && !(w.mask & mask_lane(f.lane)))
		f.lane = mask_lowest(w.mask);
	g->focus = f;
}

/* Each wavefront of the work-group that can run, in their order: to its next line, its end, or a barrier. Out of a
 * function only those that are in one. */
static DebugStop group_forward(Debugger *g, const Move *m)
{
	u32 id[3], own = g->focus.wave, n = sim_debug_waves(g->sim);
	u64 group = sim_debug_group(g->sim, id);
	bool *ready = xcalloc(n, sizeof *ready), same = true;
	DebugStop s = {.kind = STOP_STEP};
	for (u32 i = 0; i < n; i++)
		ready[i] = sim_debug_wave(g->sim, i).state == SIM_READY &&
		           (m->kind != MOVE_OUT || going(g, m, i).depth > kernel_depth(g));
	for (u32 i = 0; i < n && same; i++) {
		if (!ready[i])
			continue;
		g->focus = (Focus){.wave = i, .lane = g->focus.lane};
		s = forward(g, m);
		same = s.kind == STOP_STEP ||
		       (s.kind == STOP_GROUP && !sim_debug_over(g->sim) && sim_debug_group(g->sim, id) == group);
	}
	free(ready);
	if (same && sim_debug_wave(g->sim, own).state != SIM_ENDED)
		s = (DebugStop){.kind = STOP_STEP, .wave = own, .lane = NO_LANE, .ins = NO_INS};
	return s;
}

/* Is it of a work-group that was not begun yet? */
static bool before_item(const Debugger *g, const u64 item[3])
{
	const SimLaunch *l = &g->run->sim;
	u64 id[3], groups[3];
	u32 now[3];
	for (u32 i = 0; i < 3; i++) {
		id[i] = (item[i] - l->offset[i]) / l->local[i];
		groups[i] = (l->global[i] + l->local[i] - 1) / l->local[i];
	}
	u64 n = l->exchanged ? (id[2] * groups[0] + id[0]) * groups[1] + id[1]
	                     : (id[2] * groups[1] + id[1]) * groups[0] + id[0];
	return !sim_debug_over(g->sim) && sim_debug_group(g->sim, now) < n;
}

static void look_at_item(Debugger *g, const u64 item[3])
{
	for (u32 w = 0; w < sim_debug_waves(g->sim); w++)
		for (Mask m = sim_debug_wave(g->sim, w).began; m; m = mask_drop(m)) {
			u64 global[3], local[3];
			sim_debug_item(g->sim, w, mask_lowest(m), global, local);
			if (!memcmp(global, item, sizeof global))
				g->focus = (Focus){.wave = w, .lane = g->lane = mask_lowest(m)};
		}
}

static DebugStop to_item(Debugger *g, const Move *m)
{
	DebugStop s = {.kind = STOP_ITEM, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
	if (!sim_debug_over(g->sim) && item_here(g, m->item))
		return s;
	return before_item(g, m->item) ? forward(g, m) : backward(g, m);
}

DebugStop debugger_move(Debugger *g, const Move *m)
{
	DebugStop s;
	if (m->kind == MOVE_COUNT && m->count < sim_debug_count(g->sim)) {
		history_seek(g, m->count);
		history_follow(g);
		s = (DebugStop){.kind = STOP_STEP, .wave = sim_debug_current(g->sim), .lane = NO_LANE, .ins = NO_INS};
	} else if (m->kind == MOVE_ITEM) {
		s = to_item(g, m);
	} else if (m->back) {
		s = sim_debug_count(g->sim) ? backward(g, m)
		                            : (DebugStop){.kind = STOP_BEGIN, .wave = g->focus.wave, .lane = NO_LANE};
	} else if (sim_debug_over(g->sim)) {
		return end_stop();
	} else {
		s = m->scope == SCOPE_GROUP ? group_forward(g, m) : forward(g, m);
	}
	look_at(g, &s);
	if (s.kind == STOP_ITEM)
		look_at_item(g, m->item);
	return s;
}

u64 debugger_count(const Debugger *g) { return sim_debug_count(g->sim); }

/* ---- what is looked at ---- */

Focus debugger_focus(const Debugger *g) { return g->focus; }

bool debugger_look(Debugger *g, Focus f)
{
	if (f.wave >= sim_debug_waves(g->sim) || f.lane >= g->run->wave ||
	    !(sim_debug_wave(g->sim, f.wave).began & mask_lane(f.lane)))
		return false;
	if (f.frame) {
		DebugFrame all[64];
		if (f.frame >= debugger_frames(g, f.wave, all, COUNT(all)))
			return false;
	}
	g->focus = f;
	g->lane = f.lane;
	return true;
}

const SimDebug *debugger_sim(const Debugger *g) { return g->sim; }
bool debugger_source(const Debugger *g) { return g->run->fe != NULL; }
const SimLaunch *debugger_launch(const Debugger *g) { return &g->run->sim; }

u32 debugger_lanes(const Debugger *g) { return g->run->wave; }
void debugger_printed(Debugger *g, Buf *out) { sim_debug_printed(g->sim, out); }
const Program *debugger_program(const Debugger *g) { return g->p; }
EngineRun *debugger_run(const Debugger *g) { return g->run; }
bool debugger_is_source(const Debugger *g) { return g->run->want.debug == FE_DEBUG_SOURCE && g->run->fe; }

/* ---- beginning and end ---- */

Debugger *debugger_open(EngineRun *run, Diag *d)
{
	Debugger *g = xcalloc(1, sizeof *g);
	g->run = run;
	g->p = run->program;
	g->arena = arena_new();
	g->own_sym = g->p->symbols ? NULL : symbols_new();
	g->sym = g->p->symbols ? g->p->symbols : g->own_sym;
	run_config(run, &g->cfg);
	g->cfg.check.races = run->want.check.when != CHECK_NEVER;
	g->sim = sim_debug_open(g->p, &run->sim, &g->cfg, d);
	if (!g->sim) {
		debugger_close(g);
		return NULL;
	}
	places_init(g);
	stops_init(g);
	values_init(g);
	history_forget(g);
	history_keep(g);
	return g;
}

void debugger_close(Debugger *g)
{
	if (!g)
		return;
	history_forget(g);
	array_free(&g->kept);
	array_free(&g->choices);
	array_free(&g->found);
	array_free(&g->types);
	array_free(&g->variables);
	stops_free(g);
	if (g->live)
		for (u32 r = 0; r < g->p->regs.n; r++)
			live_release(&g->live[r]);
	free(g->live);
	sim_debug_close(g->sim);
	symbols_free(g->own_sym);
	arena_free(g->arena);
	free(g);
}
