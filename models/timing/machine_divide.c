/* Divisions of 64-bit integers in machine code (machine_flow.h).
 *
 * The compiler makes two paths of one, a long one for lanes that have an operand of more than 32 bits, signs included,
 * and a short one for the others; of an unsigned one whose dividend is known to have room in 32 bits the short one
 * alone, around which goes what is less than its divisor. No block of the IR begins there, but the run has counted
 * which lanes there were (isa/counters.def).
 *
 * A path is told by what it multiplies for the division: before, between and behind them nothing does, but for what
 * was moved out of a loop. So two of them must also be the two ways of one branch:
 *
 *     vector   branch -> one, between    one -> between    between -> other, behind    other -> behind
 *     scalar   branch -> one, between    one -> behind     between -> other            other -> behind
 *
 * What stands between or behind may be copied to the end of the blocks before it. */
#include "models/timing/machine_flow.h"

typedef struct Path {
	u32 ir, block;
	u32 products; /* instructions of the block that multiply for it */
	bool told;
} Path;

/* One division, as it stands in the machine's code. */
typedef struct Divided {
	u32 ir;
	u32 wide, narrow; /* its paths, or NO_BLOCK */
	u32 around;       /* the edge by which what goes around the one comes to the other, or NO_EDGE */
} Divided;
#define NO_EDGE UINT32_MAX

typedef struct Divisions {
	MachineFlow *f;
	const Program *p;
	bool *is;       /* per IR instruction: it is such a division */
	ARRAY(Path) paths; /* by IR instruction, block */
	u32 *path_of;   /* per block: one of them, + 1 */
	ARRAY(Divided) found;
} Divisions;

/* … of which the machine code tells where it came from. */
static bool is_counted(const Program *p, const Ins *x) { return x->origin && wide_division_is_counted(p, x); }

static bool multiplies(const MachineIns *x)
{
	return x->cls == MC_valu_mul || !strncmp(x->mnemonic, "s_mul", 5);
}

/* What block b multiplies most for, if that is a division. */
static void find_path(Divisions *d, u32 b)
{
	const MachineCode *c = d->f->c;
	const MachineBlock *k = &c->blocks.v[b];
	Path best = {.ir = NO_IR, .block = b};
	for (u32 i = k->first; i < k->first + k->n; i++) {
		u32 ir = c->ins.v[i].ir, products = 0;
		if (ir >= c->nplaces || !d->is[ir] || !multiplies(&c->ins.v[i]) || ir == best.ir)
			continue;
		for (u32 m = i; m < k->first + k->n; m++)
			products += c->ins.v[m].ir == ir && multiplies(&c->ins.v[m]);
		if (products > best.products)
			best.ir = ir, best.products = products;
	}
	if (best.products) {
		array_push(&d->paths, best);
		d->path_of[b] = d->paths.n;
	}
}

static Path *path_at(const Divisions *d, u32 b, u32 ir)
{
	Path *x = d->path_of[b] ? &d->paths.v[d->path_of[b] - 1] : NULL;
	return x && x->ir == ir && !x->told ? x : NULL;
}

/* Of a block that ends with a branch of two ways: where the other way leads. */
static u32 other_way(const MachineFlow *f, const FlowEdge *e)
{
	const MachineBlock *from = &f->c->blocks.v[e->from];
	if (from->nedges != 2)
		return NO_BLOCK;
	const u32 *to = &f->c->edges.v[from->first_edge];
	return to[to[0] == e->to];
}

/* The path on the other side of the branch whose one way, to path x, is e; and the edge that leads there. */
static Path *opposite(const Divisions *d, const Path *x, const FlowEdge *e, u32 *edge)
{
	const MachineCode *c = d->f->c;
	u32 between = other_way(d->f, e);
	if (between == NO_BLOCK || between == x->block || d->path_of[between])
		return NULL;
	const MachineBlock *k = &c->blocks.v[between];
	for (u32 i = k->first_edge; i < k->first_edge + k->nedges; i++) {
		Path *y = path_at(d, c->edges.v[i], x->ir);
		*edge = i;
		if (y && y != x)
			return y;
	}
	return NULL;
}

static bool has_one_way_in(const MachineFlow *f, u32 b) { return f->in_first[b + 1] - f->in_first[b] == 1; }

