// Fences and barriers on global memory: a work-group hands values to itself through a buffer.
//
// wavesim: --global 256 --local 64 --arg in=random:256 --arg scratch=zero:256 --arg out=zero:256

kernel void fences(global const uint *in, global uint *scratch, global uint *out)
{
	uint gid = get_global_id(0), lid = get_local_id(0), base = gid - lid;
	scratch[gid] = in[gid] * 3;
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	barrier(CLK_GLOBAL_MEM_FENCE);
	uint x = scratch[base + (lid + 13) % 64];
	read_mem_fence(CLK_GLOBAL_MEM_FENCE);
	barrier(CLK_GLOBAL_MEM_FENCE);
	scratch[gid] = x + 1;
	write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[gid] = scratch[base + 63 - lid] ^ x;
}
