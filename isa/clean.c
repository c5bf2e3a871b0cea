/* Cleaning up a lowered Program: unused operations, copies that became nothing, blocks
 * that only jump on. */
#include "isa/regs.h"

/* Close the gaps of dropped instructions. */
static void clean_drop(Program *p, const bool *drop)
{
	u32 at = 0;
	for (u32 b = 0; b < p->blocks.n; b++) {
		Block *k = &p->blocks.v[b];
		u32 first = at;
		for (u32 i = k->first; i < k->first + k->n; i++) {
			if (drop[i])
				continue;
			if (p->live_vgprs.n)
				p->live_vgprs.v[at] = p->live_vgprs.v[i];
			p->ins.v[at++] = p->ins.v[i];
		}
		k->first = first;
		k->n = at - first;
	}
	p->ins.n = at;
	if (p->live_vgprs.n)
		p->live_vgprs.n = at;
}

/* ---- unused operations ---- */

static bool clean_needed(const Program *p, const Ins *x, const u32 *uses)
{
	if (op_info[x->op].flags & (F_SIDE | F_END))
		return true;
	for (u32 i = 0; i < x->ndst; i++) {
		if (uses[ins_dst(p, x)[i]])
			return true;
	}
	return false;
}

/* Operations come after those that compute their operands, except around loops, where
 * only copies lead back: one pass from the end finds nearly all. */
void clean_dead(Program *p)
{
	u32 *uses = xcalloc(p->regs.n + 1, sizeof *uses);
	bool *drop = xcalloc(p->ins.n + 1, sizeof *drop);
	bool again = true;
	for (u32 i = 0; i < p->ins.n; i++) {
		for (u32 k = 0; k < p->ins.v[i].nsrc; k++)
			uses[ins_src(p, &p->ins.v[i])[k]]++;
	}
	while (again) {
		again = false;
		for (u32 i = p->ins.n; i-- > 0;) {
			const Ins *x = &p->ins.v[i];
			if (drop[i] || clean_needed(p, x, uses))
				continue;
			drop[i] = again = true;
			for (u32 k = 0; k < x->nsrc; k++)
				uses[ins_src(p, x)[k]]--;
		}
	}
	clean_drop(p, drop);
	free(drop);
	free(uses);
}

/* ---- blocks that only jump ---- */

typedef struct Clean {
	Program *p;
	u32 *npred, *pred; /* per block: edges into it, the source of the last one */
	u32 *to;           /* where jumps to a block go instead; itself when it stays */
	bool *merged;      /* continues the block before it */
} Clean;

static u32 clean_to(const Clean *t, u32 b)
{
	while (t->to[b] != b)
		b = t->to[b];
	return b;
}

static void clean_preds(Clean *t)
{
	const Program *p = t->p;
	memset(t->npred, 0, (p->blocks.n + 1) * sizeof *t->npred);
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 n;
		const u32 *succ = block_succs(p, b, &n);
		for (u32 i = 0; t->to[b] == b && i < n; i++) {
			u32 s = clean_to(t, succ[i]);
			t->npred[s]++;
			t->pred[s] = b;
		}
	}
}

static Ins *clean_last(const Program *p, u32 b)
{
	const Block *k = &p->blocks.v[b];
	return &p->ins.v[k->first + k->n - 1];
}

/* Jumps over a block are redirected, with one exception: a jump back to a loop's header
 * stays when blocks lie between it and its source, because those run first. */
static void clean_thread(Clean *t)
{
	const Program *p = t->p;
	u32 kept = NO_BLOCK;
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *k = &p->blocks.v[b];
		bool entry = p->funcs.v[k->func].first_block == b;
		if (k->n == 1 && clean_last(p, b)->op == OP_jmp && !entry) {
			u32 s = ins_tgt(p, clean_last(p, b))[0];
			if (s > b || (s < b && t->npred[b] == 1 && t->pred[b] == kept)) {
				t->to[b] = s;
				continue;
			}
		}
		kept = b;
	}
}

