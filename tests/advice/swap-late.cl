// wavesim: --global 65536 --local 256 --arg a=iota:65536 --arg sum=zero:1
// device: h200
// not: same_swap
kernel void total(global const float *a, global uint *sum)
{
	local float part[256];
	uint l = get_local_id(0);
	part[l] = a[get_global_id(0)] * 0.5f;
	for (uint n = 128; n; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < n)
			part[l] += part[l + n];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l != 64) // one of the third wavefront does it for its work-group
		return;
	uint seen, was = *sum;
	do {
		seen = was;
		was = atomic_cmpxchg(sum, seen, as_uint(as_float(seen) + part[0]));
	} while (was != seen);
}
