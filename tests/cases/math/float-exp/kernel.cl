// Exponentials, logarithms, powers and roots of floats.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:4608

kernel void f32_exp_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 18;
	o[0] = exp(x);
	o[1] = exp2(x);
	o[2] = exp10(x);
	o[3] = expm1(x);
	o[4] = exp(-y);
	o[5] = exp2(y * 0.01f);
	o[6] = log(y);
	o[7] = log2(y);
	o[8] = log10(y);
	o[9] = log1p(y);
	o[10] = logb(y);
	o[11] = (float)ilogb(x);
	o[12] = cbrt(x);
	o[13] = pow(y, x);
	o[14] = powr(y, x);
	o[15] = pown(x, (int)y);
	o[16] = rootn(y, 3);
	o[17] = ldexp(x, (int)y);
}
