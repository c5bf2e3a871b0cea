/* Control flow of a wavefront: which lanes run, where the others wait.
 *
 * Lanes that a branch sends to a later block wait there. The wavefront always
 * runs the earliest block, in layout order, that has lanes; lanes that arrive at
 * a block where others wait join them. Because the layout keeps loops contiguous
 * and puts a block after everything that can lead to it (isa.h), lanes reconverge
 * at the immediate post-dominator of the branch that parted them, as with a stack
 * of masks; and where control flow is not nested (a || b, break to a common exit)
 * a shared block still runs once for all of its lanes, as on the machine after
 * AMD's structurizer, where a plain stack would run it once per path.
 *
 * Serialized instructions. A divergent branch opens a Split, which lasts until
 * its lanes reconverge. One pass would have needed the instructions of the lane with
 * the longest path; everything executed beyond that is serialized. An inner split
 * counts in the outer one as a single pass, so nothing is counted twice. While
 * one lane has run everything (a loop that lanes leave one by one), nothing is
 * serialized and no path needs to be summed.
 *
 * Lane slots lost. While others run, an idle lane is charged to the branch where it parted from them: the
 * latest one that it and a running lane both ran (Fork). So lanes that left a loop wait at the cost of its exit,
 * those of the other side at the cost of the if.
 *
 * All this is settled for many blocks at once: when the mask or the innermost split changes. */
#include "sim/image.h"

enum { MANY_SEGMENTS = 512 };

static Frame *frame(Wave *w) { return &w->frames.v[w->frames.n - 1]; }

static void segment_add(Wave *w, const Split *s, Mask mask, u64 n)
{
	for (u32 i = w->segments.n; i > s->first_segment; i--)
		if (w->segments.v[i - 1].mask == mask) {
			w->segments.v[i - 1].n += n;
			return;
		}
	array_push(&w->segments, ((Segment){mask, n}));
}

/* Instructions of each lane inside the split. */
static void paths_sum(const Wave *w, const Split *s, u64 path[MAX_WAVE])
{
	memset(path, 0, MAX_WAVE * sizeof *path);
	for (u32 i = s->first_segment; i < w->segments.n; i++)
		for (Mask m = w->segments.v[i].mask; m; m = mask_drop(m))
			path[mask_lowest(m)] += w->segments.v[i].n;
}

/* Only the sum of each lane matters: replace many segments by one for each lane. */
static void segments_compress(Wave *w, const Split *s)
{
	u64 path[MAX_WAVE];
	paths_sum(w, s, path);
	w->segments.n = s->first_segment;
	for (u32 l = 0; l < MAX_WAVE; l++)
		if (path[l])
			array_push(&w->segments, ((Segment){mask_lane(l), path[l]}));
}

static void split_account(Wave *w, Mask mask, u64 n)
{
	Split *s = &w->splits.v[w->splits.n - 1];
	s->executed += n;
	s->common &= mask;
	segment_add(w, s, mask, n);
	if (UNLIKELY(w->segments.n - s->first_segment > MANY_SEGMENTS))
		segments_compress(w, s);
}

/* The most instructions that one lane ran inside the split. */
static u64 longest_path(const Wave *w, const Split *s)
{
	if (s->common)
		return s->executed;
	u64 longest = 0;
	Mask seen = 0, twice = 0;
	for (u32 i = s->first_segment; i < w->segments.n; i++) {
		twice |= seen & w->segments.v[i].mask;
		seen |= w->segments.v[i].mask;
		if (w->segments.v[i].n > longest)
			longest = w->segments.v[i].n;
	}
	if (!twice) /* one segment for each lane, as after a plain if/else */
		return longest;
	u64 path[MAX_WAVE];
	paths_sum(w, s, path);
	for (u32 l = 0; l < MAX_WAVE; l++)
		if (path[l] > longest)
			longest = path[l];
	return longest;
}

/* Where the innermost split of this frame ends. */
static void find_meet(Wave *w)
{
	w->meet = w->splits.n > frame(w)->split_base ? w->splits.v[w->splits.n - 1].reconv : NO_BLOCK;
}

