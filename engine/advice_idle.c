/* Advice on the branches where lanes lose most time: loops that the lanes of a wavefront leave one after the other,
 * and branches whose sides run in turn. What is lost was counted at the branch (BlockProf.lost). How the work
 * could be dealt otherwise no model can try; the launch is played as if the lanes that enter the loop, or come to
 * the branch, stayed together: what the best distribution brings. */
#include "engine/advice.h"

#include "base/scan.h"

enum { MOST_PLACES = 3, LEAST_PERCENT = 10, LEAST_GAIN_PERCENT = 5, MOST_DEPTH = 8 };

/* Blocks first … last. A loop, or a branch with its sides. */
typedef struct IdlePlace {
	u32 block; /* its branch loses most … */
	u64 lost;  /* … and all that belong to it so many lane slots */
	u32 first, last;
	bool loop;
} IdlePlace;

/* The blocks of [head … latch] from which the loop goes on: ways out may lie among them. */
static void mark_loop(const Program *p, u32 head, u32 latch, bool *in)
{
	memset(in, 0, p->blocks.n * sizeof *in);
	in[latch] = true;
	for (bool more = true; more;) {
		more = false;
		for (u32 b = latch; b-- > head;) {
			u32 n;
			const u32 *to = block_succs(p, b, &n);
			for (u32 i = 0; i < n && !in[b]; i++)
				more |= in[b] = to[i] >= head && to[i] <= latch && in[to[i]];
		}
	}
}

/* The largest loop that an edge leaves; false: none. Loops are contiguous, from the header to the only latch. */
static bool loop_left(const Program *p, u32 from, bool *in, IdlePlace *out)
{
	u32 n, m;
	const u32 *to = block_succs(p, from, &n);
	for (u32 latch = from; latch < p->blocks.n; latch++) {
		const u32 *head = block_succs(p, latch, &m);
		for (u32 k = 0; k < m; k++) {
			if (head[k] > from)
				continue;
			mark_loop(p, head[k], latch, in);
			for (u32 i = 0; i < n && in[from]; i++)
				if (!in[to[i]]) {
					out->first = head[k];
					out->last = latch;
					out->loop = true;
				}
		}
	}
	return out->loop;
}

/* From the branch to where its sides meet. */
static void sides_of(const Program *p, u32 b, IdlePlace *out)
{
	u32 join = p->blocks.v[b].ipdom;
	out->first = b;
	out->last = b;
	while (out->last + 1 < p->blocks.n && out->last + 1 < join && out->last + 1 != NO_BLOCK)
		out->last++;
}

/* The places that lose enough, most first. */
static u32 find_places(const Advisor *a, IdlePlace *list)
{
	const Program *p = a->in->program;
	const BlockProf *prof = a->in->profile->blocks;
	IdlePlace *all = ARENA_ARRAY(a->arena, IdlePlace, p->blocks.n + 1);
	bool *in = ARENA_ARRAY(a->arena, bool, p->blocks.n + 1);
	u32 n = 0, kept = 0;
	for (u32 b = 0; b < p->blocks.n; b++) {
		IdlePlace x = {.block = b, .lost = prof[b].lost};
		if (!x.lost)
			continue;
		if (!loop_left(p, b, in, &x))
			sides_of(p, b, &x);
		u32 k = 0;
		while (k < n && (!x.loop || !all[k].loop || all[k].first != x.first || all[k].last != x.last))
			k++;
		if (k < n) { /* another way out of the same loop */
			all[k].block = x.lost > prof[all[k].block].lost ? b : all[k].block;
			all[k].lost += x.lost;
		} else {
			all[n++] = x;
		}
	}
	for (; kept < MOST_PLACES; kept++) {
		IdlePlace *most = all;
		for (u32 k = 1; k < n; k++)
			most = all[k].lost > most->lost ? &all[k] : most;
		if (!n || most->lost * 100 < a->r->t.wave_instructions * a->r->wave * LEAST_PERCENT)
			break;
		list[kept] = *most;
		most->lost = 0;
	}
	return kept;
}

/* ---- why lanes differ ---- */

typedef enum { BY_VALUES, BY_DATA, BY_ITEM } Reason;

