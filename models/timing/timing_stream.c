/* From a wavefront's record to the instructions that its machine issues.
 *
 * A block that drives machine code (Costs.first_block) begins a segment of the record, which
 * lasts until the next such block; blocks whose machine code runs with another's belong to the
 * segment they lie in. The accesses of a segment are looked up when the instruction comes that
 * does them. */
#include "models/timing/timing_impl.h"

static bool drives(const Costs *x, u32 block)
{
	return x->first_block[block + 1] > x->first_block[block];
}

/* The next segment; false at the end of the record. */
static bool next_segment(TimingSim *s, TimingWave *w, u32 *block, u32 *lanes)
{
	const Costs *x = s->costs;
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

/* How often the code of a cost block runs now. */
static u32 runs_of(TimingSim *s, u32 block)
{
	double sum = s->carry[block] + s->costs->blocks.v[block].rate;
	u32 n = (u32)(sum + 1e-9);
	s->carry[block] = sum - n;
	return n;
}

/* Without divergence a block runs as often as full wavefronts would need it. Instructions are counted, not
 * entries, for blocks that alternate, each with half of the lanes. */
static bool runs_undivided(const TimingSim *s, TimingWave *w, u32 block, u32 lanes)
{
	double cost = 0;
	for (u32 k = s->costs->first_block[block]; k < s->costs->first_block[block + 1]; k++)
		cost += s->costs->blocks.v[k].n * s->costs->blocks.v[k].rate;
	w->unspent += cost * lanes / w->ev->lanes;
	if (w->unspent < cost * (1 - 1e-9))
		return false;
	w->unspent -= cost;
	return true;
}

static bool next_code(TimingSim *s, TimingWave *w)
{
	while (!w->runs) {
		if (w->block < w->block_end) {
			w->runs = runs_of(s, w->block++);
			continue;
		}
		u32 block, lanes;
		if (!next_segment(s, w, &block, &lanes))
			return false;
		w->parted |= w->divides && lanes < w->lanes;
		w->divides = false;
		w->lanes = lanes;
		if (s->in->no_divergence && !runs_undivided(s, w, block, lanes))
			continue;
		w->block = s->costs->first_block[block];
		w->block_end = s->costs->first_block[block + 1];
	}
	const CostBlock *p = &s->costs->blocks.v[w->block - 1];
	w->runs--;
	w->pc = p->first;
	w->pc_end = p->first + p->n;
	return true;
}

/* Elements of what a copy or fill reads or writes, from word `at` on: they are consecutive. */
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
static void begin_moves(TimingSim *s, TimingWave *w, const CostIns *x)
{
	u32 at = w->at[s->costs->access_of.v[x->first_access]];
	u64 all = at < w->segment ? 0 : (u64)elements_at(w->ev, at) * x->moves;
	w->element = (u32)(all * x->part / x->parts);
	u32 end = (u32)(all * (x->part + 1u) / x->parts);
	w->again = end > w->element ? end - w->element - 1 : 0;
}

u32 stream_next(TimingSim *s, TimingWave *w)
{
	if (w->again) {
		w->again--;
		w->element++;
		return w->pc - 1;
	}
	while (w->pc == w->pc_end)
		if (!next_code(s, w))
			return NO_INS;
	const CostIns *x = &s->costs->ins.v[w->pc];
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

StreamAccesses stream_accesses(const TimingSim *s, const TimingWave *w, const CostIns *x)
{
	StreamAccesses a = {.part = x->part, .parts = x->parts};
	for (u32 i = 0; i < x->naccess && a.n < MOST_ACCESSES; i++) {
		u32 at = w->at[s->costs->access_of.v[x->first_access + i]];
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
