/* Where each register's value is needed.
 *
 * own: plain data flow for one lane that goes its way through the blocks.
 *
 * any: also for lanes that wait. A lane that leaves block y for block w waits there
 * while other lanes run blocks earlier in the layout than w (isa.h): those between y
 * and w, and all of a loop that contains y and not w. What is needed at the entry of
 * w must survive unmasked writes in all of these. A lane that goes back to a loop's
 * header does not wait: only the latch goes there, it is the last block of the loop,
 * and the header is earlier than any block where other lanes can be.
 *
 * So two registers can share a slot when no write to all lanes of one falls where any
 * lane may need the other, and no write to active lanes of one falls where an active
 * lane needs the other (regs.c). */
#include "isa/regs.h"

/* A block, and the registers that cross its ends: their numbers (Live.global), ascending. */
typedef struct LiveBlock {
	ARRAY(u32) in, out;
	ARRAY(u32) pred;
	u32 written, is_in, is_out; /* the last register, + 1, that it writes, that crosses its ends */
} LiveBlock;

typedef struct Live {
	Program *p;
	RegLive *out;
	u32 *global; /* register -> number among those that cross blocks, or NO_BLOCK */
	u32 *reg;    /* and back */
	u32 nglobal;
	LiveBlock *block; /* of the function: n, from block number `first` on */
	u32 first, n;
	u32 *end;       /* register -> last position where it is needed while scanning */
	u32 vgprs, sgprs;
	u32 peak, peak_depth; /* where the kernel needs the most vector registers: position, loops */
	u32 *func_vgprs, *func_sgprs; /* with callees; NO_BLOCK = not known yet */
} Live;

/* ---- spans ---- */

FIELD_ORDER(span_order, Span, a, b)

static void spans_sort(Spans *s)
{
	u32 n = 0;
	array_sort(s, span_order);
	for (u32 i = 0; i < s->n; i++) {
		if (n && s->v[i].a <= s->v[n - 1].b + 1)
			s->v[n - 1].b = s->v[i].b > s->v[n - 1].b ? s->v[i].b : s->v[n - 1].b;
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

FIELD_ORDER(by_end, Span, b)

bool spans_have(const Spans *s, u32 at)
{
	u32 k = lower_bound(s->v, s->n, sizeof *s->v, &(Span){.b = at}, by_end);
	return k < s->n && s->v[k].a <= at;
}

bool spans_meet(const Spans *s, const Points *p)
{
	if (p->n < s->n) {
		for (u32 i = 0; i < p->n; i++) {
			if (spans_have(s, p->v[i]))
				return true;
		}
		return false;
	}
	for (u32 i = 0; i < s->n; i++) {
		u32 k = lower_bound(p->v, p->n, sizeof *p->v, &s->v[i].a, by_u32);
		if (k < p->n && p->v[k] <= s->v[i].b)
			return true;
	}
	return false;
}

/* ---- data flow ---- */

static bool live_counts(const Program *p, u32 r) { return p->regs.v[r].kind != REG_CONST; }

static LiveBlock *live_at(const Live *v, u32 block) { return &v->block[block - v->first]; }

/* Registers that are read in a block before it writes them. */
static void live_globals(Live *v)
{
	Program *p = v->p;
	u32 *writer = xcalloc(p->regs.n + 1, sizeof *writer);
	v->nglobal = 0;
	for (u32 b = v->first; b < v->first + v->n; b++) {
		const Block *k = &p->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const Ins *x = &p->ins.v[i];
			const u32 *s = ins_src(p, x), *d = ins_dst(p, x);
			for (u32 j = 0; j < x->nsrc; j++) {
				if (!live_counts(p, s[j]) || writer[s[j]] == b + 1 || v->global[s[j]] != NO_BLOCK)
					continue;
				v->global[s[j]] = v->nglobal;
				v->reg[v->nglobal++] = s[j];
			}
			for (u32 j = 0; j < x->ndst; j++)
				writer[d[j]] = b + 1;
		}
	}
	free(writer);
}

typedef ARRAY(u32) Places;

/* Per global: the blocks that read it before they write it, and those that write it. */
static void live_mentions(Live *v, Places *reads, Places *writes)
{
	Program *p = v->p;
	u32 *read = xcalloc(v->nglobal + 1, 2 * sizeof *read), *written = read + v->nglobal + 1;
	for (u32 b = v->first; b < v->first + v->n; b++) {
		const Block *k = &p->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const Ins *x = &p->ins.v[i];
			const u32 *s = ins_src(p, x), *d = ins_dst(p, x);
			for (u32 j = 0; j < x->nsrc; j++) {
				u32 g = live_counts(p, s[j]) ? v->global[s[j]] : NO_BLOCK;
				if (g == NO_BLOCK || written[g] == b + 1 || read[g] == b + 1)
					continue;
				read[g] = b + 1;
				array_push(&reads[g], b);
			}
			for (u32 j = 0; j < x->ndst; j++) {
				u32 g = v->global[d[j]];
				if (g == NO_BLOCK || written[g] == b + 1)
					continue;
				written[g] = b + 1;
				array_push(&writes[g], b);
			}
		}
	}
	free(read);
}

