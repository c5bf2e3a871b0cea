// any, all, select, bitselect and the float classification functions, scalar and vector.
//
// wavesim: --global 128 --local 64 --arg out=zero:4096

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

kernel void relational(global int *out)
{
	uint gid = get_global_id(0);
	global int *o = out + gid * 32;
	uint h = hash(gid);
	float specials[8] = {0.0f, -0.0f, INFINITY, -INFINITY, 0x1p-140f, NAN, 1.5f, -2.0f};
	float x = specials[gid & 7], y = specials[gid >> 3 & 7];
	int4 v = as_int4((uint4)(h, h << 8, h << 16, h << 24));
	o[0] = any(v) + 2 * all(v) + 4 * any((short)h) + 8 * all(as_char4(h));
	int4 s = select(v, v.wzyx, v.yxwz);
	o[1] = s.x ^ s.y ^ s.z ^ s.w;
	o[2] = select((int)h, (int)gid, (int)(h & 1));
	int4 b = bitselect(v, ~v.yzwx, v.zwxy);
	o[3] = b.x + b.y + b.z + b.w;
	o[4] = as_int(select(1.5f, 2.5f, (int)(h & 4)));
	o[5] = as_int(bitselect(1.5f, as_float(0x12345678), as_float(0x00ff00ff)));
	o[6] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * (signbit(x) != 0);
	o[7] = isequal(x, y) + 2 * isnotequal(x, y) + 4 * isgreater(x, y) + 8 * isgreaterequal(x, y);
	o[8] = isless(x, y) + 2 * islessequal(x, y) + 4 * islessgreater(x, y);
	o[9] = isordered(x, y) + 2 * isunordered(x, y);
	float4 f = (float4)(x, y, -x, 3.0f);
	int4 k = isnan(f) + 2 * isinf(f) + 4 * isless(f, (float4)(1.0f)) + 8 * isordered(f, f.wzyx);
	o[10] = k.x;
	o[11] = k.y + k.z * 100 + k.w * 10000;
	o[12] = (x < y) + 2 * (x > y) + 4 * (x == y) + 8 * (x != y) + 16 * (x <= y) + 32 * !(x >= y);
	uchar2 u = select((uchar2)(1, 2), (uchar2)(3, 4), as_uchar2((ushort)h));
	o[13] = u.x * 256 + u.y;
	ulong r = bitselect((ulong)h, (ulong)gid << 40, 0xff00ff00ff00ff00ul);
	o[14] = (int)(r >> 32);
	o[15] = (int)r;
}