/* What a number is made of that no instruction of the place computes. */
static Reason made_of(const Program *p, const ProgramUses *known, const IdlePlace *x, u32 reg, u32 depth)
{
	const Block *end = &p->blocks.v[x->last];
	u32 from = p->blocks.v[x->first].first, to = end->first + end->n;
	const Reg *r = &p->regs.v[reg];
	if (depth > MOST_DEPTH || !known->made[reg] || r->kind != REG_VECTOR || type_is_float(r->type))
		return BY_VALUES;
	for (u32 i = from; i < to && x->loop; i++)
		for (u32 d = 0; d < p->ins.v[i].ndst; d++)
			if (ins_dst(p, &p->ins.v[i])[d] == reg)
				return BY_VALUES;
	const Ins *i = &p->ins.v[known->made[reg] - 1];
	if (i->op == OP_ld)
		return BY_DATA;
	if (i->op == OP_query)
		return query_is_vector(i->aux) ? BY_ITEM : BY_VALUES;
	Reason best = BY_VALUES;
	for (u32 k = 0; k < i->nsrc && best != BY_DATA; k++) {
		Reason of = made_of(p, known, x, ins_src(p, i)[k], depth + 1);
		best = of == BY_VALUES ? best : of;
	}
	return best;
}

static Reason reason_of(const Advisor *a, const ProgramUses *known, const IdlePlace *x)
{
	const Program *p = a->in->program;
	const Block *b = &p->blocks.v[x->block];
	const Ins *br = &p->ins.v[b->first + b->n - 1];
	u32 made = br->nsrc ? known->made[ins_src(p, br)[0]] : 0;
	Reason best = BY_VALUES;
	/* The comparison itself is in the loop; what it compares with is not. */
	for (u32 k = 0; made && k < p->ins.v[made - 1].nsrc && best != BY_DATA; k++) {
		Reason r = made_of(p, known, x, ins_src(p, &p->ins.v[made - 1])[k], 0);
		best = r == BY_VALUES ? best : r;
	}
	return best;
}

/* ---- saying it ---- */

/* Do single work-items run the sides? */
static bool is_alone(const Advisor *a, const IdlePlace *x)
{
	const BlockProf *prof = a->in->profile->blocks;
	u64 all = 0, lanes = 0;
	for (u32 b = x->first + 1; b <= x->last && !x->loop; b++) {
		all += prof[b].execs * a->in->program->blocks.v[b].weight;
		lanes += prof[b].lanes * a->in->program->blocks.v[b].weight;
	}
	return all && lanes * 4 < all * 5;
}

/* Is it an if without else? */
static bool has_one_side(const Program *p, const IdlePlace *x)
{
	u32 n;
	const u32 *to = block_succs(p, x->block, &n);
	for (u32 i = 0; i < n; i++)
		if (to[i] == p->blocks.v[x->block].ipdom)
			return true;
	return false;
}

/* Is the branch a loop's statement, by the source? So is the test whether it runs at all, and that of what turns are
 * left of an unrolled one. */
static bool is_of_loop(const Advisor *a, const IdlePlace *x)
{
	const Program *p = a->in->program;
	const Block *b = &p->blocks.v[x->block];
	size_t n;
	const char *word = advice_word(a, p->ins.v[b->first + b->n - 1].loc, &n);
	return scan_is(word, n, "for") || scan_is(word, n, "while");
}

static const char *hint_of(Advisor *a, const IdlePlace *x, Reason why)
{
	static const char *const loop[] = {
	    [BY_VALUES] =
		"sort or bin the work by how long it takes, so that the lanes of a wavefront finish together; or let a "
		"lane that has finished take the next item (from an atomic counter) inside of the loop",
	    [BY_DATA] = "give each row (what a work-item loops over) to a whole wavefront, whose lanes share its "
	                "elements; where rows are short, sort or bin them by length, so that those of a wavefront are "
	                "equally long",
	    [BY_ITEM] = "pair long work with short: let each work-item do items i and n - 1 - i in one loop, so that "
	                "all lanes run the same number of iterations; or renumber the items so that the lanes of a "
	                "wavefront have equal loops"};
	if (x->loop || is_of_loop(a, x))
		return loop[why];
	return why == BY_ITEM
	           ? advice_text(a,
	                         "renumber the items so that whole wavefronts take one side and skip the other: test "
	                         "%s / %u, or let the first work-items do all of it",
	                         a->words->local_id, a->r->wave)
	           : advice_text(a,
	                         "sort or bin the work by what is tested, so that whole wavefronts take one side and "
	                         "skip the other; short sides can be computed by all lanes and chosen with %s",
	                         a->words->choice);
}

