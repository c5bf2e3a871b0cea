kernel void compact(global const int *in, global int *out, global int *count)
{
	int l = get_local_id(0), g = get_group_id(0), value = in[get_global_id(0)], before = 0;
#pragma unroll 1
	for (int k = 0; k < l; k++)
		before += in[64 * g + k] != 0;
	if (value)
		out[64 * g + before] = value;
	if (l == 63)
		count[g] = before + (value != 0);
}
