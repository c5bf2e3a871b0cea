// Rounding, smaller and larger, remainders and the common functions of floats.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:6144

kernel void f32_round_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 24;
	o[0] = floor(x);
	o[1] = ceil(x);
	o[2] = trunc(x);
	o[3] = rint(x);
	o[4] = round(x);
	o[5] = rint(x + 0.5f);
	o[6] = round(trunc(x) + 0.5f);
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
	o[18] = mix(x, y, 0.25f);
	o[19] = step(x, y);
	o[20] = smoothstep(0.0f, 9.0f, y);
	o[21] = sign(x);
	o[22] = min(x, y);
	o[23] = max(x, y);
}
