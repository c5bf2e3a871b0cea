/* Which segments of global memory a program is expected to write: those that the addresses of its
 * stores are derived from. An expectation, which saves marking the reads of all others (access_sets.h);
 * an address that leads elsewhere is noticed when it is used. */
#include "sim/wave.h"

enum { NO_SEG = 0, ANY_SEG = UINT32_MAX }; /* no segment is named; one that is not known */

typedef struct Pointers {
	const Program *p;
	u32 *seg; /* register -> the segment it points into */
} Pointers;

/* A register points into a segment, too. Has that changed what is known? */
static bool point(Pointers *t, u32 reg, u32 seg)
{
	u32 old = t->seg[reg], now = !old || old == seg ? seg : !seg ? old : ANY_SEG;
	t->seg[reg] = now;
	return now != old;
}

static bool point_ins(Pointers *t, const Ins *ins, const Func *in)
{
	const Program *p = t->p;
	const u32 *dst = ins_dst(p, ins), *src = ins_src(p, ins);
	bool changed = false;
	u32 seg = NO_SEG;
	switch (ins->op) {
	case OP_call:
	case OP_image: {
		const Func *f = &p->funcs.v[ins_tgt(p, ins)[0]];
		for (u32 i = 0; i < f->nparams; i++)
			changed |= point(t, p->opnds.v[f->params + i], t->seg[src[i]]);
		for (u32 i = 0; i < f->nresults; i++)
			changed |= point(t, dst[i], t->seg[p->opnds.v[f->results + i]]);
		return changed;
	}
	case OP_ret:
		for (u32 i = 0; i < ins->nsrc && i < in->nresults; i++)
			changed |= point(t, p->opnds.v[in->results + i], t->seg[src[i]]);
		return changed;
	case OP_ld:
	case OP_atomic:
	case OP_cas: seg = ANY_SEG; break;
	case OP_lea_i64:
	case OP_leas_i64:
	case OP_leaz_i64: seg = t->seg[src[0]]; break;
	default:
		for (u32 i = 0; i < ins->nsrc; i++)
			if (t->seg[src[i]] != NO_SEG && t->seg[src[i]] != seg)
				seg = seg == NO_SEG ? t->seg[src[i]] : ANY_SEG;
	}
	for (u32 i = 0; i < ins->ndst; i++)
		if (p->regs.v[dst[i]].type == T_i64)
			changed |= point(t, dst[i], seg);
	return changed;
}

/* May it write global memory? Its address is then the first operand. */
static bool stores(const Program *p, const Ins *ins)
{
	return (ins->op == OP_st || ins->op == OP_atomic || ins->op == OP_cas || ins->op == OP_copy ||
	        ins->op == OP_fill || ins->op == OP_async_copy) &&
	       p->regs.v[ins_src(p, ins)[0]].type == T_i64;
}

bool *stored_segs(const Machine *m, Arena *a)
{
	const Program *p = m->p;
	Pointers t = {p, xcalloc(p->regs.n + 1, sizeof(u32))};
	bool *stored = ARENA_ARRAY(a, bool, m->nsegs + 1), changed = true;
	for (u32 i = 0; i < p->regs.n; i++) {
		u64 value = 0;
		if (p->regs.v[i].type == T_i64 && p->regs.v[i].kind != REG_VECTOR)
			memcpy(&value, m->code->scalars + m->code->reg[i], 8);
		value = seg_address(m, value);
		if (value >> SEG_SHIFT < m->nsegs)
			t.seg[i] = (u32)(value >> SEG_SHIFT);
	}
	while (changed) {
		changed = false;
		for (u32 b = 0; b < p->blocks.n; b++)
			for (u32 i = 0; i < p->blocks.v[b].n; i++)
				changed |= point_ins(&t, &p->ins.v[p->blocks.v[b].first + i],
				                     &p->funcs.v[p->blocks.v[b].func]);
	}
	for (u32 i = 0; i < p->ins.n; i++) {
		if (!stores(p, &p->ins.v[i]))
			continue;
		u32 seg = t.seg[ins_src(p, &p->ins.v[i])[0]];
		for (u32 k = 1; k < m->nsegs; k++)
			stored[k] |= m->segs[k].writable && (k == seg || seg == NO_SEG || seg == ANY_SEG);
	}
	free(t.seg);
	return stored;
}
