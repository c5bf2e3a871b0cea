// Two-dimensional images: reads at whole pixels with a sampler of the kernel's own, and writes.
//
// wavesim: --global 32,24 --local 8,8 --arg in=32x24:rgba:uint8:random --arg out=32x24:rgba:uint8
// wavesim: --arg sums=zero:768

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                             CLK_FILTER_NEAREST;

kernel void image(read_only image2d_t in, write_only image2d_t out, global uint *sums)
{
	int x = get_global_id(0), y = get_global_id(1);
	uint4 sum = (uint4)(0);
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += read_imageui(in, nearest, (int2)(x + dx, y + dy));
	write_imageui(out, (int2)(get_image_width(in) - 1 - x, y), sum / 9);
	sums[y * 32 + x] = sum.x + sum.y + sum.z + sum.w + (uint)get_image_height(out);
}
