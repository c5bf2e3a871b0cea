// Threads of a tile hand values on through local memory: between a store and a load lies only the tile's sync().
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *a)
{
	__shared__ int tmp[128];
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
	int x = a[threadIdx.x];
	tmp[threadIdx.x] = x;
	cg::sync(block);
	for (int i = tile.size() / 2; i > 0; i >>= 1) {
		if (tile.thread_rank() < i) {
			x += tmp[threadIdx.x + i];
			tmp[threadIdx.x] = x;
		}
		cg::sync(tile);
	}
	a[threadIdx.x] = tmp[threadIdx.x];
}