static void live_reach(Live *v, u32 g, u32 b, Places *todo)
{
	LiveBlock *x = live_at(v, b);
	if (x->is_in == g + 1)
		return;
	x->is_in = g + 1;
	array_push(&x->in, g);
	array_push(todo, b);
}

/* From each block that reads a register back to those that write it: as much work as there are blocks
 * where it is live. */
static void live_solve(Live *v)
{
	Places *reads = xcalloc(v->nglobal + 1, 2 * sizeof *reads), *writes = reads + v->nglobal + 1;
	Places todo = {0};
	for (u32 b = v->first; b < v->first + v->n; b++) {
		u32 n;
		const u32 *succ = block_succs(v->p, b, &n);
		for (u32 i = 0; i < n; i++)
			array_push(&live_at(v, succ[i])->pred, b);
	}
	live_mentions(v, reads, writes);
	for (u32 g = 0; g < v->nglobal; g++) {
		for (u32 i = 0; i < writes[g].n; i++)
			live_at(v, writes[g].v[i])->written = g + 1;
		for (u32 i = 0; i < reads[g].n; i++)
			live_reach(v, g, reads[g].v[i], &todo);
		while (todo.n) {
			const LiveBlock *x = live_at(v, todo.v[--todo.n]);
			for (u32 i = 0; i < x->pred.n; i++) {
				LiveBlock *from = live_at(v, x->pred.v[i]);
				if (from->is_out == g + 1)
					continue;
				from->is_out = g + 1;
				array_push(&from->out, g);
				if (from->written != g + 1)
					live_reach(v, g, x->pred.v[i], &todo);
			}
		}
		array_free(&reads[g]);
		array_free(&writes[g]);
	}
	array_free(&todo);
	free(reads);
}

/* ---- spans of one lane ---- */

static void live_weigh(const Program *p, u32 r, u32 *vgprs, u32 *sgprs)
{
	const Reg *x = &p->regs.v[r];
	*vgprs = live_vgprs(p, r);
	if (*vgprs)
		*sgprs = 0;
	else
		*sgprs = x->kind == REG_VECTOR ? 2 : type_bytes[x->type] > 4 ? type_bytes[x->type] / 4u : 1;
}

static void live_begin(Live *v, u32 r, u32 at)
{
	u32 vg, sg;
	if (v->end[r])
		return;
	v->end[r] = at + 1;
	live_weigh(v->p, r, &vg, &sg);
	v->vgprs += vg;
	v->sgprs += sg;
}

static void live_finish(Live *v, u32 r, u32 at)
{
	u32 vg, sg;
	if (v->p->regs.v[r].kind == REG_VECTOR)
		array_push(&v->out[r].own, ((Span){at, v->end[r] - 1}));
	v->end[r] = 0;
	live_weigh(v->p, r, &vg, &sg);
	v->vgprs -= vg;
	v->sgprs -= sg;
}

static void live_write(Live *v, const Ins *x, u32 i, u32 r, bool masked)
{
	bool early = !op_info[x->op].lane && x->op != OP_mov;
	u32 at = early ? 2 * i : 2 * i + 1;
	live_begin(v, r, at); /* also when it is not read */
	live_finish(v, r, at);
	if (v->p->regs.v[r].kind != REG_VECTOR)
		return;
	if (masked || x->op == OP_mov)
		array_push(&v->out[r].some, at);
	else
		array_push(&v->out[r].all, at);
}

