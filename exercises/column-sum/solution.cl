kernel void columns(global const int *in, global int *out, uint width, uint height)
{
	uint x = get_global_id(0);
	if (x >= width)
		return;
	int sum = 0;
	for (uint y = 0; y < height; y++)
		sum += in[y * width + x];
	out[x] = sum;
}
