/* Operations as instructions: the rules of AMD's compilers and of NVIDIA's.
 *
 * AMD's figures are those of LLVM's back end. NVIDIA's were read off what its assembler makes of
 * the probes (runner/probes): addresses and products take one wide multiply-add, an operation on
 * the result of another joins it where the machine has three inputs, halves of 64 bits are
 * registers, and what divides by the same number in every turn of a loop takes the reciprocal once. What single
 * operations become was read off its assembly of 199 of OpenCL's, and timed (traces/measured/README.md, functions).
 */
#include "models/timing/cost_ops_impl.h"

#include "models/timing/zeros.h"

const IrRules cost_rules[] = {
	[DEVICE_IR_RULES_amd] = {
		.div = INTEGER(MC_valu, 28),
		.div_again = INTEGER(MC_valu, 28),
		.div_short = INTEGER(MC_valu, 20),
		/* LLVM 15's for gfx906: a product, which takes as long as four, and four instructions; of 64 bits it
		 * divides. */
		.div_const = INTEGER(MC_valu, 8),
		.rem_const = 5,
		.div_const_64 = INTEGER(MC_valu, DIV_I64),
		.fdiv = FLOAT(MC_valu_fma, 11),
		.fdiv_again = FLOAT(MC_valu_fma, 11),
		.fdiv_const = FLOAT(MC_valu_fma, 11),
		.root = FLOAT(MC_trans, 1),
		.div_f64 = FLOAT(MC_valu_f64_mul, 11),
		.reciprocal_f64 = FLOAT(MC_valu_f64_mul, 11),
		.root_f64 = FLOAT(MC_trans_f64, 20),
		.inverse_root_f64 = FLOAT(MC_trans_f64, 20),
		.rem_f64 = FLOAT(MC_trans_f64, 20),
		.trans_f64 = FLOAT(MC_trans_f64, 20),
		.wide_product = INTEGER(MC_valu_mul, 4),
		.address = INTEGER(MC_valu, 3), /* shift, add, add with carry */
		.bit_count = INTEGER(MC_valu, 1),
		.trailing_zeros = INTEGER(MC_valu, 1),
		.max_i64 = INTEGER(MC_valu, 3), /* a comparison, and a choice of each half */
		.add_sat_signed = INTEGER(MC_valu, 1),
		.add_sat = INTEGER(MC_valu, 1),
		.max_f64 = FLOAT(MC_valu_f64_add, 1),
		.round = FLOAT(MC_valu, 1),
		.round_f64 = FLOAT(MC_valu_f64_add, 1),
		.to_integer = FLOAT(MC_valu_cvt, 1),
		.to_float = FLOAT(MC_valu_cvt, 1),
		.to_float_narrow = FLOAT(MC_valu_cvt, 1),
		.wide_convert = FLOAT(MC_valu_cvt, 1),
		.reads_lanes = true,
		.scalars = true,
	},
	[DEVICE_IR_RULES_nvidia] = {
		.div = {.cls = MC_valu, .n = 18, .trans = 3, .integer = true},
		.div_again = INTEGER(MC_valu, 14),
		.div_short = {.cls = MC_valu, .n = 17, .trans = 3, .integer = true},
		/* Upper halves of products take as long as two. */
		.div_const = INTEGER(MC_valu, 4),
		.rem_const = 1,
		.div_const_64 = INTEGER(MC_valu, 24),
		.rem_const_64 = 4,
		/* Latencies: probes (alu-chains-quotient, -sqrt and those of doubles), less the addition. */
		.fdiv = {.cls = MC_valu, .n = 4, .trans = 1, .logic = 3, .latency = 43},
		.fdiv_again = FLOAT(MC_valu, 3),
		.fdiv_const = FLOAT(MC_valu, 1),
		.root = {.cls = MC_valu, .n = 2, .trans = 1, .logic = 1, .latency = 38},
		/* Of doubles: probes (slow-…). */
		.div_f64 = {.cls = MC_valu_f64_mul, .n = 8, .trans = 1, .logic = 2, .plain = 6, .latency = 116,
		            .alone = true, .slow_plain = 78, .slow_latency = 228},
		.reciprocal_f64 = {.cls = MC_valu_f64_mul, .n = 5, .trans = 1, .logic = 1, .plain = 3, .latency = 59,
		                   .alone = true, .slow_plain = 25, .slow_latency = 99},
		.root_f64 = {.cls = MC_valu_f64_mul, .n = 8, .trans = 1, .logic = 2, .plain = 6, .latency = 84,
		             .alone = true, .slow_plain = 22, .slow_latency = 111},
		.inverse_root_f64 = {.cls = MC_valu_f64_mul, .n = 5, .trans = 1, .logic = 1, .plain = 7, .latency = 59,
		                     .alone = true, .slow_plain = 19, .slow_latency = 117},
		.rem_f64 = {.cls = MC_valu_f64_mul, .n = 8, .trans = 1, .logic = 2, .plain = 6, .latency = 116,
		            .alone = true},
		.trans_f64 = FLOAT(MC_trans, 1), /* a first approximation */
		.wide_product = {.cls = MC_valu_mul, .n = 1, .cycles = 4, .integer = true},
		.address = {.cls = MC_valu_mul, .n = 1, .cycles = 2, .integer = true},
		.bit_count = INTEGER(MC_trans, 1),
		.trailing_zeros = INTEGER(MC_trans, 2), /* BREV turns the bits around before */
		.max_i64 = INTEGER(MC_valu, 4),
		.add_sat_signed = INTEGER(MC_valu, 12),
		.add_sat = INTEGER(MC_valu, 4),
		.max_f64 = {.cls = MC_valu_f64_add, .n = 1, .logic = 4},
		.round = FLOAT(MC_trans, 1),
		.round_f64 = FLOAT(MC_trans, 1),
		.to_integer = FLOAT(MC_trans, 1),
		.to_float = FLOAT(MC_valu, 1),
		.to_float_narrow = FLOAT(MC_trans, 1),
		.wide_convert = FLOAT(MC_trans, 1), /* probes (alu-convert-double, alu-convert-long) */
		.inputs = true,
		.joins = true,
		.joins_root = true,
		.halves = true,
		.counts = true,
		.predicates = true,
		.constants_by_l1 = true,
		.fills = true,
		/* SASS of 104 loops with 0 to 40 more values, by how the loads' addresses are made. */
		.loads = {
			.step = 8,
			.least = 2,
			.of = {
				[ADDRESSES_shared] = {.needed = 9, .beside = 8},
				[ADDRESSES_own] = {.needed = 9, .beside = 14},
				[ADDRESSES_unsigned] = {.needed = 15, .beside = 17},
			},
		},
	},
};