/* Count what the lanes of w->mask ran since it was last done. */
static void settle(Wave *w)
{
	u64 n = w->prof.instructions - w->settled;
	if (!n)
		return;
	w->settled = w->prof.instructions;
	w->prof.lanes += n * w->active;
	if (w->splits.n)
		split_account(w, w->mask, n - w->serial);
	w->serial = 0;
	Mask idle = w->began & ~w->mask;
	for (u32 i = w->forks.n; idle && i-- > 0;) {
		const Fork *f = &w->forks.v[i];
		if (f->lanes & w->mask) {
			w->worker->blocks[f->block].lost += n * mask_count(f->lanes & idle);
			idle &= ~f->lanes;
		}
	}
}

static void split_close(Wave *w)
{
	settle(w);
	Split s = w->splits.v[w->splits.n - 1];
	u64 longest = longest_path(w, &s);
	if (longest < s.executed) {
		w->worker->serialized += s.executed - longest;
		w->prof.serialized += s.executed - longest;
	}
	w->segments.n = s.first_segment;
	w->splits.n--;
	if (w->splits.n && longest)
		split_account(w, s.lanes, longest);
	find_meet(w);
}

static void split_open(Wave *w, u32 reconv)
{
	if (w->splits.n > frame(w)->split_base) {
		const Split *top = &w->splits.v[w->splits.n - 1];
		if (top->reconv == reconv && !(w->mask & ~top->lanes))
			return;
	}
	w->meet = reconv;
	settle(w);
	array_push(&w->splits, ((Split){.reconv = reconv, .lanes = w->mask, .common = w->mask,
	                                .first_segment = w->segments.n}));
}

/* Let lanes wait at block b. The list is sorted, earliest block last. */
static void wait_at(Wave *w, u32 b, Mask m)
{
	u32 base = frame(w)->pending_base;
	u32 i = w->pending.n;
	while (i > base && w->pending.v[i - 1].block < b)
		i--;
	if (i > base && w->pending.v[i - 1].block == b) {
		w->pending.v[i - 1].mask |= m;
		return;
	}
	array_push(&w->pending, ((Pending){0}));
	memmove(w->pending.v + i + 1, w->pending.v + i, (w->pending.n - 1 - i) * sizeof(Pending));
	w->pending.v[i] = (Pending){b, m};
	w->next = w->pending.v[w->pending.n - 1].block;
}

static FORCE_INLINE Pending take_next(Wave *w)
{
	Pending p = w->pending.v[--w->pending.n];
	w->next = w->pending.n > frame(w)->pending_base ? w->pending.v[w->pending.n - 1].block : NO_BLOCK;
	return p;
}

/* Did the last branch that parted lanes of w->mask do it before, for them and others? */
static bool fork_is_open(const Wave *w)
{
	const Fork *top = w->forks.n ? &w->forks.v[w->forks.n - 1] : NULL;
	return top && top->block == w->block && !(w->mask & ~top->lanes);
}

/* Older forks of none but these lanes tell nothing more. */
static void forks_drop(Wave *w)
{
	u32 n = w->forks.n;
	w->forks.n = 0;
	for (u32 i = 0; i < n; i++)
		if (w->forks.v[i].lanes & ~w->mask)
			w->forks.v[w->forks.n++] = w->forks.v[i];
}

static void fork_open(Wave *w)
{
	if (fork_is_open(w))
		return;
	forks_drop(w);
	array_push(&w->forks, ((Fork){w->block, w->mask}));
	w->forks_plain = false;
}

/* active: how many those are */
static FORCE_INLINE void run_lanes(Wave *w, Mask m, u32 active)
{
	w->mask = m;
	w->active = active;
	w->on_valid = false;
}

static NO_INLINE void change_mask(Wave *w, Mask m)
{
	settle(w);
	run_lanes(w, m, mask_count(m));
	while (w->forks.n && !(w->forks.v[w->forks.n - 1].lanes & ~m))
		w->forks.n--;
	w->forks_plain = false;
}

