kernel void maximum(global const int *in, global int *out, int n)
{
	local int best;
	int i = get_global_id(0), l = get_local_id(0);
	if (l == 0)
		best = INT_MIN;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_max(&best, in[i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		atomic_max(out, best);
}
