// Shifts in every width. OpenCL takes the amount modulo the width, so every amount is allowed.
//
// wavesim: --global 256 --local 64 --arg out=zero:4096

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

kernel void shifts(global ulong *out)
{
	uint gid = get_global_id(0);
	int by = (int)(hash(gid) >> 3 & 127);
	global ulong *o = out + gid * 16;
	uchar c = (uchar)hash(gid + 9);
	ushort s = (ushort)hash(gid + 8);
	uint i = hash(gid + 7);
	ulong l = hash64(gid + 6);
	o[0] = (uchar)(c << (by & 7));
	o[1] = c >> (by & 7);
	o[2] = (long)((char)c >> (by & 7));
	o[3] = (ushort)(s << (by & 15));
	o[4] = s >> (by & 15);
	o[5] = (long)((short)s >> (by & 15));
	o[6] = i << by;
	o[7] = i >> by;
	o[8] = (long)((int)i >> by);
	o[9] = l << by;
	o[10] = l >> by;
	o[11] = (ulong)((long)l >> by);
	uint4 v = (uint4)(i, i + 1, i + 2, i + 3);
	v = v << (uint4)(by, 1, 31, 33);
	o[12] = v.x ^ v.y;
	o[13] = v.z ^ v.w;
	v >>= by;
	o[14] = v.x + v.y + v.z + v.w;
}
