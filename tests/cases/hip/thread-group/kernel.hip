// A function of any thread_group: its sync() has a branch for the whole grid, which no call here takes.
#include <hip/hip_cooperative_groups.h>
using namespace cooperative_groups;
__device__ unsigned sum(thread_group g, unsigned *x, unsigned val)
{
	unsigned me = g.thread_rank();
	for (unsigned i = g.size() / 2; i; i /= 2) {
		x[me] = val;
		g.sync();
		if (me < i)
			val += x[me + i];
		g.sync();
	}
	return val;
}
__global__ void reduce(const unsigned *in, unsigned *out)
{
	__shared__ unsigned room[256];
	thread_block block = this_thread_block();
	unsigned value = in[blockIdx.x * 256 + threadIdx.x];
	unsigned all = sum(block, room, value);
	if (!threadIdx.x)
		out[blockIdx.x * 17] = all;
	thread_block_tile<16> tile = tiled_partition<16>(block);
	all = sum(tile, room + threadIdx.x / 16 * 16, value);
	if (!tile.thread_rank())
		out[blockIdx.x * 17 + 1 + threadIdx.x / 16] = all;
}
