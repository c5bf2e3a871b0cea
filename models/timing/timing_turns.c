/* Whose turn it is: wavefronts by time, and lines before units. Who finds a unit busy stands in its
 * line; when it is free the oldest goes first, as chips choose. At one time the oldest has the
 * first turn, too. */
#include "models/timing/timing_impl.h"

static bool before(const Turn *a, const Turn *b)
{
	return a->t < b->t || (a->t <= b->t && a->age < b->age);
}

static void put(Sim *s, Turn x)
{
	Turn *h = s->turns;
	u32 i = s->nturns++;
	for (; i && before(&x, &h[(i - 1) / 2]); i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = x;
}

bool turns_next(Sim *s, Turn *out)
{
	Turn *h = s->turns;
	if (!s->nturns)
		return false;
	*out = h[0];
	Turn x = h[--s->nturns];
	u32 i = 0;
	for (u32 k; (k = 2 * i + 1) < s->nturns; i = k) {
		k += k + 1 < s->nturns && before(&h[k + 1], &h[k]);
		if (!before(&h[k], &x))
			break;
		h[i] = h[k];
	}
	h[i] = x;
	if (out->unit)
		out->unit->called = false;
	return true;
}

void turn_of_wave(Sim *s, u32 slot)
{
	const TimingWave *w = &s->waves[slot];
	put(s, (Turn){.t = w->t, .age = w->age, .slot = slot});
}

static void call(Sim *s, TimedUnit *u)
{
	if (u->n && !u->called)
		put(s, (Turn){.t = u->free, .age = s->waves[u->line[u->n - 1]].age, .unit = u});
	u->called = u->n > 0;
}

void wait_in_line(Sim *s, TimedUnit *u, u32 slot)
{
	u32 i = u->n++;
	for (; i && s->waves[u->line[i - 1]].age < s->waves[slot].age; i--)
		u->line[i] = u->line[i - 1];
	u->line[i] = slot;
	call(s, u);
}

bool line_next(Sim *s, TimedUnit *u, double now, u32 *slot)
{
	if (!u->n || u->free > now) {
		call(s, u);
		return false;
	}
	*slot = u->line[--u->n];
	return true;
}

void turns_new(Sim *s, u32 n)
{
	u32 cus = s->in->pools * s->cus_per_pool, simds = s->in->pools * s->simds_per_pool;
	u32 ports = cus * s->dev->lds_ports, units = simds * UNITS_OF_SIMD + ports + cus;
	u32 *lines = ARENA_ARRAY(s->arena, u32, (size_t)units * n + 1);
	s->simds = ARENA_ARRAY(s->arena, Simd, simds);
	s->port = ARENA_ARRAY(s->arena, TimedUnit, ports);
	s->address = ARENA_ARRAY(s->arena, TimedUnit, cus);
	s->turns = ARENA_ARRAY(s->arena, Turn, n + units);
	for (u32 i = 0; i < simds; i++) {
		Simd *d = &s->simds[i];
		TimedUnit *all[UNITS_OF_SIMD] = {&d->vector, &d->logic, &d->trans, &d->scalar,
		                            &d->memory, &d->lds, &d->branch, &d->issue};
		for (u32 k = 0; k < UNITS_OF_SIMD; k++, lines += n)
			all[k]->line = lines;
	}
	for (u32 i = 0; i < ports; i++, lines += n)
		s->port[i].line = lines;
	for (u32 i = 0; i < cus; i++, lines += n)
		s->address[i].line = lines;
}
