// Error and gamma functions.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:1536

kernel void special_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 6;
	o[0] = erf(x);
	o[1] = erfc(x);
	o[2] = tgamma(y);
	o[3] = lgamma(y);
	o[4] = erf(y * 0.1f);
	o[5] = tgamma(x + 0.5f);
}
