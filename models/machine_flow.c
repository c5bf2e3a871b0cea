/* How often each machine block ran: counts of the run where a block begins with an IR block, and
 * conservation of flow for the others (machine.h says what is assumed where that does not do). */
#include "models/machine_flow.h"

/* Edges have the numbers that MachineCode.edges gives them. */
typedef struct Edge {
	u32 from, to;
	u64 count;
	bool known;
} Edge;

typedef struct Flow {
	const MachineCode *c;
	MachineRun *r;
	Edge *e;
	u32 ne;
	u32 *in_first, *in; /* edges into block b: e[in[in_first[b]]] … up to in_first[b + 1] */
	bool *known;  /* per block */
	u64 *ir;      /* per block: the count of its IR block, … */
	bool *has_ir; /* … if there is one */
	ARRAY(u32) *copies; /* per block: the blocks that are copies of it */
} Flow;

static void make_edges(Flow *f)
{
	const MachineCode *c = f->c;
	u32 n = c->blocks.n;
	f->ne = (u32)c->edges.n;
	f->e = xcalloc(f->ne + 1, sizeof *f->e);
	f->in = xcalloc(f->ne + 1, sizeof *f->in);
	f->in_first = xcalloc(n + 2, sizeof *f->in_first);
	for (u32 b = 0; b < n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		for (u32 i = k->first_edge; i < k->first_edge + k->nedges; i++) {
			f->e[i] = (Edge){.from = b, .to = c->edges.v[i]};
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

static void set_block(Flow *f, u32 b, u64 n)
{
	f->r->execs[b] = n;
	f->known[b] = true;
}

/* Where edge e leads: through the jump that ends a block behind its branch. */
static u32 way(const MachineCode *c, u32 e)
{
	u32 to = c->edges.v[e];
	const MachineBlock *b = &c->blocks.v[to];
	bool jump = b->n == 1 && !b->label && b->ir_block == NO_IR && b->nedges == 1;
	return jump && c->ins.v[b->first].cls == MC_branch ? c->edges.v[b->first_edge] : to;
}

static bool same_ways(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	if (a->nedges != b->nedges)
		return false;
	for (u32 i = 0; i < a->nedges; i++) {
		u32 k = 0;
		while (k < b->nedges && way(c, b->first_edge + k) != way(c, a->first_edge + i))
			k++;
		if (k == b->nedges)
			return false;
	}
	return true;
}

static bool shares_ir(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	for (u32 i = a->first; i < a->first + a->n; i++)
		for (u32 k = b->first; k < b->first + b->n; k++)
			if (c->ins.v[i].ir != NO_IR && c->ins.v[i].ir == c->ins.v[k].ir)
				return true;
	return false;
}

/* Does b have all of what a does for the IR? */
static bool has_all_ir(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	bool any = false;
	for (u32 i = a->first; i < a->first + a->n; i++) {
		const MachineIns *x = &c->ins.v[i];
		if (x->ir == NO_IR)
			continue;
		u32 k = b->first;
		while (k < b->first + b->n &&
		       (c->ins.v[k].ir != x->ir || strcmp(c->ins.v[k].mnemonic, x->mnemonic) != 0))
			k++;
		if (k == b->first + b->n)
			return false;
		any = true;
	}
	return any;
}

/* The compiler may copy a block to the end of each block before it; one copy keeps the
 * name. Then no copy alone has the IR block's count. A block that has a name of its own must
 * hold all of the other one: a few instructions may have been moved there. */
static bool is_copy(const MachineCode *c, u32 b, u32 of)
{
	const MachineBlock *k = &c->blocks.v[of], *x = &c->blocks.v[b];
	if (b == of || x->func != k->func || !same_ways(c, k, x))
		return false;
	return x->ir_block == NO_IR ? shares_ir(c, k, x) : x->n > k->n && has_all_ir(c, k, x);
}

/* Blocks of one function that end in the same places have equal keys. */
typedef struct CopyKey {
	u64 key;
	u32 block;
} CopyKey;

static int by_key(const void *pa, const void *pb)
{
	const CopyKey *a = pa, *b = pb;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->block < b->block ? -1 : a->block > b->block;
}

static u64 copy_key(const MachineCode *c, const MachineBlock *k)
{
	const u64 mix = 0x9E3779B97F4A7C15ull;
	u64 key = (k->func + 1) * mix + k->nedges;
	for (u32 i = 0; i < k->nedges; i++)
		key += (way(c, k->first_edge + i) + 1) * mix * mix;
	return key;
}

static void find_copies(Flow *f)
{
	const MachineCode *c = f->c;
	u32 n = c->blocks.n;
	CopyKey *keys = xcalloc(n + 1, sizeof *keys);
	f->copies = xcalloc(n + 1, sizeof *f->copies);
	for (u32 b = 0; b < n; b++)
		keys[b] = (CopyKey){copy_key(c, &c->blocks.v[b]), b};
	qsort(keys, n, sizeof *keys, by_key);
	for (u32 from = 0, to; from < n; from = to) {
		for (to = from; to < n && keys[to].key == keys[from].key; to++)
			;
		for (u32 i = from; i < to; i++)
			for (u32 k = from; k < to; k++)
				if (is_copy(c, keys[k].block, keys[i].block))
					array_push(&f->copies[keys[i].block], keys[k].block);
	}
	free(keys);
}

static bool is_copied(const Flow *f, u32 b) { return f->copies[b].n; }

/* Does b only go on where the block before it, its only way in, ended? */
static u32 chain_before(const Flow *f, u32 b)
{
	if (f->in_first[b + 1] - f->in_first[b] != 1)
		return NO_BLOCK;
	u32 from = f->e[f->in[f->in_first[b]]].from;
	return from < b && f->c->blocks.v[from].nedges == 1 ? from : NO_BLOCK;
}

/* How often wavefronts came back to block `at` from behind it; false: not known. */
static bool loop_turns(const Program *p, const Profile *prof, u32 at, u64 *turns)
{
	const Func *fn = &p->funcs.v[p->blocks.v[at].func];
	bool any = false;
	*turns = 0;
	for (u32 b = at; b < fn->first_block + fn->nblocks; b++) {
		u32 n;
		const u32 *succ = block_succs(p, b, &n);
		for (u32 i = 0; i < n; i++) {
			if (succ[i] != at)
				continue;
			if (n != 1)
				return false;
			any = true;
			*turns += prof->blocks[b].execs;
		}
	}
	return any;
}

/* The one edge back to machine block b ran as often as the Program's. */
static void set_turns(Flow *f, u32 b, u64 turns)
{
	Edge *back = NULL;
	for (u32 i = f->in_first[b]; i < f->in_first[b + 1]; i++) {
		Edge *e = &f->e[f->in[i]];
		if (e->from < b)
			continue;
		if (back)
			return;
		back = e;
	}
	if (!back)
		return;
	back->count = turns;
	back->known = true;
}

/* The counts that the run of the Program gives. */
static void set_from_run(Flow *f, const Program *p, const Profile *prof)
{
	const MachineCode *c = f->c;
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 ir = c->blocks.v[b].ir_block;
		u32 at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
		u64 turns;
		if (at == NO_BLOCK || at >= p->blocks.n)
			continue;
		f->ir[b] = prof->blocks[at].execs;
		f->has_ir[b] = true;
		/* Masked code that nothing jumps over runs as often as what stands before it. */
		if (is_copied(f, b) || chain_before(f, b) != NO_BLOCK)
			continue;
		set_block(f, b, f->ir[b]);
		if (loop_turns(p, prof, at, &turns))
			set_turns(f, b, turns);
	}
}

/* Two blocks that run equally often: what is known of one is known of both. */
static bool alike(Flow *f, u32 a, u32 b)
{
	if (f->known[a] == f->known[b])
		return false;
	if (f->known[a])
		set_block(f, b, f->r->execs[a]);
	else
		set_block(f, a, f->r->execs[b]);
	return true;
}

/* A chain of blocks runs as one. */
static bool chain(Flow *f)
{
	bool changed = false;
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		u32 before = chain_before(f, b);
		if (before != NO_BLOCK)
			changed |= alike(f, before, b);
	}
	return changed;
}

/* What the code generator knows to run equally often. */
static bool equal(Flow *f)
{
	bool changed = false;
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		u32 same = f->c->blocks.v[b].same - 1;
		if (same < b)
			changed |= alike(f, same, b);
	}
	return changed;
}