static const OpCost free_op = FLOAT(MC_valu, 0);

/* ---- where registers are written and read ---- */

static void find_uses(CostOps *o)
{
	const Program *p = o->p;
	for (u32 n = 0; n < p->blocks.n; n++) {
		for (u32 i = p->blocks.v[n].first; i < p->blocks.v[n].first + p->blocks.v[n].n; i++) {
			const Ins *x = &p->ins.v[i];
			o->block_of[i] = n;
			for (u32 k = 0; k < x->ndst; k++) {
				RegUse *r = &o->reg[ins_dst(p, x)[k]];
				r->leaves |= r->ndefs && cost_code_of(o, r->def) != o->head[n];
				r->def = i;
				r->ndefs++;
			}
		}
	}
	for (u32 f = 0; f < p->funcs.n; f++)
		for (u32 k = 0; k < p->funcs.v[f].nresults; k++)
			o->reg[p->opnds.v[p->funcs.v[f].results + k]].leaves = true;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		for (u32 k = 0; k < x->nsrc; k++) {
			RegUse *r = &o->reg[ins_src(p, x)[k]];
			r->use = i;
			r->nuses++;
			r->leaves |= r->ndefs && (cost_code_of(o, r->def) != cost_code_of(o, i) || r->def >= i);
		}
	}
}

const Ins *cost_def(const CostOps *o, u32 reg)
{
	return o->reg[reg].ndefs == 1 ? &o->p->ins.v[o->reg[reg].def] : NULL;
}

const Ins *cost_source(const CostOps *o, const Ins *i, u32 k) { return cost_def(o, ins_src(o->p, i)[k]); }

bool cost_is_const(const CostOps *o, const Ins *i, u32 k)
{
	return o->p->regs.v[ins_src(o->p, i)[k]].kind == REG_CONST;
}

/* ---- operations that join another ---- */

typedef enum { JOIN_NONE, JOIN_ADD, JOIN_LOGIC, JOIN_WIDE_ADD, JOIN_WIDE_LOGIC, JOIN_MUL, JOIN_SHIFT } Join;

