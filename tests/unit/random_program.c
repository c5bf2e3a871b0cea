/* Build a random Program; see random_program.h.
 *
 * A function has variables, a few vector registers of each type, which change only
 * by mov: they may cross joins and leave loops. Everything else is a temporary and
 * is used only in the block that computes it. Scalar variables change only where
 * all lanes are together. */
#include "tests/unit/random_gen.h"

const RandomShape random_shape = {
    .statements = 24, .depth = 3, .functions = 2, .irreducible = true, .barriers = true};

u64 random_next(u64 *state)
{
	u64 x = *state;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return x * 0x2545F4914F6CDD1Du;
}

/* ---- statements ---- */

static void statements(Gen *g, u32 n);

static u32 condition(Gen *g)
{
	if (rp_chance(g, 20)) /* a scalar one */
		return rp_lane2(g, OP_ult_i32,
				g->scalar[T_i32] ? g->scalar[T_i32] : rp_constant_i32(g, 3),
				rp_constant_i32(g, rp_below(g, 20)), 0);
	u32 c = rp_compute(g, (u32[]){OP_ult_i32, OP_slt_i64, OP_olt_f32, OP_eq_i8, OP_une_f64,
				      OP_ne_i16}[rp_below(g, 6)]);
	return c;
}

static void nested(Gen *g, u32 cond)
{
	bool uniform = g->uniform;
	g->uniform &= !rp_is_vector(g, cond);
	g->depth++;
	rp_block(g, "then");
	statements(g, 1 + rp_below(g, 4));
	g->depth--;
	g->uniform = uniform;
}

static void if_else(Gen *g)
{
	u32 cond = condition(g), br = rp_branch(g, cond), end[2], n = 0;
	rp_set_target(g, br, 0, g->p->blocks.n);
	nested(g, cond);
	if (!g->func && rp_chance(g, 6)) {
		rp_emit(g, OP_ret, NULL, 0, NULL, 0, 0);
		g->ended = true;
	} else {
		end[n++] = rp_jump(g);
	}
	if (rp_chance(g, 50)) {
		rp_set_target(g, br, 1, g->p->blocks.n);
		nested(g, cond);
		end[n++] = rp_jump(g);
		while (n)
			rp_set_target(g, end[--n], 0, g->p->blocks.n);
	} else {
		rp_set_target(g, br, 1, g->p->blocks.n);
		while (n)
			rp_set_target(g, end[--n], 0, g->p->blocks.n);
	}
	rp_block(g, "join");
}

/* do { … if (c) break; … } while (++i < bound) */
static void loop(Gen *g)
{
	u32 i = program_reg(g->p, T_i32, REG_VECTOR, "i"), brk = UINT32_MAX;
	bool uniform = g->uniform, many = rp_chance(g, 50);
	u32 bound = many ? program_reg(g->p, T_i32, REG_VECTOR, "bound")
			 : rp_constant_i32(g, 1 + rp_below(g, LOOP_ROUNDS));
	if (many)
		rp_mov(g, bound,
		       rp_lane2(g, OP_and_i32, rp_operand(g, T_i32),
				rp_constant_i32(g, LOOP_ROUNDS), 0));
	rp_mov(g, i, rp_constant_i32(g, 0));
	rp_set_target(g, rp_jump(g), 0, g->p->blocks.n);
	g->uniform &= !many;
	g->depth++, g->loop_depth++;
	u32 header = rp_block(g, "header");
	bool breaks = rp_chance(g, 40);
	g->uniform &= !breaks;
	statements(g, 1 + rp_below(g, 3));
	if (breaks) {
		brk = rp_branch(g, condition(g));
		rp_set_target(g, brk, 1, g->p->blocks.n);
		rp_block(g, "rest");
		statements(g, 1 + rp_below(g, 2));
	}
	u32 next = rp_lane2(g, OP_add_i32, i, rp_constant_i32(g, 1), 0);
	rp_mov(g, i, next);
	u32 latch = rp_branch(g, rp_lane2(g, OP_ult_i32, next, bound, 0));
	g->depth--, g->loop_depth--;
	g->uniform = uniform;
	rp_set_target(g, latch, 0, header);
	rp_set_target(g, latch, 1, g->p->blocks.n);
	if (breaks)
		rp_set_target(g, brk, 0, g->p->blocks.n);
	rp_block(g, "after");
}

static void switch_case(Gen *g)
{
	u32 v = rp_small_index(g, 8), n = 2 + rp_below(g, 3), end[5], fall[5],
	    first = g->p->cases.n;
	bool uniform = g->uniform;
	for (u32 k = 0; k < n; k++)
		array_push(&g->p->cases, (i64)(k * 2));
	rp_emit(g, OP_switch, NULL, 0, &v, 1, n + 1)->cases = first;
	u32 sw = g->p->ins.n - 1;
	g->uniform &= !rp_is_vector(g, v);
	g->depth++;
	for (u32 k = 0; k < n; k++) {
		rp_set_target(g, sw, k + 1, g->p->blocks.n);
		rp_block(g, "case");
		statements(g, 1 + rp_below(g, 2));
		fall[k] = k + 1 < n && rp_chance(g, 30);
		end[k] = rp_jump(g);
		if (fall[k])
			rp_set_target(g, end[k], 0, g->p->blocks.n);
	}
	g->depth--;
	g->uniform = uniform;
	u32 join = rp_block(g, "endswitch");
	rp_set_target(g, sw, 0, join);
	for (u32 k = 0; k < n; k++)
		if (!fall[k])
			rp_set_target(g, end[k], 0, join);
}

