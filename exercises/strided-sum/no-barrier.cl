kernel void strided_sum(global const int *in, global int *out)
{
	local int tile[64 * 33];
	int l = get_local_id(0), sum = 0;
	for (int k = l; k < 64 * 32; k += 64)
		tile[k / 32 * 33 + k % 32] = in[get_group_id(0) * 64 * 32 + k];
	for (int k = 0; k < 32; k++)
		sum += tile[33 * l + k];
	out[get_global_id(0)] = sum;
}
