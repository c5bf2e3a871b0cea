/* Build a random Program; see random_program.h.
 *
 * A function has variables, a few vector registers of each type, which change only
 * by mov: they may cross joins and leave loops. Everything else is a temporary and
 * is used only in the block that computes it. Scalar variables change only where
 * all lanes are together. */
#include "tests/unit/random_program.h"

#include "isa/lane.h"

enum { VARS = 2, TEMPS = 24, MAX_FUNCS = 4, LOOP_ROUNDS = 3, TABLE_BYTES = 64 };

const RandomShape random_shape = {.statements = 24, .depth = 3, .functions = 2, .irreducible = true,
                                  .barriers = true};

typedef struct Gen {
	Program *p;
	const RandomShape *shape;
	u64 rng;
	u32 func;
	u32 budget;            /* statements left */
	u32 depth, loop_depth;
	bool uniform;          /* all lanes of the wavefront are here */
	bool ended;            /* some lanes may have returned */
	bool masked;           /* straight-line code of an irreducible region */
	u32 line;
	u32 var[TYPE_COUNT][VARS];
	u32 scalar[TYPE_COUNT]; /* one scalar variable of each type */
	u32 temp[TYPE_COUNT][TEMPS], ntemp[TYPE_COUNT];
	u32 lid, gid;          /* kernel only */
	u32 lane_lds, lane_priv; /* the lane's 16 bytes of LDS, of private memory */
	struct {
		u32 vector[2], scalar, result[2]; /* i32 and f32; i32; i32 and f32 */
	} sig[MAX_FUNCS];
} Gen;

u64 random_next(u64 *state)
{
	u64 x = *state;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return x * 0x2545F4914F6CDD1Du;
}

static u32 below(Gen *g, u32 n) { return (u32)(random_next(&g->rng) >> 33) % n; }
static bool chance(Gen *g, u32 percent) { return below(g, 100) < percent; }

/* ---- instructions ---- */

static Ins *emit(Gen *g, Op op, const u32 *dst, u32 ndst, const u32 *src, u32 nsrc, u32 ntgt)
{
	static const u32 no_targets[8];
	u32 loc = chance(g, 90) ? program_loc(g->p, "random.cl", 1 + g->line++ / 3, 1 + below(g, 40)) : 0;
	return program_emit(g->p, op, dst, ndst, src, nsrc, no_targets, ntgt, loc);
}

static u32 temp(Gen *g, Type t, bool scalar)
{
	return program_reg(g->p, t, scalar ? REG_SCALAR : REG_VECTOR, chance(g, 10) ? "t" : NULL);
}

static void keep(Gen *g, u32 r)
{
	Type t = g->p->regs.v[r].type;
	if (g->ntemp[t] < TEMPS)
		g->temp[t][g->ntemp[t]++] = r;
}

static u32 block(Gen *g, const char *name)
{
	memset(g->ntemp, 0, sizeof g->ntemp);
	u32 b = program_block(g->p, name);
	g->p->blocks.v[b].loop_depth = (u16)g->loop_depth;
	g->p->blocks.v[b].masked = g->masked;
	return b;
}

/* End the block; set_target fills the targets in once they exist. Returns the instruction. */
static u32 jump(Gen *g)
{
	emit(g, OP_jmp, NULL, 0, NULL, 0, 1);
	return g->p->ins.n - 1;
}
static u32 branch(Gen *g, u32 cond)
{
	emit(g, OP_br, NULL, 0, &cond, 1, 2);
	return g->p->ins.n - 1;
}
static void set_target(Gen *g, u32 ins, u32 k, u32 b)
{
	const Ins *i = &g->p->ins.v[ins];
	g->p->opnds.v[i->opnd + i->ndst + i->nsrc + k] = b;
}

static void mov(Gen *g, u32 d, u32 a) { emit(g, OP_mov, &d, 1, &a, 1, 0); }

static bool is_vector(const Gen *g, u32 r) { return g->p->regs.v[r].kind == REG_VECTOR; }
static bool is_float(u32 t) { return t == T_f32 || t == T_f64; }

