kernel void strided_sum(global const int *in, global int *out)
{
	local int tile[64 * 32];
	int l = get_local_id(0), sum = 0;
	for (int k = l; k < 64 * 32; k += 64)
		tile[k] = in[get_group_id(0) * 64 * 32 + k];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 32; k++)
		sum += tile[32 * l + k];
	out[get_global_id(0)] = sum;
}