/* Keep the most of both sides of instruction i, with what a call needs on top. */
static void live_count(Live *v, u32 block, const Ins *x, u32 i, u32 at)
{
	u32 func = v->p->blocks.v[block].func;
	u32 vg = v->vgprs, sg = v->sgprs;
	if (vg > v->p->live_vgprs.v[i])
		v->p->live_vgprs.v[i] = (u16)(vg < UINT16_MAX ? vg : UINT16_MAX);
	if (x->op == OP_call) { /* not of a texture unit, which needs none of these registers */
		u32 callee = ins_tgt(v->p, x)[0];
		vg += v->func_vgprs[callee];
		sg += v->func_sgprs[callee];
	}
	/* Of equal peaks the one in the innermost loop is told. */
	const Block *k = &v->p->blocks.v[block];
	bool inner = vg == v->func_vgprs[func] && k->loop_depth > v->peak_depth;
	if (k->func == 0 && (vg > v->func_vgprs[func] || inner)) {
		v->peak = at;
		v->peak_depth = k->loop_depth;
	}
	if (vg > v->func_vgprs[func])
		v->func_vgprs[func] = vg;
	if (sg > v->func_sgprs[func])
		v->func_sgprs[func] = sg;
}

static void live_block(Live *v, u32 b)
{
	Program *p = v->p;
	const Block *k = &p->blocks.v[b];
	const LiveBlock *ends = live_at(v, b);
	v->vgprs = v->sgprs = 0;
	for (u32 i = 0; i < ends->out.n; i++)
		live_begin(v, v->reg[ends->out.v[i]], 2 * (k->first + k->n) - 1);
	for (u32 i = k->first + k->n; i-- > k->first;) {
		const Ins *x = &p->ins.v[i];
		const u32 *s = ins_src(p, x), *d = ins_dst(p, x);
		for (u32 j = 0; j < x->ndst; j++)
			live_begin(v, d[j], 2 * i + 1);
		live_count(v, b, x, i, 2 * i + 1);
		for (u32 j = 0; j < x->ndst; j++)
			live_write(v, x, i, d[j], k->masked);
		for (u32 j = 0; j < x->nsrc; j++) {
			if (live_counts(p, s[j]))
				live_begin(v, s[j], 2 * i);
		}
		live_count(v, b, x, i, 2 * i);
	}
	for (u32 i = 0; i < ends->in.n; i++)
		live_finish(v, v->reg[ends->in.v[i]], 2 * k->first);
}

/* ---- spans of waiting lanes ---- */

/* Blocks first … last: a back edge of the layout, or an irreducible region. */
typedef struct LiveLoop {
	u32 first, last;
	bool masked;
} LiveLoop;

static void live_wait(Live *v, u32 w, u32 from, u32 to)
{
	const LiveBlock *x = live_at(v, w);
	for (u32 i = 0; i < x->in.n; i++) {
		u32 r = v->reg[x->in.v[i]];
		if (v->p->regs.v[r].kind == REG_VECTOR)
			array_push(&v->out[r].any, ((Span){from, to}));
	}
}

typedef ARRAY(LiveLoop) Loops;

FIELD_ORDER(loop_order, LiveLoop, first, last)

/* By their first block. */
static void live_loops(const Live *v, Loops *loops)
{
	Program *p = v->p;
	for (u32 b = v->first; b < v->first + v->n; b++) {
		u32 n;
		const u32 *succ = block_succs(p, b, &n);
		for (u32 i = 0; i < n; i++) {
			if (succ[i] <= b && !p->blocks.v[b].masked)
				array_push(loops, ((LiveLoop){succ[i], b, false}));
		}
		if (p->blocks.v[b].masked && (b == v->first || !p->blocks.v[b - 1].masked)) {
			u32 last = b;
			while (last + 1 < v->first + v->n && p->blocks.v[last + 1].masked)
				last++;
			array_push(loops, ((LiveLoop){b, last, true}));
		}
	}
	array_sort(loops, loop_order);
}

/* The edge y -> w; around: the loops that y is in. */
static void live_edge(Live *v, u32 y, u32 w, const Loops *around)
{
	const Program *p = v->p;
	u32 from = 2 * (p->blocks.v[y].first + p->blocks.v[y].n) - 1;
	for (u32 k = 0; k < around->n; k++) {
		const LiveLoop *x = &around->v[k];
		const Block *last = &p->blocks.v[x->last];
		u32 start = 2 * p->blocks.v[x->first].first;
		if (w > x->last && start < from)
			from = start;
		else if (x->masked && w >= x->first && w <= x->last)
			live_wait(v, w, start, 2 * (last->first + last->n) - 1);
	}
	if (w > y)
		live_wait(v, w, from, 2 * p->blocks.v[w].first);
}

static void live_edges(Live *v)
{
	Loops loops = {0}, around = {0};
	u32 next = 0;
	live_loops(v, &loops);
	for (u32 y = v->first; y < v->first + v->n; y++) {
		u32 n, kept = 0;
		const u32 *succ = block_succs(v->p, y, &n);
		for (u32 k = 0; k < around.n; k++)
			if (around.v[k].last >= y)
				around.v[kept++] = around.v[k];
		around.n = kept;
		for (; next < loops.n && loops.v[next].first == y; next++)
			array_push(&around, loops.v[next]);
		for (u32 i = 0; i < n; i++)
			live_edge(v, y, succ[i], &around);
	}
	array_free(&loops);
	array_free(&around);
}

