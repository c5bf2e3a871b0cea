/* Advice on branches whose sides do the same.
 *
 * A divergent branch runs its sides one after the other. When a function is called on several of
 * them, each side has a copy of its code, and every copy runs with a part of the lanes. Copies show by
 * their source places (inlined code keeps its own), or, for code written twice, by equal operations;
 * they must be on different sides of a branch that diverges, so that no lane runs two of them. The
 * record is then played with one of the copies in each passage of the branch, with the lanes and
 * accesses of all of them. */
#include "engine/advice.h"

enum { MOST_BLOCKS = 4096, MOST_BRANCHES = 48, MOST_SIDES = 64, LEAST_INS = 3, LEAST_ALIKE = 8, MOST_TAKEN = 256 };

typedef struct Branch {
	u32 block, join;
	u64 *sides; /* per block: on which of its sides it lies */
} Branch;

typedef struct CopyMerge {
	Advisor *a;
	const Program *p;
	Branch *branch;
	u32 nbranches;
	u32 *slot;      /* per block: copies of one code share it; 0: none. Counts from 1 */
	u32 nslots;
	u32 *copies;    /* per slot */
	bool *inside;   /* per block: behind a branch that was reported */
	bool *told;     /* per slot */
} CopyMerge;

/* ---- which blocks are copies ---- */

static u64 mix(u64 h, u64 x) { return (h ^ x) * 0x9E3779B97F4A7C15u ^ h >> 31; }

static bool is_bookkeeping(const Ins *i) { return i->op == OP_mov || op_info[i->op].flags & F_END; }

/* The places of a block's code, each once. */
static u64 key_by_place(const Program *p, const Block *b, Arena *a)
{
	u64 *at = ARENA_ARRAY(a, u64, b->n + 1), key = 1;
	u32 n = 0, kept = 0;
	for (u32 i = b->first; i < b->first + b->n; i++) {
		const SrcLoc *loc = program_place(p, p->ins.v[i].loc);
		if (!is_bookkeeping(&p->ins.v[i]) && loc)
			at[n++] = (u64)loc->file << 52 | (u64)loc->line << 20 | loc->col;
	}
	if (n < LEAST_INS)
		return 0;
	qsort(at, n, sizeof *at, by_u64);
	for (u32 i = 0; i < n; i++) {
		if (i && at[i] == at[i - 1])
			continue;
		key = mix(key, at[i]);
		kept++;
	}
	return kept < 2 ? 0 : key | 1;
}

static u64 key_by_code(const Program *p, const Block *b)
{
	u64 key = 2;
	u32 n = 0;
	for (u32 i = b->first; i < b->first + b->n; i++) {
		const Ins *x = &p->ins.v[i];
		if (is_bookkeeping(x))
			continue;
		key = mix(key, (u64)x->op | (u64)x->space << 16 | (u64)x->aux << 24 | (u64)x->nsrc << 32);
		n++;
	}
	return n < LEAST_ALIKE ? 0 : key & ~(u64)1;
}

/* ---- sides ---- */

static void mark_side(const Program *p, Branch *b, u32 from, u64 side, u32 *stack)
{
	u32 n = 0;
	if (from == b->join)
		return;
	stack[n++] = from;
	b->sides[from] |= side;
	while (n) {
		u32 count;
		const u32 *to = block_succs(p, stack[--n], &count);
		for (u32 i = 0; i < count; i++) {
			if (to[i] == b->join || to[i] == b->block || b->sides[to[i]] & side)
				continue;
			b->sides[to[i]] |= side;
			stack[n++] = to[i];
		}
	}
}

static void find_branches(CopyMerge *m)
{
	const Program *p = m->p;
	u32 *stack = ARENA_ARRAY(m->a->arena, u32, p->blocks.n + 1);
	m->branch = ARENA_ARRAY(m->a->arena, Branch, MOST_BRANCHES);
	for (u32 b = 0; b < p->blocks.n && m->nbranches < MOST_BRANCHES; b++) {
		u32 n;
		const u32 *to = block_succs(p, b, &n);
		if (!m->a->in->profile->blocks[b].divergent || n > MOST_SIDES)
			continue;
		Branch *x = &m->branch[m->nbranches++];
		*x = (Branch){b, p->blocks.v[b].ipdom, ARENA_ARRAY(m->a->arena, u64, p->blocks.n + 1)};
		for (u32 i = 0; i < n; i++)
			mark_side(p, x, to[i], (u64)1 << i, stack);
	}
}

