/* Matrix instructions: their names, where elements are, what they take. */
#include "isa/matrix.h"
#include "models/timing/cost.h"

#include <CUnit/CUnit.h>

void suite_matrix(void);

/* An intrinsic is asked for by its whole name. */
#define MFMA "llvm.amdgcn.mfma."

static void matrix_names(void)
{
	CU_ASSERT_TRUE(matrix_is(MFMA "f32.32x32x8f16") && matrix_named(MFMA "f32.32x32x8f16") < MATRIX_COUNT);
	CU_ASSERT_TRUE(matrix_is(MFMA "f32.1x1x1f16") && matrix_named(MFMA "f32.1x1x1f16") == MATRIX_COUNT);
	CU_ASSERT_TRUE(!matrix_is("llvm.amdgcn.mul.u24") && matrix_named("llvm.amdgcn.mul.u24") == MATRIX_COUNT);
	CU_ASSERT_EQUAL(matrix_named("f32.32x32x8f16"), MATRIX_COUNT);
}

/* Where AMD's guides have an element of a, of b and of the result, which is their product. */
static void matrix_places(void)
{
	static const struct {
		const char *name;
		struct {
			u32 lane, at;
		} a, b, result;
		u64 three, seven, product;
	} rows[] = {
		/* row 13, column 7, k 1 */
		{"f32.32x32x2f32", {45, 0}, {39, 0}, {39, 5}, 0x40400000, 0x40e00000, 0x41a80000},
		/* row 10, column 4, k 9 */
		{"f32.16x16x16f16", {42, 1}, {36, 1}, {36, 2}, 0x4200, 0x4700, 0x41a80000},
		/* block 6, row 1, column 2, k 3 */
		{"f32.4x4x4f16", {25, 3}, {26, 3}, {26, 1}, 0x4200, 0x4700, 0x41a80000},
		/* block 1, row 30, column 2 */
		{"f32.32x32x1f32", {62, 0}, {34, 0}, {34, 30}, 0x40400000, 0x40e00000, 0x41a80000},
		/* row 9, column 3, k 2 */
		{"f64.16x16x4f64", {41, 0}, {35, 0}, {19, 2}, 0x4008000000000000, 0x401c000000000000, 0x4035000000000000},
		/* block 2, row 3, column 0, k 3 */
		{"f64.4x4x4f64", {59, 0}, {56, 0}, {56, 0}, 0x4008000000000000, 0x401c000000000000, 0x4035000000000000},
		/* row 5, column 11, k 14; -3 * 7 */
		{"i32.16x16x16i8", {53, 2}, {59, 2}, {27, 1}, 0xfd, 7, 0xffffffeb},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		char name[64];
		snprintf(name, sizeof name, MFMA "%s", rows[i].name);
		u32 named = matrix_named(name), wrong = 0;
		CU_ASSERT_FATAL(named < MATRIX_COUNT);
		const MatrixShape *s = &matrix_shape[named];
		u32 bits = 8 * matrix_element_bytes(s), bytes = type_bytes[matrix_result_type(s)];
		u64 a[MATRIX_LANES] = {0}, b[MATRIX_LANES] = {0};
		MatrixIn in;
		a[rows[i].a.lane] = rows[i].three << bits * rows[i].a.at;
		b[rows[i].b.lane] = rows[i].seven << bits * rows[i].b.at;
		matrix_read(s, a, b, &in);
		for (u32 r = 0; r < matrix_results(s); r++) {
			MatrixRow sums = {0};
			matrix_row(s, &in, r, &sums);
			for (u32 l = 0; l < MATRIX_LANES; l++) {
				u64 v = 0;
				memcpy(&v, (u8 *)&sums + l * bytes, bytes);
				wrong += v != (r == rows[i].result.at && l == rows[i].result.lane ? rows[i].product : 0);
				wrong += v != matrix_result(s, &in, r, l, 0);
			}
		}
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

/* Passes of four cycles, as LLVM's schedules of gfx908, gfx90a and gfx940 have them; of doubles as data sheets have
 * their rate. */
static void matrix_cycles(void)
{
	static const struct {
		const char *device, *mnemonic;
		u32 passes;
	} rows[] = {
		{"mi100", "v_mfma_f32_32x32x8f16", 16},       {"mi100", "v_mfma_f32_16x16x16f16", 8},
		{"mi100", "v_mfma_f32_4x4x4f16", 2},          {"mi100", "v_mfma_f32_32x32x1f32", 16},
		{"mi100", "v_mfma_f32_4x4x1f32", 2},          {"mi100", "v_mfma_f32_32x32x4bf16", 16},
		{"mi100", "v_mfma_i32_16x16x16i8", 8},        {"mi210", "v_mfma_f32_32x32x8bf16_1k", 16},
		{"mi210", "v_mfma_f64_16x16x4f64", 8},        {"mi300x", "v_mfma_f32_16x16x16_f16", 4},
		{"mi300x", "v_mfma_f32_32x32x4_2b_f16", 16},   {"mi300x", "v_mfma_f32_32x32x8_bf16", 8},
		{"mi300x", "v_mfma_i32_16x16x32_i8", 4},      {"mi300x", "v_mfma_f64_16x16x4_f64", 8},
		{"mi300x", "v_mfma_f32_16x16x4_4b_f16", 8},   {"mi300x", "v_mfma_f32_4x4x4_16b_f16", 2},
		{"mi210", "v_mfma_f64_4x4x4f64", 4},          {"mi300x", "v_mfma_i32_32x32x4_2b_i8", 16},
		{"mi300x", "v_mfma_f32_16x16x32_fp8_fp8", 0}, {"mi100", "v_fma_f32", 0},
		{"mi100", "v_mfma_f32_16x16", 0},             {"mi100", "v_mfma_f32", 0},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev;
		Diag d;
		diag_init(&d);
		CU_ASSERT_TRUE_FATAL(device_load(&dev, rows[i].device, NO_LOC, a, &d));
		const MatrixShape *s = matrix_mnemonic(rows[i].mnemonic);
		CU_ASSERT_EQUAL(s != NULL, rows[i].passes != 0);
		CU_ASSERT_EQUAL(s ? cost_matrix(&dev, s) : 0, 4 * rows[i].passes);
		diag_free(&d);
		arena_free(a);
	}
}

void suite_matrix(void)
{
	CU_pSuite s = CU_add_suite("matrix instructions", NULL, NULL);
	CU_add_test(s, "matrix instructions", matrix_cycles);
	CU_add_test(s, "names of matrix instructions", matrix_names);
	CU_add_test(s, "elements of matrices", matrix_places);
}
