/* What a kernel takes of a device: see resources.h. */
#include "engine/resources.h"

const OccLimiter occ_curve_over[OCC_CURVES] = {OCC_vgprs, OCC_lds, OCC_group_size};

void machine_result_build(MachineResult *m, const MachineCode *code, const Program *p,
                          const Profile *prof, Arena *a)
{
	*m = (MachineResult){0};
	if (!code || code->missing) {
		m->missing = code ? arena_strdup(a, code->missing) : "the program is no OpenCL source";
		return;
	}
	m->run = machine_run(code, p, prof, a);
	m->cpu = arena_strdup(a, code->cpu);
	m->stands_for = arena_strdup(a, code->stands_for);
	m->left_out = arena_strdup(a, code->left_out);
	m->code_bytes = code->code_bytes;
	m->code_instructions = code->ins.n;
	m->vgpr_spills = code->vgpr_spills;
	m->sgpr_spills = code->sgpr_spills;
	for (u32 b = 0; b < code->blocks.n; b++) {
		const MachineBlock *k = &code->blocks.v[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const MachineIns *x = &code->ins.v[i];
			if (x->bytes && x->bytes <= 16)
				m->lds_widths[x->pair][x->bytes] += m->run->execs[b];
		}
	}
}

const u64 *machine_result_line(const MachineResult *m, u32 file, u32 line)
{
	const MachineLine *l = m->run ? machine_line(m->run, file, line) : NULL;
	return l ? l->count : NULL;
}

const R600Result *r600_result_build(const R600Code *c, const Device *dev, Arena *a)
{
	R600Result *r = ARENA_NEW(a, R600Result);
	r->vliw_slots = dev->vliw_slots;
	if (c->missing) {
		r->missing = arena_strdup(a, c->missing);
		return r;
	}
	r600_rates(dev, c, &r->best, &r->all);
	R600Code *own = ARENA_NEW(a, R600Code); /* the front end may be closed before this is printed */
	*own = *c;
	own->cpu = arena_strdup(a, c->cpu);
	own->steps = NULL;
	r->code = own;
	return r;
}

void occ_result_build(OccResult *r, const Device *dev, const OccInput *in, Arena *a)
{
	memset(r, 0, sizeof *r);
	r->device = arena_strdup(a, dev->name);
	r->simds_per_cu = dev->simds_per_cu;
	r->compute_units = dev->compute_units;
	occupancy(dev, in, &r->o);
	Buf next = {0};
	occupancy_next_text(dev, &r->o, &next);
	r->next = buf_keep(&next, a);
	for (u32 i = 0; i < OCC_CURVES; i++) {
		OccCurve c = {0};
		occupancy_curve(dev, &r->o.in, occ_curve_over[i], &c);
		r->curve[i] = ARENA_ARRAY(a, OccStep, c.n + 1);
		r->ncurve[i] = c.n;
		if (c.n)
			memcpy(r->curve[i], c.v, c.n * sizeof *c.v);
		array_free(&c);
	}
}
