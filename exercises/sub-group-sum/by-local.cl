kernel void lane_sum(global const int *in, global int *out, uint n)
{
	local int part[256];
	uint i = get_global_id(0), l = get_local_id(0);
	part[l] = i < n ? in[i] : 0;
	for (uint k = 32; k; k /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l % 64 < k)
			part[l] += part[l + k];
	}
	if (l % 64 == 0)
		out[i / 64] = part[l];
}
