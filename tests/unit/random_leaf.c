/* Straight-line code of random programs: operands, lane operations, memory. See
 * random_program.c. */
#include "tests/unit/random_gen.h"

#include "isa/lane.h"

u32 rp_below(Gen *g, u32 n) { return (u32)(random_next(&g->rng) >> 33) % n; }
bool rp_chance(Gen *g, u32 percent) { return rp_below(g, 100) < percent; }

/* ---- instructions ---- */

Ins *rp_emit(Gen *g, Op op, const u32 *dst, u32 ndst, const u32 *src, u32 nsrc, u32 ntgt)
{
	static const u32 no_targets[8];
	u32 loc = rp_chance(g, 90)
		      ? program_loc(g->p, "random.cl", 1 + g->line++ / 3, 1 + rp_below(g, 40))
		      : 0;
	return program_emit(g->p, op, dst, ndst, src, nsrc, no_targets, ntgt, loc);
}

u32 rp_temp(Gen *g, Type t, bool scalar)
{
	return program_reg(g->p, t, scalar ? REG_SCALAR : REG_VECTOR,
			   rp_chance(g, 10) ? "t" : NULL);
}

void rp_keep(Gen *g, u32 r)
{
	Type t = g->p->regs.v[r].type;
	if (g->ntemp[t] < TEMPS)
		g->temp[t][g->ntemp[t]++] = r;
}

u32 rp_block(Gen *g, const char *name)
{
	memset(g->ntemp, 0, sizeof g->ntemp);
	u32 b = program_block(g->p, name);
	g->p->blocks.v[b].loop_depth = (u16)g->loop_depth;
	g->p->blocks.v[b].masked = g->masked;
	return b;
}

/* End the block; set_target fills the targets in once they exist. Returns the instruction. */
u32 rp_jump(Gen *g)
{
	rp_emit(g, OP_jmp, NULL, 0, NULL, 0, 1);
	return g->p->ins.n - 1;
}
u32 rp_branch(Gen *g, u32 cond)
{
	rp_emit(g, OP_br, NULL, 0, &cond, 1, 2);
	return g->p->ins.n - 1;
}
void rp_set_target(Gen *g, u32 ins, u32 k, u32 b)
{
	const Ins *i = &g->p->ins.v[ins];
	g->p->opnds.v[i->opnd + i->ndst + i->nsrc + k] = b;
}

void rp_mov(Gen *g, u32 d, u32 a) { rp_emit(g, OP_mov, &d, 1, &a, 1, 0); }

bool rp_is_vector(const Gen *g, u32 r) { return g->p->regs.v[r].kind == REG_VECTOR; }
static bool is_float(u32 t) { return t == T_f32 || t == T_f64; }

u32 rp_lane2(Gen *g, Op op, u32 a, u32 b, i64 k)
{
	u32 src[2] = {a, b};
	u32 d = rp_temp(g, op_info[op].type[0],
			!rp_is_vector(g, a) && !rp_is_vector(g, b) && rp_chance(g, 70));
	rp_emit(g, op, &d, 1, src, op_info[op].lane, 0)->imm = k;
	return d;
}

u32 rp_constant_i32(Gen *g, u32 v) { return program_const(g->p, T_i32, v); }

u32 rp_constant(Gen *g, Type t)
{
	u128 v = random_next(&g->rng);
	if (rp_chance(g, 60))
		v = rp_below(g, 9) - (u128)(rp_chance(g, 30) ? 4 : 0);
	else if (t == T_i128)
		v |= (u128)random_next(&g->rng) << 64;
	if (t == T_f32)
		v = lane_bits32(rp_chance(g, 50) ? (float)(i32)v : (float)(i64)v * 0x1p-40f);
	if (t == T_f64)
		v = bits_of_double(rp_chance(g, 50) ? (double)(i32)v : (double)(i64)v * 0x1p-40);
	return program_const(g->p, t, v);
}

