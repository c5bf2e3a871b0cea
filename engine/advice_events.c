/* Records of work-groups written anew, for advice: what the wavefronts would do after a change. */
#include "engine/advice.h"

void rewrite_begin(Rewrite *w, const Events *from)
{
	*w = (Rewrite){.from = from, .to = events_new()};
	w->to->lines = from->lines;
	w->to->line_bytes = from->line_bytes;
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

void rewrite_wave(Rewrite *w, u32 like)
{
	WaveEvents e = w->from->waves.v[like];
	e.n = w->words.n;
	e.words = xmalloc((e.n + 1) * sizeof *e.words);
	if (e.n)
		memcpy(e.words, w->words.v, e.n * sizeof *e.words);
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

EventWord event_at(const WaveEvents *e, u32 at)
{
	u32 word = e->words[at];
	EventWord out = {.kind = EVENT_KIND(word), .n = 1};
	if (out.kind == EVENT_BLOCK) {
		out.block = EVENT_BLOCK_OF(word);
		out.lanes = EVENT_LANES_OF(word);
	} else {
		out.ins = EVENT_INS_OF(word);
	}
	if (out.kind == EVENT_ACCESS) {
		out.n = EVENT_ACCESS_WORDS;
		out.shape = &e->shapes[e->words[at + 1]];
		out.address = e->words[at + 2] | (u64)e->words[at + 3] << 32;
	}
	return out;
}

Events *events_with(const Events *from, ChangeAccess *change, void *ctx)
{
	Rewrite w;
	rewrite_begin(&w, from);
	i64 offset[MAX_WAVE];
	for (u32 i = 0; i < from->waves.n; i++) {
		const WaveEvents *e = &from->waves.v[i];
		for (u32 at = 0; at < e->n;) {
			EventWord x = event_at(e, at);
			at += x.n;
			if (x.kind == EVENT_MASK) /* of no use for the time, and a shape of the old record */
				continue;
			if (x.kind != EVENT_ACCESS) {
				rewrite_word(&w, e->words[at - 1]);
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
