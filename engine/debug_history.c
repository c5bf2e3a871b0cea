/* Copies of states, and executing again from one: see debug.h.
 *
 * Whatever the launch does follows from which wavefronts were chosen when (Choice). Of where it came from there are
 * copies: the first, and others in steps of `interval` instructions; when there are too many or they take too much
 * memory, every second one goes and the interval doubles. So going back executes at most a fixed part of the launch
 * again. Going back a little more is cheap: one more copy lies close to where it went back to last. */
#include "engine/debug_run.h"

enum { MOST_KEPT = 64, FIRST_INTERVAL = 1 << 16, NEAR = 1 << 12 };
#define MOST_KEPT_BYTES ((u64)512 << 20)

/* ---- copies ---- */

void history_keep(Debugger *g)
{
	SimState *now = sim_debug_save(g->sim);
	array_push(&g->kept, now);
	g->kept_bytes += sim_state_bytes(now);
	while (g->kept.n > 2 && (g->kept.n > MOST_KEPT || g->kept_bytes > MOST_KEPT_BYTES)) {
		u32 n = 0;
		for (u32 i = 0; i < g->kept.n; i++) {
			if (!(i & 1)) {
				g->kept.v[n++] = g->kept.v[i];
				continue;
			}
			g->kept_bytes -= sim_state_bytes(g->kept.v[i]);
			sim_state_free(g->kept.v[i]);
		}
		g->kept.n = n;
		g->interval *= 2;
	}
}

static void forget_near(Debugger *g)
{
	sim_state_free(g->near);
	g->near = NULL;
}

void history_forget(Debugger *g)
{
	forget_near(g);
	for (u32 i = 0; i < g->kept.n; i++)
		sim_state_free(g->kept.v[i]);
	g->kept.n = 0;
	g->kept_bytes = 0;
	g->interval = FIRST_INTERVAL;
}

u64 debugger_kept(const Debugger *g, u32 *n)
{
	*n = g->kept.n + (g->near != NULL);
	return g->kept_bytes + (g->near ? sim_state_bytes(g->near) : 0);
}

/* The latest copy of a state before `count`, or at it. */
const SimState *history_before(const Debugger *g, u64 count)
{
	const SimState *best = g->kept.v[0];
	for (u32 i = 0; i < g->kept.n; i++)
		if (sim_state_count(g->kept.v[i]) <= count)
			best = g->kept.v[i];
	if (g->near && sim_state_count(g->near) <= count && sim_state_count(g->near) > sim_state_count(best))
		best = g->near;
	return best;
}

void history_restore(Debugger *g, const SimState *from)
{
	sim_debug_restore(g->sim, from);
	g->has_last = false;
}

/* ---- one instruction ---- */

FIELD_ORDER(by_count, Choice, count)

void history_follow(Debugger *g)
{
	if (!g->choices.n)
		return;
	Choice key = {.count = sim_debug_count(g->sim)};
	u32 i = lower_bound(g->choices.v, g->choices.n, sizeof key, &key, by_count);
	if (i < g->choices.n && g->choices.v[i].count == key.count)
		sim_debug_choose(g->sim, g->choices.v[i].wave);
}

bool history_step(Debugger *g)
{
	if (!sim_debug_step(g->sim, &g->last))
		return false;
	g->has_last = true;
	note_watched(g);
	u64 count = sim_debug_count(g->sim);
	if (g->last.findings) {
		array_push(&g->found, ((FoundAt){count, g->nfound, g->last.findings}));
		g->nfound += g->last.findings;
	}
	const SimState *newest = g->kept.v[g->kept.n - 1];
	if (!sim_debug_repeats(g->sim) && count >= sim_state_count(newest) + g->interval)
		history_keep(g);
	return true;
}

bool history_next(Debugger *g)
{
	history_follow(g);
	return history_step(g);
}

/* To where so many instructions were executed, back or on. */
void history_seek(Debugger *g, u64 target)
{
	if (target < sim_debug_count(g->sim)) {
		history_restore(g, history_before(g, target));
		if (target - sim_debug_count(g->sim) > 2 * NEAR) {
			while (sim_debug_count(g->sim) < target - NEAR && history_next(g))
				;
			forget_near(g);
			g->near = sim_debug_save(g->sim);
		}
	}
	while (sim_debug_count(g->sim) < target && history_next(g))
		;
}

/* A wavefront runs that did not run then: from here on it is another story. */
static void tell_anew(Debugger *g)
{
	u64 count = sim_debug_count(g->sim);
	u32 n = 0;
	while (n < g->choices.n && g->choices.v[n].count < count)
		n++;
	g->choices.n = n;
	history_forget(g);
	sim_debug_anew(g->sim);
	g->found.n = g->nfound = 0;
	g->has_last = false;
	history_keep(g);
	history_seek(g, count);
}

/* The next instruction is that of `wave`, if it can run. */
void history_choose(Debugger *g, u32 wave)
{
	history_follow(g);
	if (sim_debug_current(g->sim) == wave || sim_debug_wave(g->sim, wave).state != SIM_READY)
		return;
	if (sim_debug_repeats(g->sim))
		tell_anew(g);
	u64 count = sim_debug_count(g->sim);
	while (g->choices.n && g->choices.v[g->choices.n - 1].count >= count)
		g->choices.n--;
	array_push(&g->choices, ((Choice){count, wave}));
	sim_debug_choose(g->sim, wave);
}
