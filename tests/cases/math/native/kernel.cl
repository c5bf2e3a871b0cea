// The native_ and half_ functions.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:6656

kernel void native_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 26;
	o[0] = native_sin(x);
	o[1] = native_cos(x);
	o[2] = native_exp(x);
	o[3] = native_exp2(x);
	o[4] = native_exp10(x * 0.3f);
	o[5] = native_log(y);
	o[6] = native_log2(y);
	o[7] = native_log10(y);
	o[8] = native_sqrt(y);
	o[9] = native_rsqrt(y);
	o[10] = native_recip(y);
	o[11] = native_divide(x, y);
	o[12] = native_powr(y, x);
	o[13] = native_tan(x);
	o[14] = half_sin(x);
	o[15] = half_cos(x);
	o[16] = half_exp(x);
	o[17] = half_exp2(x);
	o[18] = half_log(y);
	o[19] = half_log2(y);
	o[20] = half_sqrt(y);
	o[21] = half_rsqrt(y);
	o[22] = half_recip(y);
	o[23] = half_divide(x, y);
	o[24] = half_powr(y, x);
	o[25] = half_tan(x);
}
