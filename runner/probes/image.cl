// Image reads that hit L1: of the nearest texel, and with a linear filter of four texels.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_nearest(read_only image2d_t in, global float *out, uint rounds)
{
	int x = get_local_id(0) & 31, y = get_local_id(0) >> 5;
	float4 sum = 0;
	for (uint r = 0; r < rounds; r++)
		sum += read_imagef(in, nearest, (int2)(x + (r & 7), y + (r >> 3 & 7)));
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

kernel void image_linear(read_only image2d_t in, global float *out, uint rounds)
{
	int x = get_local_id(0) & 31, y = get_local_id(0) >> 5;
	float4 sum = 0;
	for (uint r = 0; r < rounds; r++)
		sum += read_imagef(in, linear, (float2)(x + (r & 7) + 0.25f, y + (r >> 3 & 7) + 0.25f));
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

// Reads of the nearest texel at integer coordinates. The first lane's texel is `at` texels past an aligned block.
kernel void image_fetch(read_only image2d_t in, global float *out, int at)
{
	int x = (get_local_id(0) & 31) + at, y = get_local_id(0) >> 5;
	float4 sum = 0;
	for (uint r = 0; r < 128; r++)
		sum += read_imagef(in, nearest, (int2)(x + (r >> 5) * 4, y + (r & 31)));
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

// The same by a sampler that only the launch knows.
kernel void image_argument(read_only image2d_t in, sampler_t by, global float *out, int at)
{
	int x = (get_local_id(0) & 31) + at, y = get_local_id(0) >> 5;
	float4 sum = 0;
	for (uint r = 0; r < 128; r++)
		sum += read_imagef(in, by, (int2)(x + (r >> 5) * 4, y + (r & 31)));
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

// How large is it? Each work-item asks for the width (ASKS 1), for width and height (2), for both at once (3).
kernel void image_size(read_only image2d_t in, global float *out)
{
	int x = get_global_id(0) & 31, y = get_global_id(1) & 31;
	float4 sum = 0;
#if ASKS == 3
	int2 size = get_image_dim(in);
	if (x < size.x && y < size.y)
#elif ASKS == 2
	if (x < get_image_width(in) && y < get_image_height(in))
#elif ASKS == 1
	if (x < get_image_width(in))
#endif
		for (int r = 0; r < 16; r++)
			sum += read_imagef(in, nearest, (int2)(x + r, y));
	out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

#ifdef APART
// Lanes read texels `step` apart in a row, and `down` rows apart.
kernel void image_apart(read_only image2d_t in, global float *out, int step, int down)
{
	int lane = get_local_id(0) & 31, x = lane * step, y = (get_local_id(0) >> 5) + lane * down;
	float4 sum = 0;
	for (int r = 0; r < 128; r++)
#if APART == 1
		sum += read_imagef(in, nearest, (int2)((x + (r & 3)) & 63, (y + (r >> 2)) & 63));
#else
		sum += read_imagef(in, linear, (float2)(((x + (r & 3)) & 63) + 0.25f, ((y + (r >> 2)) & 63) + 0.25f));
#endif
	out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
#endif

// Each work-item writes N texels of a row, side by side.
#ifdef N
kernel void image_write(write_only image2d_t out, float by)
{
	int x = get_global_id(0) * N, y = get_global_id(1);
	for (int k = 0; k < N; k++)
		write_imagef(out, (int2)(x + k, y), (float4)(x, y, k, 1) * by);
}
#endif
