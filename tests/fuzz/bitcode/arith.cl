/* Every width, vectors, conversions, wide integers; two kernels. */
#include "launch_values.h"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void ints(global long8 *a, global uchar16 *b, global ulong *c, char s, ushort t)
{
	ulong i = _local_id_x;
	long8 x = a[i];
	uchar16 y = b[i];
	x = (x << (long8)(s & 63)) - (x >> (long8)3) * (long8)t;
	y = (y & (uchar16)0x3f) + (y / (uchar16)(uchar)(s | 1));
	x.s0 = x.s1 % (x.s2 | 1);
	x.s3 = y.s7 > y.s9 ? (long)(short)t : x.s4;
	a[i] = x;
	b[i] = y.s76543210fedcba98;
	c[i] = (ulong)(((c[i] >> 32) * (ulong)t) ^ (uint)x.s5) & (c[i] != 0 ? ~0ul : 7ul);
}

kernel void reals(global double2 *d, global float *f, global int3 *n, float k)
{
	ulong i = _local_id_x;
	double2 x = d[i];
	float y = f[i] * k + (float)x.x;
	x.y = (double)y - x.x / (double)(i + 1);
	n[i] = (int3)((int)y, (int)x.y, (int)(uint)(ulong)x.x);
	d[i] = y < 0.5f ? x : (double2)(y);
	f[i] = (float)n[i].z - y;
}
