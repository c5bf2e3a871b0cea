/* Copies of states: all that an instruction can change, but for what is said once (debug.h). Memory that no store of
 * the launch reached so far is left out: it is as when the launch began, of which there is always a copy. */
#include "sim/debug_run.h"

typedef struct SavedWave {
	Wave w; /* its arrays are copies */
	u8 *r, *priv;
} SavedWave;

struct SimState {
	u64 count, at, bytes;
	u32 current, waves;
	bool over, worker_over;
	Group group; /* its arrays are copies, lds too */
	SavedWave *wave;
	LdsWriter *writers;
	u32 *last;
	u8 **segs; /* by number; NULL: as when the launch began */
	u32 nsegs;
};

/* An array becomes a copy of another one, whatever it held is not its own. */
#define COPY_ARRAY(to, from) \
	do { \
		(to)->v = NULL; \
		(to)->n = (to)->cap = 0; \
		array_reserve((to), (from)->n); \
		if ((from)->n) \
			memcpy((to)->v, (from)->v, (from)->n * sizeof *(from)->v); \
		(to)->n = (from)->n; \
	} while (0)

static void *copy_bytes(const void *from, size_t n)
{
	void *to = xmalloc(n ? n : 1);
	if (n)
		memcpy(to, from, n);
	return to;
}

/* ---- wavefronts ---- */

static void arrays_copy(Wave *to, const Wave *from)
{
	COPY_ARRAY(&to->pending, &from->pending);
	COPY_ARRAY(&to->splits, &from->splits);
	COPY_ARRAY(&to->segments, &from->segments);
	COPY_ARRAY(&to->forks, &from->forks);
	COPY_ARRAY(&to->frames, &from->frames);
}

static size_t private_bytes(const Wave *w) { return (size_t)w->code->priv_bytes * w->n; }

static void wave_save(SavedWave *to, const Wave *w)
{
	to->w = *w;
	arrays_copy(&to->w, w);
	to->r = copy_bytes(w->r, w->code->reg_bytes);
	to->priv = copy_bytes(w->priv, private_bytes(w));
}

static void wave_restore(Wave *w, const SavedWave *from)
{
	Wave old = *w;
	wave_arrays_free(&old);
	*w = from->w;
	arrays_copy(w, &from->w);
	w->r = old.r;
	w->priv = old.priv;
	w->events.v = old.events.v;
	w->events.n = old.events.n;
	w->events.cap = old.events.cap;
	memcpy(w->r, from->r, w->code->reg_bytes);
	if (private_bytes(w))
		memcpy(w->priv, from->priv, private_bytes(w));
}

/* ---- the work-group ---- */

static void group_copy(Group *to, const Group *from)
{
	*to = *from;
	COPY_ARRAY(&to->copies, &from->copies);
	COPY_ARRAY(&to->waited, &from->waited);
	COPY_ARRAY(&to->prints, &from->prints);
	for (u32 i = 0; i < to->prints.n; i++)
		to->prints.v[i].text = copy_bytes(from->prints.v[i].text, from->prints.v[i].size);
}

static void group_free(Group *g)
{
	for (u32 i = 0; i < g->prints.n; i++)
		free(g->prints.v[i].text);
	array_free(&g->prints);
	array_free(&g->copies);
	array_free(&g->waited);
}

/* ---- the whole ---- */

SimState *sim_debug_save(const SimDebug *s)
{
	const Machine *m = &s->run.m;
	const Worker *wk = s->worker;
	SimState *x = xcalloc(1, sizeof *x);
	*x = (SimState){.count = s->count,
	                .at = wk->at,
	                .current = s->current,
	                .over = s->over,
	                .worker_over = wk->over,
	                .waves = group_waves(wk),
	                .nsegs = m->nsegs};
	group_copy(&x->group, &wk->group);
	x->group.lds = copy_bytes(wk->group.lds, m->lds_bytes);
	x->writers = copy_bytes(s->trace.lds, s->trace.nlds * sizeof *x->writers);
	x->last = copy_bytes(s->last, x->waves * sizeof *x->last);
	x->wave = xcalloc(x->waves + 1, sizeof *x->wave);
	for (u32 i = 0; i < x->waves; i++)
		wave_save(&x->wave[i], &wk->waves[i]);
	x->bytes = x->waves * (sizeof *x->wave + m->code->reg_bytes + (u64)m->code->priv_bytes * m->code->n) +
	           m->lds_bytes + s->trace.nlds * sizeof *x->writers;
	x->segs = xcalloc(m->nsegs + 1, sizeof *x->segs);
	for (u32 i = 1; i < m->nsegs; i++)
		if (m->segs[i].writable && (s->trace.dirty[i] || !s->first)) {
			x->segs[i] = copy_bytes(m->segs[i].data, m->segs[i].size);
			x->bytes += m->segs[i].size;
		}
	return x;
}

void sim_debug_restore(SimDebug *s, const SimState *x)
{
	const Machine *m = &s->run.m;
	Worker *wk = s->worker;
	u8 *lds = wk->group.lds;
	group_free(&wk->group);
	group_copy(&wk->group, &x->group);
	wk->group.lds = lds;
	if (m->lds_bytes)
		memcpy(lds, x->group.lds, m->lds_bytes);
	memcpy(s->trace.lds, x->writers, s->trace.nlds * sizeof *x->writers);
	memcpy(s->last, x->last, x->waves * sizeof *x->last);
	for (u32 i = 0; i < x->waves; i++)
		wave_restore(&wk->waves[i], &x->wave[i]);
	for (u32 i = 1; i < x->nsegs; i++) {
		const u8 *from = x->segs[i] ? x->segs[i] : s->first->segs[i];
		if (s->trace.dirty[i] && from && m->segs[i].size)
			memcpy(m->segs[i].data, from, m->segs[i].size);
	}
	group_ids(wk);
	wk->at = x->at;
	wk->over = x->worker_over;
	s->over = x->over;
	s->current = x->current;
	debug_at(s, x->count);
}

u64 sim_state_count(const SimState *x) { return x->count; }
u64 sim_state_bytes(const SimState *x) { return x->bytes; }

void sim_state_free(SimState *x)
{
	if (!x)
		return;
	for (u32 i = 0; i < x->waves; i++) {
		wave_arrays_free(&x->wave[i].w);
		free(x->wave[i].r);
		free(x->wave[i].priv);
	}
	for (u32 i = 1; i < x->nsegs; i++)
		free(x->segs[i]);
	free(x->group.lds);
	group_free(&x->group);
	free(x->segs);
	free(x->writers);
	free(x->last);
	free(x->wave);
	free(x);
}
