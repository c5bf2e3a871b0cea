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

static bool same_ways(const MachineCode *c, const MachineBlock *a, const MachineBlock *b)
{
	if (a->nedges != b->nedges || !a->nedges)
		return false;
	for (u32 i = 0; i < a->nedges; i++) {
		u32 k = 0;
		while (k < b->nedges && c->edges.v[b->first_edge + k] != c->edges.v[a->first_edge + i])
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

/* The compiler may copy a block to the end of each block before it; one copy keeps the
 * name. Then no copy alone has the IR block's count. */
static bool is_copied(const MachineCode *c, u32 b)
{
	const MachineBlock *k = &c->blocks.v[b];
	for (u32 i = 0; i < c->blocks.n; i++) {
		const MachineBlock *x = &c->blocks.v[i];
		if (i != b && x->ir_block == NO_IR && x->func == k->func && same_ways(c, k, x) &&
		    shares_ir(c, k, x))
			return true;
	}
	return false;
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
		if (at == NO_BLOCK || at >= p->blocks.n || is_copied(c, b))
			continue;
		set_block(f, b, prof->blocks[at].execs);
		if (loop_turns(p, prof, at, &turns))
			set_turns(f, b, turns);
	}
}

/* One way out, one way in: the same count, the earlier block's. */
static bool chain(Flow *f)
{
	bool changed = false;
	for (u32 i = 0; i < f->ne; i++) {
		Edge *e = &f->e[i];
		if (e->from >= e->to || f->c->blocks.v[e->from].nedges != 1 || f->nin[e->to] != 1 ||
		    !f->known[e->from])
			continue;
		if (f->known[e->to] && f->r->execs[e->to] == f->r->execs[e->from])
			continue;
		set_block(f, e->to, f->r->execs[e->from]);
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

/* Guess one thing that flow leaves open: a back edge that only the machine has is not
 * taken; then a block runs as often as the most frequent one that reaches it. */
static bool guess(Flow *f)
{
	for (u32 i = 0; i < f->ne; i++) {
		Edge *e = &f->e[i];
		if (e->known || e->to > e->from || (f->known[e->from] && f->known[e->to]))
			continue;
		e->known = true;
		f->r->assumed[e->to] = f->r->assumed[e->from] = true;
		return true;
	}
	for (u32 b = 0; b < f->c->blocks.n; b++) {
		u64 most = 0;
		if (f->known[b])
			continue;
		for (u32 i = 0; i < f->ne; i++)
			if (f->e[i].to == b && f->known[f->e[i].from] && f->r->execs[f->e[i].from] > most)
				most = f->r->execs[f->e[i].from];
		set_block(f, b, most);
		f->r->assumed[b] = true;
		return true;
	}
	return false;
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

MachineRun *machine_run(const MachineCode *c, const Program *p, const Profile *prof, Arena *a)
{
	u32 n = c->blocks.n;
	MachineRun *r = ARENA_NEW(a, MachineRun);
	r->execs = ARENA_ARRAY(a, u64, n);
	r->assumed = ARENA_ARRAY(a, bool, n);
	r->lines = ARENA_ARRAY(a, MachineLine, c->ins.n + 1);
	Flow f = {.c = c, .r = r};
	f.e = xcalloc(c->edges.n + 1, sizeof *f.e);
	f.known = xcalloc(n, sizeof *f.known);
	f.nin = xcalloc(n, sizeof *f.nin);
	make_edges(&f);
	set_from_run(&f, p, prof);
	do
		solve(&f);
	while (guess(&f));
	add_up(c, p, r);
	free(f.e);
	free(f.known);
	free(f.nin);
	return r;
}
