/* Machine code as bytes. */
#include "isa/pack.h"

/* A list in the arena, of a struct that has an ARRAY of it. */
#define CODE_LIST(c, array, code) \
	do { \
		(array)->v = code_list(c, (array)->v, &(array)->n, sizeof *(array)->v); \
		for (u32 i_ = 0; i_ < (array)->n && !(c)->bad; i_++) \
			code(c, &(array)->v[i_]); \
	} while (0)

static void code_ins(Codec *c, MachineIns *i)
{
	i->cls = (u8)code_enum(c, i->cls, MC_COUNT);
	code_u8(c, &i->bytes);
	code_bool(c, &i->pair);
	code_u16(c, &i->distance);
	code_bool(c, &i->control);
	code_u8(c, &i->dep);
	code_u8(c, &i->vm);
	code_u8(c, &i->lgkm);
	code_u8(c, &i->vs);
	code_u32(c, &i->ir);
	code_name(c, &i->mnemonic);
	codec_check(c, i->mnemonic);
}

static void code_block(Codec *c, MachineBlock *b)
{
	CODE_U32S(c, &b->first, &b->n, &b->ir_block, &b->first_edge, &b->nedges, &b->func, &b->same);
	code_text(c, &b->label);
}

static void code_place(Codec *c, Loc *l)
{
	code_name(c, &l->file);
	code_u32(c, &l->line);
	code_u32(c, &l->col);
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
	Loc *places = (Loc *)(uintptr_t)m->places;
	code_text(c, &m->missing);
	code_text(c, &m->left_out);
	code_text(c, &m->cpu);
	CODE_U32S(c, &m->vgprs, &m->agprs, &m->total_vgprs, &m->sgprs, &m->scratch_bytes, &m->lds_bytes,
	             &m->code_bytes, &m->vgpr_spills, &m->sgpr_spills, &m->nir_blocks);
	CODE_LIST(c, &m->ins, code_ins);
	CODE_LIST(c, &m->blocks, code_block);
	CODE_LIST(c, &m->edges, code_u32);
	m->places = places = code_list(c, places, &m->nplaces, sizeof *places);
	for (u32 i = 0; i < m->nplaces && !c->bad; i++)
		code_place(c, &places[i]);
	codec_check(c, m->cpu);
	for (u32 i = 0; i < m->ins.n && !c->writing; i++) /* what LLVM added has numbers behind all others */
		if (m->ins.v[i].ir >= m->nplaces)
			m->ins.v[i].ir = NO_IR;
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
	CODE_U32S(c, &s->bundles, &s->fetches, &s->stores, &s->to, &s->back, &s->ir, &s->first, &s->n);
	CODE_ALL(c, code_bool, bool, &s->is_else, &s->is_break, &s->is_continue, &s->is_end);
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
	code_text(c, &r->missing);
	code_text(c, &r->cpu);
	CODE_U32S(c, &r->gprs, &r->stack, &r->bundles, &r->slots, &r->trans, &r->literals, &r->alu_clauses,
	             &r->fetch_clauses, &r->loops, &r->fetches, &r->stores, &r->atomics, &r->lds, &r->barriers);
	R600Step *steps = code_list(c, (R600Step *)(uintptr_t)r->steps, &r->nsteps, sizeof *steps);
	r->steps = steps;
	for (u32 i = 0; i < r->nsteps && !c->bad; i++) {
		code_step(c, &steps[i]);
		if (c->writing && steps[i].first + steps[i].n > nins)
			nins = steps[i].first + steps[i].n;
	}
	MachineIns *ins = code_list(c, (MachineIns *)(uintptr_t)r->ins, &nins, sizeof *ins);
	r->ins = ins;
	for (u32 i = 0; i < nins && !c->bad; i++)
		code_ins(c, &ins[i]);
	codec_check(c, r->cpu);
	for (u32 i = 0; i < r->nsteps && !c->bad; i++)
		codec_check(c, step_good(r, nins, i));
}
