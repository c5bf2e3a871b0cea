// The last steps of a sum without a barrier, as programs older than tiles have them: lanes of a wavefront run in step.
#include <hip/hip_runtime.h>
template <int N> __device__ void last(volatile float *s, int t)
{
	if (N >= 64) s[t] += s[t + 32];
	s[t] += s[t + 16];
	s[t] += s[t + 8];
	s[t] += s[t + 4];
	s[t] += s[t + 2];
	s[t] += s[t + 1];
}
__global__ void reduce(const float *a, float *out)
{
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = a[blockIdx.x * blockDim.x + t];
	__syncthreads();
	for (int k = blockDim.x / 2; k > 32; k >>= 1) {
		if (t < k)
			s[t] += s[t + k];
		__syncthreads();
	}
	if (t < 32)
		last<64>(s, t);
	if (!t)
		out[blockIdx.x] = s[0];
}
