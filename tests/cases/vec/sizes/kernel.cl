// Arithmetic, shifts and compound assignment on vectors of 2, 4, 8 and 16 of several types.
//
// wavesim: --global 64 --local 64 --arg in=random:1024 --arg out=zero:1024

kernel void sizes(global const ushort16 *in, global ushort16 *out)
{
	uint gid = get_global_id(0);
	ushort16 v = in[gid];
	uint16 w = convert_uint16(v) * 40503u + (uint)gid;
	ulong8 l = convert_ulong8(w.even) * convert_ulong8(w.odd);
	uchar16 c = convert_uchar16(v >> (ushort)4);
	c = c * (uchar)3 - (uchar)7;
	short2 s = as_short2(w.s5);
	s = -s + (short2)(1, 2);
	s++;
	int4 i = as_int4(w.lo.hi);
	i = ~i / 3 % 1000;
	i -= i >> 2;
	float4 f = convert_float4(i) * 0.5f;
	f -= floor(f * 0.1f) * 10.0f;
	l ^= l >> 17;
	out[gid] = convert_ushort16(c) ^ convert_ushort16(w >> 9);
	out[gid].s01 += as_ushort2(s);
	out[gid].s2345 ^= convert_ushort4(convert_uint4(f * 16.0f));
	out[gid].hi += convert_ushort8(l >> 11);
}
