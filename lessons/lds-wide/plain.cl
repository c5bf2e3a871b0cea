// A sum over each work-group. An element is four dwords, so neighbouring work-items are four
// banks apart.
//
// wavesim: --global 4096 --local 256 --arg in=random:4096 --arg out=zero:16

kernel void total(global const uint4 *in, global uint4 *out)
{
	local uint4 sums[256];
	uint lid = get_local_id(0);

	sums[lid] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint span = get_local_size(0) / 2; span > 0; span /= 2) {
		if (lid < span) {
			uint4 other = sums[lid + span];
			uint4 own = sums[lid];
			sums[lid] = own + other;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	if (lid == 0)
		out[get_group_id(0)] = sums[0];
}
