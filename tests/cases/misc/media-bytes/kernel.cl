// Functions of cl_amd_media_ops and cl_amd_media_ops2 that AMD's chips have as instructions over bytes, checked against
// their definitions. amd_pack of whole numbers only: its definition cuts the others, AMD's instruction rounds them.
//
// wavesim: --global 64 --local 64 --arg a=random(0,65535):256
uint apart(uint x, uint y, uint at)
{
	return abs_diff(x >> at & 255, y >> at & 255);
}

uint sad(uint x, uint y, uint n)
{
	return n + apart(x, y, 0) + apart(x, y, 8) + apart(x, y, 16) + apart(x, y, 24);
}

uint msad(uint x, uint y, uint n)
{
	for (uint at = 0; at < 32; at += 8)
		n += y >> at & 255 ? apart(x, y, at) : 0;
	return n;
}

ulong four(ulong x, uint y, ulong n, bool masked)
{
	ulong d = 0;
	for (uint i = 0; i < 4; i++) {
		uint part = (uint)(x >> 8 * i), sum = (uint)(n >> 16 * i) & 65535;
		d |= (ulong)((masked ? msad(part, y, sum) : sad(part, y, sum)) & 65535) << 16 * i;
	}
	return d;
}

uint lerp(uint x, uint y, uint n)
{
	uint d = 0;
	for (uint at = 0; at < 32; at += 8)
		d += ((x >> at & 255) + (y >> at & 255) + (n >> at & 1)) >> 1 << at;
	return d;
}

kernel void media(global const uint *a)
{
	uint g = get_global_id(0), x = a[g] * 65537u, y = a[g + 64] * 40503u, n = a[g + 128] * 2654435761u;
	uint z = y & (a[g + 192] & 1 ? 0xffff00ff : 0x00ffff00); // bytes that are 0
	ulong w = (ulong)y << 32 | x, m = (ulong)n << 32 | y;
	float4 f = convert_float4((uint4)(x & 255, y >> 8 & 255, n & 255, x >> 24));
	uint4 u = amd_sad((uint4)(x, y, n, x), (uint4)(y, n, x, z), (uint4)(n, 0, 1, x));
	uint2 v = amd_lerp((uint2)(x, n), (uint2)(y, z), (uint2)(n, x));
	uint bad = 0;
	bad |= amd_sad(x, y, n) != sad(x, y, n);
	bad |= (u.x != sad(x, y, n) || u.y != sad(y, n, 0) || u.z != sad(n, x, 1) || u.w != sad(x, z, x)) << 1;
	bad |= (amd_sad(~0u, 0u, 5u) != 1025) << 2;
	bad |= (amd_sadhi(x, y, n) != n + (sad(x, y, 0) << 16)) << 3;
	bad |= (amd_sad4((uint4)(x, y, n, z), (uint4)(y, n, z, x), n) !=
	        sad(x, y, sad(y, n, sad(n, z, sad(z, x, n))))) << 4;
	bad |= (amd_sadw(x, y, n) != n + abs_diff(x & 65535, y & 65535) + abs_diff(x >> 16, y >> 16)) << 5;
	bad |= (amd_msad(x, z, n) != msad(x, z, n)) << 6;
	bad |= (amd_qsad(w, z, m) != four(w, z, m, false)) << 7;
	bad |= (amd_mqsad(w, z, m) != four(w, z, m, true)) << 8;
	bad |= (amd_lerp(x, y, n) != lerp(x, y, n)) << 9;
	bad |= (v.x != lerp(x, y, n) || v.y != lerp(n, z, x)) << 10;
	bad |= (amd_pack(f) != ((x & 255) | (y & 0xff00) | (n & 255) << 16 | (x >> 24) << 24)) << 11;
	bad |= (amd_pack((float4)(0, 255, 128, 1)) != 0x0180ff00) << 12;
	bad |= (amd_unpack0(x) != (float)(x & 255) || amd_unpack1(x) != (float)(x >> 8 & 255) ||
	        amd_unpack3(x) != (float)(x >> 24)) << 13;
	bad |= (amd_max3(x, y, n) != max(max(x, y), n) ||
	        amd_max3((int)x, (int)y, (int)n) != max(max((int)x, (int)y), (int)n) ||
	        amd_min3((int)x, (int)y, (int)n) != min(min((int)x, (int)y), (int)n)) << 14;
	bad |= (amd_median3(f.x, f.y, f.z) != fmax(fmin(f.x, f.y), fmin(fmax(f.x, f.y), f.z))) << 15;
	if (bad || !g)
		printf("%u: %x\n", g, bad);
}
