kernel void sort(global int *a)
{
	local int v[64];
	int l = get_local_id(0);
	v[l] = a[get_global_id(0)];
	for (int step = 0; step < 64; step++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l % 2 == step % 2 && l < 63 && v[l] > v[l + 1]) {
			int x = v[l];
			v[l] = v[l + 1];
			v[l + 1] = x;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = v[l];
}
