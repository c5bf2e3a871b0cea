kernel void columns(global const int *in, global int *out, uint width, uint height)
{
	uint y = get_global_id(0);
	if (y >= height)
		return;
	int sum = 0;
	for (uint x = 0; x < width; x++)
		sum += in[y * width + x];
	out[y] = sum;
}
