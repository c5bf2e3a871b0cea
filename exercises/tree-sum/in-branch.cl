kernel void sum(global const uint *in, global uint *out, uint n)
{
	local uint part[256];
	uint l = get_local_id(0), i = get_global_id(0);
	part[l] = i < n ? in[i] : 0;
	for (uint step = 128; step > 0; step /= 2) {
		if (l < step) {
			barrier(CLK_LOCAL_MEM_FENCE);
			part[l] += part[l + step];
		}
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}
