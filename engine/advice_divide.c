/* Advice where few wavefronts run a long loop whose iterations could be shared out among many. That is so where an
 * iteration needs nothing of those before it but a counter, and what they added up: sums, products, the least and the
 * largest can be made of parts. The launch is played with more wavefronts, each with its part of the iterations. Parts
 * are added up by a second kernel, whose time counts. */
#include "engine/advice.h"

enum { LEAST_TURNS = 32, LEAST_PART = 4, LEAST_GAIN_PERCENT = 15, MOST_CARRIED = 32, MOST_INS = 4096, MOST_ROUNDS = 6,
       FEW = 4, READ_AT_ONCE = 8, MOST_PARTS = 64 };

/* What a register has of a carried one, which the loop passes on from turn to turn: nothing; it is that, and what turns
 * add; or another function of it. */
typedef enum { APART, ADDED, OTHER } Kind;

typedef struct Divided {
	Advisor *a;
	const Program *p;
	LoopBlocks loop;
	u32 from, to;   /* its instructions: from … to - 1 */
	bool *inside, *outside; /* per register: computed in the loop, out of it */
	bool *read;     /* per register: read in the loop */
	bool *back;     /* per register: the carried one of the next turn is made of it */
	bool *counter;  /* per register: it is carried, and each turn adds the same */
	u8 *kind;       /* per register: its Kind beside the carried one that is looked at */
	bool sums;      /* it adds something up */
} Divided;

/* ---- what an iteration has of those before it ---- */

static void find_makers(Divided *x)
{
	const Program *p = x->p;
	const Block *end = &p->blocks.v[x->loop.last];
	x->from = p->blocks.v[x->loop.first].first;
	x->to = end->first + end->n;
	memset(x->inside, 0, p->regs.n * sizeof *x->inside);
	memset(x->outside, 0, p->regs.n * sizeof *x->outside);
	memset(x->read, 0, p->regs.n * sizeof *x->read);
	memset(x->counter, 0, p->regs.n * sizeof *x->counter);
	for (u32 i = 0; i < p->ins.n; i++) {
		bool in = i >= x->from && i < x->to;
		bool *made = in ? x->inside : x->outside;
		for (u32 n = 0; in && n < p->ins.v[i].nsrc; n++)
			x->read[ins_src(p, &p->ins.v[i])[n]] = true;
		for (u32 d = 0; d < p->ins.v[i].ndst; d++)
			made[ins_dst(p, &p->ins.v[i])[d]] = true;
	}
}

static bool is_carried(const Divided *x, u32 reg) { return x->inside[reg] && x->outside[reg]; }

static bool is_of(u32 op, const Op *families, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (op_is_of(op, families[i]))
			return true;
	return false;
}

static bool joins(u32 op)
{
	static const Op families[] = {OP_add_i32, OP_mul_i32, OP_and_i32, OP_or_i32, OP_xor_i32, OP_umin_i32,
	                              OP_umax_i32, OP_smin_i32, OP_smax_i32, OP_fadd_f32, OP_fmul_f32,
	                              OP_fminnum_f32, OP_fmaxnum_f32};
	return is_of(op, families, COUNT(families));
}

static bool takes_away(u32 op)
{
	static const Op families[] = {OP_sub_i32, OP_fsub_f32};
	return is_of(op, families, COUNT(families));
}

/* Integers of another width; the shifts are how the sign of a counter is widened. */
static bool converts(u32 op)
{
	static const Op families[] = {OP_shl_i64, OP_ashr_i64};
	return op == OP_mov || op == OP_trunc_i32_i64 || op == OP_zext_i64_i32 || op == OP_sext_i64_i32 ||
	       is_of(op, families, COUNT(families));
}

static Kind kind_of(const Divided *x, const Ins *i)
{
	const u32 *src = ins_src(x->p, i);
	Kind k[3] = {APART, APART, APART};
	for (u32 n = 0; n < i->nsrc; n++) {
		Kind of = (Kind)x->kind[src[n]];
		if (n < 3)
			k[n] = of;
		else if (of != APART)
			return OTHER;
	}
	if (k[0] == APART && k[1] == APART && k[2] == APART)
		return APART;
	if (converts(i->op) && k[1] == APART)
		return k[0];
	if (joins(i->op) && (k[0] == APART || k[1] == APART))
		return k[0] == APART ? k[1] : k[0];
	if (takes_away(i->op) && k[1] == APART)
		return k[0];
	if (op_is_of(i->op, OP_fma_f32) && k[0] == APART && k[1] == APART)
		return k[2];
	if (op_is_of(i->op, OP_select_i32) && k[0] == APART && k[1] == ADDED && k[2] == ADDED)
		return ADDED;
	return OTHER;
}

