// Vector literals from parts of every size, scalars widened, vectors in arrays and structs.
//
// wavesim: --global 64 --local 64 --arg in=random:256 --arg out=zero:1024

typedef struct {
	float2 low;
	float4 list[2];
	char3 small;
} Mix;

kernel void construct(global const float4 *in, global float16 *out)
{
	uint gid = get_global_id(0);
	float4 v = in[gid];
	float2 p = (float2)(v.x), q = (float2)(v.yz);
	float8 a = (float8)(p, v, q);
	float16 b = (float16)(a, (float3)(1, 2, 3), v.wzy, (float2)(v.x, 4.0f));
	Mix m = {q, {v, a.odd}, (char3)(1, 2, (char)gid)};
	m.list[gid & 1].y = 9.0f;
	m.low += convert_float2(m.small.yz);
	float4 c[2][2] = {{v, v + 1.0f}, {m.list[1], (float4)(m.low, p)}};
	b.s3456 += c[gid & 1][gid >> 1 & 1];
	out[gid] = b * 2;
}
