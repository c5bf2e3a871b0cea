#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

// Functions that each version of HIP's header has.
__global__ void sums(const __hip_bfloat16 *a, const float *b, __hip_bfloat16 *out)
{
	__shared__ float s[64];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = __bfloat162float(__hfma(a[i], __float2bfloat16(b[i]), hrint(a[i])));
	__syncthreads();
	for (int d = 32; d; d >>= 1) {
		if (t < d)
			s[t] += s[t + d];
		__syncthreads();
	}
	out[i] = __hlt(a[i], __float2bfloat16(0.5f)) ? __float2bfloat16(s[0]) : __habs(a[i]);
}

__global__ void pairs(const __hip_bfloat162 *a, __hip_bfloat162 *out, __half *half)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__hip_bfloat162 x = __hmul2(a[i], __lowhigh2highlow(a[i]));
	out[i] = __hadd2(x, __hneg2(a[i]));
	half[i] = __hadd(__float2half(__low2float(x)), __float2half(1.0f));
}
