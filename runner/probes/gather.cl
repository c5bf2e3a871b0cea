// Random reads from an array of n elements: `gather` reads 4 bytes per lane, `halves` 64 bytes per half of a wavefront of
// 32 lanes, `rows` 128 bytes per wavefront. In `follow` the index of each read comes from the value of the one before it.
uint next_random(uint x) { return x * 1664525u + 1013904223u; }
uint first_random(uint x) { return x * 2654435761u + 12345u; }
uint index_of(uint x, uint n) { return (uint)((ulong)x * n >> 32); }

#define GATHER(name, lanes) \
	kernel void name(global uint *out, global const uint *in, uint n, uint rounds) \
	{ \
		uint id = get_global_id(0), x = first_random(id / lanes), sum = 0; \
		for (uint r = 0; r < rounds; r++) { \
			x = next_random(x); \
			sum += in[index_of(x, n / lanes) * lanes + id % lanes]; \
		} \
		out[id] = sum; \
	}

GATHER(gather, 1)
GATHER(halves, 16)
GATHER(rows, 32)

kernel void follow(global uint *out, global const uint *in, uint n, uint rounds)
{
	uint id = get_global_id(0), x = first_random(id);
	for (uint r = 0; r < rounds; r++)
		x = next_random(in[index_of(x, n)]);
	out[id] = x;
}
