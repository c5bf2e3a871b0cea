// NaN and infinity known when compiling: the library's functions convert them to integers on
// the way, which must not make the optimiser drop the code (PoCL 6 does: the results are those by hand).
// wavesim: --global 64 --local 64 --arg out=zero:512 --arg outd=zero:256 --arg x=1.5
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

uint kind(float x) { return isnan(x) ? 1 : isinf(x) ? 2 : x == 0 ? 3 : 4; }
uint kind_double(double x) { return isnan(x) ? 1 : isinf(x) ? 2 : x == 0 ? 3 : 4; }

kernel void test(global uint *out, global uint *outd, float x)
{
	uint i = (uint)get_global_id(0);
	float n = as_float(0x7fc00000), f = fdim(n, 1.0f);
	out[i * 8] = kind(floor(f));
	out[i * 8 + 1] = kind(ceil(n)) + 16 * kind(trunc(n));
	out[i * 8 + 2] = kind(round(n)) + 16 * kind(rint(-INFINITY));
	out[i * 8 + 3] = kind(floor(INFINITY)) + 16 * kind(trunc(-INFINITY));
	out[i * 8 + 4] = kind(sin(n)) + 16 * kind(cos(INFINITY));
	out[i * 8 + 5] = kind(exp(n)) + 16 * kind(exp(-INFINITY)) + 256 * kind(exp2(1000.0f));
	out[i * 8 + 6] = kind(fmod(n, x)) + 16 * kind(remainder(INFINITY, x));
	out[i * 8 + 7] = kind(pow(n, x)) + 16 * kind(ldexp(n, 3)) + 256 * kind(log(n));
	double d = as_double(0x7ff8000000000000);
	outd[i * 4] = kind_double(floor(d)) + 16 * kind_double(ceil(d));
	outd[i * 4 + 1] = kind_double(trunc(d)) + 16 * kind_double(rint(-(double)INFINITY));
	outd[i * 4 + 2] = kind_double(sin(d)) + 16 * kind_double(exp(d));
	outd[i * 4 + 3] = kind_double(fmod(d, (double)x)) + 16 * kind_double(pow((double)x, d));
}