/* Can no lane run both in one passage? */
static bool exclusive(const CopyMerge *m, u32 x, u32 y)
{
	for (u32 i = 0; i < m->nbranches; i++) {
		u64 sx = m->branch[i].sides[x], sy = m->branch[i].sides[y];
		if (sx && sy && !(sx & sy))
			return true;
	}
	return false;
}

typedef struct Keyed {
	u64 key;
	u32 block;
} Keyed;

FIELD_ORDER(by_key, Keyed, key, block)

/* Blocks list[from … to) have the same code: those that exclude each other share a slot. */
static void make_slots(CopyMerge *m, const Keyed *list, u32 from, u32 to)
{
	for (u32 i = from; i < to; i++) {
		if (m->slot[list[i].block])
			continue;
		u32 slot = 0;
		for (u32 k = i + 1; k < to; k++) {
			bool all = !m->slot[list[k].block] && exclusive(m, list[i].block, list[k].block);
			for (u32 j = i + 1; all && slot && j < k; j++)
				all = m->slot[list[j].block] != slot || exclusive(m, list[j].block, list[k].block);
			if (!all)
				continue;
			if (!slot) {
				slot = ++m->nslots;
				m->slot[list[i].block] = slot;
				m->copies[slot] = 1;
			}
			m->slot[list[k].block] = slot;
			m->copies[slot]++;
		}
	}
}

static void find_copies(CopyMerge *m)
{
	const Program *p = m->p;
	Keyed *list = ARENA_ARRAY(m->a->arena, Keyed, p->blocks.n + 1);
	for (u32 pass = 0; pass < 2; pass++) {
		u32 n = 0;
		for (u32 b = 0; b < p->blocks.n; b++) {
			u64 key = m->slot[b] || !m->a->in->profile->blocks[b].execs ? 0
			          : pass ? key_by_code(p, &p->blocks.v[b])
			                 : key_by_place(p, &p->blocks.v[b], m->a->arena);
			if (key)
				list[n++] = (Keyed){key, b};
		}
		sort(list, n, sizeof *list, by_key);
		for (u32 i = 0, to; i < n; i = to) {
			for (to = i + 1; to < n && list[to].key == list[i].key; to++)
				;
			if (to - i > 1 && to - i <= MOST_SIDES)
				make_slots(m, list, i, to);
		}
	}
}

/* ---- the record with one copy ---- */

/* One passage through the branch: words of a wavefront that ends with it. */
typedef struct Passage {
	WaveEvents e;
	u32 from;
	u32 *runs; /* per block: entries */
	u32 *best; /* per slot: the block that stays */
} Passage;

static void count_passage(const CopyMerge *m, Passage *x)
{
	for (EventWord w = {.at = x->from}; event_next(&x->e, &w);)
		if (w.kind == EVENT_BLOCK && m->slot[w.block])
			x->runs[w.block]++;
	for (EventWord w = {.at = x->from}; event_next(&x->e, &w);) {
		u32 slot = w.kind == EVENT_BLOCK ? m->slot[w.block] : 0;
		if (slot && (x->best[slot] == NO_BLOCK || x->runs[w.block] > x->runs[x->best[slot]]))
			x->best[slot] = w.block;
	}
}

/* Accesses of copies that do not stay, by slot, in order; those that stay take them along. */
typedef struct Taken {
	u32 slot;
	EventWord w;
	bool used;
} Taken;
typedef ARRAY(Taken) TakenList;