static FORCE_INLINE void set_mask(Wave *w, Mask m)
{
	if (m != w->mask)
		change_mask(w, m);
}

static const Step *done(Wave *w)
{
	w->state = WAVE_DONE;
	return NULL;
}

/* A bound was reached, by the first that does so in the order of work-groups; of its work-group by this one first. */
static void end_launch(Wave *w, FindingKind kind)
{
	if (w->worker->ended)
		return;
	const Block *b = &w->code->p->blocks.v[w->block];
	finding_add(w, kind, b->first + b->n - 1, mask_lowest(w->mask));
	w->worker->over = w->worker->ended = true;
}

/* The budget is gone. May the wavefront go on, with the next part of it? */
static NO_INLINE bool budget_next(Wave *w)
{
	Worker *wk = w->worker;
	Attempt *a = wk->m->attempt;
	budget_return(w);
	bool endless = w->later < 0,
	     spent = wk->m->cfg->max_launch_instructions && __atomic_load_n(&a->left, __ATOMIC_RELAXED) < 0;
	if (wk->alone && (endless || spent)) {
		end_launch(w, endless ? FINDING_endless : FINDING_long_launch);
	} else if (spent) {
		__atomic_store_n(&a->spent, true, __ATOMIC_RELAXED);
	} else if (endless) {
		u64 first = __atomic_load_n(&a->suspect, __ATOMIC_RELAXED);
		while (wk->at < first && !__atomic_compare_exchange_n(&a->suspect, &first, wk->at, true,
		                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
		wk->over = true;
	}
	if (attempt_over(wk, true))
		return false;
	budget_take(w);
	return true;
}

/* Lanes w->mask begin to execute block b, once. */
static FORCE_INLINE void count_block(Wave *w, u32 b, u32 weight)
{
	BlockProf *prof = &w->worker->blocks[b];
	prof->execs++;
	prof->lanes += w->active;
	w->prof.instructions += weight;
	if (UNLIKELY(w->recording))
		record_block(w, b);
}

/* Lanes m go to block b. */
static FORCE_INLINE const Step *enter(Wave *w, u32 b, Mask m)
{
	if (b >= w->next) {
		if (b > w->next) {
			wait_at(w, b, m);
			m = 0;
		}
		Pending p = take_next(w);
		b = p.block;
		m |= p.mask;
	}
	w->block = b;
	set_mask(w, m);
	while (UNLIKELY(b >= w->meet)) /* (no block is NO_BLOCK) */
		split_close(w);

	const Entry *e = &w->code->entries[b];
	if (!UNLIKELY(w->image))
		count_block(w, b, e->weight);
	w->budget -= e->cost;
	if (UNLIKELY(w->budget < 0) && !budget_next(w))
		return done(w);
	return e->step;
}

const Step *flow_start(Wave *w)
{
	w->pending.n = w->splits.n = w->segments.n = w->frames.n = w->forks.n = 0;
	w->next = w->meet = NO_BLOCK;
	w->mask = 0;
	w->forks_plain = w->in_side = false;
	w->began = w->alive;
	w->settled = w->serial = 0;
	array_push(&w->frames, ((Frame){0}));
	return enter(w, w->code->p->funcs.v[0].first_block, w->alive);
}

void flow_finish(Wave *w)
{
	settle(w);
	while (w->splits.n)
		split_close(w);
}

const Step *flow_jmp(Wave *w, const Step *s) { return w->in_side ? NULL : enter(w, s->x, w->mask); }

static NO_INLINE void diverged(Wave *w)
{
	if (w->image)
		return;
	const Block *b = &w->code->p->blocks.v[w->block];
	w->worker->blocks[w->block].divergent++;
	w->prof.divergent_branches++;
	fork_open(w);
	split_open(w, b->ipdom);
}

/* ---- short ifs ----
 *
 * Where each side of a branch is at most one block of plain operations (decode.c), nobody else can wait inside, and
 * what diverged() and the reconvergence at the join would count is known beforehand: the idle lanes of one side are
 * charged to this branch while the other runs, and one pass needs the longer side. Lanes that were idle before are
 * charged as always, later. The counts are those of the general way. */

/* Does no fork tell some of the running lanes from others? It would be charged for one side and not for the other. */
static bool forks_are_plain(Wave *w)
{
	for (u32 i = 0; i < w->forks.n; i++) {
		Mask inside = w->forks.v[i].lanes & w->mask;
		if (inside && inside != w->mask)
			return false;
	}
	if (!fork_is_open(w)) {
		forks_drop(w);
		w->forks_plain = true; /* as long as these lanes run */
	}
	return true;
}

/* May the branch at the end of w->block, which diverges, be executed so? cost: of its sides. */
static FORCE_INLINE bool is_short(Wave *w, u32 join, u32 cost)
{
	return w->next >= join && w->meet != join && !w->image && w->budget >= (i64)cost &&
	       (w->forks_plain || forks_are_plain(w));
}

static FORCE_INLINE void run_side(Wave *w, u32 b, Mask m, u32 active)
{
	const Entry *e = &w->code->entries[b];
	w->block = b;
	run_lanes(w, m, active);
	count_block(w, b, e->weight);
	w->in_side = true;
	for (const Step *s = e->step; s;) /* to flow_jmp */
		s = s->fn(w, s);
	w->in_side = false;
}

/* Lanes m, so many, go to block b, the others to block c, which comes later and may be the join itself. */
static FORCE_INLINE const Step *short_if(Wave *w, u32 b, u32 c, u32 join, Mask m, u32 early)
{
	Mask all = w->mask;
	u32 active = w->active, late = active - early;
	u32 nb = w->code->entries[b].weight, nc = c == join ? 0 : w->code->entries[c].weight;
	u32 serial = nb < nc ? nb : nc;
	u64 lost = (u64)nb * late + (u64)nc * early;
	BlockProf *branch = &w->worker->blocks[w->block];
	branch->divergent++;
	branch->lost += lost;
	w->prof.divergent_branches++;
	w->prof.lanes -= lost; /* settle() takes it that all run both sides, one after the other */
	w->serial += serial;
	w->prof.serialized += serial;
	w->worker->serialized += serial;
	run_side(w, b, m, early);
	if (c != join)
		run_side(w, c, all & ~m, late);
	run_lanes(w, all, active);
	return enter(w, join, all);
}

const Step *flow_part(Wave *w, const Step *s, Mask yes, u32 n)
{
	if (n == w->active)
		return enter(w, s->d, yes);
	if (!n)
		return enter(w, s->c, w->mask);
	/* The earlier block runs first. */
	bool first = s->d < s->c;
	u32 early = first ? s->d : s->c, late = first ? s->c : s->d;
	Mask m = first ? yes : w->mask & ~yes;
	if (s->x != NO_BLOCK) {
		u32 cost = w->code->entries[early].cost + (late == s->x ? 0 : w->code->entries[late].cost);
		if (is_short(w, s->x, cost)) {
			w->budget -= cost;
			return short_if(w, early, late, s->x, m, first ? n : w->active - n);
		}
	}
	diverged(w);
	wait_at(w, late, w->mask & ~m);
	return enter(w, early, m);
}

/* a: offset of the condition; d, c, x: see flow_part */
const Step *flow_br(Wave *w, const Step *s)
{
	Mask yes = w->code->kit->bits(w->r + s->a, w->n) & w->mask;
	return flow_part(w, s, yes, mask_count(yes));
}

const Step *flow_br_scalar(Wave *w, const Step *s)
{
	return enter(w, w->r[s->a] ? s->d : s->c, w->mask);
}

static u64 value_at(const u8 *p, u32 bytes)
{
	u64 v = 0;
	memcpy(&v, p, bytes);
	return v;
}

static u32 case_target(const Flow *f, u64 v)
{
	for (u32 i = 0; i + 1 < f->ntgt; i++)
		if ((u64)f->cases[i] == v)
			return f->tgt[i + 1];
	return f->tgt[0];
}

/* Those of m whose value is v. */
static Mask lanes_of_value(const Wave *w, const Flow *f, u64 v, Mask m)
{
	static const u32 zeros[MAX_WAVE];
	const u8 *row = w->r + f->value;
	Mask same = 0;
	if (f->value_bytes == sizeof *zeros)
		return m & ~w->code->kit->moved32((const u32 *)(const void *)row, w->n, (u32)v, zeros);
	for (; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		if (value_at(row + l * f->value_bytes, f->value_bytes) == v)
			same |= mask_lane(l);
	}
	return same;
}

const Step *flow_switch(Wave *w, const Step *s)
{
	const Flow *f = &w->code->flows.v[s->x];
	const u8 *row = w->r + f->value;
	if (f->scalar)
		return enter(w, case_target(f, value_at(row, f->value_bytes)), w->mask);
	u32 first = NO_BLOCK;
	Mask first_mask = 0;
	bool split = false;
	for (Mask left = w->mask; left;) {
		u64 v = value_at(row + mask_lowest(left) * f->value_bytes, f->value_bytes);
		u32 target = case_target(f, v);
		Mask same = lanes_of_value(w, f, v, left);
		left &= ~same;
		if (target == first) {
			first_mask |= same;
			continue;
		}
		if (first != NO_BLOCK) {
			if (!split)
				diverged(w);
			split = true;
			/* Keep the earliest in hand. */
			u32 later = target > first ? target : first;
			Mask later_mask = target > first ? same : first_mask;
			if (target < first) {
				first = target;
				first_mask = same;
			}
			wait_at(w, later, later_mask);
		} else {
			first = target;
			first_mask = same;
		}
	}
	return enter(w, first, first_mask);
}

/* The running lanes are gone from this path: go on with waiting ones, else leave the function. */
static const Step *path_ended(Wave *w)
{
	for (;;) {
		Frame *f = frame(w);
		if (w->pending.n > f->pending_base) {
			Pending p = take_next(w);
			return enter(w, p.block, p.mask);
		}
		while (w->splits.n > f->split_base)
			split_close(w);
		if (!f->back)
			return done(w);
		Frame left = *f;
		w->frames.n--;
		w->next = left.next;
		find_meet(w);
		w->block = left.block;
		if (left.returned) {
			set_mask(w, left.returned);
			if (UNLIKELY(w->image))
				image_end(w);
			return left.back;
		}
	}
}

const Step *flow_ret(Wave *w, const Step *s)
{
	(void)s;
	if (frame(w)->back)
		frame(w)->returned |= w->mask;
	else
		w->alive &= ~w->mask;
	return path_ended(w);
}

const Step *flow_unreachable(Wave *w, const Step *s)
{
	finding_add(w, FINDING_unreachable, s->ins, mask_lowest(w->mask))->count += w->active - 1;
	w->alive &= ~w->mask;
	return path_ended(w);
}

const Step *flow_call(Wave *w, const Step *s)
{
	array_push(&w->frames, ((Frame){.back = s + 1, .pending_base = w->pending.n,
	                                .split_base = w->splits.n, .next = w->next, .block = w->block}));
	w->next = w->meet = NO_BLOCK;
	return enter(w, w->code->p->funcs.v[s->x].first_block, w->mask);
}

/* a: its access */
const Step *flow_image(Wave *w, const Step *s)
{
	w->image = &w->code->accesses.v[s->a];
	return flow_call(w, s);
}

void flow_expect_all(Wave *w, FindingKind kind, u32 ins)
{
	Mask idle = w->began & ~w->mask;
	if (idle)
		finding_add(w, kind, ins, mask_lowest(idle))->count += mask_count(idle) - 1;
}

const Step *flow_arrive(Wave *w, const Step *s)
{
	if (w->recording)
		record_barrier(w, s->ins);
	w->state = WAVE_BARRIER;
	w->barrier_ins = s->ins;
	w->resume = s + 1;
	return NULL;
}

const Step *flow_barrier(Wave *w, const Step *s)
{
	flow_expect_all(w, FINDING_divergent_barrier, s->ins);
	return flow_arrive(w, s);
}