static Join join_of(const CostOps *o, const Ins *i)
{
	switch (i->op) {
	case OP_add_i32:
	case OP_sub_i32:
	case OP_add_i16:
	case OP_sub_i16: return JOIN_ADD;
	case OP_and_i32:
	case OP_or_i32:
	case OP_xor_i32:
	case OP_and_i16:
	case OP_or_i16:
	case OP_xor_i16:
	case OP_and_b1:
	case OP_or_b1:
	case OP_xor_b1: return JOIN_LOGIC;
	case OP_add_i64:
	case OP_sub_i64: return JOIN_WIDE_ADD;
	case OP_and_i64:
	case OP_or_i64:
	case OP_xor_i64: return JOIN_WIDE_LOGIC;
	case OP_mul_i32: return JOIN_MUL;
	case OP_shl_i32: return cost_is_const(o, i, 1) ? JOIN_SHIFT : JOIN_NONE;
	default: return JOIN_NONE;
	}
}

/* Its only reader does it too: additions of three, logic of three, multiply-add, shift-add. A
 * comparison takes one more truth value. */
static bool joins_reader(CostOps *o, u32 ins)
{
	const Ins *i = &o->p->ins.v[ins];
	const RegUse *r = &o->reg[ins_dst(o->p, i)[0]];
	if (i->ndst != 1 || r->ndefs != 1 || r->nuses != 1 || r->leaves || o->absorbs[ins] ||
	    o->absorbs[r->use])
		return false;
	Join a = join_of(o, i), b = join_of(o, &o->p->ins.v[r->use]);
	bool fits = (a == b && a != JOIN_NONE && a != JOIN_MUL && a != JOIN_SHIFT) ||
	            (b == JOIN_ADD && (a == JOIN_MUL || a == JOIN_SHIFT));
	o->absorbs[r->use] |= fits;
	o->multiplies[r->use] |= fits && a == JOIN_MUL;
	return fits;
}

/* x times a choice of x or 1: LLVM's form of a choice of x times x, or x. */
static bool is_square(const CostOps *o, u32 ins)
{
	const u32 *src = ins_src(o->p, &o->p->ins.v[ins]);
	const RegUse *r = &o->reg[ins_dst(o->p, &o->p->ins.v[ins])[0]];
	const Ins *by = r->nuses == 1 ? &o->p->ins.v[r->use] : NULL;
	return by && by->op == OP_fmul_f32 && cost_is_one(o->p, src[2]) &&
	       (ins_src(o->p, by)[0] == src[1] || ins_src(o->p, by)[1] == src[1]);
}

static bool reads(const Program *p, const Ins *i, u32 reg)
{
	for (u32 k = 0; k < i->nsrc; k++)
		if (ins_src(p, i)[k] == reg)
			return true;
	return false;
}

/* Does nothing read the register after that instruction, before it is written again? */
static bool ends(const CostOps *o, u32 reg, u32 ins)
{
	enum { FAR = 256 };
	const RegUse *r = &o->reg[reg];
	const Block *of = o->p->blocks.v, *at = &of[o->block_of[ins]];
	if (!r->ndefs)
		return false;
	if (r->def <= ins || o->block_of[r->def] != o->block_of[ins])
		return r->use == ins && (r->def > ins || of[o->block_of[r->def]].loop_depth >= at->loop_depth);
	for (u32 i = ins + 1; i <= r->def; i++)
		if (i - ins > FAR || reads(o->p, &o->p->ins.v[i], reg))
			return false;
	return true;
}

/* A choice of what an operation made of a value, or the value, which nothing reads after: the operation, under a
 * predicate. */
static bool is_predicate(const CostOps *o, u32 ins)
{
	const Ins *i = &o->p->ins.v[ins];
	if (!op_is_of(i->op, OP_select_i32) || i->nsrc != 3)
		return false;
	for (u32 k = 1; k < 3; k++) {
		u32 made = ins_src(o->p, i)[k], had = ins_src(o->p, i)[3 - k];
		const RegUse *m = &o->reg[made];
		const Ins *by = cost_def(o, made);
		u32 unit = by ? op_info[by->op].unit : UNIT_NONE;
		/* (What costs nothing is no operation to put under a predicate.) */
		if (unit == UNIT_NONE || unit == UNIT_SIGN || unit == UNIT_MEM || m->nuses != 1 || m->leaves ||
		    !ends(o, had, ins) || cost_code_of(o, m->def) != cost_code_of(o, ins))
			continue;
		if (reads(o->p, by, had))
			return true;
	}
	return is_square(o, ins);
}

