// Half floats as storage: loads, stores with each rounding, aligned vectors, specials.
//
// wavesim: --global 256 --local 64 --arg in=random(-70000,70000):1024 --arg halves=zero:8192
// wavesim: --arg out=zero:2048

kernel void halves(global const float *in, global half *halves, global float *out)
{
	uint gid = get_global_id(0);
	global half *h = halves + gid * 32;
	float x = in[gid] * (gid & 1 ? 1.0f : 0x1p-24f), y = in[gid + 256];
	if (gid == 7)
		x = INFINITY;
	if (gid == 9)
		x = -0.0f;
	vstore_half(x, 0, h);
	vstore_half_rte(x, 1, h);
	vstore_half_rtz(x, 2, h);
	vstore_half_rtp(x, 3, h);
	vstore_half_rtn(x, 4, h);
	vstore_half2((float2)(x, y), 3, h);
	vstore_half4_rtz((float4)(x, y, x * 0.5f, 1.0f), 2, h);
	vstorea_half4((float4)(y, x, 0.1f, -y), 3, h);
	vstorea_half3((float3)(x, 65504.0f, 0x1p-25f), 4, h);
	vstore_half8((float8)(y, y * 0.1f, y * 0.01f, y * 0.001f, 1, 2, 3, 4), 0, h + 20);
	float4 v = vloada_half4(3, h);
	out[gid * 8] = vload_half(0, h);
	out[gid * 8 + 1] = vload_half(2, h) - vload_half(3, h) == 0.0f;
	out[gid * 8 + 2] = vload_half3(2, h + 20).y;
	out[gid * 8 + 3] = v.z;
	out[gid * 8 + 4] = vload_half8(0, h + 20).s3;
	out[gid * 8 + 5] = vload_half2(3, h).y;
	out[gid * 8 + 6] = vloada_half3(4, h).z;
}
