/* Execution counts of machine blocks, and their sums: see machine.h. */
#include "models/machine.h"

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
	bool *known; /* per block */
	u64 *ir;     /* per block: the count of its IR block, … */
	bool *has_ir; /* … if there is one */
	u32 *nin;    /* per block: edges into it */
} Flow;

static void make_edges(Flow *f)
{
	const MachineCode *c = f->c;
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		for (u32 i = 0; i < k->nedges; i++) {
			u32 to = c->edges.v[k->first_edge + i];
			f->e[f->ne++] = (Edge){.from = b, .to = to};
			f->nin[to]++;
		}
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

static bool is_copied(const MachineCode *c, u32 b)
{
	for (u32 i = 0; i < c->blocks.n; i++)
		if (is_copy(c, i, b))
			return true;
	return false;
}

/* Does b only go on where the block before it, its only way in, ended? */
static u32 chain_before(const Flow *f, u32 b)
{
	for (u32 i = 0; i < f->ne && f->nin[b] == 1; i++) {
		const Edge *e = &f->e[i];
		if (e->to == b)
			return e->from < b && f->c->blocks.v[e->from].nedges == 1 ? e->from : NO_BLOCK;
	}
	return NO_BLOCK;
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
	for (u32 i = 0; i < f->ne; i++) {
		Edge *e = &f->e[i];
		if (e->to != b || e->from < b)
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
		if (is_copied(c, b) || chain_before(f, b) != NO_BLOCK)
			continue;
		set_block(f, b, f->ir[b]);
		if (loop_turns(p, prof, at, &turns))
			set_turns(f, b, turns);
	}
}

/* A chain of blocks runs as one. */
static bool chain(Flow *f)
{
	bool changed = false;
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		u32 before = chain_before(f, b);
		if (before == NO_BLOCK || f->known[b] == f->known[before])
			continue;
		if (f->known[b])
			set_block(f, before, f->r->execs[b]);
		else
			set_block(f, b, f->r->execs[before]);
		changed = true;
	}
	return changed;
}

/* Edges on one side of block b: if all but one are known, the last one follows from the
 * block's count; if all are, the count follows from them. */
