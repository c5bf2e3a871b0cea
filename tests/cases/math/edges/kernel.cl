// Infinities, signed zeros, denormals and the largest floats through arithmetic and rounding. NaN
// results are stored as flags, because their bits are nobody's promise.
//
// wavesim: --global 144 --local 48 --arg out=zero:2304

float show(float x)
{
	return isnan(x) ? 12345.0f : x;
}

kernel void edges(global float *out)
{
	float list[12] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, 0x1p-149f, -0x1.8p-127f,
	                  0x1.fffffep127f, -0x1p-126f, 0x1p24f, 0.5f};
	uint gid = get_global_id(0);
	float x = list[gid % 12], y = list[gid / 12];
	global float *o = out + gid * 16;
	o[0] = show(x + y);
	o[1] = show(x - y);
	o[2] = show(x * y);
	o[3] = show(x / y);
	o[4] = show(fmin(x, y));
	o[5] = show(fmax(x, y));
	o[6] = show(floor(x));
	o[7] = show(rint(x * 0.5f));
	o[8] = show(sqrt(fabs(x)));
	o[9] = show(fma(x, y, 1.0f));
	o[10] = show(ldexp(x, -3));
	o[11] = show(copysign(x, y));
	o[12] = show(fdim(x, y));
	o[13] = (float)ilogb(x == 0.0f || isinf(x) ? 1.0f : x);
	o[14] = show(trunc(x) + ceil(y));
	o[15] = x < y ? 1.0f : x == y ? 2.0f : 3.0f;
}
