kernel void scan(global const uint *in, global uint *out)
{
	local uint part[256];
	uint l = get_local_id(0), i = get_global_id(0);
	part[l] = in[i];
	for (uint d = 1; d < 256; d *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l >= d)
			part[l] += part[l - d];
	}
	out[i] = part[l];
}
