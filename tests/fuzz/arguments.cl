/* Arguments of every kind, for fuzz_module. */
typedef struct Inner {
	float v[3];
	long w;
} Inner;
typedef struct Outer {
	char a;
	Inner in[2];
	int4 b;
} Outer;

kernel void values(char a, ushort3 b, float16 c, double d, Outer e, ulong f, global Outer *out)
{
	out[0] = e;
	out[1].b = (int4)(a, b.x, (int)c.s0, (int)(d + f));
}

kernel void images(read_only image2d_t in, write_only image3d_t out, read_write image1d_buffer_t both, sampler_t s)
{
	write_imagef(out, (int4)(0), read_imagef(in, s, (int2)(0)) + read_imagef(both, 0));
}

kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(float4))) void
pointers(global const float *restrict a, constant int *b, local float3 *c, volatile global uint *d, global void *e)
{
	c[0] = a[0] + b[0] + d[0];
	((global float *)e)[0] = c[0].x;
}
