/* Machines that count along (SimConfig.views). What wavefronts do does not depend on how LDS is
 * banked, on which instructions the device's compiler makes of an LDS access, nor on the length of
 * a cache line; only the counts of accesses do. So one execution counts for any number of machines.
 *
 * Shapes are remembered (pattern.h), and with each what every view counts of it. Totals of
 * wavefronts (WaveProf) are the first machine's only. */
#include "sim/observe.h"

static void view_new(View *v, const Code *c, const SimView *of, Arena *a)
{
	*v = (View){.lds = &of->lds, .line_shift = (u32)__builtin_ctz(of->line_bytes)};
	v->fetch_shift = of->fetch_bytes ? (u32)__builtin_ctz(of->fetch_bytes) : v->line_shift;
	v->room_shift = of->room_bytes ? (u32)__builtin_ctz(of->room_bytes) : v->fetch_shift;
	v->ways = ARENA_ARRAY(a, LdsWay, c->accesses.n + 1);
	for (u32 k = 0; k < c->accesses.n; k++)
		v->ways[k] = lds_way(of->lds_plan, c->accesses.v[k].ins, c->accesses.v[k].bytes);
}

void views_new(Machine *m, Arena *a)
{
	const SimConfig *cfg = m->cfg;
	SimView *own = ARENA_NEW(a, SimView);
	*own = (SimView){cfg->lds, cfg->lds_plan, cfg->line_bytes, cfg->fetch_bytes, cfg->room_bytes};
	view_new(&m->own, m->code, own, a);
	m->finest_shift = m->own.fetch_shift;
	m->coarsest_shift = m->own.line_shift;
	m->nviews = cfg->nviews;
	m->views = ARENA_ARRAY(a, View, cfg->nviews + 1);
	for (u32 i = 0; i < cfg->nviews; i++) {
		View *v = &m->views[i];
		view_new(v, m->code, &cfg->views[i], a);
		if (v->fetch_shift < m->finest_shift)
			m->finest_shift = v->fetch_shift;
		if (v->line_shift > m->coarsest_shift)
			m->coarsest_shift = v->line_shift;
	}
}

static ViewCount *remembered(const Wave *w, const WaveAccess *x)
{
	size_t use = (size_t)(pattern_use(w, x->a, x->p) - w->worker->uses);
	return &w->worker->view_counts[use * w->worker->m->nviews];
}

void views_remember(Wave *w, const WaveAccess *x)
{
	const Machine *m = w->worker->m;
	for (u32 i = 0; i < m->nviews; i++)
		remembered(w, x)[i] = view_count(&m->views[i], x);
}

void views_access(Wave *w, const WaveAccess *x)
{
	const Machine *m = w->worker->m;
	const ViewCount *known = x->p && (x->lds || !access_run(x)) ? remembered(w, x) : NULL;
	for (u32 i = 0; i < m->nviews; i++) {
		ViewCount now;
		if (!known)
			now = view_count(&m->views[i], x);
		view_add(&w->worker->view_accesses[(size_t)i * w->code->accesses.n + x->a->index], &m->views[i], x,
		         known ? &known[i] : &now);
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
		v->fetch_bytes = 1u << m->views[i].fetch_shift;
		v->lines = workers->touched ? touched_count(workers, &m->views[i]) : (EventLines){0};
		for (u32 w = 0; w < n; w++)
			for (u32 k = 0; k < c->accesses.n; k++)
				access_merge(&v->accesses[c->accesses.v[k].ins],
				             &workers[w].view_accesses[(size_t)i * c->accesses.n + k]);
	}
}
