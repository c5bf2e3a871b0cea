// wavesim: --global 262144 --local 256 --arg at=random:262144 --arg sum=zero:65536
// device: h200
// not: same_swap
kernel void scatter(global const uint *at, global uint *sum)
{
	global uint *p = sum + (at[get_global_id(0)] & 65535);
	uint seen, was = *p;
	do {
		seen = was;
		was = atomic_cmpxchg(p, seen, as_uint(as_float(seen) + 1.0f));
	} while (was != seen);
}