/* Something of type t to read. */
u32 rp_operand(Gen *g, Type t)
{
	if (g->ntemp[t] && rp_chance(g, 50))
		return g->temp[t][rp_below(g, g->ntemp[t])];
	if (rp_chance(g, 25))
		return rp_constant(g, t);
	if (rp_chance(g, 15) && g->scalar[t])
		return g->scalar[t];
	return g->var[t][rp_below(g, VARS)];
}

/* r, or 0 where r is NaN. */
static u32 number(Gen *g, u32 r)
{
	Type t = g->p->regs.v[r].type;
	if (!is_float(t))
		return r;
	bool scalar = !rp_is_vector(g, r);
	u32 nan = rp_temp(g, T_b1, scalar), d = rp_temp(g, t, scalar);
	u32 both[2] = {r, r}, choice[3] = {nan, program_const(g->p, t, 0), r};
	rp_emit(g, t == T_f32 ? OP_uno_f32 : OP_uno_f64, &nan, 1, both, 2, 0);
	rp_emit(g, t == T_f32 ? OP_select_f32 : OP_select_f64, &d, 1, choice, 3, 0);
	return d;
}

static u32 any_lane_op(Gen *g)
{
	u32 op;
	do
		op = rp_below(g, OP_COUNT);
	while (!op_info[op].lane);
	return op;
}

/* A lane operation on whatever there is; its result. */
u32 rp_compute(Gen *g, u32 op)
{
	const OpInfo *info = &op_info[op];
	u32 src[3] = {0};
	bool scalar = rp_chance(g, 70);
	for (u32 k = 0; k < info->lane; k++) {
		src[k] = rp_operand(g, info->type[k + 1]);
		scalar &= !rp_is_vector(g, src[k]);
	}
	u32 d = rp_temp(g, info->type[0], scalar);
	Ins *i = rp_emit(g, (Op)op, &d, 1, src, info->lane, 0);
	if (strstr(info->name, "lea") == info->name)
		i->imm = (i64)rp_below(g, 64) - 16;
	d = number(g, d);
	rp_keep(g, d);
	return d;
}

/* ---- memory ---- */

/* 0 … limit - 1, a power of two, from some i32. */
u32 rp_small_index(Gen *g, u32 limit)
{
	return rp_lane2(g, OP_and_i32, rp_operand(g, T_i32), rp_constant_i32(g, limit - 1), 0);
}

/* Private memory is the lane's own, so a load from it is a vector even at one address. */
void rp_load(Gen *g, u32 space, u32 address, i64 offset, Type t, u32 n)
{
	u32 d[4];
	bool scalar = space != SPACE_PRIVATE && !rp_is_vector(g, address) && rp_chance(g, 50);
	for (u32 k = 0; k < n; k++)
		d[k] = rp_temp(g, t, scalar);
	Ins *i = rp_emit(g, OP_ld, d, n, &address, 1, 0);
	i->space = (u8)space;
	i->imm = offset;
	for (u32 k = 0; k < n; k++)
		rp_keep(g, number(g, d[k]));
}

static Type memory_type(Gen *g) { return (Type)(1 + rp_below(g, TYPE_COUNT - 1)); /* not b1 */ }

void rp_load_in(Gen *g)
{
	Type t = memory_type(g);
	u32 n = 1u << rp_below(g, 3), bytes = type_bytes[t];
	u32 index = rp_small_index(g, RANDOM_IN_BYTES / 2 / 16);
	u32 space = rp_chance(g, 30) ? SPACE_FLAT : SPACE_GLOBAL;
	rp_load(g, space, rp_lane2(g, OP_leaz_i64, 1, index, bytes), rp_below(g, 4) * bytes, t, n);
}

/* Through a pointer that a relocation put into a constant object. */
void rp_load_table(Gen *g)
{
	u32 ptrs = program_const(g->p, T_i64, (u128)2 << SEG_SHIFT), p = rp_temp(g, T_i64, true);
	rp_emit(g, OP_ld, &p, 1, &ptrs, 1, 0)->space = SPACE_CONSTANT;
	u32 a = rp_lane2(g, OP_leaz_i64, p, rp_small_index(g, 8), 4);
	rp_load(g, rp_chance(g, 50) ? SPACE_FLAT : SPACE_CONSTANT, a, 0, T_i32, 1);
}

