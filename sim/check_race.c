/* Races, as the machine sees them: see check_race.h. How they are found: race.h. */
#include "sim/check_screen.h"
#include "sim/race.h"

static size_t race_patterns(const Machine *m) { return (size_t)m->code->accesses.n * PATTERNS + 1; }

RaceCheck *race_new(const Worker *wk)
{
	const Machine *m = wk->m;
	Arena *a = arena_new();
	RaceCheck *c = xcalloc(1, sizeof *c);
	c->wk = wk;
	c->most_bytes = m->cfg->check.memory ? m->cfg->check.memory : SIM_CHECK_ROOM;
	c->most_clock_bytes = m->cfg->check.clocks ? m->cfg->check.clocks : SIM_CHECK_ROOM;
	c->suspects = m->cfg->check.suspects ? m->cfg->check.suspects : ~(u64)0;
	c->part = m->cfg->check.part;
	c->parts = m->cfg->check.parts ? m->cfg->check.parts : 1;
	c->tracked = xcalloc(m->nsegs + 1, sizeof *c->tracked);
	memcpy(c->tracked, stored_segs(m, a), m->nsegs * sizeof *c->tracked);
	arena_free(a);
	c->sync = sim_synchronises(m->p);
	if (m->cfg->check.screen) {
		c->screen = screen_new(wk, c->tracked, c->most_bytes, m->cfg->check.uninit);
		return c;
	}
	c->places = xcalloc(race_patterns(m), sizeof *c->places);
	race_memory_new(&c->lds, m, true);
	race_memory_new(&c->global, m, false);
	if (c->sync)
		race_order_new(c);
	return c;
}

void race_free(RaceCheck *c)
{
	if (!c)
		return;
	screen_free(c->screen);
	race_memory_free(&c->lds, c->wk->m);
	race_memory_free(&c->global, c->wk->m);
	race_order_free(c);
	race_values_free(c);
	for (size_t i = 0; c->places && i < race_patterns(c->wk->m); i++)
		free(c->places[i]);
	free(c->places);
	free(c->tracked);
	free(c);
}

void race_group_start(RaceCheck *c)
{
	if (c->screen) {
		screen_group_start(c->screen);
		return;
	}
	c->accesses = 0;
	c->global.epoch = c->lds.epoch = 0;
	c->global.any_within = c->lds.any_within = false;
	race_lds_clear(&c->lds, c->wk->m);
	c->lds.begun = c->lds.since = c->lds.events.n;
	c->global.begun = c->global.since = c->global.events.n;
	if (c->sync)
		race_order_clear(c);
	race_values_clear(c);
}

static void pass(RaceMemory *mem)
{
	mem->epoch++;
	mem->since = mem->events.n;
}

void race_barrier(RaceCheck *c, u32 flags)
{
	if (c->screen) {
		screen_barrier(c->screen, flags);
		return;
	}
	race_values_clear(c);
	if (!flags || (flags & FENCE_LDS))
		pass(&c->lds);
	if (!flags || (flags & FENCE_GLOBAL))
		pass(&c->global);
}

static void order_wave(RaceMemory *mem, u32 wave)
{
	mem->within[wave]++;
	mem->any_within = true;
}

void race_wave_barrier(RaceCheck *c, u32 wave, u32 flags)
{
	if (c->screen) /* what it finds is looked at again */
		return;
	if (!flags || (flags & FENCE_LDS))
		order_wave(&c->lds, wave);
	if (!flags || (flags & FENCE_GLOBAL))
		order_wave(&c->global, wave);
}

u64 race_suspects(const RaceCheck *c) { return c->screen ? screen_seen(c->screen) : 0; }

u64 race_suspected(const Machine *m, u64 suspects)
{
	Arena *a = arena_new();
	const bool *stored = stored_segs(m, a);
	u64 bytes = 0;
	for (u32 i = 0; i < m->nsegs; i++)
		bytes += stored[i] && (suspects & race_suspect(false, i)) ? m->segs[i].size : 0;
	arena_free(a);
	return bytes;
}

bool race_knows_unset(const RaceCheck *c, bool lds, u32 seg)
{
	return c && c->screen && screen_knows_unset(c->screen, lds, seg);
}
bool race_unset_seen(const RaceCheck *c) { return c && c->screen && screen_unset_seen(c->screen); }
CheckLack race_lack(const RaceCheck *c) { return c->lack; }

