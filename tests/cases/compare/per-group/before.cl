// One result for each work-group, and values from a struct; the second file takes a wrong neighbour.
// wavesim: --global 1024 --local 64 --arg a=iota:1024 --arg out=zero:16
kernel void sum(global const int2 *a, global int *out)
{
	local int t[64];
	int l = get_local_id(0);
	t[l] = a[get_global_id(0) / 2].x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 63) {
		int s = 0;
		for (int i = 0; i < 64; i++)
			s += t[i];
		out[get_group_id(0)] = s;
	}
}
