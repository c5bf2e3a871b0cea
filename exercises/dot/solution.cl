kernel void dot(global const uint *a, global const uint *b, global uint *out, uint n)
{
	local uint part[64];
	uint l = get_local_id(0), sum = 0;
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		sum += a[i] * b[i];
	part[l] = sum;
	for (uint step = 32; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < step)
			part[l] += part[l + step];
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}