/* The kinds of all registers beside that one. False: no end is found. */
static bool find_kinds(Divided *x, u32 carried)
{
	const Program *p = x->p;
	bool more = true;
	memset(x->kind, APART, p->regs.n);
	x->kind[carried] = ADDED;
	for (u32 round = 0; more && round < MOST_ROUNDS; round++) {
		more = false;
		for (u32 i = x->from; i < x->to; i++) {
			Kind k = kind_of(x, &p->ins.v[i]);
			for (u32 d = 0; d < p->ins.v[i].ndst; d++) {
				u8 *of = &x->kind[ins_dst(p, &p->ins.v[i])[d]];
				more |= *of < k;
				*of = *of < k ? (u8)k : *of;
			}
		}
	}
	return !more;
}

/* Of what the carried register of the next turn is made. */
static void find_back(Divided *x, u32 carried)
{
	const Program *p = x->p;
	memset(x->back, 0, p->regs.n * sizeof *x->back);
	x->back[carried] = true;
	for (bool more = true; more;) {
		more = false;
		for (u32 i = x->to; i-- > x->from;) {
			const Ins *ins = &p->ins.v[i];
			for (u32 n = 0; ins->ndst == 1 && x->back[ins_dst(p, ins)[0]] && n < ins->nsrc; n++) {
				u32 src = ins_src(p, ins)[n];
				more |= x->kind[src] != APART && !x->back[src];
				x->back[src] |= x->kind[src] != APART;
			}
		}
	}
}

/* Is the carried register, or what turns add to it, of use to anything in the loop but to the next turn? does it count,
 * in equal steps? */
static void find_use(const Divided *x, bool *used, bool *counts)
{
	const Program *p = x->p;
	*used = false;
	*counts = true;
	for (u32 i = x->from; i < x->to; i++) {
		const Ins *ins = &p->ins.v[i];
		bool has = false, varies = false;
		for (u32 n = 0; n < ins->nsrc; n++) {
			u32 src = ins_src(p, ins)[n];
			has |= x->kind[src] != APART;
			varies |= x->kind[src] == APART && x->inside[src];
		}
		bool chain = has && ins->ndst == 1 && x->back[ins_dst(p, ins)[0]];
		bool leaves = ins->op == OP_mov && !x->read[ins_dst(p, ins)[0]];
		bool steps = converts(ins->op) || takes_away(ins->op) || op_is_of(ins->op, OP_add_i32);
		*used |= has && !chain && !leaves;
		*counts &= !chain || (steps && !varies);
	}
}

static bool carried_divides(Divided *x, u32 reg)
{
	bool used, counts;
	if (!find_kinds(x, reg) || x->kind[reg] != ADDED)
		return false;
	find_back(x, reg);
	find_use(x, &used, &counts);
	x->counter[reg] = counts;
	x->sums |= !counts && !used;
	return counts || !used;
}

/* Does the number of turns follow from counters and from what the loop does not change? */
static bool is_counted(const Divided *x, u32 reg, u32 depth)
{
	enum { MOST_DEPTH = 8 };
	bool good = depth < MOST_DEPTH;
	if (!x->inside[reg] || x->counter[reg])
		return true;
	if (is_carried(x, reg))
		return false;
	for (u32 i = x->from; good && i < x->to; i++) {
		const Ins *ins = &x->p->ins.v[i];
		for (u32 d = 0; d < ins->ndst; d++) {
			if (ins_dst(x->p, ins)[d] != reg)
				continue;
			good &= op_info[ins->op].lane || ins->op == OP_mov;
			for (u32 n = 0; good && n < ins->nsrc; n++)
				good = is_counted(x, ins_src(x->p, ins)[n], depth + 1);
		}
	}
	return good;
}

static bool exits_are_counted(const Divided *x)
{
	for (u32 b = x->loop.first; b <= x->loop.last; b++) {
		const Block *block = &x->p->blocks.v[b];
		const Ins *end = &x->p->ins.v[block->first + block->n - 1];
		bool leaves = false;
		for (u32 t = 0; t < end->ntgt; t++)
			leaves |= ins_tgt(x->p, end)[t] < x->loop.first || ins_tgt(x->p, end)[t] > x->loop.last;
		for (u32 n = 0; leaves && n < end->nsrc; n++)
			if (!is_counted(x, ins_src(x->p, end)[n], 0))
				return false;
	}
	return true;
}

