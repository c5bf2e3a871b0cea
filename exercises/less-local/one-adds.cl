kernel void sum(global const int *in, global int *out)
{
	local int part[64];
	int l = get_local_id(0), g = get_group_id(0), own = 0;
	for (int k = l; k < 1024; k += 64)
		own += in[g * 1024 + k];
	part[l] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		int all = 0;
#pragma unroll 1
		for (int k = 0; k < 64; k++)
			all += part[k];
		out[g] = all;
	}
}
