// wavesim: --global 65536 --local 256 --arg a=iota:65536 --arg sum=zero:1
// device: h200
kernel void total(global const float *a, global uint *sum)
{
	float v = a[get_global_id(0)] * 0.5f;
	uint seen, was = *sum;
	do {
		seen = was;
		was = atomic_cmpxchg(sum, seen, as_uint(as_float(seen) + v)); // flaw: same_swap
	} while (was != seen);
}
