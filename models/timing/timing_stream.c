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

/* An access of a copy or fill goes on with its next element. */
static void put_element(TimingWave *w, u32 access)
{
	if (w->at[access] < w->segment) {
		w->at[access] = w->pos;
		w->elements[access] = 0;
	}
	if (w->pos == w->at[access] + w->elements[access] * EVENT_ACCESS_WORDS)
		w->elements[access]++;
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
			if (a != NO_ACCESS)
				put_element(w, a);
		}
		w->barriers += EVENT_KIND(word) == EVENT_BARRIER;
		w->pos += event_words(word);
	}
	return true;
}

/* How often the code of a cost block runs now. */
static u32 runs_of(TimingSim *s, u32 block)
{
	double rate = s->costs->blocks.v[block].rate;
	if (rate == 1) /* most; nothing is ever left over, which would be the next wavefront's */
		return 1;
	double sum = s->carry[block] + rate;
	u32 n = (u32)(sum + 1e-9);
	s->carry[block] = sum - n;
	return n;
}

/* The sides of a branch, dealt to as few wavefronts as their lanes need: the first that comes runs a side as long as it
 * is, for those whose lanes it takes. Behind a barrier these are of its group, and nothing waits for the next. */
static bool runs_for_others(TimingSim *s, TimingWave *w, double cost, u32 lanes)
{
	TimingGroup *g = &s->groups[w->group];
	if (lanes >= w->whole)
		return true;
	if (g->barriers != w->barriers)
		g->owed = 0;
	g->barriers = w->barriers;
	double *owed = w->barriers ? &g->owed : &s->owed;
	*owed += cost * lanes / w->whole;
	bool runs = *owed > cost * 1e-9;
	*owed -= runs ? cost : 0;
	return runs;
}

/* Without divergence a block runs as often as full wavefronts would need it. Instructions are counted, not
 * entries, for blocks that alternate, each with half of the lanes. */
static bool runs_undivided(TimingSim *s, TimingWave *w, u32 block, u32 lanes)
{
	double cost = 0;
	for (u32 k = s->costs->first_block[block]; k < s->costs->first_block[block + 1]; k++)
		cost += s->costs->blocks.v[k].n * s->costs->blocks.v[k].rate;
	if (w->dealt)
		return runs_for_others(s, w, cost, lanes);
	w->unspent += cost * lanes / (w->whole ? w->whole : w->ev->lanes);
	if (w->unspent < cost * (1 - 1e-9))
		return false;
	w->unspent -= cost;
	return true;
}

/* Does the block run without divergence? */
static bool is_together(const TimingSim *s, TimingWave *w, u32 block, u32 lanes)
{
	bool asked = s->in->together && w->number + 1 != s->in->divided_wave;
	TogetherBlock t = asked ? s->in->together[block] : NOT_TOGETHER;
	w->dealt = t != NOT_TOGETHER && (w->dealt || t == TOGETHER_HEAD);
	if (t == NOT_TOGETHER)
		w->whole = 0;
	else if (!w->whole || t == TOGETHER_HEAD)
		w->whole = lanes;
	return t != NOT_TOGETHER || s->in->no_divergence;
}

/* How often an instruction of a copy is issued in all for the elements that the wavefront moves now. */
static u64 moves_of(const TimingSim *s, const TimingWave *w, const CostIns *x)
{
	u32 access = s->costs->access_of.v[x->first_access];
	return w->at[access] < w->segment ? 0 : (u64)w->elements[access] * x->moves;
}

/* The first instruction of a copy in its loop says how often the loop runs: once at least. */
static u32 iterations_of(const TimingSim *s, const TimingWave *w, const CostBlock *p)
{
	u32 i = p->first, end = p->first + p->n;
	if (!p->loops)
		return 1;
	while (i < end && !s->costs->ins.v[i].moves)
		i++;
	if (i == end)
		return 1;
	const CostIns *x = &s->costs->ins.v[i];
	u64 all = moves_of(s, w, x);
	return all ? (u32)((all + x->parts - 1) / x->parts) : 1;
}

/* A segment whose lanes run with those of others: its accesses stay, each with its lines and bytes. */
static void go_along(TimingSim *s, TimingWave *w, u32 block)
{
	for (u32 k = s->costs->first_block[block]; k < s->costs->first_block[block + 1]; k++) {
		const CostBlock *p = &s->costs->blocks.v[k];
		for (u32 runs = runs_of(s, k); runs; runs--) {
			for (u32 i = p->first; i < p->first + p->n; i++) {
				const CostIns *x = &s->costs->ins.v[i];
				if (s->ins[i].part != PART_address)
					continue;
				u64 all = x->moves ? moves_of(s, w, x) : x->parts;
				u64 end = all * (x->part + 1) / x->parts;
				for (w->element = (u32)(all * x->part / x->parts); w->element < end; w->element++)
					issue_along(s, w, i);
			}
		}
	}
}

