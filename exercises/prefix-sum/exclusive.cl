kernel void scan(global const uint *in, global uint *out)
{
	local uint part[256];
	uint l = get_local_id(0), i = get_global_id(0), sum = in[i];
	part[l] = sum;
	for (uint d = 1; d < 256; d *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l >= d)
			sum += part[l - d];
		barrier(CLK_LOCAL_MEM_FENCE);
		part[l] = sum;
	}
	out[i] = sum - in[i];
}
