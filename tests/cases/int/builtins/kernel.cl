// The integer builtins on scalars of every type.
//
// wavesim: --global 128 --local 64 --arg out=zero:24576

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

#define FAMILY(type, utype, at) { \
	type a = (type)hash64(gid), b = (type)hash64(gid + 100), c = (type)hash64(gid + 200); \
	global ulong *o = out + gid * 192 + at; \
	o[0] = (ulong)clz(a); \
	o[1] = (ulong)popcount(a); \
	o[2] = (ulong)rotate(a, b); \
	o[3] = (ulong)mul_hi(a, b); \
	o[4] = (ulong)mad_hi(a, b, c); \
	o[5] = (ulong)mad_sat(a, b, c); \
	o[6] = (ulong)add_sat(a, b); \
	o[7] = (ulong)sub_sat(a, b); \
	o[8] = (ulong)hadd(a, b); \
	o[9] = (ulong)rhadd(a, b); \
	o[10] = (ulong)abs(a); \
	o[11] = (ulong)abs_diff(a, b); \
	o[12] = (ulong)min(a, b); \
	o[13] = (ulong)max(a, b); \
	o[14] = (ulong)clamp(a, min(b, c), max(b, c)); \
	o[15] = (ulong)mad_sat((type)(a / 16), (type)3, c); \
	o[16] = (ulong)add_sat((type)(a / 4), (type)(b / 4)); \
	o[17] = (ulong)clz((type)(a & 15)); }

kernel void builtins(global ulong *out)
{
	uint gid = get_global_id(0);
	FAMILY(char, uchar, 0)
	FAMILY(uchar, uchar, 20)
	FAMILY(short, ushort, 40)
	FAMILY(ushort, ushort, 60)
	FAMILY(int, uint, 80)
	FAMILY(uint, uint, 100)
	FAMILY(long, ulong, 120)
	FAMILY(ulong, ulong, 140)
	uint h = hash(gid);
	global ulong *o = out + gid * 192 + 160;
	o[0] = (ulong)upsample((char)h, (uchar)(h >> 8));
	o[1] = (ulong)upsample((uchar)h, (uchar)(h >> 8));
	o[2] = (ulong)upsample((short)h, (ushort)(h >> 16));
	o[3] = (ulong)upsample((ushort)h, (ushort)(h >> 16));
	o[4] = (ulong)upsample((int)h, h ^ 5);
	o[5] = upsample(h, h ^ 5);
	o[6] = (ulong)mul24((int)h << 8 >> 8, 77);
	o[7] = mul24(h & 0xffff, 200u);
	o[8] = (ulong)mad24((int)h << 16 >> 16, -300, (int)gid);
	o[9] = mad24(h & 0xfff, 999u, gid);
}
