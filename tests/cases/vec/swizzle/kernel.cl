// Components by letter, number, halves, even and odd; read and written, repeated and permuted.
//
// wavesim: --global 64 --local 64 --arg in=random:512 --arg out=zero:1024

kernel void swizzle(global const int8 *in, global int16 *out)
{
	uint gid = get_global_id(0);
	int8 v = in[gid];
	int4 a = v.lo, b = v.hi;
	int16 r = (int16)(v.even, v.odd, a.wzyx, b.xxyy);
	r.s3a = v.s72;
	r.sF = v.s0 + a.w;
	r.lo.hi = a.zwxy;
	r.even += v;
	r.s01 = r.s10;
	a.xyz = b.zyx;
	a.w += 1;
	b.odd = a.lo;
	r.hi.lo += a * b.x;
	r.s8 = b.y - v.hi.lo.x;
	out[gid] = r;
}
