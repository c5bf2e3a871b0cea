// Reads at random places of an array of n elements: of each lane, of half a wavefront together, of all of it; `follow` needs
// each value for the place of the next.
uint next_of(uint x) { return x * 1664525u + 1013904223u; }
uint first_of(uint x) { return x * 2654435761u + 12345u; }
uint place_of(uint x, uint n) { return (uint)((ulong)x * n >> 32); }

#define GATHER(name, lanes) \
	kernel void name(global uint *out, global const uint *in, uint n, uint rounds) \
	{ \
		uint id = get_global_id(0), x = first_of(id / lanes), sum = 0; \
		for (uint r = 0; r < rounds; r++) { \
			x = next_of(x); \
			sum += in[place_of(x, n / lanes) * lanes + id % lanes]; \
		} \
		out[id] = sum; \
	}

GATHER(gather, 1)
GATHER(halves, 16)
GATHER(rows, 32)

kernel void follow(global uint *out, global const uint *in, uint n, uint rounds)
{
	uint id = get_global_id(0), x = first_of(id);
	for (uint r = 0; r < rounds; r++)
		x = next_of(in[place_of(x, n)]);
	out[id] = x;
}
