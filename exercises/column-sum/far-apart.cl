kernel void columns(global const int *in, global int *out, uint width, uint height)
{
	// Columns are dealt out so that neighbouring work-items have far ones.
	uint i = get_global_id(0), parts = 16, each = (width + parts - 1) / parts;
	uint x = i % parts * each + i / parts;
	if (i / parts >= each || x >= width)
		return;
	int sum = 0;
	for (uint y = 0; y < height; y++)
		sum += in[y * width + x];
	out[x] = sum;
}
