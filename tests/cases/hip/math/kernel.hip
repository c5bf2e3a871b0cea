#include <hip/hip_runtime.h>
__global__ void m(const float *a, const double *x, float *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s, c;
  sincosf(a[i] * 20, &s, &c);
  b[i] = expf(a[i]) + __sinf(a[i]) * powf(a[i], 2.5f) + s - c + rsqrtf(a[i] + 1) + erff(a[i]) + __expf(a[i]) + fmaf(a[i], 3, 4) + a[i] / 7.0f + sqrtf(a[i]);
  y[i] = exp(x[i]) + sin(x[i] * 30) * log(x[i] + 1) + tgamma(x[i] + 1) + cbrt(x[i]) + sqrt(x[i]) / 3;
}
