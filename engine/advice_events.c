/* Records of work-groups written anew, for advice: what the wavefronts would do after a change. */
#include "engine/advice.h"

void rewrite_begin(Rewrite *w, const Events *from)
{
	*w = (Rewrite){.from = from, .to = events_new()};
	w->to->lines = from->lines;
	w->to->fetch_bytes = from->fetch_bytes;
	w->to->shapes = shape_table_new();
}

void rewrite_word(Rewrite *w, u32 word) { array_push(&w->words, word); }

void rewrite_access(Rewrite *w, u32 ins, const LaneShape *s, u64 address)
{
	array_push(&w->words, EVENT_ACCESS | ins);
	array_push(&w->words, shape_intern(w->to->shapes, s));
	array_push(&w->words, (u32)address);
	array_push(&w->words, (u32)(address >> 32));
}

void rewrite_event(Rewrite *w, const EventWord *x)
{
	if (event_accesses(x))
		rewrite_access(w, x->ins, x->shape, x->address);
	else if (x->kind != EVENT_MASK)
		rewrite_word(w, x->word);
}

void rewrite_wave(Rewrite *w, u32 like)
{
	WaveEvents e = w->from->waves.v[like];
	e.n = w->words.n;
	e.words = event_pool_keep(&w->to->pool, w->words.v, e.n);
	w->words.n = 0;
	array_push(&w->to->waves, e);
}

Events *rewrite_end(Rewrite *w)
{
	for (u32 i = 0; i < w->to->waves.n; i++)
		w->to->waves.v[i].shapes = shape_table(w->to->shapes);
	array_free(&w->words);
	return w->to;
}

Events *events_with(const Advisor *a, ChangeAccess *change, void *ctx)
{
	const Events *from = a->base.profile->events;
	Rewrite w;
	if (!advice_can_time(a))
		return NULL;
	rewrite_begin(&w, from);
	i64 offset[MAX_WAVE];
	for (u32 i = 0; i < from->waves.n; i++) {
		for (EventWord x = {0}; event_next(&from->waves.v[i], &x);) {
			if (x.kind != EVENT_ACCESS) {
				rewrite_event(&w, &x);
				continue;
			}
			LaneShape shape = *x.shape;
			memcpy(offset, x.shape->offset, shape.lanes * sizeof *offset);
			shape.offset = offset;
			change(ctx, i, &x, &shape, offset, &x.address);
			if (shape.lanes)
				rewrite_access(&w, x.ins, &shape, x.address);
		}
		rewrite_wave(&w, i);
	}
	return rewrite_end(&w);
}
