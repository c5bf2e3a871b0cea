// AMD's cl_amd_media_ops and cl_amd_media_ops2, beside the same written out.
//
// wavesim: --global 64 --local 64 --arg a=random(0,65535):192
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable

kernel void media(global const uint *a)
{
	uint g = get_global_id(0), x = a[g] * 65537u, y = a[g + 64] * 40503u, n = a[g + 128];
	uint4 v = amd_bitalign((uint4)(x, y, x, y), (uint4)y, (uint4)(n, 1, 2, 3));
	uint bad = 0;
	bad |= v.x != (uint)(((ulong)x << 32 | y) >> (n & 31));
	bad |= (v.w != (y >> 3 | y << 29)) << 1;
	bad |= (amd_bytealign(x, y, n) != (uint)(((ulong)x << 32 | y) >> 8 * (n & 3))) << 2;
	bad |= (amd_bfe(x, 5u, 7u) != (x >> 5 & 127)) << 3;
	bad |= (amd_bfe((int)x, 5u, 7u) != (int)(x << 20) >> 25) << 4;
	bad |= (amd_bfm(7u, 3u) != 127u << 3) << 5;
	bad |= (amd_unpack2(x) != (float)(x >> 16 & 255)) << 6;
	bad |= (amd_median3(x, y, n) != max(min(x, y), min(max(x, y), n))) << 7;
	bad |= (amd_min3(1.0f, (float)x, 2.0f) != fmin(1.0f, (float)x)) << 8;
	bad |= (amd_sadd(x, y, n) != abs_diff(x, y) + n) << 9;
	if (bad || !g)
		printf("%u: %x\n", g, bad);
}