/* A loop with two entries. */
static void irreducible(Gen *g)
{
	u32 i = program_reg(g->p, T_i32, REG_VECTOR, "turns");
	rp_mov(g, i, rp_constant_i32(g, 0));
	u32 br = rp_branch(g, condition(g));
	bool uniform = g->uniform;
	g->uniform = false;
	g->masked = true;
	g->loop_depth++;
	rp_set_target(g, br, 0, g->p->blocks.n);
	u32 a = rp_block(g, "a");
	rp_assign(g);
	u32 next_b = rp_jump(g);
	u32 b = rp_block(g, "b");
	rp_set_target(g, br, 1, b);
	rp_set_target(g, next_b, 0, b);
	rp_assign(g);
	u32 next = rp_lane2(g, OP_add_i32, i, rp_constant_i32(g, 1), 0);
	rp_mov(g, i, next);
	u32 latch = rp_branch(
	    g, rp_lane2(g, OP_ult_i32, next, rp_constant_i32(g, 1 + rp_below(g, LOOP_ROUNDS)), 0));
	g->masked = false;
	g->loop_depth--;
	g->uniform = uniform;
	rp_set_target(g, latch, 0, a);
	rp_set_target(g, latch, 1, g->p->blocks.n);
	rp_block(g, "out");
}

static void call(Gen *g)
{
	u32 last = g->shape->functions < MAX_FUNCS ? g->shape->functions : MAX_FUNCS - 1;
	if (g->func >= last)
		return;
	u32 f = g->func + 1 + rp_below(g, last - g->func);
	u32 src[3] = {rp_operand(g, T_i32), rp_operand(g, T_f32),
		      g->scalar[T_i32] && rp_chance(g, 50) ? g->scalar[T_i32]
							   : rp_constant_i32(g, rp_below(g, 9))};
	u32 dst[2] = {rp_temp(g, T_i32, false), rp_temp(g, T_f32, false)};
	rp_emit(g, OP_call, dst, 2, src, 3, 1);
	rp_set_target(g, g->p->ins.n - 1, 0, f);
	rp_keep(g, dst[0]);
	rp_keep(g, dst[1]);
}

static void barrier(Gen *g)
{
	if (g->uniform && !g->func && !g->ended && g->shape->barriers)
		rp_emit(g, OP_barrier, NULL, 0, NULL, 0, 0);
}

static void statement(Gen *g)
{
	bool room = g->depth < g->shape->depth;
	u32 k = rp_below(g, 100);
	if (k < 35 || (!room && k >= 70))
		rp_assign(g);
	else if (k < 43)
		rp_load_in(g);
	else if (k < 46)
		rp_load_table(g);
	else if (k < 54)
		rp_own_memory(g);
	else if (k < 57)
		rp_block_memory(g);
	else if (k < 60)
		rp_atomic(g);
	else if (k < 65)
		rp_choose(g);
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
			rp_mov(g, g->var[t][k], rp_constant(g, (Type)t));
		}
		g->scalar[t] =
		    g->func || rp_chance(g, 50) ? 0 : program_reg(g->p, (Type)t, REG_SCALAR, "u");
		if (g->scalar[t])
			rp_mov(g, g->scalar[t], rp_constant(g, (Type)t));
	}
}

