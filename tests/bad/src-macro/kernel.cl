kernel void scale(global const int *a, global int *out, int n)
{
	int gid = get_global_id(0);
	if (gid < n)
		out[gid] = a[gid] * FACTOR;
}