static u32 lane2(Gen *g, Op op, u32 a, u32 b, i64 k)
{
	u32 src[2] = {a, b};
	u32 d = temp(g, op_info[op].type[0], !is_vector(g, a) && !is_vector(g, b) && chance(g, 70));
	emit(g, op, &d, 1, src, op_info[op].lane, 0)->imm = k;
	return d;
}

static u32 constant_i32(Gen *g, u32 v) { return program_const(g->p, T_i32, v); }

static u32 constant(Gen *g, Type t)
{
	u128 v = random_next(&g->rng);
	if (chance(g, 60))
		v = below(g, 9) - (u128)(chance(g, 30) ? 4 : 0);
	else if (t == T_i128)
		v |= (u128)random_next(&g->rng) << 64;
	if (t == T_f32)
		v = lane_bits32(chance(g, 50) ? (float)(i32)v : (float)(i64)v * 0x1p-40f);
	if (t == T_f64)
		v = lane_bits64(chance(g, 50) ? (double)(i32)v : (double)(i64)v * 0x1p-40);
	return program_const(g->p, t, v);
}

/* Something of type t to read. */
static u32 operand(Gen *g, Type t)
{
	if (g->ntemp[t] && chance(g, 50))
		return g->temp[t][below(g, g->ntemp[t])];
	if (chance(g, 25))
		return constant(g, t);
	if (chance(g, 15) && g->scalar[t])
		return g->scalar[t];
	return g->var[t][below(g, VARS)];
}

/* r, or 0 where r is NaN. */
static u32 number(Gen *g, u32 r)
{
	Type t = g->p->regs.v[r].type;
	if (!is_float(t))
		return r;
	bool scalar = !is_vector(g, r);
	u32 nan = temp(g, T_b1, scalar), d = temp(g, t, scalar);
	u32 both[2] = {r, r}, choice[3] = {nan, program_const(g->p, t, 0), r};
	emit(g, t == T_f32 ? OP_uno_f32 : OP_uno_f64, &nan, 1, both, 2, 0);
	emit(g, t == T_f32 ? OP_select_f32 : OP_select_f64, &d, 1, choice, 3, 0);
	return d;
}

static u32 any_lane_op(Gen *g)
{
	u32 op;
	do
		op = below(g, OP_COUNT);
	while (!op_info[op].lane);
	return op;
}

/* A lane operation on whatever there is; its result. */
static u32 compute(Gen *g, u32 op)
{
	const OpInfo *info = &op_info[op];
	u32 src[3] = {0};
	bool scalar = chance(g, 70);
	for (u32 k = 0; k < info->lane; k++) {
		src[k] = operand(g, info->type[k + 1]);
		scalar &= !is_vector(g, src[k]);
	}
	u32 d = temp(g, info->type[0], scalar);
	Ins *i = emit(g, (Op)op, &d, 1, src, info->lane, 0);
	if (strstr(info->name, "lea") == info->name)
		i->imm = (i64)below(g, 64) - 16;
	d = number(g, d);
	keep(g, d);
	return d;
}

/* ---- memory ---- */

/* 0 … limit - 1, a power of two, from some i32. */
static u32 small_index(Gen *g, u32 limit)
{
	return lane2(g, OP_and_i32, operand(g, T_i32), constant_i32(g, limit - 1), 0);
}

/* Private memory is the lane's own, so a load from it is a vector even at one address. */
static void load(Gen *g, u32 space, u32 address, i64 offset, Type t, u32 n)
{
	u32 d[4];
	bool scalar = space != SPACE_PRIVATE && !is_vector(g, address) && chance(g, 50);
	for (u32 k = 0; k < n; k++)
		d[k] = temp(g, t, scalar);
	Ins *i = emit(g, OP_ld, d, n, &address, 1, 0);
	i->space = (u8)space;
	i->imm = offset;
	for (u32 k = 0; k < n; k++)
		keep(g, number(g, d[k]));
}

