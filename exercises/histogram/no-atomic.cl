kernel void histogram(global const uchar *in, global uint *bins, uint n)
{
	local uint count[256];
	uint l = get_local_id(0);
	count[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		count[in[i]]++;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&bins[l], count[l]);
}