/* A block that only the one before it jumps to becomes part of it. */
static void clean_merge(Clean *t)
{
	const Program *p = t->p;
	u32 kept = NO_BLOCK;
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *k = &p->blocks.v[b];
		if (t->to[b] != b)
			continue;
		if (kept != NO_BLOCK && t->npred[b] == 1 && t->pred[b] == kept &&
		    p->blocks.v[kept].func == k->func && p->blocks.v[kept].masked == k->masked &&
		    clean_last(p, kept)->op == OP_jmp)
			t->merged[b] = true;
		kept = b;
	}
}

/* A branch whose ways have become one is a jump. */
static void clean_target(const Clean *t, Ins *x)
{
	u32 *tgt = t->p->opnds.v + x->opnd + x->ndst + x->nsrc;
	for (u32 i = 0; i < x->ntgt; i++)
		tgt[i] = clean_to(t, tgt[i]);
	if (x->op == OP_br && tgt[0] == tgt[1]) {
		x->op = OP_jmp;
		x->opnd += 1;
		x->nsrc = 0;
		x->ntgt = 1;
	}
}

static void clean_rebuild(Clean *t)
{
	Program *p = t->p;
	bool *drop = xcalloc(p->ins.n + 1, sizeof *drop);
	u32 *at = xcalloc(p->blocks.n + 1, sizeof *at), n = 0, kept = 0;
	for (u32 b = 0; b < p->blocks.n; b++) {
		Block *k = &p->blocks.v[b];
		bool gone = t->to[b] != b;
		at[b] = gone || !t->merged[b] ? n : n - 1;
		if (gone)
			drop[k->first] = true;
		else if (t->merged[b])
			drop[p->blocks.v[kept].first + p->blocks.v[kept].n - 1] = true;
		n += !gone && !t->merged[b];
		kept = gone ? kept : b;
	}
	clean_drop(p, drop);
	for (u32 f = 0; f < p->funcs.n; f++) {
		Func *x = &p->funcs.v[f];
		u32 end = x->first_block + x->nblocks;
		x->first_block = at[x->first_block];
		x->nblocks = (end < p->blocks.n ? at[end] : n) - x->first_block;
	}
	for (u32 b = 0; b < p->blocks.n; b++) {
		Block k = p->blocks.v[b];
		if (t->to[b] != b)
			continue;
		if (t->merged[b])
			p->blocks.v[at[b]].n += k.n;
		else
			p->blocks.v[at[b]] = k;
	}
	p->blocks.n = n;
	for (u32 i = 0; i < p->origins.n; i++) {
		u32 b = p->origins.v[i];
		if (b != NO_BLOCK)
			p->origins.v[i] = t->to[b] == b ? at[b] : NO_BLOCK;
	}
	for (u32 b = 0; b < n; b++) {
		Ins *x = clean_last(p, b);
		u32 *tgt = p->opnds.v + x->opnd + x->ndst + x->nsrc;
		for (u32 i = 0; i < x->ntgt; i++)
			tgt[i] = at[tgt[i]];
	}
	free(drop);
	free(at);
}

static void clean_blocks(Program *p)
{
	u32 n = p->blocks.n + 1;
	Arena *a = arena_new();
	Clean t = {p, ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, u32, n), ARENA_ARRAY(a, bool, n)};
	for (u32 b = 0; b < n; b++)
		t.to[b] = b;
	clean_preds(&t);
	clean_thread(&t);
	for (u32 b = 0; b < p->blocks.n; b++) {
		if (t.to[b] == b)
			clean_target(&t, clean_last(p, b));
	}
	clean_preds(&t);
	clean_merge(&t);
	clean_rebuild(&t);
	arena_free(a);
}

void clean_copies(Program *p)
{
	bool *drop = xcalloc(p->ins.n + 1, sizeof *drop);
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		drop[i] = x->op == OP_mov && ins_dst(p, x)[0] == ins_src(p, x)[0];
	}
	clean_drop(p, drop);
	free(drop);
	clean_blocks(p);
}
