// wavesim: --global 8192 --local 64 --arg n=5
/* All kinds of memory. Also run in part: what the report has of the whole launch is scaled then. */
kernel void sample(global const int *in, global int *out, global int *sum, constant int *table, int n)
{
	local int tile[64];
	int own[32], l = get_local_id(0), g = get_global_id(0);
	for (int i = 0; i < 32; i++)
		own[(i * n) & 31] = in[(g + i) & 1023];
	tile[l] = own[l & 31] + table[n];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[g] = tile[63 - l] + own[(l + n) & 31];
	atomic_add(&sum[l & 7], 1);
}