/* The lane's own 16 bytes of LDS or private memory, at times by a flat address. */
void rp_own_memory(Gen *g)
{
	bool lds = rp_chance(g, 50);
	u32 space = lds ? SPACE_LDS : SPACE_PRIVATE;
	Type t = memory_type(g);
	u32 address = lds ? g->lane_lds : g->lane_priv, src[2] = {address, rp_operand(g, t)};
	u32 offset = rp_below(g, 16 / type_bytes[t]) * type_bytes[t];
	if (g->func)
		return; /* functions have no address of the lane's own */
	if (rp_chance(g, 30)) {
		src[0] = rp_temp(g, T_i64, false);
		rp_emit(g, OP_toflat, &src[0], 1, &address, 1, 0)->space = (u8)space;
		space = SPACE_FLAT;
	}
	if (rp_chance(g, 50)) {
		Ins *i = rp_emit(g, OP_st, NULL, 0, src, 2, 0);
		i->space = (u8)space;
		i->imm = offset;
	} else {
		rp_load(g, space, src[0], offset, t, 1);
	}
}

/* Each address has one commutative operation, so the order of lanes does not show. */
void rp_atomic(Gen *g)
{
	static const u8 op[] = {ATOMIC_add,  ATOMIC_sub,  ATOMIC_and,  ATOMIC_or,  ATOMIC_xor,
				ATOMIC_smin, ATOMIC_smax, ATOMIC_umin, ATOMIC_umax};
	u32 k = rp_below(g, COUNT(op)), d = rp_temp(g, T_i32, false),
	    src[2] = {3, rp_operand(g, T_i32)};
	Ins *i = rp_emit(g, OP_atomic, &d, 1, src, 2, 0);
	i->space = SPACE_GLOBAL;
	i->aux = op[k];
	i->imm = 4 * (i64)k;
}

void rp_block_memory(Gen *g)
{
	if (g->func)
		return;
	/* Private: 16 more bytes behind the lane's own for whole copies. */
	u32 to[3] = {rp_lane2(g, OP_lea_i32, g->lane_priv, rp_constant_i32(g, 16), 1), 0,
		     rp_constant_i32(g, rp_below(g, 17))};
	bool copy = rp_chance(g, 50);
	to[1] = copy ? g->lane_lds : rp_constant(g, T_i8);
	Ins *i = rp_emit(g, copy ? OP_copy : OP_fill, NULL, 0, to, 3, 0);
	i->space = SPACE_PRIVATE;
	i->aux = copy ? SPACE_LDS : 0;
	rp_load(g, SPACE_PRIVATE, g->lane_priv, 16, T_i32, 4);
}

void rp_assign(Gen *g)
{
	u32 r = rp_compute(g, any_lane_op(g));
	for (u32 n = rp_below(g, 4); n; n--)
		r = rp_compute(g, any_lane_op(g));
	Type t = g->p->regs.v[r].type;
	if (g->uniform && g->scalar[t] && !rp_is_vector(g, r) && rp_chance(g, 60))
		rp_mov(g, g->scalar[t], r);
	else
		rp_mov(g, g->var[t][rp_below(g, VARS)], r);
}

void rp_choose(Gen *g)
{
	Type t = (Type)rp_below(g, TYPE_COUNT);
	u32 n = 2 + rp_below(g, 3), src[6] = {rp_small_index(g, 8)}, dst[4];
	bool poke = rp_chance(g, 50);
	for (u32 k = 1; k < n + 2; k++)
		src[k] = rp_operand(g, t);
	for (u32 k = 0; k < n; k++)
		dst[k] = rp_temp(g, t, false);
	if (poke)
		rp_emit(g, OP_poke, dst, n, src, n + 2, 0);
	else
		rp_emit(g, OP_pick, dst, 1, src, n + 1, 0);
	for (u32 k = 0; k < (poke ? n : 1); k++)
		rp_keep(g, dst[k]);
}
