/* How often each machine block ran: counts of the run where a block begins with an IR block, and
 * conservation of flow for the others (machine.h says what is assumed where that does not do).
 *
 * Rules say what follows from what is known. Each sweeps over the blocks in their order, again and
 * again; of a block it looks only at what changed since (RuleQueue), so that the far end of a long chain
 * costs as much as the near one. */
#include "models/timing/machine_flow.h"

static void make_edges(MachineFlow *f)
{
	const MachineCode *c = f->c;
	u32 n = c->blocks.n;
	f->ne = (u32)c->edges.n;
	f->e = ARENA_ARRAY(f->arena, FlowEdge, f->ne + 1);
	f->in = ARENA_ARRAY(f->arena, u32, f->ne + 1);
	f->in_first = ARENA_ARRAY(f->arena, u32, n + 2);
	for (u32 b = 0; b < n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		for (u32 i = k->first_edge; i < k->first_edge + k->nedges; i++) {
			f->e[i] = (FlowEdge){.from = b, .to = c->edges.v[i]};
			f->in_first[c->edges.v[i] + 2]++;
		}
	}
	for (u32 b = 0; b < n; b++)
		f->in_first[b + 1] += f->in_first[b];
	for (u32 b = 0; b < n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		for (u32 i = k->first_edge; i < k->first_edge + k->nedges; i++)
			f->in[f->in_first[c->edges.v[i] + 1]++] = i;
	}
}

/* The rule has to look at block b: in this sweep, if that is still to come there. */
static void mark(MachineFlow *f, Rule rule, u32 b)
{
	RuleQueue *w = &f->work[rule];
	if (w->queued[b])
		return;
	w->queued[b] = true;
	heap_put(&w->due, (u64)(w->at != NO_BLOCK && b > w->at ? w->sweep : w->sweep + 1) << 32 | b);
}

void flow_set_block(MachineFlow *f, u32 b, u64 n)
{
	f->r->execs[b] = n;
	f->known[b] = true;
	mark(f, RULE_BALANCE, b);
	mark(f, RULE_CHAIN, b);
	if (f->after[b] != NO_BLOCK)
		mark(f, RULE_CHAIN, f->after[b]);
	mark(f, RULE_EQUAL, b);
	for (u32 i = 0; i < f->same[b].n; i++)
		mark(f, RULE_EQUAL, f->same[b].v[i]);
	for (u32 i = 0; i < f->groups[b].n; i++) {
		u32 of = f->groups[b].v[i];
		if (--f->group_unknown[of] == 1)
			heap_put(&f->copies_due, of);
	}
}

static void add_known(MachineFlow *f, u32 side, u32 b, u64 n)
{
	FlowSide *s = &f->side[side][b];
	s->unknown--;
	s->sum += n;
	mark(f, RULE_BALANCE, b);
	if (n && !f->known[b])
		heap_put(&f->pulled, b);
}

void flow_set_edge(MachineFlow *f, FlowEdge *e, u64 n)
{
	e->count = n;
	e->known = true;
	add_known(f, OUT, e->from, n);
	add_known(f, IN, e->to, n);
}

/* Does b only go on where the block before it, its only way in, ended? */
static u32 chain_before(const MachineFlow *f, u32 b)
{
	if (f->in_first[b + 1] - f->in_first[b] != 1)
		return NO_BLOCK;
	u32 from = f->e[f->in[f->in_first[b]]].from;
	return from < b && f->c->blocks.v[from].nedges == 1 ? from : NO_BLOCK;
}

static void find_neighbours(MachineFlow *f)
{
	const MachineCode *c = f->c;
	u32 n = c->blocks.n;
	for (u32 b = 0; b <= n; b++)
		f->before[b] = f->after[b] = NO_BLOCK;
	for (u32 b = 0; b < n; b++) {
		u32 before = chain_before(f, b), same = c->blocks.v[b].same - 1;
		f->before[b] = before;
		if (before != NO_BLOCK)
			f->after[before] = b;
		if (same < b)
			array_push(&f->same[same], b);
		f->side[OUT][b].unknown = c->blocks.v[b].nedges;
		f->side[IN][b].unknown = f->in_first[b + 1] - f->in_first[b];
	}
}

