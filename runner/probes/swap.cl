// Float additions by compare-and-swap at addresses that share a cache line or a channel of L2.

// The first `lanes` lanes of each wavefront of 32 add to one of `places` addresses, `step` floats apart.
kernel void swap_near(global float *sum, uint places, uint step, uint lanes, uint rounds)
{
	uint i = get_global_id(0);
	volatile global uint *p = (volatile global uint *)(sum + i / 32 % places * step);
	if (i % 32 >= lanes)
		return;
	for (uint r = 0; r < rounds; r++) {
		uint was, next;
		do {
			was = *p;
			next = as_uint(as_float(was) + 1.0f);
		} while (atomic_cmpxchg(p, was, next) != was);
	}
}

// A histogram: in each wavefront of 32, every `same` adjacent lanes add to one bin. A compare-and-swap that fails returns
// the value that the next attempt expects.
kernel void swap_bins(global float *sum, uint places, uint same, uint rounds)
{
	uint i = get_global_id(0);
	volatile global uint *p = (volatile global uint *)(sum + (i / 32 * 7 + i % 32 / same) % places);
	for (uint r = 0; r < rounds; r++) {
		uint was, seen = *p;
		do {
			was = seen;
			seen = atomic_cmpxchg(p, was, as_uint(as_float(was) + 1.0f));
		} while (seen != was);
	}
}

// Each wavefront of 32 adds to one of `rows` rows of 32 floats, a lane to each, and says how often it tried.
kernel void swap_rows(global float *sum, uint rows, uint rounds, global uint *tries)
{
	uint i = get_global_id(0), n = 0;
	volatile global uint *p = (volatile global uint *)(sum + i / 32 % rows * 32 + i % 32);
	for (uint r = 0; r < rounds; r++) {
		uint was, next;
		do {
			n++;
			was = *p;
			next = as_uint(as_float(was) + 1.0f);
		} while (atomic_cmpxchg(p, was, next) != was);
	}
	tries[i] = n;
}
