// Memory, the whole device at work: how far apart neighbours are, how much one item moves at once,
// how many meet in one atomic.
#ifndef T
#define T uint
#endif

kernel void read_stride(global uint *out, global const uint *in, uint stride, uint mask)
{
	uint gid = get_global_id(0), n = get_global_size(0), sum = 0;
	for (uint k = 0; k < 4; k++)
		sum += in[(gid + k * n) * stride & mask];
	out[gid] = sum;
}

kernel void write_stride(global uint *out, uint stride, uint mask)
{
	uint gid = get_global_id(0);
	out[gid * stride & mask] = gid;
}

kernel void copy(global T *out, global const T *in)
{
	uint gid = get_global_id(0);
	out[gid] = in[gid];
}

kernel void atomic_spread(global uint *counters, uint spread, uint rounds)
{
	for (uint r = 0; r < rounds; r++)
		atomic_add(&counters[(get_global_id(0) + r * 64) % spread], 1u);
}