/* ---- issue costs ---- */

bool cost_is_one(const Program *p, u32 reg)
{
	enum { ONE = 0x3F800000 }; /* 1.0f */
	const Reg *r = &p->regs.v[reg];
	return r->kind == REG_CONST && r->value == (r->type == T_f64 ? bits_of_double(1) : ONE);
}

/* What is a row of instructions, or NULL. */
static const OpCost *of_several(const IrRules *r, const Program *p, const Ins *i, u32 unit, bool f64)
{
	if (unit == UNIT_DIV)
		return !f64 ? &r->fdiv : cost_is_one(p, ins_src(p, i)[0]) ? &r->reciprocal_f64 : &r->div_f64;
	switch (i->op) {
	case OP_sqrt_f32:
	case OP_rsq_f32: return &r->root;
	case OP_sqrt_f64: return &r->root_f64;
	case OP_rsq_f64: return &r->inverse_root_f64;
	case OP_frem_f64: return &r->rem_f64;
	case OP_fminnum_f64:
	case OP_fmaxnum_f64:
	case OP_fminimum_f64:
	case OP_fmaximum_f64: return &r->max_f64;
	case OP_floor_f32:
	case OP_ceil_f32:
	case OP_trunc_f32:
	case OP_rint_f32:
	case OP_round_f32: return &r->round;
	case OP_floor_f64:
	case OP_ceil_f64:
	case OP_trunc_f64:
	case OP_rint_f64:
	case OP_round_f64: return &r->round_f64;
	default: return NULL;
	}
}

static OpCost cost_float(const IrRules *r, const CostOps *o, u32 ins, u8 unit, u8 type)
{
	bool f64 = type == T_f64;
	const Ins *i = &o->p->ins.v[ins];
	const OpCost *several = of_several(r, o->p, i, unit, f64);
	if (several == &r->fdiv)
		return cost_divide_floats(r, o, ins);
	if (several)
		return cost_divide_inverts(r, o, i) ? free_op : cost_divide_slow(o, ins, *several);
	switch (unit) {
	case UNIT_TRANS: return f64 ? r->trans_f64 : (OpCost)FLOAT(MC_trans, 1);
	case UNIT_FMA: return (OpCost)FLOAT(f64 ? MC_valu_f64_mul : MC_valu_fma, 1);
	case UNIT_MUL: return (OpCost)FLOAT(f64 ? MC_valu_f64_mul : MC_valu, 1);
	case UNIT_SIGN:
		if (r->halves)
			return free_op; /* of the operand that reads it */
		break;
	default: break;
	}
	return (OpCost)FLOAT(f64 ? MC_valu_f64_add : MC_valu, 1);
}

static bool by_const(const CostOps *o, const Ins *i, u64 value)
{
	const Reg *by = &o->p->regs.v[ins_src(o->p, i)[1]];
	return by->kind == REG_CONST && by->value == value;
}

/* A value of 32 bits in 64, a half of 64 bits. */
static bool is_half(const CostOps *o, const Ins *i)
{
	if (i->op == OP_lshr_i64 || i->op == OP_shl_i64)
		return by_const(o, i, 32);
	if (i->op == OP_and_i64)
		return by_const(o, i, UINT32_MAX);
	return i->op == OP_zext_i64_i32 || i->op == OP_zext_i64_i16 || i->op == OP_trunc_i32_i64;
}

/* Is its low half 0, or its high half that of 0 or of a sign? */
static bool is_other_half(const CostOps *o, const Ins *i)
{
	bool right = i->op == OP_ashr_i64 || i->op == OP_lshr_i64;
	const Reg *by = right ? &o->p->regs.v[ins_src(o->p, i)[1]] : NULL;
	return o->zeros[ins_dst(o->p, i)[0]] >= 32 || (by && by->kind == REG_CONST && by->value >= 32);
}

static bool from_half(const CostOps *o, const Ins *i, u32 k)
{
	const Ins *by = cost_source(o, i, k);
	return by && (by->op == OP_zext_i64_i32 || by->op == OP_zext_i64_i16 || by->op == OP_sext_i64_i32 ||
	              (by->op == OP_and_i64 && by_const(o, by, UINT32_MAX)));
}

