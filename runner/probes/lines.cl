// Loads that hit in L1: each element holds its own index, so a lane reads the same element in every turn. `step` sets how
// many lines, and which banks, the lanes of a wavefront touch.

kernel void lines(global uint *out, global const uint *in, uint step, uint mask, uint rounds)
{
	uint at = get_local_id(0) % 32 * step & mask;
	for (uint i = 0; i < rounds; i++)
		at = in[at];
	out[get_global_id(0)] = at;
}

// The same, with a store of the value in every turn. A compiler cannot know that the next load does not read it.
kernel void lines_kept(global uint *out, global uint *in, uint step, uint mask, uint rounds)
{
	uint at = get_local_id(0) % 32 * step & mask;
	for (uint i = 0; i < rounds; i++) {
		at = in[at];
		out[get_global_id(0)] = at;
	}
}
