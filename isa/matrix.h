/* Matrix multiply-add instructions (matrix.def): which lane holds what, and what they compute.
 *
 * Row i, column k of A in block b is element k % e of lane i + m * (b + blocks * (k / e)), where e elements of A are in
 * each lane; so is B with its columns. Of C and D, lane l has column l % n; of floats and integers four rows that
 * follow each other, and every further four lie past those of the other lanes; of doubles single rows, block after
 * block. */
#ifndef WAVESIM_ISA_MATRIX_H
#define WAVESIM_ISA_MATRIX_H

#include "isa/isa.h"

enum { MATRIX_LANES = 64, MATRIX_MOST = 32 }; /* results of a lane, at most */

typedef enum { MATRIX_f16, MATRIX_bf16, MATRIX_i8, MATRIX_f32, MATRIX_f64, MATRIX_i32 } MatrixType;

typedef struct MatrixShape {
	const char *name;
	u8 m, n, k, blocks;
	u8 in, out; /* MatrixType */
	u8 rate;    /* in halves */
	u8 passes;  /* at least */
} MatrixShape;

enum {
	MATRIX_COUNT = 0
#define MATRIX(...) +1
#include "isa/matrix.def"
};
extern const MatrixShape matrix_shape[MATRIX_COUNT];

/* Is that the whole name of one of LLVM's intrinsics for them? Which shape it has; MATRIX_COUNT: none that is known. */
bool matrix_is(const char *intrinsic);
u32 matrix_named(const char *intrinsic);
/* By an assembler's mnemonic, as v_mfma_f32_32x32x8f16, or gfx940's v_mfma_f32_32x32x8_f16; NULL: it is not known. */
const MatrixShape *matrix_mnemonic(const char *mnemonic);
/* Elements of A, or B, in a lane: 8 bytes or fewer, as in registers. Results in a lane; what one is. */
u32 matrix_elements(const MatrixShape *s);
u32 matrix_element_bytes(const MatrixShape *s);
u32 matrix_results(const MatrixShape *s);
Type matrix_result_type(const MatrixShape *s);
/* Multiplications and additions. */
u32 matrix_operations(const MatrixShape *s);

/* Numbers of A in rows, of B in rows, block after block. */
typedef union MatrixNumbers {
	float f[MATRIX_LANES * 8];
	i32 i[MATRIX_LANES * 8];
	double d[MATRIX_LANES];
} MatrixNumbers;
typedef struct MatrixIn {
	MatrixNumbers a, b;
} MatrixIn;
/* a, b: the bits of each lane, its first element lowest. */
void matrix_read(const MatrixShape *s, const u64 *a, const u64 *b, MatrixIn *out);
/* Result r of all lanes: what the products are added to, and then the sums. */
typedef union MatrixRow {
	float f[MATRIX_LANES];
	u32 i[MATRIX_LANES];
	double d[MATRIX_LANES];
} MatrixRow;
void matrix_row(const MatrixShape *s, const MatrixIn *in, u32 r, MatrixRow *sums);
/* Of one lane; bits. */
u64 matrix_result(const MatrixShape *s, const MatrixIn *in, u32 r, u32 lane, u64 sum);

#endif
