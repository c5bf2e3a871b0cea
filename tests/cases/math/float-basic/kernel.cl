// Float arithmetic: the four operations, fused forms, roots.
//
// wavesim: --global 256 --local 64 --arg a=random(-10,10):256 --arg b=random(0.1,9):256
// wavesim: --arg out=zero:4096

kernel void f32_basic_family(global const float *a, global const float *b, global float *out)
{
	uint gid = get_global_id(0);
	float x = a[gid], y = b[gid];
	global float *o = out + gid * 16;
	o[0] = x + y;
	o[1] = x - y;
	o[2] = x * y;
	o[3] = x / y;
	o[4] = x * y + 1;
	o[5] = fma(x, y, -x);
	o[6] = mad(x, y, y);
	o[7] = -x;
	o[8] = fabs(x);
	o[9] = sqrt(y);
	o[10] = rsqrt(y);
	o[11] = 1 / y;
	o[12] = x * x - y * y;
	o[13] = (x + y) * (x - y) / (y + 1);
	o[14] = fmod(x, y);
	o[15] = hypot(x, y);
}
