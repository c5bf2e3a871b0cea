// Tables in constant memory, at indices of each lane's own, and at one that all lanes of 32 share. -D SIZE=64: elements.
#ifdef SIZE
constant uint table[SIZE] = {11, 48, 85, 122, 159, 196, 233, 19};
#define READ(own) \
	uint i = get_global_id(0), n = (own) * 2654435761u, sum = 0; \
	for (uint r = 0; r < rounds; r++) { \
		n = n * 1664525 + 1013904223; \
		sum += table[n >> 16 & (SIZE - 1)]; \
	} \
	out[i] = sum;

kernel void table_lanes(global uint *out, uint rounds)
{
	READ(i)
}

kernel void table_same(global uint *out, uint rounds)
{
	READ(i / 32)
}
#else
// The table is an argument: no program with the kernels above has one.
kernel void table_argument(constant uint *table, global uint *out, uint mask, uint rounds)
{
	uint i = get_global_id(0), n = i * 2654435761u, sum = 0;
	for (uint r = 0; r < rounds; r++) {
		n = n * 1664525 + 1013904223;
		sum += table[n >> 16 & mask];
	}
	out[i] = sum;
}
#endif