/* Does what comes next depend on the order of wavefronts? */
static bool in_order(const TimingSim *s, const TimingWave *w)
{
	if (w->block < w->block_end)
		return s->costs->blocks.v[w->block].rate != 1;
	if (!s->undivided || w->pos >= w->ev->n)
		return false;
	u32 word = w->ev->words[w->pos];
	return EVENT_KIND(word) != EVENT_BLOCK || s->along[EVENT_BLOCK_OF(word)];
}

void stream_new(TimingSim *s)
{
	const TogetherBlock *together = s->in->together;
	u32 n = s->in->program->blocks.n;
	s->along = ARENA_ARRAY(s->arena, bool, s->undivided ? n : 0);
	for (u32 b = 0; s->undivided && b < n; b++) {
		s->along[b] = !drives(s->costs, b) || (together && together[b] != NOT_TOGETHER);
		for (u32 k = s->costs->first_block[b]; k < s->costs->first_block[b + 1]; k++) {
			const CostBlock *p = &s->costs->blocks.v[k];
			s->along[b] |= p->rate != 1;
			for (u32 i = p->first; i < p->first + p->n; i++)
				s->along[b] |= s->ins[i].part == PART_address;
		}
	}
}

/* Whoever waits for lanes in a loop that waits for others, as the card sees it, goes on without them: so do those that
 * leave it before the last ones, and those that never entered it. They run together again outside of all loops, or
 * behind a barrier. How many parts they make later is no fewer than the most that one loop made. */
static void follow_lanes(const TimingSim *s, TimingWave *w, u32 block)
{
	LanesApart *a = &w->apart;
	u32 loop = s->costs->apart[block];
	if (a->barriers != w->barriers || !s->in->program->blocks.v[block].loop_depth)
		*a = (LanesApart){.barriers = w->barriers};
	if (!loop && a->loop) {
		a->parts = a->left + 1 > a->parts ? a->left + 1 : a->parts;
		a->most = 0;
	} else if (loop && loop != a->loop) {
		a->left = w->lanes < a->most;
		a->lanes = w->lanes;
	} else if (loop && block + 1 == loop && w->lanes < a->lanes) {
		a->left++;
		a->lanes = w->lanes;
	}
	a->most = !loop && w->lanes > a->most ? w->lanes : a->most;
	a->loop = loop;
}

/* 0, or what stream_more returns. */
static u32 next_code(TimingSim *s, TimingWave *w, bool early)
{
	while (!w->runs) {
		if (early && in_order(s, w))
			return LATER;
		if (w->block < w->block_end) {
			u32 parts = w->apart.parts < w->lanes ? w->apart.parts : w->lanes;
			w->runs = runs_of(s, w->block++) * (parts ? parts : 1);
			continue;
		}
		u32 block, lanes;
		if (!next_segment(s, w, &block, &lanes))
			return early ? LATER : NO_INS;
		w->parted |= w->divides && lanes < w->lanes;
		w->divides = false;
		w->lanes = lanes;
		if (s->costs->apart && !s->undivided)
			follow_lanes(s, w, block);
		if (s->undivided && is_together(s, w, block, lanes) && !runs_undivided(s, w, block, lanes)) {
			go_along(s, w, block);
			continue;
		}
		w->block = s->costs->first_block[block];
		w->block_end = s->costs->first_block[block + 1];
	}
	const CostBlock *p = &s->costs->blocks.v[w->block - 1];
	w->runs--;
	w->first_pc = w->pc = p->first;
	w->pc_end = p->first + p->n;
	w->iterations = iterations_of(s, w, p);
	w->iteration = 0;
	return 0;
}

/* How often an instruction of a copy is issued here: once at least. */
static void begin_moves(const TimingSim *s, TimingWave *w, const CostIns *x)
{
	u64 all = moves_of(s, w, x), parts = (u64)x->parts * w->iterations;
	u64 part = (u64)w->iteration * x->parts + x->part;
	w->element = (u32)(all * part / parts);
	u32 end = (u32)(all * (part + 1) / parts);
	w->again = end > w->element ? end - w->element - 1 : 0;
}

