kernel void compact(global const int *in, global int *out, global int *count)
{
	local int before[64];
	int l = get_local_id(0), g = get_group_id(0), value = in[get_global_id(0)];
	before[l] = value != 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 1; k < 64; k *= 2) {
		int more = l >= k ? before[l - k] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		before[l] += more;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (value)
		out[64 * g + before[l]] = value;
	if (l == 63)
		count[g] = before[l];
}
