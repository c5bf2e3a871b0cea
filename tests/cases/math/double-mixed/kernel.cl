// Doubles beside floats and longs: sums in higher precision, vectors, comparisons, selections.
//
// wavesim: --global 128 --local 64 --arg a=random:512 --arg out=zero:512

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void mixed(global const float *a, global double *out)
{
	local double tile[64];
	uint gid = get_global_id(0), lid = get_local_id(0);
	double sum = 0.0, lost = 0.0;
	for (uint i = 0; i < 16; i++) {
		double x = (double)a[(gid * 7 + i * 31) & 511] - lost, t = sum + x;
		lost = (t - sum) - x;
		sum = t;
	}
	tile[lid] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	double4 v = (double4)(sum, tile[63 - lid], (double)gid, 1e-3);
	v = v * v.yxwz + 0.5;
	long4 less = v < v.wzyx;
	v = less ? v : -v;
	double m = fmax(v.x, fma(v.y, v.z, v.w));
	out[gid * 4] = sum;
	out[gid * 4 + 1] = m > 3.0 ? m / 3.0 : m * (double)(float)sum;
	out[gid * 4 + 2] = (double)(long)(sum * 1e6) - (double)(ulong)gid;
	out[gid * 4 + 3] = dot(v, v) + v.x;
}