static void find_pair(Divisions *d, Path *x)
{
	const MachineFlow *f = d->f;
	for (u32 i = f->in_first[x->block]; i < f->in_first[x->block + 1]; i++) {
		u32 edge;
		Path *y = opposite(d, x, &f->e[f->in[i]], &edge);
		if (!y || x->products == y->products)
			continue;
		Divided new = {x->ir, x->block, y->block, has_one_way_in(f, f->e[edge].from) ? edge : NO_EDGE};
		if (x->products < y->products)
			new.wide = y->block, new.narrow = x->block;
		array_push(&d->found, new);
		x->told = y->told = true;
		return;
	}
}

/* A path that a branch goes around, alone. */
static void find_single(Divisions *d, Path *x)
{
	const MachineFlow *f = d->f;
	const MachineBlock *k = &f->c->blocks.v[x->block];
	if (!has_one_way_in(f, x->block) || k->nedges > 1)
		return;
	u32 other = other_way(f, &f->e[f->in[f->in_first[x->block]]]);
	if (other != NO_BLOCK &&
	    (k->nedges ? other == f->c->edges.v[k->first_edge] : !f->c->blocks.v[other].nedges)) {
		array_push(&d->found, ((Divided){x->ir, NO_BLOCK, x->block, NO_EDGE}));
		x->told = true;
	}
}

static int by_ir(const void *va, const void *vb)
{
	const Divided *a = va, *b = vb;
	return a->ir != b->ir ? ORDER(a->ir, b->ir) : ORDER(a->narrow, b->narrow);
}

static void put_path(const Divisions *d, u32 b, u32 home, u64 execs)
{
	MachineFlow *f = d->f;
	if (b == NO_BLOCK)
		return;
	f->r->driver[b] = home;
	/* A path that nothing jumps over runs as often as what stands before it. */
	if (f->before[b] == NO_BLOCK)
		flow_set_block(f, b, execs);
}

/* No wavefront goes around both. */
static void put_around(const Divisions *d, const Divided *at, u64 execs, const DivisionProf *n)
{
	MachineFlow *f = d->f;
	if (at->around == NO_EDGE || f->before[at->wide] != NO_BLOCK || f->before[at->narrow] != NO_BLOCK)
		return;
	FlowEdge *e = &f->e[at->around];
	u64 first = e->to == at->wide ? n->narrow : n->wide;
	if (!e->known)
		flow_set_edge(f, e, execs - first);
}

/* Instructions of the Program that come from one of the IR, of a vector, stand in the order of its elements, as their
 * paths do. */
static void put_counts(Divisions *d, const Profile *prof)
{
	const Program *p = d->p;
	sort(d->found.v, d->found.n, sizeof *d->found.v, by_ir);
	u32 *next = xcalloc(d->f->c->nplaces + 1, sizeof *next), *left = xcalloc(d->f->c->nplaces + 1, sizeof *left);
	for (u32 i = d->found.n; i-- > 0;) {
		next[d->found.v[i].ir] = i;
		left[d->found.v[i].ir]++;
	}
	for (u32 i = 0; i < p->ins.n; i++)
		if (is_counted(p, &p->ins.v[i]))
			left[p->ins.v[i].origin - 1]--;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
			u32 ir = p->ins.v[i].origin - 1;
			if (!is_counted(p, &p->ins.v[i]) || left[ir])
				continue;
			const Divided *at = &d->found.v[next[ir]++];
			const DivisionProf *n = &prof->divisions[i];
			put_path(d, at->wide, b, n->wide);
			put_path(d, at->narrow, b, at->wide == NO_BLOCK ? n->reached : n->narrow);
			put_around(d, at, prof->blocks[b].execs, n);
		}
	free(next);
	free(left);
}

void flow_put_divisions(MachineFlow *f, const Program *p, const Profile *prof)
{
	Divisions d = {.f = f, .p = p};
	bool any = false;
	d.is = xcalloc(f->c->nplaces + 1, sizeof *d.is);
	for (u32 i = 0; i < p->ins.n; i++)
		if (is_counted(p, &p->ins.v[i]) && p->ins.v[i].origin <= f->c->nplaces)
			any = d.is[p->ins.v[i].origin - 1] = true;
	if (any) {
		d.path_of = xcalloc(f->c->blocks.n + 1, sizeof *d.path_of);
		for (u32 b = 0; b < f->c->blocks.n; b++)
			if (!f->has_ir[b])
				find_path(&d, b);
		for (u32 i = 0; i < d.paths.n; i++)
			if (!d.paths.v[i].told)
				find_pair(&d, &d.paths.v[i]);
		for (u32 i = 0; i < d.paths.n; i++)
			if (!d.paths.v[i].told)
				find_single(&d, &d.paths.v[i]);
		put_counts(&d, prof);
		free(d.path_of);
	}
	free(d.is);
	array_free(&d.paths);
	array_free(&d.found);
}