/* Blocks of a loop that a branch in it may go past: those before the block where its sides meet, unless one side leaves
 * the loop. (Blocks of a loop follow each other.) */
static bool *find_sometimes(const Program *p, Arena *a)
{
	enum { DEEPEST = 16 };
	bool *sometimes = ARENA_ARRAY(a, bool, p->blocks.n + 1);
	u32 meet[DEEPEST + 1] = {0}; /* by depth of the loop: the furthest such block */
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *at = &p->blocks.v[b];
		u32 depth = at->loop_depth < DEEPEST ? at->loop_depth : DEEPEST;
		for (u32 k = depth + 1; k <= DEEPEST; k++)
			meet[k] = 0;
		sometimes[b] = meet[depth] > b;
		const Ins *end = &p->ins.v[at->first + at->n - 1];
		u32 inside = depth;
		for (u32 t = 0; t < end->ntgt; t++) {
			u32 to = p->blocks.v[ins_tgt(p, end)[t]].loop_depth;
			inside = to < inside ? to : inside;
		}
		for (u32 k = 1; k <= inside && end->ntgt > 1 && at->ipdom != NO_BLOCK; k++)
			meet[k] = at->ipdom > meet[k] ? at->ipdom : meet[k];
	}
	return sometimes;
}

CostOps *cost_ops_new(const Device *dev, const Program *p, const Profile *prof, const Predicates *x, Arena *a)
{
	CostOps *o = ARENA_NEW(a, CostOps);
	*o = (CostOps){.dev = dev, .p = p, .prof = prof, .reg = ARENA_ARRAY(a, RegUse, p->regs.n + 1), .head = x->head,
	               .block_of = ARENA_ARRAY(a, u32, p->ins.n + 1), .absorbs = ARENA_ARRAY(a, bool, p->ins.n + 1),
	               .multiplies = ARENA_ARRAY(a, bool, p->ins.n + 1),
	               .zeros = low_zeros(p, a)};
	find_uses(o);
	o->sometimes = find_sometimes(p, a);
	return o;
}

static OpCost cost_address(const IrRules *r, const Ins *i, bool wide)
{
	const u8 *type = op_info[i->op].type;
	bool shift = i->imm && !(i->imm & (i->imm - 1));
	if (type[1] != type[2]) /* of the base, of the index */
		return r->address;
	if (!shift)
		return (OpCost)INTEGER(MC_valu, wide ? 2 : 1);
	return !wide ? (OpCost)INTEGER(MC_valu, 1) : r->joins ? (OpCost)INTEGER(MC_valu, 2) : r->address;
}

/* What has a rule of its own, or NULL. Of 64 bits all but max_i64 are twice as many. */
static const OpCost *of_integers(const IrRules *r, u32 op)
{
	switch (op) {
	case OP_umin_i64:
	case OP_umax_i64:
	case OP_smin_i64:
	case OP_smax_i64: return &r->max_i64;
	default: break;
	}
	if (op_is_of(op, OP_cttz_i32))
		return &r->trailing_zeros;
	if (op_info[op].unit == UNIT_BCOUNT)
		return &r->bit_count;
	if (op_is_of(op, OP_sadd_sat_i32) || op_is_of(op, OP_ssub_sat_i32))
		return &r->add_sat_signed;
	if (op_is_of(op, OP_uadd_sat_i32) || op_is_of(op, OP_usub_sat_i32))
		return &r->add_sat;
	return NULL;
}

static OpCost cost_integer(const IrRules *r, const CostOps *o, u32 ins, u8 unit, u8 type)
{
	const Ins *i = &o->p->ins.v[ins];
	bool wide = type == T_i64 || type == T_i128;
	if (unit == UNIT_UDIV || unit == UNIT_SDIV)
		return cost_divide_integers(r, o, ins, type);
	if (r->halves && is_half(o, i))
		return free_op;
	if (i->op == OP_mul_i64 && from_half(o, i, 0) && (from_half(o, i, 1) || cost_is_const(o, i, 1)))
		return r->wide_product;
	const OpCost *several = of_integers(r, i->op);
	if (several) {
		OpCost x = *several;
		x.n = (u16)(x.n * (wide && several != &r->max_i64 ? 2 : 1));
		return x;
	}
	switch (unit) {
	case UNIT_MUL: return (OpCost)INTEGER(MC_valu_mul, wide ? 4 : 1);
	case UNIT_ADDR: return cost_address(r, i, wide);
	default: return (OpCost)INTEGER(MC_valu, wide && !(r->halves && type == T_i64 && is_other_half(o, i)) ? 2 : 1);
	}
}