/* The wavefront of the record that is longest in the place, counted from 1; 0: none. */
static u32 longest_wave(const Advisor *a, const IdlePlace *x)
{
	const Events *e = a->base.profile->events;
	u32 longest = 0;
	u64 most = 0;
	for (u32 i = 0; i < e->waves.n; i++) {
		u64 weight = 0;
		for (EventWord w = {0}; event_next(&e->waves.v[i], &w);)
			if (w.kind == EVENT_BLOCK && w.block >= x->first && w.block <= x->last)
				weight += a->in->program->blocks.v[w.block].weight;
		longest = weight > most ? i + 1 : longest;
		most = weight > most ? weight : most;
	}
	return longest;
}

static void say_place(Advisor *a, const ProgramUses *known, const IdlePlace *x)
{
	const Program *p = a->in->program;
	TogetherBlock *together = ARENA_ARRAY(a->arena, TogetherBlock, p->blocks.n + 1);
	for (u32 b = x->first; b <= x->last; b++)
		together[b] = b == x->first && !x->loop ? TOGETHER_HEAD : TOGETHER;
	Reason why = reason_of(a, known, x);
	/* Work that is dealt otherwise ends no earlier than its longest item. */
	EstimateChange change = {.together = together,
	                         .divided_wave = x->loop && why == BY_VALUES ? longest_wave(a, x) : 0};
	const EstimateChanged *after = advice_time(a, change);
	if (!after || after->time_us * 100 > a->r->estimate->time_us * (100 - LEAST_GAIN_PERCENT))
		return;
	const BlockProf *prof = &a->in->profile->blocks[x->loop ? x->first : x->block];
	double part = 100.0 * (double)x->lost / ((double)a->r->t.wave_instructions * a->r->wave);
	double lanes = (double)prof->lanes / (double)(prof->execs ? prof->execs : 1);
	const Block *b = &p->blocks.v[x->block];
	bool alone = is_alone(a, x);
	const char *message =
	    alone
		? advice_text(a, "one work-item does this while the others of its wavefront wait: %.0f %% of all lane "
	                      "slots stay idle because of it", part)
	    : x->loop
		? advice_text(a, "lanes leave this loop at different times and wait for the last of their wavefront: "
	                      "%.0f %% of all lane slots stay idle because of it, and an iteration runs with %.0f of "
	                      "%u lanes on average", part, lanes, a->r->wave)
	    : is_of_loop(a, x)
		? advice_text(a, "lanes that leave this loop early wait for the last one: "
		                 "%.0f %% of all lane slots stay idle because of it", part)
	    : has_one_side(p, x)
		? advice_text(a, "lanes that skip this branch's body wait while the others run it: %.0f %% of all lane "
		                 "slots stay idle because of it", part)
		: advice_text(a, "the sides of this branch run one after the other, each with a part of the lanes: "
	                      "%.0f %% of all lane slots stay idle because of it", part);
	advise(a, x->loop ? ADVICE_uneven_loop : ADVICE_split_branch, p->ins.v[b->first + b->n - 1].loc, after, message,
	       alone
	           ? advice_text(
			 a,
			 "share the work: each work-item takes every n-th element, and their parts are added up in %s "
			 "memory; or let each work-item do its own",
			 a->words->shared)
	           : hint_of(a, x, why));
}

/* Is it the test whether a loop runs at all, on the loop's own line, and was the loop told? */
static bool guards_said_loop(const Advisor *a, const IdlePlace *x)
{
	const Program *p = a->in->program;
	const Block *b = &p->blocks.v[x->block];
	const SrcLoc *at = program_place(p, p->ins.v[b->first + b->n - 1].loc);
	bool before = false;
	for (u32 i = x->block + 1; i <= x->last && !before; i++) {
		LoopBlocks loop;
		const SrcLoc *of =
		    loop_around(p, i, &loop) && loop.first > x->block ? program_place(p, loop.loc) : NULL;
		before = of && at && of->file == at->file && of->line == at->line;
	}
	return before && advice_said(a, ADVICE_uneven_loop, at);
}

static void advise_places(Advisor *a, bool loops)
{
	IdlePlace list[MOST_PLACES];
	if (!a->r->t.divergent_branches)
		return;
	u32 n = find_places(a, list);
	ProgramUses known = program_uses(a);
	for (u32 i = 0; i < n && advice_can_time(a); i++)
		if (list[i].loop == loops && (loops || (!tests_item(a->in->program, &known, list[i].block) &&
		                                        !guards_said_loop(a, &list[i]))))
			say_place(a, &known, &list[i]);
}

void advice_uneven_loop(Advisor *a) { advise_places(a, true); }

/* A better remedy for the sides may have been found. */
void advice_split_branch(Advisor *a)
{
	if (!advice_said(a, ADVICE_same_code, NULL) && !advice_said(a, ADVICE_table_chain, NULL))
		advise_places(a, false);
}