u32 stream_more(TimingSim *s, TimingWave *w, bool early)
{
	if (w->again) {
		w->again--;
		w->element++;
		return w->pc - 1;
	}
	while (w->pc == w->pc_end) {
		if (w->iteration + 1 < w->iterations) {
			w->iteration++;
			w->pc = w->first_pc;
		} else {
			u32 none = next_code(s, w, early);
			if (none)
				return none;
		}
	}
	const CostIns *x = &s->costs->ins.v[w->pc];
	if (x->moves)
		begin_moves(s, w, x);
	return w->pc++;
}

/* The one lane that does an atomic for all. */
static const LaneShape *joined_shape(const LaneShape *s)
{
	static const i64 at = 0;
	static const LaneShape shape[] = {
		{.mask = 1, .bytes = 4, .lanes = 1, .write = true, .atomic = true, .one = true, .offset = &at},
		{.mask = 1, .bytes = 4, .lanes = 1, .lds = true, .write = true, .atomic = true, .one = true,
		 .offset = &at},
	};
	return &shape[s->lds];
}

/* Adds the access of a record. The machine's instruction may do several of the Program's side by side, a vector's
 * components; these are one. */
static void put_access(const TimingSim *s, StreamAccesses *a, const WaveEvents *ev, u32 at, u32 part, bool joined)
{
	const u32 *words = ev->words + at;
	const LaneShape *shape = joined ? joined_shape(&ev->shapes[words[1]]) : &ev->shapes[words[1]];
	u32 bytes = shape->bytes / a->parts ? shape->bytes / a->parts : 1;
	u64 address = words[2] | (u64)words[3] << 32;
	bool one = shape->lds || shape->atomic; /* lds_time knows what a part is */
	address += one ? 0 : (u64)part * bytes;
	for (u32 i = 0; i < a->n && !one; i++) {
		MemoryAccess *x = &a->of[i];
		if (x->shape != shape || (x->address + x->bytes != address && address + bytes != x->address))
			continue;
		x->address = address < x->address ? address : x->address;
		x->bytes += bytes;
		return;
	}
	if (a->n < MOST_ACCESSES)
		a->of[a->n++] = (MemoryAccess){shape, address, bytes, ev, s->costs->way[EVENT_INS_OF(words[0])]};
}

/* The dwords of a lane lie in rows of those of all lanes; the instruction does a part of them. */
static void put_private(const TimingSim *s, const TimingWave *w, const CostIns *x, u32 at, StreamAccesses *a)
{
	const u32 *words = w->ev->words + at;
	const LaneShape *shape = &w->ev->shapes[words[1]];
	u32 dwords = (shape->bytes + 3) / 4, each = shape->bytes < 4 ? shape->bytes : 4;
	u64 place = PRIVATE_MEMORY + frame_begin(s, w) + (words[2] | (u64)words[3] << 32);
	u32 first = dwords * x->part / x->parts, end = dwords * (x->part + 1) / x->parts;
	end = end > first ? end : first + 1; /* parts of a dword */
	for (u32 i = first; i < end && a->n < MOST_ACCESSES; i++)
		a->of[a->n++] = (MemoryAccess){shape, place + (u64)i * s->wave * 4, each, w->ev, ACCESS_CACHED};
}

static void put_texels(StreamAccesses *a, const WaveEvents *ev, u32 at, u32 n)
{
	a->texels = n;
	for (u32 i = 0; i < n && a->n < MOST_ACCESSES; i++) {
		const u32 *words = ev->words + at + (size_t)i * EVENT_ACCESS_WORDS;
		const LaneShape *shape = &ev->shapes[words[1]];
		a->of[a->n++] = (MemoryAccess){shape, words[2] | (u64)words[3] << 32, shape->bytes, ev, ACCESS_CACHED};
	}
}

void stream_accesses(const TimingSim *s, const TimingWave *w, const CostIns *x, StreamAccesses *a)
{
	a->n = a->texels = 0;
	a->parts = x->moves ? x->moves : x->parts;
	for (u32 i = 0; i < x->naccess; i++) {
		u32 at = w->at[s->costs->access_of.v[x->first_access + i]];
		if (at < w->segment)
			continue;
		if (w->ev->shapes[w->ev->words[at + 1]].private) {
			put_private(s, w, x, at, a);
			break;
		}
		if (x->image) {
			put_texels(a, w->ev, at, w->elements[s->costs->access_of.v[x->first_access + i]]);
			break;
		}
		if (!x->moves) {
			put_access(s, a, w->ev, at, x->part, x->joined);
			continue;
		}
		put_access(s, a, w->ev, at + w->element / x->moves * EVENT_ACCESS_WORDS, w->element % x->moves, false);
		break;
	}
}
