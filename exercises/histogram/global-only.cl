kernel void histogram(global const uchar *in, global uint *bins, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&bins[in[i]]);
}
