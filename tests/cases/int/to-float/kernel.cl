// Integers to float and double with each rounding, and double to float.
//
// wavesim: --global 128 --local 64 --arg out=zero:4096 --arg wide=zero:4096

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

kernel void convert(global uint *out, global ulong *wide)
{
	uint gid = get_global_id(0);
	global uint *o = out + gid * 32;
	global ulong *p = wide + gid * 32;
	int i = (int)hash(gid) >> (gid & 7);
	uint u = hash(gid + 1);
	long l = (long)hash64(gid + 2) >> (gid & 31);
	ulong m = hash64(gid + 3);
	double d = (double)l * 0x1.23456789p-20;
	o[0] = as_uint(convert_float(i));
	o[1] = as_uint(convert_float_rte(i));
	o[2] = as_uint(convert_float_rtz(i));
	o[3] = as_uint(convert_float_rtp(i));
	o[4] = as_uint(convert_float_rtn(i));
	o[5] = as_uint(convert_float(u));
	o[6] = as_uint(convert_float_rte(u));
	o[7] = as_uint(convert_float_rtz(u));
	o[8] = as_uint(convert_float_rtp(u));
	o[9] = as_uint(convert_float_rtn(u));
	o[10] = as_uint(convert_float(l));
	o[11] = as_uint(convert_float_rte(l));
	o[12] = as_uint(convert_float_rtz(l));
	o[13] = as_uint(convert_float_rtp(l));
	o[14] = as_uint(convert_float_rtn(l));
	o[15] = as_uint(convert_float(m));
	o[16] = as_uint(convert_float_rte(m));
	o[17] = as_uint(convert_float_rtz(m));
	o[18] = as_uint(convert_float_rtp(m));
	o[19] = as_uint(convert_float_rtn(m));
	p[0] = as_ulong(convert_double(i));
	p[1] = as_ulong(convert_double_rte(i));
	p[2] = as_ulong(convert_double_rtz(i));
	p[3] = as_ulong(convert_double_rtp(i));
	p[4] = as_ulong(convert_double_rtn(i));
	p[5] = as_ulong(convert_double(u));
	p[6] = as_ulong(convert_double_rte(u));
	p[7] = as_ulong(convert_double_rtz(u));
	p[8] = as_ulong(convert_double_rtp(u));
	p[9] = as_ulong(convert_double_rtn(u));
	p[10] = as_ulong(convert_double(l));
	p[11] = as_ulong(convert_double_rte(l));
	p[12] = as_ulong(convert_double_rtz(l));
	p[13] = as_ulong(convert_double_rtp(l));
	p[14] = as_ulong(convert_double_rtn(l));
	p[15] = as_ulong(convert_double(m));
	p[16] = as_ulong(convert_double_rte(m));
	p[17] = as_ulong(convert_double_rtz(m));
	p[18] = as_ulong(convert_double_rtp(m));
	p[19] = as_ulong(convert_double_rtn(m));
	p[20] = as_uint(convert_float(d));
	p[21] = as_uint(convert_float_rte(d));
	p[22] = as_uint(convert_float_rtz(d));
	p[23] = as_uint(convert_float_rtp(d));
	p[24] = as_uint(convert_float_rtn(d));
	o[20] = as_uint((float)(char)i);
	o[21] = as_uint((float)(ushort)u);
	o[22] = as_uint((float)(gid & 1));
	float4 v = convert_float4((int4)(i, (int)u, i / 2, 16777217));
	o[23] = as_uint(v.x + v.y);
	o[24] = as_uint(v.z - v.w);
}
