// Rounding, smaller and larger, remainders and the common functions of doubles.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:6144

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void f64_round_family(global const double *a, global const double *b, global double *out)
{
	uint gid = get_global_id(0);
	double x = a[gid], y = b[gid];
	global double *o = out + gid * 24;
	o[0] = floor(x);
	o[1] = ceil(x);
	o[2] = trunc(x);
	o[3] = rint(x);
	o[4] = round(x);
	o[5] = rint(x + 0.5);
	o[6] = round(trunc(x) + 0.5);
	o[7] = fmin(x, y);
	o[8] = fmax(x, y);
	o[9] = fdim(x, y);
	o[10] = remainder(x, y);
	o[11] = copysign(y, x);
	o[12] = nextafter(x, y);
	o[13] = maxmag(x, y);
	o[14] = minmag(x, y);
	o[15] = clamp(x, -y, y);
	o[16] = degrees(x);
	o[17] = radians(x);
	o[18] = mix(x, y, 0.25);
	o[19] = step(x, y);
	o[20] = smoothstep(0.0, 9.0, y);
	o[21] = sign(x);
	o[22] = min(x, y);
	o[23] = max(x, y);
}
