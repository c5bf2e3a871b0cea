// Trigonometric and hyperbolic functions of floats and their inverses.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:5632

kernel void f32_trig_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 22;
	o[0] = sin(x);
	o[1] = cos(x);
	o[2] = tan(x);
	o[3] = sin(x * 1000);
	o[4] = cos(y * 1e5f);
	o[5] = sinpi(x);
	o[6] = cospi(x);
	o[7] = tanpi(x * 0.3f);
	o[8] = asin(x * 0.1f);
	o[9] = acos(x * 0.1f);
	o[10] = atan(x);
	o[11] = atan2(x, y);
	o[12] = asinpi(x * 0.1f);
	o[13] = acospi(x * 0.1f);
	o[14] = atanpi(x);
	o[15] = atan2pi(y, x);
	o[16] = sinh(x);
	o[17] = cosh(x);
	o[18] = tanh(x);
	o[19] = asinh(x);
	o[20] = acosh(y + 1);
	o[21] = atanh(x * 0.099f);
}