static void head(Gen *g)
{
	Program *p = g->p;
	static const struct {
		const char *name, *type;
		KernelArg arg;
	} args[] = {
	    {"out",
	     "uchar*",
	     {.kind = ARG_GLOBAL, .elem_class = ELEM_UINT, .elem_bytes = 1, .width = 1, .size = 1}},
	    {"in",
	     "uchar*",
	     {.kind = ARG_GLOBAL,
	      .elem_class = ELEM_UINT,
	      .elem_bytes = 1,
	      .width = 1,
	      .size = 1,
	      .is_const = true}},
	    {"n",
	     "uint",
	     {.kind = ARG_VALUE, .elem_class = ELEM_UINT, .elem_bytes = 4, .width = 1, .size = 4}},
	    {"sums",
	     "uint*",
	     {.kind = ARG_GLOBAL, .elem_class = ELEM_UINT, .elem_bytes = 4, .width = 1, .size = 4}},
	};
	p->kernel = "random";
	p->reqd_local[0] = RANDOM_LOCAL;
	p->reqd_local[1] = p->reqd_local[2] = 1;
	for (u32 i = 0; i < COUNT(args); i++) {
		KernelArg a = args[i].arg;
		a.name = args[i].name;
		a.type_name = args[i].type;
		array_push(&p->args, a);
		Param m = {.reg = program_reg(p, i == 2 ? T_i32 : T_i64, REG_SCALAR, a.name),
			   .arg = i};
		array_push(&p->params, m);
	}
	u8 *table = arena_alloc(p->arena, TABLE_BYTES);
	for (u32 i = 0; i < TABLE_BYTES; i++)
		table[i] = (u8)rp_below(g, 256);
	Reloc *reloc = ARENA_NEW(p->arena, Reloc);
	*reloc = (Reloc){.offset = 0, .target = 0, .addend = 4};
	array_push(&p->objects, ((Object){.space = SPACE_CONSTANT,
					  .seg = 1,
					  .size = TABLE_BYTES,
					  .align = 16,
					  .data = table,
					  .name = "table"}));
	array_push(&p->objects, ((Object){.space = SPACE_CONSTANT,
					  .seg = 2,
					  .size = 16,
					  .align = 8,
					  .data = arena_alloc(p->arena, 16),
					  .relocs = reloc,
					  .nrelocs = 1,
					  .name = "pointers"}));
	array_push(&p->objects, ((Object){.space = SPACE_LDS,
					  .seg = 1,
					  .size = 16 * RANDOM_LOCAL,
					  .align = 16,
					  .name = "tile"}));
	array_push(
	    &p->objects,
	    ((Object){.space = SPACE_PRIVATE, .seg = 1, .size = 32, .align = 16, .name = "mine"}));
}

static void entry(Gen *g)
{
	u32 group = rp_temp(g, T_i32, true);
	g->lid = program_reg(g->p, T_i32, REG_VECTOR, "lid");
	rp_emit(g, OP_query, &g->lid, 1, NULL, 0, 0)->aux = QUERY_local_id_x;
	rp_emit(g, OP_query, &group, 1, NULL, 0, 0)->aux = QUERY_group_id_x;
	u32 base = rp_lane2(g, OP_mul_i32, group, rp_constant_i32(g, RANDOM_LOCAL), 0);
	g->gid = rp_lane2(g, OP_add_i32, g->lid, base, 0);
	g->lane_lds = rp_lane2(g, OP_lea_i32, rp_constant_i32(g, 1u << SEG32_SHIFT), g->lid, 16);
	g->lane_priv = rp_constant_i32(g, 1u << SEG32_SHIFT);
	u32 zero = program_const(g->p, T_i128, 0), src[3] = {g->lane_lds, zero, zero};
	rp_emit(g, OP_st, NULL, 0, src, 2, 0)->space = SPACE_LDS;
	src[0] = g->lane_priv;
	rp_emit(g, OP_st, NULL, 0, src, 3, 0)->space = SPACE_PRIVATE;
	variables(g);
	/* Values that differ by lane, or few branches would diverge. */
	for (u32 t = T_i8; t < TYPE_COUNT; t++) {
		u32 index = rp_lane2(g, OP_and_i32, g->gid, rp_constant_i32(g, 31), 0);
		rp_load(g, SPACE_GLOBAL, rp_lane2(g, OP_leaz_i64, 1, index, 16), 0, (Type)t, 1);
		rp_mov(g, g->var[t][0], g->temp[t][g->ntemp[t] - 1]);
	}
	rp_mov(g, g->var[T_i32][0], g->gid);
	rp_mov(g, g->var[T_b1][0],
	       rp_lane2(g, OP_ult_i32, rp_lane2(g, OP_and_i32, g->gid, rp_constant_i32(g, 5), 0),
			rp_constant_i32(g, 3), 0));
}

/* Store every variable of the work-item. */
static void epilogue(Gen *g)
{
	u32 to = rp_lane2(g, OP_leaz_i64, 0, g->gid, RANDOM_OUT_BYTES), offset = 0;
	for (u32 t = 0; t < TYPE_COUNT; t++) {
		for (u32 k = 0; k <= VARS; k++) {
			u32 src[2] = {to, k < VARS ? g->var[t][k] : g->scalar[t]};
			if (k == VARS && !g->scalar[t])
				continue;
			if (t == T_b1) {
				u32 d = rp_temp(g, T_i8, false);
				rp_emit(g, OP_zext_i8_b1, &d, 1, &src[1], 1, 0);
				src[1] = d;
			}
			Ins *i = rp_emit(g, OP_st, NULL, 0, src, 2, 0);
			i->space = SPACE_GLOBAL;
			i->imm = offset;
			offset += 16;
		}
	}
	rp_emit(g, OP_ret, NULL, 0, NULL, 0, 0);
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
	rp_block(g, "entry");
	if (!f) {
		entry(g);
		statements(g, g->budget);
		epilogue(g);
		return;
	}
	variables(g);
	rp_mov(g, g->var[T_i32][0], g->sig[f].vector[0]);
	rp_mov(g, g->var[T_f32][0], g->sig[f].vector[1]);
	rp_mov(g, g->var[T_i32][1], g->sig[f].scalar);
	statements(g, g->budget);
	u32 back[2] = {g->var[T_i32][0], g->var[T_f32][0]};
	rp_emit(g, OP_ret, NULL, 0, back, 2, 0);
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
