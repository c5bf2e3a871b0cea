#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T> __device__ float wide(T x);
template <> __device__ float wide(__nv_bfloat16 x) { return __bfloat162float(x); }
template <> __device__ float wide(__half x) { return __half2float(x); }

__global__ void norm(const nv_bfloat16 *a, const __half *b, __nv_bfloat162 *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = wide(a[i]), y = wide(b[i]), sum = x * x + y * y;
	for (int d = 1; d < 32; d *= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, d);
	out[i] = __float22bfloat162_rn(make_float2(x, y));
	if (threadIdx.x % 32 == 0)
		out[i] = __halves2bfloat162(__float2bfloat16(sum), a[i]);
}
