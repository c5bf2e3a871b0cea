// Sums by a tree in local memory, one per work-group, several times over.
//
// wavesim: --global 32768 --local 256 --arg repeat=20 --arg in=iota:32768 --arg out=zero:128

kernel void reduce(global const uint *in, global uint *out, int repeat)
{
	local uint sums[256];
	uint lid = get_local_id(0);
	uint value = in[get_global_id(0)];

	for (int r = 0; r < repeat; r++) {
		sums[lid] = value + (uint)r;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint span = get_local_size(0) / 2; span > 0; span /= 2) {
			if (lid < span)
				sums[lid] += sums[lid + span];
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		value ^= sums[0];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		out[get_group_id(0)] = value;
}