static bool is_wide_convert(u8 from, u8 to)
{
	return from != to && from != T_b1 && to != T_b1 && (type_is_float(from) || type_is_float(to)) &&
	       (type_bytes[from] == 8 || type_bytes[to] == 8);
}

static OpCost cost_anywhere(CostOps *o, u32 ins)
{
	const Program *p = o->p;
	const Ins *i = &p->ins.v[ins];
	const IrRules *r = &cost_rules[o->dev->ir_rules];
	u8 unit = op_info[i->op].unit;
	u8 type = i->nsrc   ? p->regs.v[ins_src(p, i)[0]].type
	          : i->ndst ? p->regs.v[ins_dst(p, i)[0]].type
	                    : T_i32;
	u8 to = i->ndst ? p->regs.v[ins_dst(p, i)[0]].type : type;
	if (r->predicates && is_predicate(o, ins))
		return free_op;
	if (i->nsrc == 1 && unit == UNIT_VALU && is_wide_convert(type, to))
		return r->wide_convert;
	/* A choice, not a minimum: of each dword. */
	if (unit == UNIT_LOGIC && type_is_float(to) && !of_several(r, o->p, i, unit, true))
		return (OpCost)FLOAT(MC_valu, type_bytes[to] / 4);
	if (type_is_float(type) != type_is_float(to) && to != T_b1 && i->nsrc)
		return !type_is_float(to)    ? r->to_integer
		       : type_bytes[type] < 4 ? r->to_float_narrow
		                              : r->to_float;
	if (type_is_float(type))
		return cost_float(r, o, ins, unit, type);
	if (r->joins && joins_reader(o, ins))
		return free_op;
	return o->multiplies[ins] ? (OpCost)INTEGER(MC_valu_mul, 1) : cost_integer(r, o, ins, unit, type);
}

/* ---- across the lanes ---- */

static u32 steps_of(u32 lanes)
{
	u32 n = 0;
	while (1u << n < lanes)
		n++;
	return n;
}

/* A permutation goes through the LDS crossbar, a ballot is a comparison, a lane is read by a move to or from a scalar
 * register. NVIDIA's shuffles are all of the first kind, its votes of one instruction. What VLIW chips lack goes
 * through LDS memory (cost_ir.c). */
LaneCost cost_lanes(const CostOps *o, u32 ins, u32 wave)
{
	const Ins *i = &o->p->ins.v[ins];
	const IrRules *r = &cost_rules[o->dev->ir_rules];
	bool registers = r->reads_lanes && o->dev->codegen != DEVICE_CODEGEN_r600;
	if (i->op == OP_matrix)
		return (LaneCost){
		    .end = {.cls = MC_matrix, .n = 1, .cycles = (u16)cost_matrix(o->dev, &matrix_shape[i->imm])}};
	u32 type = o->p->regs.v[ins_src(o->p, i)[i->op == OP_bpermute]].type;
	u32 dwords = (type_bytes[type] + 3u) / 4;
	OpCost moves = INTEGER(MC_valu, (u16)dwords), none = free_op;
	switch (i->op) {
	case OP_ballot: return (LaneCost){.end = INTEGER(MC_valu, 1)};
	case OP_readfirst:
	case OP_readlane: return registers ? (LaneCost){.end = moves} : (LaneCost){1, dwords, none, none};
	case OP_bpermute: return (LaneCost){1, dwords, INTEGER(MC_valu, 1), none}; /* the lane's number as an address */
	default: break;
	}
	u32 op = fold_op(i->aux, (Type)type), unit = op_info[op].unit;
	OpCost join = type_is_float(type) ? cost_float(r, o, ins, (u8)unit, (u8)type)
	                                  : cost_integer(r, o, ins, (u8)unit, (u8)type);
	bool one = registers && dwords == 1 && join.n == 1 && join.cls == MC_valu;
	LaneCost x = {steps_of(i->op == OP_reduce && i->imm ? (u32)i->imm : wave), registers ? 0 : dwords, join, none};
	if (registers && !one)
		x.step.n = (u16)(x.step.n + dwords);
	bool once_more = i->op == OP_reduce ? !i->imm : i->imm; /* into a scalar register; a scan moved by one lane */
	if (once_more && registers)
		x.end = moves;
	else if (once_more && i->op == OP_scan)
		x.steps++;
	return x;
}

