// Math functions on vectors of 2, 3, 4, 8 and 16, with scalar second operands where allowed.
//
// wavesim: --global 64 --local 32 --arg a=random(-4,4):64 --arg out=zero:192

kernel void vectors(global const float16 *a, global float16 *out)
{
	uint gid = get_global_id(0);
	float16 v = a[gid], r, s;
	r.lo = sin(v.lo) + cos(v.hi);
	r.s89ab = exp(v.s0123) * log(fabs(v.s4567) + 1.0f);
	r.scde = pow(fabs(v.s012) + 0.1f, v.s345);
	r.sf = tan(v.s0);
	s.lo = clamp(v.lo, -1.0f, 1.0f) + mix(v.lo, v.hi, 0.5f);
	s.s89 = hypot(v.s01, v.s23);
	s.sab = fmin(v.s45, 0.0f) - max(v.s67, v.s89);
	s.scdef = fma(v.s0123, v.s4567, v.s89ab) + ldexp(v.scdef, 3);
	out[gid * 3] = r;
	out[gid * 3 + 1] = s;
	out[gid * 3 + 2] = atan2(v, r) + floor(v) + sqrt(fabs(v)) + pown(v, (int16)(3)) + tanh(s * 0.1f);
}
