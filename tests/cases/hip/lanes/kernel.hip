#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void shuffles(const int *in, int *out, float *f, unsigned long long *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  int a = __shfl(v, 3), b = __shfl_up(v, 1), c = __shfl_down(v, 2), d = __shfl_xor(v, 5);
  int e = __shfl(v, 1, 8), g = __shfl_up(v, 3, 16), h = __shfl_down(v, 3, 16);
  out[i] = a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * g + 17 * h;
  f[i] = __shfl_xor((float)v * 0.5f, 1);
  m[i] = __ballot(v & 1);
  if (__any(v == 77)) out[i] += 1000;
  if (__all(v >= 0)) out[i] += 2000;
}
__device__ int warp_sum(int v) { for (int k = warpSize / 2; k; k /= 2) v += __shfl_down(v, k); return v; }
__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int part[64];
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  v = warp_sum(v);
  int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  if (lane == 0) part[wave] = v;
  __syncthreads();
  if (wave == 0) { v = lane < blockDim.x / warpSize ? part[lane] : 0; v = warp_sum(v); if (!lane) atomicAdd(out, v); }
}
__global__ void diverge(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], s = 0;
  for (int k = 0; k < (v & 15); k++) {
    s += __popcll(__ballot(1));
    if ((v + k) & 1) s += __shfl_xor(v, 1) & 255; else s += __popcll(__ballot(k & 1)) << 8;
  }
  if (v & 1) s ^= __popcll(__ballot(1)); else { s += 7; s ^= __popcll(__ballot(v & 2)) << 4; }
  out[i] = s;
}
__global__ void tiles(const int *in, int *out) {
  auto block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  int v = in[i];
  for (int k = tile.size() / 2; k; k /= 2) v += tile.shfl_down(v, k);
  block.sync();
  out[i] = tile.thread_rank() == 0 ? v : -1;
  tile.sync();
}
__global__ void counts(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = __syncthreads_count(in[i] & 1), a = __syncthreads_and(in[i] >= 0), o = __syncthreads_or(in[i] == 12345);
  out[i] = c * 4 + a * 2 + o;
}