typedef ARRAY(u64) Segments;

/* There are few: buffers have one each. */
static bool has_segment(const Segments *s, u64 segment)
{
	for (u32 i = s->n; i-- > 0;)
		if (s->v[i] == segment)
			return true;
	return false;
}

static void note_segment(Segments *s, u64 segment)
{
	if (!has_segment(s, segment))
		array_push(s, segment);
}

/* Nothing in memory passes from turn to turn, as far as buffers have segments of their own. */
static bool memory_divides(const Divided *x)
{
	const Events *ev = x->a->base.profile->events;
	Segments read = {0}, written = {0};
	bool good = true;
	for (u32 i = x->from; good && i < x->to; i++) {
		const Ins *ins = &x->p->ins.v[i];
		good = ins->op != OP_barrier && !ins_calls(ins) && ins->sync == SYNC_NONE &&
		       (!(op_info[ins->op].flags & F_SIDE) || ins->op == OP_ld || ins->op == OP_st) &&
		       !(ins->op == OP_st && ins->space != SPACE_GLOBAL);
	}
	for (u32 i = 0; good && i < ev->waves.n; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);)
			if (w.kind == EVENT_ACCESS && w.ins >= x->from && w.ins < x->to && !w.shape->lds)
				note_segment(w.shape->write ? &written : &read, w.address >> SEG_SHIFT);
	for (u32 i = 0; good && i < written.n; i++)
		good = !has_segment(&read, written.v[i]);
	array_free(&read);
	array_free(&written);
	return good;
}

static bool divides(Divided *x)
{
	u32 carried = 0;
	find_makers(x);
	x->sums = false;
	if (x->to - x->from > MOST_INS)
		return false;
	for (u32 reg = 0; reg < x->p->regs.n; reg++)
		if (is_carried(x, reg) && (++carried > MOST_CARRIED || !carried_divides(x, reg)))
			return false;
	return carried && exits_are_counted(x) && memory_divides(x);
}

/* ---- the launch with its iterations shared out ---- */

/* Where a wavefront is: which turn of the loop, of how many; 0 of 0: out of it. */
typedef struct Turns {
	ARRAY(u32) of; /* how many turns it makes each time that it comes to the loop */
	u32 time, turn;
	bool in;
} Turns;

/* Follows a block. True: a turn begins. */
static bool follow_block(const Divided *x, Turns *t, u32 block)
{
	bool in = block >= x->loop.first && block <= x->loop.last, first = in && !t->in,
	     begins = block == x->loop.first;
	t->time += first;
	t->turn = first ? 0 : t->turn + (in && begins);
	t->in = in;
	return in && begins;
}

static void count_turns(const Divided *x, const WaveEvents *e, Turns *t)
{
	t->of.n = 0;
	t->time = t->turn = 0;
	t->in = false;
	for (EventWord w = {0}; event_next(e, &w);) {
		if (w.kind != EVENT_BLOCK)
			continue;
		bool begins = follow_block(x, t, w.block);
		if (t->in && t->time > t->of.n)
			array_push(&t->of, 0);
		if (begins)
			t->of.v[t->time - 1]++;
	}
	t->time = t->turn = 0;
	t->in = false;
}

/* The most turns of any wavefront; 0 where most of them do not come to the loop: there others could share its work. */
static u32 most_turns(const Divided *x)
{
	const Events *ev = x->a->base.profile->events;
	Turns t = {0};
	u32 most = 0, come = 0;
	for (u32 i = 0; i < ev->waves.n; i++) {
		count_turns(x, &ev->waves.v[i], &t);
		come += t.of.n > 0;
		for (u32 k = 0; k < t.of.n; k++)
			most = t.of.v[k] > most ? t.of.v[k] : most;
	}
	array_free(&t.of);
	return come * 2 > ev->waves.n ? most : 0;
}

