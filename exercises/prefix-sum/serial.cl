kernel void scan(global const uint *in, global uint *out)
{
	local uint part[256];
	uint l = get_local_id(0), i = get_global_id(0), sum = 0;
	part[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k <= l; k++)
		sum += part[k];
	out[i] = sum;
}
