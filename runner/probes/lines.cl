// Loads that the first cache answers: each lane's next place is the value that it reads, its own place. How many lines the
// lanes touch, and which banks, says `step`.

kernel void lines(global uint *out, global const uint *in, uint step, uint mask, uint rounds)
{
	uint at = get_local_id(0) % 32 * step & mask;
	for (uint i = 0; i < rounds; i++)
		at = in[at];
	out[get_global_id(0)] = at;
}

// Each turn stores what it read, too; the next load may read that.
kernel void lines_kept(global uint *out, global uint *in, uint step, uint mask, uint rounds)
{
	uint at = get_local_id(0) % 32 * step & mask;
	for (uint i = 0; i < rounds; i++) {
		at = in[at];
		out[get_global_id(0)] = at;
	}
}
