// Sums by compare-and-swap at places that lie close to each other.

// Of the first lanes of 32; `step` floats from place to place.
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

// A histogram: of 32 lanes, `same` neighbours each come to one place, and the next ones to the next place. What a swap
// that failed has seen is what the next one expects.
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