static Type memory_type(Gen *g)
{
	return (Type)(1 + below(g, TYPE_COUNT - 1)); /* not b1 */
}

static void load_in(Gen *g)
{
	Type t = memory_type(g);
	u32 n = 1u << below(g, 3), bytes = type_bytes[t];
	u32 index = small_index(g, RANDOM_IN_BYTES / 2 / 16);
	u32 space = chance(g, 30) ? SPACE_FLAT : SPACE_GLOBAL;
	load(g, space, lane2(g, OP_leaz_i64, 1, index, bytes), below(g, 4) * bytes, t, n);
}

/* Through a pointer that a relocation put into a constant object. */
static void load_table(Gen *g)
{
	u32 ptrs = program_const(g->p, T_i64, (u128)2 << SEG_SHIFT), p = temp(g, T_i64, true);
	emit(g, OP_ld, &p, 1, &ptrs, 1, 0)->space = SPACE_CONSTANT;
	u32 a = lane2(g, OP_leaz_i64, p, small_index(g, 8), 4);
	load(g, chance(g, 50) ? SPACE_FLAT : SPACE_CONSTANT, a, 0, T_i32, 1);
}

/* The lane's own 16 bytes of LDS or private memory, at times by a flat address. */
static void own_memory(Gen *g)
{
	bool lds = chance(g, 50);
	u32 space = lds ? SPACE_LDS : SPACE_PRIVATE;
	Type t = memory_type(g);
	u32 address = lds ? g->lane_lds : g->lane_priv, src[2] = {address, operand(g, t)};
	u32 offset = below(g, 16 / type_bytes[t]) * type_bytes[t];
	if (g->func)
		return; /* functions have no address of the lane's own */
	if (chance(g, 30)) {
		src[0] = temp(g, T_i64, false);
		emit(g, OP_toflat, &src[0], 1, &address, 1, 0)->space = (u8)space;
		space = SPACE_FLAT;
	}
	if (chance(g, 50)) {
		Ins *i = emit(g, OP_st, NULL, 0, src, 2, 0);
		i->space = (u8)space;
		i->imm = offset;
	} else {
		load(g, space, src[0], offset, t, 1);
	}
}

/* Each address has one commutative operation, so the order of lanes does not show. */
static void atomic(Gen *g)
{
	static const u8 op[] = {ATOMIC_add, ATOMIC_sub, ATOMIC_and, ATOMIC_or, ATOMIC_xor, ATOMIC_smin,
	                        ATOMIC_smax, ATOMIC_umin, ATOMIC_umax};
	u32 k = below(g, COUNT(op)), d = temp(g, T_i32, false), src[2] = {3, operand(g, T_i32)};
	Ins *i = emit(g, OP_atomic, &d, 1, src, 2, 0);
	i->space = SPACE_GLOBAL;
	i->aux = op[k];
	i->imm = 4 * (i64)k;
}

static void block_memory(Gen *g)
{
	if (g->func)
		return;
	/* Private: 16 more bytes behind the lane's own for whole copies. */
	u32 to[3] = {lane2(g, OP_lea_i32, g->lane_priv, constant_i32(g, 16), 1), 0, constant_i32(g, below(g, 17))};
	bool copy = chance(g, 50);
	to[1] = copy ? g->lane_lds : constant(g, T_i8);
	Ins *i = emit(g, copy ? OP_copy : OP_fill, NULL, 0, to, 3, 0);
	i->space = SPACE_PRIVATE;
	i->aux = copy ? SPACE_LDS : 0;
	load(g, SPACE_PRIVATE, g->lane_priv, 16, T_i32, 4);
}

/* ---- statements ---- */

static void statements(Gen *g, u32 n);

static void assign(Gen *g)
{
	u32 r = compute(g, any_lane_op(g));
	for (u32 n = below(g, 4); n; n--)
		r = compute(g, any_lane_op(g));
	Type t = g->p->regs.v[r].type;
	if (g->uniform && g->scalar[t] && !is_vector(g, r) && chance(g, 60))
		mov(g, g->scalar[t], r);
	else
		mov(g, g->var[t][below(g, VARS)], r);
}

