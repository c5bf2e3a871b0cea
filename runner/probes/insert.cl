// Each wavefront of 32 searches a sorted list, all of its lanes alike, and then puts keys into a table in local memory, of
// each lane below `lanes` one.
#ifndef TABLE
#define TABLE 1024
#endif
#define NOTHING 0xFFFFFFFF

kernel void insert(global const uint *list, global uint *out, uint n, uint lanes, uint rounds)
{
	local uint table[TABLE], count[64];
	uint lid = get_local_id(0), lane = lid % 32, seed = get_global_id(0) / 32;
	for (uint i = lid; i < TABLE; i += get_local_size(0))
		table[i] = NOTHING;
	count[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint r = 0; r < rounds; r++) {
		uint first = 0, end = n, want = (seed * 2654435761u + r * 40503u) >> 8;
		uint middle = n / 2;
		while (first < end) {
			if (list[middle] == want)
				break;
			if (list[middle] < want)
				first = middle + 1;
			else
				end = middle;
			middle = first + (end - first) / 2;
		}
		for (uint k = lane; k < lanes; k += 32) {
			uint key = (first * 33 + k * 7 + r) & 0xFFFFFF, place = key * 107 & (TABLE - 1);
			while (true) {
				if (table[place] == key)
					break;
				if (table[place] == NOTHING) {
#ifdef STORE
					table[place] = key;
					count[lid]++;
					break;
#else
					if (atomic_cmpxchg(&table[place], NOTHING, key) == NOTHING) {
						count[lid]++;
						break;
					}
#endif
				} else {
					place = (place + 1) & (TABLE - 1);
				}
			}
		}
	}
	out[get_global_id(0)] = count[lid];
}
