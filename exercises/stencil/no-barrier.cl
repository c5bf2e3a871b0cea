kernel void stencil(global const int *in, global int *out, int n)
{
	local int tile[64 + 16];
	int l = get_local_id(0), i = get_global_id(0), first = i - l - 8;
	for (int k = l; k < 64 + 16; k += 64)
		tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0;
	int sum = 0;
	for (int k = 0; k <= 16; k++)
		sum += tile[l + k];
	if (i < n)
		out[i] = sum;
}
