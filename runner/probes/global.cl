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

kernel void fill(global T *out)
{
	uint gid = get_global_id(0);
	out[gid] = (T)(gid);
}

// Of each 32 bytes the first `part` dwords.
kernel void write_part(global uint *out, uint part)
{
	uint gid = get_global_id(0);
	out[gid / part * 8 + gid % part] = gid;
}

// Of each 128 bytes the first `part` times 32.
#define LINE (128 / sizeof(T))
kernel void write_sector(global T *out, uint part)
{
	uint gid = get_global_id(0), n = part * LINE / 4;
	out[gid / n * LINE + gid % n] = (T)(gid);
}

kernel void read_sector(global uint *out, global const T *in, uint part)
{
	uint gid = get_global_id(0), n = part * LINE / 4;
	T v = in[gid / n * LINE + gid % n];
	if (((uint *)&v)[0] == 0xdeadbeef) // never: nothing is written
		out[0] = gid;
}

// Reads that L1 answers, at addresses that cost no arithmetic.
kernel void read_fixed(global T *out, global const T *in)
{
	uint lid = get_local_id(0);
	T sum = (T)(0);
#pragma unroll
	for (uint k = 0; k < 64; k++)
		sum ^= in[lid + k * 16];
	out[get_global_id(0)] = sum;
}

// Reads that L1 answers, `shift` elements behind the beginning of a line.
kernel void read_shift(global T *out, global const T *in, uint shift, uint mask)
{
	uint gid = get_global_id(0);
	T sum = (T)(0);
	for (uint k = 0; k < 64; k++)
		sum ^= in[(gid + k * 256 & mask) + shift];
	out[gid] = sum;
}

// The same, `lanes` neighbours at one address.
kernel void read_together(global T *out, global const T *in, uint lanes, uint mask)
{
	uint gid = get_global_id(0), from = gid / lanes;
	T sum = (T)(0);
	for (uint k = 0; k < 64; k++)
		sum ^= in[from + k * 256 & mask];
	out[gid] = sum;
}

// All groups read the same elements, again and again.
kernel void read_again(global T *out, global const T *in, uint mask)
{
	uint gid = get_global_id(0);
	T sum = (T)(0);
	for (uint k = 0; k < 64; k++)
		sum ^= in[gid + k * 256 & mask];
	out[gid] = sum;
}

// All groups write the same elements, again and again: each element its index.
kernel void write_again(global T *out, uint mask)
{
	uint gid = get_global_id(0);
	for (uint k = 0; k < 64; k++)
		out[gid + k * 256 & mask] = (T)(gid + k * 256 & mask);
}

// Each item writes one element in every turn, as a loop does that keeps its sum in memory.
kernel void write_own(global volatile uint *out, uint rounds)
{
	uint gid = get_global_id(0);
	for (uint r = 0; r < rounds; r++)
		out[gid] = r;
}

kernel void add(global T *out, global const T *a, global const T *b)
{
	uint gid = get_global_id(0);
	out[gid] = a[gid] + b[gid];
}

kernel void update(global T *out)
{
	out[get_global_id(0)] += (T)(1);
}

// Nothing is written: no element of an iota is that large.
kernel void read_all(global T *out, global const T *in)
{
	uint gid = get_global_id(0);
	T v = in[gid];
	if (((uint *)&v)[0] == 0xdeadbeef)
		out[0] = v;
}

// Neighbours meet in no address; `apart` dwords lie between theirs.
kernel void atomic_apart(global uint *counters, uint apart, uint mask, uint rounds)
{
	for (uint r = 0; r < rounds; r++)
		atomic_add(&counters[(get_global_id(0) + r * 64) * apart & mask], 1u);
}

kernel void atomic_spread(global uint *counters, uint spread, uint rounds)
{
	for (uint r = 0; r < rounds; r++)
		atomic_add(&counters[(get_global_id(0) + r * 64) % spread], 1u);
}
