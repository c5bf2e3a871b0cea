#include <hip/hip_runtime.h>
__global__ void m(const float *a, const double *x, float *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s, c;
  sincosf(a[i] * 20, &s, &c);
  b[i] = expf(a[i]) + __sinf(a[i]) * powf(a[i], 2.5f) + s - c + rsqrtf(a[i] + 1) + erff(a[i]) + __expf(a[i]) + fmaf(a[i], 3, 4) + a[i] / 7.0f + sqrtf(a[i]);
  y[i] = exp(x[i]) + sin(x[i] * 30) * log(x[i] + 1) + tgamma(x[i] + 1) + cbrt(x[i]) + sqrt(x[i]) / 3;
}
// Differences magnify the last bits of rsqrtf, which the C library rounds otherwise than AMD's.
__global__ void bodies(const float4 *pos, float4 *acc, int n, float eps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 me = pos[i];
	float3 a = {0, 0, 0};
	for (int j = 0; j < n; j++) {
		float dx = pos[j].x - me.x, dy = pos[j].y - me.y, dz = pos[j].z - me.z;
		float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps), s = pos[j].w * inv * inv * inv;
		a.x += dx * s;
		a.y += dy * s;
		a.z += dz * s;
	}
	acc[i] = make_float4(a.x, a.y, a.z, 0);
}
// Each as one instruction, in sums that lose their leading bits.
__global__ void fast(const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = fabsf(in[i]) + 0.5f;
	out[i] = (__expf(-x) + __logf(x) + __sinf(x) + __cosf(x) + __log2f(x) + __log10f(x)) - (expf(-x) + logf(x) + sinf(x) + cosf(x) + log2f(x) + log10f(x));
}
// More private memory than a process has for its stack.
__global__ void large(int *out)
{
	int s[1 << 22], i = threadIdx.x;
	for (int k = 0; k < 1 << 22; k += 1 << 14)
		s[k] = k + i;
	out[i] = s[(i & 255) << 14];
}
// Clocks stand still.
__global__ void clocks(const int *in, int *out, long long *took)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	long long start = clock64();
	__builtin_amdgcn_s_sleep(1);
	out[i] = in[i] * 3;
	took[i] = clock64() - start + clock() - clock();
}
