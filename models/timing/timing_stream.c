/* From a wavefront's record to the instructions that its machine issues.
 *
 * A block that drives machine code (Price.first_piece) begins a segment of the record, which
 * lasts until the next such block; blocks whose machine code runs with another's belong to the
 * segment they lie in. The accesses of a segment are looked up when the instruction comes that
 * does them. */
#include "models/timing/timing_impl.h"

static bool drives(const Price *x, u32 block)
{
	return x->first_piece[block + 1] > x->first_piece[block];
}

/* The next segment; false at the end of the record. */
static bool next_segment(Sim *s, TimingWave *w, u32 *block, u32 *lanes)
{
	const Price *x = s->price;
	const WaveEvents *ev = w->ev;
	while (w->pos < ev->n) {
		u32 word = ev->words[w->pos];
		if (EVENT_KIND(word) == EVENT_BLOCK && drives(x, EVENT_BLOCK_OF(word)))
			break;
		w->pos += event_words(word);
	}
	if (w->pos >= ev->n)
		return false;
	u32 word = ev->words[w->pos++];
	*block = EVENT_BLOCK_OF(word);
	*lanes = EVENT_LANES_OF(word);
	w->segment = w->pos;
	while (w->pos < ev->n) {
		word = ev->words[w->pos];
		if (EVENT_KIND(word) == EVENT_BLOCK && drives(x, EVENT_BLOCK_OF(word)))
			break;
		if (EVENT_KIND(word) == EVENT_ACCESS) {
			u32 a = x->access[EVENT_INS_OF(word)];
			a += a != NO_ACCESS && ev->shapes[ev->words[w->pos + 1]].write;
			if (a != NO_ACCESS && w->at[a] < w->segment)
				w->at[a] = w->pos;
		}
		w->pos += event_words(word);
	}
	return true;
}

/* How often a piece runs now. */
static u32 turns_of(Sim *s, u32 piece)
{
	double sum = s->carry[piece] + s->price->pieces.v[piece].rate;
	u32 n = (u32)(sum + 1e-9);
	s->carry[piece] = sum - n;
	return n;
}

/* Without divergence: as many turns as full wavefronts would need. Instructions are counted, not turns:
 * blocks that alternate, each with half of the lanes, would else be always the same one. */
static bool has_turn(const Sim *s, TimingWave *w, u32 block, u32 lanes)
{
	double cost = 0;
	for (u32 k = s->price->first_piece[block]; k < s->price->first_piece[block + 1]; k++)
		cost += s->price->pieces.v[k].n * s->price->pieces.v[k].rate;
	w->unspent += cost * lanes / w->ev->lanes;
	if (w->unspent < cost * (1 - 1e-9))
		return false;
	w->unspent -= cost;
	return true;
}

static bool next_piece(Sim *s, TimingWave *w)
{
	while (!w->turns) {
		if (w->piece < w->piece_end) {
			w->turns = turns_of(s, w->piece++);
			continue;
		}
		u32 block, lanes;
		if (!next_segment(s, w, &block, &lanes))
			return false;
		w->parted |= w->divides && lanes < w->lanes;
		w->divides = false;
		w->lanes = lanes;
		if (s->in->no_divergence && !has_turn(s, w, block, lanes))
			continue;
		w->piece = s->price->first_piece[block];
		w->piece_end = s->price->first_piece[block + 1];
	}
	const PricePiece *p = &s->price->pieces.v[w->piece - 1];
	w->turns--;
	w->pc = p->first;
	w->pc_end = p->first + p->n;
	return true;
}

/* Elements of what a copy or fill reads or writes, from word `at` on: they stand together. */
static u32 elements_at(const WaveEvents *ev, u32 at)
{
	u32 n = 0, word = ev->words[at];
	bool write = ev->shapes[ev->words[at + 1]].write;
	while (at < ev->n && ev->words[at] == word && ev->shapes[ev->words[at + 1]].write == write) {
		at += EVENT_ACCESS_WORDS;
		n++;
	}
	return n;
}

/* How often an instruction of a copy is issued here: once at least. */
static void begin_moves(Sim *s, TimingWave *w, const PriceIns *x)
{
	u32 at = w->at[s->price->access_of.v[x->first_access]];
	u64 all = at < w->segment ? 0 : (u64)elements_at(w->ev, at) * x->moves;
	w->element = (u32)(all * x->part / x->parts);
	u32 end = (u32)(all * (x->part + 1u) / x->parts);
	w->again = end > w->element ? end - w->element - 1 : 0;
}

u32 stream_next(Sim *s, TimingWave *w)
{
	if (w->again) {
		w->again--;
		w->element++;
		return w->pc - 1;
	}
	while (w->pc == w->pc_end)
		if (!next_piece(s, w))
			return NO_INS;
	const PriceIns *x = &s->price->ins.v[w->pc];
	if (x->moves)
		begin_moves(s, w, x);
	return w->pc++;
}

static void put_access(StreamAccesses *a, const WaveEvents *ev, u32 at)
{
	const u32 *words = ev->words + at;
	a->shape[a->n] = &ev->shapes[words[1]];
	a->address[a->n++] = words[2] | (u64)words[3] << 32;
}

StreamAccesses stream_accesses(const Sim *s, const TimingWave *w, const PriceIns *x)
{
	StreamAccesses a = {.part = x->part, .parts = x->parts};
	for (u32 i = 0; i < x->naccess && a.n < MOST_ACCESSES; i++) {
		u32 at = w->at[s->price->access_of.v[x->first_access + i]];
		if (at < w->segment)
			continue;
		if (!x->moves) {
			put_access(&a, w->ev, at);
			continue;
		}
		u32 k = w->element / x->moves;
		if (k < elements_at(w->ev, at))
			put_access(&a, w->ev, at + k * EVENT_ACCESS_WORDS);
		a.part = w->element % x->moves;
		a.parts = x->moves;
		break;
	}
	return a;
}