bool cost_is_logic(const Device *dev, const Ins *i)
{
	return dev->cycles_logic && op_info[i->op].unit == UNIT_LOGIC;
}

/* Of a vector unit with a part for logic: what it does, and what both can do. */
static CostPipe pipe_of(const Device *dev, const Ins *i, const OpCost *x)
{
	if (x->cls != MC_valu || x->n > 2)
		return x->integer && x->cls == MC_valu ? PIPE_EITHER : PIPE_MAIN;
	return cost_is_logic(dev, i) ? PIPE_LOGIC : x->integer ? PIPE_EITHER : PIPE_MAIN;
}

OpCost cost_op(CostOps *o, u32 ins)
{
	OpCost x = cost_anywhere(o, ins);
	if (o->dev->cycles_logic)
		x.pipe = pipe_of(o->dev, &o->p->ins.v[ins], &x);
	return x;
}

static bool is_f64(const Ins *i) { return op_info[i->op].type[0] == T_f64; }

u32 cost_latency(const Device *dev, const Program *p, const Ins *i)
{
	u32 unit = op_info[i->op].unit;
	const OpCost *several = of_several(&cost_rules[dev->ir_rules], p, i, unit, is_f64(i));
	if (several && several->latency)
		return several->latency;
	if (unit == UNIT_DIV || unit == UNIT_TRANS || unit == UNIT_UDIV || unit == UNIT_SDIV)
		return dev->trans_latency ? dev->trans_latency : (u32)dev->alu_latency + dev->cycles_trans;
	return is_f64(i) && dev->f64_latency ? dev->f64_latency : dev->alu_latency;
}

bool cost_branches(const Device *dev, const Program *p, const Ins *i)
{
	const OpCost *several = of_several(&cost_rules[dev->ir_rules], p, i, op_info[i->op].unit, is_f64(i));
	return several && several->alone;
}

/* Does an address in constant memory lead to what the program's own pointers and tables do? Else to an argument's value,
 * or to what is known of the launch. Of a choice by its first side. */
static bool leads_to_memory(const CostOps *o, u32 reg)
{
	enum { FAR = 16 };
	for (u32 steps = 0; steps < FAR; steps++) {
		for (u32 i = 0; i < o->p->params.n; i++)
			if (o->p->params.v[i].reg == reg)
				return !o->p->params.v[i].by_address;
		const Ins *d = cost_def(o, reg);
		if (!d || !d->nsrc || op_info[d->op].unit == UNIT_MEM)
			return !d || op_info[d->op].unit != UNIT_SYS;
		reg = ins_src(o->p, d)[d->op == OP_select_i64 || d->op == OP_select_i32 ? 1 : 0];
	}
	return true;
}

bool cost_in_bank(const CostOps *o, const Ins *i)
{
	bool asked = cost_rules[o->dev->ir_rules].constants_by_l1 && o->p->constant_args;
	return i->space == SPACE_CONSTANT && !(asked && leads_to_memory(o, ins_src(o->p, i)[i->op == OP_ld ? 0 : 1]));
}

bool cost_queries_image(const Program *p, const Ins *i)
{
	if (i->op != OP_ld || i->space != SPACE_CONSTANT)
		return false;
	for (u32 k = 0; k < p->params.n; k++)
		if (p->params.v[k].reg == ins_src(p, i)[0])
			return p->args.v[p->params.v[k].arg].kind == ARG_IMAGE;
	return false;
}

bool cost_fills(const Device *dev) { return cost_rules[dev->ir_rules].fills; }

bool cost_has_scalars(const Device *dev) { return cost_rules[dev->ir_rules].scalars; }

bool cost_counts_inputs(const Device *dev) { return cost_rules[dev->ir_rules].inputs; }

bool cost_has_slow_path(const Device *dev)
{
	const IrRules *r = &cost_rules[dev->ir_rules];
	return r->div_f64.slow_plain || r->reciprocal_f64.slow_plain || r->root_f64.slow_plain ||
	       r->inverse_root_f64.slow_plain;
}

u32 cost_address_ins(const Device *dev)
{
	const IrRules *r = &cost_rules[dev->ir_rules];
	return 1u + (r->halves ? 0 : 1) + r->address.n;
}