bool race_crowded(const Worker *workers, u32 n)
{
	u64 bytes = 0, events = 0, most = workers->races->most_bytes;
	bool lacks = false;
	for (u32 i = 0; i < n; i++) {
		const RaceCheck *c = workers[i].races;
		bytes += c->bytes;
		events += c->global.events.n;
		lacks |= c->lack != LACK_nothing;
	}
	/* Half of the bytes: of a page that one worker has by bytes and another by more kinds of accesses, one alone
	 * has all kinds by bytes. */
	return lacks || bytes > most / 2 || events > MOST_EVENTS;
}

/* ---- an access ---- */

/* May it be part of a race? *kind: as what it counts. */
static FORCE_INLINE bool watched(RaceCheck *c, const Wave *w, const Access *a, AccessKind *kind, bool lds, u32 seg)
{
	u8 sync = w->code->p->ins.v[a->ins].sync;
	if (!lds && !c->tracked[seg] && *kind == ACCESS_LOAD)
		return false;
	c->tracked[seg] |= !lds;
	/* Where a kernel has fences, volatile accesses are its atomics. */
	if (sync == SYNC_ATOMIC || sync == SYNC_ORDERED || (sync == SYNC_VOLATILE && c->sync))
		*kind = ACCESS_ATOMIC;
	return true;
}

/* False: there is nothing to do, or no room. */
static bool begin(RaceTouch *t, Wave *w, const Access *a, AccessKind kind, bool lds, u32 seg)
{
	RaceCheck *c = w->worker->races;
	bool orders = kind == ACCESS_ATOMIC && c->sync, look = c->suspects & race_suspect(lds, seg);
	if (!look && !orders)
		return false;
	*t = (RaceTouch){.c = c, .mem = lds ? &c->lds : &c->global, .w = w, .a = a, .kind = kind, .seg = seg,
	                 .base = lds ? 0 : (u64)seg << SEG_SHIFT, .orders = orders, .look = look,
	                 .group = (u32)w->group->linear, .wave = w->index};
	t->epoch = t->mem->epoch;
	t->event = race_event_now(c, t->mem, w, a);
	return t->event;
}

bool race_access(Wave *w, const WaveAccess *x)
{
	RaceTouch t;
	RaceCheck *c = w->worker->races;
	AccessKind kind = (AccessKind)x->kind;
	u32 seg = x->lds ? 0 : (u32)(x->first >> SEG_SHIFT);
	if (x->at || x->lds_at)
		return false; /* lane by lane: where the bytes move (memory_slow.c) */
	c->accesses++;
	if (!watched(c, w, x->a, &kind, x->lds, seg))
		return false;
	if (c->screen)
		return screen_access(c->screen, w, x, kind, seg) && !(x->kind == ACCESS_STORE && w->code->follow);
	if (!begin(&t, w, x->a, kind, x->lds, seg))
		return false;
	t.x = x;
	for (Mask m = t.orders ? x->mask : 0; m; m = mask_drop(m))
		race_synchronise(&t, access_at(x, mask_lowest(m)), mask_lowest(m));
	if (t.look)
		race_touch_wave(&t);
	return false;
}

void race_lane(Wave *w, const Access *a, AccessKind kind, const Place *p, u32 lane, u32 bytes, const void *value)
{
	RaceTouch t;
	RaceCheck *c = w->worker->races;
	bool lds = p->space == SPACE_LDS;
	u32 seg = lds ? 0 : (u32)(p->address >> SEG_SHIFT);
	bool reads = kind != ACCESS_STORE;
	u64 at = lds ? (u64)(p->bytes - w->group->lds) : p->address - ((u64)seg << SEG_SHIFT);
	if (p->space == SPACE_PRIVATE)
		return;
	c->accesses++;
	if (!watched(c, w, a, &kind, lds, seg))
		return;
	if (c->screen) {
		screen_lane(c->screen, w, kind, reads, lds, seg, at, lane, bytes);
		return;
	}
	if (!begin(&t, w, a, kind, lds, seg))
		return;
	t.value = value;
	if (t.orders)
		race_synchronise(&t, t.base + at, lane);
	if (t.look)
		race_touch_lane(&t, lane, at, bytes);
}
