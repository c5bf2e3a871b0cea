/* OpenCL C's words in HIP, for the same kernel in both. Functions before the kernel are for both sides. */
#include <hip/hip_runtime.h>
#undef __global__ /* a macro with the word `global` */
#define kernel _Pragma("clang force_cuda_host_device end") __attribute__((__global__))
#define global
#define constant __constant__
#define local __shared__
#define CLK_LOCAL_MEM_FENCE
#define barrier(flags) __syncthreads()
#define get_local_id(d) ((d) == 0 ? threadIdx.x : (d) == 1 ? threadIdx.y : threadIdx.z)
#define get_local_size(d) ((d) == 0 ? blockDim.x : (d) == 1 ? blockDim.y : blockDim.z)
#define get_group_id(d) ((d) == 0 ? blockIdx.x : (d) == 1 ? blockIdx.y : blockIdx.z)
#define get_num_groups(d) ((d) == 0 ? gridDim.x : (d) == 1 ? gridDim.y : gridDim.z)
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define get_global_size(d) (get_num_groups(d) * get_local_size(d))
#define atomic_add(p, v) atomicAdd(p, v)
#define atomic_cmpxchg(p, was, now) atomicCAS(p, was, now)
#define as_uint(x) __float_as_uint(x)
#define as_float(x) __uint_as_float(x)
#pragma clang force_cuda_host_device begin