static void write_part(const Divided *x, Rewrite *out, u32 wave, Turns *t, u32 part, u32 parts)
{
	const WaveEvents *e = &x->a->base.profile->events->waves.v[wave];
	count_turns(x, e, t);
	for (EventWord w = {0}; event_next(e, &w);) {
		if (w.kind == EVENT_BLOCK)
			follow_block(x, t, w.block);
		u64 of = t->in ? t->of.v[t->time - 1] : 0;
		if (!of || (u64)t->turn * parts / of == part)
			rewrite_event(out, &w);
	}
	rewrite_wave(out, wave);
}

/* Each work-group as so many, one after the other. */
static Events *in_parts(const Divided *x, u32 parts)
{
	const Events *from = x->a->base.profile->events;
	Rewrite out;
	Turns t = {0};
	rewrite_begin(&out, from);
	for (u32 i = 0, end; i < from->waves.n; i = end) {
		for (end = i + 1; end < from->waves.n && from->waves.v[end].group == from->waves.v[i].group; end++)
			;
		for (u32 part = 0; part < parts; part++) {
			for (u32 w = i; w < end; w++)
				write_part(x, &out, w, &t, part, parts);
			for (u32 w = 0; w < end - i; w++)
				out.to->waves.v[out.to->waves.n - 1 - w].group = from->waves.v[i].group * parts + part;
		}
	}
	array_free(&t.of);
	return rewrite_end(&out);
}

/* A second kernel: it starts, and waits for the parts, of which it loads some at once. */
static double us_to_add_up(const Divided *x, u32 parts)
{
	const Device *d = x->a->in->device;
	double wait = d->dram_latency / d->clock_mhz;
	return x->sums ? x->a->r->estimate->launch_us + wait * (2 + (double)(parts / READ_AT_ONCE)) : 0;
}

static bool try_parts(const Divided *x, u32 parts, EstimateChanged *best, u32 *best_parts)
{
	if (!advice_can_time(x->a))
		return false;
	const EstimateChanged *after =
	    advice_time_record(x->a, in_parts(x, parts), (EstimateChange){.ngroups = x->a->r->ngroups * parts});
	double us = after ? after->time_us + us_to_add_up(x, parts) : 0;
	if (after && (!*best_parts || us < best->time_us)) {
		*best = *after;
		best->time_us = us;
		*best_parts = parts;
	}
	return after != NULL;
}

static bool say_loop(const Divided *x)
{
	Advisor *a = x->a;
	const Device *d = a->in->device;
	u32 turns = most_turns(x), parts = 1, best = 0;
	u64 simds = (u64)d->compute_units * d->simds_per_cu;
	EstimateChanged after = {0};
	if (turns < LEAST_TURNS)
		return false;
	while (parts * 2 * a->r->nwaves <= simds && parts * 2 * LEAST_PART <= turns && parts * 2 <= MOST_PARTS)
		parts *= 2;
	for (u32 n = parts; n > 1 && n * 8 > parts && try_parts(x, n, &after, &best); n /= 2)
		;
	if (!best || after.time_us * 100 > a->r->estimate->time_us * (100 - LEAST_GAIN_PERCENT))
		return false;
	const char *add = x->sums ? "; store each one's partial sum, and add these in a second, small kernel, whose "
	                            "time is taken off the gain" : "";
	advise(a, ADVICE_few_waves, x->loop.loc, &after,
	       advice_text(a, "only %s wavefront%s run%s this long loop: most of the device's %s SIMDs are idle",
	                   advice_number(a, a->r->nwaves), a->r->nwaves == 1 ? "" : "s", a->r->nwaves == 1 ? "s" : "",
	                   advice_number(a, simds)),
	       advice_text(a, "split the iterations: launch %u times as many work-items, each of which runs 1/%u of "
	                      "them%s",
	                   best, best, add));
	return true;
}

void advice_few_waves(Advisor *a)
{
	const Program *p = a->in->program;
	const Device *d = a->in->device;
	LoopBlocks loop;
	if (a->r->nwaves * FEW > (u64)d->compute_units * d->simds_per_cu)
		return;
	Divided x = {.a = a, .p = p};
	x.inside = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	x.outside = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	x.read = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	x.back = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	x.counter = ARENA_ARRAY(a->arena, bool, p->regs.n + 1);
	x.kind = ARENA_ARRAY(a->arena, u8, p->regs.n + 1);
	/* Outer loops come with a later latch. */
	for (u32 b = p->blocks.n; b-- > 0;) {
		if (!loop_around(p, b, &loop) || loop.last != b)
			continue;
		x.loop = loop;
		if (divides(&x) && say_loop(&x))
			return;
	}
}
