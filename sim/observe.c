/* What every executed access goes through; see observe.h. */
#include "sim/observe.h"

bool observe_wanted(const SimConfig *cfg)
{
	return cfg->record || cfg->nviews || cfg->check.races || cfg->check.uninit || cfg->uncounted;
}

static LdsCount banks_of(const View *v, const WaveAccess *x)
{
	u32 own[MAX_WAVE];
	const u32 *at = x->lds_at;
	if (x->p) {
		for (Mask m = x->mask; m; m = mask_drop(m))
			own[mask_lowest(m)] = (u32)access_at(x, mask_lowest(m));
		at = own;
	}
	return lds_count_access(v->lds, x->bytes, &v->ways[x->a->index], x->kind != ACCESS_LOAD,
	                        x->kind == ACCESS_ATOMIC, x->mask, at);
}

static u32 lines_of(const View *v, const WaveAccess *x)
{
	u64 own[MAX_WAVE], run = access_run(x);
	if (run)
		return lines_of_run(x->first, run, v->line_shift);
	for (Mask m = x->p ? x->mask : 0; m; m = mask_drop(m))
		own[mask_lowest(m)] = access_at(x, mask_lowest(m));
	return lines_count(x->p ? own : x->at, x->bytes, x->mask, v->line_shift);
}

ViewCount view_count(const View *v, const WaveAccess *x)
{
	ViewCount c = {0};
	if (x->lds) {
		c.lds = banks_of(v, x);
	} else {
		c.actual = lines_of(v, x);
		c.ideal = lines_ideal((u64)x->lanes * x->bytes, c.actual, v->line_shift);
	}
	return c;
}

void view_add(AccessProf *to, const View *v, const WaveAccess *x, const ViewCount *c)
{
	if (x->lds)
		lds_add(to, &v->ways[x->a->index], c->lds, 1);
	else
		lines_add(to, x->a, (u64)x->lanes * x->bytes, c->ideal, c->actual, 1);
}

static void use_settle(Worker *wk, const Access *a, PatternUse *use)
{
	if (a->space == SPACE_LDS)
		lds_add(&wk->accesses[a->index], &wk->m->own.ways[a->index], use->count.lds, use->times);
	else
		lines_add(&wk->accesses[a->index], a, use->asked, use->count.ideal, use->count.actual, use->times);
	use->times = 0;
}

void observe_settle(Worker *wk)
{
	const Code *c = wk->m->code;
	for (u32 i = 0; i < c->accesses.n; i++)
		for (u32 k = 0; k < PATTERNS; k++)
			if (wk->uses[(size_t)i * PATTERNS + k].times)
				use_settle(wk, &c->accesses.v[i], &wk->uses[(size_t)i * PATTERNS + k]);
}

/* What it counts, for those of its shape that follow. */
static void remember(Wave *w, const WaveAccess *x)
{
	const Machine *m = w->worker->m;
	PatternUse *use = pattern_use(w, x->a, x->p);
	if (use->times)
		use_settle(w->worker, x->a, use);
	use->counted = x->p->serial;
	use->phase = access_phase(w, x);
	use->asked = (u64)x->lanes * x->bytes;
	use->count = view_count(&m->own, x);
	if (m->nviews)
		views_remember(w, x);
}

void observe_count(Wave *w, const WaveAccess *x)
{
	if (x->p) {
		remember(w, x);
		counted_before(w, x);
		return;
	}
	const View *own = &w->worker->m->own;
	ViewCount c = view_count(own, x);
	view_add(&w->worker->accesses[x->a->index], own, x, &c);
	observe_sum(w, x, &c);
}