static void choose(Gen *g)
{
	Type t = (Type)below(g, TYPE_COUNT);
	u32 n = 2 + below(g, 3), src[6] = {small_index(g, 8)}, dst[4];
	bool poke = chance(g, 50);
	for (u32 k = 1; k < n + 2; k++)
		src[k] = operand(g, t);
	for (u32 k = 0; k < n; k++)
		dst[k] = temp(g, t, false);
	if (poke)
		emit(g, OP_poke, dst, n, src, n + 2, 0);
	else
		emit(g, OP_pick, dst, 1, src, n + 1, 0);
	for (u32 k = 0; k < (poke ? n : 1); k++)
		keep(g, dst[k]);
}

static u32 condition(Gen *g)
{
	if (chance(g, 20)) /* a scalar one */
		return lane2(g, OP_ult_i32, g->scalar[T_i32] ? g->scalar[T_i32] : constant_i32(g, 3),
		             constant_i32(g, below(g, 20)), 0);
	u32 c = compute(g, (u32[]){OP_ult_i32, OP_slt_i64, OP_olt_f32, OP_eq_i8, OP_une_f64, OP_ne_i16}[below(g, 6)]);
	return c;
}

static void nested(Gen *g, u32 cond)
{
	bool uniform = g->uniform;
	g->uniform &= !is_vector(g, cond);
	g->depth++;
	block(g, "then");
	statements(g, 1 + below(g, 4));
	g->depth--;
	g->uniform = uniform;
}

static void if_else(Gen *g)
{
	u32 cond = condition(g), br = branch(g, cond), end[2], n = 0;
	set_target(g, br, 0, g->p->blocks.n);
	nested(g, cond);
	if (!g->func && chance(g, 6)) {
		emit(g, OP_ret, NULL, 0, NULL, 0, 0);
		g->ended = true;
	} else {
		end[n++] = jump(g);
	}
	if (chance(g, 50)) {
		set_target(g, br, 1, g->p->blocks.n);
		nested(g, cond);
		end[n++] = jump(g);
		while (n)
			set_target(g, end[--n], 0, g->p->blocks.n);
	} else {
		set_target(g, br, 1, g->p->blocks.n);
		while (n)
			set_target(g, end[--n], 0, g->p->blocks.n);
	}
	block(g, "join");
}

/* do { … if (c) break; … } while (++i < bound) */
static void loop(Gen *g)
{
	u32 i = program_reg(g->p, T_i32, REG_VECTOR, "i"), brk = UINT32_MAX;
	bool uniform = g->uniform, many = chance(g, 50);
	u32 bound = many ? program_reg(g->p, T_i32, REG_VECTOR, "bound") : constant_i32(g, 1 + below(g, LOOP_ROUNDS));
	if (many)
		mov(g, bound, lane2(g, OP_and_i32, operand(g, T_i32), constant_i32(g, LOOP_ROUNDS), 0));
	mov(g, i, constant_i32(g, 0));
	set_target(g, jump(g), 0, g->p->blocks.n);
	g->uniform &= !many;
	g->depth++, g->loop_depth++;
	u32 header = block(g, "header");
	bool breaks = chance(g, 40);
	g->uniform &= !breaks;
	statements(g, 1 + below(g, 3));
	if (breaks) {
		brk = branch(g, condition(g));
		set_target(g, brk, 1, g->p->blocks.n);
		block(g, "rest");
		statements(g, 1 + below(g, 2));
	}
	u32 next = lane2(g, OP_add_i32, i, constant_i32(g, 1), 0);
	mov(g, i, next);
	u32 latch = branch(g, lane2(g, OP_ult_i32, next, bound, 0));
	g->depth--, g->loop_depth--;
	g->uniform = uniform;
	set_target(g, latch, 0, header);
	set_target(g, latch, 1, g->p->blocks.n);
	if (breaks)
		set_target(g, brk, 0, g->p->blocks.n);
	block(g, "after");
}

