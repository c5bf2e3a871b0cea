kernel void map(global const int *in, global int *out, uint width, uint height)
{
	uint x = get_global_id(0), y = get_global_id(1);
	if (x < width && y < height)
		out[y * width + x] = in[y * width + x] + 10;
}
