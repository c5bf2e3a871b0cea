/* Machine code as bytes. */
#include "isa/pack.h"

static void code_ins(Codec *c, MachineIns *i)
{
	i->cls = (u8)code_enum(c, i->cls, MC_COUNT);
	CODE(c, i->bytes, i->pair, i->distance, i->control, i->dep, i->vm, i->lgkm, i->vs);
	CODE(c, i->frame, i->frame_all, i->ir);
	code_name(c, &i->mnemonic);
	CODE(c, i->text, i->live_vgprs, i->live_agprs, i->live_sgprs);
	i->spill = (u8)code_enum(c, i->spill, SPILL_COUNT);
	codec_check(c, i->mnemonic);
}

static void code_block(Codec *c, MachineBlock *b)
{
	CODE(c, b->first, b->n, b->ir_block, b->first_edge, b->nedges, b->func, b->same, b->label);
}

static void code_place(Codec *c, Loc *l)
{
	code_name(c, &l->file);
	CODE(c, l->line, l->col);
}

static bool block_good(const MachineCode *m, u32 k)
{
	const MachineBlock *b = &m->blocks.v[k];
	if (b->first > m->ins.n || b->n > m->ins.n - b->first || b->first_edge > m->edges.n ||
	    b->nedges > m->edges.n - b->first_edge || (b->ir_block >= m->nir_blocks && b->ir_block != NO_IR) ||
	    b->same > k || b->func > k + 1 || (k && b->func < m->blocks.v[k - 1].func))
		return false;
	for (u32 i = 0; i < b->n; i++)
		if (m->ins.v[b->first + i].dep > i)
			return false;
	return true;
}

void pack_machine(Codec *c, MachineCode *m)
{
	CODE(c, m->missing, m->left_out, m->cpu, m->stands_for);
	CODE(c, m->vgprs, m->agprs, m->total_vgprs, m->sgprs, m->scratch_bytes, m->lds_bytes, m->code_bytes,
	     m->vgpr_spills, m->sgpr_spills, m->nir_blocks);
	CODE(c, m->listing, m->live);
	CODE_LIST(c, MachineIns, m->ins.v, m->ins.n, code_ins);
	CODE_LIST(c, MachineBlock, m->blocks.v, m->blocks.n, code_block);
	CODE_LIST(c, u32, m->edges.v, m->edges.n, code_u32);
	CODE_LIST(c, Loc, m->places, m->nplaces, code_place);
	codec_check(c, m->cpu);
	for (u32 i = 0; i < m->ins.n && !c->writing; i++) /* what LLVM added has numbers behind all others */
		if (m->ins.v[i].ir >= m->nplaces)
			m->ins.v[i].ir = NO_IR;
	for (u32 i = 0; i < m->ins.n && m->listing; i++)
		codec_check(c, m->ins.v[i].text);
	for (u32 i = 0; i < m->blocks.n && !c->bad; i++)
		codec_check(c, block_good(m, i));
	for (u32 i = 0; i < m->edges.n && !c->bad; i++)
		codec_check(c, m->edges.v[i] < m->blocks.n);
}

bool pack_fits(const Program *p, const MachineCode *m)
{
	bool fits = !p->origins.n || p->origins.n == m->nir_blocks;
	for (u32 i = 0; i < p->ins.n; i++)
		fits &= p->ins.v[i].origin <= m->nplaces;
	return fits;
}

/* ---- of VLIW chips ---- */

static void code_step(Codec *c, R600Step *s)
{
	CODE(c, s->bundles, s->fetches, s->stores, s->to, s->back, s->ir, s->first, s->n);
	CODE(c, s->is_else, s->is_break, s->is_continue, s->is_end, s->text);
}

static bool step_good(const R600Code *r, u32 nins, u32 k)
{
	const R600Step *s = &r->steps[k];
	return s->first <= nins && s->n <= nins - s->first && (s->to < r->nsteps || s->to == NO_STEP) &&
	       (s->back < r->nsteps || s->back == NO_STEP);
}

void pack_r600(Codec *c, R600Code *r)
{
	u32 nins = 0;
	CODE(c, r->missing, r->cpu, r->listing, r->gprs, r->stack, r->bundles, r->slots, r->trans, r->literals);
	CODE(c, r->alu_clauses, r->fetch_clauses, r->loops, r->fetches, r->stores, r->atomics, r->lds, r->barriers);
	CODE_LIST(c, R600Step, r->steps, r->nsteps, code_step);
	for (u32 i = 0; i < r->nsteps && c->writing; i++)
		if (r->steps[i].first + r->steps[i].n > nins)
			nins = r->steps[i].first + r->steps[i].n;
	CODE_LIST(c, MachineIns, r->ins, nins, code_ins);
	codec_check(c, r->cpu);
	for (u32 i = 0; i < r->nsteps && !c->bad; i++)
		codec_check(c, step_good(r, nins, i));
}