static void switch_case(Gen *g)
{
	u32 v = small_index(g, 8), n = 2 + below(g, 3), end[5], fall[5], first = g->p->cases.n;
	bool uniform = g->uniform;
	for (u32 k = 0; k < n; k++)
		array_push(&g->p->cases, (i64)(k * 2));
	emit(g, OP_switch, NULL, 0, &v, 1, n + 1)->cases = first;
	u32 sw = g->p->ins.n - 1;
	g->uniform &= !is_vector(g, v);
	g->depth++;
	for (u32 k = 0; k < n; k++) {
		set_target(g, sw, k + 1, g->p->blocks.n);
		block(g, "case");
		statements(g, 1 + below(g, 2));
		fall[k] = k + 1 < n && chance(g, 30);
		end[k] = jump(g);
		if (fall[k])
			set_target(g, end[k], 0, g->p->blocks.n);
	}
	g->depth--;
	g->uniform = uniform;
	u32 join = block(g, "endswitch");
	set_target(g, sw, 0, join);
	for (u32 k = 0; k < n; k++)
		if (!fall[k])
			set_target(g, end[k], 0, join);
}

/* A loop with two entries. */
static void irreducible(Gen *g)
{
	u32 i = program_reg(g->p, T_i32, REG_VECTOR, "turns");
	mov(g, i, constant_i32(g, 0));
	u32 br = branch(g, condition(g));
	bool uniform = g->uniform;
	g->uniform = false;
	g->masked = true;
	g->loop_depth++;
	set_target(g, br, 0, g->p->blocks.n);
	u32 a = block(g, "a");
	assign(g);
	u32 next_b = jump(g);
	u32 b = block(g, "b");
	set_target(g, br, 1, b);
	set_target(g, next_b, 0, b);
	assign(g);
	u32 next = lane2(g, OP_add_i32, i, constant_i32(g, 1), 0);
	mov(g, i, next);
	u32 latch = branch(g, lane2(g, OP_ult_i32, next, constant_i32(g, 1 + below(g, LOOP_ROUNDS)), 0));
	g->masked = false;
	g->loop_depth--;
	g->uniform = uniform;
	set_target(g, latch, 0, a);
	set_target(g, latch, 1, g->p->blocks.n);
	block(g, "out");
}

static void call(Gen *g)
{
	u32 last = g->shape->functions < MAX_FUNCS ? g->shape->functions : MAX_FUNCS - 1;
	if (g->func >= last)
		return;
	u32 f = g->func + 1 + below(g, last - g->func);
	u32 src[3] = {operand(g, T_i32), operand(g, T_f32),
	              g->scalar[T_i32] && chance(g, 50) ? g->scalar[T_i32] : constant_i32(g, below(g, 9))};
	u32 dst[2] = {temp(g, T_i32, false), temp(g, T_f32, false)};
	emit(g, OP_call, dst, 2, src, 3, 1);
	set_target(g, g->p->ins.n - 1, 0, f);
	keep(g, dst[0]);
	keep(g, dst[1]);
}

static void barrier(Gen *g)
{
	if (g->uniform && !g->func && !g->ended && g->shape->barriers)
		emit(g, OP_barrier, NULL, 0, NULL, 0, 0);
}

static void statement(Gen *g)
{
	bool room = g->depth < g->shape->depth;
	u32 k = below(g, 100);
	if (k < 35 || (!room && k >= 70))
		assign(g);
	else if (k < 43)
		load_in(g);
	else if (k < 46)
		load_table(g);
	else if (k < 54)
		own_memory(g);
	else if (k < 57)
		block_memory(g);
	else if (k < 60)
		atomic(g);
	else if (k < 65)
		choose(g);
	else if (k < 68)
		call(g);
	else if (k < 70)
		barrier(g);
	else if (k < 82)
		if_else(g);
	else if (k < 91)
		loop(g);
	else if (k < 96 || !g->shape->irreducible)
		switch_case(g);
	else
		irreducible(g);
}

