// Matrix instructions: each shape of isa/matrix.def on small whole numbers, beside the sums in plain loops. Where elements
// lie is AMD's: of a and b, element k of row i in block e is in lane i + m * (e + blocks * (k / each)).
//
// wavesim: --kernel cdna2 --device mi210 --grid 2 --block 64 --arg out=zero:128

#include <hip/hip_runtime.h>

typedef float F4 __attribute__((ext_vector_type(4)));
typedef float F16 __attribute__((ext_vector_type(16)));
typedef float F32 __attribute__((ext_vector_type(32)));
typedef int I4 __attribute__((ext_vector_type(4)));
typedef int I16 __attribute__((ext_vector_type(16)));
typedef int I32 __attribute__((ext_vector_type(32)));
typedef double D4 __attribute__((ext_vector_type(4)));
typedef _Float16 H4 __attribute__((ext_vector_type(4)));
typedef short S2 __attribute__((ext_vector_type(2)));
typedef short S4 __attribute__((ext_vector_type(4)));

__device__ int in_a(int i, int k, int e) { return (3 * i + 5 * k + 7 * e) % 11 - 5; }
__device__ int in_b(int j, int k, int e) { return (2 * j + 9 * k + 4 * e) % 13 - 6; }

__device__ unsigned long long as_float(int x) { return __float_as_uint(x); }
__device__ unsigned long long as_bf16(int x) { return __float_as_uint(x) >> 16; }
__device__ unsigned long long as_byte(int x) { return x & 0xff; }
__device__ unsigned long long as_double(int x) { return __double_as_longlong(x); }
__device__ unsigned long long as_half(int x)
{
	_Float16 h = x;
	unsigned short bits;
	__builtin_memcpy(&bits, &h, sizeof h);
	return bits;
}

// What a lane has of a (first) or b; 17 bits: bf16.
template <int M, int K, int BLOCKS, int BITS> __device__ unsigned long long part(int lane, bool first)
{
	const int each = K * M * BLOCKS / 64;
	unsigned long long out = 0;
	for (int k = 0; k < each; k++) {
		int i = lane % M, e = lane / M % BLOCKS, at = lane / (M * BLOCKS) * each + k;
		int x = first ? in_a(i, at, e) : in_b(i, at, e);
		unsigned long long bits = BITS == 8    ? as_byte(x)
		                          : BITS == 64 ? as_double(x)
		                          : BITS == 32 ? as_float(x)
		                          : BITS == 16 ? as_half(x)
		                                       : as_bf16(x);
		out |= bits << (BITS == 17 ? 16 : BITS) % 64 * k;
	}
	return out;
}

template <int M, int K, int BLOCKS, bool DOUBLES> __device__ int expected(int lane, int r)
{
	int group = lane / M, groups = 64 / M, column = lane % M, row, e, sum = lane + r;
	if (DOUBLES)
		row = (r * groups + group) / BLOCKS, e = (r * groups + group) % BLOCKS;
	else
		row = (r / 4 * groups + group) % (M / 4) * 4 + r % 4, e = (r / 4 * groups + group) / (M / 4);
	for (int k = 0; k < K; k++)
		sum += in_a(row, k, e) * in_b(column, k, e);
	return sum;
}

template <typename T> __device__ T take(unsigned long long bits)
{
	T out;
	__builtin_memcpy(&out, &bits, sizeof out);
	return out;
}

#define SHAPE(name, m, k, blocks, bits, In, Out, n) { \
	Out sum; \
	for (int r = 0; r < n; r++) \
		((decltype(sum[0] + 0) *)&sum)[r] = lane + r; \
	In a = take<In>(part<m, k, blocks, bits>(lane, true)), b = take<In>(part<m, k, blocks, bits>(lane, false)); \
	sum = __builtin_amdgcn_mfma_##name(a, b, sum, 0, 0, 0); \
	for (int r = 0; r < n; r++) \
		assert((sum[r] == expected<m, k, blocks, bits == 64>(lane, r))); \
	all += sum[n - 1]; }

__global__ void cdna2(float *out)
{
	int lane = threadIdx.x;
	float all = 0;
	SHAPE(f32_32x32x1f32, 32, 1, 2, 32, float, F32, 32)
	SHAPE(f32_16x16x1f32, 16, 1, 4, 32, float, F16, 16)
	SHAPE(f32_4x4x1f32, 4, 1, 16, 32, float, F4, 4)
	SHAPE(f32_32x32x2f32, 32, 2, 1, 32, float, F16, 16)
	SHAPE(f32_16x16x4f32, 16, 4, 1, 32, float, F4, 4)
	SHAPE(f32_32x32x4f16, 32, 4, 2, 16, H4, F32, 32)
	SHAPE(f32_16x16x4f16, 16, 4, 4, 16, H4, F16, 16)
	SHAPE(f32_4x4x4f16, 4, 4, 16, 16, H4, F4, 4)
	SHAPE(f32_32x32x8f16, 32, 8, 1, 16, H4, F16, 16)
	SHAPE(f32_16x16x16f16, 16, 16, 1, 16, H4, F4, 4)
	SHAPE(f32_32x32x2bf16, 32, 2, 2, 17, S2, F32, 32)
	SHAPE(f32_16x16x2bf16, 16, 2, 4, 17, S2, F16, 16)
	SHAPE(f32_4x4x2bf16, 4, 2, 16, 17, S2, F4, 4)
	SHAPE(f32_32x32x4bf16, 32, 4, 1, 17, S2, F16, 16)
	SHAPE(f32_16x16x8bf16, 16, 8, 1, 17, S2, F4, 4)
	SHAPE(f32_32x32x4bf16_1k, 32, 4, 2, 17, S4, F32, 32)
	SHAPE(f32_16x16x4bf16_1k, 16, 4, 4, 17, S4, F16, 16)
	SHAPE(f32_4x4x4bf16_1k, 4, 4, 16, 17, S4, F4, 4)
	SHAPE(f32_32x32x8bf16_1k, 32, 8, 1, 17, S4, F16, 16)
	SHAPE(f32_16x16x16bf16_1k, 16, 16, 1, 17, S4, F4, 4)
	SHAPE(i32_32x32x4i8, 32, 4, 2, 8, int, I32, 32)
	SHAPE(i32_16x16x4i8, 16, 4, 4, 8, int, I16, 16)
	SHAPE(i32_4x4x4i8, 4, 4, 16, 8, int, I4, 4)
	SHAPE(i32_32x32x8i8, 32, 8, 1, 8, int, I16, 16)
	SHAPE(i32_16x16x16i8, 16, 16, 1, 8, int, I4, 4)
	SHAPE(f64_16x16x4f64, 16, 4, 1, 64, double, D4, 4)
	double one = __builtin_amdgcn_mfma_f64_4x4x4f64(take<double>(part<4, 4, 4, 64>(lane, true)),
	                                               take<double>(part<4, 4, 4, 64>(lane, false)), lane, 0, 0, 0);
	assert((one == expected<4, 4, 4, true>(lane, 0)));
	out[blockIdx.x * 64 + lane] = all;
}

#ifdef CDNA3
__global__ void cdna3(float *out)
{
	int lane = threadIdx.x;
	float all = 0;
	SHAPE(i32_32x32x16_i8, 32, 16, 1, 8, long, I16, 16)
	SHAPE(i32_16x16x32_i8, 16, 32, 1, 8, long, I4, 4)
	SHAPE(f32_32x32x8bf16_1k, 32, 8, 1, 17, S4, F16, 16)
	out[blockIdx.x * 64 + lane] = all;
}
#endif
