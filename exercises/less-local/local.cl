// wavesim: --global 1024 --local 64 --arg in=random(0,99):16384 --arg out=zero:16
kernel void sum(global const int *in, global int *out)
{
	local int all[1024];
	int l = get_local_id(0), g = get_group_id(0);
	for (int k = l; k < 1024; k += 64)
		all[k] = in[g * 1024 + k];
	for (int n = 512; n; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = l; k < n; k += 64)
			all[k] += all[k + n];
	}
	if (l == 0)
		out[g] = all[0];
}
