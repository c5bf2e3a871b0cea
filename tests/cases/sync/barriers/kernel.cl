// Barriers in a loop of uniform length, several in a row, and behind a branch on the group.
//
// wavesim: --global 512 --local 128 --arg in=random:512 --arg rounds=5 --arg out=zero:512

kernel void barriers(global const uint *in, global uint *out, uint rounds)
{
	local uint tile[128];
	uint gid = get_global_id(0), lid = get_local_id(0);
	tile[lid] = in[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint r = 0; r < rounds; r++) {
		uint next = tile[(lid + 1) & 127] * 3 + tile[(lid + 64) & 127];
		barrier(CLK_LOCAL_MEM_FENCE);
		tile[lid] = next + r;
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
	if (get_group_id(0) & 1) {
		uint x = tile[127 - lid];
		barrier(CLK_LOCAL_MEM_FENCE);
		tile[lid] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[gid] = tile[(lid * 5) & 127];
}
