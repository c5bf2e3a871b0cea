kernel void invert(global const uchar *in, global uchar *out, uint n)
{
	for (uint k = get_global_id(0); k < n; k += get_global_size(0))
		out[k] = 255 - in[k];
}
