// Functions with a second result through a pointer: private, local and global.
//
// wavesim: --global 128 --local 64 --arg a=random(-50,50):128 --arg out=zero:2048 --arg n=zero:512

kernel void outputs(global const float *a, global float *out, global int *n)
{
	local float in_local[64];
	uint gid = get_global_id(0), lid = get_local_id(0);
	global float *o = out + gid * 16;
	global int *k = n + gid * 4;
	float x = a[gid], p;
	int e;
	o[0] = fract(x, &p);
	o[1] = p;
	o[2] = frexp(x, &e);
	k[0] = e;
	o[3] = modf(x, &o[4]);
	o[5] = sincos(x, &in_local[lid]);
	o[6] = in_local[lid];
	o[7] = remquo(x, 3.0f, &k[1]);
	o[8] = lgamma_r(fabs(x) + 0.5f, &k[2]);
	float4 v = (float4)(x, x * 2, x / 3, -x), w;
	float4 f = fract(v, &w);
	o[9] = f.x + f.y + f.z + f.w;
	o[10] = w.x + w.w;
	int4 q;
	v = frexp(v, &q);
	o[11] = v.y;
	k[3] = q.x + q.y * 256;
	o[12] = modf(v, &w).z;
	o[13] = w.z;
}
