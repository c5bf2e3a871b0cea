#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

struct Pair {
	float a;
	int n;
};
struct Big {
	Pair p[5];
	double scale;
	const float *table;
};
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int counter;
namespace deep {
__device__ float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
}

// By value, small and large.
__global__ void structs(float *out, Pair small, Big big, float3 v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = small.a * i + small.n + big.p[i % 5].a + (float)big.scale + v.x + v.y * v.z + weights[i & 3] +
	         deep::table[i & 1][i % 3];
}

// Two arrays of the launch's size begin at one address.
__global__ void shared(const int *in, int *out)
{
	extern __shared__ int words[];
	extern __shared__ unsigned char bytes[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	words[threadIdx.x] = in[i];
	__syncthreads();
	out[i] = words[blockDim.x - 1 - threadIdx.x] + bytes[4 * threadIdx.x];
}

template <typename T, int B> __global__ void sums(const T *in, T *out, int n)
{
	__shared__ T s[B];
	int i = blockIdx.x * B + threadIdx.x;
	s[threadIdx.x] = i < n ? in[i] : T(0);
	__syncthreads();
	for (int k = B / 2; k; k /= 2) {
		if (threadIdx.x < k)
			s[threadIdx.x] += s[threadIdx.x + k];
		__syncthreads();
	}
	if (!threadIdx.x)
		out[blockIdx.x] = s[0];
}

__global__ __launch_bounds__(128) void atomics(const int *in, int *i32, unsigned *u32, unsigned long long *u64,
                                               float *f32, double *f64)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i] & 1023;
	atomicAdd(&i32[0], v);
	atomicSub(&i32[1], v);
	atomicMin(&i32[2], v);
	atomicMax(&i32[3], v);
	atomicAnd(&i32[4], v);
	atomicOr(&i32[5], v);
	atomicXor(&i32[6], v);
	atomicAdd(&u32[0], 3u);
	atomicInc(&u32[1], 100);
	atomicDec(&u32[2], 100);
	atomicAdd(&u64[0], (unsigned long long)v << 20);
	atomicCAS(&u64[1], 0ull, 7ull);
	atomicAdd(&f32[v & 7], 1.0f);
	atomicAdd(&f64[v & 7], 0.5);
	atomicAdd(&counter, 1);
	__threadfence();
}

__global__ void halves(const __half *a, __half *b, const float4 *c, float2 *d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[i] = __hadd(a[i], __float2half(1.5f));
	b[i] = __hmul(b[i], a[i]);
	float4 v = c[i];
	d[i] = make_float2(v.x + v.w, v.y * v.z);
}

__global__ void planes(const int *in, int *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	__shared__ int tile[16][17];
	if (x < w && y < h)
		tile[threadIdx.y][threadIdx.x] = __ldg(&in[y * w + x]);
	__syncthreads();
	if (x < w && y < h)
		out[y * w + x] = tile[threadIdx.y][threadIdx.x] + (int)gridDim.y * 1000 + (int)blockDim.x;
}

__global__ void prints(const int *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 100 == 3)
		printf("item %d: %5.2f %s %x %lld%%\n", i, in[i] * 0.5, "text", in[i], (long long)in[i] << 20);
}
