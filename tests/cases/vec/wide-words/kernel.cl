// Vectors and structs written in one form and read in another: LLVM makes integers of 192 to
// 1024 bits of them.
// wavesim: --global 128 --local 64 --arg out=zero:512 --arg in=random(0,1000000000000000000):2048 --arg scratch=zero:1024
typedef struct Pair { ulong4 a; uint b[2]; } Pair;

/* A pointer to one of two vectors, which is then read in part. */
uint chosen(ulong3 x, ulong3 y, uint i)
{
	ulong3 p[2] = {x, y};
	ulong3 *q = i % 3 ? &p[i & 1] : &p[i >> 1 & 1];
	*q += (ulong3)(i);
	return (uint)(*q).s2 + (uint)p[0].s1;
}

/* A vector as bytes, words and halves at places that are not known. */
uint pieces(ulong4 x, uint i)
{
	union { ulong4 v; uint w[8]; uchar b[32]; ushort8 h[2]; } u;
	u.v = x;
	uint r = u.w[5] ^ u.b[7] ^ u.h[1].s3;
	u.b[9] = (uchar)i;
	u.h[0].s6 = (ushort)(i * 3);
	u.w[7] += r;
	return r + (uint)(u.v.y >> 8) + (uint)u.v.w + (uint)(u.v.w >> 33);
}

uint halves(ulong8 x, uint i)
{
	ulong8 s = x << (ulong8)(i & 31);
	ulong4 a[2];
	a[i & 1] = s.lo;
	a[~i & 1] = s.hi;
	uint2 t = as_uint2(a[0].z);
	return t.x ^ t.y ^ (uint)a[1].w;
}

/* Stored as a vector, read one by one. */
uint folded(long8 x, uint i, global long *o)
{
	uint h = 0x811c9dc5u;
	vstore8(x << (long8)(i & 63), 0, o);
	for (uint k = 0; k < 8; k++)
		h = (h ^ (uint)o[k] ^ (uint)(o[k] >> 32)) * 0x01000193u;
	return h;
}

kernel void test(global uint *out, global const ulong8 *in, global long *scratch)
{
	uint i = (uint)get_global_id(0);
	ulong8 v = in[i];
	Pair p = {v.lo, {i, i + 1}}, q = {v.hi, {i + 2, i}};
	Pair *r = i % 5 ? &p : &q;
	r->a.y = i;
	out[i * 4] = chosen(v.s012, v.s456, i);
	out[i * 4 + 1] = pieces(v.lo, i);
	out[i * 4 + 2] = halves(v, i);
	out[i * 4 + 3] = folded(as_long8(v), i, scratch + i * 8) + (uint)r->a.x + (uint)(p.a.y >> 3) + r->b[i & 1];
}
