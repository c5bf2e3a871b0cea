/* Matrix multiply-add instructions: see matrix.h. */
#include "isa/matrix.h"

#include "isa/lane.h"

#include <stdlib.h>

const MatrixShape matrix_shape[MATRIX_COUNT] = {
#define MATRIX(name, m, n, k, blocks, in, out, rate, passes) \
	{name, m, n, k, blocks, MATRIX_##in, MATRIX_##out, rate, passes},
#include "isa/matrix.def"
};

static const char intrinsics[] = "llvm.amdgcn.mfma.";

bool matrix_is(const char *intrinsic) { return !strncmp(intrinsic, intrinsics, sizeof intrinsics - 1); }

u32 matrix_named(const char *intrinsic)
{
	if (!matrix_is(intrinsic))
		return MATRIX_COUNT;
	u32 i = 0;
	while (i < MATRIX_COUNT && strcmp(matrix_shape[i].name, intrinsic + sizeof intrinsics - 1) != 0)
		i++;
	return i;
}

u32 matrix_elements(const MatrixShape *s) { return (u32)s->k * s->m * s->blocks / MATRIX_LANES; }
u32 matrix_results(const MatrixShape *s) { return (u32)s->m * s->n * s->blocks / MATRIX_LANES; }
u32 matrix_operations(const MatrixShape *s) { return 2u * s->m * s->n * s->k * s->blocks; }

u32 matrix_element_bytes(const MatrixShape *s)
{
	static const u8 bytes[] = {[MATRIX_f16] = 2, [MATRIX_bf16] = 2, [MATRIX_i8] = 1, [MATRIX_f32] = 4,
	                           [MATRIX_f64] = 8, [MATRIX_i32] = 4};
	return bytes[s->in];
}

Type matrix_result_type(const MatrixShape *s)
{
	return s->out == MATRIX_f64 ? T_f64 : s->out == MATRIX_i32 ? T_i32 : T_f32;
}

/* ---- mnemonics ---- */

const MatrixShape *matrix_mnemonic(const char *mnemonic)
{
	static const char *const types[] = {[MATRIX_f16] = "f16", [MATRIX_bf16] = "bf16", [MATRIX_i8] = "i8",
	                                    [MATRIX_f32] = "f32", [MATRIX_f64] = "f64"};
	static const char start[] = "v_mfma_";
	const char *p = mnemonic + sizeof start - 1;
	char *end;
	if (strncmp(mnemonic, start, sizeof start - 1) != 0 || !strchr(p, '_'))
		return NULL;
	unsigned long size[3], blocks = 1;
	p = strchr(p, '_');
	for (u32 i = 0; i < 3; i++, p = end) {
		size[i] = strtoul(p + 1, &end, 10);
		if (end == p + 1 || (i < 2 && *end != 'x'))
			return NULL;
	}
	bool later = *p == '_'; /* gfx940: the blocks are named, and so is every bf16 of the larger k */
	p += later;
	if (later && strtoul(p, &end, 10) && end[0] == 'b' && end[1] == '_') {
		blocks = strtoul(p, NULL, 10);
		p = end + 2;
	}
	size_t n = strcspn(p, "_");
	const MatrixShape *found = NULL;
	for (u32 i = 0; i < MATRIX_COUNT; i++) {
		const MatrixShape *s = &matrix_shape[i];
		bool larger = strstr(s->name, ".1k") != NULL;
		if (s->m == size[0] && s->n == size[1] && s->k == size[2] && strlen(types[s->in]) == n &&
		    !strncmp(types[s->in], p, n) && (later ? s->blocks == blocks : larger == !strcmp(p + n, "_1k")))
			found = !found || s->rate > found->rate ? s : found;
	}
	return found;
}

/* ---- what they compute ---- */

typedef struct Place {
	u32 row, block;
} Place;

/* Of result r in the lanes group * n … */
static Place place(const MatrixShape *s, u32 group, u32 r)
{
	u32 groups = MATRIX_LANES / s->n;
	if (s->out == MATRIX_f64)
		return (Place){(r * groups + group) / s->blocks, (r * groups + group) % s->blocks};
	u32 four = r / 4 * groups + group, fours = s->m / 4u;
	return (Place){four % fours * 4 + r % 4, four / fours};
}

static void put(const MatrixShape *s, u64 bits, u32 i, MatrixNumbers *out)
{
	switch (s->in) {
	case MATRIX_f16: out->f[i] = lane_half_to_f32((u16)bits); break;
	case MATRIX_bf16: out->f[i] = lane_float32((u32)(u16)bits << 16); break;
	case MATRIX_f32: out->f[i] = lane_float32((u32)bits); break;
	case MATRIX_i8: out->i[i] = (i8)bits; break;
	default: out->d[i] = double_of_bits(bits); break;
	}
}

void matrix_read(const MatrixShape *s, const u64 *a, const u64 *b, MatrixIn *out)
{
	u32 each = matrix_elements(s), bits = 8 * matrix_element_bytes(s);
	for (u32 lane = 0; lane < MATRIX_LANES; lane++) {
		u32 i = lane % s->m, block = lane / s->m % s->blocks, k = lane / (s->m * s->blocks) * each;
		for (u32 n = 0; n < each; n++, k++) {
			put(s, a[lane] >> bits * n, (block * s->m + i) * s->k + k, &out->a);
			put(s, b[lane] >> bits * n, (block * s->k + k) * s->n + i, &out->b);
		}
	}
}

/* Sums of n columns of a row, in the order of k, rounded at each step; a row of b has so many columns. */
static void add_f32(const float *a, const float *b, u32 k, u32 columns, u32 n, float *sums)
{
	for (u32 i = 0; i < k; i++)
		for (u32 j = 0; j < n; j++)
			sums[j] = (float)((double)a[i] * (double)b[i * columns + j] + (double)sums[j]);
}

static void add_i32(const i32 *a, const i32 *b, u32 k, u32 columns, u32 n, u32 *sums)
{
	for (u32 i = 0; i < k; i++)
		for (u32 j = 0; j < n; j++)
			sums[j] += (u32)(a[i] * b[i * columns + j]);
}

static void add_f64(const double *a, const double *b, u32 k, u32 columns, u32 n, double *sums)
{
	for (u32 i = 0; i < k; i++)
		for (u32 j = 0; j < n; j++)
			sums[j] = __builtin_fma(a[i], b[i * columns + j], sums[j]);
}

static void add(const MatrixShape *s, const MatrixIn *in, u32 r, u32 lane, u32 n, MatrixRow *sums)
{
	Place p = place(s, lane / s->n, r);
	u32 a = (p.block * s->m + p.row) * s->k, b = p.block * s->k * s->n + lane % s->n;
	switch (s->out) {
	case MATRIX_f32: add_f32(in->a.f + a, in->b.f + b, s->k, s->n, n, sums->f + lane); break;
	case MATRIX_i32: add_i32(in->a.i + a, in->b.i + b, s->k, s->n, n, sums->i + lane); break;
	default: add_f64(in->a.d + a, in->b.d + b, s->k, s->n, n, sums->d + lane); break;
	}
}

void matrix_row(const MatrixShape *s, const MatrixIn *in, u32 r, MatrixRow *sums)
{
	for (u32 lane = 0; lane < MATRIX_LANES; lane += s->n)
		add(s, in, r, lane, s->n, sums);
}

u64 matrix_result(const MatrixShape *s, const MatrixIn *in, u32 r, u32 lane, u64 sum)
{
	MatrixRow sums;
	u32 bytes = type_bytes[matrix_result_type(s)];
	memcpy((u8 *)&sums + lane * bytes, &sum, bytes);
	add(s, in, r, lane, 1, &sums);
	sum = 0;
	memcpy(&sum, (u8 *)&sums + lane * bytes, bytes);
	return sum;
}
