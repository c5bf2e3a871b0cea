__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void scale(global const int *a, global int *out, int n)
{
	int gid = get_global_id(0);
	if (gid < n)
		out[gid] = a[gid] * 3;
}
