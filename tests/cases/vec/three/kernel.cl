// Vectors of three: four elements of memory each, except through vload3 and vstore3.
//
// wavesim: --global 64 --local 32 --arg in=random:64 --arg packed=random:200 --arg out=zero:64
// wavesim: --arg packed_out=zero:200

float3 cross_sum(float3 a, float3 b)
{
	return a.yzx * b.zxy - a.zxy * b.yzx;
}

kernel void three(global const float3 *in, global const float *packed, global float3 *out,
                  global float *packed_out)
{
	uint gid = get_global_id(0);
	float3 a = in[gid];
	float3 b = vload3(gid, packed);
	float3 list[3] = {a, b, a + b};
	float3 c = cross_sum(list[gid % 3], list[(gid + 1) % 3]);
	local float3 tile[32];
	uint lid = get_local_id(0);
	tile[lid] = c;
	barrier(CLK_LOCAL_MEM_FENCE);
	float4 d = (float4)(tile[31 - lid], (float)sizeof(float3));
	float3 r = d.zwx;
	r.y += b.z;
	/* The fourth element of out is left as it was. */
	vstore3(r, 0, (global float *)&out[gid]);
	vstore3(r.zyx, gid, packed_out);
}
