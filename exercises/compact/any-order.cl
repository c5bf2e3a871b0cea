kernel void compact(global const int *in, global int *out, global int *count)
{
	local int kept;
	int l = get_local_id(0), g = get_group_id(0), value = in[get_global_id(0)];
	if (l == 0)
		kept = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (value)
		out[64 * g + 63 - atomic_inc(&kept)] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		count[g] = kept;
}