static void collect(const CopyMerge *m, const Passage *x, TakenList *list)
{
	u32 block = NO_BLOCK;
	for (EventWord w = {.at = x->from}; event_next(&x->e, &w);) {
		if (w.kind == EVENT_BLOCK)
			block = w.block;
		u32 slot = block != NO_BLOCK ? m->slot[block] : 0;
		if (event_accesses(&w) && slot && x->best[slot] != block)
			array_push(list, ((Taken){slot, w, false}));
	}
}

/* The lanes of y go along with an access by others. */
static void join_lanes(LaneShape *s, i64 *offset, u64 *address, const EventWord *y)
{
	i64 old[MAX_WAVE];
	Mask mask = s->mask | y->shape->mask;
	u32 n = 0, i = 0, k = 0;
	memcpy(old, offset, s->lanes * sizeof *old);
	u64 first = 0;
	for (Mask left = mask; left; left = mask_drop(left), n++) {
		Mask lane = mask_lane(mask_lowest(left));
		bool mine = s->mask & lane;
		u64 at = mine ? *address + (u64)old[i] : y->address + (u64)y->shape->offset[k];
		i += mine;
		k += (y->shape->mask & lane) != 0;
		first = n ? first : at;
		offset[n] = (i64)(at - first);
	}
	s->mask = mask;
	s->lanes = n;
	*address = first;
}

static void put_access(const TakenList *list, u32 slot, const EventWord *w, Rewrite *out)
{
	LaneShape s = *w->shape;
	i64 offset[MAX_WAVE];
	u64 address = w->address;
	memcpy(offset, s.offset, s.lanes * sizeof *offset);
	s.offset = offset;
	u32 last = NO_BLOCK;
	for (u32 i = 0; i < list->n; i++) {
		Taken *t = &list->v[i];
		bool fits = !t->used && t->slot == slot && t->w.shape->bytes == s.bytes && t->w.shape->lds == s.lds &&
		            t->w.shape->private == s.private && t->w.shape->write == s.write &&
		            !(t->w.shape->mask & s.mask);
		if (!fits || t->w.ins == last)
			continue;
		last = t->w.ins;
		t->used = true;
		join_lanes(&s, offset, &address, &t->w);
	}
	rewrite_access(out, w->ins, &s, address);
}

static void write_passage(const CopyMerge *m, const Passage *x, Rewrite *out)
{
	TakenList taken = {0};
	collect(m, x, &taken);
	u32 block = NO_BLOCK;
	for (EventWord w = {.at = x->from}; event_next(&x->e, &w);) {
		if (w.kind == EVENT_BLOCK)
			block = w.block;
		u32 slot = block != NO_BLOCK ? m->slot[block] : 0;
		if (slot && x->best[slot] != block)
			continue;
		if (event_accesses(&w) && slot && taken.n && taken.n <= MOST_TAKEN)
			put_access(&taken, slot, &w, out);
		else
			rewrite_event(out, &w);
	}
	array_free(&taken);
}

/* The word after the passage that begins behind word `at`. */
static u32 passage_end(const WaveEvents *e, u32 at, const Branch *b)
{
	for (EventWord w = {.at = at}; event_next(e, &w);)
		if (w.kind == EVENT_BLOCK && (w.block == b->join || w.block == b->block))
			return w.at;
	return e->n;
}

static Events *merged(const CopyMerge *m, const Branch *b)
{
	const Events *from = m->a->base.profile->events;
	Rewrite out;
	rewrite_begin(&out, from);
	Passage x = {.runs = xcalloc(m->p->blocks.n + 1, sizeof(u32)), .best = xcalloc(m->nslots + 1, sizeof(u32))};
	for (u32 i = 0; i < from->waves.n; i++) {
		const WaveEvents *e = &from->waves.v[i];
		for (EventWord w = {0}; event_next(e, &w);) {
			rewrite_event(&out, &w);
			if (w.kind != EVENT_BLOCK || w.block != b->block)
				continue;
			/* What the branch's own block accesses comes before its sides. */
			x.e = *e;
			x.from = w.at + w.n;
			x.e.n = passage_end(e, x.from, b);
			memset(x.runs, 0, (m->p->blocks.n + 1) * sizeof *x.runs);
			memset(x.best, 0xFF, (m->nslots + 1) * sizeof *x.best);
			count_passage(m, &x);
			write_passage(m, &x, &out);
			w = (EventWord){.at = x.e.n};
		}
		rewrite_wave(&out, i);
	}
	free(x.runs);
	free(x.best);
	return rewrite_end(&out);
}

