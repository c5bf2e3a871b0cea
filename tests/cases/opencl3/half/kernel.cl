// Arithmetic of halves, and vectors of them.
//
// wavesim: --global 64 --local 64 --arg a=random:64 --arg v=random:64 --arg o=zero:64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void halves(global const half *a, global const half4 *v, global half4 *o)
{
	int g = get_global_id(0);
	half x = a[g], y = a[63 - g];
	half4 r = v[g] * x + (half4)(y, 1.0h, 2.0h, -x);
	r.x = x > y ? r.x / 3.0h : fma(x, y, r.x);
	r.y = fmax(x, y) - (half)g;
	r.z = (half)convert_int(x * 100.0h);
	r.w += sqrt(fabs(y));
	o[g] = r;
}
