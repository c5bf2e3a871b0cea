// Addresses of local memory are stored: any address will do, as the native run has it below 4 GB.
#include <hip/hip_runtime.h>
__global__ void k(unsigned long long *out)
{
	__shared__ int tile[64];
	int i = threadIdx.x;
	tile[i] = i;
	__syncthreads();
	out[i] = (unsigned long long)&tile[i] + 0 * tile[i ^ 1];
}
