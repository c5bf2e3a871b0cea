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

typedef struct Live {
	Program *p;
	RegLive *out;
	u32 *global; /* register -> number among those that cross blocks, or NO_BLOCK */
	u32 *reg;    /* and back */
	u32 nglobal, words;
	u64 *in, *exit, *use, *def; /* per block of the function: words */
	u32 first, n;   /* blocks of the function */
	u32 *end;       /* register -> last position where it is needed while scanning */
	u32 vgprs, sgprs;
	u32 peak, peak_depth; /* where the kernel needs the most vector registers: position, loops */
	u32 *func_vgprs, *func_sgprs; /* with callees; NO_BLOCK = not known yet */
} Live;

/* ---- spans ---- */

static int span_order(const void *x, const void *y)
{
	const Span *a = x, *b = y;
	return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

void spans_sort(Spans *s)
{
	u32 n = 0;

	if (s->n > 1)
		qsort(s->v, s->n, sizeof *s->v, span_order);
	for (u32 i = 0; i < s->n; i++) {
		if (n && s->v[i].a <= s->v[n - 1].b + 1)
			s->v[n - 1].b = s->v[i].b > s->v[n - 1].b ? s->v[i].b : s->v[n - 1].b;
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

/* The first index of p with a value of at least x. */
static u32 points_from(const Points *p, u32 x)
{
	u32 lo = 0, hi = p->n;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (p->v[mid] < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool spans_have(const Spans *s, u32 at)
{
	u32 lo = 0, hi = s->n; /* the first span that ends at or behind the point */

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (s->v[mid].b < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && s->v[lo].a <= at;
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
		u32 k = points_from(p, s->v[i].a);
		if (k < p->n && p->v[k] <= s->v[i].b)
			return true;
	}
	return false;
}

/* ---- data flow ---- */

static bool live_counts(const Program *p, u32 r) { return p->regs.v[r].kind != REG_CONST; }

static u64 *live_set(const Live *v, u64 *sets, u32 block)
{
	return sets + (size_t)(block - v->first) * v->words;
}
static void live_add(u64 *set, u32 i) { set[i / 64] |= (u64)1 << (i % 64); }
static bool live_has(const u64 *set, u32 i) { return set[i / 64] >> (i % 64) & 1; }

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

static void live_block_sets(Live *v, u32 b)
{
	Program *p = v->p;
	u64 *use = live_set(v, v->use, b), *def = live_set(v, v->def, b);
	const Block *k = &p->blocks.v[b];

	for (u32 i = k->first; i < k->first + k->n; i++) {
		const Ins *x = &p->ins.v[i];
		const u32 *s = ins_src(p, x), *d = ins_dst(p, x);
		for (u32 j = 0; j < x->nsrc; j++) {
			u32 g = live_counts(p, s[j]) ? v->global[s[j]] : NO_BLOCK;
			if (g != NO_BLOCK && !live_has(def, g))
				live_add(use, g);
		}
		for (u32 j = 0; j < x->ndst; j++) {
			if (v->global[d[j]] != NO_BLOCK)
				live_add(def, v->global[d[j]]);
		}
	}
}

static void live_solve(Live *v)
{
	bool changed = true;

	for (u32 b = v->first; b < v->first + v->n; b++)
		live_block_sets(v, b);
	while (changed) {
		changed = false;
		for (u32 b = v->first + v->n; b-- > v->first;) {
			u64 *in = live_set(v, v->in, b), *out = live_set(v, v->exit, b);
			u64 *use = live_set(v, v->use, b), *def = live_set(v, v->def, b);
			u32 n;
			const u32 *succ = block_succs(v->p, b, &n);
			for (u32 i = 0; i < n; i++) {
				const u64 *from = live_set(v, v->in, succ[i]);
				for (u32 w = 0; w < v->words; w++)
					out[w] |= from[w];
			}
			for (u32 w = 0; w < v->words; w++) {
				u64 x = use[w] | (out[w] & ~def[w]);
				changed |= x != in[w];
				in[w] = x;
			}
		}
	}
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

	live_begin(v, r, at); /* also when nobody reads it */
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
	if (x->op == OP_call) {
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
	const u64 *out = live_set(v, v->exit, b), *in = live_set(v, v->in, b);

	v->vgprs = v->sgprs = 0;
	for (u32 g = 0; g < v->nglobal; g++) {
		if (live_has(out, g))
			live_begin(v, v->reg[g], 2 * (k->first + k->n) - 1);
	}
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
	for (u32 g = 0; g < v->nglobal; g++) {
		if (live_has(in, g))
			live_finish(v, v->reg[g], 2 * k->first);
	}
}

/* ---- spans of waiting lanes ---- */

/* Blocks first … last: a back edge of the layout, or an irreducible region. */
typedef struct Loop {
	u32 first, last;
	bool masked;
} Loop;

static void live_wait(Live *v, u32 w, u32 from, u32 to)
{
	const u64 *in = live_set(v, v->in, w);

	for (u32 i = 0; i < v->words; i++) {
		for (u64 m = in[i]; m; m &= m - 1) {
			u32 r = v->reg[i * 64 + (u32)__builtin_ctzll(m)];
			if (v->p->regs.v[r].kind == REG_VECTOR)
				array_push(&v->out[r].any, ((Span){from, to}));
		}
	}
}

static void live_edges(Live *v)
{
	Program *p = v->p;
	ARRAY(Loop) loops = {0};

	for (u32 b = v->first; b < v->first + v->n; b++) {
		u32 n;
		const u32 *succ = block_succs(p, b, &n);
		for (u32 i = 0; i < n; i++) {
			if (succ[i] <= b && !p->blocks.v[b].masked)
				array_push(&loops, ((Loop){succ[i], b, false}));
		}
		if (p->blocks.v[b].masked && (b == v->first || !p->blocks.v[b - 1].masked)) {
			u32 last = b;
			while (last + 1 < v->first + v->n && p->blocks.v[last + 1].masked)
				last++;
			array_push(&loops, ((Loop){b, last, true}));
		}
	}
	for (u32 y = v->first; y < v->first + v->n; y++) {
		u32 n, end = p->blocks.v[y].first + p->blocks.v[y].n;
		const u32 *succ = block_succs(p, y, &n);
		for (u32 i = 0; i < n; i++) {
			u32 w = succ[i], from = 2 * end - 1, to = 2 * p->blocks.v[w].first;
			for (u32 k = 0; k < loops.n; k++) {
				const Loop *x = &loops.v[k];
				u32 start = 2 * p->blocks.v[x->first].first;
				if (y < x->first || y > x->last)
					continue;
				if (w > x->last && start < from)
					from = start;
				else if (x->masked && w >= x->first && w <= x->last)
					live_wait(v, w, start, 2 * (p->blocks.v[x->last].first +
					                            p->blocks.v[x->last].n) - 1);
			}
			if (w > y)
				live_wait(v, w, from, to);
		}
	}
	array_free(&loops);
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
			if (p->ins.v[i].op == OP_call)
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
	v->words = (v->nglobal + 63) / 64;
	size_t size = (size_t)v->n * v->words;
	v->in = xcalloc(size + 1, 4 * sizeof *v->in);
	v->exit = v->in + size;
	v->use = v->exit + size;
	v->def = v->use + size;
	live_solve(v);
	for (u32 b = v->first; b < v->first + v->n; b++)
		live_block(v, b);
	live_edges(v);
	live_interface(v, f);
	free(v->in);
}

static int point_order(const void *x, const void *y)
{
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	return a < b ? -1 : a > b;
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
		if (x->all.n)
			qsort(x->all.v, x->all.n, sizeof *x->all.v, point_order);
		if (x->some.n)
			qsort(x->some.v, x->some.n, sizeof *x->some.v, point_order);
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

void live_free(const Program *p, RegLive *r)
{
	for (u32 i = 0; i < p->regs.n; i++) {
		array_free(&r[i].own);
		array_free(&r[i].any);
		array_free(&r[i].all);
		array_free(&r[i].some);
	}
	free(r);
}
