// Each wavefront of 32 reads rows of 128 bytes of its own, again and again: do those of a compute unit fit its L1? A
// work-group takes LOCAL bytes of local memory, which may leave less of it.
#ifndef ROWS
#define ROWS 64
#endif

kernel void rows(global const float *in, global float *out, int passes)
{
	int id = get_global_id(0), lid = get_local_id(0);
	global const float *mine = in + (id / 32) * ROWS * 32 + id % 32;
	float sum = 0;
#ifdef LOCAL
	local float taken[LOCAL / 4];
	int used = min((int)get_local_size(0), LOCAL / 4);
	if (lid < used)
		taken[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = taken[lid * 7 % used];
#endif
	for (int p = 0; p < passes; p++) {
		global const float *row = mine;
#pragma unroll 1
		for (int i = 0; i < ROWS; i += 4, row += 128)
			sum += row[0] + row[32] * 2 + row[64] * 3 + row[96] * 4;
	}
	out[id] = sum;
}
