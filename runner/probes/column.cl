// Reads of texels at integer coordinates that hit L1. Lanes lie side by side, or in columns of `rows` texels.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_column(read_only image2d_t in, global float *out, int rows)
{
	int lane = get_local_id(0) & 31, x = lane / rows, y = lane % rows;
	float4 sum = 0;
	for (uint r = 0; r < 128; r++)
		sum += read_imagef(in, nearest, (int2)(x + (r >> 5) * 4, y + (r & 31)));
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
