// printf with every conversion that OpenCL C has. One work-group: the order is that of the items.
//
// wavesim: --global 3 --local 3 --arg out=zero:3

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void prints(global int *out)
{
	uint gid = get_global_id(0);
	int i = (int)gid * 100 - 50;
	float f = (float)gid * 1.25f - 0.5f;
	printf("item %u: %d|%5d|%-5d|%05d|%+d|%i\n", gid, i, i, i, i, i, i);
	printf("%x %X %#x %o %#o %c %s %%\n", i, i, i, i, i, 'a' + (int)gid, "text");
	printf("%ld %lu %lx %hd %hhd\n", (long)i << 33, ~0ul - gid, (long)i, (short)i, (char)i);
	printf("%f|%.2f|%10.3f|%-10.1f|%e|%g|%G|%a\n", f, f, f, f, f, f, f * 1e10f, f);
	printf("%s|%8s|%-8s|%.3s|\n", "abc", "abc", "abc", "abcdef");
	float4 v = (float4)(f, 1.0f, 2.5f, -3.0f);
	printf("%v4hlf %.1v4hlf\n", v, v);
	printf("%v2hld %#v4hhx %v3hd\n", (int2)(i, 7), (uchar4)(1, 2, 250, (uchar)gid), (short3)(1, -2, 3));
	if (gid == 1)
		printf("only one\n");
	for (uint k = 0; k < gid; k++)
		printf("%u,", k);
	out[gid] = printf("\n");
}
