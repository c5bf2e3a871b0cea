// Occupancy: a chain of loads from memory that only other wavefronts can hide. What a group takes
// of local memory, or a work-item of registers, decides how many there are.
kernel void occupancy_lds(global uint *out, global const uint *in, local uint *pool, uint mask, uint steps)
{
	uint lid = get_local_id(0), at = get_global_id(0) * 33;
	pool[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint s = 0; s < steps; s++)
		at = in[at & mask] + at * 5 + 1;
	out[get_global_id(0)] = at + pool[lid ^ 1];
}

// LIVE values stay live over the loop.
#ifndef LIVE
#define LIVE 8
#endif
kernel void occupancy_registers(global uint *out, global const uint *in, uint mask, uint steps)
{
	uint at = get_global_id(0) * 33;
	uint v[LIVE];
#pragma unroll
	for (uint k = 0; k < LIVE; k++)
		v[k] = in[(at + k * 64) & mask];
	for (uint s = 0; s < steps; s++) {
		at = in[at & mask] + at * 5 + 1;
#pragma unroll
		for (uint k = 0; k < LIVE; k++)
			v[k] ^= at + k;
	}
#pragma unroll
	for (uint k = 0; k < LIVE; k++)
		at += v[k] * (k + 1);
	out[get_global_id(0)] = at;
}
