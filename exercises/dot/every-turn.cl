kernel void dot(global const uint *a, global const uint *b, global uint *out, uint n)
{
	local uint part[64];
	uint l = get_local_id(0), sum = 0;
	for (uint first = get_group_id(0) * 64; first < n; first += get_global_size(0)) {
		barrier(CLK_LOCAL_MEM_FENCE);
		part[l] = first + l < n ? a[first + l] * b[first + l] : 0;
		for (uint step = 32; step > 0; step /= 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
			if (l < step)
				part[l] += part[l + step];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += part[0];
	}
	if (l == 0)
		out[get_group_id(0)] = sum;
}
