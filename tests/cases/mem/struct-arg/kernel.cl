// A struct as a kernel argument, by value; a vector and every scalar width beside it.
//
// wavesim: --global 64 --local 64 --arg shape=bytes:07000000000080402a000000f6ffffff
// wavesim: --arg scale=1.5,2,-3,4 --arg c=-5 --arg s=1234 --arg l=-123456789012 --arg f=0.1
// wavesim: --arg out=zero:512

typedef struct {
	int kind;
	float size;
	int range[2];
} Shape;

kernel void arguments(Shape shape, float4 scale, char c, ushort s, long l, float f, global int *out)
{
	uint gid = get_global_id(0);
	Shape mine = shape;
	mine.range[gid & 1] += (int)gid;
	out[gid * 8] = mine.kind + mine.range[0];
	out[gid * 8 + 1] = mine.range[1];
	out[gid * 8 + 2] = as_int(mine.size * scale.x + scale.z);
	out[gid * 8 + 3] = c;
	out[gid * 8 + 4] = s;
	out[gid * 8 + 5] = (int)(l >> 8);
	out[gid * 8 + 6] = as_int(f + scale.w * scale.y);
}