/* Edges on one side of block b: if all but one are known, the last one follows from the
 * block's count; if all are, the count follows from them. */
static bool balance(Flow *f, u32 b, bool in)
{
	u64 sum = 0;
	u32 unknown = 0, n = in ? f->in_first[b + 1] - f->in_first[b] : f->c->blocks.v[b].nedges;
	Edge *last = NULL;
	for (u32 i = 0; i < n; i++) {
		Edge *e = &f->e[in ? f->in[f->in_first[b] + i] : f->c->blocks.v[b].first_edge + i];
		sum += e->known ? e->count : 0;
		unknown += !e->known;
		last = e->known ? last : e;
	}
	if (!n || unknown > 1 || (unknown && !f->known[b]) || (!unknown && f->known[b]))
		return false;
	if (unknown) {
		last->count = f->r->execs[b] > sum ? f->r->execs[b] - sum : 0;
		last->known = true;
	} else {
		set_block(f, b, sum);
	}
	return true;
}

static void solve(Flow *f)
{
	bool changed = true;
	while (changed) {
		changed = false;
		while (chain(f) || equal(f))
			changed = true;
		for (u32 b = 0; b < f->c->blocks.n; b++) {
			changed |= balance(f, b, true);
			changed |= balance(f, b, false);
		}
	}
}

