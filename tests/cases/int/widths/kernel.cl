// Wrapping arithmetic and logic in every integer width.
//
// wavesim: --global 256 --local 64 --arg out=zero:8192

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

#define OPS(type, slot) { \
	type a = (type)hash64(gid), b = (type)hash64(gid + 1000); \
	type r = (type)(a + b); \
	r = (type)(r * 31 + (type)(a - b)); \
	r ^= (type)(a & b); \
	r = (type)(r + (type)(a | b)); \
	r ^= (type)~a; \
	r = (type)(r - (type)-b); \
	out[gid * 32 + slot] = (ulong)r; \
	out[gid * 32 + slot + 1] = (ulong)(type)(a * b); \
	out[gid * 32 + slot + 2] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b); }

kernel void widths(global ulong *out)
{
	uint gid = get_global_id(0);
	OPS(uchar, 0)
	OPS(ushort, 3)
	OPS(uint, 6)
	OPS(ulong, 9)
	char c = (char)hash(gid);
	short s = (short)hash(gid + 1);
	int i = (int)hash(gid + 2) >> 4;
	long l = (long)hash64(gid + 3) >> 4;
	out[gid * 32 + 12] = c + s;
	out[gid * 32 + 13] = s * c;
	out[gid * 32 + 14] = i - s;
	out[gid * 32 + 15] = l + i;
	out[gid * 32 + 16] = -l;
	out[gid * 32 + 17] = (l >> 20) * i;
	out[gid * 32 + 18] = (c < s) + 2 * (s < i) + 4 * (i < l) + 8 * ((uint)i < (uint)s);
	out[gid * 32 + 19] = c % 7 + s / 3 + i / 1000 + l / 1000003;
}
