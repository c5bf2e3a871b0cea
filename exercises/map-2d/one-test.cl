kernel void map(global const int *in, global int *out, uint width, uint height)
{
	uint i = get_global_id(1) * width + get_global_id(0);
	if (i < width * height)
		out[i] = in[i] + 10;
}