static void statements(Gen *g, u32 n)
{
	for (; n && g->budget; n--) {
		g->budget--;
		statement(g);
	}
}

/* ---- the whole program ---- */

static void variables(Gen *g)
{
	for (u32 t = 0; t < TYPE_COUNT; t++) {
		for (u32 k = 0; k < VARS; k++) {
			g->var[t][k] = program_reg(g->p, (Type)t, REG_VECTOR, "x");
			mov(g, g->var[t][k], constant(g, (Type)t));
		}
		g->scalar[t] = g->func || chance(g, 50) ? 0 : program_reg(g->p, (Type)t, REG_SCALAR, "u");
		if (g->scalar[t])
			mov(g, g->scalar[t], constant(g, (Type)t));
	}
}

static void head(Gen *g)
{
	Program *p = g->p;
	static const struct {
		const char *name, *type;
		KernelArg arg;
	} args[] = {
		{"out", "uchar*", {.kind = ARG_GLOBAL, .elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .size = 1}},
		{"in", "uchar*",
		 {.kind = ARG_GLOBAL, .elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .size = 1, .is_const = true}},
		{"n", "uint", {.kind = ARG_VALUE, .elem_class = ELEM_UINT, .elem_bytes = 4, .width = 1, .size = 4}},
		{"sums", "uint*", {.kind = ARG_GLOBAL, .elem_class = ELEM_UINT, .elem_bytes = 4, .width = 1, .size = 4}},
	};
	p->kernel = "random";
	p->reqd_local[0] = RANDOM_LOCAL;
	p->reqd_local[1] = p->reqd_local[2] = 1;
	for (u32 i = 0; i < COUNT(args); i++) {
		KernelArg a = args[i].arg;
		a.name = args[i].name;
		a.type_name = args[i].type;
		array_push(&p->args, a);
		Param m = {.reg = program_reg(p, i == 2 ? T_i32 : T_i64, REG_SCALAR, a.name), .arg = i};
		array_push(&p->params, m);
	}
	u8 *table = arena_alloc(p->arena, TABLE_BYTES);
	for (u32 i = 0; i < TABLE_BYTES; i++)
		table[i] = (u8)below(g, 256);
	Reloc *reloc = ARENA_NEW(p->arena, Reloc);
	*reloc = (Reloc){.offset = 0, .target = 0, .addend = 4};
	array_push(&p->objects, ((Object){.space = SPACE_CONSTANT, .seg = 1, .size = TABLE_BYTES, .align = 16,
	                                  .data = table, .name = "table"}));
	array_push(&p->objects, ((Object){.space = SPACE_CONSTANT, .seg = 2, .size = 16, .align = 8,
	                                  .data = arena_alloc(p->arena, 16), .relocs = reloc, .nrelocs = 1,
	                                  .name = "pointers"}));
	array_push(&p->objects, ((Object){.space = SPACE_LDS, .seg = 1, .size = 16 * RANDOM_LOCAL, .align = 16,
	                                  .name = "tile"}));
	array_push(&p->objects, ((Object){.space = SPACE_PRIVATE, .seg = 1, .size = 32, .align = 16, .name = "mine"}));
}

static void entry(Gen *g)
{
	u32 group = temp(g, T_i32, true);
	g->lid = program_reg(g->p, T_i32, REG_VECTOR, "lid");
	emit(g, OP_query, &g->lid, 1, NULL, 0, 0)->aux = QUERY_local_id_x;
	emit(g, OP_query, &group, 1, NULL, 0, 0)->aux = QUERY_group_id_x;
	u32 base = lane2(g, OP_mul_i32, group, constant_i32(g, RANDOM_LOCAL), 0);
	g->gid = lane2(g, OP_add_i32, g->lid, base, 0);
	g->lane_lds = lane2(g, OP_lea_i32, constant_i32(g, 1u << SEG32_SHIFT), g->lid, 16);
	g->lane_priv = constant_i32(g, 1u << SEG32_SHIFT);
	u32 zero = program_const(g->p, T_i128, 0), src[3] = {g->lane_lds, zero, zero};
	emit(g, OP_st, NULL, 0, src, 2, 0)->space = SPACE_LDS;
	src[0] = g->lane_priv;
	emit(g, OP_st, NULL, 0, src, 3, 0)->space = SPACE_PRIVATE;
	variables(g);
	mov(g, g->var[T_i32][0], g->gid);
	mov(g, g->var[T_f32][0], compute(g, OP_uitofp_f32_i32));
}

