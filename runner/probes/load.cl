// Memory under load: latency of DRAM reads, bandwidth of copies by tiles, issue cost of loads, rate of stores.
#ifndef T
#define T uint
#define FIRST(v) v
#else
#define FIRST(v) (v).x
#endif

// Each work-item has one read in flight: the next address depends on its value. `in` holds zeros.
kernel void far(global T *in, global uint *out, uint n)
{
	uint i = get_global_id(0), step = get_global_size(0);
	while (i < n)
		i += step + FIRST(in[i]);
	if (i == 1)
		out[0] = i;
}

// As `far`, with a write of each value.
kernel void far_copy(global T *in, global T *out, uint n)
{
	uint i = get_global_id(0), step = get_global_size(0);
	while (i < n) {
		T v = in[i];
		out[i] = v;
		i += step + FIRST(v);
	}
}

// Copies a matrix; each work-group copies one tile.
kernel void tiles(global uint *out, global const uint *in)
{
	size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
	out[i] = in[i] + 1;
}

// Each turn has eight loads that hit L1, and FMAS multiply-adds.
#ifndef FMAS
#define FMAS 0
#endif
kernel void beside(global uint *out, global const uint *in, uint mask, uint rounds, float b)
{
	uint gid = get_local_id(0), sum = 0;
	float x[8];
	for (uint k = 0; k < 8; k++)
		x[k] = gid + k;
	for (uint r = 0; r < rounds; r++) {
		global const uint *p = in + (gid + r & mask);
		sum += p[0] + p[32] + p[64] + p[96] + p[128] + p[160] + p[192] + p[224];
#pragma unroll
		for (uint k = 0; k < FMAS; k++)
			x[k & 7] = fma(x[k & 7], b, b);
	}
	for (uint k = 0; k < 8; k++)
		sum += (uint)x[k];
	out[get_global_id(0)] = sum;
}

// Eight loads that hit L1, with address arithmetic for each.
kernel void indexed(global uint *out, global const uint *in, uint mask, uint rounds)
{
	uint i = get_local_id(0), step = get_group_id(0) & 7, sum = 0;
	for (uint r = 0; r < rounds; r++) {
#pragma unroll
		for (uint k = 0; k < 8; k++) {
			sum += in[i & mask];
			i += step;
		}
	}
	out[get_global_id(0)] = sum;
}

// Each work-item stores to four places in turn: coalesced (apart = 1), or each in its own cache line (apart = 32).
kernel void stores(global uint *out, uint rounds, uint apart)
{
	uint gid = get_global_id(0), items = get_global_size(0);
	for (uint r = 0; r < rounds; r++)
		out[((r & 3) * items + gid) * apart] = gid + r;
}