/* ---- saying it ---- */

typedef struct Copies {
	u64 weight;       /* wave instructions of copies behind the branch */
	u32 most;         /* copies of one code */
	u32 file, first, last; /* lines of it */
} Copies;

static Copies measure(const CopyMerge *m, const Branch *b)
{
	Copies out = {.first = UINT32_MAX};
	u32 *seen = ARENA_ARRAY(m->a->arena, u32, m->nslots + 1);
	for (u32 k = 0; k < m->p->blocks.n; k++) {
		u32 slot = b->sides[k] ? m->slot[k] : 0;
		if (!slot || m->told[slot])
			continue;
		if (++seen[slot] > out.most)
			out.most = seen[slot];
		out.weight += m->a->in->profile->blocks[k].execs * m->p->blocks.v[k].weight;
		const Block *block = &m->p->blocks.v[k];
		for (u32 i = block->first; i < block->first + block->n; i++) {
			const SrcLoc *loc = program_place(m->p, m->p->ins.v[i].loc);
			if (is_bookkeeping(&m->p->ins.v[i]) || !loc)
				continue;
			out.file = loc->file;
			out.first = loc->line < out.first ? loc->line : out.first;
			out.last = loc->line > out.last ? loc->line : out.last;
		}
	}
	return out;
}

static void say_same(CopyMerge *m, const Branch *b, const Copies *c)
{
	Advisor *a = m->a;
	const EstimateChanged *after =
		advice_time_record(a, advice_can_time(a) ? merged(m, b) : NULL, (EstimateChange){0});
	const Block *block = &m->p->blocks.v[b->block];
	u32 loc = m->p->ins.v[block->first + block->n - 1].loc;
	const char *lines = c->first == c->last ? advice_text(a, "line %u", c->first)
	                                         : advice_text(a, "lines %u to %u", c->first, c->last);
	const char *sides = c->most == 2 ? "both" : advice_text(a, "%u", c->most);
	advise(a, ADVICE_same_code, loc, after,
	       advice_text(a, "%s sides of this branch run the same code (%s), one after the other with a part of the "
	                   "lanes each", sides, lines),
	       c->most <= 3 ? "before the branch, choose the values in which the sides differ, for example with ?: or "
	                      "by exchanging arguments; then run the code once for all lanes"
	                    : "put the values in which the sides differ into variables or a table, and run the code "
	                      "once for all lanes");
}

void advice_same_code(Advisor *a)
{
	const Program *p = a->in->program;
	double best = a->r->estimate->what_if_us[IF_no_divergence];
	if (!a->r->t.divergent_branches || p->blocks.n > MOST_BLOCKS ||
	    (best >= 0 && best > 0.99 * a->r->estimate->time_us))
		return;
	CopyMerge m = {.a = a, .p = p, .slot = ARENA_ARRAY(a->arena, u32, p->blocks.n + 1),
	               .copies = ARENA_ARRAY(a->arena, u32, p->blocks.n + 1),
	               .inside = ARENA_ARRAY(a->arena, bool, p->blocks.n + 1),
	               .told = ARENA_ARRAY(a->arena, bool, p->blocks.n + 1)};
	find_branches(&m);
	find_copies(&m);
	for (u32 i = 0; m.nslots && i < m.nbranches; i++) {
		const Branch *b = &m.branch[i];
		if (m.inside[b->block]) /* of a branch that was reported */
			continue;
		Copies c = measure(&m, b);
		if (c.most < 2 || c.weight * 20 < a->r->t.wave_instructions)
			continue;
		for (u32 k = 0; k < p->blocks.n; k++) {
			m.inside[k] |= b->sides[k] != 0;
			m.told[b->sides[k] ? m.slot[k] : 0] = true;
		}
		say_same(&m, b, &c);
	}
}
