/* Each operation whose result is b1, with a branch that alone reads it: as where the result is stored and a select
 * reads it, for operands that are vectors and scalars, at several widths. */
#include "sim/wave.h"
#include "tests/unit/sim_kit.h"

void suite_branch_ops(void);

/* Lanes get small numbers, negative ones, too, that are equal in some; of floats a NaN as well. */
static void operand(Buf *b, u32 type, u32 reg, u32 step)
{
	u32 t = reg + 1;
	buf_printf(b, "\tv%u:i32 = mul_i32 v5, %u:i32\n\tv%u:i32 = and_i32 v%u, 7:i32\n", t, step, t + 1, t);
	buf_printf(b, "\tv%u:i32 = sub_i32 v%u, 4:i32\n", t + 2, t + 1);
	if (type == T_b1 || type == T_i8 || type == T_i16)
		buf_printf(b, "\tv%u:%s = trunc_%s_i32 v%u\n", reg, type_name[type], type_name[type], t + 2);
	else if (type == T_i32)
		buf_printf(b, "\tv%u:i32 = mov v%u\n", reg, t + 2);
	else if (type == T_i64 || type == T_i128)
		buf_printf(b, "\tv%u:%s = sext_%s_i32 v%u\n", reg, type_name[type], type_name[type], t + 2);
	else
		buf_printf(b,
		           "\tv%u:%s = sitofp_%s_i32 v%u\n\tv%u:%s = fdiv_%s v%u, v%u\n\tv%u:%s = fmul_%s v%u, v%u\n", t + 3,
		           type_name[type], type_name[type], t + 2, t + 4, type_name[type], type_name[type], t + 3, t + 3, reg,
		           type_name[type], type_name[type], t + 3, t + 4);
}

static void program(Buf *b, u32 op, const char *operands, bool branch)
{
	const OpInfo *info = &op_info[op];
	buf_printf(b, HEAD "func 0 \"k\"\nblock 0\n\tv5:i32 = query.local_id_x\n\tv2:i64 = leaz_i64 s0, v5 *4\n");
	operand(b, info->type[1], 10, 1);
	operand(b, info->type[info->lane > 1 ? 2 : 1], 20, 5);
	buf_printf(b, "\tv3:b1 = %s %s\n", info->name, operands);
	if (branch)
		buf_printf(b, "\tbr v3 -> 1, 2\nblock 1\n\tv4:i32 = mov 1:i32\n\tjmp -> 3\n"
		              "block 2\n\tv4:i32 = mov 2:i32\n\tjmp -> 3\nblock 3\n");
	else
		buf_printf(b, "\tv4:i32 = select_i32 v3, 1:i32, 2:i32\n");
	buf_printf(b, "\tst.global v2, v4\n\tret\n");
}

static void run_by(Bench *b, const LaneKit *kit, const char *text, u32 wave, u32 items)
{
	u64 size[3] = {items, 1, 1};
	run_with(b, text, size, size, 0,
	         (SimConfig){.wave = wave, .threads = 1, .max_instructions = 100000, .kit = kit});
}

static void compare(const LaneKit *kit, u32 op, const char *operands, u32 wave)
{
	static Bench fused, apart;
	Buf with = {0}, without = {0};
	u32 items = wave + wave / 2 + 1;
	program(&with, op, operands, true);
	program(&without, op, operands, false);
	run_by(&fused, kit, with.v, wave, items);
	run_by(&apart, kit, without.v, wave, items);
	bool same = !memcmp(fused.out, apart.out, items * sizeof *fused.out);
	if (!same)
		fprintf(stderr, "%s %s at %u lanes\n", op_info[op].name, operands, wave);
	CU_ASSERT(same);
	CU_ASSERT(fused.out[0] == 1 || fused.out[0] == 2);
	done(&fused);
	done(&apart);
	array_free(&with);
	array_free(&without);
}

static void alike(void)
{
	static const u32 waves[] = {1, 24, 32, 64, 100, 128};
	const LaneKit *kits[LANE_KITS];
	u32 n = 0, nkits = lane_kits(kits);
	for (u32 op = 0; op < OP_COUNT; op++) {
		const OpInfo *info = &op_info[op];
		if (!info->lane || info->type[0] != T_b1 || info->lane > 2)
			continue;
		char one[32];
		snprintf(one, sizeof one, "1:%s", type_name[info->type[1]]);
		char texts[3][64] = {"v10, v20"};
		snprintf(texts[1], sizeof texts[1], "v10, %s", one);
		snprintf(texts[2], sizeof texts[2], "%s, v20", one);
		for (u32 k = 0; k < (info->lane == 1 ? 1 : 3); k++)
			for (u32 w = 0; w < COUNT(waves); w++)
				for (u32 i = 0; i < nkits; i++)
					compare(kits[i], op, info->lane == 1 ? "v10" : texts[k], waves[w]);
		n++;
	}
	CU_ASSERT(n > 50);
}

void suite_branch_ops(void)
{
	CU_pSuite s = CU_add_suite("branch ops", NULL, NULL);
	CU_add_test(s, "as without a branch", alike);
}
