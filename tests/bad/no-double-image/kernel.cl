kernel void read(read_only image3d_t img, global float4 *out)
{
	out[0] = read_imagef(img, CLK_FILTER_LINEAR, (float4)(0.5f));
}
