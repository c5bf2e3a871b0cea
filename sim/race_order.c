/* What atomics order, in kernels with fences: see check_race.h. */
#include "sim/race.h"

/* The atomics on one address: what was released there. */
struct RaceSync {
	u64 address;
	u32 *clock; /* by work-group: how many of its releases */
	u32 last, news; /* group + 1 that was there last; RaceCheck.news then */
};

bool sim_synchronises(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_fence || p->ins.v[i].sync == SYNC_ORDERED)
			return true;
	return false;
}

static size_t lanes_of(const Machine *m) { return (size_t)m->waves_per_group * MAX_WAVE; }

void race_order_new(RaceCheck *c)
{
	const Machine *m = c->wk->m;
	c->acquired = xcalloc(m->ngroups + 1, sizeof *c->acquired);
	c->synced = xcalloc(lanes_of(m), sizeof *c->synced);
}

void race_order_free(RaceCheck *c)
{
	for (u32 i = 0; i < c->syncs.n; i++)
		free(c->syncs.v[i].clock);
	array_free(&c->syncs);
	hash_index_free(&c->sync_index);
	free(c->acquired);
	free(c->synced);
}

void race_order_clear(RaceCheck *c)
{
	const Machine *m = c->wk->m;
	memset(c->acquired, 0, m->ngroups * sizeof *c->acquired);
	memset(c->synced, 0, lanes_of(m) * sizeof *c->synced);
	c->released = 0;
	c->news++;
}

static RaceSync *sync_at(RaceCheck *c, u64 address)
{
	u64 hash = hash_mix(address * 0x9E3779B97F4A7C15u);
	for (u32 at = 0, i; hash_index_next(&c->sync_index, hash, &at, &i);)
		if (c->syncs.v[i].address == address)
			return &c->syncs.v[i];
	u64 bytes = c->wk->m->ngroups * sizeof *c->acquired;
	if (c->clock_bytes + bytes > c->most_clock_bytes) {
		c->clocks_full = true;
		race_lacks(c, LACK_clocks);
		return NULL;
	}
	c->clock_bytes += bytes;
	u32 *clock = xcalloc(c->wk->m->ngroups, sizeof *clock);
	hash_index_add(&c->sync_index, hash, c->syncs.n);
	array_push(&c->syncs, ((RaceSync){.address = address, .clock = clock}));
	return &c->syncs.v[c->syncs.n - 1];
}

void race_synchronise(RaceTouch *t, u64 address, u32 lane)
{
	RaceCheck *c = t->c;
	u64 n = c->wk->m->ngroups;
	c->synced[t->wave * MAX_WAVE + lane] = c->global.epoch + 1;
	if (t->mem->lds)
		return;
	RaceSync *s = sync_at(c, address);
	if (!s)
		return;
	if (s->last != t->group + 1 || s->news != c->news)
		for (u64 i = 0; i < n; i++) {
			c->news += s->clock[i] > c->acquired[i];
			c->acquired[i] = s->clock[i] > c->acquired[i] ? s->clock[i] : c->acquired[i];
			s->clock[i] = c->acquired[i];
		}
	s->last = t->group + 1;
	s->news = c->news;
	c->acquired[t->group] = s->clock[t->group] = ++c->released;
	t->event = race_event_now(c, t->mem, t->w, t->a);
}
