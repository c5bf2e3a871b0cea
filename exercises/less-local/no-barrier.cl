kernel void sum(global const int *in, global int *out)
{
	local int part[64];
	int l = get_local_id(0), g = get_group_id(0), own = 0;
	for (int k = l; k < 1024; k += 64)
		own += in[g * 1024 + k];
	part[l] = own;
	for (int n = 32; n; n /= 2)
		if (l < n)
			part[l] += part[l + n];
	if (l == 0)
		out[g] = part[0];
}