/* The copies of a block together have the IR block's count. */
static bool finish_copies(Flow *f)
{
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		if (!f->has_ir[b] || !is_copied(f, b))
			continue;
		u64 sum = 0;
		u32 unknown = NO_BLOCK, n = 0;
		for (u32 k = 0; k <= f->copies[b].n; k++) {
			u32 i = k < f->copies[b].n ? f->copies[b].v[k] : b;
			sum += f->known[i] ? f->r->execs[i] : 0;
			n += !f->known[i];
			unknown = f->known[i] ? unknown : i;
		}
		if (n == 1) {
			set_block(f, unknown, f->ir[b] > sum ? f->ir[b] - sum : 0);
			return true;
		}
	}
	return false;
}

/* A chain that nothing else decides: its most frequent IR block. */
static bool finish_chain(Flow *f)
{
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		if (f->known[b] || !f->has_ir[b] || is_copied(f, b))
			continue;
		u64 most = f->ir[b];
		for (u32 i = b + 1; i < f->c->blocks.n && chain_before(f, i) != NO_BLOCK; i++)
			if (f->has_ir[i] && !is_copied(f, i) && f->ir[i] > most)
				most = f->ir[i];
		set_block(f, b, most);
		return true;
	}
	return false;
}

/* A back edge that only the machine has is not taken. */
static bool guess_turns(Flow *f)
{
	for (u32 i = 0; i < f->ne; i++) {
		Edge *e = &f->e[i];
		if (e->known || e->to > e->from || (f->known[e->from] && f->known[e->to]))
			continue;
		e->known = true;
		f->r->assumed[e->to] = f->r->assumed[e->from] = true;
		return true;
	}
	return false;
}

/* Anything else: the least that the known ways in and out need; without any, the count
 * of the busiest block before it. */
static bool guess_least(Flow *f, bool by_edges)
{
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		u64 in = 0, out = 0, before = 0;
		if (f->known[b])
			continue;
		for (u32 i = f->in_first[b]; i < f->in_first[b + 1]; i++) {
			const Edge *e = &f->e[f->in[i]];
			in += e->known ? e->count : 0;
			if (f->known[e->from] && f->r->execs[e->from] > before)
				before = f->r->execs[e->from];
		}
		const MachineBlock *k = &f->c->blocks.v[b];
		for (u32 i = k->first_edge; i < k->first_edge + k->nedges; i++)
			out += f->e[i].known ? f->e[i].count : 0;
		if (by_edges && !in && !out)
			continue;
		set_block(f, b, !by_edges ? before : in > out ? in : out);
		f->r->assumed[b] = true;
		return true;
	}
	return false;
}

static bool decide(Flow *f)
{
	return finish_copies(f) || guess_turns(f) || finish_chain(f) || guess_least(f, true) ||
	       guess_least(f, false);
}

void machine_flow(const MachineCode *c, const Program *p, const Profile *prof, MachineRun *r)
{
	u32 n = c->blocks.n;
	Flow f = {.c = c, .r = r};
	f.known = xcalloc(n + 1, sizeof *f.known);
	f.ir = xcalloc(n + 1, sizeof *f.ir);
	f.has_ir = xcalloc(n + 1, sizeof *f.has_ir);
	make_edges(&f);
	find_copies(&f);
	set_from_run(&f, p, prof);
	do
		solve(&f);
	while (decide(&f));
	for (u32 b = 0; b < n; b++)
		array_free(&f.copies[b]);
	free(f.copies);
	free(f.e);
	free(f.in);
	free(f.in_first);
	free(f.known);
	free(f.ir);
	free(f.has_ir);
}
