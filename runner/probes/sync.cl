// Barriers over the size of a group, and what a launch costs by itself.
kernel void barriers(global uint *out, local uint *pool, uint rounds)
{
	uint lid = get_local_id(0), n = get_local_size(0), v = lid;
	for (uint r = 0; r < rounds; r++) {
		pool[lid] = v;
		barrier(CLK_LOCAL_MEM_FENCE);
		v += pool[lid ^ 1];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = v;
}

kernel void empty(global uint *out)
{
	if (get_global_id(0) == 0)
		out[0] = 1;
}
