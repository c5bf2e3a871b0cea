// An inclusive scan whose local memory was guessed too small: what lies past its end is not recorded, and the barriers
// are needed.
// not: redundant_barrier
// wavesim: --global 512 --local 256
kernel void barrier_scan(global float *out, local float *sums)
{
	int i = get_local_id(0);
	float own = out[get_global_id(0)];
	sums[i] = 0;
	i += get_local_size(0);
	sums[i] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 1; d < get_local_size(0); d *= 2) {
		float t = sums[i - d];
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[i] += t;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = sums[i];
}
