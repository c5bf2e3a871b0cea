// Local memory between lanes of a wavefront, with its own barrier only.
//
// wavesim: --global 256 --local 128 --arg a=random:256
#include <hip/hip_runtime.h>

__global__ void turn(int *a)
{
	__shared__ int s[128];
	int l = threadIdx.x, g = blockIdx.x * blockDim.x + l;
	s[l] = a[g];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
	__builtin_amdgcn_wave_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
	a[g] = s[l ^ 1];
}