static bool balance(Flow *f, u32 b, bool in)
{
	u64 sum = 0;
	u32 unknown = 0, n = 0;
	Edge *last = NULL;
	for (u32 i = 0; i < f->ne; i++) {
		Edge *e = &f->e[i];
		if ((in ? e->to : e->from) != b)
			continue;
		n++;
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
		while (chain(f))
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
		if (!f->has_ir[b] || !is_copied(f->c, b))
			continue;
		u64 sum = 0;
		u32 unknown = NO_BLOCK, n = 0;
		for (u32 i = 0; i < f->c->blocks.n; i++) {
			if (i != b && !is_copy(f->c, i, b))
				continue;
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
		if (f->known[b] || !f->has_ir[b] || is_copied(f->c, b))
			continue;
		u64 most = f->ir[b];
		for (u32 i = b + 1; i < f->c->blocks.n && chain_before(f, i) != NO_BLOCK; i++)
			if (f->has_ir[i] && !is_copied(f->c, i) && f->ir[i] > most)
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
		for (u32 i = 0; i < f->ne; i++) {
			const Edge *e = &f->e[i];
			in += e->to == b && e->known ? e->count : 0;
			out += e->from == b && e->known ? e->count : 0;
			if (e->to == b && f->known[e->from] && f->r->execs[e->from] > before)
				before = f->r->execs[e->from];
		}
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

/* ---- sums ---- */

static u32 file_index(const Program *p, const char *file)
{
	u32 i = 0;
	while (i < p->files.n && strcmp(p->files.v[i], file) != 0)
		i++;
	return i;
}

static MachineLine *line_row(MachineRun *r, u32 file, u32 line)
{
	for (u32 i = r->nlines; i-- > 0;)
		if (r->lines[i].file == file && r->lines[i].line == line)
			return &r->lines[i];
	MachineLine *l = &r->lines[r->nlines++];
	l->file = file;
	l->line = line;
	return l;
}

static int by_place(const void *pa, const void *pb)
{
	const MachineLine *a = pa, *b = pb;
	if (!a->line != !b->line)
		return a->line ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static void add_up(const MachineCode *c, const Program *p, MachineRun *r)
{
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		r->nassumed += r->assumed[b] && r->execs[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const MachineIns *x = &c->ins.v[i];
			r->total[x->cls] += r->execs[b];
			if (x->ir >= c->nplaces) {
				r->unmapped += r->execs[b];
				continue;
			}
			const Loc *at = &c->places[x->ir];
			u32 file = at->file ? file_index(p, at->file) : p->files.n;
			bool known = file < p->files.n && at->line;
			line_row(r, known ? file : 0, known ? at->line : 0)->count[x->cls] += r->execs[b];
		}
	}
	if (r->nlines)
		qsort(r->lines, r->nlines, sizeof *r->lines, by_place);
}

/* Per IR instruction that accesses memory: the Block that does so in the Program, or NO_BLOCK. */
static u32 *access_blocks(const MachineCode *c, const Program *p)
{
	u32 *block = xmalloc((c->nplaces + 1) * sizeof *block);
	for (u32 i = 0; i <= c->nplaces; i++)
		block[i] = NO_BLOCK;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			if (p->ins.v[i].origin && p->ins.v[i].origin <= c->nplaces)
				block[p->ins.v[i].origin - 1] = b;
	return block;
}

/* The Block with most of the accesses of machine block b, or NO_BLOCK. */
static u32 block_by_accesses(const Flow *f, const Profile *prof, u32 b, const u32 *block, u32 *votes)
{
	const MachineBlock *k = &f->c->blocks.v[b];
	u32 best = NO_BLOCK;
	for (u32 i = k->first; i < k->first + k->n; i++) {
		u32 at = f->c->ins.v[i].ir < f->c->nplaces ? block[f->c->ins.v[i].ir] : NO_BLOCK;
		if (at == NO_BLOCK || !prof->blocks[at].execs)
			continue;
		votes[at]++;
		if (best == NO_BLOCK || votes[at] > votes[best])
			best = at;
	}
	for (u32 i = k->first; i < k->first + k->n; i++)
		if (f->c->ins.v[i].ir < f->c->nplaces && block[f->c->ins.v[i].ir] != NO_BLOCK)
			votes[block[f->c->ins.v[i].ir]] = 0;
	return best;
}

/* The nearest machine block of the function, after b or else before it, that has a driver and
 * runs as often as b. */
static u32 nearest_equal(const Flow *f, u32 b)
{
	const MachineCode *c = f->c;
	u32 func = c->blocks.v[b].func;
	for (u32 d = 1; d < c->blocks.n; d++) {
		u32 near[2] = {b + d, b - d};
		for (u32 k = 0; k < 2; k++) {
			u32 i = near[k]; /* b - d may wrap around: it is no block then */
			if (i < c->blocks.n && c->blocks.v[i].func == func && f->r->driver[i] != NO_BLOCK &&
			    f->r->execs[i] == f->r->execs[b])
				return i;
		}
	}
	return NO_BLOCK;
}

/* Each machine block runs when one Block of the Program is entered: the one it begins with when
 * that ran as often; one without a name, that of its accesses. The others go with the nearest
 * block that runs as often, then with the one they begin with, then with the one before them. */
static void find_drivers(const Flow *f, const Program *p, const Profile *prof)
{
	const MachineCode *c = f->c;
	u32 *driver = f->r->driver, *block = access_blocks(c, p);
	u32 *votes = xcalloc(p->blocks.n + 1, sizeof *votes), *late = xcalloc(c->blocks.n, sizeof *late);
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 ir = c->blocks.v[b].ir_block, at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
		bool named = at < p->blocks.n;
		driver[b] = NO_BLOCK;
		if (!named)
			driver[b] = block_by_accesses(f, prof, b, block, votes);
		else if (prof->blocks[at].execs && prof->blocks[at].execs == f->r->execs[b])
			driver[b] = at;
	}
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 equal = driver[b] == NO_BLOCK && f->r->execs[b] ? nearest_equal(f, b) : NO_BLOCK;
		late[b] = equal == NO_BLOCK ? driver[b] : driver[equal];
	}
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 ir = c->blocks.v[b].ir_block, at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
		bool first = !b || c->blocks.v[b - 1].func != c->blocks.v[b].func;
		driver[b] = late[b];
		if (driver[b] == NO_BLOCK && at < p->blocks.n && prof->blocks[at].execs)
			driver[b] = at;
		if (driver[b] == NO_BLOCK && !first)
			driver[b] = driver[b - 1];
	}
	free(block);
	free(votes);
	free(late);
}

MachineRun *machine_run(const MachineCode *c, const Program *p, const Profile *prof, Arena *a)
{
	u32 n = c->blocks.n;
	MachineRun *r = ARENA_NEW(a, MachineRun);
	r->execs = ARENA_ARRAY(a, u64, n);
	r->assumed = ARENA_ARRAY(a, bool, n);
	r->driver = ARENA_ARRAY(a, u32, n);
	r->lines = ARENA_ARRAY(a, MachineLine, c->ins.n + 1);
	Flow f = {.c = c, .r = r};
	f.e = xcalloc(c->edges.n + 1, sizeof *f.e);
	f.known = xcalloc(n, sizeof *f.known);
	f.nin = xcalloc(n, sizeof *f.nin);
	f.ir = xcalloc(n, sizeof *f.ir);
	f.has_ir = xcalloc(n, sizeof *f.has_ir);
	make_edges(&f);
	set_from_run(&f, p, prof);
	do
		solve(&f);
	while (decide(&f));
	find_drivers(&f, p, prof);
	add_up(c, p, r);
	free(f.e);
	free(f.known);
	free(f.nin);
	free(f.ir);
	free(f.has_ir);
	return r;
}
