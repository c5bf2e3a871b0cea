// as_type: the same bits under another type, scalars and vectors.
//
// wavesim: --global 128 --local 64 --arg out=zero:2048

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

ulong hash64(uint x)
{
	return (ulong)hash(x) << 32 | hash(x ^ 0x9e3779b9u);
}

kernel void reinterpret(global uint *out)
{
	uint gid = get_global_id(0);
	global uint *o = out + gid * 16;
	uint h = hash(gid);
	ulong w = hash64(gid);
	float f = (float)h * 0.25f;
	o[0] = as_uint(f);
	o[1] = (uint)as_int(as_float(h & 0x7f7fffff));
	o[2] = as_uchar4(h).y;
	o[3] = as_uint(as_uchar4(h).wzyx);
	o[4] = as_ushort2(h).x;
	o[5] = as_uint(as_short2(h).yx);
	o[6] = as_uint2(w).x ^ as_uint2(w).y;
	o[7] = (uint)as_long(as_uchar8(w).s76543210);
	o[8] = as_uint2((double)h).y;
	o[9] = as_uint4(as_ulong2((uint4)(h, 1, 2, 3)).yx).x;
	o[10] = as_uint3(as_uint4((float4)(f))).z;
	o[11] = (uint)as_char(as_uchar((uchar)h));
	o[12] = as_uint(as_char4(h) + (char4)(1));
	o[13] = as_ushort(as_uchar2((ushort)h).yx);
}
