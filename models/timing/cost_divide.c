/* Divisions as instructions: by a constant they multiply, by what a loop does not change the reciprocal is taken once,
 * and those of 64-bit integers take the way that the run's lanes needed. What each of these costs is in cost_ops.c. */
#include "models/timing/cost_ops_impl.h"

#include "isa/abi.h"

#include <math.h>

/* Does every turn of the loop read the same value there? What it makes of it alone is then made before. */
static bool unchanged(const CostOps *o, u32 ins, u32 k)
{
	const RegUse *r = &o->reg[ins_src(o->p, &o->p->ins.v[ins])[k]];
	const Block *b = &o->p->blocks.v[o->block_of[ins]];
	u32 outside = r->ndefs ? o->p->blocks.v[cost_code_of(o, r->def)].loop_depth : 0;
	return r->ndefs <= 1 && outside < b->loop_depth && !o->sometimes[o->block_of[ins]];
}

/* ---- floats ---- */

/* Is it 1 / x, where x is a root that nothing else reads? */
static bool inverts_root(const CostOps *o, const Ins *i)
{
	const Ins *root = i->op == OP_fdiv_f32 ? cost_source(o, i, 1) : NULL;
	if (!root || root->op != OP_sqrt_f32 || o->reg[ins_src(o->p, i)[1]].nuses != 1)
		return false;
	return cost_is_one(o->p, ins_src(o->p, i)[0]);
}

bool cost_divide_inverts(const IrRules *r, const CostOps *o, const Ins *root)
{
	const RegUse *use = &o->reg[ins_dst(o->p, root)[0]];
	return r->joins_root && root->op == OP_sqrt_f32 && use->nuses == 1 &&
	       inverts_root(o, &o->p->ins.v[use->use]);
}

OpCost cost_divide_floats(const IrRules *r, const CostOps *o, u32 ins)
{
	const Ins *i = &o->p->ins.v[ins];
	return r->joins_root && inverts_root(o, i) ? r->root
	       : cost_is_const(o, i, 1)            ? r->fdiv_const
	       : unchanged(o, ins, 1)              ? r->fdiv_again
	                                           : r->fdiv;
}

OpCost cost_divide_slow(const CostOps *o, u32 ins, OpCost x)
{
	if (!x.slow_plain || !o->prof->divisions || !o->prof->blocks[o->block_of[ins]].execs)
		return x;
	double share = (double)o->prof->divisions[ins].slow / (double)o->prof->blocks[o->block_of[ins]].execs;
	x.plain = (u16)(x.plain + lround(share * x.slow_plain));
	x.latency = (u16)(x.latency + lround(share * x.slow_latency));
	return x;
}

/* ---- integers ---- */

/* Is it read from what the launch has there? */
static bool loads_query(const CostOps *o, const Ins *i, u32 query)
{
	const Ins *from = i && i->op == OP_ld ? cost_source(o, i, 0) : NULL;
	return from && from->op == OP_query && from->aux == query;
}

/* The field of the launch's packet that operand k is, or 0. */
static i64 packet_field(const CostOps *o, const Ins *i, u32 k)
{
	u32 reg = ins_src(o->p, i)[k];
	const Ins *by = cost_def(o, reg);
	if (by && by->op == OP_zext_i32_i16) {
		reg = ins_src(o->p, by)[0];
		by = cost_def(o, reg);
	}
	if (!loads_query(o, by, QUERY_dispatch_ptr))
		return 0;
	i64 field = by->imm; /* several that follow each other may be one load */
	for (const u32 *d = ins_dst(o->p, by); *d != reg; d++)
		field += type_bytes[o->p->regs.v[*d].type];
	return field;
}

/* Does it divide a launch's work-items by those of a work-group, along one axis? */
static bool counts_groups(const CostOps *o, const Ins *i)
{
	i64 items = packet_field(o, i, 0), group = packet_field(o, i, 1);
	return items >= DISPATCH_GLOBAL_SIZE && group >= DISPATCH_LOCAL_SIZE && group < DISPATCH_GLOBAL_SIZE &&
	       items - DISPATCH_GLOBAL_SIZE == 2 * (group - DISPATCH_LOCAL_SIZE);
}

/* By what varies, of 64 bits: as often by its long way and by the short one as the run's wavefronts went. */
static OpCost divide_wide(const IrRules *r, const CostOps *o, u32 ins)
{
	OpCost x = INTEGER(MC_valu, DIV_I64);
	/* NULL: nothing ran, as in tests. */
	const DivisionProf *n = o->prof->divisions ? &o->prof->divisions[ins] : NULL;
	if (!n || !(n->wide | n->narrow))
		return x;
	double execs = (double)o->prof->blocks[o->block_of[ins]].execs;
	double wide = (double)n->wide / execs, narrow = (double)n->narrow / execs;
	x.n = (u16)lround(wide * DIV_I64 + narrow * r->div_short.n);
	x.trans = (u16)lround(narrow * r->div_short.trans);
	return x;
}

OpCost cost_divide_integers(const IrRules *r, const CostOps *o, u32 ins, u8 type)
{
	const Ins *i = &o->p->ins.v[ins];
	bool wide = type == T_i64 || type == T_i128;
	bool rem = op_is_of(i->op, OP_urem_i32) || op_is_of(i->op, OP_srem_i32);
	if (r->counts && i->op == OP_udiv_i32 && counts_groups(o, i))
		return (OpCost)FLOAT(MC_valu, 0);
	if (cost_is_const(o, i, 1)) {
		OpCost x = wide ? r->div_const_64 : r->div_const;
		x.n = (u16)(x.n + (!rem ? 0 : wide ? r->rem_const_64 : r->rem_const));
		return x;
	}
	return wide ? divide_wide(r, o, ins) : unchanged(o, ins, 1) ? r->div_again : r->div;
}
