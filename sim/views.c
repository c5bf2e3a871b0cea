/* Machines that count along (SimConfig.views). What wavefronts do does not depend on how LDS is
 * banked, on which instructions the device's compiler makes of an LDS access, nor on the length of
 * a cache line; only the counts of accesses do. So one execution counts for any number of machines.
 *
 * Shapes are remembered (pattern.h), and with each what every view counts of it. Totals of
 * wavefronts (WaveProf) are the first machine's only. */
#include "sim/pattern.h"

void views_new(Machine *m, Arena *a)
{
	const SimConfig *cfg = m->cfg;
	const Code *c = m->code;
	m->finest_shift = m->coarsest_shift = m->line_shift;
	m->nviews = cfg->nviews;
	m->views = ARENA_ARRAY(a, View, cfg->nviews + 1);
	for (u32 i = 0; i < cfg->nviews; i++) {
		const SimView *from = &cfg->views[i];
		View *v = &m->views[i];
		*v = (View){.lds = &from->lds, .line_shift = (u32)__builtin_ctz(from->line_bytes)};
		v->ways = ARENA_ARRAY(a, LdsWay, c->accesses.n + 1);
		for (u32 k = 0; k < c->accesses.n; k++)
			v->ways[k] = lds_way(from->lds_plan, c->accesses.v[k].ins, c->accesses.v[k].bytes);
		if (v->line_shift < m->finest_shift)
			m->finest_shift = v->line_shift;
		if (v->line_shift > m->coarsest_shift)
			m->coarsest_shift = v->line_shift;
	}
}

static u32 index_of(const Wave *w, const Access *a) { return (u32)(a - w->code->accesses.v); }

static AccessProf *counters(const Wave *w, const Access *a, u32 view)
{
	return &w->worker->view_accesses[(size_t)view * w->code->accesses.n + index_of(w, a)];
}

static ViewCount *remembered(const Wave *w, const Pattern *p)
{
	return &w->worker->view_counts[(size_t)(p - w->worker->patterns) * w->worker->m->nviews];
}

void views_lds(Wave *w, const Access *a, bool write, bool atomic, Mask mask, const u32 *addr)
{
	const Machine *m = w->worker->m;
	for (u32 i = 0; i < m->nviews; i++) {
		const LdsWay *way = &m->views[i].ways[index_of(w, a)];
		lds_add(counters(w, a, i), way,
		        lds_count_access(m->views[i].lds, a->bytes, way, write, atomic, mask, addr));
	}
}

void views_pattern_lds(Wave *w, const Access *a, const Pattern *p, bool fresh, const u32 *addr, bool write)
{
	const Machine *m = w->worker->m;
	ViewCount *known = remembered(w, p);
	for (u32 i = 0; i < m->nviews; i++) {
		const LdsWay *way = &m->views[i].ways[index_of(w, a)];
		if (fresh)
			known[i].lds = lds_count_access(m->views[i].lds, a->bytes, way, write, false, p->mask, addr);
		lds_add(counters(w, a, i), way, known[i].lds);
	}
}

void views_lines(Wave *w, const Access *a, Mask mask, const u64 *addr)
{
	const Machine *m = w->worker->m;
	u32 active = mask_count(mask);
	for (u32 i = 0; i < m->nviews; i++) {
		u32 shift = m->views[i].line_shift, actual = lines_count(addr, a->bytes, mask, shift);
		lines_add(counters(w, a, i), a, active, lines_ideal((u64)active * a->bytes, actual, shift), actual);
	}
}

void views_lines_run(Wave *w, const Access *a, u64 first, u64 bytes, u32 active)
{
	const Machine *m = w->worker->m;
	for (u32 i = 0; i < m->nviews; i++) {
		u32 shift = m->views[i].line_shift;
		u32 actual = (u32)(((first + bytes - 1) >> shift) - (first >> shift) + 1);
		lines_add(counters(w, a, i), a, active, lines_ideal((u64)active * a->bytes, actual, shift), actual);
	}
}

void views_pattern_lines(Wave *w, const Access *a, const Pattern *p, bool fresh, const u64 *addr)
{
	const Machine *m = w->worker->m;
	ViewCount *known = remembered(w, p);
	for (u32 i = 0; i < m->nviews; i++) {
		u32 shift = m->views[i].line_shift;
		if (fresh) {
			known[i].actual = lines_count(addr, a->bytes, p->mask, shift);
			known[i].ideal = lines_ideal(w->active * a->bytes, known[i].actual, shift);
		}
		lines_add(counters(w, a, i), a, w->active, known[i].ideal, known[i].actual);
	}
}

void views_merge(Profile *out, const Machine *m, const Worker *workers, u32 n)
{
	const Code *c = m->code;
	out->nviews = m->nviews;
	out->views = xcalloc(m->nviews + 1, sizeof *out->views);
	for (u32 i = 0; i < m->nviews; i++) {
		ProfileView *v = &out->views[i];
		v->banks = m->views[i].lds->banks;
		v->line_bytes = 1u << m->views[i].line_shift;
		v->accesses = xcalloc(m->p->ins.n + 1, sizeof *v->accesses);
		v->lines = m->touched ? touched_count(m, m->views[i].line_shift) : (EventLines){0};
		for (u32 w = 0; w < n; w++)
			for (u32 k = 0; k < c->accesses.n; k++)
				access_merge(&v->accesses[c->accesses.v[k].ins],
				             &workers[w].view_accesses[(size_t)i * c->accesses.n + k]);
	}
}
