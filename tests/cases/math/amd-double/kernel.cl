/* Every mathematical function of AMD's device library beside PoCL's: each result is stored
 * as it comes, so that the limits of the OpenCL C specification hold for it. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define PUT(x) out[at++ * n + i] = (x)
kernel void k(global const double *a, global const double *b, global double *out, global int *whole)
{
	size_t i = get_global_id(0), n = get_global_size(0), at = 0;
	double x = a[i], y = b[i], part;
	int e;

	PUT(acos(x));
	PUT(acosh(x));
	PUT(acospi(x));
	PUT(asin(x));
	PUT(asinh(x));
	PUT(asinpi(x));
	PUT(atan(x));
	PUT(atanh(x));
	PUT(atanpi(x));
	PUT(cbrt(x));
	PUT(cos(x));
	PUT(cosh(x));
	PUT(cospi(x));
	PUT(erf(x));
	PUT(erfc(x));
	PUT(exp(x));
	PUT(exp2(x));
	PUT(exp10(x));
	PUT(expm1(x));
	PUT(log(x));
	PUT(log2(x));
	PUT(log10(x));
	PUT(log1p(x));
	PUT(rsqrt(x));
	PUT(sin(x));
	PUT(sinh(x));
	PUT(sinpi(x));
	PUT(sqrt(x));
	PUT(tan(x));
	PUT(tanh(x));
	PUT(tanpi(x));
	PUT(lgamma(x));
	PUT(degrees(x));
	PUT(radians(x));
	PUT(atan2(x, y));
	PUT(atan2pi(x, y));
	PUT(fmod(x, y));
	PUT(hypot(x, y));
	PUT(pow(x, y));
	PUT(remainder(x, y));
	PUT(nextafter(x, y));
	PUT(fdim(x, y));
	PUT(tgamma(fabs(x)));
	PUT(sincos(x, &part));
	PUT(part);
	PUT(frexp(x, &e));
	whole[i] = e;
	PUT(ldexp(x, e));
	PUT(remquo(x, y, &e));
	whole[n + i] = e & 7;
	PUT(fract(x, &part));
	PUT(pown(x, (int)y));
	whole[2 * n + i] = ilogb(x);
}
