// shuffle and shuffle2 with masks that are constant and masks that depend on the lane.
//
// wavesim: --global 64 --local 64 --arg in=random:512 --arg out=zero:1024

kernel void shuffles(global const ushort8 *in, global ushort16 *out)
{
	uint gid = get_global_id(0);
	ushort8 v = in[gid];
	ushort8 mask = (ushort8)(7, 6, 5, 4, 3, 2, 1, 0) + (ushort)gid;
	ushort8 a = shuffle(v, mask);
	ushort4 b = shuffle(v, (ushort4)(1, 3, 5, 7));
	ushort16 c = shuffle2(v, a, (ushort16)(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
	float4 f = convert_float4(b);
	f = shuffle(f, as_uint4((int4)(3, 2, 1, 0) ^ (int)(gid & 3)));
	uint2 u = shuffle2((uint4)(gid), convert_uint4(b), (uint2)(gid, gid * 5));
	out[gid] = c;
	out[gid].s0123 += convert_ushort4(f);
	out[gid].s45 ^= convert_ushort2(u);
}
