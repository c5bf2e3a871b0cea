/* r600 code as machine code (isa/machine.h): its control-flow program has blocks that end where
 * lanes may go on elsewhere. LLVM prints no names of blocks there, but each instruction says which
 * IR instruction it came from, and that is in a block. */
#include "frontend/codegen/r600.h"

typedef struct R600Walk {
	MachineCode *c;
	const R600Code *r;
	const u32 *block_of; /* per IR instruction: its block */
	bool *starts;        /* per step: a block begins with it */
	bool *left;          /* per step: it ends a loop that wavefronts leave where their last lanes do */
	u32 *block;          /* per step: its machine block */
	u32 *votes;          /* per IR block */
} R600Walk;

static bool branches(const R600Step *s) { return s->to != NO_STEP || s->back != NO_STEP || s->is_end; }

static void find_starts(R600Walk *w)
{
	for (u32 i = 0; i < w->r->nsteps; i++) {
		const R600Step *s = &w->r->steps[i];
		w->starts[i] |= !i;
		w->starts[i + 1] |= branches(s);
		if (s->to != NO_STEP)
			w->starts[s->to] = true;
		if (s->is_break)
			w->left[s->to] = true;
		if (s->back != NO_STEP)
			w->starts[s->back] = true;
	}
}

/* Fetches are waited for before the next control-flow instruction, LDS results where they are read. */
static void put_step(R600Walk *w, u32 i)
{
	const R600Step *s = &w->r->steps[i];
	bool fetched = i && w->r->steps[i - 1].fetches;
	MachineIns own = {.cls = MC_branch, .control = true, .vm = fetched ? 0 : NO_WAIT, .lgkm = NO_WAIT,
	                  .vs = NO_WAIT, .ir = s->ir < w->c->nplaces ? s->ir : NO_IR, .mnemonic = "CF",
	                  .text = s->text};
	if (!s->stores)
		array_push(&w->c->ins, own);
	for (u32 k = s->first; k < s->first + s->n; k++) {
		MachineIns x = w->r->ins[k];
		if (x.ir >= w->c->nplaces)
			x.ir = NO_IR;
		if (s->stores)
			x.vm = own.vm;
		array_push(&w->c->ins, x);
	}
}

static void put_blocks(R600Walk *w)
{
	MachineCode *c = w->c;
	for (u32 i = 0; i < w->r->nsteps; i++) {
		if (w->starts[i])
			array_push(&c->blocks, ((MachineBlock){.first = c->ins.n, .ir_block = NO_IR}));
		w->block[i] = c->blocks.n - 1;
		put_step(w, i);
		MachineBlock *b = &c->blocks.v[c->blocks.n - 1];
		b->n = c->ins.n - b->first;
	}
}

static void put_edge(R600Walk *w, MachineBlock *b, u32 step)
{
	if (step >= w->r->nsteps)
		return;
	for (u32 i = b->first_edge; i < w->c->edges.n; i++)
		if (w->c->edges.v[i] == w->block[step])
			return;
	array_push(&w->c->edges, w->block[step]);
	b->nedges++;
}

static void put_edges(R600Walk *w)
{
	for (u32 i = 0; i < w->r->nsteps; i++) {
		const R600Step *s = &w->r->steps[i];
		MachineBlock *b = &w->c->blocks.v[w->block[i]];
		if (!w->starts[i + 1])
			continue;
		b->first_edge = w->c->edges.n;
		if (s->is_end)
			continue;
		put_edge(w, b, s->back);
		if (!w->left[i])
			put_edge(w, b, i + 1);
		put_edge(w, b, s->is_break ? s->to + 1 : s->to);
	}
}

/* ---- blocks that run equally often ---- */

/* What a jump or an ELSE skips when no lane needs it. */
typedef struct Region {
	u32 from, to; /* steps */
	bool left;    /* lanes may go on behind it */
} Region;

static void put_same(R600Walk *w, u32 step, u32 as)
{
	if (step >= w->r->nsteps || as >= step || !w->starts[step])
		return;
	MachineBlock *b = &w->c->blocks.v[w->block[step]];
	if (!b->same)
		b->same = w->block[as] + 1;
}

/* Wavefronts pass the end of what was skipped, or of a loop, as often as its beginning. */
static void find_same(R600Walk *w)
{
	ARRAY(Region) open = {0};
	for (u32 i = 0; i < w->r->nsteps; i++) {
		const R600Step *s = &w->r->steps[i];
		while (open.n && open.v[open.n - 1].to <= i) {
			const Region *r = &open.v[--open.n];
			if (r->to == i && !r->left)
				put_same(w, i, r->from);
		}
		if (s->back != NO_STEP && s->back)
			put_same(w, i + 1, s->back - 1);
		bool leaves = s->is_break || s->is_continue;
		if (s->to != NO_STEP && !leaves)
			array_push(&open, ((Region){.from = i, .to = s->to}));
		for (u32 k = open.n; leaves && k-- > 0 && open.v[k].to <= s->to && !open.v[k].left;)
			open.v[k].left = true;
	}
	array_free(&open);
}

/* ---- blocks of the IR ---- */

/* The IR block that most of a block's instructions came from; *n: how many. */
static u32 most_voted(R600Walk *w, const MachineBlock *b, u32 *n)
{
	u32 best = NO_IR;
	*n = 0;
	for (u32 i = b->first; i < b->first + b->n; i++) {
		const MachineIns *x = &w->c->ins.v[i];
		u32 at = x->ir == NO_IR || x->control ? NO_IR : w->block_of[x->ir];
		if (at != NO_IR && ++w->votes[at] > *n) {
			*n = w->votes[at];
			best = at;
		}
	}
	for (u32 i = b->first; i < b->first + b->n; i++)
		if (w->c->ins.v[i].ir != NO_IR)
			w->votes[w->block_of[w->c->ins.v[i].ir]] = 0;
	return best;
}

/* Of several blocks with code of one IR block, that with the most of it has its name. */
static void name_blocks(R600Walk *w)
{
	MachineCode *c = w->c;
	u32 *owner = xcalloc(c->nir_blocks + 1, sizeof *owner);
	u32 *owned = xcalloc(c->nir_blocks + 1, sizeof *owned);
	for (u32 i = 0; i < c->blocks.n; i++) {
		u32 n, ir = most_voted(w, &c->blocks.v[i], &n);
		if (ir == NO_IR || n <= owned[ir])
			continue;
		if (owned[ir])
			c->blocks.v[owner[ir]].ir_block = NO_IR;
		c->blocks.v[i].ir_block = ir;
		owner[ir] = i;
		owned[ir] = n;
	}
	free(owner);
	free(owned);
}

void r600_machine(MachineCode *c, const R600Code *r, const u32 *block_of)
{
	R600Walk w = {.c = c, .r = r, .block_of = block_of};
	w.starts = xcalloc(r->nsteps + 1, sizeof *w.starts);
	w.left = xcalloc(r->nsteps + 1, sizeof *w.left);
	w.block = xcalloc(r->nsteps + 1, sizeof *w.block);
	w.votes = xcalloc(c->nir_blocks + 1, sizeof *w.votes);
	c->cpu = r->cpu;
	c->vgprs = c->total_vgprs = r->gprs;
	c->code_bytes = 8 * (r->nsteps + r->slots + r->literals) + 16 * r->fetches;
	find_starts(&w);
	put_blocks(&w);
	put_edges(&w);
	find_same(&w);
	name_blocks(&w);
	free(w.starts);
	free(w.left);
	free(w.block);
	free(w.votes);
}
