// Each wavefront of 32 lanes stores to one of `places` addresses, `step` elements apart.
kernel void meet_store(global uint *out, uint places, uint step)
{
	uint i = get_global_id(0);
	out[i / 32 % places * step] = i;
}

// A copy, in which work-items whose element is below a limit also store to one flag.
kernel void meet_raise(global const uint *in, global uint *out, global uint *flag, uint limit)
{
	uint i = get_global_id(0), v = in[i];
	out[i] = v + 1;
	if (v < limit)
		*flag = 1;
}

// Volatile loads, which bypass L1: all lanes of a wavefront read one of `places` addresses.
kernel void meet_load(volatile global const uint *in, global uint *out, uint places, uint rounds)
{
	uint i = get_global_id(0), sum = 0;
	for (uint r = 0; r < rounds; r++)
		sum += in[(i / 32 + r) % places * 32];
	out[i] = sum;
}

// Float additions by compare-and-swap: the first `lanes` lanes of each wavefront of 32 add to one of `places` addresses.
kernel void meet_swap(global float *sum, uint places, uint lanes, uint rounds)
{
	uint i = get_global_id(0);
	volatile global uint *p = (volatile global uint *)(sum + i / 32 % places * 32);
	if (i % 32 >= lanes)
		return;
	for (uint r = 0; r < rounds; r++) {
		uint was, now;
		do {
			was = *p;
			now = as_uint(as_float(was) + 1.0f);
		} while (atomic_cmpxchg(p, was, now) != was);
	}
}
