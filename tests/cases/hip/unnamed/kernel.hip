#include <hip/hip_runtime.h>

// An instance over a type without a name: only the file has it. And memory that host and device share.
__managed__ int total = 3;
template <class F> __global__ void each(F f, int *out)
{
	atomicAdd(&total, 1);
	out[threadIdx.x] = f(threadIdx.x);
}
void host()
{
	auto add = [] __device__(int x) { return x + 1; };
	each<<<1, 64>>>(add, (int *)0);
}