/* ---- functions ---- */

/* Parameters are written before the first instruction, results read after the last. */
static void live_interface(Live *v, const Func *f)
{
	Program *p = v->p;
	const Block *last = &p->blocks.v[f->first_block + f->nblocks - 1];
	u32 start = 2 * p->blocks.v[f->first_block].first, end = 2 * (last->first + last->n) - 1;
	for (u32 i = 0; i < f->nparams; i++) {
		u32 r = p->opnds.v[f->params + i];
		if (p->regs.v[r].kind != REG_VECTOR)
			continue;
		array_push(&v->out[r].own, ((Span){start, start}));
		array_push(&v->out[r].some, start);
	}
	for (u32 b = f->first_block; b < f->first_block + f->nblocks; b++) {
		u32 i = p->blocks.v[b].first + p->blocks.v[b].n - 1;
		for (u32 k = 0; p->ins.v[i].op == OP_ret && k < f->nresults; k++) {
			u32 r = p->opnds.v[f->results + k];
			if (p->regs.v[r].kind != REG_VECTOR)
				continue;
			array_push(&v->out[r].own, ((Span){2 * i, end}));
			array_push(&v->out[r].some, 2 * i);
		}
	}
}

static void live_function(Live *v, u32 func);

static void live_callees(Live *v, const Func *f)
{
	Program *p = v->p;
	for (u32 b = f->first_block; b < f->first_block + f->nblocks; b++) {
		const Block *k = &p->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			if (ins_calls(&p->ins.v[i]))
				live_function(v, ins_tgt(p, &p->ins.v[i])[0]);
		}
	}
}

static void live_function(Live *v, u32 func)
{
	const Func *f = &v->p->funcs.v[func];
	if (v->func_vgprs[func] != NO_BLOCK || !f->nblocks)
		return;
	v->func_vgprs[func] = v->func_sgprs[func] = 0;
	live_callees(v, f);
	v->first = f->first_block;
	v->n = f->nblocks;
	live_globals(v);
	v->block = xcalloc(v->n, sizeof *v->block);
	live_solve(v);
	for (u32 b = v->first; b < v->first + v->n; b++)
		live_block(v, b);
	live_edges(v);
	live_interface(v, f);
	for (u32 b = 0; b < v->n; b++) {
		array_free(&v->block[b].in);
		array_free(&v->block[b].out);
		array_free(&v->block[b].pred);
	}
	free(v->block);
}

RegLive *live_new(Program *p, const RegVar *var)
{
	Live v = {.p = p};
	u32 n = p->regs.n + 1;
	v.out = xcalloc(n, sizeof *v.out);
	v.global = xmalloc(n * sizeof *v.global);
	memset(v.global, 0xff, n * sizeof *v.global);
	v.reg = xcalloc(n, sizeof *v.reg);
	v.end = xcalloc(n, sizeof *v.end);
	v.func_vgprs = xmalloc((p->funcs.n + 1) * 2 * sizeof *v.func_vgprs);
	v.func_sgprs = v.func_vgprs + p->funcs.n + 1;
	memset(v.func_vgprs, 0xff, (p->funcs.n + 1) * 2 * sizeof *v.func_vgprs);
	p->live_vgprs.n = 0;
	array_reserve(&p->live_vgprs, p->ins.n);
	p->live_vgprs.n = p->ins.n;
	memset(p->live_vgprs.v, 0, p->ins.n * sizeof *p->live_vgprs.v);
	for (u32 f = 0; f < p->funcs.n; f++)
		live_function(&v, f);
	for (u32 r = 0; r < p->regs.n; r++) {
		RegLive *x = &v.out[r];
		for (u32 i = 0; i < x->own.n; i++)
			array_push(&x->any, x->own.v[i]);
		spans_sort(&x->own);
		spans_sort(&x->any);
		array_sort(&x->all, by_u32);
		array_sort(&x->some, by_u32);
	}
	p->peak_vgprs = v.func_vgprs[0];
	p->peak_sgprs = v.func_sgprs[0];
	live_values(p, v.out, var, v.peak);
	free(v.global);
	free(v.reg);
	free(v.end);
	free(v.func_vgprs);
	return v.out;
}

void live_release(RegLive *x)
{
	array_free(&x->own);
	array_free(&x->any);
	array_free(&x->all);
	array_free(&x->some);
}
