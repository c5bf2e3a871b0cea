// An inclusive scan by doubling, with a barrier on each side of the update.
//
// wavesim: --global 512 --local 256 --arg in=random:512 --arg out=zero:512 --arg sums=zero:2

kernel void scan(global const int *in, global int *out, global int *sums)
{
	local int block[256];
	uint gid = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
	block[lid] = in[gid] - 30000;
	for (uint by = 1; by < size; by *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		int add = lid >= by ? block[lid - by] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		block[lid] += add;
	}
	out[gid] = block[lid];
	if (lid == size - 1)
		sums[get_group_id(0)] = block[lid];
}