/* Store every variable of the work-item. */
static void epilogue(Gen *g)
{
	u32 to = lane2(g, OP_leaz_i64, 0, g->gid, RANDOM_OUT_BYTES), offset = 0;
	for (u32 t = 0; t < TYPE_COUNT; t++) {
		for (u32 k = 0; k <= VARS; k++) {
			u32 src[2] = {to, k < VARS ? g->var[t][k] : g->scalar[t]};
			if (k == VARS && !g->scalar[t])
				continue;
			if (t == T_b1) {
				u32 d = temp(g, T_i8, false);
				emit(g, OP_zext_i8_b1, &d, 1, &src[1], 1, 0);
				src[1] = d;
			}
			Ins *i = emit(g, OP_st, NULL, 0, src, 2, 0);
			i->space = SPACE_GLOBAL;
			i->imm = offset;
			offset += 16;
		}
	}
	emit(g, OP_ret, NULL, 0, NULL, 0, 0);
}

static void function(Gen *g, u32 f)
{
	Func fn = {.name = f ? "helper" : "random"};
	g->func = f;
	g->depth = g->loop_depth = 0;
	g->budget = f ? g->shape->statements / 3 : g->shape->statements;
	g->uniform = f == 0;
	if (f) {
		fn.params = g->p->opnds.n;
		fn.nparams = 3;
		array_push(&g->p->opnds, g->sig[f].vector[0]);
		array_push(&g->p->opnds, g->sig[f].vector[1]);
		array_push(&g->p->opnds, g->sig[f].scalar);
		fn.results = g->p->opnds.n;
		fn.nresults = 2;
		array_push(&g->p->opnds, g->sig[f].result[0]);
		array_push(&g->p->opnds, g->sig[f].result[1]);
	}
	array_push(&g->p->funcs, fn);
	block(g, "entry");
	if (!f) {
		entry(g);
		statements(g, g->budget);
		epilogue(g);
		return;
	}
	variables(g);
	mov(g, g->var[T_i32][0], g->sig[f].vector[0]);
	mov(g, g->var[T_f32][0], g->sig[f].vector[1]);
	mov(g, g->var[T_i32][1], g->sig[f].scalar);
	statements(g, g->budget);
	u32 back[2] = {g->var[T_i32][0], g->var[T_f32][0]};
	emit(g, OP_ret, NULL, 0, back, 2, 0);
}

Program *random_program(u64 seed, const RandomShape *shape)
{
	Gen *g = xcalloc(1, sizeof *g);
	Program *p = program_new();
	g->p = p;
	g->shape = shape;
	g->rng = (seed + 1) * 0x9E3779B97F4A7C15u | 1;
	for (u32 i = 0; i < 4; i++)
		random_next(&g->rng);
	head(g);
	for (u32 f = 1; f < MAX_FUNCS; f++) {
		g->sig[f].vector[0] = program_reg(p, T_i32, REG_VECTOR, "a");
		g->sig[f].vector[1] = program_reg(p, T_f32, REG_VECTOR, "b");
		g->sig[f].scalar = program_reg(p, T_i32, REG_SCALAR, "c");
		g->sig[f].result[0] = program_reg(p, T_i32, REG_VECTOR, NULL);
		g->sig[f].result[1] = program_reg(p, T_f32, REG_VECTOR, NULL);
	}
	for (u32 f = 0; f <= shape->functions && f < MAX_FUNCS; f++)
		function(g, f);
	program_finish(p);
	free(g);
	return p;
}
