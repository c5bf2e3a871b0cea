kernel void histogram(global const uchar *in, global uint *bins, uint n)
{
	local uint count[256];
	uint l = get_local_id(0);
	count[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_global_id(0) < n)
		atomic_inc(&count[in[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&bins[l], count[l]);
}
