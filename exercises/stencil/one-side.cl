kernel void stencil(global const int *in, global int *out, int n)
{
	local int tile[64 + 16];
	int l = get_local_id(0), i = get_global_id(0);
	tile[l + 8] = i < n ? in[i] : 0;
	if (l < 8) {
		tile[l] = 0;
		tile[l + 72] = i + 64 < n ? in[i + 64] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	int sum = 0;
	for (int k = 0; k <= 16; k++)
		sum += tile[l + k];
	if (i < n)
		out[i] = sum;
}
