// Float images: a sampler argument, coordinates as floats, clamped at the border.
//
// wavesim: --global 16,16 --local 16,4 --arg in=16x16:rgba:float:random --arg out=16x16:rgba:float
// wavesim: --arg s=nearest,clamp,unnormalized

kernel void image(read_only image2d_t in, write_only image2d_t out, sampler_t s)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 a = read_imagef(in, s, (float2)(x + 0.5f, y - 0.5f));
	float4 b = read_imagef(in, s, (int2)(x - 1, y));
	write_imagef(out, (int2)(x, y), a * 0.5f + b);
}