/* Of a Block of the Program: how often wavefronts came back to it from behind. */
typedef struct Iterations {
	u64 n;
	bool any, unknown;
} Iterations;

static Iterations *find_iterations(const Program *p, const Profile *prof)
{
	Iterations *t = xcalloc(p->blocks.n + 1, sizeof *t);
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 n;
		const u32 *succ = block_succs(p, b, &n);
		for (u32 i = 0; i < n; i++) {
			if (succ[i] > b)
				continue;
			t[succ[i]].any = true;
			t[succ[i]].unknown |= n != 1;
			t[succ[i]].n += prof->blocks[b].execs;
		}
	}
	return t;
}

/* The one edge back to machine block b ran as often as the Program's. */
static void set_iterations(MachineFlow *f, u32 b, u64 iterations)
{
	FlowEdge *back = NULL;
	for (u32 i = f->in_first[b]; i < f->in_first[b + 1]; i++) {
		FlowEdge *e = &f->e[f->in[i]];
		if (e->from < b)
			continue;
		if (back)
			return;
		back = e;
	}
	if (back && !back->known)
		flow_set_edge(f, back, iterations);
}

static u32 ir_block(const MachineFlow *f, const Program *p, u32 b)
{
	u32 ir = f->c->blocks.v[b].ir_block, at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
	return at < p->blocks.n ? at : NO_BLOCK;
}

static void make_group(MachineFlow *f, u32 b)
{
	for (u32 k = 0; k < f->copies[b].n; k++)
		array_push(&f->groups[f->copies[b].v[k]], b);
	array_push(&f->groups[b], b);
	f->group_unknown[b] = f->copies[b].n + 1;
}

/* The counts that the run of the Program gives. */
static void set_from_run(MachineFlow *f, const Program *p, const Profile *prof)
{
	u32 n = f->c->blocks.n;
	Iterations *iterations = find_iterations(p, prof);
	for (u32 b = 0; b < n; b++) {
		u32 at = ir_block(f, p, b);
		f->has_ir[b] = at != NO_BLOCK;
		f->ir[b] = at != NO_BLOCK ? prof->blocks[at].execs : 0;
		if (f->has_ir[b] && flow_is_copied(f, b))
			make_group(f, b);
	}
	for (u32 b = 0; b < n; b++) {
		u32 at = ir_block(f, p, b);
		/* Masked code that nothing jumps over runs as often as what stands before it. */
		if (at == NO_BLOCK || flow_is_copied(f, b) || f->before[b] != NO_BLOCK)
			continue;
		flow_set_block(f, b, f->ir[b]);
		if (iterations[at].any && !iterations[at].unknown)
			set_iterations(f, b, iterations[at].n);
	}
	free(iterations);
	flow_put_divisions(f, p, prof);
}

/* Two blocks that run equally often: what is known of one is known of both. */
static bool alike(MachineFlow *f, u32 a, u32 b)
{
	if (f->known[a] == f->known[b])
		return false;
	if (f->known[a])
		flow_set_block(f, b, f->r->execs[a]);
	else
		flow_set_block(f, a, f->r->execs[b]);
	return true;
}

/* Edges on one side of block b: if all but one are known, the last one follows from the
 * block's count; if all are, the count follows from them. */
static bool balance(MachineFlow *f, u32 b, u32 side)
{
	const FlowSide s = f->side[side][b];
	u32 first = side == IN ? f->in_first[b] : f->c->blocks.v[b].first_edge;
	u32 n = side == IN ? f->in_first[b + 1] - first : f->c->blocks.v[b].nedges;
	if (!n || s.unknown > 1 || !s.unknown == f->known[b])
		return false;
	if (!s.unknown) {
		flow_set_block(f, b, s.sum);
		return true;
	}
	for (u32 i = first; i < first + n; i++) {
		FlowEdge *e = &f->e[side == IN ? f->in[i] : i];
		if (!e->known) {
			flow_set_edge(f, e, f->r->execs[b] > s.sum ? f->r->execs[b] - s.sum : 0);
			break;
		}
	}
	return true;
}

static bool apply(MachineFlow *f, Rule rule, u32 b)
{
	u32 same = f->c->blocks.v[b].same - 1;
	switch (rule) {
	case RULE_CHAIN: /* a chain of blocks runs as one */
		return f->before[b] != NO_BLOCK && alike(f, f->before[b], b);
	case RULE_EQUAL: /* what the code generator knows to run equally often */
		return same < b && alike(f, same, b);
	case RULE_BALANCE: {
		bool in = balance(f, b, IN);
		return balance(f, b, OUT) || in;
	}
	case RULES: break;
	}
	return false;
}

/* Over the blocks in their order; false: nothing new. */
static bool sweep(MachineFlow *f, Rule rule)
{
	RuleQueue *w = &f->work[rule];
	bool changed = false;
	w->sweep++;
	while (w->due.n && w->due.v[0] >> 32 == w->sweep) {
		w->at = (u32)heap_take(&w->due);
		w->queued[w->at] = false;
		changed |= apply(f, rule, w->at);
	}
	w->at = NO_BLOCK;
	return changed;
}

static void solve(MachineFlow *f)
{
	bool changed;
	do {
		changed = false;
		while (sweep(f, RULE_CHAIN) || sweep(f, RULE_EQUAL))
			changed = true;
		changed |= sweep(f, RULE_BALANCE);
	} while (changed);
}

static void flow_new(MachineFlow *f)
{
	u32 n = f->c->blocks.n + 1;
	for (u32 b = 0; b < f->c->blocks.n; b++)
		f->r->driver[b] = NO_BLOCK;
	f->known = ARENA_ARRAY(f->arena, bool, n);
	f->ir = ARENA_ARRAY(f->arena, u64, n);
	f->has_ir = ARENA_ARRAY(f->arena, bool, n);
	f->before = ARENA_ARRAY(f->arena, u32, n);
	f->after = ARENA_ARRAY(f->arena, u32, n);
	f->same = ARENA_ARRAY(f->arena, BlockList, n);
	f->copies = ARENA_ARRAY(f->arena, BlockList, n);
	f->groups = ARENA_ARRAY(f->arena, BlockList, n);
	f->group_unknown = ARENA_ARRAY(f->arena, u32, n);
	for (u32 i = 0; i < SIDES; i++)
		f->side[i] = ARENA_ARRAY(f->arena, FlowSide, n);
	for (u32 i = 0; i < RULES; i++)
		f->work[i] = (RuleQueue){.queued = ARENA_ARRAY(f->arena, bool, n), .at = NO_BLOCK};
	make_edges(f);
	find_neighbours(f);
	flow_find_copies(f);
}

static void flow_free(MachineFlow *f)
{
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		array_free(&f->same[b]);
		array_free(&f->copies[b]);
		array_free(&f->groups[b]);
	}
	for (u32 i = 0; i < RULES; i++)
		array_free(&f->work[i].due);
	array_free(&f->copies_due);
	array_free(&f->pulled);
	arena_free(f->arena);
}

void machine_flow(const MachineCode *c, const Program *p, const Profile *prof, MachineRun *r)
{
	MachineFlow f = {.c = c, .r = r, .arena = arena_new()};
	flow_new(&f);
	set_from_run(&f, p, prof);
	do
		solve(&f);
	while (flow_decide(&f));
	flow_free(&f);
}
